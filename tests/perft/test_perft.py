"""One number sums up a whole tree of turns, so a rule that changes silently changes it."""

import pytest

from tests.contract.games import ALL
from tests.perft.count import HERE, Entry, count_turns, entries

ENTRIES = [(game_id, entry) for game_id in ALL for entry in entries(game_id)]


@pytest.mark.parametrize(("game_id", "entry"), ENTRIES, ids=str)
def test_there_are_as_many_turns_as_ever(game_id: str, entry: Entry) -> None:
    assert count_turns(game_id, entry) == entry.counts


@pytest.mark.parametrize("game_id", ALL)
def test_every_game_is_counted_for_each_number_of_seats(game_id: str) -> None:
    assert {entry.seats for entry in entries(game_id)} >= set(ALL[game_id].seats)
    assert all(len(entry.counts) >= 2 for entry in entries(game_id))


def test_every_count_is_of_a_game_there_is() -> None:
    assert {path.stem for path in HERE.glob("*.toml")} <= set(ALL)


def test_the_toy_is_counted_right() -> None:
    """Three cards, one or two of them bid: 3 + 3 ways a seat, and two seats bid before anything
    is shown.
    """
    assert [entry.counts[:2] for entry in entries("toy") if entry.seats == 2] == [(6, 36)]
