"""Reviews: how everybody stood, and which turns cost most."""

from math import log

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, Match, begin
from engine.players import Level, think
from engine.players.mind import mind_of
from engine.players.review import (
    CHANCE_SHARES,
    MAX_MOMENTS,
    SHARES_TOLD,
    Review,
    review,
    smooth_estimates,
    win_chances,
)
from engine.players.search import lead_of


def ignore(part: float) -> None:
    """Ignore the progress."""


def played(game: str, levels: tuple[Level, ...], commits: int) -> list[Match]:
    """Return the match after each commit."""
    trail = [begin(GAMES[game], len(levels), {}, 7)]
    while trail[-1].outcome is None and len(trail) <= commits:
        match = trail[-1]
        seat = match.waiting_for()[0]
        thought = think(match.game, match.base, seat, f"{match.number}", levels[seat])
        if thought.offer:
            trail.append(match.pick(thought.offer))
        else:
            trail.append(match.replay_draft(seat, thought.answers).confirm(seat))
    return trail


def reviewed(trail: list[Match]) -> Review:
    """Review these matches."""
    return review(trail[-1].game, [match.base for match in trail], trail[-1].commits, ignore)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_can_be_reviewed(game: str) -> None:
    trail = played(game, ("steady", "easy"), 6)
    told: list[float] = []
    result = review(trail[-1].game, [match.base for match in trail], trail[-1].commits, told.append)
    assert len(result.expected) == len(trail)
    assert all(len(each) == 2 for each in result.expected)
    assert told == sorted(told) and told[0] > 0 and told[-1] <= 1
    assert len(result.moments) <= MAX_MOMENTS
    assert len({moment.number for moment in result.moments}) == len(result.moments)
    missed = [moment.better for moment in result.moments if moment.better]
    assert len(set(missed)) == len(missed), "each is another turn"
    for moment in result.moments:
        assert moment.number > len(trail[-1].commits) // 3, "not at the start of a match"
        before = trail[moment.number - 1]
        if moment.better:
            assert before.replay_draft(moment.seat, moment.better).is_complete(moment.seat)
        assert moment.points >= 1
        assert trail[moment.number].last is not None
        assert trail[moment.number].last.seat == moment.seat


def test_a_silly_turn_is_found_and_a_better_one_named() -> None:
    trail = played("blue_lagoon", ("steady", "steady"), 30)
    match = trail[-1]
    seat = match.waiting_for()[0]
    question, mind = match.question(seat), mind_of(match.game)
    assert question is not None
    made = [match.pick(Answer(seat, question.kind, (option.key,))) for option in question.options]
    silly = min(made, key=lambda after: lead_of(mind.estimate(after.tip(seat)), seat))
    trail.append(silly.confirm(seat))
    result = reviewed(trail)
    assert result == reviewed(trail), "the same match, the same words"
    (found,) = [moment for moment in result.moments if moment.number == len(trail) - 1]
    assert found.seat == seat
    assert found.better != silly.draft(seat).answers
    assert found.points > 2
    assert found.parts
    assert set(found.parts) <= set(mind.estimate(match.base)[seat])


def test_chances_follow_the_leads_and_add_up() -> None:
    for share, odds in ((0.1, 0.0), (1 / 3, 0.0), (0.5, 0.5), (2 / 3, 1.0), (1.0, 3.0)):
        chances = win_chances((0.0, 0.1, 0.3), [20.0, 10.0, 10.0], share)
        assert sum(chances) == pytest.approx(1) and chances[1] == chances[2]
        assert log(chances[0] / chances[1]) == pytest.approx(odds)


def test_the_course_begins_level_and_ends_with_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chances are told of a match that was played to its end, and of no other."""
    weights = (0.05,) * len(CHANCE_SHARES)
    mind = replace(mind_of(GAMES["blue_lagoon"]), chance_weights=weights)
    monkeypatch.setattr("engine.players.review.mind_of", lambda game: mind)
    assert reviewed(played("blue_lagoon", ("steady", "easy"), 4)).chances == ()
    trail = played("blue_lagoon", ("steady", "easy"), 1000)
    made = reviewed(trail)
    assert len(made.chances) == len(SHARES_TOLD)
    assert 0.5 < made.chances[0][0] < made.chances[1][0] < 1
    expected, outcome = made.expected, trail[-1].outcome
    assert outcome is not None and expected[-1] == tuple(outcome.scores)
    assert abs(expected[0][0] - expected[0][1]) < 10
    assert sum(expected[0]) == pytest.approx(sum(outcome.scores))


def test_the_course_does_not_sway_with_whose_turn_it_is() -> None:
    swaying = tuple(
        ({"islands": 10.0}, {"islands": 6.0}) if moment % 2 else ({}, {"islands": 8.0})
        for moment in range(9)
    )
    first = [points for points, _ in smooth_estimates(swaying)]
    assert (first[0], first[-1]) == (0, 0), "but the start and the end are what they are"
    assert max(first[2:-2]) - min(first[2:-2]) < 2
