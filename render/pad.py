"""The score sheet that all games fill in: a column a seat, by rank; lines from the top down, the
verdict last.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

from PIL import Image

from engine import Seat, View
from engine.core.words import points
from render import Scene
from render.alt import LIMIT, clipped, seat_names, turn_of
from render.canvas import Canvas, Sprite
from render.chrome import (
    LEAST,
    TITLE_HEIGHT,
    Plate,
    chip_of,
    hair,
    names_for,
    paper,
    share,
    title_of,
    title_strip,
    winners_of,
)
from render.fonts import Face, fitted, in_lines, sentence, width, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, PALE, RULE, Colour, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge
from render.words import words_of

NAMES = (34, 20, 12, 6)
"""Characters of a name in an alt text: as many as leave room for the whole table."""
NAME_LENGTHS = (32, 26, 20, 14, 9, 6, 4)
"""Characters of a name in the verdict: as many as leave room for the names of all who share the
win.
"""
STRIPE = mix(PAPER_COLOUR, RULE, 0.22)
TINT = mix(PAPER_COLOUR, ACTIVE, 0.35)
EDGE = 0.0125
"""Around the paper, as a share of the picture's width; so are all lengths below."""
LEFT = EDGE + 0.02
RIGHT = EDGE + 0.012
HEAD = 0.106
NAME = 0.031
"""A second line of a name."""
HEADING = 0.058
ROW = 0.054
NOTED = 0.076
"""A row with a note below it."""
BAR, BAR_DOWN = 0.0083, 0.0122
"""How high a bar is, and how far below the middle of its row."""
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
    """A score sheet.

    Its lines are noted as they are given and drawn by `image`, when its whole height is known.
    """

    def __init__(self, picture: int, view: View, scene: Scene, labels: float) -> None:
        self.picture, self.labels = picture, labels
        self.names = names_for(scene.names, len(view.scores))
        """As they can be drawn."""
        self._view, self._scene = view, scene
        self._places = places_of(view)
        """The seats from the best on, with their places."""
        # A name that is too long for its column goes on in a second line.
        least, room = self._px(LEAST), self._wide() - self._px(0.012)
        self._named = [in_lines(name, Face.STRONG, least, room) for name in self.names]
        self._head_high = HEAD + NAME * (max(map(len, self._named)) - 1)
        self._lines: list[tuple[float, Line]] = [(self._head_high, self._head)]
        self._striped = False
        self._most = 1.0
        """The most points in a row, whose bar is the longest."""
        self._told: list[tuple[str, list[str]]] = [("", [])]
        """The same lines in words, by their headings."""
        self.canvas = Canvas.blank(1, 1, BACKDROP)

    def image(self) -> Image.Image:
        """The sheet as it stands."""
        edge = self._px(EDGE)
        strip = self._px(TITLE_HEIGHT)
        high = sum(self._px(line_high) for line_high, _ in self._lines) + self._px(END)
        self.canvas = Canvas.blank(self.picture, strip + high + 2 * edge, BACKDROP)
        heading = (words_of().say("pad.title"),)
        # Whose turn it is does not matter here.
        chip = chip_of(self._view, self.names) if self._view.outcome else None
        self.canvas.lay(title_strip(self.picture, title_of(self._view), heading, chip), 0, 0)
        plate = Plate(
            self.picture - 2 * edge, high, self._px(0.005), band=0, radius=self._px(0.0117)
        )
        self.canvas.put(paper(plate, False), edge, strip + edge)
        y = strip + edge
        for line_high, draw in self._lines:
            draw(y)
            y += self._px(line_high)
        return self.canvas.image

    def text(self) -> str:
        """The whole table in at most 1,024 characters: the players by rank, then a line's
        numbers in the same order.
        """
        words = words_of()
        semicolon = words.say("list.semicolon")
        blocks = []
        for heading, lines in self._told:
            if lines:
                blocks.append(words.say("pad.block", heading=heading, lines=semicolon.join(lines)))
        return placed_text(self._view, self._scene, " ".join(blocks))

    def _tell(self, label: str, values: Sequence[float]) -> None:
        words = words_of()
        counted = words.say("list.comma").join(points(values[seat]) for seat, _ in self._places)
        self._told[-1][1].append(words.say("pad.line", label=label, values=counted))

    def heading(self, text: str) -> None:
        """What the rows below it are of."""
        self._told.append((text, []))

        def draw(y: int) -> None:
            self._tint(y, HEADING)
            self._rule(y, RULE)
            self._write(y, HEADING, text, Face.TITLE, 0.034, MUTED)

        self._striped = False
        self._lines.append((HEADING, draw))

    def row(
        self, label: str, icon: Icon, values: Sequence[float], note: str = "", high: float = ROW
    ) -> None:
        """Points of one kind; a note stands below them across the sheet."""
        # Every other row has a tint; the row must remember its own, since it is drawn when all are
        # known.
        self._striped = not self._striped
        is_striped = self._striped
        row_high = NOTED if note else high
        self._most = max(self._most, *(abs(value) for value in values))
        self._tell(label, values)

        def draw(y: int) -> None:
            if is_striped:
                self._band(y, row_high, STRIPE)
            self._tint(y, row_high)
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
                bar = self._px(BAR_DOWN)
                # The numbers make room for the bar below them.
                self._value(seat, middle - bar // 5, points(value), face, 0.032, colour)
                self._bar(seat, middle + bar, value / self._most, INK)

        self._lines.append((row_high, draw))

    def sum(self, label: str, values: Sequence[float]) -> None:
        """What the rows above it come to."""
        self._tell(label, values)

        def draw(y: int) -> None:
            self._tint(y, SUM)
            self._rule(y, MUTED)
            middle = self._write(y, SUM, label, Face.STRONG, 0.029, INK)
            for seat, value in enumerate(values):
                self._value(seat, middle, points(value), Face.STRONG, 0.037, INK)

        self._lines.append((SUM, draw))

    def total(self, label: str, scores: Sequence[float], first: Sequence[int]) -> None:
        """The points of the match; those of the first place shine."""
        self._told.append(("", []))
        self._tell(label, scores)
        most = max(1.0, *(abs(score) for score in scores))

        def draw(y: int) -> None:
            self._band(y, TOTAL, INK)
            middle = self._write(y, TOTAL, label, Face.TITLE, 0.04, PAPER_COLOUR)
            for seat, score in enumerate(scores):
                colour = ACTIVE if seat in first else PAPER_COLOUR
                self._value(
                    seat, middle - self._px(0.004), points(score), Face.STRONG, 0.05, colour
                )
                self._bar(seat, middle + self._px(0.027), score / most, PAPER_COLOUR)

        self._lines.append((TOTAL, draw))

    def tie_break(self, label: str, values: Sequence[int]) -> None:
        """What tells seats of equal points apart."""
        self._tell(label, values)

        def draw(y: int) -> None:
            self._tint(y, FOOT)
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
            shown, size = fitted(
                sentence(text), Face.STRONG, self._px(0.031), self._px(LEAST), room
            )
            write(
                self.canvas,
                self.picture // 2,
                y + self._px(FOOT) // 2,
                shown,
                Face.STRONG,
                size,
                INK,
                "m",
            )

        self._lines.append((FOOT, draw))

    def ended_early(self, how: str) -> None:
        """Instead of a verdict where players left before the end: who stayed is first, whatever
        the points.
        """
        self.verdict(words_of().say("pad.ended_early", how=how))

    def so_far(self, how: str) -> None:
        """Instead of a verdict while the match goes on."""
        self.verdict(words_of().say("pad.so_far", how=how))

    def _head(self, y: int) -> None:
        """Places, badges and names."""
        self._tint(y, self._head_high)
        room = self._wide() - self._px(0.012)
        for seat, place in self._places:
            x = self._column(seat)
            # The place stands left of the badge; both together are in the middle of the column.
            number, size = words_of().say("pad.place", place=place), self._px(0.034)
            at = x + (width(number, Face.STRONG, size) + self._px(0.011)) // 2
            self.canvas.put(badge(seat, self._px(0.05)), at, y + self._px(0.036))
            write(
                self.canvas,
                at - self._px(0.036),
                y + self._px(0.036),
                number,
                Face.STRONG,
                size,
                INK,
                "r",
            )
            lines = self._named[seat]
            largest = self._px(0.03 if len(lines) == 1 else LEAST)
            for row, line in enumerate(lines):
                shown, size = fitted(line, Face.STRONG, largest, self._px(LEAST), room)
                write(
                    self.canvas,
                    x,
                    y + self._px(0.08 + NAME * row),
                    shown,
                    Face.STRONG,
                    size,
                    INK,
                    "m",
                )

    def _column(self, seat: int) -> int:
        """The middle of a seat's column."""
        column = [other for other, _ in self._places].index(seat)
        return round(self.picture * self.labels + self._wide() * (column + 0.5))

    def _wide(self) -> int:
        """Pixels across a column."""
        return round(self.picture * (1 - self.labels - RIGHT) / len(self.names))

    def _write(
        self, y: int, high: float, text: str, face: Face, size: float, colour: Colour
    ) -> int:
        """The beginning of a line; gives its middle."""
        middle = y + self._px(high) // 2
        write(self.canvas, self._px(LEFT), middle, text, face, self._px(size), colour)
        return middle

    def _value(
        self, seat: int, middle: int, text: str, face: Face, size: float, colour: Colour
    ) -> None:
        write(self.canvas, self._column(seat), middle, text, face, self._px(size), colour, "m")

    def _bar(self, seat: int, y: int, part: float, edge: Colour) -> None:
        """A bar as long as a value is great, in the seat's colour with an edge; what is lost is
        hollow.
        """
        room = self._wide() - 2 * self._px(0.014)
        long = max(round(room * abs(part)), 3 if part else 0)
        if long:
            x, high, line = self._column(seat) - long // 2, self._px(BAR), hair(self.picture)
            self.canvas.cover((x, y, x + long, y + high), edge)
            hollow = PAPER_COLOUR if edge == INK else INK
            inside = livery_of(seat).colour if part > 0 else hollow
            self.canvas.cover((x + line, y + line, x + long - line, y + high - line), inside)

    def _tint(self, y: int, high: float) -> None:
        """The columns of those who have won, over the ground of a line."""
        for seat in winners_of(self._view):
            middle, half = self._column(seat), self._wide() // 2
            left, right = middle - half, min(middle + half, self.picture - self._px(EDGE) - 4)
            self.canvas.cover((left, y, right, y + self._px(high)), TINT)

    def _band(self, y: int, high: float, colour: Colour) -> None:
        edge = self._px(EDGE) + 4
        self.canvas.cover((edge, y, self.picture - edge, y + self._px(high)), colour)

    def _rule(self, y: int, colour: Colour) -> None:
        edge = self._px(EDGE + 0.015)
        self.canvas.cover((edge, y, self.picture - edge, y + hair(self.picture)), colour)

    def _px(self, part: float) -> int:
        return share(self.picture, part)


def places_of(view: View) -> list[tuple[int, int]]:
    """The seats from the best on, each with its place; as the points stand while the match goes
    on.
    """
    if view.outcome:
        ranking = view.outcome.ranking
    else:
        by_points = sorted(range(len(view.scores)), key=lambda seat: -view.scores[seat])
        ranking = tuple(
            tuple(map(Seat, level))
            for _, level in groupby(by_points, key=lambda seat: view.scores[seat])
        )
    places: list[tuple[int, int]] = []
    for level in ranking:
        place = len(places) + 1
        places += [(seat, place) for seat in level]
    return places


def placed_text(view: View, scene: Scene, table: str = "") -> str:
    """A score sheet in at most 1,024 characters: who has won, the players by rank, then its
    table.
    """
    words, names = words_of(), seat_names(view, scene)
    told = ""
    for longest in NAMES:
        players = []
        for seat, place in places_of(view):
            players.append(words.say("pad.player", place=place, name=clipped(names[seat], longest)))
        by_rank = words.say("list.comma").join(players)
        verdict = turn_of(view, scene) if view.outcome else ""
        told = words.say(
            "pad.text", game=title_of(view), verdict=verdict, players=by_rank, table=table
        )
        if len(told) <= LIMIT:
            break
    return clipped(told, LIMIT)


def outcome_line(view: View, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie if there was one; names are cut
    only where they must.
    """
    size = 100
    room = size / LEAST * (1 - 2 * LEFT)
    lines = [_outcome_line(view, names, most) for most in NAME_LENGTHS]
    return next((line for line in lines if width(line, Face.STRONG, size) <= room), lines[-1])


def _outcome_line(view: View, names: Sequence[str], most: int) -> str:
    """The same with names of at most so many letters."""
    words = words_of(view.game)
    winners = winners_of(view)
    best = view.scores[winners[0]]
    decider = view.outcome.decider() if view.outcome else None
    shown = []
    for seat in winners:
        name = names[seat]
        if len(name) > most:
            # Cut, two names may look alike: the letter tells them apart.
            name = f"{livery_of(seat).letter} {name[: most - 3].rstrip()}…"
        shown.append(name)
    if len(winners) > 1:
        return words.say("pad.shared", winners=words.listed(shown), points=best)
    tiebreak = words.tiebreak([decider]) if decider else ""
    return words.say("pad.wins", name=shown[0], points=best, tiebreak=tiebreak)
