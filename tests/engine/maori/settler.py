"""A Maori player for tests that need full boards: it places near tiles where they fit."""

from collections.abc import Callable

from engine import Answer, Decision, Match, Seat
from engine.maori.board import board_of
from engine.maori.tiles import SIDES, TILES
from engine.maori.view import MaoriView


def play_turn(match: Match) -> Match:
    """Play a whole turn of the seat to move."""
    (seat,) = match.waiting_for()
    while not match.is_complete(seat):
        (decision,) = match.decisions(seat)
        match = match.pick(Answer(seat, decision.kind, (choice(match, decision),)))
    return match.confirm(seat)


def play_to_end(match: Match) -> Match:
    """Play a match to its end."""
    while match.outcome is None:
        match = play_turn(match)
    return match


def choice(match: Match, decision: Decision) -> str:
    """Return the key that this player picks."""
    keys = [option.key for option in decision.options]
    if decision.kind == "move_ship":
        return keys[match.number % len(keys)]
    if decision.kind == "place_discoverer":
        return keys[match.number % 16]
    dislike = reluctance(match, decision.seat)
    return min(keys, key=lambda key: (dislike(key), key))


def reluctance(match: Match, seat: Seat) -> Callable[[str], int]:
    """Return a function that ranks keys, the best first.

    Keys that cost shells rank lower; resting and removing a tile are last resorts.
    """
    view = match.view(seat)
    assert isinstance(view, MaoriView)
    prices = dict(view.prices)
    words = {"remove": 90, "nothing": 80, "stored": 1, "store": 3}

    def dislike(key: str) -> int:
        if key in words:
            return words[key]
        paid = 2 * prices.get(key, 0)
        return paid + _misfit(view, seat, key) if view.hand else paid - bool(view.note(key))

    return dislike


def _misfit(view: MaoriView, seat: Seat, spot: str) -> int:
    """Count the land sides of the tile in hand that meet no land, minus those that do."""
    board, own = board_of(view.board), view.sides[seat]
    number = (
        own.stored if view.hand == "stored" else view.matrix["abcdefghijklmnop".index(view.hand)]
    )
    lying = {laid.spot: TILES[laid.tile] for laid in own.tiles}
    tile, space = TILES[number], board.by_code[spot]
    total = 0
    for side in range(len(SIDES)):
        other = board.beside[space.index][side]
        near = lying.get(board.code(other)) if other >= 0 else None
        meets = near is not None and (side + 2) % 4 in near.land
        if side in tile.land:
            total += -2 if meets else 2 if near or other < 0 else 0
        else:
            total += 2 if meets else 0
    return total
