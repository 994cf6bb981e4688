"""Objections in the Building Step."""

from engine.conquest.board import COSTS
from engine.conquest.build_list import CANOES, CARD, HOME, NUMBERED, PIECE_OF, PLACED
from engine.conquest.objections.seen import (
    Reason,
    called,
    holds,
    is_hex,
    no_village,
    offers,
    own_pieces,
    shows,
)
from engine.conquest.steps.build import COPIES, ONCE
from engine.conquest.view import NOBODY, ConquestView, PoolView
from engine.core.decision import Decision


def _list(view: ConquestView) -> tuple[tuple[str, str], ...]:
    """The viewer's list so far: items and their hexes."""
    return view.own.build.items if view.own is not None and view.own.build is not None else ()


def _items(view: ConquestView) -> list[str]:
    return [item for item, _ in _list(view)]


def _pools(view: ConquestView) -> tuple[PoolView, ...]:
    return view.own.pools if view.own is not None else ()


def _left(pool: PoolView) -> int:
    return pool.points - pool.spent


def _pool_at(view: ConquestView, spot: str) -> PoolView | None:
    """The pool that a group of the viewer spends from."""
    return next((pool for pool in _pools(view) if spot in pool.spots), None)


def _price(view: ConquestView, item: str) -> int:
    """What one more costs: Outrigger makes the first canoe of a turn free, Irrigation Agriculture cheaper."""
    if item in CANOES:
        is_free = shows(view, "outrigger") and not any(listed in CANOES for listed in _items(view))
        return 0 if is_free else COSTS["t"]
    if item == "a" and shows(view, "irrigation"):
        return max(1, COSTS["a"] - 1)
    return COSTS.get(item, 0)


def _unbuilt(view: ConquestView, kind: str) -> int:
    """Pieces of a kind that are neither on the map nor on the list."""
    listed = sum(1 for item in _items(view) if PIECE_OF.get(item) == kind)
    return view.own.unbuilt.of(kind) - listed if view.own is not None else 0


def _room(view: ConquestView, spot: str) -> int:
    """Boxes free for a Village once the list is built."""
    group, lines = view.group_at[spot], _list(view)
    return group.green + group.improved + lines.count(("a", spot)) - group.villages - lines.count(("v", spot))


def _may_have_village(view: ConquestView, spot: str) -> bool:
    """One new Village a group and turn; Breadfruit allows one group a second."""
    villages = [place for item, place in _list(view) if item == "v"]
    has_second = len(set(villages)) < len(villages)
    return villages.count(spot) < (2 if shows(view, "breadfruit") and not has_second else 1)


def _number(text: str) -> int:
    """A number as it is typed, -1 if it is none that could be meant."""
    return int(text) if text.isdecimal() and len(text) <= 2 else -1


def build_item(view: ConquestView, decision: Decision, key: str) -> Reason:
    """What can be paid, has a place and is not used up."""
    item, dash, number = key.partition("-")
    if dash and (_number(number) < 1 or not (item in PLACED or is_hex(item))):
        return None
    if is_hex(item):
        return ("what_first", {}) if _pool_at(view, item) is not None else no_village(item)
    items, facts = _items(view), {"item": item}
    match item:
        case "later":
            return ("list_is_begun" if items and view.step != "building" else "build_now"), {}
        case "drop":
            return ("nothing_to_drop" if items else "list_is_empty"), {}
        case "wait":
            return ("all_wait" if view.own and view.own.build and view.own.build.waits else "nobody_settles"), {}
        case "inward" | "peek" | "adze" | "gift" if item in items:
            return "on_list", facts
        case "peek":
            return "nothing_to_look_at", {}
        case "inward":
            is_lost = view.nations[decision.seat].explorer != "home"
            return ("explorer_is_lost" if is_lost else "no_home"), {}
        case "card":
            return _card(view)
    if item in ONCE:
        return _use_card(view, item)
    if item not in PLACED:
        return None
    return _several(view, decision, item, _number(number)) if number else _piece(view, item)


def _card(view: ConquestView) -> Reason:
    """One a turn, as long as there are any, for 2 points of one chain or group."""
    if CARD in _items(view):
        return "one_card", {}
    return _cannot_pay(view, CARD) if view.deck else ("no_deck", {})


def _use_card(view: ConquestView, card: str) -> Reason:
    """A card that works once in Building, where it would help."""
    if not holds(view, card):
        return "no_such_card", {"card": card}
    if any(held.key == card and held.used for held in (view.own.hand if view.own is not None else ())):
        return "card_is_used", {"card": card}
    if card == "pigs":
        return ("on_list", {"item": card}) if card in _items(view) else _piece(view, card)
    return ("no_deck", {}) if card == "gift" else ("no_home", {})


def _cannot_pay(view: ConquestView, item: str) -> Reason:
    left = max(map(_left, _pools(view)), default=0)
    return "cannot_pay", {"item": item, "cost": _price(view, item), "left": left}


def _piece(view: ConquestView, item: str) -> Reason:
    """A piece that is not used up, or a thing that has a place where it can be paid."""
    if item in PIECE_OF and not _unbuilt(view, PIECE_OF[item]):
        return "all_built", {"kind": PIECE_OF[item]}
    if not _pools(view):
        return "no_group", {}
    if all(_left(pool) < _price(view, item) for pool in _pools(view)):
        return _cannot_pay(view, item)
    return f"no_place_{item}", {"cost": _price(view, item)}


def _several(view: ConquestView, decision: Decision, item: str, number: int) -> Reason:
    """Several of a piece at once, where it has but one place."""
    if not offers(decision, item):
        return _piece(view, item)
    if number == 1:
        return called(decision, item)
    if reason := _too_many(view, item, number):
        return reason
    price = _price(view, item)
    paying = [pool for pool in _pools(view) if _left(pool) >= price]
    places = [spot for pool in paying for spot in pool.spots]
    if len(places) > 1:
        return "place_with_number", {"item": item, "example": f"{places[0]}-{number}"}
    if number * price > _left(paying[0]):
        return _dear(item, number, price, _left(paying[0]))
    return "so_many_at_once", {"most": COPIES}


def _too_many(view: ConquestView, item: str, number: int) -> Reason:
    """What comes one at a time, or has not so many pieces left."""
    if item == "pigs":
        return "one_from_pigs", {}
    if item not in NUMBERED:
        return "one_at_a_time", {"item": item}
    if item in CANOES and not _price(view, item):
        return "free_canoe_alone", {}
    unbuilt = _unbuilt(view, PIECE_OF[item])
    return ("pieces_left", {"kind": PIECE_OF[item], "number": unbuilt}) if number > unbuilt else None


def _dear(item: str, number: int, price: int, left: int) -> Reason:
    return "dear_together", {"item": item, "number": number, "cost": number * price, "left": left}


def build_at(view: ConquestView, decision: Decision, key: str) -> Reason:
    """All new items must be placed in a hex that already contains a Village."""
    spot, dash, number = key.partition("-")
    if not is_hex(spot) or (dash and _number(number) < 1):
        return None
    item, pool = str(dict(decision.facts)["item"]), _pool_at(view, spot)
    price = _price(view, item)
    facts = {"spot": spot}
    if pool is None:
        return no_village(spot)
    if _left(pool) < price:
        return "cannot_pay_at", {**facts, "item": item, "cost": price, "left": _left(pool)}
    match item:
        case "o" if any(stack.open for stack in view.stacks_at(spot)) or ("o", spot) in _list(view):
            return "is_open", facts
        case "v" if not _may_have_village(view, spot):
            return "one_village", facts
        case "v" if _room(view, spot) <= 0:
            return "no_box", facts
        case "a" if not offers(decision, spot):
            return "no_field", facts
    count = _number(number)
    if count <= 1:
        return called(decision, spot) if number else None
    if reason := _too_many(view, item, count):
        return reason
    if count * price > _left(pool):
        return _dear(item, count, price, _left(pool))
    most = max(number for number in range(1, COPIES + 1) if number == 1 or offers(decision, f"{spot}-{number}"))
    return "so_many_at_once", {"most": most}


def pay_from(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Points of one chain or group; any hex of a chain stands for it."""
    if key == HOME:
        pool = next((pool for pool in _pools(view) if pool.key == HOME), None)
        if pool is None:
            return "no_home", {}
        spot = view.nations[decision.seat].home
    elif is_hex(key):
        spot, pool = key, _pool_at(view, key)
        if pool is None:
            return no_village(key)
    else:
        return None
    dear = ("cannot_pay_at", {"spot": spot, "item": CARD, "cost": COSTS[CARD], "left": _left(pool)})
    return called(decision, pool.key) or dear


def drop_item(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A line of the list that nothing else on it needs."""
    lines = _list(view)
    number = _number(key)
    if number < 0:
        return None
    if not 0 < number <= len(lines):
        return "not_on_list", {"number": len(lines)}
    item, spot = lines[number - 1]
    return ("box_is_needed", {"spot": spot}) if item == "a" else ("points_are_spent", {"item": item})


def hold_colonies(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A Colony that would become a Village."""
    return _does_not_settle(view, decision, key) if is_hex(key) else None


def _does_not_settle(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """Why no Colony there becomes a Village this turn."""
    facts, group = {"spot": spot}, view.group_at.get(spot)
    if not own_pieces(view, spot).c:
        return "no_colony", facts
    if group is None or (group.owner == NOBODY and not group.green):
        return "no_green_box", facts
    if ("v", spot) in _list(view):
        return "one_village", facts
    if _room(view, spot) <= 0:
        return "no_box", facts
    return "must_be_held", facts


def settle_again(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A second Colony where a first Village comes, with Breadfruit."""
    if not is_hex(key):
        return None
    if not own_pieces(view, key).c:
        return "no_colony", {"spot": key}
    return "no_second_village", {"spot": key}
