"""A turn of the Action Phase: one of the four actions.

Saved matches hold steps by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table
from engine.polynesia.board import RESOURCES
from engine.polynesia.events import Fished, Last
from engine.polynesia.exploring import ExploreRoute, can_explore
from engine.polynesia.populating import Populate
from engine.polynesia.travelling import MoveMember, can_travel

if TYPE_CHECKING:
    from engine.polynesia.state import State


class TakeAction(Step, frozen=True):
    """Take one action at the marker's value; fishing is always possible, so nobody passes."""

    seat: Seat
    value: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for an action that can be carried out."""
        facts = (("value", self.value),)
        options = []
        if can_explore(state, self.seat):
            options.append(Option("explore", facts=facts))
        if can_travel(state, self.seat):
            options.append(Option("travel", facts=facts))
        if state.sides[self.seat].home:
            options.append(Option("populate", facts=facts))
        options += [Option(resource, facts=facts) for resource in RESOURCES]
        return (Decision(self.seat, "take_action", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Take resources, or begin the steps of the action."""
        action = answer.keys[0]
        following = state.agenda[-2]
        after = pop(replace(state, last=Last(self.seat, action)))
        # After the last action of a round the volcano follows at once.
        if isinstance(following, TakeAction):
            after = push(after, EndTurn(self.seat, following.value))
        match action:
            case "explore":
                return push(after, ExploreRoute(self.seat))
            case "travel":
                return push(after, MoveMember(self.seat, self.value))
            case "populate":
                return push(after, Populate(self.seat))
        tell(Fished(self.seat, action, self.value))
        return after.gain(self.seat, action, self.value)


class EndTurn(Run, frozen=True):
    """Pass the turn; when all seats have had one, move the Phase Marker."""

    seat: Seat
    value: int
    """The number that the marker shows in the next turn."""

    def run(self, state: "State", table: Table) -> "State":
        """Move the marker for the next turn."""
        return replace(state, marker=str(self.value))
