"""What a seat believes about others' face-down pieces, from what everybody can see.

Everybody sees how many pieces lie in a hex, and what a rival has built in sight: Villages, Improved
Agriculture, face-up canoes, cards. What its Villages must have earned besides was spent on pieces
that lie face down; the more a piece has cost on average, the likelier it fights.
"""

from msgspec import Struct

from engine.conquest.board import COSTS, PIECES
from engine.conquest.hexes import is_sea, local_warriors
from engine.conquest.pieces import Stack
from engine.conquest.state import State
from engine.core.decision import Seat
from engine.players.conquest.battles import Defence

START_VILLAGES = 2
"""Villages that everybody begins with."""
START_BANDS = 2
"""Bands that everybody begins with."""
TURNED_INWARD = 0.5
"""Build Points that a rival earns in a turn besides, as it turns inward now and then."""
USUAL_SHARE = 0.45
"""The share of fighters among face-down pieces if nothing is known of what they have cost."""
TRUST = 0.5
"""How far the ledger is trusted in the end, against the usual share."""
TRUST_LOST = 0.1
"""How much less it is trusted after each turn, as Battles and lost Villages blur it."""
LEAST_SHARE, MOST_SHARE = 0.2, 0.95
"""Bounds of a share: nobody is surely harmless, nor surely all warriors."""
SHARE_STEPS = 20
"""Shares are rounded to twentieths, so that odds are worked out once for all that are alike."""


def count_face_down(stack: Stack) -> int:
    """Return how many pieces of a stack lie face down."""
    return stack.kinds.total - stack.open


class Arms(Struct, frozen=True):
    """What a rival is thought to have face down, on average."""

    war_canoes: float
    bands: float

    @property
    def fighters(self) -> float:
        """Return how many pieces fight in defence."""
        return self.war_canoes + self.bands

    @property
    def attackers(self) -> float:
        """Return how many pieces fight in an attack: each War Canoe carries a Band."""
        return self.war_canoes + min(self.war_canoes, self.bands)


class Belief:
    """What a position shows of the pieces of every seat."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._arms: dict[Seat, Arms] = {}

    def count_candidates(self, stack: Stack) -> int:
        """Return how many face-down pieces of a stack may fight: both Rumors are thought at Home.

        The first two pieces there are the Bands of the set-up.
        """
        hidden = count_face_down(stack)
        if stack.spot != self.state.nations[stack.seat].home:
            return hidden
        return max(min(hidden, START_BANDS), hidden - PIECES["r"])

    def arms_of(self, seat: Seat) -> Arms:
        """Return the War Canoes and Bands of a rival."""
        if seat not in self._arms:
            self._arms[seat] = self._estimate_arms(seat)
        return self._arms[seat]

    def _total_candidates(self, seat: Seat) -> int:
        return sum(self.count_candidates(stack) for stack in self.state.stacks_of(seat))

    def _estimate_arms(self, seat: Seat) -> Arms:
        pieces = self._total_candidates(seat)
        if self.state.nations[seat].ashore:
            # Everybody knows that all it has are the Bands of the set-up.
            return Arms(0.0, pieces)
        # The two Bands of the set-up come first, then a Band for each War Canoe; Transport Canoes
        # at a Build Point each are the rest.
        spent = self.hidden_spending(seat)
        bands = min(START_BANDS, pieces)
        war_canoes = (spent - bands * COSTS["b"] - (pieces - bands)) / (COSTS["w"] - COSTS["t"])
        if war_canoes > bands:
            pair = COSTS["w"] + COSTS["b"] - 2 * COSTS["t"]
            war_canoes = (spent - pieces) / pair
        war_canoes = max(0.0, min(war_canoes, pieces / 2, PIECES["w"]))
        by_ledger = Arms(war_canoes, max(bands, war_canoes))
        usual = USUAL_SHARE * pieces / 2
        trust = max(TRUST, 1 - TRUST_LOST * (self.state.turn - 1))
        return Arms(
            trust * by_ledger.war_canoes + (1 - trust) * usual,
            trust * by_ledger.bands + (1 - trust) * usual,
        )

    def hidden_spending(self, seat: Seat) -> float:
        """Return the Build Points that a rival must have spent on face-down pieces.

        Its Villages are thought to have grown evenly to what they are now.
        """
        state = self.state
        groups = [group for group in state.groups if group.owner == seat]
        villages = sum(group.villages for group in groups)
        grown = max(0, villages - START_VILLAGES)
        turns = max(0, state.turn - 1)
        earned = turns * (START_VILLAGES + grown / 2 + TURNED_INWARD)
        seen = COSTS["v"] * grown
        seen += COSTS["a"] * sum(group.improved for group in groups)
        seen += COSTS["t"] * sum(stack.open for stack in state.stacks_of(seat))
        seen += COSTS["card"] * len(state.nations[seat].hand)
        return max(0.0, START_BANDS * COSTS["b"] + earned - seen)

    def expect_attackers(self, stack: Stack) -> float:
        """Return how many pieces of a stack may attack; nobody should count on Rumors here."""
        hidden = count_face_down(stack)
        everywhere = sum(count_face_down(other) for other in self.state.stacks_of(stack.seat))
        return self.arms_of(stack.seat).attackers * hidden / everywhere if hidden else 0.0

    def defence_at(self, spot: str, stack: Stack | None) -> Defence:
        """Return what an attack on a hex would meet, with a rival's stack there."""
        warriors = local_warriors(self.state, spot)
        if stack is None:
            return Defence(warriors)
        arms = self.arms_of(stack.seat)
        # At sea Bands need War Canoes to fight.
        fighters = arms.attackers if is_sea(self.state, spot) else arms.fighters
        share = fighters / max(1, self._total_candidates(stack.seat))
        rounded = round(max(LEAST_SHARE, min(MOST_SHARE, share)) * SHARE_STEPS) / SHARE_STEPS
        return Defence(warriors, self.count_candidates(stack), rounded)
