"""Objections in Battle and after it."""

from engine.conquest.battle_rolls import BATTLE_CARDS, DEFENCE
from engine.conquest.board import CARDS, PRINTED, distance
from engine.conquest.objections.seen import (
    Reason,
    called,
    counted,
    holds,
    is_hex,
    is_own_group,
    is_sea,
    no_village,
)
from engine.conquest.pieces import Kinds
from engine.conquest.steps.aftermath import named
from engine.conquest.view import BattleView, ConquestView, RowView
from engine.core.decision import Decision

FRONT = ("w", "b", "l")


def pick_battle(view: ConquestView, decision: Decision, key: str) -> Reason:
    """One that is still to be fought."""
    return ("no_battle_due", {"spot": key}) if is_hex(key) else None


def give_battle_orders(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Tapu is a defender's who holds it."""
    if key == "askme":
        return "orders_are_asked", {}
    if key != "tapu":
        return None
    if dict(decision.facts)["role"] == "attacker":
        return "tapu_defends", {}
    return ("card_is_used" if holds(view, key) else "no_such_card"), {"card": key}


def react(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A Battle card of one's own that fits the role, was not used, and changes this roll."""
    battle, facts = view.battle, {"card": key}
    if key not in CARDS or battle is None:
        return None
    if key not in BATTLE_CARDS:
        return "no_battle_card", facts
    if not holds(view, key):
        return "no_such_card", facts
    if any(roll.card == key for roll in battle.rolls):
        return "used_in_battle", facts
    if decision.seat == battle.attacker and key in DEFENCE:
        return "for_defenders", facts
    if key == "fort" and is_sea(view, battle.spot):
        return "fort_on_land", {}
    return f"idle_{'clubs' if key == 'slings' else key}", facts


def take_casualty(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A Battle Piece of the front row."""
    if key in ("t", "c", "r"):
        return "no_battle_piece", {"kind": key}
    return ("none_in_front", {"kind": key}) if key in FRONT else None


def _survivors(row: RowView) -> Kinds:
    """All that is left of a side."""
    return Kinds(row.w + row.panicked_w, row.t, 0, row.c, row.b + row.panicked_b + row.carried_b)


def _row(battle: BattleView, seat: int) -> RowView:
    return battle.rows[0 if seat == battle.attacker else 1]


def save_villages(view: ConquestView, decision: Decision, key: str) -> Reason:
    """A piece of the front row that did not panic for each Village; in a printed group one piece stays."""
    given, battle = counted(key), view.battle
    if given is None or battle is None:
        return None
    row, villages = _row(battle, decision.seat), int(str(dict(decision.facts)["villages"]))
    if given.total != given.w + given.b:
        return "no_battle_pieces", {}
    if meant := called(decision, named(given)):
        return meant
    if given.total > villages:
        return "not_so_many_villages", {"spot": battle.spot, "number": villages}
    if given.w > row.w or given.b > row.b:
        return "not_so_many_brave", {"brave": (("w", row.w), ("b", row.b))}
    if battle.spot in PRINTED and given.total >= _survivors(row).total:
        return "one_must_stay", {"spot": battle.spot}
    return None


def retreat_to(view: ConquestView, decision: Decision, key: str) -> Reason:
    """To the nearest own group where no Battle is due."""
    if not is_hex(key):
        return None
    lost = str(dict(decision.facts)["spot"])
    if key == lost:
        return "lost_there", {"spot": key}
    if not is_own_group(view, decision.seat, key):
        return no_village(key)
    if key in view.due:
        return "battle_due", {"spot": key}
    nearest = decision.options[0].spot
    facts = {"spot": key, "away": distance(lost, key), "nearest": nearest, "near": distance(lost, nearest)}
    return "not_nearest", facts


def leave_behind(view: ConquestView, decision: Decision, key: str) -> Reason:
    """As much as the canoes can carry, and no less."""
    saved, battle = counted(key), view.battle
    if saved is None or battle is None:
        return None
    if saved.total != saved.b + saved.c:
        return "cargo_only", {}
    if meant := called(decision, f"{saved.b}b{saved.c}c"):
        return meant
    there = _survivors(_row(battle, decision.seat))
    for kind in ("b", "c"):
        if saved.of(kind) > there.of(kind):
            return "not_so_many", {"spot": battle.spot, "kind": kind, "number": there.of(kind)}
    if saved.c > there.t:
        return "colony_needs_transport", {"colonies": saved.c, "canoes": there.t}
    if saved.total > there.canoes:
        return "too_much_cargo", {"cargo": saved.total, "canoes": there.canoes}
    return "room_for_more", {"spot": battle.spot}


def name_home(view: ConquestView, decision: Decision, key: str) -> Reason:
    """One of the seat's other groups."""
    if not is_hex(key):
        return None
    if view.battle is not None and key == view.battle.spot:
        return "lost_there", {"spot": key}
    return no_village(key)
