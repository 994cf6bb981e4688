"""The sheet of two players: who was ahead how often, both ratings over time, the last matches.

The first player has the colour of seat 1 and stands on the left, the second that of seat 2.
"""

from functools import partial

from PIL import Image

from engine.core.words import points
from render.alt import LIMIT, clip_text
from render.fonts import Face, fit_text, to_drawable, write
from render.palette import INK, MUTED, livery_of
from render.palette import PAPER as PAPER_COLOUR
from render.standings.chart import add_chart
from render.standings.numbers import MAX_ALT_NAME_LENGTH, format_day, format_number
from render.standings.page import LEFT, RIGHT, SMALL_TEXT, STRIPE, Page, encode_page, px
from render.standings.records import MeetingLine, PairSheet, VersusLine
from render.words import words_of

# All lengths are shares of the page's width.
NAMES_HEIGHT = 0.09
NAMES_MIDDLE = 0.05
NAMES_TEXT = 0.044
NAME_SQUARE = 0.024
NAME_SQUARE_GAP = 0.014
NAME_ROOM = (RIGHT - LEFT) / 2 - 0.06

VERSUS_HEIGHT = 0.06
VERSUS_MIDDLE = 0.03
VERSUS_TITLE_TEXT = 0.029
VERSUS_TITLE_WIDTH = 0.25
VERSUS_TEXT = 0.027
VERSUS_BAR_LEFT, VERSUS_BAR_RIGHT = 0.3, 0.78
VERSUS_BAR_HEIGHT = 0.04
VERSUS_MIN_PART = 0.045
"""However small a part of the bar is, its number fits in."""

MEETING_HEIGHT = 0.05
MEETING_DAY_TEXT = 0.026
MEETING_TEXT = 0.028
MEETING_TITLE_LEFT = 0.23
MEETING_TITLE_WIDTH = 0.25
MEETING_RESULT_ENDS = (0.74, RIGHT)
MEETING_SQUARE = 0.02
MEETING_SQUARE_GAP = 0.014


def draw_pair(sheet: PairSheet) -> bytes:
    """Draw the sheet of two players as a PNG."""
    return encode_page(draw_pair_image(sheet))


def draw_pair_image(sheet: PairSheet) -> Image.Image:
    """Draw the sheet of two players."""
    words = words_of()
    page = Page(words.say("standing.title"), sheet.scope)
    page.add_line(NAMES_HEIGHT, partial(_draw_names, page, sheet.names))
    all_games = VersusLine(
        title=words.say("standing.in_all"),
        ahead=sum(line.ahead for line in sheet.games),
        level=sum(line.level for line in sheet.games),
        behind=sum(line.behind for line in sheet.games),
    )
    for line in (all_games, *sheet.games):
        page.add_line(VERSUS_HEIGHT, partial(_draw_versus, page, line))
    for label, fact in sheet.facts:
        page.add_fact(label, fact)
    if any(curve.points for curve in sheet.curves):
        page.add_heading(words.say("standing.curve", game=sheet.curve_game))
        add_chart(page, sheet.curves)
    page.add_heading(words.say("standing.last"))
    for number, meeting in enumerate(sheet.meetings):
        is_striped = number % 2 == 0
        page.add_line(MEETING_HEIGHT, partial(_draw_meeting, page, meeting, is_striped))
    return page.draw()


def describe_pair(sheet: PairSheet) -> str:
    """Describe the sheet of two players as an alt text."""
    words = words_of()
    one, other = (clip_text(name, MAX_ALT_NAME_LENGTH) for name in sheet.names)
    sentences = [words.say("standing.alt_pair", one=one, other=other, scope=sheet.scope)]
    for line in sheet.games:
        own_mean, other_mean = line.means or (0.0, 0.0)
        game = words.say(
            "standing.alt_versus",
            game=line.title,
            one=one,
            other=other,
            ahead=line.ahead,
            level=line.level,
            behind=line.behind,
            mine=format_number(own_mean),
            theirs=format_number(other_mean),
        )
        sentences.append(game)
    for label, fact in sheet.facts:
        sentences.append(words.say("standing.alt_fact", label=label, fact=fact))
    return clip_text(" ".join(sentences), LIMIT)


def _draw_names(page: Page, names: tuple[str, str], y: int) -> None:
    """Write both names, each beside a square in the colour of its bars."""
    middle = y + px(NAMES_MIDDLE)
    room = px(NAME_ROOM)
    smallest = px(SMALL_TEXT)
    # Both names have one size: the larger one that the longer name still fits in.
    size = px(NAMES_TEXT)
    for name in names:
        _, size = fit_text(to_drawable(name), Face.STRONG, size, smallest, room)
    square = px(NAME_SQUARE)
    indent = square + px(NAME_SQUARE_GAP)
    for side, name in enumerate(names):
        shown, _ = fit_text(to_drawable(name), Face.STRONG, size, smallest, room)
        colour = livery_of(side).colour
        if side == 0:
            page.draw_square(px(LEFT), middle, square, colour)
            write(page.canvas, px(LEFT) + indent, middle, shown, Face.STRONG, size, INK, "l")
        else:
            page.draw_square(px(RIGHT) - square, middle, square, colour)
            write(page.canvas, px(RIGHT) - indent, middle, shown, Face.STRONG, size, INK, "r")


def _draw_versus(page: Page, line: VersusLine, y: int) -> None:
    """Draw how often the first was ahead, both were level and the second was ahead, as a bar."""
    words = words_of()
    middle = y + px(VERSUS_MIDDLE)
    title_face = Face.LABEL if line.means else Face.STRONG
    page.write_fitted(LEFT, middle, line.title, VERSUS_TITLE_TEXT, VERSUS_TITLE_WIDTH, title_face)

    first_colour, second_colour = livery_of(0).colour, livery_of(1).colour
    parts = (
        (line.ahead, first_colour, PAPER_COLOUR),
        (line.level, PAPER_COLOUR, INK),
        (line.behind, second_colour, INK),
    )
    shown = [part for part in parts if part[0]]
    total = line.ahead + line.level + line.behind
    # Every part is given the minimum first; they share the rest by their numbers.
    least = px(VERSUS_MIN_PART)
    rest = px(VERSUS_BAR_RIGHT - VERSUS_BAR_LEFT) - least * len(shown)
    half_height = px(VERSUS_BAR_HEIGHT) // 2
    x = px(VERSUS_BAR_LEFT)
    for number, colour, ink in shown:
        across = least + round(rest * number / total)
        page.draw_box((x, middle - half_height, x + across, middle + half_height), colour)
        size = px(VERSUS_TEXT)
        write(page.canvas, x + across // 2, middle, str(number), Face.STRONG, size, ink, "m")
        x += across

    if line.means:
        own_mean, other_mean = map(format_number, line.means)
        means = words.say("standing.means", mine=own_mean, theirs=other_mean)
        page.write(RIGHT, middle, means, VERSUS_TEXT, INK, align="r")
    else:
        title = words.say("standing.mean_scores")
        page.write(RIGHT, middle, title, SMALL_TEXT, MUTED, align="r")


def _draw_meeting(page: Page, meeting: MeetingLine, is_striped: bool, y: int) -> None:
    """Draw a match: the day, the game, and both results, the better one in strong letters."""
    height = px(MEETING_HEIGHT)
    if is_striped:
        page.draw_stripe(y, height, STRIPE)
    middle = y + height // 2
    page.write(LEFT, middle, format_day(meeting.at), MEETING_DAY_TEXT, MUTED)
    page.write_fitted(
        MEETING_TITLE_LEFT, middle, meeting.title, MEETING_TEXT, MEETING_TITLE_WIDTH, Face.LABEL
    )
    square = px(MEETING_SQUARE)
    for side, end in enumerate(MEETING_RESULT_ENDS):
        rank, score = meeting.ranks[side], meeting.scores[side]
        is_ahead = rank < meeting.ranks[1 - side]
        face, colour = (Face.STRONG, INK) if is_ahead else (Face.LABEL, MUTED)
        result = words_of().say("standing.placed", place=rank, points=points(score))
        result_pixels = page.write(end, middle, result, MEETING_TEXT, colour, face, "r")
        square_left = px(end) - result_pixels - px(MEETING_SQUARE_GAP) - square
        page.draw_square(square_left, middle, square, livery_of(side).colour)
