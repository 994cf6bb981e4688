"""Offers are taken at any time and committed at once, and other drafts are replayed on them."""

from random import Random

from msgspec.structs import replace

from engine import Answer, Match, Seat, begin, load, save
from engine.core import transcript
from tests.contract.games import ALL
from tests.contract.player import random_answer
from tests.toy import TOY, WORDS
from tests.toy.events import StormRaised
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


def test_an_offer_commits_at_once_and_never_enters_a_draft() -> None:
    match = diving("c1", "c2 storm")
    assert kinds_asked(match, P2) == ["raise_storm"]
    assert match.waiting_for() == (P1,)
    after = pick(match, P2, "raise_storm/a1")
    assert [(commit.seat, commit.answers) for commit in after.commits] == [
        (P2, (Answer(P2, "raise_storm", ("a1",)),))
    ]
    assert after.events[-1] == StormRaised(P2, "a1")
    assert after.draft(P2).answers == ()
    assert offered_keys(after, P1) == ["a2", "a3"]
    assert after.turn(P2) == 1


def test_a_draft_unaffected_by_an_offer_is_kept() -> None:
    match = pick(diving("c1", "storm"), P1, "a1", "left", "a2")
    after = pick(match, P2, "raise_storm/b1")
    assert draft_text(after, P1) == "a1 left a2"
    assert after.cut == frozenset()
    assert after.view(P1).closed == ("b1",)


def test_a_draft_is_cut_to_its_legal_part_and_its_owner_told() -> None:
    match = pick(diving("c1", "storm"), P1, "a1", "left", "a2", "left", "a3")
    after = pick(match, P2, "raise_storm/a2")
    assert draft_text(after, P1) == "a1 left"
    assert after.cut == {P1}
    assert after.undo(P1).cut == {P1}, "it tells of the last commit"
    assert after.confirm(P1).cut == frozenset()


def test_a_draft_may_be_cut_to_nothing() -> None:
    after = pick(pick(diving("c1", "storm"), P1, "a1"), P2, "raise_storm/a1")
    assert (draft_text(after, P1), after.cut) == ("", {P1})
    assert after.tip(P1) == after.base


def test_a_player_s_own_offer_keeps_their_draft() -> None:
    match = pick(diving("storm", "c2"), P1, "a1", "left")
    assert kinds_asked(match, P1) == ["dive", "raise_storm"]
    assert draft_text(pick(match, P1, "raise_storm/b3"), P1) == "a1 left"
    cut = pick(match, P1, "raise_storm/a1")
    assert (draft_text(cut, P1), cut.cut) == ("", {P1})


def test_offers_come_from_the_base_whatever_the_draft_says() -> None:
    match = pick(bidding("c1 storm", "c2"), P1, "storm")
    assert kinds_asked(match, P1) == ["raise_storm"]
    after = pick(match, P1, "raise_storm/a1")
    assert draft_text(after, P1) == "", "the card is gone, so it cannot be bid"
    assert after.cut == {P1}


def test_an_answer_that_is_no_longer_the_only_one_is_the_players_own() -> None:
    match = pick(diving("c1", "net", netted=True), P1, "a1", "a2")
    assert draft_text(match, P1) == "a1 (right) a2 (right)"
    after = pick(match, P2, "throw_net/p1")
    assert draft_text(after, P1) == "a1"
    assert after.cut == {P1}
    assert offered_keys(after, P1) == ["left", "right"]


def test_a_question_left_with_one_answer_is_answered_in_the_rebased_draft() -> None:
    match = pick(diving("c1", "net"), P1, "a1")
    after = pick(match, P2, "throw_net/p1")
    assert draft_text(after, P1) == "a1 (right)"
    assert after.cut == frozenset()


def test_a_choice_that_became_the_only_one_is_forced() -> None:
    match = pick(diving("c1", "net"), P1, "a1", "right", "a2")
    after = pick(match, P2, "throw_net/p1")
    assert draft_text(after, P1) == "a1 (right) a2 (right)"
    assert after.cut == frozenset()
    assert draft_text(after.undo(P1), P1) == "a1 (right)"


def test_a_choice_replaced_by_the_only_one_left_counts_as_cut() -> None:
    match = pick(diving("c1", "net"), P1, "a1", "left")
    after = pick(match, P2, "throw_net/p1")
    assert draft_text(after, P1) == "a1 (right)"
    assert after.cut == {P1}


def test_a_question_without_grounds_is_removed() -> None:
    match = diving("c1", "storm c2", "c3")
    last = replace(match, base=replace(match.base, taken=("a1", "a2")))
    after = pick(last, P2, "raise_storm/a3")
    assert after.waiting_for() == (P1, P2, P3), "the round is over and all bid again"
    assert after.base.round == 2


def test_an_offer_during_secret_answers_keeps_them_sealed() -> None:
    match = pick(reacting("c1", "haka storm", "c3"), P3, "pass")
    after = pick(match, P2, "raise_storm/a1")
    assert draft_text(after, P3) == "pass"
    assert after.waiting_for() == (P2, P3)
    assert kinds_asked(after, P2) == ["react"]


def test_a_rebased_match_is_saved_and_narrated_like_any_other() -> None:
    match = pick(pick(diving("c1", "net storm"), P1, "a1", "right", "a2"), P2, "throw_net/p1")
    assert load(save(match), ALL) == match
    assert load(save(match), ALL).draft(P1) == match.draft(P1)
    replayed = pick(diving("c1", "net storm"), P2, "throw_net/p1")
    assert play_turn(match, P1, "stop").base == play_turn(replayed, P1, "a1", "a2", "stop").base


def test_transcripts_of_matches_with_rebased_turns_replay() -> None:
    cut = forced = 0
    for seed in range(60):
        rng = Random(seed)
        match = begin(TOY, 2 + seed % 3, seed=seed)
        while match.outcome is None:
            match = any_act(match, rng)
            cut += len(match.cut)
        text = transcript.write(match, WORDS)
        forced += text.count("(")
        assert transcript.replay(text, ALL) == match
    assert cut > 10
    assert forced > 10


def any_act(match: Match, rng: Random) -> Match:
    """Return the match after a random action of a random seat: a pick, an offer or a confirm."""
    seat = Seat(rng.randrange(match.seats))
    if match.is_complete(seat) and rng.random() < 0.6:
        return match.confirm(seat)
    decisions = match.decisions(seat)
    decision = rng.choice(decisions) if decisions else None
    if decision is None or (not decision.blocking and rng.random() < 0.7):
        return match
    return match.pick(random_answer(decision, rng))
