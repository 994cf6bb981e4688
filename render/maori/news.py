"""The news of Maori since the last post, turn by turn, as items that the picture marks.

`collect_news` turns events into `NewsItem`s, one for each turn. A new event that should be seen in
the picture needs a case in `_describe`.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine import Event
from engine.maori import events
from engine.maori.matrix import POSITIONS
from engine.maori.view import MaoriView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks


class NewsItem(Struct, frozen=True):
    """The changes by one seat in its turn, or by the scoring."""

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


def collect_news(view: MaoriView, scene: Scene) -> tuple[NewsItem, ...]:
    """Return a news item for each turn since the last post, in order.

    Without events it is the last turn, as far as the view knows it. The final board is a picture
    to keep, so it has no news.
    """
    if view.outcome is not None:
        return ()
    news: list[NewsItem] = []
    for event in scene.events:
        news_item = _describe(event)
        if news_item is None:
            continue
        begins_turn = isinstance(event, events.DiscovererMoved)
        # No seat turns up a tile, but the new tile belongs to the turn before it.
        goes_on = news and (
            news[-1].seat == news_item.seat or isinstance(event, events.TileTurnedUp)
        )
        if goes_on and not begins_turn:
            news[-1] = _join(news[-1], news_item)
        else:
            news.append(news_item)
    if not news and view.journey:
        news.append(_describe_last_turn(view))

    marks = make_marks([news_item.seat for news_item in news])
    if scene.in_film:
        news = [replace(news_item, journey=(), panels=()) for news_item in news]
        if len(news) == 1:
            marks = [Mark(is_bare=True)]
    return tuple(replace(news_item, mark=mark) for news_item, mark in zip(news, marks, strict=True))


def _join(first: NewsItem, second: NewsItem) -> NewsItem:
    """Return one news item for two parts of a turn."""
    return replace(
        first,
        journey=first.journey + second.journey,
        cells=first.cells + second.cells,
        spots=first.spots + second.spots,
        sailed=first.sailed + second.sailed,
        panels=first.panels + second.panels,
    )


def _describe_last_turn(view: MaoriView) -> NewsItem:
    """Return the news item of the last turn, as far as the view knows it."""
    turn = view.turn
    if turn is None:
        return NewsItem(journey=view.journey)
    has_sailed = turn.ship_from and turn.ship_to
    has_stored = turn.act in ("store", "place_stored") or view.hand == "stored"
    return NewsItem(
        turn.seat,
        view.journey,
        cells=(turn.cell,) if turn.cell else (),
        spots=(turn.spot,) if turn.spot else (),
        sailed=((turn.ship_from, turn.ship_to),) if has_sailed else (),
        panels=((turn.seat, "stored"),) if has_stored else (),
    )


def _describe(event: Event) -> NewsItem | None:
    """Return the news item of a single event; None if the picture marks nothing of it."""
    match event:
        case events.DiscovererPlaced(seat=seat, spot=spot):
            return NewsItem(seat, journey=(spot,))
        case events.DiscovererMoved(seat=seat, start=start, steps=steps, paid=paid):
            first = POSITIONS.index(start)
            journey = tuple(POSITIONS[(first + step) % len(POSITIONS)] for step in range(steps + 1))
            return NewsItem(seat, journey=journey, panels=_mark_shells(seat, paid))
        case events.TileTaken(seat=seat, cell=cell, paid=paid):
            return NewsItem(seat, cells=(cell,), panels=_mark_shells(seat, paid))
        case events.ShipSailed(seat=seat, start=start, to=to, paid=paid):
            return NewsItem(seat, sailed=((start, to),), panels=_mark_shells(seat, paid))
        case events.TilePlaced(seat=seat, spot=spot, shells=shells, stored=stored):
            storage = ((seat, "stored"),) if stored else ()
            return NewsItem(seat, spots=(spot,), panels=(*storage, *_mark_shells(seat, shells)))
        case events.TileStored(seat=seat):
            return NewsItem(seat, panels=((seat, "stored"),))
        case events.TileRemoved(seat=seat, spot=spot):
            return NewsItem(seat, spots=(spot,))
        case events.ShipMoved(seat=seat, start=start, to=to):
            return NewsItem(seat, sailed=((start, to),))
        case events.TileTurnedUp(cell=cell):
            return NewsItem(cells=(cell,))
        case events.Scored(seat=seat):
            return NewsItem(panels=((seat, "score"),))
    return None


def _mark_shells(seat: int, number: int) -> tuple[tuple[int, str], ...]:
    """Return the mark on a panel whose number of shells has changed; none for no shells."""
    return ((seat, "shells"),) if number else ()
