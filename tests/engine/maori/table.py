"""A table to try rules on: scripted draws, positions written with the codes of the board and the numbers of tiles."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import Answer, Decision, Event, Option, Seat, Table
from engine.maori import GAME
from engine.maori.board import CELLS, POSITIONS, board_of
from engine.maori.state import SHELLS, Side, State
from engine.maori.steps import MoveDiscoverer
from engine.maori.view import MaoriView

SETTINGS = {"rules": "basic", "board": "front", "first": "1"}
PLAIN = (79, 80, 81, 82, 1, 2, 3, 4, 22, 23, 36, 37, 50, 63, 69, 76)
"""A matrix without ships, shells, huts and leis."""
FULL = "q3 q4 q5 r1 r2 r3 r4 r5 s1 s2 s3 s4 s5 t1 t2 t3"
"""The spaces of the front."""


class Scripted(Table):
    """Draws that fall as written; when the script is over, always the first tile of those that are left."""

    def __init__(self, *script: int) -> None:
        super().__init__("scripted")
        self.script = list(script)

    def below(self, n: int) -> int:
        """The next number of the script, else 0."""
        self.draws += 1
        return self.script.pop(0) if self.script else 0


class Play:
    """A match without drafts: what nobody is asked is run at once after every answer."""

    def __init__(self, state: State, table: Table) -> None:
        self.table = table
        self.state = GAME.advance(state, table)

    @property
    def events(self) -> list[Event]:
        """All that was told."""
        return self.table.events

    @property
    def decision(self) -> Decision:
        """The open question."""
        (decision,) = GAME.decisions(self.state)
        return decision

    @property
    def turn(self) -> Seat:
        """Who is asked."""
        return self.decision.seat

    @property
    def keys(self) -> list[str]:
        """What may be answered."""
        return [option.key for option in self.decision.options]

    @property
    def view(self) -> MaoriView:
        """What everyone sees."""
        return GAME.view(self.state, None)

    def option(self, key: str) -> Option:
        """An option of the open question."""
        return self.decision.option(key)

    def prices(self) -> dict[str, int]:
        """What each spot that is offered costs."""
        offered = (option for option in self.decision.options if option.spot)
        return {option.key: int(dict(option.facts).get("paid", 0)) for option in offered}

    def play(self, text: str) -> "Play":
        """Legal answers of whoever is in turn, joined as a person types them."""
        for key in text.split(","):
            decision = self.decision
            decision.check((key,))
            taken = GAME.apply(self.state, Answer(decision.seat, decision.kind, (key,)), self.table.tell)
            self.state = GAME.advance(taken, self.table)
        return self

    def side(self, seat: int = 0) -> Side:
        """What lies before a seat."""
        return self.state.sides[seat]

    def tile_at(self, code: str, seat: int = 0) -> int:
        """The tile on a space."""
        return self.side(seat).tiles[self.state.board.by_code[code].index]

    def ship(self, seat: int = 0) -> str:
        """Where a seat's small ship stands."""
        return self.view.sides[seat].ship

    def told(self, kind: type[Event]) -> list[Event]:
        """The events of that kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return GAME.outcome(self.state) is not None


def new_play(seats: int = 2, table: Table | None = None, **settings: str) -> Play:
    """A match from its set-up; without a table the matrix is T01 to T16 in order."""
    table = table or Scripted()
    return Play(GAME.setup(seats, {**SETTINGS, **settings}, table), table)


def side(
    tiles: str = "", shells: int = 5, stored: int = 0, ship: str = "", board: str = "front", fill: str = ""
) -> Side:
    """A seat's things: 'q3=15 q4=71', the number of a tile on each space; `fill` are spaces with tile 79."""
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
    """A match at that point. All shells that nobody has are in the bank, unless told otherwise."""
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
    """The plain matrix with other tiles, 0 for none, in some cells."""
    numbers = list(PLAIN)
    for cell, tile in cells.items():
        numbers[CELLS.index(cell)] = tile
    return tuple(numbers)
