"""The aims of simple players of Conquest: how far an option is from what they want."""

from collections.abc import Callable

from engine import Decision, Match, Option
from engine.conquest.board import distance
from engine.conquest.view import ConquestView

Distance = Callable[[Option], float]


def _asked(match: Match) -> Decision:
    seat = match.waiting_for()[0]
    return match.question(seat)


def _ranked(*keys: str) -> dict[str, float]:
    return {key: float(place) for place, key in enumerate(keys)}


def settle(match: Match) -> Distance:
    """Explore, settle every island within reach, link them, buy cards, and declare."""
    decision = _asked(match)
    view = match.view(decision.seat)
    assert isinstance(view, ConquestView)
    free = [
        group.spot
        for group in view.groups
        if group.owner < 0
        and not group.independent
        and group.green
        and not view.stacks_at(group.spot)
    ]

    def towards(spot: str) -> float:
        return min((distance(spot, other) for other in free), default=9)

    def wanted(option: Option) -> float:
        match decision.kind:
            case "launch_explorer" | "explore_on":
                knots = view.voyage.knots if view.voyage else 0
                return 1 if option.ends == (knots < 3) else 0
            case "keep_tile":
                return 0 if option.key == "show" else 1
            case "build_item":
                own = view.own
                colonies = 6 - own.unbuilt.c if own else 0
                spare = ("c", "t") if free and colonies < 2 else ()
                order = _ranked(
                    "pigs", "gift", "adze", "v", *spare, "a", "o", "card", "inward", "done", "later"
                )
                return order.get(option.key, 20)
            case "move_stack":
                kinds = {stack.spot: stack.kinds for stack in view.stacks if stack.kinds}
                kind = kinds.get(option.spot)
                laden = kind is not None and kind.c and kind.t and towards(option.spot) > 0
                if option.key.startswith("open"):
                    return 3
                return 0 if laden and free else 1 if option.ends else 5
            case "move_to":
                return towards(option.spot) if "-" not in option.key else 9
            case "pick_company":
                return 0 if option.key == "1t1c" else 1
            case "pick_pieces":
                liked = {"t": "1t", "c": "1c"}.get(option.key[-1], f"0{option.key[-1]}")
                return 0 if option.key == liked else 1
            case "declare_victory":
                return 0 if option.key == "declare" else 1
            case "answer_victory" | "give_battle_orders":
                return 0 if option.ends else 1
        return 0

    return wanted


def prosper(match: Match) -> Distance:
    """Let the first seat settle; the others only buy a card now and then."""
    decision = _asked(match)
    if not decision.seat:
        return settle(match)
    buys = decision.kind == "build_item" and match.base.turn % 5 == 0

    def wanted(option: Option) -> float:
        return 0 if buys and option.key == "card" else 1 if option.ends else 2

    return wanted


def conquer(match: Match) -> Distance:
    """Let the first seat build War Canoes and attack the nearest Home; the others do nothing."""
    decision = _asked(match)
    view = match.view(decision.seat)
    assert isinstance(view, ConquestView)
    own = view.own
    fleet = 6 - own.unbuilt.w if own else 0
    homes = [
        nation.home
        for seat, nation in enumerate(view.nations)
        if seat != decision.seat and nation.home
    ]

    def wanted(option: Option) -> float:
        if decision.seat:
            return 0 if option.ends else 1
        match decision.kind:
            case "launch_explorer":
                return 0 if option.ends else 1
            case "build_item":
                return _ranked("inward", "w", "done", "later").get(option.key, 9)
            case "move_stack":
                return 1 if option.ends or option.key.startswith("open") else 0 if fleet > 4 else 2
            case "move_to":
                return min((distance(option.spot, home) for home in homes), default=0)
            case "pick_pieces" | "pick_company":
                return 0 if option.key == "all" else 1
            case "save_villages":
                return 0 if option.forfeits else 1
        return 0

    return wanted
