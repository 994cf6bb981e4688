"""The frozen position of Conquest of Paradise, and helpers that return changed copies of it.

Saved matches hold it: a field is never renamed, and a new one needs a default. What a field means
may change only with a new version and a migration.
"""

from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.board import AOTEAROA, ORDER, PRINTED, SOUTH_ISLAND
from engine.conquest.pieces import (
    NO_PIECES,
    NOBODY,
    Battle,
    Build,
    Declared,
    Group,
    Kinds,
    Leg,
    Movement,
    Nation,
    Rules,
    Stack,
    Tile,
    Voyage,
)
from engine.conquest.steps import AnyStep
from engine.core.decision import Seat


class State(Struct, frozen=True, dict=True, omit_defaults=True):
    """A position. Box, cup and deck have no order: the table draws from them at random."""

    rules: Rules
    nations: tuple[Nation, ...]
    box: tuple[str, ...]
    """Tiles not yet drawn, sorted."""
    cup: tuple[int, ...]
    """Discovery Markers left, by the kinds in `board.MARKERS`."""
    deck: tuple[str, ...]
    """Cards not yet drawn, sorted."""
    agenda: tuple[AnyStep, ...]
    """The steps to come, the next one last."""
    turn: int = 0
    step: str = "setup"
    """'setup', 'order', 'exploration', 'movement', 'battle', 'building', 'victory' or 'over'."""
    marker: int = NOBODY
    """The seat with the Turn Order Marker."""
    order: tuple[Seat, ...] = ()
    """This turn's order, empty before it is chosen."""
    clockwise: bool = True
    seas: tuple[str, ...] = ()
    """Explored Open Ocean; printed ocean is not included."""
    tiles: tuple[Tile, ...] = ()
    gone: tuple[Tile, ...] = ()
    """Tiles removed from the game face down."""
    groups: tuple[Group, ...] = ()
    stacks: tuple[Stack, ...] = ()
    """By seat, then in map order."""
    malaria: bool = False
    """Somebody has Controlled a group of the Malaria Area."""
    maui: str = ""
    """The South Island: '' if not played, 'aside', 'placed' or 'out'."""
    voyage: Voyage | None = None
    movement: Movement | None = None
    legs: tuple[Leg, ...] = ()
    """The moves of the Movement under way, or of the last one."""
    last: tuple[str, ...] = ()
    """Hexes of the latest event, for highlighting."""
    battle: Battle | None = None
    builds: tuple[Build, ...] = ()
    """Every seat's secret list, while the Building Step or the choice of start pieces is open."""
    declared: Declared | None = None
    over: str = ""
    """The reason why the match ended; '' while it goes on."""

    def with_changes(self, **changes: Any) -> "State":
        """Return the position with some fields replaced."""
        return replace(self, **changes)

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """Return the position with other steps to come."""
        return replace(self, agenda=agenda)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats that are still in the game."""
        return tuple(Seat(seat) for seat, nation in enumerate(self.nations) if not nation.out)

    # Hexes are looked up so often that without these three caches an answer of the engine takes
    # 550 us instead of 340.

    @cached_property
    def tile_at(self) -> dict[str, Tile]:
        """Return the tiles on the map by hex."""
        return {tile.spot: tile for tile in self.tiles}

    @cached_property
    def group_at(self) -> dict[str, Group]:
        """Return the groups with Villages or Improved Agriculture by hex."""
        return {group.spot: group for group in self.groups}

    @cached_property
    def stacks_at(self) -> dict[str, tuple[Stack, ...]]:
        """Return the stacks by hex; a hex holds one seat's pieces at most.

        Fleets that have arrived to attack are not included.
        """
        found: dict[str, tuple[Stack, ...]] = {}
        for stack in self.stacks:
            found[stack.spot] = (*found.get(stack.spot, ()), stack)
        return found

    @property
    def face_down(self) -> tuple[Tile, ...]:
        """Return the tiles on the map that are face down."""
        return tuple(tile for tile in self.tiles if not tile.up)

    @property
    def zealand(self) -> tuple[str, ...]:
        """Return the hexes of the two New Zealand tiles once both are face up; else nothing."""
        face_up = [tile for tile in self.tiles if tile.up]
        both = tuple(tile.spot for tile in face_up if tile.key in (AOTEAROA, SOUTH_ISLAND))
        return both if len(both) == 2 else ()

    def must_be_held(self, spot: str) -> bool:
        """Return whether it is a conquered printed group, where at least one piece must stay."""
        return spot in PRINTED and self.group(spot).taken

    def group(self, spot: str) -> Group:
        """Return the group in a hex; an empty one if nothing was ever built there."""
        return self.group_at.get(spot) or Group(spot)

    def stacks_of(self, seat: int) -> tuple[Stack, ...]:
        """Return the seat's stacks, in map order."""
        return tuple(stack for stack in self.stacks if stack.seat == seat)

    def stack(self, seat: int, spot: str) -> Stack | None:
        """Return the seat's stack in a hex, if there is one."""
        return next((stack for stack in self.stacks_at.get(spot, ()) if stack.seat == seat), None)

    def pieces(self, seat: int, spot: str) -> Kinds:
        """Return the seat's pieces in a hex."""
        stack = self.stack(seat, spot)
        return stack.kinds if stack else NO_PIECES

    def with_nation(self, seat: int, **changes: Any) -> "State":
        """Return the state with fields of a seat's nation replaced."""
        nations = list(self.nations)
        nations[seat] = replace(nations[seat], **changes)
        return self.with_changes(nations=tuple(nations))

    def with_group(self, group: Group) -> "State":
        """Return the state with a group added or replaced."""
        others = (other for other in self.groups if other.spot != group.spot)
        return self.with_changes(
            groups=tuple(sorted((*others, group), key=lambda one: ORDER[one.spot]))
        )

    def with_tile(self, tile: Tile) -> "State":
        """Return the state with a tile placed or replaced."""
        others = (other for other in self.tiles if other.spot != tile.spot)
        return self.with_changes(
            tiles=tuple(sorted((*others, tile), key=lambda one: ORDER[one.spot]))
        )

    def with_pieces(
        self, seat: int, spot: str, kinds: Kinds, is_open: bool | None = None
    ) -> "State":
        """Return the state with a seat's pieces in a hex replaced.

        By default a canoe that lies face up stays so as long as a Transport Canoe is left.
        """
        before = self.stack(seat, spot)
        if is_open is None:
            is_open = before is not None and before.open
        stacks = [stack for stack in self.stacks if stack is not before]
        if kinds != NO_PIECES:
            stacks.append(Stack(Seat(seat), spot, kinds, is_open and kinds.t > 0))
        return self.with_changes(
            stacks=tuple(sorted(stacks, key=lambda stack: (stack.seat, ORDER[stack.spot])))
        )

    def with_added_pieces(self, seat: int, *pieces: tuple[str, Kinds]) -> "State":
        """Return the state with more pieces of a seat, each added to its hex."""
        state = self
        for spot, kinds in pieces:
            state = state.with_pieces(seat, spot, state.pieces(seat, spot).plus(kinds))
        return state

    def with_build(self, seat: int, **changes: Any) -> "State":
        """Return the state with fields of a seat's build list replaced."""
        builds = list(self.builds)
        builds[seat] = replace(builds[seat], **changes)
        return self.with_changes(builds=tuple(builds))
