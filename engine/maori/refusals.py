"""Refusals: which sentence of the rulebook forbids a choice in a turn.

A refusal is a key of [why] in text/en.toml with its facts. It is computed from the seat's view, so
it can reveal nothing that the seat does not know. A test checks that the sentences are true.
"""

from engine.core.decision import Decision
from engine.core.event import Line
from engine.core.game import Point
from engine.maori.board import ROWS, UNREACHABLE, Board, board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, WIDTH
from engine.maori.tiles import NO_TILE, VOLCANOES
from engine.maori.view import MaoriView, SideView

OWN_TILE_QUESTIONS = ("remove_tile", "move_ship")
"""Questions for a tile on the seat's own board.

For a code of printed land, they say that no tile lies there, and not that it is land.
"""
BESIDE_THE_MATRIX = WIDTH + 3
"""The column at which `places` puts the seat's own board, to the right of the matrix."""


def refusal(view: MaoriView, decision: Decision, key: str) -> Line | None:
    """Return why an answer is illegal; None if it is legal, or if no question has such a key."""
    if any(option.key == key for option in decision.options):
        return None
    side, board = view.sides[decision.seat], board_of(view.board)
    if _is_land(key, board) and decision.kind not in OWN_TILE_QUESTIONS:
        return "land", {"spot": key}
    match decision.kind:
        case "place_discoverer":
            return ("to_the_edge", {}) if _is_known(key, board) else None
        case "move_discoverer":
            return _position_refusal(view, decision, key, board)
        case "discover_tile":
            return _discovery_refusal(view, side, key, board)
        case "place_tile":
            return _placing_refusal(view, side, key, board)
        case "remove_tile":
            return _removal_refusal(side, key, board)
        case "move_ship":
            return _ship_move_refusal(side, key, board)
    return None


def _is_known(key: str, board: Board) -> bool:
    """Return whether a key is a code or a word of any question."""
    words = ("stored", "remove", "nothing", "store", "stay")
    return key in POSITIONS or key in tuple(CELLS) or key in board.by_code or key in words


def _position_refusal(view: MaoriView, decision: Decision, key: str, board: Board) -> Line | None:
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


def _discovery_refusal(view: MaoriView, side: SideView, key: str, board: Board) -> Line | None:
    """Return why a tile of the matrix cannot be taken, or why another action is illegal now."""
    if key == "stored":
        return ("dear_to_place", {"shells": side.shells}) if side.stored else ("storage_empty", {})
    if key == "remove" and side.tiles:
        return "ship_on_only_tile", {"spot": side.ship}
    if key == "remove":
        return "nothing_to_remove", {}
    if key in POSITIONS:
        return "discoverer_has_moved", {"spot": view.discoverer}
    if key not in tuple(CELLS):
        return ("tile_first", {}) if _is_known(key, board) else None
    spot = {"spot": key}
    line = LINES[POSITIONS.index(view.discoverer)]
    cell = CELLS.index(key)
    if view.matrix[cell] == NO_TILE:
        return "no_tile", spot
    if cell not in line:
        return "not_in_line", {**spot, "position": view.discoverer}
    if view.matrix[cell] in VOLCANOES:
        return "volcano", spot
    nearer = [view.matrix[other] for other in line[: line.index(cell)]]
    if any(tile in VOLCANOES for tile in nearer):
        return "behind_volcano", spot
    # Each tile that is skipped costs a shell; gaps are free.
    price = sum(tile != NO_TILE for tile in nearer)
    if price > side.shells:
        return "dear_tile", {**spot, "price": price, "shells": side.shells}
    # The seat can pay for the tile. So its storage is full, and the shells that are left would not
    # bring the tile to any space.
    return "neither_placed_nor_stored", {**spot, "left": side.shells - price}


def _placing_refusal(view: MaoriView, side: SideView, key: str, board: Board) -> Line | None:
    in_hand_is_stored = view.hand == "stored"
    if key == "store":
        return ("not_back", {}) if in_hand_is_stored else ("storage_full", {})
    if key in POSITIONS:
        return "discoverer_has_moved", {"spot": view.discoverer}
    if key in tuple(CELLS) or key in ("stored", "remove", "nothing"):
        if in_hand_is_stored:
            return "stored_in_hand", {}
        return "tile_in_hand", {"spot": view.hand}
    if key not in board.by_code:
        return None
    spot = {"spot": key}
    tiles = [NO_TILE] * board.size
    for laid in side.tiles:
        tiles[board.by_code[laid.spot].index] = laid.tile
    space = board.by_code[key].index
    if tiles[space] != NO_TILE:
        return "space_taken", spot
    _, fare = board.find_landing(tiles, board.by_code[side.ship].index, space)
    if fare == UNREACHABLE:
        return "ship_cannot_reach", {**spot, "ship": side.ship}
    return "dear_space", {**spot, "fare": fare, "shells": side.shells, "ship": side.ship}


def _is_land(key: str, board: Board) -> bool:
    """Return whether the board's printed land covers a space, so that no tile can lie there."""
    return key not in board.by_code and len(key) == 2 and key[0] in ROWS and key[1] in "12345"


def _removal_refusal(side: SideView, key: str, board: Board) -> Line | None:
    if key not in board.by_code:
        return ("no_own_tile", {"spot": key}) if _is_land(key, board) else None
    return ("under_ship" if key == side.ship else "no_own_tile"), {"spot": key}


def _ship_move_refusal(side: SideView, key: str, board: Board) -> Line | None:
    if key not in board.by_code:
        return ("no_own_tile", {"spot": key}) if _is_land(key, board) else None
    return ("ship_is_there" if key == side.ship else "no_own_tile"), {"spot": key}


def places(view: MaoriView) -> dict[str, Point]:
    """Return the coordinates of the matrix, of its track, and of the seat's own board beside it."""
    found: dict[str, Point] = {}
    for number, cell in enumerate(CELLS):
        found[cell] = (number % WIDTH, number // WIDTH)
    # Positions go clockwise around the matrix: above, right, below, left.
    last = WIDTH - 1
    for number, code in enumerate(POSITIONS):
        side, along = divmod(number, WIDTH)
        by_side = (
            (along, -1),
            (WIDTH, along),
            (last - along, WIDTH),
            (-1, last - along),
        )
        found[code] = by_side[side]
    for space in board_of(view.board).spaces:
        found[space.code] = (BESIDE_THE_MATRIX + space.column, space.row)
    return found
