"""How many pieces of each kind go along: asked kind by kind, so that every answer leaves a legal way on."""

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.board import KINDS
from engine.conquest.pieces import Kinds
from engine.conquest.waters import is_sea
from engine.conquest.ways import Source, entry
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

TRANSIT = "transit"
SAIL = "sail"
THROUGH = "through"


class Order(Struct, frozen=True):
    """Pieces to be moved from a source to a hex, by Transit, by sail, or through the hex."""

    seat: Seat
    source: str
    target: str
    sort: str


class Bounds:
    """The least and the most of each kind, given what was chosen of the kinds before it."""

    def __init__(self, state: "State", order: Order) -> None:
        self.order = order
        self.source = Source(state, order.seat, order.source)
        self.kinds = self._free(state)
        self.target_sea = is_sea(state, order.target) and entry(state, order.seat, order.target) != "reveal"
        self.there = state.pieces(order.seat, order.target)
        self.walks = order.sort != TRANSIT and self.source.walk == order.target
        quiet = self.source.quiet_routes() if order.sort != TRANSIT else {}
        self.needs_war = order.sort == THROUGH or (order.sort == SAIL and not self.walks and order.target not in quiet)
        self.needs_canoe = order.sort == SAIL and not self.walks and self._too_far_for_rumors(quiet)

    def _free(self, state: "State") -> Kinds:
        """In Transit the open canoe of the chain stays."""
        kinds = self.source.kinds
        return kinds.minus(Kinds(t=1)) if self.order.sort == TRANSIT else kinds

    def _too_far_for_rumors(self, quiet: dict[str, tuple[str, ...]]) -> bool:
        way = quiet.get(self.order.target)
        return way is None or len(way) - 1 > self.source.rumor_moves

    @property
    def is_whole(self) -> bool:
        """A fleet among enemies is not split."""
        return self.source.whole

    def of(self, chosen: tuple[int, ...]) -> tuple[int, int]:
        """Least and most of the next kind."""
        kind = KINDS[len(chosen)]
        picked = Kinds(*chosen)
        most = min(self._most(kind, picked), self.kinds.of(kind))
        least = max(self._least(kind, picked), 0)
        if not least and not self._may_be_none(kind, picked):
            least = 1
        return least, max(most, least)

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
        if not self.source.is_sea or kind not in "cb":
            return 0
        # At sea nothing is left behind that the canoes left behind cannot hold.
        here = self.kinds if self.order.sort != TRANSIT else self.kinds.plus(Kinds(t=1))
        left = here.minus(picked)
        return here.c - left.t if kind == "c" else here.b - (left.canoes - left.c)

    def _most(self, kind: str, picked: Kinds) -> int:
        most = self._cap(kind, picked)
        if self.order.sort == TRANSIT:
            return min(most, self._berths_there(kind, picked))
        if self.walks:
            return most
        if kind == "c":
            return min(most, picked.t)
        return min(most, picked.canoes - picked.c) if kind == "b" else most

    def _cap(self, kind: str, picked: Kinds) -> int:
        """A conquered printed group keeps a piece."""
        own, cap = self.source.fleet, self.source.cap
        if self.order.sort == TRANSIT:
            return self.kinds.of(kind)
        if own is None:
            return cap - picked.total
        taken = max(0, picked.c - own.kinds.c) if kind == "b" else 0
        return own.kinds.of(kind) + (max(0, cap - taken) if kind in "cb" else 0)

    def _berths_there(self, kind: str, picked: Kinds) -> int:
        """A Transit that ends at sea needs canoes there for its Warrior Bands and Colonies."""
        if not self.target_sea or kind not in "cb":
            return self.kinds.of(kind)
        there = self.there.plus(picked)
        free = there.canoes - there.c - there.b
        return min(there.t - there.c, free) if kind == "c" else free

    def _may_be_none(self, kind: str, picked: Kinds) -> bool:
        later = KINDS[KINDS.index(kind) + 1 :]
        if self.order.sort == TRANSIT or self.walks:
            return picked.total > 0 or any(self._most(k, picked) > 0 and self.kinds.of(k) > 0 for k in later)
        movers = self._movers()
        if kind not in "wtr":
            return True
        enough = picked.canoes > 0 if self.needs_canoe else picked.canoes + picked.r > 0
        more = [k for k in later if k in ("wt" if self.needs_canoe else "wtr")]
        return enough or any(movers.of(k) > 0 for k in more)

    def _movers(self) -> Kinds:
        return self.source.fleet.kinds if self.source.fleet else self.source.waiting


def settle(bounds: Bounds, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """What was chosen, with every further kind filled in that leaves no choice."""
    if bounds.is_whole:
        return tuple(bounds.kinds.of(kind) for kind in KINDS)
    while len(chosen) < len(KINDS):
        least, most = bounds.of(chosen)
        if least != most:
            break
        chosen = (*chosen, least)
    return chosen
