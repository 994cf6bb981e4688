"""A base class for games whose turns are made of steps, as rulebooks describe them.

A game's State holds a stack of the steps to come, the agenda, with the next step last. A step asks
a question, or acts by itself, and may push further steps. Saved states hold steps by class name and
fields, so a game never renames either. A game overrides what it does differently.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct

from engine.core.decision import Answer, Decision, Seat
from engine.core.event import Line, Tell
from engine.core.game import Point, View
from engine.core.table import Table


class Step(Struct, frozen=True, tag=True):
    """A step that asks: `ask` returns its questions, and `take` applies an answer."""

    glides: ClassVar[bool] = False
    runs: ClassVar[bool] = False

    def asks(self, state: Any) -> bool:
        """Return whether anybody still has to decide; if not, the step is removed."""
        return True

    def ask(self, state: Any) -> tuple[Decision, ...]:
        """Return the open questions of this step."""
        return ()

    def take(self, state: Any, answer: Answer, tell: Tell) -> Any:
        """Return the state after an answer. The step itself is still on top of the agenda."""
        raise NotImplementedError

    def refusal(self, state: Any, decision: Decision, key: str) -> Line | None:
        """Return the rule that forbids a key which `ask` does not offer; None if none is known."""
        return None


class Glide(Step, frozen=True):
    """A step that asks nothing, rolls nothing and reveals nothing, so it can happen in a draft."""

    glides: ClassVar[bool] = True

    def glide(self, state: Any, tell: Tell) -> Any:
        """Return the state after the step, which has already been removed from the agenda."""
        raise NotImplementedError


class Run(Step, frozen=True):
    """A step with dice or a reveal, which happens only once the turn is confirmed."""

    runs: ClassVar[bool] = True

    def run(self, state: Any, table: Table) -> Any:
        """Return the state after the step, which has already been removed from the agenda."""
        raise NotImplementedError


class Agenda(Protocol):
    """An immutable state with a stack of steps, which `with_agenda` replaces."""

    @property
    def agenda(self) -> tuple[Any, ...]:
        """The steps to come, the next one last."""

    def with_agenda(self, agenda: tuple[Any, ...]) -> Any:
        """Return the same state with other steps to come."""


A = TypeVar("A", bound=Agenda)


def push(state: A, *steps: Step) -> A:
    """Put steps on top of the agenda, given in the order in which they will come."""
    pushed: A = state.with_agenda((*state.agenda, *reversed(steps)))
    return pushed


def pop(state: A, *steps: Step) -> A:
    """Replace the top step by these, given in the order in which they will come."""
    rest = state.agenda[:-1]
    popped: A = state.with_agenda((*rest, *reversed(steps)) if steps else rest)
    return popped


class StepGame(Generic[A]):
    """The half of the Game interface that follows from an agenda, with defaults for the rest."""

    windows: frozenset[str] = frozenset()
    told_apart_by: Mapping[str, tuple[str, ...]] = {}
    standing: Mapping[str, str] = {}
    begins: str = ""
    migrations: Mapping[int, Any] = {}

    def offers(self, state: A) -> tuple[Decision, ...]:
        """Return no offers; games that have some override this."""
        return ()

    def take_offer(self, state: A, answer: Answer, tell: Tell) -> A:
        """Return the state after an offer; games that have offers override this."""
        raise NotImplementedError

    def standing_answer(self, state: A, seat: Seat) -> Answer | None:
        """Return None: games with standing orders override this."""
        return None

    def questions(self, state: A) -> tuple[Decision, ...]:
        """Return the questions of the top step."""
        questions: tuple[Decision, ...] = state.agenda[-1].ask(state) if state.agenda else ()
        return questions

    def apply(self, state: A, answer: Answer, tell: Tell) -> A:
        """Apply an answer to the top step, then do the steps that need no confirmation."""
        state = state.agenda[-1].take(state, answer, tell)
        # A Run rolls dice or reveals something, so it waits for the confirmation: see `advance`.
        while state.agenda and not state.agenda[-1].runs:
            top = state.agenda[-1]
            if top.glides:
                state = top.glide(pop(state), tell)
            elif top.asks(state):
                break
            else:
                state = pop(state)
        return state

    def advance(self, state: A, table: Table) -> A:
        """Do all steps until one has to ask somebody or none is left."""
        while state.agenda:
            top = state.agenda[-1]
            if top.runs:
                state = top.run(pop(state), table)
            elif top.glides:
                state = top.glide(pop(state), table.tell)
            elif top.asks(state):
                break
            else:
                state = pop(state)
        return state

    def follows(self, state: A) -> str:
        """Return the name of the next step if it waits for the confirmation, '' if none does."""
        top = state.agenda[-1] if state.agenda else None
        return type(top).__name__ if top is not None and top.runs else ""

    def refusal(self, state: A, decision: Decision, key: str) -> Line | None:
        """Return what the asking step says against a key that it does not offer."""
        if not state.agenda or any(option.key == key for option in decision.options):
            return None
        line: Line | None = state.agenda[-1].refusal(state, decision, key)
        return line

    def round(self, state: A) -> int | None:
        """Return None: games that count rounds override this."""
        return None

    def lesson_over(self, state: A) -> bool | None:
        """Return None: games that say when a lesson is over override this."""
        return None

    def places(self, view: View) -> Mapping[str, Point]:
        """Return nothing: games with a board override this."""
        return {}

    def redeal(self, state: A, viewer: Seat | None, table: Table) -> A:
        """Return the state unchanged: games that hide something override this."""
        return state

    def sealed(self, state: A) -> tuple[tuple[str, Seat], ...]:
        """Return nothing: games with secret answers override this."""
        return ()
