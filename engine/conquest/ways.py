"""What may set out in a Movement, and where it can go."""

from typing import TYPE_CHECKING

from engine.conquest.board import BESIDE
from engine.conquest.entries import ASK, ENEMY, Ways, entries
from engine.conquest.pieces import Fleet, Kinds
from engine.conquest.waters import is_sea, must_hold, other_zealand
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

MOVES = 2
"""Hexes a canoe may move; Double Hulled Canoes add one."""
FLEET = "fleet"
"""How the key of a fleet under way begins: 'fleet1'."""


def allowance(state: "State", seat: Seat) -> int:
    """Moves of the seat's canoes."""
    return MOVES + state.nations[seat].shows("doublehull")


class Source:
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside it."""

    def __init__(self, state: "State", seat: Seat, key: str) -> None:
        self.state, self.seat, self.key = state, seat, key
        self.fleet = fleet_of(state, key)
        self.spot = self.fleet.at if self.fleet else key
        self.waiting = state.pieces(seat, self.spot)
        self.entries = entries(state, seat)
        self.movers = self.fleet.kinds if self.fleet else self.waiting
        """What can sail by itself."""
        full = allowance(state, seat)
        self.moves = self.fleet.left if self.fleet else full
        self.rumor_moves = max(0, self.moves - (full - MOVES))
        """Double Hulled Canoes do nothing for Rumors."""

    @property
    def is_sea(self) -> bool:
        """Whether it is at sea."""
        return is_sea(self.state, self.spot)

    @property
    def whole(self) -> bool:
        """A fleet among enemies sails on as one."""
        return self.fleet is not None and self.entries.sorts[self.spot] in ENEMY

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
        return other if other in self.entries.quiet and other in BESIDE[self.spot] else ""

    @property
    def reach(self) -> int:
        """Moves of any canoe; with Rumors alone theirs."""
        return self.moves if self.movers.canoes else self.rumor_moves

    def quiet_routes(self) -> Ways:
        """Ways for any canoe; for Rumors alone the shorter ones."""
        return self.entries.routes(self.spot, self.reach, war=False) if self.sails else {}

    def war_routes(self) -> Ways:
        """Ways with a War Canoe along."""
        if not self.movers.w or not self.sails:
            return {}
        return self.entries.routes(self.spot, self.moves, war=True)

    def targets(self) -> Ways:
        """Every hex to which something of it can go, with the shortest way."""
        found = {**self.quiet_routes()}
        for spot, way in self.war_routes().items():
            if spot not in found or len(way) < len(found[spot]):
                found[spot] = way
        walk = self.walk
        if walk:
            found.setdefault(walk, (self.spot, walk))
        return found

    def throughs(self) -> list[str]:
        """Hexes to sail through if no War Canoe is there, with a move left after it."""
        ways = self.war_routes().items()
        asked = [spot for spot, way in ways if len(way) - 1 < self.moves]
        return [spot for spot in asked if self.entries.sorts[spot] == ASK]


def fleet_of(state: "State", key: str) -> Fleet | None:
    """The fleet of a key such as 'fleet2'."""
    if not key.startswith(FLEET) or state.movement is None:
        return None
    number = int(key.removeprefix(FLEET))
    return next((fleet for fleet in state.movement.fleets if fleet.number == number), None)


def spot_of(state: "State", key: str) -> str:
    """The hex of a key: its own, or where the fleet is."""
    fleet = fleet_of(state, key)
    return fleet.at if fleet is not None else key
