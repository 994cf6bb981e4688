"""Where canoes may sail: what it means to enter each hex, what may set out, and the ways it can go.

Canoes move "one or two hexes", and "each hex a Unit enters counts the same, regardless of what's in
the hex". Players name the hex where a move ends; the way there is found for them.
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import HEX_AT, NEIGHBOURS
from engine.conquest.hexes import (
    enemy_at,
    hidden_at,
    is_enemy_group,
    is_enemy_hex,
    is_known,
    is_sea,
    other_zealand,
)
from engine.conquest.pieces import NONE, Fleet, Kinds
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

MOVES: Final = 2
"""Hexes a canoe may move; Double Hulled Canoes add one."""
FLEET: Final = "fleet"
"""How the key of a fleet under way begins: 'fleet1'."""

CLOSED: Final = "closed"
"""Not Known: the Unknown, or a face-down tile that the seat has not discovered."""
QUIET: Final = "quiet"
"""No enemy is there: everything may enter and sail on."""
REVEAL: Final = "reveal"
"""A face-down tile of the seat's, flipped "immediately before moving onto it"; by a ruling the
move ends there.
"""
FIGHT: Final = "fight"
"""An enemy's group, or an enemy War Canoe: War Canoes, and what comes with them, must stop and
attack.
"""
ASK: Final = "ask"
"""Face-down pieces: War Canoes may sail on if no War Canoe is there, which must be asked."""
PASS: Final = "pass"
"""War Canoes may sail on, and everybody knows it: a lone open canoe lies there, or the question
was answered.
"""


def entry(state: "State", seat: Seat, spot: str) -> str:
    """What it means to a seat to sail into a hex: one of the words above."""
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
    """Whether canoes may sail into a hex of that entry.

    "Transport Canoes may not enter a hex containing an enemy Controlled Island Group or any enemy
    Piece, unless they are moving with at least one War Canoe in their stack."
    """
    if what == CLOSED:
        return False
    return war or what in (QUIET, REVEAL)


def ways(
    state: "State", seat: Seat, start: str, moves: int, war: bool
) -> dict[str, tuple[str, ...]]:
    """The shortest way to each hex in reach, the start first.

    Of several the one past the fewest enemies, then the first clockwise from the north. Without War
    Canoes of its own a stack may still join one that sails past: its steps are the mover's
    `escorts`.
    """
    escorts = state.movement.escorts if state.movement is not None else ()
    found: dict[str, tuple[str, ...]] = {start: (start,)}
    passed = {start: 0}
    edge = [start]
    for _ in range(moves):
        reached: dict[str, tuple[str, ...]] = {}
        onward: list[str] = []
        for here in edge:
            for spot in NEIGHBOURS[here]:
                if spot in found or (spot in reached and passed[reached[spot][-2]] <= passed[here]):
                    continue
                what = entry(state, seat, spot)
                if not may_enter(what, war or (here, spot) in escorts):
                    continue
                if what in (QUIET, PASS) and spot not in reached:
                    onward.append(spot)
                reached[spot] = (*found[here], spot)
        for spot, way in reached.items():
            passed[spot] = passed[way[-2]] + (entry(state, seat, spot) == PASS)
        found |= reached
        edge = onward
    del found[start]
    return (
        found if war else {spot: way for spot, way in found.items() if may_end(state, seat, spot)}
    )


def may_end(state: "State", seat: Seat, spot: str) -> bool:
    """Whether a stack without War Canoes may stay there: among enemies only with one that came
    before it.
    """
    if entry(state, seat, spot) in (QUIET, REVEAL):
        return True
    fleets = state.movement.fleets if state.movement is not None else ()
    return any(fleet.at == spot and fleet.kinds.w for fleet in fleets)


class Source(Struct, frozen=True):
    """What may set out: the unmoved stack of a hex, or a fleet under way with what waits beside
    it.
    """

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
    """Rumors move "in any way they wish": by a ruling as far as a canoe."""
    is_sea: bool
    is_whole: bool
    """A fleet among enemies sails on as one."""
    walk: str
    """Where Warrior Bands and Colonies may walk: the other New Zealand tile, if nobody is
    against it.
    """

    @property
    def kinds(self) -> Kinds:
        """All that could go: a fleet may also take cargo that waits there, on land or in canoes
        that have not moved.
        """
        if self.fleet is None:
            return self.waiting
        if self.is_whole:
            return self.fleet.kinds
        return self.fleet.kinds.plus(Kinds(c=self.waiting.c, b=self.waiting.b))

    @property
    def sails(self) -> bool:
        """Whether it has a canoe or a Rumor that may go, and a move left for it."""
        if self.fleet is None and not self.free:
            return False
        return self.moves > 0 and self.movers.canoes + self.movers.r > 0

    def aboard(self, going: Kinds) -> Kinds:
        """Which of these the fleet has brought here in the very canoes that go on.

        "A Piece may not be moved by more than one Canoe in a turn": a Warrior Band that came on a
        War Canoe does not go on with a Transport Canoe. Bands board War Canoes first, so those of a
        fleet are where there is room.
        """
        if self.fleet is None:
            return NONE
        came = self.fleet.kinds
        c = min(going.c, came.c)
        by_war = min(came.b, came.w)
        b = min(going.b, min(by_war, going.w) + min(came.b - by_war, max(0, going.t - c)))
        return Kinds(going.w, going.t, going.r, c, b)

    def picked_up(self, going: Kinds) -> Kinds:
        """Which of these come from the stack in the hex: a fleet under way takes no more from it
        than it must.
        """
        return going.minus(self.aboard(going))

    def left_behind(self, going: Kinds) -> Kinds:
        """What does not go on, of the fleet or of the stack that sets out."""
        return (
            self.waiting.minus(going)
            if self.fleet is None
            else self.fleet.kinds.minus(self.aboard(going))
        )

    def kept_aboard(self, going: Kinds) -> Kinds:
        """What stays behind of a fleet in the canoes that brought it; all else is set down."""
        if self.fleet is None:
            return NONE
        came, on = self.fleet.kinds, self.aboard(going)
        w, t = came.w - on.w, came.t - on.t
        by_war = min(came.b, came.w)
        on_by_war = min(on.b, by_war, on.w)
        c = min(came.c - on.c, t)
        b = min(by_war - on_by_war, w) + min(came.b - by_war - (on.b - on_by_war), t - c)
        return Kinds(w, t, came.r - on.r, c, b)

    def can_go(self, state: "State") -> bool:
        """Whether there is any hex for it to go to."""
        if self.walk:
            return True
        if not self.sails:
            return False
        war = self.movers.w > 0
        if any(may_enter(entry(state, self.seat, spot), war) for spot in NEIGHBOURS[self.spot]):
            return True
        escorts = state.movement.escorts if state.movement is not None else ()
        return any(start == self.spot for start, _ in escorts) and bool(self.peaceful_ways(state))

    def peaceful_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Where anything of it can go without a War Canoe of its own."""
        return ways(state, self.seat, self.spot, self.moves, war=False) if self.sails else {}

    def all_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Where anything of it can go.

        War Canoes go the way of all others unless theirs is shorter: else their way would tell what
        they are.
        """
        found = self.peaceful_ways(state)
        if self.movers.w and self.sails:
            by_war = ways(state, self.seat, self.spot, self.moves, war=True)
            kept = {spot: way for spot, way in found.items() if len(way) == len(by_war[spot])}
            found = {**by_war, **kept}
        if self.walk:
            found = {**found, self.walk: (self.spot, self.walk)}
        return found

    def way(self, state: "State", target: str, kinds: Kinds) -> tuple[str, ...]:
        """The way these pieces take to a hex in their reach; those that walk have but one."""
        if target == self.walk:
            return self.spot, target
        return self.all_ways(state)[target] if kinds.w else self.peaceful_ways(state)[target]


def source_of(state: "State", seat: Seat, key: str) -> Source:
    """What a seat's key stands for: a hex, or a fleet such as 'fleet2'."""
    fleet = None
    if key not in HEX_AT and state.movement is not None:
        number = int(key.removeprefix(FLEET))
        fleet = next((one for one in state.movement.fleets if one.number == number), None)
    spot = fleet.at if fleet is not None else key
    waiting = state.pieces(seat, spot)
    free = waiting.total
    if _must_leave_one(state, spot):
        free -= 1
    moves = fleet.left if fleet is not None else allowance(state, seat)
    # The South Island: Bands and Colonies walk between the New Zealand tiles; by a ruling not if
    # they moved by canoe in this turn, and not among enemies.
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
        is_sea=is_sea(state, spot),
        is_whole=fleet is not None and is_enemy_hex(state, seat, spot),
        walk=walk,
    )


def allowance(state: "State", seat: Seat) -> int:
    """Moves of the seat's canoes and Rumors."""
    return MOVES + state.nations[seat].shows("doublehull")


def _must_leave_one(state: "State", spot: str) -> bool:
    """Whether it is a conquered printed group where no piece that has already moved stays."""
    if not state.must_be_held(spot):
        return False
    if state.movement is None:
        return True
    set_down = any(place == spot and kinds.total for place, kinds in state.movement.spent)
    arrived = any(fleet.at == spot and not fleet.left for fleet in state.movement.fleets)
    return not set_down and not arrived
