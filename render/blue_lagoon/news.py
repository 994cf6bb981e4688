"""What happened in Blue Lagoon since the last post, as deeds that the picture marks."""

from msgspec import Struct
from msgspec.structs import replace

from engine.blue_lagoon import events as told
from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks

MARKED_ROUNDS = 2
"""Rounds at the end of the Exploration whose places are marked though their pieces are gone."""


class Deed(Struct, frozen=True):
    """A piece that was placed, or the scoring at the end of a phase."""

    seat: int | None = None
    """None for the end of a phase."""
    spot: str = ""
    panels: tuple[tuple[int, str], ...] = ()
    """What changed on a seat's panel: an item, or 'score'."""
    mark: Mark = ONLY_MARK


def deeds_of(view: BlueLagoonView, scene: Scene) -> tuple[Deed, ...]:
    """Return what the scene's events did, in order; without events, the view's last piece.

    The final board is a picture to keep, without marks of news.
    """
    if view.outcome is not None:
        return ()
    deeds: list[Deed] = []
    for event in scene.events:
        match event:
            case told.Settled(seat=seat, spot=spot, takes=item):
                deeds.append(Deed(seat, spot, ((seat, item),) if item else ()))
            case told.Cleared() if len(deeds) > MARKED_ROUNDS * len(view.sides):
                # Marks of pieces that were taken off long ago would only hide what stands.
                standing = {piece.spot for piece in view.pieces}
                deeds = [deed for deed in deeds if not deed.spot or deed.spot in standing]
            case told.Scored(rows=rows):
                deeds.append(Deed(panels=tuple((seat, "score") for seat in range(len(rows)))))
    if not deeds and view.last:
        seats = [piece.seat for piece in view.pieces if piece.spot == view.last]
        deeds.append(Deed(seats[0] if seats else None, view.last))
    marks = make_marks([deed.seat for deed in deeds])
    return tuple(replace(deed, mark=mark) for deed, mark in zip(deeds, marks, strict=True))
