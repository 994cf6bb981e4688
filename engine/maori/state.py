"""The immutable position: the matrix, the discoverer, and each seat's board, ship and shells.

Saved matches hold it: a field is never renamed, and a new one needs a default. Methods return a new
position and know no rules; the steps in steps.py combine them.
"""

from typing import Annotated, Final, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.core.decision import Seat
from engine.maori.board import BOARDS, UNREACHABLE, Board
from engine.maori.matrix import CELLS, TRACK
from engine.maori.scoring import Row
from engine.maori.steps import (
    BeginPlay,
    DiscoverTile,
    EndGame,
    EndTurn,
    MoveDiscoverer,
    MoveShip,
    PlaceDiscoverer,
    PlaceTile,
    Refill,
    RemoveTile,
)
from engine.maori.tiles import COUNT, NO_TILE

SHELLS = 30
"""All shells in the game, those of the seats included."""
START_SHELLS = 5
"""The shells that each seat begins with."""

Count = Annotated[int, Meta(ge=0)]
TileNumber = Annotated[int, Meta(ge=0, le=COUNT)]
Place = Annotated[int, Meta(ge=-1, le=19)]
"""A space of a board, -1 for none."""
BESIDE: Final = -1
"""Where the small ship is before its owner's first tile lies, and in the basic game."""
Act = Literal["", "take", "place", "store", "place_stored", "remove", "nothing"]
AnyStep = (
    PlaceDiscoverer
    | BeginPlay
    | MoveDiscoverer
    | DiscoverTile
    | PlaceTile
    | RemoveTile
    | MoveShip
    | Refill
    | EndTurn
    | EndGame
)


class Turn(Struct, frozen=True):
    """The actions of a turn so far, which the picture shows until the next turn begins."""

    seat: Seat
    start: Annotated[int, Meta(ge=0, lt=TRACK)]
    """Where the discoverer came from."""
    steps: Annotated[int, Meta(ge=1, le=TRACK)]
    ship: Place
    """Where the small ship stood when the turn began."""
    act: Act = ""
    cell: Annotated[int, Meta(ge=-1, lt=len(CELLS))] = -1
    tile: TileNumber = NO_TILE
    space: Place = -1


class Side(Struct, frozen=True):
    """A seat's board, ship, shells and stored tile."""

    tiles: Annotated[tuple[TileNumber, ...], Meta(min_length=20, max_length=20)]
    """By space, printed land included."""
    stored: TileNumber
    shells: Count
    ship: Place = BESIDE
    removed: tuple[tuple[Place, TileNumber], ...] = ()
    """Incomplete islands, taken off before the scoring."""

    @property
    def is_ship_placed(self) -> bool:
        """Return whether the small ship is on a tile."""
        return self.ship != BESIDE

    def with_tile(self, space: int, tile: int) -> "Side":
        """Return the side with a tile on a space, or none."""
        return replace(self, tiles=_replace_at(self.tiles, space, tile))


class State(Struct, frozen=True):
    """A position.

    The supply is sorted, not shuffled: a tile is drawn only when it is turned up. So the position
    hides nothing, and a save doesn't reveal the tiles to come.
    """

    board_name: Annotated[str, Meta(pattern="^(front|atoll)$")]
    rules: Annotated[str, Meta(pattern="^(basic|advanced|pro)$")]
    matrix: Annotated[tuple[TileNumber, ...], Meta(min_length=len(CELLS), max_length=len(CELLS))]
    supply: tuple[TileNumber, ...]
    bank: Count
    discoverer: Annotated[int, Meta(ge=-1, lt=TRACK)]
    """The position of the discoverer ship, -1 before it is placed."""
    sides: tuple[Side, ...]
    filled: Seat | None
    """The seat that filled its board first and so began the last turns; None if none has."""
    idle: Count
    """The number of turns in a row in which nothing was done."""
    turns: Count
    """The number of turns that all seats together have had."""
    turn: Turn | None
    rows: tuple[Row, ...]
    """The points, once the match is over."""
    reason: str
    """Why the match ended, '' before that."""
    agenda: tuple[AnyStep, ...]

    @property
    def board(self) -> Board:
        """Return the board that every seat plays on."""
        return BOARDS[self.board_name]

    @property
    def phase(self) -> str:
        """Return 'opening', 'play', 'last_turns' or 'over'."""
        if self.reason:
            return "over"
        if self.discoverer < 0:
            return "opening"
        return "play" if self.filled is None else "last_turns"

    @property
    def round(self) -> int:
        """Return which turn of each seat it is, from 1; 0 in the opening.

        A finished match stays in its last round.
        """
        if self.discoverer < 0:
            return 0
        turns = self.turns - 1 if self.reason else self.turns
        return turns // len(self.sides) + 1

    @property
    def idle_limit(self) -> int:
        """Return how many idle turns in a row end the match: two full rounds."""
        return 2 * len(self.sides)

    @property
    def to_come(self) -> tuple[Seat, ...]:
        """Return the seats that still have their last turn, in order."""
        if self.filled is None or self.reason:
            return ()
        now, seats = self.agenda[-1].seat, len(self.sides)
        return tuple(Seat((now + step) % seats) for step in range((self.filled - now) % seats))

    @property
    def hand(self) -> str:
        """Return where the tile in hand came from: a cell's letter, 'stored', or '' for none."""
        top = self.agenda[-1] if self.agenda else None
        if not isinstance(top, PlaceTile):
            return ""
        return "stored" if top.is_stored else CELLS[top.cell]

    def tiles_to_come(self, seat: Seat) -> int | None:
        """Return how many tiles a seat can still place; None if that is still open."""
        if self.filled is None:
            return None
        if seat not in self.to_come:
            return 0
        top = self.agenda[-1]
        has_acted = top.seat == seat and not isinstance(
            top, MoveDiscoverer | DiscoverTile | PlaceTile
        )
        return 0 if has_acted else 1

    def left_of(self, seat: Seat) -> Seat:
        """Return the next seat clockwise."""
        return Seat((seat + 1) % len(self.sides))

    def count_ships(self, seat: Seat) -> int:
        """Count the ships in sight on a seat's board."""
        return self.board.count_ships(self.sides[seat].tiles)

    def find_fares(self, seat: Seat) -> dict[int, int]:
        """Return the empty spaces where a seat may place a tile, with the shells it costs.

        In the variants a space must touch the tile under the small ship, which may sail to another
        tile first, for a shell per step. Only the price matters, so the cheapest way is taken.
        """
        board, side = self.board, self.sides[seat]
        empty = board.empty_spaces(side.tiles)
        if not side.is_ship_placed:
            return dict.fromkeys(empty, 0)
        fares = {space: board.find_landing(side.tiles, side.ship, space)[1] for space in empty}
        return {space: fare for space, fare in fares.items() if fare != UNREACHABLE}

    def removable_spaces(self, seat: Seat) -> list[int]:
        """Return the spaces whose tile a seat may remove: any but the one under its ship."""
        side = self.sides[seat]
        return [space for space in self.board.tiled_spaces(side.tiles) if space != side.ship]

    def pay_shells(self, seat: Seat, shells: int) -> "State":
        """Return the position after a seat paid shells to the supply."""
        side = self.sides[seat]
        paid = self.with_side(seat, replace(side, shells=side.shells - shells))
        return replace(paid, bank=self.bank + shells)

    def sail_discoverer(self, seat: Seat, to: int, steps: int) -> "State":
        """Return the position with the discoverer moved and the turn begun."""
        turn = Turn(seat, self.discoverer, steps, self.sides[seat].ship)
        return replace(self, discoverer=to, turn=turn)

    def record_act(
        self,
        act: Act,
        cell: int = -1,
        tile: int = NO_TILE,
        space: int = -1,
    ) -> "State":
        """Return the position with an action recorded in the current turn."""
        if self.turn is None:
            return self
        return replace(self, turn=replace(self.turn, act=act, cell=cell, tile=tile, space=space))

    def with_side(self, seat: Seat, side: Side) -> "State":
        """Return the position with a seat's side replaced."""
        return replace(self, sides=_replace_at(self.sides, seat, side))

    def with_cell(self, cell: int, tile: int) -> "State":
        """Return the position with a tile in a cell of the matrix, or none."""
        return replace(self, matrix=_replace_at(self.matrix, cell, tile))

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """Return the position with other steps to come."""
        return replace(self, agenda=agenda)


T = TypeVar("T")


def _replace_at(row: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    return (*row[:place], new, *row[place + 1 :])
