"""The steps of the rulebook, in the order in which they come.

In a turn a seat sails the discoverer, takes a tile or does something else, and places the tile.
Then come a free move of the small ship (advanced rules), a new tile for the matrix, and the next
seat. Saved matches hold steps by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table
from engine.maori.board import UNREACHABLE
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
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, find_free_tile, sail_clockwise
from engine.maori.scoring import remove_tiles, score_board, score_majority, score_seats
from engine.maori.tiles import NO_TILE, TILES, VOLCANOES

if TYPE_CHECKING:
    from engine.maori.state import Act, AnyStep, State

BOARD_FILLED = "board_filled"
STALLED = "stalled"
FROM_STORAGE = -1
"""Stands for a cell of the matrix if the tile came out of the storage, or none was taken."""


class PlaceDiscoverer(Step, frozen=True):
    """The starting player places the discoverer at the edge of the matrix, next to any tile."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the 16 outer edges, each with the tile beside it."""
        options = []
        for position, code in enumerate(POSITIONS):
            tile = TILES[find_free_tile(state.matrix, position)]
            options.append(Option(code, spot=code, facts=tile.facts))
        facts = (("next", state.left_of(self.seat)),)
        return (Decision(self.seat, "place_discoverer", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Place the discoverer."""
        (code,) = answer.keys
        tell(DiscovererPlaced(self.seat, code))
        return replace(state, discoverer=POSITIONS.index(code), agenda=(BeginPlay(self.seat),))


class BeginPlay(Run, frozen=True):
    """The player to the left of the one who placed the discoverer goes first."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Give the first turn."""
        return state.with_agenda((MoveDiscoverer(state.left_of(self.seat)),))


class MoveDiscoverer(Step, frozen=True):
    """Sail the discoverer clockwise: one step per ship in sight, one more per shell.

    Going around more than once, or paying more than needed, is not offered: each position has one
    price, the lowest.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a position within reach."""
        ships, shells = state.count_ships(self.seat), state.sides[self.seat].shells
        options = []
        # "One step per ship in sight" is free, and the seat has to sail at least one step.
        for steps in range(1, min(TRACK, ships + shells) + 1):
            position = sail_clockwise(state.discoverer, steps)
            code, tile = POSITIONS[position], TILES[find_free_tile(state.matrix, position)]
            price = (("steps", steps), ("paid", max(0, steps - ships)))
            options.append(Option(code, spot=code, facts=(*price, *tile.facts)))
        # Once a board is full, everybody else has a single turn left.
        is_last = state.filled is not None
        facts = (("ships", ships), ("shells", shells), ("last", int(is_last)))
        return (Decision(self.seat, "move_discoverer", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the discoverer, and pay for the steps beyond the ships."""
        (code,) = answer.keys
        to = POSITIONS.index(code)
        # From 1 to a whole round: sailing back to the same position takes all 16 steps.
        steps = (to - state.discoverer - 1) % TRACK + 1
        paid = max(0, steps - state.count_ships(self.seat))
        tell(DiscovererMoved(self.seat, POSITIONS[state.discoverer], code, steps, paid))
        state = state.pay_shells(self.seat, paid).sail_discoverer(self.seat, to, steps)
        return state.with_agenda((DiscoverTile(self.seat),))


class DiscoverTile(Step, frozen=True):
    """Take a tile of the matrix, use the stored tile, remove a tile, or do nothing.

    A tile that could then be neither placed nor stored cannot be taken.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask what to do from the discoverer's position, with the shells that are left."""
        side = state.sides[self.seat]
        cheapest_fare = min(state.find_fares(self.seat).values(), default=UNREACHABLE)
        options = []
        price = 0
        for cell in LINES[state.discoverer]:
            tile = state.matrix[cell]
            if tile in VOLCANOES:
                break  # Neither a volcano nor anything behind it can be taken.
            if tile == NO_TILE:
                continue  # A gap is skipped for free; a skipped tile costs a shell.
            # Placing may cost a fare for the small ship on top of the price; storing costs nothing.
            can_place = price + cheapest_fare <= side.shells
            can_store = price <= side.shells and side.stored == NO_TILE
            if can_place or can_store:
                facts = (*TILES[tile].facts, ("paid", price), ("storage_only", int(not can_place)))
                options.append(Option(CELLS[cell], spot=CELLS[cell], facts=facts))
            price += 1
        if side.stored != NO_TILE and cheapest_fare <= side.shells:
            options.append(Option("stored", facts=TILES[side.stored].facts))
        if state.removable_spaces(self.seat):
            options.append(Option("remove"))
        options.append(Option("nothing", forfeits=True))
        shell_points = score_majority([other.shells for other in state.sides])[self.seat]
        about = (
            ("shells", side.shells),
            ("shell_points", shell_points),
            *TILES[side.stored].facts,
        )
        return (Decision(self.seat, "discover_tile", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Begin what was chosen; a tile of the matrix is paid for at once."""
        (key,) = answer.keys
        if key == "nothing":
            tell(Rested(self.seat))
            return close_turn(state.record_act("nothing"), self.seat, idle=state.idle + 1)
        if key == "remove":
            return state.with_agenda((RemoveTile(self.seat),))
        if key == "stored":
            stored = state.sides[self.seat].stored
            state = state.record_act("take", tile=stored)
            return state.with_agenda((PlaceTile(self.seat, FROM_STORAGE),))
        cell, line = CELLS.index(key), LINES[state.discoverer]
        tile = state.matrix[cell]
        nearer = line[: line.index(cell)]
        skipped = tuple(CELLS[other] for other in nearer if state.matrix[other] != NO_TILE)
        # One shell for each skipped tile. The tile itself stays in the matrix until it is placed.
        price = len(skipped)
        tell(TileTaken(self.seat, key, TILES[tile].face, skipped, price))
        state = state.pay_shells(self.seat, price).record_act("take", cell, tile)
        return state.with_agenda((PlaceTile(self.seat, cell),))


class PlaceTile(Step, frozen=True):
    """Put the tile in hand on an empty space, whether it matches or not, or store it."""

    seat: Seat
    cell: int
    """Where it comes from; until it is placed it stays there."""

    @property
    def is_stored(self) -> bool:
        """Return whether the tile comes from the storage."""
        return self.cell == FROM_STORAGE

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a space that the seat can pay for, or the storage if it is empty."""
        side = state.sides[self.seat]
        tile = TILES[side.stored if self.is_stored else state.matrix[self.cell]]
        options = []
        is_short = False
        for space, fare in state.find_fares(self.seat).items():
            if fare > side.shells:
                continue
            # The fare is paid into the supply before the tile's shells are taken out of it, so it
            # can make up for shells that the supply lacks.
            gained = min(tile.shells, state.bank + fare)
            is_short |= gained < tile.shells
            code = state.board.code(space)
            facts = (("paid", fare), ("gained", gained), ("missed", tile.shells - gained))
            options.append(Option(code, spot=code, facts=facts))
        # A tile from the storage stays there until it is placed, so storing it again is no move.
        if side.stored == NO_TILE:
            options.append(Option("store"))
        # The question says it once for all spaces, unless some space brings fewer.
        brings = 0 if is_short else tile.shells
        about = (*tile.facts, ("shells", side.shells), ("brings", brings))
        return (Decision(self.seat, "place_tile", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Place or store the tile."""
        (key,) = answer.keys
        seat, board, side = self.seat, state.board, state.sides[self.seat]
        if self.is_stored:
            tile = TILES[side.stored]
            side = replace(side, stored=NO_TILE)
        else:
            tile = TILES[state.matrix[self.cell]]
            state = state.with_cell(self.cell, NO_TILE)
        if key == "store":
            tell(TileStored(seat, tile.face))
            stored = state.with_side(seat, replace(side, stored=tile.number))
            return close_turn(stored.record_act("store", self.cell, tile.number), seat, self.cell)

        # The small ship sails to the nearest tile from which the space is within reach.
        space = board.by_code[key].index
        ship, fare = side.ship, 0
        if side.is_ship_placed:
            ship, fare = board.find_landing(side.tiles, side.ship, space)
        if fare:
            tell(ShipSailed(seat, board.code(side.ship), board.code(ship), fare))
        gained = min(tile.shells, state.bank + fare)
        # In both variants the small ship goes on the first tile; in the pro rules on every one.
        is_first = state.rules != "basic" and not side.is_ship_placed
        aboard = state.rules == "pro" or is_first
        tell(TilePlaced(seat, key, tile.face, gained, self.is_stored, aboard, tile.shells - gained))
        placed = replace(
            side.with_tile(space, tile.number),
            shells=side.shells - fare + gained,
            ship=space if aboard else ship,
        )
        after = replace(state.with_side(seat, placed), bank=state.bank + fare - gained)
        act: Act = "place_stored" if self.is_stored else "place"
        return close_turn(after.record_act(act, self.cell, tile.number, space), seat, self.cell)


class RemoveTile(Step, frozen=True):
    """Return a tile of your own board to the box; never the one under the small ship."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask which tile to remove."""
        options = tile_options(state, self.seat, state.removable_spaces(self.seat))
        return (Decision(self.seat, "remove_tile", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Remove the tile."""
        (key,) = answer.keys
        side, space = state.sides[self.seat], state.board.by_code[key].index
        tile = side.tiles[space]
        tell(TileRemoved(self.seat, key, TILES[tile].face))
        removed = state.with_side(self.seat, side.with_tile(space, NO_TILE))
        return close_turn(removed.record_act("remove", tile=tile, space=space), self.seat)


class MoveShip(Step, frozen=True):
    """Advanced rules: put the small ship on any tile of your own board."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there is another tile to move to."""
        return len(state.board.tiled_spaces(state.sides[self.seat].tiles)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask whether to stay or which tile to move to."""
        side = state.sides[self.seat]
        others = [space for space in state.board.tiled_spaces(side.tiles) if space != side.ship]
        options = (Option("stay", ends=True), *tile_options(state, self.seat, others))
        facts = (("ship", state.board.code(side.ship)),)
        return (Decision(self.seat, "move_ship", options, facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the ship."""
        (key,) = answer.keys
        rest = state.with_agenda(state.agenda[:-1])
        if key == "stay":
            return rest
        side, space = state.sides[self.seat], state.board.by_code[key].index
        tell(ShipMoved(self.seat, state.board.code(side.ship), key))
        return rest.with_side(self.seat, replace(side, ship=space))


class Refill(Run, frozen=True):
    """Replace the tile taken by one from the supply. A volcano that comes up stays."""

    seat: Seat
    cell: int

    def run(self, state: "State", table: Table) -> "State":
        """Turn up a tile."""
        index = table.below(len(state.supply))
        tile = state.supply[index]
        table.tell(TileTurnedUp(CELLS[self.cell], TILES[tile].face))
        supply = state.supply[:index] + state.supply[index + 1 :]
        if not supply:
            table.tell(SupplyEmptied())
        return replace(state.with_cell(self.cell, tile), supply=supply)


class EndTurn(Run, frozen=True):
    """Pass the turn clockwise; after a board was filled, everybody else has one more turn."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Pass the turn."""
        filled, seats = state.filled, len(state.sides)
        # Only the first full board begins the last turns.
        if filled is None and not state.board.empty_spaces(state.sides[self.seat].tiles):
            filled = self.seat
            others = tuple(Seat((filled + step) % seats) for step in range(1, seats))
            table.tell(LastTurnsBegun(filled, others))
        agenda = (MoveDiscoverer(state.left_of(self.seat)),)
        return replace(state, filled=filled, turns=state.turns + 1, agenda=agenda)


class EndGame(Run, frozen=True):
    """Remove incomplete islands from the boards, then score the match."""

    seat: Seat
    why: str

    def run(self, state: "State", table: Table) -> "State":
        """Remove the islands, and note the points."""
        # `score_seats` ignores incomplete islands by itself; here they leave the boards as well.
        board = state.board
        rows = score_seats(board, state.sides)
        sides = []
        for seat, side in enumerate(state.sides):
            spaces = score_board(board, side.tiles).removed
            if spaces:
                table.tell(IslandsRemoved(Seat(seat), tuple(board.code(space) for space in spaces)))
            cleared = replace(
                side,
                tiles=remove_tiles(side.tiles, spaces),
                removed=tuple((space, side.tiles[space]) for space in spaces),
                ship=-1 if side.ship in spaces else side.ship,
            )
            sides.append(cleared)
        for seat, row in enumerate(rows):
            counts = (row.palms, row.huts, row.leis, row.ships, row.shells, row.empty)
            table.tell(Scored(Seat(seat), *counts, row.total))
        turns = state.turns + 1
        return replace(state, sides=tuple(sides), rows=rows, turns=turns, reason=self.why)


def tile_options(state: "State", seat: Seat, spaces: list[int]) -> tuple[Option, ...]:
    """Return an option for each of these spaces of a seat's own board, with its tile."""
    tiles = state.sides[seat].tiles
    coded = [(state.board.code(space), TILES[tiles[space]]) for space in spaces]
    return tuple(Option(code, spot=code, facts=tile.facts) for code, tile in coded)


def close_turn(state: "State", seat: Seat, cell: int = FROM_STORAGE, idle: int = 0) -> "State":
    """Return the position with what follows an action on its agenda.

    That is the ship's free move, a new tile for `cell`, and the end of the turn or of the match.
    The match ends before the seat which filled its board first would have another turn, or when
    nobody has done anything for two full rounds.
    """
    agenda: list[AnyStep] = []
    if state.filled is not None and state.filled == state.left_of(seat):
        agenda.append(EndGame(seat, BOARD_FILLED))
    elif idle >= state.idle_limit:
        agenda.append(EndGame(seat, STALLED))
    else:
        agenda.append(EndTurn(seat))
    # The agenda is a stack: the step that is appended last comes first.
    if cell != FROM_STORAGE and state.supply:
        agenda.append(Refill(seat, cell))
    if state.rules == "advanced":
        agenda.append(MoveShip(seat))
    return replace(state, idle=idle, agenda=tuple(agenda))
