"""Where a seat's canoes may go: what it means to sail to each hex, and the ways over those that may be entered."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.conquest.board import BESIDE, HEX_AT, NEIGHBOURS, PRINTED, UNKNOWN
from engine.conquest.kept import kept_by_key
from engine.conquest.pieces import NOBODY, Stack
from engine.core.once import Once

if TYPE_CHECKING:
    from engine.conquest.state import State

QUIET: Final = "quiet"
"""Nobody minds."""
REVEAL: Final = "reveal"
"""An own face-down tile, turned up by sailing there."""
FIGHT: Final = "fight"
"""War Canoes must stop and attack."""
PASS: Final = "pass"
"""War Canoes may sail on."""
ASK: Final = "ask"
"""War Canoes may sail on if none is there."""
NEVER: Final = ""
"""Nobody may enter."""
ENEMY: Final = (FIGHT, PASS, ASK)


def _printed_entry(spot: str) -> str:
    if spot in UNKNOWN:
        return NEVER
    return FIGHT if spot in PRINTED and PRINTED[spot].warriors else QUIET


PRINTED_ENTRIES: Final = {spot: _printed_entry(spot) for spot in HEX_AT}
"""What it means to sail to a hex before anything is discovered or conquered."""

Ways = dict[str, tuple[str, ...]]
"""Ways by the hex in which they end, each from its first hex to its last."""


class Shores(Struct, frozen=True, dict=True):
    """What it would mean to a seat to sail to each hex of the map if no pieces lay anywhere."""

    sorts: dict[str, str]

    @Once
    def quiet(self) -> frozenset[str]:
        """Hexes where nobody minds."""
        return frozenset(spot for spot, sort in self.sorts.items() if sort == QUIET)

    @Once
    def hidden(self) -> frozenset[str]:
        """Own face-down tiles."""
        return frozenset(spot for spot, sort in self.sorts.items() if sort == REVEAL)

    @Once
    def entered(self) -> frozenset[str]:
        """Hexes that may be entered with a War Canoe along."""
        return frozenset(spot for spot, sort in self.sorts.items() if sort != NEVER)


class Entries(Struct, frozen=True, dict=True):
    """What it means to a seat to sail to each hex of the map, with the pieces of others `met` on quiet ones."""

    shores: Shores
    met: dict[str, str]

    @Once
    def sorts(self) -> dict[str, str]:
        """Each hex of the map: quiet, reveal, fight, pass, ask or never."""
        return {**self.shores.sorts, **self.met}

    @Once
    def quiet(self) -> frozenset[str]:
        """Hexes where nobody minds."""
        return self.shores.quiet.difference(self.met)

    @Once
    def entered(self) -> tuple[frozenset[str], frozenset[str]]:
        """Hexes that may be entered: by any canoe, and with a War Canoe along."""
        return self.quiet | self.shores.hidden, self.shores.entered

    @Once
    def left(self) -> tuple[frozenset[str], frozenset[str]]:
        """Hexes that may be sailed through: by any canoe, and with a War Canoe along."""
        return self.quiet, self.quiet.union(spot for spot, sort in self.met.items() if sort == PASS)

    @Once
    def _known(self) -> dict[tuple[str, int, bool], Ways]:
        return {}

    def has_exit(self, spot: str, war: bool) -> bool:
        """Whether a neighbouring hex may be entered."""
        return not self.entered[war].isdisjoint(BESIDE[spot])

    def routes(self, start: str, moves: int, war: bool) -> Ways:
        """The shortest way to every hex in reach; with War Canoes along enemies may be met and some sailed through."""
        asked = (start, moves, war)
        if asked not in self._known:
            self._known[asked] = self._routes(start, moves, war)
        return self._known[asked]

    def _routes(self, start: str, moves: int, war: bool) -> Ways:
        enters, leaves = self.entered[war], self.left[war]
        found: Ways = {start: (start,)}
        edge = [start]
        for _ in range(moves):
            reached = []
            for here in edge:
                for spot in NEIGHBOURS[here]:
                    if spot in enters and spot not in found:
                        found[spot] = (*found[here], spot)
                        reached.append(spot)
            edge = [spot for spot in reached if spot in leaves]
        del found[start]
        return found


@kept_by_key("tiles", "seas", "groups", "stacks", "movement")
def entries(state: "State", seat: int) -> Entries:
    """The seat's entries now. Its own pieces are nothing to them, so that they outlive its Movement."""
    first = sum(len(state.stacks_of[other]) for other in range(seat))
    others = state.stacks[:first] + state.stacks[first + len(state.stacks_of[seat]) :]
    told = state.movement.answered if state.movement is not None else ()
    return _entries(state, (seat, others, told))


@kept_by_key("tiles", "seas", "groups")
def _entries(state: "State", met: tuple[int, tuple[Stack, ...], tuple[tuple[str, bool], ...]]) -> Entries:
    seat, others, answered = met
    shores, told = _shores(state, seat), dict(answered)
    lying = [stack for stack in others if shores.sorts[stack.spot] == QUIET]
    return Entries(shores, {stack.spot: _meeting(stack, told.get(stack.spot)) for stack in lying})


def _meeting(enemy: Stack, has_war_canoe: bool | None) -> str:
    if has_war_canoe is not None:
        return FIGHT if has_war_canoe else PASS
    return PASS if enemy.open and enemy.kinds.total == 1 else ASK


@kept_by_key("tiles", "seas", "groups")
def _shores(state: "State", seat: int) -> Shores:
    sorts = dict(PRINTED_ENTRIES)
    sorts.update(dict.fromkeys(state.seas, QUIET))
    for tile in state.tiles:
        sorts[tile.spot] = QUIET if tile.up else REVEAL if seat in tile.seen else NEVER
    for group in state.groups:
        if sorts[group.spot] in (QUIET, FIGHT) and (group.owner != NOBODY or group.taken):
            sorts[group.spot] = QUIET if group.owner in (NOBODY, seat) else FIGHT
    return Shores(sorts)


def is_enemy_hex(state: "State", seat: int, spot: str) -> bool:
    """Independent, Controlled by another, or with another's pieces."""
    return entries(state, seat).sorts[spot] in ENEMY
