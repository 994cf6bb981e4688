"""The board: the published one, its codes and neighbours, and what a menu can show of it."""

from collections import Counter

import msgspec
import pytest

from engine.blue_lagoon.board import MENU, Board, Place, bits, board_of
from engine.blue_lagoon.mapdata import read_map
from tests.engine.blue_lagoon.maps import Map, archipelago, large_island, many_islands, nine_islands
from tests.engine.blue_lagoon.table import BOARD, bits_of

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
    """The board as letters: island and circle, or sea."""
    rows: list[list[str]] = [[] for _ in board.data.row_widths]
    for place in board.places:
        rows[place.row].append(f"{place.island.upper()}{'o' if place.circle else '.'}" if place.island else "~~")
    return rows


def made(data: Map) -> Board:
    """The board of a map given as a dict."""
    return board_of(msgspec.json.encode(data).decode())


def test_the_board_is_the_published_one() -> None:
    assert drawn(BOARD) == [line.split() for line in PUBLISHED.strip("\n").splitlines()]
    assert BOARD.values == {"a": 6, "b": 6, "c": 6, "d": 8, "e": 8, "f": 8, "g": 10, "h": 10}
    assert BOARD.item_counts == (6, 6, 6, 6, 8)
    counts = (len(BOARD.places), BOARD.land.bit_count(), BOARD.sea.bit_count(), BOARD.circles.bit_count())
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
def test_codes_are_island_letter_and_number_in_reading_order(cell: tuple[int, int], code: str) -> None:
    assert BOARD.by_cell[cell].code == code


def test_every_island_has_its_codes() -> None:
    last = Counter(place.island for place in BOARD.places)
    assert last == {"": 46, "a": 11, "b": 11, "c": 11, "d": 15, "e": 14, "f": 14, "g": 20, "h": 20}
    assert {place.code for place in BOARD.places if place.island == "g"} == {f"g{n}" for n in range(1, 21)}
    assert {place.code for place in BOARD.places if not place.island} == {str(n) for n in range(1, 47)}


def middle(place: Place) -> tuple[float, float]:
    """Where a hex lies when the board is drawn: even rows are shifted half a cell to the right."""
    return place.column + (0.5 if place.row % 2 == 0 else 0.0), place.row * 3**0.5 / 2


def touches(one: Place, other: Place) -> bool:
    """Whether two hexes of the drawing share a side: their middles are one width apart."""
    (x, y), (u, v) = middle(one), middle(other)
    return abs((x - u) ** 2 + (y - v) ** 2 - 1) < 0.01


SIZES = [
    archipelago(rows, short, [(0, 0, 1, 1)], 1, items={"C": 1}) for rows in (1, 2, 3, 8, 13) for short in (2, 5, 12)
]


@pytest.mark.parametrize("board", [BOARD, *map(made, SIZES)], ids=lambda board: f"{board.data.row_widths[:2]}")
def test_neighbours_are_the_hexes_that_touch_in_a_drawing(board: Board) -> None:
    """Shifts of the bitboard, the table of steps and the geometry of the picture agree for every cell."""
    for place in board.places:
        bit = board.bit(place)
        expected = sum(board.bit(other) for other in board.places if touches(place, other))
        assert board.near(bit) == expected, place
        assert board.beside[bit] == expected, place


def test_the_neighbours_of_a_set_are_those_of_its_places() -> None:
    places = bits_of("a1 a9 17 c11 46 e6 d15")
    expected = 0
    for bit in bits(places):
        expected |= BOARD.beside[bit]
    assert BOARD.near(places) == expected


def test_groups_are_the_connected_parts() -> None:
    groups = {frozenset(bits(group)) for group in BOARD.groups(bits_of("a4 1 b1 17 18 c9"))}
    assert groups == {frozenset(bits(bits_of(codes))) for codes in ("a4 1 b1", "17 18", "c9")}
    assert list(BOARD.groups(0)) == []


def group_sizes(board: Board) -> Counter[str]:
    """How many options each menu group could ever hold: all of the board's."""
    return Counter(option.group for option in board.options(board.all, board.land))


def test_the_published_board_needs_18_groups_of_at_most_23() -> None:
    sizes = group_sizes(BOARD)
    assert len(sizes) == 18
    assert max(sizes.values()) == 23
    assert sizes["sea-1"] == sizes["sea-2"] == 23
    assert sum(sizes.values()) == 278
    sea = {option.key: option.group for option in BOARD.options(BOARD.sea, 0)}
    assert (sea["1"], sea["23"], sea["24"], sea["46"]) == ("sea-1", "sea-1", "sea-2", "sea-2")


@pytest.mark.parametrize("data", [nine_islands(), many_islands(), large_island()], ids=["nine", "many", "large"])
def test_other_maps_fit_menus_too(data: Map) -> None:
    board = made(data)
    sizes = group_sizes(board)
    assert len(sizes) <= MENU
    assert max(sizes.values()) <= MENU
    assert sum(sizes.values()) == len(board.places) + board.land.bit_count()


def test_an_island_too_large_for_a_menu_is_split_in_reading_order() -> None:
    groups = {option.key: option.group for option in made(large_island()).options(made(large_island()).land, 0)}
    assert [groups[f"a{n}"] for n in (1, 15, 16, 30)] == ["settler-a-1", "settler-a-1", "settler-a-2", "settler-a-2"]
    assert groups["b1"] == "settler-b"


def test_islands_too_many_for_menus_share_them() -> None:
    groups = {option.group for option in made(many_islands()).options(made(many_islands()).land, 0)}
    assert groups == {"settler-a-l", "settler-m-x", "settler-y-ad"}


def test_options_are_the_same_objects_every_time() -> None:
    first, second = BOARD.options(BOARD.sea, 0), BOARD.options(BOARD.sea, 0)
    assert all(one is other for one, other in zip(first, second, strict=True))


def test_settlers_and_villages_of_different_places_are_listed_apart() -> None:
    keys = [option.key for option in BOARD.options(bits_of("17"), bits_of("a1 b1"))]
    assert keys == ["17", "a1v", "b1v"]
    assert [option.key for option in BOARD.options(bits_of("17 a1"), bits_of("a1"))] == ["a1", "a1v", "17"]


def test_a_board_is_made_once() -> None:
    assert board_of("default") is board_of("default")
    assert read_map("default").name == "default"
