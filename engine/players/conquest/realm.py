"""A seat's realm in Conquest: what it has, and what it could settle and link.

Of others only what everybody can see is used: how many pieces lie face down in a hex, never their
kinds.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from engine.conquest.board import NEIGHBOURS, TILES
from engine.conquest.chains import home_chain
from engine.conquest.hexes import (
    controlled_groups,
    enemy_at,
    is_enemy_hex,
    is_independent,
    is_known,
    land_at,
)
from engine.conquest.pieces import NOBODY, Kinds
from engine.conquest.state import State
from engine.core.decision import Seat

UNREACHABLE = 99
"""Steps to a hex that cannot be reached yet."""
MAP_FIELDS = ("nations", "seas", "tiles", "groups", "stacks", "movement")
"""The fields of the state that a realm is computed from."""
MAX_MISSING_LINKS = 12
"""Canoes that a link may need; longer ones are not looked for."""


# Cached: the sea changes less often than distances are needed, and measuring those to a hex takes
# 80 us.
@lru_cache(maxsize=1024)
def measure_steps(goal: str, hexes: frozenset[str]) -> dict[str, int]:
    """Return the steps to a hex from every hex that these hexes connect with it."""
    steps = {goal: 0}
    edge = [goal]
    for here in edge:
        for spot in NEIGHBOURS[here]:
            if spot not in steps and spot in hexes:
                steps[spot] = steps[here] + 1
                edge.append(spot)
    return steps


class Realm:
    """A seat's position; each part is computed when it is first needed."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.nation = state.nations[seat]
        self._steps_to: dict[str, dict[str, int]] = {}

    def is_valid_for(self, state: State) -> bool:
        """Return whether the map is the same in another state, so that the realm still holds."""
        return all(getattr(state, name) is getattr(self.state, name) for name in MAP_FIELDS)

    @cached_property
    def own_groups(self) -> tuple[str, ...]:
        """The groups that the seat Controls."""
        return controlled_groups(self.state, self.seat)

    @cached_property
    def chain(self) -> frozenset[str]:
        """The hexes of the chain through the Home."""
        return home_chain(self.state, self.seat)

    @cached_property
    def pieces(self) -> dict[str, Kinds]:
        """The seat's pieces by hex, including those under way or set down."""
        found = {stack.spot: stack.kinds for stack in self.state.stacks_of(self.seat)}
        movement = self.state.movement
        if movement is not None and movement.seat == self.seat:
            moved = [(fleet.at, fleet.kinds) for fleet in movement.fleets]
            for spot, kinds in (*moved, *movement.spent):
                found[spot] = found[spot].plus(kinds) if spot in found else kinds
        return found

    @cached_property
    def open_hexes(self) -> frozenset[str]:
        """The hexes with a face-up canoe of the seat."""
        found = {stack.spot for stack in self.state.stacks_of(self.seat) if stack.open}
        movement = self.state.movement
        if movement is not None and movement.seat == self.seat:
            found.update(movement.opened)
        return frozenset(found)

    @cached_property
    def safe_hexes(self) -> frozenset[str]:
        """The hexes that are Known and not Enemy hexes."""
        state, seat = self.state, self.seat
        return frozenset(
            spot
            for spot in NEIGHBOURS
            if is_known(state, spot) and not is_enemy_hex(state, seat, spot)
        )

    def steps_to(self, goal: str) -> dict[str, int]:
        """Return the steps to a goal from every hex that is connected with it by safe hexes."""
        if goal not in self._steps_to:
            self._steps_to[goal] = measure_steps(goal, self.safe_hexes)
        return self._steps_to[goal]

    def steps_between(self, spot: str, goal: str) -> int:
        """Return the steps by canoe; UNREACHABLE if there is no way yet."""
        return self.steps_to(goal).get(spot, UNREACHABLE)

    def steps_from_nearest(self, goal: str, starts: Iterable[str]) -> int:
        """Return the steps to the goal from the nearest of these hexes."""
        return min((self.steps_between(spot, goal) for spot in starts), default=UNREACHABLE)

    @cached_property
    def free_lands(self) -> tuple[str, ...]:
        """Lands in sight of the seat that a Colony could settle, the richest and nearest first."""
        state = self.state
        seen = [tile for tile in state.tiles if tile.up or self.seat in tile.seen]
        found = [tile.spot for tile in seen if TILES[tile.key].green]
        # Printed groups that were taken and are nobody's again are free as well.
        found += [
            group.spot
            for group in state.groups
            if group.owner == NOBODY and land_at(state, group.spot)
        ]
        free = []
        for spot in dict.fromkeys(found):
            land = land_at(state, spot)
            is_taken = state.group(spot).owner != NOBODY or is_independent(state, spot)
            has_enemy = enemy_at(state, self.seat, spot) is not None
            # A face-down tile is no land in sight; its green boxes were checked above.
            has_green_box = land is None or land.green > 0
            if has_green_box and not is_taken and not has_enemy:
                free.append(spot)

        def rank(spot: str) -> tuple[int, str]:
            steps = self.steps_from_nearest(spot, self.own_groups)
            return steps - self.village_room(spot), spot

        return tuple(sorted(free, key=rank))

    def village_room(self, spot: str) -> int:
        """Return how many Villages a land has room for."""
        tile = self.state.tile_at.get(spot)
        land = TILES[tile.key] if tile is not None else land_at(self.state, spot)
        return land.green + land.brown if land is not None else 0

    @cached_property
    def unsettled(self) -> tuple[str, ...]:
        """Free lands within reach where no Colony of the seat has arrived."""
        near = [
            spot
            for spot in self.free_lands
            if self.steps_from_nearest(spot, self.own_groups) < UNREACHABLE
        ]
        return tuple(spot for spot in near if not self.pieces.get(spot, Kinds()).c)

    def find_missing_links(self) -> list[str]:
        """Return the hexes that lack a canoe between the Home and the cheapest group to link.

        Lands where a Colony has arrived count as groups.
        """
        home = self.nation.home
        if not home:
            return []
        landings = [spot for spot in self.free_lands if self.pieces.get(spot, Kinds()).c]
        goals = {spot for spot in (*self.own_groups, *landings) if spot not in self.chain}
        if home not in self.open_hexes:
            return [home]
        # A search in order of cost: a hex costs a canoe unless one lies face up there already. As a
        # step costs 0 or 1, a frontier per cost serves as the queue.
        costs = {home: 0}
        before = {home: ""}
        frontiers: list[list[str]] = [[home]]
        for cost in range(MAX_MISSING_LINKS):
            if cost >= len(frontiers):
                break
            frontier = frontiers[cost]
            while frontier:
                here = frontier.pop()
                if costs[here] != cost:
                    # A cheaper way here was found after it was queued.
                    continue
                if here in goals:
                    way = []
                    while here:
                        way.append(here)
                        here = before[here]
                    return [spot for spot in reversed(way) if spot not in self.open_hexes]
                for spot in NEIGHBOURS[here]:
                    if spot not in self.safe_hexes:
                        continue
                    new_cost = cost + (spot not in self.open_hexes)
                    if new_cost < costs.get(spot, UNREACHABLE):
                        costs[spot] = new_cost
                        before[spot] = here
                        if new_cost == len(frontiers):
                            frontiers.append([])
                        frontiers[new_cost].append(spot)
        return []

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """Hexes where a canoe is wanted: missing links, then atolls beside the chain."""
        found = [spot for spot in self.find_missing_links() if spot not in self.own_groups]
        for spot in self.state.tile_at:
            land = land_at(self.state, spot)
            if land is None or not land.atoll:
                continue
            is_free = spot in self.safe_hexes and spot not in self.open_hexes
            if is_free and any(neighbour in self.chain for neighbour in NEIGHBOURS[spot]):
                found.append(spot)
        return tuple(dict.fromkeys(found))
