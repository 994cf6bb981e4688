"""Positions shared by the tests of pictures."""

from functools import cache

from msgspec import Struct

from engine import Match, Seat, View
from render.sample import play_randomly

SMALL_MAP = {
    "name": "small",
    "row_widths": [9, 10, 9, 10, 9, 10, 9],
    "islands": [
        {"id": "A", "majority_value": 4, "cells": [[r, c] for r in range(7) for c in range(4)]},
        {"id": "B", "majority_value": 14, "cells": [[r, c] for r in range(7) for c in range(6, 9)]},
    ],
    "stone_circles": [[r, c] for r in range(7) for c in (0, 2, 3, 6, 8)][:32],
}


def long_map(rows: int, columns: int) -> dict[str, object]:
    """Return a map of many small islands, three rows high and three spaces wide."""
    widths = [columns - 1 + row % 2 for row in range(rows)]
    corners = [
        (row, column) for row in range(0, rows - 2, 4) for column in range(0, columns - 4, 5)
    ][:11]
    islands = [
        {
            "id": "ABCDEFGHIJK"[number],
            "majority_value": 5 + number,
            "cells": [[row + r, column + c] for r in range(3) for c in range(3)],
        }
        for number, (row, column) in enumerate(corners)
    ]
    circles = [[row + r, column + c] for row, column in corners for r in (0, 2) for c in (0, 2)][
        :32
    ]
    return {"name": "long", "row_widths": widths, "islands": islands, "stone_circles": circles}


@cache
def match_of(seats: int, seed: int = 7) -> tuple[Match, ...]:
    """Return a random match of Blue Lagoon, position by position."""
    return tuple(play_randomly("blue_lagoon", seats, seed, {"first": "1"}))


def start_of(settings: dict[str, object], seats: int = 4, moves: int = 30) -> Match:
    """Return a match on a custom map after some moves."""
    for number, match in enumerate(
        play_randomly("blue_lagoon", seats, 5, {"first": "1", **settings})
    ):
        if number == moves:
            return match
    raise AssertionError("the match was too short")


class Store(Struct, frozen=True):
    """What a seat owns in the made-up game."""

    shells: int
    tiles: tuple[str, ...]


class AtollView(View, frozen=True, kw_only=True):
    """A view of a game without its own renderer."""

    round_number: int
    stores: tuple[Store, ...]
    bag: dict[str, int]
    story: str = "A long story. " * 12


def atoll(seats: int = 3) -> AtollView:
    """Return a position of the made-up game."""
    return AtollView(
        game="atoll",
        viewer=None,
        to_move=(Seat(1),),
        scores=tuple(2.5 * seat for seat in range(seats)),
        round_number=3,
        stores=tuple(Store(seat, ("a1", "b2")[:seat]) for seat in range(seats)),
        bag={"red": 3, "blue": 5},
    )
