"""The stand-in: legal, deterministic, without dice, and for any game."""

import pytest

from engine import GAMES, Answer, Match, Seat, begin
from engine.players.conquest.plain import plain_answer
from engine.players.simple import stand_in
from tests.toy import TOY

ALL = {**GAMES, TOY.id: TOY}


def played(match: Match) -> Match:
    """Play a match between stand-ins to its end."""
    for _ in range(match.game.commit_limit):
        if match.outcome:
            return match
        seat = match.waiting_for()[-1]
        after = stand_in(match, seat)
        assert after.number == match.number + 1
        assert after.commits[-1].seat == seat
        match = after
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(
    ("game_id", "seats"), [(game_id, n) for game_id, game in ALL.items() for n in game.seats]
)
def test_stand_ins_play_every_game_to_its_end(game_id: str, seats: int) -> None:
    match = begin(ALL[game_id], seats, {}, "stand-ins")
    assert played(match) == played(match)


def test_a_seat_that_is_not_asked_does_nothing() -> None:
    match = begin(GAMES["blue_lagoon"], 3, {}, 1)
    assert stand_in(match, Seat(1)) is match
    assert stand_in(played(match), Seat(0)).outcome is not None


def test_a_turn_begun_by_a_person_is_finished() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, 1)
    (decision,) = match.decisions(Seat(0))
    drafted = match.pick(Answer(Seat(0), decision.kind, (decision.options[5].key,)))
    assert stand_in(drafted, Seat(0)) == drafted.confirm(Seat(0))


def test_the_seed_has_no_say_in_it() -> None:
    """Where nothing lies in reach, two deals make no difference; the answer comes from the
    position alone.
    """
    one, other = (stand_in(begin(GAMES["blue_lagoon"], 2, {}, seed), Seat(0)) for seed in (1, 2))
    assert one.commits == other.commits


def test_spots_where_something_lies_are_liked() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, 1)
    for _ in range(40):
        (seat,) = match.waiting_for()
        (decision,) = match.decisions(seat)
        view = match.view(seat)
        liked = {option.key for option in decision.options if view.note(option.spot)}
        match = stand_in(match, seat)
        (answer,) = match.commits[-1].answers
        assert not liked or answer.keys[0] in liked
    assert sum(sum(side.held) for side in match.base.sides) > 5


def test_a_game_s_advice_is_followed_and_other_windows_are_passed() -> None:
    """The game is given what the asked seat may know, and no more."""
    match = begin(GAMES["conquest"], 3, {}, "counsel")
    while match.base.step != "building":
        match = stand_in(match, match.waiting_for()[0])
    seat = match.waiting_for()[0]
    (decision,) = [decision for decision in match.decisions(seat) if decision.blocking]
    advised = plain_answer(match.view(seat), decision)
    assert stand_in(match, seat).commits[-1].answers[0].keys == advised
    assert advised != ("done",)
