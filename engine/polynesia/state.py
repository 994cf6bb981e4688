"""The immutable position: members, ships, routes and resources.

Saved matches hold it: a field is never renamed, and a new one needs a default. Methods return a new
position; steps.py and the modules of the actions combine them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.decision import Seat
from engine.polynesia.board import (
    COLOURS,
    FISH,
    RESOURCES,
    Board,
    Colour,
    Island,
    MapName,
    Passage,
    Route,
    board_of,
    components,
    face_of,
)
from engine.polynesia.events import Last
from engine.polynesia.exploring import ExploreFree, ExploreRoute, MarkRoute, PayRoute
from engine.polynesia.maintenance import Decline, DrawStone, Erupt, Gather, PassStart
from engine.polynesia.populating import AddMember, Populate, PopulateNow
from engine.polynesia.scoring import Row
from engine.polynesia.steps import EndTurn, TakeAction
from engine.polynesia.travelling import HireGuide, MoveMember, UseMask

Count = Annotated[int, Meta(ge=0)]
Marker = Literal["3", "2", "1", "volcano", "decline", "resources", "start"]
TYPES = ("", *RESOURCES)
TYPE_FACTOR = 16
"""The ships on a route are saved as one number: a bit for each seat that has one there, plus
TYPE_FACTOR times the index of the route's type in TYPES.
"""
AnyStep = (
    TakeAction
    | ExploreRoute
    | PayRoute
    | ExploreFree
    | MarkRoute
    | Populate
    | PopulateNow
    | AddMember
    | MoveMember
    | HireGuide
    | UseMask
    | EndTurn
    | DrawStone
    | Decline
    | Gather
    | PassStart
    | Erupt
)


class Side(Struct, frozen=True):
    """A seat's members, ships, resources and tokens."""

    members: tuple[Count, ...]
    """The number of members on each island, by its number."""
    home: Count
    ships: Count
    """Ships in stock."""
    fish: Count
    shells: Count
    tokens: tuple[str, ...] = ()
    """Ids of the island tokens held."""
    points: Count = 0
    """Point tokens."""

    @property
    def ships_out(self) -> int:
        """Count the ships on the map."""
        return components().ships - self.ships

    def count_resource(self, resource: str) -> int:
        """Return how many of a resource the seat has."""
        return self.fish if resource == FISH else self.shells

    def gain(self, resource: str, count: int) -> "Side":
        """Return the side with more of a resource, or less."""
        if resource == FISH:
            return replace(self, fish=self.fish + count)
        return replace(self, shells=self.shells + count)

    def count(self, face: str) -> int:
        """Count the seat's tokens with that face."""
        return sum(face_of(token) == face for token in self.tokens)

    def without_token(self, face: str) -> "Side":
        """Return the side with one token of that face discarded."""
        discarded = next(token for token in self.tokens if face_of(token) == face)
        kept = tuple(token for token in self.tokens if token != discarded)
        return replace(self, tokens=kept)

    def move_member(self, start: Island, goal: Island) -> "Side":
        """Return the side with a member moved from one island to another."""
        members = list(self.members)
        members[start.number] -= 1
        members[goal.number] += 1
        return replace(self, members=tuple(members))

    def add_members(self, island: Island, count: int) -> "Side":
        """Return the side with members moved from the player board to an island."""
        members = list(self.members)
        members[island.number] += count
        return replace(self, members=tuple(members), home=self.home - count)

    def harvest(self, board: Board, resource: str) -> int:
        """Return how much of a resource islands and tokens give."""
        islands = sum(
            island.symbol == resource and self.members[island.number] > 0
            for island in board.islands
        )
        return islands + self.count(resource)

    def send_home(self, board: Board) -> "Side":
        """Return the side with members of destroyed islands back on the player board."""
        kept = tuple(
            0 if island.destroyed else self.members[island.number] for island in board.islands
        )
        return replace(self, members=kept, home=self.home + sum(self.members) - sum(kept))


class State(Struct, frozen=True):
    """A position. Nothing is hidden: stones are drawn from the bag only when they are needed."""

    map: MapName
    tides: tuple[str, str, str]
    round: int
    marker: Marker
    first: Seat
    sides: tuple[Side, ...]
    routes: tuple[Count, ...]
    """By number: the ships on the route as a number, which `owners` and `type_of` read and
    `with_ship` writes.
    """
    tokens: tuple[str, ...]
    """By number of island: the id of the token that lies there, '' if none does."""
    lava: tuple[Colour, ...]
    """The stones drawn, in order."""
    pool: Count | None
    """Point tokens in reserve; None if no Tide card uses them."""
    archipelago_points: tuple[str, ...]
    """Archipelagos where the Point token of card 1.2 still lies."""
    last: Last | None
    rows: tuple[Row, ...]
    """The final score, none before the end."""
    agenda: tuple[AnyStep, ...]

    @property
    def board(self) -> Board:
        """Return the side of the map in use."""
        return board_of(self.map)

    @property
    def is_over(self) -> bool:
        """Return whether the volcano has erupted and everything is scored."""
        return bool(self.rows)

    @property
    def bag(self) -> tuple[int, int, int]:
        """Return how many stones of each of COLOURS are left."""
        lava = components().lava
        red, grey, black = (getattr(lava, colour) - self.lava.count(colour) for colour in COLOURS)
        return red, grey, black

    @property
    def value(self) -> int:
        """Return the number at the Phase Marker, 0 during maintenance."""
        return int(self.marker) if self.marker.isdigit() else 0

    def owners(self, route: Route) -> tuple[Seat, ...]:
        """Return the seats with a ship on the route."""
        ships = self.routes[route.number]
        # Most routes have no ship. Returning at once makes an answer take 46 us instead of 62, and
        # a view 110 us instead of 139.
        if not ships:
            return ()
        return tuple(Seat(seat) for seat in range(len(self.sides)) if ships >> seat & 1)

    def type_of(self, route: Route) -> str:
        """Return the resource on the route, '' if there is none."""
        return TYPES[self.routes[route.number] // TYPE_FACTOR]

    def is_linked(self, archipelago: str) -> bool:
        """Return whether any explored route touches the archipelago."""
        return any(self.routes[route.number] for route in self.board.touching[archipelago])

    def with_side(self, seat: Seat, side: Side) -> "State":
        """Return the position with changes to what a seat has."""
        sides = list(self.sides)
        sides[seat] = side
        return replace(self, sides=tuple(sides))

    def gain(self, seat: Seat, resource: str, count: int) -> "State":
        """Return the position with resources given to a seat, or taken if `count` is negative."""
        return self.with_side(seat, self.sides[seat].gain(resource, count))

    def pay(self, seat: Seat, to: Seat, resource: str, count: int) -> "State":
        """Return the position with resources passed from seat to seat."""
        return self.gain(seat, resource, -count).gain(to, resource, count)

    def with_ship(self, seat: Seat, route: Route, resource: str) -> "State":
        """Return the position with a ship of the seat on the route, which gets this type."""
        side, routes = self.sides[seat], list(self.routes)
        # See TYPE_FACTOR: the low bits are the owners.
        owners = routes[route.number] % TYPE_FACTOR | 1 << seat
        routes[route.number] = owners + TYPE_FACTOR * TYPES.index(resource)
        # `last` is what pictures mark as news; it is None before the first action.
        last = self.last and replace(self.last, routes=(*self.last.routes, route.code))
        after = self.with_side(seat, replace(side, ships=side.ships - 1))
        return replace(after, routes=tuple(routes), last=last)

    def without_token(self, island: Island) -> "State":
        """Return the position with the island's token removed."""
        tokens = list(self.tokens)
        tokens[island.number] = ""
        return replace(self, tokens=tuple(tokens))

    def take_points(self, seat: Seat, count: int) -> tuple["State", int]:
        """Return the position with Point tokens taken while they last, and how many were."""
        side, pool = self.sides[seat], self.pool or 0
        taken = min(count, pool)
        after = self.with_side(seat, replace(side, points=side.points + taken))
        return replace(after, pool=pool - taken), taken

    def sail(self, seat: Seat, passage: Passage) -> "State":
        """Return the position with a member at the end of a passage, and the passage marked."""
        last = self.last and replace(self.last, path=(*self.last.path, passage.code))
        after = self.with_side(seat, self.sides[seat].move_member(passage.start, passage.goal))
        return replace(after, last=last)

    def add_members(self, seat: Seat, island: Island, count: int) -> "State":
        """Return the position with members added to an island, and the island marked."""
        last = self.last and replace(self.last, islands=(*self.last.islands, island.code))
        after = self.with_side(seat, self.sides[seat].add_members(island, count))
        return replace(after, last=last)

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """Return the position with other steps to come."""
        return replace(self, agenda=agenda)
