"""What the theatre shows: the hexes that it must hold."""

from collections.abc import Sequence

from engine.conquest.board import AMERICA, CHART, HEX_AT
from engine.conquest.view import ConquestView
from render.conquest.layout import WIDTH, Crop, bands_of, crop_of


def crop_for(view: ConquestView, rings: Sequence[str], high: int) -> Crop:
    """The window of a theatre of that height. News does not move it: the chart marks what lies outside."""
    return crop_of(WIDTH, high, must_show(view, rings))


def steady(views: Sequence[ConquestView]) -> list[tuple[str, ...]]:
    """For each picture of a film what it has to hold, that its window move as seldom as can be at its largest hexes."""
    kept: list[tuple[str, ...]] = []
    stretch: list[str] = []
    since = 0

    def unit(spots: Sequence[str]) -> int:
        # While an Explorer is out there is a band below the theatre.
        return crop_of(WIDTH, bands_of(0, is_exploring=True, is_private=False).high, spots).unit

    for number, view in enumerate(views):
        here = must_show(view, ())
        both = list(dict.fromkeys([*stretch, *here]))
        if not unit(stretch) == unit(here) == unit(both):
            kept += [tuple(stretch)] * (number - since)
            since, both = number, here
        stretch = both
    return [*kept, *[tuple(stretch)] * (len(views) - since)]


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
