"""The board: the published one, its codes, neighbours and areas."""

from collections import Counter

import msgspec
import pytest

from engine.blue_lagoon.board import Board, Place, bits, board_of
from engine.blue_lagoon.mapdata import read_map
from tests.engine.blue_lagoon.maps import Map, archipelago
from tests.engine.blue_lagoon.table import BOARD, bits_of, position, side

PUBLISHED = """
  Ao  A.  A.  A.  ~~  Bo  B.  B.  ~~  Do  D.  D.
A.  A.  A.  A.  Ao  ~~  B.  B.  Bo  ~~  D.  D.  Do
  A.  Ao  ~~  ~~  ~~  ~~  B.  B.  B.  ~~  D.  D.
~~  ~~  ~~  G.  G.  Go  ~~  Bo  B.  ~~  Do  D.  Do
  Eo  ~~  Go  G.  G.  G.  ~~  ~~  ~~  ~~  D.  D.
E.  E.  ~~  G.  G.  G.  G.  ~~  H.  Ho  ~~  Do  D.
  E.  E.  ~~  Go  G.  G.  Go  ~~  H.  H.  ~~  ~~
Eo  E.  E.  ~~  G.  G.  G.  ~~  Ho  H.  H.  ~~  Co
  E.  E.  Eo  ~~  G.  Go  ~~  H.  H.  H.  ~~  C.
Eo  E.  E.  ~~  ~~  ~~  ~~  H.  H.  Ho  ~~  C.  C.
  ~~  ~~  ~~  Fo  F.  ~~  Ho  H.  H.  ~~  Co  C.
Fo  F.  F.  F.  F.  Fo  ~~  H.  H.  ~~  C.  C.  C.
  F.  F.  Fo  F.  F.  F.  ~~  H.  Ho  ~~  C.  Co
"""


def drawn(board: Board) -> list[list[str]]:
    """Return the board in letters: island and circle, or sea."""
    rows: list[list[str]] = [[] for _ in board.data.row_widths]
    for place in board.places:
        rows[place.row].append(
            f"{place.island.upper()}{'o' if place.circle else '.'}" if place.island else "~~"
        )
    return rows


def made(data: Map) -> Board:
    """Return the board of a map given as a dict."""
    return board_of(msgspec.json.encode(data).decode())


def test_the_board_is_the_published_one() -> None:
    assert drawn(BOARD) == [line.split() for line in PUBLISHED.strip("\n").splitlines()]
    assert BOARD.values == {"a": 6, "b": 6, "c": 6, "d": 8, "e": 8, "f": 8, "g": 10, "h": 10}
    assert Counter(BOARD.list_items()) == {0: 6, 1: 6, 2: 6, 3: 6, 4: 8}
    counts = (
        len(BOARD.places),
        BOARD.land.bit_count(),
        BOARD.sea.bit_count(),
        BOARD.circles.bit_count(),
    )
    assert counts == (162, 116, 46, 32)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ((0, 0), "a1"),
        ((0, 4), "1"),
        ((1, 4), "a9"),
        ((3, 7), "b10"),
        ((4, 7), "17"),
        ((7, 12), "c1"),
        ((10, 6), "h14"),
        ((12, 9), "46"),
    ],
)
def test_codes_are_island_letter_and_number_in_reading_order(
    cell: tuple[int, int], code: str
) -> None:
    place = BOARD.by_code[code]
    assert (place.row, place.column) == cell


def test_every_island_has_its_codes() -> None:
    last = Counter(place.island for place in BOARD.places)
    assert last == {"": 46, "a": 11, "b": 11, "c": 11, "d": 15, "e": 14, "f": 14, "g": 20, "h": 20}
    assert {place.code for place in BOARD.places if place.island == "g"} == {
        f"g{n}" for n in range(1, 21)
    }
    assert {place.code for place in BOARD.places if not place.island} == {
        str(n) for n in range(1, 47)
    }


def middle(place: Place) -> tuple[float, float]:
    """Return the centre of a hex in the drawing: even rows are shifted half a cell to the right."""
    return place.column + (0.5 if place.row % 2 == 0 else 0.0), place.row * 3**0.5 / 2


def touches(one: Place, other: Place) -> bool:
    """Return whether two hexes of the drawing share a side: their centres are one width apart."""
    (x, y), (u, v) = middle(one), middle(other)
    return abs((x - u) ** 2 + (y - v) ** 2 - 1) < 0.01


SIZES = [
    archipelago(rows, short, [(0, 0, 1, 1)], 1, items={"C": 1})
    for rows in (1, 2, 3, 8, 13)
    for short in (2, 5, 12)
]


@pytest.mark.parametrize(
    "board", [BOARD, *map(made, SIZES)], ids=lambda board: f"{board.data.row_widths[:2]}"
)
def test_neighbours_are_the_hexes_that_touch_in_a_drawing(board: Board) -> None:
    """Shifts of the bitboard and the geometry of the picture agree for every cell."""
    for place in board.places:
        expected = sum(other.bit for other in board.places if touches(place, other))
        assert board.near(place.bit) == expected, place


def test_the_neighbours_of_a_set_are_those_of_its_places() -> None:
    places = bits_of("a1 a9 17 c11 46 e6 d15")
    expected = 0
    for bit in bits(places):
        expected |= BOARD.near(bit)
    assert BOARD.near(places) == expected


def test_groups_are_the_connected_parts() -> None:
    groups = {frozenset(bits(group)) for group in BOARD.groups(bits_of("a4 1 b1 17 18 c9"))}
    assert groups == {frozenset(bits(bits_of(codes))) for codes in ("a4 1 b1", "17 18", "c9")}
    assert list(BOARD.groups(0)) == []


def test_placements_are_listed_by_island_and_by_half_of_the_sea() -> None:
    play = position(side("a4 1", settlers_left=9, villages_left=1), side("46"))
    groups = {option.key: option.group for option in play.decision.options}
    assert (groups["2"], groups["22"], groups["23"], groups["45"]) == ("sea-north",) * 2 + (
        "sea-south",
    ) * 2
    assert (groups["b1"], groups["b1v"], groups["a3v"]) == ("settler-b", "village-b", "village-a")
    assert list(groups)[:4] == ["a3", "a3v", "b1", "b1v"], "in reading order"


def test_no_group_of_the_published_board_is_longer_than_a_menu() -> None:
    """Discord's menus have 25 lines; 8 islands for settlers, 8 for villages and the two halves
    of the sea are 18.
    """
    areas = Counter(place.area for place in BOARD.places)
    assert areas == {
        "north": 22,
        "south": 24,
        "a": 11,
        "b": 11,
        "c": 11,
        "d": 15,
        "e": 14,
        "f": 14,
        "g": 20,
        "h": 20,
    }


def test_a_board_is_made_once() -> None:
    assert board_of("default") is board_of("default")
    assert read_map("default").name == "default"
