"""The components, read from data/: both map sides, player board, island tokens and Tide cards.

They are the same in every match. Islands, routes and passages are known by the codes that are
printed on the map and typed by players.
"""

from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

DATA = Path(__file__).parent / "data"
MapName = Literal["side_23p", "side_4p"]
MAPS: tuple[MapName, ...] = ("side_23p", "side_4p")
RESOURCES = ("fish", "shell")
FISH, SHELL = RESOURCES
Colour = Literal["red", "grey", "black"]
COLOURS: tuple[Colour, ...] = ("red", "grey", "black")
"""The colours of lava stones, in the order in which they are counted everywhere."""
TRACK = ("3", "2", "1", "volcano", "decline", "resources", "start")
"""The spaces of the Phase Track."""
TURTLES = {"turtle1": 1, "turtle2": 2}
"""Points by an island's symbol."""
MASK, SHIP, TURTLE, CROSS = "mask", "ship", "turtle", "cross"
"""Faces of island tokens; those of a resource are named as the resource is."""

T = TypeVar("T")


class Island(Struct, frozen=True):
    """An island. `code` is printed on it and typed by players; `number` is its index."""

    code: str
    x: int
    y: int
    symbol: str = ""
    """'fish', 'shell', 'turtle1', 'turtle2' or ''."""
    archipelago: str = ""
    """A letter, '' for an island on its own."""
    token: str = ""
    """The back of the token laid here: 'green', 'orange' or ''."""
    is_main: bool = False
    destroyed: bool = False
    """Whether the eruption destroys it."""
    number: int = 0


class Link(Struct, frozen=True):
    """A route in the map file, by the codes of the islands at its ends."""

    a: str
    b: str
    neutral: bool = False


class MapData(Struct, frozen=True):
    """A map file."""

    players: tuple[int, ...]
    width: int
    height: int
    islands: tuple[Island, ...]
    routes: tuple[Link, ...]


class Route(Struct, frozen=True):
    """A sea route between the islands `a` and `b`; `code` names its ends: 'i12-t1'."""

    number: int
    code: str
    a: Island
    b: Island
    neutral: bool
    group: str
    """The islands by which it is found: 'in-a' for an archipelago, 'by-n2' for an island next to
    the Main Island, 'turtles', or 'others'.
    """
    archipelago: str
    """The archipelago it touches, '' if none; no route touches two."""
    start: Island
    goal: Island
    """Its ends as labels name them: it leads away from the Main Island, or if both are equally far,
    to the one with more printed on it.
    """


class Passage(Struct, frozen=True):
    """A route in one direction: what one Movement Point buys. Its `code` is 'start-goal'."""

    code: str
    start: Island
    goal: Island
    route: Route


class Token(Struct, frozen=True):
    """An island token: its back says where it is laid, its face what it does."""

    id: str
    back: str
    face: str
    only_4_players: bool


class Lava(Struct, frozen=True):
    """How many lava stones of each colour the bag holds at the start."""

    red: int
    grey: int
    black: int


class Components(Struct, frozen=True):
    """The contents of the box; numbers are per seat for what each seat has."""

    lava: Lava
    members: int
    members_on_main: int
    ships: int
    fish: int
    shells: int
    point_tokens: int
    rows: tuple[tuple[int, ...], tuple[int, ...]]
    """The personal board's two rows of spaces; members stand on the second one at the start."""
    tokens: tuple[Token, ...]

    @property
    def spaces(self) -> tuple[int, ...]:
        """Return both rows in one; members at home always fill the last spaces."""
        return self.rows[0] + self.rows[1]


class TideCard(Struct, frozen=True):
    """A Tide card; `when` is 'play' or 'end'."""

    id: str
    when: str
    players: tuple[int, ...]
    needs_point_tokens: bool


class Board:
    """One side of the map, with islands and routes by code and by number."""

    def __init__(self, name: MapName) -> None:
        printed = _read(f"{name}.json", MapData)
        self.name = name
        self.players, self.width, self.height = printed.players, printed.width, printed.height
        self.islands = tuple(
            replace(island, number=number) for number, island in enumerate(printed.islands)
        )
        self.island = {island.code: island for island in self.islands}
        self.main = next(island for island in self.islands if island.is_main)
        self._steps_from_main = self._count_steps(printed.routes)
        self.routes = tuple(
            self._make_route(number, link) for number, link in enumerate(printed.routes)
        )
        self.route = {route.code: route for route in self.routes}
        self.explorable = tuple(route for route in self.routes if not route.neutral)
        self.passage: dict[str, Passage] = {}
        for route in self.routes:
            for start, goal in ((route.a, route.b), (route.b, route.a)):
                code = f"{start.code}-{goal.code}"
                self.passage[code] = Passage(code, start, goal, route)
        self.passages = tuple(
            tuple(passage for passage in self.passage.values() if passage.start is island)
            for island in self.islands
        )
        """By number of island: all passages that start there."""
        letters = sorted({island.archipelago for island in self.islands if island.archipelago})
        self.archipelagos = {
            letter: tuple(island for island in self.islands if island.archipelago == letter)
            for letter in letters
        }
        self.touching = {
            letter: tuple(route for route in self.routes if route.archipelago == letter)
            for letter in letters
        }
        """By letter of an archipelago: the routes to it and within it."""

    def _make_route(self, number: int, link: Link) -> Route:
        a, b = self.island[link.a], self.island[link.b]
        start, goal = sorted((a, b), key=self._measure_worth)
        archipelago = a.archipelago or b.archipelago
        return Route(
            number=number,
            code=f"{a.code}-{b.code}",
            a=a,
            b=b,
            neutral=link.neutral,
            group=self._find_group(start, goal, archipelago),
            archipelago=archipelago,
            start=start,
            goal=goal,
        )

    def _find_group(self, start: Island, goal: Island, archipelago: str) -> str:
        """Return the group of a route, by the island of it that is found most easily."""
        if archipelago:
            return f"in-{archipelago.lower()}"
        if self._steps_from_main[start.code] <= 1:
            return f"by-{start.code}"
        return "turtles" if {start.symbol, goal.symbol} & TURTLES.keys() else "others"

    def _measure_worth(self, island: Island) -> tuple[int, int, bool, bool]:
        """Return a value that is higher the farther an island is, and the more is printed on it."""
        turtles = TURTLES.get(island.symbol, 0)
        steps = self._steps_from_main[island.code]
        return steps, turtles, bool(island.token), bool(island.symbol)

    def _count_steps(self, links: tuple[Link, ...]) -> dict[str, int]:
        """Return how many routes lie between each island and the Main Island."""
        steps = {self.main.code: 0}
        # The list grows while it is read, so islands come in the order of their distance.
        reached = [self.main.code]
        for code in reached:
            for link in links:
                other = {link.a: link.b, link.b: link.a}.get(code)
                if other is not None and other not in steps:
                    steps[other] = steps[code] + 1
                    reached.append(other)
        return steps


# Files are read once: a side of the map takes 1,100 us, a whole answer 60.
@cache
def board_of(name: MapName) -> Board:
    """Return a side of the map by its name."""
    return Board(name)


def board_for(seats: int) -> Board:
    """Return the side of the map for this number of players."""
    return next(board for board in map(board_of, MAPS) if seats in board.players)


@cache
def components() -> Components:
    """Return the contents of the box."""
    return _read("components.json", Components)


@cache
def tide_cards() -> dict[str, TideCard]:
    """Return all Tide cards by id."""
    return {card.id: card for card in _read("tides.json", tuple[TideCard, ...])}


@cache
def face_of(token_id: str) -> str:
    """Return the face of an island token, '' for none."""
    return next((token.face for token in components().tokens if token.id == token_id), "")


def deck(number: int) -> list[TideCard]:
    """Return the Tide cards of a type: 1 archipelagos, 2 masks, 3 general."""
    return [card for card in tide_cards().values() if card.id.startswith(f"{number}.")]


def space_value(at_home: int) -> int:
    """Return the highest free space of a player board with that many members, 0 if none is free."""
    spaces = components().spaces
    return max(spaces[: len(spaces) - at_home], default=0)


def _read(name: str, kind: type[T]) -> T:
    return msgspec.json.decode((DATA / name).read_bytes(), type=kind)
