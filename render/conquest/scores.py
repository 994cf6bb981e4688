"""The score sheet of Conquest of Paradise: where everybody's points come from."""

from collections.abc import Callable

from msgspec import Struct
from PIL import Image

from engine.conquest.view import ConquestView
from engine.core.game import RESIGNED
from render import Scene
from render.canvas import Sprite
from render.chrome import share, winners_of
from render.conquest.hexes import CHARTED, land_hex
from render.conquest.tokens import card, home_star, hut, kumara
from render.pad import Pad, icon_of, outcome_line
from render.words import words_of

WORDS = words_of("conquest")
PICTURE = 960
"""The width of the sheet."""
LABELS = 0.4
"""The part of it where the rows are named."""
ICON = share(PICTURE, 0.038)


class Kind(Struct, frozen=True):
    """An origin of points, a row of the sheet."""

    name: str
    icon: Callable[[int], Sprite]
    """By its size."""
    points: Callable[[ConquestView, int], float]
    """By view and seat."""


def card_points(view: ConquestView, seat: int) -> float:
    """All that is not counted elsewhere: at the end by the rules cards count face down too."""
    score = view.nations[seat].score
    return view.scores[seat] - score.villages - score.groups - score.atolls - score.kumara


def _atoll(size: int) -> Sprite:
    # A hex is four units wide.
    return land_hex("flint", size // 4, CHARTED)


KINDS = (
    Kind("villages", hut, lambda view, seat: view.nations[seat].score.villages),
    Kind("groups", home_star, lambda view, seat: view.nations[seat].score.groups),
    Kind("atolls", _atoll, lambda view, seat: view.nations[seat].score.atolls),
    Kind("cards", card, card_points),
    Kind("kumara", kumara, lambda view, seat: view.nations[seat].score.kumara),
)


def kinds_of(view: ConquestView) -> list[Kind]:
    """The origins of points in this match."""
    return [kind for kind in KINDS if kind.name != "kumara" or view.kumara_played]


def label_of(kind: Kind) -> str:
    """What an origin of points is called."""
    return WORDS.say(f"scores.{kind.name}")


def score_sheet(view: ConquestView, scene: Scene) -> Image.Image | None:
    """The points by origin with the total; None before the end.

    What players left counts its face-up cards alone.
    """
    sheet = _filled_in(view, scene)
    return sheet.image() if sheet else None


def score_text(view: ConquestView, scene: Scene) -> str:
    """The score sheet in words, '' while there is none."""
    sheet = _filled_in(view, scene)
    return sheet.text() if sheet else ""


def _filled_in(view: ConquestView, scene: Scene) -> Pad | None:
    if view.outcome is None and not scene.so_far:
        return None
    sheet = Pad(PICTURE, view, scene, LABELS)
    for kind in kinds_of(view):
        points = [kind.points(view, seat) for seat in range(len(sheet.names))]
        sheet.row(label_of(kind), icon_of(kind.icon(ICON)), points)
    sheet.total(WORDS.say("scores.total"), view.scores, winners_of(view))
    if view.outcome is None or view.outcome.reason == RESIGNED:
        # Face-down cards stay secret then: how many there are is said, as their points are missing
        # from the total.
        sheet.tie_break(WORDS.say("scores.hidden"), [nation.hidden for nation in view.nations])
        if view.outcome is None:
            sheet.so_far(WORDS.say("scores.as_it_stands"))
        else:
            sheet.ended_early(WORDS.say("scores.as_it_stood"))
    else:
        sheet.tie_break(WORDS.say("scores.tie_groups"), [nation.groups for nation in view.nations])
        sheet.tie_break(WORDS.say("scores.tie_cards"), [nation.hand for nation in view.nations])
        sheet.verdict(outcome_line(view, sheet.names))
    return sheet
