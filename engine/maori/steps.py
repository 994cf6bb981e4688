"""The steps of the rulebook, in the order in which they come."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table
from engine.maori import options
from engine.maori.board import CELLS, FACES, NO_TILE, POSITIONS, SHELLS_ON, TRACK, VOLCANOES, cell_of
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
from engine.maori.matrix import LINES, POSITION_OF
from engine.maori.scoring import score, standing, without
from engine.maori.tiles import changed
from engine.maori.turn import BESIDE, Act, Turn

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
        return (Decision(self.seat, "place_discoverer", options.STARTS),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The ship placed."""
        (code,) = answer.keys
        tell(DiscovererPlaced(self.seat, code))
        return replace(state, discoverer=POSITION_OF[code], agenda=(BeginPlay(self.seat),))


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
        return options.sailing(self.seat, state.discoverer, state.ships(self.seat), state.sides[self.seat].shells)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The discoverer moved and the steps beyond the ships paid."""
        seat, start = self.seat, state.discoverer
        to = POSITION_OF[answer.keys[0]]
        steps = (to - start - 1) % TRACK + 1
        paid = max(0, steps - state.ships(seat))
        tell(DiscovererMoved(seat, POSITIONS[start], POSITIONS[to], steps, paid))
        turn = Turn(seat, start, steps, state.sides[seat].ship)
        return replace(state.paying(seat, paid), discoverer=to, turn=turn, agenda=(DiscoverTile(seat),))


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
        if state.can_remove(self.seat):
            offered.append(options.REMOVE)
        offered.append(options.NOTHING)
        facts = (("shells", side.shells), ("stored", FACES[side.stored] or options.NOWHERE))
        return (Decision(self.seat, "discover_tile", tuple(offered), facts=facts),)

    def _tiles(self, state: "State", side: "Side", fare: int) -> list[Option]:
        """Tiles from the ship inwards, each a shell dearer than the one before. Nothing at or behind a volcano."""
        found: list[Option] = []
        spare = side.shells - fare
        payable = spare if side.stored else side.shells
        for cell in LINES[state.discoverer]:
            tile, price = state.matrix[cell], len(found)
            if tile in VOLCANOES or price > payable:
                break
            if tile:
                found.append(options.cell_option(cell, tile, price, price <= spare))
        return found

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """What was chosen begun; a tile of the matrix is paid for at once."""
        (key,) = answer.keys
        if key == options.NOTHING.key:
            tell(Rested(self.seat))
            return _ended(state, self.seat, _doing(state.turn, "nothing"), idle=state.idle + 1)
        if key == options.REMOVE.key:
            return state.with_agenda((RemoveTile(self.seat),))
        if key == options.STORED.key:
            turn = _doing(state.turn, "take", tile=state.sides[self.seat].stored)
            return replace(state, turn=turn, agenda=(PlaceTile(self.seat, FROM_STORAGE),))
        return self._take_from_matrix(state, cell_of(key), tell)

    def _take_from_matrix(self, state: "State", cell: int, tell: Tell) -> "State":
        tile, line = state.matrix[cell], LINES[state.discoverer]
        over = tuple([CELLS[c] for c in line[: line.index(cell)] if state.matrix[c] != NO_TILE])
        tell(TileTaken(self.seat, CELLS[cell], FACES[tile], over, len(over)))
        turn = _doing(state.turn, "take", cell, tile)
        return replace(state.paying(self.seat, len(over)), turn=turn, agenda=(PlaceTile(self.seat, cell),))


class PlaceTile(Step, frozen=True, gc=False):
    """The tile in hand goes on an empty space, neighbours matching or not, or into the storage.

    In the variants a space must touch the tile under the small ship. The ship may sail before, a shell a step; only the
    price matters, so each space is offered at its cheapest. The fare is part of placing and not paid without it.
    """

    seat: Seat
    cell: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every space where the tile may lie, and the storage if it is empty and the tile is not out of it."""
        side, tile = state.sides[self.seat], self._tile(state)
        offered = self._spaces(state, side, SHELLS_ON[tile])
        if self.cell != FROM_STORAGE and side.stored == NO_TILE:
            offered.append(options.STORE)
        facts = (("tile", FACES[tile]), ("shells", side.shells))
        return (Decision(self.seat, "place_tile", tuple(offered), facts=facts),)

    def _spaces(self, state: "State", side: "Side", printed: int) -> list[Option]:
        """Spaces that can be paid for; of the shells printed on the tile as many are taken as the supply has."""
        board, bank = state.board, state.bank
        if side.ship == BESIDE:
            free, tiles = options.free_spaces(board, min(printed, bank)), side.tiles
            return [free[space] for space in board.playable if not tiles[space]]
        payable = [(space, fare) for space, fare in state.fares(self.seat) if fare <= side.shells]
        return [options.space_option(board.codes[space], fare, min(printed, bank + fare)) for space, fare in payable]

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The tile out of hand, and its cell or the storage empty."""
        (key,) = answer.keys
        tile, side, is_stored = self._tile(state), state.sides[self.seat], self.cell == FROM_STORAGE
        if not is_stored:
            state = replace(state, matrix=changed(state.matrix, self.cell, NO_TILE))
        if key == options.STORE.key:
            tell(TileStored(self.seat, FACES[tile]))
            stored = state.with_side(self.seat, replace(side, stored=tile), state.bank)
            return _ended(stored, self.seat, _doing(state.turn, "store", self.cell, tile), self.cell)
        space = state.board.by_code[key].index
        placed = self._place(state, tile, space, tell)
        turn = _doing(state.turn, "place_stored" if is_stored else "place", self.cell, tile, space)
        return _ended(placed, self.seat, turn, self.cell)

    def _tile(self, state: "State") -> int:
        return state.sides[self.seat].stored if self.cell == FROM_STORAGE else state.matrix[self.cell]

    def _place(self, state: "State", tile: int, space: int, tell: Tell) -> "State":
        """The tile on the board; what the ship costs is in the supply before the tile's own shells are taken."""
        seat, side, is_stored = self.seat, state.sides[self.seat], self.cell == FROM_STORAGE
        ship, fare = self._sail(state, side, space, tell)
        gained = min(SHELLS_ON[tile], state.bank + fare)
        aboard = state.rules == "pro" or (state.has_ships and ship == BESIDE)
        tell(TilePlaced(seat, state.board.codes[space], FACES[tile], gained, is_stored, aboard))
        placed = replace(
            side,
            tiles=changed(side.tiles, space, tile),
            stored=NO_TILE if is_stored else side.stored,
            shells=side.shells - fare + gained,
            ship=space if aboard else ship,
        )
        return state.with_side(seat, placed, state.bank + fare - gained)

    def _sail(self, state: "State", side: "Side", space: int, tell: Tell) -> tuple[int, int]:
        """Where the small ship is before the tile is placed, and what that costs."""
        if side.ship == BESIDE:
            return BESIDE, 0
        board = state.board
        tile, fare = board.landing(side.tiles, side.ship, space)
        if not fare:
            return side.ship, 0
        tell(ShipSailed(self.seat, board.codes[side.ship], board.codes[tile], fare))
        return tile, fare


class RemoveTile(Step, frozen=True, gc=False):
    """A tile of the own board goes back into the box; never the one under the small ship."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every tile that may go."""
        codes, tiles = state.board.codes, state.sides[self.seat].tiles
        offered = [options.tile_option(codes[space], tiles[space]) for space in state.removable(self.seat)]
        return (Decision(self.seat, "remove_tile", tuple(offered)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The tile gone."""
        (key,) = answer.keys
        space, side = state.board.by_code[key].index, state.sides[self.seat]
        tile = side.tiles[space]
        tell(TileRemoved(self.seat, key, FACES[tile]))
        removed = replace(side, tiles=changed(side.tiles, space, NO_TILE))
        turn = _doing(state.turn, "remove", tile=tile, space=space)
        return _ended(state.with_side(self.seat, removed, state.bank), self.seat, turn)


class MoveShip(Step, frozen=True, gc=False):
    """Advanced rules: the small ship may be put on any tile of the own board, whatever was done before."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether there is a tile to go to."""
        return len(state.board.tiled(state.sides[self.seat].tiles)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """To stay, or every other tile."""
        codes, side = state.board.codes, state.sides[self.seat]
        offered = [options.tile_option(codes[space], side.tiles[space]) for space in state.removable(self.seat)]
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
        return rest.with_side(self.seat, replace(side, ship=space), state.bank)


class Refill(Run, frozen=True, gc=False):
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
        return replace(state, matrix=changed(state.matrix, self.cell, tile), supply=supply)


class EndTurn(Run, frozen=True, gc=False):
    """The next player in clockwise order takes his turn; if a board was filled, everybody else has one more."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """The turn passed on."""
        filled, seats = state.filled, len(state.sides)
        if filled is None and state.board.is_full(state.sides[self.seat].tiles):
            filled = self.seat
            table.tell(LastTurnsBegun(filled, tuple(Seat((filled + step) % seats) for step in range(1, seats))))
        agenda = (MoveDiscoverer(Seat((self.seat + 1) % seats)),)
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


def _doing(turn: Turn | None, act: Act, cell: int = FROM_STORAGE, tile: int = NO_TILE, space: int = -1) -> Turn | None:
    """The turn under way with what is done in it."""
    return Turn(turn.seat, turn.start, turn.steps, turn.ship, act, cell, tile, space) if turn else None


def _ended(state: "State", seat: Seat, turn: Turn | None, cell: int = FROM_STORAGE, idle: int = 0) -> "State":
    """The position after an action, with what follows: the ship's free move, the refill, the end of turn or match."""
    agenda: tuple[AnyStep, ...] = (_closing(state, seat, idle),)
    if cell != FROM_STORAGE and state.supply:
        agenda = (*agenda, Refill(seat, cell))
    if state.rules == "advanced":
        agenda = (*agenda, MoveShip(seat))
    return replace(state, turn=turn, idle=idle, agenda=agenda)


def _closing(state: "State", seat: Seat, idle: int) -> "EndTurn | EndGame":
    """The end of the match comes with the last turn before that of the seat which filled its board."""
    if state.filled is not None and state.filled == _left_of(state, seat):
        return EndGame(seat, BOARD_FILLED)
    return EndGame(seat, STALLED) if idle and idle >= state.idle_limit else EndTurn(seat)


def _cleared(state: "State", seat: Seat, table: Table) -> "Side":
    """A side without its incomplete islands; a ship that stood there is taken off too."""
    board, side = state.board, state.sides[seat]
    gone = standing(board, side.tiles).removed
    if not gone:
        return side
    table.tell(IslandsRemoved(seat, tuple(board.codes[space] for space in gone)))
    removed = tuple((space, side.tiles[space]) for space in gone)
    return replace(side, tiles=without(side.tiles, gone), removed=removed, ship=-1 if side.ship in gone else side.ship)
