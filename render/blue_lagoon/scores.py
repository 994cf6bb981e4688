"""The score sheet of Blue Lagoon: a block for each phase, a row for each kind of points."""

from collections.abc import Callable

from PIL import Image

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.words import PHASES, counted_phases
from render.canvas import Sprite
from render.chrome import share
from render.items import coconut, statuette, stone
from render.nature import palm
from render.pad import ScorePad, outcome_line, sprite_icon
from render.pieces import disc, voyager
from render.ranks import winners_of
from render.words import words_of

SHEET_WIDTH = 960
"""In pixels."""
LABEL_WIDTH = 0.30
"""The share of the width for the labels of rows."""
ROW_HEIGHT = 0.043
"""A share of the width; lower than usual, as there may be two phases of rows."""
ICON = share(SHEET_WIDTH, 0.031)
PALM_DOWN = share(SHEET_WIDTH, 0.015)
"""A palm is put by its foot, all other icons by their middle."""
ICONS: dict[str, Callable[[int], Sprite]] = {
    "islands": lambda size: palm(size, 1),
    "links": lambda size: voyager(size, None),
    "majorities": lambda size: disc("8", size),
    "resources": lambda size: coconut(size, None),
    "set": lambda size: stone(size, None),
    "statuettes": lambda size: statuette(size, None),
}
"""Draws the icon of a kind of points, as scoring.Row names them, at a size."""


def score_sheet(view: BlueLagoonView, scene: Scene) -> Image.Image | None:
    """Draw the phases scored so far, with the total at the end; None before the first is scored.

    If players left the match, the phase under way is shown as it stood.
    """
    sheet = _fill_in(view, scene)
    return sheet.draw() if sheet else None


def score_text(view: BlueLagoonView, scene: Scene) -> str:
    """Describe the score sheet; '' if there is none."""
    sheet = _fill_in(view, scene)
    return sheet.describe() if sheet else ""


def _fill_in(view: BlueLagoonView, scene: Scene) -> ScorePad | None:
    """Return the sheet with everything that can be counted, or None."""
    counted = counted_phases(view)
    if not counted:
        return None
    words = words_of("blue_lagoon")
    sheet = ScorePad(SHEET_WIDTH, view, scene, LABEL_WIDTH)
    for phase, rows in zip(PHASES, counted, strict=False):
        sheet.add_heading(words.say(f"scores.{phase}"))
        for kind, icon in ICONS.items():
            down = PALM_DOWN if kind == "islands" else 0
            drawn = sprite_icon(icon(ICON), down)
            counts = [getattr(row, kind) for row in rows]
            sheet.add_row(words.word(kind), drawn, counts, height=ROW_HEIGHT)
        sheet.add_sum(words.say(f"scores.{phase}_total"), [row.total for row in rows])
    if len(counted) == len(PHASES):
        sheet.add_total(words.say("scores.total"), view.scores, winners_of(view))
    if view.phase == "over":
        items_held = [sum(side.held) for side in view.sides]
        sheet.add_tie_break(words.say("scores.tie_break"), items_held)
        sheet.add_verdict(outcome_line(view, sheet.names))
    elif view.outcome:
        sheet.add_early_end(words.say("scores.as_it_stood", phase=view.phase))
    return sheet
