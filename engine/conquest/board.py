"""The components: the map with its codes, tiles, cards, costs and markers, read from
data/components.json.

What no source tells of them is this project's reconstruction, and it stands in that file alone:
an owner of the game can correct it there.

Lands and cards have keys here; their names stand in the [word] table of text/en.toml alone.

A hex is named by its column letter, A to V without I and O, and its row from the north: Samoa F7,
Tonga F8. Keys are the same in lower case.
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
    "printed_sort",
    "region",
]

COLUMNS: Final = "abcdefghjklmnpqrstuv"
REGIONS: Final = ("a-e", "f-g", "h-k", "l-v")
"""Parts of the map, by columns, none with more than 25 hexes that could be asked for together."""
FIRST_COLUMN: Final = -5
FIRST_ROW: Final = -7
STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The six directions, clockwise from the north."""
SOUTH_WEST: Final = (-1, 1)

KINDS: Final = ("w", "t", "r", "c", "b")
"""War Canoe, Transport Canoe, Rumor, Colony, Warrior Band: the order in which pieces are asked
for.
"""
MARKERS: Final = ("island", "island", "island", "ocean", "ocean", "ocean", "offcourse")
"""The sorts of Discovery Markers as the cup counts them: with 1, 2, 3 Knots; Off Course last."""
KNOTS: Final = (1, 2, 3, 1, 2, 3, 0)
SOUTH_ISLAND: Final = "te-waka-maui"
AOTEAROA: Final = "aotearoa"
AMERICA: Final = "america"
"""The box beyond the eastern ocean."""
PEOPLE: Final = ("tonga", "raiatea", "hiva", "samoa")
"""In the order in which they take the Turn Order Marker when tied for last."""


class Land(Struct, frozen=True):
    """An Island Group: a tile, or one printed on the map."""

    key: str
    green: int
    brown: int
    atoll: bool = False
    warriors: int = 0
    """Local Warrior symbols of a group that begins Independent."""
    malaria: tuple[int, ...] = ()
    """Die rolls that strike it."""
    spot: str = ""
    """Where it is printed, '' for a tile."""
    home: bool = False


class Card(Struct, frozen=True):
    """An Arts & Culture Card: `vp`, or one more with a Village on one of the `bonus` tiles."""

    key: str
    vp: int
    bonus: tuple[str, ...]
    sort: str
    """'points', 'lasting', 'battle' or 'once'."""


class Cup(Struct, frozen=True):
    """Discovery Markers by Knots."""

    island: tuple[int, int, int]
    ocean: tuple[int, int, int]
    offcourse: int


class Chart(Struct, frozen=True):
    """The map as it is printed, hexes by code."""

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
    """All that is in the box."""

    costs: dict[str, int]
    pieces: dict[str, int]
    goals: dict[str, int]
    cup: Cup
    cards: tuple[Card, ...]
    tiles: tuple[Land, ...]
    map: Chart


class Hex(Struct, frozen=True):
    """A hex with its axial place: north is (0, -1), and columns stand upright."""

    code: str
    q: int
    r: int


def _read() -> Components:
    path = Path(__file__).parent / "data" / "components.json"
    return msgspec.json.decode(path.read_bytes(), type=Components)


def _hex(code: str) -> Hex:
    """A hex by its code.

    Every second column is half a hex lower, and letters count from the west.
    """
    q = COLUMNS.index(code[0]) + FIRST_COLUMN
    return Hex(code, q, int(code[1:]) + FIRST_ROW - q // 2)


COMPONENTS: Final = _read()
CHART: Final = COMPONENTS.map
TILES: Final = {tile.key: tile for tile in COMPONENTS.tiles}
CARDS: Final = {card.key: card for card in COMPONENTS.cards}
CARD_KEYS: Final = tuple(CARDS)
COSTS: Final = COMPONENTS.costs
PIECES: Final = COMPONENTS.pieces
"""How many of each kind a seat has."""
GOALS: Final = {int(seats): points for seats, points in COMPONENTS.goals.items()}
PRINTED: Final = {land.spot: land for land in CHART.printed}
HOMES: Final = CHART.homes
"""People to the hex of their Home Island Group."""
LABELS: Final = {spot: key for key, spot in CHART.labels.items()}
"""Hexes of the Unknown that bear the name of the tile that lies there in the real world."""
UNKNOWN: Final = frozenset(CHART.unknown)
EASTERN: Final = frozenset(CHART.ocean_east)
PRINTED_OCEAN: Final = EASTERN | frozenset(CHART.ocean_west)
_ALL_HEXES: Final = [_hex(code) for code in (*UNKNOWN, *PRINTED_OCEAN, *PRINTED)]
HEXES: Final = tuple(sorted(_ALL_HEXES, key=lambda hex: (hex.q, hex.r)))
"""All 167, column by column from the west, each from the north."""
HEX_AT: Final = {hex.code: hex for hex in HEXES}
PLACES: Final = {hex.code: (hex.q * 1.5, (hex.r + hex.q / 2) * 3**0.5) for hex in HEXES}
"""The middle of each hex, across and down, in sides of a hex."""
ORDER: Final = {hex.code: place for place, hex in enumerate(HEXES)}
_BY_PLACE: Final = {(hex.q, hex.r): hex.code for hex in HEXES}


def _beside(hex: Hex) -> tuple[str, ...]:
    around = ((hex.q + q, hex.r + r) for q, r in STEPS)
    return tuple(_BY_PLACE[place] for place in around if place in _BY_PLACE)


NEIGHBOURS: Final = {hex.code: _beside(hex) for hex in HEXES}
"""Clockwise from the north; fewer than six at the edge of the map."""
BESIDE: Final = {spot: frozenset(around) for spot, around in NEIGHBOURS.items()}
"""The same as sets."""


def distance(one: str, other: str) -> int:
    """How many hexes lie between two, the last counted."""
    a, b = HEX_AT[one], HEX_AT[other]
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def to_america(spot: str) -> int:
    """How far a hex is from South America."""
    return 1 + min(distance(spot, coast) for coast in CHART.coast)


def south_west(spot: str) -> str:
    """The hex to the south-west, '' if the map ends there."""
    hex = HEX_AT[spot]
    return _BY_PLACE.get((hex.q + SOUTH_WEST[0], hex.r + SOUTH_WEST[1]), "")


def region(spot: str) -> str:
    """The part of the map in which a long list shows a hex."""
    for part in REGIONS:
        if spot[0] <= part[-1]:
            return part
    return REGIONS[-1]


def printed_sort(spot: str) -> str:
    """What the map itself shows in a hex: 'unknown', 'ocean', 'group' or 'atoll'."""
    if spot in UNKNOWN:
        return "unknown"
    if spot in PRINTED:
        return "atoll" if PRINTED[spot].atoll else "group"
    return "ocean"


def in_order(spots: Iterable[str]) -> tuple[str, ...]:
    """Hexes in the order of the map."""
    return tuple(sorted(spots, key=ORDER.__getitem__))
