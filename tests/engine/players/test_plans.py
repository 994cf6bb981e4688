"""Plans for later turns: read in a foreseen position, drafted only if they still mean the same."""

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, IllegalAnswer, Match, Seat, UnreadableTurn, begin
from engine.players.plans import draft_plan, foresee, read_plan, read_spots, require_untouched
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene
from tests.engine.perspectives import perspective_of

ANA, BEA = Seat(0), Seat(1)


def lagoon() -> Match:
    return begin(GAMES["blue_lagoon"], 2, {"first": "1"}, seed=7)


def test_the_foreseen_position_is_the_seat_s_own_turn() -> None:
    there = foresee(lagoon(), BEA)
    assert there is not None and there.waiting_for() == (BEA,)
    assert foresee(lagoon().resign(BEA), BEA) is None


def test_neither_the_dice_nor_a_draft_of_another_has_a_part_in_it() -> None:
    match = lagoon()
    drafted = match.pick(Answer(ANA, "place_piece", ("9",)))
    assert foresee(drafted, BEA) == foresee(match, BEA)
    assert foresee(replace(match, seed="other", draws=5), BEA) == foresee(match, BEA)


def test_a_plan_is_a_whole_turn_of_its_own() -> None:
    plan = read_plan(perspective_of(lagoon(), BEA), "14!")
    assert plan.answers == (("place_piece", ("14",)),)
    assert plan.meant == ("",)
    assert [answer.keys for answer in plan.match.draft(BEA).answers] == [("14",)]
    for move, why in (
        ("14,15", "too many"),
        ("nonsense", "isn't possible"),
        ("", "isn't complete"),
    ):
        with pytest.raises(UnreadableTurn, match=why):
            read_plan(perspective_of(lagoon(), BEA), move)


def test_an_offer_is_no_plan() -> None:
    match = Scene(3).cards(SAMOA, "poi").exploring(TONGA).match
    with pytest.raises(UnreadableTurn, match="at any time"):
        read_plan(perspective_of(match, SAMOA, ("Ana", "Bea", "Cem")), "reveal_card/poi")


def test_spots_are_those_of_the_board() -> None:
    seen = perspective_of(lagoon(), BEA)
    assert read_spots(seen, "9, G7 9") == ("9", "g7")
    with pytest.raises(UnreadableTurn, match="no space 'nowhere'"):
        read_spots(seen, "nowhere")
    with pytest.raises(UnreadableTurn, match="at most 20"):
        read_spots(seen, " ".join(map(str, range(1, 22))))


def test_a_plan_is_drafted_only_as_it_was_meant() -> None:
    answers = (("place_piece", ("14",)),)
    after = read_plan(perspective_of(lagoon(), ANA), "9").match.confirm(ANA)
    drafted = draft_plan(after, BEA, answers, ("",))
    assert [answer.keys for answer in drafted.draft(BEA).answers] == [("14",)]
    again = draft_plan(drafted, BEA, (("place_piece", ("21",)),), ())
    assert [answer.keys for answer in again.draft(BEA).answers] == [("21",)]
    with pytest.raises(IllegalAnswer, match="14 would do something else now"):
        draft_plan(after, BEA, answers, ("another",))
    with pytest.raises(IllegalAnswer):
        draft_plan(after, BEA, (("place_piece", ("9",)),), ("",))


def test_events_on_a_spot_are_found_in_visible_events() -> None:
    after = read_plan(perspective_of(lagoon(), ANA), "9").match.confirm(ANA)
    assert after.last is not None
    require_untouched(after.last.events, BEA, ("21",))
    with pytest.raises(IllegalAnswer, match="happened on 9"):
        require_untouched(after.last.events, BEA, ("21", "9"))
