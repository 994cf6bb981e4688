"""What happened in Polynesia since the last post, deed by deed, as the picture marks it."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.polynesia import events as told
from engine.polynesia.board import MASK
from engine.polynesia.view import PolynesiaView
from render import Scene
from render.news import ONLY, Mark, marks


class Deed(Struct, frozen=True):
    """What one seat did in its turn, or what the maintenance brought."""

    seat: int | None = None
    """None for the maintenance, and for what no seat did."""
    path: tuple[str, ...] = ()
    """Passages travelled, 'start-goal', in order."""
    routes: tuple[str, ...] = ()
    """Routes explored."""
    islands: tuple[str, ...] = ()
    """Islands that members were added to."""
    strip: tuple[str, ...] = ()
    """What changed below the sea: a stone by its colour, each that was drawn, or a space of the
    Phase Track.
    """
    panels: tuple[tuple[int, str], ...] = ()
    """What changed on a seat's panel: 'fish', 'shell', 'ship', 'mask', 'point', 'first',
    'score', 'token_fish'.
    """
    mark: Mark = ONLY

    @property
    def reached(self) -> tuple[str, ...]:
        """The islands on which members have ended: those that nobody left again in the next
        step.
        """
        steps = [spot.split("-") for spot in self.path]
        next_starts = [start for start, _ in steps[1:]] + [""]
        ended = [
            goal
            for (_, goal), next_start in zip(steps, next_starts, strict=False)
            if goal != next_start
        ]
        return tuple(dict.fromkeys([*ended, *self.islands]))


def deeds_of(view: PolynesiaView, scene: Scene) -> tuple[Deed, ...]:
    """All that was told since the last post, in order; the view's last action if nothing was
    told.
    """
    deeds: list[Deed] = []
    for event in scene.events:
        added = _marked(event)
        if added is None:
            continue
        if deeds and deeds[-1].seat == added.seat:
            fields = ("path", "routes", "islands", "strip", "panels")
            joined: dict[str, Any] = {
                name: getattr(deeds[-1], name) + getattr(added, name) for name in fields
            }
            deeds[-1] = replace(deeds[-1], **joined)
        else:
            deeds.append(added)
    if not deeds and view.last is not None:
        deeds.append(_last(view.last))
    return tuple(
        replace(deed, mark=mark) for deed, mark in zip(deeds, marks(len(deeds)), strict=True)
    )


def _last(last: told.Last) -> Deed:
    """The last action as the view tells it."""
    if last.action == "decline":
        return Deed(strip=("decline",))
    panels = ((last.seat, last.action),) if last.action in ("fish", "shell") else ()
    return Deed(last.seat, last.path, last.routes, last.islands, panels=panels)


def _marked(event: Event) -> Deed | None:
    """What an event changes in the picture; None for what changes nothing that can be marked."""
    match event:
        case told.Fished(seat=seat, resource=resource):
            return Deed(seat, panels=((seat, resource),))
        case told.RouteExplored(seat=seat, route=route, resource=resource, paid=paid, to=owners):
            paying = ((seat, resource),) if paid else ()
            return Deed(
                seat,
                routes=(route,),
                panels=((seat, "ship"), *paying, *((to, resource) for to in owners)),
            )
        case told.Populated(seat=seat, island=island, paid=paid, resource=resource):
            return Deed(seat, islands=(island,), panels=((seat, resource),) if paid else ())
        case told.MemberMoved(seat=seat, start=start, goal=goal, owner=owner, resource=resource):
            guided = ((seat, resource), (owner, resource)) if owner is not None and resource else ()
            return Deed(seat, path=(f"{start}-{goal}",), panels=guided)
        case told.TokenTaken(seat=seat, face=face):
            return Deed(seat, panels=((seat, face if face == MASK else f"token_{face}"),))
        case told.MaskUsed(seat=seat, resource=resource, lost=lost):
            losing = tuple(
                (other, resource) for other, number in enumerate(lost) if number and resource
            )
            return Deed(seat, panels=((seat, "mask"), *losing))
        case told.MaskSpent(seat=seat):
            return Deed(seat, panels=((seat, "mask"),))
        case told.PointsTaken(seat=seat, count=count):
            return Deed(seat, panels=((seat, "point"),)) if count else None
        case told.StoneDrawn(colour=colour):
            return Deed(strip=(colour,))
        case told.Declined(resource=resource, lost=lost):
            return Deed(strip=("decline",), panels=_of(lost, resource))
        case told.Gathered(resource=resource, counts=counts):
            return Deed(strip=("resources",), panels=_of(counts, resource))
        case told.StartPassed(seat=seat):
            return Deed(strip=("start",), panels=((seat, "first"),))
        case told.Erupted():
            return Deed(strip=("volcano",))
        case told.Scored(rows=rows):
            return Deed(panels=tuple((seat, "score") for seat in range(len(rows))))
    return None


def _of(counts: tuple[int, ...], resource: str) -> tuple[tuple[int, str], ...]:
    """A resource on the panels of all for whom it changed."""
    return tuple((seat, resource) for seat, number in enumerate(counts) if number)
