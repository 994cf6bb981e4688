"""What the theatre shows: the hexes that it must hold, and when it goes to see the news."""

from collections.abc import Sequence

from engine.conquest.board import AMERICA, CHART, HEX_AT
from engine.conquest.view import ConquestView
from render.conquest.layout import WIDTH, Crop, crop_of
from render.conquest.news import News


def crop_for(view: ConquestView, rings: Sequence[str], news: News, high: int) -> Crop:
    """The window of a theatre of that height."""
    must = must_show(view, rings)
    usual = crop_of(WIDTH, high, must, ())
    return crop_of(WIDTH, high, must, should_show(news, usual))


def must_show(view: ConquestView, rings: Sequence[str]) -> list[str]:
    """Every legal hex, the Battle and the Explorer at sea."""
    spots = [*rings]
    if view.battle is not None:
        spots.append(view.battle.spot)
    if view.voyage is not None:
        spots.append(view.voyage.at)
        if view.voyage.kumara and view.voyage.at in CHART.coast:
            spots.append(AMERICA)
    return list(dict.fromkeys(spot for spot in spots if spot in HEX_AT or spot == AMERICA))


def should_show(news: News, usual: Crop) -> tuple[str, ...]:
    """All that is news, if none of it would be seen in the usual window.

    What happens near its edge or at many places does not move it: places stay, and the chart marks what lies outside.
    """
    places = [spot for deed in news.deeds for spot in deed.rings if spot in HEX_AT or spot == AMERICA]
    return () if any(usual.holds(spot) for spot in places) else news.spots
