"""What a viewer sees of Maori: everything; the order of future tiles is not fixed yet."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.core.decision import Seat
from engine.core.event import Line
from engine.core.game import View
from engine.maori.board import Board
from engine.maori.matrix import CELLS, POSITIONS, free_tile, sailed
from engine.maori.scoring import Row, islands, score
from engine.maori.tiles import NO_TILE, TILES, tally

if TYPE_CHECKING:
    from engine.maori.state import Side, State


class Laid(Struct, frozen=True):
    """A tile on a space of a board; `tile` is its number, for tiles.TILES."""

    spot: str
    tile: int


class IslandView(Struct, frozen=True):
    """An island on a board, complete or not, with the points that its palms would score."""

    spots: tuple[str, ...]
    complete: bool
    palms: int
    hut: bool
    doubled: bool
    """Wholly within the atoll."""
    leis: tuple[tuple[str, str], ...]
    """Pairs of spaces at whose common side two half leis meet."""


class SideView(Struct, frozen=True):
    """What a seat has."""

    tiles: tuple[Laid, ...]
    """The tiles on the board, in reading order."""
    stored: int
    """The number of the tile in storage, 0 if it is empty."""
    shells: int
    ships: int
    """Printed ships in sight and those on tiles."""
    ship: str
    """Where the small ship stands, '' if it is beside the board or not in play."""
    empty: int
    """Spaces still without a tile."""
    islands: tuple[IslandView, ...]
    """Incomplete ones too; by their first space."""
    removed: tuple[Laid, ...]
    """Incomplete islands taken off for the scoring; they lay here when the match ended."""


class TurnView(Struct, frozen=True):
    """A turn: of a draft as far as it has come, else the last one confirmed.

    '' stands for what has not happened in it.
    """

    seat: Seat
    start: str
    """Where the discoverer came from."""
    steps: int
    act: str
    """'', 'take', 'place', 'store', 'place_stored', 'remove' or 'nothing'; 'take' while a tile
    is in hand.
    """
    cell: str
    """The matrix cell a tile was taken from, where a new one may lie by now."""
    tile: int
    """The tile taken, placed, stored or removed; 0 if none."""
    spot: str
    """Where on the seat's own board a tile was placed or removed."""
    ship_from: str
    """Where the small ship stood when the turn began, if it has moved; '' too if it was beside
    the board.
    """
    ship_to: str
    """Where the small ship got to, if it has moved."""


class MaoriView(View, frozen=True, kw_only=True):
    """The table, with `scores` as if the match ended now.

    `board` is read with board.board_of.
    """

    board: str
    """'front' or 'atoll'."""
    rules: str
    """'basic', 'advanced' or 'pro': the small ships are in play in the last two."""
    phase: str
    """'opening' until the discoverer is placed, then 'play', 'last_turns' and 'over'."""
    round: int
    """Which turn of each player this is, from 1; 0 in the opening."""
    matrix: tuple[int, ...]
    """Tile numbers of cells a to p in reading order, 0 for an empty one."""
    discoverer: str
    """The discoverer's position, '1' to '16' clockwise from above cell a; '' in the opening
    until it is placed.
    """
    journey: tuple[str, ...]
    """The positions of its last journey, start and goal included."""
    supply: tuple[int, ...]
    """The tiles not yet seen, sorted: nobody knows their order."""
    bank: int
    """Shells in the common supply."""
    sides: tuple[SideView, ...]
    turn: TurnView | None
    """The turn being drafted, else the last one; None before the first."""
    hand: str
    """Where the tile in hand of a draft comes from: a matrix cell or 'stored'; '' if there is
    none.
    """
    filled: Seat | None
    """Who filled the board first."""
    to_come: tuple[Seat, ...]
    """In the last turns: the seats that still have theirs, in order."""
    idle: int
    """How many turns in a row did nothing."""
    idle_limit: int
    """How many rests in a row end the match."""
    prices: tuple[tuple[str, int], ...]
    """For the viewer who is asked: the shells that each legal spot costs."""
    now: tuple[Row, ...]
    """The points as if the match ended now, a row a seat; none when it is over."""
    rows: tuple[Row, ...]
    """The points of the match, a row a seat, once it is over."""

    @property
    def tally(self) -> tuple[tuple[str, int], ...]:
        """Count the tiles that have not been seen yet, by kind."""
        return tally(self.supply)

    def note(self, spot: str) -> str:
        """Return the shape of the tile on a spot; for a position, of the tile it gives for free.

        A space is one of the viewer's board; for everyone, of the board of the seat to move.
        """
        if spot in POSITIONS:
            tile = free_tile(self.matrix, POSITIONS.index(spot))
        elif spot in tuple(CELLS):
            tile = self.matrix[CELLS.index(spot)]
        else:
            own = self.viewer if self.viewer is not None else next(iter(self.to_move), None)
            laid = self.sides[own].tiles if own is not None else ()
            tile = next((one.tile for one in laid if one.spot == spot), NO_TILE)
        return TILES[tile].shape

    def status(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return shells and tiles left, last turns, rests, and the score as if it ended now."""
        if self.phase == "over":
            return (("final", {"points": self.scores}),)
        lines: list[tuple[str, dict[str, Any]]] = []
        if self.phase == "last_turns":
            lines.append(("last_turns", {"seats": self.to_come}))
        if self.idle * 2 >= self.idle_limit:
            lines.append(("idle", {"idle": self.idle, "limit": self.idle_limit}))
        shells = tuple(side.shells for side in self.sides)
        lines.append(("left", {"tiles": len(self.supply), "bank": self.bank}))
        lines.append(("shells", {"shells": shells}))
        return (*lines, ("now", {"points": self.scores}))

    def stage(self) -> Line | None:
        """Return which turn of each player it is."""
        return ("round", {"round": self.round}) if self.phase != "over" else None


def view_of(state: "State", viewer: Seat | None) -> MaoriView:
    """Return the position as the viewer may see it."""
    board, is_over = state.board, state.reason != ""
    now = () if is_over else score(board, state.sides)
    return MaoriView(
        game="maori",
        viewer=viewer,
        scores=tuple(row.total for row in (state.rows or now)),
        board=state.board_name,
        rules=state.rules,
        phase=state.phase,
        round=state.round,
        matrix=state.matrix,
        discoverer=POSITIONS[state.discoverer] if state.discoverer >= 0 else "",
        journey=_journey(state),
        supply=state.supply,
        bank=state.bank,
        sides=tuple(_side_view(board, side) for side in state.sides),
        turn=_turn_view(state),
        hand=state.hand,
        filled=state.filled,
        to_come=state.to_come,
        idle=state.idle,
        idle_limit=state.idle_limit,
        prices=_prices(state) if not is_over and viewer == state.agenda[-1].seat else (),
        now=now,
        rows=state.rows,
    )


@lru_cache(maxsize=1024)
def _side_view(board: Board, side: "Side") -> SideView:
    shown = []
    for island in islands(board, side.tiles):
        spots = tuple(board.code(space) for space in island.spaces)
        leis = tuple((board.code(one), board.code(other)) for one, other in island.leis)
        shown.append(
            IslandView(spots, island.complete, island.palms, island.hut, island.inside, leis)
        )
    return SideView(
        tiles=tuple(
            Laid(board.code(space), side.tiles[space]) for space in board.tiled(side.tiles)
        ),
        stored=side.stored,
        shells=side.shells,
        ships=board.ships(side.tiles),
        ship=board.code(side.ship),
        empty=len(board.empty(side.tiles)),
        islands=tuple(shown),
        removed=tuple(Laid(board.code(space), tile) for space, tile in side.removed),
    )


def _turn_view(state: "State") -> TurnView | None:
    turn, board = state.turn, state.board
    if turn is None:
        return None
    ship = state.sides[turn.seat].ship
    has_moved = ship not in (turn.ship, -1)
    return TurnView(
        seat=turn.seat,
        start=POSITIONS[turn.start],
        steps=turn.steps,
        act=turn.act,
        cell=CELLS[turn.cell] if turn.cell >= 0 else "",
        tile=turn.tile,
        spot=board.code(turn.space),
        ship_from=board.code(turn.ship) if has_moved else "",
        ship_to=board.code(ship) if has_moved else "",
    )


def _journey(state: "State") -> tuple[str, ...]:
    turn = state.turn
    if turn is not None:
        return tuple(POSITIONS[sailed(turn.start, step)] for step in range(turn.steps + 1))
    return (POSITIONS[state.discoverer],) if state.discoverer >= 0 else ()


def _prices(state: "State") -> tuple[tuple[str, int], ...]:
    prices = []
    for decision in state.agenda[-1].ask(state):
        for option in decision.options:
            if option.spot:
                paid = dict(option.facts).get("paid", 0)
                prices.append((option.spot, paid if isinstance(paid, int) else 0))
    return tuple(prices)
