"""Attacks that a seat could make now or prepare, by the points that they are expected to bring."""

from functools import cached_property

from msgspec import Struct

from engine.conquest.board import NEIGHBOURS
from engine.conquest.hexes import (
    controlled_groups,
    enemy_at,
    face_down_tile_at,
    is_enemy_group,
    is_independent,
    land_at,
)
from engine.conquest.pieces import NO_PIECES, NOBODY, Kinds, Movement
from engine.conquest.sailing import move_allowance
from engine.core.decision import Seat
from engine.players.conquest.battles import (
    REMOVED_SHARE,
    Defence,
    count_fighters,
    expect_attack,
)
from engine.players.conquest.belief import Belief
from engine.players.conquest.guard import Guard
from engine.players.conquest.realm import UNREACHABLE, Realm
from engine.players.conquest.worth import (
    BUILD_POINT_VALUE,
    FIGHTER_VALUE,
    chain_worth,
    group_worth,
    village_worth,
)

ELIMINATION_VALUE = 12.0
"""Victory Points that taking a rival's last group brings besides."""
FIGHTER_COST = 2.5
"""Build Points for a fighter: a War Canoe and a Band cost 5."""
MAX_RECRUITS = 8
"""Fighters that a campaign may wait for."""
DELAY = 0.9
"""What is left of a campaign's worth for each turn that it is put off."""


class Target(Struct, frozen=True):
    """A hex that could be attacked."""

    spot: str
    owner: int
    """The seat that holds it, or NOBODY."""
    villages: int
    """Villages that could be saved."""
    harm: float
    """Points that its owner would lose."""
    defence: Defence


class Raid(Struct, frozen=True):
    """An attack with pieces from one or more hexes."""

    target: Target
    forces: tuple[tuple[str, Kinds], ...]
    value: float
    """The points that it is expected to bring."""


class Campaign(Struct, frozen=True):
    """The target that an army should be raised for, and how many more fighters that takes."""

    target: Target
    recruits: int
    value: float


class Raids:
    """A seat's attacks, each computed when it is first needed."""

    def __init__(self, realm: Realm, belief: Belief, guard: Guard) -> None:
        self.realm, self.belief, self.guard = realm, belief, guard
        self.state, self.seat = realm.state, realm.seat

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Enemy groups in sight, Independent ones included, and links of rivals' chains at sea."""
        state = self.state
        spots = {group.spot for group in state.groups} | set(state.tile_at)
        spots |= {spot for spot in NEIGHBOURS if is_independent(state, spot)}
        spots |= {stack.spot for stack in state.stacks if stack.open and stack.seat != self.seat}
        found = []
        for spot in sorted(spots):
            target = self._target_at(spot)
            if target is not None:
                found.append(target)
        return tuple(found)

    def _target_at(self, spot: str) -> Target | None:
        state = self.state
        if face_down_tile_at(state, spot) is not None:
            return None
        enemy = enemy_at(state, self.seat, spot)
        defence = self.belief.defence_at(spot, enemy)
        if is_independent(state, spot):
            # A Village appears in each green box when the group is attacked.
            land = land_at(state, spot)
            return Target(spot, NOBODY, land.green if land else 0, 0.0, defence)
        if is_enemy_group(state, self.seat, spot):
            group = state.group(spot)
            worth = group_worth(state, spot)
            if len(controlled_groups(state, group.owner)) == 1:
                worth += ELIMINATION_VALUE
            harm = worth * self._share_of_harm(Seat(group.owner))
            return Target(spot, group.owner, group.villages, harm, defence)
        if enemy is not None and enemy.open:
            harm = chain_worth(state, enemy.seat, spot) * self._share_of_harm(enemy.seat)
            return Target(spot, enemy.seat, 0, harm, defence)
        return None

    def _share_of_harm(self, rival: Seat) -> float:
        """Return what a rival's loss counts: half against the leader, half against the mean."""
        nations = self.state.nations
        others = [seat for seat in self.state.seats if seat != self.seat]
        leader = max(others, key=lambda seat: (nations[seat].points, -seat))
        return (rival == leader) / 2 + 1 / len(others) / 2

    def value_of(self, target: Target, fighters: int) -> float:
        """Return the points that an attack brings, apart from what it leaves bare."""
        if not fighters:
            return 0.0
        prospect = expect_attack(fighters, target.defence, target.villages)
        own = village_worth(self.state) - FIGHTER_VALUE
        value = prospect.win * target.harm + prospect.saved * own
        value -= REMOVED_SHARE * prospect.hits * FIGHTER_VALUE
        if target.owner != NOBODY:
            killed = REMOVED_SHARE * prospect.hits_given * FIGHTER_VALUE
            value += killed * self._share_of_harm(Seat(target.owner))
        return value

    @property
    def _movement(self) -> Movement | None:
        movement = self.state.movement
        return movement if movement is not None and movement.seat == self.seat else None

    def fighters_under_way(self, spot: str) -> int:
        """Return how many of the seat's fighters have already sailed to attack a hex."""
        fleets = self._movement.fleets if self._movement is not None else ()
        return sum(count_fighters(fleet.kinds) for fleet in fleets if fleet.at == spot)

    def spare_force(self, spot: str) -> Kinds:
        """Return the War Canoes of a hex and the Bands that they can carry."""
        kinds = self.state.pieces(self.seat, spot)
        if self.state.must_be_held(spot) and kinds.w + kinds.b == kinds.total:
            # One piece must stay in a conquered printed group.
            kinds = kinds.minus(Kinds(b=1) if kinds.b else Kinds(w=1)) if kinds.total else kinds
        return Kinds(w=kinds.w, b=min(kinds.b, kinds.w))

    def can_strike(self, start: str, target: str) -> bool:
        """Return whether pieces of a hex can attack another this turn, by Transit first or not."""
        reach = move_allowance(self.state, self.seat)
        return self.steps_to_strike(start, target) <= reach

    def steps_to_strike(self, start: str, target: str) -> int:
        """Return the steps to a target after Transit."""
        return self.realm.steps_between(self.stage_for(start, target), target)

    def stage_for(self, start: str, target: str) -> str:
        """Return the hex of the chain from which pieces sail best to a target."""
        movement = self._movement
        chain = self.realm.chain
        if start not in chain or movement is None or movement.afloat:
            return start
        stages = sorted(chain)
        return min(stages, key=lambda spot: (self.realm.steps_between(spot, target), spot != start))

    @cached_property
    def best_raid(self) -> Raid | None:
        """The attack that is expected to bring most, if any brings something."""
        best = None
        for target in self.targets:
            raid = self.plan_raid(target)
            if raid is not None and (best is None or raid.value > best.value):
                best = raid
        return best

    def plan_raid(self, target: Target) -> Raid | None:
        """Return the best attack on a target that can sail now; None if no force brings more."""
        spots = [stack.spot for stack in self.state.stacks_of(self.seat)]
        starts = [
            spot
            for spot in spots
            if self.spare_force(spot).w and self.can_strike(spot, target.spot)
        ]
        if not starts:
            return None
        under_way = self.fighters_under_way(target.spot)
        base = self.value_of(target, under_way)
        everything = {spot: self.spare_force(spot) for spot in starts}
        plans: list[dict[str, Kinds]] = [everything]
        single: dict[str, Kinds] = {}
        for spot in starts:
            options = [{**single, spot: force} for force in self._forces(everything[spot])]
            plans += options
            best = max(options, key=lambda forces: self._rate(target, forces, under_way))
            if self._rate(target, best, under_way) > self._rate(target, single, under_way):
                single = best
        best = max(plans, key=lambda forces: self._rate(target, forces, under_way))
        value = self._rate(target, best, under_way) - base
        if value <= 0:
            return None
        return Raid(target, tuple(best.items()), value)

    def _forces(self, spare: Kinds) -> list[Kinds]:
        """Return the forces that could sail from a hex with these pieces."""
        found = []
        for war_canoes in range(1, spare.w + 1):
            most = min(spare.b, war_canoes)
            found += [Kinds(w=war_canoes, b=bands) for bands in range(most + 1)]
        return found

    def _rate(self, target: Target, forces: dict[str, Kinds], under_way: int) -> float:
        """Return the value of an attack, less the danger to what it leaves."""
        fighters = under_way + sum(count_fighters(kinds) for kinds in forces.values())
        value = self.value_of(target, fighters)
        if not forces:
            return value
        win = expect_attack(fighters, target.defence, target.villages).win
        for spot, force in forces.items():
            if self.state.group(spot).owner != self.seat:
                continue
            own = self.state.pieces(self.seat, spot)
            before = own.w + own.b
            after = before - force.w - force.b
            value += self.guard.danger(spot, before)
            value -= win * self.guard.danger(spot, after, without=target.spot)
            value -= (1 - win) * self.guard.danger(spot, after)
        return value

    # Preparing attacks.

    @cached_property
    def army(self) -> Kinds:
        """All War Canoes and Bands of the seat."""
        total = NO_PIECES
        for kinds in self.realm.pieces.values():
            total = total.plus(kinds)
        return Kinds(w=total.w, b=total.b)

    @cached_property
    def income(self) -> int:
        """Build Points of the seat in a turn."""
        return sum(group.villages for group in self.state.groups if group.owner == self.seat)

    def plan_campaign(self, listed: Kinds = NO_PIECES) -> Campaign | None:
        """Return the attack that is most worth raising an army for, with what is on the list."""
        best = None
        fighters = count_fighters(self.army.plus(listed))
        reach = move_allowance(self.state, self.seat)
        for target in self.targets:
            away = self.realm.steps_from_nearest(target.spot, self.realm.own_groups)
            if away >= UNREACHABLE:
                continue
            for recruits in range(MAX_RECRUITS + 1):
                value = self.value_of(target, fighters + recruits)
                price = FIGHTER_COST * recruits
                turns = price / max(1, self.income) + max(0, away - reach) / 2
                worth = value * DELAY**turns - price * BUILD_POINT_VALUE
                if worth > 0 and (best is None or worth > best.value):
                    best = Campaign(target, recruits, worth)
        return best
