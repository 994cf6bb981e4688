"""The Travel action: members sail along explored routes, and take what is where they arrive.

Neutral routes and those with a ship of your own are free. On a foreign route, an owner with a
member on the start island is paid and comes along as a guide. Saved matches hold steps by class
name and fields, so neither is ever renamed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import MASK, RESOURCES, SHIP, Island, Passage, face_of
from engine.polynesia.events import MaskSpent, MaskUsed, MemberMoved, PointsTaken, TokenTaken
from engine.polynesia.exploring import ExploreFree, list_island_facts

if TYPE_CHECKING:
    from engine.polynesia.state import State

FARE = 1
"""The resources that an owner is paid for a passage along a foreign route."""
MASK_RESOURCES = 2
"""Card 2.1: resources that a mask takes or makes the others lose."""
FIRST_CARD, GIFT_CARD, PASS_CARD, JOIN_CARD, MEET_CARD = "1.2", "2.1", "2.2", "2.3", "3.1"
STOP = "stop"


class MoveMember(Step, frozen=True):
    """Spend a Movement Point: move one member over one explored route.

    After the first, the rest may be forfeited.
    """

    seat: Seat
    points: int
    started: bool = False

    def asks(self, state: "State") -> bool:
        """Return whether a point is left and some member can move."""
        return self.points > 0 and can_travel(state, self.seat)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a passage, or whether to stop once a member has moved."""
        options = [self._make_option(state, passage) for passage in open_passages(state, self.seat)]
        needs_guide = any(name == "guides" for option in options for name, _ in option.facts)
        # What the seat can pay with is mentioned only if there is a guide to pay.
        side = state.sides[self.seat]
        purse = (("fish", side.fish), ("shell", side.shells)) if needs_guide else ()
        if self.started:
            lost_points = (("points", self.points),)
            options.append(Option(STOP, group=STOP, facts=lost_points, forfeits=True))
        facts = (("points", self.points), ("first", int(not self.started)), ("purse", purse))
        return (Decision(self.seat, "move_member", tuple(options), facts=facts),)

    def _make_option(self, state: "State", passage: Passage) -> Option:
        facts: list[Fact] = [("start", passage.start.code), ("goal", passage.goal.code)]
        facts += list_island_facts(state, passage.goal)
        if is_foreign(state, self.seat, passage):
            leaders = find_guides(state, self.seat, passage)
            has_mask = can_spend_mask(state, self.seat)
            if leaders:
                facts += [("guides", leaders), ("fare", FARE), ("of", state.type_of(passage.route))]
                facts += [("several", int(len(leaders) > 1)), ("or_mask", int(has_mask))]
            else:
                facts.append(("mask", int(has_mask)))
        group = f"from-{passage.start.code}"
        return Option(passage.code, spot=passage.code, group=group, facts=tuple(facts))

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Move the member; on a foreign route, ask how to use it first."""
        if answer.keys[0] == STOP:
            return pop(state)
        passage = state.board.passage[answer.keys[0]]
        # The same step again, for the Movement Points that are left.
        rest = MoveMember(self.seat, self.points - 1, started=True)
        if is_foreign(state, self.seat, passage):
            return pop(state, HireGuide(self.seat, passage.code), rest)
        tell(MemberMoved(self.seat, passage.start.code, passage.goal.code))
        return arrive(pop(state, rest).sail(self.seat, passage), self.seat, passage.goal, tell)


class HireGuide(Step, frozen=True):
    """Use a foreign route: pay an owner with a member on the start island, or spend a mask."""

    seat: Seat
    passage: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a way to use the route."""
        passage = state.board.passage[self.passage]
        resource = state.type_of(passage.route)
        options = [
            Option(f"p{owner + 1}", facts=(("owner", owner), ("fare", FARE), ("of", resource)))
            for owner in find_guides(state, self.seat, passage)
        ]
        if can_spend_mask(state, self.seat):
            options.append(Option(MASK))
        facts = (
            ("start", passage.start.code),
            ("goal", passage.goal.code),
            ("fare", FARE),
            ("of", resource),
        )
        return (Decision(self.seat, "hire_guide", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay the owner and take their member along, or discard the mask."""
        passage, after = state.board.passage[self.passage], pop(state)
        start, goal = passage.start, passage.goal
        if answer.keys[0] == MASK:
            # As on a route of your own, nobody is paid or comes along, so card 3.1 gives nothing.
            tell(MemberMoved(self.seat, start.code, goal.code, has_mask=True))
            tell(MaskSpent(self.seat))
            after = after.with_side(self.seat, state.sides[self.seat].without_token(MASK))
            return arrive(after.sail(self.seat, passage), self.seat, goal, tell)
        # The key is the owner as transcripts write it, counted from p1.
        owner = Seat(int(answer.keys[0].removeprefix("p")) - 1)
        resource = state.type_of(passage.route)
        tell(MemberMoved(self.seat, start.code, goal.code, owner, resource))
        after = after.pay(self.seat, owner, resource, FARE)
        after = after.with_side(owner, after.sides[owner].move_member(start, goal))
        if MEET_CARD in state.tides:
            # The traveller takes first while the Point tokens last.
            for taker in (self.seat, owner):
                after, taken = after.take_points(taker, 1)
                tell(PointsTaken(taker, taken, MEET_CARD, missed=1 - taken))
        return arrive(after.sail(self.seat, passage), self.seat, goal, tell)


class UseMask(Step, frozen=True):
    """Card 2.1: choose a resource, and whether to take 2 or make everyone else lose 2."""

    seat: Seat
    island: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for take or lose, of either type."""
        taking = [Option(f"take-{resource}") for resource in RESOURCES]
        losing = []
        for resource in RESOURCES:
            total = sum(self._count_lost(state, resource))
            losing.append(Option(f"lose-{resource}", facts=(("total", total),)))
        return (Decision(self.seat, "use_mask", (*taking, *losing)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Use the mask; seats with fewer than 2 lose what they have."""
        how, _, resource = answer.keys[0].partition("-")
        after = pop(state)
        if how == "take":
            tell(MaskUsed(self.seat, self.island, how, resource))
            return after.gain(self.seat, resource, MASK_RESOURCES)
        lost = self._count_lost(state, resource)
        for seat, count in enumerate(lost):
            after = after.gain(Seat(seat), resource, -count)
        tell(MaskUsed(self.seat, self.island, how, resource, lost))
        return after

    def _count_lost(self, state: "State", resource: str) -> tuple[int, ...]:
        """Return what each seat would lose of a resource."""
        return tuple(
            0 if seat == self.seat else min(MASK_RESOURCES, side.count_resource(resource))
            for seat, side in enumerate(state.sides)
        )


def is_foreign(state: "State", seat: Seat, passage: Passage) -> bool:
    """Return whether only others have ships on the route.

    With a ship of your own it is your route, and nobody is paid.
    """
    owners = state.owners(passage.route)
    return bool(owners) and seat not in owners


def find_guides(state: "State", seat: Seat, passage: Passage) -> tuple[Seat, ...]:
    """Return the owners of a foreign route who can guide, if the seat can pay one."""
    if state.sides[seat].count_resource(state.type_of(passage.route)) < FARE:
        return ()
    start = passage.start.number
    return tuple(
        owner for owner in state.owners(passage.route) if state.sides[owner].members[start]
    )


def can_spend_mask(state: "State", seat: Seat) -> bool:
    """Card 2.2: return whether a mask opens the foreign route."""
    return PASS_CARD in state.tides and state.sides[seat].count(MASK) > 0


def open_passages(state: "State", seat: Seat) -> Iterator[Passage]:
    """Yield every passage that a member of the seat can take now."""
    for members, passages in zip(state.sides[seat].members, state.board.passages, strict=True):
        if not members:
            continue
        for passage in passages:
            if is_foreign(state, seat, passage):
                is_open = bool(find_guides(state, seat, passage)) or can_spend_mask(state, seat)
            else:
                is_open = passage.route.neutral or seat in state.owners(passage.route)
            if is_open:
                yield passage


def can_travel(state: "State", seat: Seat) -> bool:
    """Return whether there is any passage to take."""
    return any(True for _ in open_passages(state, seat))


def arrive(state: "State", seat: Seat, goal: Island, tell: Tell) -> "State":
    """Let the traveller take what is on the island; the guide's owner gets nothing.

    Payment, guide and card 3.1 come before this; card 1.2 comes now, then the token and its effect.
    """
    after = state
    if goal.archipelago in state.archipelago_points:
        # Card 1.2: the first at an archipelago takes the Point token that lies there.
        tell(PointsTaken(seat, 1, FIRST_CARD))
        side = state.sides[seat]
        others = tuple(letter for letter in state.archipelago_points if letter != goal.archipelago)
        after = state.with_side(seat, replace(side, points=side.points + 1))
        after = replace(after, archipelago_points=others)
    token = state.tokens[goal.number]
    return _take_token(after, seat, goal, token, tell) if token else after


def _take_token(state: "State", seat: Seat, island: Island, token: str, tell: Tell) -> "State":
    """Keep the token, or use it up at once if its face or a card says so."""
    face = face_of(token)
    tell(TokenTaken(seat, island.code, face))
    after = state.without_token(island)
    if face == SHIP:
        return push(after, ExploreFree(seat))
    if face == MASK and GIFT_CARD in state.tides:
        return push(after, UseMask(seat, island.code))
    side = after.sides[seat]
    if face == MASK and JOIN_CARD in state.tides:
        # This is no Populate action, so card 3.3 adds nobody.
        tell(MaskUsed(seat, island.code, "join" if side.home else "nothing"))
        return after.with_side(seat, side.add_members(island, min(1, side.home)))
    return after.with_side(seat, replace(side, tokens=tuple(sorted((*side.tokens, token)))))
