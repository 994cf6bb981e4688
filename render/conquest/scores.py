"""The score sheet of Conquest of Paradise: where everybody's points come from."""

from collections.abc import Callable, Sequence

from PIL import Image

from engine.conquest.view import ConquestView
from render import Scene, pad
from render.canvas import Sprite
from render.chrome import names_for, share
from render.conquest.ground import CHARTED, land_hex
from render.conquest.heading import chip_of, winners
from render.conquest.tokens import card, home_star, hut, kumara
from render.pad import Pad, icon_of

PICTURE = 960
LABELS = 0.4
ICON = share(PICTURE, 0.038)


def card_points(view: ConquestView, seat: int) -> float:
    """All that is not counted elsewhere: at the end by the rules cards count face down too."""
    score = view.nations[seat].score
    return view.scores[seat] - score.villages - score.groups - score.atolls - score.kumara


Part = Callable[[ConquestView, int], float]
Kind = tuple[str, Callable[[int], Sprite], Part]
KINDS: tuple[Kind, ...] = (
    ("Villages", hut, lambda view, seat: view.nations[seat].score.villages),
    ("Groups in the Home chain", home_star, lambda view, seat: view.nations[seat].score.groups),
    (
        "Atolls in the Home chain",
        lambda size: land_hex("flint", size // 4, CHARTED),
        lambda view, seat: view.nations[seat].score.atolls,
    ),
    ("Arts & Culture Cards", card, card_points),
    ("Kumara", kumara, lambda view, seat: view.nations[seat].score.kumara),
)


def kinds_of(view: ConquestView) -> list[Kind]:
    """The origins of points in this match."""
    return [kind for kind in KINDS if kind[0] != "Kumara" or view.kumara_played]


def score_sheet(view: ConquestView, scene: Scene) -> Image.Image | None:
    """The points by origin with the total; None before the end. What players left counts its face-up cards alone."""
    is_over = view.step == "over"
    if not is_over and view.to_move:
        return None
    names = names_for(scene.names, len(view.nations))
    sheet = Pad(PICTURE, "Conquest of Paradise", names, chip_of(view, names), LABELS)
    for label, icon, part in kinds_of(view):
        sheet.row(label, icon_of(icon(ICON)), [part(view, seat) for seat in range(len(names))])
    sheet.total("Victory Points", view.scores, winners(view) if is_over else ())
    if is_over:
        sheet.tie_break("Groups (break ties)", [nation.groups for nation in view.nations])
        sheet.tie_break("Cards (then these)", [nation.hand for nation in view.nations])
        sheet.verdict(verdict(view, names))
    else:
        sheet.tie_break("Face-down cards (not counted)", [nation.hidden for nation in view.nations])
        sheet.ended_early("as the map stood, with face-up cards alone")
    return sheet.image()


def verdict(view: ConquestView, names: Sequence[str]) -> str:
    """Who has won, with how many points, and what broke a tie."""
    first = winners(view)
    return pad.verdict(view.scores, first, names, _broken_by(view, first[0]))


def _broken_by(view: ConquestView, first: int) -> str:
    """What decided between seats of as many points; nothing did if only the Conquered were level."""
    level = [
        nation
        for nation, score in zip(view.nations, view.scores, strict=True)
        if score == view.scores[first] and nation.out == view.nations[first].out
    ]
    if len(level) == 1:
        return ""
    most = max(nation.groups for nation in level)
    return "groups" if sum(nation.groups == most for nation in level) == 1 else "cards"
