"""Populate: members come from the personal board to the map."""

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
    """Three members to the Main Island, or all that are left; or one to an island with an own
    member.
    """

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Where members may be added."""
        home = state.sides[self.seat].home
        return (Decision(self.seat, "populate", places(state, self.seat), facts=(("home", home),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The members added."""
        return populated(state, self.seat, answer.keys[0], tell)


class PopulateNow(Step, frozen=True):
    """Card 1.1: whoever explored the first route to an archipelago may perform the Populate
    action at once.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether there is anybody to add."""
        return state.sides[self.seat].home > 0

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """As the action, and it may be left."""
        home, options = state.sides[self.seat].home, (*places(state, self.seat), LEAVE_IT)
        return (Decision(self.seat, "populate_now", options, facts=(("home", home),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The members added, if any."""
        if answer.keys[0] == SKIP:
            return pop(state)
        return populated(state, self.seat, answer.keys[0], tell)


class AddMember(Step, frozen=True):
    """Card 3.3: with each Populate action, 3 resources of a type add one more member to the Main
    Island.
    """

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether a member is at home and the price at hand."""
        side = state.sides[self.seat]
        return side.home > 0 and max(side.fish, side.shells) >= ADDED_PRICE

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """With what to pay, or not at all."""
        side = state.sides[self.seat]
        price = (("price", ADDED_PRICE),)
        payable = [
            Option(resource, facts=price)
            for resource in RESOURCES
            if side.holding(resource) >= ADDED_PRICE
        ]
        return (Decision(self.seat, "add_member", (*payable, Option(SKIP, ends=True))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The member paid for and added."""
        resource = answer.keys[0]
        if resource == SKIP:
            return pop(state)
        main = state.board.main
        tell(Populated(self.seat, main.code, 1, ADDED_PRICE, resource))
        return pop(state.gaining(self.seat, resource, -ADDED_PRICE).populating(self.seat, main, 1))


def places(state: "State", seat: Seat) -> tuple[Option, ...]:
    """Three to the Main Island, 'm3', and one to every island with an own member, the Main Island
    too, 'm'.

    With one member left all that are left is one: it may come to the Main Island in any case, and
    that is offered once.
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
    """The top step done by adding members as the key says; card 3.3 may add one more."""
    island, count = state.board.main, min(TO_MAIN, state.sides[seat].home)
    if key in state.board.island:
        island, count = state.board.island[key], 1
    tell(Populated(seat, island.code, count))
    after = pop(state.populating(seat, island, count))
    return push(after, AddMember(seat)) if ADD_CARD in state.tides else after
