"""Between sea and panels: the volcano's stones, the Phase Track, and the Tide cards with what
each does.
"""

from collections.abc import Callable

from PIL import Image

from engine.polynesia.board import COLOURS, TRACK, components
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, paper, share
from render.fonts import Face, width, write
from render.items import shell
from render.news import Mark, encircle, flower
from render.palette import (
    ACTIVE,
    BACKDROP,
    BARK,
    INK,
    PALE,
    PHASE_TEXT,
    RULE,
    SHELF,
    TITLE_TEXT,
    rgb,
)
from render.pieces import canoe, pawn
from render.polynesia.ground import DASH, NEUTRAL, NEUTRAL_EDGE
from render.polynesia.layout import LEGEND, WIDTH, units
from render.polynesia.sprites import (
    fish,
    flame,
    lagoon,
    lava_stone,
    mask,
    point,
    socket,
    track_icon,
    turtle,
    volcano,
)
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
EMPTY_CELL, CELL_INK = rgb("#EFE0BA"), rgb("#8A7346")
STONES_WIDTH, TOP, HIGH = 404, 10, 132
"""How wide the stones' card is, how far below the sea both cards begin, and how high they are."""
CELL = 43
"""The room of a space of the Phase Track."""
LETTERS = share(WIDTH, LEAST)
"""The size of the numbers in flowers."""
GIVES_POINTS = ("3.1", "3.2")
"""The Tide cards that give Point tokens."""


@kept(64)
def stones_card(
    lava: tuple[str, ...],
    bag: tuple[int, int, int],
    marker: str,
    changed: tuple[tuple[str, Mark], ...],
) -> Image.Image:
    """The volcano with every stone of the game, drawn or not, and the Phase Track; what changed
    is marked.
    """
    marked = dict(changed)
    half = units(17)
    canvas = Canvas.blank(units(STONES_WIDTH), units(HIGH), BACKDROP)
    plate = Plate(units(STONES_WIDTH), units(HIGH), 0, 0, units(14))
    canvas.put(paper(plate, False), 0, 0)
    canvas.put(volcano(units(82), erupting=not bag[0]), units(48), units(78))

    # The upper line: stones in the order of their colours, those drawn before those still in the
    # bag.
    all_stones = components().lava
    x, y, size = units(112), units(36), units(30)
    for colour in COLOURS:
        drawn = lava.count(colour)
        new = sum(1 for where, _ in changed if where == colour)
        for i in range(getattr(all_stones, colour)):
            stone = lava_stone(colour, size) if i < drawn else socket(colour, size)
            canvas.put(stone, x, y)
            if drawn - new <= i < drawn:
                encircle(canvas, (x - half, y - half, x + half, y + half), marked[colour])
            x += units(29.4)
        x += units(4)

    # The lower line: the spaces of actions by their numbers, then the maintenance steps by their
    # signs.
    y = units(92)
    for i, space in enumerate(TRACK):
        is_action = len(space) == 1
        is_here = space == marker
        gap = 0 if i < 3 else 5
        x = units(117 + i * CELL + gap)
        canvas.put(_cell(is_here, units(CELL - 4)), x, y)
        if is_action:
            write(canvas, x, y, space, Face.STRONG, units(32), INK if is_here else CELL_INK, "m")
        else:
            down = units(6) if space == "volcano" else 0
            canvas.put(track_icon(space, units(34)), x, y + down)
        if space in marked:
            out = units(CELL / 2)
            encircle(canvas, (x - out, y - out, x + out, y + out), marked[space])
    if changed:
        # Beside the smoke: there it hides nothing.
        canvas.put(
            flower(units(30), changed[-1][1], LETTERS),
            units(24),
            units(26),
            f"deed:{changed[-1][1].number}",
        )
    return canvas.image


@kept(4)
def _cell(is_here: bool, size: int) -> Sprite:
    """A space of the Phase Track, gold where the marker stands; put by its middle."""
    half = size / 2
    margin = 4
    middle = round(half) + margin
    brush = Brush(size + 2 * margin, size + 2 * margin, at=(middle, middle))
    inside = rectangle(1.5 - half, 1.5 - half, half - 1.5, half - 1.5, 6)
    if is_here:
        brush.fill(rectangle(-half - 1.5, -half - 1.5, half + 1.5, half + 1.5, 8), BARK)
        brush.fill(inside, ACTIVE)
    else:
        brush.fill(rectangle(-half, -half, half, half, 7), RULE)
        brush.fill(inside, EMPTY_CELL)
    return brush.done()


def reminder(card: str) -> str:
    """What a Tide card does, in a line."""
    return words_of("polynesia").say(f"reminder.{card}")


def tide_icon(card: str, size: int) -> Sprite:
    """What a Tide card is about; all cards of the first kind, and of the second, have one sign."""
    make = ICONS.get(card) or ICONS[card[0]]
    return make(size)


@kept(32)
def tide_cards(tides: tuple[str, str, str], pool: int | None) -> Image.Image:
    """The three cards, a line each; those that give Point tokens show how many are left."""
    across = WIDTH - units(STONES_WIDTH + 32)
    high, gap = units(41), units(4.5)
    canvas = Canvas.blank(across, units(HIGH), BACKDROP)
    top = 0
    for card in tides:
        middle = top + high // 2
        canvas.put(_card(across, high), 0, top)
        write(canvas, units(30), middle, card, Face.STRONG, units(30), TITLE_TEXT, "m")
        canvas.put(tide_icon(card, units(35)), units(84), middle)
        write(canvas, units(110), middle, reminder(card), Face.LABEL, units(30), INK)
        if pool is not None and card in GIVES_POINTS:
            canvas.put(point(units(32), "1", None), across - units(58), middle)
            write(
                canvas,
                across - units(36),
                middle,
                str(pool),
                Face.STRONG,
                units(30),
                INK if pool else PALE,
            )
        top += high + gap
    return canvas.image


@kept(4)
def _card(across: int, high: int) -> Sprite:
    """An empty Tide card with a tab for its number."""
    brush = Brush(across, high)
    radius, edge, tab = units(9), units(3), units(60)
    area = brush.mask(rectangle(0, 0, across, high, radius))
    brush.paint(area, CARD_EDGE)
    brush.fill(rectangle(0, 0, across, high - edge, radius), CARD)
    # The tab has the card's round corners on the left.
    brush.fill(rectangle(0, 0, tab, high), CARD_TAB, clip=area)
    return brush.done()


def put_strip(canvas: Canvas, top: int, stones: Image.Image, tides: Image.Image) -> None:
    """Both side by side below the sea."""
    y = top + units(TOP)
    margin, gap = 10, 12
    canvas.lay(stones, units(margin), y)
    canvas.lay(tides, units(margin + STONES_WIDTH + gap), y)


@kept(1)
def legend() -> Image.Image:
    """A line that says what the routes and the flames on the sea are."""
    canvas = Canvas.blank(WIDTH, units(LEGEND), BACKDROP)
    words = words_of("polynesia")
    y = units(LEGEND) // 2 - units(2)
    entries = (
        (route_sample(is_neutral=False), words.say("legend.new")),
        (route_sample(is_neutral=True), words.say("legend.neutral")),
        (flame(units(34)), words.say("legend.doomed")),
    )
    size, icon, after = units(30), units(50), units(40)
    taken = sum(icon + width(text, Face.LABEL, size) for _, text in entries) + after * (
        len(entries) - 1
    )
    x = (WIDTH - taken) // 2
    for sprite, text in entries:
        canvas.put(sprite, x + units(22), y)
        x += icon + write(canvas, x + icon, y, text, Face.LABEL, size, PHASE_TEXT) + after
    return canvas.image


@kept(2)
def route_sample(is_neutral: bool) -> Sprite:
    """Two dashes of a route on a piece of sea."""
    across, high = units(42), units(34)
    brush = Brush(across, high, at=(across // 2, high // 2))
    brush.fill(rectangle(-across / 2, -high / 2, across / 2, high / 2, 5), SHELF)
    for x in (-units(11), units(7)):
        stroke = [(x - units(3), 0.0), (x + units(6), 0.0)]
        if is_neutral:
            brush.line(stroke, units(11), NEUTRAL_EDGE)
            brush.line(stroke, units(7), NEUTRAL)
        else:
            brush.line(stroke, units(6), DASH)
    return brush.done()
