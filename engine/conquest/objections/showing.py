"""Objections to what may be shown at any time, to Victory, and to standing orders."""

from engine.conquest.board import CARDS
from engine.conquest.cards import REACTING
from engine.conquest.objections.seen import Reason, has_seen, holds, is_hex, is_known, own_pieces, shows
from engine.conquest.offers import COURSES, DECLARES, FINDS, LOSSES, ORDERS, SURE
from engine.conquest.view import ConquestView
from engine.core.decision import Decision

FIRST = ("askme", "me", "me-cw", "me-ccw")
ALL_ORDERS = {*LOSSES, *ORDERS, *COURSES, *SURE, *FINDS, *DECLARES, *FIRST, "swift"}


def reveal_card(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A face-down card of one's own that is not shown by its use alone."""
    facts = {"card": key}
    if key not in CARDS:
        return None
    if not holds(view, key):
        return "no_such_card", facts
    if shows(view, key):
        return "card_is_up", facts
    return ("shown_by_use", facts) if key in REACTING else None


def flip_tile(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A face-down tile with one's own marker."""
    if not is_hex(key):
        return None
    facts = {"spot": key}
    if has_seen(view, decision.seat, key):
        return "tile_is_asked", facts
    if view.hex_at[key].face == "hidden":
        return "tile_not_seen", facts
    return ("tile_is_up" if is_known(view, key) else "no_tile_of_yours"), facts


def drop_rumor(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Any Rumor but one that must hold a conquered group."""
    if not is_hex(key):
        return None
    if own_pieces(view, key).r:
        return "rumor_must_stay", {"spot": key}
    sailing = any(fleet.at == key and fleet.kinds is not None and fleet.kinds.r for fleet in view.fleets)
    return ("rumor_may_have_to_stay" if sailing else "no_rumor"), {"spot": key}


def declare_victory(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Only who has enough may declare."""
    facts = dict(decision.facts)
    return ("not_enough", {"points": facts["points"], "goal": facts["goal"]}) if key == "declare" else None


def answer_victory(view: ConquestView, decision: Decision, key: str) -> Reason:
    """With a Deforestation that is still face down, against a Village of another."""
    if key != "forest":
        return None
    if not holds(view, key):
        return "no_such_card", {"card": key}
    return ("card_is_used", {"card": key}) if shows(view, key) else ("nothing_to_fell", {})


def fell_forest(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A Village of another."""
    if not is_hex(key):
        return None
    group = view.group_at.get(key)
    is_own = group is not None and group.owner == decision.seat
    return ("own_village" if is_own else "no_village_of_others"), {"spot": key}


def set_order(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Another order than the one that stands."""
    _, _, now = str(dict(decision.facts)["now"]).partition("-")
    if key == now:
        return "order_stands", {}
    if decision.kind == "set_first_order" and key in FIRST:
        # With two players there is one way round, with more a way has to be said.
        return ("say_which_way", {}) if key == "me" else ("one_way_round", {})
    return ("order_of_another_kind", {}) if key in ALL_ORDERS else None
