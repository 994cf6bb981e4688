"""The Explore action: put a ship on a sea route.

A new route costs the number on the Phase Marker, in one resource of your choice. An existing route
costs 2 of its resource for each owner, paid to them. Saved matches hold steps by class name and
fields, so neither is ever renamed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core.decision import Answer, Decision, Fact, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import RESOURCES, TURTLE, TURTLES, Island, Route, face_of
from engine.polynesia.events import PointsTaken, RouteExplored
from engine.polynesia.populating import LEAVE_IT, SKIP, PopulateNow

if TYPE_CHECKING:
    from engine.polynesia.state import State

OWNER_PRICE = 2
"""The resources that each owner of an existing route is paid."""
LINK_CARD = "1.1"
"""The first route to an archipelago costs twice as much, and its explorer may Populate."""
SHARE_CARD = "3.2"
"""Exploring an existing route takes a Point token for each ship on it."""


class ExploreRoute(Step, frozen=True):
    """Choose any route without a ship of your own, new or existing, that you can pay for."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a route that the seat can pay for, with its price."""
        options = []
        for route in open_routes(state, self.seat):
            types = payable_with(state, self.seat, route)
            if not types:
                continue
            price = find_price(state, route)
            facts = list(list_route_facts(state, self.seat, route))
            facts += [("paid", price), ("of", types[0])]
            if len(types) > 1:
                facts.append(("either", price))
            if len(state.owners(route)) > 1:
                facts.append(("each", OWNER_PRICE))
            option = Option(route.code, spot=route.code, group=route.group, facts=tuple(facts))
            options.append(option)
        side = state.sides[self.seat]
        asked = (
            ("fish", side.fish),
            ("shells", side.shells),
            ("value", state.value),
            ("existing", int(len(state.sides) > 2)),
            ("double", int(LINK_CARD in state.tides)),
        )
        return (Decision(self.seat, "explore_route", tuple(options), facts=asked),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay for an existing route; for a new one, ask for the type next."""
        route = state.board.route[answer.keys[0]]
        owners, resource = state.owners(route), state.type_of(route)
        if not owners:
            return pop(state, PayRoute(self.seat, route.code))
        after = pop(state)
        for owner in owners:
            after = after.pay(self.seat, owner, resource, OWNER_PRICE)
        paid = OWNER_PRICE * len(owners)
        tell(RouteExplored(self.seat, route.code, resource, paid, owners, is_new=False))
        return put_ship(after, self.seat, route, resource, tell)


class PayRoute(Step, frozen=True):
    """Pay for a new route with one type of resource; one stays on it, the rest go back."""

    seat: Seat
    route: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the types of which the seat has enough."""
        route = state.board.route[self.route]
        count = find_price(state, route)
        options = []
        for resource in payable_with(state, self.seat, route):
            left = state.sides[self.seat].count_resource(resource) - count
            options.append(Option(resource, facts=(("count", count), ("left", left))))
        about = (("route", self.route),)
        return (Decision(self.seat, "pay_route", tuple(options), facts=about),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay, and put a ship on the route."""
        route, resource = state.board.route[self.route], answer.keys[0]
        count = find_price(state, route)
        tell(RouteExplored(self.seat, self.route, resource, count))
        paid = pop(state).gain(self.seat, resource, -count)
        return put_ship(paid, self.seat, route, resource, tell)


class ExploreFree(Step, frozen=True):
    """The ship token: explore one route at once for free, or lose the token."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Return whether there are a ship and a route for it."""
        return any(True for _ in open_routes(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for a route where a ship may go."""
        options = []
        for route in open_routes(state, self.seat):
            facts = tuple(list_route_facts(state, self.seat, route))
            options.append(Option(route.code, spot=route.code, group=route.group, facts=facts))
        return (Decision(self.seat, "explore_free", (*options, LEAVE_IT)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Put the ship on the route; a new one gets a resource next."""
        if answer.keys[0] == SKIP:
            return pop(state)
        route = state.board.route[answer.keys[0]]
        if not state.owners(route):
            return pop(state, MarkRoute(self.seat, route.code))
        resource = state.type_of(route)
        tell(RouteExplored(self.seat, route.code, resource, 0, is_new=False, is_free=True))
        return put_ship(pop(state), self.seat, route, resource, tell)


class MarkRoute(Step, frozen=True):
    """A new route by ship token: put one resource of your choice from the reserve on it."""

    seat: Seat
    route: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for either type."""
        options = tuple(Option(resource) for resource in RESOURCES)
        return (Decision(self.seat, "mark_route", options, facts=(("route", self.route),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Mark the route."""
        route, resource = state.board.route[self.route], answer.keys[0]
        tell(RouteExplored(self.seat, self.route, resource, 0, is_free=True))
        return put_ship(pop(state), self.seat, route, resource, tell)


def list_route_facts(state: "State", seat: Seat, route: Route) -> list[Fact]:
    """Return the facts that every label of a route to explore may use."""
    facts: list[Fact] = [("start", route.start.code), ("goal", route.goal.code)]
    facts += list_island_facts(state, route.goal)
    if links_first(state, route) and state.sides[seat].home:
        facts.append(("populates", 1))
    if owners := state.owners(route):
        facts.append(("owners", owners))
        if SHARE_CARD in state.tides:
            facts.append(("points", min(len(owners), state.pool or 0)))
    return facts


def list_island_facts(state: "State", island: Island) -> list[Fact]:
    """Return the facts about an island: symbol, token, and the Point token of card 1.2."""
    facts: list[Fact] = []
    face, symbol = face_of(state.tokens[island.number]), island.symbol
    if face == TURTLE and symbol in TURTLES:
        # A turtle token is worth as much as a turtle of the island: they are counted together.
        symbol, face = f"turtle{TURTLES[symbol] + 1}", ""
    if symbol:
        facts.append(("land", symbol))
    if face:
        facts.append(("token", f"token_{face}"))
    if island.archipelago in state.archipelago_points:
        facts.append(("coin", 1))
    return facts


def open_routes(state: "State", seat: Seat) -> Iterator[Route]:
    """Yield routes where the seat may put a ship, whatever the price.

    In a match of two only new routes are explored.
    """
    if not state.sides[seat].ships:
        return
    for route in state.board.explorable:
        owners = state.owners(route)
        if not owners or (seat not in owners and len(state.sides) > 2):
            yield route


def find_price(state: "State", route: Route) -> int:
    """Return the price of a route.

    An existing one costs 2 for each owner. A new one costs the number on the Phase Marker, or twice
    that if card 1.1 applies.
    """
    if owners := state.owners(route):
        return OWNER_PRICE * len(owners)
    return state.value * 2 if links_first(state, route) else state.value


def payable_with(state: "State", seat: Seat, route: Route) -> list[str]:
    """Return the types of resources that the seat can pay with.

    An existing route can be paid for only in its own type.
    """
    side, count = state.sides[seat], find_price(state, route)
    types = (state.type_of(route),) if state.owners(route) else RESOURCES
    return [resource for resource in types if side.count_resource(resource) >= count]


def can_explore(state: "State", seat: Seat) -> bool:
    """Return whether the seat has a ship and can pay for any route."""
    return any(payable_with(state, seat, route) for route in open_routes(state, seat))


def links_first(state: "State", route: Route) -> bool:
    """Card 1.1: return whether the route is the first that touches its archipelago.

    A route within an archipelago touches it too.
    """
    return (
        LINK_CARD in state.tides
        and route.archipelago != ""
        and not state.is_linked(route.archipelago)
    )


def put_ship(state: "State", seat: Seat, route: Route, resource: str, tell: Tell) -> "State":
    """Put a ship on a paid route, with the effects of cards 1.1 and 3.2."""
    # Both cards look at the map before this ship is on it: card 3.2 counts the other ships, and
    # card 1.1 asks whether there were none at the archipelago.
    is_first, owners = links_first(state, route), state.owners(route)
    after = state.with_ship(seat, route, resource)
    if owners and SHARE_CARD in state.tides:
        after, taken = after.take_points(seat, len(owners))
        tell(PointsTaken(seat, taken, SHARE_CARD, missed=len(owners) - taken))
    return push(after, PopulateNow(seat)) if is_first else after
