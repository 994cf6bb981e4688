"""What a seat's pieces have to do: settle, fill gaps in the chain, gather, and attack."""

from functools import cached_property

from msgspec import Struct

from engine.conquest.board import distance
from engine.conquest.pieces import NO_PIECES, Kinds
from engine.conquest.state import State
from engine.players.conquest.guard import Guard
from engine.players.conquest.raids import Campaign, Raids
from engine.players.conquest.realm import UNREACHABLE, Realm
from engine.players.conquest.stance import Stance

VILLAGE_ROOM_WEIGHT = 0.5
"""Steps that room for a Village is worth to a Colony."""


class Errand(Struct, frozen=True):
    """Pieces that should go from one hex to another."""

    spot: str
    goal: str
    kinds: Kinds
    fights: bool = False


class Errands:
    """A seat's errands in a position; each is worked out again once something has moved."""

    def __init__(
        self, state: State, stance: Stance, realm: Realm, guard: Guard, raids: Raids
    ) -> None:
        self.state, self.stance = state, stance
        self.realm, self.guard, self.raids = realm, guard, raids
        self.seat = realm.seat

    @property
    def gaps(self) -> tuple[str, ...]:
        """Hexes where a canoe is wanted."""
        return self.realm.gaps if self.stance.links else ()

    def list_errands(self) -> list[Errand]:
        """Return all errands, the most important first."""
        return [
            *self.attack_errands(),
            *self.settler_errands(),
            *self.link_errands(),
            *self.muster_errands(),
        ]

    def spare_pieces(self, spot: str) -> Kinds:
        """Return what may leave a hex: a face-up canoe stays, as it is part of the chain."""
        stack = self.state.stack(self.seat, spot)
        if stack is None:
            return NO_PIECES
        kept = Kinds(t=1) if stack.open else NO_PIECES
        return stack.kinds.minus(kept)

    def attack_errands(self) -> list[Errand]:
        """Return the errands of the best attack, first those that gather its pieces by Transit."""
        raid = self.raids.best_raid if self.stance.army else None
        if raid is None or raid.value < self.stance.least_raid:
            return []
        transits = []
        strikes = []
        for spot, force in raid.forces:
            stage = self.raids.stage_for(spot, raid.target.spot)
            if stage == spot:
                strikes.append(Errand(spot, raid.target.spot, force, fights=True))
            else:
                transits.append(Errand(spot, stage, force))
        return [*transits, *strikes]

    def settler_errands(self) -> list[Errand]:
        """Return errands for Colonies with canoes, each to another land, the nearest first."""
        realm = self.realm
        # Every way from a stack with Colonies to a land: its cost, then from where to where.
        ways: list[tuple[float, str, str]] = []
        settlers: dict[str, int] = {}
        for stack in self.state.stacks_of(self.seat):
            spare = self.spare_pieces(stack.spot)
            if not spare.c or stack.spot in realm.free_lands:
                continue
            settlers[stack.spot] = min(spare.c, spare.t)
            for land in realm.unsettled:
                steps = realm.steps_between(stack.spot, land)
                if steps < UNREACHABLE:
                    cost = steps - VILLAGE_ROOM_WEIGHT * realm.village_room(land)
                    ways.append((cost, stack.spot, land))
        found: list[Errand] = []
        lands: set[str] = set()
        for _, spot, land in sorted(ways):
            if land not in lands and settlers[spot]:
                lands.add(land)
                settlers[spot] -= 1
                found.append(Errand(spot, land, Kinds(t=1, c=1)))
        return found

    def link_errands(self) -> list[Errand]:
        """Return errands for canoes, one into each gap of the chain."""
        realm = self.realm
        found: list[Errand] = []
        used: dict[str, int] = {}
        for gap in self.gaps:
            if gap in realm.pieces and realm.pieces[gap].t:
                continue
            starts = []
            for stack in self.state.stacks_of(self.seat):
                spare = self.spare_pieces(stack.spot)
                # Each Colony needs a canoe of its own, and one in another gap stays there.
                free_canoes = spare.t - spare.c - used.get(stack.spot, 0)
                if free_canoes > 0 and stack.spot not in self.gaps:
                    starts.append((realm.steps_between(stack.spot, gap), stack.spot))
            away, spot = min(starts, default=(UNREACHABLE, ""))
            if away < UNREACHABLE:
                used[spot] = used.get(spot, 0) + 1
                found.append(Errand(spot, gap, Kinds(t=1)))
        return found

    def muster_errands(self) -> list[Errand]:
        """Return errands for fighters that no group needs, to the hex where the army gathers."""
        goal = self.muster_hex
        if not self.stance.army or not goal:
            return []
        found = []
        for stack in self.state.stacks_of(self.seat):
            if stack.spot == goal:
                continue
            spare = self.spare_fighters(stack.spot)
            force = Kinds(w=spare.w, b=min(spare.b, spare.w))
            has_transit = stack.spot in self.realm.chain and goal in self.realm.chain
            if force.w:
                found.append(Errand(stack.spot, goal, force))
            elif spare.b and has_transit:
                found.append(Errand(stack.spot, goal, Kinds(b=spare.b)))
        return found

    def spare_fighters(self, spot: str) -> Kinds:
        """Return the fighters that may leave a hex; a group keeps the guards that it needs."""
        kinds = self.spare_pieces(spot)
        is_own = self.state.group(spot).owner == self.seat
        has_guards = self.stance.guards and self.guard.is_rushed and is_own
        guards = self.guard.guards_needed(spot) if has_guards else 0
        bands = min(kinds.b, guards)
        war_canoes = min(kinds.w, guards - bands)
        return Kinds(w=kinds.w - war_canoes, b=kinds.b - bands)

    @cached_property
    def campaign(self) -> Campaign | None:
        """The attack that an army is raised for, with what is on the build list."""
        items = self.listed_items
        return self.raids.plan_campaign(Kinds(w=items.count("w"), b=items.count("b")))

    @property
    def listed_items(self) -> list[str]:
        """The items of the seat's build list so far."""
        builds = self.state.builds
        return [line.item for line in builds[self.seat].lines] if builds else []

    @property
    def muster_hex(self) -> str:
        """Where an army gathers: the own group nearest to its target, else the Home."""
        own = self.realm.own_groups
        if self.campaign is None or not own:
            return self.realm.nation.home or next(iter(own), "")
        target = self.campaign.target.spot

        def rank(spot: str) -> tuple[int, int, str]:
            return self.realm.steps_between(spot, target), distance(spot, target), spot

        return min(own, key=rank)
