"""The frozen position of Conquest of Paradise."""

from bisect import bisect_left
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.conquest.bits import CHARTED, bits
from engine.conquest.board import AOTEAROA, ORDER, PEOPLE, PRINTED, SOUTH_ISLAND, in_order
from engine.conquest.kept import kept, lost
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
    Stacks,
    Tile,
    Voyage,
)
from engine.conquest.steps import AnyStep
from engine.core.decision import Decision, Seat


class State(Struct, frozen=True, dict=True, omit_defaults=True):
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
    """By seat, then in the order of the map."""
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

    def changed(self, **changes: Any) -> "State":
        """The position with some fields changed; what was worked out from others alone is kept."""
        after = replace(self, **changes)
        keeps = after.__dict__
        keeps.update(self.__dict__)
        for name in keeps.keys() & lost(tuple(changes)):
            del keeps[name]
        return after

    def with_agenda(self, agenda: tuple[AnyStep, ...]) -> "State":
        """The same position with other steps to come; nothing that is kept was worked out from them."""
        after = replace(self, agenda=agenda)
        after.__dict__.update(self.__dict__)
        return after

    def pushed(self, *steps: AnyStep, **changes: Any) -> "State":
        """The position changed, with steps put on top of the agenda in the order in which they will come."""
        return self.changed(agenda=(*self.agenda, *reversed(steps)), **changes)

    @property
    def asked(self) -> tuple[Decision, ...]:
        """The questions of the top step."""
        return self.agenda[-1].ask(self) if self.agenda else ()

    @kept("nations")
    def seats(self) -> tuple[Seat, ...]:
        """Seats that are not out."""
        return tuple(Seat(seat) for seat, nation in enumerate(self.nations) if not nation.out)

    @kept("tiles")
    def tile_at(self) -> dict[str, Tile]:
        """Tiles on the map by hex."""
        return {tile.spot: tile for tile in self.tiles}

    @kept("tiles")
    def face_down(self) -> tuple[Tile, ...]:
        """Tiles on the map that are not yet shown."""
        return tuple(tile for tile in self.tiles if not tile.up)

    @kept("groups")
    def group_at(self) -> dict[str, Group]:
        """What stands on groups, by hex."""
        return {group.spot: group for group in self.groups}

    @kept("tiles")
    def zealand(self) -> tuple[str, ...]:
        """The hexes of the two New Zealand tiles, once both are face up."""
        both = tuple(tile.spot for tile in self.tiles if tile.up and tile.key in (AOTEAROA, SOUTH_ISLAND))
        return both if len(both) == 2 else ()

    @kept("groups")
    def held(self) -> frozenset[str]:
        """Conquered printed groups, where at least one piece must stay."""
        return frozenset(group.spot for group in self.groups if group.taken and group.spot in PRINTED)

    @kept("groups")
    def controlled(self) -> dict[int, tuple[str, ...]]:
        """The Island Groups of each seat that has any, in the order of the map."""
        found: dict[int, tuple[str, ...]] = {}
        for group in self.groups:
            found[group.owner] = (*found.get(group.owner, ()), group.spot)
        return found

    @kept("stacks")
    def stacks_of(self) -> dict[int, Stacks]:
        """Each seat's stacks by hex."""
        found = {seat: Stacks() for seat in range(len(PEOPLE))}
        for stack in self.stacks:
            found[stack.seat][stack.spot] = stack
        return found

    @kept("stacks", "groups", "movement")
    def rumors(self) -> tuple[tuple[str, ...], ...]:
        """Each seat's hexes with a Rumor, under way or not, that is not the last piece of a conquered printed group."""
        return tuple(self._rumors_of(seat, stacks.rumors) for seat, stacks in self.stacks_of.items())

    def _rumors_of(self, seat: int, lying: tuple[Stack, ...]) -> tuple[str, ...]:
        spots = {stack.spot for stack in lying if stack.spot not in self.held or stack.kinds.total > 1}
        if self.movement is not None and self.movement.seat == seat:
            spots |= {fleet.at for fleet in self.movement.fleets if fleet.kinds.r and fleet.at not in self.held}
        return in_order(spots) if spots else ()

    @kept("tiles", "seas")
    def known(self) -> int:
        """Open Ocean, printed groups and face-up tiles."""
        return CHARTED | bits(self.seas) | bits(tile.spot for tile in self.tiles if tile.up)

    @kept("seas")
    def sea_set(self) -> frozenset[str]:
        """Open Ocean that was explored."""
        return frozenset(self.seas)

    def group(self, spot: str) -> Group:
        """What stands there."""
        return self.group_at.get(spot) or Group(spot)

    def stack(self, seat: int, spot: str) -> Stack | None:
        """The seat's pieces there, if any."""
        return self.stacks_of[seat].get(spot)

    def pieces(self, seat: int, spot: str) -> Kinds:
        """The kinds of the seat's pieces there."""
        stack = self.stack(seat, spot)
        return stack.kinds if stack else NONE

    def with_nation(self, seat: int, **changes: Any) -> "State":
        """The state with a seat's own things changed."""
        nation = replace(self.nations[seat], **changes)
        return self.changed(nations=(*self.nations[:seat], nation, *self.nations[seat + 1 :]))

    def with_group(self, group: Group) -> "State":
        """The state with a group changed."""
        return self.changed(groups=_with_part(self.groups, group))

    def with_pieces(self, seat: int, spot: str, kinds: Kinds, is_open: bool | None = None, **changes: Any) -> "State":
        """The state with other pieces of a seat in a hex, and more changed; a canoe stays open while one is there."""
        before = self.stacks_of[seat].get(spot)
        opened = (before.open if before else False) if is_open is None else is_open
        after = Stack(Seat(seat), spot, kinds, opened and kinds.t > 0) if kinds != NONE else None
        if after == before:
            return self.changed(**changes) if changes else self
        own = Stacks(self.stacks_of[seat])
        if after is not None:
            own[spot] = after
        else:
            del own[spot]
        return self._with_stacks_of(seat, own, **changes)

    def adding(self, seat: int, *pieces: tuple[str, Kinds], **changes: Any) -> "State":
        """The state with more pieces of a seat, each in its hex, and more changed."""
        if not pieces:
            return self.changed(**changes) if changes else self
        own = Stacks(self.stacks_of[seat])
        for spot, kinds in pieces:
            before = own.get(spot)
            if before is not None:
                own[spot] = Stack(before.seat, spot, before.kinds.plus(kinds), before.open)
            elif kinds != NONE:
                own[spot] = Stack(Seat(seat), spot, kinds)
        return self._with_stacks_of(seat, own, **changes)

    def _with_stacks_of(self, seat: int, own: Stacks, **changes: Any) -> "State":
        is_ordered = own.keys() <= self.stacks_of[seat].keys()
        stacks = own if is_ordered else Stacks(sorted(own.items(), key=lambda lying: ORDER[lying[0]]))
        stacks_of = {**self.stacks_of, seat: stacks}
        changed = self.changed(stacks=tuple(chain.from_iterable(map(dict.values, stacks_of.values()))), **changes)
        changed.__dict__["stacks_of"] = stacks_of
        return changed

    def with_build(self, seat: int, **changes: Any) -> "State":
        """The state with a seat's build list changed."""
        build = replace(self.builds[seat], **changes)
        return self.changed(builds=(*self.builds[:seat], build, *self.builds[seat + 1 :]))

    def with_tile(self, tile: Tile) -> "State":
        """The state with a tile put down or changed."""
        return self.changed(tiles=_with_part(self.tiles, tile))


P = TypeVar("P", bound=Group | Tile)


def _with_part(parts: tuple[P, ...], part: P) -> tuple[P, ...]:
    """The parts in the order of the map, with one put in its place."""
    place = bisect_left(parts, ORDER[part.spot], key=_order)
    rest = place + (place < len(parts) and parts[place].spot == part.spot)
    return (*parts[:place], part, *parts[rest:])


def _order(part: Group | Tile) -> int:
    return ORDER[part.spot]
