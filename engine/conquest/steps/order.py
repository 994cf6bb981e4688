"""The Turn Order Step, and what turns are made of."""

from typing import TYPE_CHECKING

from engine.conquest.board import CHART, HOMES
from engine.conquest.empire import finish, lose_village
from engine.conquest.events import MalariaStruck, OrderChosen, TurnBegun
from engine.conquest.pieces import NOBODY
from engine.conquest.reasons import Objection
from engine.conquest.scoring import last_place
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


class BeginTurn(Run, frozen=True):
    """Begin a turn: malaria first, then the Turn Order Marker goes to the last seat."""

    def run(self, state: "State", table: Table) -> "State":
        """The turn's first steps."""
        state = state.changed(turn=state.turn + 1, step="order", order=(), marker=NOBODY)
        if state.malaria:
            # Whoever loses a Home or the last Village to it is settled before the marker is given.
            return push(state, StrikeMalaria(), CheckEmpires(), GiveMarker(), ChooseFirst())
        return push(state, GiveMarker(), ChooseFirst())


class StrikeMalaria(Run, frozen=True):
    """A die names a group of Melanesia; if somebody Controls it, one Village goes.

    Which one never matters, so its owner is not asked; from a brown box it leaves its Improved
    Agriculture.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The die and its victim."""
        die = table.roll()
        spot = next(land.spot for land in CHART.printed if die in land.malaria)
        group = state.group(spot)
        table.tell(MalariaStruck(die, spot, group.owner, max(0, group.villages - 1)))
        if group.owner == NOBODY:
            return state
        return lose_village(state.changed(last=(spot,)), spot, table.tell)


class GiveMarker(Run, frozen=True):
    """Last place on the Victory Point Track takes the marker; ties go to Tonga, Raiatea, Hiva,
    Samoa.

    A seat with a standing order for it is not asked.
    """

    def run(self, state: "State", table: Table) -> "State":
        """The marker given."""
        seat = last_place(state)
        table.tell(TurnBegun(state.turn, seat))
        state = state.changed(marker=seat)
        order = state.nations[seat].first
        if order == "askme":
            return state
        # The step that would ask lies under this one.
        return set_order(pop(state), seat, seat, order.partition("-")[2], table.tell)


class ChooseFirst(Step, frozen=True):
    """The holder of the marker decides who goes first and which way play goes round."""

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Each seat, each way; with two players there is but one way."""
        ways = ("",) if len(state.seats) == 2 else ("-cw", "-ccw")
        options = []
        for seat in state.seats:
            people = state.nations[seat].people
            for way in ways:
                about = (("first", seat), ("way", way.removeprefix("-")))
                options.append(Option(f"{people}{way}", facts=about))
        return (Decision(Seat(state.marker), "choose_first", tuple(options)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The order of this turn, and its steps."""
        people, _, way = answer.keys[0].partition("-")
        first = next(seat for seat in state.seats if state.nations[seat].people == people)
        return set_order(pop(state), answer.seat, first, way, tell)

    def objection(self, state: "State", decision: Decision, key: str) -> Objection:
        """A people that is in the game, and with more than two which way round."""
        people, dash, way = key.partition("-")
        if people not in HOMES or way not in ("", "cw", "ccw") or (dash and not way):
            return None
        seat = next(
            (seat for seat, nation in enumerate(state.nations) if nation.people == people), None
        )
        if seat is None:
            return "people_not_played", {"people": people, "seats": len(state.nations)}
        if state.nations[seat].out:
            return "is_out", {"seat": seat}
        return ("one_way" if way else "which_way"), {"people": people}


def set_order(state: "State", holder: Seat, first: Seat, way: str, tell: Tell) -> "State":
    """The order of this turn, as the holder of the marker sets it, and the steps that it brings."""
    step = -1 if way == "ccw" else 1
    count = len(state.nations)
    around = tuple(Seat((first + step * n) % count) for n in range(count))
    order = tuple(seat for seat in around if not state.nations[seat].out)
    tell(OrderChosen(holder, first, order))
    return push(state.changed(order=order, clockwise=way != "ccw"), *turn_steps(order))


def turn_steps(order: tuple[Seat, ...]) -> tuple[Step, ...]:
    """Steps 2 to 5 of a turn; "each Step must be completed by all players before beginning the
    next Step".
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
    """The next turn, unless it would be one more than the table agreed to play."""

    def run(self, state: "State", table: Table) -> "State":
        """On to the next turn, or the end."""
        if state.turn >= state.rules.last_turn:
            return finish(state, TURN_LIMIT, table.tell)
        return push(state, BeginTurn())
