"""What the theatre shows: the hexes that it must hold."""

from collections.abc import Sequence

from engine import Event
from engine.conquest.board import AMERICA, CHART, HEX_AT
from engine.conquest.view import ConquestView
from render.conquest.fight import fights_high
from render.conquest.layout import LARGE, THEATRE, UNITS, WIDTH, Crop, bands_of, crop_of
from render.conquest.news import news_of


def crop_for(view: ConquestView, rings: Sequence[str], high: int) -> Crop:
    """The window of a theatre of that height. News does not move it: the chart marks what lies outside."""
    return crop_of(WIDTH, high, must_show(view, rings))


def steady(shown: Sequence[tuple[ConquestView, tuple[Event, ...]]]) -> list[Crop]:
    """For each picture of a film its window on the map: one that moves as seldom as can be, at hexes of one size.

    A window that jumps to and fro with every Battle is hard to follow, and each jump is a whole picture in the file.
    """
    kept: list[Crop] = []
    spots: list[str] = []
    lowest, since = THEATRE, 0
    for number, (view, events) in enumerate(shown):
        here = must_show(view, ())
        high = bands_of(fights_high(view, news_of(view, events)), is_exploring=True, is_private=False).high
        both, lower = list(dict.fromkeys([*spots, *here])), min(lowest, high)
        if number > since and _still(both, lower).unit < _still(here, high).unit:
            kept += [_still(spots, lowest)] * (number - since)
            both, lower, since = here, high, number
        spots, lowest = both, lower
    return [*kept, *[_still(spots, lowest)] * (len(shown) - since)]


def _still(spots: Sequence[str], high: int) -> Crop:
    """The window of a film on these spots: at the smallest hexes that have names, which jumps least."""
    return crop_of(WIDTH, high, spots, UNITS[LARGE - 1 :])


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
