"""The score pad that all games fill in: one column per seat, ordered by rank.

A game adds its lines from the top down: headings, rows, sums, the total and the verdict. The pad
draws them as a picture and describes them as an alt text. The other functions rank the seats and
say who has won.
"""

from collections.abc import Callable, Sequence

from PIL import Image

from engine import View
from engine.core.words import points
from render import Scene
from render.alt import LIMIT, clip_text, describe_turn, seat_names
from render.canvas import Canvas, Sprite
from render.chrome import (
    LEAST,
    TITLE_HEIGHT,
    PaperSize,
    chip_of,
    drawable_names,
    hairline_width,
    paper,
    share,
    title_of,
    title_strip,
)
from render.fonts import (
    Face,
    break_in_two,
    fit_text,
    read_left_to_right,
    text_width,
    wrap_text,
    write,
    write_words,
)
from render.palette import ACTIVE, BACKDROP, INK, MUTED, RULE, Colour, livery_of, mix
from render.palette import PAPER as PAPER_COLOUR
from render.pieces import badge
from render.ranks import rank_seats, winners_of
from render.words import words_of

ALT_NAME_LENGTHS = (34, 20, 12, 6)
"""Characters of a name in the alt text: the first that leaves room for the whole table is used."""
VERDICT_NAME_LENGTHS = (32, 26, 20, 14, 9, 6, 4)
"""Characters of a name in the verdict: the first with which all winners fit into a line is used."""
STRIPE = mix(PAPER_COLOUR, RULE, 0.22)
TINT = mix(PAPER_COLOUR, ACTIVE, 0.35)
"""The ground of the winners' columns."""

# All lengths are shares of the picture's width unless they are called pixels.
EDGE = 0.0125
"""Width of the backdrop around the paper."""
PAPER_RIM = 0.005
PAPER_RADIUS = 0.0117
STRIPE_INSET_PIXELS = 4
"""Keeps stripes off the fine line that runs along the edge of the paper."""
LEFT = EDGE + 0.02
RIGHT = EDGE + 0.012
"""From the picture's edges to the text on the left and the last column on the right."""
RULE_INSET = EDGE + 0.015
BOTTOM_MARGIN = 0.012

HEAD_HEIGHT = 0.106
BADGE = 0.05
BADGE_MIDDLE = 0.036
PLACE_TEXT = 0.034
PLACE_RIGHT = 0.036
"""From the middle of a badge left to the end of its rank."""
PLACE_GAP = 0.011
NAME_TEXT = 0.03
NAME_MIDDLE = 0.08
NAME_STEP = 0.031
"""From the first line of a long name to the second."""
NAME_MARGIN = 0.012

HEADING_HEIGHT = 0.058
HEADING_TEXT = 0.034
ROW_HEIGHT = 0.054
NOTED_ROW_HEIGHT = 0.076
"""The height of a row with a note below its label."""
ICON_MIDDLE = EDGE + 0.037
LABEL_LEFT = EDGE + 0.069
LABEL_MARGIN = EDGE + 0.075
LABEL_TEXT = 0.029
NOTED_LABEL_MIDDLE = 0.024
NOTE_MIDDLE = 0.056
NOTE_STEP = 0.027
"""From one line of a note to the next."""
VALUE_TEXT = 0.032

BAR_HEIGHT = 0.0083
BAR_BELOW_MIDDLE = 0.0122
BAR_MARGIN = 0.014
"""Free room on either side of the longest bar of a column."""
SHORTEST_BAR_PIXELS = 3

SUM_HEIGHT = 0.054
SUM_TEXT = 0.037
TOTAL_HEIGHT = 0.078
TOTAL_LABEL_TEXT = 0.04
TOTAL_TEXT = 0.05
TOTAL_RAISED = 0.004
TOTAL_BAR_BELOW_MIDDLE = 0.027
TIE_BREAK_HEIGHT = 0.058
TIE_BREAK_TEXT = 0.03
VERDICT_HEIGHT = 0.058
VERDICT_TEXT = 0.031
VERDICT_STEP = 0.034
"""From one line of a long verdict to the next."""

Icon = Callable[[Canvas, int, int], None]
"""Draws the icon of a row around a point of a canvas."""
DrawLine = Callable[[int], None]
"""Draws a line whose top is at a height in pixels."""


def sprite_icon(sprite: Sprite, down: int = 0) -> Icon:
    """Return an icon that puts a sprite, `down` pixels lower if its anchor is at its foot."""
    return lambda canvas, x, y: canvas.put(sprite, x, y + down)


class ScorePad:
    """A score sheet that lines are added to, from the top down.

    `label_width` is the share of the picture's width for the labels left of the columns.
    """

    def __init__(self, picture: int, view: View, scene: Scene, label_width: float) -> None:
        self.picture = picture
        """The width of the picture in pixels."""
        self.names = drawable_names(scene.names, len(view.scores))
        self.column_width = round(picture * (1 - label_width - RIGHT) / len(self.names))
        """Pixels."""
        self.canvas = Canvas.blank(1, 1, BACKDROP)
        """A stand-in until `draw` knows the height."""
        self._view = view
        self._scene = scene
        self._label_width = label_width
        self._ranked = rank_seats(view)
        self._columns = {seat: column for column, (seat, _) in enumerate(self._ranked)}
        self._most_points = 1.0
        """The most points in a row, whose bar is the longest."""
        self._is_striped = False
        self._described: list[tuple[str, list[str]]] = [("", [])]
        """The lines in words, below the headings they belong to."""

        # A name that is too long for its column goes on in a second line.
        room = self.column_width - self._px(NAME_MARGIN)
        self._name_lines = [
            break_in_two(name, Face.STRONG, self._px(LEAST), room) for name in self.names
        ]
        most_lines = max(len(lines) for lines in self._name_lines)
        self._head_height = HEAD_HEIGHT + NAME_STEP * (most_lines - 1)
        self._lines: list[tuple[float, DrawLine]] = [(self._head_height, self._draw_head)]

    def draw(self) -> Image.Image:
        """Draw the title strip, the paper and all lines."""
        edge = self._px(EDGE)
        strip = self._px(TITLE_HEIGHT)
        lines_height = sum(self._px(line_height) for line_height, _ in self._lines)
        height = lines_height + self._px(BOTTOM_MARGIN)
        self.canvas = Canvas.blank(self.picture, strip + height + 2 * edge, BACKDROP)
        heading = (words_of().say("pad.title"),)
        # Whose turn it is does not matter here, only who has won.
        chip = chip_of(self._view, self.names) if self._view.outcome else None
        self.canvas.lay(title_strip(self.picture, title_of(self._view), heading, chip), 0, 0)
        measures = PaperSize(
            width=self.picture - 2 * edge,
            height=height,
            rim=self._px(PAPER_RIM),
            band=0,
            radius=self._px(PAPER_RADIUS),
        )
        self.canvas.put(paper(measures, False), edge, strip + edge)
        y = strip + edge
        for line_height, draw_line in self._lines:
            draw_line(y)
            y += self._px(line_height)
        return self.canvas.image

    def describe(self) -> str:
        """Describe the whole table as an alt text: the players by rank, then line by line."""
        words = words_of()
        semicolon = words.say("list.semicolon")
        blocks = []
        for heading, lines in self._described:
            if lines:
                blocks.append(words.say("pad.block", heading=heading, lines=semicolon.join(lines)))
        return describe_ranking(self._view, self._scene, " ".join(blocks))

    def add_heading(self, text: str) -> None:
        """Add a heading above the rows that follow."""
        self._described.append((text, []))

        def draw(y: int) -> None:
            self._tint_winners(y, HEADING_HEIGHT)
            self._draw_rule(y, RULE)
            self._write_label(y, HEADING_HEIGHT, text, Face.TITLE, HEADING_TEXT, MUTED)

        self._is_striped = False
        self._lines.append((HEADING_HEIGHT, draw))

    def add_row(
        self,
        label: str,
        icon: Icon,
        values: Sequence[float],
        note: str = "",
        height: float = ROW_HEIGHT,
    ) -> None:
        """Add the points of one kind, a number and a bar per seat; a note stands below the label.

        `height` is that of a row without a note.
        """
        # Rows are drawn later, so each has to remember whether it is striped.
        self._is_striped = is_striped = not self._is_striped
        smallest = self._px(LEAST)
        room = self._px(self._label_width - LABEL_MARGIN)
        # A note stays left of the columns, on as many lines as it needs.
        notes = wrap_text(note, Face.LABEL, smallest, room) if note else []
        row_height = NOTED_ROW_HEIGHT + NOTE_STEP * (len(notes) - 1) if notes else height
        self._most_points = max(self._most_points, *(abs(value) for value in values))
        self._describe_line(label, values)

        def draw(y: int) -> None:
            if is_striped:
                self._draw_stripe(y, row_height, STRIPE)
            self._tint_winners(y, row_height)
            icon(self.canvas, self._px(ICON_MIDDLE), y + self._px(row_height) // 2)
            # With a note below it the label moves up.
            middle = y + (self._px(NOTED_LABEL_MIDDLE) if note else self._px(row_height) // 2)
            left = self._px(LABEL_LEFT)
            sizes = (self._px(LABEL_TEXT), smallest)
            write_words(self.canvas, left, middle, label, Face.LABEL, sizes, room, INK)
            for number, line in enumerate(notes):
                note_middle = y + self._px(NOTE_MIDDLE + NOTE_STEP * number)
                text = read_left_to_right(line)
                write(self.canvas, left, note_middle, text, Face.LABEL, smallest, MUTED)
            bar_down = self._px(BAR_BELOW_MIDDLE)
            # The numbers make room for the bars below them.
            value_middle = middle - bar_down // 5
            for seat, value in enumerate(values):
                face, colour = (Face.STRONG, INK) if value else (Face.LABEL, MUTED)
                self._write_value(seat, value_middle, points(value), face, VALUE_TEXT, colour)
                self._draw_bar(seat, middle + bar_down, value / self._most_points, INK)

        self._lines.append((row_height, draw))

    def add_sum(self, label: str, values: Sequence[float]) -> None:
        """Add the sums of the rows above."""
        self._describe_line(label, values)

        def draw(y: int) -> None:
            self._tint_winners(y, SUM_HEIGHT)
            self._draw_rule(y, MUTED)
            middle = self._write_label(y, SUM_HEIGHT, label, Face.STRONG, LABEL_TEXT, INK)
            for seat, value in enumerate(values):
                self._write_value(seat, middle, points(value), Face.STRONG, SUM_TEXT, INK)

        self._lines.append((SUM_HEIGHT, draw))

    def add_total(self, label: str, scores: Sequence[float], winners: Sequence[int]) -> None:
        """Add the final scores on a dark band; those of the winners are bright."""
        self._described.append(("", []))
        self._describe_line(label, scores)
        most = max(1.0, *(abs(score) for score in scores))

        def draw(y: int) -> None:
            self._draw_stripe(y, TOTAL_HEIGHT, INK)
            middle = self._write_label(
                y, TOTAL_HEIGHT, label, Face.TITLE, TOTAL_LABEL_TEXT, PAPER_COLOUR
            )
            score_middle = middle - self._px(TOTAL_RAISED)
            bar_top = middle + self._px(TOTAL_BAR_BELOW_MIDDLE)
            for seat, score in enumerate(scores):
                colour = ACTIVE if seat in winners else PAPER_COLOUR
                text = points(score)
                self._write_value(seat, score_middle, text, Face.STRONG, TOTAL_TEXT, colour)
                self._draw_bar(seat, bar_top, score / most, PAPER_COLOUR)

        self._lines.append((TOTAL_HEIGHT, draw))

    def add_tie_break(self, label: str, values: Sequence[int]) -> None:
        """Add a line with what decides between seats with equal points."""
        self._describe_line(label, values)

        def draw(y: int) -> None:
            self._tint_winners(y, TIE_BREAK_HEIGHT)
            middle = self._write_label(y, TIE_BREAK_HEIGHT, label, Face.LABEL, LEAST, MUTED)
            for seat, value in enumerate(values):
                self._write_value(seat, middle, str(value), Face.LABEL, TIE_BREAK_TEXT, MUTED)

        self._lines.append((TIE_BREAK_HEIGHT, draw))

    def add_verdict(self, text: str) -> None:
        """Add a line that says who has won, shrunk to fit, or wrapped if that is not enough."""
        largest, smallest = self._px(VERDICT_TEXT), self._px(LEAST)
        room = self.picture - 2 * self._px(LEFT)
        wrapped = wrap_text(text, Face.STRONG, smallest, room)
        lines = [read_left_to_right(line) for line in wrapped]
        size = smallest
        if len(lines) == 1:
            _, size = fit_text(lines[0], Face.STRONG, largest, smallest, room)
        height = VERDICT_HEIGHT + VERDICT_STEP * (len(lines) - 1)
        # No rule is needed below the dark band of the total.
        height_above, _ = self._lines[-1]
        is_below_total = height_above == TOTAL_HEIGHT

        def draw(y: int) -> None:
            if not is_below_total:
                self._draw_rule(y, RULE)
            x = self.picture // 2
            middle = y + self._px(VERDICT_HEIGHT) // 2
            for row, line in enumerate(lines):
                # A single word may still be wider than the sheet: then it is cut.
                shown, _ = fit_text(line, Face.STRONG, size, size, room)
                line_middle = middle + self._px(VERDICT_STEP * row)
                write(self.canvas, x, line_middle, shown, Face.STRONG, size, INK, "m")

        self._lines.append((height, draw))

    def add_early_end(self, how: str) -> None:
        """Add a line in place of the verdict: players left early, and how points count then.

        Players who stayed are ranked first, no matter how many points the others have.
        """
        self.add_verdict(words_of().say("pad.ended_early", how=how))

    def add_interim_verdict(self, how: str) -> None:
        """Add a line in place of the verdict: the match goes on, and how points count so far."""
        self.add_verdict(words_of().say("pad.so_far", how=how))

    def _describe_line(self, label: str, values: Sequence[float]) -> None:
        """Keep the text of a line for the alt text, its numbers in the order of the ranking."""
        words = words_of()
        numbers = words.say("list.comma").join(points(values[seat]) for seat, _ in self._ranked)
        _, lines = self._described[-1]
        lines.append(words.say("pad.line", label=label, values=numbers))

    def _draw_head(self, y: int) -> None:
        """Draw each seat's rank, badge and name above its column."""
        self._tint_winners(y, self._head_height)
        smallest = self._px(LEAST)
        room = self.column_width - self._px(NAME_MARGIN)
        place_size = self._px(PLACE_TEXT)
        badge_middle = y + self._px(BADGE_MIDDLE)
        for seat, place in self._ranked:
            x = self._column_middle(seat)
            # The place stands left of the badge; together they are centred on the column.
            number = words_of().say("pad.place", place=place)
            number_width = text_width(number, Face.STRONG, place_size)
            badge_x = x + (number_width + self._px(PLACE_GAP)) // 2
            place_end = badge_x - self._px(PLACE_RIGHT)
            self.canvas.put(badge(seat, self._px(BADGE)), badge_x, badge_middle)
            write(self.canvas, place_end, badge_middle, number, Face.STRONG, place_size, INK, "r")
            lines = self._name_lines[seat]
            largest = self._px(NAME_TEXT) if len(lines) == 1 else smallest
            for row, line in enumerate(lines):
                shown, size = fit_text(line, Face.STRONG, largest, smallest, room)
                middle = y + self._px(NAME_MIDDLE + NAME_STEP * row)
                write(self.canvas, x, middle, shown, Face.STRONG, size, INK, "m")

    def _column_middle(self, seat: int) -> int:
        """Return where the middle of a seat's column is, in pixels."""
        columns_left = self.picture * self._label_width
        return round(columns_left + self.column_width * (self._columns[seat] + 0.5))

    def _write_label(
        self, y: int, height: float, text: str, face: Face, size: float, colour: Colour
    ) -> int:
        """Write the label of a line; return the pixel row of the line's middle."""
        middle = y + self._px(height) // 2
        sizes = (self._px(size), self._px(LEAST))
        room = self._px(self._label_width - LEFT)
        write_words(self.canvas, self._px(LEFT), middle, text, face, sizes, room, colour)
        return middle

    def _write_value(
        self, seat: int, middle: int, text: str, face: Face, size: float, colour: Colour
    ) -> None:
        """Write a text in the middle of a seat's column."""
        x = self._column_middle(seat)
        write(self.canvas, x, middle, text, face, self._px(size), colour, "m")

    def _draw_bar(self, seat: int, top: int, part: float, edge: Colour) -> None:
        """Draw a bar in the seat's colour; `part` of the longest bar, hollow if it is negative."""
        if not part:
            return
        longest = self.column_width - 2 * self._px(BAR_MARGIN)
        length = max(round(longest * abs(part)), SHORTEST_BAR_PIXELS)
        left = self._column_middle(seat) - length // 2
        right, bottom = left + length, top + self._px(BAR_HEIGHT)
        line = hairline_width(self.picture)
        if part > 0:
            inside = livery_of(seat).colour
        else:
            inside = PAPER_COLOUR if edge == INK else INK
        self.canvas.cover((left, top, right, bottom), edge)
        self.canvas.cover((left + line, top + line, right - line, bottom - line), inside)

    def _tint_winners(self, y: int, height: float) -> None:
        """Tint the columns of the winners in a line."""
        paper_end = self.picture - self._px(EDGE) - STRIPE_INSET_PIXELS
        half = self.column_width // 2
        for seat in winners_of(self._view):
            middle = self._column_middle(seat)
            right = min(middle + half, paper_end)
            self.canvas.cover((middle - half, y, right, y + self._px(height)), TINT)

    def _draw_stripe(self, y: int, height: float, colour: Colour) -> None:
        """Fill the ground of a line across the paper."""
        inset = self._px(EDGE) + STRIPE_INSET_PIXELS
        self.canvas.cover((inset, y, self.picture - inset, y + self._px(height)), colour)

    def _draw_rule(self, y: int, colour: Colour) -> None:
        """Draw a fine line across the paper."""
        inset = self._px(RULE_INSET)
        bottom = y + hairline_width(self.picture)
        self.canvas.cover((inset, y, self.picture - inset, bottom), colour)

    def _px(self, part: float) -> int:
        """Convert a share of the picture's width to pixels."""
        return share(self.picture, part)


def describe_ranking(
    view: View,
    scene: Scene,
    table: str = "",
    text_key: str = "pad.text",
    player_key: str = "pad.player",
) -> str:
    """Describe who has won, the players by rank and a table as an alt text.

    A picture other than a score sheet gives the keys of its own words.
    """
    words = words_of()
    names = seat_names(view, scene)
    verdict = describe_turn(view, scene) if view.outcome else ""
    text = ""
    for longest in ALT_NAME_LENGTHS:
        players = []
        for seat, place in rank_seats(view):
            name = clip_text(names[seat], longest)
            score = view.scores[seat]
            players.append(words.say(player_key, place=place, name=name, points=score))
        text = words.say(
            text_key,
            game=title_of(view),
            verdict=verdict,
            players=words.say("list.comma").join(players),
            table=table,
        )
        if len(text) <= LIMIT:
            break
    return clip_text(text, LIMIT)


def outcome_line(view: View, names: Sequence[str]) -> str:
    """Say who has won with how many points and what broke a tie, in a text that fits a verdict.

    Names are cut only if the line would not fit otherwise.
    """
    # Measured at a large size, since widths are rounded to whole pixels.
    size = 100
    room = size / LEAST * (1 - 2 * LEFT)
    line = ""
    for longest in VERDICT_NAME_LENGTHS:
        line = _format_outcome(view, names, longest)
        if text_width(line, Face.STRONG, size) <= room:
            break
    return line


def _format_outcome(view: View, names: Sequence[str], longest: int) -> str:
    """Say who has won, with names of at most `longest` characters."""
    words = words_of(view.game)
    winners = winners_of(view)
    shown = []
    for seat in winners:
        name = names[seat]
        if len(name) > longest:
            # Two names may look alike once they are cut: the seat's letter tells them apart.
            name = f"{livery_of(seat).letter} {name[: longest - 3].rstrip()}…"
        shown.append(name)
    score = view.scores[winners[0]]
    if len(winners) > 1:
        return words.say("pad.shared", winners=words.and_list(shown), points=score)
    decider = view.outcome.decider() if view.outcome else None
    tiebreak = words.tiebreak([decider]) if decider else ""
    return words.say("pad.wins", name=shown[0], points=score, tiebreak=tiebreak)
