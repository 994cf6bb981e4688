"""Reasons why something is not possible in a turn: the rulebook's sentence against it."""

from engine.core.decision import Decision
from engine.core.event import Line
from engine.core.game import Point
from engine.polynesia.board import MASK, RESOURCES, Board, Passage, Route, board_of
from engine.polynesia.exploring import LINK_CARD, OWNER_PRICE
from engine.polynesia.populating import ADDED_PRICE, TO_MAIN
from engine.polynesia.travelling import FARE, PASS_CARD
from engine.polynesia.view import PolynesiaView, RouteView, SideView

ACTIONS = ("explore", "travel", "populate", *RESOURCES)


def objection(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    """Return the reason against an answer; None if it is offered, or fits no question at all."""
    if any(option.key == key for option in decision.options):
        return None
    match decision.kind:
        case "take_action":
            return _to_act(view, decision, key)
        case "explore_route" | "explore_free":
            return _to_explore(view, decision, key)
        case "pay_route":
            route = board_of(view.map).route[str(dict(decision.facts)["route"])]
            return _unpaid(view, decision, key, _price(view, route))
        case "populate" | "populate_now":
            return _to_populate(view, decision, key)
        case "add_member":
            return _unpaid(view, decision, key, ADDED_PRICE)
        case "move_member":
            return _to_move(view, decision, key)
        case "hire_guide":
            return _to_hire(view, decision, key)
    return None


def _to_act(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
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
            # Only prices of routes that there are: with two players nobody explores an existing
            # one.
            board = board_of(view.map)
            prices = [
                _price(view, board.route[route.spot]) for route in open_routes if not route.owners
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


def _to_explore(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    if key not in board.route:
        if key in board.passage:
            return "other_name", {"name": board.passage[key].route.code}
        if key in board.island:
            return "both_ends", {
                "spot": key,
                "way": board.passages[board.island[key].number][0].route.code,
            }
        return _no_route(board, key)
    route, shown = board.route[key], _route(view, key)
    facts = {"spot": key}
    if shown.neutral:
        return "neutral", facts
    if decision.seat in shown.owners:
        return "own_ship", facts
    if _is_closed(view, decision, shown):
        return "two_players", {**facts, "owner": shown.owners[0]}
    # So it can be explored, but not be paid.
    price = _price(view, route)
    if shown.owners:
        held = _held(side, shown.type)
        return "dear_existing", {
            **facts,
            "price": price,
            "of": shown.type,
            "held": held,
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


def _to_populate(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board = board_of(view.map)
    if key == f"{board.main.code}{TO_MAIN}":
        return "one_at_home", {"spot": board.main.code}
    if key == "skip":
        return "somebody_comes", {}
    return ("no_member", {"spot": key}) if key in board.island else None


def _to_move(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    if key == "stop":
        return "one_step_at_least", {}
    if key in board.island:
        return "start_and_goal", {
            "spot": key,
            "way": board.passages[board.island[key].number][0].code,
        }
    if key not in board.passage:
        return _no_route(board, key)
    passage = board.passage[key]
    shown, start = _route(view, passage.route.code), _members(view, passage)
    if not start[decision.seat]:
        return "nobody_there", {"spot": passage.start.code}
    facts = {"spot": key, "route": shown.spot}
    if not shown.owners:
        return "unexplored", facts
    # A foreign route, for nothing else would stand against it.
    if not any(start[owner] for owner in shown.owners):
        return "no_guide", {**facts, "owners": shown.owners, "start": passage.start.code}
    return "dear_guide", {**facts, "price": FARE, "of": shown.type, "held": _held(side, shown.type)}


def _to_hire(view: PolynesiaView, decision: Decision, key: str) -> Line | None:
    board, side = board_of(view.map), view.sides[decision.seat]
    facts = dict(decision.facts)
    passage = board.passage[f"{facts['start']}-{facts['goal']}"]
    shown, start = _route(view, passage.route.code), _members(view, passage)
    if key == MASK:
        return ("no_mask", {}) if PASS_CARD in view.tides else ("no_mask_card", {"card": PASS_CARD})
    seat = int(key[1:]) - 1 if key[:1] == "p" and key[1:].isdecimal() and len(key) == 2 else -1
    if seat not in range(len(view.sides)):
        return None
    if seat not in shown.owners:
        return "not_an_owner", {"owner": seat, "route": shown.spot}
    if not start[seat]:
        return "not_there", {"owner": seat, "spot": passage.start.code}
    return "dear_guide", {"price": FARE, "of": shown.type, "held": _held(side, shown.type)}


def _unpaid(view: PolynesiaView, decision: Decision, key: str, price: int) -> Line | None:
    if key not in RESOURCES:
        return None
    return "cannot_pay", {"price": price, "of": key, "held": _held(view.sides[decision.seat], key)}


def _price(view: PolynesiaView, route: Route) -> int:
    """Return the price of a route as facts for the text."""
    if owners := _route(view, route.code).owners:
        return OWNER_PRICE * len(owners)
    linked = {archipelago.letter: archipelago.linked for archipelago in view.archipelagos}
    is_first = LINK_CARD in view.tides and route.archipelago != "" and not linked[route.archipelago]
    return int(view.marker) * (2 if is_first else 1)


def _no_route(board: Board, key: str) -> Line | None:
    """Return the reason for two islands without a route between them."""
    start, _, goal = key.partition("-")
    return (
        ("no_route", {"start": start, "goal": goal})
        if {start, goal} <= board.island.keys()
        else None
    )


def _route(view: PolynesiaView, code: str) -> RouteView:
    return next(route for route in view.routes if route.spot == code)


def _members(view: PolynesiaView, passage: Passage) -> tuple[int, ...]:
    """Return the number of each seat's members where a passage starts."""
    return next(island.members for island in view.islands if island.spot == passage.start.code)


def _held(side: SideView, resource: str) -> int:
    return side.fish if resource == RESOURCES[0] else side.shells


def places(view: PolynesiaView) -> dict[str, Point]:
    """Return the position of every island and passage.

    A passage lies near its start, a little towards its goal.
    """
    board = board_of(view.map)
    found: dict[str, Point] = {island.code: (island.x, island.y) for island in board.islands}
    for passage in board.passage.values():
        start, goal = passage.start, passage.goal
        found[passage.code] = (start.x * 0.6 + goal.x * 0.4, start.y * 0.6 + goal.y * 0.4)
    return found
