"""Moves reveal nothing hidden: a twin who moves something else looks the same."""

from random import Random

import pytest

from engine import Match, Seat
from tests.contract.checks import viewers
from tests.contract.games import every_size
from tests.contract.test_pictures import shown
from tests.contract.twins import TALES, check_alike, commits, follow_move, start_pair, twin_of

SEEDS = 2
COMMITS = 16
"""How many commits of a match to check."""
TWINS = 2
"""How many twins to follow at a time, for each viewer."""
DRAWN = 40
"""One in this many pairs that stay alike is drawn and compared."""
TELLING, ENOUGH = 25, 2
"""For a single move and viewer: how many twins to try, and how many must look alike."""


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_a_move_reveals_no_hidden_information_to_others(game_id: str, seats: int) -> None:
    made = 0
    for seed in range(SEEDS):
        rng = Random(f"twins {seed}")
        match = start_pair(game_id, seats, seed)
        twins: dict[Seat | None, list[Match]] = {}
        for before, after in commits(match, rng):
            for viewer in viewers(before):
                alive = twins.get(viewer, [])
                fresh = [twin_of(before, viewer, rng) for _ in range(TWINS - len(alive))]
                twins[viewer] = []
                for twin in (*alive, *(twin for twin in fresh if twin is not None)):
                    moved = follow_move(before, after, twin, viewer)
                    if moved is None or not check_alike(before, after, twin, moved, viewer):
                        continue
                    made += 1
                    twins[viewer].append(moved)
                    if made % DRAWN == 0:
                        assert shown(after, viewer) == shown(moved, viewer)
            if after.number - match.number > COMMITS:
                break
    assert made > 20 or not _hides(game_id, seats)


@pytest.mark.parametrize(("game_id", "seats"), [size for size in every_size() if size[0] in TALES])
def test_a_move_that_reveals_information_is_recognised(game_id: str, seats: int) -> None:
    for number, (before, after) in enumerate(TALES[game_id](seats)):
        rng, made = Random(f"tale {number}"), 0
        assert after.last is not None
        for viewer in (viewer for viewer in viewers(before) if viewer != after.last.seat):
            alike = 0
            for _ in range(TELLING):
                twin = twin_of(before, viewer, rng)
                moved = follow_move(before, after, twin, viewer) if twin is not None else None
                if (
                    twin is None
                    or moved is None
                    or not check_alike(before, after, twin, moved, viewer)
                ):
                    continue
                if not made:
                    assert shown(after, viewer) == shown(moved, viewer)
                made, alike = made + 1, alike + 1
                if alike == ENOUGH:
                    break
        assert made, f"no twin makes the move of tale {number}"


def _hides(game_id: str, seats: int) -> bool:
    """Return whether a game hides anything that can be redealt."""
    match = start_pair(game_id, seats, 0)
    return any(twin_of(match, viewer, Random(0)) is not None for viewer in viewers(match))
