"""Snapshots, which are saved with every commit, stay small."""

import json

import pytest

from engine import load, snapshot
from tests.engine.conquest.wars import war

MOST = {2: 3_000, 3: 3_600, 4: 4_200}
"""Bytes of a late position with all its pieces on the map, by the number of seats."""


@pytest.mark.parametrize("seats", MOST)
def test_a_snapshot_in_the_middle_of_a_war_stays_small(seats: int) -> None:
    assert max(len(snapshot(war(seats, seed))) for seed in range(4)) < MOST[seats]


def test_unchanged_parts_are_not_written() -> None:
    match = war(3, 0)
    base = json.loads(snapshot(match))["base"]
    assert "battle" not in base and "out" not in base["nations"][0]
    assert load(snapshot(match)) == match
