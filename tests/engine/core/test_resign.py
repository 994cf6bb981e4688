"""Players resign: when the match goes on, when it ends, and how seats are ranked then."""

import pytest

from engine import Commit, IllegalAnswer, MatchOver, Outcome, Seat, begin
from engine.core.game import RESIGNED
from tests.toy import TOY
from tests.toy.scenes import P1, P2, P3, P4, bidding, draft_text, pick


def test_the_match_goes_on_while_two_people_are_left() -> None:
    match = begin(TOY, 3).resign(P2)
    assert match.outcome is None
    assert match.waiting_for() == (P1, P2, P3), "somebody must answer for the seat"
    assert match.humans() == (P1, P3)
    assert match.commits == (Commit(P2, (), resigned=True),)
    assert match.number == 1


def test_the_last_person_left_wins() -> None:
    match = begin(TOY, 3).resign(P2).resign(P1)
    assert match.outcome == Outcome(RESIGNED, ((P3,), (P1, P2)), (0, 0, 0))
    assert (match.waiting_for(), match.decisions(P3)) == ((), ())


def test_the_others_are_ranked_by_points_computers_before_those_who_left() -> None:
    match = begin(TOY, 4, computers=frozenset({P4}))
    base = match.base.with_side(P1, points=1).with_side(P2, points=5).with_side(P3, points=3)
    outcome = (
        type(match)(
            TOY, 4, match.settings, "0", 0, base, answered=(0,) * 4, computers=match.computers
        )
        .resign(P1)
        .resign(P2)
        .outcome
    )
    assert outcome is not None
    assert outcome.ranking == ((P3,), (P4,), (P2,), (P1,))
    assert outcome.scores == (1, 5, 3, 0)


def test_a_match_against_computers_ends_when_its_only_person_leaves() -> None:
    match = begin(TOY, 3, computers=frozenset({P2, P3}))
    assert match.outcome is None
    outcome = match.resign(P1).outcome
    assert outcome is not None
    assert outcome.ranking == ((P2, P3), (P1,))


def test_two_people_and_a_computer_end_with_the_first_who_leaves() -> None:
    outcome = begin(TOY, 3, computers=frozenset({P3})).resign(P1).outcome
    assert outcome is not None
    assert outcome.ranking == ((P2,), (P3,), (P1,))


@pytest.mark.parametrize("seat", [P2, P3, Seat(3), Seat(-1)])
def test_only_a_person_who_sits_there_can_resign(seat: Seat) -> None:
    match = begin(TOY, 4, computers=frozenset({P3})).resign(P2) if seat != 3 else begin(TOY, 3)
    with pytest.raises(IllegalAnswer, match="no person"):
        match.resign(seat)


def test_a_leaver_s_draft_is_dropped_and_others_are_kept() -> None:
    match = pick(pick(bidding("c1", "c2", "c3"), P1, "c1"), P2, "c2").resign(P1)
    assert (draft_text(match, P1), draft_text(match, P2)) == ("", "c2")
    assert match.cut == frozenset()


def test_nothing_is_left_drafted_when_a_resignation_ends_the_match() -> None:
    match = pick(bidding("c1", "c2"), P2, "c2").resign(P1)
    assert match.drafts == {}
    with pytest.raises(MatchOver):
        match.undo(P2)


def test_a_recorded_resignation_is_played_again() -> None:
    match = begin(TOY, 3)
    assert match.replay(Commit(P2, (), resigned=True)) == match.resign(P2)
