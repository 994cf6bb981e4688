"""Explore: a ship on a sea route."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import RESOURCES, Route
from engine.polynesia.events import PointsTaken, RouteExplored, noun
from engine.polynesia.populating import SKIP, PopulateNow

if TYPE_CHECKING:
    from engine.polynesia.state import State

OWNER_PRICE = 2
"""What each owner of an existing route gets."""
LINK_CARD = "1.1"
SHARE_CARD = "3.2"


class Price(Struct, frozen=True):
    """What a route costs a seat: so many resources of one of the types, for the owners if there are any."""

    count: int
    types: tuple[str, ...]
    owners: tuple[Seat, ...]


class ExploreRoute(Step, frozen=True):
    """Any route on the map without an own ship, new or existing, that the seat can pay."""

    seat: Seat

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every route that can be paid, with its price."""
        side = state.sides[self.seat]
        facts = (("fish", side.fish), ("shells", side.shells), ("ships", side.ships))
        return (Decision(self.seat, "explore_route", payable_routes(state, self.seat), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """An existing route paid for; for a new one the type is chosen next."""
        route = state.board.route[answer.keys[0]]
        owners = state.owners(route)
        if not owners:
            return pop(state, PayRoute(self.seat, route.code))
        resource = state.type_of(route)
        after = pop(state)
        for owner in owners:
            after = after.paying(self.seat, owner, resource, OWNER_PRICE)
        tell(RouteExplored(self.seat, route.code, resource, OWNER_PRICE * len(owners), owners, is_new=False))
        return explored(after, self.seat, route, resource, tell)


class PayRoute(Step, frozen=True):
    """A new route is paid with one type of resource; one of them stays beside it, the rest goes to the reserve."""

    seat: Seat
    route: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """The types that suffice."""
        price = price_of(state, self.seat, state.board.route[self.route])
        options = tuple(_resource(resource, price.count) for resource in price.types)
        return (Decision(self.seat, "pay_route", options, facts=(("route", self.route), ("count", price.count))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The route paid and explored."""
        route, resource = state.board.route[self.route], answer.keys[0]
        count = price_of(state, self.seat, route).count
        tell(RouteExplored(self.seat, self.route, resource, count))
        return explored(pop(state).gaining(self.seat, resource, -count), self.seat, route, resource, tell)


class ExploreFree(Step, frozen=True):
    """The ship token: one route is explored at once and at no cost, or the token is lost."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether a ship and a route are at hand."""
        return any(True for _ in open_routes(state, self.seat))

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Every route where a ship may go."""
        options = tuple(_free_option(state, route) for route in open_routes(state, self.seat))
        facts = (("ships", state.sides[self.seat].ships),)
        return (Decision(self.seat, "explore_free", (*options, SKIP), facts=facts),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The ship placed; beside a new route a resource is put next."""
        if answer.keys[0] == SKIP.key:
            return pop(state)
        route = state.board.route[answer.keys[0]]
        if not state.owners(route):
            return pop(state, MarkRoute(self.seat, route.code))
        resource = state.type_of(route)
        tell(RouteExplored(self.seat, route.code, resource, 0, is_new=False, is_free=True))
        return explored(pop(state), self.seat, route, resource, tell)


class MarkRoute(Step, frozen=True):
    """A new route by ship token: one resource of choice from the reserve is put beside it."""

    seat: Seat
    route: str

    def ask(self, state: "State") -> tuple[Decision, ...]:
        """Either type."""
        options = tuple(_resource(resource, 1) for resource in RESOURCES)
        return (Decision(self.seat, "mark_route", options, facts=(("route", self.route),)),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The route explored."""
        route, resource = state.board.route[self.route], answer.keys[0]
        tell(RouteExplored(self.seat, self.route, resource, 0, is_free=True))
        return explored(pop(state), self.seat, route, resource, tell)


def open_routes(state: "State", seat: Seat) -> "tuple[Route, ...]":
    """Routes where the seat may put a ship, the price aside; with two players only new ones."""
    if not state.sides[seat].ships:
        return ()
    barred, routes = 1 << seat if len(state.sides) > 2 else ~0, state.routes
    return tuple([route for route in state.board.explorable if not routes[route.number] & barred])


def price_of(state: "State", seat: Seat, route: Route) -> Price:
    """The phase's value of one type for a new route, twice that for the first to an archipelago with card 1.1;
    2 of the route's type to each owner of an existing one."""
    side = state.sides[seat]
    if not state.routes[route.number]:
        count = state.value * (2 if links_first(state, route) else 1)
        return _new_price(count, side.fish >= count, side.shells >= count)
    owners, resource = state.owners(route), state.type_of(route)
    count = OWNER_PRICE * len(owners)
    return Price(count, (resource,) if side.holding(resource) >= count else (), owners)


def links_first(state: "State", route: Route) -> bool:
    """Whether the route would be the first to its archipelago while card 1.1 is in play."""
    return bool(route.archipelago) and LINK_CARD in state.tides and not state.is_linked(route.archipelago)


def can_explore(state: "State", seat: Seat) -> bool:
    """Whether the seat has a ship and can pay some route."""
    side = state.sides[seat]
    if max(side.fish, side.shells) < min(state.value, OWNER_PRICE):
        return False
    return any(price_of(state, seat, route).types for route in open_routes(state, seat))


def payable_routes(state: "State", seat: Seat) -> tuple[Option, ...]:
    """The routes the seat can pay, each with its price."""
    quoted = ((route, price_of(state, seat, route)) for route in open_routes(state, seat))
    return tuple(
        _option(route.code, route.group, price, not price.owners and links_first(state, route))
        for route, price in quoted
        if price.types
    )


def explored(state: "State", seat: Seat, route: Route, resource: str, tell: Tell) -> "State":
    """A ship put on the route, already paid and told, with what cards 1.1 and 3.2 give for it."""
    is_first, owners = links_first(state, route), state.owners(route)
    after = state.with_ship(seat, route, resource).tracing(route=route.code)
    if owners and state.has_tide(SHARE_CARD):
        after, taken = after.taking_points(seat, len(owners))
        if taken:
            tell(PointsTaken(seat, taken, SHARE_CARD))
    return push(after, PopulateNow(seat)) if is_first else after


# A position asks for the price of every route, mostly the same few prices: they and their options are kept.
@cache
def _new_price(count: int, in_fish: bool, in_shells: bool) -> Price:
    return Price(count, tuple(r for r, enough in zip(RESOURCES, (in_fish, in_shells), strict=True) if enough), ())


@lru_cache(maxsize=4096)
def _option(code: str, group: str, price: Price, is_first: bool) -> Option:
    kind = price.types[0] if len(price.types) == 1 else "either"
    facts = (
        ("sort", "existing" if price.owners else "new"),
        ("paid", price.count),
        ("of", noun(kind, price.count)),
        ("share", ("", "to")[len(price.owners)] if len(price.owners) < 2 else "each"),
        ("owners", price.owners),
        ("then", "link" if is_first else ""),
    )
    return Option(code, spot=code, group=group, facts=facts)


def _free_option(state: "State", route: Route) -> Option:
    then = "link" if links_first(state, route) else ""
    owners = state.owners(route)
    facts = (("sort", "free_existing" if owners else "free_new"), ("owners", owners), ("then", then))
    return Option(route.code, spot=route.code, group=route.group, facts=facts)


def _resource(resource: str, count: int) -> Option:
    return Option(resource, facts=(("count", count), ("of", noun(resource, count))))
