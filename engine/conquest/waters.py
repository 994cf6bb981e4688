"""What a hex is to a seat: Known or not, an enemy's or quiet, in a chain, in reach of an Explorer."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.conquest.bits import bits, flood, spots_of
from engine.conquest.board import (
    EASTERN,
    NEIGHBOURS,
    PIECES,
    PRINTED,
    TILES,
    UNKNOWN,
    Land,
    in_order,
)
from engine.conquest.entries import entries
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NOBODY, Kinds, Stack, Tile
from engine.core.decision import Seat

if TYPE_CHECKING:
    from engine.conquest.state import State

ALL_PIECES: Final = Kinds(**PIECES)


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
    return spot in UNKNOWN and spot not in state.sea_set and spot not in state.tile_at


def is_known(state: "State", spot: str) -> bool:
    """Open Ocean, a printed group or a face-up tile; a face-down tile is not Known, not even to its discoverer."""
    tile = state.tile_at.get(spot)
    if tile is not None:
        return tile.up
    return spot not in UNKNOWN or spot in state.sea_set


def is_sea(state: "State", spot: str) -> bool:
    """Open Ocean: cargo needs canoes there."""
    return land_at(state, spot) is None


def is_independent(state: "State", spot: str) -> bool:
    """A printed group with Local Warriors that nobody has conquered yet."""
    land = PRINTED.get(spot)
    if land is None or not land.warriors or spot in state.tile_at:
        return False
    group = state.group(spot)
    return group.owner == NOBODY and not group.taken


def enemy_at(state: "State", seat: int, spot: str) -> Stack | None:
    """Another seat's pieces there."""
    for other, stacks in state.stacks_of.items():
        if other != seat and spot in stacks:
            return stacks[spot]
    return None


def controlled(state: "State", seat: int) -> tuple[str, ...]:
    """The seat's Island Groups, in the order of the map."""
    return state.controlled.get(seat, ())


def room(state: "State", spot: str) -> int:
    """Boxes free for a Village: green ones and improved brown ones."""
    land, group = land_at(state, spot), state.group(spot)
    return 0 if land is None else land.green + group.improved - group.villages


def local_warriors(state: "State", spot: str) -> int:
    """One for one or two Villages, two for more; the printed number for an Independent group."""
    if is_independent(state, spot):
        return PRINTED[spot].warriors
    return (state.group(spot).villages + 1) // 2


def chains(state: "State", seat: int) -> tuple[frozenset[str], ...]:
    """Connected sets of hexes with the seat's open canoes."""
    return _chains(state.stacks_of[seat].opened)


@lru_cache(maxsize=1024)
def _chains(opened: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    left, found = bits(opened), []
    while left:
        chain = flood(left & -left, left)
        left ^= chain
        found.append(frozenset(spots_of(chain)))
    return tuple(found)


def home_chain(state: "State", seat: int) -> frozenset[str]:
    """The chain that holds the seat's Home; empty without a canoe there."""
    home = state.nations[seat].home
    return next((chain for chain in chains(state, seat) if home in chain), frozenset())


def links(state: "State", seat: int) -> tuple[tuple[str, str], ...]:
    """Pairs of neighbouring hexes with the seat's open canoes, those of fleets under way included."""
    opened = set(state.stacks_of[seat].opened)
    if state.movement is not None and state.movement.seat == seat:
        opened.update(state.movement.opened)
    pairs = ((spot, other) for spot in in_order(opened) for other in NEIGHBOURS[spot] if other in opened)
    return tuple((spot, other) for spot, other in pairs if spot < other)


def reach(state: "State", seat: int, eastern: bool = True) -> int:
    """Where the Pre-move can take an Explorer: over Known hexes that are no enemy's."""
    quiet = entries(state, seat).quiet
    return flood(bits(controlled(state, seat)), quiet if eastern else quiet & ~bits(EASTERN))


def left_neighbour(state: "State", seat: int) -> Seat:
    """The next seat clockwise that is not out."""
    count = len(state.nations)
    around = (Seat((seat + step) % count) for step in range(1, count))
    return next((other for other in around if not state.nations[other].out), Seat(seat))


@kept_by_key("stacks", "movement", "battle")
def on_map(state: "State", seat: int) -> Kinds:
    """All the seat's pieces on the map, those under way and in Battle included."""
    kinds = state.stacks_of[seat].kinds
    if state.movement is not None and state.movement.seat == seat:
        for fleet in state.movement.fleets:
            kinds = kinds.plus(fleet.kinds)
        for _, spent in state.movement.spent:
            kinds = kinds.plus(spent)
    if state.battle is not None and state.battle.shown:
        for side in (0, 1):
            if state.battle.seat(side) == seat:
                kinds = kinds.plus(state.battle.sides[side].survivors)
    return kinds


def unbuilt(state: "State", seat: int) -> Kinds:
    """The seat's pieces that are not on the map."""
    return ALL_PIECES.minus(on_map(state, seat))


@kept_by_key("tiles", "voyage")
def markers_out(state: "State", seat: Seat) -> tuple[str, ...]:
    """Face-down tiles with the seat's Discovered Island Marker, but not one it has still to hide or show."""
    keep = state.voyage.keep if state.voyage is not None and state.voyage.seat == seat else ""
    return tuple(tile.spot for tile in state.face_down if seat in tile.seen and tile.spot != keep)


def other_zealand(state: "State", spot: str) -> str:
    """The other of the two New Zealand tiles, '' if the hex is neither or the other is not in play."""
    if spot not in state.zealand:
        return ""
    return next(other for other in state.zealand if other != spot)
