"""Custom positions of Conquest of Paradise, scripted dice, and short ways to play them.

A `Scene` sets up a position piece by piece; a method such as `moving` turns it into a `Play`, which
drafts and confirms answers written as in a transcript. Nearly every test of the game uses these, so
change what a method does only together with them.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from engine import Answer, Decision, Event, Match, Seat, Table, begin, visible
from engine.conquest import GAME
from engine.conquest.board import HOMES, MARKERS, PRINTED, TILES
from engine.conquest.pieces import Group, HandCard, Kinds, Tile
from engine.conquest.state import State
from engine.conquest.steps.build import BeginBuilding
from engine.conquest.steps.explore import BeginExploration
from engine.conquest.steps.movement import BeginMovement
from engine.conquest.steps.order import BeginTurn, EndTurn, turn_steps
from engine.conquest.steps.victory import CountPoints, DeclareVictory, HearDeclarations
from engine.core.steps import push

TONGA, SAMOA, HIVA, RAIATEA = (Seat(seat) for seat in range(4))
"""In these scenes the seats hold their people in this order."""
PEOPLE = ("tonga", "samoa", "hiva", "raiatea")
COUNT = re.compile(r"\d+[wtrcb]")


class Dice(Table):
    """A random source whose next results are scripted; after those it is random as usual.

    `rolls` are dice, `picks` are tiles or cards to choose when they are there, and `draws` are
    Discovery Markers, written as their kind and Knots: 'ocean1'.
    """

    def __init__(
        self, rolls: Iterable[int] = (), picks: Iterable[str] = (), draws: Iterable[str] = ()
    ) -> None:
        super().__init__("scripted")
        self.rolls = list(rolls)
        self.picks = list(picks)
        self.markers = list(draws)
        self.cup: tuple[int, ...] = ()

    def roll(self) -> int:
        return self.rolls.pop(0) if self.rolls else super().roll()

    def below(self, n: int) -> int:
        # A number below the size of the cup draws a marker; see steps.explore.DrawMarker.
        if self.markers and n == sum(self.cup):
            kind, knots = self.markers.pop(0), 0
            if kind[-1].isdigit():
                kind, knots = kind[:-1], int(kind[-1])
            # The markers of a kind come in the order of their Knots.
            index = MARKERS.index(kind) + max(0, knots - 1)
            self.cup = tuple(count - (at == index) for at, count in enumerate(self.cup))
            return sum(self.cup[:index])
        return super().below(n)

    def choose(self, items: Any) -> Any:
        pick = next((item for item in self.picks if item in items), None)
        if pick is None:
            return super().choose(items)
        self.picks.remove(pick)
        return pick


def kinds(text: str) -> Kinds:
    """Parse pieces written as '2w 1t'."""
    counts = {kind: int(number) for number, kind in re.findall(r"(\d+)([wtrcb])", text)}
    return Kinds(**counts)


class Scene:
    """A position with the Homes set up, to be changed piece by piece and then played.

    Methods that change it return the scene itself, so that calls can be chained.
    """

    def __init__(self, seats: int = 3, **settings: str) -> None:
        match = begin(GAME, seats, settings, seed="scene")
        state = replace(
            match.base, agenda=(), groups=(), stacks=(), turn=9, step="order", marker=-1, builds=()
        )
        for seat in range(seats):
            home = HOMES[PEOPLE[seat]]
            state = state.with_nation(seat, people=PEOPLE[seat], home=home, points=4, ashore=False)
            state = state.with_group(Group(home, seat, 2))
        self.match = match
        self.state: State = replace(state, order=state.seats)

    def village(self, seat: int, spot: str, number: int = 1, improved: int = 0) -> "Scene":
        """Put a seat's Villages on a group, in place of what was there."""
        taken = spot in PRINTED and PRINTED[spot].warriors > 0
        self.state = self.state.with_group(Group(spot, seat, number, improved, taken))
        return self

    def land(self, **tiles: str) -> "Scene":
        """Place face-up tiles, written h8='kuporu'."""
        for spot, key in tiles.items():
            self.state = self.state.with_tile(Tile(spot, key, up=True))
            self._unbox(key)
        return self

    def hidden(self, spot: str, key: str, *discoverers: int) -> "Scene":
        """Place a face-down tile that these seats have discovered."""
        seen = tuple(Seat(seat) for seat in discoverers)
        self.state = self.state.with_tile(Tile(spot, key, seen=seen))
        self._unbox(key)
        return self

    def _unbox(self, key: str) -> None:
        assert key in TILES
        self.state = replace(self.state, box=tuple(tile for tile in self.state.box if tile != key))

    def sea(self, *spots: str) -> "Scene":
        """Place explored ocean."""
        self.state = replace(self.state, seas=(*self.state.seas, *spots))
        return self

    def pieces(self, seat: int, spot: str, text: str, is_open: bool = False) -> "Scene":
        """Put pieces, written '2w 1t', into a hex, in place of the seat's pieces there."""
        self.state = self.state.with_pieces(seat, spot, kinds(text), is_open)
        return self

    def add_open_canoes(self, seat: int, *spots: str) -> "Scene":
        """Add a face-up Transport Canoe to the seat's pieces in each hex."""
        for spot in spots:
            pieces = self.state.pieces(seat, spot).plus(Kinds(t=1))
            self.state = self.state.with_pieces(seat, spot, pieces, is_open=True)
        return self

    def cards(self, seat: int, *keys: str, up: bool = False) -> "Scene":
        """Move cards from the deck into a seat's hand."""
        hand = (*self.state.nations[seat].hand, *(HandCard(key, up) for key in keys))
        deck = tuple(card for card in self.state.deck if card not in keys)
        self.state = replace(self.state.with_nation(seat, hand=hand), deck=deck)
        return self

    def nation(self, seat: int, **changes: Any) -> "Scene":
        """Change fields of a seat's nation."""
        self.state = self.state.with_nation(seat, **changes)
        return self

    def having(self, **changes: Any) -> "Scene":
        """Change fields of the state for which there is no method."""
        self.state = replace(self.state, **changes)
        return self

    def exploring(self, seat: int = 0) -> "Play":
        """Start at a seat's Exploration, with the rest of the turn after it."""
        return self._at(BeginExploration(Seat(seat)), CountPoints())

    def moving(self, *seats: int) -> "Play":
        """Start at the Movement of these seats."""
        return self._at(*(BeginMovement(Seat(seat)) for seat in seats or (0,)), CountPoints())

    def building(self) -> "Play":
        """Start at the Building Step."""
        return self._at(BeginBuilding(), CountPoints())

    def victory(self) -> "Play":
        """Start at the Victory Step, in seat order."""
        return self._at(CountPoints(), DeclareVictory(), HearDeclarations())

    def turn(self) -> "Play":
        """Start at the beginning of the next turn."""
        return self._at(BeginTurn())

    def turn_with(self, *rolls: int) -> "Play":
        """Begin the next turn with these dice."""
        return Play(self.match, push(self.state, BeginTurn()), *rolls)

    def whole_turn(self) -> "Play":
        """Start at the first Exploration, with the whole turn after it."""
        return self._at(*turn_steps(self.state.order))

    def _at(self, *steps: Any) -> "Play":
        return Play(self.match, push(self.state, *steps, EndTurn()))


class Play:
    """A match with scripted dice. Answers are written as in a transcript: 'f7', 'f7+l7'."""

    def __init__(self, match: Match, state: State, *rolls: int) -> None:
        self.match, self.last_events = replace(match, base=state), []
        self.start(*rolls)

    events: list[Event]

    def start(self, *rolls: int, **script: Any) -> "Play":
        """Run on until somebody is asked, with these dice."""
        table = self._table(*rolls, **script)
        self._set(GAME.advance(self.match.base, table), table.events)
        return self

    def _table(self, *rolls: int, draws: Iterable[str] = (), picks: Iterable[str] = ()) -> Dice:
        table = Dice(rolls, picks, draws)
        table.cup = self.match.base.cup
        return table

    def _set(self, state: State, events: list[Event]) -> None:
        self.match = replace(self.match, base=state, drafts={})
        self.last_events = list(events)

    def pick(self, seat: int, text: str) -> "Play":
        """Draft answers, joined by commas."""
        words = text.replace(" ", "").split(",")
        while words:
            kind, _, keys = words.pop(0).rpartition("/")
            asked = kind or self.question(seat).kind
            if asked == "pick_company" and keys not in self.keys(seat):
                counts = [keys]
                while words and COUNT.fullmatch(words[0]):
                    counts.append(words.pop(0))
                keys = self._company(seat, counts)
            chosen = () if keys == "-" else tuple(keys.split("+"))
            self.match = self.match.pick(Answer(Seat(seat), asked, chosen))
        return self

    def _company(self, seat: int, counts: list[str]) -> str:
        """Return the only company with these counts of the named kinds."""
        wanted = {count[-1]: int(count[:-1]) for count in counts}
        named = [key for key in self.keys(seat) if key != "all"]
        found = [
            key
            for key in named
            if all(kinds(key).of(kind) == number for kind, number in wanted.items())
        ]
        if not found and "all" in self.keys(seat):
            return "all"
        assert found, f"{counts} of {named}"
        return found[-1]

    def do(self, seat: int, text: str, *rolls: int, **script: Any) -> "Play":
        """Draft and confirm answers, with the dice that follow."""
        self.pick(seat, text)
        if "later" in self.keys(seat):
            self.pick(seat, "later")
        assert self.match.is_complete(Seat(seat)), f"still asked: {self.keys(seat)}"
        draft = self.match.draft(Seat(seat))
        table = self._table(*rolls, **script)
        state = GAME.advance(self.match.tip(Seat(seat)), table)
        self._set(state, [*draft.events, *table.events])
        return self

    def finish(self, seat: int, *rolls: int) -> "Play":
        """Send everything, end Movement, and fight the Battle with these dice."""
        if self.kind(seat) in ("pick_pieces", "pick_company"):
            self.pick(seat, "all" if "all" in self.keys(seat) else self.keys(seat)[-1])
        while self.kind(seat) == "pick_pieces":
            self.pick(seat, self.keys(seat)[-1])
        return self.do(seat, "done", *rolls)

    def offer(self, seat: int, kind: str, *keys: str) -> "Play":
        """Take an offer."""
        before = len(self.match.events)
        self.match = self.match.pick(Answer(Seat(seat), kind, keys))
        self.last_events = list(self.match.events[before:])
        return self

    @property
    def state(self) -> State:
        """The position."""
        base: State = self.match.base
        return base

    def question(self, seat: int) -> Decision:
        """Return the question of a seat."""
        question = self.match.question(Seat(seat))
        assert question is not None
        return question

    def kind(self, seat: int) -> str:
        """Return the kind of a seat's question; '' if there is none."""
        question = self.match.question(Seat(seat))
        return question.kind if question is not None else ""

    def keys(self, seat: int, offer: str = "") -> list[str]:
        """Return the keys that a seat may choose."""
        found = self.match.question(Seat(seat))
        if offer:
            found = next(
                (other for other in self.match.offers(Seat(seat)) if other.kind == offer), None
            )
        return [option.key for option in found.options] if found is not None else []

    def events(self, *types: type[Event]) -> list[Event]:
        """Return the events of the last commit, of these types."""
        return [event for event in self.last_events if isinstance(event, types)]

    def seen(self, viewer: int | None) -> tuple[Event, ...]:
        """Return the events that a viewer sees."""
        return visible(self.last_events, None if viewer is None else Seat(viewer))

    def waiting(self) -> tuple[Seat, ...]:
        """Return the seats that the match waits for."""
        return self.match.waiting_for()

    def at(self, seat: int, spot: str) -> Kinds:
        """Return a seat's pieces in a hex."""
        return self.state.pieces(seat, spot)
