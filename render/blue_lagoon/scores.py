"""The score sheet of Blue Lagoon: a row a kind of points, a column a seat, a block a phase."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.blue_lagoon.view import BlueLagoonView, Row
from engine.core.words import listed, points
from render import Scene
from render.blue_lagoon.panels import winners
from render.canvas import Canvas, Sprite
from render.chrome import LEAST, TITLE_HEIGHT, Chip, Plate, hair, names_for, paper, share, title_strip
from render.fonts import Face, fitted, write
from render.items import coconut, statuette, stone
from render.nature import palm
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge, disc, voyager

PICTURE = 960
LABELS = 0.30
"""The column of labels, as a share of the picture's width; so are the heights of rows below."""
EDGE, ROW, HEADING, TOTAL, HEAD, FOOT = 0.0125, 0.043, 0.058, 0.054, 0.1, 0.058
KINDS: tuple[tuple[str, str, Callable[[int], Sprite]], ...] = (
    ("islands", "Islands", lambda size: palm(size, 1)),
    ("links", "Links", lambda size: voyager(size, None)),
    ("majorities", "Majorities", lambda size: disc("8", size)),
    ("resources", "Resources", lambda size: coconut(size, None)),
    ("set", "All four kinds", lambda size: stone(size, None)),
    ("statuettes", "Statuettes", lambda size: statuette(size, None)),
)
PHASES = ("Exploration", "Settlement")


def score_sheet(view: BlueLagoonView, scene: Scene) -> Image.Image | None:
    """The phases scored so far, the total of both at the end; None before the first is scored."""
    if not view.rows:
        return None
    sheet = _Sheet(view, names_for(scene.names, len(view.sides)))
    sheet.head()
    for name, rows in zip(PHASES, view.rows, strict=False):
        sheet.phase(name, rows)
    if view.phase == "over":
        sheet.final()
    return sheet.canvas.image


class _Sheet:
    """A sheet being filled from top to bottom; `y` is how far it is."""

    def __init__(self, view: BlueLagoonView, names: tuple[str, ...]) -> None:
        self.view, self.names, self.seats = view, names, len(names)
        self.is_over = view.phase == "over"
        edge, top = share(PICTURE, EDGE), share(PICTURE, TITLE_HEIGHT)
        high = self._paper_height()
        self.canvas = Canvas.blank(PICTURE, top + high + 2 * edge, BACKDROP)
        self.canvas.lay(title_strip(PICTURE, "Blue Lagoon", ("Score sheet",), self._chip()), 0, 0)
        plate = Plate(PICTURE - 2 * edge, high, share(PICTURE, 0.005), 0, share(PICTURE, 0.0117))
        self.canvas.put(paper(plate, False), edge, top + edge)
        self.y = top + edge

    def _paper_height(self) -> int:
        phase = share(PICTURE, HEADING) + len(KINDS) * share(PICTURE, ROW) + share(PICTURE, TOTAL)
        final = share(PICTURE, 0.078) + 2 * share(PICTURE, FOOT) if self.is_over else 0
        return share(PICTURE, HEAD) + len(self.view.rows) * phase + final + share(PICTURE, 0.012)

    def _chip(self) -> Chip | None:
        if not self.is_over:
            return None
        first = winners(self.view)
        return Chip(first, self.names[first[0]], "wins") if len(first) == 1 else Chip(first, "", "share the win")

    def _column(self, seat: int) -> int:
        """The middle of a seat's column."""
        left, right = PICTURE * LABELS, PICTURE * (1 - EDGE - 0.012)
        return round(left + (right - left) * (seat + 0.5) / self.seats)

    def head(self) -> None:
        """Badges and names."""
        room = round(PICTURE * (1 - LABELS - EDGE - 0.012) / self.seats) - share(PICTURE, 0.012)
        for seat, name in enumerate(self.names):
            x = self._column(seat)
            self.canvas.put(badge(seat, share(PICTURE, 0.05)), x, self.y + share(PICTURE, 0.036))
            shown, size = fitted(name, Face.STRONG, share(PICTURE, 0.03), share(PICTURE, LEAST), room)
            write(self.canvas, x, self.y + share(PICTURE, 0.08), shown, Face.STRONG, size, INK, "m")
        self.y += share(PICTURE, HEAD)

    def phase(self, name: str, rows: Sequence[Row]) -> None:
        """A block: heading, a row a kind, the phase's total."""
        self._rule(RULE)
        left = share(PICTURE, EDGE + 0.02)
        middle = self.y + share(PICTURE, HEADING / 2)
        write(self.canvas, left, middle, name, Face.TITLE, share(PICTURE, 0.034), MUTED)
        self.y += share(PICTURE, HEADING)
        for i, (kind, label, icon) in enumerate(KINDS):
            self._kind(label, icon, [getattr(row, kind) for row in rows], striped=i % 2 == 0)
        self._totals(f"{name} total", [row.total for row in rows])

    def _kind(self, label: str, icon: Callable[[int], Sprite], values: Sequence[int], striped: bool) -> None:
        high, edge = share(PICTURE, ROW), share(PICTURE, EDGE)
        if striped:
            tone = mix(PAPER_COLOUR, RULE, 0.22)
            self.canvas.cover((edge + 4, self.y, PICTURE - edge - 4, self.y + high), tone)
        middle = self.y + high // 2
        size, foot = share(PICTURE, 0.031), share(PICTURE, 0.015) if label == "Islands" else 0
        self.canvas.put(icon(size), share(PICTURE, EDGE + 0.036), middle + foot)
        write(self.canvas, share(PICTURE, EDGE + 0.066), middle, label, Face.LABEL, share(PICTURE, 0.029), INK)
        for seat, value in enumerate(values):
            face, colour = (Face.STRONG, INK) if value else (Face.LABEL, PALE)
            write(self.canvas, self._column(seat), middle, points(value), face, share(PICTURE, 0.031), colour, "m")
        self.y += high

    def _totals(self, label: str, values: Sequence[int]) -> None:
        self._rule(MUTED)
        middle = self.y + share(PICTURE, TOTAL / 2)
        write(self.canvas, share(PICTURE, EDGE + 0.02), middle, label, Face.STRONG, share(PICTURE, 0.029), INK)
        for seat, value in enumerate(values):
            write(self.canvas, self._column(seat), middle, points(value), Face.STRONG, share(PICTURE, 0.037), INK, "m")
        self.y += share(PICTURE, TOTAL)

    def final(self) -> None:
        """Both phases together, the items that break a tie, and who has won."""
        high, edge = share(PICTURE, 0.078), share(PICTURE, EDGE)
        self.canvas.cover((edge + 4, self.y, PICTURE - edge - 4, self.y + high), INK)
        left, middle = share(PICTURE, EDGE + 0.02), self.y + high // 2
        write(self.canvas, left, middle, "Total", Face.TITLE, share(PICTURE, 0.042), PAPER_COLOUR)
        for seat, score in enumerate(self.view.scores):
            colour = ACTIVE if seat in winners(self.view) else PAPER_COLOUR
            write(
                self.canvas, self._column(seat), middle, points(score), Face.STRONG, share(PICTURE, 0.05), colour, "m"
            )
        self.y += high
        middle = self.y + share(PICTURE, FOOT / 2)
        write(self.canvas, left, middle, "Items held (break ties)", Face.LABEL, share(PICTURE, LEAST), MUTED)
        for seat, side in enumerate(self.view.sides):
            held = str(sum(side.held))
            write(self.canvas, self._column(seat), middle, held, Face.LABEL, share(PICTURE, 0.03), MUTED, "m")
        self.y += share(PICTURE, FOOT)
        self._rule(RULE)
        room = PICTURE - 2 * left
        told = verdict(self.view, self.names)
        text, size = fitted(told, Face.STRONG, share(PICTURE, 0.031), share(PICTURE, LEAST), room)
        write(self.canvas, PICTURE // 2, self.y + share(PICTURE, FOOT / 2), text, Face.STRONG, size, INK, "m")

    def _rule(self, colour: tuple[int, int, int]) -> None:
        edge = share(PICTURE, EDGE) + share(PICTURE, 0.015)
        self.canvas.cover((edge, self.y, PICTURE - edge, self.y + hair(PICTURE)), colour)


def verdict(view: BlueLagoonView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    best, first = max(view.scores), winners(view)
    if len(first) > 1:
        return f"Shared victory of {listed(_short(names, seat) for seat in first)} with {points(best)} points"
    is_level = sum(1 for score in view.scores if score == best) > 1
    how = f"points, the tie broken by {sum(view.sides[first[0]].held)} items" if is_level else "points"
    return f"{_short(names, first[0])} wins with {points(best)} {how}"


def _short(names: Sequence[str], seat: int) -> str:
    return names[seat] if len(names[seat]) <= 20 else f"{livery_of(seat).letter} {names[seat][:17]}…"
