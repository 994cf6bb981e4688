"""Random play under every check of the contract, for all games x seat counts x settings."""

import re
from random import Random

import pytest
from msgspec.inspect import type_info

from engine import GAMES, Match, MatchOver, Seat, begin, load, save, snapshot
from engine.core import transcript
from engine.core.game import RESIGNED
from engine.core.steps import StepGame
from tests.contract import checks
from tests.contract.games import ALL, every_size, every_table, new_match, words_for
from tests.contract.player import play, play_out
from tests.contract.strict import unworded_names

SIZES = every_size()
TABLES = list(every_table())
PAGE = 1_900
"""The most characters of a page of the rules: with its title it must fit into a message."""
sized = pytest.mark.parametrize(("game_id", "seats"), SIZES)


def is_sampled(number: int, first: int = 16, every: int = 8) -> bool:
    """Return whether an expensive check runs at this act: at the first ones, then at some."""
    return number < first or number % every == 0


def run_cheap_checks(match: Match, before: Match) -> None:
    """Run the cheap checks after an act."""
    checks.check_somebody_is_asked(match)
    checks.check_questions(match, before)
    if match.number > before.number and is_sampled(match.number):
        events = match.last.events if match.last else ()
        checks.check_all_is_worded(match, events)
        checks.check_values(match, events)


@pytest.mark.parametrize(("game_id", "seats", "settings"), TABLES)
def test_random_matches_ask_sound_questions_and_end(
    game_id: str, seats: int, settings: dict[str, str]
) -> None:
    match = new_match(game_id, seats, settings)
    checks.check_questions(match)
    checks.check_all_is_worded(match, match.prologue)
    checks.check_values(match, match.prologue)
    for before, _, after in play(match, Random(0)):
        run_cheap_checks(after, before)
        match = after
    assert match.number <= match.game.commit_limit
    _outcome_is_sound(match)
    checks.check_nothing_after_the_end(match)


def _outcome_is_sound(match: Match) -> None:
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason in set(match.game.reasons)
    assert sorted(seat for place in outcome.ranking for seat in place) == list(range(match.seats))
    assert len(outcome.scores) == match.seats
    assert len(outcome.tiebreak) in (0, match.seats)


@sized
def test_saves_load_equal_with_drafts_and_without(game_id: str, seats: int) -> None:
    match = new_match(game_id, seats, seed="saves")
    checks.check_saves(match)
    for before, _, after in play(match, Random("saves")):
        # A whole save grows with the match: from the twelfth commit on the snapshot stands for
        # most of them.
        if is_sampled(after.number, 12, 16) or after.outcome:
            checks.check_saves(after)
        elif is_sampled(after.number):
            assert load(snapshot(after), ALL) == after
        assert before.number <= after.number


@sized
def test_replay_equals_play_commit_by_commit_and_as_text(game_id: str, seats: int) -> None:
    match = play_out(new_match(game_id, seats, seed="replay"), Random("replay"))
    again = begin(match.game, seats, dict(match.settings), match.seed)
    for commit in match.commits:
        again = again.replay(commit)
        assert again.last is not None
        assert again.last.events == commit.events
    assert again == match
    text = transcript.write(match, words_for(match.game))
    assert transcript.replay(text, ALL) == match
    assert transcript.write(transcript.replay(text, ALL), words_for(match.game)) == text


@sized
def test_a_match_continues_from_a_snapshot_unchanged(game_id: str, seats: int) -> None:
    match = play_out(new_match(game_id, seats, seed="stored"), Random("stored"), commits=7)
    rest = play_out(match, Random("rest"))
    assert play_out(load(snapshot(match), ALL), Random("rest")) == rest
    assert save(load(save(match), ALL)) == save(match)


@sized
def test_every_offered_answer_is_accepted(game_id: str, seats: int) -> None:
    rng = Random("accepted")
    for turn, (before, _, _) in enumerate(play(new_match(game_id, seats, seed="accepted"), rng)):
        if is_sampled(turn):
            checks.check_offered_is_accepted(before, rng)


@sized
def test_picks_are_private_and_can_be_undone(game_id: str, seats: int) -> None:
    rng = Random("undone")
    for turn, (before, _, _) in enumerate(play(new_match(game_id, seats, seed="undone"), rng)):
        if is_sampled(turn, 12, 12):
            checks.check_picks(before, rng, most=3)


@sized
def test_answers_that_are_not_offered_are_refused_and_change_nothing(
    game_id: str, seats: int
) -> None:
    rng = Random("refused")
    for turn, (before, _, _) in enumerate(play(new_match(game_id, seats, seed="refused"), rng)):
        if is_sampled(turn, 12, 12):
            checks.check_anything_else_is_refused(before, rng)


@sized
def test_every_refusal_has_a_reason_and_no_legal_option_has_one(game_id: str, seats: int) -> None:
    rng, known = Random("reasons"), set[str]()
    for turn, (before, _, _) in enumerate(play(new_match(game_id, seats, seed="reasons"), rng)):
        known |= {
            option.key
            for seat in range(seats)
            for d in before.decisions(Seat(seat))
            for option in d.options
        }
        if turn < 12 or turn % 15 == 0:
            checks.check_refusals(before, known)


@sized
def test_an_option_offered_earlier_is_refused_with_the_game_s_reason(
    game_id: str, seats: int
) -> None:
    if type(ALL[game_id]).refusal is StepGame.refusal:
        pytest.skip("says what all games say")
    offered: dict[str, set[str]] = {}
    own = gone = 0
    for seed in range(5):
        if gone > 20:
            break
        for turn, (before, _, _) in enumerate(
            play(new_match(game_id, seats, seed=seed), Random(seed))
        ):
            for decision in (
                decision for seat in range(seats) for decision in before.decisions(Seat(seat))
            ):
                # Of a game that is played everything that is refused has its reason, of a toy's the
                # places do.
                keys = {
                    option.key for option in decision.options if option.spot or game_id in GAMES
                }
                offered.setdefault(decision.kind, set()).update(keys)
            if turn % 5 == 0:
                explained, asked = checks.count_own_refusals(before, offered)
                own, gone = own + explained, gone + asked
    assert gone > 0
    assert own >= 0.95 * gone, f"{own} of {gone}"


@sized
def test_advance_is_idempotent_and_chance_is_in_the_table(game_id: str, seats: int) -> None:
    rng = Random("tables")
    match = new_match(game_id, seats, seed="tables")
    varied: list[bool | None] = []
    for before, act, after in play(match, rng):
        checks.check_advance_is_idempotent(after)
        if act.answer is None and not act.undo and before.is_complete(act.seat):
            varied.append(checks.check_other_seeds(before, act.seat, rng))
    # One draw may fall alike every time; were chance in the State, all would.
    drawn = [differs for differs in varied if differs is not None]
    assert any(drawn) or not drawn


@sized
def test_simultaneous_answers_commute(game_id: str, seats: int) -> None:
    for seed in range(4):
        rng = Random(seed)
        for before, _, _ in play(new_match(game_id, seats, seed=f"together {seed}"), rng):
            checks.check_simultaneous_answers_commute(before, rng)


@sized
def test_nothing_shown_depends_on_what_the_viewer_cannot_know(game_id: str, seats: int) -> None:
    rng = Random("hidden")
    for seed in range(1 + 120 // ALL[game_id].commit_limit):
        match = new_match(game_id, seats, seed=f"hidden {seed}")
        checks.check_secrets(match, rng)
        for turn, (_, _, after) in enumerate(play(match, rng)):
            if is_sampled(turn) or after.outcome:
                checks.check_secrets(after, rng)


@sized
def test_a_redeal_depends_only_on_what_its_viewer_may_know(game_id: str, seats: int) -> None:
    rng = Random("canonical")
    for _, _, after in play(new_match(game_id, seats, seed="canonical"), rng):
        if is_sampled(after.number):
            checks.check_redeals_are_canonical(after, rng)


@sized
def test_the_last_player_left_wins_by_resignation(game_id: str, seats: int) -> None:
    match = play_out(new_match(game_id, seats, seed="resigned"), Random("resigned"), commits=5)
    for seat in range(1, seats):
        assert match.outcome is None
        match = match.resign(Seat(seat))
        checks.check_saves(match)
    assert match.outcome is not None
    assert match.outcome.reason == RESIGNED
    assert match.outcome.ranking[0] == (Seat(0),)
    assert [match.view(viewer).to_move for viewer in checks.viewers(match)] == [()] * (seats + 1)
    assert sorted(seat for place in match.outcome.ranking for seat in place) == list(range(seats))
    with pytest.raises(MatchOver):
        match.resign(Seat(0))


@pytest.mark.parametrize("game_id", ALL)
def test_every_reason_setting_choice_and_event_has_a_text(game_id: str) -> None:
    game = ALL[game_id]
    assert unworded_names(game, words_for(game)) == []
    assert words_for(game).summary
    assert words_for(game).topics


@pytest.mark.parametrize("game_id", ALL)
def test_the_rules_help_begins_with_all_its_pages_and_each_fits_a_message(game_id: str) -> None:
    topics = words_for(ALL[game_id]).topics
    assert all(page["title"] and 0 < len(page["text"]) <= PAGE for page in topics.values())
    overview = next(iter(topics))
    listed = topics[overview]["text"].rpartition("Topics: ")[2].strip(" .\n").split(", ")
    assert [overview, *listed] == list(topics)


@pytest.mark.parametrize("game_id", ALL)
def test_a_state_has_no_sets_whose_order_would_differ_from_save_to_save(game_id: str) -> None:
    assert not re.search(r"\b(Frozen)?SetType\b", repr(type_info(ALL[game_id].state_type)))


@pytest.mark.parametrize(("game_id", "seats"), SIZES)
def test_the_setting_for_who_goes_first_works(game_id: str, seats: int) -> None:
    game = ALL[game_id]
    if game.begins:
        for seat in range(seats):
            match = new_match(game_id, seats, {game.begins: str(seat + 1)})
            assert match.waiting_for() == (seat,)


@pytest.mark.parametrize("game_id", ALL)
def test_a_game_describes_itself(game_id: str) -> None:
    game = ALL[game_id]
    assert game.id == game_id
    assert game.title
    assert game.version >= 1
    assert set(game.migrations) >= set(range(1, game.version))
    for setting in game.settings:
        fitting = [
            [choice.key for choice in setting.choices if choice.fits(seats)] for seats in game.seats
        ]
        assert setting.free or all(setting.default in keys for keys in fitting)
