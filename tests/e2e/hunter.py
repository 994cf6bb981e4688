"""A Blue Lagoon player who always goes for the nearest resource, to keep matches short."""

from engine import Match, Option, Seat
from engine.blue_lagoon.board import bits
from engine.blue_lagoon.state import EXPLORATION, State

FAR = 999
VILLAGES = 2
"""Villages wanted off the stone circles: without one the settlement cannot be entered."""


def choose_placement(match: Match, seat: Seat) -> str:
    """Return the key of the seat's next placement."""
    decision = match.question(seat)
    state: State = match.base
    ways = _steps_to_resources(state)
    needs_village = state.phase == EXPLORATION and _standing(state, seat) < VILLAGES

    def haste(option: Option) -> tuple[bool, int, bool, str]:
        bit = state.board.by_code[option.spot].bit
        village = option.key.endswith("v")
        starts = village and not bit & state.board.circles
        return not (needs_village and starts), ways.get(bit, FAR), village, option.key

    return min(decision.options, key=haste).key


def _standing(state: State, seat: Seat) -> int:
    return (state.sides[seat].villages & ~state.board.circles).bit_count()


def _steps_to_resources(state: State) -> dict[int, int]:
    """Return how many placements each free space is away from a resource."""
    coconuts, bamboo, water, stones, _ = state.items
    front = coconuts | bamboo | water | stones
    seen = front
    found = dict.fromkeys(bits(front), 0)
    steps = 0
    while front:
        steps += 1
        front = state.board.near(front) & ~seen & ~state.taken
        seen |= front
        found |= dict.fromkeys(bits(front), steps)
    return found
