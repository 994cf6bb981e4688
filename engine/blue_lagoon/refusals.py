"""Refusals: which sentence of the rulebook forbids placing a piece.

A refusal is a key of [why] in text/en.toml with its facts. It is computed from the seat's view, so
it can reveal nothing that the seat does not know. A test checks that the sentences are true.
"""

from engine.blue_lagoon.board import board_of, places_of
from engine.blue_lagoon.view import BlueLagoonView
from engine.core.decision import Decision
from engine.core.event import Line
from engine.core.game import Point

ROW_HEIGHT = 0.75**0.5
"""From one row of hexes to the next, in widths of a hex."""


def refusal(view: BlueLagoonView, decision: Decision, key: str) -> Line | None:
    """Return why a settler or boat ('17', 'g7') or a village ('g7v') cannot be placed.

    None if it can, or if there is no such space.
    """
    board, side = board_of(view.map), view.sides[decision.seat]
    is_village = key not in board.by_code and key.endswith("v")
    place = board.by_code.get(key.removesuffix("v") if is_village else key)
    if place is None or any(option.key == key for option in decision.options):
        return None
    spot = {"spot": place.code}

    standing = next((piece for piece in view.pieces if piece.spot == place.code), None)
    if standing is not None:
        if standing.seat == decision.seat:
            return "own_piece", spot
        return "taken", {**spot, "owner": standing.seat}
    if is_village:
        if not place.island:
            return "village_at_sea", spot
        if view.phase == "settlement":
            return "no_more_villages", {}
        if not side.villages_left:
            return "no_village_left", {}
    elif not side.settlers_left:
        return "no_settler_left", {}
    own = places_of(
        board.by_code[piece.spot] for piece in view.pieces if piece.seat == decision.seat
    )
    if board.near(own) & place.bit:
        return None
    return ("not_beside" if place.island else "sea_not_beside"), spot


def places(view: BlueLagoonView) -> dict[str, Point]:
    """Return the position of every space; even rows are shifted half a space to the right."""
    found: dict[str, Point] = {}
    for place in board_of(view.map).places:
        shift = 0.5 if place.row % 2 == 0 else 0.0
        found[place.code] = (place.column + shift, place.row * ROW_HEIGHT)
    return found
