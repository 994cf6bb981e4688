"""One seat of a match: what it sees, how its game words it, and what it has drafted.

Panels, hints, lessons and typed moves are built from it.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.features.play.controls import Control
from bot.kernel.room import Room
from bot.ui import describe
from bot.ui.names import marked_names, plain_names
from engine import Answer, Decision, Draft, Match, Option, Seat, View
from engine.core.words import Words


class SeatContext(Struct, frozen=True):
    """One seat of a match that has begun."""

    room: Room
    match: Match
    seat: Seat
    words: Words
    """The wording of the game."""
    players: tuple[str, ...]
    """Everybody's names without markdown, in seat order: for labels, which Discord shows as is."""
    earlier_view: View | None = None
    """What the seat saw at an earlier step of its draft, if labels are to be as they were then."""

    @classmethod
    def of(cls, room: Room, seat: Seat) -> "SeatContext":
        """Gather the context of a seat."""
        match = room.playing()
        words = describe.words(room)
        return cls(room, match, seat, words, plain_names(room))

    def at(self, match: Match) -> "SeatContext":
        """Return the seat's context at another position of its match."""
        return replace(self, match=match, earlier_view=None)

    @property
    def view(self) -> View:
        """What the seat sees."""
        # Made when it is needed: of many positions that a typed turn passes through, few are shown.
        return self.earlier_view or self.match.view(self.seat)

    @property
    def draft(self) -> Draft:
        """What the seat has drafted, perhaps nothing."""
        return self.match.draft(self.seat)

    def make_custom_id(self, sort: str, kind: str = "", key: str = "") -> str:
        """Return the custom id of a control that is valid for this turn of the seat."""
        turn = self.match.turn(self.seat)
        return str(Control(sort, self.room.record.id, self.seat, turn, kind, key))

    def ask(self, decision: Decision) -> str:
        """Return a question or an offer in words, for a message."""
        return self.words.question(decision, marked_names(self.room), self.view)

    def name_offer(self, offer: Decision) -> str:
        """Return what an offer is called on a button."""
        return self.words.question(offer, self.players)

    def label(self, decision: Decision, option: Option, brief: bool = False) -> str:
        """Return an option in words; `brief` for a button."""
        return self.words.option(decision, option, self.view, self.players, brief)


class DraftStep(Struct, frozen=True):
    """One answer of a draft."""

    before: Draft
    """The draft without this answer and those after it."""
    question: Decision
    answer: Answer


def list_draft_steps(match: Match, seat: Seat) -> list[DraftStep]:
    """Return the answers of a seat's draft in order."""
    empty = Draft((), (), match.position, match.position.question(seat), None)
    steps: list[DraftStep] = []
    draft = match.draft(seat)
    while draft.answers:
        before = draft.before or empty
        assert before.question is not None  # The answer was given to it.
        steps.insert(0, DraftStep(before, before.question, draft.answers[-1]))
        draft = before
    return steps


def finish_draft(match: Match, seat: Seat) -> Match | None:
    """End every optional sequence that the seat's draft leaves open, as a confirm would.

    Returns None if the seat still has to choose something, or has chosen nothing.
    """
    if not match.draft(seat).answers and not match.has_one_answer(seat):
        return None
    while question := match.question(seat):
        ending = question.ending()
        if ending is None:
            return None
        match = match.pick(Answer(seat, question.kind, (ending.key,)))
    return match


def find_spots(options: Iterable[Option]) -> tuple[str, ...]:
    """Return the spots of the board that options are about, each once."""
    return tuple(dict.fromkeys(option.spot for option in options if option.spot))
