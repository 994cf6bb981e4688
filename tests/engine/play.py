"""Plays positions of any game directly by its rules, without drafts, with scripted dice.

Every answer is applied and advanced at once. The modules `tests.engine.*.table` build on this.
"""

from typing import Any, ClassVar, Generic, Self, TypeVar

from engine import Answer, Decision, Event, Game, Option, Seat, Table, View
from engine.core.words import words_of

S = TypeVar("S")
V = TypeVar("V", bound=View)
E = TypeVar("E", bound=Event)


class Scripted(Table):
    """A random source that follows a script, after which every number is the lowest possible."""

    def __init__(self, *script: int) -> None:
        super().__init__("scripted")
        self.script = list(script)

    def below(self, n: int) -> int:
        """Return the next number of the script."""
        self.draws += 1
        return self.script.pop(0) if self.script else self.afterwards(n)

    def afterwards(self, n: int) -> int:
        """Return the number that is rolled once the script is over."""
        return 0


class InOrder(Scripted):
    """A random source that follows a script, after which shuffles keep the order."""

    def afterwards(self, n: int) -> int:
        """Return the highest number."""
        return n - 1


class Play(Generic[S, V]):
    """A position of a game and the events on the way to it."""

    game: ClassVar[Game[Any]]

    def __init__(self, state: S, table: Table) -> None:
        self.table = table
        self.state: S = self.game.advance(state, table)

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return self.table.events

    @property
    def decision(self) -> Decision:
        """The open question."""
        (decision,) = self.game.questions(self.state)
        return decision

    @property
    def kind(self) -> str:
        """The kind of the open question."""
        return self.decision.kind

    def why_not(self, key: str) -> str:
        """Return the refusal to an answer, from what the asked seat sees; '' if there is none."""
        view = self.game.view(self.state, self.decision.seat)
        line = self.game.refusal(self.state, self.decision, key)
        return words_of(self.game.id).why(line, ("Ana", "Ben", "Cem", "Dov"), view) if line else ""

    @property
    def turn(self) -> Seat:
        """The seat that is asked."""
        return self.decision.seat

    @property
    def keys(self) -> list[str]:
        """The keys that may be answered."""
        return [option.key for option in self.decision.options]

    @property
    def view(self) -> V:
        """What everyone sees."""
        view: V = self.game.view(self.state, None)
        return view

    def option(self, key: str) -> Option:
        """Return an option of the open question."""
        return self.decision.option(key)

    def answer(self, *keys: str) -> Self:
        """Give legal answers for the asked seat, one after the other."""
        for key in keys:
            decision = self.decision
            decision.check((key,))
            taken = self.game.apply(
                self.state, Answer(decision.seat, decision.kind, (key,)), self.table.tell
            )
            self.state = self.game.advance(taken, self.table)
        return self

    def events_of(self, kind: type[E]) -> list[E]:
        """Return the events of this type."""
        return [event for event in self.events if isinstance(event, kind)]

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.game.outcome(self.state) is not None
