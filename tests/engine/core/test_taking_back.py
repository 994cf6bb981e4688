"""Turns are taken back and matches rewound, except where something has been revealed."""

from random import Random

import pytest

from engine import Commit, IllegalAnswer, Match, MatchOver, Seat, begin, load, save, snapshot
from engine.core.secrecy import Disclosure, find_disclosure, has_secrets
from engine.core.transcript import replay, write
from tests.contract.games import ALL, new_match, words_for
from tests.contract.player import play_out, random_act
from tests.toy import TOY
from tests.toy.scenes import P1, P2, P3, bidding, diving, pick, play_turn

SEED = "0123456789abcdef"


def test_a_turn_is_taken_back_and_the_log_keeps_both() -> None:
    before = begin(TOY, 3, seed="40c")
    made = play_turn(before, P1, "c10")
    back = pick(made, P2, "c4").back_to(before, P1)
    assert back.base == before.base
    assert back.draws == before.draws
    assert back.dice == before.dice
    assert back.number == 2 and back.moves == 0 and not back.drafts
    assert [commit.back_to for commit in back.commits] == [None, 0]
    assert "\n2 p1 takes back to 0 " in write(back)
    again = play_turn(back, P1, "c10")
    assert again.base == made.base and replay(write(again), ALL) == again


def test_a_rewind_reseeds_the_dice_reproducibly() -> None:
    begun = begin(TOY, 2, seed="40c")
    matches = []
    for seed in (SEED, SEED[::-1]):
        rewound = play_out(begun, Random(1), commits=6).back_to(begun, P2, seed)
        assert rewound.dice == seed and rewound.draws == 0 and rewound.base == begun.base
        assert f"\n7 p2 rewinds to 0 with seed {seed} " in write(rewound)
        matches.append(play_out(rewound, Random(1), commits=6).without_drafts())
    one, other = matches
    assert [commit.answers for commit in one.commits[:6]] == [
        commit.answers for commit in other.commits[:6]
    ]
    assert one.events != other.events
    assert replay(write(one), ALL) == one
    assert write(one).count("seed ") == 2


def test_a_rewind_does_not_undo_changes_of_players() -> None:
    begun = begin(TOY, 4, seed="40c", computers=frozenset({P3}))
    now = begun.hand_over(P3, to_computer=False).hand_over(P2, to_computer=True).resign(P1)
    back = now.back_to(begun, P3, SEED)
    assert back.humans() == now.humans()
    assert back.resigned == {P1}
    assert back.away == {P2}
    assert replay(write(back), ALL) == back


def test_old_buttons_do_not_fit_turns_after_a_rewind() -> None:
    begun = begin(TOY, 2, seed="40c")
    later = play_out(begun, Random(3), commits=5)
    seen = {seat: later.turn(seat) for seat in (P1, P2)}
    back = later.back_to(begun, P1, SEED)
    assert all(back.turn(seat) >= seen[seat] + 1000 for seat in (P1, P2)), (
        "more than any draft is long"
    )


def test_a_match_cannot_go_back_to_an_unknown_point() -> None:
    begun = begin(TOY, 2, seed="40c")
    later = play_out(begun, Random(1), commits=1)
    for past in (later, begin(TOY, 2, seed="other"), begin(TOY, 3, seed="40c")):
        with pytest.raises(IllegalAnswer, match="was never at"):
            later.back_to(past, P1)
    with pytest.raises(IllegalAnswer, match="seed can't be used"):
        later.back_to(begun, P1, "dice of my own")
    with pytest.raises(IllegalAnswer, match="was never at"):
        later.replay(Commit(P1, (), back_to=7), {0: begun})
    with pytest.raises(MatchOver):
        later.resign(P1).back_to(begun, P1)


@pytest.mark.parametrize("game_id", ALL)
def test_a_repeatedly_rewound_match_replays_to_the_same_position(game_id: str) -> None:
    rng = Random(14)
    match = new_match(game_id, max(2, ALL[game_id].seats[0]), seed=14)
    stood = [match.without_drafts()]
    turns = {0: match.turn(Seat(0)) + match.turn(Seat(1))}
    while match.outcome is None and match.number < 40:
        if match.number and rng.random() < 0.15:
            past = rng.choice(stood[:-1])
            seed = f"{rng.getrandbits(64):x}" if rng.random() < 0.5 else ""
            match = match.back_to(past, Seat(rng.randrange(match.seats)), seed)
            assert match.position.view(None) == past.position.view(None)
            assert match.moves == past.moves
        else:
            match = random_act(match, rng).on(match)
        if match.number == len(stood):
            stood.append(match.without_drafts())
            turns[match.number] = sum(match.turn(Seat(seat)) for seat in range(match.seats))
    match = match.without_drafts()
    assert any(commit.seed for commit in match.commits)
    assert any(commit.back_to is not None for commit in match.commits)
    assert load(save(match), ALL) == match
    assert load(snapshot(match), ALL) == match.without_log()
    text = write(match, words_for(match.game))
    assert replay(text, ALL) == match and replay(text, ALL).commits == match.commits
    assert list(turns.values()) == sorted(turns.values()), (
        "turns are told apart, whatever is undone"
    )


def disclosure(before: Match, after: Match) -> Disclosure | None:
    assert after.last is not None
    return find_disclosure(before, after.last)


def test_a_secret_answer_can_be_taken_back_until_the_last_one_is_in() -> None:
    match = bidding("c1 c2", "c3 c4", "c5 c6")
    first = play_turn(match, P1, "c1")
    second = play_turn(first, P2, "c3")
    assert disclosure(match, first) is None and disclosure(first, second) is None
    assert disclosure(second, play_turn(second, P3, "c5")) is Disclosure.OPENED, (
        "all bids are shown"
    )


def test_draws_rolls_and_reveals_cannot_be_taken_back() -> None:
    match = bidding("c1 c2 net", "c3 c4")
    thrown = pick(match, P1, "throw_net/p2")
    assert disclosure(match, thrown) is Disclosure.SHOWN, "everyone has seen who held the card"
    dived = diving("c1", "c2", baskets=(2, 0))
    ended = play_turn(dived, P1, "a1", "stop")
    assert ended.draws != dived.draws and disclosure(dived, ended) is Disclosure.DRAWN


def test_in_a_game_without_secrets_all_but_dice_can_be_taken_back() -> None:
    assert {game for game in ALL if has_secrets(ALL[game])} == {"conquest", "toy"}
    match = new_match("maori", 2, seed=4)
    dice = {True: 0, False: 0}
    for _ in range(30):
        after = play_out(match, Random(match.number), commits=1)
        has_drawn = after.draws != match.draws
        assert disclosure(match, after) is (Disclosure.DRAWN if has_drawn else None)
        dice[has_drawn] += 1
        match = after
    assert all(dice.values())
