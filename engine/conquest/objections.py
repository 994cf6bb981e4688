"""Why an answer is not possible, by what the asked seat sees: the lines of [why] in the game's own words."""

import re
from collections.abc import Callable
from typing import Any

from engine.conquest.board import COSTS, HEX_AT, NEIGHBOURS, PIECES, distance
from engine.conquest.build_list import PIECE_OF
from engine.conquest.view import NOBODY, ConquestView, Kinds
from engine.core.decision import Decision
from engine.core.event import Line

COUNTS = re.compile(r"(?:\d[wtrcb])+")
Reason = tuple[str, dict[str, Any]] | None


def objection(view: ConquestView, decision: Decision, key: str) -> Line | None:
    """The sentence of the rulebook that stands against a key; None where it is offered, or nothing is known."""
    if any(option.key == key for option in decision.options):
        return None
    reason = REASONS.get(decision.kind)
    return reason(view, decision, key) if reason is not None else None


def _spot(key: str) -> str:
    """The hex that a key is about, '' if none."""
    spot = key.partition("-")[0]
    return spot if spot in HEX_AT else ""


def _is_enemy(view: ConquestView, seat: int, spot: str) -> bool:
    group = view.group_at.get(spot)
    if group is not None and (group.independent or group.owner not in (NOBODY, seat)):
        return True
    return any(stack.seat != seat for stack in view.stacks_at(spot))


def _launch(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Only the Unknown and face-down tiles are explored, from where the Pre-move leads."""
    spot = _spot(key)
    if not spot:
        return None
    if view.hex_at[spot].face in ("unknown", "hidden"):
        return "out_of_reach", {"spot": spot}
    return "known_hex", {"spot": spot}


def _explore_on(view: ConquestView, decision: Decision, key: str) -> Reason:
    """On to a neighbour; a Known one costs 2 Knots and must leave it able to go on."""
    spot, voyage = _spot(key), view.voyage
    if not spot or voyage is None:
        return None
    if spot not in NEIGHBOURS.get(voyage.at, ()):
        return "not_beside", {"spot": spot, "at": voyage.at}
    if _is_enemy(view, voyage.seat, spot):
        return "enemy_hex", {"spot": spot}
    return "too_many_knots", {"spot": spot, "knots": voyage.knots, "limit": voyage.limit}


def _set_course(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Into a neighbour that the Explorer can explore."""
    spot, voyage = _spot(key), view.voyage
    if not spot or voyage is None:
        return None
    if spot not in NEIGHBOURS.get(voyage.at, ()):
        return "not_beside", {"spot": spot, "at": voyage.at}
    return "known_hex", {"spot": spot}


def _move_stack(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Own pieces that have not moved, with a canoe or a Rumor among them."""
    if key.startswith("open"):
        return "nothing_to_open", {"spot": _spot(key.removeprefix("open-")) or 0}
    if key.startswith("fleet") and key[5:].isdecimal():
        return "fleet_is_done", {"number": key[5:][:9]}
    spot = _spot(key)
    if not spot:
        return None
    if any(fleet.at == spot for fleet in view.fleets):
        return "has_moved", {"spot": spot}
    stack = next((stack for stack in view.stacks_at(spot) if stack.seat == decision.seat), None)
    if stack is None or stack.kinds is None:
        return "no_pieces", {"spot": spot}
    if not stack.kinds.canoes + stack.kinds.r:
        return "no_canoe", {"spot": spot}
    return "nowhere_to_go", {"spot": spot}


def _move_to(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Known hexes within its moves; among enemies only with War Canoes."""
    spot, facts = _spot(key), dict(decision.facts)
    if not spot:
        return None
    source, left = str(facts["spot"]), int(str(facts["left"]))
    if key.endswith("-chain"):
        return "no_chain", {"spot": spot, "at": source}
    if spot == source:
        return "is_there", {"spot": spot}
    if view.hex_at[spot].face in ("unknown", "hidden"):
        return "not_known", {"spot": spot}
    if distance(source, spot) > left:
        return "too_far", {"spot": spot, "left": left}
    if _is_enemy(view, decision.seat, spot):
        return "needs_war_canoe", {"spot": spot}
    return "no_way", {"spot": spot, "left": left}


def _company(view: ConquestView, decision: Decision, key: str) -> Reason:
    """What is there, and what canoes can carry."""
    if not COUNTS.fullmatch(key):
        return None
    spot = str(dict(decision.facts)["spot"])
    held = Kinds()
    for stack in view.stacks_at(spot):
        held = held.plus(stack.kinds) if stack.seat == decision.seat and stack.kinds is not None else held
    for fleet in view.fleets:
        held = held.plus(fleet.kinds) if fleet.at == spot and fleet.kinds is not None else held
    for number, kind in re.findall(r"(\d)([wtrcb])", key):
        if int(number) > held.of(kind):
            return "not_so_many", {"spot": spot, "kind": kind, "number": held.of(kind)}
    return "cannot_carry", {"spot": spot}


def _build_item(view: ConquestView, decision: Decision, key: str) -> Reason:
    """What can be paid, has a place and is not used up."""
    item, own = key.partition("-")[0], view.own
    listed = [line for line, _ in own.build.items] if own is not None and own.build is not None else []
    if item == "card":
        if not view.deck:
            return "no_deck", {}
        if "card" in listed:
            return "one_card", {}
    if item == "inward":
        return "explorer_is_lost", {}
    if item in PIECE_OF and own is not None and item != "pigs":
        kind = PIECE_OF[item]
        used = sum(1 for line in listed if PIECE_OF.get(line) == kind)
        if own.unbuilt.of(kind) <= used:
            return "all_built", {"kind": kind, "number": PIECES[kind]}
    cost = COSTS.get("t" if item == "o" else item)
    if cost is None:
        return None
    left = max((pool.points - pool.spent for pool in own.pools), default=0) if own is not None else 0
    if left < cost:
        return "cannot_pay", {"item": item, "cost": cost, "left": left}
    return "no_room", {"item": item}


def _build_at(view: ConquestView, decision: Decision, key: str) -> Reason:
    """All new items must be placed in a hex that already contains a Village."""
    spot = _spot(key)
    if not spot:
        return None
    group = view.group_at.get(spot)
    if group is None or group.owner != decision.seat:
        return "no_village", {"spot": spot}
    return "not_there", {"spot": spot, "item": str(dict(decision.facts)["item"])}


def _declare(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Only who has enough may declare."""
    facts = dict(decision.facts)
    return ("not_enough", {"points": facts["points"], "goal": facts["goal"]}) if key == "declare" else None


def _retreat(view: ConquestView, decision: Decision, key: str) -> Reason:
    """To the nearest own group."""
    return ("not_nearest", {"spot": _spot(key)}) if _spot(key) else None


def _own_group(view: ConquestView, decision: Decision, key: str) -> Reason:
    """One of the seat's own groups."""
    return ("no_village", {"spot": _spot(key)}) if _spot(key) else None


def _villages_of_others(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A hex with Villages of another."""
    return ("no_village_of_others", {"spot": _spot(key)}) if _spot(key) else None


def _tapu(view: ConquestView, decision: Decision, key: str) -> Reason:
    """The card must be in hand, and its holder the defender."""
    return ("no_tapu", {}) if key == "tapu" else None


REASONS: dict[str, Callable[[ConquestView, Decision, str], Reason]] = {
    "launch_explorer": _launch,
    "explore_on": _explore_on,
    "set_course": _set_course,
    "move_stack": _move_stack,
    "move_to": _move_to,
    "pick_company": _company,
    "pick_pieces": _company,
    "build_item": _build_item,
    "build_at": _build_at,
    "declare_victory": _declare,
    "retreat_to": _retreat,
    "name_home": _own_group,
    "pick_village": _villages_of_others,
    "fell_forest": _villages_of_others,
    "give_battle_orders": _tapu,
}
"""By kind of question. What is not here gets a sentence that fits any game."""
