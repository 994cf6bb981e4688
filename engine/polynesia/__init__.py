"""Polynesia: lead a tribe over the sea before the volcano erupts.

board               what is printed: map, tokens and Tide cards, read from data/
state               the immutable position
steps               a turn; exploring, populating and travelling are its actions
maintenance         the phase between two rounds, and the eruption
scoring             the points of the end
events              what happened, for stories and pictures
view, refusals    what a seat sees, and why an answer is not possible
remarks             facts about a finished match
"""

from collections.abc import Mapping
from enum import StrEnum

from engine.core.decision import Decision, Seat
from engine.core.event import Line
from engine.core.game import Choice, Outcome, Point, Setting, View
from engine.core.steps import StepGame
from engine.core.table import Table
from engine.polynesia import refusals
from engine.polynesia.board import CROSS, Board, Components, board_for, components, deck, tide_cards
from engine.polynesia.events import AnyEvent, TidesDrawn, TokensLaid
from engine.polynesia.maintenance import begin_round
from engine.polynesia.state import Side, State
from engine.polynesia.travelling import FIRST_CARD
from engine.polynesia.view import PolynesiaView, view_of

DRAW = "draw"
MOST_SEATS = 4
LESSON_ROUNDS = 3
"""The rounds of a first match with a coach."""


class Reason(StrEnum):
    """The ways in which a match can end."""

    ERUPTED = "erupted"


class Polynesia(StepGame[State]):
    """Polynesia, for the catalog of games."""

    id = "polynesia"
    title = "Polynesia"
    seats = range(2, MOST_SEATS + 1)
    version = 1
    settings = (
        *(
            Setting(
                f"tide{number}",
                (Choice(DRAW), *(Choice(card.id, card.players) for card in deck(number))),
                DRAW,
            )
            for number in (1, 2, 3)
        ),
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
    )
    begins = "first"
    reasons = Reason
    commit_limit = 130
    state_type = State
    event_type = AnyEvent

    def setup(self, seats: int, settings: Mapping[str, str], table: Table) -> State:
        """Lay out the map, turn up tokens, and draw Tide cards and the starting seat."""
        board, box = board_for(seats), components()
        members = tuple(box.members_on_main if island.is_main else 0 for island in board.islands)
        side = Side(members, box.members - box.members_on_main, box.ships, box.fish, box.shells)
        tokens = _lay_tokens(board, box, seats, table)
        tides = (
            _choose_tide(1, settings["tide1"], seats, table),
            _choose_tide(2, settings["tide2"], seats, table),
            _choose_tide(3, settings["tide3"], seats, table),
        )
        first = table.below(seats) if settings["first"] == DRAW else int(settings["first"]) - 1
        table.tell(TidesDrawn(tides))
        # Card 1.2 lays a Point token on each archipelago; the others are in reserve, if any card
        # needs them.
        archipelago_points = tuple(board.archipelagos) if FIRST_CARD in tides else ()
        needs_points = any(tide_cards()[tide].needs_point_tokens for tide in tides)
        state = State(
            map=board.name,
            tides=tides,
            round=1,
            marker="3",
            first=Seat(first),
            sides=(side,) * seats,
            routes=(0,) * len(board.routes),
            tokens=tokens,
            lava=(),
            pool=box.point_tokens - len(archipelago_points) if needs_points else None,
            archipelago_points=archipelago_points,
            last=None,
            rows=(),
            agenda=(),
        )
        return begin_round(state, table)

    def view(self, state: State, viewer: Seat | None) -> PolynesiaView:
        """Return the table; nothing on it is hidden."""
        return view_of(state, viewer)

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        """Return why an answer is not possible."""
        return refusals.refusal(view_of(state, decision.seat), decision, key)

    def round(self, state: State) -> int:
        """Return the round; the set-up belongs to the first."""
        return max(1, state.round)

    def lesson_over(self, state: State) -> bool:
        """End a lesson after half a match."""
        return state.round > LESSON_ROUNDS

    def places(self, view: View) -> Mapping[str, Point]:
        """Return where the islands are, and the ways between them."""
        return refusals.places(view) if isinstance(view, PolynesiaView) else {}

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by points, then by islands with a member, after the eruption."""
        if not state.rows:
            return None
        scores = tuple(row.total for row in state.rows)
        # Nobody is left on a destroyed island: the tie-break counts those that survived.
        islands = [sum(count > 0 for count in side.members) for side in state.sides]
        results = list(zip(scores, islands, strict=True))
        ranking = tuple(
            tuple(Seat(seat) for seat, result in enumerate(results) if result == place)
            for place in sorted(set(results), reverse=True)
        )
        tiebreak = tuple((("islands", number),) for number in islands)
        return Outcome(Reason.ERUPTED.value, ranking, scores, tiebreak)


def _lay_tokens(board: Board, box: Components, seats: int, table: Table) -> tuple[str, ...]:
    """Shuffle the tokens and lay them out by the colour of their backs.

    Tokens with a cross are removed, and so is the fourth mask with fewer than four players.
    """
    laid = [""] * len(board.islands)
    for back in ("green", "orange"):
        places = [island.number for island in board.islands if island.token == back]
        pile = table.shuffle([token for token in box.tokens if token.back == back])
        for place, token in zip(places, pile, strict=True):
            is_removed = token.face == CROSS or (token.only_4_players and seats < MOST_SEATS)
            laid[place] = "" if is_removed else token.id
    faces = {token.id: token.face for token in box.tokens}
    shown = []
    for island, token_id in zip(board.islands, laid, strict=True):
        if token_id:
            shown.append((island.code, faces[token_id]))
    table.tell(TokensLaid(tuple(shown)))
    return tuple(laid)


def _choose_tide(number: int, chosen: str, seats: int, table: Table) -> str:
    """Return the Tide card that the host chose, or draw one that suits this number of players."""
    if chosen != DRAW:
        return chosen
    return table.choose([card for card in deck(number) if seats in card.players]).id


GAME = Polynesia()
