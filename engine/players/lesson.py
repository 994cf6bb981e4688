"""What a coach tells a newcomer, and when: each idea once, when it first matters.

An idea waits for a question to be asked, or for something to happen, and the texts of a game say
how often: `[lesson.asked] place_piece.2` is told the second time that question is asked, and
`[lesson.after] Collected.1` after the seat's first Collected event. Of several ideas that are due,
one is told and the others wait. The welcome comes first, unless the first question has an idea of
its own for the first time that it is asked.

Nothing is stored about what was told: it follows from the log, so that a panel that is opened again
tells the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.core.decision import Seat
from engine.core.event import Event, visible
from engine.core.match import Match
from engine.core.record import Commit
from engine.core.words import Words

MAX_LESSON_ANSWERS = 36
"""How many answers a lesson has in a game that doesn't say when its lesson is over."""


def is_lesson_over(match: Match, seat: Seat) -> bool:
    """Return whether a first match has shown all there is to learn."""
    is_over = match.game.lesson_over(match.base)
    return match.answered[seat] >= MAX_LESSON_ANSWERS if is_over is None else is_over


def find_idea(words: Words, match: Match, seat: Seat, log: Iterable[Commit]) -> str:
    """Return what a coach says with the question that a seat is asked now; '' if nothing is new.

    The log begins with the set-up and has no commits that were undone.
    """
    teller = _Teller(words, seat)
    for commit in log:
        if commit.seat == seat:
            teller.tell_all([answer.kind for answer in commit.answers if not answer.forced])
        teller.note(commit.events)
    # What a draft would lead to has not happened yet.
    drafted = match.draft(seat).answers
    teller.tell_all([answer.kind for answer in drafted if not answer.forced])
    question = match.question(seat)
    return teller.tell(question.kind) if question else ""


class _Teller:
    """Goes through a seat's part of a match, question by question, and tells what is due."""

    def __init__(self, words: Words, seat: Seat) -> None:
        self._words = words
        self._seat = seat
        self._asked = Counter[str]()
        self._happened = Counter[str]()
        self._told = set[str]()

    def note(self, events: Iterable[Event]) -> None:
        """Count what happened to the seat, or to nobody in particular."""
        for event in visible(events, self._seat):
            if getattr(event, "seat", self._seat) == self._seat:
                self._happened[type(event).__name__] += 1

    def tell_all(self, kinds: Sequence[str]) -> None:
        """Tell what was due at questions that have been answered."""
        for kind in kinds:
            self.tell(kind)

    def tell(self, kind: str) -> str:
        """Return the idea that is due when this kind of question is asked; '' if there is none."""
        ideas = self._words.ideas("asked", kind)
        if not ideas:
            # An offer was taken, which nobody asked about.
            return ""
        self._asked[kind] += 1
        due = [*_list_due(ideas, self._asked[kind]), self._words.welcome]
        for event, times in self._happened.items():
            due += _list_due(self._words.ideas("after", event), times)
        idea = next((idea for idea in due if idea not in self._told), "")
        self._told.add(idea)
        return idea


def _list_due(ideas: dict[int, str], times: int) -> list[str]:
    """Return the ideas that are due once something has happened this many times."""
    return [idea for number, idea in sorted(ideas.items()) if number <= times]
