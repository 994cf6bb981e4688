"""A seat's Building Step on paper: pools of Build Points, a list of items, what they cost, what they leave possible."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import COSTS, KINDS
from engine.conquest.chains import chains
from engine.conquest.empire import unbuilt
from engine.conquest.hexes import controlled, is_independent, land_at, room
from engine.conquest.pieces import NOBODY, Line, Nation
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

HOME: Final = "home"
"""The key of the pool that the Home belongs to; that of any other is its first hex."""
CARD: Final = "card"
PLACED: Final = ("t", "o", "w", "b", "c", "r", "v", "a")
"""Items that need a place: `t` and `o` are Transport Canoes face down and open."""
CANOES: Final = ("t", "o")
PIECE_OF: Final = {"t": "t", "o": "t", "w": "w", "b": "b", "c": "c", "r": "r", "pigs": "c"}
"""Items that are pieces, and their kinds."""
BRINGS: Final = {"inward": 1, "adze": 2}
"""Points that an item brings to the Home pool."""
MOST_PLACES: Final = 25
"""A longer list of hexes is answered with one of them at a time."""


class Pool(Struct, frozen=True):
    """Groups whose Build Points may be spent together: one open chain, or a lone group."""

    key: str
    spots: tuple[str, ...]
    points: int


class Estate(Struct, frozen=True):
    """What a seat's lists are weighed against, the same for every list of a Building Step."""

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
    deck: int
    """Cards left to draw."""

    @property
    def pool_of(self) -> dict[str, str]:
        """The pool of each own group, pool by pool."""
        return {spot: pool.key for pool in self.pools for spot in pool.spots}


def estate_of(state: "State", seat: Seat) -> Estate:
    """The seat's estate now."""
    own, stacks = controlled(state, seat), state.stacks_of(seat)
    colonies = {stack.spot: stack.kinds.c for stack in stacks if stack.kinds.c and _may_settle(state, seat, stack.spot)}
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
        deck=len(state.deck),
    )


def _may_settle(state: "State", seat: Seat, spot: str) -> bool:
    """An own group, or one that is free and has a green box."""
    land, owner = land_at(state, spot), state.group(spot).owner
    if land is None or is_independent(state, spot):
        return False
    return owner == seat or (owner == NOBODY and land.green > 0)


def _pools(state: "State", seat: Seat) -> tuple[Pool, ...]:
    """The seat's pools, the Home's first, then in the order of the map; Fishponds and a saved point belong to it."""
    own, nation = controlled(state, seat), state.nations[seat]
    chained = [tuple(spot for spot in own if spot in chain) for chain in chains(state, seat)]
    lone = [(spot,) for spot in own if not any(spot in part for part in chained)]
    found = []
    for part in (*chained, *lone):
        if not part:
            continue
        points = sum(state.group(spot).villages for spot in part)
        is_home = nation.home in part
        if is_home:
            points += nation.shows("ponds") + nation.saved
        found.append(Pool(HOME if is_home else part[0], part, points))
    return tuple(sorted(found, key=lambda pool: (pool.key != HOME, pool.spots[0])))


class BuildList(Struct, frozen=True):
    """A build list against the estate. Nothing here depends on the order of the list."""

    estate: Estate
    lines: tuple[Line, ...]

    @property
    def items(self) -> list[str]:
        """The items of the list."""
        return [line.item for line in self.lines]

    @property
    def bonus(self) -> int:
        """Points that the list itself brings to the Home pool."""
        return sum(BRINGS.get(item, 0) for item in self.items)

    @property
    def total(self) -> int:
        """All Build Points."""
        return sum(pool.points for pool in self.estate.pools) + self.bonus

    def price(self, item: str, canoes_before: int | None = None) -> int:
        """What one more of an item costs, after so many canoes; by default after those of the list."""
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
        left, pool_of = {pool.key: pool.points for pool in self.estate.pools}, self.estate.pool_of
        if HOME in left:
            left[HOME] += self.bonus
        canoes = 0
        for line in self.lines:
            pool = line.spot if line.item == CARD else pool_of.get(line.spot, "")
            if pool in left:
                left[pool] -= self.price(line.item, canoes)
            canoes += line.item in CANOES
        return left

    def _at(self, item: str, spot: str) -> int:
        """How many of an item go to a hex."""
        return self.lines.count(Line(item, spot))

    def pieces_left(self, item: str) -> int | None:
        """Pieces for an item that are still unbuilt; None where there is no end to them."""
        if item not in PIECE_OF:
            return None
        kind = PIECE_OF[item]
        return self.estate.stock[kind] - sum(1 for listed in self.items if PIECE_OF.get(listed) == kind)

    def places(self, item: str) -> list[str]:
        """Controlled hexes where one more of an item may go and can be paid, pool by pool."""
        if self.pieces_left(item) == 0:
            return []
        price, left = self.price(item), self.left
        paid = [spot for spot, pool in self.estate.pool_of.items() if left[pool] >= price]
        if item == "o":
            return [spot for spot in paid if spot not in self.estate.opened and not self._at("o", spot)]
        if item == "a":
            return [spot for spot in paid if self.estate.fields[spot] > self._at("a", spot)]
        if item == "v":
            return [spot for spot in paid if self._room(spot) > 0 and self._may_grow(spot)]
        return paid

    def _room(self, spot: str) -> int:
        """Boxes free once the list is built."""
        return self.estate.rooms[spot] + self._at("a", spot) - self._at("v", spot)

    def _may_grow(self, spot: str) -> bool:
        """One new Village a group a turn; Breadfruit allows one group a second."""
        villages = self._at("v", spot)
        return not villages or (villages == 1 and self._may_have_second())

    def _may_have_second(self) -> bool:
        """Breadfruit is face up and its second Village not yet on the list."""
        villages = [line.spot for line in self.lines if line.item == "v"]
        return self.estate.nation.shows("breadfruit") and len(set(villages)) == len(villages)

    def payers(self) -> list[str]:
        """Pools that can pay for a card, if one may be bought: one a turn."""
        if not self.estate.deck or CARD in self.items:
            return []
        return [pool for pool, points in self.left.items() if points >= COSTS[CARD]]

    def extras(self) -> list[str]:
        """Turning Inward and the cards that work once in Building, as far as they would help."""
        nation = self.estate.nation
        helps = {
            "inward": nation.explorer == "home" and bool(nation.home),
            "adze": nation.holds_unused("adze") and HOME in self.left,
            "pigs": nation.holds_unused("pigs") and bool(self.places("pigs")),
            "gift": nation.holds_unused("gift") and self.estate.deck > 0,
        }
        return [extra for extra, does in helps.items() if does and extra not in self.items]

    def droppable(self) -> tuple[int, ...]:
        """Places on the list whose line may go: not a point that is spent, nor a box where a Village is to stand."""
        found = []
        for n, line in enumerate(self.lines):
            brought = BRINGS.get(line.item, 0)
            is_spent = brought > 0 and self.left.get(HOME, brought) < brought
            is_filled = line.item == "a" and self._room(line.spot) <= 0
            if not is_spent and not is_filled:
                found.append(n)
        return tuple(found)

    def most(self, item: str, spots: list[str]) -> int:
        """The largest number of hexes such that any so many of them can be paid."""
        price = self.price(item)
        # What changes the price, or the rule for the next one, is bought one at a time.
        is_free_canoe = item in CANOES and not price
        is_breadfruit = item == "v" and self.estate.nation.shows("breadfruit")
        if item == "pigs" or is_free_canoe or is_breadfruit or len(spots) > MOST_PLACES:
            return 1
        pieces = self.pieces_left(item)
        most = len(spots) if pieces is None else min(len(spots), pieces)
        if not price:
            return most
        pool_of, left = self.estate.pool_of, self.left
        pools = [pool_of[spot] for spot in spots]
        tight = [left[pool] // price for pool in pools if pools.count(pool) * price > left[pool]]
        return min([most, *tight])

    def settling(self) -> tuple[str, ...]:
        """Hexes where a Colony that was there before may become a Village."""
        return tuple(spot for spot in self.estate.colonies if not self._at("v", spot) and self._room(spot) > 0)

    def settling_again(self, settled: tuple[str, ...]) -> tuple[str, ...]:
        """Hexes where Breadfruit lets one more Colony become a Village, after those that are settled."""
        if not self._may_have_second():
            return ()
        found = []
        for spot, colonies in self.estate.colonies.items():
            now = 1 if spot in settled else 0
            if self._at("v", spot) + now == 1 and colonies > now and self._room(spot) > now:
                found.append(spot)
        return tuple(found)

    def leftover(self) -> bool:
        """Whether any Build Point is left; a saved one waits while there is no Home to spend it at."""
        waits = self.estate.nation.saved and HOME not in self.left
        return waits or any(points > 0 for points in self.left.values())


def build_list_of(state: "State", seat: Seat, lines: tuple[Line, ...]) -> BuildList:
    """A seat's list against what it has now."""
    return BuildList(estate_of(state, seat), lines)
