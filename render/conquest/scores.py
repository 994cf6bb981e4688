"""The score sheet of Conquest of Paradise: where everybody's points come from.

To change its rows, change KINDS.
"""

from collections.abc import Callable

from msgspec import Struct
from PIL import Image

from engine.conquest.view import ConquestView
from engine.core.game import RESIGNED
from render import Scene
from render.canvas import Sprite
from render.chrome import share
from render.conquest.hexes import CHARTED, land_hex
from render.conquest.tokens import card, home_star, hut, kumara
from render.pad import ScorePad, outcome_line, sprite_icon
from render.ranks import winners_of
from render.words import words_of

WORDS = words_of("conquest")
SHEET_WIDTH = 960
"""In pixels."""
LABEL_WIDTH = 0.4
"""The share of the width for the labels of rows."""
ICON = share(SHEET_WIDTH, 0.038)


class Kind(Struct, frozen=True):
    """A kind of points, which has a row on the sheet."""

    name: str
    icon: Callable[[int], Sprite]
    """Draws the icon at a size in pixels."""
    points: Callable[[ConquestView, int], float]
    """Counts the points of a seat."""


def card_points(view: ConquestView, seat: int) -> float:
    """Return what other kinds do not count: at the end, cards face down count too."""
    score = view.nations[seat].score
    return view.scores[seat] - score.villages - score.groups - score.atolls - score.kumara


def atoll_icon(size: int) -> Sprite:
    """Return a hex with an atoll; a hex is four units wide."""
    return land_hex("flint", size // 4, CHARTED)


KINDS = (
    Kind("villages", hut, lambda view, seat: view.nations[seat].score.villages),
    Kind("groups", home_star, lambda view, seat: view.nations[seat].score.groups),
    Kind("atolls", atoll_icon, lambda view, seat: view.nations[seat].score.atolls),
    Kind("cards", card, card_points),
    Kind("kumara", kumara, lambda view, seat: view.nations[seat].score.kumara),
)


def kinds_of(view: ConquestView) -> list[Kind]:
    """Return the kinds of points that the rules of this match have."""
    return [kind for kind in KINDS if kind.name != "kumara" or view.kumara_played]


def label_of(kind: Kind) -> str:
    """Return the label of a row."""
    return WORDS.say(f"scores.{kind.name}")


def score_sheet(view: ConquestView, scene: Scene) -> Image.Image | None:
    """Draw the points by kind with the total; None before the end unless asked for so far."""
    sheet = _fill_in(view, scene)
    return sheet.draw() if sheet else None


def score_text(view: ConquestView, scene: Scene) -> str:
    """Describe the score sheet; '' if there is none."""
    sheet = _fill_in(view, scene)
    return sheet.describe() if sheet else ""


def _fill_in(view: ConquestView, scene: Scene) -> ScorePad | None:
    """Return the sheet with everything that can be counted, or None."""
    if view.outcome is None and not scene.so_far:
        return None
    sheet = ScorePad(SHEET_WIDTH, view, scene, LABEL_WIDTH)
    for kind in kinds_of(view):
        points = [kind.points(view, seat) for seat in range(len(sheet.names))]
        sheet.add_row(label_of(kind), sprite_icon(kind.icon(ICON)), points)
    sheet.add_total(WORDS.say("scores.total"), view.scores, winners_of(view))
    is_over = view.outcome is not None and view.outcome.reason != RESIGNED
    if is_over:
        groups = [nation.groups for nation in view.nations]
        cards = [nation.hand for nation in view.nations]
        sheet.add_tie_break(WORDS.say("scores.tie_groups"), groups)
        sheet.add_tie_break(WORDS.say("scores.tie_cards"), cards)
        sheet.add_verdict(outcome_line(view, sheet.names))
        return sheet
    # Cards face down stay secret. Their points are missing from the total, so their number is
    # given.
    sheet.add_tie_break(WORDS.say("scores.hidden"), [nation.hidden for nation in view.nations])
    if view.outcome is None:
        sheet.add_interim_verdict(WORDS.say("scores.as_it_stands"))
    else:
        sheet.add_early_end(WORDS.say("scores.as_it_stood"))
    return sheet
