"""A turn of the Action Phase: one of the four actions."""

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step, pop, push
from engine.core.table import Table
from engine.polynesia.board import RESOURCES
from engine.polynesia.events import Fished, Last, noun
from engine.polynesia.exploring import ExploreRoute, can_explore
from engine.polynesia.populating import Populate
from engine.polynesia.travelling import MoveMember, can_travel

if TYPE_CHECKING:
    from engine.polynesia.state import State

ACTIONS = ("explore", "travel", "populate")
"""Beside fishing, which is one of RESOURCES."""


class TakeAction(Step, frozen=True):
    """One action while the Phase Marker shows that value; fishing is always possible, so nobody passes."""

    seat: Seat
    value: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The actions that can be carried out."""
        seat, home = self.seat, state.sides[self.seat].home
        options = _actions(self.value, can_explore(state, seat), can_travel(state, seat), home > 0)
        return (Decision(seat, "take_action", options, facts=(("value", self.value),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Resources taken, or the steps of the action begun."""
        action = answer.keys[0]
        begun = replace(self._begun(state), last=Last(self.seat, action))
        match action:
            case "explore":
                return push(begun, ExploreRoute(self.seat))
            case "travel":
                return push(begun, MoveMember(self.seat, self.value))
            case "populate":
                return push(begun, Populate(self.seat))
        tell(Fished(self.seat, action, self.value))
        return begun.gaining(self.seat, action, self.value)

    def _begun(self, state: "State") -> "State":
        """The turn's end in place of its beginning; after the last of a round the volcano comes instead."""
        following = state.agenda[-2]
        return pop(state, EndTurn(self.seat, following.value)) if isinstance(following, TakeAction) else pop(state)


class EndTurn(Run, frozen=True):
    """The next seat has the turn, and when all have had one the Phase Marker moves on."""

    seat: Seat
    value: int
    """What the marker shows in the next turn."""

    def run(self, state: "State", table: Table) -> "State":
        """The marker where the next turn wants it."""
        return replace(state, marker=str(self.value))


@cache
def _actions(value: int, *can: bool) -> tuple[Option, ...]:
    possible = [key for key, is_possible in zip(ACTIONS, can, strict=True) if is_possible]
    actions = [Option(key, facts=(("value", value),)) for key in possible]
    fishing = [Option(r, facts=(("value", value), ("of", noun(r, value)))) for r in RESOURCES]
    return (*actions, *fishing)
