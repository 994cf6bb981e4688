"""Objections in the Exploration Step."""

from engine.conquest.board import AMERICA, CHART, EASTERN, NEIGHBOURS
from engine.conquest.objections.seen import Reason, has_seen, is_enemy, is_hex, is_known
from engine.conquest.view import ConquestView
from engine.core.decision import Decision

NOTHING_MOVES: Reason = ("nothing_moves", {})
NO_MARKERS: Reason = ("no_markers_left", {})


def _is_unknown_for_good(view: ConquestView, spot: str) -> bool:
    """Whether nothing can be discovered there any more, for want of Discovery Markers."""
    return view.hex_at[spot].face == "unknown" and not sum(view.cup)


def launch_explorer(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Only the Unknown and face-down tiles are explored, next to where the Pre-move leads; or Kumara is sought."""
    if key == "rest":
        return NOTHING_MOVES
    if key.startswith("k") and is_hex(key[1:]):
        return _seek_kumara(view, decision, key[1:])
    if not is_hex(key):
        return None
    if is_known(view, key):
        return "known_hex", {"spot": key}
    if _is_unknown_for_good(view, key):
        return NO_MARKERS
    return "out_of_reach", {"spot": key}


def _seek_kumara(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """Once a match, from a hex 'To South America' that the Pre-move reaches without the eastern ocean."""
    if not view.kumara_played:
        return "kumara_not_played", {}
    if view.nations[decision.seat].kumara:
        return "has_kumara", {}
    if spot not in CHART.to_america:
        return "kumara_begins", {"spots": CHART.to_america}
    return "kumara_out_of_reach", {"spot": spot}


def explore_on(view: ConquestView, decision: Decision, key: str) -> Reason:
    """On to a neighbour; a Known one costs 2 Knots and must leave it able to go on."""
    voyage = view.voyage
    if voyage is None:
        return None
    if key == "rest":
        return NOTHING_MOVES
    if key == "again":
        return ("not_stuck", {}) if sum(view.cup) else NO_MARKERS
    if not is_hex(key):
        return None
    if key == voyage.at:
        return "explorer_is_there", {"spot": key}
    if key not in NEIGHBOURS[voyage.at]:
        return "not_beside", {"spot": key, "at": voyage.at}
    if is_enemy(view, voyage.seat, key):
        return "enemy_hex", {"spot": key}
    if _is_unknown_for_good(view, key):
        return NO_MARKERS
    return "too_many_knots", {"spot": key, "knots": voyage.knots, "limit": voyage.limit}


def set_course(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Into a neighbour that the Explorer can explore."""
    voyage = view.voyage
    if not is_hex(key) or voyage is None:
        return None
    if key == voyage.at:
        return "driven_away", {"spot": key}
    if key not in NEIGHBOURS[voyage.at]:
        return "not_beside", {"spot": key, "at": voyage.at}
    if has_seen(view, voyage.seat, key):
        return "seen_by_explorer", {"spot": key, "explorer": voyage.seat}
    return NO_MARKERS if _is_unknown_for_good(view, key) else ("known_hex", {"spot": key})


def sail_east(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Over the eastern ocean, and off course no nearer to South America."""
    facts = dict(decision.facts)
    at, is_off_course = str(facts["spot"]), facts["result"] == "offcourse"
    if key == AMERICA:
        return ("not_nearer", {}) if at in CHART.coast and is_off_course else ("not_at_coast", {"spots": CHART.coast})
    if not is_hex(key):
        return None
    if key == at:
        return "explorer_is_there", {"spot": key}
    if key not in NEIGHBOURS[at]:
        return "not_beside", {"spot": key, "at": at}
    if key in EASTERN or (is_off_course and key in CHART.to_america):
        return "not_nearer", {}
    return "not_eastern", {"spot": key}


def keep_tile(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Hidden under one of three markers; without one left an older discovery comes up in its place."""
    if key == "hide":
        return "no_marker_left", {}
    if not is_hex(key):
        return None
    if key == dict(decision.facts)["spot"]:
        return "new_tile", {"spot": key}
    return ("marker_left" if has_seen(view, decision.seat, key) else "no_tile_of_yours"), {"spot": key}
