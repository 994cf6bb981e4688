"""Travel: members sail over explored routes, and what they meet on arrival."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import MASK, RESOURCES, SHIP, Island, MapName, Passage, Route, board_of, tokens
from engine.polynesia.events import MaskSpent, MaskUsed, MemberMoved, PointsTaken, TokenTaken
from engine.polynesia.exploring import ExploreFree

if TYPE_CHECKING:
    from engine.polynesia.state import State

FARE = 1
"""What an owner gets for a passage over a foreign route."""
MASK_RESOURCES = 2
"""Card 2.1: what a mask takes or makes the others lose."""
FIRST_CARD, GIFT_CARD, PASS_CARD, JOIN_CARD, MEET_CARD = "1.2", "2.1", "2.2", "2.3", "3.1"
STOP = Option("stop", group="stop", ends=True)
GIFTS = tuple(Option(f"{how}-{resource}") for how in ("take", "lose") for resource in RESOURCES)


class MoveMember(Step, frozen=True):
    """A Movement Point: one member over one explored route. After the first the rest may be forfeited."""

    seat: Seat
    points: int
    started: bool = False

    def asks(self, state: "State") -> bool:
        """Whether a point is left and some member can go on."""
        return self.points > 0 and can_travel(state, self.seat)

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every passage of an own member, and to stop once one has moved."""
        options, side = _options(state, self.seat), state.sides[self.seat]
        if self.started:
            options.append(STOP)
        facts = (("points", self.points), ("fish", side.fish), ("shells", side.shells))
        return (Decision(self.seat, "move_member", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The member moved; on a foreign route the way to use it is chosen first."""
        if answer.keys[0] == STOP.key:
            return pop(state)
        passage = state.board.passage[answer.keys[0]]
        rest = MoveMember(self.seat, self.points - 1, started=True)
        if is_foreign(state, self.seat, passage):
            return pop(state, HireGuide(self.seat, passage.code), rest)
        tell(MemberMoved(self.seat, passage.start.code, passage.goal.code))
        return arrived(state.sailing(self.seat, passage, rest), self.seat, passage.goal, tell)


class HireGuide(Step, frozen=True):
    """A foreign route: an owner with a member on the start island is paid and guides; or a mask is spent."""

    seat: Seat
    passage: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every way to use the route."""
        passage = state.board.passage[self.passage]
        resource = state.type_of(passage.route)
        options = [
            Option(f"p{owner + 1}", facts=(("owner", owner), ("of", resource)))
            for owner in guides(state, self.seat, passage)
        ]
        if can_spend_mask(state, self.seat):
            options.append(Option(MASK))
        facts = (("start", passage.start.code), ("goal", passage.goal.code))
        return (Decision(self.seat, "hire_guide", tuple(options), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The owner paid and his member taken along, or the mask discarded."""
        passage = state.board.passage[self.passage]
        start, goal = passage.start, passage.goal
        if answer.keys[0] == MASK:
            after = state.with_side(self.seat, state.sides[self.seat].without_token(MASK))
            tell(MemberMoved(self.seat, start.code, goal.code, has_mask=True))
            tell(MaskSpent(self.seat))
            return arrived(after.sailing(self.seat, passage), self.seat, goal, tell)
        owner, resource = Seat(int(answer.keys[0][1:]) - 1), state.type_of(passage.route)
        after = state.paying(self.seat, owner, resource, FARE)
        after = after.with_side(owner, after.sides[owner].moving(start, goal))
        tell(MemberMoved(self.seat, start.code, goal.code, owner, resource))
        return arrived(_met(after, self.seat, owner, tell).sailing(self.seat, passage), self.seat, goal, tell)


class UseMask(Step, frozen=True):
    """Card 2.1: a resource type is chosen, and whether to take 2 of it or to make all others lose 2 of it."""

    seat: Seat
    island: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Take or lose, of either type."""
        return (Decision(self.seat, "use_mask", GIFTS),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The mask used; whoever has fewer than 2 loses what he has."""
        how, _, resource = answer.keys[0].partition("-")
        after = pop(state)
        if how == "take":
            tell(MaskUsed(self.seat, self.island, how, resource))
            return after.gaining(self.seat, resource, MASK_RESOURCES)
        lost = tuple(
            0 if seat == self.seat else min(MASK_RESOURCES, side.holding(resource))
            for seat, side in enumerate(state.sides)
        )
        for seat, count in enumerate(lost):
            after = after.gaining(Seat(seat), resource, -count)
        tell(MaskUsed(self.seat, self.island, how, resource, lost))
        return after


def is_foreign(state: "State", seat: Seat, passage: Passage) -> bool:
    """Whether only others have ships on the route; with an own ship it is an own route and nobody is paid."""
    bits = state.routes[passage.route.number]
    return bits > 0 and not bits >> seat & 1


def guides(state: "State", seat: Seat, passage: Passage) -> tuple[Seat, ...]:
    """Owners of a foreign route who can guide from the start island, if the seat can pay one."""
    if state.sides[seat].holding(state.type_of(passage.route)) < FARE:
        return ()
    start = passage.start.number
    return tuple(owner for owner in state.owners(passage.route) if state.sides[owner].members[start])


def can_spend_mask(state: "State", seat: Seat) -> bool:
    """Card 2.2: a mask in possession opens any foreign route."""
    return state.has_tide(PASS_CARD) and state.sides[seat].count(MASK) > 0


def open_passages(state: "State", seat: Seat) -> Iterator[Passage]:
    """Every passage that some member of the seat can take now."""
    for passages in compress(state.board.passages, state.sides[seat].members):
        yield from (passage for passage in passages if _is_open(state, seat, passage))


def can_travel(state: "State", seat: Seat) -> bool:
    """Whether there is any passage to take."""
    members = state.sides[seat].members
    for harbour in board_of(state.map).harbours:
        if members[harbour]:
            return True
    return next(open_passages(state, seat), None) is not None


def arrived(state: "State", seat: Seat, goal: Island, tell: Tell) -> "State":
    """The member that has come to an island takes what lies there: the guide's owner gets nothing."""
    after = state
    if goal.archipelago in state.archipelago_points:
        after = _reached_archipelago(state, seat, goal, tell)
    token = state.tokens[goal.number]
    return _took_token(after, seat, goal, token, tell) if token else after


def _is_open(state: "State", seat: Seat, passage: Passage) -> bool:
    if passage.route.neutral:
        return True
    bits = state.routes[passage.route.number]
    if not bits or bits >> seat & 1:
        return bool(bits)
    return bool(guides(state, seat, passage)) or can_spend_mask(state, seat)


def _met(state: "State", seat: Seat, owner: Seat, tell: Tell) -> "State":
    """Card 3.1: traveller and owner take a Point token each, the traveller first while they last."""
    if not state.has_tide(MEET_CARD):
        return state
    for taker in (seat, owner):
        state, taken = state.taking_points(taker, 1)
        if taken:
            tell(PointsTaken(taker, taken, MEET_CARD))
    return state


def _reached_archipelago(state: "State", seat: Seat, goal: Island, tell: Tell) -> "State":
    """Card 1.2: the first at an archipelago takes the Point token that lies there."""
    left = tuple(letter for letter in state.archipelago_points if letter != goal.archipelago)
    side = state.sides[seat]
    tell(PointsTaken(seat, 1, FIRST_CARD))
    return replace(state.with_side(seat, replace(side, points=side.points + 1)), archipelago_points=left)


def _took_token(state: "State", seat: Seat, island: Island, token: str, tell: Tell) -> "State":
    """The token kept, or used up at once where its face or a card says so."""
    face = tokens()[token].face
    tell(TokenTaken(seat, island.code, face))
    after = state.without_token(island)
    if face == SHIP:
        return push(after, ExploreFree(seat))
    if face == MASK and state.has_tide(GIFT_CARD):
        return push(after, UseMask(seat, island.code))
    side = after.sides[seat]
    if face == MASK and state.has_tide(JOIN_CARD):
        tell(MaskUsed(seat, island.code, "join" if side.home else "nothing"))
        return after.with_side(seat, side.populating(island, min(1, side.home)))
    return after.with_side(seat, replace(side, tokens=tuple(sorted((*side.tokens, token)))))


def _options(state: "State", seat: Seat) -> list[Option]:
    """Every passage of an own member."""
    routes, free = state.routes, _free_steps(state.map)
    found: list[Option] = []
    for steps in compress(free, state.sides[seat].members):
        for route, passage, option in steps:
            ships = routes[route.number]
            if route.neutral or ships >> seat & 1:
                found.append(option)
            elif ships and (foreign := _foreign_step(state, seat, passage)):
                found.append(foreign)
    return found


def _foreign_step(state: "State", seat: Seat, passage: Passage) -> Option | None:
    start, goal = passage.start.code, passage.goal.code
    leaders, is_masked = guides(state, seat, passage), can_spend_mask(state, seat)
    if not leaders:
        return _step(start, goal, "mask", (), "") if is_masked else None
    fare = state.type_of(passage.route) + ("_or_mask" if is_masked else "")
    return _step(start, goal, "guide" if len(leaders) == 1 else "guides", leaders, fare)


@cache
def _free_steps(map_name: MapName) -> tuple[tuple[tuple[Route, Passage, Option], ...], ...]:
    """By number of island: every route and passage off it with its option where nobody is paid."""
    ways = ("own", "neutral")
    return tuple(
        tuple((p.route, p, _step(p.start.code, p.goal.code, ways[p.route.neutral], (), "")) for p in passages)
        for passages in board_of(map_name).passages
    )


@lru_cache(maxsize=4096)
def _step(start: str, goal: str, way: str, leaders: tuple[Seat, ...], fare: str) -> Option:
    facts = (("start", start), ("goal", goal), ("way", way), ("guides", leaders), ("fare", fare))
    return Option(f"{start}-{goal}", spot=f"{start}-{goal}", group=f"from-{start}", facts=facts)
