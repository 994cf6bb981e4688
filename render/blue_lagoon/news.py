"""The news of Blue Lagoon since the last post, as items that the picture marks.

`collect_news` turns events into `NewsItem`s. A new event that should be seen in the picture needs a
case there.
"""

from msgspec import Struct
from msgspec.structs import replace

from engine.blue_lagoon import events
from engine.blue_lagoon.view import BlueLagoonView
from render import Scene
from render.news import ONLY_MARK, Mark, make_marks

MARKED_ROUNDS = 2
"""Rounds at the end of Exploration whose spaces are still marked when their pieces are gone."""


class NewsItem(Struct, frozen=True):
    """A piece that was placed, or the scoring at the end of a phase."""

    seat: int | None = None
    """None for the end of a phase."""
    spot: str = ""
    panels: tuple[tuple[int, str], ...] = ()
    """Seats, and the part of the panel of each that changed: an item, or 'score'."""
    mark: Mark = ONLY_MARK


def collect_news(view: BlueLagoonView, scene: Scene) -> tuple[NewsItem, ...]:
    """Return the news of a scene in order; if it has no events, the view's last piece.

    The final board is a picture to keep, so it has no news.
    """
    if view.outcome is not None:
        return ()
    news: list[NewsItem] = []
    for event in scene.events:
        match event:
            case events.Settled(seat=seat, spot=spot, takes=item):
                news.append(NewsItem(seat, spot, ((seat, item),) if item else ()))
            case events.Cleared() if len(news) > MARKED_ROUNDS * len(view.sides):
                # Marks of pieces that were removed long ago would only hide what is there now.
                standing = {piece.spot for piece in view.pieces}
                news = [
                    news_item
                    for news_item in news
                    if not news_item.spot or news_item.spot in standing
                ]
            case events.Scored(rows=rows):
                news.append(NewsItem(panels=tuple((seat, "score") for seat in range(len(rows)))))
    if not news and view.last:
        seats = [piece.seat for piece in view.pieces if piece.spot == view.last]
        news.append(NewsItem(seats[0] if seats else None, view.last))
    marks = make_marks([news_item.seat for news_item in news])
    return tuple(replace(news_item, mark=mark) for news_item, mark in zip(news, marks, strict=True))
