"""What happened in Polynesia since the last post, turn by turn, as the picture marks it.

`collect_deeds` turns events into `Deed`s, one for each turn. A new event that should be seen in
the picture needs a case in `_describe`.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.polynesia import events
from engine.polynesia.board import MASK
from engine.polynesia.view import PolynesiaView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks


class Deed(Struct, frozen=True):
    """What one seat did in its turn, or what the maintenance changed."""

    seat: int | None = None
    """None for the maintenance, and for what no seat did."""
    path: tuple[str, ...] = ()
    """Passages travelled, such as 'a1-b2', in order."""
    routes: tuple[str, ...] = ()
    """Routes explored."""
    islands: tuple[str, ...] = ()
    """Islands that members were added to."""
    strip: tuple[str, ...] = ()
    """What changed below the sea: the colour of each stone drawn, or a space of the Phase Track."""
    panels: tuple[tuple[int, str], ...] = ()
    """Seats, and what changed on the panel of each: 'fish', 'shell', 'ship', 'mask', 'point',
    'first', 'score', or a token such as 'token_fish'.
    """
    mark: Mark = ONLY_MARK

    @property
    def reached(self) -> tuple[str, ...]:
        """The islands on which members have ended, not those they left again in the next step."""
        steps = [spot.split("-") for spot in self.path]
        next_starts = [start for start, _ in steps[1:]] + [""]
        ended = []
        for (_, goal), next_start in zip(steps, next_starts, strict=False):
            if goal != next_start:
                ended.append(goal)
        return tuple(dict.fromkeys([*ended, *self.islands]))


def collect_deeds(view: PolynesiaView, scene: Scene) -> tuple[Deed, ...]:
    """Return what happened since the last post, turn by turn and in order.

    The final board is a picture to keep, without marks of news.

    Without events it is the last action, as far as the view knows it.
    """
    if view.outcome is not None:
        return ()
    deeds: list[Deed] = []
    for event in scene.events:
        deed = _describe(event)
        if deed is None:
            continue
        if deeds and deeds[-1].seat == deed.seat:
            deeds[-1] = _join(deeds[-1], deed)
        else:
            deeds.append(deed)
    if not deeds and view.last is not None:
        deeds.append(_describe_last_action(view.last))
    deed_marks = make_marks([deed.seat for deed in deeds])
    return tuple(replace(deed, mark=mark) for deed, mark in zip(deeds, deed_marks, strict=True))


def _join(first: Deed, second: Deed) -> Deed:
    """Return two parts of one turn as one."""
    fields = ("path", "routes", "islands", "strip", "panels")
    joined: dict[str, Any] = {name: getattr(first, name) + getattr(second, name) for name in fields}
    return replace(first, **joined)


def _describe_last_action(last: events.Last) -> Deed:
    """Return the last action as the view tells it."""
    if last.action == "decline":
        return Deed(strip=("decline",))
    panels = ((last.seat, last.action),) if last.action in ("fish", "shell") else ()
    return Deed(last.seat, last.path, last.routes, last.islands, panels=panels)


def _describe(event: Event) -> Deed | None:
    """Return what an event changes in the picture; None if that cannot be marked."""
    match event:
        case events.Fished(seat=seat, resource=resource):
            return Deed(seat, panels=((seat, resource),))
        case events.RouteExplored(seat=seat, route=route, resource=resource, paid=paid, to=owners):
            payer = ((seat, resource),) if paid else ()
            receivers = ((owner, resource) for owner in owners)
            return Deed(seat, routes=(route,), panels=((seat, "ship"), *payer, *receivers))
        case events.Populated(seat=seat, island=island, paid=paid, resource=resource):
            return Deed(seat, islands=(island,), panels=((seat, resource),) if paid else ())
        case events.MemberMoved(seat=seat, start=start, goal=goal, owner=owner, resource=resource):
            # A guide is paid by the traveller and receives the resource.
            passage = f"{start}-{goal}"
            if owner is None or not resource:
                return Deed(seat, path=(passage,))
            return Deed(seat, path=(passage,), panels=((seat, resource), (owner, resource)))
        case events.TokenTaken(seat=seat, face=face):
            what = face if face == MASK else f"token_{face}"
            return Deed(seat, panels=((seat, what),))
        case events.MaskUsed(seat=seat, resource=resource, lost=lost):
            losing = _mark_changed(lost, resource) if resource else ()
            return Deed(seat, panels=((seat, "mask"), *losing))
        case events.MaskSpent(seat=seat):
            return Deed(seat, panels=((seat, "mask"),))
        case events.PointsTaken(seat=seat, count=count):
            return Deed(seat, panels=((seat, "point"),)) if count else None
        case events.StoneDrawn(colour=colour):
            return Deed(strip=(colour,))
        case events.Declined(resource=resource, lost=lost):
            return Deed(strip=("decline",), panels=_mark_changed(lost, resource))
        case events.Gathered(resource=resource, counts=counts):
            return Deed(strip=("resources",), panels=_mark_changed(counts, resource))
        case events.StartPassed(seat=seat):
            return Deed(strip=("start",), panels=((seat, "first"),))
        case events.Erupted():
            return Deed(strip=("volcano",))
        case events.Scored(rows=rows):
            return Deed(panels=tuple((seat, "score") for seat in range(len(rows))))
    return None


def _mark_changed(counts: tuple[int, ...], resource: str) -> tuple[tuple[int, str], ...]:
    """Return the marks of a resource on the panels of all whose number of it changed."""
    return tuple((seat, resource) for seat, number in enumerate(counts) if number)
