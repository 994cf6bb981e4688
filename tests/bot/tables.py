"""Rooms for tests of the bot's pure parts, and Discord's limits as a check."""

from typing import Any

from msgspec import Struct

from bot.kernel.room import Room
from bot.model import MatchRecord, Person, Place, Status
from bot.ui.parts import Button, Menu, Row
from engine import Decision, Match, Seat, View
from engine.core.steps import StepGame


def room_of(match: Match | None, names: tuple[str, ...] = ("Ana", "Bea"), **changes: Any) -> Room:
    """A running match of these people."""
    game = match.game.id if match else "blue_lagoon"
    known: dict[str, Any] = {
        "id": "abcd2345",
        "game": game,
        "status": Status.RUNNING,
        "place": Place(1, 2, 3),
        "host": 10,
        "settings": {},
        "chairs": tuple(Person(10 + seat, name) for seat, name in enumerate(names)),
        "commitment": "c0ffee" * 10,
    }
    return Room(MatchRecord(**{**known, **changes}), match)


class Asking(Struct, frozen=True):
    """A position that asks what it is told to, in turn."""

    rounds: tuple[tuple[Decision, ...], ...]
    follow: str = ""


class Quiz(StepGame[Any]):
    """A game of nothing but questions."""

    id, title, seats, version = "quiz", "Quiz", range(1, 5), 1
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

    def objection(self, state: Asking, decision: Decision, key: str) -> None:
        return None

    def follows(self, state: Asking) -> str:
        return state.follow


def quiz(*rounds: Decision | tuple[Decision, ...], follow: str = "") -> Match:
    """A match in which seat 0 is asked these, one after the other."""
    asked = tuple(each if isinstance(each, tuple) else (each,) for each in rounds)
    return Match(Quiz(), 2, (), "seed", 0, Asking(asked, follow), answered=(0, 0))


def check_rows(rows: tuple[Row, ...]) -> None:
    """Refuse what Discord would refuse."""
    assert len(rows) <= 5
    seen: set[str] = set()
    for row in rows:
        for part in [row] if isinstance(row, Menu) else row:
            assert 1 <= len(part.id) <= 100 and part.id not in seen
            seen.add(part.id)
        if isinstance(row, Menu):
            _check_menu(row)
        else:
            assert 1 <= len(row) <= 5
            assert all(1 <= len(part.label) <= 80 for part in row)


def _check_menu(menu: Menu) -> None:
    assert 1 <= len(menu.choices) <= 25 and len(menu.placeholder) <= 150
    assert len({line.value for line in menu.choices}) == len(menu.choices)
    assert 0 <= menu.at_least <= menu.at_most <= len(menu.choices) and menu.at_most >= 1
    for line in menu.choices:
        assert (
            1 <= len(line.value) <= 100
            and 1 <= len(line.label) <= 100
            and len(line.description) <= 100
        )


def labels(rows: tuple[Row, ...]) -> list[str]:
    """The labels of all buttons."""
    return [part.label for row in rows if not isinstance(row, Menu) for part in row]


def button_of(rows: tuple[Row, ...], label: str) -> Button:
    """The button of that label."""
    return next(
        part for row in rows if not isinstance(row, Menu) for part in row if part.label == label
    )


def menus(rows: tuple[Row, ...]) -> list[Menu]:
    """All menus."""
    return [row for row in rows if isinstance(row, Menu)]
