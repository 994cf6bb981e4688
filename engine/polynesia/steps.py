"""A turn of the Action Phase: one of the four actions."""

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Run, Step
from engine.core.table import Table
from engine.polynesia.board import RESOURCES
from engine.polynesia.events import Fished, Last, noun
from engine.polynesia.exploring import ExploreRoute, can_explore
from engine.polynesia.populating import Populate
from engine.polynesia.travelling import MoveMember, can_travel

if TYPE_CHECKING:
    from engine.polynesia.state import AnyStep, State

ACTIONS = ("explore", "travel", "populate")
"""Beside fishing, which is one of RESOURCES."""


class TakeAction(Step, frozen=True):
    """One action while the Phase Marker shows that value; fishing is always possible, so nobody passes."""

    seat: Seat
    value: int

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The actions that can be carried out."""
        seat, home = self.seat, state.sides[self.seat].home
        return _question(seat, self.value, can_explore(state, seat), can_travel(state, seat), home > 0)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Resources taken, or the steps of the action begun."""
        seat, action, sides = self.seat, answer.keys[0], state.sides
        if action in RESOURCES:
            tell(Fished(seat, action, self.value))
            sides = state.sides_with(seat, sides[seat].gaining(action, self.value))
        return replace(state, sides=sides, last=Last(seat, action), agenda=self._agenda(state, action))

    def _agenda(self, state: "State", action: str) -> "tuple[AnyStep, ...]":
        """The turn's end in place of its beginning; after the last of a round the volcano comes instead."""
        steps: list[AnyStep] = [*state.agenda]
        steps.pop()
        following = steps[-1]
        if isinstance(following, TakeAction):
            steps.append(EndTurn(self.seat, following.value))
        if action == "explore":
            steps.append(ExploreRoute(self.seat))
        elif action == "travel":
            steps.append(MoveMember(self.seat, self.value))
        elif action == "populate":
            steps.append(Populate(self.seat))
        return tuple(steps)


class EndTurn(Run, frozen=True):
    """The next seat has the turn, and when all have had one the Phase Marker moves on."""

    seat: Seat
    value: int
    """What the marker shows in the next turn."""

    def run(self, state: "State", table: Table) -> "State":
        """The marker where the next turn wants it."""
        marker = str(self.value)
        return state if state.marker == marker else replace(state, marker=marker)


@cache
def _question(seat: Seat, value: int, *can: bool) -> tuple[Decision, ...]:
    possible = [key for key, is_possible in zip(ACTIONS, can, strict=True) if is_possible]
    actions = [Option(key, facts=(("value", value),)) for key in possible]
    fishing = [Option(r, facts=(("value", value), ("of", noun(r, value)))) for r in RESOURCES]
    return (Decision(seat, "take_action", (*actions, *fishing), facts=(("value", value),)),)
