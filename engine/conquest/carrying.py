"""Canoe Carrying Capacity: which pieces may go along, and the questions that find it out.

How many of each kind is asked kind by kind, canoes first, so that every answer leaves a legal way on. By rulings Bands
board War Canoes first, and at sea nothing is picked up or set down: cargo must have canoes where it goes and where it
stays.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.board import KINDS
from engine.conquest.hexes import is_sea
from engine.conquest.pieces import Kinds
from engine.conquest.sailing import Source, source_of
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

TRANSIT = "transit"
SAIL = "sail"
THROUGH = "through"
"""How pieces go: along their chain, by canoe to a hex, or through it and on."""
OPEN_CANOE = Kinds(t=1)
"""What stays behind in Transit, so that the chain holds."""


class Order(Struct, frozen=True):
    """Pieces to be moved from a source to a hex, by Transit, by sail, or through the hex."""

    seat: Seat
    source: str
    target: str
    sort: str


class Party(Struct, frozen=True):
    """Who may go along on an order. `may_go` is the rule; all else finds the questions that lead to it."""

    sort: str
    source: Source
    kinds: Kinds
    """All that could go."""
    walks: bool
    """To the other New Zealand tile, where nobody needs a canoe."""
    needs_war: bool
    """Among enemies, or on the way past them."""
    needs_canoe: bool
    """Too far for Rumors alone."""
    berths: Kinds | None
    """What lies where a Transit ends, if that is at sea."""

    def may_go(self, going: Kinds) -> bool:
        """Whether these pieces, and no more, may go."""
        if not going.total:
            return False
        staying = self.source.kinds.minus(going)
        if self.source.is_sea and not staying.is_afloat:
            return False
        if self.sort == TRANSIT:
            return self.berths is None or self.berths.plus(going).is_afloat
        if self.needs_war and not going.w:
            return False
        if self.needs_canoe and not going.canoes:
            return False
        # A Transport Canoe carries a Band or a Colony, a War Canoe a Band; Rumors go by themselves.
        if not self.walks and not (going.canoes + going.r and going.is_afloat):
            return False
        # The last piece of a conquered printed group stays.
        return self.source.picked_up(going).total <= self.source.free

    def numbers(self, chosen: tuple[int, ...]) -> list[int]:
        """How many of the next kind may go, given what was chosen of the kinds before it."""
        most = self.kinds.numbers[len(chosen)]
        return [number for number in range(most + 1) if self._leads_on((*chosen, number))]

    def _leads_on(self, chosen: tuple[int, ...]) -> bool:
        """Whether the rest can be chosen so that the pieces may go: tried out, at worst for 4 ms with all pieces."""
        if len(chosen) == len(KINDS):
            return self.may_go(Kinds(*chosen))
        most = self.kinds.numbers[len(chosen)]
        return any(self._leads_on((*chosen, number)) for number in range(most, -1, -1))

    def settled(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """What was chosen, with every further kind filled in that leaves no choice."""
        if self.sort != TRANSIT and (self.source.is_whole or self.kinds.total == 1):
            return self.kinds.numbers
        while len(chosen) < len(KINDS):
            numbers = self.numbers(chosen)
            if len(numbers) != 1:
                break
            chosen = (*chosen, numbers[0])
        return chosen


def party_of(state: "State", order: Order) -> Party:
    """Who may go along on an order; in Transit the open canoe of the chain stays."""
    source = source_of(state, order.seat, order.source)
    if order.sort == TRANSIT:
        return Party(
            sort=order.sort,
            source=source,
            kinds=source.kinds.minus(OPEN_CANOE),
            walks=False,
            needs_war=False,
            needs_canoe=False,
            berths=state.pieces(order.seat, order.target) if is_sea(state, order.target) else None,
        )
    walks = source.walk == order.target
    needs_war = needs_canoe = order.sort == THROUGH
    if order.sort == SAIL and not walks:
        quiet_way = source.quiet_ways(state).get(order.target)
        needs_war = quiet_way is None
        needs_canoe = quiet_way is None or len(quiet_way) - 1 > source.rumor_moves
    return Party(order.sort, source, source.kinds, walks, needs_war, needs_canoe, berths=None)
