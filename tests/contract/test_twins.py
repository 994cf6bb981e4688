"""Moves show others nothing of what is hidden: a mover's twin, who moves something else alike,
looks the same.
"""

from random import Random

import pytest

from engine import Match, Seat
from tests.contract.checks import viewers
from tests.contract.games import every_size
from tests.contract.test_pictures import shown
from tests.contract.twins import TALES, commits, followed, must_be_alike, starts, twin_of

SEEDS = 2
COMMITS = 25
"""Of a match that are watched, at most."""
TWINS = 2
"""At a time, for each viewer."""
DRAWN = 40
"""Of so many pairs that stay alike one is drawn."""
TELLING, ENOUGH = 25, 5
"""Twins of a single move, for each viewer: so many are tried at most, and so many of them have
to look alike.
"""


@pytest.mark.parametrize(("game_id", "seats"), every_size())
def test_a_move_tells_others_nothing_of_what_is_hidden(game_id: str, seats: int) -> None:
    made = 0
    for seed in range(SEEDS):
        rng = Random(f"twins {seed}")
        match = starts(game_id, seats, seed)
        twins: dict[Seat | None, list[Match]] = {}
        for before, after in commits(match, rng):
            for viewer in viewers(before):
                alive = twins.get(viewer, [])
                fresh = [twin_of(before, viewer, rng) for _ in range(TWINS - len(alive))]
                twins[viewer] = []
                for twin in (*alive, *(twin for twin in fresh if twin is not None)):
                    moved = followed(before, after, twin, viewer)
                    if moved is None or not must_be_alike(before, after, twin, moved, viewer):
                        continue
                    made += 1
                    twins[viewer].append(moved)
                    if made % DRAWN == 0:
                        assert shown(after, viewer) == shown(moved, viewer)
            if after.number - match.number > COMMITS:
                break
    assert made > 20 or not _hides(game_id, seats)


@pytest.mark.parametrize(("game_id", "seats"), [size for size in every_size() if size[0] in TALES])
def test_a_telling_move_tells_nothing(game_id: str, seats: int) -> None:
    for number, (before, after) in enumerate(TALES[game_id](seats)):
        rng, made = Random(f"tale {number}"), 0
        assert after.last is not None
        for viewer in (viewer for viewer in viewers(before) if viewer != after.last.seat):
            alike = 0
            for _ in range(TELLING):
                twin = twin_of(before, viewer, rng)
                moved = followed(before, after, twin, viewer) if twin is not None else None
                if (
                    twin is None
                    or moved is None
                    or not must_be_alike(before, after, twin, moved, viewer)
                ):
                    continue
                if not made:
                    assert shown(after, viewer) == shown(moved, viewer)
                made, alike = made + 1, alike + 1
                if alike == ENOUGH:
                    break
        assert made, f"no twin makes the move of tale {number}"


def _hides(game_id: str, seats: int) -> bool:
    """Whether a game has anything to deal anew."""
    match = starts(game_id, seats, 0)
    return any(twin_of(match, viewer, Random(0)) is not None for viewer in viewers(match))
