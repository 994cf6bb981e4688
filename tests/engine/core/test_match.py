"""Drafts, undo, confirm, forced answers and secret turns."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import (
    Answer,
    BadSettings,
    Commit,
    IllegalAnswer,
    Match,
    MatchOver,
    NotFinished,
    NothingToUndo,
    Seat,
    begin,
    load,
    snapshot,
)
from tests.toy import TOY
from tests.toy.events import BidsRevealed, CardDrawn, Dived, HakaPlayed
from tests.toy.scenes import (
    P1,
    P2,
    P3,
    bidding,
    diving,
    draft_text,
    kinds_asked,
    offered_keys,
    pick,
    play_turn,
    reacting,
)


def test_a_match_starts_with_setup_events_and_no_draft() -> None:
    match = begin(TOY, 3, {"rounds": "3"}, seed=7)
    assert match.seed == "7"
    assert dict(match.settings) == {"rounds": "3", "storms": "on", "note": ""}
    assert match.number == 0
    assert match.answered == (0, 0, 0)
    assert match.commits == ()
    assert match.outcome is None
    assert sum(isinstance(event, CardDrawn) for event in match.prologue) == 9
    assert match.events == match.prologue
    assert match.waiting_for() == (P1, P2, P3)


def test_a_seed_is_a_number_a_text_or_bytes() -> None:
    assert begin(TOY, 2, seed=12) == begin(TOY, 2, seed="12")
    assert begin(TOY, 2, seed=b"\x5e\xed") == begin(TOY, 2, seed="5eed")
    assert begin(TOY, 2, seed=1) != begin(TOY, 2, seed=2)


@pytest.mark.parametrize("given", [{"seed": "\ud800"}, {"settings": {"note": "\ud800"}}])
def test_a_seed_that_cannot_be_encoded_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadSettings, match="can't be saved"):
        begin(TOY, 2, **given)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_at_the_table_sees_nothing(seat: int) -> None:
    match = begin(TOY, 2)
    with pytest.raises(IllegalAnswer, match="no seat with that number"):
        match.view(Seat(seat))
    with pytest.raises(IllegalAnswer, match="no seat with that number"):
        match.turn(Seat(seat))


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        (1, {}),
        (5, {}),
        (2, {"rounds": "3"}),
        (3, {"rounds": "4"}),
        (2, {"winds": "on"}),
        (2, {"storms": ""}),
        (2, {7: "on"}),
        (2.0, {}),
        (2, {"storms": object()}),
        (2, {"note": {"a": len}}),
    ],
)
def test_a_table_the_game_does_not_have_is_refused(seats: int, settings: dict[Any, Any]) -> None:
    with pytest.raises(BadSettings):
        begin(TOY, seats, settings)


def test_a_computer_sits_at_the_table_or_not_at_all() -> None:
    assert begin(TOY, 3, computers=frozenset({P3})).humans() == (P1, P2)
    for seat in (-1, 3):
        with pytest.raises(BadSettings, match="computer"):
            begin(TOY, 3, computers=frozenset({Seat(seat)}))


def test_a_value_that_is_not_text_is_taken_as_its_json() -> None:
    assert dict(begin(TOY, 2, {"note": {"a": [1, 2]}}).settings)["note"] == '{"a":[1,2]}'


def test_a_draft_is_its_seats_own_until_the_confirm() -> None:
    match = bidding("c1 c2 haka", "c3 c4 c5")
    draft = pick(match, P1, "c1+haka")
    assert draft.is_complete(P1)
    assert not match.is_complete(P1)
    assert draft.view(P1).bid == ("c1", "haka")
    assert draft.view(P2) == match.view(P2)
    assert draft.view(None) == match.view(None)
    assert draft.waiting_for() == (P1, P2)
    assert (draft.turn(P1), draft.turn(P2)) == (1, 0)
    assert draft.commits == ()


def test_secret_answers_are_revealed_with_the_last_confirm() -> None:
    match = play_turn(bidding("c1 c2 c6", "c3 c4 c5"), P1, "c6")
    assert match.waiting_for() == (P2,)
    assert match.view(P2).sides[0].ready
    assert not any(isinstance(event, BidsRevealed) for event in match.events)
    match = play_turn(match, P2, "c3+c4")
    assert BidsRevealed((("c6",), ("c3", "c4")), P2) in match.events


def test_each_simultaneous_draft_outlives_the_others_confirm() -> None:
    match = pick(pick(bidding("c1 c2 c6", "c3 c4 c5"), P1, "c1"), P2, "c3")
    match = match.confirm(P1)
    assert draft_text(match, P2) == "c3"
    assert match.cut == frozenset()
    assert match.confirm(P2).waiting_for() == (P1,), (
        "the left neighbour of the diver is asked out of turn"
    )


def test_another_seat_is_asked_out_of_turn_and_the_stack_returns() -> None:
    match = play_turn(play_turn(bidding("c1", "c9", "c3"), P1, "c1"), P2, "c9")
    match = play_turn(match, P3, "c3")
    assert match.waiting_for() == (P3,)
    assert kinds_asked(match, P3) == ["choose_reef"]
    assert kinds_asked(match, P2) == []
    assert match.follows(P3) == ""
    match = pick(match, P3, "reef-b")
    assert match.follows(P3) == "RollTide"
    match = match.confirm(P3)
    assert match.waiting_for() == (P2,)
    assert offered_keys(match, P2) == ["b1", "b2", "b3"]


def test_undo_drops_the_last_pick_and_what_was_forced_by_it() -> None:
    match = pick(diving("c1", "c2", baskets=(2, 0)), P1, "a1", "a2")
    assert draft_text(match, P1) == "a1 (right) a2 (right)"
    match = match.undo(P1)
    assert draft_text(match, P1) == "a1 (right)"
    match = match.undo(P1)
    assert draft_text(match, P1) == ""
    with pytest.raises(NothingToUndo):
        match.undo(P1)


def test_undo_all_drops_the_whole_draft() -> None:
    match = diving("c1", "c2")
    assert pick(match, P1, "a1", "left", "a2", "left").undo(P1, all=True) == match


def test_an_undo_leaves_other_drafts_alone() -> None:
    match = pick(pick(bidding("c1 c2", "c3 c4"), P1, "c1"), P2, "c3").undo(P1)
    assert (draft_text(match, P1), draft_text(match, P2)) == ("", "c3")


def test_the_first_answer_of_a_turn_is_never_forced() -> None:
    match = diving("c1", "c2")
    lone = replace(match, base=replace(match.base, taken=("a1", "a2")))
    assert offered_keys(lone, P1) == ["a3"]
    assert lone.draft(P1).answers == ()
    assert draft_text(pick(lone, P1, "a3"), P1) == "a3"


def test_a_window_is_never_answered_for_its_seat() -> None:
    match = reacting("c1", "c2", "haka")
    assert match.waiting_for() == (P2, P3)
    assert offered_keys(match, P2) == ["pass"]
    assert offered_keys(match, P3) == ["haka", "pass"]
    match = play_turn(play_turn(match, P2, "pass"), P3, "haka")
    assert HakaPlayed(P3) in match.events
    assert match.base.dives == 1


def test_a_player_cannot_mark_an_answer_as_forced() -> None:
    match = diving("c1", "c2").pick(Answer(P1, "dive", ("a1",), forced=True))
    assert not match.draft(P1).answers[0].forced


def test_keys_given_as_a_list_become_a_tuple() -> None:
    match = bidding("c1 c2", "c3").pick(Answer(P1, "seal_bid", ["c1", "c2"]))  # type: ignore[arg-type]
    assert match.draft(P1).answers[0].keys == ("c1", "c2")
    hash(match.confirm(P1))


def test_a_turn_that_never_ends_is_the_games_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.core.match.MAX_DRAFT", 3)
    match = pick(diving("c1", "c2"), P1, "a1", "left", "a2")
    with pytest.raises(RuntimeError, match="for ever"):
        pick(match, P1, "left")


def test_confirm_ends_an_open_sequence() -> None:
    match = pick(diving("c1", "c2"), P1, "a1", "left")
    assert not match.is_complete(P1)
    done = match.confirm(P1)
    assert [answer.keys for answer in done.commits[0].answers] == [("a1",), ("left",), ("stop",)]
    assert done.turn(P1) == 3


def test_confirm_does_not_answer_what_cannot_be_ended() -> None:
    with pytest.raises(NotFinished, match="still something to choose"):
        pick(diving("c1", "c2"), P1, "a1").confirm(P1)


def test_an_empty_draft_cannot_be_confirmed_even_where_a_sequence_could_end() -> None:
    match = reacting("c1", "haka")
    assert len(match.question(P2).options) > 1  # type: ignore[union-attr]
    for seat in (P1, P2):
        with pytest.raises(NotFinished, match="You haven't chosen anything"):
            match.confirm(seat)


def test_a_question_that_can_only_be_ended_is_ended_by_a_confirm_alone() -> None:
    match = reacting("c1", "c2")
    assert [option.key for option in match.question(P2).options] == ["pass"]  # type: ignore[union-attr]
    assert match.has_one_answer(P2)
    assert match.confirm(P2) == play_turn(match, P2, "pass")


def test_draft_events_come_before_the_events_of_the_confirm() -> None:
    match = play_turn(diving("c1", "c2", dives=1), P1, "a1", "left")
    names = [type(event).__name__ for event in match.last.events] if match.last else []
    assert names == ["Dived", "Stowed", "CatchCounted", "RoundEnded", "CardDrawn", "CardDrawn"]
    assert match.events[-6:][0] == Dived(P1, "a1")


def test_the_old_match_stays_as_it_was() -> None:
    match = diving("c1", "c2")
    before = repr(match.base), match.drafts, match.number
    play_turn(match, P1, "a1", "left")
    assert (repr(match.base), match.drafts, match.number) == before


@pytest.mark.parametrize(
    "answer",
    [
        Answer(P2, "dive", ("a1",)),
        Answer(P1, "stow", ("left",)),
        Answer(P1, "dive", ("b1",)),
        Answer(P1, "dive", ("stop",)),
        Answer(P1, "dive", ()),
        Answer(P1, "dive", ("a1", "a2")),
        Answer(P1, "dive", (1,)),
        Answer(Seat(9), "dive", ("a1",)),
        Answer(Seat(-1), "dive", ("a1",)),
    ],
)
def test_an_option_that_was_not_offered_is_refused(answer: Answer) -> None:
    with pytest.raises(IllegalAnswer):
        diving("c1", "c2").pick(answer)


def test_a_refusal_within_a_draft_names_the_game_s_reason() -> None:
    match = pick(pick(diving("c1", "c2"), P1, "a1"), P1, "left")
    question = match.question(P1)
    assert question is not None and question.kind == "dive"
    assert match.refusal(P1, question, "a1") == ("gone", {"spot": "a1", "how": "taken"})
    with pytest.raises(IllegalAnswer) as refused:
        match.pick(Answer(P1, "dive", ("a1",)))
    assert refused.value.why == ("gone", {"spot": "a1", "how": "taken"})
    assert match.refusal(P1, question, "a2") is None
    assert match.why_not(P1, question, "a2") == ""


def test_without_a_game_s_reason_a_general_one_is_given() -> None:
    match = diving("c1", "c2")
    question = match.question(P1)
    assert question is not None
    assert match.why_not(P1, question, "z9") == "Z9 isn't on the board."
    bid = bidding("c1 c2", "c3")
    question = bid.question(P1)
    assert question is not None
    assert bid.why_not(P1, question, "a1") == "That isn't one of the choices."


def test_dice_only_fall_after_a_confirm() -> None:
    match = bidding("c1", "c9")
    draft = pick(play_turn(match, P1, "c1"), P2, "c9")
    assert draft.draws == match.draws
    assert draft.follows(P2) == "RevealBids"
    assert draft.confirm(P2).draws > draft.draws


def test_matches_are_equal_by_state_not_by_history() -> None:
    match = bidding("c1 c2", "c3")
    assert pick(match, P1, "c1") == pick(match, P1, "c2").undo(P1).pick(
        Answer(P1, "seal_bid", ("c1",))
    )
    assert pick(match, P1, "c1") != match
    assert (pick(match, P1, "c1").undo(P1) != match) is False
    assert match != "a match"
    assert hash(match) == hash(pick(match, P1, "c1").undo(P1))


def test_questions_about_a_position_are_cached() -> None:
    """Whatever is changed around it, a match on the same base asks its game nothing twice."""
    asked: list[str] = []

    class Listening(type(TOY)):  # type: ignore[misc]
        def questions(self, state: Any) -> Any:
            asked.append("questions")
            return super().questions(state)

        def view(self, state: Any, viewer: Any) -> Any:
            asked.append(f"view {viewer}")
            return super().view(state, viewer)

    match = replace(bidding("c1 c2", "c3"), game=Listening())
    drafted = pick(match, P2, "c3")
    for each in (match, match.without_log(), drafted.without_drafts(), match.resign(P1)):
        for seat in (P1, P2):
            each.question(seat), each.offers(seat), each.view(seat), each.view(seat)
        each.asked(), each.waiting_for(), each.view(None)
    assert sorted(asked) == ["questions", "questions", "view 0", "view 1", "view None"], (
        "of the base, and of the draft"
    )


def test_a_view_says_who_is_to_move_and_how_it_ended() -> None:
    match = bidding("c1 c2", "c3")
    drafted = pick(match, P1, "c1")
    assert drafted.view(P1).to_move == match.view(None).to_move == (P1, P2)
    assert match.view(None).outcome is None
    left = match.resign(P2)
    assert left.view(P1).to_move == ()
    assert left.view(P1).outcome == left.outcome
    assert left.outcome is not None and left.outcome.winners == (P1,)


def test_a_seat_is_handed_to_a_computer_and_back() -> None:
    match = pick(bidding("c1 c2", "c3"), P1, "c1")
    handed = match.hand_over(P1, to_computer=True)
    assert handed.humans() == (P2,) and handed.number == match.number + 1
    assert handed.waiting_for() == match.waiting_for()
    assert not handed.draft(P1).answers, "the draft goes with its owner"
    assert handed.last == Commit(P1, (), handed="computer")
    assert match.replay(handed.last) == handed
    assert load(snapshot(handed), {"toy": TOY}) == handed != match
    back = handed.hand_over(P1, to_computer=False)
    assert back.humans() == (P1, P2) and not back.away
    for refused, to_computer in ((handed, True), (back, False)):
        with pytest.raises(IllegalAnswer):
            refused.hand_over(P1, to_computer)
    with pytest.raises(IllegalAnswer):
        back.hand_over(Seat(7), to_computer=False)


def test_an_absent_player_has_not_left_the_match() -> None:
    match = begin(TOY, 3, seed="40c").hand_over(P2, to_computer=True).resign(P1)
    assert match.outcome is None, "two people still own a seat"
    taken = match.hand_over(P1, to_computer=False)
    assert taken.humans() == (P1, P3) and not taken.resigned
    over = match.resign(P3)
    assert over.outcome is not None and over.outcome.winners == (P2,)
    with pytest.raises(MatchOver):
        over.hand_over(P2, to_computer=False)


def test_the_repr_of_a_match_contains_no_secret() -> None:
    match = pick(
        begin(TOY, 2, seed="5ecret"), P1, *[offered_keys(begin(TOY, 2, seed="5ecret"), P1)[0]]
    )
    assert repr(match) == "<Match of toy, 2 seats, 0 commits>"


def test_a_recorded_turn_is_played_again() -> None:
    match = diving("c1", "c2", baskets=(2, 0))
    played = play_turn(match, P1, "a1", "stop")
    assert match.replay(played.commits[0]) == played


def test_a_recorded_turn_takes_no_account_of_a_draft() -> None:
    match = diving("c1", "c2")
    played = play_turn(match, P1, "a1", "left", "stop")
    assert pick(match, P1, "a2", "left").replay(played.commits[0]) == played
    with pytest.raises(NotFinished):
        pick(match, P1, "a2", "left", "stop").replay(Commit(P1, ()))


def test_a_recorded_turn_that_the_rules_do_not_allow_is_refused() -> None:
    match = diving("c1", "c2 storm")
    dive = Answer(P1, "dive", ("a1",))
    stow = Answer(P1, "stow", ("left",))
    storm = Answer(P2, "raise_storm", ("a1",))
    with pytest.raises(NotFinished):
        match.replay(Commit(P1, (dive, stow)))
    for commit in (
        Commit(P1, (stow,)),
        Commit(P2, (dive,)),
        Commit(P1, (storm,)),
        Commit(P2, (storm, storm)),
        Commit(P1, (dive, storm)),
    ):
        with pytest.raises(IllegalAnswer):
            match.replay(commit)


def ended() -> Match:
    """Return a match at its end."""
    match = diving("c1", "c2")
    last = replace(match, base=replace(match.base, round=2))
    return play_turn(last, P1, "a1", "left", "stop")


def test_nothing_can_be_done_after_the_end() -> None:
    match = ended()
    assert match.outcome is not None
    assert match.outcome.reason == "rounds_over"
    assert (match.waiting_for(), match.decisions(P1)) == ((), ())
    for act in (
        lambda: match.pick(Answer(P1, "dive", ("a1",))),
        lambda: match.undo(P1),
        lambda: match.confirm(P1),
        lambda: match.resign(P1),
        lambda: match.replay(Commit(P1, ())),
    ):
        with pytest.raises(MatchOver):
            act()
