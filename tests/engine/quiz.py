"""A game without rules: it asks the questions that a test gives it, one after the other."""

from typing import Any

from msgspec import Struct

from engine import Decision, Match, Seat, View
from engine.core.steps import StepGame


class Asking(Struct, frozen=True):
    """A position that asks the given questions in turn."""

    rounds: tuple[tuple[Decision, ...], ...]
    follow: str = ""


class Quiz(StepGame[Any]):
    """A game that asks what its state says, and lets every answer pass."""

    id = "quiz"
    title = "Quiz"
    seats = range(1, 5)
    version = 1
    settings = ()
    commit_limit = 100
    state_type = Asking

    def setup(self, seats: int, settings: Any, table: Any) -> Asking:
        return Asking(())

    def questions(self, state: Asking) -> tuple[Decision, ...]:
        return tuple(decision for decision in self._asked(state) if decision.blocking)

    def offers(self, state: Asking) -> tuple[Decision, ...]:
        return tuple(decision for decision in self._asked(state) if not decision.blocking)

    def _asked(self, state: Asking) -> tuple[Decision, ...]:
        return state.rounds[0] if state.rounds else ()

    def apply(self, state: Asking, answer: Any, tell: Any) -> Asking:
        offers = tuple(decision for decision in state.rounds[0] if not decision.blocking)
        rest = state.rounds[1:]
        return Asking(rest or ((offers,) if offers else ()), state.follow)

    def take_offer(self, state: Asking, answer: Any, tell: Any) -> Asking:
        return self.apply(state, answer, tell)

    def advance(self, state: Asking, table: Any) -> Asking:
        return state

    def view(self, state: Asking, viewer: Seat | None) -> View:
        return View(game="quiz", viewer=viewer, scores=())

    def outcome(self, state: Asking) -> None:
        return None

    def refusal(self, state: Asking, decision: Decision, key: str) -> None:
        return None

    def follows(self, state: Asking) -> str:
        return state.follow


def quiz(*rounds: Decision | tuple[Decision, ...], follow: str = "") -> Match:
    """Start a match in which seat 0 is asked these questions."""
    asked = tuple(each if isinstance(each, tuple) else (each,) for each in rounds)
    return Match(Quiz(), 2, (), "seed", 0, Asking(asked, follow), answered=(0, 0))
