"""A sheet of paper below a title strip, which the pictures of standings fill line by line.

Lengths are shares of the page's width unless they are called pixels. A line is added with its
height and a function that draws it; the page draws all lines once its own height is known.
"""

from collections.abc import Callable

from PIL import Image

from render.canvas import Box, Canvas
from render.chrome import LEAST, TITLE_HEIGHT, PaperSize, hairline_width, paper, share, title_strip
from render.fonts import Face, fit_text, read_left_to_right, to_drawable, wrap_text, write
from render.palette import ACTIVE, BACKDROP, INK, MUTED, RULE, Colour, mix
from render.palette import PAPER as PAPER_COLOUR
from render.png import encode

WIDTH = 1080
"""Pixels."""
EDGE = 0.0125
"""Width of the backdrop around the paper."""
LEFT = EDGE + 0.024
RIGHT = 1 - EDGE - 0.024
"""Where text begins and ends on the paper."""
BOTTOM_MARGIN = 0.014
PAPER_RIM = 0.005
PAPER_RADIUS = 0.0117
BOX_LINE_PIXELS = 2
STRIPE_INSET_PIXELS = 4
"""Keeps stripes off the fine line that runs along the edge of the paper."""
STRIPE = mix(PAPER_COLOUR, RULE, 0.22)
TINT = mix(PAPER_COLOUR, ACTIVE, 0.35)
"""The ground of the viewer's own line."""

SMALL_TEXT = LEAST
HEADING_TEXT = 0.034
HEADING_HEIGHT = 0.072
HEADING_RULE = 0.014
HEADING_MIDDLE = 0.044
FACT_HEIGHT = 0.046
FACT_MIDDLE = 0.022
FACT_LABEL_TEXT = 0.027
FACT_TEXT = 0.029
FACT_LEFT = 0.35
NOTE_HEIGHT = 0.034
NOTE_MIDDLE = 0.019

COMPRESSION = 5
"""zlib-ng's level for these pictures: 4 % larger than with two levels more, and 5 ms sooner."""

DrawLine = Callable[[int], None]
"""Draws a line whose top is at a height in pixels."""


def px(part: float) -> int:
    """Convert a share of the page's width to pixels."""
    return share(WIDTH, part)


def encode_page(image: Image.Image) -> bytes:
    """Encode a finished page as a PNG."""
    return encode(image, "sheet", COMPRESSION)


class Page:
    """A page that lines are added to, from the top down."""

    def __init__(self, title: str, scope: str) -> None:
        self.canvas = Canvas.blank(1, 1, BACKDROP)
        """A stand-in until `draw` knows the height."""
        self._title = title
        self._scope = scope
        self._lines: list[tuple[float, DrawLine]] = []

    def draw(self) -> Image.Image:
        """Draw the title strip, the paper and all lines."""
        edge = px(EDGE)
        strip = px(TITLE_HEIGHT)
        height = sum(px(line_height) for line_height, _ in self._lines) + px(BOTTOM_MARGIN)
        self.canvas = Canvas.blank(WIDTH, strip + height + 2 * edge, BACKDROP)
        scope = (to_drawable(self._scope),)
        self.canvas.lay(title_strip(WIDTH, self._title, scope, None), 0, 0)
        measures = PaperSize(
            WIDTH - 2 * edge, height, px(PAPER_RIM), band=0, radius=px(PAPER_RADIUS)
        )
        self.canvas.put(paper(measures, False), edge, strip + edge)
        y = strip + edge
        for line_height, draw_line in self._lines:
            draw_line(y)
            y += px(line_height)
        return self.canvas.image

    def add_line(self, height: float, draw: DrawLine) -> None:
        """Add a line below those added before."""
        self._lines.append((height, draw))

    def add_gap(self, height: float) -> None:
        """Leave some room empty."""
        self.add_line(height, lambda y: None)

    def add_heading(self, text: str) -> None:
        """Add a rule with a title below it."""

        def draw(y: int) -> None:
            self.draw_rule(LEFT, RIGHT, y + px(HEADING_RULE))
            middle = y + px(HEADING_MIDDLE)
            self.write(LEFT, middle, text, HEADING_TEXT, MUTED, Face.TITLE)

        self.add_line(HEADING_HEIGHT, draw)

    def add_fact(self, label: str, fact: str) -> None:
        """Add a fact behind its label."""

        def draw(y: int) -> None:
            middle = y + px(FACT_MIDDLE)
            self.write(LEFT, middle, label, FACT_LABEL_TEXT, MUTED)
            text = read_left_to_right(to_drawable(fact))
            self.write_fitted(FACT_LEFT, middle, text, FACT_TEXT, RIGHT - FACT_LEFT)

        self.add_line(FACT_HEIGHT, draw)

    def add_note(self, text: str) -> None:
        """Add a note in small print, in as many lines as it needs."""
        for line in wrap_text(text, Face.LABEL, px(SMALL_TEXT), px(RIGHT - LEFT)):
            # The default binds this line: when it is drawn, the loop has long gone on.
            def draw(y: int, line: str = line) -> None:
                self.write(LEFT, y + px(NOTE_MIDDLE), line, SMALL_TEXT, MUTED)

            self.add_line(NOTE_HEIGHT, draw)

    def draw_rule(self, left: float, right: float, y: int) -> None:
        """Draw a fine line across, from pixel row `y` down."""
        self.canvas.cover((px(left), y, px(right), y + hairline_width(WIDTH)), RULE)

    def draw_box(self, box: Box, colour: Colour) -> None:
        """Draw a rectangle with an inked outline; `box` is in pixels."""
        left, top, right, bottom = box
        line = BOX_LINE_PIXELS
        self.canvas.cover(box, INK)
        if right - left > 2 * line and bottom - top > 2 * line:
            self.canvas.cover((left + line, top + line, right - line, bottom - line), colour)

    def draw_square(self, left: int, middle: int, size: int, colour: Colour) -> None:
        """Draw a small outlined square; all measures are in pixels."""
        half = size // 2
        self.draw_box((left, middle - half, left + size, middle + half), colour)

    def draw_stripe(self, y: int, height: int, colour: Colour) -> None:
        """Fill a line's ground across the paper; `height` is in pixels."""
        inset = px(EDGE) + STRIPE_INSET_PIXELS
        self.canvas.cover((inset, y, WIDTH - inset, y + height), colour)

    def write(
        self,
        x: float,
        middle: int,
        text: str,
        size: float,
        colour: Colour,
        face: Face = Face.LABEL,
        align: str = "l",
    ) -> int:
        """Write a text around pixel row `middle`; return how many pixels wide it is."""
        return write(self.canvas, px(x), middle, text, face, px(size), colour, align)

    def write_fitted(
        self, x: float, middle: int, text: str, size: float, room: float, face: Face = Face.STRONG
    ) -> None:
        """Write a text in ink, shrunk or cut so that it takes no more than `room`."""
        shown, pixels = fit_text(text, face, px(size), px(SMALL_TEXT), px(room))
        write(self.canvas, px(x), middle, shown, face, pixels, INK)
