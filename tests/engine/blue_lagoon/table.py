"""Sets up Blue Lagoon positions from the board's codes, and plays them with scripted dice."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine import Seat, Table
from engine.blue_lagoon import GAME
from engine.blue_lagoon.board import ITEMS, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.state import EXPLORATION, NOTHING, Side, State
from engine.blue_lagoon.steps import PlacePiece
from engine.blue_lagoon.view import BlueLagoonView
from tests.engine import play
from tests.engine.play import InOrder

SETTINGS = {"map": "default", "first": "1", "board": ""}
BOARD = board_of("default")
SETTLERS = {2: 30, 3: 25, 4: 20}


class Play(play.Play[State, BlueLagoonView]):
    """A match of Blue Lagoon without drafts."""

    game = GAME

    def place(self, *keys: str) -> "Play":
        """Make placements of the seat to move, one after the other."""
        return self.answer(*keys)


def new_play(seats: int = 2, table: Table | None = None, **settings: str) -> Play:
    """Return a new match; without a random source the items lie in a fixed order."""
    table = table or InOrder()
    return Play(GAME.setup(seats, {**SETTINGS, **settings}, table), table)


def bits_of(codes: str) -> int:
    """Return a set of places from their codes."""
    return sum(BOARD.by_code[code].bit for code in codes.split())


def items_on(items: Mapping[str, str]) -> tuple[int, int, int, int, int]:
    """Return where items lie, from codes by item."""
    c, b, w, p, s = (bits_of(items.get(item, "")) for item in ITEMS)
    return c, b, w, p, s


def side(
    pieces: str, settlers_left: int = 10, villages_left: int = 0, held: Sequence[int] = NOTHING
) -> Side:
    """Return a seat's pieces: '17' is a boat, 'g7' a settler, 'g7v' a village."""
    keys = pieces.split()
    villages = " ".join(key.removesuffix("v") for key in keys if key.endswith("v"))
    settlers = " ".join(key for key in keys if not key.endswith("v"))
    c, b, w, p, s = held
    return Side(bits_of(settlers), bits_of(villages), settlers_left, villages_left, (c, b, w, p, s))


def position(
    *sides: Side,
    items: Mapping[str, str] | None = None,
    phase: str = EXPLORATION,
    turn: int = 0,
) -> Play:
    """Return a match in this position.

    Unless `items` are given, a resource far away keeps the phase from ending.
    """
    state = State(
        map="default",
        phase=phase,
        sides=sides,
        items=items_on({"stone": "c11"} if items is None else items),
        last=Seat((turn - 1) % len(sides)),
        spot="",
        scores=(),
        skipped=(),
        reason="",
        agenda=(PlacePiece(Seat(turn)),),
    )
    return Play(state, InOrder())


def scored_before(stood: Play, *totals: int) -> Play:
    """Return the match with points of an exploration already recorded."""
    rows = tuple(Row(total, 0, 0, 0, 0, 0) for total in totals)
    return Play(replace(stood.state, scores=(rows,)), stood.table)
