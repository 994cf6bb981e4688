"""The Turn Order Step, and the sequence of Steps that makes a turn.

Steps are saved by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from engine.conquest.board import CHART, HOMES
from engine.conquest.empire import end_match, lose_village
from engine.conquest.events import MalariaStruck, OrderChosen, TurnBegun
from engine.conquest.pieces import NOBODY
from engine.conquest.refusals import Refusal
from engine.conquest.scoring import find_last_place
from engine.conquest.steps.after_loss import CheckEmpires
from engine.conquest.steps.build import BeginBuilding
from engine.conquest.steps.explore import BeginExploration
from engine.conquest.steps.movement import BeginMovement
from engine.conquest.steps.victory import CountPoints, DeclareVictory, HearDeclarations
from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table

if TYPE_CHECKING:
    from engine.conquest.state import State

TURN_LIMIT = "turn_limit"
"""The match ended because the agreed number of turns was played."""


class BeginTurn(Run, frozen=True):
    """Begin a turn: malaria first, then the Turn Order Marker is given."""

    def run(self, state: "State", table: Table) -> "State":
        """Count the turn, and add the steps of its Turn Order Step."""
        state = state.with_changes(turn=state.turn + 1, step="order", order=(), marker=NOBODY)
        if state.malaria:
            # A seat that loses its Home or its last Village to malaria names a new Home, or is
            # eliminated, before the marker is given.
            return push(state, StrikeMalaria(), CheckEmpires(), GiveMarker(), ChooseFirst())
        return push(state, GiveMarker(), ChooseFirst())


class StrikeMalaria(Run, frozen=True):
    """Malaria: "remove one Village from the affected hex", if somebody Controls it.

    Which Village never matters, so its owner is not asked; in a brown box it leaves its
    Improved Agriculture behind.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Roll the die for the group that is struck, and remove a Village there."""
        die = table.roll()
        # The map prints the rolls beside the groups; together these cover all six.
        spot = next(land.spot for land in CHART.printed if die in land.malaria)
        group = state.group(spot)
        table.tell(MalariaStruck(die, spot, group.owner, max(0, group.villages - 1)))
        # "If Malaria strikes an Island Group that is still Independent, there is no effect."
        if group.owner == NOBODY:
            return state
        return lose_village(state.with_changes(last=(spot,)), spot, table.tell)


class GiveMarker(Run, frozen=True):
    """ "The player in last place on the Victory Point Track takes the Turn Order Marker."

    Ties go to Tonga, Raiatea, Hiva, Samoa, in this order. A seat with a standing order is not
    asked.
    """

    def run(self, state: "State", table: Table) -> "State":
        """Give the marker, and apply the holder's standing order for it."""
        seat = find_last_place(state)
        table.tell(TurnBegun(state.turn, seat))
        state = state.with_changes(marker=seat)
        # A standing order is 'me' or, with more than two seats, 'me-cw' or 'me-ccw'.
        order = state.nations[seat].first
        if order == "askme":
            return state
        # ChooseFirst, which would ask, is next on the agenda.
        return set_turn_order(pop(state), seat, seat, order.partition("-")[2], table.tell)


class ChooseFirst(Step, frozen=True):
    """The holder of the marker decides who goes first, and the direction of play."""

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a seat and a direction; with two players the direction makes no difference."""
        # 'cw' stands for clockwise, 'ccw' for counterclockwise.
        ways = ("",) if len(state.seats) == 2 else ("-cw", "-ccw")
        options = []
        for seat in state.seats:
            people = state.nations[seat].people
            for way in ways:
                about = (("first", seat), ("way", way.removeprefix("-")))
                options.append(Option(f"{people}{way}", facts=about))
        return (Decision(Seat(state.marker), "choose_first", tuple(options)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Set the order of this turn."""
        people, _, way = answer.keys[0].partition("-")
        first = next(seat for seat in state.seats if state.nations[seat].people == people)
        return set_turn_order(pop(state), answer.seat, first, way, tell)

    def refusal(self, state: "State", decision: Decision, key: str) -> Refusal:
        """Return why that people cannot go first, or that a direction is missing or needless."""
        people, dash, way = key.partition("-")
        if people not in HOMES or way not in ("", "cw", "ccw") or (dash and not way):
            return None
        for seat, nation in enumerate(state.nations):
            if nation.people == people:
                if nation.out:
                    return "is_out", {"seat": seat}
                # With two players the direction makes no difference and may not be given.
                return ("one_way" if way else "which_way"), {"people": people}
        return "people_not_played", {"people": people, "seats": len(state.nations)}


def set_turn_order(state: "State", holder: Seat, first: Seat, way: str, tell: Tell) -> "State":
    """Set the order of this turn, as the holder of the marker chose it, and add its steps."""
    direction = -1 if way == "ccw" else 1
    seats = len(state.nations)
    around = [Seat((first + direction * n) % seats) for n in range(seats)]
    order = tuple(seat for seat in around if not state.nations[seat].out)
    tell(OrderChosen(holder, first, order))
    return push(state.with_changes(order=order, clockwise=way != "ccw"), *turn_steps(order))


def turn_steps(order: tuple[Seat, ...]) -> tuple[Step, ...]:
    """Return the steps of a turn after the Turn Order Step.

    "Each Step must be completed by all players before beginning the next Step."
    """
    return (
        *(BeginExploration(seat) for seat in order),
        *(BeginMovement(seat) for seat in order),
        BeginBuilding(),
        CountPoints(),
        DeclareVictory(),
        HearDeclarations(),
        EndTurn(),
    )


class EndTurn(Run, frozen=True):
    """Go on to the next turn, unless the agreed number of turns has been played."""

    def run(self, state: "State", table: Table) -> "State":
        """Begin the next turn, or end the match."""
        if state.turn >= state.rules.last_turn:
            return end_match(state, TURN_LIMIT, table.tell)
        return push(state, BeginTurn())
