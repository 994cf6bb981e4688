"""How many pieces of each kind go along: asked kind by kind, so that every answer leaves a legal way on."""

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.bits import BIT
from engine.conquest.board import KINDS
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NONE, Kinds
from engine.conquest.waters import is_sea
from engine.conquest.ways import source_of
from engine.core.decision import Seat
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

TRANSIT = "transit"
SAIL = "sail"
THROUGH = "through"
OPEN_CANOE = Kinds(t=1)
"""What stays behind in Transit, so that the chain holds."""


class Order(Struct, frozen=True, gc=False):
    """Pieces to be moved from a source to a hex, by Transit, by sail, or through the hex."""

    seat: Seat
    source: str
    target: str
    sort: str


class Bounds(Struct, frozen=True, dict=True):
    """The least and the most of each kind, given what was chosen of the kinds before it."""

    sort: str
    kinds: Kinds
    """All that could go."""
    movers: Kinds
    """What can sail by itself."""
    is_fleet: bool
    is_whole: bool
    """A fleet among enemies is not split."""
    is_sea: bool
    cap: int
    """How many of the waiting pieces may leave."""
    there: Kinds
    """What lies where a Transit ends."""
    target_sea: bool
    """Whether that is at sea."""
    walks: bool
    needs_war: bool
    needs_canoe: bool

    @Once
    def _known(self) -> dict[tuple[int, ...], tuple[int, int]]:
        return {}

    @Once
    def _settled(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    def of(self, chosen: tuple[int, ...]) -> tuple[int, int]:
        """Least and most of the next kind."""
        if chosen not in self._known:
            self._known[chosen] = self._of(KINDS[len(chosen)], Kinds(*chosen))
        return self._known[chosen]

    def settled(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """What was chosen, with every further kind filled in that leaves no choice."""
        if chosen not in self._settled:
            self._settled[chosen] = self._settle(chosen)
        return self._settled[chosen]

    def _settle(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        if self.is_whole:
            return self.kinds.numbers
        while len(chosen) < len(KINDS):
            least, most = self.of(chosen)
            if least != most:
                break
            chosen = (*chosen, least)
        return chosen

    def _of(self, kind: str, picked: Kinds) -> tuple[int, int]:
        most = min(self._most(kind, picked), self.kinds.of(kind))
        least = max(self._least(kind, picked), 0)
        if not least and not self._may_be_none(kind, picked):
            least = 1
        return least, max(most, least)

    @Once
    def takes_all(self) -> bool:
        """Whether everything can go."""
        chosen: tuple[int, ...] = ()
        for kind in KINDS:
            if self.of(chosen)[1] < self.kinds.of(kind):
                return False
            chosen = (*chosen, self.kinds.of(kind))
        return True

    def anything_goes(self) -> bool:
        """Whether a single piece can go at all."""
        return any(self._most(kind, Kinds()) > 0 and self.kinds.of(kind) > 0 for kind in KINDS)

    def _least(self, kind: str, picked: Kinds) -> int:
        if kind == "w":
            return int(self.needs_war)
        if not self.is_sea or kind not in "cb":
            return 0
        # At sea nothing is left behind that the canoes left behind cannot hold.
        here = self.kinds if self.sort != TRANSIT else self.kinds.plus(OPEN_CANOE)
        left = here.minus(picked)
        return here.c - left.t if kind == "c" else here.b - (left.canoes - left.c)

    def _most(self, kind: str, picked: Kinds) -> int:
        most = self._cap(kind, picked)
        if self.sort == TRANSIT:
            return min(most, self._berths_there(kind, picked))
        if self.walks:
            return most
        if kind == "c":
            return min(most, picked.t)
        return min(most, picked.canoes - picked.c) if kind == "b" else most

    def _cap(self, kind: str, picked: Kinds) -> int:
        """A conquered printed group keeps a piece."""
        if self.sort == TRANSIT:
            return self.kinds.of(kind)
        if not self.is_fleet:
            return self.cap - picked.total
        taken = max(0, picked.c - self.movers.c) if kind == "b" else 0
        return self.movers.of(kind) + (max(0, self.cap - taken) if kind in "cb" else 0)

    def _berths_there(self, kind: str, picked: Kinds) -> int:
        """A Transit that ends at sea needs canoes there for its Warrior Bands and Colonies."""
        if not self.target_sea or kind not in "cb":
            return self.kinds.of(kind)
        there = self.there.plus(picked)
        free = there.canoes - there.c - there.b
        return min(there.t - there.c, free) if kind == "c" else free

    def _may_be_none(self, kind: str, picked: Kinds) -> bool:
        later = KINDS[KINDS.index(kind) + 1 :]
        if self.sort == TRANSIT or self.walks:
            return picked.total > 0 or any(self._most(k, picked) > 0 and self.kinds.of(k) > 0 for k in later)
        if kind in "cb":
            return True
        enough = picked.canoes > 0 if self.needs_canoe else picked.canoes + picked.r > 0
        more = "wt" if self.needs_canoe else "wtr"
        return enough or any(k in more and self.movers.of(k) > 0 for k in later)


_bounds = lru_cache(maxsize=4096)(Bounds)
"""Bounds of the same numbers are one, and remember what they have answered."""


@kept_by_key("nations", "tiles", "seas", "groups", "stacks", "movement")
def bounds_of(state: "State", order: Order) -> Bounds:
    """The bounds of an order; in Transit the open canoe of the chain stays."""
    source, sails = source_of(state, (order.seat, order.source)), order.sort != TRANSIT
    walks = sails and source.walk == order.target
    sails_off = order.sort == SAIL and not walks
    needs_war = order.sort == THROUGH or (sails_off and not sum(source.quiet_rings) & BIT[order.target])
    needs_canoe = sails_off and not sum(source.quiet_rings[: source.rumor_moves]) & BIT[order.target]
    target_sea = not sails and is_sea(state, order.target)
    there = NONE if sails else state.pieces(order.seat, order.target)
    kinds = source.kinds if sails else source.kinds.minus(OPEN_CANOE)
    is_fleet, whole = source.fleet is not None, source.whole
    ends = (there, target_sea, walks, needs_war, needs_canoe)
    return _bounds(order.sort, kinds, source.movers, is_fleet, whole, source.is_sea, source.cap, *ends)


def settled(state: "State", order: Order, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """What was chosen of each kind, with every further kind filled in that leaves no choice."""
    if not chosen and order.sort != TRANSIT:
        kinds = source_of(state, (order.seat, order.source)).kinds
        if kinds.total == 1:
            return kinds.numbers
    return bounds_of(state, order).settled(chosen)
