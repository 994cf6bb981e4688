"""The score sheet of Blue Lagoon: a row a kind of points, a column a seat, a block a phase."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.blue_lagoon.view import BlueLagoonView
from render import Scene, pad
from render.blue_lagoon.panels import chip_of, winners
from render.canvas import Sprite
from render.chrome import names_for, share
from render.items import coconut, statuette, stone
from render.nature import palm
from render.pad import Pad, icon_of
from render.pieces import disc, voyager

PICTURE = 960
LABELS = 0.30
ROW = 0.043
"""Lower than usual: there may be two phases of them."""
ICON, FOOT = share(PICTURE, 0.031), share(PICTURE, 0.015)
KINDS: tuple[tuple[str, str, Callable[[int], Sprite]], ...] = (
    ("islands", "Islands", lambda size: palm(size, 1)),
    ("links", "Links", lambda size: voyager(size, None)),
    ("majorities", "Majorities", lambda size: disc("8", size)),
    ("resources", "Resources", lambda size: coconut(size, None)),
    ("set", "All four kinds", lambda size: stone(size, None)),
    ("statuettes", "Statuettes", lambda size: statuette(size, None)),
)
PHASES = ("Exploration", "Settlement")


def score_sheet(view: BlueLagoonView, scene: Scene) -> Image.Image | None:
    """The phases scored so far, the total of both at the end; None before the first is scored.

    Of a match that everybody has left, the phase under way is shown as it stood.
    """
    names, is_over = names_for(scene.names, len(view.sides)), view.phase == "over"
    is_left = not is_over and not view.to_move
    counted = (*view.rows, view.now) if is_left else view.rows
    if not counted:
        return None
    sheet = Pad(PICTURE, "Blue Lagoon", names, chip_of(view, names) if is_over else None, LABELS)
    for name, rows in zip(PHASES, counted, strict=False):
        sheet.heading(name)
        for kind, label, icon in KINDS:
            foot = FOOT if kind == "islands" else 0
            sheet.row(label, icon_of(icon(ICON), foot), [getattr(row, kind) for row in rows], high=ROW)
        sheet.sum(f"{name} total", [row.total for row in rows])
    if len(counted) == len(PHASES):
        sheet.total("Total", view.scores, winners(view) if is_over else ())
    if is_over:
        sheet.tie_break("Items held (break ties)", [sum(side.held) for side in view.sides])
        sheet.verdict(verdict(view, names))
    if is_left:
        sheet.ended_early(f"the {view.phase} is counted as it stood")
    return sheet.image()


def verdict(view: BlueLagoonView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first = winners(view)
    return pad.verdict(view.scores, first, names, f"{sum(view.sides[first[0]].held)} items")
