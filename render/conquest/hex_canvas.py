"""The canvas of the main map: sprites are put on it by hex, and labels keep off them.

A large hex is read in lanes, from above: boxes, the code if the hex may be chosen, pieces, and at
its foot the name or the code. Names may reach into the neighbouring columns where boxes and pieces
leave room. A small hex has two rows instead of lanes.

Positions and sizes within a hex are shares of its width; positions count from its middle.
"""

from engine.conquest.view import NOBODY, ConquestView, MarkerView
from render.canvas import Canvas, Sprite
from render.conquest.america import put_coast
from render.conquest.ground import draw_ground
from render.conquest.labels import Labels
from render.conquest.layout import Crop

BOX_LANE = -0.3
CODE_LANE = -0.135
PIECE_LANE = 0.085
NAME_LANE = 0.32
SMALL_UPPER_ROW = -0.19
SMALL_LOWER_ROW = 0.21

TEXT_SPRITES = ("code", "count")
"""Sprites that are read letter by letter: labels may not cover any part of them."""


class HexCanvas:
    """The main map being drawn: its canvas, what it shows, and which hexes are already filled."""

    def __init__(self, view: ConquestView, rings: frozenset[str], crop: Crop) -> None:
        self.view = view
        self.rings = rings
        """Hexes that may be chosen."""
        self.crop = crop
        self.canvas = Canvas(draw_ground(view, crop))
        put_coast(self.canvas, crop)
        self.labels = Labels(self.canvas)
        self.hidden_tiles = {tile.spot: tile for tile in view.tiles if not tile.up}
        self.occupied = {stack.spot for stack in view.stacks} | {fleet.at for fleet in view.fleets}
        """Hexes in which pieces lie."""
        self.filled: set[str] = set()
        """Hexes in which something stands that is worth seeing."""
        self.lowered_names: set[str] = set()
        """Hexes whose second row of pieces takes the lane of the name."""
        self.explorer_at = ""
        self.explorer_seat = NOBODY
        self.markers: dict[str, MarkerView] = {}
        """The Discovery Markers of the voyage under way, by hex."""
        if view.voyage is not None:
            self.explorer_at = view.voyage.at
            self.explorer_seat = view.voyage.seat
            self.markers = {marker.spot: marker for marker in view.voyage.markers}

    def put(
        self, sprite: Sprite, spot: str, right: float = 0, down: float = 0, shows: str = ""
    ) -> None:
        """Put a sprite in a hex, off its middle by shares of the hex's width.

        `shows` says what a reader learns from it, such as "piece"; "" is for decoration, which
        labels may cover.
        """
        x, y = self.crop.middle_of(spot)
        x += self.crop.hex_share(right)
        y += self.crop.hex_share(down)
        self.put_at(sprite, spot, x, y, shows)

    def put_at(
        self, sprite: Sprite, spot: str, x: int, y: int, shows: str = "", letter_size: int = 0
    ) -> None:
        """Put a sprite that belongs to a hex on a point of the canvas, in pixels.

        If the sprite is a text, `letter_size` is the size of its font.
        """
        # Nothing has to stay readable in a hex that the edge of the main map cuts off.
        is_readable = shows != "" and self.crop.holds(spot)
        self.canvas.put(sprite, x, y, f"{shows}:{spot}" if is_readable else "")
        if not is_readable:
            return
        if shows in TEXT_SPRITES:
            self.labels.keep_off_text(sprite, x, y, letter_size)
        else:
            self.labels.keep_off(sprite, x, y)
        self.filled.add(spot)
