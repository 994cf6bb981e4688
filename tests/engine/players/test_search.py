"""The look-ahead: how often each turn is sampled, and how they are compared."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from engine import GAMES, Commit, Match, Seat, Table, begin
from engine.players import think
from engine.players.mind import Effort, mind_of
from engine.players.search import lead_of, search
from engine.polynesia.maintenance import Erupt


def looked_into(match: Match, effort: Effort) -> list[Any]:
    """Return the turns of the seat to move, ranked."""
    mind = replace(mind_of(match.game), effort=effort)
    seat = match.waiting_for()[0]
    turns = mind.turns(match.base, seat, Table("own"))[: effort.candidates]
    return search(match.game, mind, match.base, seat, "own", turns)


def test_a_line_without_dice_is_played_once() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "certain")
    ranked = looked_into(match, Effort(candidates=8, samples=(1, 2, 4)))
    assert [candidate.samples for candidate in ranked] == [1] * 8


def test_long_term_and_immediate_values_are_separate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bonuses = iter([50.0, 0.0])
    monkeypatch.setattr("engine.players.search.win_bonus", lambda *position: next(bonuses))
    match = begin(GAMES["blue_lagoon"], 2, {}, "certain")
    best, other = looked_into(match, Effort(candidates=2, samples=(1,)))
    assert (best.bonus_behind, other.bonus_behind) == (0, 50)
    assert abs(other.behind - 50) < 20
    (seat,) = match.waiting_for()
    after = match.replay_draft(seat, best.answers).tip(seat)
    assert dict(best.at_once) == mind_of(match.game).estimate(after)[seat]


def test_with_dice_the_worse_half_is_dropped_after_each_round() -> None:
    match = begin(GAMES["maori"], 2, {"first": "1"}, "dice")
    match = match.replay(steady_turn(match))
    ranked = looked_into(match, Effort(candidates=8, samples=(1, 2, 4)))
    assert Counter(candidate.samples for candidate in ranked) == {7: 2, 3: 2, 1: 4}
    assert [candidate.samples for candidate in ranked] == sorted(
        (c.samples for c in ranked), reverse=True
    )


def steady_turn(match: Match) -> Commit:
    """Return a steady turn of the seat to move."""
    seat = match.waiting_for()[0]
    return Commit(seat, think(match.game, match.base, seat, "own", "steady").answers)


def test_the_look_ahead_has_the_given_depth() -> None:
    """A policy that counts: one turn the less for the candidate itself."""
    match = begin(GAMES["blue_lagoon"], 3, {"first": "1"}, "plies")
    mind, calls = mind_of(match.game), []

    def policy(state: Any, seat: Seat, table: Table) -> Any:
        calls.append(seat)
        return mind.policy(state, seat, table)

    counting = replace(mind, policy=policy, effort=Effort(samples=(1,), laps=2, extra_turns=1))
    (turn, *_) = mind.turns(match.base, Seat(0), Table("own"))
    search(match.game, counting, match.base, Seat(0), "own", [turn])
    assert calls == [1, 2, 0, 1, 2, 0]


def test_where_chance_is_weighed_one_sample_is_enough() -> None:
    """A round goes on in its only sample, whatever the number of samples wanted."""
    match = begin(GAMES["polynesia"], 3, {}, "weighed")
    first = match.waiting_for()[0]
    mind, calls = mind_of(match.game), []

    def weigh_positions(state: Any, turns: int) -> list[tuple[float, Any]]:
        calls.append(turns)
        return [(0.25, state), (0.75, ended)]

    ended = match.game.advance(match.base.with_agenda((Erupt(),)), Table("ended"))
    weighing = replace(
        mind, weigh_positions=weigh_positions, efforts={}, effort=Effort(samples=(2, 4), laps=3)
    )
    (turn, *_) = mind.turns(match.base, first, Table("own"))
    (candidate,) = search(match.game, weighing, match.base, first, "own", [turn])
    assert calls == [3 * 3 - 1] and candidate.samples == 1
    hoped, scored = (sum(mind.estimate(state)[first].values()) for state in (turn.tip, ended))
    assert candidate.points == pytest.approx(0.25 * hoped + 0.75 * scored)


def test_a_look_ahead_goes_as_far_as_its_game_wants() -> None:
    match = begin(GAMES["conquest"], 2, {}, "until")
    seat = match.waiting_for()[0]
    mind, turns = mind_of(match.game), []

    def until(start: Any, state: Any) -> bool:
        assert mind.is_far_enough is not None
        turns.append(state.turn)
        return mind.is_far_enough(start, state)

    (turn, *_) = mind.turns(match.base, seat, Table("own"))
    watching = replace(mind, is_far_enough=until, effort=replace(mind.effort, samples=(1,)))
    search(match.game, watching, match.base, seat, "own", [turn])
    assert turns[-1] == match.base.turn + 2
    assert match.base.turn < turns[-2] < turns[-1]


def test_a_plan_is_not_dropped_for_a_little() -> None:
    """A careful player changes its mind only for more than its caution, and its first wish is
    never out of the race.
    """
    match = begin(GAMES["maori"], 2, {"first": "1"}, "dice")
    match = match.replay(steady_turn(match))
    seat = match.waiting_for()[0]
    mind = replace(mind_of(match.game), effort=Effort(samples=(2,)))
    turns = mind.turns(match.base, seat, Table("own"))[::5]
    best, *_, worst = search(match.game, mind, match.base, seat, "own", turns)
    turns.sort(key=lambda turn: turn.answers != worst.answers)
    for caution, chosen in ((0.001, best), (1000.0, worst)):
        careful = replace(mind, switch_margin=caution)
        assert (
            search(match.game, careful, match.base, seat, "own", turns)[0].answers == chosen.answers
        )
        thorough = replace(careful, effort=Effort(samples=(1, 2, 4)))
        ranked = search(match.game, thorough, match.base, seat, "own", turns)
        assert next(one for one in ranked if one.answers == worst.answers).samples == 7


def test_the_best_is_behind_by_nothing_and_its_parts_are_its_points() -> None:
    match = begin(GAMES["polynesia"], 2, {}, "parts")
    ranked = think(match.game, match.base, match.waiting_for()[0], "own", "strong").ranked
    best, *others = ranked
    assert best.behind == 0
    assert all(value == 0 for _, value in best.parts_behind)
    for candidate in ranked:
        assert candidate.points == pytest.approx(sum(value for _, value in candidate.parts))
    if best.samples == others[0].samples:
        assert others[0].behind == pytest.approx(best.lead - others[0].lead)
        behind = sum(value for _, value in others[0].parts_behind)
        assert behind == pytest.approx(best.points - others[0].points)


def test_a_lead_counts_the_strongest_of_the_others_and_their_mean() -> None:
    assert lead_of(({"a": 5.0, "b": 5.0}, {"a": 4.0}), Seat(0)) == 6
    assert lead_of(({"a": 10.0}, {"a": 4.0}, {"a": 8.0}), Seat(0)) == 10 - (8 + 6) / 2
