"""What happened in Blue Lagoon since the last post, as the picture marks it."""

from msgspec import Struct
from msgspec.structs import replace

from engine.blue_lagoon import events as told
from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.news import ONLY, Mark, marks

ROUNDS = 2
"""Rounds at the end of the exploration that are marked where their pieces stood, though they are
taken off.
"""


class Deed(Struct, frozen=True):
    """A piece that was placed, or what the end of a phase brought."""

    seat: int | None = None
    """None for the end of a phase."""
    spot: str = ""
    panels: tuple[tuple[int, str], ...] = ()
    """What changed on a seat's panel: an item, or 'score'."""
    mark: Mark = ONLY


def deeds_of(view: BlueLagoonView, scene: Scene) -> tuple[Deed, ...]:
    """All that was told since the last post, in order; the view's last piece if nothing was
    told.
    """
    deeds: list[Deed] = []
    for event in scene.events:
        match event:
            case told.Settled(seat=seat, spot=spot, takes=item):
                deeds.append(Deed(seat, spot, ((seat, item),) if item else ()))
            case told.Cleared() if len(deeds) > ROUNDS * len(view.sides):
                # For whoever looks back so far, what was taken off for the settlement would only
                # hide what stands.
                standing = {piece.spot for piece in view.pieces}
                deeds = [deed for deed in deeds if not deed.spot or deed.spot in standing]
            case told.Scored(rows=rows):
                deeds.append(Deed(panels=tuple((seat, "score") for seat in range(len(rows)))))
    if not deeds and view.last:
        deeds.append(Deed(spot=view.last))
    return tuple(
        replace(deed, mark=mark) for deed, mark in zip(deeds, marks(len(deeds)), strict=True)
    )
