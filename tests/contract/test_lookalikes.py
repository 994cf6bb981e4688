"""Moves reveal nothing hidden: a lookalike match in which something else moves looks the same."""

from random import Random

import pytest

from engine import Match, Seat
from tests.contract.checks import viewers
from tests.contract.games import every_size
from tests.contract.lookalikes import (
    REVEALING_MOVES,
    check_alike,
    commits,
    follow_move,
    lookalike_of,
    start_match,
)
from tests.contract.test_pictures import shown

SEEDS = 2
COMMITS = 16
"""How many commits of each match to check; more find more, and take longer."""
LOOKALIKES = 2
"""How many lookalikes to follow at a time, for each viewer."""
PAIRS_PER_PICTURE = 40
"""Pairs that stay alike for each pair whose pictures are compared, since drawing is slow."""
MOST_TRIED, ENOUGH = 25, 2
"""For a single move and viewer: how many lookalikes to try, and how many are enough."""


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_a_move_reveals_no_hidden_information_to_others(game_id: str, seats: int) -> None:
    made = 0
    for seed in range(SEEDS):
        rng = Random(f"twins {seed}")
        match = start_match(game_id, seats, seed)
        lookalikes: dict[Seat | None, list[Match]] = {}
        for before, after in commits(match, rng):
            for viewer in viewers(before):
                alive = lookalikes.get(viewer, [])
                fresh = [lookalike_of(before, viewer, rng) for _ in range(LOOKALIKES - len(alive))]
                lookalikes[viewer] = []
                for lookalike in filter(None, (*alive, *fresh)):
                    moved = follow_move(before, after, lookalike, viewer)
                    if moved is None or not check_alike(before, after, lookalike, moved, viewer):
                        continue
                    made += 1
                    lookalikes[viewer].append(moved)
                    if made % PAIRS_PER_PICTURE == 0:
                        assert shown(after, viewer) == shown(moved, viewer)
            if after.number - match.number > COMMITS:
                break
    assert made > 20 or not _hides(game_id, seats)


@pytest.mark.parametrize(
    ("game_id", "seats"), [size for size in every_size() if size[0] in REVEALING_MOVES]
)
def test_a_move_that_reveals_information_is_recognised(game_id: str, seats: int) -> None:
    for number, (before, after) in enumerate(REVEALING_MOVES[game_id](seats)):
        rng, made = Random(f"tale {number}"), 0
        assert after.last is not None
        for viewer in (viewer for viewer in viewers(before) if viewer != after.last.seat):
            alike = 0
            for _ in range(MOST_TRIED):
                lookalike = lookalike_of(before, viewer, rng)
                moved = (
                    follow_move(before, after, lookalike, viewer) if lookalike is not None else None
                )
                if (
                    lookalike is None
                    or moved is None
                    or not check_alike(before, after, lookalike, moved, viewer)
                ):
                    continue
                if not made:
                    assert shown(after, viewer) == shown(moved, viewer)
                made, alike = made + 1, alike + 1
                if alike == ENOUGH:
                    break
        assert made, f"no lookalike can make revealing move {number}"


def _hides(game_id: str, seats: int) -> bool:
    """Return whether a game hides anything that can be redealt."""
    match = start_match(game_id, seats, 0)
    return any(lookalike_of(match, viewer, Random(0)) is not None for viewer in viewers(match))
