"""What follows a loss: seats put out, Homes named, the last empire."""

from typing import TYPE_CHECKING

from engine.conquest.discoveries import reveal_seen_by_all
from engine.conquest.empire import finish, name_home, on_map
from engine.conquest.events import SeatOut, TurnBegun
from engine.conquest.hex_options import hex_options
from engine.conquest.hexes import controlled
from engine.conquest.pieces import NOBODY, Build
from engine.conquest.reasons import Objection, about_hex, is_hex
from engine.conquest.scoring import last_place
from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

LAST_EMPIRE = "last_empire"


def put_out(state: "State", seat: Seat, tell: Tell) -> "State":
    """The seat's other pieces go; its cards stay hidden, its markers count no more.

    Nothing is asked of it any more.
    """
    tell(SeatOut(seat))
    state = state.with_agenda(
        tuple(step for step in state.agenda if getattr(step, "seat", NOBODY) != seat)
    )
    if state.voyage is not None and state.voyage.seat == seat:
        state = state.changed(voyage=None)
    if state.movement is not None and state.movement.seat == seat:
        state = state.changed(movement=None)
    state = state.changed(stacks=tuple(stack for stack in state.stacks if stack.seat != seat))
    state = state.with_nation(seat, out=True, home="")
    if state.builds:
        # A seat that built ahead has opened the lists of all seats; nobody waits for this one any
        # more.
        builds = list(state.builds)
        builds[seat] = Build(ready=True)
        state = state.changed(builds=tuple(builds))
    if state.marker == seat and state.step == "order" and state.seats:
        # It was about to set the order of the turn.
        state = state.changed(marker=last_place(state))
        tell(TurnBegun(state.turn, Seat(state.marker)))
    order = tuple(other for other in state.order if other != seat)
    return reveal_seen_by_all(state.changed(order=order), tell)


class CheckEmpires(Run, frozen=True):
    """After a loss: whoever has nothing left is out, whoever has no Home names one, the last empire
    wins.

    "If a player's Home Island Group is lost in Battle, that player must immediately declare
    another"; by a ruling so it is after Deforestation or Malaria. With no group left there is no
    Home until the seat Controls one again.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Seats put out, and Homes named where there is no choice."""
        # A Deforestation may fall in the middle of a Battle. The seats fighting it are checked once
        # it is settled: their pieces are in its rows, and what is left of them comes back to the
        # map.
        fighting = (
            (state.battle.attacker, state.battle.defender) if state.battle is not None else ()
        )
        for seat in state.seats:
            if seat in fighting:
                continue
            # The rulebook puts nobody out; by a ruling a seat is out that could never have a
            # Village again.
            kinds = on_map(state, seat)
            if not controlled(state, seat) and not kinds.c and not kinds.canoes:
                state = put_out(state, seat, table.tell)
        if len(state.seats) == 1:
            return finish(state, LAST_EMPIRE, table.tell)
        homeless = [seat for seat in state.seats if not state.nations[seat].home]
        for seat in homeless:
            own = controlled(state, seat)
            if len(own) == 1:
                state = name_home(state, seat, own[0], table.tell)
        return push(state, *(NameHome(seat) for seat in homeless if not state.nations[seat].home))


class NameHome(Step, frozen=True):
    """A seat that lost its Home names another of its Controlled groups, out of turn."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """While it has none and there is a choice."""
        return not state.nations[self.seat].home and len(controlled(state, self.seat)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Its groups."""
        return (Decision(self.seat, "name_home", hex_options(controlled(state, self.seat))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The Home named."""
        return pop(name_home(state, self.seat, answer.keys[0], tell))

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """One of the seat's groups."""
        return about_hex("no_village", key) if is_hex(key) else None
