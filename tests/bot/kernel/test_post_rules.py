"""When a commit makes a post: the turn passes, a secret round ends, or somebody acts early."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.kernel import post_rules
from engine import GAMES, Answer, Commit, Match, Seat, begin, visible
from engine.core import transcript
from tests.engine.blue_lagoon.table import position, side
from tests.engine.conquest.scenes import SAMOA, TONGA, Scene
from tests.toy import TOY
from tests.transcripts.scenario import HERE

ALL = {**GAMES, "toy": TOY}
TEXTS = sorted(HERE.glob("*/*.txt"))
ANA, BEA = Seat(0), Seat(1)


def replay_states(path: Path) -> list[Match]:
    """Return the match of a transcript before its first commit and after each."""
    whole = transcript.replay(path.read_text(encoding="utf-8"), ALL)
    stood = [begin(whole.game, whole.seats, dict(whole.settings), whole.seed, whole.computers)]
    for commit in whole.commits:
        stood.append(stood[-1].replay(commit))
    return stood


def posted_commits(trail: list[Match]) -> set[int]:
    """Return the commits that make a post due."""
    said, found = trail[0], set()
    for before, after in pairwise(trail):
        if post_rules.needs_post(before, after, said):
            said = after
            found.add(after.number)
    return found


def public_events(match: Match) -> set[str]:
    """Return the names of the public events of the last commit."""
    assert match.last is not None
    return {type(event).__name__ for event in visible(match.last.events, None)}


def draft_one(match: Match, seat: Seat, *keys: str) -> Match:
    """Draft one answer to each question of the seat to move."""
    for key in keys:
        question = next(decision for decision in match.decisions(seat) if decision.blocking)
        match = match.pick(Answer(seat, question.kind, (key,)))
    return match


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_commit_that_passes_the_turn_is_always_posted(path: Path) -> None:
    trail = replay_states(path)
    passed = {
        after.number
        for before, after in pairwise(trail)
        if (post_rules.people_to_move(after) and _passes(before, after))
        or after.outcome is not None
    }
    due = posted_commits(trail)
    by_computers = {after.number for _, after in pairwise(trail) if _by_computer(after)}
    assert passed - by_computers <= due and max(due) == trail[-1].number


def _passes(before: Match, after: Match) -> bool:
    # Of answers given in secret at the same time only the last one hands the match on.
    is_one_of_several = any(
        d.secret for seat in before.waiting_for() for d in before.decisions(seat) if d.blocking
    )
    still_awaited = is_one_of_several and set(after.waiting_for()) < set(before.waiting_for())
    return after.waiting_for() != before.waiting_for() and not still_awaited


def _by_computer(match: Match) -> bool:
    return match.last is not None and match.last.seat not in match.humans()


REVEALS = {"conquest": {"Built"}, "toy": {"BidsRevealed"}}


@pytest.mark.parametrize(
    "path", [path for path in TEXTS if path.parent.name in REVEALS and path.stem != "resigned"]
)
def test_the_end_of_a_secret_round_is_posted_at_once(path: Path) -> None:
    """This holds even if the last to answer is asked next."""
    trail = replay_states(path)
    due = posted_commits(trail)
    shown = [after for after in trail[1:] if public_events(after) & REVEALS[path.parent.name]]
    assert shown and {after.number for after in shown} <= due
    stayed = [
        after for after in shown if trail[after.number - 1].waiting_for() == after.waiting_for()
    ]
    assert (
        stayed
        or path.parent.name != "conquest"
        or path.stem in ("last-empire", "all-advanced-rules", "four-seats")
    )


def test_a_voyage_of_many_commits_is_posted_once_it_ends() -> None:
    trail = replay_states(HERE / "conquest" / "two-seats.txt")
    assert [after.last.seat for after in trail[4:8] if after.last] == [0, 0, 0, 0]
    assert not {4, 5, 6} & posted_commits(trail) and 7 in posted_commits(trail)


def test_ending_one_round_and_opening_the_next_makes_a_post() -> None:
    """A seat of Polynesia may have the last action of a round and the first of the next."""
    trail = replay_states(HERE / "polynesia" / "two-seats.txt")
    assert trail[19].waiting_for() == trail[20].waiting_for() == (BEA,)
    assert 20 in posted_commits(trail)


def test_a_player_left_alone_gets_a_post_for_every_turn() -> None:
    """In Blue Lagoon a seat that cannot place is skipped for the rest of the phase."""
    alone = replace(
        begin(GAMES["blue_lagoon"], 2), base=position(side("17"), side("1", settlers_left=0)).state
    )
    trail = [alone]
    for key in ("4", "5", "6"):
        trail.append(draft_one(trail[-1], ANA, key).confirm(ANA))
    assert [match.waiting_for() for match in trail] == [(ANA,)] * 4
    assert posted_commits(trail) == {1, 2, 3}


def conquest_at(kind: str) -> Match:
    """Return a Conquest match of two at the first question of this kind."""
    return next(
        match
        for match in replay_states(HERE / "conquest" / "two-seats.txt")
        if kind in questions_by_seat(match).values()
    )


def questions_by_seat(match: Match) -> dict[Seat, str]:
    """Return the kind of question that each seat is asked."""
    return {
        seat: next(d.kind for d in match.decisions(seat) if d.blocking)
        for seat in match.waiting_for()
    }


def take_offer(match: Match, seat: Seat, kind: str) -> Match:
    """Take the first option of an offer."""
    offer = next(decision for decision in match.decisions(seat) if decision.kind == kind)
    return match.pick(Answer(seat, kind, (offer.options[0].key,)))


def test_a_standing_order_makes_no_post() -> None:
    match = conquest_at("launch_explorer")
    for seat in (ANA, BEA):
        after = take_offer(match, seat, "set_card_order")
        assert not post_rules.needs_post(match, after, match)


def test_a_public_act_out_of_turn_is_posted() -> None:
    trail = replay_states(HERE / "conquest" / "two-seats.txt")
    found = {}
    for match in trail:
        for seat in (ANA, BEA):
            for kind in ("flip_tile", "drop_rumor"):
                in_turn = seat in match.waiting_for()
                if in_turn not in found and any(d.kind == kind for d in match.decisions(seat)):
                    after = take_offer(match, seat, kind)
                    if after.waiting_for() == match.waiting_for() and after.outcome is None:
                        found[in_turn] = post_rules.needs_post(match, after, match)
    assert found == {True: False, False: True}


def newly_mentioned(before: Match, after: Match, commits: Iterable[Commit]) -> set[Seat]:
    """Return the seats that a post mentions."""
    made = list(commits)
    return {
        seat
        for seat in post_rules.people_to_move(after)
        if post_rules.is_newly_asked(seat, before, made)
    }


def test_an_act_out_of_turn_repeats_no_mention() -> None:
    match = conquest_at("build_item")
    after = take_offer(match, ANA, "set_card_order")
    assert after.last is not None
    assert newly_mentioned(match, after, [after.last]) == set()


def test_a_player_asked_again_is_mentioned_again() -> None:
    trail = replay_states(HERE / "polynesia" / "two-seats.txt")
    assert trail[20].last is not None
    assert newly_mentioned(trail[19], trail[20], [trail[20].last]) == {BEA}
    assert newly_mentioned(trail[0], trail[1], []) == {BEA}


def test_the_first_of_two_answers_makes_no_post_if_it_shows_nothing() -> None:
    """After a Battle, winner and loser decide at the same time."""
    scene = Scene(3).sea("g8").land(g9="rapa").village(SAMOA, "g9", 1).village(SAMOA, "g7", 1)
    fought = (
        scene.pieces(TONGA, "f8", "1w 1t")
        .pieces(SAMOA, "g8", "1t")
        .moving(TONGA)
        .do(TONGA, "f8,g8,all,done")
    )
    match = fought.match
    assert questions_by_seat(match) == {TONGA: "open_here", SAMOA: "retreat_to"}
    first = draft_one(match, TONGA, "open").confirm(TONGA)
    assert not post_rules.needs_post(match, first, None) and post_rules.is_still_open(match, first)
    last = draft_one(first, SAMOA, "g7").confirm(SAMOA)
    assert post_rules.needs_post(first, last, None) and not post_rules.is_still_open(match, last)
