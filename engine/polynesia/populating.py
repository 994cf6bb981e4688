"""The Populate action: bring members from the player board to the map.

Saved matches hold steps by class name and fields, so neither is ever renamed.
"""

from typing import TYPE_CHECKING

from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import RESOURCES, Island, space_value
from engine.polynesia.events import Populated

if TYPE_CHECKING:
    from engine.polynesia.state import State

TO_MAIN = 3
"""The members that one action brings to the Main Island."""
ADDED_PRICE = 3
"""Card 3.3: the price of an additional member, in one resource."""
ADD_CARD = "3.3"
SKIP = "skip"
LEAVE_IT = Option(SKIP, group=SKIP, forfeits=True)
"""The option to give up something that can only be done now."""


class Populate(Step, frozen=True):
    """Three members to the Main Island, or all that are left; or one to an island with your own."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask where to add members."""
        options = list_populate_options(state, self.seat)
        facts = list_board_facts(state, self.seat)
        return (Decision(self.seat, "populate", options, facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Add the members."""
        return finish_populating(state, self.seat, answer.keys[0], tell)


class PopulateNow(Step, frozen=True):
    """Card 1.1: the first route to an archipelago lets you Populate at once."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there is a member to add."""
        return state.sides[self.seat].home > 0

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask as for the action; the seat may decline."""
        options = (*list_populate_options(state, self.seat), LEAVE_IT)
        facts = list_board_facts(state, self.seat)
        return (Decision(self.seat, "populate_now", options, facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Add the members, if any."""
        if answer.keys[0] == SKIP:
            return pop(state)
        return finish_populating(state, self.seat, answer.keys[0], tell)


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
        payable = []
        for resource in RESOURCES:
            left = side.count_resource(resource) - ADDED_PRICE
            if left >= 0:
                facts = (("price", ADDED_PRICE), ("left", left))
                payable.append(Option(resource, facts=facts))
        return (Decision(self.seat, "add_member", (*payable, Option(SKIP, ends=True))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay for the member and add it."""
        resource = answer.keys[0]
        if resource == SKIP:
            return pop(state)
        main = state.board.main
        tell(Populated(self.seat, main.code, 1, ADDED_PRICE, resource))
        return pop(state.gain(self.seat, resource, -ADDED_PRICE).add_members(self.seat, main, 1))


def list_board_facts(state: "State", seat: Seat) -> tuple[Fact, ...]:
    """Return how many members are on the player board, and the value of its best free space."""
    home = state.sides[seat].home
    return (("home", home), ("value", space_value(home)))


def list_populate_options(state: "State", seat: Seat) -> tuple[Option, ...]:
    """Return the ways to populate: 'm3' for three to the Main Island, or an island for one.

    The last member left may always come to the Main Island, and that is offered only once.
    """
    board, side = state.board, state.sides[seat]

    def make_option(key: str, island: Island, count: int) -> Option:
        facts = (
            ("island", island.code),
            ("count", count),
            ("value", space_value(side.home - count)),
            ("doomed", int(island.destroyed)),
        )
        return Option(key, spot=island.code, facts=facts)

    options = []
    # A single member comes to the Main Island like to any other island: see below.
    if side.home > 1:
        main = board.main
        options.append(make_option(f"{main.code}{TO_MAIN}", main, min(TO_MAIN, side.home)))
    options += [
        make_option(island.code, island, 1)
        for island in board.islands
        if side.members[island.number] or (island.is_main and side.home == 1)
    ]
    return tuple(options)


def finish_populating(state: "State", seat: Seat, key: str, tell: Tell) -> "State":
    """Finish the top step by adding members; card 3.3 may add one more."""
    # A key is an island's code for one member, or the Main Island's with the number 3.
    if key in state.board.island:
        island, count = state.board.island[key], 1
    else:
        island, count = state.board.main, min(TO_MAIN, state.sides[seat].home)
    tell(Populated(seat, island.code, count))
    after = pop(state.add_members(seat, island, count))
    return push(after, AddMember(seat)) if ADD_CARD in state.tides else after
