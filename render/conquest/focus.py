"""What the theatre shows: the hexes that it must hold."""

from collections.abc import Sequence

from engine.conquest.board import AMERICA, CHART, HEX_AT
from engine.conquest.view import NOBODY, ConquestView
from render.conquest.layout import LARGE, THEATRE, UNITS, WIDTH, Crop, bands_of, crop_of


def crop_for(view: ConquestView, rings: Sequence[str], high: int) -> Crop:
    """The window of a theatre of that height. News does not move it: the chart marks what lies
    outside.

    Where bands below make it lower, it moves rather than cut off groups and pieces that the whole
    theatre shows.
    """
    must = must_show(view, rings)
    whole, low = crop_of(WIDTH, THEATRE, must), crop_of(WIDTH, high, must)
    spots = [stack.spot for stack in view.stacks] + [
        group.spot for group in view.groups if group.owner != NOBODY
    ]
    fuller = crop_of(WIDTH, high, [*must, *filter(whole.holds, spots)])
    return fuller if fuller.unit == low.unit else low


FILM = bands_of(0, is_exploring=True, is_private=False)
"""The bands of a film: that of Exploration stays, whether an Explorer is out or not, and Battles
lie over the map.
"""


def steady(views: Sequence[ConquestView]) -> list[Crop]:
    """For each picture of a film its window on the map: one that moves as seldom as can be, at
    hexes of one size.

    A window that jumps to and fro with every Battle is hard to follow, and each jump is a whole
    picture in the file.
    """
    kept: list[Crop] = []
    spots: list[str] = []
    since = 0
    for number, view in enumerate(views):
        here = must_show(view, ())
        both = list(dict.fromkeys([*spots, *here]))
        if _still(both).unit < _still(here).unit:
            kept += [_still(spots)] * (number - since)
            both, since = here, number
        spots = both
    return [*kept, *[_still(spots)] * (len(views) - since)]


def _still(spots: Sequence[str]) -> Crop:
    """The window of a film on these spots: at the smallest hexes that have names, which jumps
    least.
    """
    return crop_of(WIDTH, FILM.high, spots, UNITS[LARGE - 1 :])


def line_over(view: ConquestView, window: Crop, high: int) -> int:
    """Where a band of Battles that is so high begins in a film: over the foot of the map, or over
    its head if there it would hide the Battle.
    """
    is_hidden = (
        view.battle is not None
        and window.place(view.battle.spot)[1] + window.rise > window.high - high
    )
    return FILM.theatre if is_hidden else FILM.fights - high


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
