"""The frozen position of Conquest of Paradise."""

from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.board import ORDER
from engine.conquest.pieces import (
    NOBODY,
    NONE,
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
from engine.core.decision import Decision, Seat


class State(Struct, frozen=True, dict=True):
    """A position. Box, cup and deck have no order: the table draws from them."""

    rules: Rules
    nations: tuple[Nation, ...]
    box: tuple[str, ...]
    """Tiles not yet drawn, sorted."""
    cup: tuple[int, ...]
    """Discovery Markers left, as board.MARKERS."""
    deck: tuple[str, ...]
    """Cards not yet drawn, sorted."""
    agenda: tuple[AnyStep, ...]
    turn: int = 0
    step: str = "setup"
    marker: int = NOBODY
    order: tuple[Seat, ...] = ()
    clockwise: bool = True
    seas: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    gone: tuple[Tile, ...] = ()
    """Tiles removed from the game face down."""
    groups: tuple[Group, ...] = ()
    stacks: tuple[Stack, ...] = ()
    malaria: bool = False
    """Somebody has Controlled a group of the Malaria Area."""
    maui: str = ""
    """The South Island: '' if not played, 'aside', 'placed' or 'out'."""
    voyage: Voyage | None = None
    movement: Movement | None = None
    legs: tuple[Leg, ...] = ()
    """What was moved in the Movement under way, or the last one."""
    last: tuple[str, ...] = ()
    """Hexes of what happened last."""
    battle: Battle | None = None
    builds: tuple[Build, ...] = ()
    declared: Declared | None = None
    over: str = ""

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """The same position with other steps to come."""
        return replace(self, agenda=agenda)

    @cached_property
    def asked(self) -> tuple[Decision, ...]:
        """The questions of the top step, asked once a position."""
        return self.agenda[-1].ask(self) if self.agenda else ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that are not out."""
        return tuple(Seat(seat) for seat, nation in enumerate(self.nations) if not nation.out)

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was worked out about this position, so that it is done once."""
        return {}

    @cached_property
    def tile_at(self) -> dict[str, Tile]:
        """Tiles on the map by hex."""
        return {tile.spot: tile for tile in self.tiles}

    @cached_property
    def group_at(self) -> dict[str, Group]:
        """What stands on groups, by hex."""
        return {group.spot: group for group in self.groups}

    @cached_property
    def stacks_at(self) -> dict[str, tuple[Stack, ...]]:
        """Stacks by hex."""
        found: dict[str, tuple[Stack, ...]] = {}
        for stack in self.stacks:
            found[stack.spot] = (*found.get(stack.spot, ()), stack)
        return found

    @cached_property
    def sea_set(self) -> frozenset[str]:
        """Open Ocean that was explored."""
        return frozenset(self.seas)

    def group(self, spot: str) -> Group:
        """What stands there."""
        return self.group_at.get(spot) or Group(spot)

    def stack(self, seat: int, spot: str) -> Stack | None:
        """The seat's pieces there, if any."""
        return next((stack for stack in self.stacks_at.get(spot, ()) if stack.seat == seat), None)

    def pieces(self, seat: int, spot: str) -> Kinds:
        """The kinds of the seat's pieces there."""
        stack = self.stack(seat, spot)
        return stack.kinds if stack else NONE

    def with_nation(self, seat: int, **changes: Any) -> "State":
        """The state with a seat's own things changed."""
        nation = replace(self.nations[seat], **changes)
        return replace(self, nations=(*self.nations[:seat], nation, *self.nations[seat + 1 :]))

    def with_group(self, group: Group) -> "State":
        """The state with a group changed."""
        others = [other for other in self.groups if other.spot != group.spot]
        groups = tuple(sorted((*others, group), key=lambda one: ORDER[one.spot]))
        return replace(self, groups=groups)

    def with_pieces(self, seat: int, spot: str, kinds: Kinds, is_open: bool | None = None) -> "State":
        """The state with other pieces of a seat in a hex; a canoe stays open while one is there."""
        before = self.stack(seat, spot)
        opened = (before.open if before else False) if is_open is None else is_open
        rest = [stack for stack in self.stacks if stack is not before]
        if kinds.total:
            rest.append(Stack(Seat(seat), spot, kinds, opened and kinds.t > 0))
        return replace(self, stacks=tuple(sorted(rest, key=lambda one: (one.seat, ORDER[one.spot]))))

    def adding(self, seat: int, spot: str, kinds: Kinds) -> "State":
        """The state with more pieces of a seat in a hex."""
        return self.with_pieces(seat, spot, self.pieces(seat, spot).plus(kinds))

    def with_build(self, seat: int, **changes: Any) -> "State":
        """The state with a seat's build list changed."""
        build = replace(self.builds[seat], **changes)
        return replace(self, builds=(*self.builds[:seat], build, *self.builds[seat + 1 :]))

    def with_tile(self, tile: Tile) -> "State":
        """The state with a tile put down or changed."""
        others = [other for other in self.tiles if other.spot != tile.spot]
        return replace(self, tiles=tuple(sorted((*others, tile), key=lambda one: ORDER[one.spot])))
