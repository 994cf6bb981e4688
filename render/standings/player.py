"""The sheet of one player: results with others and alone in each game, the rating over time."""

from collections.abc import Iterable, Sequence
from functools import partial

from PIL import Image

from engine.core.words import points
from render.alt import LIMIT, clip_text
from render.fonts import Face, to_drawable
from render.palette import ACTIVE, INK, MUTED, PALE
from render.standings.chart import add_chart
from render.standings.numbers import (
    MAX_ALT_NAME_LENGTH,
    format_alt_rating,
    format_number,
    format_rating,
)
from render.standings.page import (
    LEFT,
    RIGHT,
    SMALL_TEXT,
    STRIPE,
    WIDTH,
    Page,
    encode_page,
    px,
)
from render.standings.records import GameLine, PlayerSheet, SoloLine
from render.words import words_of

# All lengths are shares of the page's width unless they are called pixels.
HEAD_HEIGHT = 0.094
HEAD_MIDDLE = 0.052
NAME_TEXT = 0.046
SUMMARY_TEXT = 0.03
SUMMARY_GAP = 0.03

COLUMN_ENDS = {"played": 0.36, "won": 0.44, "best": 0.725, "mean": 0.83, "rating": RIGHT}
"""The right ends of the columns of numbers, by the key of their titles."""
RANKS_LEFT = 0.45
RANKS_WIDTH = 0.18
"""The columns of ranks stand between the wins and the best score."""
COLUMN_TITLES_HEIGHT = 0.05
COLUMN_TITLES_MIDDLE = 0.03
GAME_HEIGHT = 0.086
GAME_TITLE_TEXT = 0.029
GAME_TITLE_WIDTH = COLUMN_ENDS["played"] - LEFT - 0.075
GAME_NUMBER_TEXT = 0.031
GAMES_BOTTOM_GAP = 0.006
SOLO_COLUMNS = ("played", "won", "best")
SOLO_HEIGHT = 0.056
BAR_FOOT = 0.008
"""From the lower edge of a game's line up to the foot of its bars."""
TALLEST_BAR = 0.038
SHORTEST_BAR_PIXELS = 4
BAR_HALF_WIDTH = 0.36
"""Half the width of a bar as a share of its column, which counts as at most MAX_BAR_COLUMN wide."""
MAX_BAR_COLUMN = 0.05
COUNT_ABOVE_BAR = 0.015


def draw_player(sheet: PlayerSheet) -> bytes:
    """Draw the sheet of a player as a PNG."""
    return encode_page(draw_player_image(sheet))


def draw_player_image(sheet: PlayerSheet) -> Image.Image:
    """Draw the sheet of a player."""
    words = words_of()
    page = Page(words.say("standing.title"), sheet.scope)
    summary = ""
    if sheet.games:
        played = sum(sum(line.ranks) for line in sheet.games)
        won = sum(line.ranks[0] for line in sheet.games)
        summary = words.say("standing.summary", matches=played, wins=won)
    page.add_line(HEAD_HEIGHT, partial(_draw_head, page, sheet.name, summary))
    for label, fact in sheet.facts:
        page.add_fact(label, fact)
    if sheet.games:
        page.add_heading(words.say("standing.with_people"))
        _add_games(page, sheet.games)
        if any(line.rating and line.rating.is_provisional for line in sheet.games):
            page.add_note(words.say("standing.provisional_note"))
    if sheet.solo:
        page.add_heading(words.say("standing.solo"))
        _add_solo(page, sheet.solo)
    if sheet.curve is not None and sheet.curve.points:
        page.add_heading(words.say("standing.curve", game=sheet.curve_game))
        add_chart(page, [sheet.curve])
    return page.draw()


def describe_player(sheet: PlayerSheet) -> str:
    """Describe the sheet of a player as an alt text."""
    words = words_of()
    comma = words.say("list.comma")
    name = clip_text(sheet.name, MAX_ALT_NAME_LENGTH)
    sentences = [words.say("standing.alt_player", name=name, scope=sheet.scope)]
    for line in sheet.games:
        game = words.say(
            "standing.alt_game",
            game=line.title,
            places=comma.join(map(str, line.ranks)),
            best=points(line.best),
            mean=format_number(line.mean),
            rating=format_alt_rating(line.rating) if line.rating else "",
        )
        sentences.append(game)
    for label, fact in sheet.facts:
        sentences.append(words.say("standing.alt_fact", label=label, fact=fact))
    for solo in sheet.solo:
        sentence = words.say(
            "standing.alt_solo",
            game=solo.title,
            played=solo.played,
            won=solo.won,
            best=points(solo.best),
        )
        sentences.append(sentence)
    return clip_text(" ".join(sentences), LIMIT)


def _draw_head(page: Page, name: str, summary: str, y: int) -> None:
    """Write the player's name on the left and the totals on the right."""
    middle = y + px(HEAD_MIDDLE)
    summary_pixels = page.write(RIGHT, middle, summary, SUMMARY_TEXT, MUTED, align="r")
    room = RIGHT - LEFT - summary_pixels / WIDTH - SUMMARY_GAP
    page.write_fitted(LEFT, middle, to_drawable(name), NAME_TEXT, room)


def _add_games(page: Page, games: Sequence[GameLine]) -> None:
    """Add a line for each game, below the titles of the columns."""
    columns = max(len(line.ranks) for line in games)
    page.add_line(COLUMN_TITLES_HEIGHT, partial(_draw_column_titles, page, columns))
    for number, line in enumerate(games):
        is_striped = number % 2 == 0
        page.add_line(GAME_HEIGHT, partial(_draw_game, page, line, columns, is_striped))
    page.add_gap(GAMES_BOTTOM_GAP)


def _draw_column_titles(
    page: Page, columns: int, y: int, keys: Iterable[str] = COLUMN_ENDS
) -> None:
    """Write the title of each number and of each of the `columns` ranks."""
    words = words_of()
    middle = y + px(COLUMN_TITLES_MIDDLE)
    for key in keys:
        title = words.say(f"standing.{key}")
        page.write(COLUMN_ENDS[key], middle, title, SMALL_TEXT, MUTED, align="r")
    for column in range(columns):
        x = _rank_middle(column, columns)
        title = words.say("pad.place", place=column + 1)
        page.write(x, middle, title, SMALL_TEXT, MUTED, align="m")


def _draw_game(page: Page, line: GameLine, columns: int, is_striped: bool, y: int) -> None:
    """Draw a player's results in a game: numbers, and a bar for how often each rank was reached."""
    height = px(GAME_HEIGHT)
    if is_striped:
        page.draw_stripe(y, height, STRIPE)
    middle = y + height // 2
    page.write_fitted(LEFT, middle, line.title, GAME_TITLE_TEXT, GAME_TITLE_WIDTH, Face.LABEL)
    numbers = {
        "played": str(sum(line.ranks)),
        "won": str(line.ranks[0]),
        "best": points(line.best),
        "mean": format_number(line.mean),
        "rating": format_rating(line.rating) if line.rating else "–",
    }
    for key, number in numbers.items():
        end = COLUMN_ENDS[key]
        page.write(end, middle, number, GAME_NUMBER_TEXT, INK, Face.STRONG, align="r")
    foot = y + height - px(BAR_FOOT)
    half_width = px(min(RANKS_WIDTH / columns, MAX_BAR_COLUMN) * BAR_HALF_WIDTH)
    for column, times in enumerate(line.ranks):
        x = _rank_middle(column, columns)
        bar_height = 0
        if times:
            bar_height = round(px(TALLEST_BAR) * times / max(line.ranks))
            bar_height = max(bar_height, SHORTEST_BAR_PIXELS)
            box = (px(x) - half_width, foot - bar_height, px(x) + half_width, foot)
            page.draw_box(box, ACTIVE if column == 0 else PALE)
        above = foot - bar_height - px(COUNT_ABOVE_BAR)
        colour = INK if times else MUTED
        page.write(x, above, str(times), SMALL_TEXT, colour, align="m")


def _rank_middle(column: int, columns: int) -> float:
    """Return the middle of the column of a rank."""
    return RANKS_LEFT + RANKS_WIDTH / columns * (column + 0.5)


def _add_solo(page: Page, games: Sequence[SoloLine]) -> None:
    """Add a line for each game played alone, in the columns of the other matches."""

    def draw_game(line: SoloLine, is_striped: bool, y: int) -> None:
        height = px(SOLO_HEIGHT)
        if is_striped:
            page.draw_stripe(y, height, STRIPE)
        middle = y + height // 2
        page.write_fitted(LEFT, middle, line.title, GAME_TITLE_TEXT, GAME_TITLE_WIDTH, Face.LABEL)
        numbers = (str(line.played), str(line.won), points(line.best))
        for key, number in zip(SOLO_COLUMNS, numbers, strict=True):
            end = COLUMN_ENDS[key]
            page.write(end, middle, number, GAME_NUMBER_TEXT, INK, Face.STRONG, align="r")

    page.add_line(
        COLUMN_TITLES_HEIGHT, lambda y: _draw_column_titles(page, 0, y, keys=SOLO_COLUMNS)
    )
    for number, line in enumerate(games):
        page.add_line(SOLO_HEIGHT, partial(draw_game, line, number % 2 == 0))
    page.add_gap(GAMES_BOTTOM_GAP)
