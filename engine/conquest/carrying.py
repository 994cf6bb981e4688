"""Canoe Carrying Capacity: which pieces may go along, and which questions lead to a legal choice.

The number of each kind is asked kind by kind, canoes first, so that every answer can still lead to
a legal move. Rulings: Warrior Bands board War Canoes first, and at sea nothing is set down, so
cargo needs canoes both where it goes and where it stays. A fleet with room takes cargo that waits
on its way, at sea out of canoes that have not moved.
"""

from itertools import product
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
"""Pieces go along their Transport Canoe Chain."""
SAIL = "sail"
"""Pieces go by canoe to a hex."""
THROUGH = "through"
"""Pieces go by canoe through a hex, after asking whether a War Canoe is there."""
OPEN_CANOE = Kinds(t=1)
"""The Transport Canoe that stays behind in Transit, so that the chain does not break."""
MAX_COMPANIES_LISTED = 12
"""Combinations offered in one question; if there are more, kinds are asked one by one."""
MAX_COMBINATIONS_TRIED = 60
"""Combinations tried out to find those; more would make an answer slow, and too many to list."""


class Order(Struct, frozen=True):
    """An order to move pieces from a source to a hex. Saved with the step that asks for pieces."""

    seat: Seat
    source: str
    target: str
    sort: str
    """How they move: TRANSIT, SAIL or THROUGH."""


class Party(Struct, frozen=True):
    """The pieces that may go along on an order.

    `refusal_key` is the rule; the other methods find the questions that lead to a legal choice.
    """

    sort: str
    """How they move: TRANSIT, SAIL or THROUGH."""
    source: Source
    kinds: Kinds
    """All pieces that could go."""
    walks: bool
    """The pieces walk to the other New Zealand tile, where they need no canoes."""
    needs_war: bool
    """A War Canoe must go: the pieces end among enemies, or pass them."""
    berths: Kinds | None
    """The pieces at the end of a Transit, if that is at sea."""

    def refusal_key(self, going: Kinds) -> str:
        """Return the refusal key of exactly these pieces going; '' if they may."""
        if not going.total:
            return "nobody_goes"
        if self.sort == TRANSIT:
            return self._leaving_refusal_key(going) or self._arrival_refusal_key(going)
        if self.needs_war and not going.w:
            return "war_canoe_must_go"
        # "Transport Canoes can carry one Warrior Band OR one Colony [...] War Canoes can carry one
        # Warrior Band." Rumors need no canoe.
        if not self.walks:
            if not going.canoes + going.r:
                return "no_canoe_goes"
            if going.c > going.t:
                return "colony_needs_transport"
            if not going.is_afloat:
                return "too_much_cargo"
        if refusal_key := self._leaving_refusal_key(going):
            return refusal_key
        # Only waiting pieces can be picked up, and the last piece of a conquered printed group must
        # stay.
        picked = self.source.picked_up(going)
        waiting = self.source.waiting
        if picked.c > waiting.c or picked.b > waiting.b:
            return "carried_once"
        return "must_be_held" if picked.total > self.source.free else ""

    def _leaving_refusal_key(self, going: Kinds) -> str:
        """Return the refusal key of leaving the rest at sea; '' if they may go.

        What stays at sea needs canoes, and a fleet's cargo needs those that it came in.
        """
        if not self.source.is_sea:
            return ""
        staying = self.source.left_behind(going)
        if not staying.is_afloat:
            return "left_at_sea"
        is_aboard = self.source.fleet is None or staying == self.source.kept_aboard(going)
        return "" if is_aboard else "carried_once"

    def _arrival_refusal_key(self, going: Kinds) -> str:
        """Return the refusal key of a Transit that would leave cargo at sea without canoes."""
        if self.berths is None or self.berths.plus(going).is_afloat:
            return ""
        return "no_berths"

    def may_go(self, going: Kinds) -> bool:
        """Return whether exactly these pieces may go."""
        return not self.refusal_key(going)

    def companies(self) -> tuple[Kinds, ...]:
        """Return all combinations that may go, smallest first; none if there are too many."""
        tries = 1
        for number in self.kinds.numbers:
            tries *= number + 1
        if tries > MAX_COMBINATIONS_TRIED:
            return ()
        companies = []
        for numbers in product(*(range(number + 1) for number in self.kinds.numbers)):
            kinds = Kinds(*numbers)
            if self.may_go(kinds):
                companies.append(kinds)
        if len(companies) > MAX_COMPANIES_LISTED:
            return ()
        return tuple(sorted(companies, key=_size_and_kinds))

    def possible_counts(self, chosen: tuple[int, ...]) -> list[int]:
        """Return how many of the next kind may go, given the numbers chosen so far."""
        most = self.kinds.numbers[len(chosen)]
        return [number for number in range(most + 1) if self._can_complete((*chosen, number))]

    def _can_complete(self, chosen: tuple[int, ...]) -> bool:
        """Return whether the numbers chosen so far can be completed to a legal choice.

        It tries all possibilities, which takes at most 4 ms, if all pieces of a seat could go.
        """
        if len(chosen) == len(KINDS):
            return self.may_go(Kinds(*chosen))
        most = self.kinds.numbers[len(chosen)]
        return any(self._can_complete((*chosen, number)) for number in range(most, -1, -1))

    def fill_forced(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """Return the chosen numbers, followed by those of kinds that leave no choice."""
        # A fleet among enemies cannot split, and neither can a single piece.
        if self.sort != TRANSIT and (self.source.is_whole or self.kinds.total == 1):
            return self.kinds.numbers
        while len(chosen) < len(KINDS):
            numbers = self.possible_counts(chosen)
            if len(numbers) != 1:
                break
            chosen = (*chosen, numbers[0])
        return chosen


def party_of(state: "State", order: Order) -> Party:
    """Return the pieces that may go along on an order; in Transit, the chain's canoe stays."""
    source = source_of(state, order.seat, order.source)
    if order.sort == TRANSIT:
        return Party(
            sort=order.sort,
            source=source,
            kinds=source.kinds.minus(OPEN_CANOE),
            walks=False,
            needs_war=False,
            berths=state.pieces(order.seat, order.target) if is_sea(state, order.target) else None,
        )
    walks = source.walk == order.target
    needs_war = order.sort == THROUGH
    # To end where no peaceful way leads is an attack, which takes a War Canoe.
    if order.sort == SAIL and not walks:
        needs_war = order.target not in source.peaceful_ways(state)
    return Party(order.sort, source, source.kinds, walks, needs_war, berths=None)


def _size_and_kinds(kinds: Kinds) -> tuple[int, ...]:
    """Return a key that sorts by number of pieces, then by kind."""
    return kinds.total, *(-number for number in kinds.numbers)
