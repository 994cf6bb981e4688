"""The printed things: both sides of the map, the personal board, island tokens and Tide cards, read from data/."""

from functools import cache, cached_property
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from engine.core.decision import Seat

DATA = Path(__file__).parent / "data"
MapName = Literal["side_23p", "side_4p"]
MAPS: tuple[MapName, ...] = ("side_23p", "side_4p")
RESOURCES = ("fish", "shell")
FISH, SHELL = RESOURCES
Colour = Literal["red", "grey", "black"]
COLOURS: tuple[Colour, ...] = ("red", "grey", "black")
"""Of lava stones, in the order in which they are counted everywhere."""
TRACK = ("3", "2", "1", "volcano", "decline", "resources", "start")
"""The spaces of the Phase Track."""
TURTLES = {"turtle1": 1, "turtle2": 2}
"""Points by an island's symbol."""
MASK, SHIP, TURTLE, CROSS = "mask", "ship", "turtle", "cross"
TYPE = 16
"""The ships on a route are its owners' bits plus this times its type: 0 none, 1 fish, 2 shell."""
TYPES = ("", *RESOURCES)
OWNERS = tuple(tuple(Seat(seat) for seat in range(4) if bits >> seat & 1) for bits in range(TYPE))

T = TypeVar("T")


class IslandData(Struct, frozen=True):
    """An island as the map file has it."""

    id: str
    x: int
    y: int
    symbol: str = ""
    archipelago: str = ""
    token: str = ""
    main: bool = False
    destroyed: bool = False


class RouteData(Struct, frozen=True):
    """A route as the map file has it."""

    a: str
    b: str
    neutral: bool = False


class MapData(Struct, frozen=True):
    """A map file."""

    players: tuple[int, ...]
    width: int
    height: int
    islands: tuple[IslandData, ...]
    routes: tuple[RouteData, ...]


class Token(Struct, frozen=True):
    """An island token: its back says where it is laid, its face what it does."""

    id: str
    back: str
    face: str
    only_4_players: bool


class Lava(Struct, frozen=True):
    """How many stones of each colour the bag holds at the start."""

    red: int
    grey: int
    black: int


class Components(Struct, frozen=True):
    """What lies in the box, by seat where it is a seat's."""

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
        """Both rows one after the other: members at home always stand on the last ones."""
        return self.rows[0] + self.rows[1]


class TideCard(Struct, frozen=True):
    """A Tide card; `when` is 'play' or 'end'."""

    id: str
    when: str
    players: tuple[int, ...]
    needs_point_tokens: bool


class Island(Struct, frozen=True):
    """An island; `code` is printed on it and typed by players, `number` its place in every tuple by island."""

    number: int
    code: str
    x: int
    y: int
    symbol: str
    """'fish', 'shell', 'turtle1', 'turtle2' or ''."""
    archipelago: str
    """A letter, '' for an island on its own."""
    token: str
    """The back of the token laid here: 'green', 'orange' or ''."""
    is_main: bool
    destroyed: bool
    """Goes under with the eruption."""


class Route(Struct, frozen=True):
    """A sea route between the islands `a` and `b`; `code` names its ends, 'i12-t1'."""

    number: int
    code: str
    a: Island
    b: Island
    neutral: bool
    group: str
    """Where its middle lies on the map, in thirds: 'nw' to 'se', 'c' for the centre."""
    archipelago: str
    """The archipelago it touches, '' if none."""


class Passage(Struct, frozen=True):
    """A route in one direction: what one Movement Point buys. Its `code` is 'start-goal'."""

    code: str
    start: Island
    goal: Island
    route: Route


class Board:
    """One side of the map made ready: islands and routes by code and by number."""

    def __init__(self, name: MapName) -> None:
        self.name = name
        self.data = _read(f"{name}.json", MapData)
        self.width, self.height = self.data.width, self.data.height
        self.islands = tuple(_island(number, island) for number, island in enumerate(self.data.islands))
        self.island = {island.code: island for island in self.islands}
        self.routes = tuple(self._route(number, route) for number, route in enumerate(self.data.routes))
        self.route = {route.code: route for route in self.routes}
        ways = [(route, *ends) for route in self.routes for ends in ((route.a, route.b), (route.b, route.a))]
        self.passage = {
            f"{start.code}-{goal.code}": Passage(f"{start.code}-{goal.code}", start, goal, route)
            for route, start, goal in ways
        }
        self.main = next(island for island in self.islands if island.is_main)
        self.explorable = tuple(route for route in self.routes if not route.neutral)

    @cached_property
    def archipelagos(self) -> dict[str, tuple[Island, ...]]:
        """The islands of each archipelago by its letter."""
        letters = sorted({island.archipelago for island in self.islands if island.archipelago})
        return {letter: tuple(i for i in self.islands if i.archipelago == letter) for letter in letters}

    @cached_property
    def touching(self) -> dict[str, tuple[int, ...]]:
        """By letter of an archipelago: the numbers of the routes that touch it."""
        letters = self.archipelagos
        return {letter: tuple(r.number for r in self.routes if r.archipelago == letter) for letter in letters}

    @cached_property
    def off_archipelagos(self) -> tuple[int, ...]:
        """The numbers of the routes that can be explored and touch no archipelago."""
        return tuple(route.number for route in self.explorable if not route.archipelago)

    @cached_property
    def harbours(self) -> tuple[int, ...]:
        """The numbers of the islands at neutral routes: whoever is on one can always travel."""
        neutral = [route for route in self.routes if route.neutral]
        return tuple(sorted({end.number for route in neutral for end in (route.a, route.b)}))

    @cached_property
    def bearing(self) -> dict[str, tuple[int, ...]]:
        """By symbol: the numbers of the islands that bear it."""
        symbols = {island.symbol for island in self.islands}
        return {symbol: tuple(i.number for i in self.islands if i.symbol == symbol) for symbol in sorted(symbols)}

    @cached_property
    def lasting(self) -> tuple[int, ...]:
        """The numbers of the islands that survive the eruption."""
        return tuple(island.number for island in self.islands if not island.destroyed)

    @cached_property
    def passages(self) -> tuple[tuple[Passage, ...], ...]:
        """By number of island: all ways off it."""
        every = self.passage.values()
        return tuple(tuple(p for p in every if p.start is island) for island in self.islands)

    def route_at(self, spot: str) -> Route | None:
        """The route of a code in either direction; None if the spot is no route."""
        passage = self.passage.get(spot)
        return passage.route if passage else None

    def _route(self, number: int, data: RouteData) -> Route:
        a, b = self.island[_code(data.a)], self.island[_code(data.b)]
        touched = a.archipelago or b.archipelago
        return Route(number, f"{a.code}-{b.code}", a, b, data.neutral, self._third(a, b), touched)

    def _third(self, a: Island, b: Island) -> str:
        across = min(2, (a.x + b.x) * 3 // (2 * self.width))
        down = min(2, (a.y + b.y) * 3 // (2 * self.height))
        return ("n", "", "s")[down] + ("w", "", "e")[across] or "c"


@cache
def board_of(name: MapName) -> Board:
    """A side of the map by its name."""
    return Board(name)


@cache
def board_for(seats: int) -> Board:
    """The side of the map that many play on."""
    return next(board for board in map(board_of, MAPS) if seats in board.data.players)


@cache
def components() -> Components:
    """The box."""
    return _read("components.json", Components)


@cache
def tide_cards() -> dict[str, TideCard]:
    """All Tide cards by id."""
    return {card.id: card for card in _read("tides.json", tuple[TideCard, ...])}


@cache
def tokens() -> dict[str, Token]:
    """All island tokens by id."""
    return {token.id: token for token in components().tokens}


def owners_of(ships: int) -> tuple[Seat, ...]:
    """The seats with a ship on a route."""
    return OWNERS[ships % TYPE]


def type_of(ships: int) -> str:
    """The resource beside a route, '' if none lies there."""
    return TYPES[ships // TYPE]


@cache
def deck(number: int) -> tuple[TideCard, ...]:
    """The Tide cards of a type: 1 archipelagos, 2 masks, 3 general."""
    return tuple(card for card in tide_cards().values() if card.id.startswith(f"{number}."))


def space_value(at_home: int) -> int:
    """The highest free space of a personal board with that many members on it, 0 if none is free."""
    spaces = components().spaces
    return max(spaces[: len(spaces) - at_home], default=0)


def _code(island_id: str) -> str:
    """'I05' is printed as I5."""
    letter, number = island_id[0].lower(), island_id[1:]
    return f"{letter}{int(number)}" if number else letter


def _island(number: int, data: IslandData) -> Island:
    return Island(
        number,
        _code(data.id),
        data.x,
        data.y,
        data.symbol,
        data.archipelago,
        data.token,
        data.main,
        data.destroyed,
    )


def _read(name: str, kind: type[T]) -> T:
    return msgspec.json.decode((DATA / name).read_bytes(), type=kind)
