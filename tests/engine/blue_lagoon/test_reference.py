"""The engine agrees with the slow version of the rules over whole random matches."""

from random import Random
from typing import Any

import pytest

from engine import GAMES, Answer, Seat, begin
from engine.blue_lagoon import GAME
from engine.blue_lagoon.events import Scored, Settled
from engine.blue_lagoon.state import SETTLEMENT
from engine.blue_lagoon.view import BlueLagoonView
from tests.engine.blue_lagoon.maps import nine_islands, published
from tests.engine.blue_lagoon.reference import Atlas, legal, rows
from tests.engine.blue_lagoon.table import Play, position, scored_before, side
from tests.engine.play import InOrder

ATLASES = {"published": Atlas(published()), "nine": Atlas(nine_islands())}
MAPS: dict[str, dict[str, Any]] = {"published": {}, "nine": {"board": nine_islands()}}


@pytest.mark.parametrize("which", MAPS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_placements_scores_and_turns_are_those_of_the_rulebook(which: str, seats: int) -> None:
    atlas, rng = ATLASES[which], Random(seats)
    match = begin(GAMES["blue_lagoon"], seats, MAPS[which], f"{which} {seats}")
    while match.outcome is None:
        (seat,) = match.waiting_for()
        view = match.view(None)
        assert isinstance(view, BlueLagoonView)
        (decision,) = match.decisions(seat)
        assert {option.key for option in decision.options} == legal(atlas, view, seat)
        assert rows(atlas, view) == view.now
        drafted = match.pick(Answer(seat, decision.kind, (rng.choice(decision.options).key,)))
        before_scoring = drafted.view(seat)
        assert isinstance(before_scoring, BlueLagoonView)
        match = drafted.confirm(seat)
        assert match.last is not None
        for event in match.last.events:
            if isinstance(event, Scored) and event.phase == view.phase:
                assert event.rows == rows(atlas, before_scoring)
        _passed_over_seats_had_no_placement(atlas, match, seat)


def _passed_over_seats_had_no_placement(atlas: Atlas, match: Any, seat: Seat) -> None:
    if match.outcome or not any(isinstance(event, Settled) for event in match.last.events):
        return
    view = match.view(None)
    (chosen,) = match.waiting_for()
    passed = (seat + 1) % match.seats
    while passed != chosen:
        assert not legal(atlas, view, passed)
        passed = (passed + 1) % match.seats


def sequences(play: Play, depth: int) -> int:
    """Count the legal sequences of this many placements with the engine."""
    if depth == 0:
        return 1
    return sum(sequences(Play(play.state, InOrder()).place(key), depth - 1) for key in play.keys)


def test_a_settlement_has_as_many_openings_as_counted_by_hand() -> None:
    """12 places beside b11 and g16; then 10 beside h1 and a4, of which 17 and 18 may be gone: 12
    * 10 - 2.
    """
    sides = side("b11v g16v", settlers_left=30), side("h1v a4v", settlers_left=30)
    play = scored_before(position(*sides, phase=SETTLEMENT), 0, 0)
    assert [sequences(play, depth) for depth in (1, 2, 3)] == [12, 118, 1_610]
    assert GAME.outcome(play.state) is None
