"""The 97 tiles, read from data/tiles.json.

A tile is named by its number: 7 is T07, and 0 is no tile. Saved matches hold these numbers, so the
file may not be reordered.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

DATA = Path(__file__).parent / "data"
NO_TILE = 0
SIDES = "nesw"
"""The sides of a tile, clockwise. A side's number is its index here; the opposite side is two
further on.
"""


class Shape(Struct, frozen=True):
    """The land of a tile: a kind from the rulebook, and the sides where the island continues."""

    kind: str
    """'single', 'end', 'middle', 'water' or 'volcano'."""
    land: str


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile in the data file."""

    id: str
    shape: str
    palms: int
    hut: bool = False
    lei: str = ""
    ships: int = 0
    shells: int = 0


class TileData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of tiles."""

    about: str
    shapes: dict[str, Shape]
    tiles: list[Printed]


class Tile(Struct, frozen=True):
    """A tile: its land, and the palms, huts, shells and ships on it.

    Palms stand upright, so a tile is never turned.
    """

    number: int
    shape: str
    """'single', 'left_end', 'right_end', 'top_end', 'bottom_end', 'h_middle', 'v_middle',
    'open_water', 'ship_water', 'shell_water' or 'volcano'; a left end is the left end of an island,
    so its land goes on to the right.
    """
    kind: str
    land: tuple[int, ...]
    """The sides over which its island goes on, by their numbers in SIDES."""
    palms: int
    hut: bool
    lei: int
    """The side that carries half a lei, -1 if none does."""
    ships: int
    shells: int
    symbols: tuple[tuple[str, int], ...]
    """The things that are counted on it, as word keys and numbers."""
    face: str
    """The name of its print in saved events, such as 'left-end-2-hut'.

    Several tiles may have the same face.
    """

    @property
    def is_island(self) -> bool:
        """Whether the tile has land that can be built into an island."""
        return self.kind in ("single", "end", "middle")

    @property
    def facts(
        self,
    ) -> tuple[tuple[str, str], tuple[str, tuple[tuple[str, int], ...]]]:
        """The tile for texts, such as '{tile:word}[ with {symbols:counts}]'."""
        return ("tile", self.shape), ("symbols", self.symbols)


def _make_tile(number: int, printed: Printed, shape: Shape) -> Tile:
    if printed.id != f"T{number:02}" or (printed.lei and printed.lei not in shape.land):
        raise ValueError(f"tile {printed.id} of the data is out of place or has a lei at sea")
    face = [printed.shape.replace("_", "-")]
    if printed.palms:
        face.append(str(printed.palms))
        if printed.hut:
            face.append("hut")
        if printed.lei:
            face.append("lei")
        if printed.ships:
            face.append("ship")
        if printed.shells:
            face.append(f"shell-{printed.shells}")
    symbols = (
        ("palm", printed.palms),
        ("hut", int(printed.hut)),
        ("lei", int(printed.lei != "")),
        ("ship", printed.ships),
        ("shell", printed.shells),
    )
    return Tile(
        number=number,
        shape=printed.shape,
        kind=shape.kind,
        land=tuple(sorted(SIDES.index(side) for side in shape.land)),
        palms=printed.palms,
        hut=printed.hut,
        lei=SIDES.index(printed.lei) if printed.lei else -1,
        ships=printed.ships,
        shells=printed.shells,
        symbols=tuple((symbol, number) for symbol, number in symbols if number),
        face="-".join(face),
    )


_DATA = msgspec.json.decode((DATA / "tiles.json").read_bytes(), type=TileData)
_NOTHING = Tile(NO_TILE, "", "", (), 0, False, -1, 0, 0, (), "")
_PRINTED = [
    _make_tile(number, printed, _DATA.shapes[printed.shape])
    for number, printed in enumerate(_DATA.tiles, 1)
]
TILES = (_NOTHING, *_PRINTED)
"""By number; at 0, which stands for no tile, one that shows nothing."""
COUNT = len(TILES) - 1
"""How many tiles there are."""
BY_FACE = {tile.face: tile for tile in TILES}
VOLCANOES = tuple(tile.number for tile in TILES if tile.kind == "volcano")


def count_by_kind(numbers: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """Count these tiles by kind: 'single', 'end', 'middle', 'water', 'volcano'."""
    kinds = [TILES[number].kind for number in numbers]
    return tuple(
        (kind, kinds.count(kind)) for kind in ("single", "end", "middle", "water", "volcano")
    )
