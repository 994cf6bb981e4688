"""The steps of the rulebook, in the order in which they come."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table
from engine.maori.board import FAR
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
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, free_tile, sailed
from engine.maori.scoring import score, standing, without
from engine.maori.tiles import NO_TILE, TILES, VOLCANOES

if TYPE_CHECKING:
    from engine.maori.state import AnyStep, State

BOARD_FILLED = "board_filled"
STALLED = "stalled"
FROM_STORAGE = -1
"""In place of a matrix cell: the tile comes out of the storage, or none was taken."""


class PlaceDiscoverer(Step, frozen=True):
    """The starting player places the discoverer at the edge of the matrix, next to any tile."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the 16 outer edges, each with the tile beside it."""
        options = []
        for position, code in enumerate(POSITIONS):
            tile = TILES[free_tile(state.matrix, position)]
            options.append(Option(code, spot=code, facts=tile.facts))
        return (Decision(self.seat, "place_discoverer", tuple(options)),)

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

    More than 16 steps, or paying more than needed, is not offered: a position has one price, the
    lowest.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a position within reach."""
        ships, shells = state.ships(self.seat), state.sides[self.seat].shells
        options = []
        for steps in range(1, min(TRACK, ships + shells) + 1):
            position = sailed(state.discoverer, steps)
            code, tile = POSITIONS[position], TILES[free_tile(state.matrix, position)]
            price = (("steps", steps), ("paid", max(0, steps - ships)))
            options.append(Option(code, spot=code, facts=(*price, *tile.facts)))
        facts = (("ships", ships), ("shells", shells))
        return (Decision(self.seat, "move_discoverer", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the discoverer, and pay for the steps beyond the ships."""
        (code,) = answer.keys
        to = POSITIONS.index(code)
        steps = (to - state.discoverer - 1) % TRACK + 1
        paid = max(0, steps - state.ships(self.seat))
        tell(DiscovererMoved(self.seat, POSITIONS[state.discoverer], code, steps, paid))
        moved = state.paying(self.seat, paid).sailing(self.seat, to, steps)
        return moved.with_agenda((DiscoverTile(self.seat),))


class DiscoverTile(Step, frozen=True):
    """Take a tile of the matrix, use the stored tile, remove a tile, or do nothing.

    A tile that could then be neither placed nor stored cannot be taken.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask what to do from the discoverer's position, with the shells that are left."""
        side = state.sides[self.seat]
        fare = min(state.fares(self.seat).values(), default=FAR)
        options = []
        price = 0
        for cell in LINES[state.discoverer]:
            tile = state.matrix[cell]
            if tile in VOLCANOES:
                break  # A volcano cannot be taken, nor anything behind it.
            if tile == NO_TILE:
                continue  # What costs a shell is a tile that is skipped, not a gap.
            can_place = price + fare <= side.shells
            can_store = price <= side.shells and side.stored == NO_TILE
            if can_place or can_store:
                facts = (*TILES[tile].facts, ("paid", price), ("storage_only", int(not can_place)))
                options.append(Option(CELLS[cell], spot=CELLS[cell], facts=facts))
            price += 1
        if side.stored != NO_TILE and fare <= side.shells:
            options.append(Option("stored"))
        if state.removable(self.seat):
            options.append(Option("remove"))
        options.append(Option("nothing", forfeits=True))
        asked = (("shells", side.shells), *TILES[side.stored].facts)
        return (Decision(self.seat, "discover_tile", tuple(options), facts=asked),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Begin what was chosen; a tile of the matrix is paid for at once."""
        (key,) = answer.keys
        if key == "nothing":
            tell(Rested(self.seat))
            return closing(state.doing("nothing"), self.seat, idle=state.idle + 1)
        if key == "remove":
            return state.with_agenda((RemoveTile(self.seat),))
        if key == "stored":
            stored = state.sides[self.seat].stored
            return state.doing("take", tile=stored).with_agenda(
                (PlaceTile(self.seat, FROM_STORAGE),)
            )
        cell, line = CELLS.index(key), LINES[state.discoverer]
        tile = state.matrix[cell]
        over = tuple(
            CELLS[other] for other in line[: line.index(cell)] if state.matrix[other] != NO_TILE
        )
        tell(TileTaken(self.seat, key, TILES[tile].face, over, len(over)))
        taken = state.paying(self.seat, len(over)).doing("take", cell, tile)
        return taken.with_agenda((PlaceTile(self.seat, cell),))


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
        for space, fare in state.fares(self.seat).items():
            if fare > side.shells:
                continue
            # What is paid is in the supply before the tile's own shells are taken, as far as it
            # lasts.
            gained = min(tile.shells, state.bank + fare)
            code = state.board.code(space)
            facts = (("paid", fare), ("gained", gained), ("missed", tile.shells - gained))
            options.append(Option(code, spot=code, facts=facts))
        # A tile out of the storage still lies in it, so it cannot go back.
        if side.stored == NO_TILE:
            options.append(Option("store"))
        asked = (*tile.facts, ("shells", side.shells))
        return (Decision(self.seat, "place_tile", tuple(options), facts=asked),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Place or store the tile."""
        (key,) = answer.keys
        seat, board, side = self.seat, state.board, state.sides[self.seat]
        if self.is_stored:
            tile, side = TILES[side.stored], replace(side, stored=NO_TILE)
        else:
            tile, state = TILES[state.matrix[self.cell]], state.with_cell(self.cell, NO_TILE)
        if key == "store":
            tell(TileStored(seat, tile.face))
            stored = state.with_side(seat, replace(side, stored=tile.number))
            return closing(stored.doing("store", self.cell, tile.number), seat, self.cell)

        # The small ship sails to the nearest tile from which the space is within reach. The fare is
        # part of placing.
        space = board.by_code[key].index
        ship, fare = (
            board.landing(side.tiles, side.ship, space) if side.is_ship_placed else (side.ship, 0)
        )
        if fare:
            tell(ShipSailed(seat, board.code(side.ship), board.code(ship), fare))
        gained = min(tile.shells, state.bank + fare)
        # The first tile gets the small ship in both variants; in the pro rules it must go on every
        # tile.
        is_first = state.rules != "basic" and not side.is_ship_placed
        aboard = state.rules == "pro" or is_first
        tell(TilePlaced(seat, key, tile.face, gained, self.is_stored, aboard, tile.shells - gained))
        placed = replace(
            side.with_tile(space, tile.number),
            shells=side.shells - fare + gained,
            ship=space if aboard else ship,
        )
        after = replace(state.with_side(seat, placed), bank=state.bank + fare - gained)
        done = after.doing(
            "place_stored" if self.is_stored else "place", self.cell, tile.number, space
        )
        return closing(done, seat, self.cell)


class RemoveTile(Step, frozen=True):
    """Return a tile of your own board to the box; never the one under the small ship."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask which tile to remove."""
        options = tile_options(state, self.seat, state.removable(self.seat))
        return (Decision(self.seat, "remove_tile", options),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Remove the tile."""
        (key,) = answer.keys
        side, space = state.sides[self.seat], state.board.by_code[key].index
        tile = side.tiles[space]
        tell(TileRemoved(self.seat, key, TILES[tile].face))
        removed = state.with_side(self.seat, side.with_tile(space, NO_TILE))
        return closing(removed.doing("remove", tile=tile, space=space), self.seat)


class MoveShip(Step, frozen=True):
    """Advanced rules: put the small ship on any tile of your own board."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there is another tile to move to."""
        return len(state.board.tiled(state.sides[self.seat].tiles)) > 1

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask whether to stay or which tile to move to."""
        side = state.sides[self.seat]
        others = [space for space in state.board.tiled(side.tiles) if space != side.ship]
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
        drawn = table.below(len(state.supply))
        tile = state.supply[drawn]
        table.tell(TileTurnedUp(CELLS[self.cell], TILES[tile].face))
        supply = state.supply[:drawn] + state.supply[drawn + 1 :]
        if not supply:
            table.tell(SupplyEmptied())
        return replace(state.with_cell(self.cell, tile), supply=supply)


class EndTurn(Run, frozen=True):
    """Pass the turn clockwise; after a board was filled, everybody else has one more turn."""

    seat: Seat

    def run(self, state: "State", table: Table) -> "State":
        """Pass the turn."""
        filled, seats = state.filled, len(state.sides)
        if filled is None and not state.board.empty(state.sides[self.seat].tiles):
            filled = self.seat
            table.tell(
                LastTurnsBegun(
                    filled, tuple(Seat((filled + step) % seats) for step in range(1, seats))
                )
            )
        agenda = (MoveDiscoverer(state.left_of(self.seat)),)
        return replace(state, filled=filled, turns=state.turns + 1, agenda=agenda)


class EndGame(Run, frozen=True):
    """Remove incomplete islands from the boards, then score the match."""

    seat: Seat
    why: str

    def run(self, state: "State", table: Table) -> "State":
        """Note the points."""
        board = state.board
        rows = score(board, state.sides)
        sides = []
        for seat, side in enumerate(state.sides):
            gone = standing(board, side.tiles).removed
            if gone:
                table.tell(IslandsRemoved(Seat(seat), tuple(board.code(space) for space in gone)))
            sides.append(
                replace(
                    side,
                    tiles=without(side.tiles, gone),
                    removed=tuple((space, side.tiles[space]) for space in gone),
                    ship=-1 if side.ship in gone else side.ship,
                )
            )
        for seat, row in enumerate(rows):
            counts = (row.palms, row.huts, row.leis, row.ships, row.shells, row.empty)
            table.tell(Scored(Seat(seat), *counts, row.total))
        return replace(state, sides=tuple(sides), rows=rows, turns=state.turns + 1, reason=self.why)


def tile_options(state: "State", seat: Seat, spaces: list[int]) -> tuple[Option, ...]:
    """Return options for these tiles of a seat's own board."""
    tiles = state.sides[seat].tiles
    coded = [(state.board.code(space), TILES[tiles[space]]) for space in spaces]
    return tuple(Option(code, spot=code, facts=tile.facts) for code, tile in coded)


def closing(state: "State", seat: Seat, cell: int = FROM_STORAGE, idle: int = 0) -> "State":
    """What follows an action: the ship's free move, the refill of that cell, the end of the turn or
    of the match.

    The match ends with the last turn before that of the seat which filled its board, or when nobody
    has done anything for two full rounds.
    """
    agenda: list[AnyStep] = []
    if state.filled is not None and state.filled == state.left_of(seat):
        agenda.append(EndGame(seat, BOARD_FILLED))
    elif idle >= state.idle_limit:
        agenda.append(EndGame(seat, STALLED))
    else:
        agenda.append(EndTurn(seat))
    # The top of the agenda is its end: the free move comes before the new tile is turned up.
    if cell != FROM_STORAGE and state.supply:
        agenda.append(Refill(seat, cell))
    if state.rules == "advanced":
        agenda.append(MoveShip(seat))
    return replace(state, idle=idle, agenda=tuple(agenda))
