"""The consequences of lost Villages: eliminated seats, new Homes, and the win of the last empire.

Steps are saved by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from engine.conquest.discoveries import reveal_seen_by_all
from engine.conquest.empire import end_match, name_home, pieces_on_map
from engine.conquest.events import SeatOut, TurnBegun
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import controlled_groups
from engine.conquest.pieces import NOBODY, Build
from engine.conquest.refusals import Refusal, hex_refusal, is_hex
from engine.conquest.scoring import find_last_place
from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

LAST_EMPIRE = "last_empire"
"""The match ended because only one seat was left."""


def eliminate_seat(state: "State", seat: Seat, tell: Tell) -> "State":
    """Remove a seat's pieces, its steps on the agenda, and its part in everything under way.

    Its cards stay hidden, and its Discovered Island Markers no longer count.
    """
    tell(SeatOut(seat))
    # Steps of several seats, such as BuildInSecret, stay; they skip this seat.
    state = state.with_agenda(
        tuple(step for step in state.agenda if getattr(step, "seat", NOBODY) != seat)
    )
    if state.voyage is not None and state.voyage.seat == seat:
        state = state.with_changes(voyage=None)
    if state.movement is not None and state.movement.seat == seat:
        state = state.with_changes(movement=None)
    state = state.with_changes(stacks=tuple(stack for stack in state.stacks if stack.seat != seat))
    state = state.with_nation(seat, out=True, home="")
    if state.builds:
        # If any seat has built ahead there is a list for every seat; do not wait for this one.
        builds = list(state.builds)
        builds[seat] = Build(ready=True)
        state = state.with_changes(builds=tuple(builds))
    if state.marker == seat and state.step == "order" and state.seats:
        # The seat was about to choose the turn order, so the marker goes to the next in line.
        state = state.with_changes(marker=find_last_place(state))
        tell(TurnBegun(state.turn, Seat(state.marker)))
    order = tuple(other for other in state.order if other != seat)
    # Without this seat, all others may have discovered a tile.
    return reveal_seen_by_all(state.with_changes(order=order), tell)


class CheckEmpires(Run, frozen=True):
    """Eliminate seats with nothing left, have others name a new Home, and end a won match.

    "If a player's Home Island Group is lost in Battle, that player must immediately declare
    another Controlled Island Group to be his new Home Islands." Ruling: the same holds after
    Deforestation and Malaria; a seat without a group has no Home until it Controls one again.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Eliminate seats, and name Homes where there is no choice."""
        # Deforestation can be played in the middle of a Battle. Its two sides are checked only once
        # it is settled, when their survivors are back on the map.
        fighting: tuple[int, ...] = ()
        if state.battle is not None:
            fighting = (state.battle.attacker, state.battle.defender)
        for seat in state.seats:
            if seat in fighting:
                continue
            # Ruling: the rulebook eliminates nobody, but without a group, a Colony or a canoe a
            # seat could never have a Village again.
            kinds = pieces_on_map(state, seat)
            if not controlled_groups(state, seat) and not kinds.c and not kinds.canoes:
                state = eliminate_seat(state, seat, table.tell)
        if len(state.seats) == 1:
            return end_match(state, LAST_EMPIRE, table.tell)
        # Seats with a choice of groups are asked, out of turn.
        homeless = [seat for seat in state.seats if not state.nations[seat].home]
        for seat in homeless:
            own = controlled_groups(state, seat)
            if len(own) == 1:
                state = name_home(state, seat, own[0], table.tell)
        return push(state, *(NameHome(seat) for seat in homeless if not state.nations[seat].home))


class NameHome(Step, frozen=True):
    """Ask a seat that lost its Home for another of its Controlled groups, out of turn."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether the seat has no Home and a choice of groups."""
        return not state.nations[self.seat].home and len(controlled_groups(state, self.seat)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the seat's groups."""
        return (Decision(self.seat, "name_home", hex_options(controlled_groups(state, self.seat))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Name the chosen Home."""
        return pop(name_home(state, self.seat, answer.keys[0], tell))

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return the refusal of a hex where the seat has no Village."""
        return hex_refusal("no_village", key) if is_hex(key) else None
