"""Explore: a ship on a sea route."""

from functools import cache, lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from engine.core.decision import Answer, Decision, Option, Seat
from engine.core.event import Tell
from engine.core.steps import Step, pop, push
from engine.polynesia.board import FISH, RESOURCES, SHELL, MapName, Route, board_of, owners_of, type_of
from engine.polynesia.events import PointsTaken, RouteExplored, noun
from engine.polynesia.populating import SKIP, PopulateNow

if TYPE_CHECKING:
    from engine.polynesia.state import Side, State

OWNER_PRICE = 2
"""What each owner of an existing route gets."""
LINK_CARD = "1.1"
SHARE_CARD = "3.2"


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
        side, count = state.sides[self.seat], new_price(state, state.board.route[self.route])
        options = tuple(_resource(resource, count) for resource in RESOURCES if side.holding(resource) >= count)
        return (Decision(self.seat, "pay_route", options, facts=(("route", self.route), ("count", count))),)

    def take(self, state: "State", answer: Answer, tell: Tell) -> "State":
        """The route paid and explored."""
        route, resource = state.board.route[self.route], answer.keys[0]
        count = new_price(state, route)
        tell(RouteExplored(self.seat, self.route, resource, count))
        return explored(pop(state).gaining(self.seat, resource, -count), self.seat, route, resource, tell)


class ExploreFree(Step, frozen=True):
    """The ship token: one route is explored at once and at no cost, or the token is lost."""

    seat: Seat

    def asks(self, state: "State") -> bool:
        """Whether a ship and a route are at hand."""
        return bool(open_routes(state, self.seat))

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
    barred, routes = _barred(state, seat), state.routes
    return tuple([route for route in state.board.explorable if not routes[route.number] & barred])


def new_price(state: "State", route: Route) -> int:
    """The phase's value for a new route, twice that for the first to an archipelago with card 1.1."""
    return state.value * 2 if links_first(state, route) else state.value


def links_first(state: "State", route: Route) -> bool:
    """Whether the route would be the first to its archipelago while card 1.1 is in play."""
    return bool(route.archipelago) and LINK_CARD in state.tides and not state.is_linked(route.archipelago)


def can_explore(state: "State", seat: Seat) -> bool:
    """Whether the seat has a ship and can pay some route."""
    side, value = state.sides[seat], state.value
    most = side.fish if side.fish > side.shells else side.shells
    if not side.ships or (most < value and most < OWNER_PRICE):
        return False
    if most >= value:
        for number in board_of(state.map).off_archipelagos:
            if not state.routes[number]:
                return True
    return bool(payable_routes(state, seat))


def payable_routes(state: "State", seat: Seat) -> tuple[Option, ...]:
    """The routes the seat can pay, each with its price."""
    side = state.sides[seat]
    if not side.ships:
        return ()
    quoted = list(_new_options(state, side, 1))
    if first := _first_routes(state):
        double = _new_options(state, side, 2)
        for number in first:
            quoted[number] = double[number]
    barred = _barred(state, seat)
    for number, ships in compress(enumerate(state.routes), state.routes):
        quoted[number] = None if ships & barred else _existing_option(state.map, side, number, ships)
    return tuple(filter(None, quoted))


def explored(state: "State", seat: Seat, route: Route, resource: str, tell: Tell) -> "State":
    """A ship put on the route, already paid and told, with what cards 1.1 and 3.2 give for it."""
    is_first, owners = links_first(state, route), state.owners(route)
    after = state.with_ship(seat, route, resource)
    if owners and state.has_tide(SHARE_CARD):
        after, taken = after.taking_points(seat, len(owners))
        if taken:
            tell(PointsTaken(seat, taken, SHARE_CARD))
    return push(after, PopulateNow(seat)) if is_first else after


def _barred(state: "State", seat: Seat) -> int:
    """The bits of a route's ships that keep the seat off it."""
    return 1 << seat if len(state.sides) > 2 else ~0


def _first_routes(state: "State") -> tuple[int, ...]:
    """The routes that would be the first to their archipelago while card 1.1 is in play."""
    if LINK_CARD not in state.tides:
        return ()
    touching = state.board.touching
    return tuple(number for letter in touching if not state.is_linked(letter) for number in touching[letter])


def _new_options(state: "State", side: "Side", times: int) -> "tuple[Option | None, ...]":
    count = state.value * times
    in_fish, in_shells = side.fish >= count, side.shells >= count
    kind = "either" if in_fish and in_shells else FISH if in_fish else SHELL if in_shells else ""
    return _new_routes(state.map, count, kind, times > 1)


def _existing_option(map_name: MapName, side: "Side", number: int, ships: int) -> Option | None:
    resource, count, option = _existing_route(map_name, number, ships)
    return option if side.holding(resource) >= count else None


# A position asks for every route of the map, mostly at the same few prices: the options are kept.
@cache
def _new_routes(map_name: MapName, count: int, kind: str, is_first: bool) -> "tuple[Option | None, ...]":
    """By number of route: its option as a new one at that price, none if no kind of resource suffices."""
    return tuple(
        _option(route.code, route.group, count, kind, (), is_first) if kind and not route.neutral else None
        for route in board_of(map_name).routes
    )


@lru_cache(maxsize=4096)
def _existing_route(map_name: MapName, number: int, ships: int) -> tuple[str, int, Option]:
    """What a route with those ships costs, of which type, and its option."""
    route, owners, resource = board_of(map_name).routes[number], owners_of(ships), type_of(ships)
    count = OWNER_PRICE * len(owners)
    return resource, count, _option(route.code, route.group, count, resource, owners)


def _option(code: str, group: str, count: int, kind: str, owners: tuple[Seat, ...], is_first: bool = False) -> Option:
    facts = (
        ("sort", "existing" if owners else "new"),
        ("paid", count),
        ("of", noun(kind, count)),
        ("share", ("", "to")[len(owners)] if len(owners) < 2 else "each"),
        ("owners", owners),
        ("then", "link" if is_first else ""),
    )
    return Option(code, spot=code, group=group, facts=facts)


def _free_option(state: "State", route: Route) -> Option:
    then = "link" if links_first(state, route) else ""
    owners = state.owners(route)
    facts = (("sort", "free_existing" if owners else "free_new"), ("owners", owners), ("then", then))
    return Option(route.code, spot=route.code, group=route.group, facts=facts)


@cache
def _resource(resource: str, count: int) -> Option:
    return Option(resource, facts=(("count", count), ("of", noun(resource, count))))
