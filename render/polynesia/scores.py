"""The score sheet of Polynesia: a row a kind of points, a column a seat."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.core.words import listed, points
from engine.polynesia.view import PolynesiaView
from render import Scene
from render.canvas import Canvas, Sprite
from render.chrome import LEAST, TITLE_HEIGHT, Plate, hair, names_for, paper, share, title_strip
from render.fonts import Face, fitted, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge, pawn
from render.polynesia.layout import WIDTH
from render.polynesia.panels import chip_of, winners
from render.polynesia.sprites import point, token, turtle
from render.polynesia.strip import REMINDERS, tide_icon

LABELS = 0.33
"""The column of labels, as a share of the picture's width; so are the heights of rows below."""
EDGE, ROW, TIDE, HEAD, TOTAL, FOOT = 0.0125, 0.052, 0.076, 0.1, 0.078, 0.058
KINDS: tuple[tuple[str, str, Callable[[int], Sprite]], ...] = (
    ("space", "Highest free space", lambda size: pawn(3, size, None)),
    ("turtles", "Turtle islands", lambda size: turtle(size, None)),
    ("tokens", "Turtle tokens", lambda size: token("turtle", size, None)),
    ("points", "Point tokens", lambda size: point(size, "1", None)),
)


def score_sheet(view: PolynesiaView, scene: Scene) -> Image.Image | None:
    """The points of the end; None before it."""
    if not view.rows:
        return None
    sheet = _Sheet(view, names_for(scene.names, len(view.sides)))
    sheet.head()
    for i, (kind, text, icon) in enumerate(KINDS):
        sheet.kind(text, icon(_size(0.037)), [getattr(row, kind) for row in view.rows], striped=i % 2 == 0)
    for i, card in enumerate(view.tides):
        sheet.tide(card, [getattr(row, f"tide{i + 1}") for row in view.rows], striped=i % 2 == 0)
    sheet.final()
    return sheet.canvas.image


def _size(part: float) -> int:
    return share(WIDTH, part)


class _Sheet:
    """A sheet being filled from top to bottom; `y` is how far it is."""

    def __init__(self, view: PolynesiaView, names: tuple[str, ...]) -> None:
        self.view, self.names = view, names
        edge, top = _size(EDGE), _size(TITLE_HEIGHT)
        high = sum(_size(part) for part in (HEAD, *[ROW] * len(KINDS), *[TIDE] * 3, TOTAL, FOOT, FOOT, 0.012))
        self.canvas = Canvas.blank(WIDTH, top + high + 2 * edge, BACKDROP)
        self.canvas.lay(title_strip(WIDTH, "Polynesia", ("Score sheet",), chip_of(view, names)), 0, 0)
        self.canvas.put(paper(Plate(WIDTH - 2 * edge, high, 0, 0, _size(0.0117)), False), edge, top + edge)
        self.y = top + edge

    def _column(self, seat: int) -> int:
        """The middle of a seat's column."""
        left, right = WIDTH * LABELS, WIDTH * (1 - EDGE - 0.012)
        return round(left + (right - left) * (seat + 0.5) / len(self.names))

    def head(self) -> None:
        """Badges and names."""
        room = round(WIDTH * (1 - LABELS - EDGE - 0.012) / len(self.names)) - _size(0.012)
        for seat, name in enumerate(self.names):
            x = self._column(seat)
            self.canvas.put(badge(seat, _size(0.05)), x, self.y + _size(0.036))
            shown, size = fitted(name, Face.STRONG, _size(0.03), _size(LEAST), room)
            write(self.canvas, x, self.y + _size(0.08), shown, Face.STRONG, size, INK, "m")
        self.y += _size(HEAD)

    def kind(self, text: str, icon: Sprite, values: Sequence[int], striped: bool) -> None:
        """A row of points that every match counts."""
        middle = self._row(ROW, icon, values, striped)
        write(self.canvas, _size(EDGE + 0.07), middle, text, Face.LABEL, _size(0.029), INK)

    def tide(self, card: str, values: Sequence[int], striped: bool) -> None:
        """A row of a Tide card: the points, and below them across the sheet what it does."""
        top = self.y
        self._row(TIDE, tide_icon(card, _size(0.037)), values, striped, _size(0.024))
        left = _size(EDGE + 0.07)
        write(self.canvas, left, top + _size(0.024), f"Tide card {card}", Face.LABEL, _size(0.029), INK)
        write(self.canvas, left, top + _size(0.056), REMINDERS[card], Face.LABEL, _size(LEAST), MUTED)

    def _row(self, part: float, icon: Sprite, values: Sequence[int], striped: bool, down: int = 0) -> int:
        high, edge = _size(part), _size(EDGE)
        if striped:
            tone = mix(PAPER_COLOUR, RULE, 0.22)
            self.canvas.cover((edge + 4, self.y, WIDTH - edge - 4, self.y + high), tone)
        middle = self.y + (down or high // 2)
        self.canvas.put(icon, _size(EDGE + 0.038), self.y + high // 2)
        for seat, value in enumerate(values):
            face, colour = (Face.STRONG, INK) if value else (Face.LABEL, PALE)
            write(self.canvas, self._column(seat), middle, points(value), face, _size(0.032), colour, "m")
        self.y += high
        return middle

    def final(self) -> None:
        """The total, the islands that break a tie, and who has won."""
        high, edge = _size(TOTAL), _size(EDGE)
        self.canvas.cover((edge + 4, self.y, WIDTH - edge - 4, self.y + high), INK)
        left, middle = _size(EDGE + 0.02), self.y + high // 2
        write(self.canvas, left, middle, "Total", Face.TITLE, _size(0.042), PAPER_COLOUR)
        for seat, score in enumerate(self.view.scores):
            colour = ACTIVE if seat in winners(self.view) else PAPER_COLOUR
            write(self.canvas, self._column(seat), middle, points(score), Face.STRONG, _size(0.05), colour, "m")
        self.y += high
        middle = self.y + _size(FOOT / 2)
        write(self.canvas, left, middle, "Islands settled (ties)", Face.LABEL, _size(LEAST), MUTED)
        for seat, number in enumerate(self.view.islands_settled):
            write(self.canvas, self._column(seat), middle, str(number), Face.LABEL, _size(0.03), MUTED, "m")
        self.y += _size(FOOT)
        self.canvas.cover((left, self.y, WIDTH - left, self.y + hair(WIDTH)), RULE)
        told = verdict(self.view, self.names)
        text, size = fitted(told, Face.STRONG, _size(0.031), _size(LEAST), WIDTH - 2 * left)
        write(self.canvas, WIDTH // 2, self.y + _size(FOOT / 2), text, Face.STRONG, size, INK, "m")


def verdict(view: PolynesiaView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    best, first = max(view.scores), winners(view)
    if len(first) > 1:
        return f"Shared victory of {listed(_short(names, seat) for seat in first)} with {_points(best)}"
    is_level = sum(1 for score in view.scores if score == best) > 1
    how = f", the tie broken by {view.islands_settled[first[0]]} islands" if is_level else ""
    return f"{_short(names, first[0])} wins with {_points(best)}{how}"


def _points(number: float) -> str:
    return f"{points(number)} point{'' if number == 1 else 's'}"


def _short(names: Sequence[str], seat: int) -> str:
    return names[seat] if len(names[seat]) <= 20 else f"{livery_of(seat).letter} {names[seat][:17]}…"
