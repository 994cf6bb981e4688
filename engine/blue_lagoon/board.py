"""A map made ready for play: places with their codes, bitboards of them, and the options they give.

A set of places is an int with a bit a place: row * stride + column. The stride is one more than the widest row, so
that what is shifted past the end of a row falls into a gap and never into the next row.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from msgspec import Struct

from engine.blue_lagoon.mapdata import (
    BUNDLED,
    ITEM_LETTERS,
    Cell,
    Island,
    MapData,
    Pieces,
    canonical,
    neighbours,
    read_map,
)
from engine.core.decision import Option
from engine.core.errors import BadSettings

__all__ = [
    "BUNDLED",
    "ITEMS",
    "MENU",
    "RESOURCES",
    "STATUETTE",
    "Board",
    "Island",
    "MapData",
    "Move",
    "OptionTable",
    "Pieces",
    "Place",
    "bits",
    "board_of",
    "canonical",
]

ITEMS = ("coconut", "bamboo", "water", "stone", "statuette")
"""The order in which items are counted everywhere; the first four are resources."""
RESOURCES = 4
STATUETTE = 4
MENU = 25
"""The most groups, and the most options in one, that a menu can show."""
NEAR = 1024
"""Sets of places whose neighbours a board remembers."""


class Place(Struct, frozen=True):
    """A space of the board; `code` is printed on it and typed by players, `island` is '' at sea."""

    code: str
    row: int
    column: int
    island: str
    circle: bool


class Move(Struct, frozen=True, gc=False):
    """What a key means: a piece ('boat', 'settler' or 'village') put on the place of that bit."""

    bit: int
    spot: str
    piece: str


class OptionTable:
    """Options by byte of a set of places, made once, so that listing a hundred costs a few joins."""

    def __init__(self, options: dict[int, tuple[Option, ...]], size: int) -> None:
        self._size = size
        self._rows = [_byte_row(options, 8 * index) for index in range(size)]

    def of(self, places: int) -> tuple[Option, ...]:
        """The options of these places in reading order."""
        found: list[Option] = []
        for row, byte in zip(self._rows, places.to_bytes(self._size, "little"), strict=False):
            if byte:
                found += row[byte]
        return tuple(found)


class Board:
    """A map made ready: places in reading order with their codes, and the bitboards over them."""

    def __init__(self, data: MapData) -> None:
        self.data = data
        self.places = _places(data)
        self.by_code = {place.code: place for place in self.places}
        self.by_cell = {(place.row, place.column): place for place in self.places}
        self.stride = max(data.row_widths) + 1
        self.at = {self.bit(place): place for place in self.places}
        self.all = sum(self.at)
        self.even = self._where(lambda place: place.row % 2 == 0)
        self.odd = self.all ^ self.even
        self.sea = self._where(lambda place: not place.island)
        self.land = self.all ^ self.sea
        self.circles = self._where(lambda place: place.circle)
        self.islands = {island: self._where(lambda place, at=island: place.island == at) for island in self.values}
        self.beside = {bit: self._neighbours(place) for bit, place in self.at.items()}
        self.near = lru_cache(maxsize=NEAR)(self._near)
        """All that is beside one of these places; asked of the same seat again and again."""
        self._prepare_options()

    @cached_property
    def values(self) -> dict[str, int]:
        """Majority value by island."""
        return {island.id.lower(): island.majority_value for island in self.data.islands}

    @property
    def item_counts(self) -> tuple[int, ...]:
        """How many of each of ITEMS are dealt."""
        return tuple(self.data.items.get(letter, 0) for letter in ITEM_LETTERS)

    @cached_property
    def bag(self) -> tuple[int, ...]:
        """The items to deal, by their numbers in ITEMS."""
        return tuple(item for item, count in enumerate(self.item_counts) for _ in range(count))

    @cached_property
    def circle_list(self) -> tuple[int, ...]:
        """The stone circles one by one, in reading order."""
        return tuple(bits(self.circles))

    def settlers(self, seats: int) -> int:
        """How many settlers a seat takes at a table of that many."""
        count = self.data.pieces.settlers.get(str(seats))
        if count is None:
            raise BadSettings(f"That map does not say how many settlers {seats} players take.")
        return count

    def bit(self, place: Place) -> int:
        """The place as a set of one."""
        return 1 << (place.row * self.stride + place.column)

    def _near(self, places: int) -> int:
        """Rows alternate: those above and below reach a column on from an even row, a column back from an odd one."""
        across = places | (places & self.even) << 1 | (places & self.odd) >> 1
        return (places << 1 | places >> 1 | across << self.stride | across >> self.stride) & self.all

    def groups(self, places: int) -> Iterator[int]:
        """The connected groups of these places."""
        while places:
            edge = group = places & -places
            places ^= edge
            while edge:
                place = edge & -edge
                edge ^= place
                if reached := self.beside[place] & places:
                    places ^= reached
                    group |= reached
                    edge |= reached
            yield group

    def options(self, settling: int, founding: int) -> tuple[Option, ...]:
        """Settlers and boats may go to the one set of places, villages to the other: in reading order if both may."""
        if not founding:
            return self._settler_table.of(settling)
        if settling & self.land == founding:
            return self._piece_table.of(settling)
        return self._settler_table.of(settling) + self._village_table.of(founding)

    def _neighbours(self, place: Place) -> int:
        found = [self.by_cell.get(cell) for cell in neighbours((place.row, place.column))]
        return sum(self.bit(other) for other in found if other)

    def _where(self, wanted: Callable[..., bool]) -> int:
        return sum(bit for bit, place in self.at.items() if wanted(place))

    def _prepare_options(self) -> None:
        settling: dict[int, tuple[Option, ...]] = {}
        founding: dict[int, tuple[Option, ...]] = {}
        self.moves: dict[str, Move] = {}
        sea, land = _menu_groups(self)
        for bit, place in self.at.items():
            piece = "settler" if place.island else "boat"
            group = f"settler-{land[place.code]}" if place.island else f"sea-{sea[place.code]}"
            settling[bit] = (self._option(bit, place, piece, place.code, group),)
            if place.island:
                village = self._option(bit, place, "village", f"{place.code}v", f"village-{land[place.code]}")
                founding[bit] = (village,)
        size = (len(self.data.row_widths) * self.stride + 7) // 8
        self._settler_table = OptionTable(settling, size)
        self._village_table = OptionTable(founding, size)
        both = {bit: options + founding.get(bit, ()) for bit, options in settling.items()}
        self._piece_table = OptionTable(both, size)

    def _option(self, bit: int, place: Place, piece: str, key: str, group: str) -> Option:
        self.moves[key] = Move(bit, place.code, piece)
        return Option(key, spot=place.code, group=group, facts=(("piece", piece),))


def bits(places: int) -> Iterator[int]:
    """The places of a set, one by one in reading order."""
    while places:
        low = places & -places
        yield low
        places ^= low


@lru_cache(maxsize=16)
def board_of(text: str) -> Board:
    """The board of a map: the name of one in data/, or the JSON of any other."""
    return Board(read_map(text))


def _places(data: MapData) -> tuple[Place, ...]:
    island_of: dict[Cell, str] = {cell: island.id.lower() for island in data.islands for cell in island.cells}
    circles = set(data.stone_circles)
    counts: dict[str, int] = {}
    places = []
    for row, width in enumerate(data.row_widths):
        for column in range(width):
            island = island_of.get((row, column), "")
            counts[island] = counts.get(island, 0) + 1
            places.append(Place(f"{island}{counts[island]}", row, column, island, (row, column) in circles))
    return tuple(places)


def _byte_row(options: dict[int, tuple[Option, ...]], shift: int) -> list[tuple[Option, ...]]:
    """By value of one byte: the options of its bits."""
    row: list[tuple[Option, ...]] = [()]
    for position in range(8):
        added = options.get(1 << (shift + position), ())
        row += [before + added for before in row]
    return row


def _menu_groups(board: Board) -> tuple[dict[str, str], dict[str, str]]:
    """The menu group of every sea and of every land code; settlers and villages each have all the land's groups."""
    by_island: dict[str, list[str]] = {
        island: [] for island in sorted(board.values, key=lambda name: (len(name), name))
    }
    sea: list[str] = []
    for place in board.places:
        (by_island[place.island] if place.island else sea).append(place.code)
    parts = _parts(sea)
    sea_groups = {code: str(number) for number, part in enumerate(parts, 1) for code in part}
    land_groups = _island_groups(by_island)
    if len(parts) + 2 * len(set(land_groups.values())) > MENU:
        land_groups = _joint_groups(by_island)
    needed = len(parts) + 2 * len(set(land_groups.values()))
    if needed > MENU:
        raise BadSettings(f"That map is too large: its places would need {needed} menus, and {MENU} can be shown.")
    return sea_groups, land_groups


def _parts(codes: list[str]) -> list[list[str]]:
    """The codes cut into as few parts as a menu can show, all about as long."""
    count = -(-len(codes) // MENU)
    cuts = [len(codes) * part // count for part in range(count + 1)] if count else []
    return [codes[start:end] for start, end in pairwise(cuts)]


def _island_groups(by_island: dict[str, list[str]]) -> dict[str, str]:
    """A group an island, a large island in parts: 'g', or 'g-1' and 'g-2'."""
    groups: dict[str, str] = {}
    for island, codes in by_island.items():
        parts = _parts(codes)
        for number, part in enumerate(parts, 1):
            groups |= dict.fromkeys(part, island if len(parts) == 1 else f"{island}-{number}")
    return groups


def _joint_groups(by_island: dict[str, list[str]]) -> dict[str, str]:
    """For maps of many islands: neighbours in the alphabet share a group, 'a-c', as far as a menu can show them."""
    groups: dict[str, str] = {}
    shared: list[str] = []
    for island, codes in by_island.items():
        if len(codes) > MENU:
            groups |= _island_groups({island: codes})
            shared = []
            continue
        if shared and sum(len(by_island[other]) for other in shared) + len(codes) > MENU:
            shared = []
        shared.append(island)
        name = shared[0] if len(shared) == 1 else f"{shared[0]}-{island}"
        groups |= dict.fromkeys((code for other in shared for code in by_island[other]), name)
    return groups
