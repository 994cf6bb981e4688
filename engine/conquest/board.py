"""The components: map, tiles, cards, costs and markers, read from data/components.json.

Facts about them that no source gives are this project's reconstruction. They are in that file only,
so that an owner of the game can correct them there.

Lands and cards have keys here; their names are in the [word] table of text/en.toml only.

A hex is named by its column letter, A to V without I and O, and its row from the north: Samoa is
F7, Tonga F8. Keys are the same in lower case.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

__all__ = [
    "AMERICA",
    "AOTEAROA",
    "CARDS",
    "CARD_KEYS",
    "COSTS",
    "GOALS",
    "HEXES",
    "HEX_AT",
    "HOMES",
    "KINDS",
    "LABELS",
    "MARKERS",
    "NEIGHBOURS",
    "ORDER",
    "PIECES",
    "PLACES",
    "PRINTED",
    "SOUTH_ISLAND",
    "TILES",
    "Card",
    "Hex",
    "Land",
    "distance",
    "printed_face",
    "region",
]

COLUMNS: Final = "abcdefghjklmnpqrstuv"
REGIONS: Final = ("a-e", "f-g", "h-k", "l-v")
"""Parts of the map, by columns; none has more than 25 hexes that could be asked for together."""
FIRST_COLUMN: Final = -5
FIRST_ROW: Final = -7
DIRECTIONS: Final = (
    (0, -1),
    (1, -1),
    (1, 0),
    (0, 1),
    (-1, 1),
    (-1, 0),
)
"""The six directions as (q, r) offsets, clockwise from the north."""
SOUTH_WEST: Final = (-1, 1)

KINDS: Final = ("w", "t", "r", "c", "b")
"""War Canoe, Transport Canoe, Rumor, Colony, Warrior Band, in the order in which they are asked
for.
"""
MARKERS: Final = ("island", "island", "island", "ocean", "ocean", "ocean", "offcourse")
"""The kinds of Discovery Markers, in the order in which the cup counts them.

`KNOTS` has the Knots of each.
"""
KNOTS: Final = (1, 2, 3, 1, 2, 3, 0)
SOUTH_ISLAND: Final = "te-waka-maui"
AOTEAROA: Final = "aotearoa"
AMERICA: Final = "america"
"""The box "South America" beyond the eastern ocean."""
PEOPLE: Final = ("tonga", "raiatea", "hiva", "samoa")
"""The peoples, in the order in which they take the Turn Order Marker when tied for last place."""


class Land(Struct, frozen=True):
    """An Island Group: a tile, or one printed on the map."""

    key: str
    green: int
    brown: int
    atoll: bool = False
    warriors: int = 0
    """Local Warrior symbols of a group that begins Independent."""
    malaria: tuple[int, ...] = ()
    """Die rolls that strike it with malaria."""
    spot: str = ""
    """The hex where it is printed; '' for a tile."""
    home: bool = False


class Card(Struct, frozen=True):
    """An Arts & Culture Card: worth `vp`, and one more with a Village on one of `bonus` tiles."""

    key: str
    vp: int
    bonus: tuple[str, ...]
    sort: str
    """The kind of card: 'points', 'lasting', 'battle' or 'once'."""


class Cup(Struct, frozen=True):
    """Numbers of Discovery Markers; islands and ocean with 1, 2 and 3 Knots."""

    island: tuple[int, int, int]
    ocean: tuple[int, int, int]
    offcourse: int


class Chart(Struct, frozen=True):
    """The map as printed; hexes are given by code."""

    unknown: tuple[str, ...]
    ocean_west: tuple[str, ...]
    ocean_east: tuple[str, ...]
    printed: tuple[Land, ...]
    labels: dict[str, str]
    homes: dict[str, str]
    placed: dict[str, dict[str, str]]
    placed_seas: tuple[str, ...]
    to_america: tuple[str, ...]
    galapagos: tuple[str, ...]
    coast: tuple[str, ...]


class Components(Struct, frozen=True):
    """Everything in the box."""

    costs: dict[str, int]
    pieces: dict[str, int]
    goals: dict[str, int]
    cup: Cup
    cards: tuple[Card, ...]
    tiles: tuple[Land, ...]
    map: Chart


class Hex(Struct, frozen=True):
    """A hex with its axial coordinates: columns are vertical, and north is (0, -1)."""

    code: str
    q: int
    r: int


def _load_components() -> Components:
    """Read the data file."""
    path = Path(__file__).parent / "data" / "components.json"
    return msgspec.json.decode(path.read_bytes(), type=Components)


def _parse_hex(code: str) -> Hex:
    """Return a hex by its code.

    Letters count columns from the west, and every second column is half a hex lower.
    """
    q = COLUMNS.index(code[0]) + FIRST_COLUMN
    return Hex(code, q, int(code[1:]) + FIRST_ROW - q // 2)


COMPONENTS: Final = _load_components()
CHART: Final = COMPONENTS.map
TILES: Final = {tile.key: tile for tile in COMPONENTS.tiles}
CARDS: Final = {card.key: card for card in COMPONENTS.cards}
CARD_KEYS: Final = tuple(CARDS)
COSTS: Final = COMPONENTS.costs
PIECES: Final = COMPONENTS.pieces
"""The number of pieces of each kind that a seat has."""
GOALS: Final = {int(seats): points for seats, points in COMPONENTS.goals.items()}
PRINTED: Final = {land.spot: land for land in CHART.printed}
HOMES: Final = CHART.homes
"""The hex of each people's Home Island Group."""
LABELS: Final = {spot: key for key, spot in CHART.labels.items()}
"""Unknown hexes with the key of the tile that lies there in the real world."""
UNKNOWN: Final = frozenset(CHART.unknown)
EASTERN: Final = frozenset(CHART.ocean_east)
PRINTED_OCEAN: Final = EASTERN | frozenset(CHART.ocean_west)
_ALL_HEXES: Final = [_parse_hex(code) for code in (*UNKNOWN, *PRINTED_OCEAN, *PRINTED)]
HEXES: Final = tuple(sorted(_ALL_HEXES, key=lambda hex: (hex.q, hex.r)))
"""All 167 hexes, column by column from the west, each from the north."""
HEX_AT: Final = {hex.code: hex for hex in HEXES}
HEX_HEIGHT: Final = 3**0.5
"""From side to side of a hex, in units of a hex side."""
COLUMN_STEP: Final = 1.5
"""From one column of hexes to the next, in units of a hex side."""
PLACES: Final = {hex.code: (hex.q * COLUMN_STEP, (hex.r + hex.q / 2) * HEX_HEIGHT) for hex in HEXES}
"""The centre of each hex, across and down, in units of a hex side."""
ORDER: Final = {hex.code: number for number, hex in enumerate(HEXES)}
"""The position of each hex in map order."""
_BY_PLACE: Final = {(hex.q, hex.r): hex.code for hex in HEXES}


def _find_neighbours(hex: Hex) -> tuple[str, ...]:
    """Return the adjacent hexes, clockwise from the north."""
    around = [(hex.q + q, hex.r + r) for q, r in DIRECTIONS]
    return tuple(_BY_PLACE[place] for place in around if place in _BY_PLACE)


NEIGHBOURS: Final = {hex.code: _find_neighbours(hex) for hex in HEXES}
"""Adjacent hexes, clockwise from the north; fewer than six at the edge of the map."""


def distance(one: str, other: str) -> int:
    """Return how many steps apart two hexes are."""
    a = HEX_AT[one]
    b = HEX_AT[other]
    q = a.q - b.q
    r = a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def distance_to_america(spot: str) -> int:
    """Return how many steps a hex is from South America."""
    return 1 + min(distance(spot, coast) for coast in CHART.coast)


def south_west(spot: str) -> str:
    """Return the hex to the south-west; '' if the map ends there."""
    hex = HEX_AT[spot]
    return _BY_PLACE.get((hex.q + SOUTH_WEST[0], hex.r + SOUTH_WEST[1]), "")


def region(spot: str) -> str:
    """Return the part of the map under which a long list shows a hex."""
    for part in REGIONS:
        if spot[0] <= part[-1]:
            return part
    return REGIONS[-1]


def printed_face(spot: str) -> str:
    """Return what the map itself shows in a hex: 'unknown', 'ocean', 'group' or 'atoll'."""
    if spot in UNKNOWN:
        return "unknown"
    if spot in PRINTED:
        return "atoll" if PRINTED[spot].atoll else "group"
    return "ocean"


def in_order(spots: Iterable[str]) -> tuple[str, ...]:
    """Return hexes in map order."""
    return tuple(sorted(spots, key=ORDER.__getitem__))
