"""Objections before the first turn and to the order of a turn."""

from engine.conquest.board import COSTS, HOMES, PIECES
from engine.conquest.objections.seen import Reason, called, is_hex
from engine.conquest.steps.setup import START_KINDS
from engine.conquest.view import ConquestView
from engine.core.decision import Decision

WAYS = ("", "cw", "ccw")


def pick_home(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A people of this match that nobody has chosen; its hex is another name for it."""
    people = next((name for name, spot in HOMES.items() if spot == key), key)
    if people not in HOMES:
        return ("no_home_there", {"spot": key}) if is_hex(key) else None
    taken = [seat for seat, nation in enumerate(view.nations) if nation.people == people]
    if taken:
        return "people_taken", {"people": people, "owner": taken[0]}
    return called(decision, people) or ("people_not_played", {"people": people, "seats": len(view.nations)})


def add_start_piece(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Pieces for exactly four Build Points, as many as there are."""
    left = dict(decision.facts)["left"]
    if key == "done":
        return "start_points_left", {"left": left}
    if key in ("o", "v", "a", "card"):
        return "not_at_start", {"item": key}
    if key not in START_KINDS:
        return None
    if view.own is not None and view.own.start.count(key) >= PIECES[key]:
        return "all_chosen", {"kind": key, "number": PIECES[key]}
    return "dear_at_start", {"item": key, "cost": COSTS[key], "left": left}


def choose_first(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A people that is in the game, and with more than two which way round."""
    people, dash, way = key.partition("-")
    if people not in HOMES or way not in WAYS or (dash and not way):
        return None
    seats = [seat for seat, nation in enumerate(view.nations) if nation.people == people]
    if not seats:
        return "people_not_played", {"people": people, "seats": len(view.nations)}
    if view.nations[seats[0]].out:
        return "is_out", {"seat": seats[0]}
    return ("one_way", {"people": people}) if way else ("which_way", {"people": people})
