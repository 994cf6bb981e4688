"""A seat's build list: its pools of Build Points, the cost of each item, and what may be added.

"Each Village provides one Build Point." "All Villages on Island Groups connected by a Transport
Canoe Chain may combine their efforts", and "An isolated Island Group builds by itself": so Build
Points lie in pools. Everything is built in a hex that already contains a Village, and the number of
pieces of a colour is a limit. Which box a Village stands in never matters later, so nobody is asked
for it.

A refusal key is the key of a [why] text that says why something is illegal, or '' if it is legal; a
refusal is that key with its facts. The same methods decide what is offered and why something else
is not.
"""

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import COSTS, KINDS
from engine.conquest.chains import find_chains
from engine.conquest.empire import unbuilt_pieces
from engine.conquest.hex_options import MAX_UNGROUPED_OPTIONS
from engine.conquest.hexes import controlled_groups, free_village_boxes, is_independent, land_at
from engine.conquest.pieces import NOBODY, Line, Nation
from engine.conquest.refusals import Refusal, hex_refusal
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

HOME: Final = "home"
"""The key of the pool with the Home; any other pool is named by its first hex."""
CARD: Final = "card"
PEEK: Final = "peek"
"""See the drawn card, and perhaps reveal it, before points are counted."""
BUILT_IN_NUMBERS: Final = ("t", "w", "b", "c", "r")
"""Pieces of which several may be built in one hex with one answer."""
PLACED_ITEMS: Final = ("t", "o", "w", "b", "c", "r", "v", "a")
"""Items that are built in a hex: `t` and `o` are Transport Canoes, face down and face up."""
TRANSPORT_CANOES: Final = ("t", "o")
"""The items that build a Transport Canoe, face down or face up."""
PIECE_OF: Final = {
    "t": "t",
    "o": "t",
    "w": "w",
    "b": "b",
    "c": "c",
    "r": "r",
    "pigs": "c",
}
"""The kind of piece that an item builds."""
SINGLE_USE_CARDS: Final = ("adze", "pigs", "gift")
"""Single-use cards that may go on a build list."""
EXTRAS: Final = ("inward", *SINGLE_USE_CARDS, PEEK)
"""The entries of a list besides a bought card and items built in a hex."""
BONUS_POINTS: Final = {"inward": 1, "adze": 2}
"""Build Points that Turning Inward and the Stone Adze add to the Home pool."""


class Pool(Struct, frozen=True):
    """Groups that spend Build Points together: those of one Transport Canoe Chain, or just one."""

    key: str
    spots: tuple[str, ...]
    points: int


class Estate(Struct, frozen=True):
    """Everything that a seat's lists are checked against; fixed for the whole Building Step."""

    seat: Seat
    nation: Nation
    pools: tuple[Pool, ...]
    stock: dict[str, int]
    """Unbuilt pieces by kind."""
    village_boxes: dict[str, int]
    """Free boxes for Villages, in the seat's groups and where its Colonies may settle."""
    unimproved_boxes: dict[str, int]
    """Brown boxes of the seat's groups without Improved Agriculture."""
    open_hexes: tuple[str, ...]
    """Hexes with a face-up canoe."""
    colonies: dict[str, int]
    """Colonies in hexes where one may become a Village."""
    held_pieces: dict[str, int]
    """Pieces in conquered printed groups, where one must always stay."""
    deck: int
    """Cards left to draw."""

    @property
    def pool_of(self) -> dict[str, str]:
        """Return the key of each group's pool, pool by pool."""
        pool_of = {}
        for pool in self.pools:
            pool_of.update(dict.fromkeys(pool.spots, pool.key))
        return pool_of


def estate_of(state: "State", seat: Seat) -> Estate:
    """Return what a seat's build lists are checked against now."""
    own = controlled_groups(state, seat)
    stacks = state.stacks_of(seat)
    colonies = {}
    for stack in stacks:
        land = land_at(state, stack.spot)
        owner = state.group(stack.spot).owner
        if not stack.kinds.c or land is None or is_independent(state, stack.spot):
            continue
        # The first Village needs a green box: Improved Agriculture for a brown one can be built
        # only where there is a Village already.
        if owner == seat or (owner == NOBODY and land.green > 0):
            colonies[stack.spot] = stack.kinds.c
    unimproved_boxes = {}
    for spot in own:
        land = land_at(state, spot)
        if land is not None:
            unimproved_boxes[spot] = land.brown - state.group(spot).improved
    return Estate(
        seat=seat,
        nation=state.nations[seat],
        pools=_find_pools(state, seat),
        stock=dict(zip(KINDS, unbuilt_pieces(state, seat).numbers, strict=True)),
        village_boxes={spot: free_village_boxes(state, spot) for spot in (*own, *colonies)},
        unimproved_boxes=unimproved_boxes,
        open_hexes=tuple(stack.spot for stack in stacks if stack.open),
        colonies=colonies,
        held_pieces={
            stack.spot: stack.kinds.total for stack in stacks if state.must_be_held(stack.spot)
        },
        deck=len(state.deck),
    )


def _find_pools(state: "State", seat: Seat) -> tuple[Pool, ...]:
    """Return the seat's pools: the Home's first, then by hex code.

    Fishponds and a saved Build Point belong to the Home pool.
    """
    nation = state.nations[seat]
    isolated = list(controlled_groups(state, seat))
    connected = []
    for chain in find_chains(state, seat):
        spots = tuple(spot for spot in isolated if spot in chain)
        isolated = [spot for spot in isolated if spot not in chain]
        if spots:
            connected.append(spots)
    home, others = [], []
    for spots in (*connected, *((spot,) for spot in isolated)):
        points = sum(state.group(spot).villages for spot in spots)
        if nation.home in spots:
            points += nation.shows("ponds") + nation.saved
            home.append(Pool(HOME, spots, points))
        else:
            others.append(Pool(spots[0], spots, points))
    return (*home, *sorted(others, key=attrgetter("key")))


class BuildList(Struct, frozen=True):
    """A build list, checked against the estate.

    The order of its lines matters only for Outrigger, which makes the first canoe free.
    """

    estate: Estate
    lines: tuple[Line, ...]

    @property
    def items(self) -> list[str]:
        """Return the items of the list."""
        return [line.item for line in self.lines]

    @property
    def bonus(self) -> int:
        """Return the Build Points that the list itself adds to the Home pool."""
        return sum(BONUS_POINTS.get(item, 0) for item in self.items)

    @property
    def total(self) -> int:
        """Return the Build Points of all pools together."""
        return sum(pool.points for pool in self.estate.pools) + self.bonus

    def price(self, item: str, canoes_before: int | None = None) -> int:
        """Return what one more of an item costs by the Build Chart.

        Outrigger makes the price depend on how many canoes come before it; by default,
        those on the list.
        """
        if canoes_before is None:
            canoes_before = sum(1 for listed in self.items if listed in TRANSPORT_CANOES)
        if item in TRANSPORT_CANOES:
            # Outrigger: the first Transport Canoe of a turn is free.
            is_free = self.estate.nation.shows("outrigger") and not canoes_before
            return 0 if is_free else COSTS["t"]
        # Irrigation: Improved Agriculture is one point cheaper.
        if item == "a" and self.estate.nation.shows("irrigation"):
            return max(1, COSTS["a"] - 1)
        return COSTS.get(item, 0)

    @property
    def left(self) -> dict[str, int]:
        """Return the Build Points left in each pool."""
        pool_of = self.estate.pool_of
        left = {pool.key: pool.points for pool in self.estate.pools}
        if HOME in left:
            left[HOME] += self.bonus
        canoes = 0
        for line in self.lines:
            # Everything is paid by the pool of the hex where it is built; a card names its pool.
            pool = line.spot if line.item == CARD else pool_of.get(line.spot, "")
            if pool in left:
                left[pool] -= self.price(line.item, canoes)
            canoes += line.item in TRANSPORT_CANOES
        return left

    def hexes_of(self, item: str) -> list[str]:
        """Return the hexes where the list builds an item, once per copy."""
        return [line.spot for line in self.lines if line.item == item]

    def count_at(self, item: str, spot: str) -> int:
        """Return how many of an item the list builds in a hex."""
        return self.lines.count(Line(item, spot))

    def pieces_left(self, item: str) -> int | None:
        """Return how many pieces are left for an item; None if it has no limit.

        "The number of Pieces of each player's color is intended to be a limiting factor."
        """
        if item not in PIECE_OF:
            return None
        kind = PIECE_OF[item]
        listed = [PIECE_OF.get(other) for other in self.items]
        return self.estate.stock[kind] - listed.count(kind)

    def places(self, item: str) -> list[str]:
        """Return the hexes where one more of an item is allowed and affordable, pool by pool."""
        if self.pieces_left(item) == 0:
            return []
        price = self.price(item)
        left = self.left
        affordable = [spot for spot, pool in self.estate.pool_of.items() if left[pool] >= price]
        return [spot for spot in affordable if not self.site_refusal_key(item, spot)]

    def site_refusal_key(self, item: str, spot: str) -> str:
        """Return the refusal key of one more of an item in a hex; '' if it may be built."""
        match item:
            case "o" if spot in (*self.estate.open_hexes, *self.hexes_of("o")):
                # Only one Transport Canoe in a hex may lie face up.
                return "is_open"
            # Improved Agriculture goes on a brown box, one Marker on each.
            case "a" if self.estate.unimproved_boxes[spot] <= self.count_at("a", spot):
                return "no_field"
            case "v" if self.count_at("v", spot) >= (2 if self._may_build_second_village() else 1):
                # "Only one new Village may be Built per Island Group per turn"; Breadfruit allows a
                # second one in one group.
                return "one_village"
            case "v" if self.free_boxes(spot) <= 0:
                return "no_box"
        return ""

    def left_at(self, spot: str) -> int | None:
        """Return the Build Points left for a hex; None where the seat has no Village."""
        pool = self.estate.pool_of.get(spot)
        return self.left[pool] if pool is not None else None

    def free_boxes(self, spot: str) -> int:
        """Return the boxes left for Villages in a hex once the list is built.

        "Both the Improved Agriculture and the Village may be built in the same turn."
        """
        return self.estate.village_boxes[spot] + self.count_at("a", spot) - self.count_at("v", spot)

    def _may_build_second_village(self) -> bool:
        """Return whether Breadfruit is face up and its second Village is not on the list yet."""
        villages = self.hexes_of("v")
        return self.estate.nation.shows("breadfruit") and len(set(villages)) == len(villages)

    def card_payers(self) -> list[str]:
        """Return the pools that can pay for a card, if one may be bought."""
        if self.card_refusal_key():
            return []
        return [pool for pool, points in self.left.items() if points >= COSTS[CARD]]

    def card_refusal_key(self) -> str:
        """Return the refusal key of buying a card at all; '' if one may be bought."""
        # "Each player may Build only ONE card per turn."
        if CARD in self.items:
            return "one_card"
        return "" if self.estate.deck else "no_deck"

    def extras(self) -> list[str]:
        """Return the extras that may be listed: Turning Inward, single-use cards, and a peek."""
        return [extra for extra in EXTRAS if not self.extra_refusal(extra)]

    def extra_refusal(self, extra: str) -> Refusal:
        """Return why an extra cannot be listed, or would be of no use."""
        nation = self.estate.nation
        if extra == PEEK and extra not in self.items:
            has_card = CARD in self.items or "gift" in self.items
            return None if has_card else ("nothing_to_look_at", {})
        if extra in SINGLE_USE_CARDS and not nation.holds_unused(extra):
            reason = "card_is_used" if nation.holds(extra) else "no_such_card"
            return reason, {"card": extra}
        if extra in self.items:
            return "on_list", {"item": extra}
        match extra:
            # Turning Inward puts the Explorer into the Lost Box, so it must not be there already.
            case "inward" if nation.explorer != "home":
                return "explorer_is_lost", {}
            # The extra point "may be used in your Home Island Group", or connected to it.
            case "inward" if not nation.home:
                return "no_home", {}
            case "adze" if HOME not in self.left:
                return "no_home", {}
            case "gift" if not self.estate.deck:
                return "no_deck", {}
            case "pigs":
                return self.item_refusal(extra)
        return None

    def item_refusal(self, item: str) -> Refusal:
        """Return why one more of an item cannot be listed anywhere."""
        if self.pieces_left(item) == 0:
            return "all_built", {"kind": PIECE_OF[item]}
        if not self.estate.pools:
            return "no_group", {}
        price = self.price(item)
        if max(self.left.values()) < price:
            return self.price_refusal(item)
        return None if self.places(item) else (f"no_place_{item}", {"cost": price})

    def price_refusal(self, item: str) -> Refusal:
        """Return the refusal that no pool can pay for an item."""
        return "cannot_pay", {
            "item": item,
            "cost": self.price(item),
            "left": max(self.left.values(), default=0),
        }

    def place_refusal(self, item: str, spot: str) -> Refusal:
        """Return why one more of an item cannot be built in a hex."""
        price = self.price(item)
        left = self.left_at(spot)
        if left is None:
            return hex_refusal("no_village", spot)
        if left < price:
            return "cannot_pay_at", {"spot": spot, "item": item, "cost": price, "left": left}
        refusal_key = self.site_refusal_key(item, spot)
        return hex_refusal(refusal_key, spot) if refusal_key else None

    def number_refusal(self, item: str, number: int) -> Refusal:
        """Return why this many of an item cannot be built with one answer."""
        if item == "pigs":
            return "one_from_pigs", {}
        if item not in BUILT_IN_NUMBERS:
            return "one_at_a_time", {"item": item}
        if item in TRANSPORT_CANOES and not self.price(item):
            return "free_canoe_alone", {}
        pieces = self.pieces_left(item) or 0
        if number > pieces:
            return "pieces_left", {"kind": PIECE_OF[item], "number": pieces}
        return None

    def droppable_lines(self) -> tuple[int, ...]:
        """Return the indices of the lines that may be removed."""
        return tuple(n for n in range(len(self.lines)) if not self.drop_refusal(n))

    def drop_refusal(self, n: int) -> Refusal:
        """Return why a line cannot be removed: its points are spent, or a Village needs its box."""
        line = self.lines[n]
        bonus = BONUS_POINTS.get(line.item, 0)
        if bonus > 0 and self.left.get(HOME, bonus) < bonus:
            return "points_are_spent", {"item": line.item}
        if line.item == "a" and self.free_boxes(line.spot) <= 0:
            return hex_refusal("box_is_needed", line.spot)
        return None

    def max_copies(self, item: str, spot: str) -> int:
        """Return how many of an item can be built in a hex at once."""
        price = self.price(item)
        # Outrigger: the first canoe is free and the next one is not, so it is built alone.
        is_free_canoe = item in TRANSPORT_CANOES and not price
        if item not in BUILT_IN_NUMBERS or is_free_canoe:
            return 1
        pieces = self.pieces_left(item) or 0
        if not price:
            return pieces
        points = self.left[self.estate.pool_of[spot]]
        return min(pieces, points // price)

    def max_selectable_hexes(self, item: str, spots: list[str]) -> int:
        """Return how many of these hexes may be chosen at once.

        Any choice of that many must be affordable, because every choice offered must be legal.
        """
        price = self.price(item)
        # An item that changes the price of the next one, or the rule for it, is built alone.
        is_free_canoe = item in TRANSPORT_CANOES and not price
        is_breadfruit = item == "v" and self.estate.nation.shows("breadfruit")
        if item == "pigs" or is_free_canoe or is_breadfruit or len(spots) > MAX_UNGROUPED_OPTIONS:
            return 1
        pieces = self.pieces_left(item)
        most = len(spots) if pieces is None else min(len(spots), pieces)
        if not price:
            return most
        pool_of = self.estate.pool_of
        hexes_of = Counter(pool_of[spot] for spot in spots)
        for pool, points in self.left.items():
            # All the chosen hexes may be in this pool, so it must be able to pay for all of them.
            if hexes_of[pool] * price > points:
                most = min(most, points // price)
        return most

    def settleable_hexes(self) -> tuple[str, ...]:
        """Return the hexes where a Colony that was already there may become a Village."""
        return tuple(spot for spot in self.estate.colonies if not self.settling_refusal_key(spot))

    def settling_refusal_key(self, spot: str) -> str:
        """Return the refusal key of a Colony settling in a hex; '' if it may."""
        # "Only one new Village may be Built per Island Group per turn", settled ones included.
        if spot in self.hexes_of("v"):
            return "one_village"
        if self.free_boxes(spot) <= 0:
            return "no_box"
        return "" if self._may_settle(spot, 1) else "must_be_held"

    def _may_settle(self, spot: str, colonies: int) -> bool:
        """Return whether a piece is left where one must stay, if this many Colonies settle.

        "The new owner must always keep at least one Piece in the hex."
        """
        if spot not in self.estate.held_pieces:
            return True
        built = sum(1 for line in self.lines if line.item in PIECE_OF and line.spot == spot)
        return self.estate.held_pieces[spot] + built > colonies

    def second_settleable_hexes(self, settled: tuple[str, ...]) -> tuple[str, ...]:
        """Return where Breadfruit lets one more Colony become a Village, after those `settled`."""
        if not self._may_build_second_village():
            return ()
        hexes = []
        for spot, colonies in self.estate.colonies.items():
            settling = 1 if spot in settled else 0
            has_new_village = self.count_at("v", spot) + settling == 1
            has_room = colonies > settling and self.free_boxes(spot) > settling
            if has_new_village and has_room and self._may_settle(spot, settling + 1):
                hexes.append(spot)
        return tuple(hexes)

    @property
    def has_leftover(self) -> bool:
        """Return whether a Build Point is left over for Saved Resources.

        A point saved earlier still counts while the seat has no Home to spend it at.
        """
        is_still_saved = self.estate.nation.saved and HOME not in self.left
        return is_still_saved or any(points > 0 for points in self.left.values())


def build_list_of(state: "State", seat: Seat, lines: tuple[Line, ...]) -> BuildList:
    """Return a seat's build list, checked against what it has now."""
    return BuildList(estate_of(state, seat), lines)
