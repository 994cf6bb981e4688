"""What a seat has in a position of Conquest of Paradise, what it could settle, link and take, and
how far that is.

Of others only what all can see is looked at: how many pieces lie face down somewhere, never what
they are.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import comb

from msgspec import Struct

from engine.conquest.board import NEIGHBOURS, TILES, distance
from engine.conquest.chains import home_chain
from engine.conquest.hexes import (
    controlled,
    enemy_at,
    hidden_at,
    is_enemy_group,
    is_enemy_hex,
    is_independent,
    is_known,
    land_at,
    local_warriors,
)
from engine.conquest.pieces import NOBODY, Kinds
from engine.conquest.state import State
from engine.core.decision import Seat

FAR = 99
MAP = ("nations", "seas", "tiles", "groups", "stacks", "movement")
"""What a realm is worked out from."""
FACE_DOWN = 0.55
"""What a face-down piece counts in defence: about every second one fights."""


@lru_cache(maxsize=4096)
def chance_to_win(attackers: int, defenders: int) -> float:
    """Of a Battle in which every roll takes a piece from either side, as likely from one as from
    the other.
    """
    if not defenders:
        return 1.0
    return sum(
        (comb(defenders - 1 + lost, lost) / 2.0 ** (defenders + lost) for lost in range(attackers)),
        0.0,
    )


# Kept: the sea changes less often than it is asked about, and to measure the ways to a hex takes 80
# us.
@lru_cache(maxsize=1024)
def _steps_to(goal: str, quiet: frozenset[str]) -> dict[str, int]:
    """Steps to a hex from every hex that is linked to it by these."""
    steps = {goal: 0}
    edge = [goal]
    for here in edge:
        for spot in NEIGHBOURS[here]:
            if spot not in steps and spot in quiet:
                steps[spot] = steps[here] + 1
                edge.append(spot)
    return steps


class Target(Struct, frozen=True):
    """An enemy's group that could be taken."""

    spot: str
    villages: int
    denied: int
    """Villages that another seat would lose."""
    defence: float
    """Local Warriors, and face-down pieces by what they count."""


class Realm:
    """A seat's position, worked out as it is asked for."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.nation = state.nations[seat]
        self._lanes: dict[str, dict[str, int]] = {}

    def holds_for(self, state: State) -> bool:
        """Whether it is the same in another state: only lists and answers have changed."""
        return all(getattr(state, name) is getattr(self.state, name) for name in MAP)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Groups that the seat Controls."""
        return controlled(self.state, self.seat)

    @cached_property
    def chain(self) -> frozenset[str]:
        """Hexes of the chain that holds the Home."""
        return home_chain(self.state, self.seat)

    @cached_property
    def pieces(self) -> dict[str, Kinds]:
        """Own pieces by hex, those that are under way or set down included."""
        found = {stack.spot: stack.kinds for stack in self.state.stacks_of(self.seat)}
        movement = self.state.movement
        if movement is not None and movement.seat == self.seat:
            moved = [(fleet.at, fleet.kinds) for fleet in movement.fleets]
            for spot, kinds in (*moved, *movement.spent):
                found[spot] = found[spot].plus(kinds) if spot in found else kinds
        return found

    @cached_property
    def opened(self) -> frozenset[str]:
        """Hexes with an open canoe."""
        found = {stack.spot for stack in self.state.stacks_of(self.seat) if stack.open}
        movement = self.state.movement
        if movement is not None and movement.seat == self.seat:
            found.update(movement.opened)
        return frozenset(found)

    @cached_property
    def quiet(self) -> frozenset[str]:
        """Hexes that are Known and no enemy's."""
        state, seat = self.state, self.seat
        return frozenset(
            spot
            for spot in NEIGHBOURS
            if is_known(state, spot) and not is_enemy_hex(state, seat, spot)
        )

    def lanes(self, goal: str) -> dict[str, int]:
        """Steps from every hex from which the goal can be reached over quiet hexes."""
        if goal not in self._lanes:
            self._lanes[goal] = _steps_to(goal, self.quiet)
        return self._lanes[goal]

    def away(self, spot: str, goal: str) -> int:
        """Steps by canoe; FAR if there is no way yet."""
        return self.lanes(goal).get(spot, FAR)

    def nearest(self, goal: str, starts: Iterable[str]) -> int:
        """Steps to the goal from the nearest of these."""
        return min((self.away(spot, goal) for spot in starts), default=FAR)

    @cached_property
    def free_lands(self) -> tuple[str, ...]:
        """Lands in sight, or discovered by the seat, that a Colony could settle: the richest and
        nearest first.
        """
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
            taken = state.group(spot).owner != NOBODY or is_independent(state, spot)
            if (
                not taken
                and enemy_at(state, self.seat, spot) is None
                and (land is None or land.green)
            ):
                free.append(spot)
        return tuple(
            sorted(free, key=lambda spot: (self.nearest(spot, self.own) - self.worth(spot), spot))
        )

    def worth(self, spot: str) -> int:
        """Villages for which there is room on a land."""
        tile = self.state.tile_at.get(spot)
        land = TILES[tile.key] if tile is not None else land_at(self.state, spot)
        return land.green + land.brown if land is not None else 0

    @cached_property
    def unsettled(self) -> tuple[str, ...]:
        """Free lands within reach where no own Colony has arrived."""
        near = [spot for spot in self.free_lands if self.nearest(spot, self.own) < FAR]
        return tuple(spot for spot in near if not self.pieces.get(spot, Kinds()).c)

    def bridge(self) -> list[str]:
        """Hexes without an open canoe between the Home and the group or landing that is cheapest
        to link to it.
        """
        home = self.nation.home
        if not home:
            return []
        landings = [spot for spot in self.free_lands if self.pieces.get(spot, Kinds()).c]
        goals = {spot for spot in (*self.own, *landings) if spot not in self.chain}
        if home not in self.opened:
            return [home]
        # Steps cost nothing where a canoe lies open, so the hexes are taken in order of cost.
        cost, before = {home: 0}, {home: ""}
        edges: list[list[str]] = [[home], [], []]
        level = 0
        while level < 12 and any(edges):
            edge = edges[level % 3]
            while edge:
                here = edge.pop()
                if cost[here] != level:
                    continue
                if here in goals:
                    way = []
                    while here:
                        way.append(here)
                        here = before[here]
                    return [spot for spot in reversed(way) if spot not in self.opened]
                for spot in NEIGHBOURS[here]:
                    if spot not in self.quiet:
                        continue
                    step = level + (spot not in self.opened)
                    if step < cost.get(spot, FAR):
                        cost[spot], before[spot] = step, here
                        edges[step % 3].append(spot)
            level += 1
        return []

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """Hexes where a canoe is wanted: those of the bridge, then atolls beside the chain, half
        a point each.
        """
        found = [spot for spot in self.bridge() if spot not in self.own]
        for spot in self.state.tile_at:
            land = land_at(self.state, spot)
            is_free = (
                land is not None and land.atoll and spot in self.quiet and spot not in self.opened
            )
            if is_free and any(beside in self.chain for beside in NEIGHBOURS[spot]):
                found.append(spot)
        return tuple(dict.fromkeys(found))

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Groups of others and Independent ones that can be seen."""
        state, found = self.state, []
        spots = {group.spot for group in state.groups} | set(state.tile_at)
        spots |= {spot for spot in NEIGHBOURS if is_independent(state, spot)}
        for spot in sorted(spots):
            if not is_enemy_group(state, self.seat, spot) or hidden_at(state, spot) is not None:
                continue
            land, group, enemy = (
                land_at(state, spot),
                state.group(spot),
                enemy_at(state, self.seat, spot),
            )
            if land is None:
                continue
            is_free = is_independent(state, spot)
            hidden = enemy.kinds.total - enemy.open if enemy is not None else 0
            found.append(
                Target(
                    spot=spot,
                    villages=land.green if is_free else group.villages,
                    denied=0 if is_free else group.villages,
                    defence=local_warriors(state, spot) + FACE_DOWN * hidden,
                )
            )
        return tuple(found)

    def prize(self, target: Target) -> float:
        """What a group is worth for its price: Villages gained and denied, for pieces needed and
        the way there.
        """
        needed = pieces_needed(target.defence)
        away = self.nearest(target.spot, self.own)
        if away >= FAR:
            return 0.0
        return (target.villages + 1 + target.denied) / (needed + 0.7 * away + 1)

    @cached_property
    def best_target(self) -> Target | None:
        """What an army is best raised for."""
        found = max(
            self.targets, key=lambda target: (self.prize(target), target.spot), default=None
        )
        return found if found is not None and self.prize(found) > 0 else None

    @cached_property
    def muster(self) -> str:
        """Where an army gathers: the own group nearest to what it is raised for."""
        target = self.best_target
        if target is None or not self.own:
            return self.nation.home or next(iter(self.own), "")
        return min(
            self.own,
            key=lambda spot: (self.away(spot, target.spot), distance(spot, target.spot), spot),
        )


def front(kinds: Kinds) -> int:
    """Pieces that fight in an attack: War Canoes, and the Bands that they carry."""
    return kinds.w + min(kinds.b, kinds.w)


def odds(attackers: int, defence: float) -> float:
    """The chance to beat a defence that is not a whole number."""
    low = int(defence)
    share = defence - low
    return (1 - share) * chance_to_win(attackers, low) + share * chance_to_win(attackers, low + 1)


def pieces_needed(defence: float, wanted: float = 0.8) -> int:
    """How many must fight for a good chance."""
    return next((number for number in range(1, 13) if odds(number, defence) >= wanted), 12)
