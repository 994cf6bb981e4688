"""Explore: put a ship on a sea route."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import RESOURCES, Route
from engine.polynesia.events import PointsTaken, RouteExplored
from engine.polynesia.populating import LEAVE_IT, SKIP, PopulateNow

if TYPE_CHECKING:
    from engine.polynesia.state import State

OWNER_PRICE = 2
"""What each owner of an existing route gets."""
LINK_CARD = "1.1"
SHARE_CARD = "3.2"


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
            owners = state.owners(route)
            facts = (
                ("sort", "existing" if owners else "new"),
                ("paid", price(state, route)),
                ("of", "either" if len(types) > 1 else types[0]),
                ("owners", owners),
                ("each", OWNER_PRICE if len(owners) > 1 else 0),
                ("links", int(links_first(state, route))),
                ("lands", route.symbols),
            )
            options.append(Option(route.code, spot=route.code, group=route.group, facts=facts))
        side = state.sides[self.seat]
        held = (("fish", side.fish), ("shells", side.shells), ("ships", side.ships))
        return (Decision(self.seat, "explore_route", tuple(options), facts=held),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay for an existing route; for a new one, ask for the type next."""
        route = state.board.route[answer.keys[0]]
        owners, resource = state.owners(route), state.type_of(route)
        if not owners:
            return pop(state, PayRoute(self.seat, route.code))
        after = pop(state)
        for owner in owners:
            after = after.paying(self.seat, owner, resource, OWNER_PRICE)
        tell(
            RouteExplored(
                self.seat, route.code, resource, OWNER_PRICE * len(owners), owners, is_new=False
            )
        )
        return explored(after, self.seat, route, resource, tell)


class PayRoute(Step, frozen=True):
    """Pay for a new route with one type of resource; one stays on it, the rest go back."""

    seat: Seat
    route: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Ask for one of the types of which the seat has enough."""
        route = state.board.route[self.route]
        facts = (("count", price(state, route)),)
        options = tuple(
            Option(resource, facts=facts) for resource in payable_with(state, self.seat, route)
        )
        return (Decision(self.seat, "pay_route", options, facts=(("route", self.route),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """Pay, and put a ship on the route."""
        route, resource = state.board.route[self.route], answer.keys[0]
        count = price(state, route)
        tell(RouteExplored(self.seat, self.route, resource, count))
        return explored(
            pop(state).gaining(self.seat, resource, -count), self.seat, route, resource, tell
        )


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
            links = int(links_first(state, route))
            facts = (("owners", state.owners(route)), ("links", links), ("lands", route.symbols))
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
        return explored(pop(state), self.seat, route, resource, tell)


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
        return explored(pop(state), self.seat, route, resource, tell)


def open_routes(state: "State", seat: Seat) -> Iterator[Route]:
    """Return routes where the seat may put a ship, whatever the price; for two, only new ones."""
    if not state.sides[seat].ships:
        return
    for route in state.board.explorable:
        owners = state.owners(route)
        if not owners or (seat not in owners and len(state.sides) > 2):
            yield route


def price(state: "State", route: Route) -> int:
    """Return the price of a route.

    An existing one costs 2 for each owner; a new one costs the phase's value, or twice that.
    """
    if owners := state.owners(route):
        return OWNER_PRICE * len(owners)
    return state.value * 2 if links_first(state, route) else state.value


def payable_with(state: "State", seat: Seat, route: Route) -> list[str]:
    """Return the types of which the seat has enough; an existing route has its type already."""
    side, count = state.sides[seat], price(state, route)
    types = (state.type_of(route),) if state.owners(route) else RESOURCES
    return [resource for resource in types if side.holding(resource) >= count]


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


def explored(state: "State", seat: Seat, route: Route, resource: str, tell: Tell) -> "State":
    """Put a ship on a paid route, with the effects of cards 1.1 and 3.2."""
    # Both cards go by the map as it was: the own ship is none of those present, and with it no
    # route is the first.
    is_first, owners = links_first(state, route), state.owners(route)
    after = state.with_ship(seat, route, resource)
    if owners and SHARE_CARD in state.tides:
        after, taken = after.taking_points(seat, len(owners))
        tell(PointsTaken(seat, taken, SHARE_CARD, missed=len(owners) - taken))
    return push(after, PopulateNow(seat)) if is_first else after
