"""Where canoes can go: quiet waters, hexes that stop War Canoes, and hexes that may be sailed through."""

from typing import TYPE_CHECKING

from engine.conquest.board import NEIGHBOURS
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import Fleet, Kinds
from engine.conquest.waters import (
    ENEMY,
    PASS,
    QUIET,
    REVEAL,
    entries,
    is_enemy_hex,
    is_sea,
    must_hold,
    other_zealand,
)
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

MOVES = 2
"""Hexes a canoe may move; Double Hulled Canoes add one."""
FLEET = "fleet"
"""How the key of a fleet under way begins: 'fleet1'."""
ENTERED = ((QUIET, REVEAL), (QUIET, REVEAL, *ENEMY))
"""Sorts of hexes that may be entered, without War Canoes and with them."""
LEFT = ((QUIET,), (QUIET, PASS))
"""Sorts of hexes that may be sailed through."""


def allowance(state: "State", seat: Seat) -> int:
    """Moves of the seat's canoes."""
    return MOVES + state.nations[seat].shows("doublehull")


def entry(state: "State", seat: Seat, spot: str) -> str:
    """What it means to sail there, as `entries` has it."""
    return entries(state, seat)[spot]


def routes(state: "State", seat: Seat, start: str, moves: int, war: bool) -> dict[str, tuple[str, ...]]:
    """The shortest way to every hex in reach; with War Canoes along, enemies may be met and some sailed through."""
    return _routes(state, (seat, start, moves, war))


@kept_by_key("tiles", "seas", "groups", "stacks", "movement")
def _routes(state: "State", asked: tuple[Seat, str, int, bool]) -> dict[str, tuple[str, ...]]:
    seat, start, moves, war = asked
    sorts, enters, leaves = entries(state, seat), ENTERED[war], LEFT[war]
    found: dict[str, tuple[str, ...]] = {start: (start,)}
    edge = [start]
    for _ in range(moves):
        reached = []
        for here in edge:
            for spot in NEIGHBOURS[here]:
                if spot not in found and sorts[spot] in enters:
                    found[spot] = (*found[here], spot)
                    reached.append(spot)
        edge = [spot for spot in reached if sorts[spot] in leaves]
    del found[start]
    return found


def has_exit(state: "State", seat: Seat, spot: str, war: bool) -> bool:
    """Whether a neighbouring hex may be entered."""
    sorts, enters = entries(state, seat), ENTERED[war]
    return any(sorts[beside] in enters for beside in NEIGHBOURS[spot])


class Source:
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside it."""

    def __init__(self, state: "State", seat: Seat, key: str) -> None:
        self.state, self.seat, self.key = state, seat, key
        self.fleet = fleet_of(state, key)
        self.spot = self.fleet.at if self.fleet else key
        self.waiting = state.pieces(seat, self.spot)
        self.movers = self.fleet.kinds if self.fleet else self.waiting
        """What can sail by itself."""

    @property
    def moves(self) -> int:
        """Hexes its canoes may still move."""
        return self.fleet.left if self.fleet else allowance(self.state, self.seat)

    @property
    def rumor_moves(self) -> int:
        """Hexes its Rumors may still move: Double Hulled Canoes do nothing for them."""
        return max(0, self.moves - (allowance(self.state, self.seat) - MOVES))

    @property
    def is_sea(self) -> bool:
        """Whether it is at sea."""
        return is_sea(self.state, self.spot)

    @property
    def whole(self) -> bool:
        """A fleet among enemies sails on as one."""
        return self.fleet is not None and is_enemy_hex(self.state, self.seat, self.spot)

    @property
    def kinds(self) -> Kinds:
        """All that could go: on land a fleet may also take what waits there."""
        if self.fleet is None:
            return self.waiting
        if self.is_sea or self.whole:
            return self.fleet.kinds
        return self.fleet.kinds.plus(Kinds(c=self.waiting.c, b=self.waiting.b))

    @property
    def cap(self) -> int:
        """How many of the waiting pieces may leave: a conquered printed group keeps one."""
        if not must_hold(self.state, self.spot):
            return self.waiting.total
        movement = self.state.movement
        staying = self.waiting.total
        if movement is not None:
            staying += sum(kinds.total for spot, kinds in movement.spent if spot == self.spot)
            staying += sum(f.kinds.total for f in movement.fleets if f.at == self.spot and not f.left)
        return min(self.waiting.total, staying - 1)

    @property
    def sails(self) -> bool:
        """Whether it has a canoe or a Rumor that may go."""
        return self.movers.canoes + self.movers.r > 0 and (self.fleet is not None or self.cap > 0)

    @property
    def walk(self) -> str:
        """Where Warrior Bands and Colonies may walk: the other New Zealand tile, if nobody is against it."""
        other = other_zealand(self.state, self.spot) if self.fleet is None else ""
        if not other or not self.waiting.b + self.waiting.c or self.cap <= 0:
            return ""
        return other if entry(self.state, self.seat, other) == QUIET and other in NEIGHBOURS[self.spot] else ""

    def quiet_routes(self) -> dict[str, tuple[str, ...]]:
        """Ways for any canoe; for Rumors alone the shorter ones."""
        if not self.sails:
            return {}
        moves = self.moves if self.movers.canoes else self.rumor_moves
        return routes(self.state, self.seat, self.spot, moves, war=False)

    def war_routes(self) -> dict[str, tuple[str, ...]]:
        """Ways with a War Canoe along."""
        if not self.movers.w or not self.sails:
            return {}
        return routes(self.state, self.seat, self.spot, self.moves, war=True)

    def targets(self) -> dict[str, tuple[str, ...]]:
        """Every hex to which something of it can go, with the shortest way."""
        found = {**self.quiet_routes()}
        for spot, way in self.war_routes().items():
            if spot not in found or len(way) < len(found[spot]):
                found[spot] = way
        walk = self.walk
        if walk:
            found.setdefault(walk, (self.spot, walk))
        return found

    def can_go(self) -> bool:
        """Whether there is any target: if so, a neighbour is one."""
        sails = self.sails and (self.moves if self.movers.canoes else self.rumor_moves) > 0
        return (sails and has_exit(self.state, self.seat, self.spot, self.movers.w > 0)) or bool(self.walk)

    def throughs(self) -> list[str]:
        """Hexes to sail through if no War Canoe is there, with a move left after it."""
        ways = self.war_routes().items()
        asked = [spot for spot, way in ways if len(way) - 1 < self.moves]
        return [spot for spot in asked if entry(self.state, self.seat, spot) == "ask"]


def fleet_of(state: "State", key: str) -> Fleet | None:
    """The fleet of a key such as 'fleet2'."""
    if not key.startswith(FLEET) or state.movement is None:
        return None
    number = int(key.removeprefix(FLEET))
    return next((fleet for fleet in state.movement.fleets if fleet.number == number), None)
