"""Advice for a person: turns that were begun, reasons, and turns in words."""

from collections.abc import Iterator
from random import Random

import pytest

from engine import GAMES, Answer, Match, Seat, begin
from engine.core.perspective import Perspective
from engine.players import continue_turn, think
from engine.players.advice import find_effects, list_reasons
from engine.players.levels import MIN_RESTART_POINTS, begins_with
from engine.players.mind import Effect, mind_of
from tests.bench.secrets import think_little
from tests.contract.games import words_for
from tests.contract.strict import StrictWords

NAMES = ("Ana", "Bea", "Cem")


@pytest.fixture(autouse=True)
def _little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice is sound, not good."""
    think_little(monkeypatch.setattr)


def positions(game: str, seats: int, commits: int) -> Iterator[Match]:
    """Yield the positions of a match between computers."""
    match = begin(GAMES[game], seats, {}, 7)
    while match.outcome is None and match.number < commits:
        yield match
        seat = match.waiting_for()[0]
        thought = think(match.game, match.base, seat, f"{match.number}", "easy")
        if thought.offer:
            match = match.pick(thought.offer)
        else:
            match = match.replay_draft(seat, thought.answers).confirm(seat)


def begun_turns(game: str) -> Iterator[Match]:
    """Yield positions in which somebody has made a choice at random and has more to choose."""
    rng = Random(game)
    for match in positions(game, 2, 40):
        seat = match.waiting_for()[0]
        question = match.question(seat)
        assert question is not None
        if question.at_least == question.at_most == 1:
            key = rng.choice(question.options).key
            drafted = match.pick(Answer(seat, question.kind, (key,)))
            if drafted.question(seat) is not None:
                yield drafted


@pytest.mark.parametrize("game", ["conquest", "maori", "polynesia"])
def test_a_turn_that_was_begun_is_finished(game: str) -> None:
    found = 0
    for drafted in begun_turns(game):
        seat = drafted.waiting_for()[0]
        begun = drafted.draft(seat).answers
        thought = continue_turn(drafted.game, drafted.base, seat, "own", begun)
        assert thought.offer is None
        for turn in (thought.answers, *(each.answers for each in thought.ranked)):
            assert begins_with(turn, begun)
            assert drafted.replay_draft(seat, turn).finished(seat) is not None
        if thought.restart:
            assert not begins_with(thought.restart.answers, begun)
            assert drafted.replay_draft(seat, thought.restart.answers).finished(seat) is not None
            assert thought.restart_points >= MIN_RESTART_POINTS
        found += 1
    assert found >= 5


@pytest.mark.parametrize("game", GAMES)
def test_turns_and_what_they_do_can_be_told(game: str) -> None:
    words = StrictWords(words_for(GAMES[game]).text)
    parts: set[str] = set()
    for seats in (2, 3):
        for match in positions(game, seats, 60):
            seat = match.waiting_for()[0]
            seen = Perspective(match, seat, words, NAMES[:seats], NAMES[:seats])
            turn = think(match.game, match.base, seat, "own", "easy").answers
            if not turn:
                continue
            assert all(seen.tell_turn(turn)) and all(seen.name_turn(turn))
            for effect in find_effects(match, seat, turn):
                assert effect.part in mind_of(match.game).estimate(match.base)[seat]
                told = words.effect(effect.key, dict(effect.facts))
                assert "{" not in told and "you" not in told.split(), told
                parts.add(effect.part)
    assert parts


def test_a_shared_beginning_is_left_out_unless_the_rest_needs_it() -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, 1)
    seen = Perspective(match, Seat(0), words_for(match.game), NAMES, NAMES)

    def turn(*steps: str) -> tuple[Answer, ...]:
        answers = []
        for step in steps:
            kind, key = step.split("/")
            answers.append(Answer(Seat(0), kind, (key,)))
        return tuple(answers)

    far = turn("take_action/travel", "move_member/m-n1", "move_member/m-n2")
    other = turn("take_action/travel", "move_member/m-n1", "move_member/m-n3")
    assert seen.tell_turn(far) == ["travel from M to N1", "travel from M to N2"]
    assert seen.tell_turn(far, other) == ["travel from M to N2"]
    assert seen.name_turn(far, other) == ["travelling from M to N2"]
    three = turn("take_action/populate", "populate/m3")
    one = turn("take_action/populate", "populate/n1")
    assert seen.tell_turn(three, one) == ["populate M with 3 members"]


def test_a_reason_is_what_a_turn_does_for_a_part_that_it_has_more_of() -> None:
    link, item = Effect("links", "link", (("number", 3),)), Effect("resources", "resource")
    assert list_reasons([item, link], [item], ["links", "set"]) == [link, "set"]
    assert list_reasons([item, link], [], ["islands"]) == ["islands", item, link]
    assert list_reasons([item, link], [item], []) == [link]
