"""The 97 tiles, read from data/tiles.json. A tile is known by its number: 7 is T07, and 0 is no tile."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

DATA = Path(__file__).parent / "data"
NO_TILE = 0
SIDES = "nesw"
"""The sides of a tile, clockwise; a side's number is its place here, and the side across is two further."""


class Shape(Struct, frozen=True):
    """The land of a tile: a kind of the rulebook, and the sides over which the island goes on."""

    kind: str
    """'single', 'end', 'middle', 'water' or 'volcano'."""
    land: str


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile as the data have it."""

    id: str
    shape: str
    palms: int
    hut: bool = False
    lei: str = ""
    ships: int = 0
    shells: int = 0


class TileData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of tiles."""

    shapes: dict[str, Shape]
    tiles: list[Printed]


class Tile(Struct, frozen=True, dict=True):
    """A tile: its land, and what grows, stands and lies on it. Palms stand upright, so it is never turned."""

    number: int
    shape: str
    """'single', 'left_end', 'right_end', 'top_end', 'bottom_end', 'h_middle', 'v_middle', 'open_water', 'ship_water',
    'shell_water' or 'volcano'; a left end is the left end of an island, so its land goes on to the right."""
    kind: str
    land: tuple[int, ...]
    """The sides over which its island goes on, by their numbers in SIDES."""
    palms: int
    hut: bool
    lei: int
    """The side that carries half a lei, -1 if none does."""
    ships: int
    shells: int

    @property
    def is_island(self) -> bool:
        """Whether there is land on it that can be built into an island."""
        return self.kind in ("single", "end", "middle")

    @cached_property
    def face(self) -> str:
        """What is seen on it, as a word key: 'left-end-2-hut'. Tiles of one face are alike."""
        marks = [("hut", self.hut), ("lei", self.lei >= 0), ("ship", self.ships), (f"shell-{self.shells}", self.shells)]
        palms = [str(self.palms)] if self.is_island else []
        extra = [mark for mark, shown in marks if shown] if self.is_island else []
        return "-".join([self.shape.replace("_", "-"), *palms, *extra])


def read_tiles() -> tuple[Tile | None, ...]:
    """The tiles by number; nothing at 0."""
    data = msgspec.json.decode((DATA / "tiles.json").read_bytes(), type=TileData)
    return (None, *(_tile(number, data, printed) for number, printed in enumerate(data.tiles, 1)))


def _tile(number: int, data: TileData, printed: Printed) -> Tile:
    shape = data.shapes[printed.shape]
    if printed.id != f"T{number:02}" or (printed.lei and printed.lei not in shape.land):
        raise ValueError(f"tile {printed.id} of the data is out of place or has a lei at sea")
    return Tile(
        number,
        printed.shape,
        shape.kind,
        tuple(sorted(SIDES.index(side) for side in shape.land)),
        printed.palms,
        printed.hut,
        SIDES.index(printed.lei) if printed.lei else -1,
        printed.ships,
        printed.shells,
    )


_TILES = read_tiles()
COUNT = len(_TILES) - 1
"""How many tiles there are."""
VOLCANOES = tuple(tile.number for tile in _TILES if tile and tile.kind == "volcano")
SHIPS_ON = tuple(tile.ships if tile else 0 for tile in _TILES)
"""Ships by tile number, for counting fast."""
SHELLS_ON = tuple(tile.shells if tile else 0 for tile in _TILES)
FACES = tuple(tile.face if tile else "" for tile in _TILES)
"""Word keys by tile number; '' for no tile."""
LAND_OF = tuple(tile.land if tile else () for tile in _TILES)


T = TypeVar("T")


def changed(lying: tuple[T, ...], place: int, one: T) -> tuple[T, ...]:
    """What lies there, with another one in that place."""
    made = list(lying)
    made[place] = one
    return tuple(made)


def tile_of(number: int) -> Tile:
    """The tile of that number."""
    tile = _TILES[number]
    if tile is None:
        raise ValueError("there is no tile")
    return tile


def tally(numbers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """How many tiles of each kind are among these: 'single', 'end', 'middle', 'water', 'volcano'."""
    kinds = [tile_of(number).kind for number in numbers]
    return tuple((kind, kinds.count(kind)) for kind in ("single", "end", "middle", "water", "volcano"))
