"""The score sheet of Polynesia: a row a kind of points, a column a seat."""

from collections.abc import Callable

from PIL import Image

from engine.polynesia.view import PolynesiaView
from render import Scene
from render.canvas import Sprite
from render.chrome import share, winners_of
from render.pad import Pad, icon_of, outcome_line
from render.pieces import pawn
from render.polynesia.layout import WIDTH
from render.polynesia.sprites import point, token, turtle
from render.polynesia.strip import reminder, tide_icon
from render.words import words_of

LABELS = 0.33
ICON = share(WIDTH, 0.037)
KINDS: tuple[tuple[str, Callable[[int], Sprite]], ...] = (
    ("space", lambda size: pawn(3, size, None)),
    ("turtles", lambda size: turtle(size, None)),
    ("tokens", lambda size: token("turtle", size, None)),
    ("points", lambda size: point(size, "1", None)),
)


def score_sheet(view: PolynesiaView, scene: Scene) -> Image.Image | None:
    """The points of the end; None before it.

    Of a match that players left, the points of an eruption then.
    """
    sheet = _filled_in(view, scene)
    return sheet.image() if sheet else None


def score_text(view: PolynesiaView, scene: Scene) -> str:
    """The score sheet in words, '' while there is none."""
    sheet = _filled_in(view, scene)
    return sheet.text() if sheet else ""


def _filled_in(view: PolynesiaView, scene: Scene) -> Pad | None:
    if view.outcome is None and not scene.so_far:
        return None
    words, rows = words_of("polynesia"), view.rows or view.now
    sheet = Pad(WIDTH, view, scene, LABELS)
    for kind, icon in KINDS:
        sheet.row(
            words.say(f"score.{kind}"), icon_of(icon(ICON)), [getattr(row, kind) for row in rows]
        )
    for number, card in enumerate(view.tides, 1):
        values = [getattr(row, f"tide{number}") for row in rows]
        label = words.say("score.tide", card=card)
        sheet.row(label, icon_of(tide_icon(card, ICON)), values, note=reminder(card))
    sheet.total(words.say("score.total"), view.scores, winners_of(view))
    if view.outcome is None:
        sheet.so_far(words.say("score.so_far"))
    elif winners_of(view):
        islands = [number for ((_, number),) in view.outcome.tiebreak]
        sheet.tie_break(words.say("score.ties"), islands)
        sheet.verdict(outcome_line(view, sheet.names))
    else:
        sheet.ended_early(words.say("score.early"))
    return sheet
