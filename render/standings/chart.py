"""Ratings over time on a page: a line for each player."""

from collections.abc import Sequence

from render.axis import choose_axis
from render.canvas import Brush
from render.chrome import hairline_width
from render.fonts import Face, write
from render.palette import INK, MUTED, RULE, livery_of
from render.shapes import Point, ellipse
from render.standings.numbers import format_day
from render.standings.page import LEFT, RIGHT, SMALL_TEXT, WIDTH, Page, px
from render.standings.records import Curve

# All lengths are shares of the page's width.
HEIGHT = 0.34
CHART_LEFT = LEFT + 0.07
"""Leaves room for ratings of four digits."""
CHART_RIGHT = RIGHT - 0.01
TOP_MARGIN = 0.02
BOTTOM_MARGIN = 0.055
"""Room below the chart for the dates."""
TICK_GAP = 0.012
DATES_BELOW = 0.03
BRUSH_MARGIN = 0.02
"""How far lines and dots may reach over the edges of the chart."""
LINE_CASING, LINE = 0.008, 0.0052
"""Widths of the dark line and of the coloured line on top of it."""
DOT_CASING, DOT = 0.0085, 0.006
"""Radii of the dots at the ends of the lines."""

MIN_SPAN = 100
"""How many points of rating the chart spans at least."""

Moment = tuple[float, int]
"""Unix time and rating."""


def add_chart(page: Page, curves: Sequence[Curve]) -> None:
    """Add a chart of one or two curves to a page; curves without points are left out."""
    shown = [curve for curve in curves if curve.points]
    page.add_line(HEIGHT, lambda y: _Chart(page, y, shown).draw())


class _Chart:
    """The chart at its place on the page; positions are in pixels."""

    def __init__(self, page: Page, y: int, curves: Sequence[Curve]) -> None:
        self._page = page
        self._left, self._right = px(CHART_LEFT), px(CHART_RIGHT)
        self._top, self._foot = y + px(TOP_MARGIN), y + px(HEIGHT - BOTTOM_MARGIN)
        moments = [moment for curve in curves for moment in curve.points]
        times = [time for time, _ in moments]
        ratings = [rating for _, rating in moments]
        self._since, self._until = min(times), max(times)
        lowest, highest = min(ratings), max(ratings)
        # Without this, a few points more or less would look like a fortune.
        missing = max(0, MIN_SPAN - (highest - lowest))
        self._axis = choose_axis(lowest - missing / 2, highest + missing / 2)
        self._paths = [self.spread(curve) for curve in curves]

    def draw(self) -> None:
        """Draw the axis, the lines over it, and the dates below."""
        self.draw_axis()
        # No larger than the chart: a brush for the whole page takes four times as long. Its origin
        # is the page's corner, so that it draws at positions on the page.
        margin = px(BRUSH_MARGIN)
        left, top = self._left - margin, self._top - margin
        width = self._right + margin - left
        height = self._foot + margin - top
        brush = Brush(width, height, at=(-left, -top))
        for side, path in enumerate(self._paths):
            colour = livery_of(side).colour
            line = [self.position(time, rating) for time, rating in path]
            brush.line(line, px(LINE_CASING), INK)
            brush.line(line, px(LINE), colour)
            x, y = line[-1]
            brush.fill(ellipse(x, y, px(DOT_CASING)), INK)
            brush.fill(ellipse(x, y, px(DOT)), colour)
        self._page.canvas.put(brush.finish(), 0, 0)
        self.write_dates()

    def draw_axis(self) -> None:
        """Draw a line across the chart at each tick, with its value on the left."""
        canvas = self._page.canvas
        for value in self._axis.ticks():
            y = round(self.position(self._since, value)[1])
            canvas.cover((self._left, y, self._right, y + hairline_width(WIDTH)), RULE)
            x = self._left - px(TICK_GAP)
            write(canvas, x, y, str(round(value)), Face.LABEL, px(SMALL_TEXT), MUTED, "r")

    def write_dates(self) -> None:
        """Write the first and the last day."""
        canvas = self._page.canvas
        size = px(SMALL_TEXT)
        y = self._foot + px(DATES_BELOW)
        write(canvas, self._left, y, format_day(self._since), Face.LABEL, size, MUTED)
        if self._until > self._since:
            write(canvas, self._right, y, format_day(self._until), Face.LABEL, size, MUTED, "r")

    def spread(self, curve: Curve) -> list[Moment]:
        """Return a curve's moments, so that there are always two or more at different times.

        A single moment is drawn as a level line to the right end. Moments that all have one time
        are spread evenly over the width of the chart.
        """
        moments: list[Moment] = list(curve.points)
        if self._until == self._since:
            last = max(1, len(moments) - 1)
            moments = [
                (self._since + number / last, rating) for number, (_, rating) in enumerate(moments)
            ]
        if len(moments) == 1:
            _, rating = moments[0]
            end = max(float(self._until), self._since + 1.0)
            moments.append((end, rating))
        return moments

    def position(self, time: float, value: float) -> Point:
        """Return where a value at a time lies on the page."""
        along = (time - self._since) / ((self._until - self._since) or 1)
        x = self._left + along * (self._right - self._left)
        y = self._foot - self._axis.fraction(value) * (self._foot - self._top)
        return x, y
