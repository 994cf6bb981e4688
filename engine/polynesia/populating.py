"""Populate: bring members from the player board to the map."""

from typing import TYPE_CHECKING

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import RESOURCES
from engine.polynesia.events import Populated

if TYPE_CHECKING:
    from engine.polynesia.state import State

TO_MAIN = 3
"""Members that come to the Main Island at once."""
ADDED_PRICE = 3
"""Card 3.3: what an additional member costs."""
ADD_CARD = "3.3"
SKIP = "skip"
LEAVE_IT = Option(SKIP, group=SKIP, forfeits=True)
"""To leave what could be done now and never again: it stands beside the choices."""


class Populate(Step, frozen=True):
    """Three members to the Main Island, or all that are left; or one to an island with your own."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask where to add members."""
        home = state.sides[self.seat].home
        return (Decision(self.seat, "populate", places(state, self.seat), facts=(("home", home),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Add the members."""
        return populated(state, self.seat, answer.keys[0], tell)


class PopulateNow(Step, frozen=True):
    """Card 1.1: the first route to an archipelago lets you Populate at once."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there is a member to add."""
        return state.sides[self.seat].home > 0

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask as for the action; the seat may decline."""
        home, options = state.sides[self.seat].home, (*places(state, self.seat), LEAVE_IT)
        return (Decision(self.seat, "populate_now", options, facts=(("home", home),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Add the members, if any."""
        if answer.keys[0] == SKIP:
            return pop(state)
        return populated(state, self.seat, answer.keys[0], tell)


class AddMember(Step, frozen=True):
    """Card 3.3: with each Populate action, 3 resources of a type add one more to the Main
    Island.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether a member is at home and the seat can pay."""
        side = state.sides[self.seat]
        return side.home > 0 and max(side.fish, side.shells) >= ADDED_PRICE

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask what to pay with, if at all."""
        side = state.sides[self.seat]
        price = (("price", ADDED_PRICE),)
        payable = [
            Option(resource, facts=price)
            for resource in RESOURCES
            if side.holding(resource) >= ADDED_PRICE
        ]
        return (Decision(self.seat, "add_member", (*payable, Option(SKIP, ends=True))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay for the member and add it."""
        resource = answer.keys[0]
        if resource == SKIP:
            return pop(state)
        main = state.board.main
        tell(Populated(self.seat, main.code, 1, ADDED_PRICE, resource))
        return pop(state.gaining(self.seat, resource, -ADDED_PRICE).populating(self.seat, main, 1))


def places(state: "State", seat: Seat) -> tuple[Option, ...]:
    """Return the ways to populate: 'm3' for three to the Main Island, else an island's code for
    one.

    The last member left may come to the Main Island in any case, and that is offered once.
    """
    board, side = state.board, state.sides[seat]
    main = board.main.code
    options = []
    if side.home > 1:
        all_three = (("island", main), ("count", min(TO_MAIN, side.home)))
        options.append(Option(f"{main}{TO_MAIN}", spot=main, facts=all_three))
    for island in board.islands:
        if side.members[island.number] or (island.is_main and side.home == 1):
            facts = (("island", island.code), ("count", 1), ("land", island.symbol))
            options.append(Option(island.code, spot=island.code, facts=facts))
    return tuple(options)


def populated(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """Finish the top step by adding members; card 3.3 may add one more."""
    island, count = state.board.main, min(TO_MAIN, state.sides[seat].home)
    if key in state.board.island:
        island, count = state.board.island[key], 1
    tell(Populated(seat, island.code, count))
    after = pop(state.populating(seat, island, count))
    return push(after, AddMember(seat)) if ADD_CARD in state.tides else after
