"""Objections in Movement: which pieces go, where to, and who goes along."""

import re

from engine.conquest.board import AOTEAROA, KINDS, NEIGHBOURS, SOUTH_ISLAND, distance
from engine.conquest.carrying import OPEN_CANOE, TRANSIT, Party
from engine.conquest.objections.seen import (
    Reason,
    called,
    counted,
    has_seen,
    is_enemy,
    is_enemy_group,
    is_hex,
    is_known,
    is_sea,
    offers,
    others_at,
    own_pieces,
)
from engine.conquest.pieces import NONE, Fleet, Kinds
from engine.conquest.sailing import FLEET, Source
from engine.conquest.steps.movement import CHAIN, ON, OPEN, company_key
from engine.conquest.view import NOBODY, ConquestView, FleetView
from engine.core.decision import Decision


def _fleets_at(view: ConquestView, spot: str) -> list[FleetView]:
    return [fleet for fleet in view.fleets if fleet.at == spot]


def _landed(view: ConquestView, spot: str) -> Kinds:
    """What was set down there in this Movement, or walked there: it moves no more."""
    landed = NONE
    if view.own is not None and view.own.moving is not None:
        for place, kinds in view.own.moving.landed:
            landed = landed.plus(kinds) if place == spot else landed
    return landed


def _waiting(view: ConquestView, spot: str) -> Kinds:
    """The mover's pieces there that have not moved yet."""
    return own_pieces(view, spot).minus(_landed(view, spot))


def _must_leave_one(view: ConquestView, spot: str) -> bool:
    """Whether one of those must stay, in a conquered printed group where nothing else stays."""
    group = view.group_at.get(spot)
    if group is None or not group.taken or _landed(view, spot).total:
        return False
    return all(fleet.left for fleet in _fleets_at(view, spot))


def move_stack(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Own pieces that have not moved, with a canoe or a Rumor among them and somewhere to go."""
    what, dash, spot = key.partition("-")
    if what == OPEN:
        return _open(view, decision, spot) if spot or not dash else None
    if key.startswith(FLEET) and re.fullmatch(r"\d{1,3}", key.removeprefix(FLEET)):
        return _sail_on(view, decision, int(key.removeprefix(FLEET)))
    if counted(key) is not None:
        return "pieces_unasked", {}
    if not is_hex(key):
        return None
    waiting, fleets = _waiting(view, key), _fleets_at(view, key)
    if not waiting.total:
        if fleets or _landed(view, key).total:
            ready = [fleet.number for fleet in fleets if offers(decision, f"{FLEET}{fleet.number}")]
            return "has_moved", {"spot": key, "fleet": ready[0] if ready else 0}
        owner = others_at(view, decision.seat, key)
        return ("no_pieces", {"spot": key}) if owner == NOBODY else ("others_pieces", {"spot": key, "owner": owner})
    if waiting.total == 1 and _must_leave_one(view, key):
        return "must_be_held", {"spot": key}
    if not waiting.canoes + waiting.r:
        return "no_canoe", {"spot": key}
    return "shut_in", {"spot": key}


def _open(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """A face-down Transport Canoe, where none lies open and no enemy is."""
    if not spot:
        return "nothing_to_open", {}
    if not is_hex(spot):
        return None
    fleets = _fleets_at(view, spot)
    canoes = own_pieces(view, spot).t + sum(fleet.kinds.t for fleet in fleets if fleet.kinds is not None)
    is_open = any(stack.open for stack in view.stacks_at(spot) if stack.seat == decision.seat)
    if not canoes:
        return "no_canoe_to_open", {"spot": spot}
    if is_open or any(fleet.open for fleet in fleets):
        return "is_open", {"spot": spot}
    if is_enemy(view, decision.seat, spot):
        return "open_among_enemies", {"spot": spot}
    return called(decision, OPEN)


def _sail_on(view: ConquestView, decision: Decision, number: int) -> Reason:
    """A fleet under way with moves left."""
    fleet = next((fleet for fleet in view.fleets if fleet.number == number), None)
    if fleet is None:
        return "no_fleet", {"fleet": number}
    facts = {"fleet": number, "spot": fleet.at}
    if fleet.left:
        return "fleet_shut_in", facts
    return ("fleet_fights" if is_enemy(view, decision.seat, fleet.at) else "fleet_is_done"), facts


def _source(view: ConquestView, decision: Decision) -> Source:
    """What was chosen to go: a fleet under way with what waits beside it, or the stack of a hex."""
    facts = dict(decision.facts)
    spot, number = str(facts["spot"]), facts["fleet"]
    seen = next((fleet for fleet in view.fleets if fleet.number == number), None)
    fleet = None
    if seen is not None and seen.kinds is not None:
        fleet = Fleet(seen.number, seen.at, seen.origin, seen.left, seen.kinds)
    waiting = _waiting(view, spot)
    return Source(
        seat=decision.seat,
        spot=spot,
        fleet=fleet,
        waiting=waiting,
        free=waiting.total - _must_leave_one(view, spot),
        movers=fleet.kinds if fleet is not None else waiting,
        moves=int(str(facts.get("left", 0))),
        is_sea=is_sea(view, spot),
        is_whole=fleet is not None and is_enemy(view, decision.seat, spot),
        walk="",
    )


def move_to(view: ConquestView, decision: Decision, key: str) -> Reason:
    """Where it ends, what it sails through, and what a chain leads to."""
    spot, dash, how = key.partition("-")
    if not is_hex(spot):
        return None
    if dash + how == CHAIN:
        return _transit(view, decision, spot)
    if dash + how == ON:
        return _sail_through(view, decision, spot)
    return _sail_to(view, decision, spot) if not dash else None


def _sail_to(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """Known hexes within its moves; among enemies only with War Canoes."""
    source = _source(view, decision)
    movers, left = source.movers, source.moves
    if spot == source.spot:
        return "is_there", {"spot": spot}
    if not movers.canoes + movers.r:
        return "walks_only", {"spot": source.spot}
    if view.hex_at[spot].face == "unknown":
        return "not_known", {"spot": spot}
    if not is_known(view, spot) and not has_seen(view, decision.seat, spot):
        return "tile_not_seen", {"spot": spot}
    if distance(source.spot, spot) > left:
        return "too_far", {"spot": spot, "left": left}
    if is_enemy(view, decision.seat, spot) and not movers.w:
        return "needs_war_canoe", {"spot": spot}
    return "no_way", {"spot": spot, "left": left}


def _sail_through(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """Past face-down pieces, if no War Canoe is among them, and with a move left to go on."""
    end = next((option for option in decision.options if option.key == spot), None)
    if end is None:
        return _sail_to(view, decision, spot)
    if is_enemy_group(view, decision.seat, spot):
        return "must_stop", {"spot": spot}
    if others_at(view, decision.seat, spot) == NOBODY:
        return "nobody_to_pass", {"spot": spot}
    source, moving = _source(view, decision), view.own.moving if view.own is not None else None
    answered = dict(moving.answered) if moving is not None else {}
    if not source.movers.w:
        return "needs_war_canoe", {"spot": spot}
    if answered.get(spot):
        return "war_canoe_is_there", {"spot": spot}
    if dict(end.facts)["moves"] == source.moves:
        return "no_move_to_go_on", {"spot": spot}
    return "passes_unasked", {"spot": spot}


def _transit(view: ConquestView, decision: Decision, spot: str) -> Reason:
    """Along open canoes, before anything sails or is opened; the canoes of the chain stay."""
    source, moving = _source(view, decision), view.own.moving if view.own is not None else None
    if source.fleet is not None or (moving is not None and moving.afloat):
        return "transit_is_over", {}
    if spot == source.spot:
        return "is_there", {"spot": spot}
    if not any(stack.open for stack in view.stacks_at(source.spot) if stack.seat == decision.seat):
        return "no_open_canoe", {"spot": source.spot}
    if spot not in _chain(view, decision.seat, source.spot):
        return "no_chain", {"spot": spot, "at": source.spot}
    if source.waiting.total == OPEN_CANOE.total:
        return "chain_stays", {"spot": source.spot}
    return "no_berths", {"spot": spot}


def _chain(view: ConquestView, seat: int, start: str) -> set[str]:
    """The hexes that open canoes link with this one."""
    found, edge = {start}, [start]
    for here in edge:
        linked = {spot for link in view.nations[seat].links if here in link for spot in link}
        edge += linked - found
        found |= linked
    return found


def _party(view: ConquestView, decision: Decision) -> Party:
    """Who may go along, as party_of has it."""
    facts, source = dict(decision.facts), _source(view, decision)
    target, sort = str(facts["target"]), str(facts["sort"])
    is_transit = sort == TRANSIT
    return Party(
        sort=sort,
        source=source,
        kinds=source.kinds.minus(OPEN_CANOE) if is_transit else source.kinds,
        walks=_is_walk(view, source, target) and not is_transit,
        needs_war=bool(facts["war"]),
        berths=own_pieces(view, target) if is_transit and is_sea(view, target) else None,
    )


def _is_walk(view: ConquestView, source: Source, target: str) -> bool:
    """From one New Zealand tile to the other, which is no enemy's."""
    both = {view.hex_at[spot].key for spot in (source.spot, target) if is_known(view, spot)}
    is_near = target in NEIGHBOURS[source.spot] and source.fleet is None
    return both == {AOTEAROA, SOUTH_ISLAND} and is_near and not is_enemy(view, source.seat, target)


def pick_company(view: ConquestView, decision: Decision, key: str) -> Reason:
    """What is there, and what canoes can carry."""
    party = _party(view, decision)
    going = party.kinds if key == "all" else counted(key)
    if going is None:
        return None
    name = "all" if going == party.kinds else company_key(going)
    return called(decision, name) or _stays(view, decision, party, going)


def pick_pieces(view: ConquestView, decision: Decision, key: str) -> Reason:
    """The same kind by kind."""
    party, kind = _party(view, decision), str(dict(decision.facts)["kind"])
    if key == "all" and not party.may_go(party.kinds):
        return _stays(view, decision, party, party.kinds)
    if key.isdecimal() and (meant := called(decision, f"{key}{kind}")):
        return meant
    going = party.kinds if key == "all" else counted(key)
    if going is None:
        return None
    if key == "all" or any(going.of(other) for other in KINDS if other != kind):
        return "one_kind", {"kind": kind}
    if going.of(kind) > party.kinds.of(kind):
        return _too_many(view, party, kind)
    if kind == "w" and party.needs_war and not going.w:
        return "war_canoe_must_go", {"spot": dict(decision.facts)["target"]}
    return "cannot_carry", {"spot": party.source.spot}


def _too_many(view: ConquestView, party: Party, kind: str) -> Reason:
    number, spot = party.kinds.of(kind), party.source.spot
    if kind == "t" and party.sort == TRANSIT:
        return "chain_keeps_one", {"spot": spot, "number": number}
    return "not_so_many", {"spot": spot, "kind": kind, "number": number}


def _stays(view: ConquestView, decision: Decision, party: Party, going: Kinds) -> Reason:
    """Why these pieces may not go together, in the order of Party.may_go."""
    spot, target = party.source.spot, dict(decision.facts)["target"]
    for kind in KINDS:
        if going.of(kind) > party.kinds.of(kind):
            return _too_many(view, party, kind)
    if not going.total:
        return "nobody_goes", {}
    if party.sort != TRANSIT:
        if party.needs_war and not going.w:
            return "war_canoe_must_go", {"spot": target}
        if not party.walks:
            if not going.canoes + going.r:
                return "no_canoe_goes", {}
            if going.c > going.t:
                return "colony_needs_transport", {"colonies": going.c, "canoes": going.t}
            if not going.is_afloat:
                return "too_much_cargo", {"cargo": going.b + going.c, "canoes": going.canoes}
    if party.source.is_sea and not party.source.left_behind(going).is_afloat:
        return "left_at_sea", {"spot": spot}
    if party.berths is not None and not party.berths.plus(going).is_afloat:
        return "no_berths", {"spot": target}
    picked, waiting = party.source.picked_up(going), party.source.waiting
    if picked.total > party.source.free and picked.b <= waiting.b and picked.c <= waiting.c:
        return "must_be_held", {"spot": spot}
    return "carried_once", {"spot": spot}
