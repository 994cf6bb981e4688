"""The computer player's knowledge of Blue Lagoon.

A phase is judged by smoothed tables instead of the printed steps: two of a resource are on the way
to four, so each is worth something before it scores. The gain of a placement is what it adds to
them. Numbers in capitals were tuned by playing; change them freely, and check with
`python -m tests.bench.players`.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from engine.blue_lagoon.board import ITEMS, RESOURCES, STATUETTE, Board, board_of
from engine.blue_lagoon.scoring import STATUETTE_POINTS
from engine.blue_lagoon.state import EXPLORATION, OVER, Side, State
from engine.core.catalog import GAMES
from engine.core.decision import Answer, Seat
from engine.core.table import Table
from engine.players.mind import Effect, Effort, Mind, Outlook, Parts, Turn, ignore_event, no_offers

GAME = GAMES["blue_lagoon"]
MAX_PLACEMENTS = 40
"""Placements that are worth a thought."""
MATCHING_VALUES = (0.0, 2.5, 7.5, 13.5, 20.0)
"""By the number of one resource that a seat holds; more add nothing."""
SET_VALUES = (0.0, 1.0, 3.0, 6.0, 10.0)
"""By the number of different resources that a seat holds."""
ISLAND_VALUES = (0.0, 0.8, 1.8, 3.0, 4.5, 6.5, 9.5, 14.0, 20.0)
"""By the number of islands with a piece of the seat; more add nothing."""
LINK_VALUE = 6.0
"""An island of the best group: a little more than its points, because the group can still grow."""
MAJORITY_SHARES = (0.02, 0.06, 0.13, 0.25, 0.4, 0.5, 0.55)
"""The share of an island's value to hope for, by how many pieces a seat is ahead: -3 to 3."""
ADJACENT_ITEM_VALUE = 1.6
"""An item next to an own piece, as long as no other seat takes it first."""
MAX_ADJACENT_ITEMS = 4
"""Items next to own pieces that count."""
DENIED_ITEM_VALUE = 2.0
"""An item that is taken from under a rival's nose."""
VILLAGE_VALUES = (0.0, 5.0, 8.0, 10.0, 11.0, 12.0)
"""Villages that stay for the settlement phase, by their number: those off the stone circles."""
VILLAGE_ISLAND_VALUE = 0.8
"""Each island that those villages stand on."""
VILLAGE_COST = 1.0
"""What a village is worth less than a settler: there are few of them."""


class Chart:
    """A board by the bits of its places: their neighbours, islands and codes."""

    def __init__(self, board: Board) -> None:
        self.islands = tuple(board.islands.values())
        self.values = tuple(board.values.values())
        self.near = {place.bit: board.near(place.bit) for place in board.places}
        numbers = {island: number for number, island in enumerate(board.islands)}
        self.island = {place.bit: numbers.get(place.island, -1) for place in board.places}
        self.code = {place.bit: place.code for place in board.places}

    def islands_with(self, pieces: int) -> int:
        """Return the islands with any of these pieces, one bit each."""
        found = 0
        for number, island in enumerate(self.islands):
            if island & pieces:
                found |= 1 << number
        return found


@lru_cache(maxsize=16)
def chart_of(text: str) -> Chart:
    """Return the chart of a map."""
    return Chart(board_of(text))


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the placements with the best gains, the best first."""
    gains = placement_gains(state, seat)
    ranked = sorted(gains, key=lambda key: (-gains[key], key))
    found = []
    for key in ranked[:MAX_PLACEMENTS]:
        answer = Answer(seat, "place_piece", (key,))
        found.append(Turn((answer,), GAME.apply(state, answer, ignore_event), gains[key]))
    return found


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the state after the placement with the best gain."""
    gains = placement_gains(state, seat)
    best = min(gains, key=lambda key: (-gains[key], key))
    after: State = GAME.apply(state, Answer(seat, "place_piece", (best,)), ignore_event)
    return after


def placement_gains(state: State, seat: Seat) -> dict[str, float]:
    """Return what each legal placement adds to the seat's prospects, by its key.

    A look-ahead calls this for every turn of everybody, so all that does not depend on the place is
    computed before the loop, and sets of places are bits of an integer.
    """
    chart = chart_of(state.map)
    board = state.board
    side = state.sides[seat]
    settling, founding = state.placements(seat)
    own = side.pieces
    items = all_items(state)
    rivals = 0
    for other, theirs in enumerate(state.sides):
        if other != seat:
            rivals |= theirs.pieces
    near_rivals = board.near(rivals)
    near_own = board.near(own)
    gains_by_item = item_gains(side.held)
    groups = [(board.near(group), chart.islands_with(group)) for group in board.groups(own)]
    longest = max((islands.bit_count() for _, islands in groups), default=0)
    touched = chart.islands_with(own)
    count = touched.bit_count()
    new_island_gain = ISLAND_VALUES[min(count + 1, 8)] - ISLAND_VALUES[min(count, 8)]
    majority_gains = [
        majority_gain(chart, state.sides, seat, number) for number in range(len(chart.islands))
    ]
    within_reach = min((near_own & items & ~own).bit_count(), MAX_ADJACENT_ITEMS)
    village_gain = make_village_gain(chart, state, side)

    gains: dict[str, float] = {}
    rest = settling | founding
    while rest:
        # The lowest bit that is left is the next place.
        bit = rest & -rest
        rest ^= bit
        gain = 0.0
        island = chart.island[bit]
        if items & bit:
            item = next(item for item, places in enumerate(state.items) if places & bit)
            gain += gains_by_item[item]
            if near_rivals & bit:
                gain += DENIED_ITEM_VALUE
        linked = 0
        if island >= 0:
            linked = 1 << island
            gain += majority_gains[island]
            if not touched & linked:
                gain += new_island_gain
        # The piece joins all groups of the seat that it touches, with their islands.
        for near_group, islands in groups:
            if near_group & bit:
                linked |= islands
        if linked.bit_count() > longest:
            gain += LINK_VALUE * (linked.bit_count() - longest)
        reach = ((near_own | chart.near[bit]) & items & ~own & ~bit).bit_count()
        gain += ADJACENT_ITEM_VALUE * (min(reach, MAX_ADJACENT_ITEMS) - within_reach)
        code = chart.code[bit]
        if settling & bit:
            gains[code] = gain
        if founding & bit:
            gains[f"{code}v"] = gain + village_gain(bit, island)
    return gains


def all_items(state: State) -> int:
    """Return the places with an item, as bits."""
    found = 0
    for places in state.items:
        found |= places
    return found


def item_gains(held: Iterable[int]) -> list[float]:
    """Return what one more of each item is worth to a seat that holds these."""
    counts = tuple(held)
    different = sum(count > 0 for count in counts[:RESOURCES])
    gains = []
    for count in counts[:RESOURCES]:
        gain = MATCHING_VALUES[min(count + 1, 4)] - MATCHING_VALUES[min(count, 4)]
        if not count:
            gain += SET_VALUES[different + 1] - SET_VALUES[different]
        gains.append(gain)
    return [*gains, float(STATUETTE_POINTS)]


def majority_share(own: int, most: int) -> float:
    """Return the share of a majority to hope for, with the pieces of the seat and the best rival.

    A seat without a piece on the island hopes for nothing.
    """
    if not own:
        return 0.0
    return MAJORITY_SHARES[max(-3, min(3, own - most)) + 3]


def majority_gain(chart: Chart, sides: tuple[Side, ...], seat: Seat, number: int) -> float:
    """Return what one more piece on an island adds to the seat's hope for its majority."""
    island = chart.islands[number]
    counts = [(side.pieces & island).bit_count() for side in sides]
    own = counts.pop(seat)
    most = max(counts)
    return chart.values[number] * (majority_share(own + 1, most) - majority_share(own, most))


def make_village_gain(chart: Chart, state: State, side: Side) -> Callable[[int, int], float]:
    """Return a function for what a village adds to a settler on the same place and island.

    During exploration a village is worth something if it stays for the settlement phase.
    """
    staying = side.villages & ~state.board.circles
    count = staying.bit_count()
    islands = chart.islands_with(staying)
    next_village = VILLAGE_VALUES[min(count + 1, 5)] - VILLAGE_VALUES[min(count, 5)]

    def village_gain(bit: int, island: int) -> float:
        if bit & state.board.circles:
            return -VILLAGE_COST
        is_new_island = not islands >> island & 1
        return next_village - VILLAGE_COST + (VILLAGE_ISLAND_VALUE if is_new_island else 0.0)

    return village_gain


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate the final points: scored phases, and the current one by the smoothed tables."""
    seats = range(len(state.sides))
    scored = [sum(rows[seat].total for rows in state.scores) for seat in seats]
    if state.phase == OVER:
        return tuple({"scored": points} for points in scored)
    chart = chart_of(state.map)
    return tuple(
        {"scored": scored[seat], **estimate_phase(chart, state, Seat(seat))} for seat in seats
    )


def estimate_phase(chart: Chart, state: State, seat: Seat) -> dict[str, float]:
    """Estimate a seat's points in the current phase, by their parts."""
    side = state.sides[seat]
    board = state.board
    own = side.pieces
    resources = side.held[:RESOURCES]
    groups = [chart.islands_with(group).bit_count() for group in board.groups(own)]
    near_items = (board.near(own) & all_items(state)).bit_count()
    parts = {
        "islands": ISLAND_VALUES[min(chart.islands_with(own).bit_count(), 8)],
        "links": LINK_VALUE * max(groups, default=0),
        "resources": sum(MATCHING_VALUES[min(count, 4)] for count in resources),
        "set": SET_VALUES[sum(count > 0 for count in resources)],
        "statuettes": float(STATUETTE_POINTS * side.held[STATUETTE]),
        "reach": ADJACENT_ITEM_VALUE * min(near_items, MAX_ADJACENT_ITEMS),
    }
    majorities = 0.0
    for number, island in enumerate(chart.islands):
        counts = [(other.pieces & island).bit_count() for other in state.sides]
        mine = counts.pop(seat)
        if mine:
            majorities += chart.values[number] * majority_share(mine, max(counts))
    parts["majorities"] = majorities
    if state.phase == EXPLORATION:
        # Villages on stone circles are returned between the phases.
        staying = side.villages & ~board.circles
        islands = chart.islands_with(staying).bit_count()
        villages = VILLAGE_VALUES[min(staying.bit_count(), 5)]
        parts["villages"] = villages + VILLAGE_ISLAND_VALUE * islands
    return parts


def effects(before: State, after: State, seat: Seat) -> list[Effect]:
    """Return what a placement does: items taken, islands linked and reached, majorities won."""
    chart = chart_of(before.map)
    board = before.board
    was = before.sides[seat]
    now = after.sides[seat]
    found: list[Effect] = []
    if all(now.held[:RESOURCES]) and not all(was.held[:RESOURCES]):
        found.append(Effect("set", "set"))
    for item, name in enumerate(ITEMS):
        if now.held[item] == was.held[item]:
            continue
        if item == STATUETTE:
            found.append(Effect("statuettes", "statuette"))
            continue
        nth = now.held[item] if was.held[item] else 0
        facts = (("item", name), ("nth", nth), ("last", not after.items[item]))
        found.append(Effect("resources", "resource", facts))
    chain, longer = (
        max((chart.islands_with(group).bit_count() for group in board.groups(pieces)), default=0)
        for pieces in (was.pieces, now.pieces)
    )
    if longer > max(chain, 1):
        found.append(Effect("links", "link", (("number", longer),)))
    for name, island in board.islands.items():
        counts = [(side.pieces & island).bit_count() for side in after.sides]
        own = counts.pop(seat)
        had = (was.pieces & island).bit_count()
        if own == had:
            continue
        if own > max(counts) >= had:
            found.append(Effect("majorities", "majority", (("island", name),)))
        if not had:
            found.append(Effect("islands", "island", (("island", name),)))
    if now.villages & ~was.villages & ~board.circles:
        found.append(Effect("villages", "village"))
    items = all_items(after)
    reach, wider = ((board.near(pieces) & items).bit_count() for pieces in (was.pieces, now.pieces))
    if wider > reach:
        found.append(Effect("reach", "reach", (("number", wider - reach),)))
    return found


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    outlooks={
        "first_steps": Outlook(attention=0.3, foresight=0.0, temperature=0.5),
        "easy": Outlook(foresight=0.0, temperature=0.3),
        "steady": Outlook(foresight=0.35),
    },
    effort=Effort(candidates=20, laps=2, extra_turns=2),
    chance_weights=(0.12, 0.06, 0.14),
    tastes={
        "raider": {"majorities": 1.2},
        "gardener": {"villages": 1.2, "islands": 1.1},
        "trader": {"resources": 1.25, "set": 1.2, "statuettes": 1.3},
        "hermit": {"links": 1.5, "reach": 1.25},
    },
    effects=effects,
)
