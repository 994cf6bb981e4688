"""What only the viewer knows, in words: cards, then the list of what is to be built or what is
left to build.
"""

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import KINDS
from engine.conquest.build_list import CARD
from engine.conquest.view import ConquestView, OwnView
from render.canvas import Canvas, kept
from render.chrome import Plate, paper, share
from render.conquest.layout import OWN, PLATE_RADIUS, TEXT, WIDTH
from render.conquest.tokens import card, counter
from render.fonts import Face, fitted, width, write
from render.palette import BACKDROP, INK, MUTED, PALE
from render.words import words_of

WORDS = words_of("conquest")
JOINT = " · "
EDGE = share(WIDTH, 0.006)
"""Around the sheet of paper."""
MARGIN = share(WIDTH, 0.012)
LEFT = EDGE + MARGIN
RIGHT = WIDTH - EDGE - MARGIN
CARDS_LINE = EDGE + share(WIDTH, 0.02)
PIECES_LINE = OWN - EDGE - share(WIDTH, 0.02)
"""The lower line: the list, or what is left to build."""
ICON = share(WIDTH, 0.03)
LARGEST = share(WIDTH, 0.027)
"""The letters of cards and list, where there are few."""


def own_band(view: ConquestView) -> Image.Image:
    """The band of the viewer's own things."""
    own = view.own
    if own is None or view.viewer is None:
        return Canvas.blank(WIDTH, OWN, BACKDROP).image
    told = list_text(own) if own.build is not None else None
    supply = tuple(own.unbuilt.of(kind) for kind in KINDS)
    return _band(view.viewer, card_names(own), own.points, told, supply)


def card_names(own: OwnView) -> tuple[str, ...]:
    """The viewer's cards; those that are used or shown are said to be."""
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
    """The viewer's cards by name."""
    return JOINT.join(card_names(own)) or WORDS.say("own.no_cards")


def cards_within(names: Sequence[str], room: int) -> str:
    """As many whole names as fit in the smallest letters, and how many more there are."""
    text = JOINT.join(names)
    for shown in range(len(names) - 1, -1, -1):
        if width(text, Face.LABEL, TEXT) <= room:
            break
        text = WORDS.say("own.more_cards", cards=JOINT.join(names[:shown]), more=len(names) - shown)
    return text if width(text, Face.LABEL, TEXT) <= room else ""


def list_text(own: OwnView) -> str:
    """What is on the viewer's list, and what is left to spend."""
    build = own.build
    if build is None:
        return ""
    parts = []
    for (item, spot), number in Counter(build.items).items():
        # A card has no place, but the pool that pays for it.
        place = "" if item == CARD else spot
        key = "own.items" if number > 1 else "own.item"
        parts.append(WORDS.say(key, item=item, number=number, spot=place))
    parts += [WORDS.say("own.settle", spot=spot) for spot in build.settled]
    pools = [f"{pool.points - pool.spent}/{pool.points}" for pool in own.pools if pool.points]
    return WORDS.say(
        "own.listed", items=WORDS.say("list.comma").join(parts), pools=" + ".join(pools)
    )


# 2 ms to draw, and a turn has many answers that leave cards and pieces as they are.
@kept(64)
def _band(
    seat: int, cards: tuple[str, ...], points: float, told: str | None, supply: tuple[int, ...]
) -> Image.Image:
    """Cards and points; below them the list if one is being made, else the pieces that are left
    to build.
    """
    canvas = Canvas.blank(WIDTH, OWN, BACKDROP)
    plate = Plate(WIDTH - 2 * EDGE, OWN - 2 * EDGE, 6, 0, PLATE_RADIUS)
    canvas.put(paper(plate, False), EDGE, EDGE)
    canvas.put(card(ICON), LEFT + ICON // 2, CARDS_LINE)
    # Points are written first: the names of the cards take what room is left.
    points_text = WORDS.say("own.points", points=points)
    right = RIGHT - write(canvas, RIGHT, CARDS_LINE, points_text, Face.STRONG, TEXT, INK, "r")
    left = LEFT + ICON + share(WIDTH, 0.008)
    room = right - left - share(WIDTH, 0.015)
    shown, size = fitted(
        cards_within(cards, room) or WORDS.say("own.no_cards"), Face.LABEL, LARGEST, TEXT, room
    )
    write(canvas, left, CARDS_LINE, shown, Face.LABEL, size, INK)
    if told is None:
        _put_supply(canvas, seat, supply)
    else:
        across = write(canvas, LEFT, PIECES_LINE, WORDS.say("own.list"), Face.STRONG, TEXT, INK)
        left = LEFT + across + share(WIDTH, 0.012)
        shown, size = fitted(told, Face.LABEL, LARGEST, TEXT, RIGHT - left)
        write(canvas, left, PIECES_LINE, shown, Face.LABEL, size, MUTED)
    return canvas.image


def _put_supply(canvas: Canvas, seat: int, supply: tuple[int, ...]) -> None:
    """How many pieces of each kind are not built, pale where none is left."""
    across = write(canvas, LEFT, PIECES_LINE, WORDS.say("own.unbuilt"), Face.STRONG, TEXT, INK)
    x = LEFT + across + share(WIDTH, 0.02)
    number_room = width("00", Face.STRONG, TEXT)
    for kind, number in zip(KINDS, supply, strict=True):
        sprite = counter(seat, ICON, kind, None)
        canvas.put(sprite if number else sprite.faded(), x + ICON // 2, PIECES_LINE)
        x += ICON + 6
        write(canvas, x, PIECES_LINE, str(number), Face.STRONG, TEXT, INK if number else PALE)
        x += number_room + share(WIDTH, 0.024)
