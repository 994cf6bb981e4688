"""The score sheet of Polynesia: a row a kind of points, a column a seat."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.polynesia.view import PolynesiaView
from render import Scene, pad
from render.canvas import Sprite
from render.chrome import names_for, share
from render.pad import Pad, icon_of
from render.pieces import pawn
from render.polynesia.layout import WIDTH
from render.polynesia.panels import chip_of, winners
from render.polynesia.sprites import point, token, turtle
from render.polynesia.strip import REMINDERS, tide_icon

LABELS = 0.33
ICON = share(WIDTH, 0.037)
KINDS: tuple[tuple[str, str, Callable[[int], Sprite]], ...] = (
    ("space", "Highest free space", lambda size: pawn(3, size, None)),
    ("turtles", "Turtle islands", lambda size: turtle(size, None)),
    ("tokens", "Turtle tokens", lambda size: token("turtle", size, None)),
    ("points", "Point tokens", lambda size: point(size, "1", None)),
)


def score_sheet(view: PolynesiaView, scene: Scene) -> Image.Image | None:
    """The points of the end; None before it. Of a match that players left, the points of an eruption then."""
    if not view.over and view.to_move:
        return None
    rows = view.rows or view.now
    names = names_for(scene.names, len(view.sides))
    sheet = Pad(WIDTH, "Polynesia", names, chip_of(view, names), LABELS)
    for kind, label, icon in KINDS:
        sheet.row(label, icon_of(icon(ICON)), [getattr(row, kind) for row in rows])
    for number, card in enumerate(view.tides, 1):
        values = [getattr(row, f"tide{number}") for row in rows]
        sheet.row(f"Tide card {card}", icon_of(tide_icon(card, ICON)), values, note=REMINDERS[card])
    sheet.total("Total", view.scores, winners(view) if view.over else ())
    if view.over:
        sheet.tie_break("Islands settled (ties)", view.islands_settled)
        sheet.verdict(verdict(view, names))
    else:
        sheet.ended_early("counted as if the volcano had erupted then")
    return sheet.image()


def verdict(view: PolynesiaView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first = winners(view)
    return pad.verdict(view.scores, first, names, f"{view.islands_settled[first[0]]} islands")
