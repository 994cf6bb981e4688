"""The title strip and the panels of Blue Lagoon."""

from PIL import Image

from engine.blue_lagoon.board import ITEMS, RESOURCES
from engine.blue_lagoon.view import BlueLagoonView, SideView
from engine.core.words import points
from render.canvas import Canvas, kept
from render.chrome import count, hair, panel, paper, plate_of, share
from render.fonts import Face, write
from render.items import ITEMS as ICONS
from render.palette import BACKDROP, INK, RULE
from render.pieces import settler, village
from render.words import words_of

WORDS = words_of("blue_lagoon")


def resources_left(view: BlueLagoonView) -> int:
    """How many resources still lie on the board."""
    return sum(1 for _, item in view.items if item in ITEMS[:RESOURCES])


def phase_lines(view: BlueLagoonView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    phase = WORDS.say(f"phase.{view.phase}", move=view.move)
    if view.phase == "over":
        return (phase,)
    return phase, WORDS.say("phase.left", resources=resources_left(view))


@kept(128)
def side_panel(picture: int, seat: int, name: str, score: float, side: SideView, active: bool) -> Image.Image:
    """A seat's panel: pieces left, then items held."""
    canvas = panel(picture, seat, name, points(score), WORDS.say("panel.points"), active)
    plate = plate_of(picture)
    y, x = plate.rim + share(picture, 0.0945), plate.rim + plate.band + share(picture, 0.0055)
    size = share(picture, 0.0375)
    count(canvas, x, y, settler(seat, size, None), side.settlers_left, picture, share(picture, 0.041))
    x += share(picture, 0.0755)
    count(canvas, x, y, village(seat, size, None), side.villages_left, picture, share(picture, 0.0405))
    x += share(picture, 0.0615)
    canvas.cover((x, y - share(picture, 0.022), x + hair(picture), y + share(picture, 0.022)), RULE)
    _put_items(canvas, x + share(picture, 0.0035), y, side.held, picture, share(picture, 0.0527))
    return canvas.image


def _put_items(canvas: Canvas, x: int, y: int, counts: tuple[int, ...], picture: int, step: int) -> None:
    for item, number in zip(ITEMS, counts, strict=True):
        count(canvas, x, y, ICONS[item](share(picture, 0.0317), None), number, picture, share(picture, 0.0365))
        x += step


@kept(32)
def supply_panel(picture: int, left: tuple[int, ...]) -> Image.Image:
    """What still lies on the board: it fills the place that a fourth seat would take."""
    plate = plate_of(picture)
    canvas = Canvas.blank(plate.across + 2 * plate.rim, plate.high + 2 * plate.rim, BACKDROP)
    canvas.put(paper(plate, False), plate.rim, plate.rim)
    start, line = plate.rim + share(picture, 0.018), plate.rim + share(picture, 0.0585)
    write(
        canvas,
        start,
        plate.rim + share(picture, 0.031),
        WORDS.say("panel.on_board"),
        Face.STRONG,
        share(picture, 0.03),
        INK,
    )
    canvas.cover((start, line, plate.rim + plate.across - share(picture, 0.015), line + hair(picture)), RULE)
    step = (plate.across - share(picture, 0.02)) // len(left)
    _put_items(canvas, start, plate.rim + share(picture, 0.0945), left, picture, step)
    return canvas.image


def items_left(view: BlueLagoonView) -> tuple[int, ...]:
    """How many of each item still lie on the board."""
    return tuple(sum(1 for _, item in view.items if item == kind) for kind in ITEMS)
