"""The look-ahead: what is sampled how often, and what is said of the turns it looked into."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from engine import GAMES, Commit, Match, Seat, Table, begin
from engine.players import think
from engine.players.mind import Effort, mind_of
from engine.players.search import lead_of, search


def looked_into(match: Match, effort: Effort) -> list[Any]:
    """The turns of the seat to move, ranked."""
    mind, seat = replace(mind_of(match.game), effort=effort), match.waiting_for()[0]
    turns = mind.turns(match.base, seat, Table("own"))[: effort.candidates]
    return search(match.game, mind, match.base, seat, "own", turns)


def test_a_line_without_dice_is_played_once() -> None:
    match = begin(GAMES["blue_lagoon"], 2, {}, "certain")
    ranked = looked_into(match, Effort(candidates=8, samples=(1, 2, 4)))
    assert [candidate.samples for candidate in ranked] == [1] * 8


def test_with_dice_the_worse_half_is_dropped_after_each_round() -> None:
    match = begin(GAMES["maori"], 2, {"first": "1"}, "dice")
    match = match.replay(steady_turn(match))
    ranked = looked_into(match, Effort(candidates=8, samples=(1, 2, 4)))
    assert Counter(candidate.samples for candidate in ranked) == {7: 2, 3: 2, 1: 4}
    assert [candidate.samples for candidate in ranked] == sorted((c.samples for c in ranked), reverse=True)


def steady_turn(match: Match) -> Commit:
    """A steady turn of the seat to move."""
    seat = match.waiting_for()[0]
    return Commit(seat, think(match.game, match.base, seat, "own", "steady").answers)


def test_the_look_ahead_is_as_long_as_it_is_told() -> None:
    """A policy that counts: one turn the less for the candidate itself."""
    match = begin(GAMES["blue_lagoon"], 3, {"first": "1"}, "plies")
    mind, calls = mind_of(match.game), []

    def policy(state: Any, seat: Seat, table: Table) -> Any:
        calls.append(seat)
        return mind.policy(state, seat, table)

    counting = replace(mind, policy=policy, effort=Effort(samples=(1,), laps=2, extra=1))
    (turn, *_) = mind.turns(match.base, Seat(0), Table("own"))
    search(match.game, counting, match.base, Seat(0), "own", [turn])
    assert calls == [1, 2, 0, 1, 2, 0]


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
