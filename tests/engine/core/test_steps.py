"""The agenda: which steps ask, which are done by themselves, and which wait for the Confirm."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Event, Tell
from engine.core.steps import Glide, Run, Step, StepGame, pop, push
from engine.core.table import Table
from tests.toy.events import TideRolled


class Tide(Struct, frozen=True):
    """A state with nothing but a trace and an agenda."""

    agenda: tuple[Any, ...] = ()
    trace: tuple[str, ...] = ()

    def with_agenda(self, agenda: tuple[Any, ...]) -> "Tide":
        return replace(self, agenda=agenda)

    def noting(self, word: str) -> "Tide":
        return replace(self, trace=(*self.trace, word))


class Ask(Step, frozen=True):
    """Asks once."""

    name: str
    expected: bool = True

    def asks(self, state: Tide) -> bool:
        return self.expected

    def ask(self, state: Tide) -> tuple[Decision, ...]:
        return (Decision(Seat(0), self.name, (Option("yes"), Option("more"))),)

    def take(self, state: Tide, answer: Answer, tell: Tell) -> Tide:
        assert state.agenda[-1] is self
        more = (Ask("again"), Slide("after")) if answer.keys == ("more",) else ()
        return pop(state.noting(f"{self.name} {answer.keys[0]}"), *more)


class Slide(Glide, frozen=True):
    """Passes by itself."""

    name: str

    def glide(self, state: Tide, tell: Tell) -> Tide:
        assert self not in state.agenda
        tell(TideRolled(0))
        return state.noting(self.name)


class Roll(Run, frozen=True):
    """Rolls a die."""

    name: str

    def run(self, state: Tide, table: Table) -> Tide:
        assert self not in state.agenda
        table.tell(TideRolled(table.roll()))
        return state.noting(self.name)


GAME: StepGame[Tide] = StepGame()


def answered(state: Tide, key: str = "yes") -> tuple[Tide, list[Event]]:
    events: list[Event] = []
    kind = GAME.questions(state)[0].kind
    return GAME.apply(state, Answer(Seat(0), kind, (key,)), events.append), events


def test_steps_come_in_the_order_in_which_they_are_pushed() -> None:
    state = push(Tide((Ask("last"),)), Ask("first"), Ask("second"))
    assert [step.name for step in reversed(state.agenda)] == ["first", "second", "last"]
    assert [step.name for step in reversed(pop(state, Ask("a"), Ask("b")).agenda)] == [
        "a",
        "b",
        "second",
        "last",
    ]
    assert [step.name for step in reversed(pop(state).agenda)] == ["second", "last"]


def test_apply_glides_on_to_the_next_question() -> None:
    state, events = answered(
        push(Tide(), Ask("one"), Slide("slid"), Ask("skipped", expected=False), Ask("two"))
    )
    assert state.trace == ("one yes", "slid")
    assert GAME.questions(state)[0].kind == "two"
    assert events == [TideRolled(0)]


def test_apply_stops_before_dice() -> None:
    state, _ = answered(push(Tide(), Ask("one"), Slide("slid"), Roll("rolled"), Ask("two")))
    assert state.trace == ("one yes", "slid")
    assert GAME.follows(state) == "Roll"
    assert GAME.questions(state) == ()


def test_advance_runs_until_somebody_is_asked() -> None:
    table = Table("x")
    state = push(
        Tide(),
        Roll("r1"),
        Slide("slid"),
        Ask("skipped", expected=False),
        Roll("r2"),
        Ask("two"),
        Roll("r3"),
    )
    after = GAME.advance(state, table)
    assert after.trace == ("r1", "slid", "r2")
    assert table.draws == 2
    assert len(table.events) == 3
    assert GAME.follows(after) == ""
    assert GAME.advance(after, table) == after


def test_advance_ends_with_an_empty_agenda() -> None:
    assert GAME.advance(push(Tide(), Roll("r")), Table("x")).agenda == ()
    assert GAME.questions(Tide()) == ()
    assert GAME.follows(Tide()) == ""


def test_a_step_may_put_more_steps_on_top() -> None:
    state, _ = answered(push(Tide(), Ask("one"), Roll("later")), "more")
    assert GAME.questions(state)[0].kind == "again"
    state, _ = answered(state)
    assert state.trace == ("one more", "again yes", "after")
    assert GAME.follows(state) == "Roll"


def test_nothing_is_hidden_unless_a_game_says_so() -> None:
    state = push(Tide(), Ask("one"))
    assert GAME.redeal(state, None, Table("x")) is state
    assert GAME.offers(state) == ()
