"""The score sheet of Polynesia: a row for each kind of points, a column for each seat."""

from collections.abc import Callable

from PIL import Image

from engine.polynesia.view import PolynesiaView
from render import Scene
from render.canvas import Sprite
from render.chrome import share
from render.pad import ScorePad, outcome_line, sprite_icon
from render.pieces import pawn
from render.polynesia.layout import PICTURE_WIDTH
from render.polynesia.sprites import draw_point_token, draw_token, draw_turtle
from render.polynesia.strip import draw_tide_icon, tide_reminder
from render.ranks import winners_of
from render.words import words_of

LABEL_SHARE = 0.33
"""The share of the width for the names of the rows."""
ICON_SIZE = share(PICTURE_WIDTH, 0.037)
MEMBER_SEAT = 3
"""The seat whose colour the icon of a member has."""
KINDS: tuple[tuple[str, Callable[[int], Sprite]], ...] = (
    ("space", lambda size: pawn(MEMBER_SEAT, size, None)),
    ("turtles", lambda size: draw_turtle(size, None)),
    ("tokens", lambda size: draw_token("turtle", size, None)),
    ("points", lambda size: draw_point_token(size, "1", None)),
)
"""The kinds of points besides those of the Tide cards, each with its icon."""


def score_sheet(view: PolynesiaView, scene: Scene) -> Image.Image | None:
    """Draw the points of the end; None before it.

    Of a match that players left, they are the points of an eruption at that time.
    """
    sheet = _fill_in_sheet(view, scene)
    return sheet.draw() if sheet else None


def score_text(view: PolynesiaView, scene: Scene) -> str:
    """Return the score sheet in words, '' while there is none."""
    sheet = _fill_in_sheet(view, scene)
    return sheet.describe() if sheet else ""


def _fill_in_sheet(view: PolynesiaView, scene: Scene) -> ScorePad | None:
    if view.outcome is None and not scene.so_far:
        return None
    words = words_of("polynesia")
    rows = view.rows or view.now
    sheet = ScorePad(PICTURE_WIDTH, view, scene, LABEL_SHARE)
    for kind, draw_icon in KINDS:
        values = [getattr(row, kind) for row in rows]
        sheet.add_row(words.say(f"score.{kind}"), sprite_icon(draw_icon(ICON_SIZE)), values)
    for number, card in enumerate(view.tides, 1):
        values = [getattr(row, f"tide{number}") for row in rows]
        label = words.say("score.tide", card=card)
        icon = sprite_icon(draw_tide_icon(card, ICON_SIZE))
        sheet.add_row(label, icon, values, note=tide_reminder(card))
    sheet.add_total(words.say("score.total"), view.scores, winners_of(view))
    if view.outcome is None:
        sheet.add_interim_verdict(words.say("score.so_far"))
    elif winners_of(view):
        islands = [number for ((_, number),) in view.outcome.tiebreak]
        sheet.add_tie_break(words.say("score.ties"), islands)
        sheet.add_verdict(outcome_line(view, sheet.names))
    else:
        sheet.add_early_end(words.say("score.early"))
    return sheet
