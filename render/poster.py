"""A match as one picture worth keeping: its final board, its curve, three moments and a date."""

from collections.abc import Sequence

from PIL import Image

from engine import View
from render import Scene, draw, renderer
from render.canvas import Canvas
from render.chrome import LEAST, TITLE_HEIGHT, PaperSize, paper, share, title_of
from render.curves import Expected, MarkedMoment, draw_image
from render.fonts import Face, fit_text, read_left_to_right, wrap_text, write
from render.pad import describe_ranking
from render.palette import BACKDROP, INK, TITLE_TEXT
from render.pieces import badge, disc
from render.png import encode
from render.words import words_of

# Lengths are shares of the picture's width.
EDGE = 0.0125
PAPER_RIM, PAPER_RADIUS = 0.005, 0.0117
TEXT = 0.028
LINE_STEP = 0.034
MOMENT_GAP = 0.014
MOMENT_MARGIN = 0.022
MOMENT_LEFT = 0.14
DISC, DISC_X = 0.042, 0.05
BADGE, BADGE_X = 0.042, 0.1
MOST_LINES = 3
"""The most lines that a moment takes; what does not fit is cut."""
FOOT_HEIGHT = 0.052


def draw_poster(
    view: View,
    names: Sequence[str],
    expected: Expected,
    marked: Sequence[MarkedMoment],
    moments: Sequence[str],
    date: str,
    phases: Sequence[int] = (),
) -> bytes:
    """Draw the poster of a finished match as a PNG; `moments` say in words what is `marked`."""
    image = poster_image(view, names, expected, marked, moments, date, phases)
    # The palette of a game is named after the module that draws its boards: render.<palette>.
    return encode(image, renderer(view, "draw").__module__.split(".")[1])


def poster_image(
    view: View,
    names: Sequence[str],
    expected: Expected,
    marked: Sequence[MarkedMoment],
    moments: Sequence[str],
    date: str,
    phases: Sequence[int] = (),
) -> Image.Image:
    """Draw the board, below it the curve without its title strip, the moments and the date."""
    board = draw(view, Scene(tuple(names)))
    width = board.width
    chart = draw_image(title_of(view), expected, names, marked, phases)
    strip = round(chart.width * TITLE_HEIGHT)
    chart = chart.crop((0, strip, *chart.size))
    if chart.width != width:
        height = round(chart.height * width / chart.width)
        chart = chart.resize((width, height), Image.Resampling.LANCZOS)
    sheet = _draw_moments(width, marked, moments) if moments else None
    foot = share(width, FOOT_HEIGHT)
    moments_height = sheet.height if sheet else 0
    canvas = Canvas.blank(width, board.height + chart.height + moments_height + foot, BACKDROP)
    canvas.lay(board, 0, 0)
    canvas.lay(chart, 0, board.height)
    if sheet:
        canvas.lay(sheet, 0, board.height + chart.height)
    middle = canvas.height - foot // 2
    line, size = fit_text(date, Face.TITLE, share(width, TEXT), share(width, LEAST), width)
    write(canvas, width // 2, middle, line, Face.TITLE, size, TITLE_TEXT, "m")
    return canvas.image


def poster_text(view: View, names: Sequence[str], moments: Sequence[str], date: str) -> str:
    """Describe the poster as an alt text: the ranking, the moments and the date."""
    listed = " ".join(
        words_of().say("poster.moment", number=number, text=text)
        for number, text in enumerate(moments, 1)
    )
    table = words_of().say("poster.told", moments=listed, date=date)
    scene = Scene(tuple(names))
    return describe_ranking(view, scene, table, "poster.text", "poster.player")


def _draw_moments(
    width: int, marked: Sequence[MarkedMoment], moments: Sequence[str]
) -> Image.Image:
    """Draw a sheet that says what happened in the moments marked on the curve."""
    size = share(width, LEAST)
    room = width - share(width, MOMENT_LEFT + EDGE + MOMENT_MARGIN)
    blocks = [wrap_text(text, Face.LABEL, size, room) for text in moments]
    for lines in blocks:
        if len(lines) > MOST_LINES:
            lines[MOST_LINES - 1 :] = [" ".join(lines[MOST_LINES - 1 :])]
    step, gap = share(width, LINE_STEP), share(width, MOMENT_GAP)
    heights = [max(share(width, DISC), step * len(lines)) + gap for lines in blocks]
    edge, margin = share(width, EDGE), share(width, MOMENT_MARGIN)
    height = sum(heights) + 2 * margin - gap
    canvas = Canvas.blank(width, height + edge, BACKDROP)
    measures = PaperSize(
        width - 2 * edge,
        height,
        rim=share(width, PAPER_RIM),
        band=0,
        radius=share(width, PAPER_RADIUS),
    )
    canvas.put(paper(measures, active=False), edge, 0)
    y = margin
    for mark, lines, block in zip(marked, blocks, heights, strict=True):
        middle = y + (block - gap) // 2
        canvas.put(disc(mark.label, share(width, DISC)), share(width, DISC_X), middle)
        canvas.put(badge(mark.seat, share(width, BADGE)), share(width, BADGE_X), middle)
        for row, line in enumerate(lines):
            shown, _ = fit_text(read_left_to_right(line), Face.LABEL, size, size, room)
            line_y = middle + round((row - (len(lines) - 1) / 2) * step)
            write(canvas, share(width, MOMENT_LEFT), line_y, shown, Face.LABEL, size, INK)
        y += block
    return canvas.image
