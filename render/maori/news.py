"""What happened in Maori since the last post, turn by turn, as the picture marks it."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.maori import events as told
from engine.maori.matrix import POSITIONS
from engine.maori.view import MaoriView
from render import Scene
from render.news import ONLY, Mark, marks


class Deed(Struct, frozen=True):
    """What one seat did in its turn, or what the scoring brought."""

    seat: int | None = None
    """None for the scoring."""
    journey: tuple[str, ...] = ()
    """The positions of the discoverer, start and goal included."""
    cells: tuple[str, ...] = ()
    """The cells of the matrix from which a tile was taken, or into which one came."""
    spots: tuple[str, ...] = ()
    """The spaces of the seat's board on which a tile was placed or removed."""
    sailed: tuple[tuple[str, str], ...] = ()
    """From where to where the small ship went."""
    panels: tuple[tuple[int, str], ...] = ()
    """What else changed on a seat's panel: 'shells', 'stored' or 'score'."""
    mark: Mark = ONLY


def deeds_of(view: MaoriView, scene: Scene) -> tuple[Deed, ...]:
    """All that was told since the last post, in order; the view's last turn if nothing was told."""
    deeds: list[Deed] = []
    for event in scene.events:
        added = _marked(event)
        if added is None:
            continue
        begins_turn = isinstance(event, told.DiscovererMoved)
        is_same = deeds and (deeds[-1].seat == added.seat or isinstance(event, told.TileTurnedUp))
        if is_same and not begins_turn:
            fields = ("journey", "cells", "spots", "sailed", "panels")
            joined: dict[str, Any] = {
                name: getattr(deeds[-1], name) + getattr(added, name) for name in fields
            }
            deeds[-1] = replace(deeds[-1], **joined)
        else:
            deeds.append(added)
    if not deeds and view.journey:
        deeds.append(_last(view))
    if scene.in_film:
        deeds = [replace(deed, journey=(), panels=()) for deed in deeds]
    numbered = [Mark(is_bare=True)] if scene.in_film and len(deeds) == 1 else marks(len(deeds))
    return tuple(replace(deed, mark=mark) for deed, mark in zip(deeds, numbered, strict=True))


def _last(view: MaoriView) -> Deed:
    """The last turn as the view tells it."""
    turn = view.turn
    if turn is None:
        return Deed(journey=view.journey)
    has_stored = turn.act in ("store", "place_stored") or view.hand == "stored"
    return Deed(
        turn.seat,
        view.journey,
        cells=(turn.cell,) if turn.cell else (),
        spots=(turn.spot,) if turn.spot else (),
        sailed=((turn.ship_from, turn.ship_to),) if turn.ship_from and turn.ship_to else (),
        panels=((turn.seat, "stored"),) if has_stored else (),
    )


def _marked(event: Event) -> Deed | None:
    """What an event changes in the picture; None for what changes nothing that can be marked."""
    match event:
        case told.DiscovererPlaced(seat=seat, spot=spot):
            return Deed(seat, journey=(spot,))
        case told.DiscovererMoved(seat=seat, start=start, steps=steps, paid=paid):
            first = POSITIONS.index(start)
            journey = tuple(POSITIONS[(first + step) % len(POSITIONS)] for step in range(steps + 1))
            return Deed(seat, journey=journey, panels=_shells(seat, paid))
        case told.TileTaken(seat=seat, cell=cell, paid=paid):
            return Deed(seat, cells=(cell,), panels=_shells(seat, paid))
        case told.ShipSailed(seat=seat, start=start, to=to, paid=paid):
            return Deed(seat, sailed=((start, to),), panels=_shells(seat, paid))
        case told.TilePlaced(seat=seat, spot=spot, shells=shells, stored=stored):
            storage = ((seat, "stored"),) if stored else ()
            return Deed(seat, spots=(spot,), panels=(*storage, *_shells(seat, shells)))
        case told.TileStored(seat=seat):
            return Deed(seat, panels=((seat, "stored"),))
        case told.TileRemoved(seat=seat, spot=spot):
            return Deed(seat, spots=(spot,))
        case told.ShipMoved(seat=seat, start=start, to=to):
            return Deed(seat, sailed=((start, to),))
        case told.TileTurnedUp(cell=cell):
            return Deed(cells=(cell,))
        case told.Scored(seat=seat):
            return Deed(panels=((seat, "score"),))
    return None


def _shells(seat: int, number: int) -> tuple[tuple[int, str], ...]:
    return ((seat, "shells"),) if number else ()
