"""Maps drawn in letters are read as the rules help explains."""

import re
from random import Random

import pytest

from engine import GAMES, BadSettings, begin
from engine.blue_lagoon.mapdata import MapData, canonical, read_map
from engine.core.words import words_of
from tests.contract.player import play_out
from tests.engine.blue_lagoon.maps import published

GAME = GAMES["blue_lagoon"]
HELP = words_of("blue_lagoon").topics["maps"]["text"]
EXAMPLE = HELP.split("```")[1]
SEA = "  ~~  ~~\n~~  ~~  ~~\n"


def drawn(data: MapData) -> str:
    """Return a map as a picture in letters."""
    island = {cell: place.id for place in data.islands for cell in place.cells}
    lines = ["values: " + ", ".join(f"{place.id} {place.majority_value}" for place in data.islands)]
    for row, width in enumerate(data.row_widths):
        spaces = []
        for cell in ((row, column) for column in range(width)):
            ground = "o" if cell in data.stone_circles else "."
            spaces.append(f"{island[cell]}{ground}" if cell in island else "~~")
        lines.append(("" if row % 2 else "  ") + "  ".join(spaces))
    return "\n".join(lines)


def test_the_published_board_can_be_drawn() -> None:
    read, known = read_map(drawn(read_map("default"))), read_map("default")
    assert read.row_widths == known.row_widths
    assert set(read.stone_circles) == set(known.stone_circles)
    assert {(i.id, i.majority_value, frozenset(i.cells)) for i in read.islands} == {
        (i.id, i.majority_value, frozenset(i.cells)) for i in known.islands
    }
    assert published()["row_widths"] == list(read.row_widths)


def test_without_values_islands_are_worth_what_those_of_their_size_are_on_the_published_board() -> (
    None
):
    picture = drawn(read_map("default")).split("\n", 1)[1]
    values = {island.id: island.majority_value for island in read_map(picture).islands}
    assert values == {island.id: island.majority_value for island in read_map("default").islands}


def test_the_example_of_the_rules_help_is_a_map_and_plays_to_its_end() -> None:
    data = read_map(EXAMPLE)
    assert data.name == "Two bays"
    assert data.row_widths == (4, 5, 4)
    assert sum(data.items.values()) == 6
    match = play_out(begin(GAME, 2, {"board": EXAMPLE}, "picture"), Random(1))
    assert match.outcome is not None and match.base.map == canonical(EXAMPLE)


@pytest.mark.parametrize(
    "spelt", [EXAMPLE.replace("\n", "\r\n"), f"# mine\n\n{EXAMPLE}", f"```\n{EXAMPLE}```"]
)
def test_line_ends_blank_lines_and_remarks_do_not_matter(spelt: str) -> None:
    assert canonical(spelt) == canonical(EXAMPLE)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (SEA + "  A,  ~~", "line 3 has 'A,'"),
        (SEA + "  Abc. ~~", "line 3 has 'Abc\\.'"),
        ("scale: 3\n" + SEA, "line 1 begins with 'scale:'"),
        ("name: a\nname: b\n" + SEA, "line 2 begins with 'name:'"),
        ("values: A six\n" + SEA, "its values must be pairs"),
        ("values: Q 6\n" + SEA, "island Q a value"),
        (SEA, "no land"),
        ("  Ao  ~~\n~~  ~~", "odd rows one space wider"),
        ("  Ao  Bo\n~~  ~~  ~~", "touch"),
        ("  Ao  ~~  A.\n~~  ~~  ~~  ~~", "isn't in one piece"),
        ("items: C 1\n  A.  ~~\n~~  ~~  ~~", "1 items but only 0 stone circles"),
        ("items: S 1\n  Ao  ~~\n~~  ~~  ~~", "no resources"),
        ("items: X 1\n  Ao  ~~\n~~  ~~  ~~", "item 'X'"),
        ("name: " + "n" * 41 + "\n  Ao  ~~", "name has more than 40"),
        ("~~ " * 40, "40 spaces"),
        ("  ~~\n~~  ~~\n" * 20, "40 rows"),
        ("~" * 100_001, "too long"),
        ("an atlas", "There's no map 'an atlas'"),
    ],
)
def test_errors_in_a_drawn_map_are_reported(picture: str, why: str) -> None:
    with pytest.raises(BadSettings, match=re.escape(why)):
        begin(GAME, 2, {"board": picture})
