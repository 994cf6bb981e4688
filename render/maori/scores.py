"""The score sheet of Maori: a row a kind of points, a column a seat."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.core.words import listed, points
from engine.maori.view import MaoriView
from render import Scene
from render.canvas import Canvas
from render.chrome import LEAST, TITLE_HEIGHT, Plate, hair, names_for, paper, share, title_strip
from render.fonts import Face, fitted, write
from render.items import shell
from render.maori.layout import PICTURE
from render.maori.panels import chip_of, winners
from render.maori.sprites import flower, frame, hut, palm, ship
from render.maori.tiles import half_lei
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge

EDGE = share(PICTURE, 0.0125)
LABELS = share(PICTURE, 0.33)
"""The width of the column of labels."""
HEAD, ROW, TOTAL, FOOT = (share(PICTURE, part) for part in (0.115, 0.062, 0.085, 0.06))
LEFT = EDGE + share(PICTURE, 0.02)
ICON = share(PICTURE, 0.045)


def _palm(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(palm(ICON, 1), x, y + ICON // 2)


def _hut(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(hut(ICON), x, y + ICON // 2 - 2)


def _lei(canvas: Canvas, x: int, y: int) -> None:
    for side in (1, 3):
        for i, (right, down) in enumerate(half_lei(side)):
            scale = ICON / 62
            centre = right - (100 if side == 1 else 0)
            canvas.put(
                flower(round(18 * scale), bool((i + side // 2) % 2)),
                x + round(centre * scale),
                y + round((down - 50) * scale),
            )


def _ship(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(ship(ICON, None), x, y)


def _shell(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(shell(ICON - 6, None), x, y)


def _space(canvas: Canvas, x: int, y: int) -> None:
    canvas.put(frame(ICON - 14, ICON - 14, 4), x - (ICON - 14) // 2, y - (ICON - 14) // 2)


KINDS: tuple[tuple[str, str, Callable[[Canvas, int, int], None]], ...] = (
    ("palms", "Palms, no hut", _palm),
    ("huts", "Palms with a hut", _hut),
    ("leis", "Leis", _lei),
    ("ships", "Most ships", _ship),
    ("shells", "Most shells", _shell),
    ("empty", "Empty spaces", _space),
)


def score_sheet(view: MaoriView, scene: Scene) -> Image.Image | None:
    """The points of the match; None before its end."""
    if not view.rows:
        return None
    names = names_for(scene.names, len(view.sides))
    top = share(PICTURE, TITLE_HEIGHT) + EDGE
    high = HEAD + len(KINDS) * ROW + TOTAL + 2 * FOOT + 10
    canvas = Canvas.blank(PICTURE, top + high + EDGE, BACKDROP)
    canvas.lay(title_strip(PICTURE, "Maori", ("Score sheet",), chip_of(view, names)), 0, 0)
    canvas.put(paper(Plate(PICTURE - 2 * EDGE, high, 5, 0, 11), False), EDGE, top)
    _head(canvas, names, top)
    y = top + HEAD
    for i, (kind, text, icon) in enumerate(KINDS):
        values = [getattr(row, kind) for row in view.rows]
        _kind(canvas, y, (text, icon), values, striped=i % 2 == 0)
        y += ROW
    _total(canvas, y, view)
    _foot(canvas, y + TOTAL, view, names)
    return canvas.image


def _column(seats: int, seat: int) -> int:
    """The middle of a seat's column."""
    right = PICTURE - EDGE - 12
    return round(LABELS + (right - LABELS) * (seat + 0.5) / seats)


def _head(canvas: Canvas, names: Sequence[str], top: int) -> None:
    seats = len(names)
    room = (PICTURE - EDGE - 12 - LABELS) // seats - 12
    for seat, name in enumerate(names):
        x = _column(seats, seat)
        canvas.put(badge(seat, share(PICTURE, 0.052)), x, top + share(PICTURE, 0.042))
        shown, size = fitted(name, Face.STRONG, share(PICTURE, 0.03), share(PICTURE, LEAST), room)
        write(canvas, x, top + share(PICTURE, 0.09), shown, Face.STRONG, size, INK, "m")


def _kind(
    canvas: Canvas, y: int, kind: tuple[str, Callable[[Canvas, int, int], None]], values: Sequence[int], striped: bool
) -> None:
    if striped:
        canvas.cover((EDGE + 4, y, PICTURE - EDGE - 4, y + ROW), mix(PAPER_COLOUR, RULE, 0.22))
    middle = y + ROW // 2
    kind[1](canvas, LEFT + 22, middle)
    write(canvas, LEFT + 52, middle, kind[0], Face.LABEL, share(PICTURE, 0.029), INK)
    for seat, value in enumerate(values):
        face, colour = (Face.STRONG, INK) if value else (Face.LABEL, PALE)
        write(canvas, _column(len(values), seat), middle, points(value), face, share(PICTURE, 0.034), colour, "m")


def _total(canvas: Canvas, y: int, view: MaoriView) -> None:
    canvas.cover((EDGE + 4, y, PICTURE - EDGE - 4, y + TOTAL), INK)
    middle = y + TOTAL // 2
    write(canvas, LEFT, middle, "Total", Face.TITLE, share(PICTURE, 0.042), PAPER_COLOUR)
    for seat, score in enumerate(view.scores):
        colour = ACTIVE if seat in winners(view) else PAPER_COLOUR
        write(
            canvas,
            _column(len(view.scores), seat),
            middle,
            points(score),
            Face.STRONG,
            share(PICTURE, 0.05),
            colour,
            "m",
        )


def _foot(canvas: Canvas, y: int, view: MaoriView, names: Sequence[str]) -> None:
    middle = y + FOOT // 2
    write(canvas, LEFT, middle, "Shells (break ties)", Face.LABEL, share(PICTURE, LEAST), MUTED)
    for seat, side in enumerate(view.sides):
        x = _column(len(view.sides), seat)
        write(canvas, x, middle, str(side.shells), Face.LABEL, share(PICTURE, 0.03), MUTED, "m")
    canvas.cover((LEFT, y + FOOT, PICTURE - LEFT, y + FOOT + hair(PICTURE)), RULE)
    room = PICTURE - 2 * LEFT
    text, size = fitted(verdict(view, names), Face.STRONG, share(PICTURE, 0.031), share(PICTURE, LEAST), room)
    write(canvas, PICTURE // 2, y + FOOT + FOOT // 2, text, Face.STRONG, size, INK, "m")


def verdict(view: MaoriView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first, best = winners(view), max(view.scores)
    if len(first) > 1:
        return f"Shared victory of {listed(_short(names, seat) for seat in first)} with {points(best)} points"
    is_level = sum(score == best for score in view.scores) > 1
    how = f"points, the tie broken by {view.sides[first[0]].shells} shells" if is_level else "points"
    return f"{_short(names, first[0])} wins with {points(best)} {how}"


def _short(names: Sequence[str], seat: int) -> str:
    name = names[seat]
    return name if len(name) <= 20 else f"{livery_of(seat).letter} {name[:17]}…"
