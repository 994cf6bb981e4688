"""Where canoes may sail: what it means to enter each hex, what may set out, and the ways it can go."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import HEX_AT, NEIGHBOURS
from engine.conquest.hexes import enemy_at, hidden_at, is_enemy_group, is_enemy_hex, is_known, is_sea, other_zealand
from engine.conquest.pieces import Fleet, Kinds
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

MOVES: Final = 2
"""Hexes a canoe may move; Double Hulled Canoes add one."""
FLEET: Final = "fleet"
"""How the key of a fleet under way begins: 'fleet1'."""

CLOSED: Final = "closed"
"""Nobody may enter: Unknown, or a face-down tile that the seat has not discovered."""
QUIET: Final = "quiet"
"""Nobody minds."""
REVEAL: Final = "reveal"
"""An own face-down tile, turned up by sailing there: the move ends."""
FIGHT: Final = "fight"
"""War Canoes, and what comes with them, must stop and attack."""
ASK: Final = "ask"
"""War Canoes may sail on if no War Canoe is there, which must be asked."""
PASS: Final = "pass"
"""War Canoes may sail on, and everybody knows it: a lone open canoe lies there, or the question was answered."""


def entry(state: "State", seat: Seat, spot: str) -> str:
    """What it means to a seat to sail into a hex."""
    if not is_known(state, spot):
        tile = hidden_at(state, spot)
        return REVEAL if tile is not None and seat in tile.seen else CLOSED
    if is_enemy_group(state, seat, spot):
        return FIGHT
    enemy = enemy_at(state, seat, spot)
    if enemy is None:
        return QUIET
    answered = dict(state.movement.answered) if state.movement is not None else {}
    if spot in answered:
        return FIGHT if answered[spot] else PASS
    return PASS if enemy.open and enemy.kinds.total == 1 else ASK


def may_enter(what: str, war: bool) -> bool:
    """Whether canoes may sail into a hex of that entry: among enemies only with a War Canoe along."""
    return what in (QUIET, REVEAL) or (war and what != CLOSED)


def ways(state: "State", seat: Seat, start: str, moves: int, war: bool) -> dict[str, tuple[str, ...]]:
    """The shortest way to each hex in reach, the start first; of several the first one clockwise from the north."""
    found: dict[str, tuple[str, ...]] = {start: (start,)}
    edge = [start]
    for here in edge:
        if len(found[here]) > moves:
            break
        for spot in NEIGHBOURS[here]:
            if spot in found:
                continue
            what = entry(state, seat, spot)
            if may_enter(what, war):
                found[spot] = (*found[here], spot)
                if what == QUIET or (war and what == PASS):
                    edge.append(spot)
    del found[start]
    return found


class Source(Struct, frozen=True):
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside it."""

    seat: Seat
    spot: str
    fleet: Fleet | None
    waiting: Kinds
    """The stack in the hex, which has not moved yet."""
    free: int
    """How many of the waiting pieces may leave."""
    movers: Kinds
    """What can sail by itself: the fleet, or the stack."""
    moves: int
    rumor_moves: int
    """Double Hulled Canoes do nothing for Rumors."""
    is_sea: bool
    is_whole: bool
    """A fleet among enemies sails on as one."""
    walk: str
    """Where Warrior Bands and Colonies may walk: the other New Zealand tile, if nobody is against it."""

    @property
    def kinds(self) -> Kinds:
        """All that could go: on land a fleet may also take what waits there."""
        if self.fleet is None:
            return self.waiting
        if self.is_sea or self.is_whole:
            return self.fleet.kinds
        return self.fleet.kinds.plus(Kinds(c=self.waiting.c, b=self.waiting.b))

    @property
    def sails(self) -> bool:
        """Whether it has a canoe or a Rumor that may go, and a move left for it."""
        if self.fleet is None and not self.free:
            return False
        return self.moves > 0 if self.movers.canoes else self.movers.r > 0 and self.rumor_moves > 0

    def can_go(self, state: "State") -> bool:
        """Whether there is any hex for it to go to."""
        if self.walk:
            return True
        around = NEIGHBOURS[self.spot]
        return self.sails and any(may_enter(entry(state, self.seat, spot), self.movers.w > 0) for spot in around)

    def quiet_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Where any canoe of it can go; of Rumors alone where they can."""
        moves = self.moves if self.movers.canoes else self.rumor_moves
        return ways(state, self.seat, self.spot, moves, war=False) if self.sails else {}

    def all_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Where anything of it can go."""
        if self.movers.w and self.sails:
            found = ways(state, self.seat, self.spot, self.moves, war=True)
        else:
            found = self.quiet_ways(state)
        return {**found, self.walk: (self.spot, self.walk)} if self.walk else found

    def way(self, state: "State", target: str, kinds: Kinds) -> tuple[str, ...]:
        """The way these pieces take to a hex in their reach; those that walk have but one."""
        if target == self.walk:
            return self.spot, target
        return ways(state, self.seat, self.spot, self.moves, war=kinds.w > 0)[target]


def source_of(state: "State", seat: Seat, key: str) -> Source:
    """What a seat's key stands for: a hex, or a fleet."""
    fleet = _fleet_of(state, key)
    spot = fleet.at if fleet is not None else key
    waiting = state.pieces(seat, spot)
    free = waiting.total - (1 if _must_leave_one(state, spot) else 0)
    full = allowance(state, seat)
    moves = fleet.left if fleet is not None else full
    walk = ""
    if fleet is None and waiting.b + waiting.c > 0 and free > 0:
        other = other_zealand(state, spot)
        if other in NEIGHBOURS[spot] and entry(state, seat, other) == QUIET:
            walk = other
    return Source(
        seat=seat,
        spot=spot,
        fleet=fleet,
        waiting=waiting,
        free=free,
        movers=fleet.kinds if fleet is not None else waiting,
        moves=moves,
        rumor_moves=max(0, moves - (full - MOVES)),
        is_sea=is_sea(state, spot),
        is_whole=fleet is not None and is_enemy_hex(state, seat, spot),
        walk=walk,
    )


def allowance(state: "State", seat: Seat) -> int:
    """Moves of the seat's canoes."""
    return MOVES + state.nations[seat].shows("doublehull")


def _fleet_of(state: "State", key: str) -> Fleet | None:
    """The fleet of a key such as 'fleet2', none for that of a hex."""
    if key in HEX_AT or state.movement is None:
        return None
    number = int(key.removeprefix(FLEET))
    return next((fleet for fleet in state.movement.fleets if fleet.number == number), None)


def _must_leave_one(state: "State", spot: str) -> bool:
    """Whether it is a conquered printed group where no piece that has already moved stays."""
    if not state.must_be_held(spot):
        return False
    if state.movement is None:
        return True
    set_down = any(place == spot and kinds.total for place, kinds in state.movement.spent)
    arrived = any(fleet.at == spot and not fleet.left for fleet in state.movement.fleets)
    return not set_down and not arrived
