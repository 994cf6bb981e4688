"""The pictures of how people stand: no word covers another, whoever is called what, and alt
texts tell the same.
"""

from collections.abc import Callable
from itertools import combinations

import pytest
from msgspec.structs import replace
from PIL import Image

from render import standings
from render.alt import LIMIT
from render.fonts import recording
from render.standings import (
    Curve,
    Entry,
    GameLine,
    List,
    MeetingLine,
    PairSheet,
    PlayerSheet,
    VersusLine,
)

LONG = "Christopher Featherstonehaugh-Sm"
NAMES = ("Moana", LONG, "たなか さくら", "محمد علي", "Ngā Tamariki", "Ana 🌊", "Ravi शर्मा", "สมชาย")
DAY = 86_400
POINTS = tuple((1_760_000_000 + day * DAY, 25 + day / 4, 8 - day / 4) for day in range(20))


def entry(place: int, name: str) -> Entry:
    """Somebody with a rating that falls with their place."""
    return Entry(
        place=place,
        name=name,
        mu=34.0 - place,
        sigma=2 + place / 4,
        matches=900 - place,
        wins=800 - place,
        is_provisional=place % 3 == 0,
        is_own=place == 2,
    )


ENTRIES = tuple(entry(place, NAMES[place % len(NAMES)]) for place in range(1, 17))
GAMES = tuple(
    GameLine(title=title, places=places, best=1000.5, mean=-123.45, rating=rating)
    for title, places, rating in (
        ("Conquest of Paradise", (812, 7, 0, 110), ENTRIES[0]),
        ("Maori", (0, 0, 0, 0, 1), None),
        ("Blue Lagoon", (1, 2), ENTRIES[15]),
    )
)
APART = (
    ("resigned", 100, ""),
    ("abandoned", 0, ""),
    ("left alone", 2, ""),
    ("solo", 1400, "900 won"),
    ("unrated", 3, ""),
)
PLAYER = PlayerSheet(
    name=LONG,
    scope="on a server with a name of forty characters",
    facts=(
        ("Longest streak", "15 wins in a row; 12 at present"),
        ("Favourite table", f"120 matches with {', '.join(NAMES)}"),
    ),
    games=GAMES,
    apart=APART,
    curve_of="Conquest of Paradise",
    curve=Curve(LONG, POINTS),
)
PAIR = PairSheet(
    names=(LONG, NAMES[2]),
    scope="on all servers",
    facts=(("Most in a row ahead", f"{LONG} 14, {NAMES[2]} 13"),),
    games=tuple(
        VersusLine(title=title, ahead=ahead, level=level, behind=behind, means=(1000.5, 999.5))
        for title, ahead, level, behind in (
            ("Conquest of Paradise", 100, 1, 99),
            ("Maori", 0, 1, 0),
            ("Polynesia", 1, 0, 400),
        )
    ),
    meetings=(MeetingLine("Conquest of Paradise", POINTS[0][0], (1, 4), (1000.5, 999.5)),) * 6,
    curve_of="Conquest of Paradise",
    curves=(Curve(LONG, POINTS), Curve(NAMES[2], POINTS[3:5])),
)
NEWCOMER = PlayerSheet(name="Bo", scope="here", facts=(), games=(), apart=APART)
ONCE = PlayerSheet(
    name="Bo",
    scope="here",
    facts=(),
    games=GAMES[1:2],
    apart=APART,
    curve_of="Maori",
    curve=Curve("Bo", POINTS[:1]),
)
LISTS = [
    List("Conquest of Paradise", ENTRIES[:6]),
    List("Maori", ()),
    List("Blue Lagoon", ENTRIES[2:4]),
]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: standings.player_image(PLAYER),
        lambda: standings.player_image(NEWCOMER),
        lambda: standings.player_image(ONCE),
        lambda: standings.pair_image(PAIR),
        lambda: standings.list_image(
            List("Maori", ENTRIES), "here", "A note that is long enough for two lines. " * 3
        ),
        lambda: standings.list_image(List("Maori", ()), "here", "A note."),
        lambda: standings.lists_image(LISTS, "here", "A note."),
    ],
    ids=["player", "newcomer", "once", "pair", "list", "empty", "lists"],
)
def test_no_word_covers_another_or_leaves_the_paper(draw: Callable[[], Image.Image]) -> None:
    with recording() as texts:
        image = draw()
    on_page = [text for text in texts if text.canvas.height == image.height]
    assert len(on_page) > 3
    for text in on_page:
        left, top, right, bottom = text.box
        assert left >= 0 and top >= 0 and right <= image.width and bottom <= image.height, text
    for first, second in combinations(on_page, 2):
        (left, top, right, bottom), other = first.box, second.box
        assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top, (
            first,
            second,
        )


def test_alt_texts_tell_the_numbers_and_fit() -> None:
    told = standings.player_text(PLAYER)
    assert (
        "812, 7, 0, 110" in told
        and "rating 26.2 (estimate 33.0 ± 2.2)" in told
        and "solo 1400 (900 won)" in told
    )
    pair = standings.pair_text(PAIR)
    assert "ahead 100, level 1" in pair and "mean scores 1000.5 and 999.5" in pair
    lists = standings.lists_text([List("Maori", ENTRIES), List("Polynesia", ())], "here", "A note.")
    assert "1. Christopher Featherst… 26.2" in lists
    assert max(map(len, (told, pair, lists))) <= LIMIT


def test_a_picture_is_a_file_of_the_house_palette() -> None:
    assert (
        standings.draw_pair(PAIR)[:8]
        == standings.draw_lists(LISTS, "here", "")[:8]
        == b"\x89PNG\r\n\x1a\n"
    )


def test_however_long_a_name_is_what_says_that_a_rating_is_provisional_stands_behind_it() -> None:
    entries = tuple(replace(one, name=LONG * 2, is_provisional=True) for one in ENTRIES[:3])
    with recording() as texts:
        standings.list_image(List("Maori", entries), "here", "")
        standings.lists_image([List("Maori", entries), List("Polynesia", ())], "here", "")
    assert [written.text.strip() for written in texts].count("?") == 6
