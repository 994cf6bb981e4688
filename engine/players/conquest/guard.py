"""How much a seat's groups are in danger, and which fighters they need."""

from functools import cached_property

from engine.conquest.board import NEIGHBOURS
from engine.conquest.chains import find_chains
from engine.conquest.hexes import controlled_groups, is_enemy_group, is_known, local_warriors
from engine.conquest.sailing import move_allowance
from engine.conquest.state import State
from engine.core.decision import Seat
from engine.players.conquest.battles import chance_against
from engine.players.conquest.belief import Belief
from engine.players.conquest.realm import UNREACHABLE, measure_steps
from engine.players.conquest.worth import group_worth

SENT_SHARE = 0.85
"""The share of its fighters in reach that a rival sends: War Canoes carry one Band each."""
RECRUITS = 2.0
"""Fighters that a rival may add before it sails: a War Canoe is enough for a Band that waits."""
LAST_GROUP_VALUE = 25.0
"""Victory Points that losing the last group costs besides: a seat without one is as good as out."""
SUSPICION = 0.5
"""War Canoes that a rival must seem to have to be feared."""
BAND_GAIN = 1.0
"""Points by which a Band must lessen a danger to be worth its price."""
MAX_GUARDS = 8
"""As many Bands as a seat has."""


class Guard:
    """A seat's own groups, as its rivals could attack them in their next Movement."""

    def __init__(self, state: State, seat: Seat, belief: Belief) -> None:
        self.state, self.seat, self.belief = state, seat, belief
        self._attackers: dict[tuple[str, str], float] = {}
        self._worth: dict[str, float] = {}

    @cached_property
    def rivals(self) -> tuple[Seat, ...]:
        """The other seats that are still in the game."""
        return tuple(seat for seat in self.state.seats if seat != self.seat)

    @cached_property
    def is_rushed(self) -> bool:
        """Whether the seat's only group must fear a rival that arms and settles nothing."""
        if len(controlled_groups(self.state, self.seat)) != 1:
            return False
        return any(self._is_rushing(rival) for rival in self.rivals)

    def _is_rushing(self, rival: Seat) -> bool:
        """Return whether a rival seems to have a War Canoe, but neither a chain nor a new group."""
        is_settling = len(controlled_groups(self.state, rival)) > 1 or self._chains[rival]
        return not is_settling and self.belief.arms_of(rival).war_canoes >= SUSPICION

    @cached_property
    def _open_ways(self) -> dict[Seat, frozenset[str]]:
        """For each rival the hexes that it may sail through."""
        state = self.state
        known = [spot for spot in NEIGHBOURS if is_known(state, spot)]
        return {
            rival: frozenset(spot for spot in known if not is_enemy_group(state, rival, spot))
            for rival in self.rivals
        }

    @cached_property
    def _chains(self) -> dict[Seat, tuple[frozenset[str], ...]]:
        return {rival: find_chains(self.state, rival) for rival in self.rivals}

    def attackers_at(self, spot: str, without: str = "") -> float:
        """Return how many fighters the most dangerous rival can bring to a hex.

        Those of the stack in the hex `without` are left out.
        """
        key = (spot, without)
        if key not in self._attackers:
            self._attackers[key] = max(
                (self._attackers_of(rival, spot, without) for rival in self.rivals), default=0.0
            )
        return self._attackers[key]

    def _attackers_of(self, rival: Seat, spot: str, without: str) -> float:
        state = self.state
        steps = measure_steps(spot, self._open_ways[rival])
        allowance = move_allowance(state, rival)

        def is_near(start: str) -> bool:
            return steps.get(start, UNREACHABLE) <= allowance

        fighters = 0.0
        for stack in state.stacks_of(rival):
            if stack.spot == without:
                continue
            transit = next((one for one in self._chains[rival] if stack.spot in one), ())
            if is_near(stack.spot) or any(is_near(start) for start in transit):
                fighters += self.belief.expect_attackers(stack)
        if any(is_near(group.spot) for group in state.groups if group.owner == rival):
            fighters += RECRUITS
        return SENT_SHARE * fighters

    def danger(self, spot: str, fighters: int, without: str = "") -> float:
        """Return the points that the seat must expect to lose in a group with so many fighters."""
        attackers = self.attackers_at(spot, without)
        if attackers <= 0:
            return 0.0
        if spot not in self._worth:
            is_last = controlled_groups(self.state, self.seat) == (spot,)
            last = LAST_GROUP_VALUE if is_last else 0.0
            self._worth[spot] = group_worth(self.state, spot) + last
        defenders = local_warriors(self.state, spot) + fighters
        return chance_against(attackers, defenders) * self._worth[spot]

    def gain_of_band(self, spot: str, fighters: int) -> float:
        """Return how many points one fighter more would save."""
        return self.danger(spot, fighters) - self.danger(spot, fighters + 1)

    def guards_needed(self, spot: str) -> int:
        """Return how many fighters a group should keep."""
        needed = 0
        for fighters in range(MAX_GUARDS):
            if self.gain_of_band(spot, fighters) >= BAND_GAIN:
                needed = fighters + 1
        return needed
