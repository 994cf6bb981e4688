"""The band of what only the viewer knows: cards, and stacks, the build list or what is left.

While pieces sail and fight, it lists what lies in each of the viewer's hexes: on the map only a
stack of few kinds shows them all.
"""

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import KINDS
from engine.conquest.build_list import CARD
from engine.conquest.view import ConquestView, OwnView
from render.canvas import Canvas, cached
from render.chrome import PaperSize, paper, share
from render.conquest.layout import OWN_HEIGHT, PLATE_RADIUS, PLATE_RIM, TEXT, WIDTH
from render.conquest.tokens import card, counter
from render.fonts import Face, fit_text, fit_words, text_width, wrap_text, write
from render.palette import BACKDROP, INK, MUTED
from render.words import words_of

WORDS = words_of("conquest")
CARD_SEPARATOR = " · "

# Lengths are in pixels.
EDGE = share(WIDTH, 0.006)
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
LEFT = EDGE + MARGIN
RIGHT = WIDTH - EDGE - MARGIN
CARDS_LINE = EDGE + share(WIDTH, 0.022)
LIST_LINE = OWN_HEIGHT - EDGE - share(WIDTH, 0.024)
"""The lower line: stacks, the build list, or what is left to build."""
CARDS_STEP = share(WIDTH, 0.0245)
"""From the first line of cards to the second."""
CROWDED_CARDS_LINE = EDGE + share(WIDTH, 0.0145)
CROWDED_LIST_LINE = OWN_HEIGHT - EDGE - share(WIDTH, 0.0185)
"""Where lines stand if cards take two of them."""
ICON = share(WIDTH, 0.033)
CROWDED_CARD = share(WIDTH, 0.026)
"""The card beside a line that is close to the edge of the paper."""
LARGEST_TEXT = share(WIDTH, 0.027)
CARDS_SPACE = share(WIDTH, 0.008)
POINTS_SPACE = share(WIDTH, 0.015)
LIST_SPACE = share(WIDTH, 0.012)
SUPPLY_SPACE = share(WIDTH, 0.02)
NUMBER_SPACE = 4
KIND_SPACE = 8
"""Between two kinds of pieces of one stack."""
STACK_SPACE = share(WIDTH, 0.02)
PIECE_SPACE = share(WIDTH, 0.024)
EVEN_STEP = 8
"""The steps in which a second line is lengthened until it is as long as the first, in pixels."""

STEPS_WITH_STACKS = ("exploration", "movement", "battle")
"""The Steps in which it matters what lies where; in the others, what can be built does."""

Stack = tuple[str, tuple[tuple[str, int], ...]]
"""A hex and how many pieces of each kind lie in it."""


def draw_own_things(view: ConquestView) -> Image.Image:
    """Draw the band; it is empty for a spectator."""
    own = view.own
    if own is None or view.viewer is None:
        return Canvas.blank(WIDTH, OWN_HEIGHT, BACKDROP).image
    build_list = list_text(own) if own.build is not None else ""
    stacks: tuple[Stack, ...] = ()
    if not build_list and view.step in STEPS_WITH_STACKS:
        stacks = own_stacks(view)
    supply = tuple(own.unbuilt.of(kind) for kind in KINDS)
    return _draw_band(view.viewer, card_names(own), own.points, build_list, stacks, supply)


def own_stacks(view: ConquestView) -> tuple[Stack, ...]:
    """Return the viewer's stacks and fleets, those with the most kinds and pieces first."""
    pieces = [(stack.spot, stack.kinds) for stack in view.stacks]
    pieces += [(fleet.at, fleet.kinds) for fleet in view.fleets]
    ranked = []
    for spot, kinds in pieces:
        if kinds is not None:
            counts = tuple((kind, kinds.of(kind)) for kind in KINDS if kinds.of(kind))
            ranked.append((-len(counts), -kinds.total, spot, counts))
    ranked.sort(key=lambda entry: entry[:3])
    return tuple((spot, counts) for _, _, spot, counts in ranked)


def card_names(own: OwnView) -> tuple[str, ...]:
    """Return the names of the viewer's cards, with a note if they are used or shown."""
    names = []
    for held in own.hand:
        state = "hidden"
        if held.used:
            state = "used"
        elif held.up:
            state = "shown"
        names.append(WORDS.say(f"own.{state}", card=held.key))
    return tuple(names)


def cards_text(own: OwnView) -> str:
    """Return the names of all the viewer's cards."""
    return CARD_SEPARATOR.join(card_names(own)) or WORDS.say("own.no_cards")


def card_lines(names: Sequence[str], room: int) -> list[str]:
    """Return the names of cards on one line or two, and how many more there are if need be."""
    if text_width(CARD_SEPARATOR.join(names), Face.LABEL, TEXT) <= room:
        return [CARD_SEPARATOR.join(names)]
    for first in range(len(names) - 1, 0, -1):
        upper = CARD_SEPARATOR.join(names[:first])
        if text_width(upper, Face.LABEL, TEXT) <= room:
            return [upper, cards_within(names[first:], room)]
    return [cards_within(names, room)]


def cards_within(names: Sequence[str], room: int) -> str:
    """Return as many whole names as fit in the smallest letters, and how many more there are."""
    text = CARD_SEPARATOR.join(names)
    for shown in range(len(names) - 1, -1, -1):
        if text_width(text, Face.LABEL, TEXT) <= room:
            break
        cards = CARD_SEPARATOR.join(names[:shown])
        text = WORDS.say("own.more_cards", cards=cards, more=len(names) - shown)
    return text if text_width(text, Face.LABEL, TEXT) <= room else ""


def list_text(own: OwnView) -> str:
    """Return what is on the viewer's build list, and what is left to spend."""
    build = own.build
    if build is None:
        return ""
    parts = []
    for (item, spot), number in Counter(build.items).items():
        # The place of a card is the pool that pays for it, which is not worth telling.
        place = "" if item == CARD else spot
        key = "own.items" if number > 1 else "own.item"
        parts.append(WORDS.say(key, item=item, number=number, spot=place))
    parts += [WORDS.say("own.settle", spot=spot) for spot in build.settled]
    items = WORDS.say("list.comma").join(parts)
    pools = [f"{pool.points - pool.spent}/{pool.points}" for pool in own.pools if pool.points]
    return WORDS.say("own.listed", items=items, pools=" + ".join(pools))


def list_in_lines(text: str, room: int) -> tuple[tuple[str, ...], int]:
    """Return a build list on a line, or on two of even length, and the size of its letters.

    Only a list that is too long for two lines has letters below the usual floor.
    """
    lines, size = fit_words(text, Face.LABEL, LARGEST_TEXT, TEXT, room)
    if len(lines) == 1:
        return lines, size
    size = TEXT
    while len(wrap_text(text, Face.LABEL, size, room)) > 2 and size > 1:
        size -= 1
    while len(wrap_text(text, Face.LABEL, size, room - EVEN_STEP)) == 2:
        room -= EVEN_STEP
    return tuple(wrap_text(text, Face.LABEL, size, room)), size


# 2 ms to draw, and many answers of a turn leave cards and pieces unchanged.
@cached(64)
def _draw_band(
    seat: int,
    cards: tuple[str, ...],
    points: float,
    build_list: str,
    stacks: tuple[Stack, ...],
    supply: tuple[int, ...],
) -> Image.Image:
    """Draw cards and points; below them the build list, the stacks or what is left to build."""
    canvas = Canvas.blank(WIDTH, OWN_HEIGHT, BACKDROP)
    plate = PaperSize(WIDTH - 2 * EDGE, OWN_HEIGHT - 2 * EDGE, PLATE_RIM, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    # Points are written first: the names of the cards take the room that is left.
    points_text = WORDS.say("own.points", points=points)
    left = LEFT + ICON + CARDS_SPACE
    room = RIGHT - text_width(points_text, Face.STRONG, TEXT) - left - POINTS_SPACE
    heading = WORDS.say("own.list")
    list_left = LEFT + text_width(heading, Face.STRONG, TEXT) + LIST_SPACE
    list_lines, list_size = list_in_lines(build_list, RIGHT - list_left)
    lines = [WORDS.say("own.no_cards")]
    if cards and len(list_lines) > 1:
        lines = [cards_within(cards, room)]
    elif cards:
        lines = card_lines(cards, room)
    top, bottom = CARDS_LINE, LIST_LINE
    if len(lines) + max(1, len(list_lines)) > 2:
        top, bottom = CROWDED_CARDS_LINE, CROWDED_LIST_LINE
    write(canvas, RIGHT, top, points_text, Face.STRONG, TEXT, INK, "r")
    card_size = CROWDED_CARD if len(list_lines) > 1 else ICON
    card_middle = top + CARDS_STEP * (len(lines) - 1) // 2
    canvas.put(card(card_size), LEFT + ICON // 2, card_middle)
    for row, line in enumerate(lines):
        largest = LARGEST_TEXT if len(lines) == 1 else TEXT
        shown, size = fit_text(line, Face.LABEL, largest, TEXT, room)
        write(canvas, left, top + CARDS_STEP * row, shown, Face.LABEL, size, INK)
    if build_list:
        first = bottom - CARDS_STEP * (len(list_lines) - 1)
        write(canvas, LEFT, first, heading, Face.STRONG, TEXT, INK)
        for row, line in enumerate(list_lines):
            line_y = first + CARDS_STEP * row
            write(canvas, list_left, line_y, line, Face.LABEL, list_size, MUTED)
    elif stacks:
        _put_stacks(canvas, seat, stacks, bottom)
    else:
        _put_supply(canvas, seat, supply, bottom)
    return canvas.image


def _put_stacks(canvas: Canvas, seat: int, stacks: Sequence[Stack], y: int) -> None:
    """Put what lies in each hex, as counters that can be read on a phone, as far as they fit."""
    x = LEFT
    for number, (spot, counts) in enumerate(stacks):
        rest = WORDS.say("own.more_stacks", more=len(stacks) - number)
        is_last = number == len(stacks) - 1
        room = RIGHT - x - (0 if is_last else text_width(rest, Face.LABEL, TEXT) + STACK_SPACE)
        if _stack_width(spot, counts) > room:
            write(canvas, x, y, rest, Face.LABEL, TEXT, MUTED)
            return
        x += write(canvas, x, y, spot.upper(), Face.STRONG, TEXT, INK) + KIND_SPACE
        for kind, count in counts:
            canvas.put(counter(seat, ICON, kind, None), x + ICON // 2, y, f"piece:{spot}")
            x += ICON + NUMBER_SPACE
            if count > 1:
                x += write(canvas, x, y, str(count), Face.STRONG, TEXT, INK)
            x += KIND_SPACE
        x += STACK_SPACE


def _stack_width(spot: str, counts: Sequence[tuple[str, int]]) -> int:
    """Return the width of a hex's code and the counters in it."""
    width = text_width(spot.upper(), Face.STRONG, TEXT) + KIND_SPACE
    for _, count in counts:
        width += ICON + NUMBER_SPACE + KIND_SPACE
        if count > 1:
            width += text_width(str(count), Face.STRONG, TEXT)
    return width


def _put_supply(canvas: Canvas, seat: int, supply: tuple[int, ...], y: int) -> None:
    """Put how many pieces of each kind are not built, pale if none is left."""
    heading = WORDS.say("own.unbuilt")
    x = LEFT + write(canvas, LEFT, y, heading, Face.STRONG, TEXT, INK) + SUPPLY_SPACE
    number_room = text_width("00", Face.STRONG, TEXT)
    for kind, number in zip(KINDS, supply, strict=True):
        sprite = counter(seat, ICON, kind, None)
        canvas.put(sprite if number else sprite.fade(), x + ICON // 2, y)
        x += ICON + NUMBER_SPACE
        write(canvas, x, y, str(number), Face.STRONG, TEXT, INK if number else MUTED)
        x += number_room + PIECE_SPACE
