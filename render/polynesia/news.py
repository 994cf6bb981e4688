"""The news of Polynesia since the last post, turn by turn, as items that the picture marks.

`collect_news` turns events into `NewsItem`s, one for each turn. A new event that should be seen in
the picture needs a case in `_describe`.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.polynesia import events
from engine.polynesia.board import MASK
from engine.polynesia.view import PolynesiaView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks


class NewsItem(Struct, frozen=True):
    """The changes by one seat in its turn, or by the maintenance."""

    seat: int | None = None
    """None for the maintenance, and for what no seat did."""
    path: tuple[str, ...] = ()
    """Passages travelled, such as 'a1-b2', in order."""
    routes: tuple[str, ...] = ()
    """Routes explored."""
    islands: tuple[str, ...] = ()
    """Islands that members were added to."""
    strip: tuple[str, ...] = ()
    """Changes below the sea: the colour of each stone drawn, or a space of the Phase Track."""
    panels: tuple[tuple[int, str], ...] = ()
    """Seats, and what changed on the panel of each: 'fish', 'shell', 'ship', 'mask', 'point',
    'first', 'score', or a token such as 'token_fish'.
    """
    mark: Mark = ONLY_MARK

    @property
    def reached(self) -> tuple[str, ...]:
        """The islands where members ended up, without those they left again in the next step."""
        steps = [spot.split("-") for spot in self.path]
        next_starts = [start for start, _ in steps[1:]] + [""]
        goals = []
        for (_, goal), next_start in zip(steps, next_starts, strict=False):
            if goal != next_start:
                goals.append(goal)
        return tuple(dict.fromkeys([*goals, *self.islands]))


def collect_news(view: PolynesiaView, scene: Scene) -> tuple[NewsItem, ...]:
    """Return a news item for each turn since the last post, in order.

    Without events it is the last action, as far as the view knows it. The final board is a picture
    to keep, so it has no news.
    """
    if view.outcome is not None:
        return ()
    news: list[NewsItem] = []
    for event in scene.events:
        news_item = _describe(event)
        if news_item is None:
            continue
        if news and news[-1].seat == news_item.seat:
            news[-1] = _join(news[-1], news_item)
        else:
            news.append(news_item)
    if not news and view.last is not None:
        news.append(_describe_last_action(view.last))
    marks = make_marks([news_item.seat for news_item in news])
    return tuple(replace(news_item, mark=mark) for news_item, mark in zip(news, marks, strict=True))


def _join(first: NewsItem, second: NewsItem) -> NewsItem:
    """Return one news item for two parts of a turn."""
    return replace(
        first,
        path=first.path + second.path,
        routes=first.routes + second.routes,
        islands=first.islands + second.islands,
        strip=first.strip + second.strip,
        panels=first.panels + second.panels,
    )


def _describe_last_action(last: events.Last) -> NewsItem:
    """Return the news item of the last action, as far as the view knows it."""
    if last.action == "decline":
        return NewsItem(strip=("decline",))
    panels = ((last.seat, last.action),) if last.action in ("fish", "shell") else ()
    return NewsItem(last.seat, last.path, last.routes, last.islands, panels=panels)


def _describe(event: Event) -> NewsItem | None:
    """Return the news item of a single event; None if the picture marks nothing of it."""
    match event:
        case events.Fished(seat=seat, resource=resource):
            return NewsItem(seat, panels=((seat, resource),))
        case events.RouteExplored(seat=seat, route=route, resource=resource, paid=paid, to=owners):
            payer = ((seat, resource),) if paid else ()
            receivers = ((owner, resource) for owner in owners)
            return NewsItem(seat, routes=(route,), panels=((seat, "ship"), *payer, *receivers))
        case events.Populated(seat=seat, island=island, paid=paid, resource=resource):
            return NewsItem(seat, islands=(island,), panels=((seat, resource),) if paid else ())
        case events.MemberMoved(seat=seat, start=start, goal=goal, owner=owner, resource=resource):
            # A guide is paid by the traveller and receives the resource.
            passage = f"{start}-{goal}"
            if owner is None or not resource:
                return NewsItem(seat, path=(passage,))
            return NewsItem(seat, path=(passage,), panels=((seat, resource), (owner, resource)))
        case events.TokenTaken(seat=seat, face=face):
            what = face if face == MASK else f"token_{face}"
            return NewsItem(seat, panels=((seat, what),))
        case events.MaskUsed(seat=seat, resource=resource, lost=lost):
            losing = _mark_changed(lost, resource) if resource else ()
            return NewsItem(seat, panels=((seat, "mask"), *losing))
        case events.MaskSpent(seat=seat):
            return NewsItem(seat, panels=((seat, "mask"),))
        case events.PointsTaken(seat=seat, count=count):
            return NewsItem(seat, panels=((seat, "point"),)) if count else None
        case events.StoneDrawn(colour=colour):
            return NewsItem(strip=(colour,))
        case events.Declined(resource=resource, lost=lost):
            return NewsItem(strip=("decline",), panels=_mark_changed(lost, resource))
        case events.Gathered(resource=resource, counts=counts):
            return NewsItem(strip=("resources",), panels=_mark_changed(counts, resource))
        case events.StartPassed(seat=seat):
            return NewsItem(strip=("start",), panels=((seat, "first"),))
        case events.Erupted():
            return NewsItem(strip=("volcano",))
        case events.Scored(rows=rows):
            return NewsItem(panels=tuple((seat, "score") for seat in range(len(rows))))
    return None


def _mark_changed(counts: tuple[int, ...], resource: str) -> tuple[tuple[int, str], ...]:
    """Return the seats whose number of a resource has changed, each with the resource to mark."""
    return tuple((seat, resource) for seat, number in enumerate(counts) if number)
