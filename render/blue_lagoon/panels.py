"""The lines of the title strip and the panels of Blue Lagoon."""

from collections.abc import Mapping

from PIL import Image

from engine.blue_lagoon.board import ITEMS, RESOURCES
from engine.blue_lagoon.view import BlueLagoonView, SideView
from engine.core.words import points
from render.canvas import Canvas, cached
from render.chrome import (
    PANEL_NAME_MIDDLE,
    PANEL_RULE,
    PANEL_RULE_MARGIN,
    Stage,
    hairline_width,
    panel,
    panel_size,
    paper,
    put_count,
    share,
)
from render.fonts import Face, write
from render.items import ITEMS as ICONS
from render.news import Mark
from render.palette import BACKDROP, INK, RULE
from render.pieces import settler, village
from render.ranks import UNRANKED, Rank, final_lines
from render.words import words_of

WORDS = words_of("blue_lagoon")
PHASES = ("exploration", "settlement")


# Lengths are shares of the picture's width, as in render.chrome.
ICONS_LINE = 0.0945
"""The middle of a panel's icons, between the hairline under the name and the lower edge."""
PIECE = 0.0375
PIECES_LEFT = 0.0055
"""From the band to the settlers."""
SETTLER_WIDTH = 0.041
VILLAGE_WIDTH = 0.0405
"""From the left of an icon to its number."""
VILLAGES_STEP = 0.0755
"""From the settlers to the villages."""
RULE_STEP = 0.0615
"""From the villages to the line between pieces and items."""
RULE_HALF_HEIGHT = 0.022
ITEMS_STEP = 0.0035
ITEM = 0.0317
ITEM_WIDTH = 0.0365
ITEM_STEP = 0.0527
SUPPLY_LEFT = 0.018
SUPPLY_RIGHT = 0.02
HEADING_TEXT = 0.03


def phase_lines(view: BlueLagoonView) -> tuple[str, ...]:
    """Return the lines in the middle of the title strip."""
    phase = WORDS.say(f"phase.{view.phase}", move=view.move)
    if view.phase == "over":
        return final_lines(view, phase)
    return phase, WORDS.say("phase.left", resources=resources_left(view))


def stage_of(view: BlueLagoonView) -> Stage:
    """Return how far the match has come; a phase ends when all its resources are taken."""
    if view.phase == "over":
        return Stage(len(PHASES), len(PHASES), 1)
    left = resources_left(view)
    taken = sum(sum(side.held[:RESOURCES]) for side in view.sides)
    return Stage(len(PHASES), PHASES.index(view.phase), taken / max(1, taken + left))


def resources_left(view: BlueLagoonView) -> int:
    """Return how many resources still lie on the board."""
    return sum(items_left(view)[:RESOURCES])


def items_left(view: BlueLagoonView) -> tuple[int, ...]:
    """Return how many of each item still lie on the board."""
    lying = [item for _, item in view.items]
    return tuple(lying.count(item) for item in ITEMS)


# Cached: it takes 2 ms once its icons are drawn, and a move changes one of up to four.
@cached(128)
def draw_side_panel(
    picture: int,
    seat: int,
    name: str,
    score: float,
    side: SideView,
    is_to_move: bool,
    flowers: tuple[Mark, ...] = (),
    changed: tuple[tuple[str, Mark], ...] = (),
    rank: Rank = UNRANKED,
) -> Image.Image:
    """Draw a seat's panel: pieces left, then items held.

    `flowers` are the marks of what the seat did, `changed` those of items and of the score.
    """
    marked = dict(changed)
    unit = WORDS.say("panel.points")
    scored = marked.get("score")
    canvas = panel(picture, seat, name, points(score), unit, is_to_move, flowers, scored, rank)
    plate = panel_size(picture)
    y = plate.rim + share(picture, ICONS_LINE)
    size = share(picture, PIECE)

    x = plate.rim + plate.band + share(picture, PIECES_LEFT)
    room = share(picture, SETTLER_WIDTH)
    put_count(canvas, x, y, settler(seat, size, None), side.settlers_left, picture, room)
    x += share(picture, VILLAGES_STEP)
    room = share(picture, VILLAGE_WIDTH)
    put_count(canvas, x, y, village(seat, size, None), side.villages_left, picture, room)

    # A line separates pieces left to play from items held.
    x += share(picture, RULE_STEP)
    half = share(picture, RULE_HALF_HEIGHT)
    canvas.cover((x, y - half, x + hairline_width(picture), y + half), RULE)
    x += share(picture, ITEMS_STEP)
    _put_items(canvas, x, y, side.held, picture, share(picture, ITEM_STEP), marked)
    return canvas.image


def draw_supply_panel(picture: int, left: tuple[int, ...]) -> Image.Image:
    """Draw what still lies on the board, in the place of a fourth seat's panel."""
    plate = panel_size(picture)
    canvas = Canvas.blank(plate.width + 2 * plate.rim, plate.height + 2 * plate.rim, BACKDROP)
    canvas.put(paper(plate, False), plate.rim, plate.rim)

    # Heading and hairline are level with those of a seat's panel.
    start = plate.rim + share(picture, SUPPLY_LEFT)
    end = plate.rim + plate.width - share(picture, PANEL_RULE_MARGIN)
    y = plate.rim + share(picture, PANEL_NAME_MIDDLE)
    heading = WORDS.say("panel.on_board")
    write(canvas, start, y, heading, Face.STRONG, share(picture, HEADING_TEXT), INK)
    hairline = plate.rim + share(picture, PANEL_RULE)
    canvas.cover((start, hairline, end, hairline + hairline_width(picture)), RULE)

    step = (plate.width - share(picture, SUPPLY_RIGHT)) // len(left)
    _put_items(canvas, start, plate.rim + share(picture, ICONS_LINE), left, picture, step, {})
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
    """Put the count of each item, `step` pixels from one to the next."""
    room = share(picture, ITEM_WIDTH)
    for item, number in zip(ITEMS, counts, strict=True):
        icon = ICONS[item](share(picture, ITEM), None)
        put_count(canvas, x, y, icon, number, picture, room, marked.get(item))
        x += step
