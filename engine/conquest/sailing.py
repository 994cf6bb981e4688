"""Where canoes may sail: what entering a hex means, which pieces may set out, and their routes.

Canoes move "one or two hexes", and "Each hex a Unit enters counts the same, regardless of what's in
the hex". Players name the hex where a move ends; the way there is found for them.
"""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import HEX_AT, NEIGHBOURS
from engine.conquest.hexes import (
    enemy_at,
    face_down_tile_at,
    is_enemy_group,
    is_enemy_hex,
    is_known,
    is_sea,
    other_new_zealand_hex,
)
from engine.conquest.pieces import NO_PIECES, Fleet, Kinds
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

BASE_MOVES: Final = 2
"""Hexes that a canoe may move; Double Hulled Canoes add one."""
FLEET_PREFIX: Final = "fleet"
"""Begins the key of a fleet under way: 'fleet1'."""

CLOSED: Final = "closed"
"""Not Known: the Unknown, or a face-down tile that the seat has not discovered."""
QUIET: Final = "quiet"
"""No enemy is there: everything may enter and sail on."""
REVEAL: Final = "reveal"
"""A face-down tile that the seat discovered, flipped "immediately before moving onto it". Ruling:
the move ends there.
"""
FIGHT: Final = "fight"
"""An enemy group or an enemy War Canoe: War Canoes, and pieces with them, must stop and attack."""
ASK: Final = "ask"
"""Face-down pieces: War Canoes may sail on if no War Canoe is there, which must be asked."""
PASS: Final = "pass"
"""War Canoes may sail on, as everybody knows: a lone face-up canoe is there, or it was asked."""


def classify_entry(state: "State", seat: Seat, spot: str) -> str:
    """Return what sailing into a hex means for a seat: one of the constants above."""
    if not is_known(state, spot):
        tile = face_down_tile_at(state, spot)
        return REVEAL if tile is not None and seat in tile.seen else CLOSED
    # "War Canoes must stop moving if they enter a hex with an enemy Controlled Island Group."
    if is_enemy_group(state, seat, spot):
        return FIGHT
    enemy = enemy_at(state, seat, spot)
    if enemy is None:
        return QUIET
    answered = dict(state.movement.answered) if state.movement is not None else {}
    if spot in answered:
        return FIGHT if answered[spot] else PASS
    # The kinds of face-down pieces are secret, so only a lone face-up canoe is known to be no War
    # Canoe.
    is_lone_open_canoe = enemy.open and enemy.kinds.total == 1
    return PASS if is_lone_open_canoe else ASK


def may_enter(entry: str, war: bool) -> bool:
    """Return whether canoes may sail into a hex with this entry; `war` if a War Canoe is with them.

    "Transport Canoes may not enter a hex containing an enemy Controlled Island Group or any
    enemy Piece, unless they are moving with at least one War Canoe in their stack."
    """
    if entry == CLOSED:
        return False
    return war or entry in (QUIET, REVEAL)


def find_ways(
    state: "State", seat: Seat, start: str, moves: int, war: bool
) -> dict[str, tuple[str, ...]]:
    """Return the shortest way to each hex in reach, beginning with the start.

    Of several ways it is the one past the fewest enemies, then the first clockwise from the
    north. A stack without War Canoes may join some that sail past it; their steps are the
    mover's `escorts`.
    """
    escorts = state.movement.escorts if state.movement is not None else ()
    found: dict[str, tuple[str, ...]] = {start: (start,)}
    # How many enemies the way to each hex passes.
    passed = {start: 0}
    frontier = [start]
    for _ in range(moves):
        reached: dict[str, tuple[str, ...]] = {}
        onward: list[str] = []
        for here in frontier:
            for spot in NEIGHBOURS[here]:
                if spot in found:
                    continue
                if spot in reached and passed[reached[spot][-2]] <= passed[here]:
                    continue
                entry = classify_entry(state, seat, spot)
                if not may_enter(entry, war or (here, spot) in escorts):
                    continue
                if entry in (QUIET, PASS) and spot not in reached:
                    onward.append(spot)
                reached[spot] = (*found[here], spot)
        for spot, way in reached.items():
            passed[spot] = passed[way[-2]] + (classify_entry(state, seat, spot) == PASS)
        found |= reached
        frontier = onward
    del found[start]
    if war:
        return found
    return {spot: way for spot, way in found.items() if may_end(state, seat, spot)}


def may_end(state: "State", seat: Seat, spot: str) -> bool:
    """Return whether a stack without War Canoes may stay in a hex.

    Among enemies it may only where a War Canoe of its seat has arrived before it.
    """
    if classify_entry(state, seat, spot) in (QUIET, REVEAL):
        return True
    fleets = state.movement.fleets if state.movement is not None else ()
    return any(fleet.at == spot and fleet.kinds.w for fleet in fleets)


class Source(Struct, frozen=True):
    """The pieces that may set out: a hex's unmoved stack, or a fleet with what waits beside it."""

    seat: Seat
    spot: str
    fleet: Fleet | None
    waiting: Kinds
    """The unmoved stack in the hex."""
    free: int
    """How many of the waiting pieces may leave."""
    movers: Kinds
    """The pieces that can sail by themselves: the fleet, or the stack."""
    moves: int
    """Moves left. Rumors move "in any way they wish"; ruling: as far as a canoe."""
    is_sea: bool
    is_whole: bool
    """A fleet among enemies, which cannot split."""
    walk: str
    """The other New Zealand tile, if Warrior Bands and Colonies may walk there; '' if not."""

    @property
    def kinds(self) -> Kinds:
        """Return all pieces that could go.

        A fleet may also pick up cargo that waits in the hex, on land or in canoes that have
        not moved.
        """
        if self.fleet is None:
            return self.waiting
        if self.is_whole:
            return self.fleet.kinds
        waiting_cargo = Kinds(c=self.waiting.c, b=self.waiting.b)
        return self.fleet.kinds.plus(waiting_cargo)

    @property
    def sails(self) -> bool:
        """Return whether a canoe or Rumor may go and has a move left."""
        if self.fleet is None and not self.free:
            return False
        return self.moves > 0 and self.movers.canoes + self.movers.r > 0

    def aboard(self, going: Kinds) -> Kinds:
        """Return which of the going pieces the fleet brought here in the canoes that go on.

        "A Piece may not be moved by more than one Canoe in a turn": a Warrior Band that
        came on a War Canoe cannot go on with a Transport Canoe. Bands board War Canoes
        first, so those of a fleet are in War Canoes as far as there is room.
        """
        if self.fleet is None:
            return NO_PIECES
        came = self.fleet.kinds
        colonies = min(going.c, came.c)
        came_by_war_canoe = min(came.b, came.w)
        came_by_transport = came.b - came_by_war_canoe
        bands = min(came_by_war_canoe, going.w)
        bands += min(came_by_transport, max(0, going.t - colonies))
        return Kinds(going.w, going.t, going.r, colonies, min(going.b, bands))

    def picked_up(self, going: Kinds) -> Kinds:
        """Return which of the going pieces come from the stack in the hex: as few as possible."""
        return going.minus(self.aboard(going))

    def left_behind(self, going: Kinds) -> Kinds:
        """Return the pieces of the fleet, or of the stack, that do not go on."""
        if self.fleet is None:
            return self.waiting.minus(going)
        return self.fleet.kinds.minus(self.aboard(going))

    def kept_aboard(self, going: Kinds) -> Kinds:
        """Return what of a fleet stays behind in the canoes it came in; the rest is set down."""
        if self.fleet is None:
            return NO_PIECES
        came = self.fleet.kinds
        leaving = self.aboard(going)
        war_canoes = came.w - leaving.w
        transports = came.t - leaving.t
        came_by_war_canoe = min(came.b, came.w)
        came_by_transport = came.b - came_by_war_canoe
        leaving_by_war_canoe = min(leaving.b, came_by_war_canoe, leaving.w)
        leaving_by_transport = leaving.b - leaving_by_war_canoe
        colonies = min(came.c - leaving.c, transports)
        bands = min(came_by_war_canoe - leaving_by_war_canoe, war_canoes)
        bands += min(came_by_transport - leaving_by_transport, transports - colonies)
        return Kinds(war_canoes, transports, came.r - leaving.r, colonies, bands)

    def can_go(self, state: "State") -> bool:
        """Return whether there is any hex to go to."""
        if self.walk:
            return True
        if not self.sails:
            return False
        war = self.movers.w > 0
        if any(
            may_enter(classify_entry(state, self.seat, spot), war) for spot in NEIGHBOURS[self.spot]
        ):
            return True
        # Finding ways is slow, and without an escort from here there can be none.
        escorts = state.movement.escorts if state.movement is not None else ()
        has_escort = any(start == self.spot for start, _ in escorts)
        return has_escort and bool(self.peaceful_ways(state))

    def peaceful_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Return the ways open to pieces without a War Canoe of their own."""
        if not self.sails:
            return {}
        return find_ways(state, self.seat, self.spot, self.moves, war=False)

    def all_ways(self, state: "State") -> dict[str, tuple[str, ...]]:
        """Return the ways open to any of the pieces.

        War Canoes take the way of the others unless theirs is shorter: their route would
        otherwise reveal what they are.
        """
        ways = self.peaceful_ways(state)
        if self.movers.w and self.sails:
            peaceful_ways = ways
            ways = find_ways(state, self.seat, self.spot, self.moves, war=True)
            for spot, way in peaceful_ways.items():
                if len(way) == len(ways[spot]):
                    ways[spot] = way
        if self.walk:
            ways = {**ways, self.walk: (self.spot, self.walk)}
        return ways

    def way(self, state: "State", target: str, kinds: Kinds) -> tuple[str, ...]:
        """Return the way that these pieces take to a hex in their reach."""
        if target == self.walk:
            return self.spot, target
        return self.all_ways(state)[target] if kinds.w else self.peaceful_ways(state)[target]


def source_of(state: "State", seat: Seat, key: str) -> Source:
    """Return the pieces that a key stands for: a hex, or a fleet such as 'fleet2'."""
    fleet = None
    if key not in HEX_AT and state.movement is not None:
        number = int(key.removeprefix(FLEET_PREFIX))
        fleet = next((one for one in state.movement.fleets if one.number == number), None)
    spot = fleet.at if fleet is not None else key
    waiting = state.pieces(seat, spot)
    # "The new owner must always keep at least one Piece in the hex."
    free = waiting.total
    if _must_leave_one(state, spot):
        free -= 1
    moves = fleet.left if fleet is not None else move_allowance(state, seat)
    # The South Island: "Warrior Bands and Colonies may move between Aotearoa and Te Waka Maui
    # without Transport Canoes." Ruling: not if a canoe has moved them this turn, and not among
    # enemies.
    walk = ""
    if fleet is None and waiting.b + waiting.c > 0 and free > 0:
        other = other_new_zealand_hex(state, spot)
        if other in NEIGHBOURS[spot] and classify_entry(state, seat, other) == QUIET:
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


def move_allowance(state: "State", seat: Seat) -> int:
    """Return how many hexes the seat's canoes and Rumors may move."""
    return BASE_MOVES + state.nations[seat].shows("doublehull")


def _must_leave_one(state: "State", spot: str) -> bool:
    """Return whether one waiting piece must stay in a conquered printed group.

    It may leave if a piece that has already moved stays there instead.
    """
    if not state.must_be_held(spot):
        return False
    if state.movement is None:
        return True
    set_down = any(place == spot and kinds.total for place, kinds in state.movement.spent)
    arrived = any(fleet.at == spot and not fleet.left for fleet in state.movement.fleets)
    return not set_down and not arrived
