"""Reasons why something is not possible in a turn: the rulebook's sentence against it."""

from engine.core.decision import Decision
from engine.core.event import Line
from engine.core.game import Point
from engine.maori.board import FAR, ROWS, Board, board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, WIDTH
from engine.maori.tiles import NO_TILE, VOLCANOES
from engine.maori.view import MaoriView, SideView

TO_OWN_TILES = ("remove_tile", "move_ship")
"""Questions for a tile that lies on the own board: of land it is enough to say that none does."""
BESIDE_THE_MATRIX = WIDTH + 3
"""How far to the right of the matrix the own board is thought to lie."""


def objection(view: MaoriView, decision: Decision, key: str) -> Line | None:
    """Return the reason against an answer; None if it is offered, or fits no question at all."""
    if any(option.key == key for option in decision.options):
        return None
    side, board = view.sides[decision.seat], board_of(view.board)
    if _is_land(key, board) and decision.kind not in TO_OWN_TILES:
        return "land", {"spot": key}
    match decision.kind:
        case "place_discoverer":
            return ("to_the_edge", {}) if _is_known(key, board) else None
        case "move_discoverer":
            return _to_position(view, decision, key, board)
        case "discover_tile":
            return _to_discover(view, side, key, board)
        case "place_tile":
            return _to_place(view, side, key, board)
        case "remove_tile":
            return _to_remove(side, key, board)
        case "move_ship":
            return _to_sail(side, key, board)
    return None


def _is_known(key: str, board: Board) -> bool:
    """Return whether it is a code or a word of any question."""
    words = ("stored", "remove", "nothing", "store", "stay")
    return key in POSITIONS or key in tuple(CELLS) or key in board.by_code or key in words


def _to_position(view: MaoriView, decision: Decision, key: str, board: Board) -> Line | None:
    if key not in POSITIONS:
        return ("discoverer_first", {}) if _is_known(key, board) else None
    steps = (POSITIONS.index(key) - POSITIONS.index(view.discoverer) - 1) % TRACK + 1
    facts = dict(decision.facts)
    return "too_far", {
        "spot": key,
        "steps": steps,
        "ships": facts["ships"],
        "shells": facts["shells"],
    }


def _to_discover(view: MaoriView, side: SideView, key: str, board: Board) -> Line | None:
    """Return the reason against a tile of the matrix, or another thing to do after sailing."""
    if key == "stored":
        return ("dear_to_place", {"shells": side.shells}) if side.stored else ("storage_empty", {})
    if key == "remove":
        return (
            ("ship_on_only_tile", {"spot": side.ship}) if side.tiles else ("nothing_to_remove", {})
        )
    if key in POSITIONS:
        return "discoverer_has_moved", {"spot": view.discoverer}
    if key not in tuple(CELLS):
        return ("tile_first", {}) if _is_known(key, board) else None
    spot, line = {"spot": key}, LINES[POSITIONS.index(view.discoverer)]
    cell = CELLS.index(key)
    if view.matrix[cell] == NO_TILE:
        return "no_tile", spot
    if cell not in line:
        return "not_in_line", {**spot, "position": view.discoverer}
    if view.matrix[cell] in VOLCANOES:
        return "volcano", spot
    before = [
        view.matrix[other] for other in line[: line.index(cell)] if view.matrix[other] != NO_TILE
    ]
    if any(tile in VOLCANOES for tile in before):
        return "behind_volcano", spot
    price = len(before)
    if price > side.shells:
        return "dear_tile", {**spot, "price": price, "shells": side.shells}
    # It could be paid, so the storage is full and no space is within reach for the shells that
    # would be left.
    return "neither_placed_nor_stored", {**spot, "left": side.shells - price}


def _to_place(view: MaoriView, side: SideView, key: str, board: Board) -> Line | None:
    if key == "store":
        return ("not_back", {}) if view.hand == "stored" else ("storage_full", {})
    if key in POSITIONS:
        return "discoverer_has_moved", {"spot": view.discoverer}
    if key in tuple(CELLS) or key in ("stored", "remove", "nothing"):
        return (
            ("tile_in_hand", {"spot": view.hand})
            if view.hand != "stored"
            else ("stored_in_hand", {})
        )
    if key not in board.by_code:
        return None
    spot = {"spot": key}
    tiles = _tiles(side, board)
    space = board.by_code[key].index
    if tiles[space] != NO_TILE:
        return "space_taken", spot
    _, fare = board.landing(tiles, board.by_code[side.ship].index, space)
    if fare == FAR:
        return "ship_cannot_reach", {**spot, "ship": side.ship}
    return "dear_space", {**spot, "fare": fare, "shells": side.shells, "ship": side.ship}


def _is_land(key: str, board: Board) -> bool:
    """Return whether the board's printed land covers a space, so that no tile can lie there."""
    return key not in board.by_code and len(key) == 2 and key[0] in ROWS and key[1] in "12345"


def _to_remove(side: SideView, key: str, board: Board) -> Line | None:
    if key not in board.by_code:
        return ("no_own_tile", {"spot": key}) if _is_land(key, board) else None
    return ("under_ship" if key == side.ship else "no_own_tile"), {"spot": key}


def _to_sail(side: SideView, key: str, board: Board) -> Line | None:
    if key not in board.by_code:
        return ("no_own_tile", {"spot": key}) if _is_land(key, board) else None
    return ("ship_is_there" if key == side.ship else "no_own_tile"), {"spot": key}


def _tiles(side: SideView, board: Board) -> list[int]:
    """Return the tiles of a seat by the index of their space."""
    tiles = [NO_TILE] * board.size
    for laid in side.tiles:
        tiles[board.by_code[laid.spot].index] = laid.tile
    return tiles


def places(view: MaoriView) -> dict[str, Point]:
    """Return the positions of the matrix with its track, and next to it the seat's own board."""
    last = WIDTH - 1
    found: dict[str, Point] = {
        cell: (place % WIDTH, place // WIDTH) for place, cell in enumerate(CELLS)
    }
    for place, code in enumerate(POSITIONS):
        edge, along = divmod(place, WIDTH)
        found[code] = ((along, -1), (WIDTH, along), (last - along, WIDTH), (-1, last - along))[edge]
    for space in board_of(view.board).spaces:
        found[space.code] = (BESIDE_THE_MATRIX + space.column, space.row)
    return found
