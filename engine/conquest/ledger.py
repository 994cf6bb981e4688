"""A seat's Building Step on paper: a list of items, what they cost, and what they leave possible."""

from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import COSTS
from engine.conquest.ground import HOME, Ground, ground_of
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import Line
from engine.core.decision import Seat
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

CARD: Final = "card"
PLACED: Final = ("t", "o", "w", "b", "c", "r", "v", "a")
"""Items that need a place: `t` and `o` are Transport Canoes face down and open."""
CANOES: Final = ("t", "o")
PIECE_OF: Final = {"t": "t", "o": "t", "w": "w", "b": "b", "c": "c", "r": "r", "pigs": "c"}
"""Items that are pieces, and their kinds."""
PARTICULAR: Final = ("o", "v", "a")
"""Items for which not every Controlled group is good enough."""
FREE: Final = ("pigs", "inward", "adze", "gift")
PLENTY: Final = 99
"""Villages and Agriculture are as many as there are boxes for."""
BRINGS: Final = {"inward": 1, "adze": 2}
"""Points that an item brings to the Home pool."""
MOST_PLACES: Final = 25
"""A longer list of hexes is answered with one of them at a time."""


@cache
def _prices(free_canoe: bool, irrigates: bool) -> dict[str, int]:
    """What each item costs: with Outrigger the first Transport Canoe nothing, with Irrigation Agriculture one less."""
    canoe = 0 if free_canoe else COSTS["t"]
    prices = {**COSTS, **dict.fromkeys(FREE, 0), **dict.fromkeys(CANOES, canoe)}
    prices["a"] = max(1, COSTS["a"] - irrigates)
    return prices


class Ledger(Struct, frozen=True, dict=True):
    """A build list against its ground. Nothing here depends on the order of the list."""

    ground: Ground
    lines: tuple[Line, ...]

    @Once
    def items(self) -> list[str]:
        """The items of the list."""
        return [line.item for line in self.lines]

    @Once
    def bonus(self) -> int:
        """Points that the list itself brings to the Home pool."""
        return sum([BRINGS.get(item, 0) for item in self.items])

    @property
    def total(self) -> int:
        """All Build Points."""
        return self.ground.points + self.bonus

    @property
    def free_canoe(self) -> bool:
        """Outrigger: the first Transport Canoe of a turn is free."""
        return self.ground.nation.shows("outrigger") and not any(item in CANOES for item in self.items)

    @Once
    def prices(self) -> dict[str, int]:
        """What one more of each item costs now."""
        return _prices(self.free_canoe, self.ground.nation.shows("irrigation"))

    @Once
    def left(self) -> dict[str, int]:
        """Build Points left in each pool."""
        left = {pool.key: pool.points for pool in self.ground.pools}
        if self.bonus and HOME in left:
            left[HOME] += self.bonus
        nation = self.ground.nation
        free, irrigates = nation.shows("outrigger"), nation.shows("irrigation")
        for line in self.lines:
            pool = line.spot if line.item == CARD else self.ground.pool_of.get(line.spot, "")
            is_free = free and line.item in CANOES
            if pool in left:
                left[pool] -= _prices(is_free, irrigates)[line.item]
            free = free and not is_free
        return left

    @Once
    def richest(self) -> int:
        """The most that any pool has left."""
        return max(self.left.values(), default=-1)

    @Once
    def stock(self) -> dict[str, int]:
        """Pieces of each kind that are still unbuilt."""
        stock = dict(self.ground.stock)
        for item in self.items:
            if item in PIECE_OF:
                stock[PIECE_OF[item]] -= 1
        return stock

    def at(self, item: str, spot: str) -> int:
        """How many of an item go to a hex."""
        return self.lines.count(Line(item, spot)) if self.lines else 0

    def pieces_left(self, item: str) -> int:
        """Pieces for an item that are still unbuilt."""
        return self.stock[PIECE_OF[item]] if item in PIECE_OF else PLENTY

    def places(self, item: str) -> list[str]:
        """Controlled hexes where one more of an item may go and can be paid, pool by pool."""
        if self.pieces_left(item) <= 0:
            return []
        price, left, pools = self.prices[item], self.left, self.ground.pool_of.items()
        paid = [spot for spot, pool in pools if left[pool] >= price]
        return [spot for spot in paid if self._fits(item, spot)] if item in PARTICULAR else paid

    def placeable(self) -> list[str]:
        """Items that need a place and have one."""
        prices, stock, richest = self.prices, self.stock, self.richest
        paid = [item for item in PLACED if prices[item] <= richest]
        held = [item for item in paid if item not in PIECE_OF or stock[PIECE_OF[item]] > 0]
        return [item for item in held if item not in PARTICULAR or self.places(item)]

    def _fits(self, item: str, spot: str) -> bool:
        if item == "o":
            return spot not in self.ground.opened and not self.at("o", spot)
        if item == "a":
            return self.ground.fields[spot] > self.at("a", spot)
        return self.room(spot) > 0 and self._may_grow(spot)

    def room(self, spot: str) -> int:
        """Boxes free once the list is built."""
        return self.ground.rooms[spot] + self.at("a", spot) - self.at("v", spot)

    def _may_grow(self, spot: str) -> bool:
        """One new Village a group a turn; Breadfruit allows one group a second."""
        villages = self.at("v", spot)
        return not villages or (villages == 1 and self.second_free)

    @property
    def second_free(self) -> bool:
        """Breadfruit is face up and its second Village not yet on the list."""
        villages = [line.spot for line in self.lines if line.item == "v"]
        return self.ground.nation.shows("breadfruit") and len(set(villages)) == len(villages)

    def payers(self) -> list[str]:
        """Pools that can pay for a card, if one may be bought."""
        if not self.ground.deck or self.richest < COSTS[CARD] or CARD in self.items:
            return []
        return [pool for pool, points in self.left.items() if points >= COSTS[CARD]]

    def extras(self) -> list[str]:
        """Turning Inward and the cards that work once in Building."""
        nation = self.ground.nation
        can_turn = nation.explorer == "home" and nation.home and "inward" not in self.items
        found = ["inward"] if can_turn else []
        cards = [card for card in ("adze", "pigs", "gift") if nation.holds_unused(card)]
        return found + [card for card in cards if card not in self.items and self._helps(card)]

    def _helps(self, card: str) -> bool:
        if card == "adze":
            return HOME in self.left
        return self.ground.deck > 0 if card == "gift" else bool(self.places("pigs"))

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

    def most(self, item: str, spots: list[str]) -> int:
        """The largest number of hexes such that any so many of them can be paid."""
        is_one = item == "pigs" or (item in CANOES and self.free_canoe)
        if is_one or len(spots) > MOST_PLACES or (item == "v" and self.ground.nation.shows("breadfruit")):
            return 1
        most, price = min(len(spots), self.pieces_left(item)), self.prices[item]
        if not price or most == 1:
            return most
        pools = [self.ground.pool_of[spot] for spot in spots]
        tight = [self.left[pool] // price for pool in pools if pools.count(pool) * price > self.left[pool]]
        return min([most, *tight])

    def settling(self) -> tuple[str, ...]:
        """Hexes where a Colony that was there before may become a Village."""
        return tuple(spot for spot in self.ground.colonies if not self.at("v", spot) and self.room(spot) > 0)

    def settling_again(self, settled: tuple[str, ...]) -> tuple[str, ...]:
        """Hexes where Breadfruit lets one more Colony become a Village."""
        if not self.second_free:
            return ()
        return tuple(
            spot
            for spot, colonies in self.ground.colonies.items()
            if self.at("v", spot) + (spot in settled) == 1
            and colonies > (spot in settled)
            and self.room(spot) > (spot in settled)
        )

    def leftover(self) -> bool:
        """Whether any Build Point is left; a saved one waits while there is no Home to spend it at."""
        waits = self.ground.nation.saved and HOME not in self.left
        return waits or self.richest > 0


@kept_by_key("nations", "stacks", "movement", "battle", "groups", "tiles", "deck")
def ledger_of(state: "State", whose: tuple[Seat, tuple[Line, ...]]) -> Ledger:
    """The ledger of a seat's list."""
    seat, lines = whose
    return Ledger(ground_of(state, seat), lines)
