"""The title strip and the panels of Blue Lagoon."""

from collections.abc import Mapping

from PIL import Image

from engine.blue_lagoon.board import ITEMS, RESOURCES
from engine.blue_lagoon.view import BlueLagoonView, SideView
from engine.core.words import points
from render.canvas import Canvas, kept
from render.chrome import count, hair, panel, paper, plate_of, share
from render.fonts import Face, write
from render.items import ITEMS as ICONS
from render.news import Mark
from render.palette import BACKDROP, INK, RULE
from render.pieces import settler, village
from render.words import words_of

WORDS = words_of("blue_lagoon")


def resources_left(view: BlueLagoonView) -> int:
    """How many resources still lie on the board."""
    return sum(items_left(view)[:RESOURCES])


def phase_lines(view: BlueLagoonView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    phase = WORDS.say(f"phase.{view.phase}", move=view.move)
    if view.phase == "over":
        return (phase,)
    return phase, WORDS.say("phase.left", resources=resources_left(view))


# Lengths below are shares of the picture's width, as in render.chrome.
ICONS_LINE = 0.0945
"""How far down a panel its icons stand: between the hairline under the name and the lower edge."""
PIECE, SETTLERS_ROOM, VILLAGES_ROOM = 0.0375, 0.041, 0.0405
"""The size of the pieces left, and the room that each takes up before its number."""
ITEM, ITEM_ROOM = 0.0317, 0.0365
"""The same for an item."""


# Kept: it takes 2 ms once its icons are there, and a move changes one of up to four.
@kept(128)
def side_panel(
    picture: int,
    seat: int,
    name: str,
    score: float,
    side: SideView,
    active: bool,
    deeds: tuple[Mark, ...] = (),
    changed: tuple[tuple[str, Mark], ...] = (),
) -> Image.Image:
    """A seat's panel: pieces left, then items held; what the seat did of late, and what that has
    changed.
    """
    marked = dict(changed)
    unit = WORDS.say("panel.points")
    canvas = panel(picture, seat, name, points(score), unit, active, deeds, marked.get("score"))
    plate = plate_of(picture)
    y = plate.rim + share(picture, ICONS_LINE)
    size = share(picture, PIECE)

    x = plate.rim + plate.band + share(picture, 0.0055)
    count(
        canvas,
        x,
        y,
        settler(seat, size, None),
        side.settlers_left,
        picture,
        share(picture, SETTLERS_ROOM),
    )
    x += share(picture, 0.0755)
    count(
        canvas,
        x,
        y,
        village(seat, size, None),
        side.villages_left,
        picture,
        share(picture, VILLAGES_ROOM),
    )

    # A line parts what is left to play from what is held.
    x += share(picture, 0.0615)
    half = share(picture, 0.022)
    canvas.cover((x, y - half, x + hair(picture), y + half), RULE)
    x += share(picture, 0.0035)
    _put_items(canvas, x, y, side.held, picture, share(picture, 0.0527), marked)
    return canvas.image


def _put_items(
    canvas: Canvas,
    x: int,
    y: int,
    counts: tuple[int, ...],
    picture: int,
    step: int,
    marked: Mapping[str, Mark],
) -> None:
    """How many there are of each item, a `step` from one to the next."""
    for item, number in zip(ITEMS, counts, strict=True):
        icon = ICONS[item](share(picture, ITEM), None)
        count(canvas, x, y, icon, number, picture, share(picture, ITEM_ROOM), marked.get(item))
        x += step


def supply_panel(picture: int, left: tuple[int, ...]) -> Image.Image:
    """What still lies on the board: it fills the place that a fourth seat would take."""
    plate = plate_of(picture)
    canvas = Canvas.blank(plate.across + 2 * plate.rim, plate.high + 2 * plate.rim, BACKDROP)
    canvas.put(paper(plate, False), plate.rim, plate.rim)

    # Head and hairline are level with those of a seat's panel.
    start = plate.rim + share(picture, 0.018)
    end = plate.rim + plate.across - share(picture, 0.015)
    head = plate.rim + share(picture, 0.031)
    hairline = plate.rim + share(picture, 0.0585)
    write(canvas, start, head, WORDS.say("panel.on_board"), Face.STRONG, share(picture, 0.03), INK)
    canvas.cover((start, hairline, end, hairline + hair(picture)), RULE)

    step = (plate.across - share(picture, 0.02)) // len(left)
    _put_items(canvas, start, plate.rim + share(picture, ICONS_LINE), left, picture, step, {})
    return canvas.image


def items_left(view: BlueLagoonView) -> tuple[int, ...]:
    """How many of each item still lie on the board."""
    lying = [item for _, item in view.items]
    return tuple(lying.count(item) for item in ITEMS)
