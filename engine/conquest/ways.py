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


class Source:
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside it."""

    def __init__(self, state: "State", seat: Seat, key: str) -> None:
        self.state, self.seat, self.key = state, seat, key
        self.fleet = fleet_of(state, key)
        self.spot = self.fleet.at if self.fleet else key
        self.waiting = state.pieces(seat, self.spot)
        self.is_sea = is_sea(state, self.spot)
        full = allowance(state, seat)
        self.moves = self.fleet.left if self.fleet else full
        self.rumor_moves = max(0, self.moves - (full - MOVES))
        self.whole = self.fleet is not None and is_enemy_hex(state, seat, self.spot)
        """A fleet among enemies sails on as one."""

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
        movers = self.fleet.kinds if self.fleet else self.waiting
        return movers.canoes + movers.r > 0 and (self.fleet is not None or self.cap > 0)

    @property
    def walk(self) -> str:
        """Where Warrior Bands and Colonies may walk: the other New Zealand tile, if nobody is against it."""
        other = other_zealand(self.state, self.spot) if self.fleet is None else ""
        if not other or not self.waiting.b + self.waiting.c or self.cap <= 0:
            return ""
        return other if entry(self.state, self.seat, other) == "quiet" and other in NEIGHBOURS[self.spot] else ""

    def quiet_routes(self) -> dict[str, tuple[str, ...]]:
        """Ways for any canoe; for Rumors alone the shorter ones."""
        if not self.sails:
            return {}
        movers = self.fleet.kinds if self.fleet else self.waiting
        moves = self.moves if movers.canoes else self.rumor_moves
        return routes(self.state, self.seat, self.spot, moves, war=False)

    def war_routes(self) -> dict[str, tuple[str, ...]]:
        """Ways with a War Canoe along."""
        movers = self.fleet.kinds if self.fleet else self.waiting
        if not movers.w or not self.sails:
            return {}
        return routes(self.state, self.seat, self.spot, self.moves, war=True)

    def targets(self) -> dict[str, tuple[str, ...]]:
        """Every hex to which something of it can go, with the shortest way."""
        found = {**self.quiet_routes()}
        for spot, way in self.war_routes().items():
            if spot not in found or len(way) < len(found[spot]):
                found[spot] = way
        if self.walk:
            found.setdefault(self.walk, (self.spot, self.walk))
        return found

    def can_go(self) -> bool:
        """Whether there is any target: if so, a neighbour is one."""
        movers = self.fleet.kinds if self.fleet else self.waiting
        moves = self.moves if movers.canoes else self.rumor_moves
        enters, sorts = ENTERED[movers.w > 0], entries(self.state, self.seat)
        sails = self.sails and moves > 0
        return (sails and any(sorts[spot] in enters for spot in NEIGHBOURS[self.spot])) or bool(self.walk)

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
