"""Questions about a hex: Known or not, Island Group or sea, Controlled, Independent, Enemy hex."""

from typing import TYPE_CHECKING

from engine.conquest.board import PRINTED, TILES, UNKNOWN, Land
from engine.conquest.pieces import NOBODY, Stack, Tile

if TYPE_CHECKING:
    from engine.conquest.state import State


def land_at(state: "State", spot: str) -> Land | None:
    """Return the Island Group in a hex, printed or face up; None if there is none in sight."""
    tile = state.tile_at.get(spot)
    if tile is not None:
        return TILES[tile.key] if tile.up else None
    return PRINTED.get(spot)


def face_down_tile_at(state: "State", spot: str) -> Tile | None:
    """Return the face-down tile in a hex, if there is one."""
    tile = state.tile_at.get(spot)
    return tile if tile is not None and not tile.up else None


def is_unknown(state: "State", spot: str) -> bool:
    """Return whether nothing has been discovered in a hex yet."""
    return spot in UNKNOWN and spot not in state.tile_at and spot not in state.seas


def is_known(state: "State", spot: str) -> bool:
    """Return whether a hex is Open Ocean, a printed group or a face-up tile.

    Ruling: a face-down tile is not Known, not even to its discoverer.
    """
    tile = state.tile_at.get(spot)
    return tile.up if tile is not None else not is_unknown(state, spot)


def is_sea(state: "State", spot: str) -> bool:
    """Return whether a hex holds no visible Island Group, so that cargo needs canoes there."""
    return land_at(state, spot) is None


def is_independent(state: "State", spot: str) -> bool:
    """Return whether it is a printed group with Local Warriors that was never conquered.

    Such groups are "considered enemy controlled by all players (until attacked and conquered)".
    """
    land = PRINTED.get(spot)
    if land is None or not land.warriors:
        return False
    group = state.group(spot)
    return group.owner == NOBODY and not group.taken


def enemy_at(state: "State", seat: int, spot: str) -> Stack | None:
    """Return another seat's stack in a hex, if there is one."""
    return next((stack for stack in state.stacks_at.get(spot, ()) if stack.seat != seat), None)


def is_enemy_group(state: "State", seat: int, spot: str) -> bool:
    """Return whether a group is Independent or Controlled by another seat."""
    return state.group(spot).owner not in (NOBODY, seat) or is_independent(state, spot)


def is_enemy_hex(state: "State", seat: int, spot: str) -> bool:
    """Return whether a hex is an Enemy hex: an enemy group, or any piece of another seat."""
    return is_enemy_group(state, seat, spot) or enemy_at(state, seat, spot) is not None


def controlled_groups(state: "State", seat: int) -> tuple[str, ...]:
    """Return the hexes of the seat's Controlled groups, in map order."""
    return tuple(group.spot for group in state.groups if group.owner == seat)


def free_village_boxes(state: "State", spot: str) -> int:
    """Return the boxes free for a Village: green ones, and brown ones with Improved Agriculture."""
    land = land_at(state, spot)
    if land is None:
        return 0
    group = state.group(spot)
    return land.green + group.improved - group.villages


def local_warriors(state: "State", spot: str) -> int:
    """Return how many Local Warriors defend a group.

    One for one or two Villages, two for three or four; for an Independent group the printed
    number.
    """
    if is_independent(state, spot):
        return PRINTED[spot].warriors
    # One Local Warrior for every two Villages, rounded up.
    return (state.group(spot).villages + 1) // 2


def other_new_zealand_hex(state: "State", spot: str) -> str:
    """Return the hex of the other New Zealand tile; '' if this is neither, or only one is there."""
    both = state.zealand
    if spot not in both:
        return ""
    return both[1] if spot == both[0] else both[0]


def must_ask_to_move(state: "State", seat: int) -> bool:
    """Return whether the seat may have pieces to move, by what everybody can see."""
    nation = state.nations[seat]
    if nation.ashore or nation.rests:
        return False
    return any(stack.seat == seat for stack in state.stacks)
