"""Maps for tests, to play on or to break on purpose: the published one, and generated ones.

`published` returns a fresh copy, which a test may change. Add a builder for every new shape of map.
"""

from typing import Any

import msgspec

from engine.blue_lagoon.mapdata import DATA

Map = dict[str, Any]


def published() -> Map:
    """Return a fresh copy of the published map."""
    data: Map = msgspec.json.decode((DATA / "default.json").read_bytes())
    return data


def archipelago(
    rows: int, short: int, blobs: list[tuple[int, int, int, int]], circles: int, **other: Any
) -> Map:
    """Return a map of rectangular islands: (first row, first column, height, width) each."""
    islands = []
    for number, (row, column, height, width) in enumerate(blobs):
        cells = [[r, c] for r in range(row, row + height) for c in range(column, column + width)]
        islands.append({"id": name(number), "majority_value": 3 + number, "cells": cells})
    land = [cell for island in islands for cell in island["cells"]]
    step = len(land) / circles
    chosen = [land[int(number * step)] for number in range(circles)]
    return {
        "row_widths": [short + row % 2 for row in range(rows)],
        "islands": islands,
        "stone_circles": chosen,
        **other,
    }


def name(number: int) -> str:
    """Return a name for a number: a to z, then aa, ab, …"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[number] if number < 26 else letters[number // 26 - 1] + letters[number % 26]


def nine_islands() -> Map:
    """Return a map with 14 rows, 9 islands worth 3 to 11, and 36 circles for 32 items."""
    blobs = [(row, column, 3, 3) for row in (0, 5, 10) for column in (0, 5, 10)]
    return archipelago(14, 13, blobs, circles=36, name="nine")


def many_islands() -> Map:
    """Return a map with 20 rows, 30 islands of 2 cells, and few items."""
    blobs = [(row, column, 1, 2) for row in range(0, 20, 4) for column in range(0, 24, 4)]
    items = {"C": 2, "B": 2, "W": 2, "P": 2, "S": 2}
    return archipelago(
        20, 24, blobs, circles=20, items=items, pieces={"settlers": {"2": 12}, "villages": 2}
    )


def large_island() -> Map:
    """Return a map with an island of 30 cells beside a small one."""
    blobs = [(1, 1, 5, 6), (8, 1, 2, 2)]
    items = {"C": 3, "B": 3, "W": 3, "P": 3, "S": 3}
    return archipelago(11, 9, blobs, circles=15, items=items)
