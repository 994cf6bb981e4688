"""Windows on the map: which hexes the main map shows, in a post and in a film."""

from collections.abc import Iterable, Iterator, Sequence

from engine.conquest.board import AMERICA, CHART, HEX_AT, NEIGHBOURS
from engine.conquest.view import NOBODY, ConquestView
from render.conquest.layout import (
    FULL_MAIN_MAP_HEIGHT,
    LARGE_UNITS,
    UNITS,
    WIDTH,
    Crop,
    bands_of,
    crop_of,
)

FILM_BANDS = bands_of(0, is_exploring=True, is_over=True)
"""The bands of a film: always room for Exploration; Battles lie over the map."""
FILM_END_BANDS = bands_of(0, is_exploring=False, is_over=True)
"""The bands of its end, when nobody explores any more."""
FILM_UNITS = UNITS[LARGE_UNITS - 1 :]
"""The sizes of hexes in a film: at most the smallest that has names, so that it rarely moves."""


def main_map_window(view: ConquestView, rings: Sequence[str], height: int) -> Crop:
    """Return the window of the main map: the one with the largest hexes that shows all it must.

    News does not move it, because the chart marks what happened outside. If bands below make the
    main map lower, the window moves rather than cut off groups and pieces that the full main map
    would show.

    Hexes that a question may be about are shown even if this viewer is not asked. So the public
    picture and the private one of the same position show the same part of the map.
    """
    askable = [spot for spot in askable_hexes(view) if spot in HEX_AT]
    required = list(dict.fromkeys([*required_hexes(view, rings), *askable]))
    full = crop_of(WIDTH, FULL_MAIN_MAP_HEIGHT, required)
    lower = crop_of(WIDTH, height, required)
    spots = [stack.spot for stack in view.stacks]
    spots += [group.spot for group in view.groups if group.owner != NOBODY]
    if view.outcome is not None:
        # The last board shows every piece, unless lands would lose their names for it.
        whole = crop_of(WIDTH, height, [*required, *spots])
        return whole if whole.is_large else lower
    inclusive = crop_of(WIDTH, height, [*required, *filter(full.holds, spots)])
    return inclusive if inclusive.unit == lower.unit else lower


def askable_hexes(view: ConquestView) -> Iterator[str]:
    """Yield the hexes that seats may be asked about in this Step, by what everybody knows.

    They are those of all seats, even if only some decide now, so that the map doesn't move during
    a Step. After the end nothing is asked, and the map shows who holds what.
    """
    if view.outcome is not None:
        yield from (group.spot for group in view.groups if group.owner != NOBODY)
        return
    if view.voyage is not None:
        yield from _hexes_within(1, [view.voyage.at])
        if view.voyage.kumara:
            # Shown close by: landmarks are printed on the way to South America.
            return
    yield from (stack.spot for stack in view.stacks)
    yield from (fleet.at for fleet in view.fleets)
    if view.battle is None:
        # Where pieces set out from too: the map keeps its place while a seat moves one stack after
        # the other.
        for arrow in view.arrows:
            yield from arrow.way
    yield from (group.spot for group in view.groups if group.owner != NOBODY)
    for nation in view.nations:
        for link in nation.links:
            yield from link
    if view.step == "exploration":
        yield from _places_to_explore(view)
    if view.battle is not None:
        yield from _hexes_within(1, [view.battle.spot])


def _places_to_explore(view: ConquestView) -> Iterator[str]:
    """Yield tiles face down, the places where the Unknown begins, and the way to America."""
    yield from (tile.spot for tile in view.tiles if not tile.up)
    unknown = {hex.spot for hex in view.hexes if hex.face == "unknown"}
    yield from (spot for spot in unknown if not unknown.issuperset(NEIGHBOURS[spot]))
    if view.kumara_played:
        yield from CHART.to_america


def _hexes_within(distance: int, spots: Iterable[str]) -> set[str]:
    """Return the hexes that are at most this many steps from one of the spots."""
    found = {spot for spot in spots if spot in HEX_AT}
    for _ in range(distance):
        found.update(*(NEIGHBOURS[spot] for spot in tuple(found)))
    return found


def film_windows(views: Sequence[ConquestView]) -> list[Crop]:
    """Return a window for each picture of a film, all with hexes of one size.

    The window moves as seldom as possible: one that jumps with every Battle is hard to follow, and
    each jump costs a whole picture in the file.
    """
    windows: list[Crop] = []
    spots: list[str] = []
    first = 0
    for number, view in enumerate(views):
        required = required_hexes(view, ())
        together = list(dict.fromkeys([*spots, *required]))
        if _film_window(together).unit < _film_window(required).unit:
            windows += [_film_window(spots)] * (number - first)
            together = required
            first = number
        spots = together
    windows += [_film_window(spots)] * (len(views) - first)
    return windows


def _film_window(spots: Sequence[str]) -> Crop:
    return crop_of(WIDTH, FILM_BANDS.main_map_height, spots, FILM_UNITS)


def film_battles_top(view: ConquestView, window: Crop, height: int) -> int:
    """Return where the band of Battles begins in a film: over the foot of the map.

    It moves to the head of the map if it would hide the hex of the Battle.
    """
    if view.battle is not None:
        _, y = window.middle_of(view.battle.spot)
        if y + window.rise > window.height - height:
            return FILM_BANDS.main_map
    return FILM_BANDS.battles - height


def required_hexes(view: ConquestView, rings: Sequence[str]) -> list[str]:
    """Return what the main map must show: every legal hex, the Battle and the Explorer at sea."""
    spots = [*rings]
    if view.battle is not None:
        spots.append(view.battle.spot)
    if view.voyage is not None:
        spots.append(view.voyage.at)
        if view.voyage.kumara and view.voyage.at in CHART.coast:
            spots.append(AMERICA)
    return list(dict.fromkeys(spot for spot in spots if spot in HEX_AT or spot == AMERICA))
