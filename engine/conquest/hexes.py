"""What a hex is: Known or not, an Island Group or sea, Controlled, Independent, an enemy's."""

from typing import TYPE_CHECKING

from engine.conquest.board import PRINTED, TILES, UNKNOWN, Land
from engine.conquest.pieces import NOBODY, Stack, Tile

if TYPE_CHECKING:
    from engine.conquest.state import State


def land_at(state: "State", spot: str) -> Land | None:
    """The Island Group in sight there, printed or face up."""
    tile = state.tile_at.get(spot)
    if tile is not None:
        return TILES[tile.key] if tile.up else None
    return PRINTED.get(spot)


def hidden_at(state: "State", spot: str) -> Tile | None:
    """The face-down tile there."""
    tile = state.tile_at.get(spot)
    return tile if tile is not None and not tile.up else None


def is_unknown(state: "State", spot: str) -> bool:
    """Nothing has been discovered there yet."""
    return spot in UNKNOWN and spot not in state.tile_at and spot not in state.seas


def is_known(state: "State", spot: str) -> bool:
    """Open Ocean, a printed group or a face-up tile; by a ruling a face-down one is not, not
    even to its discoverer.
    """
    tile = state.tile_at.get(spot)
    return tile.up if tile is not None else not is_unknown(state, spot)


def is_sea(state: "State", spot: str) -> bool:
    """Open Ocean: cargo needs canoes there."""
    return land_at(state, spot) is None


def is_independent(state: "State", spot: str) -> bool:
    """A printed group with Local Warriors that nobody has conquered yet; an enemy's to all."""
    land = PRINTED.get(spot)
    if land is None or not land.warriors:
        return False
    group = state.group(spot)
    return group.owner == NOBODY and not group.taken


def enemy_at(state: "State", seat: int, spot: str) -> Stack | None:
    """Another seat's pieces there."""
    return next((stack for stack in state.stacks_at.get(spot, ()) if stack.seat != seat), None)


def is_enemy_group(state: "State", seat: int, spot: str) -> bool:
    """Independent, or Controlled by another."""
    return state.group(spot).owner not in (NOBODY, seat) or is_independent(state, spot)


def is_enemy_hex(state: "State", seat: int, spot: str) -> bool:
    """Independent, Controlled by another, or with another's pieces, Rumors too."""
    return is_enemy_group(state, seat, spot) or enemy_at(state, seat, spot) is not None


def controlled(state: "State", seat: int) -> tuple[str, ...]:
    """The seat's Island Groups, in the order of the map."""
    return tuple(group.spot for group in state.groups if group.owner == seat)


def room(state: "State", spot: str) -> int:
    """Boxes free for a Village: green ones and improved brown ones."""
    land, group = land_at(state, spot), state.group(spot)
    return 0 if land is None else land.green + group.improved - group.villages


def local_warriors(state: "State", spot: str) -> int:
    """One for one or two Villages, two for three or four; the printed number for an Independent
    group.
    """
    if is_independent(state, spot):
        return PRINTED[spot].warriors
    return (state.group(spot).villages + 1) // 2


def other_zealand(state: "State", spot: str) -> str:
    """The other of the two New Zealand tiles, '' if the hex is neither or the other is not in
    play.
    """
    both = state.zealand
    return next(other for other in both if other != spot) if spot in both else ""


def may_move(state: "State", seat: int) -> bool:
    """Whether everybody must think that the seat has pieces to move."""
    nation = state.nations[seat]
    return (
        not nation.ashore and not nation.rests and any(stack.seat == seat for stack in state.stacks)
    )
