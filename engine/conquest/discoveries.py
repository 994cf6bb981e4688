"""Discoveries: the voyage under way, Discovered Island Markers, and turning tiles face up."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.conquest.board import AOTEAROA, NEIGHBOURS, PRINTED, SOUTH_ISLAND, south_west
from engine.conquest.pieces import NOBODY, Tile, Voyage
from engine.conquest.refusals import Refusal, hex_refusal
from engine.conquest.sea_events import SouthIslandPlaced, TileRevealed
from engine.core.decision import Seat
from engine.core.event import Tell

if TYPE_CHECKING:
    from engine.conquest.state import State


def current_voyage(state: "State") -> Voyage:
    """Return the voyage under way."""
    if state.voyage is None:
        raise ValueError("no Explorer is at sea")
    return state.voyage


def adjacency_refusal(state: "State", spot: str) -> Refusal:
    """Return why the Explorer at sea cannot reach a hex in one step."""
    at = current_voyage(state).at
    if spot == at:
        return hex_refusal("explorer_is_there", spot)
    return None if spot in NEIGHBOURS[at] else ("not_beside", {"spot": spot, "at": at})


def marked_hexes(state: "State", seat: Seat) -> tuple[str, ...]:
    """Return the face-down tiles under the seat's Discovered Island Markers.

    A tile that the seat has yet to hide or show has no marker so far.
    """
    keep = state.voyage.keep if state.voyage is not None and state.voyage.seat == seat else ""
    return tuple(tile.spot for tile in state.face_down if seat in tile.seen and tile.spot != keep)


def reveal_tile(state: "State", spot: str, seat: int, tell: Tell) -> "State":
    """Turn a tile face up and return its markers; Aotearoa brings the South Island with it."""
    tile = state.tile_at[spot]
    tell(TileRevealed(seat, spot, tile.key))
    state = state.with_tile(Tile(spot, tile.key, up=True))
    if tile.key == AOTEAROA and state.maui == "aside":
        return _place_south_island(state, south_west(spot), tell)
    return state


def _place_south_island(state: "State", spot: str, tell: Tell) -> "State":
    """Place the South Island in a hex, or remove it from the game if the hex is taken.

    It "takes the place of any Unexplored hex, any Open Ocean hex [...] or any FACE DOWN Island
    Group Tile"; a face-up tile, a printed group or the edge of the map keeps it out. Ruling: it
    lies south-west of Aotearoa for every seat. Pieces and Explorers in the hex stay, and Knots
    showing there still count.
    """
    tile = state.tile_at.get(spot)
    if not spot or spot in PRINTED or (tile is not None and tile.up):
        tell(SouthIslandPlaced(""))
        return state.with_changes(maui="out")
    tell(SouthIslandPlaced(spot, tile is not None))
    if tile is not None:
        # The tile leaves the game face down: only its discoverers know which one it was.
        state = state.with_changes(gone=(*state.gone, tile))
    if state.voyage is not None and state.voyage.keep == spot:
        state = state.with_changes(voyage=replace(state.voyage, keep=""))
    seas = tuple(sea for sea in state.seas if sea != spot)
    return state.with_changes(seas=seas, maui="placed").with_tile(Tile(spot, SOUTH_ISLAND, up=True))


def reveal_seen_by_all(state: "State", tell: Tell) -> "State":
    """Turn up every tile that all seats have discovered."""
    for tile in state.face_down:
        if set(state.seats) <= set(tile.seen):
            state = reveal_tile(state, tile.spot, NOBODY, tell)
    return state
