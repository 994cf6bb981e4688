"""What Explorers find: the voyage under way, whose markers lie on tiles, and what turns tiles
up.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import AOTEAROA, NEIGHBOURS, PRINTED, SOUTH_ISLAND, south_west
from engine.conquest.pieces import NOBODY, Tile, Voyage
from engine.conquest.reasons import Objection, about_hex
from engine.conquest.sea_events import SouthIslandPlaced, TileRevealed
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State


def exploring(state: "State") -> Voyage:
    """The voyage under way."""
    if state.voyage is None:
        raise ValueError("no Explorer is at sea")
    return state.voyage


def beside_objection(state: "State", spot: str) -> Objection:
    """Return why the Explorer at sea cannot go to a hex in one step."""
    at = exploring(state).at
    if spot == at:
        return about_hex("explorer_is_there", spot)
    return None if spot in NEIGHBOURS[at] else ("not_beside", {"spot": spot, "at": at})


def markers_out(state: "State", seat: Seat) -> tuple[str, ...]:
    """Face-down tiles with the seat's Discovered Island Marker, but not one it has still to hide
    or show.
    """
    keep = state.voyage.keep if state.voyage is not None and state.voyage.seat == seat else ""
    return tuple(tile.spot for tile in state.face_down if seat in tile.seen and tile.spot != keep)


def reveal_tile(state: "State", spot: str, seat: int, tell: Tell) -> "State":
    """A tile turned face up, its markers back to their owners; Aotearoa brings the South Island
    with it.
    """
    tile = state.tile_at[spot]
    tell(TileRevealed(seat, spot, tile.key))
    state = state.with_tile(Tile(spot, tile.key, up=True))
    if tile.key == AOTEAROA and state.maui == "aside":
        return _place_south_island(state, south_west(spot), tell)
    return state


def _place_south_island(state: "State", spot: str, tell: Tell) -> "State":
    """On Unknown, ocean or a face-down tile; what is face up or printed, or the edge of the map,
    keeps it out.

    By a ruling it lies south-west of Aotearoa for everybody; pieces and Explorers there stay, Knots
    that show count on.
    """
    tile = state.tile_at.get(spot)
    if not spot or spot in PRINTED or (tile is not None and tile.up):
        tell(SouthIslandPlaced(""))
        return state.changed(maui="out")
    tell(SouthIslandPlaced(spot, tile is not None))
    if tile is not None:
        # Removed from the game face down: what it was is still its discoverers' secret.
        state = state.changed(gone=(*state.gone, tile))
    if state.voyage is not None and state.voyage.keep == spot:
        state = state.changed(voyage=replace(state.voyage, keep=""))
    seas = tuple(sea for sea in state.seas if sea != spot)
    return state.changed(seas=seas, maui="placed").with_tile(Tile(spot, SOUTH_ISLAND, up=True))


def reveal_seen_by_all(state: "State", tell: Tell) -> "State":
    """Tiles that every seat has discovered turn up by themselves."""
    for tile in state.face_down:
        if set(state.seats) <= set(tile.seen):
            state = reveal_tile(state, tile.spot, NOBODY, tell)
    return state
