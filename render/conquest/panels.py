"""The panels beside the chart: one for each seat, and one with what is still to come.

Lengths may be changed freely; tests find texts that don't fit any more.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine.conquest.board import MARKERS
from engine.conquest.view import ConquestView, NationView
from engine.core.words import points
from render.canvas import Canvas, Sprite, cached
from render.chrome import PaperSize, paper, pointer, put_count, put_panel_rank, seat_band, share
from render.conquest.layout import CHART, GAPS, TEXT, WIDTH
from render.conquest.news import CARDS, EXPLORER, POINTS, News
from render.conquest.tokens import (
    card,
    counter,
    explorer,
    knot,
    kumara,
    tick,
    tile_back,
    whirlpool,
)
from render.fonts import Face, fit_text, text_width, write
from render.news import Mark, encircle, put_panel_flowers
from render.palette import BACKDROP, INK, MUTED
from render.pieces import badge, canoe, disc, village
from render.ranks import UNRANKED, Rank, ranks_of
from render.words import words_of

WORDS = words_of("conquest")

# Lengths are in pixels. Two columns of two panels stand beside the chart, as high as it is.
PANELS_LEFT = CHART[0] + 2 * GAPS
PANEL_WIDTH = (WIDTH - PANELS_LEFT - 2 * GAPS) // 2
PANEL_HEIGHT = (CHART[1] - GAPS) // 2
MOST_PANELS = 4
RIM = share(WIDTH, 0.004)
"""Room around a panel for the gold outline of the seat to move."""
CORNER_RADIUS = share(WIDTH, 0.0105)
BAND_WIDTH = share(WIDTH, 0.054)
"""The band in the seat's colour."""
BADGE = share(WIDTH, 0.04)
POINTER = share(WIDTH, 0.021)
POINTER_RIGHT = share(WIDTH, 0.019)
POINTER_DOWN = 4
"""How far the pointer is moved down, clear of the disc with the rank."""
BADGE_ASIDE = share(WIDTH, 0.0075)
"""How far the badge makes way for the pointer."""

UPPER_LINE = RIM + round(PANEL_HEIGHT * 0.29)
LOWER_LINE = RIM + round(PANEL_HEIGHT * 0.73)
UPPER_LEFT = RIM + BAND_WIDTH + share(WIDTH, 0.011)
LOWER_LEFT = RIM + BAND_WIDTH + share(WIDTH, 0.009)
RIGHT_MARGIN = share(WIDTH, 0.013)
SPACE = share(WIDTH, 0.008)
"""Between two things on a line."""
NAME_TEXT = share(WIDTH, 0.032)
SCORE_TEXT = share(WIDTH, 0.038)
SMALL_SCORE_TEXT = share(WIDTH, 0.032)
UNIT_SPACE = share(WIDTH, 0.005)
UNIT_DOWN = 3
"""The unit is smaller than the score: a little lower, both stand on one line."""

ICON = share(WIDTH, 0.031)
SMALL_ICON = share(WIDTH, 0.027)
SIGN_WIDTH = ICON + share(WIDTH, 0.002)
"""The room for a sign beside the points."""
SIGN_MIDDLE = share(WIDTH, 0.014)
COUNT_ICON = share(WIDTH, 0.0285)
COUNT_WIDTH = ICON + share(WIDTH, 0.0075)
"""From the left of an icon to its number."""
COUNTS = 4
COUNTS_MARGIN = share(WIDTH, 0.004)
SCORE_RING_HALF_HEIGHT = share(WIDTH, 0.017)
SCORE_RING_MARGIN = 4

FLOWER_SIZE = share(WIDTH, 0.024)
FLOWER_TEXT = share(WIDTH, 0.02)
FLOWER_LINE = RIM + round(PANEL_HEIGHT * 0.85)

SUPPLY_LEFT = RIM + share(WIDTH, 0.014)
SUPPLY_TEXT = share(WIDTH, 0.029)
SUPPLY_COUNT_WIDTH = share(WIDTH, 0.042)
SUPPLY_STEP = share(WIDTH, 0.1)


class PanelNews(Struct, frozen=True):
    """The marks of a seat's panel for the news since the last post."""

    flowers: tuple[Mark, ...] = ()
    """The marks of what it did."""
    cards: Mark | None = None
    """The mark of the item that changed how many cards it has."""
    points: Mark | None = None
    """The mark of the item that changed its points."""
    has_explorer_news: bool = False


def put_panels(
    canvas: Canvas, view: ConquestView, names: Sequence[str], top: int, news: News
) -> None:
    """Put a panel for each seat; what is still to come fills the room that is left."""
    ranks = ranks_of(view)
    nations = view.nations
    if view.outcome is not None:
        # After the end nobody sails or gets ready, so names may use the room of those signs.
        nations = tuple(replace(nation, explorer="", ready=False) for nation in nations)
    for seat, nation in enumerate(nations):
        is_to_move = seat in view.to_move
        whats_new = _panel_news(news, seat)
        panel = draw_panel(
            seat, names[seat], view.scores[seat], nation, is_to_move, whats_new, ranks[seat]
        )
        row, column = divmod(seat, 2)
        x = PANELS_LEFT + column * (PANEL_WIDTH + GAPS)
        y = top + row * (PANEL_HEIGHT + GAPS)
        canvas.lay(panel, x - RIM, y - RIM)
    free = MOST_PANELS - len(view.nations)
    if free:
        across = PANEL_WIDTH if free == 1 else 2 * PANEL_WIDTH + GAPS
        x = PANELS_LEFT + (PANEL_WIDTH + GAPS) * (2 - free)
        y = top + PANEL_HEIGHT + GAPS
        canvas.lay(_draw_supply(across, view.tiles_left, view.deck, view.cup), x - RIM, y - RIM)


def _panel_news(news: News, seat: int) -> PanelNews:
    """Return the news about a seat."""
    cards, points = news.number_of(CARDS, seat), news.number_of(POINTS, seat)
    return PanelNews(
        flowers=tuple(news.mark(number) for number, item in news.numbered() if item.seat == seat),
        cards=news.mark(cards) if cards else None,
        points=news.mark(points) if points else None,
        has_explorer_news=news.number_of(EXPLORER, seat) > 0,
    )


# Cached: it takes 2 ms, and an answer changes at most one panel of four.
@cached(256)
def draw_panel(
    seat: int,
    name: str,
    score: float,
    nation: NationView,
    is_to_move: bool,
    news: PanelNews,
    rank: Rank = UNRANKED,
) -> Image.Image:
    """Draw a seat's panel; flowers below its badge mark what it did."""
    canvas, plate = _blank_panel(PANEL_WIDTH, is_to_move, rank.has_won)
    canvas.put(seat_band(plate, seat), RIM, RIM)
    badge_x, badge_y = RIM + plate.band // 2, RIM + plate.height // 2
    flower_x = badge_x
    if is_to_move:
        # The band is too low for a pointer above the badge, so it stands in front of it.
        canvas.put(pointer(POINTER), RIM + POINTER_RIGHT, badge_y + POINTER_DOWN)
        badge_x += BADGE_ASIDE
    canvas.put(badge(seat, BADGE), badge_x, badge_y)
    put_panel_rank(canvas, rank, RIM, WIDTH)
    # The band has room for one flower: the newest.
    put_panel_flowers(canvas, flower_x, FLOWER_LINE, news.flowers[-1:], FLOWER_SIZE, FLOWER_TEXT)
    _put_upper_line(canvas, seat, name, score, nation, news)
    _put_counts(canvas, seat, nation, news)
    return canvas.image


def _blank_panel(across: int, is_to_move: bool, has_won: bool = False) -> tuple[Canvas, PaperSize]:
    """Return a canvas with an empty sheet of paper on it, and the measures of that."""
    plate = PaperSize(across, PANEL_HEIGHT, RIM, BAND_WIDTH, CORNER_RADIUS)
    canvas = Canvas.blank(plate.width + 2 * RIM, plate.height + 2 * RIM, BACKDROP)
    canvas.put(paper(plate, is_to_move, has_won), RIM, RIM)
    return canvas, plate


def _put_upper_line(
    canvas: Canvas, seat: int, name: str, score: float, nation: NationView, news: PanelNews
) -> None:
    """Put points, signs and state from the right; the name takes the room that is left."""
    y = UPPER_LINE
    right = RIM + PANEL_WIDTH - RIGHT_MARGIN
    signs = _signs_of(seat, nation, news.has_explorer_news)
    unit = WORDS.say("panel.points")
    unit_width = text_width(unit, Face.LABEL, TEXT) + UNIT_SPACE
    out = WORDS.say("panel.out") if nation.out else ""

    taken = text_width(points(score), Face.STRONG, SCORE_TEXT) + unit_width
    taken += SIGN_WIDTH * len(signs)
    if out:
        taken += text_width(out, Face.LABEL, TEXT) + SPACE
    # Beside many signs a name needs the room more than the unit does.
    score_size = SMALL_SCORE_TEXT
    if text_width(name, Face.STRONG, TEXT) <= right - UPPER_LEFT - SPACE - taken:
        score_size = SCORE_TEXT
        write(canvas, right, y + UNIT_DOWN, unit, Face.LABEL, TEXT, MUTED, "r")
        right -= unit_width

    score_width = text_width(points(score), Face.STRONG, score_size)
    if news.points is not None:
        half, margin = SCORE_RING_HALF_HEIGHT, SCORE_RING_MARGIN
        ring = (right - score_width - margin, y - half, right + margin, y + half)
        encircle(canvas, ring, news.points)
    right -= write(canvas, right, y, points(score), Face.STRONG, score_size, INK, "r")
    for sign in signs:
        right -= SIGN_WIDTH
        for sprite in sign:
            canvas.put(sprite, right + SIGN_MIDDLE, y)
    if out:
        right -= write(canvas, right - SPACE, y, out, Face.LABEL, TEXT, MUTED, "r")
        right -= SPACE
    shown, size = fit_text(name, Face.STRONG, NAME_TEXT, TEXT, right - UPPER_LEFT - SPACE)
    write(canvas, UPPER_LEFT, y, shown, Face.STRONG, size, MUTED if nation.out else INK)


def _signs_of(seat: int, nation: NationView, has_explorer_news: bool) -> list[tuple[Sprite, ...]]:
    """Return the signs of a seat, from the right; each is sprites one on top of the other."""
    signs: list[tuple[Sprite, ...]] = []
    if nation.kumara:
        signs.append((kumara(SMALL_ICON),))
    if nation.saved:
        signs.append((disc("+1", SMALL_ICON),))
    if nation.ready:
        signs.append((tick(SMALL_ICON),))
    if nation.explorer == "lost":
        signs.append((whirlpool(ICON), explorer(seat, SMALL_ICON, None)))
    elif has_explorer_news:
        # It is home again, or still at sea.
        signs.append((explorer(seat, SMALL_ICON, None),))
    return signs


def _put_counts(canvas: Canvas, seat: int, nation: NationView, news: PanelNews) -> None:
    """Put the counts of Villages, open canoes, pieces and cards."""
    step = (PANEL_WIDTH - BAND_WIDTH - COUNTS_MARGIN) // COUNTS
    counts = (
        (village(seat, COUNT_ICON, None), nation.villages, None),
        (canoe(seat, COUNT_ICON, None), nation.open_canoes, None),
        (counter(seat, SMALL_ICON, shadow=None), nation.pieces, None),
        (card(SMALL_ICON), nation.hand, news.cards),
    )
    for place, (icon, number, mark) in enumerate(counts):
        x = LOWER_LEFT + place * step
        put_count(canvas, x, LOWER_LINE, icon, number, WIDTH, room=COUNT_WIDTH, mark=mark)


# Cached: it takes 1 ms, and changes only with a discovery or a card.
@cached(64)
def _draw_supply(across: int, tiles: int, deck: int, cup: tuple[int, ...]) -> Image.Image:
    """Draw what is still to come: tiles, cards, and the markers in the cup."""
    canvas, _ = _blank_panel(across, is_to_move=False)
    heading = WORDS.say("panel.to_come")
    write(canvas, SUPPLY_LEFT, UPPER_LINE, heading, Face.STRONG, SUPPLY_TEXT, INK)
    counts = (
        (tile_back(ICON), tiles),
        (card(SMALL_ICON), deck),
        (knot(0, ICON), sum(cup)),
    )
    for place, (icon, number) in enumerate(counts):
        x = SUPPLY_LEFT + place * SUPPLY_STEP
        put_count(canvas, x, LOWER_LINE, icon, number, WIDTH, room=SUPPLY_COUNT_WIDTH)
    return canvas.image


def markers_left(cup: tuple[int, ...]) -> Counter[str]:
    """Return how many Discovery Markers of each kind are in the cup, whatever their Knots."""
    left: Counter[str] = Counter()
    for kind, number in zip(MARKERS, cup, strict=True):
        left[kind] += number
    return left
