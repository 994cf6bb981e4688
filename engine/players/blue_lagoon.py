"""The computer player's knowledge of Blue Lagoon.

A phase is judged by soft tables instead of the printed steps: two of a resource are on the way to
four, so each is worth something before it scores. A placement's gain is what it adds to them.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from engine.blue_lagoon.board import RESOURCES, STATUETTE, Board, board_of
from engine.blue_lagoon.scoring import STATUETTE_POINTS
from engine.blue_lagoon.state import EXPLORATION, OVER, Side, State
from engine.core.catalog import GAMES
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.mind import Effort, Mind, Parts, Turn, ignore, no_offers

GAME = GAMES["blue_lagoon"]
MATCHING = (0.0, 2.5, 7.5, 13.5, 20.0)
"""By how many of one resource are held; more add nothing."""
SET = (0.0, 1.0, 3.0, 6.0, 10.0)
"""By how many sorts of resource are held."""
ISLANDS = (0.0, 0.8, 1.8, 3.0, 4.5, 6.5, 9.5, 14.0, 20.0)
LINK = 6.0
"""An island of the best group: a little more than its points, for a group grows on."""
MAJORITY = (0.02, 0.06, 0.13, 0.25, 0.4, 0.5, 0.55)
"""The share of an island's value that one may hope for, by how many pieces one is behind or
ahead, -3 to 3.
"""
BESIDE, MOST_BESIDE = 1.6, 4
"""An item beside an own piece, while the other seats are not quicker."""
DENIED = 2.0
VILLAGES = (0.0, 5.0, 8.0, 10.0, 11.0, 12.0)
"""What villages off the stone circles are worth in the settlement, by their number."""
VILLAGE_ISLAND = 0.8
"""For each island that they stand on."""


class Chart:
    """A board as bits, per place: its neighbours and its island."""

    def __init__(self, board: Board) -> None:
        self.islands = tuple(board.islands.values())
        self.values = tuple(board.values.values())
        self.near = {place.bit: board.near(place.bit) for place in board.places}
        numbers = {island: number for number, island in enumerate(board.islands)}
        self.island = {place.bit: numbers.get(place.island, -1) for place in board.places}
        self.code = {place.bit: place.code for place in board.places}


@lru_cache(maxsize=16)
def chart_of(text: str) -> Chart:
    """Return the chart of a map."""
    return Chart(board_of(text))


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return every placement, the best gain first."""
    gains = _gains(state, seat)
    ranked = sorted(gains, key=lambda key: (-gains[key], key))
    found = []
    for key in ranked[:40]:
        answer = Answer(seat, "place_piece", (key,))
        found.append(Turn((answer,), GAME.apply(state, answer, ignore), gains[key]))
    return found


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the placement with the best gain."""
    gains = _gains(state, seat)
    best = min(gains, key=lambda key: (-gains[key], key))
    after: State = GAME.apply(state, Answer(seat, "place_piece", (best,)), ignore)
    return after


def _gains(state: State, seat: Seat) -> dict[str, float]:
    """Return what each legal placement adds to the seat's prospects, by its key."""
    chart, board, side = chart_of(state.map), state.board, state.sides[seat]
    settling, founding = state.placements(seat)
    own, lying, near_of, island_of = side.pieces, 0, chart.near, chart.island
    for places in state.items:
        lying |= places
    rivals = 0
    for other, theirs in enumerate(state.sides):
        if other != seat:
            rivals |= theirs.pieces
    beside_rivals, beside_own = board.near(rivals), board.near(own)
    item_gains = _item_gains(side.held)
    groups = [(board.near(group), _island_set(chart, group)) for group in board.groups(own)]
    longest = max((islands.bit_count() for _, islands in groups), default=0)
    touched = _island_set(chart, own)
    new_island = ISLANDS[min(touched.bit_count() + 1, 8)] - ISLANDS[min(touched.bit_count(), 8)]
    arrivals = [
        _majority_gain(chart, state.sides, seat, number) for number in range(len(chart.islands))
    ]
    within_reach = min((beside_own & lying & ~own).bit_count(), MOST_BESIDE)
    village_gain = _village_gains(chart, state, side)

    gains: dict[str, float] = {}
    rest = settling | founding
    while rest:
        bit = rest & -rest
        rest ^= bit
        gain, island, near = 0.0, island_of[bit], near_of[bit]
        if lying & bit:
            gain += item_gains[
                next(item for item, places in enumerate(state.items) if places & bit)
            ]
            if beside_rivals & bit:
                gain += DENIED
        islands = 0
        if island >= 0:
            islands = 1 << island
            gain += arrivals[island]
            if not touched & islands:
                gain += new_island
        for beside, reached in groups:
            if beside & bit:
                islands |= reached
        if islands.bit_count() > longest:
            gain += LINK * (islands.bit_count() - longest)
        reach = ((beside_own | near) & lying & ~own & ~bit).bit_count()
        gain += BESIDE * (min(reach, MOST_BESIDE) - within_reach)
        code = chart.code[bit]
        if settling & bit:
            gains[code] = gain
        if founding & bit:
            gains[f"{code}v"] = gain + village_gain(bit, island)
    return gains


def _item_gains(held: Iterable[int]) -> list[float]:
    counts = tuple(held)
    sorts = sum(count > 0 for count in counts[:RESOURCES])
    gains = []
    for count in counts[:RESOURCES]:
        gain = MATCHING[min(count + 1, 4)] - MATCHING[min(count, 4)]
        gains.append(gain + (0.0 if count else SET[sorts + 1] - SET[sorts]))
    return [*gains, float(STATUETTE_POINTS)]


def _island_set(chart: Chart, pieces: int) -> int:
    """Return the islands with these pieces, one bit each."""
    found = 0
    for number, island in enumerate(chart.islands):
        if island & pieces:
            found |= 1 << number
    return found


def _hope(own: int, most: int) -> float:
    """Return the share of a majority that a seat can hope for."""
    if not own:
        return 0.0
    return MAJORITY[max(-3, min(3, own - most)) + 3]


def _majority_gain(chart: Chart, sides: tuple[Side, ...], seat: Seat, number: int) -> float:
    island = chart.islands[number]
    counts = [(side.pieces & island).bit_count() for side in sides]
    own = counts.pop(seat)
    most = max(counts)
    return chart.values[number] * (_hope(own + 1, most) - _hope(own, most))


def _village_gains(chart: Chart, state: State, side: Side) -> Callable[[int, int], float]:
    """Return what a village adds to a settler on the same place.

    During exploration a village is worth something if it will stay for settlement.
    """
    staying = side.villages & ~state.board.circles
    count, islands = staying.bit_count(), _island_set(chart, staying)
    more = VILLAGES[min(count + 1, 5)] - VILLAGES[min(count, 5)]

    def gain(bit: int, island: int) -> float:
        if bit & state.board.circles:
            return -1.0
        return more - 1.0 + (0.0 if islands >> island & 1 else VILLAGE_ISLAND)

    return gain


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate the final points: scored phases, this phase by the soft tables, what stays."""
    scored = [sum(rows[seat].total for rows in state.scores) for seat in range(len(state.sides))]
    if state.phase == OVER:
        return tuple({"scored": points} for points in scored)
    chart = chart_of(state.map)
    return tuple(
        {"scored": scored[seat], **_prospects(chart, state, Seat(seat))}
        for seat in range(len(state.sides))
    )


def _prospects(chart: Chart, state: State, seat: Seat) -> dict[str, float]:
    side, board = state.sides[seat], state.board
    own, held = side.pieces, side.held
    lying = 0
    for places in state.items:
        lying |= places
    counts = held[:RESOURCES]
    parts = {
        "islands": ISLANDS[min(_island_set(chart, own).bit_count(), 8)],
        "links": LINK
        * max((_island_set(chart, group).bit_count() for group in board.groups(own)), default=0),
        "resources": sum(MATCHING[min(count, 4)] for count in counts),
        "set": SET[sum(count > 0 for count in counts)],
        "statuettes": float(STATUETTE_POINTS * held[STATUETTE]),
        "reach": BESIDE * min((board.near(own) & lying).bit_count(), MOST_BESIDE),
    }
    majorities = 0.0
    for number, island in enumerate(chart.islands):
        mine = (own & island).bit_count()
        if mine:
            most = max(
                (s.pieces & island).bit_count() for n, s in enumerate(state.sides) if n != seat
            )
            majorities += chart.values[number] * _hope(mine, most)
    parts["majorities"] = majorities
    if state.phase == EXPLORATION:
        staying = side.villages & ~board.circles
        islands = _island_set(chart, staying).bit_count()
        parts["villages"] = VILLAGES[min(staying.bit_count(), 5)] + VILLAGE_ISLAND * islands
    return parts


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    temperature=3.0,
    effort=Effort(candidates=20, laps=2, extra=2),
)
