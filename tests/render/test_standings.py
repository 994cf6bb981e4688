"""Pictures of statistics and leaderboards: texts never overlap, and alt texts say the same."""

from collections.abc import Callable
from itertools import combinations

import pytest
from msgspec.structs import replace
from PIL import Image

from render import standings
from render.alt import LIMIT
from render.fonts import record_texts
from render.standings import (
    Curve,
    Entry,
    GameLine,
    MeetingLine,
    PairSheet,
    PlayerSheet,
    RatingList,
    SoloLine,
    VersusLine,
)
from render.standings.leaderboard import draw_list_image, draw_lists_image
from render.standings.pair import draw_pair_image
from render.standings.player import draw_player_image

LONG = "Christopher Featherstonehaugh-Sm"
NAMES = ("Moana", LONG, "たなか さくら", "محمد علي", "Ngā Tamariki", "Ana 🌊", "Ravi शर्मा", "สมชาย")
DAY = 86_400
POINTS = tuple((1_760_000_000 + day * DAY, 1000 + 15 * day) for day in range(20))


def entry(rank: int, name: str) -> Entry:
    """Return an entry with a rating that falls with its rank."""
    return Entry(
        rank=rank,
        name=name,
        rating=1280 - 18 * rank,
        matches=900 - rank,
        wins=800 - rank,
        is_provisional=rank % 3 == 0,
        is_own=rank == 2,
    )


ENTRIES = tuple(entry(place, NAMES[place % len(NAMES)]) for place in range(1, 17))
GAMES = tuple(
    GameLine(title=title, ranks=ranks, best=1000.5, mean=-123.45, rating=rating)
    for title, ranks, rating in (
        ("Conquest of Paradise", (812, 7, 0, 110), ENTRIES[0]),
        ("Maori", (0, 0, 0, 0, 1), None),
        ("Blue Lagoon", (1, 2), ENTRIES[15]),
    )
)
SOLO = (
    SoloLine(title="Conquest of Paradise", played=1400, won=900, best=1000.5),
    SoloLine(title="Maori", played=1, won=0, best=-3),
)
PLAYER = PlayerSheet(
    name=LONG,
    scope="on a server with a name of forty characters",
    facts=(
        ("Winning streak", "12 wins right now; best 15"),
        ("Favourite table", f"120 matches with {', '.join(NAMES)}"),
    ),
    games=GAMES,
    solo=SOLO,
    curve_game="Conquest of Paradise",
    curve=Curve(LONG, POINTS),
)
PAIR = PairSheet(
    names=(LONG, NAMES[2]),
    scope="on all servers",
    facts=(("Most wins in a row", f"{LONG} 14, {NAMES[2]} 13"),),
    games=tuple(
        VersusLine(title=title, ahead=ahead, level=level, behind=behind, means=(1000.5, 999.5))
        for title, ahead, level, behind in (
            ("Conquest of Paradise", 100, 1, 99),
            ("Maori", 0, 1, 0),
            ("Polynesia", 1, 0, 400),
        )
    ),
    meetings=(MeetingLine("Conquest of Paradise", POINTS[0][0], (1, 4), (1000.5, 999.5)),) * 6,
    curve_game="Conquest of Paradise",
    curves=(Curve(LONG, POINTS), Curve(NAMES[2], POINTS[3:5])),
)
ALONE = PlayerSheet(name="Bo", scope="here", facts=(), games=(), solo=SOLO)
ONCE = PlayerSheet(
    name="Bo",
    scope="here",
    facts=(),
    games=GAMES[1:2],
    curve_game="Maori",
    curve=Curve("Bo", POINTS[:1]),
)
LISTS = [
    RatingList("Conquest of Paradise", ENTRIES[:6]),
    RatingList("Maori", ()),
    RatingList("Blue Lagoon", ENTRIES[2:4]),
]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: draw_player_image(PLAYER),
        lambda: draw_player_image(ALONE),
        lambda: draw_player_image(ONCE),
        lambda: draw_pair_image(PAIR),
        lambda: draw_list_image(
            RatingList("Maori", ENTRIES), "here", "A note that is long enough for two lines. " * 3
        ),
        lambda: draw_list_image(RatingList("Maori", ()), "here", "A note."),
        lambda: draw_lists_image(LISTS, "here", "A note."),
    ],
    ids=["player", "alone", "once", "pair", "list", "empty", "lists"],
)
def test_no_word_covers_another_or_leaves_the_paper(draw: Callable[[], Image.Image]) -> None:
    with record_texts() as texts:
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
    description = standings.describe_player(PLAYER)
    assert "812, 7, 0, 110" in description
    assert "rating 1262." in description
    assert "Conquest of Paradise, solo: 1400 played, 900 won, best score 1000½." in description
    pair = standings.describe_pair(PAIR)
    assert "ahead 100, tied 1" in pair and "average scores 1000.5 and 999.5" in pair
    lists = standings.describe_lists(
        [RatingList("Maori", ENTRIES), RatingList("Polynesia", ())], "here", "A note."
    )
    assert "1. Christopher Featherst… 1262;" in lists
    assert "3. محمد علي 1226 (provisional);" in lists
    assert max(map(len, (description, pair, lists))) <= LIMIT


def test_a_picture_is_a_file_of_the_house_palette() -> None:
    assert (
        standings.draw_pair(PAIR)[:8]
        == standings.draw_lists(LISTS, "here", "")[:8]
        == b"\x89PNG\r\n\x1a\n"
    )


def test_a_provisional_rating_is_marked_however_long_the_name_is() -> None:
    entries = tuple(replace(one, name=LONG * 2, is_provisional=True) for one in ENTRIES[:3])
    with record_texts() as texts:
        draw_list_image(RatingList("Maori", entries), "here", "")
    assert [written.text for written in texts].count("provisional") == 3
    with record_texts() as texts:
        draw_lists_image([RatingList("Maori", entries), RatingList("Polynesia", ())], "here", "")
    marked = [f"{entry.rating}?" for entry in entries]
    assert [written.text for written in texts if written.text in marked] == marked


def test_a_player_without_matches_with_others_has_no_zeros_above_the_solo_matches() -> None:
    with record_texts() as texts:
        draw_player_image(ALONE)
    written = [one.text for one in texts]
    assert "Solo (not rated)" in written
    assert "With other people" not in written and not any("0 matches" in one for one in written)
