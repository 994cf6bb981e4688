"""Maori: sail around the islands of the South Seas and build your own island world.

tiles, board, matrix    what is printed: read from data/, the same in every match
state                   the immutable position
steps                   the rules, one class for each step of a turn
scoring                 islands and points
prospects, remarks      islands that can no longer be completed; facts about a finished match
events                  what happened, for stories and pictures
view, refusals        what a seat sees, and why an answer is not possible
"""

from collections.abc import Mapping
from enum import StrEnum

from engine.core.decision import Decision, Seat
from engine.core.event import Line
from engine.core.game import Choice, Outcome, Point, Setting, View
from engine.core.steps import StepGame
from engine.core.table import Table
from engine.maori import refusals, steps
from engine.maori.board import board_of
from engine.maori.events import AnyEvent, Opened
from engine.maori.matrix import CELLS
from engine.maori.state import SHELLS, START_SHELLS, Side, State
from engine.maori.tiles import COUNT, NO_TILE, VOLCANOES
from engine.maori.view import MaoriView, view_of

DRAW = "draw"
LESSON_ROUNDS = 8
"""The rounds of a first match with a coach."""


class Reason(StrEnum):
    """The ways in which a match can end."""

    BOARD_FILLED = steps.BOARD_FILLED
    STALLED = steps.STALLED


class Maori(StepGame[State]):
    """Maori, for the catalog of games."""

    id = "maori"
    title = "Maori"
    seats = range(2, 6)
    version = 1
    settings = (
        Setting("rules", (Choice("basic"), Choice("advanced"), Choice("pro")), "basic"),
        Setting("board", (Choice("front"), Choice("atoll", seats=(2, 3, 4))), "front"),
        Setting(
            "first",
            (
                Choice("1"),
                Choice("2"),
                Choice("3", seats=(3, 4, 5)),
                Choice("4", seats=(4, 5)),
                Choice("5", seats=(5,)),
                Choice(DRAW),
            ),
            DRAW,
        ),
    )
    begins = "first"
    # A tile that is taken is replaced at once, so its cell alone does not say which one it was.
    told_apart_by: Mapping[str, tuple[str, ...]] = {"discover_tile": ("tile", "symbols")}
    reasons = Reason
    commit_limit = 3000
    state_type = State
    event_type = AnyEvent

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> State:
        """Lay out the matrix without volcanoes, hand out shells, and choose who goes first."""
        is_drawn = settings["first"] == DRAW
        first = Seat(table.below(seats) if is_drawn else int(settings["first"]) - 1)
        # The rulebook has volcanoes that are drawn now put back, so they are left out of the draw.
        rest = [number for number in range(1, COUNT + 1) if number not in VOLCANOES]
        matrix = tuple(rest.pop(table.below(len(rest))) for _ in CELLS)
        side = Side((NO_TILE,) * board_of(settings["board"]).size, NO_TILE, START_SHELLS)
        table.tell(Opened(first, Seat((first + 1) % seats)))
        return State(
            board_name=settings["board"],
            rules=settings["rules"],
            matrix=matrix,
            supply=tuple(sorted((*rest, *VOLCANOES))),
            bank=SHELLS - START_SHELLS * seats,
            discoverer=-1,
            sides=(side,) * seats,
            filled=None,
            idle=0,
            turns=0,
            turn=None,
            rows=(),
            reason="",
            agenda=(steps.PlaceDiscoverer(first),),
        )

    def view(self, state: State, viewer: Seat | None) -> MaoriView:
        """Return the table; nothing on it is hidden."""
        return view_of(state, viewer)

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return why an answer is not possible."""
        return refusals.refusal(view_of(state, decision.seat), decision, key)

    def round(self, state: State) -> int:
        """Return the round; the set-up belongs to the first."""
        return max(1, state.round)

    def lesson_over(self, state: State) -> bool:
        """End a lesson after half of a two-player match."""
        return state.round > LESSON_ROUNDS

    def places(self, view: View) -> Mapping[str, Point]:
        """Return the matrix, the positions around it, and the asked seat's board."""
        return refusals.places(view) if isinstance(view, MaoriView) else {}

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by points, then by shells, once the match is scored."""
        if not state.reason:
            return None
        scores = tuple(row.total for row in state.rows)
        shells = tuple(side.shells for side in state.sides)
        # Shells break ties; seats with as many of both share a rank.
        results = list(zip(scores, shells, strict=True))
        ranking = [
            tuple(Seat(seat) for seat, result in enumerate(results) if result == place)
            for place in sorted(set(results), reverse=True)
        ]
        tiebreak = tuple((("shells", number),) for number in shells)
        return Outcome(state.reason, tuple(ranking), scores, tiebreak)

    def follows(self, state: State) -> str:
        """Return the next step; the end of the match is named before the tile that is turned up."""
        follows = super().follows(state)
        # The agenda is a stack: its first entry is what comes last.
        if follows and isinstance(state.agenda[0], steps.EndGame):
            return "EndGame"
        return follows


GAME = Maori()
