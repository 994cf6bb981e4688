"""Each check of the contract catches a game that breaks it."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine import Answer, Decision, IllegalAnswer, Match, Option, Outcome, Seat, Table, begin
from engine.core.event import Line, Tell
from tests.contract import checks
from tests.contract.player import play, play_out
from tests.contract.strict import StrictWords, Unworded
from tests.toy.events import TideRolled
from tests.toy.game import Reef, ReefView
from tests.toy.rules import State


class LeakyView(Reef):
    """Shows spectators how many high cards are out."""

    def view(self, state: State, viewer: Seat | None) -> ReefView:
        shown = super().view(state, viewer)
        return replace(shown, round=sum("c" in card for card in state.sides[0].hand))


class LeakyWait(Reef):
    """Waits only for seats with a haka."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        asked = super().questions(state)
        return tuple(
            d for d in asked if d.kind != "seal_bid" or "c1" not in state.sides[d.seat].hand
        )


class Restless(Reef):
    """Rolls the tide again whenever it is looked at."""

    def advance(self, state: State, table: Table) -> State:
        table.tell(TideRolled(table.roll()))
        return super().advance(state, table)


class Shouting(Reef):
    """Asks with keys that do not fit into a custom id."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            replace(d, options=(Option("A:1"), *d.options)) for d in super().questions(state)
        )


class DuplicateKey(Reef):
    """Has a key twice."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            replace(d, options=(d.options[0], *d.options)) for d in super().questions(state)
        )


class Pushy(Reef):
    """Requires an answer to an offer."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return super().questions(state) + self.offers(state)


class Teasing(Reef):
    """Refuses what it has offered."""

    def apply(self, state: State, answer: Answer, tell: Tell) -> State:
        if answer.kind == "stow":
            raise IllegalAnswer("The basket is for show.")
        return super().apply(state, answer, tell)


class Forgetful(Reef):
    """Keeps its answers in an attribute, so that it does not come out alike twice."""

    seen = 0

    def apply(self, state: State, answer: Answer, tell: Tell) -> State:
        self.seen += 1
        return replace(super().apply(state, answer, tell), round=self.seen)


class Racing(Reef):
    """Treats the first bidder differently."""

    def apply(self, state: State, answer: Answer, tell: Tell) -> State:
        return replace(super().apply(state, answer, tell), reef=state.reef or f"a{answer.seat}")


class Silent(Reef):
    """Stops asking in the middle."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return () if state.dives else super().questions(state)


class Endless(Reef):
    """Does not recognise its end."""

    def outcome(self, state: State) -> Outcome | None:
        return None


class Tattered(Reef):
    """Has views that JSON does not restore."""

    def view(self, state: State, viewer: Seat | None) -> ReefView:
        return replace(super().view(state, viewer), hand=["c1"])


class Omen(State, frozen=True):
    """A state with something that the game's own type has no place for."""

    sign: str = "shark"


class Amnesiac(Reef):
    """Depends on state that no save keeps."""

    def advance(self, state: State, table: Table) -> State:
        advanced = super().advance(state, table)
        return Omen(*(getattr(advanced, field) for field in State.__struct_fields__))


class Lenient(Decision, frozen=True):
    """Accepts any answer."""

    def check(self, keys: tuple[str, ...]) -> None:
        """Refuse nothing."""


class Obliging(Reef):
    """Accepts whatever it is given."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return tuple(
            Lenient(d.seat, d.kind, d.options, d.at_least, d.at_most)
            for d in super().questions(state)
        )

    def apply(self, state: State, answer: Answer, tell: Tell) -> State:
        return state


class Unlucky(Reef):
    """Has no idea what to ask after the highest tide."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return () if state.dives == 3 else super().questions(state)


class Crooked(Reef):
    """Rolls the dice but ignores them."""

    def advance(self, state: State, table: Table) -> State:
        own = Table("marked cards")
        after = super().advance(state, own)
        table.events += own.events
        if own.draws:
            table.roll()
        return after


class Wavering(Match, frozen=True, eq=False, dict=True):
    """Continues after its end."""

    def _require_open(self) -> None:
        pass


class Grudging(Reef):
    """Objects to its own offers."""

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        return "gone", {"spot": key, "how": "taken"}


class Mumbling(Reef):
    """Has a reason without a text."""

    def refusal(self, state: State, decision: Decision, key: str) -> Line | None:
        found = super().refusal(state, decision, key)
        return ("unheard_of", {}) if found else None


def every_position(game: Reef, check: Callable[[Match], Any]) -> None:
    """Check every action of three matches."""
    for seed in range(3):
        match = begin(game, 3, {"rounds": "3"}, seed)
        check(match)
        for _, _, after in play(match, Random(seed)):
            check(after)


@pytest.mark.parametrize(
    ("game", "check"),
    [
        (LeakyView(), lambda match: checks.check_secrets(match, Random(1))),
        (LeakyWait(), lambda match: checks.check_secrets(match, Random(1))),
        (Restless(), checks.check_advance_is_idempotent),
        (Shouting(), checks.check_questions),
        (DuplicateKey(), checks.check_questions),
        (Pushy(), checks.check_questions),
        (Teasing(), lambda match: checks.check_offered_is_accepted(match, Random(1))),
        (Forgetful(), lambda match: checks.check_picks(match, Random(1))),
        (Racing(), lambda match: checks.check_simultaneous_answers_commute(match, Random(1))),
        (Silent(), checks.check_somebody_is_asked),
        (Endless(), checks.check_somebody_is_asked),
        (Tattered(), checks.check_values),
        (Amnesiac(), checks.check_saves),
        (Obliging(), lambda match: checks.check_anything_else_is_refused(match, Random(1))),
        (Grudging(), lambda match: checks.check_refusals(match, ())),
        (Mumbling(), lambda match: checks.check_refusals(match, ())),
        (Unlucky(), lambda match: other_tables(match, Random(1))),
    ],
    ids=lambda case: type(case).__name__ if isinstance(case, Reef) else "",
)
def test_a_check_catches_a_game_that_breaks_it(game: Reef, check: Callable[[Match], Any]) -> None:
    with pytest.raises(AssertionError):
        every_position(game, check)
    every_position(Reef(), check)


def other_tables(match: Match, rng: Random) -> list[bool | None]:
    """Check other seeds for every seat that could confirm now."""
    return [
        checks.check_other_seeds(match, seat, rng)
        for seat in match.waiting_for()
        if match.is_complete(seat)
    ]


def test_dice_from_outside_the_table_are_caught() -> None:
    """The check tells a game that draws from the Table from one that does not."""
    for game, differs in ((Crooked(), False), (Reef(), True)):
        drawn: list[bool] = []
        match = begin(game, 3, {"rounds": "3"}, 1)
        for before, _, _ in play(match, Random(1)):
            drawn += [found for found in other_tables(before, Random(1)) if found is not None]
        assert drawn
        assert any(drawn) is differs


def test_a_match_that_continues_after_its_end_is_caught() -> None:
    ended = play_out(begin(Reef(), 3, seed=1), Random(1))
    checks.check_nothing_after_the_end(ended)
    with pytest.raises(AssertionError):
        checks.check_nothing_after_the_end(
            Wavering(*(getattr(ended, field) for field in ended.__struct_fields__))
        )


def test_a_missing_text_is_caught() -> None:
    match = begin(Reef(), 2, seed=1)
    with pytest.raises(Unworded):
        checks.check_all_is_worded(replace(match, game=Unnamed()))


@pytest.mark.parametrize(
    ("template", "facts"),
    [
        ("{piece}", {}),
        ("{piece:word}", {"piece": "hut"}),
        ("{piece:word genitive}", {"piece": "palm"}),
        ("{number:count hut}", {"number": 2}),
    ],
)
def test_a_missing_fact_word_or_form_is_caught(template: str, facts: dict[str, Any]) -> None:
    words = StrictWords({"word": {"palm": {"one": "palm", "other": "palms"}}})
    assert words.fill("{number:count palm}", number=2) == "2 palms"
    with pytest.raises(Unworded):
        words.fill(template, **facts)


class Unnamed(Reef):
    """Asks something that en.toml does not know."""

    def questions(self, state: State) -> tuple[Decision, ...]:
        return tuple(replace(d, kind="unheard_of") for d in super().questions(state))
