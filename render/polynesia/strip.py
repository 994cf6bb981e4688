"""Between sea and panels: the volcano's stones, the Phase Track, the Tide cards, and the legend.

Lengths are in units of `layout`.
"""

from collections.abc import Callable

from PIL import Image

from engine.polynesia.board import COLOURS, TRACK, components
from render.canvas import Brush, Canvas, Sprite, cached
from render.chrome import LEAST, PaperSize, paper, share
from render.fonts import Face, fit_text, text_width, write
from render.items import shell
from render.news import Mark, encircle, flower
from render.palette import (
    ACTIVE,
    BACKDROP,
    BARK,
    INK,
    MUTED,
    PHASE_TEXT,
    RULE,
    SHELF,
    TITLE_TEXT,
    rgb,
)
from render.pieces import canoe, pawn
from render.polynesia.ground import NEUTRAL_EDGE, NEUTRAL_ROUTE, NEW_ROUTE
from render.polynesia.layout import LEGEND_HEIGHT, PICTURE_WIDTH, to_pixels
from render.polynesia.sprites import (
    draw_archipelago,
    draw_fish,
    draw_flame,
    draw_lava_stone,
    draw_mask,
    draw_point_token,
    draw_socket,
    draw_track_icon,
    draw_turtle,
    draw_volcano,
)
from render.shapes import rectangle
from render.words import words_of

LEAST_TEXT_SIZE = share(PICTURE_WIDTH, LEAST)
"""In pixels."""
TEXT_SIZE = 30
SHRUNK_TEXT_SIZE = 18
"""The size to which texts of cards and legend shrink at most, in languages with longer words."""

STRIP_MARGIN, STRIP_TOP, STRIP_GAP = 10, 10, 12
CARD_HEIGHT = 132
STONES_WIDTH = 404
STONES_RADIUS = 14
VOLCANO_SIZE, VOLCANO_PLACE = 82, (48, 78)
FLOWER_SIZE, FLOWER_PLACE = 30, (24, 26)
"""The flower of the last change stands beside the smoke, where it hides nothing."""
STONE_SIZE, FIRST_STONE, STONE_STEP, COLOUR_GAP = 30, (112, 36), 29.4, 4
"""The line of stones: size, place of the first, from one to the next, and more between colours."""
STONE_RING_RADIUS = 17

ACTION_SPACES = 3
"""Spaces of the Phase Track for actions; those after them are for the maintenance."""
TRACK_CELL, FIRST_TRACK_CELL, MAINTENANCE_GAP = 43, (117, 92), 5
TRACK_NUMBER_SIZE, TRACK_ICON_SIZE, VOLCANO_ICON_DROP = 32, 34, 6
EMPTY_CELL, CELL_INK = rgb("#EFE0BA"), rgb("#665029")
CELL_MARGIN, CELL_LINE = 4, 1.5
"""In pixels: room in the sprite of a space for its edge, and the edge."""

TIDE_CARD, TIDE_TAB, TIDE_EDGE = rgb("#D5ECE7"), rgb("#176C86"), rgb("#A9D3CE")
TIDE_HEIGHT, TIDE_GAP = 41, 4.5
TIDE_RADIUS, TIDE_EDGE_HEIGHT, TIDE_TAB_WIDTH = 9, 3, 60
TIDE_NUMBER_X, TIDE_ICON_X, TIDE_TEXT_X = 30, 84, 110
TIDE_ICON_SIZE, TIDE_TOKEN_SIZE = 35, 32
TIDE_TOKEN_X, TIDE_POOL_X = 58, 36
"""From the right edge of a card to the middle of the Point token and to the number left of it."""
TIDE_RIGHT_MARGIN = 8
POINT_CARDS = ("3.1", "3.2")
"""The Tide cards that give Point tokens."""
ICON_SEAT = 3
"""The seat whose colour members and canoes on icons have."""
TIDE_ICONS: dict[str, Callable[[int], Sprite]] = {
    "1": draw_archipelago,
    "2": lambda size: draw_mask(size, None),
    "3.1": lambda size: draw_point_token(size, "1", None),
    "3.2": lambda size: draw_point_token(size, "1", None),
    "3.3": lambda size: pawn(ICON_SEAT, size, None),
    "3.4": lambda size: draw_turtle(size, None),
    "3.5": lambda size: pawn(ICON_SEAT, size, None),
    "3.6": lambda size: draw_fish(size, None),
    "3.7": lambda size: canoe(ICON_SEAT, size, None),
    "3.8": lambda size: shell(size, None),
}

LEGEND_RISE = 2
LEGEND_ICON_X, LEGEND_TEXT_X, LEGEND_STEP = 20, 44, 22
"""From the start of an entry to its icon and text, and from its end to the next."""
LEGEND_SIGN_SIZE = 34
EXPLAINED_SPACES = ("decline", "resources", "start")
"""The spaces of the Phase Track whose signs do not explain themselves."""
SAMPLE_WIDTH, SAMPLE_HEIGHT, SAMPLE_RADIUS = 40, 34, 5
SAMPLE_DASHES = (-11, 7)
"""Where the two dashes of a route's sample are, right of its middle."""
SAMPLE_DASH_LEFT, SAMPLE_DASH_RIGHT = 3, 6
"""How far a dash reaches to the left and to the right of there."""
SAMPLE_NEUTRAL_EDGE_WIDTH, SAMPLE_NEUTRAL_WIDTH, SAMPLE_NEW_WIDTH = 11, 7, 6
"""The widths of a neutral route's edge and dash, and of a dash of a route not yet explored."""


@cached(64)
def draw_stones_card(
    lava: tuple[str, ...],
    bag: tuple[int, int, int],
    marker: str,
    changed: tuple[tuple[str, Mark], ...],
) -> Image.Image:
    """Draw the volcano with every stone of the game and the Phase Track, changes marked."""
    width, height = to_pixels(STONES_WIDTH), to_pixels(CARD_HEIGHT)
    canvas = Canvas.blank(width, height, BACKDROP)
    canvas.put(paper(PaperSize(width, height, 0, 0, to_pixels(STONES_RADIUS)), False), 0, 0)
    volcano = draw_volcano(to_pixels(VOLCANO_SIZE), is_erupting=not bag[0])
    canvas.put(volcano, to_pixels(VOLCANO_PLACE[0]), to_pixels(VOLCANO_PLACE[1]))
    _put_stones(canvas, lava, changed)
    _put_track(canvas, marker, dict(changed))
    if changed:
        _, mark = changed[-1]
        x, y = to_pixels(FLOWER_PLACE[0]), to_pixels(FLOWER_PLACE[1])
        last_flower = flower(to_pixels(FLOWER_SIZE), mark, LEAST_TEXT_SIZE)
        canvas.put(last_flower, x, y, f"news:{mark.number}")
    return canvas.image


def _put_stones(
    canvas: Canvas, lava: tuple[str, ...], changed: tuple[tuple[str, Mark], ...]
) -> None:
    """Put the stones by their colours, those drawn before those still in the bag."""
    marks = dict(changed)
    all_stones = components().lava
    x, y = to_pixels(FIRST_STONE[0]), to_pixels(FIRST_STONE[1])
    size, radius = to_pixels(STONE_SIZE), to_pixels(STONE_RING_RADIUS)
    for colour in COLOURS:
        drawn = lava.count(colour)
        # The stones drawn since the last post are the last ones of their colour: they are ringed.
        newly_drawn = sum(1 for where, _ in changed if where == colour)
        for number in range(getattr(all_stones, colour)):
            is_drawn = number < drawn
            stone = draw_lava_stone(colour, size) if is_drawn else draw_socket(colour, size)
            canvas.put(stone, x, y)
            if drawn - newly_drawn <= number < drawn:
                encircle(canvas, (x - radius, y - radius, x + radius, y + radius), marks[colour])
            x += to_pixels(STONE_STEP)
        x += to_pixels(COLOUR_GAP)


def _put_track(canvas: Canvas, marker: str, marks: dict[str, Mark]) -> None:
    """Put the Phase Track: actions by their numbers, then maintenance steps by their signs."""
    y = to_pixels(FIRST_TRACK_CELL[1])
    for number, space in enumerate(TRACK):
        is_here = space == marker
        gap = 0 if number < ACTION_SPACES else MAINTENANCE_GAP
        x = to_pixels(FIRST_TRACK_CELL[0] + number * TRACK_CELL + gap)
        canvas.put(_draw_track_cell(is_here, to_pixels(TRACK_CELL - 4)), x, y)
        if number < ACTION_SPACES:
            ink = INK if is_here else CELL_INK
            write(canvas, x, y, space, Face.STRONG, to_pixels(TRACK_NUMBER_SIZE), ink, "m")
        else:
            down = to_pixels(VOLCANO_ICON_DROP) if space == "volcano" else 0
            canvas.put(draw_track_icon(space, to_pixels(TRACK_ICON_SIZE)), x, y + down)
        if space in marks:
            half = to_pixels(TRACK_CELL / 2)
            encircle(canvas, (x - half, y - half, x + half, y + half), marks[space])


@cached(4)
def _draw_track_cell(is_here: bool, size: int) -> Sprite:
    """Draw a space of the Phase Track, gold where the marker stands; put by its middle."""
    half = size / 2
    middle = round(half) + CELL_MARGIN
    whole = size + 2 * CELL_MARGIN
    brush = Brush(whole, whole, at=(middle, middle))
    inner = half - CELL_LINE
    inside = rectangle(-inner, -inner, inner, inner, 6)
    if is_here:
        outer = half + CELL_LINE
        brush.fill(rectangle(-outer, -outer, outer, outer, 8), BARK)
        brush.fill(inside, ACTIVE)
    else:
        brush.fill(rectangle(-half, -half, half, half, 7), RULE)
        brush.fill(inside, EMPTY_CELL)
    return brush.finish()


def tide_reminder(card: str) -> str:
    """Return what a Tide card does, in a line."""
    return words_of("polynesia").say(f"reminder.{card}")


def draw_tide_icon(card: str, size: int) -> Sprite:
    """Draw what a Tide card is about; all cards of the first kind, and of the second, share one."""
    draw_icon = TIDE_ICONS.get(card) or TIDE_ICONS[card[0]]
    return draw_icon(size)


@cached(32)
def draw_tide_cards(tides: tuple[str, str, str], pool: int | None) -> Image.Image:
    """Draw the three cards, one below the other; some show how many Point tokens are left."""
    width = PICTURE_WIDTH - to_pixels(STONES_WIDTH + 2 * STRIP_MARGIN + STRIP_GAP)
    height = to_pixels(TIDE_HEIGHT)
    canvas = Canvas.blank(width, to_pixels(CARD_HEIGHT), BACKDROP)
    size = to_pixels(TEXT_SIZE)
    top = 0
    for card in tides:
        middle = top + height // 2
        canvas.put(_draw_tide_card(width, height), 0, top)
        number_x = to_pixels(TIDE_NUMBER_X)
        write(canvas, number_x, middle, card, Face.STRONG, size, TITLE_TEXT, "m")
        icon = draw_tide_icon(card, to_pixels(TIDE_ICON_SIZE))
        canvas.put(icon, to_pixels(TIDE_ICON_X), middle)
        text_right = width - to_pixels(TIDE_RIGHT_MARGIN)
        if pool is not None and card in POINT_CARDS:
            token = draw_point_token(to_pixels(TIDE_TOKEN_SIZE), "1", None)
            token_x = width - to_pixels(TIDE_TOKEN_X)
            canvas.put(token, token_x, middle)
            text_right = token_x - to_pixels(TIDE_TOKEN_SIZE / 2)
            pool_x = width - to_pixels(TIDE_POOL_X)
            ink = INK if pool else MUTED
            write(canvas, pool_x, middle, str(pool), Face.STRONG, size, ink)
        text_x, least = to_pixels(TIDE_TEXT_X), to_pixels(SHRUNK_TEXT_SIZE)
        room = text_right - text_x
        text, text_size = fit_text(tide_reminder(card), Face.LABEL, size, least, room)
        write(canvas, text_x, middle, text, Face.LABEL, text_size, INK)
        top += height + to_pixels(TIDE_GAP)
    return canvas.image


@cached(4)
def _draw_tide_card(width: int, height: int) -> Sprite:
    """Draw an empty Tide card with a tab for its number."""
    brush = Brush(width, height)
    radius = to_pixels(TIDE_RADIUS)
    area = brush.mask(rectangle(0, 0, width, height, radius))
    brush.paint(area, TIDE_EDGE)
    face_height = height - to_pixels(TIDE_EDGE_HEIGHT)
    brush.fill(rectangle(0, 0, width, face_height, radius), TIDE_CARD)
    # Clipped, the tab has the card's round corners on the left.
    brush.fill(rectangle(0, 0, to_pixels(TIDE_TAB_WIDTH), height), TIDE_TAB, clip=area)
    return brush.finish()


def put_strip(canvas: Canvas, top: int, stones: Image.Image, tides: Image.Image) -> None:
    """Put the card of the stones and the Tide cards side by side below the sea."""
    y = top + to_pixels(STRIP_TOP)
    canvas.lay(stones, to_pixels(STRIP_MARGIN), y)
    canvas.lay(tides, to_pixels(STRIP_MARGIN + STONES_WIDTH + STRIP_GAP), y)


@cached(1)
def draw_legend() -> Image.Image:
    """Draw a line that says what routes and flames on the sea are, and signs on the track."""
    canvas = Canvas.blank(PICTURE_WIDTH, to_pixels(LEGEND_HEIGHT), BACKDROP)
    words = words_of("polynesia")
    y = to_pixels(LEGEND_HEIGHT) // 2 - to_pixels(LEGEND_RISE)
    entries = (
        (draw_route_sample(is_neutral=False), words.say("legend.new")),
        (draw_route_sample(is_neutral=True), words.say("legend.neutral")),
        (draw_flame(to_pixels(LEGEND_SIGN_SIZE)), words.say("legend.doomed")),
        *(
            (draw_track_icon(space, to_pixels(LEGEND_SIGN_SIZE)), words.say(f"legend.{space}"))
            for space in EXPLAINED_SPACES
        ),
    )
    icon_room, step = to_pixels(LEGEND_TEXT_X), to_pixels(LEGEND_STEP)
    icons_width = len(entries) * icon_room + (len(entries) - 1) * step

    def measure_width(size: int) -> int:
        return icons_width + sum(text_width(text, Face.LABEL, size) for _, text in entries)

    # All entries have one size, so they shrink together.
    widest = PICTURE_WIDTH - 2 * to_pixels(STRIP_MARGIN)
    size = to_pixels(TEXT_SIZE)
    while size > to_pixels(SHRUNK_TEXT_SIZE) and measure_width(size) > widest:
        size -= 1
    x = (PICTURE_WIDTH - measure_width(size)) // 2
    for sprite, text in entries:
        canvas.put(sprite, x + to_pixels(LEGEND_ICON_X), y)
        x += icon_room
        x += write(canvas, x, y, text, Face.LABEL, size, PHASE_TEXT) + step
    return canvas.image


@cached(2)
def draw_route_sample(is_neutral: bool) -> Sprite:
    """Draw two dashes of a route on a piece of sea."""
    width, height = to_pixels(SAMPLE_WIDTH), to_pixels(SAMPLE_HEIGHT)
    brush = Brush(width, height, at=(width // 2, height // 2))
    sea = rectangle(-width / 2, -height / 2, width / 2, height / 2, SAMPLE_RADIUS)
    brush.fill(sea, SHELF)
    for dash in SAMPLE_DASHES:
        x = to_pixels(dash)
        stroke = [
            (x - to_pixels(SAMPLE_DASH_LEFT), 0.0),
            (x + to_pixels(SAMPLE_DASH_RIGHT), 0.0),
        ]
        if is_neutral:
            brush.line(stroke, to_pixels(SAMPLE_NEUTRAL_EDGE_WIDTH), NEUTRAL_EDGE)
            brush.line(stroke, to_pixels(SAMPLE_NEUTRAL_WIDTH), NEUTRAL_ROUTE)
        else:
            brush.line(stroke, to_pixels(SAMPLE_NEW_WIDTH), NEW_ROUTE)
    return brush.finish()
