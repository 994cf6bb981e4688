"""A map made ready for play: its places with their codes and neighbours.

A set of places is an int with one bit for each place, so that `&`, `|` and `&~` work as they do on
sets. That is fast: `near` takes 0.5 us, and would take 3 us with sets of codes. Saved positions
hold these ints, so the numbers of the bits may not change.

The bit of a place has the number row * stride + column. The stride is one more than the widest row,
so a bit that is shifted past the end of a row falls into a gap and never into the next row.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from engine.blue_lagoon.mapdata import ITEM_LETTERS, Cell, MapData, read_map
from engine.core.decision import Option
from engine.core.errors import BadSettings
from engine.core.words import words_of

ITEMS = ("coconut", "bamboo", "water", "stone", "statuette")
"""The order in which items are counted everywhere; the first four are resources."""
RESOURCES = 4
"""How many of ITEMS are resources."""
STATUETTE = 4
"""The number of statuettes in ITEMS."""


class Place(Struct, frozen=True):
    """A space of the board. `code` is printed on it and typed by players; `island` is '' at sea."""

    code: str
    row: int
    column: int
    island: str
    area: str
    """The island, or the half of the sea ('north' or 'south'), by which options are grouped."""
    circle: bool
    bit: int
    """The set that contains only this place."""
    settling: Option
    """The option to place a settler here, or a boat at sea: '17', 'g7'."""
    founding: Option
    """The option to place a village here, which is never offered at sea: 'g7v'."""


class Board:
    """The places of a map in reading order, and sets of them."""

    def __init__(self, data: MapData) -> None:
        self.data = data
        self.stride = max(data.row_widths) + 1
        self.places = tuple(self._make_places())
        self.by_code = {place.code: place for place in self.places}
        self.at = {place.bit: place for place in self.places}
        self.all = places_of(self.places)
        self.sea = places_of(place for place in self.places if not place.island)
        self.land = self.all & ~self.sea
        self.circles = places_of(place for place in self.places if place.circle)
        self.values = {island.id.lower(): island.majority_value for island in data.islands}
        """Majority value by island."""
        self.islands = {
            island: places_of(place for place in self.places if place.island == island)
            for island in self.values
        }
        self._even_rows = places_of(place for place in self.places if place.row % 2 == 0)

    def _make_places(self) -> Iterator[Place]:
        """Yield the places of the map.

        Land is coded by its island's letter and a number in reading order, sea by a number alone.
        """
        island_of: dict[Cell, str] = {}
        for island_data in self.data.islands:
            island_of |= dict.fromkeys(island_data.cells, island_data.id.lower())
        circles = set(self.data.stone_circles)
        counts = dict.fromkeys(["", *island_of.values()], 0)
        for row, width in enumerate(self.data.row_widths):
            half = "north" if row < len(self.data.row_widths) // 2 else "south"
            for column in range(width):
                island = island_of.get((row, column), "")
                counts[island] += 1
                code = f"{island}{counts[island]}"
                area = island or half
                piece = "settler" if island else "boat"
                group = f"settler-{area}" if island else f"sea-{area}"
                yield Place(
                    code=code,
                    row=row,
                    column=column,
                    island=island,
                    area=area,
                    circle=(row, column) in circles,
                    bit=1 << (row * self.stride + column),
                    # Options are the same in every question, and one has up to 200 of them: made
                    # anew each time, an answer takes 95 us instead of 73.
                    settling=Option(code, code, group, (("piece", piece),)),
                    founding=Option(f"{code}v", code, f"village-{area}", (("piece", "village"),)),
                )

    def list_items(self) -> list[int]:
        """Return the items to deal, by their numbers in ITEMS."""
        items: list[int] = []
        for item, letter in enumerate(ITEM_LETTERS):
            items += [item] * self.data.items.get(letter, 0)
        return items

    def settlers_per_seat(self, seats: int) -> int:
        """Return how many settlers each seat takes in a match of that many."""
        count = self.data.pieces.settlers.get(str(seats))
        if count is None:
            raise BadSettings(words_of("blue_lagoon").say("refusal.no_settlers", seats=seats))
        return count

    def near(self, places: int) -> int:
        """Return all places beside one of these.

        Even rows are shifted half a place to the right. So the two places above and the two below
        are in the same column and the next; in odd rows, in the same column and the one before.
        """
        even, odd = places & self._even_rows, places & ~self._even_rows
        across = places | even << 1 | odd >> 1
        return (
            places << 1 | places >> 1 | across << self.stride | across >> self.stride
        ) & self.all

    def groups(self, places: int) -> Iterator[int]:
        """Yield the connected groups of these places."""
        while places:
            # Starting with the lowest bit, the group grows by its neighbours until none is left.
            group, grown = 0, places & -places
            while grown != group:
                group, grown = grown, (grown | self.near(grown)) & places
            yield group
            places ^= group


def places_of(places: Iterable[Place]) -> int:
    """Return these places as a set."""
    return sum(place.bit for place in places)


def bits(places: int) -> Iterator[int]:
    """Yield the places of a set in reading order, each as a set of one."""
    while places:
        lowest = places & -places
        yield lowest
        places ^= lowest


@lru_cache(maxsize=16)
def board_of(text: str) -> Board:
    """Return the board of a map, given as the name of one in data/ or as the JSON of another.

    Reading a map takes 1 ms, so boards are cached.
    """
    return Board(read_map(text))
