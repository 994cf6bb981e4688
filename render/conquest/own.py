"""What only the viewer knows, in words: cards, then the list of what is to be built or what is left to build."""

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import KINDS
from engine.conquest.build_list import CARD
from engine.conquest.view import ConquestView, OwnView
from render.canvas import Canvas, kept
from render.chrome import Plate, paper, share
from render.conquest.layout import OWN, TEXT, WIDTH
from render.conquest.tokens import card, counter
from render.fonts import Face, fitted, width, write
from render.palette import BACKDROP, INK, MUTED, PALE
from render.words import words_of

WORDS = words_of("conquest")
JOINT = " · "
EDGE = share(WIDTH, 0.008)
LEFT = EDGE + share(WIDTH, 0.012)


def own_band(view: ConquestView) -> Image.Image:
    """The band of the viewer's own things."""
    own = view.own
    if own is None:
        return Canvas.blank(WIDTH, OWN, BACKDROP).image
    told = list_text(own) if own.build is not None else ""
    seat = int(view.viewer or 0)
    left = own.unbuilt
    supply = tuple(left.of(kind) for kind in KINDS)
    return _band(seat, card_names(own), own.points, told, own.build is not None, supply)


def card_names(own: OwnView) -> tuple[str, ...]:
    """The viewer's cards; those that are used or shown are said to be."""
    names = []
    for held in own.hand:
        state = "used" if held.used else "shown" if held.up else "hidden"
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
        parts.append(WORDS.say("own.items" if number > 1 else "own.item", item=item, number=number, spot=place))
    parts += [WORDS.say("own.settle", spot=spot) for spot in build.settled]
    pools = " + ".join(f"{pool.points - pool.spent}/{pool.points}" for pool in own.pools if pool.points)
    return WORDS.say("own.listed", items=WORDS.say("list.comma").join(parts), pools=pools)


@kept(64)
def _band(
    seat: int, cards: tuple[str, ...], total: float, told: str, is_list: bool, supply: tuple[int, ...]
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, OWN, BACKDROP)
    canvas.put(paper(Plate(WIDTH - 2 * EDGE, OWN - 2 * EDGE, 6, 0, share(WIDTH, 0.0117)), False), EDGE, EDGE)
    first, second = EDGE + share(WIDTH, 0.019), OWN - EDGE - share(WIDTH, 0.02)
    icon = share(WIDTH, 0.03)
    canvas.put(card(icon), LEFT + icon // 2, first)
    right = WIDTH - EDGE - share(WIDTH, 0.012)
    right -= write(canvas, right, first, WORDS.say("own.points", points=total), Face.STRONG, TEXT, INK, "r")
    start = LEFT + icon + share(WIDTH, 0.008)
    room = right - start - share(WIDTH, 0.015)
    told_cards = cards_within(cards, room) or WORDS.say("own.no_cards")
    shown, size = fitted(told_cards, Face.LABEL, share(WIDTH, 0.027), TEXT, room)
    write(canvas, start, first, shown, Face.LABEL, size, INK)
    if is_list:
        _write_list(canvas, second, told)
    else:
        _put_supply(canvas, second, seat, supply)
    return canvas.image


def _write_list(canvas: Canvas, y: int, told: str) -> None:
    x = LEFT + write(canvas, LEFT, y, WORDS.say("own.list"), Face.STRONG, TEXT, INK) + share(WIDTH, 0.012)
    shown, size = fitted(told, Face.LABEL, share(WIDTH, 0.027), TEXT, WIDTH - x - EDGE - share(WIDTH, 0.012))
    write(canvas, x, y, shown, Face.LABEL, size, MUTED)


def _put_supply(canvas: Canvas, y: int, seat: int, supply: tuple[int, ...]) -> None:
    x = LEFT + write(canvas, LEFT, y, WORDS.say("own.unbuilt"), Face.STRONG, TEXT, INK) + share(WIDTH, 0.02)
    icon = share(WIDTH, 0.03)
    for kind, number in zip(KINDS, supply, strict=True):
        sprite = counter(seat, icon, kind, None)
        canvas.put(sprite if number else sprite.faded(), x + icon // 2, y)
        write(canvas, x + icon + 6, y, str(number), Face.STRONG, TEXT, INK if number else PALE)
        x += icon + 6 + width("00", Face.STRONG, TEXT) + share(WIDTH, 0.024)
