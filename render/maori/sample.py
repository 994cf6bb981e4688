"""Positions on which the palette of Maori is trained.

Random matches show every question of a turn, and filled boards look as people fill them.
"""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from engine import Answer, Match, View
from engine.maori.board import Board, board_of
from engine.maori.tiles import COUNT, NO_TILE, TILES
from engine.maori.view import Laid, MaoriView, SideView
from render import Scene
from render.sample import NAMES, play_randomly, scene_of

SETTINGS: tuple[tuple[int, dict[str, Any]], ...] = (
    (5, {}),
    (4, {"board": "atoll", "rules": "advanced"}),
    (3, {"rules": "pro"}),
    (2, {"board": "atoll"}),
)
"""Number of seats and settings of each match."""
SHARES = (0.02, 0.3, 0.6, 0.9, 1.0)
"""How far into a match a position is taken, and how full its boards are made."""
TRIES_TO_FILL = 200
"""Islands that are tried on a board: enough to fill it."""
ISLAND_LENGTHS = (1, 1, 2, 2, 3)
"""From which the length of an island is drawn."""


def posed() -> Iterator[tuple[View, Scene]]:
    """Yield views with their scenes: public ones, and every question of a turn."""
    for seats, settings in SETTINGS:
        matches = list(play_randomly("maori", seats, 100 + seats, settings))
        for share in SHARES:
            match = matches[int(share * (len(matches) - 1))]
            yield from _yield_questions(match)
            yield fill_boards(match.view(None), share, seed=seats), Scene(NAMES)


def _yield_questions(match: Match) -> Iterator[tuple[View, Scene]]:
    """Yield each question of a turn as its seat sees it."""
    for seat in match.waiting_for():
        while not match.is_complete(seat):
            decision = match.decisions(seat)[0]
            yield match.view(seat), scene_of(match)
            # 'nothing' is the last option and shows least: if it is there, take the first one.
            is_optional = any(option.ends or option.forfeits for option in decision.options)
            option = decision.options[0] if is_optional else decision.options[-1]
            match = match.pick(Answer(seat, decision.kind, (option.key,)))


def fill_boards(view: View, share: float, seed: int) -> MaoriView:
    """Return the view with that share of every board filled with islands that join."""
    assert isinstance(view, MaoriView)
    chance = random.Random(seed)
    board = board_of(view.board)
    tiles = chance.sample(range(1, COUNT + 1), COUNT)
    sides = [_fill_board(side, board, tiles, share, chance) for side in view.sides]
    return replace(view, sides=tuple(sides))


def _fill_board(
    side: SideView, board: Board, tiles: list[int], share: float, chance: random.Random
) -> SideView:
    """Return a board with random islands, their tiles taken out of `tiles`."""
    laid: dict[str, int] = {}
    free = {(space.row, space.column): space.code for space in board.spaces}
    wanted = round(share * len(board.spaces))
    for _ in range(TRIES_TO_FILL):
        row, column = chance.choice(sorted(free))
        length = chance.choice(ISLAND_LENGTHS)
        across = chance.random() < 0.5
        right, down = (1, 0) if across else (0, 1)
        run = [(row + down * i, column + right * i) for i in range(length)]
        if len(laid) >= wanted or not all(spot in free for spot in run):
            continue
        for spot, shape in zip(run, _choose_shapes(length, across, chance), strict=True):
            fitting = (number for number in tiles if TILES[number].shape == shape)
            number = next(fitting, NO_TILE)
            if number != NO_TILE:
                tiles.remove(number)
                laid[free.pop(spot)] = number
        if not free:
            break
    shown = tuple(Laid(code, laid[code]) for code in sorted(laid))
    ship = shown[0].spot if shown and side.ship else ""
    return replace(side, tiles=shown, islands=(), removed=(), ship=ship)


def _choose_shapes(length: int, across: bool, chance: random.Random) -> list[str]:
    """Return the shapes that make an island of that length; a single tile may be water."""
    if length == 1:
        return [chance.choice(("single", "ship_water", "shell_water", "open_water"))]
    if across:
        return ["left_end", *["h_middle"] * (length - 2), "right_end"]
    return ["top_end", *["v_middle"] * (length - 2), "bottom_end"]
