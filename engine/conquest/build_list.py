"""A seat's build list: its pools of Build Points, what each item costs, and what may still be
added.

"Each Village provides one Build Point". "All Villages on Island Groups connected by a Transport
Canoe Chain may combine their efforts", and "an isolated Island Group builds by itself": so Build
Points lie in pools. Everything is built in a hex that already contains a Village, and the pieces of
a colour are a limit. Which box a Village stands in never matters later, so nobody is asked for it.

An obstacle is the key of a reason in [why]; an objection is that key with its facts.
"""

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import COSTS, KINDS
from engine.conquest.chains import chains
from engine.conquest.empire import unbuilt
from engine.conquest.hex_options import LONG
from engine.conquest.hexes import controlled, is_independent, land_at, room
from engine.conquest.pieces import NOBODY, Line, Nation
from engine.conquest.reasons import Objection, about_hex
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

HOME: Final = "home"
"""The key of the pool with the Home; any other pool's key is its first hex."""
CARD: Final = "card"
LOOK: Final = "peek"
"""To see what was drawn, and perhaps show it, before points are counted."""
NUMBERED: Final = ("t", "w", "b", "c", "r")
"""Pieces that may be built several at a time in one hex."""
PLACED: Final = ("t", "o", "w", "b", "c", "r", "v", "a")
"""Items that are built in a hex: `t` and `o` are Transport Canoes face down and open."""
CANOES: Final = ("t", "o")
"""A Transport Canoe is the same piece either way; it may lie open from the start."""
PIECE_OF: Final = {"t": "t", "o": "t", "w": "w", "b": "b", "c": "c", "r": "r", "pigs": "c"}
"""Items that are pieces, and their kinds."""
ONCE: Final = ("adze", "pigs", "gift")
"""Single-use cards that may go on a build list."""
EXTRAS: Final = ("inward", *ONCE, LOOK)
"""What a list may hold besides a bought card and items built in a hex."""
BONUS_POINTS: Final = {"inward": 1, "adze": 2}
"""Build Points that Turning Inward and the Stone Adze add to the Home pool."""


class Pool(Struct, frozen=True):
    """Groups whose Build Points may be spent together: those of one Transport Canoe Chain, or a
    lone group.
    """

    key: str
    spots: tuple[str, ...]
    points: int


class Estate(Struct, frozen=True):
    """Everything a seat's lists are checked against; fixed for the whole Building Step."""

    seat: Seat
    nation: Nation
    pools: tuple[Pool, ...]
    stock: dict[str, int]
    """Unbuilt pieces by kind."""
    rooms: dict[str, int]
    """Boxes free for a Village in own groups, and where a Colony may settle."""
    fields: dict[str, int]
    """Brown boxes of own groups that are not improved."""
    opened: tuple[str, ...]
    """Hexes with an open canoe."""
    colonies: dict[str, int]
    """Colonies that lie where one may become a Village."""
    held: dict[str, int]
    """Pieces in conquered printed groups, of which one must always stay."""
    deck: int
    """Cards left to draw."""

    @property
    def pool_of(self) -> dict[str, str]:
        """The pool of each own group, pool by pool."""
        pool_of = {}
        for pool in self.pools:
            pool_of.update(dict.fromkeys(pool.spots, pool.key))
        return pool_of


def estate_of(state: "State", seat: Seat) -> Estate:
    """Return what a seat's build lists are checked against now."""
    own, stacks = controlled(state, seat), state.stacks_of(seat)
    colonies = {}
    for stack in stacks:
        land, owner = land_at(state, stack.spot), state.group(stack.spot).owner
        if not stack.kinds.c or land is None or is_independent(state, stack.spot):
            continue
        # On a group new to the seat the first Village needs a green box: brown ones cannot be
        # improved before it.
        if owner == seat or (owner == NOBODY and land.green > 0):
            colonies[stack.spot] = stack.kinds.c
    fields = {}
    for spot in own:
        land = land_at(state, spot)
        if land is not None:
            fields[spot] = land.brown - state.group(spot).improved
    return Estate(
        seat=seat,
        nation=state.nations[seat],
        pools=_pools(state, seat),
        stock=dict(zip(KINDS, unbuilt(state, seat).numbers, strict=True)),
        rooms={spot: room(state, spot) for spot in (*own, *colonies)},
        fields=fields,
        opened=tuple(stack.spot for stack in stacks if stack.open),
        colonies=colonies,
        held={stack.spot: stack.kinds.total for stack in stacks if state.must_be_held(stack.spot)},
        deck=len(state.deck),
    )


def _pools(state: "State", seat: Seat) -> tuple[Pool, ...]:
    """The seat's pools, the Home's first, to which Fishponds and a saved point belong; then by
    the codes of hexes.
    """
    nation = state.nations[seat]
    lone = list(controlled(state, seat))
    parts = []
    for chain in chains(state, seat):
        part = tuple(spot for spot in lone if spot in chain)
        lone = [spot for spot in lone if spot not in chain]
        if part:
            parts.append(part)
    parts += [(spot,) for spot in lone]
    home, others = [], []
    for part in parts:
        points = sum(state.group(spot).villages for spot in part)
        if nation.home in part:
            points += nation.shows("ponds") + nation.saved
            home.append(Pool(HOME, part, points))
        else:
            others.append(Pool(part[0], part, points))
    return (*home, *sorted(others, key=attrgetter("key")))


class BuildList(Struct, frozen=True):
    """A build list against the estate.

    Its order matters to Outrigger alone, which makes its first canoe free.
    """

    estate: Estate
    lines: tuple[Line, ...]

    @property
    def items(self) -> list[str]:
        """The items of the list."""
        return [line.item for line in self.lines]

    @property
    def bonus(self) -> int:
        """Points that the list itself brings to the Home pool."""
        return sum(BONUS_POINTS.get(item, 0) for item in self.items)

    @property
    def total(self) -> int:
        """All Build Points."""
        return sum(pool.points for pool in self.estate.pools) + self.bonus

    def price(self, item: str, canoes_before: int | None = None) -> int:
        """Return what one more of an item costs by the Build Chart, after `canoes_before` canoes.

        By default, those are the canoes on the list.
        """
        if canoes_before is None:
            canoes_before = sum(1 for listed in self.items if listed in CANOES)
        if item in CANOES:
            # Outrigger: the first Transport Canoe of a turn is free.
            return 0 if self.estate.nation.shows("outrigger") and not canoes_before else COSTS["t"]
        if item == "a" and self.estate.nation.shows("irrigation"):
            return max(1, COSTS["a"] - 1)
        return COSTS.get(item, 0)

    @property
    def left(self) -> dict[str, int]:
        """Build Points left in each pool."""
        pool_of = self.estate.pool_of
        left = {pool.key: pool.points for pool in self.estate.pools}
        if HOME in left:
            left[HOME] += self.bonus
        canoes = 0
        for line in self.lines:
            pool = line.spot if line.item == CARD else pool_of.get(line.spot, "")
            if pool in left:
                left[pool] -= self.price(line.item, canoes)
            canoes += line.item in CANOES
        return left

    def _spots(self, item: str) -> list[str]:
        """Where the list puts an item, a hex as often as it gets one."""
        return [line.spot for line in self.lines if line.item == item]

    def _at(self, item: str, spot: str) -> int:
        """How many of an item go to a hex."""
        return self.lines.count(Line(item, spot))

    def pieces_left(self, item: str) -> int | None:
        """Return how many pieces are left for an item; None if it has no limit."""
        if item not in PIECE_OF:
            return None
        kind = PIECE_OF[item]
        listed = [PIECE_OF.get(other) for other in self.items]
        return self.estate.stock[kind] - listed.count(kind)

    def places(self, item: str) -> list[str]:
        """Controlled hexes where one more of an item may go and can be paid, pool by pool."""
        if self.pieces_left(item) == 0:
            return []
        price, left = self.price(item), self.left
        paid = [spot for spot, pool in self.estate.pool_of.items() if left[pool] >= price]
        return [spot for spot in paid if not self.site_obstacle(item, spot)]

    def site_obstacle(self, item: str, spot: str) -> str:
        """Return the obstacle to building one more of an item in a hex; '' if there is none."""
        match item:
            case "o" if spot in (*self.estate.opened, *self._spots("o")):
                # One canoe a hex lies open.
                return "is_open"
            case "a" if self.estate.fields[spot] <= self._at("a", spot):
                return "no_field"
            case "v" if self._at("v", spot) >= (2 if self._may_build_second_village() else 1):
                # "Only one new Village may be Built per Island Group per turn"; Breadfruit allows
                # one group a second.
                return "one_village"
            case "v" if self._free_boxes(spot) <= 0:
                return "no_box"
        return ""

    def left_at(self, spot: str) -> int | None:
        """Return the Build Points left for a hex; None where the seat has no Village."""
        pool = self.estate.pool_of.get(spot)
        return self.left[pool] if pool is not None else None

    def _free_boxes(self, spot: str) -> int:
        """Return the boxes left for Villages once the list is built; Agriculture from this turn
        already counts.
        """
        return self.estate.rooms[spot] + self._at("a", spot) - self._at("v", spot)

    def _may_build_second_village(self) -> bool:
        """Whether Breadfruit is face up and its second Village is not on the list yet."""
        villages = self._spots("v")
        return self.estate.nation.shows("breadfruit") and len(set(villages)) == len(villages)

    def card_payers(self) -> list[str]:
        """Return the pools that can pay for a card, if one may be bought."""
        if self.card_obstacle():
            return []
        return [pool for pool, points in self.left.items() if points >= COSTS[CARD]]

    def card_obstacle(self) -> str:
        """Return the rule by which no pool can buy a card: one a turn, while the deck lasts."""
        if CARD in self.items:
            return "one_card"
        return "" if self.estate.deck else "no_deck"

    def extras(self) -> list[str]:
        """Turning Inward and the cards that work once in Building, as far as they would help."""
        return [extra for extra in EXTRAS if not self.extra_objection(extra)]

    def extra_objection(self, extra: str) -> Objection:
        """Return why Turning Inward, or a card that works once, cannot be listed or would not
        help.
        """
        nation = self.estate.nation
        if extra == LOOK and extra not in self.items:
            has_card = CARD in self.items or "gift" in self.items
            return None if has_card else ("nothing_to_look_at", {})
        if extra in ONCE and not nation.holds_unused(extra):
            return ("card_is_used" if nation.holds(extra) else "no_such_card"), {"card": extra}
        if extra in self.items:
            return "on_list", {"item": extra}
        match extra:
            case "inward" if nation.explorer != "home":
                return "explorer_is_lost", {}
            case "inward" if not nation.home:
                return "no_home", {}
            case "adze" if HOME not in self.left:
                return "no_home", {}
            case "gift" if not self.estate.deck:
                return "no_deck", {}
            case "pigs":
                return self.item_objection(extra)
        return None

    def item_objection(self, item: str) -> Objection:
        """Return why one more of an item cannot be listed anywhere: it is used up, too dear, or
        has no place.
        """
        if self.pieces_left(item) == 0:
            return "all_built", {"kind": PIECE_OF[item]}
        if not self.estate.pools:
            return "no_group", {}
        price, left = self.price(item), max(self.left.values())
        if left < price:
            return self.price_objection(item)
        return None if self.places(item) else (f"no_place_{item}", {"cost": price})

    def price_objection(self, item: str) -> Objection:
        """Say what an item costs, and how much the richest pool has left."""
        return "cannot_pay", {
            "item": item,
            "cost": self.price(item),
            "left": max(self.left.values(), default=0),
        }

    def place_objection(self, item: str, spot: str) -> Objection:
        """Return why one more of an item cannot be built in a hex: it must already contain a
        Village.
        """
        price, left = self.price(item), self.left_at(spot)
        if left is None:
            return about_hex("no_village", spot)
        if left < price:
            return "cannot_pay_at", {"spot": spot, "item": item, "cost": price, "left": left}
        obstacle = self.site_obstacle(item, spot)
        return about_hex(obstacle, spot) if obstacle else None

    def number_objection(self, item: str, number: int) -> Objection:
        """Return why this many of an item cannot be built at once: it comes one at a time, or is
        used up.
        """
        if item == "pigs":
            return "one_from_pigs", {}
        if item not in NUMBERED:
            return "one_at_a_time", {"item": item}
        if item in CANOES and not self.price(item):
            return "free_canoe_alone", {}
        pieces = self.pieces_left(item) or 0
        return (
            ("pieces_left", {"kind": PIECE_OF[item], "number": pieces}) if number > pieces else None
        )

    def droppable_lines(self) -> tuple[int, ...]:
        """Return the indices of the lines that may be removed."""
        return tuple(n for n in range(len(self.lines)) if not self.drop_objection(n))

    def drop_objection(self, n: int) -> Objection:
        """Return why a line cannot be removed: its points are spent, or a Village needs its box."""
        line = self.lines[n]
        brought = BONUS_POINTS.get(line.item, 0)
        if brought > 0 and self.left.get(HOME, brought) < brought:
            return "points_are_spent", {"item": line.item}
        if line.item == "a" and self._free_boxes(line.spot) <= 0:
            return about_hex("box_is_needed", line.spot)
        return None

    def max_copies(self, item: str, spot: str) -> int:
        """Return how many of an item can be built in a hex at once."""
        price = self.price(item)
        # Outrigger: the first canoe costs nothing, the next one does.
        if item not in NUMBERED or (item in CANOES and not price):
            return 1
        pieces = self.pieces_left(item) or 0
        return min(pieces, self.left[self.estate.pool_of[spot]] // price) if price else pieces

    def max_selectable_hexes(self, item: str, spots: list[str]) -> int:
        """Return how many of these hexes may be chosen at once.

        Any choice of that many must be affordable, because every choice offered must be legal.
        """
        price = self.price(item)
        # What changes the price, or the rule for the next one, is bought one at a time.
        is_free_canoe = item in CANOES and not price
        is_breadfruit = item == "v" and self.estate.nation.shows("breadfruit")
        if item == "pigs" or is_free_canoe or is_breadfruit or len(spots) > LONG:
            return 1
        pieces = self.pieces_left(item)
        most = len(spots) if pieces is None else min(len(spots), pieces)
        if not price:
            return most
        pool_of = self.estate.pool_of
        hexes_of = Counter(pool_of[spot] for spot in spots)
        for pool, points in self.left.items():
            if hexes_of[pool] * price > points:
                most = min(most, points // price)
        return most

    def settleable_hexes(self) -> tuple[str, ...]:
        """Return the hexes where a Colony that was already there may become a Village."""
        return tuple(spot for spot in self.estate.colonies if not self.settling_obstacle(spot))

    def settling_obstacle(self, spot: str) -> str:
        """Return the obstacle to a Colony settling in a hex; '' if there is none."""
        if spot in self._spots("v"):
            return "one_village"
        if self._free_boxes(spot) <= 0:
            return "no_box"
        return "" if self._may_settle(spot, 1) else "must_be_held"

    def _may_settle(self, spot: str, colonies: int) -> bool:
        """Whether a piece stays where one must: "the new owner must always keep at least one
        Piece in the hex".
        """
        if spot not in self.estate.held:
            return True
        built = sum(1 for line in self.lines if line.item in PIECE_OF and line.spot == spot)
        return self.estate.held[spot] + built > colonies

    def second_settleable_hexes(self, settled: tuple[str, ...]) -> tuple[str, ...]:
        """Return the hexes where Breadfruit lets one more Colony become a Village, after those
        in `settled`.
        """
        if not self._may_build_second_village():
            return ()
        found = []
        for spot, colonies in self.estate.colonies.items():
            settling = 1 if spot in settled else 0
            has_one = self._at("v", spot) + settling == 1
            has_room = colonies > settling and self._free_boxes(spot) > settling
            if has_one and has_room and self._may_settle(spot, settling + 1):
                found.append(spot)
        return tuple(found)

    @property
    def has_leftover(self) -> bool:
        """Whether a Build Point is left over for Saved Resources.

        One saved earlier still counts while there is no Home to spend it at.
        """
        waits = self.estate.nation.saved and HOME not in self.left
        return waits or any(points > 0 for points in self.left.values())


def build_list_of(state: "State", seat: Seat, lines: tuple[Line, ...]) -> BuildList:
    """Return a seat's build list, checked against what it has now."""
    return BuildList(estate_of(state, seat), lines)
