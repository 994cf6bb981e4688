"""The frozen position: who stands where, whose ships sail where, what everyone holds."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.decision import Seat
from engine.polynesia.board import (
    COLOURS,
    FISH,
    TYPE,
    TYPES,
    Board,
    Colour,
    Island,
    MapName,
    Passage,
    Route,
    board_of,
    components,
    owners_of,
    tokens,
    type_of,
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
VALUES = {"3": 3, "2": 2, "1": 1}
"""What the first spaces of the Phase Track are worth."""
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
    """What a seat has on the map, on its personal board and before it."""

    members: tuple[Count, ...]
    """By number of island."""
    home: Count
    ships: Count
    """In stock."""
    fish: Count
    shells: Count
    tokens: tuple[str, ...] = ()
    """Ids of the island tokens held."""
    points: Count = 0
    """Point tokens."""

    @property
    def ships_out(self) -> int:
        """On the map."""
        return components().ships - self.ships

    def holding(self, resource: str) -> int:
        """How many of a resource it has."""
        return self.fish if resource == FISH else self.shells

    def gaining(self, resource: str, count: int) -> "Side":
        """With so many more of a resource, or fewer."""
        if resource == FISH:
            return replace(self, fish=self.fish + count)
        return replace(self, shells=self.shells + count)

    def count(self, face: str) -> int:
        """How many tokens of that face it holds."""
        if not self.tokens:
            return 0
        known = tokens()
        return sum(1 for token in self.tokens if known[token].face == face)

    def without_token(self, face: str) -> "Side":
        """With one token of that face discarded."""
        gone = next(token for token in self.tokens if tokens()[token].face == face)
        return replace(self, tokens=tuple(token for token in self.tokens if token != gone))

    def moving(self, start: Island, goal: Island) -> "Side":
        """With a member gone from one island to another."""
        members = list(self.members)
        members[start.number] -= 1
        members[goal.number] += 1
        return replace(self, members=tuple(members))

    def populating(self, island: Island, count: int) -> "Side":
        """With members from the personal board on an island."""
        members = list(self.members)
        members[island.number] += count
        return replace(self, members=tuple(members), home=self.home - count)

    def harvest(self, board: Board, resource: str) -> int:
        """What islands and tokens give of a resource in a Resource phase."""
        found = self.count(resource)
        for island in board.bearing.get(resource, ()):
            if self.members[island]:
                found += 1
        return found

    def driven_home(self, board: Board) -> "Side":
        """With the members of the destroyed islands back on the personal board."""
        kept = [0] * len(self.members)
        for at in board.lasting:
            kept[at] = self.members[at]
        return replace(self, members=tuple(kept), home=self.home + sum(self.members) - sum(kept))


class State(Struct, frozen=True):
    """A position. Nothing in it is hidden: stones are drawn from the bag when it happens."""

    map: MapName
    tides: tuple[str, str, str]
    round: int
    marker: Marker
    first: Seat
    sides: tuple[Side, ...]
    routes: tuple[Count, ...]
    """By number: owners' bits, and TYPE times the type."""
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
        """The side of the map this is played on."""
        return board_of(self.map)

    @property
    def is_over(self) -> bool:
        """Whether the volcano has erupted and all is scored."""
        return bool(self.rows)

    @property
    def bag(self) -> tuple[int, int, int]:
        """The stones left of each of COLOURS."""
        lava = components().lava
        red, grey, black = (getattr(lava, colour) - self.lava.count(colour) for colour in COLOURS)
        return red, grey, black

    @property
    def value(self) -> int:
        """The number the Phase Marker shows, 0 in the maintenance."""
        return VALUES.get(self.marker, 0)

    def has_tide(self, card: str) -> bool:
        """Whether the Tide card is in play."""
        return card in self.tides

    def owners(self, route: Route) -> tuple[Seat, ...]:
        """Seats with a ship on the route."""
        return owners_of(self.routes[route.number])

    def type_of(self, route: Route) -> str:
        """The resource beside the route, '' if none lies there."""
        return type_of(self.routes[route.number])

    def is_linked(self, archipelago: str) -> bool:
        """Whether some route that touches the archipelago is explored."""
        return any(self.routes[number] for number in self.board.touching[archipelago])

    def settled(self) -> tuple[int, ...]:
        """By seat: islands with a member, not counting those that the eruption destroys."""
        kept = self.board.lasting
        return tuple(len([at for at in kept if side.members[at]]) for side in self.sides)

    def with_side(self, seat: Seat, side: Side) -> "State":
        """With what the seat has replaced."""
        return replace(self, sides=self.sides_with(seat, side))

    def gaining(self, seat: Seat, resource: str, count: int) -> "State":
        """With resources taken from the reserve, or returned to it."""
        return self.with_side(seat, self.sides[seat].gaining(resource, count))

    def paying(self, seat: Seat, to: Seat, resource: str, count: int) -> "State":
        """With resources gone from seat to seat."""
        return self.gaining(seat, resource, -count).gaining(to, resource, count)

    def with_ship(self, seat: Seat, route: Route, resource: str) -> "State":
        """With a ship from the seat's stock on the route, of that type from now on, and the route marked."""
        side, routes, last = self.sides[seat], list(self.routes), self.last
        routes[route.number] = routes[route.number] % TYPE | 1 << seat | TYPE * TYPES.index(resource)
        sides = self.sides_with(seat, replace(side, ships=side.ships - 1))
        if last is not None:
            last = replace(last, routes=(*last.routes, route.code))
        return replace(self, sides=sides, routes=tuple(routes), last=last)

    def without_token(self, island: Island) -> "State":
        """With the island's token taken off."""
        at = island.number
        return replace(self, tokens=(*self.tokens[:at], "", *self.tokens[at + 1 :]))

    def taking_points(self, seat: Seat, count: int) -> tuple["State", int]:
        """With Point tokens taken from the reserve, and how many there were to take."""
        taken = min(count, self.pool or 0)
        side = self.sides[seat]
        after = self.with_side(seat, replace(side, points=side.points + taken))
        return replace(after, pool=(self.pool or 0) - taken), taken

    def sailing(self, seat: Seat, passage: Passage, *steps: AnyStep) -> "State":
        """With a member of the seat at the end of a passage, the passage marked, the top step replaced by these."""
        side, last = self.sides[seat].moving(passage.start, passage.goal), self.last
        if last is not None:
            last = replace(last, path=(*last.path, passage.code))
        return replace(self, sides=self.sides_with(seat, side), last=last, agenda=(*self.agenda[:-1], *steps))

    def populating(self, seat: Seat, island: Island, count: int) -> "State":
        """With members of the seat come to an island, and the island marked."""
        side, last = self.sides[seat].populating(island, count), self.last
        if last is not None:
            last = replace(last, islands=(*last.islands, island.code))
        return replace(self, sides=self.sides_with(seat, side), last=last)

    def sides_with(self, seat: Seat, side: Side) -> tuple[Side, ...]:
        """What all have, with that of the seat replaced."""
        sides = list(self.sides)
        sides[seat] = side
        return tuple(sides)

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """The same position with other steps to come."""
        return replace(self, agenda=agenda)
