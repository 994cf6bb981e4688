"""A seat's Building Step on paper: pools of Build Points, a list of items, and what it leaves possible."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import COSTS, in_order
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NOBODY, Line
from engine.conquest.waters import chains, controlled, is_independent, land_at, room, unbuilt
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

HOME: Final = "home"
CARD: Final = "card"
PLACED: Final = ("t", "o", "w", "b", "c", "r", "v", "a")
"""Items that need a place: `t` and `o` are Transport Canoes face down and open."""
CANOES: Final = ("t", "o")
PIECE_OF: Final = {"t": "t", "o": "t", "w": "w", "b": "b", "c": "c", "r": "r", "pigs": "c"}
"""Items that are pieces, and their kinds; but for an open canoe any Controlled group is good enough for them."""
FREE: Final = ("pigs", "inward", "adze", "gift")
PLENTY: Final = 99
"""Villages and Agriculture are as many as there are boxes for."""
BRINGS: Final = {"inward": 1, "adze": 2}
"""Points that an item brings to the Home pool."""


class Pool(Struct, frozen=True):
    """Groups whose Build Points may be spent together: one open chain, or a lone group."""

    key: str
    spots: tuple[str, ...]
    points: int


@kept_by_key("stacks", "groups", "nations")
def pools(state: "State", seat: Seat) -> tuple[Pool, ...]:
    """The seat's pools, the Home's first; Fishponds and a saved point belong to it."""
    own, nation = set(controlled(state, seat)), state.nations[seat]
    parts = [in_order(chain & own) for chain in chains(state, seat) if chain & own]
    chained = {spot for part in parts for spot in part}
    parts += [(spot,) for spot in in_order(own - chained)]
    found = []
    for part in parts:
        is_home = nation.home in part
        points = sum(state.group(spot).villages for spot in part)
        points += nation.shows("ponds") + nation.saved if is_home else 0
        found.append(Pool(HOME if is_home else part[0], part, points))
    return tuple(sorted(found, key=lambda pool: (pool.key != HOME, in_order(pool.spots)[0])))


class Ledger:
    """A build list against its pools. Nothing here depends on the order of the list."""

    def __init__(self, state: "State", seat: Seat, lines: tuple[Line, ...]) -> None:
        self.state, self.seat, self.lines = state, seat, lines
        self.nation = state.nations[seat]
        self.pools = pools(state, seat)
        self.unbuilt = unbuilt(state, seat)
        self.pool_of = {spot: pool.key for pool in self.pools for spot in pool.spots}
        self.items = [line.item for line in lines]
        self.kinds = [PIECE_OF.get(item) for item in self.items]
        self.bonus = sum([BRINGS.get(item, 0) for item in self.items])
        """Points that the list itself brings to the Home pool."""
        self.left = self._left()
        self.richest = max(self.left.values(), default=-1)

    def count(self, *items: str) -> int:
        """How many of these items are on the list."""
        return sum(map(self.items.count, items))

    def at(self, item: str, spot: str) -> int:
        """How many of an item go to a hex."""
        return self.lines.count(Line(item, spot))

    @property
    def total(self) -> int:
        """All Build Points."""
        return sum(pool.points for pool in self.pools) + self.bonus

    def cost(self, item: str) -> int:
        """What one more of an item costs now."""
        if item in CANOES:
            return 0 if self.free_canoe else COSTS["t"]
        if item == "a":
            return max(1, COSTS["a"] - self.nation.shows("irrigation"))
        return 0 if item in FREE else COSTS[item]

    @property
    def free_canoe(self) -> bool:
        """Outrigger: the first Transport Canoe of a turn is free."""
        return self.nation.shows("outrigger") and "t" not in self.kinds

    def _left(self) -> dict[str, int]:
        left = {pool.key: pool.points for pool in self.pools}
        if HOME in left:
            left[HOME] += self.bonus
        free = self.nation.shows("outrigger")
        for line in self.lines:
            pool = line.spot if line.item == CARD else self.pool_of.get(line.spot, "")
            price = COSTS["t"] if line.item in CANOES else self.cost(line.item)
            if line.item in CANOES and free:
                free, price = False, 0
            if pool in left:
                left[pool] -= price
        return left

    def pieces_left(self, item: str) -> int:
        """Pieces for an item that are still unbuilt."""
        kind = PIECE_OF.get(item)
        return PLENTY if kind is None else self.unbuilt.of(kind) - self.kinds.count(kind)

    def places(self, item: str) -> tuple[str, ...]:
        """Controlled hexes where one more of an item may go and can be paid."""
        return tuple(self._places(item))

    def has_place(self, item: str) -> bool:
        """Whether there is any."""
        if item in PIECE_OF and item != "o":
            return self.richest >= self.cost(item) and self.pieces_left(item) > 0
        return next(self._places(item), "") != ""

    def _places(self, item: str) -> Iterator[str]:
        price = self.cost(item)
        if self.pieces_left(item) > 0:
            for spot, pool in self.pool_of.items():
                if self.left[pool] >= price and self._fits(item, spot):
                    yield spot

    def _fits(self, item: str, spot: str) -> bool:
        if item == "o":
            stack = self.state.stack(self.seat, spot)
            return not self.at("o", spot) and not (stack is not None and stack.open)
        if item == "v":
            return self.room(spot) > 0 and self._may_grow(spot)
        if item == "a":
            land = land_at(self.state, spot)
            return land is not None and land.brown > self.state.group(spot).improved + self.at("a", spot)
        return True

    def room(self, spot: str) -> int:
        """Boxes free once the list is built."""
        return room(self.state, spot) + self.at("a", spot) - self.at("v", spot)

    def _may_grow(self, spot: str) -> bool:
        """One new Village a group a turn; Breadfruit allows one group a second."""
        return not self.at("v", spot) or (self.at("v", spot) == 1 and self.second_free)

    @property
    def second_free(self) -> bool:
        """Breadfruit is face up and its second Village not yet on the list."""
        villages = [line.spot for line in self.lines if line.item == "v"]
        return self.nation.shows("breadfruit") and len(set(villages)) == len(villages)

    def payers(self) -> tuple[str, ...]:
        """Pools that can pay for a card, if one may be bought."""
        if self.count(CARD) or not self.state.deck:
            return ()
        return tuple(pool.key for pool in self.pools if self.left[pool.key] >= COSTS[CARD])

    def extras(self) -> tuple[str, ...]:
        """Turning Inward and the cards that work once in Building."""
        can_turn = self.nation.explorer == "home" and self.nation.home and not self.count("inward")
        found = ["inward"] if can_turn else []
        cards = [card for card in ("adze", "pigs", "gift") if self.nation.holds_unused(card)]
        return (*found, *(card for card in cards if not self.count(card) and self._helps(card)))

    def _helps(self, card: str) -> bool:
        if card == "adze":
            return HOME in self.left
        return bool(self.state.deck) if card == "gift" else self.has_place("pigs")

    def can_drop(self) -> bool:
        """Whether any line may go."""
        return any(map(self._can_drop, self.lines))

    def droppable(self) -> tuple[int, ...]:
        """Places on the list whose line may go."""
        return tuple(n for n, line in enumerate(self.lines) if self._can_drop(line))

    def _can_drop(self, line: Line) -> bool:
        """All but a point that is spent, and a box where a Village is to stand."""
        if line.item == "a":
            return self.room(line.spot) > 0
        brought = BRINGS.get(line.item, 0)
        return not brought or self.left.get(HOME, brought) >= brought

    def most(self, item: str, spots: tuple[str, ...]) -> int:
        """The largest number of hexes such that any so many of them can be paid."""
        is_one = item == "pigs" or (item in CANOES and self.free_canoe)
        if is_one or len(spots) > 25 or (item == "v" and self.nation.shows("breadfruit")):
            return 1
        most, price = min(len(spots), self.pieces_left(item)), self.cost(item)
        if not price:
            return most
        crowd: dict[str, int] = {}
        for spot in spots:
            crowd[self.pool_of[spot]] = crowd.get(self.pool_of[spot], 0) + 1
        tight = [self.left[key] // price for key, hexes in crowd.items() if hexes * price > self.left[key]]
        return min([most, *tight])

    def settling(self) -> tuple[str, ...]:
        """Hexes where a Colony that was there before may become a Village."""
        return tuple(spot for spot in self._colonies() if not self.at("v", spot) and self._takes_village(spot))

    def settling_again(self, settled: tuple[str, ...]) -> tuple[str, ...]:
        """Hexes where Breadfruit lets one more Colony become a Village."""
        if not self.second_free:
            return ()
        return tuple(
            spot
            for spot in self._colonies()
            if self.at("v", spot) + (spot in settled) == 1
            and self.state.pieces(self.seat, spot).c > (spot in settled)
            and self.room(spot) > (spot in settled)
        )

    def _colonies(self) -> tuple[str, ...]:
        return tuple(spot for spot, stack in self.state.stacks_of[self.seat].items() if stack.kinds.c)

    def _takes_village(self, spot: str) -> bool:
        land, group = land_at(self.state, spot), self.state.group(spot)
        if land is None or group.owner not in (NOBODY, self.seat) or is_independent(self.state, spot):
            return False
        return self.room(spot) > 0 and (group.owner == self.seat or land.green > 0)

    def leftover(self) -> bool:
        """Whether any Build Point is left; a saved one waits while there is no Home to spend it at."""
        waits = self.nation.saved and HOME not in self.left
        return waits or any(points > 0 for points in self.left.values())
