"""Where a seat's canoes may go: what it means to sail to each hex, and the ways over those that may be entered."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.bits import BIT, beside, bits
from engine.conquest.board import BESIDE, CHART, NEIGHBOURS
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NOBODY
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

INDEPENDENT: Final = bits(land.spot for land in CHART.printed if land.warriors)
"""Printed groups with Local Warriors, as long as nobody has conquered them."""


class Shores(Struct, frozen=True, gc=False):
    """What it would mean to a seat to sail to each hex of the map if no pieces lay anywhere."""

    quiet: int
    fights: int
    hidden: int


class Entries(Struct, frozen=True, dict=True):
    """What it means to a seat to sail to each hex of the map; hexes in none of these sets may not be entered."""

    quiet: int
    """Nobody minds."""
    hidden: int
    """Own face-down tiles, turned up by sailing there."""
    fights: int
    """War Canoes must stop and attack."""
    passes: int
    """War Canoes may sail on."""
    asks: int
    """War Canoes may sail on if none is there."""

    @Once
    def enemy(self) -> int:
        """Hexes where a canoe meets an enemy."""
        return self.fights | self.passes | self.asks

    @Once
    def entered(self) -> tuple[int, int]:
        """Hexes that may be entered: by any canoe, and with a War Canoe along."""
        peaceful = self.quiet | self.hidden
        return peaceful, peaceful | self.enemy

    @Once
    def left(self) -> tuple[int, int]:
        """Hexes that may be sailed through: by any canoe, and with a War Canoe along."""
        return self.quiet, self.quiet | self.passes

    @Once
    def exits(self) -> tuple[int, int]:
        """Hexes next to one that may be entered: by any canoe, and with a War Canoe along."""
        return beside(self.entered[False]), beside(self.entered[True])

    def rings(self, start: str, moves: int, war: bool) -> tuple[int, ...]:
        """The hexes in reach with one move, those with two, and so on."""
        enters, leaves = self.entered[war], self.left[war]
        edge = found = BIT[start]
        rings: tuple[int, ...] = ()
        for _ in range(moves):
            ring = beside(edge) & enters & ~found
            rings += (ring,)
            found |= ring
            edge = ring & leaves
        return rings

    def way(self, start: str, target: str, war: bool) -> tuple[str, ...]:
        """The shortest way to a hex in reach; of several the first one clockwise from the north."""
        if target in BESIDE[start]:
            return start, target
        passed = self.entered[war] & self.left[war]
        for here in NEIGHBOURS[start]:
            if target in BESIDE[here] and BIT[here] & passed:
                return start, here, target
        return self._long_way(start, target, war)

    def _long_way(self, start: str, target: str, war: bool) -> tuple[str, ...]:
        enters, leaves = self.entered[war], self.left[war]
        ways: dict[str, tuple[str, ...]] = {start: (start,)}
        edge = [start]
        for here in edge:
            for spot in NEIGHBOURS[here]:
                if spot not in ways and BIT[spot] & enters:
                    ways[spot] = (*ways[here], spot)
                    if BIT[spot] & leaves:
                        edge.append(spot)
            if target in ways:
                break
        return ways[target]


@kept_by_key("tiles", "seas", "groups", "stacks", "movement")
def entries(state: "State", seat: int) -> Entries:
    """The seat's entries now. Its own pieces are nothing to them, so that they outlive its Movement."""
    lying = lone = 0
    for other, stacks in state.stacks_of.items():
        if other != seat:
            lying |= stacks.lying
            lone |= stacks.lone
    answered = state.movement.answered if state.movement is not None else ()
    return _entries(state, (seat, lying, lone, answered))


@kept_by_key("tiles", "seas", "groups")
def _entries(state: "State", met: tuple[int, int, int, tuple[tuple[str, bool], ...]]) -> Entries:
    seat, lying, lone, answered = met
    shores = _shores(state, seat)
    enemy = lying & shores.quiet
    asked = bits(spot for spot, _ in answered) & enemy
    armed = bits(spot for spot, has_war_canoe in answered if has_war_canoe) & enemy
    passes = (asked & ~armed) | (lone & enemy & ~asked)
    return Entries(shores.quiet & ~enemy, shores.hidden, shores.fights | armed, passes, enemy & ~armed & ~passes)


@kept_by_key("tiles", "seas", "groups")
def _shores(state: "State", seat: int) -> Shores:
    conquered = bits(group.spot for group in state.groups if group.owner != NOBODY or group.taken)
    foreign = bits(group.spot for group in state.groups if group.owner not in (NOBODY, seat))
    fights = (foreign | INDEPENDENT & ~conquered) & state.known
    hidden = bits(tile.spot for tile in state.face_down if seat in tile.seen)
    return Shores(state.known & ~fights, fights, hidden)


def is_enemy_hex(state: "State", seat: int, spot: str) -> bool:
    """Independent, Controlled by another, or with another's pieces."""
    return entries(state, seat).enemy & BIT[spot] != 0
