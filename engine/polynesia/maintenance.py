"""The Maintenance Phase (volcano, decline, resources, new starting player) and the eruption.

Saved matches hold steps by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop
from engine.core.table import Table
from engine.polynesia.board import COLOURS, RESOURCES, Colour
from engine.polynesia.events import (
    Declined,
    Erupted,
    Gathered,
    Last,
    Scored,
    StartPassed,
    StoneDrawn,
)
from engine.polynesia.scoring import HARVESTS, final_sides, score_seats
from engine.polynesia.steps import TakeAction

if TYPE_CHECKING:
    from engine.polynesia.state import State

VALUES = (3, 2, 1)
"""The values of the three actions in a round: the first spaces of the Phase Track."""
RED, GREY, BLACK = COLOURS
MORE_STONES = 2
"""How many more stones are drawn after a black one."""


class DrawStone(Run, frozen=True):
    """Draw a lava stone; a black one brings two more, and the sixth red one ends the game."""

    def run(self, state: "State", table: Table) -> "State":
        """Put stones on the crater, and erupt with the last red one."""
        # The bag is not saved: it holds all stones that are not on the crater.
        bag: list[Colour] = []
        for colour, count in zip(COLOURS, state.bag, strict=True):
            bag += [colour] * count
        crater = list(state.lava)
        to_draw = 1
        while to_draw and bag:
            stone = bag.pop(table.below(len(bag)))
            crater.append(stone)
            to_draw -= 1
            if stone == BLACK:
                to_draw += MORE_STONES
            reds = crater.count(RED)
            table.tell(StoneDrawn(stone, reds, reds + bag.count(RED)))
            # The last red stone ends the match at once, even if a black one asked for more stones.
            if RED not in bag:
                return replace(state, marker="volcano", lava=tuple(crater), agenda=(Erupt(),))
        return replace(state, marker="decline", lava=tuple(crater))


class Decline(Step, frozen=True):
    """The starting seat chooses a resource, and everyone returns all of it."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether anybody has any resources."""
        return any(side.fish or side.shells for side in state.sides)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for either type, with what the seat and the others would lose."""
        options = []
        for resource in RESOURCES:
            own = state.sides[self.seat].count_resource(resource)
            total = sum(side.count_resource(resource) for side in state.sides)
            options.append(Option(resource, facts=(("own", own), ("others", total - own))))
        return (Decision(self.seat, "decline", tuple(options)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Return the resources."""
        resource = answer.keys[0]
        lost = tuple(side.count_resource(resource) for side in state.sides)
        sides = tuple(side.gain(resource, -side.count_resource(resource)) for side in state.sides)
        tell(Declined(self.seat, resource, lost))
        return pop(replace(state, sides=sides, last=Last(self.seat, "decline")))


class Gather(Run, frozen=True):
    """Everyone gets resources from islands with a member and from tokens."""

    def run(self, state: "State", table: Table) -> "State":
        """Give fish, then shells."""
        # Each in its own event, since texts name one resource with everybody's numbers.
        for resource in RESOURCES:
            counts = tuple(side.harvest(state.board, resource) for side in state.sides)
            if any(counts):
                table.tell(Gathered(resource, counts))
            gains = zip(state.sides, counts, strict=True)
            sides = tuple(side.gain(resource, count) for side, count in gains)
            state = replace(state, sides=sides)
        return state


class PassStart(Run, frozen=True):
    """Pass the Starting Player token to the left and begin a new round."""

    def run(self, state: "State", table: Table) -> "State":
        """Begin the next round, with the marker on its first space."""
        first = Seat((state.first + 1) % len(state.sides))
        return begin_round(replace(state, first=first, round=state.round + 1), table)


class Erupt(Run, frozen=True):
    """Destroy the Main Island and the closest islands, send their members home, and score."""

    def run(self, state: "State", table: Table) -> "State":
        """End the match."""
        before, after = state.sides, final_sides(state)
        # Cards 3.6 and 3.8 give one more harvest after the eruption, before points are counted.
        board, harvest = state.board, HARVESTS.get(state.tides[2])
        returned = tuple(new.home - old.home for old, new in zip(before, after, strict=True))
        destroyed = tuple(island.code for island in board.islands if island.destroyed)
        table.tell(Erupted(destroyed, returned))
        if harvest:
            gains = []
            for old, new in zip(before, after, strict=True):
                gains.append(new.count_resource(harvest) - old.count_resource(harvest))
            table.tell(Gathered(harvest, tuple(gains)))
        rows = score_seats(board, state.tides, after)
        table.tell(Scored(state.tides, rows))
        return replace(state, sides=after, rows=rows)


def begin_round(state: "State", table: Table) -> "State":
    """Push a whole round: three actions for each seat, then the Maintenance Phase."""
    table.tell(StartPassed(state.first, state.round))
    seats = len(state.sides)
    order = [Seat((state.first + step) % seats) for step in range(seats)]
    actions = [TakeAction(seat, value) for value in VALUES for seat in order]
    # The agenda is a stack: its last entry comes first.
    agenda = (PassStart(), Gather(), Decline(state.first), DrawStone(), *reversed(actions))
    return replace(state, marker=str(VALUES[0]), agenda=agenda)
