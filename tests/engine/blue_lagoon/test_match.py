"""Whole matches through the public interface: drafts, confirmations, views, the size of saves."""

from random import Random

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, Match, NotFinished, Seat, begin, load, save, snapshot
from engine.blue_lagoon.events import Dealt, PhaseEnded, Scored, Settled
from engine.blue_lagoon.state import SETTLEMENT
from engine.blue_lagoon.view import BlueLagoonView
from tests.engine.blue_lagoon.hunter import hunt
from tests.engine.blue_lagoon.table import position, side

GAME = GAMES["blue_lagoon"]
P1, P2 = Seat(0), Seat(1)


def pick(match: Match, seat: Seat, key: str) -> Match:
    """Draft a placement."""
    return match.pick(Answer(seat, "place_piece", (key,)))


def opened(*keys: str, seats: int = 2) -> Match:
    """Return a match after these confirmed placements."""
    match = begin(GAME, seats, {}, "a match")
    for key in keys:
        (seat,) = match.waiting_for()
        match = pick(match, seat, key).confirm(seat)
    return match


def at_random(match: Match, rng: Random) -> Match:
    """Play a random turn."""
    (seat,) = match.waiting_for()
    (decision,) = match.decisions(seat)
    return pick(match, seat, rng.choice(decision.options).key).confirm(seat)


def test_a_turn_is_one_pick_and_can_be_undone_until_the_confirm() -> None:
    match = opened()
    drafted = pick(match, P1, "17")
    assert drafted.decisions(P1) == ()
    assert drafted.is_complete(P1)
    assert drafted.follows(P1) == "EndTurn"
    assert drafted.undo(P1) == match
    assert drafted.confirm(P1).waiting_for() == (P2,)
    with pytest.raises(NotFinished):
        match.confirm(P1)


def test_only_the_drafter_sees_the_draft_with_the_last_spot_and_himself_in_turn() -> None:
    drafted = pick(opened("1", "2"), P1, "17")
    mine, public = drafted.view(P1), drafted.view(None)
    assert isinstance(mine, BlueLagoonView)
    assert isinstance(public, BlueLagoonView)
    assert (mine.last, public.last) == ("17", "2")
    assert (mine.move, public.move) == (3, 2)
    assert mine.to_move == public.to_move == (P1,)


def test_after_the_first_boats_the_options_are_the_50_of_the_decision_map() -> None:
    """After `p1 17`, `p2 1` of two seats, p1 has 44 boats + b10 b11 h1 + b10v b11v h1v = 50."""
    (decision,) = opened("17", "1").decisions(P1)
    keys = {option.key for option in decision.options}
    assert len(keys) == 50
    assert {key for key in keys if not key.isdigit()} == {"b10", "b11", "h1", "b10v", "b11v", "h1v"}


def test_a_placement_is_asked_even_if_only_one_is_left() -> None:
    """PlacePiece is asked even with one option left: the click is the commitment."""
    play = position(
        side("c11v"), side("c8 c10 c6", settlers_left=0), phase=SETTLEMENT, items={"water": "a1"}
    )
    match = replace(opened(), base=play.state)
    (decision,) = match.decisions(P1)
    assert [option.key for option in decision.options] == ["c9"]
    assert match.waiting_for() == (P1,)
    assert match.draft(P1).answers == ()


def test_the_panel_can_say_that_a_confirm_ends_a_phase() -> None:
    match, followed = begin(GAME, 2, {}, "phases"), []
    rng = Random(4)
    while match.outcome is None:
        (seat,) = match.waiting_for()
        drafted = pick(match, seat, rng.choice(match.decisions(seat)[0].options).key)
        followed.append(drafted.follows(seat))
        match = drafted.confirm(seat)
    assert followed.count("EndPhase") == 1
    assert followed[-1] == "EndGame"
    assert set(followed[:-1]) == {"EndTurn", "EndPhase"}


@pytest.mark.parametrize(("seats", "most"), [(2, 130), (3, 165), (4, 180)])
def test_random_matches_have_at_most_as_many_commits_as_pieces(seats: int, most: int) -> None:
    for seed in range(8):
        match = begin(GAME, seats, {}, seed)
        rng = Random(seed)
        while match.outcome is None:
            match = at_random(match, rng)
        assert match.number <= most < GAME.commit_limit
        assert len([event for event in match.events if isinstance(event, Scored)]) == 2
        assert len([event for event in match.events if isinstance(event, Dealt)]) == 2


def test_resources_can_run_out_in_both_phases() -> None:
    """A village each, then a hunt for resources: from set-up to outcome without a piece too
    many.
    """
    match = opened("17", "1", "20", "44", "b11v", "a4v", "g8v", "c7v", seats=4)
    while match.outcome is None:
        match = hunt(match)
    why = [event.why for event in match.events if isinstance(event, PhaseEnded)]
    assert why == ["resources_collected", "resources_collected"]
    assert match.outcome.reason == "resources_collected"


def test_a_snapshot_is_small_and_does_not_grow() -> None:
    match = begin(GAME, 4, {}, "size" * 16)
    rng = Random(2)
    sizes = []
    while match.outcome is None:
        match = at_random(match, rng)
        sizes.append(len(snapshot(match)))
    assert max(sizes) < 2_500
    assert load(save(match)) == match


def test_the_view_names_every_piece_and_item_with_its_spot() -> None:
    match = opened("17", "1", "b11v", "a4")
    view = match.view(None)
    assert isinstance(view, BlueLagoonView)
    standing = [(piece.spot, piece.seat, piece.piece) for piece in view.pieces]
    assert standing == [
        ("a4", 1, "settler"),
        ("1", 1, "boat"),
        ("b11", 0, "village"),
        ("17", 0, "boat"),
    ]
    assert all(view.note(spot) == item for spot, item in view.items)
    assert view.note("17") == view.note("nowhere") == ""
    assert match.events[-1] == Settled(P2, "a4", "settler")


def test_everyone_sees_the_same() -> None:
    match = opened("17", "1", "b11v")
    views = [match.view(viewer) for viewer in (None, P1, P2)]
    assert len({(view.pieces, view.items, view.sides, view.scores) for view in views}) == 1
