"""Canoe Carrying Capacity: which pieces may go along, and the questions that find it out.

How many of each kind is asked kind by kind, canoes first, so that every answer leaves a legal way
on. By rulings Bands board War Canoes first, and at sea nothing is set down: cargo must have canoes
where it goes and where it stays. A fleet with room takes cargo that waits on its way, at sea out of
canoes that have not moved.
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
SAIL = "sail"
THROUGH = "through"
"""How pieces go: along their chain, by canoe to a hex, or through it and on."""
OPEN_CANOE = Kinds(t=1)
"""What stays behind in Transit, so that the chain holds."""
COMPANIES = 12
"""Companies offered in one question; if there are more, kinds are asked one by one."""
TRIES = 60
"""With more to try out than this there would be too many: an answer must not take long."""


class Order(Struct, frozen=True):
    """Pieces to be moved from a source to a hex, by Transit, by sail, or through the hex."""

    seat: Seat
    source: str
    target: str
    sort: str


class Party(Struct, frozen=True):
    """Who may go along on an order.

    `obstacle` is the rule; all else finds the questions that lead to it.
    """

    sort: str
    source: Source
    kinds: Kinds
    """All that could go."""
    walks: bool
    """To the other New Zealand tile, where nobody needs a canoe."""
    needs_war: bool
    """Among enemies, or on the way past them."""
    berths: Kinds | None
    """What lies where a Transit ends, if that is at sea."""

    def obstacle(self, going: Kinds) -> str:
        """Return the rule by which these pieces, and no more, may not go: a line of [why]; '' if
        they may.
        """
        if not going.total:
            return "nobody_goes"
        if self.sort == TRANSIT:
            return self._stays_at_sea(going) or self._lacks_berths(going)
        if self.needs_war and not going.w:
            return "war_canoe_must_go"
        # A Transport Canoe carries a Band or a Colony, a War Canoe a Band; Rumors go by themselves.
        if not self.walks:
            if not going.canoes + going.r:
                return "no_canoe_goes"
            if going.c > going.t:
                return "colony_needs_transport"
            if not going.is_afloat:
                return "too_much_cargo"
        if left := self._stays_at_sea(going):
            return left
        # Only what waits there can be picked up, and the last piece of a conquered printed group
        # stays.
        picked, waiting = self.source.picked_up(going), self.source.waiting
        if picked.c > waiting.c or picked.b > waiting.b:
            return "carried_once"
        return "must_be_held" if picked.total > self.source.free else ""

    def _stays_at_sea(self, going: Kinds) -> str:
        """Return what stands against leaving the rest at sea: all of it needs canoes, a fleet's
        cargo its own.
        """
        if not self.source.is_sea:
            return ""
        staying = self.source.left_behind(going)
        if not staying.is_afloat:
            return "left_at_sea"
        is_aboard = self.source.fleet is None or staying == self.source.kept_aboard(going)
        return "" if is_aboard else "carried_once"

    def _lacks_berths(self, going: Kinds) -> str:
        """Return whether a Transit would end at sea without canoes for its cargo."""
        return "" if self.berths is None or self.berths.plus(going).is_afloat else "no_berths"

    def may_go(self, going: Kinds) -> bool:
        """Return whether these pieces, and no more, may go."""
        return not self.obstacle(going)

    def companies(self) -> tuple[Kinds, ...]:
        """All that may go together, smallest first, if they are few enough to be listed; else
        none.
        """
        tries = 1
        for number in self.kinds.numbers:
            tries *= number + 1
        if tries > TRIES:
            return ()
        each = product(*(range(number + 1) for number in self.kinds.numbers))
        found = [kinds for kinds in (Kinds(*numbers) for numbers in each) if self.may_go(kinds)]
        return tuple(sorted(found, key=_size)) if len(found) <= COMPANIES else ()

    def numbers(self, chosen: tuple[int, ...]) -> list[int]:
        """How many of the next kind may go, given what was chosen of the kinds before it."""
        most = self.kinds.numbers[len(chosen)]
        return [number for number in range(most + 1) if self._leads_on((*chosen, number))]

    def _leads_on(self, chosen: tuple[int, ...]) -> bool:
        """Whether the rest can be chosen so that the pieces may go: tried out, at worst for 4 ms
        with all pieces.
        """
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
            berths=state.pieces(order.seat, order.target) if is_sea(state, order.target) else None,
        )
    walks = source.walk == order.target
    needs_war = order.sort == THROUGH
    if order.sort == SAIL and not walks:
        needs_war = order.target not in source.peaceful_ways(state)
    return Party(order.sort, source, source.kinds, walks, needs_war, berths=None)


def _size(kinds: Kinds) -> tuple[int, ...]:
    """For the order of a list: by number, then by kind."""
    return kinds.total, *(-number for number in kinds.numbers)
