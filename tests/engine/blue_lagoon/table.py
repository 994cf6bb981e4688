"""A table to try rules on: scripted dice, positions written with the board's own codes."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine import Answer, Decision, Event, Seat, Table
from engine.blue_lagoon import GAME
from engine.blue_lagoon.board import ITEMS, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.state import EXPLORATION, NOTHING, Side, State
from engine.blue_lagoon.steps import PlacePiece
from engine.blue_lagoon.view import BlueLagoonView

SETTINGS = {"map": "default", "first": "1", "board": ""}
BOARD = board_of("default")
SETTLERS = {2: 30, 3: 25, 4: 20}


class Scripted(Table):
    """Dice that fall as written; when the script is over, shuffles leave everything in order."""

    def __init__(self, *script: int) -> None:
        super().__init__("scripted")
        self.script = list(script)

    def below(self, n: int) -> int:
        """The next number of the script, else the last possible."""
        self.draws += 1
        return self.script.pop(0) if self.script else n - 1


class Play:
    """A match without drafts: each placement is applied and advanced at once."""

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
    def view(self) -> BlueLagoonView:
        """What everyone sees."""
        return GAME.view(self.state, None)

    def place(self, *keys: str) -> "Play":
        """Legal answers of whoever is in turn, one after the other."""
        for key in keys:
            decision = self.decision
            decision.check((key,))
            taken = GAME.apply(self.state, Answer(decision.seat, decision.kind, (key,)), self.table.tell)
            self.state = GAME.advance(taken, self.table)
        return self

    def told(self, kind: type[Event]) -> list[Event]:
        """The events of that kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return GAME.outcome(self.state) is not None


def new_play(seats: int = 2, table: Table | None = None, **settings: str) -> Play:
    """A match from its set-up; without a table the items lie in order: coconuts, bamboo, water, stones, statuettes."""
    table = table or Scripted()
    return Play(GAME.setup(seats, {**SETTINGS, **settings}, table), table)


def bits_of(codes: str) -> int:
    """A set of places by their codes."""
    return sum(BOARD.bit(BOARD.by_code[code]) for code in codes.split())


def items_on(items: Mapping[str, str]) -> tuple[int, int, int, int, int]:
    """Where items lie: codes by item."""
    c, b, w, p, s = (bits_of(items.get(item, "")) for item in ITEMS)
    return c, b, w, p, s


def side(pieces: str, settlers_left: int = 10, villages_left: int = 0, held: Sequence[int] = NOTHING) -> Side:
    """A seat's pieces by their keys: '17' a boat, 'g7' a settler, 'g7v' a village."""
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
    """A match at that point; unless told otherwise one far resource keeps the phase going."""
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
    return Play(state, Scripted())


def scored_before(play: Play, *totals: int) -> Play:
    """The same match with points of an exploration already written down, all as islands."""
    rows = tuple(Row(total, 0, 0, 0, 0, 0) for total in totals)
    return Play(replace(play.state, scores=(rows,)), play.table)
