"""Refusals: which sentence of the rulebook forbids a choice in a turn.

A refusal is a key of [why] in text/en.toml with its facts. It is computed from the seat's view, so
it can reveal nothing that the seat does not know. A test checks that the sentences are true.
"""

from engine.core.decision import Decision
from engine.core.event import Line
from engine.core.game import Point
from engine.polynesia.board import MASK, RESOURCES, Board, Passage, Route, board_of
from engine.polynesia.exploring import LINK_CARD, OWNER_PRICE
from engine.polynesia.populating import ADDED_PRICE, TO_MAIN
from engine.polynesia.travelling import FARE, PASS_CARD
from engine.polynesia.view import PolynesiaView, RouteView, SideView

TOWARDS_GOAL = 0.4
"""How far along its way a passage is taken to lie, so that its two directions differ."""


def refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    """Return why an answer is illegal; None if it is legal, or if no question has such a key."""
    if any(option.key == key for option in decision.options):
        return None
    match decision.kind:
        case "take_action":
            return _action_refusal(view, decision, key)
        case "explore_route" | "explore_free":
            return _exploring_refusal(view, decision, key)
        case "pay_route":
            route = board_of(view.map).route[str(dict(decision.facts)["route"])]
            return _payment_refusal(view, decision, key, _find_price(view, route))
        case "populate" | "populate_now":
            return _populating_refusal(view, decision, key)
        case "add_member":
            return _payment_refusal(view, decision, key, ADDED_PRICE)
        case "move_member":
            return _travel_refusal(view, decision, key)
        case "hire_guide":
            return _guide_refusal(view, decision, key)
    return None


def _action_refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    side = view.sides[decision.seat]
    match key:
        case "explore":
            if not side.ships:
                return "no_ship", {}
            open_routes = [
                route
                for route in view.routes
                if not route.neutral and not _is_closed(view, decision, route)
            ]
            if not open_routes:
                return "all_explored", {}
            # In a match of two, routes with ships are closed, so they are not among these.
            board = board_of(view.map)
            prices = [
                _find_price(view, board.route[route.spot])
                for route in open_routes
                if not route.owners
            ]
            cheapest = min(prices, default=0)
            existing = int(len(prices) < len(open_routes))
            facts = {
                "fish": side.fish,
                "shells": side.shells,
                "value": cheapest,
                "existing": existing,
            }
            return "no_route_to_pay", facts
        case "travel":
            return "nobody_can_travel", {}
        case "populate":
            return "nobody_at_home", {}
    board = board_of(view.map)
    is_place = key in board.island or key in board.passage or key in ("stop", "skip")
    return ("action_first", {}) if is_place else None


def _exploring_refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    if key not in board.route:
        if key in board.passage:
            return "other_name", {"name": board.passage[key].route.code}
        if key in board.island:
            return "both_ends", {
                "spot": key,
                "way": board.passages[board.island[key].number][0].route.code,
            }
        return _missing_route_refusal(board, key)
    route, shown = board.route[key], _find_route(view, key)
    facts = {"spot": key}
    if shown.neutral:
        return "neutral", facts
    if decision.seat in shown.owners:
        return "own_ship", facts
    if _is_closed(view, decision, shown):
        return "two_players", {**facts, "owner": shown.owners[0]}
    # Nothing else is wrong with the route, so the seat cannot pay for it.
    price = _find_price(view, route)
    if shown.owners:
        return "dear_existing", {
            **facts,
            "price": price,
            "of": shown.type,
            "held": _count_resource(side, shown.type),
            "owners": shown.owners,
        }
    links = int(price > int(view.marker))
    return "dear_new", {
        **facts,
        "price": price,
        "fish": side.fish,
        "shells": side.shells,
        "links": links,
    }


def _is_closed(view: PolynesiaView, decision: Decision, route: RouteView) -> bool:
    """Return whether ships on the route keep the seat out, whatever it can pay."""
    return decision.seat in route.owners or (bool(route.owners) and len(view.sides) == 2)


def _populating_refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board = board_of(view.map)
    if key == f"{board.main.code}{TO_MAIN}":
        return "one_at_home", {"spot": board.main.code}
    if key == "skip":
        return "somebody_comes", {}
    return ("no_member", {"spot": key}) if key in board.island else None


def _travel_refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    if key == "stop":
        return "at_least_one_step", {}
    if key in board.island:
        return "start_and_goal", {
            "spot": key,
            "way": board.passages[board.island[key].number][0].code,
        }
    if key not in board.passage:
        return _missing_route_refusal(board, key)
    passage = board.passage[key]
    shown, start = _find_route(view, passage.route.code), _members_at_start(view, passage)
    if not start[decision.seat]:
        return "nobody_there", {"spot": passage.start.code}
    facts = {"spot": key, "route": shown.spot}
    if not shown.owners:
        return "unexplored", facts
    # The seat has no ship on the route, or it could sail it for free.
    if not any(start[owner] for owner in shown.owners):
        return "no_guide", {**facts, "owners": shown.owners, "start": passage.start.code}
    return "dear_guide", {
        **facts,
        "price": FARE,
        "of": shown.type,
        "held": _count_resource(side, shown.type),
    }


def _guide_refusal(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    facts = dict(decision.facts)
    passage = board.passage[f"{facts['start']}-{facts['goal']}"]
    shown, start = _find_route(view, passage.route.code), _members_at_start(view, passage)
    if key == MASK:
        return ("no_mask", {}) if PASS_CARD in view.tides else ("no_mask_card", {"card": PASS_CARD})
    keys = [f"p{seat + 1}" for seat in range(len(view.sides))]
    if key not in keys:
        return None
    seat = keys.index(key)
    if seat not in shown.owners:
        return "not_an_owner", {"owner": seat, "route": shown.spot}
    if not start[seat]:
        return "not_there", {"owner": seat, "spot": passage.start.code}
    return "dear_guide", {
        "price": FARE,
        "of": shown.type,
        "held": _count_resource(side, shown.type),
    }


def _payment_refusal(view: PolynesiaView, decision: Decision, key: str, price: int) -> Line | None:
    if key not in RESOURCES:
        return None
    return "cannot_pay", {
        "price": price,
        "of": key,
        "held": _count_resource(view.sides[decision.seat], key),
    }


def _find_price(view: PolynesiaView, route: Route) -> int:
    """Return the price of a route."""
    if owners := _find_route(view, route.code).owners:
        return OWNER_PRICE * len(owners)
    price = int(view.marker)
    if LINK_CARD in view.tides and route.archipelago:
        linked = {archipelago.letter: archipelago.linked for archipelago in view.archipelagos}
        # The first route to an archipelago costs twice as much.
        return price if linked[route.archipelago] else 2 * price
    return price


def _missing_route_refusal(board: Board, key: str) -> Line | None:
    """Return the refusal of two islands without a route between them; None for other keys."""
    start, _, goal = key.partition("-")
    if start not in board.island or goal not in board.island:
        return None
    return "no_route", {"start": start, "goal": goal}


def _find_route(view: PolynesiaView, code: str) -> RouteView:
    return next(route for route in view.routes if route.spot == code)


def _members_at_start(view: PolynesiaView, passage: Passage) -> tuple[int, ...]:
    """Return the number of each seat's members where a passage starts."""
    return next(island.members for island in view.islands if island.spot == passage.start.code)


def _count_resource(side: SideView, resource: str) -> int:
    return side.fish if resource == RESOURCES[0] else side.shells


def places(view: PolynesiaView) -> dict[str, Point]:
    """Return the coordinates of every island and passage.

    A passage lies on the line to its goal, nearer to its start.
    """
    board = board_of(view.map)
    points: dict[str, Point] = {}
    for island in board.islands:
        points[island.code] = (island.x, island.y)
    for passage in board.passage.values():
        start, goal = passage.start, passage.goal
        towards_start = 1 - TOWARDS_GOAL
        points[passage.code] = (
            start.x * towards_start + goal.x * TOWARDS_GOAL,
            start.y * towards_start + goal.y * TOWARDS_GOAL,
        )
    return points
