"""The score sheet that all games fill in: a column a seat, lines from top to bottom, the verdict at its foot."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine import View
from engine.core.words import points
from render.canvas import Canvas, Sprite
from render.chrome import LEAST, TITLE_HEIGHT, Chip, Plate, hair, paper, share, title_strip, winners_of
from render.fonts import Face, fitted, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, Colour, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge
from render.words import words_of

EDGE = 0.0125
"""Around the paper, as a share of the picture's width; so are all lengths below."""
LEFT = EDGE + 0.02
RIGHT = EDGE + 0.012
HEAD = 0.1
HEADING = 0.058
ROW = 0.054
NOTED = 0.076
"""A row with a note below it."""
SUM = 0.054
TOTAL = 0.078
FOOT = 0.058
END = 0.012

Icon = Callable[[Canvas, int, int], None]
"""Draws what stands before a row's label, around a point."""
Line = Callable[[int], None]
"""Draws a line from that height on."""


def icon_of(sprite: Sprite, down: int = 0) -> Icon:
    """A sprite as an icon, put somewhat lower if it is put by its foot."""
    return lambda canvas, x, y: canvas.put(sprite, x, y + down)


class Pad:
    """A score sheet. Its lines are noted as they are given and drawn by `image`, when its whole height is known."""

    def __init__(self, picture: int, title: str, names: tuple[str, ...], chip: Chip | None, labels: float) -> None:
        self.picture, self.names, self.labels = picture, names, labels
        self._title, self._chip = title, chip
        self._lines: list[tuple[float, Line]] = [(HEAD, self._head)]
        self._striped = False
        self.canvas = Canvas.blank(1, 1, BACKDROP)

    def image(self) -> Image.Image:
        """The sheet as it stands."""
        edge = self._px(EDGE)
        strip = self._px(TITLE_HEIGHT)
        high = sum(self._px(line_high) for line_high, _ in self._lines) + self._px(END)
        self.canvas = Canvas.blank(self.picture, strip + high + 2 * edge, BACKDROP)
        heading = (words_of().say("pad.title"),)
        self.canvas.lay(title_strip(self.picture, self._title, heading, self._chip), 0, 0)
        plate = Plate(self.picture - 2 * edge, high, self._px(0.005), band=0, radius=self._px(0.0117))
        self.canvas.put(paper(plate, False), edge, strip + edge)
        y = strip + edge
        for line_high, draw in self._lines:
            draw(y)
            y += self._px(line_high)
        return self.canvas.image

    def heading(self, text: str) -> None:
        """What the rows below it are of."""

        def draw(y: int) -> None:
            self._rule(y, RULE)
            self._write(y, HEADING, text, Face.TITLE, 0.034, MUTED)

        self._striped = False
        self._lines.append((HEADING, draw))

    def row(self, label: str, icon: Icon, values: Sequence[float], note: str = "", high: float = ROW) -> None:
        """Points of one kind; a note stands below them across the sheet."""
        # Every other row has a tint; the row must remember its own, since it is drawn when all are known.
        self._striped = not self._striped
        is_striped = self._striped
        row_high = NOTED if note else high

        def draw(y: int) -> None:
            if is_striped:
                self._band(y, row_high, mix(PAPER_COLOUR, RULE, 0.22))
            icon(self.canvas, self._px(EDGE + 0.037), y + self._px(row_high) // 2)
            # With a note below it the label moves up.
            middle = y + (self._px(0.024) if note else self._px(row_high) // 2)
            left = self._px(EDGE + 0.069)
            room = self._px(self.labels - EDGE - 0.075)
            # A label is shrunk but never cut.
            _, size = fitted(label, Face.LABEL, self._px(0.029), self._px(LEAST), room)
            write(self.canvas, left, middle, label, Face.LABEL, size, INK)
            write(self.canvas, left, y + self._px(0.056), note, Face.LABEL, self._px(LEAST), MUTED)
            for seat, value in enumerate(values):
                face, colour = (Face.STRONG, INK) if value else (Face.LABEL, PALE)
                self._value(seat, middle, points(value), face, 0.032, colour)

        self._lines.append((row_high, draw))

    def sum(self, label: str, values: Sequence[float]) -> None:
        """What the rows above it come to."""

        def draw(y: int) -> None:
            self._rule(y, MUTED)
            middle = self._write(y, SUM, label, Face.STRONG, 0.029, INK)
            for seat, value in enumerate(values):
                self._value(seat, middle, points(value), Face.STRONG, 0.037, INK)

        self._lines.append((SUM, draw))

    def total(self, label: str, scores: Sequence[float], first: Sequence[int]) -> None:
        """The points of the match; those of the first place shine."""

        def draw(y: int) -> None:
            self._band(y, TOTAL, INK)
            middle = self._write(y, TOTAL, label, Face.TITLE, 0.04, PAPER_COLOUR)
            for seat, score in enumerate(scores):
                colour = ACTIVE if seat in first else PAPER_COLOUR
                self._value(seat, middle, points(score), Face.STRONG, 0.05, colour)

        self._lines.append((TOTAL, draw))

    def tie_break(self, label: str, values: Sequence[int]) -> None:
        """What tells seats of equal points apart."""

        def draw(y: int) -> None:
            middle = self._write(y, FOOT, label, Face.LABEL, LEAST, MUTED)
            for seat, value in enumerate(values):
                self._value(seat, middle, str(value), Face.LABEL, 0.03, MUTED)

        self._lines.append((FOOT, draw))

    def verdict(self, text: str) -> None:
        """Who has won."""
        # The dark band of the total is line enough.
        last_high, _ = self._lines[-1]
        is_below_total = last_high == TOTAL

        def draw(y: int) -> None:
            if not is_below_total:
                self._rule(y, RULE)
            room = self.picture - 2 * self._px(LEFT)
            shown, size = fitted(text, Face.STRONG, self._px(0.031), self._px(LEAST), room)
            write(self.canvas, self.picture // 2, y + self._px(FOOT) // 2, shown, Face.STRONG, size, INK, "m")

        self._lines.append((FOOT, draw))

    def ended_early(self, how: str) -> None:
        """Instead of a verdict where players left before the end: who stayed is first, whatever the points."""
        self.verdict(words_of().say("pad.ended_early", how=how))

    def _head(self, y: int) -> None:
        """Badges and names."""
        column = round(self.picture * (1 - self.labels - RIGHT) / len(self.names))
        room = column - self._px(0.012)
        for seat, name in enumerate(self.names):
            x = self._column(seat)
            self.canvas.put(badge(seat, self._px(0.05)), x, y + self._px(0.036))
            shown, size = fitted(name, Face.STRONG, self._px(0.03), self._px(LEAST), room)
            write(self.canvas, x, y + self._px(0.08), shown, Face.STRONG, size, INK, "m")

    def _column(self, seat: int) -> int:
        """The middle of a seat's column."""
        left, right = self.picture * self.labels, self.picture * (1 - RIGHT)
        return round(left + (right - left) * (seat + 0.5) / len(self.names))

    def _write(self, y: int, high: float, text: str, face: Face, size: float, colour: Colour) -> int:
        """The beginning of a line; gives its middle."""
        middle = y + self._px(high) // 2
        write(self.canvas, self._px(LEFT), middle, text, face, self._px(size), colour)
        return middle

    def _value(self, seat: int, middle: int, text: str, face: Face, size: float, colour: Colour) -> None:
        write(self.canvas, self._column(seat), middle, text, face, self._px(size), colour, "m")

    def _band(self, y: int, high: float, colour: Colour) -> None:
        edge = self._px(EDGE) + 4
        self.canvas.cover((edge, y, self.picture - edge, y + self._px(high)), colour)

    def _rule(self, y: int, colour: Colour) -> None:
        edge = self._px(EDGE + 0.015)
        self.canvas.cover((edge, y, self.picture - edge, y + hair(self.picture)), colour)

    def _px(self, part: float) -> int:
        return share(self.picture, part)


def outcome_line(view: View, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie if there was one."""
    words = words_of(view.game)
    winners = winners_of(view)
    best = view.scores[winners[0]]
    shown = []
    for seat in winners:
        name = names[seat]
        if len(name) > 20:
            # Cut, two names may look alike: the letter tells them apart.
            name = f"{livery_of(seat).letter} {name[:17].rstrip()}…"
        shown.append(name)
    if len(winners) > 1:
        return words.say("pad.shared", winners=words.listed(shown), points=best)
    decider = view.outcome.decider() if view.outcome else None
    tiebreak = words.tiebreak([decider]) if decider else ""
    return words.say("pad.wins", name=shown[0], points=best, tiebreak=tiebreak)
