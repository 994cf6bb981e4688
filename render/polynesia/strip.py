"""Between sea and panels: the volcano's stones, the Phase Track, and the Tide cards with what each does."""

from collections.abc import Callable

from PIL import Image

from engine.polynesia.board import COLOURS, TRACK, components
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import Plate, paper
from render.fonts import Face, write
from render.items import shell
from render.nature import hibiscus
from render.palette import ACTIVE, BACKDROP, BARK, INK, PALE, RULE, TITLE_TEXT, rgb
from render.pieces import canoe, pawn
from render.polynesia.layout import WIDTH, units
from render.polynesia.sprites import fish, lagoon, lava_stone, mask, point, socket, track_icon, turtle, volcano
from render.shapes import rectangle
from render.words import words_of

ICONS: dict[str, Callable[[int], Sprite]] = {
    "1": lagoon,
    "2": lambda size: mask(size, None),
    "3.1": lambda size: point(size, "1", None),
    "3.2": lambda size: point(size, "1", None),
    "3.3": lambda size: pawn(3, size, None),
    "3.4": lambda size: turtle(size, None),
    "3.5": lambda size: pawn(3, size, None),
    "3.6": lambda size: fish(size, None),
    "3.7": lambda size: canoe(3, size, None),
    "3.8": lambda size: shell(size, None),
}
CARD, CARD_TAB, CARD_EDGE = rgb("#D5ECE7"), rgb("#176C86"), rgb("#A9D3CE")
STONES_WIDTH, TOP, HIGH = 404, 14, 132
CELL = 43


@kept(64)
def stones_card(lava: tuple[str, ...], bag: tuple[int, int, int], marker: str, declined: bool) -> Image.Image:
    """The volcano with every stone of the game, drawn or still in the bag, and the Phase Track."""
    canvas = Canvas.blank(units(STONES_WIDTH), units(HIGH), BACKDROP)
    plate = Plate(units(STONES_WIDTH), units(HIGH), 0, 0, units(14))
    canvas.put(paper(plate, False), 0, 0)
    canvas.put(volcano(units(82), erupting=not bag[0]), units(48), units(78))
    _put_stones(canvas, lava)
    for i, space in enumerate(TRACK):
        x, y = units(117 + i * CELL + (i > 2) * 5), units(92)
        canvas.put(_cell(space == marker, units(CELL - 4)), x, y)
        if len(space) == 1:
            colour = INK if space == marker else rgb("#8A7346")
            write(canvas, x, y, space, Face.STRONG, units(32), colour, "m")
        else:
            canvas.put(track_icon(space, units(34)), x, y + (units(6) if space == "volcano" else 0))
        if declined and space == "decline":
            canvas.put(hibiscus(units(26)), x + units(15), y - units(19))
    return canvas.image


def _put_stones(canvas: Canvas, lava: tuple[str, ...]) -> None:
    all_stones = components().lava
    x, size = units(112), units(30)
    for colour in COLOURS:
        drawn = lava.count(colour)
        for i in range(getattr(all_stones, colour)):
            canvas.put(lava_stone(colour, size) if i < drawn else socket(colour, size), x, units(36))
            x += units(29.4)
        x += units(4)


@kept(4)
def _cell(is_here: bool, size: int) -> Sprite:
    half = size / 2
    brush = Brush(size + 8, size + 8, at=(round(half) + 4, round(half) + 4))
    if is_here:
        brush.fill(rectangle(-half - 1.5, -half - 1.5, half + 1.5, half + 1.5, 8), BARK)
        brush.fill(rectangle(1.5 - half, 1.5 - half, half - 1.5, half - 1.5, 6), ACTIVE)
    else:
        brush.fill(rectangle(-half, -half, half, half, 7), RULE)
        brush.fill(rectangle(1.5 - half, 1.5 - half, half - 1.5, half - 1.5, 6), rgb("#EFE0BA"))
    return brush.done()


def reminder(card: str) -> str:
    """What a Tide card does, in a line."""
    return words_of("polynesia").say(f"reminder.{card}")


def tide_icon(card: str, size: int) -> Sprite:
    """What a Tide card is about."""
    return (ICONS.get(card) or ICONS[card[0]])(size)


@kept(32)
def tide_cards(tides: tuple[str, str, str], pool: int | None) -> Image.Image:
    """The three cards, a line each; those that give Point tokens show how many are left."""
    across, high, gap = WIDTH - units(STONES_WIDTH + 32), units(41), units(4.5)
    canvas = Canvas.blank(across, units(HIGH), BACKDROP)
    for i, card in enumerate(tides):
        y = i * (high + gap)
        middle = y + high // 2
        canvas.put(_card(across, high), 0, y)
        write(canvas, units(30), middle, card, Face.STRONG, units(30), TITLE_TEXT, "m")
        canvas.put(tide_icon(card, units(35)), units(84), middle)
        write(canvas, units(110), middle, reminder(card), Face.LABEL, units(30), INK)
        if pool is not None and card in ("3.1", "3.2"):
            canvas.put(point(units(32), "1", None), across - units(58), middle)
            write(canvas, across - units(36), middle, str(pool), Face.STRONG, units(30), INK if pool else PALE)
    return canvas.image


@kept(4)
def _card(across: int, high: int) -> Sprite:
    brush, radius, tab = Brush(across, high), units(9), units(60)
    area = brush.mask(rectangle(0, 0, across, high, radius))
    brush.paint(area, CARD_EDGE)
    brush.fill(rectangle(0, 0, across, high - units(3), radius), CARD)
    brush.fill(rectangle(0, 0, tab, high), CARD_TAB, clip=area)
    return brush.done()


def put_strip(canvas: Canvas, top: int, stones: Image.Image, tides: Image.Image) -> None:
    """Both side by side below the sea."""
    canvas.lay(stones, units(10), top + units(TOP))
    canvas.lay(tides, units(10 + STONES_WIDTH + 12), top + units(TOP))
