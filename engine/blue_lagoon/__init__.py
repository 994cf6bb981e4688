"""Blue Lagoon: explore an archipelago, then settle it.

mapdata, picture    maps as files, and as pictures in letters that hosts write
board               a map made ready for play
state               the immutable position
steps               the rules, one class for each step
scoring             the points of a phase
events              what happened, for stories and pictures
view, refusals      what a seat sees, and why a piece cannot be placed
remarks             facts about a finished match
"""

from collections.abc import Mapping
from enum import StrEnum

from engine.blue_lagoon import refusals, steps
from engine.blue_lagoon.board import board_of
from engine.blue_lagoon.events import AnyEvent, Opened
from engine.blue_lagoon.mapdata import BUNDLED, MAX_ROWS, MAX_WIDTH, canonical
from engine.blue_lagoon.state import EXPLORATION, NOTHING, OVER, Side, State
from engine.blue_lagoon.view import BlueLagoonView, view_of
from engine.core.decision import Decision, Seat
from engine.core.event import Line
from engine.core.game import Choice, Outcome, Point, Setting, View
from engine.core.steps import StepGame
from engine.core.table import Table

DRAW = "draw"


class Reason(StrEnum):
    """The ways in which a match can end."""

    RESOURCES_COLLECTED = steps.RESOURCES_COLLECTED
    NOBODY_CAN_PLACE = steps.NOBODY_CAN_PLACE
    NO_SETTLEMENT = steps.NO_SETTLEMENT


class BlueLagoon(StepGame[State]):
    """Blue Lagoon, for the catalog of games."""

    id = "blue_lagoon"
    title = "Blue Lagoon"
    seats = range(2, 5)
    version = 1
    settings = (
        Setting("map", tuple(Choice(name) for name in BUNDLED), "default"),
        Setting(
            "first",
            (
                Choice("1"),
                Choice("2"),
                Choice("3", seats=(3, 4)),
                Choice("4", seats=(4,)),
                Choice(DRAW),
            ),
            DRAW,
        ),
        Setting("board", (), "", free=True),
    )
    begins = "first"
    reasons = Reason
    commit_limit = 2 * MAX_ROWS * MAX_WIDTH
    state_type = State
    event_type = AnyEvent

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> State:
        """Hand out pieces, choose who goes first, and put an item on every stone circle."""
        chosen = canonical(settings["board"] or settings["map"])
        board = board_of(chosen)
        first = table.below(seats) if settings["first"] == DRAW else int(settings["first"]) - 1
        state = State(
            map=chosen,
            phase=EXPLORATION,
            sides=(Side(0, 0, board.settlers_per_seat(seats), board.data.pieces.villages),) * seats,
            items=NOTHING,
            last=Seat((first - 1) % seats),
            spot="",
            scores=(),
            skipped=(),
            reason="",
            agenda=(steps.PlacePiece(Seat(first)),),
        )
        dealt = steps.deal(state, table)
        table.tell(Opened(EXPLORATION, Seat(first)))
        return dealt

    def view(self, state: State, viewer: Seat | None) -> BlueLagoonView:
        """Return the table; nothing on it is hidden."""
        return view_of(state, viewer)

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return why a piece cannot be placed there."""
        return refusals.refusal(view_of(state, decision.seat), decision, key)

    def lesson_over(self, state: State) -> bool:
        """End a lesson once exploration is scored: settlement is played the same way."""
        return state.phase != EXPLORATION

    def places(self, view: View) -> Mapping[str, Point]:
        """Return every space of the map."""
        return refusals.places(view) if isinstance(view, BlueLagoonView) else {}

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by points, then by items held, once settlement is scored."""
        if state.phase != OVER:
            return None
        scores = tuple(
            sum(rows[seat].total for rows in state.scores) for seat in range(len(state.sides))
        )
        items = tuple(sum(side.held) for side in state.sides)
        results = list(zip(scores, items, strict=True))
        ranking = tuple(
            tuple(Seat(seat) for seat, result in enumerate(results) if result == place)
            for place in sorted(set(results), reverse=True)
        )
        tiebreak = tuple((("items", held),) for held in items)
        return Outcome(state.reason, ranking, scores, tiebreak)


GAME = BlueLagoon()
