"""Maps that hosts write: every fault is refused with a text, and maps without one can be played."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from engine import GAMES, Answer, BadSettings, Malformed, Match, begin, load, save, snapshot
from engine.blue_lagoon.board import board_of
from engine.blue_lagoon.events import Cleared, Dealt
from engine.blue_lagoon.mapdata import MapData
from engine.blue_lagoon.scoring import score_islands, score_majorities
from engine.core.transcript import replay, write
from tests.engine.blue_lagoon.maps import (
    Map,
    archipelago,
    large_island,
    many_islands,
    nine_islands,
    published,
)

GAME = GAMES["blue_lagoon"]
Spoil = Callable[[Map], object]


def start(board: Any, seats: int = 2) -> Match:
    """Start a match on a map."""
    return begin(GAME, seats, {"board": board}, "maps")


def island(data: Map, letter: str) -> Map:
    """Return an island of a map."""
    return next(i for i in data["islands"] if i["id"] == letter)


BAD: dict[str, tuple[Spoil, str]] = {
    "a cell right of its row": (
        lambda d: island(d, "D")["cells"].append([0, 12]),
        "isn't on the board",
    ),
    "a cell below the board": (
        lambda d: island(d, "F")["cells"].append([13, 0]),
        "isn't on the board",
    ),
    "a negative cell": (lambda d: island(d, "A")["cells"].append([-1, 0]), "isn't on the board"),
    "an island in two parts": (
        lambda d: island(d, "A")["cells"].append([12, 9]),
        "isn't in one piece",
    ),
    "an island without cells": (
        lambda d: island(d, "A").update(cells=[]),
        "isn't in one piece",
    ),
    "islands that touch": (
        lambda d: island(d, "A")["cells"].append([0, 4]),
        "A and B touch|B and A touch",
    ),
    "islands that overlap": (
        lambda d: island(d, "A")["cells"].extend([[0, 4], [0, 5]]),
        "listed twice",
    ),
    "a cell listed twice": (lambda d: island(d, "A")["cells"].append([0, 0]), "listed twice"),
    "a circle at sea": (lambda d: d["stone_circles"].append([0, 4]), "is in the sea"),
    "a circle outside": (lambda d: d["stone_circles"].append([99, 0]), "isn't on the board"),
    "a circle twice": (lambda d: d["stone_circles"].append([0, 0]), "stone circle twice"),
    "fewer circles than items": (
        lambda d: d["stone_circles"].pop(),
        "32 items but only 31 stone circles",
    ),
    "more items than circles": (
        lambda d: d["items"].update(C=7),
        "33 items but only 32 stone circles",
    ),
    "an unknown item": (lambda d: d["items"].update(X=0), "item 'X'"),
    "a negative count": (lambda d: d["items"].update(C=-1), "item 'C'"),
    "no resources": (lambda d: d.update(items={"S": 8}), "no resources"),
    "one id for two islands": (
        lambda d: island(d, "B").update(id="a"),
        "two islands are called 'a'",
    ),
    "an id with a digit": (lambda d: island(d, "B").update(id="B1"), "one or two letters"),
    "an empty id": (lambda d: island(d, "B").update(id=""), "one or two letters"),
    "an id with a comma": (lambda d: island(d, "B").update(id=","), "one or two letters"),
    "a foreign letter": (lambda d: island(d, "B").update(id="ß"), "one or two letters"),
    "a long id": (lambda d: island(d, "B").update(id="bbb"), "one or two letters"),
    "a value too large for its sign": (
        lambda d: island(d, "B").update(majority_value=1000),
        "worth 1000",
    ),
    "a negative value": (lambda d: island(d, "B").update(majority_value=-6), "worth -6"),
    "rows that do not stagger": (
        lambda d: d["row_widths"].__setitem__(3, 12),
        "odd rows one space wider",
    ),
    "even rows of two widths": (
        lambda d: d["row_widths"].__setitem__(4, 11),
        "even rows must be equally wide",
    ),
    "long rows first": (
        lambda d: d.update(row_widths=[13, 12] * 6 + [13]),
        "odd rows one space wider",
    ),
    "a row of nothing": (lambda d: d.update(row_widths=[0], height=1), "has 0 spaces"),
    "no rows": (lambda d: d.update(row_widths=[], height=0), "0 rows"),
    "a height that lies": (lambda d: d.update(height=14), "height says 14"),
    "too many rows": (lambda d: d.update(row_widths=[12, 13] * 500, height=1000), "1000 rows"),
    "rows too wide": (lambda d: d.update(row_widths=[10**9], height=1), "spaces instead of"),
    "other neighbours": (
        lambda d: d["neighbour_deltas"].update(even_row=d["neighbour_deltas"]["odd_row"]),
        "neighbour_deltas",
    ),
    "settlers for five": (
        lambda d: d["pieces"]["settlers"].update({"5": 9}),
        "settlers for '5' players",
    ),
    "no settlers at all": (
        lambda d: d["pieces"]["settlers"].update({"2": 0}),
        "settlers for '2' players",
    ),
    "settlers not given": (
        lambda d: d["pieces"]["settlers"].pop("2"),
        "how many settlers each player gets with 2 players",
    ),
    "negative villages": (lambda d: d["pieces"].update(villages=-1), "-1 villages"),
    "no islands": (lambda d: d.update(islands=[], stone_circles=[], items={}), "no land"),
    "an unprintable name": (lambda d: d.update(name="a\nb"), "name"),
    "rows missing": (lambda d: d.pop("row_widths"), r"row\\_widths"),
    "islands missing": (lambda d: d.pop("islands"), "islands"),
    "circles missing": (lambda d: d.pop("stone_circles"), r"stone\\_circles"),
    "a cell of three": (lambda d: island(d, "A")["cells"].append([1, 2, 3]), "not a map"),
    "a cell of text": (lambda d: island(d, "A")["cells"].append("a1"), "not a map"),
    "a fraction": (lambda d: island(d, "A").update(majority_value=6.5), "not a map"),
}


@pytest.mark.parametrize("what", BAD)
def test_an_invalid_map_is_refused_with_its_fault(what: str) -> None:
    spoil, reason = BAD[what]
    data = published()
    spoil(data)
    with pytest.raises(BadSettings, match=reason):
        start(data)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "[]",
        "null",
        "5",
        "nowhere",
        "../default",
        "{" * 5000,
        '{"row_widths": ' + "[" * 5000,
        "\ud800",
        " ",
    ],
)
def test_a_text_that_is_not_a_map_is_refused(text: str) -> None:
    with pytest.raises(BadSettings, match=r"not a map|no map|can't be saved"):
        start(text)


@pytest.mark.parametrize(
    "board", [object(), board_of("default"), {1: {2, 3}, "x": open}, b"{}", 7, None]
)
def test_an_object_that_is_not_a_map_is_refused(board: object) -> None:
    with pytest.raises(BadSettings, match=r"neither text nor|not a map|no map"):
        start(board)


def test_a_huge_text_is_refused_unread() -> None:
    with pytest.raises(BadSettings, match="too long"):
        start('{"name": "' + "x" * 200_000 + '"}')


def test_an_unknown_map_name_is_refused() -> None:
    with pytest.raises(BadSettings, match="map"):
        begin(GAME, 2, {"map": "atlantis"}, 1)


def test_a_map_without_sea_is_refused() -> None:
    data = archipelago(2, 2, [(0, 0, 2, 2)], 1, items={"C": 1})
    data["islands"][0]["cells"] = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]
    with pytest.raises(BadSettings, match="no sea"):
        start(data)


@pytest.mark.parametrize("short", [29, 12])
def test_a_map_of_any_size_within_its_rows_can_be_played(short: int) -> None:
    """More maps will come: how many places a menu can list is no matter of the rules."""
    match = start(archipelago(30, short, [(0, 0, 2, 2), (20, 5, 6, 6)], 4, items={"C": 1}))
    (decision,) = match.decisions(match.waiting_for()[0])
    assert len(decision.options) == sum(short + row % 2 for row in range(30)) - 40


def test_settlers_are_needed_only_for_the_seats_at_the_table() -> None:
    data = published()
    data["pieces"]["settlers"] = {"3": 7}
    assert {side.settlers_left for side in start(data, 3).base.sides} == {7}
    with pytest.raises(BadSettings, match="2 players"):
        start(data, 2)


def played(match: Match, seed: int) -> Match:
    """Play the match at random to its end."""
    rng = Random(seed)
    cells = len(board_of(match.base.map).places)
    for _ in range(2 * cells):
        if match.outcome:
            return match
        (seat,) = match.waiting_for()
        (decision,) = match.decisions(seat)
        match = match.pick(
            Answer(seat, decision.kind, (rng.choice(decision.options).key,))
        ).confirm(seat)
    raise AssertionError("more placements than two phases have cells")


OTHER = {
    "nine": (nine_islands, (2, 3, 4)),
    "many": (many_islands, (2,)),
    "large": (large_island, (2, 4)),
}


@pytest.mark.parametrize(
    ("which", "seats"), [(which, seats) for which, (_, all_) in OTHER.items() for seats in all_]
)
def test_other_maps_are_played_to_the_end_saved_and_replayed(which: str, seats: int) -> None:
    match = played(start(OTHER[which][0](), seats), seats)
    assert match.outcome is not None
    assert load(save(match)) == load(snapshot(match)) == match
    text = write(match)
    assert replay(text) == match
    assert write(replay(text)) == text


def test_on_a_ninth_island_20_points_are_still_20() -> None:
    """Ruling: 20 for 8 or more islands, 10 for exactly 7."""
    board = board_of(start(nine_islands()).base.map)
    spots = [board.by_code[f"{letter}1"].bit for letter in "abcdefghi"]
    assert [score_islands(board, sum(spots[:count])) for count in (9, 8, 7, 6)] == [20, 20, 10, 0]


def test_islands_of_other_values_give_those() -> None:
    """Majorities score the points shown on the board."""
    board = board_of(start(nine_islands()).base.map)
    assert score_majorities(board, [board.by_code["i1"].bit, 0]) == (11, 0)


def test_with_more_circles_than_items_the_circles_are_drawn() -> None:
    """Ruling B2: 32 circles drawn at random get items."""
    dealt = []
    for seed in range(4):
        match = begin(GAME, 2, {"board": nine_islands()}, seed)
        (deal,) = [event for event in match.events if isinstance(event, Dealt)]
        board = board_of(match.base.map)
        spots = [spot for spot, _ in deal.items]
        assert len(spots) == len(set(spots)) == 32
        assert all(board.by_code[spot].circle for spot in spots)
        dealt.append(frozenset(spots))
    assert len(set(dealt)) > 1


def test_villages_leave_every_circle_with_an_item_or_without() -> None:
    """Ruling B2: villages leave every circle."""
    for seed in range(6):
        match = played(begin(GAME, 2, {"board": nine_islands()}, seed), seed)
        board = board_of(match.base.map)
        (cleared,) = [event for event in match.events if isinstance(event, Cleared)]
        assert all(board.by_code[spot].circle for spot in cleared.villages)
        standing = sum(side.villages for side in match.base.sides)
        assert not standing & board.circles


def test_a_map_may_be_given_as_dict_text_or_data() -> None:
    data = nine_islands()
    text = msgspec.json.format(msgspec.json.encode(data), indent=2).decode()
    structured = msgspec.convert(data, MapData)
    matches = [start(board) for board in (data, text, structured)]
    assert len({match.base for match in matches}) == 1
    assert replay(write(matches[1])) == matches[1]


def test_the_published_map_as_a_dict_is_the_same_board() -> None:
    custom = start(published())
    bundled = begin(GAME, 2, {}, "maps")
    assert board_of(custom.base.map).places == board_of("default").places
    assert custom.base.items == bundled.base.items
    assert bundled.base.map == "default"


def test_a_save_with_a_spoilt_map_is_malformed() -> None:
    raw = msgspec.json.decode(save(begin(GAME, 2, {}, 1)))
    for spoilt in ("../../default", "{}", "", "nowhere"):
        raw["base"]["map"] = spoilt
        with pytest.raises(Malformed):
            load(msgspec.json.encode(raw))


BROKEN: dict[str, Spoil] = {
    "a side is missing": lambda base: base["sides"].pop(),
    "a side too many": lambda base: base["sides"].append(base["sides"][0]),
    "no such phase": lambda base: base.update(phase="siesta"),
    "over without points": lambda base: base.update(phase="over"),
    "a seat below the first is in turn": lambda base: base["agenda"][0].update(seat=-1),
    "a seat above the last is in turn": lambda base: base["agenda"][0].update(seat=7),
    "nobody is in turn": lambda base: base.update(agenda=[]),
    "an unknown step": lambda base: base["agenda"][0].update(type="Dance"),
    "an end that has not come": lambda base: base.update(
        agenda=[{"type": "EndGame", "why": "no_settlement"}]
    ),
    "four kinds of items": lambda base: base["items"].pop(),
    "one kind held": lambda base: base["sides"][0].update(held=[0]),
    "a last spot that is nowhere": lambda base: base.update(spot="z9"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_save_without_a_position_is_malformed(what: str) -> None:
    raw = msgspec.json.decode(save(begin(GAME, 3, {}, 1)))
    BROKEN[what](raw["base"])
    with pytest.raises(Malformed):
        load(msgspec.json.encode(raw))


@pytest.mark.parametrize("field", ["settlers", "villages"])
@pytest.mark.parametrize("value", [-1, 1 << 13, 1 << 500, "x", None])
def test_a_save_with_pieces_off_the_board_is_malformed(field: str, value: object) -> None:
    """Bit 13 is the gap after the first row."""
    raw = msgspec.json.decode(save(begin(GAME, 2, {}, 1)))
    raw["base"]["sides"][1][field] = value
    with pytest.raises(Malformed):
        load(msgspec.json.encode(raw))


@pytest.mark.parametrize("hostile", ["**evil**", "[x](http://e.x)", "<@666>", "@everyone"])
def test_map_errors_are_reported_without_the_author_s_markup(hostile: str) -> None:
    data = published()
    island(data, "A")["id"] = hostile[:10]
    item = published() | {"items": {hostile[:10]: 1}}
    for source in (data, item, hostile, f"{hostile[:20]}: 1\n  Ao  ~~", f"{hostile[:20]} ~~\n"):
        with pytest.raises(BadSettings) as refused:
            start(source)
        assert hostile[:10] not in re.sub(r"\\.", "", str(refused.value)), source
