"""The leaderboards: all ratings of one game on a page, or short lists of several games."""

from collections.abc import Sequence
from functools import partial

from PIL import Image

from render.alt import LIMIT, clip_text
from render.fonts import Face, to_drawable
from render.palette import INK, MUTED
from render.standings.numbers import format_alt_name, format_alt_rating, format_rating
from render.standings.page import (
    HEADING_TEXT,
    LEFT,
    RIGHT,
    SMALL_TEXT,
    STRIPE,
    TINT,
    WIDTH,
    Page,
    encode_page,
    px,
)
from render.standings.records import Entry, RatingList
from render.words import words_of

# All lengths are shares of the page's width unless they are called pixels.
COLUMN_ENDS = {"rating": 0.76, "played": 0.87, "won": RIGHT}
"""The right ends of the columns of numbers, by the key of their titles."""
PROVISIONAL_LEFT, PROVISIONAL_RIGHT = 0.45, 0.67
"""Where it is written that a rating is provisional."""
TITLES_HEIGHT = 0.052
TITLES_MIDDLE = 0.03
ENTRY_HEIGHT = 0.062
ENTRY_TEXT = 0.03
RANK_END = 0.052
"""The right end of a rank, from the left of its list."""
NAME_LEFT = 0.066
NAME_ROOM = PROVISIONAL_LEFT - LEFT - NAME_LEFT - 0.01
RATING_TEXT = 0.036
COUNT_TEXT = 0.028
LIST_BOTTOM_GAP = 0.014

SHORT_LIST_ENDS = ((LEFT, 0.485), (0.515, RIGHT))
"""Left and right ends of two short lists side by side."""
SHORT_LIST_HEIGHT = 0.08
SHORT_ENTRY_HEIGHT = 0.052
SHORT_TITLE_MIDDLE = 0.04
SHORT_RULE = 0.066
SHORT_FIRST_MIDDLE = 0.096
SHORT_NOBODY_TEXT = 0.027
SHORT_ENTRY_TEXT = 0.028
SHORT_RATING_TEXT = 0.031
SHORT_RATING_INDENT = 0.006
SHORT_NAME_LEFT = 0.062
SHORT_NAME_GAP = 0.02


def draw_lists(lists: Sequence[RatingList], scope: str, note: str) -> bytes:
    """Draw one list in full, or several in short, as a PNG."""
    if len(lists) == 1:
        return encode_page(draw_list_image(lists[0], scope, note))
    return encode_page(draw_lists_image(lists, scope, note))


def draw_list_image(ratings: RatingList, scope: str, note: str) -> Image.Image:
    """Draw all ratings of one game."""
    page = Page(ratings.title, scope)
    page.add_line(TITLES_HEIGHT, partial(_draw_titles, page))
    for number, entry in enumerate(ratings.entries):
        is_striped = number % 2 == 0
        page.add_line(ENTRY_HEIGHT, partial(_draw_entry, page, entry, is_striped))
    if not ratings.entries:
        page.add_line(ENTRY_HEIGHT, partial(_draw_nobody, page))
    page.add_gap(LIST_BOTTOM_GAP)
    page.add_note(note)
    return page.draw()


def draw_lists_image(lists: Sequence[RatingList], scope: str, note: str) -> Image.Image:
    """Draw short lists of several games, two side by side."""
    page = Page(words_of().say("standing.ratings"), scope)
    for start in range(0, len(lists), 2):
        side_by_side = lists[start : start + 2]
        longest = max(len(ratings.entries) for ratings in side_by_side)
        height = SHORT_LIST_HEIGHT + SHORT_ENTRY_HEIGHT * max(1, longest)
        page.add_line(height, partial(_draw_side_by_side, page, side_by_side))
    page.add_note(note)
    return page.draw()


def describe_lists(lists: Sequence[RatingList], scope: str, note: str) -> str:
    """Describe lists of ratings as an alt text."""
    words = words_of()
    sentences = [words.say("standing.alt_list", scope=scope)]
    for ratings in lists:
        entries = []
        for entry in ratings.entries:
            name, rating = format_alt_name(entry), format_alt_rating(entry)
            sentence = words.say("standing.alt_entry", place=entry.rank, name=name, rating=rating)
            entries.append(sentence)
        joined = words.say("list.semicolon").join(entries)
        sentences.append(words.say("standing.alt_entries", game=ratings.title, entries=joined))
    sentences.append(note)
    return clip_text(" ".join(sentences), LIMIT)


def _draw_titles(page: Page, y: int) -> None:
    """Write the titles of the columns."""
    words = words_of()
    middle = y + px(TITLES_MIDDLE)
    for key, end in COLUMN_ENDS.items():
        page.write(end, middle, words.say(f"standing.{key}"), SMALL_TEXT, MUTED, align="r")


def _draw_nobody(page: Page, y: int) -> None:
    """Write that nobody is listed."""
    nobody = words_of().say("standing.nobody")
    page.write(LEFT, y + px(ENTRY_HEIGHT) // 2, nobody, ENTRY_TEXT, MUTED)


def _draw_entry(page: Page, entry: Entry, is_striped: bool, y: int) -> None:
    """Draw an entry: rank, name, rating and numbers of matches."""
    height = px(ENTRY_HEIGHT)
    if entry.is_own:
        page.draw_stripe(y, height, TINT)
    elif is_striped:
        page.draw_stripe(y, height, STRIPE)
    middle = y + height // 2
    rank = words_of().say("pad.place", place=entry.rank)
    page.write(LEFT + RANK_END, middle, rank, ENTRY_TEXT, INK, Face.STRONG, "r")
    page.write_fitted(LEFT + NAME_LEFT, middle, to_drawable(entry.name), ENTRY_TEXT, NAME_ROOM)
    if entry.is_provisional:
        provisional = words_of().say("standing.provisional")
        page.write(PROVISIONAL_RIGHT, middle, provisional, SMALL_TEXT, MUTED, align="r")
    rating = str(entry.rating)
    page.write(COLUMN_ENDS["rating"], middle, rating, RATING_TEXT, INK, Face.STRONG, "r")
    page.write(COLUMN_ENDS["played"], middle, str(entry.matches), COUNT_TEXT, INK, align="r")
    page.write(COLUMN_ENDS["won"], middle, str(entry.wins), COUNT_TEXT, INK, align="r")


def _draw_side_by_side(page: Page, lists: Sequence[RatingList], y: int) -> None:
    """Draw one or two short lists."""
    for ratings, (left, right) in zip(lists, SHORT_LIST_ENDS, strict=False):
        title_middle = y + px(SHORT_TITLE_MIDDLE)
        page.write(left, title_middle, ratings.title, HEADING_TEXT, MUTED, Face.TITLE)
        page.draw_rule(left, right, y + px(SHORT_RULE))
        if not ratings.entries:
            nobody = words_of().say("standing.nobody")
            page.write(left, y + px(SHORT_FIRST_MIDDLE), nobody, SHORT_NOBODY_TEXT, MUTED)
        for row, entry in enumerate(ratings.entries):
            middle = y + px(SHORT_FIRST_MIDDLE + SHORT_ENTRY_HEIGHT * row)
            _draw_short_entry(page, entry, left, right, middle)


def _draw_short_entry(page: Page, entry: Entry, left: float, right: float, middle: int) -> None:
    """Draw an entry of a short list: rank, name and rating."""
    if entry.is_own:
        half = px(SHORT_ENTRY_HEIGHT / 2)
        page.canvas.cover((px(left), middle - half, px(right), middle + half), TINT)
    rank = words_of().say("pad.place", place=entry.rank)
    page.write(left + RANK_END, middle, rank, SHORT_ENTRY_TEXT, INK, Face.STRONG, "r")
    rating = format_rating(entry)
    rating_end = right - SHORT_RATING_INDENT
    rating_pixels = page.write(rating_end, middle, rating, SHORT_RATING_TEXT, INK, Face.STRONG, "r")
    room = right - left - SHORT_NAME_LEFT - rating_pixels / WIDTH - SHORT_NAME_GAP
    name = to_drawable(entry.name)
    page.write_fitted(left + SHORT_NAME_LEFT, middle, name, SHORT_ENTRY_TEXT, room)
