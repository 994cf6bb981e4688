"""Sets up Maori positions from board codes and tile numbers, and plays them with scripted draws."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Seat, Table
from engine.maori import GAME
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, POSITIONS
from engine.maori.state import SHELLS, Side, State
from engine.maori.steps import MoveDiscoverer
from engine.maori.view import MaoriView
from tests.engine import play
from tests.engine.play import Scripted

SETTINGS = {"rules": "basic", "board": "front", "first": "1"}
PLAIN = (79, 80, 81, 82, 1, 2, 3, 4, 22, 23, 36, 37, 50, 63, 69, 76)
"""A matrix without ships, shells, huts and leis."""
FULL = "q3 q4 q5 r1 r2 r3 r4 r5 s1 s2 s3 s4 s5 t1 t2 t3"
"""The spaces of the front."""


class Play(play.Play[State, MaoriView]):
    """A match of Maori without drafts."""

    game = GAME

    def prices(self) -> dict[str, int]:
        """The price of each offered spot."""
        offered = (option for option in self.decision.options if option.spot)
        return {option.key: int(dict(option.facts).get("paid", 0)) for option in offered}

    def play(self, text: str) -> "Play":
        """Give legal answers, joined as a person types them."""
        return self.answer(*text.split(","))

    def side(self, seat: int = 0) -> Side:
        """Return a seat's board, storage and shells."""
        return self.state.sides[seat]

    def tile_at(self, code: str, seat: int = 0) -> int:
        """Return the tile on a space."""
        return self.side(seat).tiles[self.state.board.by_code[code].index]

    def ship(self, seat: int = 0) -> str:
        """Return where a seat's small ship is."""
        return self.view.sides[seat].ship


def new_play(seats: int = 2, table: Table | None = None, **settings: str) -> Play:
    """Return a new match; without a random source the matrix is T01 to T16 in order."""
    table = table or Scripted()
    return Play(GAME.setup(seats, {**SETTINGS, **settings}, table), table)


def side(
    tiles: str = "",
    shells: int = 5,
    stored: int = 0,
    ship: str = "",
    board: str = "front",
    fill: str = "",
) -> Side:
    """Return a side from 'q3=15 q4=71': a tile number for each space; `fill` means tile 79."""
    made = board_of(board)
    numbers = [0] * made.size
    for code in fill.split():
        numbers[made.by_code[code].index] = 79
    for code, _, number in (entry.partition("=") for entry in tiles.split()):
        numbers[made.by_code[code].index] = int(number)
    return Side(tuple(numbers), stored, shells, made.by_code[ship].index if ship else -1)


def position(
    *sides: Side,
    rules: str = "basic",
    board: str = "front",
    discoverer: str = "1",
    matrix: Sequence[int] | None = None,
    supply: Sequence[int] = (83, 84, 85, 86, 87, 88, 89, 90),
    turn: int = 0,
    bank: int | None = None,
    script: Sequence[int] = (),
    **changes: object,
) -> Play:
    """Return a match in this position. The bank holds all other shells by default."""
    state = State(
        board_name=board,
        rules=rules,
        matrix=tuple(matrix or PLAIN),
        supply=tuple(supply),
        bank=SHELLS - sum(own.shells for own in sides) if bank is None else bank,
        discoverer=POSITIONS.index(discoverer),
        sides=sides,
        filled=None,
        idle=0,
        turns=0,
        turn=None,
        rows=(),
        reason="",
        agenda=(MoveDiscoverer(Seat(turn)),),
    )
    return Play(replace(state, **changes), Scripted(*script))


def matrix_with(**cells: int) -> tuple[int, ...]:
    """Return the plain matrix with other tiles in some cells, 0 for none."""
    numbers = list(PLAIN)
    for cell, tile in cells.items():
        numbers[CELLS.index(cell)] = tile
    return tuple(numbers)
