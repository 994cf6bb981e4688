"""Draws what is flat on the main map: tiles face down, rims and rings, chains and wakes.

Sizes here may be changed freely; look at the pictures.
"""

from itertools import pairwise

from engine.conquest.board import HEX_AT
from engine.conquest.view import NOBODY
from render.conquest.ground import side_to
from render.conquest.hex_canvas import PIECE_LANE, HexCanvas
from render.conquest.hexes import (
    control_rim,
    hidden_tile,
    legal_ring,
    line_to_neighbour,
    news_ring,
    tile_rim,
    wake,
    wake_head,
)
from render.conquest.news import News
from render.palette import CREAM, KEYLINE, livery_of

CHAIN_CASING_WIDTH = 0.4
CHAIN_WIDTH = 0.22
"""The widths of a chain and its casing, in units of a hex, which are quarters of its width."""
WAKE_LAYERS = 3
"""Casing, line and core; see `hexes.wake`."""
WAKE_HEAD_LAYERS = 2


def draw_rims_and_rings(main_map: HexCanvas, news: News) -> None:
    """Draw tiles face down, rims of owners, rings of legal hexes, and rings of news on top."""
    view, crop = main_map.view, main_map.crop
    for spot in main_map.hidden_tiles:
        if crop.holds(spot):
            main_map.put(hidden_tile(crop.unit), spot)
    for group in view.groups:
        if not crop.holds(group.spot):
            continue
        if group.owner != NOBODY:
            main_map.put(control_rim(crop.unit, group.owner), group.spot)
        elif not group.printed and crop.is_large:
            # In a small hex a pale rim looks like the ring of a legal one.
            main_map.put(tile_rim(crop.unit), group.spot)
    # A set has no order, and rings of neighbours overlap: sorted, the same view always gives the
    # same picture.
    for spot in sorted(main_map.rings):
        main_map.put(legal_ring(crop.unit), spot)
    # If several news items ring a hex, only the newest ring is shown.
    newest = {spot: number for number, item in news.numbered() for spot in item.rings}
    for spot, number in sorted(newest.items(), key=lambda item: item[1]):
        if spot in HEX_AT and crop.holds(spot):
            main_map.put(news_ring(crop.unit, news.mark(number).age), spot)


def draw_chains(main_map: HexCanvas) -> None:
    """Draw the chains of canoes, through the lane of the pieces: they run from canoe to canoe."""
    crop = main_map.crop
    for seat, nation in enumerate(main_map.view.nations):
        livery = livery_of(seat)
        casing = CREAM if livery.cream_line else KEYLINE
        # All casings before all colours: otherwise the casing of one link would cut into the
        # colour of the next where they meet.
        for colour, width in ((casing, CHAIN_CASING_WIDTH), (livery.colour, CHAIN_WIDTH)):
            for start, end in nation.links:
                side = side_to(start, end)
                if side is not None and (crop.shows(start) or crop.shows(end)):
                    main_map.put(
                        line_to_neighbour(crop.unit, side, colour, width), start, 0, PIECE_LANE
                    )


def draw_wakes(main_map: HexCanvas, news: News) -> None:
    """Draw the ways that canoes and Explorers took since the last post, the oldest first."""
    crop = main_map.crop
    for number, item in news.numbered():
        mark = news.mark(number)
        legs = [(start, end, side_to(start, end)) for start, end in pairwise(item.way)]
        visible = [leg for leg in legs if crop.shows(leg[0]) or crop.shows(leg[1])]
        shows_end = bool(visible) and visible[-1] == legs[-1]
        for layer in range(WAKE_LAYERS):
            for start, _, side in visible:
                if side is not None:
                    main_map.put(wake(crop.unit, side, mark, layer), start)
            if shows_end and layer < WAKE_HEAD_LAYERS:
                start, _, side = visible[-1]
                if side is not None:
                    main_map.put(wake_head(crop.unit, side, mark, layer), start)
