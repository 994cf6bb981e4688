"""What a seat's build lists are weighed against: pools of Build Points, pieces in hand, boxes and Colonies."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import KINDS
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NOBODY, Kinds, Nation
from engine.conquest.waters import chains, controlled, is_independent, land_at, room, unbuilt
from engine.core.decision import Seat
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

HOME: Final = "home"


class Pool(Struct, frozen=True):
    """Groups whose Build Points may be spent together: one open chain, or a lone group."""

    key: str
    spots: tuple[str, ...]
    points: int


class Ground(Struct, frozen=True, dict=True):
    """All that a seat's lists depend on, the same for every list of a Building Step."""

    seat: Seat
    nation: Nation
    pools: tuple[Pool, ...]
    unbuilt: Kinds
    rooms: dict[str, int]
    """Boxes free for a Village in own groups, and where a Colony may settle."""
    fields: dict[str, int]
    """Brown boxes of own groups that are not improved."""
    opened: tuple[str, ...]
    """Hexes with an open canoe."""
    colonies: dict[str, int]
    """Colonies that lie where one may become a Village."""
    deck: int
    """Cards left to draw."""

    @Once
    def pool_of(self) -> dict[str, str]:
        """The pool of each own group, pool by pool."""
        return {spot: pool.key for pool in self.pools for spot in pool.spots}

    @Once
    def stock(self) -> dict[str, int]:
        """Unbuilt pieces by kind."""
        return dict(zip(KINDS, self.unbuilt.numbers, strict=True))

    @Once
    def points(self) -> int:
        """All Build Points."""
        return sum(pool.points for pool in self.pools)


@kept_by_key("nations", "stacks", "movement", "battle", "groups", "tiles", "deck")
def ground_of(state: "State", seat: Seat) -> Ground:
    """The seat's ground now."""
    own, stacks = controlled(state, seat), state.stacks_of[seat]
    landed = {spot: stack.kinds.c for spot, stack in stacks.items() if stack.kinds.c}
    colonies = {spot: number for spot, number in landed.items() if _may_settle(state, seat, spot)}
    rooms = {spot: room(state, spot) for spot in (*own, *colonies)}
    lands = {spot: land_at(state, spot) for spot in own}
    fields = {spot: land.brown - state.group(spot).improved for spot, land in lands.items() if land is not None}
    return Ground(
        seat,
        state.nations[seat],
        _pools(state, seat),
        unbuilt(state, seat),
        rooms,
        fields,
        stacks.opened,
        colonies,
        len(state.deck),
    )


def _may_settle(state: "State", seat: Seat, spot: str) -> bool:
    """An own group, or one that is free and has a green box."""
    land, owner = land_at(state, spot), state.group(spot).owner
    if land is None or is_independent(state, spot):
        return False
    return owner == seat or (owner == NOBODY and land.green > 0)


def _pools(state: "State", seat: Seat) -> tuple[Pool, ...]:
    """The seat's pools, the Home's first, then in the order of the map; Fishponds and a saved point belong to it."""
    own, nation = controlled(state, seat), state.nations[seat]
    chained = [tuple(spot for spot in own if spot in chain) for chain in chains(state, seat)]
    lone = [(spot,) for spot in own if not any(spot in part for part in chained)]
    found = []
    for part in filter(None, (*chained, *lone)):
        is_home = nation.home in part
        points = sum(state.group(spot).villages for spot in part)
        points += nation.shows("ponds") + nation.saved if is_home else 0
        found.append(Pool(HOME if is_home else part[0], part, points))
    return tuple(sorted(found, key=lambda pool: (pool.key != HOME, pool.spots[0])))
