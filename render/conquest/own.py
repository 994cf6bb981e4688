"""What only the viewer knows, in words: cards, then the list of what is to be built or what is left to build."""

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.conquest.board import CARDS, KINDS
from engine.conquest.view import ConquestView, OwnView
from engine.core.words import points
from render.canvas import Canvas, kept
from render.chrome import Plate, paper, share
from render.conquest.layout import OWN, TEXT, WIDTH
from render.conquest.tokens import card, counter
from render.fonts import Face, fitted, width, write
from render.palette import BACKDROP, INK, MUTED, PALE

JOINT = " · "
EDGE = share(WIDTH, 0.008)
LEFT = EDGE + share(WIDTH, 0.012)
ITEMS = {
    "t": "canoe",
    "o": "open canoe",
    "w": "war canoe",
    "b": "band",
    "c": "colony",
    "r": "rumor",
    "v": "village",
    "a": "agriculture",
    "card": "card",
    "inward": "turn inward",
}
"""The items of a list, in a word or two."""


def own_band(view: ConquestView) -> Image.Image:
    """The band of the viewer's own things."""
    own = view.own
    if own is None:
        return Canvas.blank(WIDTH, OWN, BACKDROP).image
    told = list_text(own) if own.build is not None else ""
    seat = int(view.viewer or 0)
    left = own.unbuilt
    supply = tuple(left.of(kind) for kind in KINDS)
    return _band(seat, card_names(own), points(own.points), told, own.build is not None, supply)


def card_names(own: OwnView) -> tuple[str, ...]:
    """The viewer's cards; used ones are said to be."""
    return tuple(
        f"{CARDS[card.key].name}{' (used)' if card.used else ' (shown)' if card.up else ''}" for card in own.hand
    )


def cards_text(own: OwnView) -> str:
    """The viewer's cards by name."""
    return JOINT.join(card_names(own)) or "no cards"


def cards_within(names: Sequence[str], room: int) -> str:
    """As many whole names as fit in the smallest letters, and how many more there are."""
    for shown in range(len(names), -1, -1):
        more = f" and {len(names) - shown} more" if shown < len(names) else ""
        text = JOINT.join(names[:shown]) + more
        if width(text, Face.LABEL, TEXT) <= room:
            return text.removeprefix(" and ")
    return ""


def list_text(own: OwnView) -> str:
    """What is on the viewer's list, and what is left to spend."""
    build = own.build
    if build is None:
        return ""
    wanted = Counter(build.items)
    parts = []
    for (item, spot), number in wanted.items():
        name = ITEMS.get(item, CARDS[item].name if item in CARDS else item)
        parts.append(
            f"{f'{number} ' if number > 1 else ''}{name}{f' {spot.upper()}' if len(spot) < 4 and spot else ''}"
        )
    parts += [f"settle {spot.upper()}" for spot in build.settled]
    pools = " + ".join(f"{pool.points - pool.spent}/{pool.points}" for pool in own.pools if pool.points)
    return f"{', '.join(parts) or 'nothing listed'}; points left {pools or '0'}"


@kept(64)
def _band(
    seat: int, cards: tuple[str, ...], total: str, told: str, is_list: bool, supply: tuple[int, ...]
) -> Image.Image:
    canvas = Canvas.blank(WIDTH, OWN, BACKDROP)
    canvas.put(paper(Plate(WIDTH - 2 * EDGE, OWN - 2 * EDGE, 6, 0, share(WIDTH, 0.0117)), False), EDGE, EDGE)
    first, second = EDGE + share(WIDTH, 0.019), OWN - EDGE - share(WIDTH, 0.02)
    icon = share(WIDTH, 0.03)
    canvas.put(card(icon), LEFT + icon // 2, first)
    right = WIDTH - EDGE - share(WIDTH, 0.012)
    right -= write(canvas, right, first, f"{total} VP with all cards", Face.STRONG, TEXT, INK, "r")
    start = LEFT + icon + share(WIDTH, 0.008)
    room = right - start - share(WIDTH, 0.015)
    told_cards = cards_within(cards, room) or "no cards"
    shown, size = fitted(told_cards, Face.LABEL, share(WIDTH, 0.027), TEXT, room)
    write(canvas, start, first, shown, Face.LABEL, size, INK)
    if is_list:
        _write_list(canvas, second, told)
    else:
        _put_supply(canvas, second, seat, supply)
    return canvas.image


def _write_list(canvas: Canvas, y: int, told: str) -> None:
    x = LEFT + write(canvas, LEFT, y, "Your list", Face.STRONG, TEXT, INK) + share(WIDTH, 0.012)
    shown, size = fitted(told, Face.LABEL, share(WIDTH, 0.027), TEXT, WIDTH - x - EDGE - share(WIDTH, 0.012))
    write(canvas, x, y, shown, Face.LABEL, size, MUTED)


def _put_supply(canvas: Canvas, y: int, seat: int, supply: tuple[int, ...]) -> None:
    x = LEFT + write(canvas, LEFT, y, "Not yet built", Face.STRONG, TEXT, INK) + share(WIDTH, 0.02)
    icon = share(WIDTH, 0.03)
    for kind, number in zip(KINDS, supply, strict=True):
        sprite = counter(seat, icon, kind, None)
        canvas.put(sprite if number else sprite.faded(), x + icon // 2, y)
        write(canvas, x + icon + 6, y, str(number), Face.STRONG, TEXT, INK if number else PALE)
        x += icon + 6 + width("00", Face.STRONG, TEXT) + share(WIDTH, 0.024)
