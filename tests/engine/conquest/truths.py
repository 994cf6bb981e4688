"""Checks whether refusals are true, from the whole position and not from a view.

TRUTHS has a function for each text of [why]. Given a refusal, it returns whether what the text says
holds in the position. A new text needs a function here, written from the rulebook and not from the
code that refuses.
"""

import re
from collections.abc import Callable
from typing import Any

from engine.conquest.battle_rolls import changes_roll, suits_role
from engine.conquest.board import (
    CARDS,
    CHART,
    COSTS,
    EASTERN,
    HOMES,
    NEIGHBOURS,
    PIECES,
    PRINTED,
    distance,
    distance_to_america,
)
from engine.conquest.build_list import HOME, BuildList, build_list_of
from engine.conquest.cards import SHOWN_ONLY_BY_USE
from engine.conquest.carrying import Order, party_of
from engine.conquest.chains import find_chains, open_hexes
from engine.conquest.hexes import (
    controlled_groups,
    enemy_at,
    face_down_tile_at,
    is_enemy_group,
    is_enemy_hex,
    is_known,
    is_sea,
    is_unknown,
    land_at,
    must_ask_to_move,
)
from engine.conquest.pieces import Kinds
from engine.conquest.sailing import CLOSED, FIGHT, PASS, QUIET, classify_entry, source_of
from engine.conquest.steps.aftermath import best_loads, retreat_hexes
from engine.conquest.steps.explore import find_pre_move_reach, knot_limit
from engine.conquest.steps.movement import openable_hexes, transit_targets
from tests.engine.refusals import Refusal


def is_true(refusal: Refusal) -> bool:
    """Return whether what the refusal says holds in its position."""
    truth = TRUTHS.get(refusal.reason)
    return truth is not None and truth(Case(refusal))


class Case:
    """A refusal with its position."""

    def __init__(self, refusal: Refusal) -> None:
        self.state = refusal.state
        self.decision = refusal.decision
        self.key = refusal.key
        self.seat, self.facts, self.asked = (
            self.decision.seat,
            refusal.facts,
            dict(self.decision.facts),
        )
        self.nation = self.state.nations[self.seat]
        self.spot: str = self.facts.get("spot") or ""
        self.offered = [option.key for option in self.decision.options]

    @property
    def building(self) -> BuildList:
        lines = self.state.builds[self.seat].lines if self.state.builds else ()
        return build_list_of(self.state, self.seat, lines)

    @property
    def card(self) -> list[tuple[bool, bool]]:
        """Return whether the card in question lies face up and is used, if the seat holds it."""
        return [(held.up, held.used) for held in self.nation.hand if held.key == self.facts["card"]]

    @property
    def fleet(self) -> Any:
        return next(
            fleet for fleet in self.state.movement.fleets if fleet.number == self.facts["fleet"]
        )

    @property
    def source(self) -> Any:
        number = self.asked.get("fleet")
        return source_of(self.state, self.seat, f"fleet{number}" if number else self.asked["spot"])

    @property
    def party(self) -> Any:
        number = self.asked["fleet"]
        key = f"fleet{number}" if number else self.asked["spot"]
        return party_of(self.state, Order(self.seat, key, self.asked["target"], self.asked["sort"]))

    @property
    def going(self) -> Kinds:
        if self.key == "all":
            return self.party.kinds
        return Kinds(
            **{kind: int(number) for number, kind in re.findall(r"(\d+)([wtrcb])", self.key)}
        )

    def at_sea(self) -> Kinds:
        """Return what is left of a side after a Battle."""
        battle = self.state.battle
        return battle.sides[0 if self.seat == battle.attacker else 1].survivors

    def is_shut_in(self, war: bool, spot: str) -> bool:
        around = [classify_entry(self.state, self.seat, other) for other in NEIGHBOURS[spot]]
        return all(what == CLOSED or (not war and what not in (QUIET, "reveal")) for what in around)


def _owns(case: Case, spot: str) -> bool:
    return spot in controlled_groups(case.state, case.seat)


def _left(case: Case, spot: str) -> int:
    build_list = case.building
    return build_list.left[build_list.estate.pool_of[spot]]


def _paying(case: Case, cost: int) -> list[str]:
    """Return the groups whose pool can pay."""
    build_list = case.building
    return [
        spot for spot, pool in build_list.estate.pool_of.items() if build_list.left[pool] >= cost
    ]


def _new_villages(case: Case, spot: str) -> int:
    return case.building.count_at("v", spot)


TRUTHS: dict[str, Callable[[Case], bool]] = {
    "other_name": lambda c: c.facts["name"] in c.offered and c.key not in c.offered,
    # Set-up and order.
    "no_home_there": lambda c: c.spot not in HOMES.values(),
    "people_taken": lambda c: c.state.nations[c.facts["owner"]].people == c.facts["people"],
    "people_not_played": lambda c: (
        c.facts["people"] not in ("tonga", "samoa", "hiva", "raiatea")[: len(c.state.nations)]
    ),
    "start_points_left": lambda c: (
        sum(COSTS[line.item] for line in c.state.builds[c.seat].lines) == 4 - c.facts["left"] < 4
    ),
    "not_at_start": lambda c: not c.state.turn,
    "all_chosen": lambda c: (
        [line.item for line in c.state.builds[c.seat].lines].count(c.key)
        == PIECES[c.key]
        == c.facts["number"]
    ),
    "dear_at_start": lambda c: COSTS[c.key] == c.facts["cost"] > c.facts["left"],
    "is_out": lambda c: c.state.nations[c.facts["seat"]].out,
    "one_way": lambda c: len(c.state.seats) == 2 and "-" in c.key,
    "which_way": lambda c: len(c.state.seats) > 2 and "-" not in c.key,
    # Exploration.
    "known_hex": lambda c: is_known(c.state, c.spot),
    "out_of_reach": lambda c: (
        not is_known(c.state, c.spot)
        and not find_pre_move_reach(c.state, c.seat) & set(NEIGHBOURS[c.spot])
    ),
    "nothing_moves": lambda c: not must_ask_to_move(c.state, c.seat),
    "no_markers_left": lambda c: not sum(c.state.cup),
    "kumara_not_played": lambda c: not c.state.rules.kumara,
    "has_kumara": lambda c: c.nation.kumara,
    "kumara_begins": lambda c: c.key[1:] not in CHART.to_america == c.facts["spots"],
    "kumara_out_of_reach": lambda c: (
        c.spot not in find_pre_move_reach(c.state, c.seat, eastern=False)
    ),
    "not_stuck": lambda c: not c.state.voyage.stuck,
    "explorer_is_there": lambda c: c.state.voyage.at == c.spot,
    "not_beside": lambda c: (
        c.facts["at"] == c.state.voyage.at and distance(c.spot, c.facts["at"]) > 1
    ),
    "enemy_hex": lambda c: is_enemy_hex(c.state, c.state.voyage.seat, c.spot),
    "too_many_knots": lambda c: (
        c.state.voyage.knots == c.facts["knots"]
        and c.facts["knots"] + 2 > c.facts["limit"] == knot_limit(c.state, c.seat)
        and not is_unknown(c.state, c.spot)
    ),
    "driven_away": lambda c: c.state.voyage.at == c.spot,
    "seen_by_explorer": lambda c: (
        c.facts["explorer"] == c.state.voyage.seat in face_down_tile_at(c.state, c.spot).seen
    ),
    "not_at_coast": lambda c: c.state.voyage.at not in CHART.coast == c.facts["spots"],
    "not_nearer": lambda c: (
        c.asked["result"] == "offcourse"
        and (
            c.key == "america"
            or distance_to_america(c.key) < distance_to_america(c.state.voyage.at)
        )
    ),
    "not_eastern": lambda c: c.spot not in EASTERN,
    "no_marker_left": lambda c: len([t for t in c.state.face_down if c.seat in t.seen]) >= 4,
    "marker_left": lambda c: (
        "hide" in c.offered and c.seat in face_down_tile_at(c.state, c.spot).seen
    ),
    "new_tile": lambda c: c.state.voyage.keep == c.spot,
    "no_tile_of_yours": lambda c: (
        (tile := face_down_tile_at(c.state, c.spot)) is None or c.seat not in tile.seen
    ),
    # Movement.
    "nothing_to_open": lambda c: not openable_hexes(c.state),
    "no_canoe_to_open": lambda c: (
        not (
            c.state.pieces(c.seat, c.spot).t
            + sum(fleet.kinds.t for fleet in c.state.movement.fleets if fleet.at == c.spot)
        )
    ),
    "is_open": lambda c: c.spot in {*open_hexes(c.state, c.seat), *c.building.hexes_of("o")},
    "open_among_enemies": lambda c: is_enemy_hex(c.state, c.seat, c.spot),
    "no_fleet": lambda c: all(
        fleet.number != c.facts["fleet"] for fleet in c.state.movement.fleets
    ),
    "fleet_shut_in": lambda c: c.fleet.left > 0 and c.is_shut_in(c.fleet.kinds.w > 0, c.fleet.at),
    "fleet_fights": lambda c: c.fleet.left == 0 and is_enemy_hex(c.state, c.seat, c.spot),
    "fleet_is_done": lambda c: c.fleet.left == 0,
    "has_moved": lambda c: (
        c.state.stack(c.seat, c.spot) is None
        and c.spot in {leg.way[-1] for leg in c.state.legs if not leg.transit}
        and (not c.facts["fleet"] or f"fleet{c.facts['fleet']}" in c.offered)
    ),
    "pieces_unasked": lambda c: (
        c.decision.kind == "move_stack" and bool(re.fullmatch(r"(\d+[wtrcb])+", c.key))
    ),
    "no_pieces": lambda c: c.state.stacks_at.get(c.spot) is None,
    "others_pieces": lambda c: (
        c.state.stack(c.facts["owner"], c.spot) is not None and c.facts["owner"] != c.seat
    ),
    "must_be_held": lambda c: c.state.must_be_held(c.spot),
    "no_canoe": lambda c: (
        0
        < c.state.pieces(c.seat, c.spot).total
        == c.state.pieces(c.seat, c.spot).b + c.state.pieces(c.seat, c.spot).c
    ),
    "shut_in": lambda c: c.is_shut_in(c.state.pieces(c.seat, c.spot).w > 0, c.spot),
    "is_there": lambda c: c.source.spot == c.spot,
    "walks_only": lambda c: not c.source.sails and bool(c.source.walk),
    "not_known": lambda c: is_unknown(c.state, c.spot),
    "tile_not_seen": lambda c: c.seat not in face_down_tile_at(c.state, c.spot).seen,
    "too_far": lambda c: distance(c.source.spot, c.spot) > c.source.moves == c.facts["left"],
    "needs_war_canoe": lambda c: is_enemy_hex(c.state, c.seat, c.spot) and not c.source.movers.w,
    "no_way": lambda c: (
        c.spot not in c.source.all_ways(c.state) and c.source.moves == c.facts["left"]
    ),
    "must_stop": lambda c: is_enemy_group(c.state, c.seat, c.spot),
    "nobody_to_pass": lambda c: enemy_at(c.state, c.seat, c.spot) is None,
    "war_canoe_is_there": lambda c: classify_entry(c.state, c.seat, c.spot) == FIGHT,
    "no_move_to_go_on": lambda c: len(c.source.all_ways(c.state)[c.spot]) - 1 == c.source.moves,
    "passes_unasked": lambda c: classify_entry(c.state, c.seat, c.spot) == PASS,
    "transit_is_over": lambda c: c.state.movement.afloat,
    "no_open_canoe": lambda c: c.spot not in open_hexes(c.state, c.seat),
    "no_chain": lambda c: (
        not any({c.spot, c.facts["at"]} <= chain for chain in find_chains(c.state, c.seat))
    ),
    "chain_stays": lambda c: c.state.pieces(c.seat, c.spot) == Kinds(t=1),
    "no_berths": lambda c: (
        is_sea(c.state, c.spot)
        and (
            c.spot not in transit_targets(c.state, c.seat, c.source.spot)
            or not c.state.pieces(c.seat, c.spot).plus(c.going).is_afloat
        )
    ),
    "one_kind": lambda c: (
        c.decision.kind == "pick_pieces" and c.key != f"{c.key[0]}{c.asked['kind']}"
    ),
    "not_so_many": lambda c: _not_so_many(c),  # noqa: PLW0108 - it comes below
    "chain_keeps_one": lambda c: (
        c.going.t > c.party.kinds.t == c.facts["number"] == c.source.waiting.t - 1
    ),
    "nobody_goes": lambda c: not c.going.total,
    "war_canoe_must_go": lambda c: c.party.needs_war and not c.going.w,
    "no_canoe_goes": lambda c: not c.going.canoes + c.going.r,
    "colony_needs_transport": lambda c: c.going.c > c.facts["canoes"],
    "too_much_cargo": lambda c: c.going.b + c.going.c == c.facts["cargo"] > c.facts["canoes"],
    "left_at_sea": lambda c: (
        is_sea(c.state, c.spot) and not c.source.left_behind(c.going).is_afloat
    ),
    "carried_once": lambda c: (
        c.source.fleet is not None and c.going.is_afloat and not c.party.may_go(c.going)
    ),
    "cannot_carry": lambda c: (
        c.decision.kind == "pick_pieces"
        and c.going.of(c.asked["kind"]) <= c.party.kinds.of(c.asked["kind"])
    ),
    # Battle.
    "no_battle_due": lambda c: c.spot not in c.state.movement.due,
    "orders_are_asked": lambda c: c.key == "askme",
    "tapu_defends": lambda c: c.state.battle.attacker == c.seat,
    "no_such_card": lambda c: not c.card,
    "card_is_used": lambda c: any(used for _, used in c.card),
    "card_is_up": lambda c: any(up for up, _ in c.card),
    "shown_by_use": lambda c: c.card == [(False, False)] and c.key in SHOWN_ONLY_BY_USE,
    "no_battle_card": lambda c: CARDS[c.key].sort != "battle",
    "used_in_battle": lambda c: c.key in c.state.battle.used[_side(c)],
    "for_defenders": lambda c: c.key in ("slings", "fort") and c.state.battle.attacker == c.seat,
    "fort_on_land": lambda c: land_at(c.state, c.state.battle.spot) is None,
    **dict.fromkeys(
        ("idle_clubs", "idle_cannibals", "idle_mana", "idle_fort"),
        lambda c: (
            suits_role(c.state, c.state.battle, _side(c), c.key)
            and c.key not in c.state.battle.used[_side(c)]
            and not changes_roll(c.state, c.state.battle, _side(c), c.key)
        ),
    ),
    "no_battle_piece": lambda c: c.key in ("t", "c", "r"),
    "none_in_front": lambda c: getattr(c.state.battle.sides[_side(c)], c.key) == 0,
    "no_battle_pieces": lambda c: bool(c.going.t + c.going.c + c.going.r),
    "not_so_many_villages": lambda c: c.going.total > c.facts["number"] == c.asked["villages"],
    "not_so_many_brave": lambda c: any(
        c.going.of(kind) > number == getattr(c.state.battle.sides[0], kind)
        for kind, number in c.facts["brave"]
    ),
    "one_must_stay": lambda c: (
        c.spot in PRINTED and c.state.battle.sides[0].survivors.total == c.going.total
    ),
    "lost_there": lambda c: c.state.battle.spot == c.spot,
    "battle_due": lambda c: c.spot in c.state.movement.due,
    "not_nearest": lambda c: (
        _owns(c, c.spot)
        and c.facts["nearest"] in retreat_hexes(c.state, c.state.battle, c.seat)
        and distance(c.state.battle.spot, c.spot) == c.facts["away"] > c.facts["near"]
        and distance(c.state.battle.spot, c.facts["nearest"]) == c.facts["near"]
    ),
    "cargo_only": lambda c: bool(c.going.w + c.going.t + c.going.r),
    "room_for_more": lambda c: any(
        b >= c.going.b and cc >= c.going.c and (b, cc) != (c.going.b, c.going.c)
        for b, cc in best_loads(c.at_sea())
    ),
    "no_village": lambda c: not _owns(c, c.spot),
    # Building.
    "list_is_begun": lambda c: bool(c.building.lines) and c.state.step != "building",
    "build_now": lambda c: c.state.step == "building",
    "list_is_empty": lambda c: not c.building.lines,
    "nothing_to_drop": lambda c: bool(c.building.lines) and not c.building.droppable_lines(),
    "all_wait": lambda c: set(c.building.settleable_hexes()) <= set(c.state.builds[c.seat].waits),
    "nobody_settles": lambda c: not c.building.settleable_hexes(),
    "on_list": lambda c: c.facts["item"] in c.building.items,
    "nothing_to_look_at": lambda c: not {"card", "gift"} & set(c.building.items),
    "explorer_is_lost": lambda c: c.nation.explorer == "lost",
    "no_home": lambda c: HOME not in c.building.left,
    "no_deck": lambda c: not c.state.deck,
    "one_card": lambda c: "card" in c.building.items,
    "what_first": lambda c: _owns(c, c.key.partition("-")[0]),
    "cannot_pay": lambda c: (
        c.building.price(c.facts["item"])
        == c.facts["cost"]
        > c.facts["left"]
        == max(c.building.left.values(), default=0)
    ),
    "cannot_pay_at": lambda c: (
        c.building.price(c.facts["item"]) == c.facts["cost"] > c.facts["left"] == _left(c, c.spot)
    ),
    "dear_together": lambda c: (
        c.building.price(c.facts["item"]) * c.facts["number"] == c.facts["cost"] > c.facts["left"]
        and c.facts["left"] in c.building.left.values()
    ),
    "all_built": lambda c: c.building.pieces_left(c.facts["kind"]) == 0,
    "pieces_left": lambda c: (
        int(c.key.partition("-")[2]) > c.facts["number"] == c.building.pieces_left(c.facts["kind"])
    ),
    "no_group": lambda c: not controlled_groups(c.state, c.seat),
    "no_place_v": lambda c: (
        bool(paying := _paying(c, 2))
        and all(c.building.free_boxes(spot) <= 0 or _new_villages(c, spot) for spot in paying)
    ),
    "no_place_a": lambda c: (
        bool(paying := _paying(c, c.facts["cost"]))
        and all(
            c.building.estate.unimproved_boxes[spot] <= c.building.count_at("a", spot)
            for spot in paying
        )
    ),
    "no_place_o": lambda c: (
        bool(paying := _paying(c, c.facts["cost"]))
        and all(
            spot in c.building.estate.open_hexes or spot in c.building.hexes_of("o")
            for spot in paying
        )
    ),
    "one_at_a_time": lambda c: c.facts["item"] in ("o", "v", "a"),
    "one_from_pigs": lambda c: c.asked["item"] == "pigs" and c.decision.at_most == 1,
    "free_canoe_alone": lambda c: (
        c.nation.shows("outrigger") and not {"t", "o"} & set(c.building.items)
    ),
    "place_with_number": lambda c: len(c.building.places(c.facts["item"])) > 1,
    "so_many_at_once": lambda c: int(c.key.partition("-")[2]) > c.facts["most"] > 0,
    "one_village": lambda c: _new_villages(c, c.spot) > 0,
    "no_box": lambda c: c.building.free_boxes(c.spot) <= 0,
    "no_field": lambda c: (
        c.building.estate.unimproved_boxes[c.spot] <= c.building.count_at("a", c.spot)
    ),
    "not_on_list": lambda c: not 0 < int(c.key) <= len(c.building.lines) == c.facts["number"],
    "points_are_spent": lambda c: (
        {"inward": 1, "adze": 2}[c.facts["item"]] > c.building.left[HOME]
        and c.building.lines[int(c.key) - 1].item == c.facts["item"]
    ),
    "box_is_needed": lambda c: (
        c.building.free_boxes(c.spot) <= 0 and c.building.lines[int(c.key) - 1].item == "a"
    ),
    "no_colony": lambda c: not c.state.pieces(c.seat, c.spot).c,
    "no_green_box": lambda c: (land := land_at(c.state, c.spot)) is None or not land.green,
    "no_second_village": lambda c: (
        c.spot not in c.building.second_settleable_hexes(c.state.builds[c.seat].settled)
    ),
    # What is shown, Victory and orders.
    "tile_is_asked": lambda c: c.state.voyage.keep == c.spot and c.state.voyage.seat == c.seat,
    "tile_is_up": lambda c: is_known(c.state, c.spot),
    "no_rumor": lambda c: (
        not c.state.pieces(c.seat, c.spot).r
        and not any(fleet.at == c.spot and fleet.kinds.r for fleet in _own_fleets(c))
    ),
    "rumor_must_stay": lambda c: (
        c.state.must_be_held(c.spot) and c.state.pieces(c.seat, c.spot) == Kinds(r=1)
    ),
    "rumor_may_have_to_stay": lambda c: (
        c.state.must_be_held(c.spot)
        and any(fleet.at == c.spot and fleet.kinds.r for fleet in _own_fleets(c))
    ),
    "not_enough": lambda c: "declare" not in c.offered,
    "nothing_to_fell": lambda c: (
        not any(group.villages and group.owner != c.seat for group in c.state.groups)
    ),
    "own_village": lambda c: _owns(c, c.spot),
    "no_village_of_others": lambda c: (
        not c.state.group(c.spot).villages or c.state.group(c.spot).owner in (-1, c.seat)
    ),
    "order_stands": lambda c: c.asked["now"].endswith(f"-{c.key}"),
    "say_which_way": lambda c: len(c.state.seats) > 2,
    "one_way_round": lambda c: len(c.state.seats) == 2,
    "order_of_another_kind": lambda c: not c.asked["now"].endswith(f"-{c.key}"),
}
"""By the name of the line."""


def _side(case: Case) -> int:
    return 0 if case.state.battle.attacker == case.seat else 1


def _own_fleets(case: Case) -> tuple[Any, ...]:
    movement = case.state.movement
    return movement.fleets if movement is not None and movement.seat == case.seat else ()


def _not_so_many(case: Case) -> bool:
    kind, number = case.facts["kind"], case.facts["number"]
    there = case.at_sea() if case.decision.kind == "leave_behind" else case.party.kinds
    return bool(case.going.of(kind) > number == there.of(kind))
