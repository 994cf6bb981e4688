"""What happened in Maori since the last post, turn by turn, as the picture marks it.

`collect_deeds` turns events into `Deed`s, one for each turn. A new event that should be seen in
the picture needs a case in `_describe`.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.maori import events
from engine.maori.matrix import POSITIONS
from engine.maori.view import MaoriView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks


class Deed(Struct, frozen=True):
    """What one seat did in its turn, or what the scoring changed."""

    seat: int | None = None
    """None for the scoring."""
    journey: tuple[str, ...] = ()
    """Positions of the discoverer, start and goal included."""
    cells: tuple[str, ...] = ()
    """Cells of the matrix out of which a tile was taken, or into which one was turned up."""
    spots: tuple[str, ...] = ()
    """Spaces of the seat's board on which a tile was placed or removed."""
    sailed: tuple[tuple[str, str], ...] = ()
    """Start and goal of the small ship, for each time that it moved."""
    panels: tuple[tuple[int, str], ...] = ()
    """Seats, and what else changed on the panel of each: 'shells', 'stored' or 'score'."""
    mark: Mark = ONLY_MARK


def collect_deeds(view: MaoriView, scene: Scene) -> tuple[Deed, ...]:
    """Return what happened since the last post, turn by turn and in order.

    The final board is a picture to keep, without marks of news.

    Without events it is the last turn, as far as the view knows it.
    """
    if view.outcome is not None:
        return ()
    deeds: list[Deed] = []
    for event in scene.events:
        deed = _describe(event)
        if deed is None:
            continue
        begins_turn = isinstance(event, events.DiscovererMoved)
        # A tile that is turned up belongs to the turn before it, although no seat does it.
        goes_on = deeds and (deeds[-1].seat == deed.seat or isinstance(event, events.TileTurnedUp))
        if goes_on and not begins_turn:
            deeds[-1] = _join(deeds[-1], deed)
        else:
            deeds.append(deed)
    if not deeds and view.journey:
        deeds.append(_describe_last_turn(view))

    deed_marks = make_marks([deed.seat for deed in deeds])
    if scene.in_film:
        deeds = [replace(deed, journey=(), panels=()) for deed in deeds]
        if len(deeds) == 1:
            deed_marks = [Mark(is_bare=True)]
    return tuple(replace(deed, mark=mark) for deed, mark in zip(deeds, deed_marks, strict=True))


def _join(first: Deed, second: Deed) -> Deed:
    """Return two parts of one turn as one."""
    fields = ("journey", "cells", "spots", "sailed", "panels")
    joined: dict[str, Any] = {name: getattr(first, name) + getattr(second, name) for name in fields}
    return replace(first, **joined)


def _describe_last_turn(view: MaoriView) -> Deed:
    """Return the last turn as the view tells it."""
    turn = view.turn
    if turn is None:
        return Deed(journey=view.journey)
    has_sailed = turn.ship_from and turn.ship_to
    has_stored = turn.act in ("store", "place_stored") or view.hand == "stored"
    return Deed(
        turn.seat,
        view.journey,
        cells=(turn.cell,) if turn.cell else (),
        spots=(turn.spot,) if turn.spot else (),
        sailed=((turn.ship_from, turn.ship_to),) if has_sailed else (),
        panels=((turn.seat, "stored"),) if has_stored else (),
    )


def _describe(event: Event) -> Deed | None:
    """Return what an event changes in the picture; None if that cannot be marked."""
    match event:
        case events.DiscovererPlaced(seat=seat, spot=spot):
            return Deed(seat, journey=(spot,))
        case events.DiscovererMoved(seat=seat, start=start, steps=steps, paid=paid):
            first = POSITIONS.index(start)
            journey = tuple(POSITIONS[(first + step) % len(POSITIONS)] for step in range(steps + 1))
            return Deed(seat, journey=journey, panels=_mark_shells(seat, paid))
        case events.TileTaken(seat=seat, cell=cell, paid=paid):
            return Deed(seat, cells=(cell,), panels=_mark_shells(seat, paid))
        case events.ShipSailed(seat=seat, start=start, to=to, paid=paid):
            return Deed(seat, sailed=((start, to),), panels=_mark_shells(seat, paid))
        case events.TilePlaced(seat=seat, spot=spot, shells=shells, stored=stored):
            storage = ((seat, "stored"),) if stored else ()
            return Deed(seat, spots=(spot,), panels=(*storage, *_mark_shells(seat, shells)))
        case events.TileStored(seat=seat):
            return Deed(seat, panels=((seat, "stored"),))
        case events.TileRemoved(seat=seat, spot=spot):
            return Deed(seat, spots=(spot,))
        case events.ShipMoved(seat=seat, start=start, to=to):
            return Deed(seat, sailed=((start, to),))
        case events.TileTurnedUp(cell=cell):
            return Deed(cells=(cell,))
        case events.Scored(seat=seat):
            return Deed(panels=((seat, "score"),))
    return None


def _mark_shells(seat: int, number: int) -> tuple[tuple[int, str], ...]:
    """Return the mark on a panel whose number of shells has changed; none for no shells."""
    return ((seat, "shells"),) if number else ()
