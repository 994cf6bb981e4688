"""The main map: the part of the map that matters this turn, large enough to be read on a phone.

It is drawn in layers. `hex_canvas` lays out a hex and puts sprites into it; `marks`,
`settlements`, `pieces` and `hex_text` each draw one layer. Change the order of the layers only with
care: later ones cover earlier ones.
"""

from collections.abc import Sequence

from PIL import Image

from engine.conquest.view import ConquestView
from render.conquest.hex_canvas import HexCanvas
from render.conquest.hex_text import draw_text
from render.conquest.layout import Crop
from render.conquest.marks import draw_chains, draw_rims_and_rings, draw_wakes
from render.conquest.news import News
from render.conquest.pieces import draw_pieces
from render.conquest.settlements import draw_settlements


def draw_main_map(view: ConquestView, rings: Sequence[str], crop: Crop, news: News) -> Image.Image:
    """Draw a window on the map with everything that lies in it."""
    main_map = HexCanvas(view, frozenset(rings), crop)
    # Flat things come first, then lines over them, then pieces on the lines. Text comes last:
    # nothing may cover what has to be read.
    draw_rims_and_rings(main_map, news)
    draw_chains(main_map)
    draw_wakes(main_map, news)
    draw_settlements(main_map)
    draw_pieces(main_map)
    draw_text(main_map, news)
    return main_map.canvas.image
