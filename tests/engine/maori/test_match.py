"""Whole matches through the public interface, with every combination of settings and seats."""

from itertools import pairwise, product
from random import Random

import pytest
from msgspec.structs import replace

from engine import GAMES, Answer, Match, NotFinished, Seat, Table, begin, load, save, snapshot
from engine.maori.events import LastTurnsBegun, TileTurnedUp
from engine.maori.state import State
from engine.maori.view import MaoriView
from tests.contract import checks
from tests.contract.player import play_out
from tests.engine.maori.settler import play_to_end, play_turn
from tests.engine.maori.table import FULL, Play, matrix_with, position, side
from tests.perft.count import whole_turns

GAME = GAMES["maori"]
P1, P2 = Seat(0), Seat(1)
SETTING = {setting.key: setting for setting in GAME.settings}
TABLES = [
    (seats, {"rules": rules.key, "board": board.key, "first": first.key})
    for seats in GAME.seats
    for rules, board, first in product(
        *(SETTING[key].choices for key in ("rules", "board", "first"))
    )
    if board.fits(seats) and first.fits(seats)
]
"""Every combination of settings and seats there is."""


def match_at(play: Play, seats: int = 2) -> Match:
    """Return a match at this position."""
    settings = {"rules": play.state.rules, "board": play.state.board_name, "first": "2"}
    return replace(begin(GAME, seats, settings, "a match"), base=play.state)


def picked(match: Match, text: str, seat: Seat = P1) -> Match:
    """Draft these answers."""
    for key in text.split(","):
        (decision,) = match.decisions(seat)
        match = match.pick(Answer(seat, decision.kind, (key,)))
    return match


def view_of(match: Match, viewer: Seat | None) -> MaoriView:
    """Return what a viewer sees."""
    view = match.view(viewer)
    assert isinstance(view, MaoriView)
    return view


def test_there_are_90_combinations_of_settings_and_seats() -> None:
    assert len(TABLES) == 18 + 24 + 30 + 18


@pytest.mark.parametrize(("seats", "settings"), TABLES)
def test_every_combination_of_settings_and_seats_is_played_soundly_to_a_full_board(
    seats: int, settings: dict[str, str]
) -> None:
    match = begin(GAME, seats, settings, "every table")
    while match.outcome is None:
        match = play_turn(match)
        checks.check_somebody_is_asked(match)
        checks.check_questions(match)
        state: State = match.base
        assert sum(own.shells for own in state.sides) + state.bank == 30
    assert match.outcome.reason == "board_filled"
    assert match.number < 25 * seats
    checks.check_all_is_worded(match, match.events)
    checks.check_values(match)
    checks.check_saves(match)


def test_no_tile_is_ever_in_two_places() -> None:
    match = begin(GAME, 5, {"rules": "advanced"}, "tiles")
    for _ in range(400):
        state: State = match.base
        lying = [*state.matrix, *state.supply, *(own.stored for own in state.sides)]
        lying += [tile for own in state.sides for tile in own.tiles]
        there = [tile for tile in lying if tile]
        assert len(there) == len(set(there))
        match = play_out(match, Random(match.number), commits=1)
        if match.outcome:
            break


def test_a_turn_is_drafted_step_by_step_and_undone_step_by_step() -> None:
    match = match_at(
        position(side("q3=79 q4=80", ship="q3"), side(), rules="advanced", discoverer="16")
    )
    steps = [match]
    for key in ("1", "a", "r3", "q4"):
        steps.append(picked(steps[-1], key))
    assert [view_of(step, None) for step in steps] == [view_of(match, None)] * 5
    assert steps[-1].is_complete(P1)
    for before, after in pairwise(steps):
        assert after.undo(P1) == before
    assert steps[-1].undo(P1, all=True) == match
    with pytest.raises(NotFinished):
        steps[2].confirm(P1)


def test_only_the_refill_after_the_confirm_shows_a_new_tile() -> None:
    match = picked(match_at(position(side(), side(), discoverer="16")), "1,e,r3")
    assert match.follows(P1) == "Refill"
    assert view_of(match, P1).matrix[4] == 0
    assert not [event for event in match.draft(P1).events if isinstance(event, TileTurnedUp)]
    done = match.confirm(P1)
    assert view_of(done, None).matrix[4] != 0
    assert [type(event) for event in done.events[-1:]] == [TileTurnedUp]


def test_the_draft_is_seen_by_its_seat_alone_with_the_tile_in_hand() -> None:
    match = picked(match_at(position(side(), side(), discoverer="14")), "1,e")
    mine, theirs = view_of(match, P1), view_of(match, P2)
    assert mine.hand == "e"
    assert mine.discoverer == "1"
    assert mine.sides[0].shells == 3
    assert theirs.hand == ""
    assert theirs.discoverer == "14"
    assert theirs.sides[0].shells == 5
    assert mine.turn is not None
    assert mine.turn.act == "take"
    assert mine.turn.cell == "e"
    assert mine.turn.tile == 1
    assert theirs.turn is None


def test_the_asked_seat_sees_the_price_of_every_spot() -> None:
    match = match_at(position(side(), side(), discoverer="16"))
    assert dict(view_of(match, P1).prices) == {
        "1": 0,
        "2": 0,
        "3": 1,
        "4": 2,
        "5": 3,
        "6": 4,
        "7": 5,
    }
    assert view_of(match, P2).prices == view_of(match, None).prices == ()
    assert dict(view_of(picked(match, "1"), P1).prices) == {"a": 0, "e": 1, "i": 2, "m": 3}


def test_where_nothing_is_the_only_choice_the_turn_is_one_click() -> None:
    """The Match answers a question that has one answer, but for the first of a turn."""
    match = match_at(position(side(), side(), discoverer="16", matrix=matrix_with(a=96)))
    drafted = picked(match, "1")
    assert [answer.keys for answer in drafted.draft(P1).answers] == [("1",), ("nothing",)]
    assert drafted.is_complete(P1)
    assert drafted.undo(P1) == match


def test_confirm_ends_a_turn_with_stay_but_never_with_nothing() -> None:
    """To leave the ship loses nothing, so Confirm may pick it; to take no tile gives the tile
    up.
    """
    match = match_at(
        position(side("q3=79 q4=80", ship="q3"), side(), rules="advanced", discoverer="16")
    )
    with pytest.raises(NotFinished):
        picked(match, "1").confirm(P1)
    done = picked(match, "1,nothing").confirm(P1)
    assert [answer.keys for answer in done.commits[-1].answers] == [("1",), ("nothing",), ("stay",)]


def test_the_panel_can_say_what_a_confirm_sets_going() -> None:
    match = match_at(position(side(fill=" ".join(FULL.split()[:-1])), side(), discoverer="16"))
    assert picked(match, "1,a,t3").follows(P1) == "Refill"
    assert picked(match, "1,nothing").follows(P1) == "EndTurn"
    assert picked(match, "1").follows(P1) == ""
    last = picked(match, "1,a,t3").confirm(P1)
    assert any(isinstance(event, LastTurnsBegun) for event in last.events)
    assert picked(last, "2,nothing", P2).follows(P2) == "EndGame"
    assert picked(last, "2,b,q3", P2).follows(P2) == "EndGame"


def test_without_a_supply_a_confirm_turns_nothing_up() -> None:
    match = match_at(position(side(), side(), discoverer="16", supply=()))
    assert picked(match, "1,a,r3").follows(P1) == "EndTurn"


def test_a_stalemate_is_announced_before_the_confirm() -> None:
    match = match_at(position(side(), side(), discoverer="16", idle=3))
    assert picked(match, "1,nothing").follows(P1) == "EndGame"
    assert picked(match, "1,a,q3").follows(P1) == "Refill"


@pytest.mark.parametrize("board", ["front", "atoll"])
@pytest.mark.parametrize("rules", ["basic", "advanced", "pro"])
def test_no_menu_is_longer_than_the_decision_map_says(rules: str, board: str) -> None:
    """Worst counts: 16 positions, 7 ways to discover, 17 or 21 spaces, 15 or 19 removals, 16 or
    20 ship moves.
    """
    spaces = 16 if board == "front" else 20
    most = {
        "place_discoverer": 16,
        "move_discoverer": 16,
        "discover_tile": 7,
        "place_tile": spaces + 1,
        "remove_tile": spaces - 1,
        "move_ship": spaces,
    }
    for seed in range(3):
        match = begin(GAME, 2, {"rules": rules, "board": board}, seed)
        while match.outcome is None:
            for decision in match.asked():
                assert len(decision.options) <= most[decision.kind]
                assert all(option.group == "" for option in decision.options)
            match = play_turn(match)


def test_the_notes_say_what_lies_on_a_spot() -> None:
    view = view_of(
        match_at(position(side("q3=22"), side("q3=1"), matrix=matrix_with(a=96, e=15))), P2
    )
    assert view.note("e") == "left_end"
    assert view.note("q3") == "single"
    assert view.note("q4") == view.note("1") == view.note("nowhere") == ""
    assert view.note("15") == "left_end"
    assert view.note("16") == ""


def test_unseen_tiles_are_counted() -> None:
    view = view_of(begin(GAME, 2, {}, 3), None)
    assert sum(count for _, count in view.tally) == len(view.supply) == 81
    assert dict(view.tally)["volcano"] == 2


def test_nothing_in_a_position_reveals_which_tile_comes_next() -> None:
    """The supply is sorted, and a tile is drawn only when it is turned up: different seeds turn up
    different tiles.
    """
    match = picked(match_at(position(side(), side(), discoverer="16")), "1,a,r3")
    drafted = match.tip(P1)
    assert list(drafted.supply) == sorted(drafted.supply)
    turned_up = {GAME.advance(drafted, Table(str(seed))).matrix[0] for seed in range(60)}
    assert turned_up == set(drafted.supply)


@pytest.mark.parametrize("seats", range(2, 6))
def test_a_snapshot_stays_small(seats: int) -> None:
    match = begin(GAME, seats, {"rules": "pro"}, "size")
    largest = 0
    while match.outcome is None:
        match = play_turn(match)
        largest = max(largest, len(snapshot(match)))
    assert largest < 2000


def test_a_match_under_way_is_loaded_with_its_draft() -> None:
    match = begin(GAME, 3, {"rules": "advanced", "board": "atoll"}, "draft")
    for _ in range(20):
        match = play_turn(match)
    (seat,) = match.waiting_for()
    (decision,) = match.decisions(seat)
    drafted = match.pick(Answer(seat, decision.kind, (decision.options[0].key,)))
    assert load(save(drafted)) == load(snapshot(drafted)) == drafted
    assert load(snapshot(drafted)).view(seat) == drafted.view(seat)


def test_the_same_seed_plays_the_same_match() -> None:
    one, other = (play_to_end(begin(GAME, 4, {}, "again")) for _ in range(2))
    assert one == other
    assert one.outcome == other.outcome


@pytest.mark.parametrize(("board", "turns"), [("front", 381), ("atoll", 469)])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_after_any_opening_there_are_381_or_469_first_turns(
    board: str, turns: int, seed: str
) -> None:
    """7 positions; 22 takes x (16 or 20 spaces and the storage) and 7 rests, whatever the tiles."""
    table = Table(seed)
    start = GAME.advance(
        GAME.setup(3, {"rules": "pro", "board": board, "first": "1"}, table), table
    )
    openings = list(whole_turns(GAME, start, P1))
    assert len(openings) == 16
    for tip in openings:
        assert sum(1 for _ in whole_turns(GAME, GAME.advance(tip, table), P2)) == turns
