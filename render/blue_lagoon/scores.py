"""The score sheet of Blue Lagoon: a row a kind of points, a column a seat, a block a phase."""

from collections.abc import Callable

from PIL import Image

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.blue_lagoon.words import PHASES, counted_phases
from render.canvas import Sprite
from render.chrome import share, winners_of
from render.items import coconut, statuette, stone
from render.nature import palm
from render.pad import Pad, icon_of, outcome_line
from render.pieces import disc, voyager
from render.words import words_of

PICTURE = 960
LABELS = 0.30
"""The share of the width for the names of the rows."""
ROW = 0.043
"""Lower than usual: there may be two phases of them."""
ICON = share(PICTURE, 0.031)
PALM_DOWN = share(PICTURE, 0.015)
"""A palm is put by its foot, all other icons by their middle."""
ICONS: dict[str, Callable[[int], Sprite]] = {
    "islands": lambda size: palm(size, 1),
    "links": lambda size: voyager(size, None),
    "majorities": lambda size: disc("8", size),
    "resources": lambda size: coconut(size, None),
    "set": lambda size: stone(size, None),
    "statuettes": lambda size: statuette(size, None),
}
"""By the kind of points, as scoring.Row names them."""


def score_sheet(view: BlueLagoonView, scene: Scene) -> Image.Image | None:
    """The phases scored so far, the total of both at the end; None before the first is scored.

    Of a match that players left, the phase under way is shown as it stood.
    """
    sheet = _filled_in(view, scene)
    return sheet.image() if sheet else None


def score_text(view: BlueLagoonView, scene: Scene) -> str:
    """The score sheet in words, '' while there is none."""
    sheet = _filled_in(view, scene)
    return sheet.text() if sheet else ""


def _filled_in(view: BlueLagoonView, scene: Scene) -> Pad | None:
    counted = counted_phases(view)
    if not counted:
        return None
    words = words_of("blue_lagoon")
    sheet = Pad(PICTURE, view, scene, LABELS)
    for phase, rows in zip(PHASES, counted, strict=False):
        sheet.heading(words.say(f"scores.{phase}"))
        for kind, icon in ICONS.items():
            down = PALM_DOWN if kind == "islands" else 0
            counts = [getattr(row, kind) for row in rows]
            sheet.row(words.word(kind), icon_of(icon(ICON), down), counts, high=ROW)
        sheet.sum(words.say(f"scores.{phase}_total"), [row.total for row in rows])
    if len(counted) == len(PHASES):
        sheet.total(words.say("scores.total"), view.scores, winners_of(view))
    if view.phase == "over":
        sheet.tie_break(words.say("scores.tie_break"), [sum(side.held) for side in view.sides])
        sheet.verdict(outcome_line(view, sheet.names))
    elif view.outcome:
        sheet.ended_early(words.say("scores.as_it_stood", phase=view.phase))
    return sheet
