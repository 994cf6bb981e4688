"""The steps of the rulebook, in the order in which they come."""

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table
from engine.maori import options
from engine.maori.board import CELLS, FACES, NO_TILE, POSITIONS, SHELLS_ON, TRACK, cell_of
from engine.maori.events import (
    DiscovererMoved,
    DiscovererPlaced,
    IslandsRemoved,
    LastTurnsBegun,
    Rested,
    Scored,
    ShipMoved,
    ShipSailed,
    SupplyEmptied,
    TilePlaced,
    TileRemoved,
    TileStored,
    TileTaken,
    TileTurnedUp,
)
from engine.maori.matrix import LINES, free_tile, within_reach
from engine.maori.scoring import score, standing, without
from engine.maori.turn import Turn

if TYPE_CHECKING:
    from engine.maori.state import AnyStep, Side, State

BOARD_FILLED = "board_filled"
STALLED = "stalled"
FROM_STORAGE = -1
"""In place of a matrix cell: the tile comes out of the storage, or none was taken."""


class PlaceDiscoverer(Step, frozen=True):
    """The starting player places the discoverer ship at the edge of the matrix, next to any tile."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """All 16 outer edges."""
        offered = (options.start_option(at, free_tile(state.matrix, at)) for at in range(TRACK))
        return (Decision(self.seat, "place_discoverer", tuple(offered)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The ship placed."""
        (code,) = answer.keys
        tell(DiscovererPlaced(self.seat, code))
        return replace(state, discoverer=POSITIONS.index(code), agenda=(BeginPlay(self.seat),))


class BeginPlay(Run, frozen=True):
    """The player to the left of the one who placed the discoverer begins."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The first turn given."""
        return state.with_agenda((MoveDiscoverer(_left_of(state, self.seat)),))


class MoveDiscoverer(Step, frozen=True, gc=False):
    """The discoverer must sail clockwise, a step a ship in sight and a step more a shell.

    More than 16 steps, or paying more than needed, is not offered: a position has one price, the cheapest.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every position within reach, in order."""
        ships, shells = state.ships(self.seat), state.sides[self.seat].shells
        offered = options.sailing_options(state.matrix, state.discoverer, ships, shells)
        facts = (("ships", ships), ("shells", shells))
        return (Decision(self.seat, "move_discoverer", offered, facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The discoverer moved and the steps beyond the ships paid."""
        start, to = state.discoverer, POSITIONS.index(answer.keys[0])
        steps = (to - start - 1) % TRACK + 1
        paid = max(0, steps - state.ships(self.seat))
        tell(DiscovererMoved(self.seat, POSITIONS[start], POSITIONS[to], steps, paid))
        return replace(
            state.paying(self.seat, paid),
            discoverer=to,
            turn=Turn(self.seat, start, steps, state.sides[self.seat].ship),
            agenda=(DiscoverTile(self.seat),),
        )


class DiscoverTile(Step, frozen=True, gc=False):
    """One of the five: a tile of the matrix to place or to store, the stored tile, a tile to remove, or nothing.

    A tile that could then be neither placed nor stored cannot be taken.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """What can be done from where the discoverer stands, with the shells that are left."""
        side = state.sides[self.seat]
        fare = state.cheapest_fare(self.seat)
        offered = self._tiles(state, side, fare)
        if side.stored and fare <= side.shells:
            offered.append(options.STORED)
        if state.removable(self.seat):
            offered.append(options.REMOVE)
        stored = FACES[side.stored] or options.NOWHERE
        facts = (("shells", side.shells), ("stored", stored))
        return (Decision(self.seat, "discover_tile", (*offered, options.NOTHING), facts=facts),)

    def _tiles(self, state: "State", side: "Side", fare: int) -> list[Option]:
        found = []
        for cell, price in within_reach(state.matrix, state.discoverer):
            has_space = fare <= side.shells - price
            if price <= side.shells and (has_space or side.stored == NO_TILE):
                found.append(options.cell_option(cell, state.matrix[cell], price, has_space))
        return found

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """What was chosen begun; a tile of the matrix is paid for at once."""
        (key,) = answer.keys
        if key == options.NOTHING.key:
            tell(Rested(self.seat))
            rested = replace(_doing(state, act="nothing"), idle=state.idle + 1)
            return _ended(rested, self.seat)
        if key == options.REMOVE.key:
            return state.with_agenda((RemoveTile(self.seat),))
        if key == options.STORED.key:
            taken = _doing(state, act="take", tile=state.sides[self.seat].stored)
            return taken.with_agenda((PlaceTile(self.seat, FROM_STORAGE),))
        return self._take_from_matrix(state, cell_of(key), tell)

    def _take_from_matrix(self, state: "State", cell: int, tell: Tell) -> "State":
        tile, line = state.matrix[cell], LINES[state.discoverer]
        over = tuple(CELLS[c] for c in line[: line.index(cell)] if state.matrix[c] != NO_TILE)
        tell(TileTaken(self.seat, CELLS[cell], FACES[tile], over, len(over)))
        paid = _doing(state.paying(self.seat, len(over)), act="take", cell=cell, tile=tile)
        return paid.with_agenda((PlaceTile(self.seat, cell),))


class PlaceTile(Step, frozen=True, gc=False):
    """The tile in hand goes on an empty space, neighbours matching or not, or into the storage.

    In the variants a space must touch the tile under the small ship. The ship may sail before, a shell a step; only the
    price matters, so each space is offered at its cheapest. The fare is part of placing and not paid without it.
    """

    seat: Seat
    cell: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every space where the tile may lie, and the storage if it is empty and the tile is not out of it."""
        board, side, tile = state.board, state.sides[self.seat], self._tile(state)
        offered = []
        for space, fare in state.fares(self.seat):
            if fare <= side.shells:
                gained = min(SHELLS_ON[tile], state.bank + fare)
                offered.append(options.space_option(board.codes[space], fare, gained))
        if self.cell != FROM_STORAGE and side.stored == NO_TILE:
            offered.append(options.STORE)
        facts = (("tile", FACES[tile]), ("shells", side.shells))
        return (Decision(self.seat, "place_tile", tuple(offered), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The tile out of hand; what it cost is in the supply before its own shells are taken."""
        (key,) = answer.keys
        tile = self._tile(state)
        if key == options.STORE.key:
            tell(TileStored(self.seat, FACES[tile]))
            stored = state.with_side(self.seat, replace(state.sides[self.seat], stored=tile))
            return self._done(stored, act="store")
        space = state.board.by_code[key].index
        ready = self._sail(state, space, tell)
        placed = ready.with_tile(self.seat, space, tile)
        gained = placed.sides[self.seat].shells - ready.sides[self.seat].shells
        is_stored = self.cell == FROM_STORAGE
        tell(TilePlaced(self.seat, key, FACES[tile], gained, is_stored, placed.sides[self.seat].ship == space))
        if is_stored:
            placed = placed.with_side(self.seat, replace(placed.sides[self.seat], stored=NO_TILE))
        return self._done(placed, act="place_stored" if is_stored else "place", space=space)

    def _tile(self, state: "State") -> int:
        return state.sides[self.seat].stored if self.cell == FROM_STORAGE else state.matrix[self.cell]

    def _sail(self, state: "State", space: int, tell: Tell) -> "State":
        side, board = state.sides[self.seat], state.board
        if side.ship < 0:
            return state
        tile, fare = board.landing(side.tiles, side.ship, space)
        if not fare:
            return state
        tell(ShipSailed(self.seat, board.codes[side.ship], board.codes[tile], fare))
        paid = state.paying(self.seat, fare)
        return paid.with_side(self.seat, replace(paid.sides[self.seat], ship=tile))

    def _done(self, state: "State", **done: Any) -> "State":
        if self.cell != FROM_STORAGE:
            state = state.with_cell(self.cell, NO_TILE)
        return _ended(replace(_doing(state, **done), idle=0), self.seat, self.cell)


class RemoveTile(Step, frozen=True):
    """A tile of the own board goes back into the box; never the one under the small ship."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every tile that may go."""
        codes, tiles = state.board.codes, state.sides[self.seat].tiles
        offered = (options.tile_option(codes[space], tiles[space]) for space in state.removable(self.seat))
        return (Decision(self.seat, "remove_tile", tuple(offered)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The tile gone."""
        (key,) = answer.keys
        space = state.board.by_code[key].index
        tile = state.sides[self.seat].tiles[space]
        tell(TileRemoved(self.seat, key, FACES[tile]))
        removed = _doing(state.without_tile(self.seat, space), act="remove", tile=tile, space=space)
        return _ended(replace(removed, idle=0), self.seat)


class MoveShip(Step, frozen=True):
    """Advanced rules: the small ship may be put on any tile of the own board, whatever was done before."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether there is a tile to go to."""
        return len(state.board.tiled(state.sides[self.seat].tiles)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """To stay, or every other tile."""
        codes, side = state.board.codes, state.sides[self.seat]
        others = (space for space in state.board.tiled(side.tiles) if space != side.ship)
        offered = (options.tile_option(codes[space], side.tiles[space]) for space in others)
        facts = (("ship", codes[side.ship]),)
        return (Decision(self.seat, "move_ship", (options.STAY, *offered), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The ship where its owner wants it."""
        (key,) = answer.keys
        rest = state.with_agenda(state.agenda[:-1])
        if key == options.STAY.key:
            return rest
        side, space = state.sides[self.seat], state.board.by_code[key].index
        tell(ShipMoved(self.seat, state.board.codes[side.ship], key))
        return rest.with_side(self.seat, replace(side, ship=space))


class Refill(Run, frozen=True):
    """The tile taken is replaced by one from the supply. A volcano that comes up stays."""

    seat: Seat
    cell: int

    def run(self, state: "State", table: Table) -> "State":
        """A tile turned up."""
        at = table.below(len(state.supply))
        tile = state.supply[at]
        table.tell(TileTurnedUp(CELLS[self.cell], FACES[tile]))
        supply = state.supply[:at] + state.supply[at + 1 :]
        if not supply:
            table.tell(SupplyEmptied())
        return replace(state.with_cell(self.cell, tile), supply=supply)


class EndTurn(Run, frozen=True, gc=False):
    """The next player in clockwise order takes his turn; if a board was filled, everybody else has one more."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The turn passed on."""
        filled = _filled_with(state, self.seat)
        if state.filled is None and filled is not None:
            seats = len(state.sides)
            table.tell(LastTurnsBegun(filled, tuple(Seat((filled + step) % seats) for step in range(1, seats))))
        agenda = (MoveDiscoverer(_left_of(state, self.seat)),)
        return replace(state, filled=filled, turns=state.turns + 1, agenda=agenda)


class EndGame(Run, frozen=True):
    """Incomplete islands leave the boards; then the match is scored."""

    seat: Seat
    why: str

    def run(self, state: "State", table: Table) -> "State":
        """The points written down."""
        rows = score(state.board, state.sides)
        sides = tuple(_cleared(state, Seat(seat), table) for seat in range(len(state.sides)))
        for seat, row in enumerate(rows):
            counts = (row.palms, row.huts, row.leis, row.ships, row.shells, row.empty)
            table.tell(Scored(Seat(seat), *counts, row.total))
        return replace(state, sides=sides, rows=rows, turns=state.turns + 1, reason=self.why)


def _left_of(state: "State", seat: Seat) -> Seat:
    return Seat((seat + 1) % len(state.sides))


def _doing(state: "State", **done: Any) -> "State":
    """The position with more known of the turn under way."""
    return replace(state, turn=replace(state.turn, **done)) if state.turn else state


def _filled_with(state: "State", seat: Seat) -> Seat | None:
    """Who filled a board first, once that seat's turn is over."""
    if state.filled is not None:
        return state.filled
    return None if state.board.empty(state.sides[seat].tiles) else seat


def _ended(state: "State", seat: Seat, cell: int = FROM_STORAGE) -> "State":
    """What follows an action: the free move of the ship, the refill, and the end of the turn or of the match."""
    filled = _filled_with(state, seat)
    steps: list[AnyStep] = []
    if filled == _left_of(state, seat):
        steps.append(EndGame(seat, BOARD_FILLED))
    elif state.idle >= state.idle_limit:
        steps.append(EndGame(seat, STALLED))
    else:
        steps.append(EndTurn(seat))
    if cell != FROM_STORAGE and state.supply:
        steps.append(Refill(seat, cell))
    if state.rules == "advanced":
        steps.append(MoveShip(seat))
    return state.with_agenda(tuple(steps))


def _cleared(state: "State", seat: Seat, table: Table) -> "Side":
    """A side without its incomplete islands; a ship that stood there is taken off too."""
    board, side = state.board, state.sides[seat]
    gone = standing(board, side.tiles).removed
    if not gone:
        return side
    table.tell(IslandsRemoved(seat, tuple(board.codes[space] for space in gone)))
    removed = tuple((space, side.tiles[space]) for space in gone)
    return replace(side, tiles=without(side.tiles, gone), removed=removed, ship=-1 if side.ship in gone else side.ship)
