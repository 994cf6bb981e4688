"""What may set out in a Movement, and where it can go."""

from typing import TYPE_CHECKING

from msgspec import Struct

from engine.conquest.bits import BIT
from engine.conquest.board import BESIDE
from engine.conquest.entries import Entries, entries
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import Fleet, Kinds
from engine.conquest.waters import is_sea, other_zealand
from engine.core.decision import Seat
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

MOVES = 2
"""Hexes a canoe may move; Double Hulled Canoes add one."""
FLEET = "fleet"
"""How the key of a fleet under way begins: 'fleet1'."""


def allowance(state: "State", seat: Seat) -> int:
    """Moves of the seat's canoes."""
    return MOVES + state.nations[seat].shows("doublehull")


class Source(Struct, frozen=True, dict=True):
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside it."""

    fleet: Fleet | None
    spot: str
    is_sea: bool
    waiting: Kinds
    cap: int
    """How many of the waiting pieces may leave."""
    movers: Kinds
    """What can sail by itself."""
    moves: int
    rumor_moves: int
    """Double Hulled Canoes do nothing for Rumors."""
    walk: str
    """Where Warrior Bands and Colonies may walk: the other New Zealand tile, if nobody is against it."""
    entries: Entries

    @property
    def whole(self) -> bool:
        """A fleet among enemies sails on as one."""
        return self.fleet is not None and self.entries.enemy & BIT[self.spot] != 0

    @Once
    def kinds(self) -> Kinds:
        """All that could go: on land a fleet may also take what waits there."""
        if self.fleet is None:
            return self.waiting
        if self.is_sea or self.whole:
            return self.fleet.kinds
        return self.fleet.kinds.plus(Kinds(c=self.waiting.c, b=self.waiting.b))

    @Once
    def sails(self) -> bool:
        """Whether it has a canoe or a Rumor that may go."""
        return self.movers.canoes + self.movers.r > 0 and (self.fleet is not None or self.cap > 0)

    @property
    def reach(self) -> int:
        """Moves of any canoe; with Rumors alone theirs."""
        return self.moves if self.movers.canoes else self.rumor_moves

    @Once
    def quiet_rings(self) -> tuple[int, ...]:
        """Where any canoe of it can go with one move, with two, and so on; for Rumors alone the nearer hexes."""
        return self.entries.rings(self.spot, self.reach, war=False) if self.sails else ()

    @Once
    def rings(self) -> tuple[int, ...]:
        """Where anything of it can go with one move, with two, and so on."""
        sails_to_war = self.movers.w and self.sails
        rings = self.entries.rings(self.spot, self.moves, war=True) if sails_to_war else self.quiet_rings
        return (sum(rings[:1]) | BIT[self.walk], *rings[1:]) if self.walk else rings

    def throughs(self) -> int:
        """Hexes to sail through if no War Canoe is there, with a move left after it."""
        return sum(self.rings[:-1]) & self.entries.asks


@kept_by_key("nations", "tiles", "seas", "groups", "stacks", "movement")
def source_of(state: "State", whose: tuple[Seat, str]) -> Source:
    """What a seat's key stands for: a hex, or a fleet."""
    seat, key = whose
    fleet, full = fleet_of(state, key), allowance(state, seat)
    spot = fleet.at if fleet else key
    waiting = state.pieces(seat, spot)
    cap = free_to_leave(state, spot, waiting)
    movers, moves = (fleet.kinds, fleet.left) if fleet else (waiting, full)
    may_walk = fleet is None and waiting.b + waiting.c > 0 and cap > 0
    walk = _walk(state, seat, spot) if may_walk and spot in state.zealand else ""
    rumor_moves = max(0, moves - (full - MOVES))
    at_sea = is_sea(state, spot)
    return Source(fleet, spot, at_sea, waiting, cap, movers, moves, rumor_moves, walk, entries(state, seat))


def free_to_leave(state: "State", spot: str, waiting: Kinds) -> int:
    """How many pieces that have not moved may leave a hex: a conquered printed group keeps one."""
    return waiting.total - (spot in state.held and _must_guard(state, spot))


def _must_guard(state: "State", spot: str) -> bool:
    """Whether none of the pieces that have moved stays in a conquered printed group."""
    if state.movement is None:
        return True
    spent = [kinds for place, kinds in state.movement.spent if place == spot]
    ended = [fleet.kinds for fleet in state.movement.fleets if fleet.at == spot and not fleet.left]
    return not any(kinds.total for kinds in (*spent, *ended))


def _walk(state: "State", seat: Seat, spot: str) -> str:
    other = other_zealand(state, spot)
    is_quiet = other and entries(state, seat).quiet & BIT[other]
    return other if is_quiet and other in BESIDE[spot] else ""


def fleet_of(state: "State", key: str) -> Fleet | None:
    """The fleet of a key such as 'fleet2', none for that of a hex."""
    if key in BIT or state.movement is None:
        return None
    number = int(key.removeprefix(FLEET))
    return next((fleet for fleet in state.movement.fleets if fleet.number == number), None)
