"""The view of a match of Maori, which shows everything to everybody.

Nothing is hidden: a tile is drawn only when it is turned up, so there is no order of future tiles.
Views are not saved, so their fields may change together with the pictures, texts and computers that
read them.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.core.decision import Option, Seat
from engine.core.event import Line
from engine.core.game import View
from engine.maori.board import Board, board_of
from engine.maori.matrix import CELLS, POSITIONS, find_free_tile, sail_clockwise
from engine.maori.prospects import find_lost, weigh_placement
from engine.maori.scoring import LEI_POINTS, Row, find_islands, score_boards, score_seats
from engine.maori.tiles import NO_TILE, TILES, count_by_kind

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
    lost: str = ""
    """Why it can't be completed any more, as prospects.py names it; '' if it is or can be."""


class SideView(Struct, frozen=True):
    """A seat's board, ship, shells and stored tile."""

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

    @property
    def lost(self) -> dict[str, str]:
        """Return the spaces whose tiles won't count, each with the reason."""
        return {
            spot: island.lost for island in self.islands if island.lost for spot in island.spots
        }


class Caution(Struct, frozen=True):
    """The harm that placing the tile in hand on a space would do."""

    spot: str
    lost: str
    """Why the tile wouldn't count there, as prospects.py names it; '' if it would."""
    blocks: tuple[str, ...]
    """Spaces beside it whose islands could not be completed any more."""


class TurnView(Struct, frozen=True):
    """The turn that is being drafted, as far as it goes, else the last one confirmed.

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
    """Where the small ship stood when the turn began, if it has moved; '' if it was beside the
    board.
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
    """The seat that filled its board first."""
    to_come: tuple[Seat, ...]
    """In the last turns: the seats that still have theirs, in order."""
    idle: int
    """How many turns in a row did nothing."""
    idle_limit: int
    """How many rests in a row end the match."""
    prices: tuple[tuple[str, int], ...]
    """For the viewer who is asked: the shells that each legal spot costs."""
    cautions: tuple[Caution, ...]
    """For the viewer who places a tile: the spaces where it won't count or blocks an island."""
    now: tuple[Row, ...]
    """The points as if the match ended now, a row for each seat; none when it is over."""
    rows: tuple[Row, ...]
    """The points of the match, a row for each seat, once it is over."""

    @property
    def tally(self) -> tuple[tuple[str, int], ...]:
        """Count the tiles that have not been seen yet, by kind."""
        return count_by_kind(self.supply)

    def note(self, spot: str) -> str:
        """Return the shape of the tile on a spot; for a position, of the tile it gives for free.

        A space is one of the viewer's board; for everyone, of the board of the seat to move.
        """
        if spot in POSITIONS:
            tile = find_free_tile(self.matrix, POSITIONS.index(spot))
        elif spot in tuple(CELLS):
            tile = self.matrix[CELLS.index(spot)]
        else:
            own = self.viewer
            if own is None and self.to_move:
                own = self.to_move[0]
            tiles = self.sides[own].tiles if own is not None else ()
            tile = next((laid.tile for laid in tiles if laid.spot == spot), NO_TILE)
        return TILES[tile].shape

    def facts(self, option: Option) -> dict[str, Any]:
        """Return what placing the tile in hand on a space does, or why a tile won't count.

        It `completes` an island of two tiles or more, worth these `points`, or `joins` the tiles
        of one that is still open. If it is `lost` its own island can't be completed any more, nor
        can those on `blocks`. `gain` or `loss` is by how much the seat's points change. Of a tile
        that can be taken, `worth` is the most that completing an island with it could gain.
        """
        if self.viewer is None:
            return {}
        side = self.sides[self.viewer]
        if option.spot not in board_of(self.board).by_code:
            return {"worth": self._find_worth(side, option)}
        if not self.hand:
            return {"lost": side.lost.get(option.spot, "")}
        found: dict[str, Any] = {}
        for caution in self.cautions:
            if caution.spot == option.spot:
                found = {"lost": caution.lost, "blocks": caution.blocks}
        is_stored = self.hand == "stored"
        tile = side.stored if is_stored else self.matrix[CELLS.index(self.hand)]
        change = self._change_of_points(side, option.spot, tile, side.shells)
        found |= {"gain": max(0, change), "loss": max(0, -change)}
        return {**found, **self._describe_island_with(side, option.spot, tile)}

    def _change_of_points(self, side: SideView, spot: str, tile: int, shells: int) -> int:
        """Return by how much the viewer's points change if a tile is placed on a space.

        `shells` is what they have before they pay the fare to that space.
        """
        assert self.viewer is not None
        board = board_of(self.board)
        space = board.by_code[spot].index
        own = _list_tiles(board, side)
        ship = board.by_code[side.ship].index if side.ship else -1
        fare = board.find_landing(own, ship, space)[1] if ship >= 0 else 0
        own[space] = tile
        boards = [tuple(_list_tiles(board, other)) for other in self.sides]
        purses = [other.shells for other in self.sides]
        boards[self.viewer] = tuple(own)
        purses[self.viewer] = shells - fare + min(TILES[tile].shells, self.bank + fare)
        after = score_boards(board, boards, purses)[self.viewer]
        return after.total - self.now[self.viewer].total

    def _find_worth(self, side: SideView, option: Option) -> int:
        """Return the most points that an option gains by completing an island, 0 if none."""
        board = board_of(self.board)
        if option.spot in POSITIONS:
            tile = find_free_tile(self.matrix, POSITIONS.index(option.spot))
        elif option.spot:
            tile = self.matrix[CELLS.index(option.spot)]
        else:
            tile = side.stored if option.key == "stored" else NO_TILE
        shells = side.shells - dict(self.prices).get(option.spot, 0)
        tiles = _list_tiles(board, side)
        ship = board.by_code[side.ship].index if side.ship else -1
        best = 0
        # Only beside an island that is still open.
        near = {
            beside
            for island in side.islands
            if not island.complete
            for spot in island.spots
            for beside in board.beside[board.by_code[spot].index]
        }
        for space in near.intersection(board.empty_spaces(tiles)):
            fare = board.find_landing(tiles, ship, space)[1] if ship >= 0 else 0
            if tile and fare <= shells:
                spot = board.code(space)
                if self._describe_island_with(side, spot, tile).get("completes"):
                    best = max(best, self._change_of_points(side, spot, tile, shells))
        return best

    def _describe_island_with(self, side: SideView, spot: str, tile: int) -> dict[str, Any]:
        """Return what becomes of the island on a space when a tile goes there."""
        board = board_of(self.board)
        tiles = _list_tiles(board, side)
        space = board.by_code[spot].index
        tiles[space] = tile
        for island in find_islands(board, tiles):
            if space not in island.spaces:
                continue
            is_single = len(island.spaces) == 1
            if island.complete:
                points = island.palm_points + LEI_POINTS * len(island.leis)
                # A single island is worth the same everywhere, unless it lies within the atoll.
                says_points = island.inside or not is_single
                return {"completes": not is_single, "points": points if says_points else 0}
            return {"joins": tuple(board.code(other) for other in island.spaces if other != space)}
        return {}

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
    now = () if is_over else score_seats(board, state.sides)
    is_asked = not is_over and viewer == state.agenda[-1].seat
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
        journey=_list_journey(state),
        supply=state.supply,
        bank=state.bank,
        sides=tuple(
            _side_view(board, side, state.tiles_to_come(Seat(seat)))
            for seat, side in enumerate(state.sides)
        ),
        turn=_turn_view(state),
        hand=state.hand,
        filled=state.filled,
        to_come=state.to_come,
        idle=state.idle,
        idle_limit=state.idle_limit,
        prices=_list_prices(state) if is_asked else (),
        cautions=_list_cautions(state) if is_asked and state.hand else (),
        now=now,
        rows=state.rows,
    )


def _list_tiles(board: Board, side: SideView) -> list[int]:
    """Return the number of the tile on each space of a side's board."""
    tiles = [NO_TILE] * board.size
    for laid in side.tiles:
        tiles[board.by_code[laid.spot].index] = laid.tile
    return tiles


@lru_cache(maxsize=1024)
def _side_view(board: Board, side: "Side", tiles_to_come: int | None) -> SideView:
    lost = find_lost(board, side.tiles, tiles_to_come)
    shown = []
    for island in find_islands(board, side.tiles):
        spots = tuple(board.code(space) for space in island.spaces)
        leis = tuple((board.code(one), board.code(other)) for one, other in island.leis)
        shown.append(
            IslandView(
                spots=spots,
                complete=island.complete,
                palms=island.palms,
                hut=island.hut,
                doubled=island.inside,
                leis=leis,
                lost=lost.get(island.spaces[0], ""),
            )
        )
    return SideView(
        tiles=tuple(
            Laid(board.code(space), side.tiles[space]) for space in board.tiled_spaces(side.tiles)
        ),
        stored=side.stored,
        shells=side.shells,
        ships=board.count_ships(side.tiles),
        ship=board.code(side.ship),
        empty=len(board.empty_spaces(side.tiles)),
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


def _list_journey(state: "State") -> tuple[str, ...]:
    """Return the positions of the discoverer's last journey, start and goal included."""
    turn = state.turn
    if turn is not None:
        return tuple(POSITIONS[sail_clockwise(turn.start, step)] for step in range(turn.steps + 1))
    return (POSITIONS[state.discoverer],) if state.discoverer >= 0 else ()


def _list_prices(state: "State") -> tuple[tuple[str, int], ...]:
    """Return the spots that may be chosen now, each with the shells that it costs."""
    prices = []
    for decision in state.agenda[-1].ask(state):
        for option in decision.options:
            if option.spot:
                paid = dict(option.facts).get("paid", 0)
                prices.append((option.spot, paid if isinstance(paid, int) else 0))
    return tuple(prices)


def _list_cautions(state: "State") -> tuple[Caution, ...]:
    """Return the spaces on which the tile in hand would spoil something."""
    board, seat = state.board, state.agenda[-1].seat
    side = state.sides[seat]
    from_storage = state.hand == "stored"
    tile = side.stored if from_storage else state.matrix[CELLS.index(state.hand)]
    is_last = state.filled is not None
    cautions = []
    for space in state.find_fares(seat):
        outlook = weigh_placement(board, side.tiles, space, tile, is_last)
        if outlook.lost or outlook.blocks:
            blocks = tuple(board.code(other) for other in outlook.blocks)
            cautions.append(Caution(board.code(space), outlook.lost, blocks))
    return tuple(cautions)
