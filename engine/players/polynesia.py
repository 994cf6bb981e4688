"""The computer player's knowledge of Polynesia.

A position is worth its points as if the volcano erupted now. Each island that is not reached yet
adds what it would bring, discounted by its distance: an own route is one step, a route that must be
explored first about three. Turns are found by a beam search: all answers to each question are
tried, and the best few are followed.

Numbers in capitals were tuned by playing; change them freely, and check with
`python -m tests.bench.players`.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Seat
from engine.core.steps import Run, pop
from engine.core.table import Table
from engine.players.mind import (
    Effect,
    Effort,
    Mind,
    Outlook,
    Parts,
    Turn,
    forced_answer,
    ignore_event,
    no_offers,
    question_for,
)
from engine.polynesia.board import (
    COLOURS,
    FISH,
    MASK,
    RESOURCES,
    SHELL,
    SHIP,
    TURTLE,
    TURTLES,
    Colour,
    MapName,
    board_of,
    components,
    space_value,
)
from engine.polynesia.exploring import MarkRoute, PayRoute
from engine.polynesia.maintenance import DrawStone, Erupt
from engine.polynesia.scoring import HARVESTS, TIDES, count_archipelagos
from engine.polynesia.state import TYPE_FACTOR, Side, State
from engine.polynesia.steps import TakeAction
from engine.polynesia.travelling import HireGuide

GAME = GAMES["polynesia"]
Keys = tuple[str, ...]
Bag = tuple[int, int, int]
"""Numbers of red, grey and black stones."""
BLACK = 2
"""The index of black stones."""

OWN_ROUTE_STEPS = 1.0
"""An own or neutral route."""
NEW_ROUTE_STEPS = 3.2
"""A route without a ship, which has to be explored first."""
FOREIGN_ROUTE_STEPS = 1.9
"""A route that has only ships of others."""
SPACE_VALUES = (0.0, 0.1, 0.3, 0.8, 1.2, 1.8, 2.2, 2.8, 3.2, 3.8, 4.3, 5.0, 6.0, 7.0)
"""The free space of the personal board, by members on safe islands: the printed row, smoothed."""
BASE_NEARNESS = 0.56
"""The share of an island's worth that is left after each step to it, at the very end."""
NEARNESS_PER_ROUND = 0.03
"""What each round to come adds to that share."""
MAX_NEARNESS = 0.82
"""The largest share."""
FADE_ROUNDS = 1.5
"""Rounds before the end from which on hopes are worth less."""
FERRY_VALUE = 0.5
"""A member on an island that will sink, before the distance to safety is counted."""
HOME_VALUE = 0.12
"""A member that is still on the personal board."""
RESOURCE_VALUES = (0.0, 0.25, 0.42, 0.55, 0.62, 0.66, 0.7)
"""Resources of one type, by number: a few pay for the next routes, more only await a decline."""
MOST_RESOURCES = len(RESOURCE_VALUES) - 1
INCOME_VALUE = 0.16
"""A resource in each round to come."""
REACH_WEIGHT = 1.15
"""What islands within reach count for."""
NEXT_TARGET_WEIGHT = 0.97
"""The weight of each further island, relative to the one before."""
MAX_TARGETS = 10
"""Islands within reach that count."""
PRESENCE_VALUE = 0.3
"""Any island that is reached: it breaks ties and leads on to others."""
TOKEN_VALUES = {SHIP: 0.8, TURTLE: 1.0}
"""Island tokens other than resources and masks."""
MASK_VALUES = {"2.1": 0.3, "2.2": 0.3, "2.3": 0.5}
"""A mask, by the second Tide card, where that card does not score masks at the end."""
NEW_ARCHIPELAGO_VALUES = {"1.3": 1.15, "1.4": 0.5}
"""A first island of an archipelago, by the first Tide card."""
LEAD_KEPT = {"3.4": 1.0, "3.5": 0.3, "3.7": 0.3}
"""The share of a lead that is left at the end, by the third Tide card.

On islands nearly all is left, at home and in ships some. In fish and shells nothing is: everybody
returns one type each round.
"""
BEAM_WIDTH = 16
"""Partial turns to follow. It is wide because where a member is going shows late in a turn."""
NARROW_BEAM_WIDTH = 5
"""Partial turns to follow in a look-ahead."""
ACTIONS_PER_ROUND = 3
UNREACHABLE = 99.0
DETAILS = PayRoute | MarkRoute | HireGuide
"""Steps that only ask how something is paid for or marked."""
CALM_RED_STONES = 2
"""Red stones in the bag from which on their number hardly changes what players do."""
MAX_ROUTE_DISTANCE = 3.3
"""A route is worth exploring if one of its ends is no farther than this from an own member."""
FACES = {"": "", **{token.id: token.face for token in components().tokens}}


@lru_cache(maxsize=4096)
def measure_routes(name: MapName, routes: tuple[int, ...], seat: Seat) -> tuple[float, ...]:
    """Return, by route, how many steps it counts for this seat."""
    lengths = []
    for route in board_of(name).routes:
        ships = routes[route.number]
        if route.neutral or ships >> seat & 1:
            lengths.append(OWN_ROUTE_STEPS)
        elif ships % TYPE_FACTOR:
            lengths.append(FOREIGN_ROUTE_STEPS)
        else:
            lengths.append(NEW_ROUTE_STEPS)
    return tuple(lengths)


@lru_cache(maxsize=1024)
def island_neighbours(
    name: MapName, lengths: tuple[float, ...]
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Return, by island, its neighbours and the steps to them, given the lengths of the routes."""
    board = board_of(name)
    found: list[list[tuple[int, float]]] = [[] for _ in board.islands]
    for route in board.routes:
        steps = lengths[route.number]
        found[route.a.number].append((route.b.number, steps))
        found[route.b.number].append((route.a.number, steps))
    return tuple(map(tuple, found))


# Cached: distances change only when a ship is placed or an island is reached or left.
@lru_cache(maxsize=16384)
def steps_from_nearest(
    name: MapName, lengths: tuple[float, ...], starts: tuple[int, ...]
) -> tuple[float, ...]:
    """Return the steps to every island from the nearest of the islands in `starts`."""
    neighbours = island_neighbours(name, lengths)
    steps_to = [UNREACHABLE] * len(neighbours)
    for start in starts:
        steps_to[start] = 0.0
    frontier = list(starts)
    # With few islands and short ways, revisiting islands that got nearer is faster than a heap.
    while frontier:
        nearer = []
        for island in frontier:
            so_far = steps_to[island]
            for other, steps in neighbours[island]:
                if so_far + steps < steps_to[other]:
                    steps_to[other] = so_far + steps
                    nearer.append(other)
        frontier = nearer
    return tuple(steps_to)


@cache
def list_safe_islands(name: MapName) -> tuple[int, ...]:
    """Return the numbers of the islands that will not sink."""
    return tuple(island.number for island in board_of(name).islands if not island.destroyed)


@lru_cache(maxsize=256)
def expect_rounds(bag: Bag) -> float:
    """Return how many rounds to expect after this one, with these stones left in the bag."""
    rounds = 0.0
    bags = {bag: 1.0}
    while bags:
        bags, _ = draw_from_each(bags)
        rounds += sum(bags.values())
    return rounds


def draw_from_each(bags: dict[Bag, float]) -> tuple[dict[Bag, float], float]:
    """Draw once from bags with these chances.

    Return the bags after it, and the chance that the volcano erupts.
    """
    eruption_chance = 0.0
    later: dict[Bag, float] = {}
    for bag, chance in bags.items():
        for left, part in draw_stones(bag, 1):
            # The volcano erupts with the last red stone.
            if left[0]:
                later[left] = later.get(left, 0.0) + chance * part
            else:
                eruption_chance += chance * part
    return later, eruption_chance


def draw_stones(bag: Bag, stones: int) -> list[tuple[Bag, float]]:
    """Return what may be left in the bag after this many stones, each with its probability.

    A black stone makes two more be drawn.
    """
    total = sum(bag)
    if not stones or not bag[0]:
        return [(bag, 1.0)]
    found = []
    for colour in range(3):
        if bag[colour]:
            counts = list(bag)
            counts[colour] -= 1
            left: Bag = (counts[0], counts[1], counts[2])
            more = stones - 1 + (2 if colour == BLACK else 0)
            for rest, chance in draw_stones(left, more):
                found.append((rest, chance * bag[colour] / total))
    return found


def rounds_left(state: State, seat: Seat) -> float:
    """Return how many rounds the seat can expect to act in, including the rest of this one."""
    actions = 0
    is_drawn = True
    for step in state.agenda:
        if type(step) is TakeAction:
            actions += step.seat == seat
        elif type(step) is DrawStone:
            is_drawn = False
    # Once this round's stone is drawn without an eruption, the next round is certain.
    current = 1.0 if is_drawn else actions / ACTIONS_PER_ROUND
    return expect_rounds(state.bag) + current


@lru_cache(maxsize=4096)
def island_gains(
    name: MapName,
    tides: tuple[str, str, str],
    tokens: tuple[str, ...],
    points: tuple[str, ...],
    standing: tuple[int, ...],
    masks: int,
    rounds: int,
) -> tuple[float, ...]:
    """Return what a first member would add, by island; 0 if it sinks or is already reached."""
    board = board_of(name)
    reached = {board.islands[number].archipelago for number in standing} - {""}
    gains = []
    for island in board.islands:
        if island.destroyed or island.number in standing:
            gains.append(0.0)
            continue
        gain = PRESENCE_VALUE + TURTLES.get(island.symbol, 0)
        if island.symbol in RESOURCES:
            gain += INCOME_VALUE * rounds
        face = FACES[tokens[island.number]]
        if face in RESOURCES:
            gain += INCOME_VALUE * rounds
        elif face == MASK:
            gain += mask_value(tides, masks, len(reached))
        elif face:
            gain += TOKEN_VALUES.get(face, 0.0)
        letter = island.archipelago
        if letter:
            gain += letter in points
            if letter not in reached:
                # Card 2.5 scores masks times archipelagos.
                by_masks = masks if tides[1] == "2.5" else 0.0
                gain += NEW_ARCHIPELAGO_VALUES.get(tides[0], 0.0) + by_masks
            elif tides[0] == "1.4":
                gain += 2.2
        if tides[2] == "3.4" and island.symbol in TURTLES:
            gain += 2.0
        if HARVESTS.get(tides[2]) in (island.symbol, face):
            gain += 0.3
        gains.append(gain)
    return tuple(gains)


def mask_value(tides: tuple[str, str, str], masks: int, archipelagos: int) -> float:
    """Return what one more mask is worth, by the second Tide card."""
    match tides[1]:
        case "2.4":
            return (0.8, 2.6, 2.6, 0.0, 0.0)[min(masks, 4)]
        case "2.5":
            return 1.0 + archipelagos
        case "2.6":
            return 0.2 if masks else 2.0
    return MASK_VALUES[tides[1]]


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate each seat's points as if it erupted now, plus what is within reach."""
    if state.rows:
        return tuple(
            {
                "space": float(row.space),
                "turtles": float(row.turtles + row.tokens),
                "points": float(row.points),
                "tides": float(row.tide1 + row.tide2 + row.tide3),
            }
            for row in state.rows
        )
    return tuple(
        estimate_seat(state, Seat(seat), rounds_left(state, Seat(seat)))
        for seat in range(len(state.sides))
    )


def estimate_seat(state: State, seat: Seat, rounds: float) -> dict[str, float]:
    """Return the parts of the seat's expected points, with this many rounds to come."""
    side = state.sides[seat]
    fade = min(1.0, rounds / FADE_ROUNDS)
    standing = tuple([number for number, count in enumerate(side.members) if count])
    lengths = measure_routes(state.map, state.routes, seat)
    prospects = value_islands(
        state.map,
        state.tides,
        state.tokens,
        state.archipelago_points,
        lengths,
        standing,
        side.tokens,
        rounds,
    )
    safe = sum(side.members)
    ferry = 0.0
    for number, near_safety in prospects.ferries:
        count = side.members[number]
        safe -= count
        ferry += count * near_safety
    stock = RESOURCE_VALUES[min(side.fish, MOST_RESOURCES)]
    stock += RESOURCE_VALUES[min(side.shells, MOST_RESOURCES)]
    tides = prospects.tides
    if state.tides[2] in TIDES:
        # The more rounds are left, the less of a lead counts.
        kept = LEAD_KEPT.get(state.tides[2], 0.0)
        kept += (1.0 - kept) / max(1.0, rounds)
        tides += kept * lead_points(state.map, state.tides[2], state.sides)[seat]
    return {
        "space": SPACE_VALUES[safe] + fade * (FERRY_VALUE * ferry + HOME_VALUE * side.home),
        "turtles": prospects.turtles,
        "points": side.points + fade * prospects.masks,
        "tides": tides,
        "reach": REACH_WEIGHT * prospects.reach * fade,
        "resources": stock * fade + prospects.income,
    }


class Prospects(Struct, frozen=True):
    """What the islands are worth to a seat, whatever the number of its members on each."""

    turtles: float
    """Those on islands and tokens that it has."""
    tides: float
    """The points of the first two Tide cards, which score each seat by itself, if it erupts now."""
    masks: float
    """Masks that can be used up."""
    reach: float
    """The islands that it can still get to."""
    income: float
    """Resources in the rounds to come."""
    ferries: tuple[tuple[int, float], ...]
    """Each island with members that will sink, and how near it is to safety: from 0 to 1."""


# Cached: lines of a look-ahead often come to the same islands, and judging them takes 150 us. That
# is why the arguments are the parts of the state that matter, and not the state.
@lru_cache(maxsize=8192)
def value_islands(
    name: MapName,
    tides: tuple[str, str, str],
    tokens: tuple[str, ...],
    archipelago_points: tuple[str, ...],
    lengths: tuple[float, ...],
    standing: tuple[int, ...],
    held_tokens: tuple[str, ...],
    rounds: float,
) -> Prospects:
    """Return the prospects of a seat with members on these islands and with these tokens."""
    board = board_of(name)
    held = Counter(FACES[token] for token in held_tokens)
    gains = island_gains(
        name, tides, tokens, archipelago_points, standing, held[MASK], round(rounds)
    )
    # The more time there is, the less a step costs.
    nearness = min(MAX_NEARNESS, BASE_NEARNESS + NEARNESS_PER_ROUND * rounds)
    distances = steps_from_nearest(name, lengths, standing)
    targets = [gain * nearness**steps for gain, steps in zip(gains, distances, strict=True) if gain]
    targets.sort(reverse=True)
    weight = 1.0
    reach = 0.0
    for target in targets[:MAX_TARGETS]:
        reach += target * weight
        weight *= NEXT_TARGET_WEIGHT
    turtles = held[TURTLE]
    income = held[FISH] + held[SHELL]
    doomed = []
    settled = [0] * len(board.islands)
    for number in standing:
        island = board.islands[number]
        income += island.symbol in RESOURCES
        if island.destroyed:
            doomed.append(number)
        else:
            turtles += TURTLES.get(island.symbol, 0)
            settled[number] = 1
    ferries = []
    if doomed:
        steps_to_safety = steps_from_nearest(name, lengths, list_safe_islands(name))
        ferries = [(number, nearness ** steps_to_safety[number]) for number in doomed]
    side = Side(tuple(settled), 0, 0, 0, 0, held_tokens)
    return Prospects(
        turtles=turtles,
        tides=sum(TIDES[tide](board, (side,))[0] for tide in tides[:2] if tide in TIDES),
        masks=MASK_VALUES["2.2"] * held[MASK] if tides[1] == "2.2" else 0.0,
        reach=reach,
        income=INCOME_VALUE * income * rounds,
        ferries=tuple(ferries),
    )


@lru_cache(maxsize=4096)
def lead_points(name: MapName, tide: str, sides: tuple[Side, ...]) -> tuple[int, ...]:
    """Return each seat's points by the third Tide card, which compares them, if it erupts now."""
    everybody = tuple(erupt_side(name, side, tide) for side in sides)
    return TIDES[tide](board_of(name), everybody)


# Cached: only one of the sides changes from answer to answer, and this took a third of a turn's
# time.
@lru_cache(maxsize=4096)
def erupt_side(name: MapName, side: Side, tide: str) -> Side:
    """Return the side after the eruption, and after the last harvest if there is one."""
    board = board_of(name)
    harvest = HARVESTS.get(tide)
    after = side.send_home(board)
    return after.gain(harvest, after.harvest(board, harvest)) if harvest else after


def promising_keys(state: State, seat: Seat, question: Decision) -> list[str]:
    """Return the options worth trying: routes near own members, paid for with what there is most
    of, and no decline that only hurts.
    """
    keys = [option.key for option in question.options]
    if question.kind == "decline":
        return [
            key
            for key in keys
            if not any(is_worse_decline(state, seat, key, other) for other in keys)
        ]
    if question.kind == "pay_route":
        # The one that is left in larger numbers is worth less.
        return [max(keys, key=state.sides[seat].count_resource)]
    if question.kind not in ("explore_route", "explore_free"):
        return keys
    lengths = measure_routes(state.map, state.routes, seat)
    standing = tuple([number for number, count in enumerate(state.sides[seat].members) if count])
    distances = steps_from_nearest(state.map, lengths, standing)
    near = {number for number, steps in enumerate(distances) if steps <= MAX_ROUTE_DISTANCE}
    found = []
    for key in keys:
        route = state.board.route.get(key)
        if route is None or route.a.number in near or route.b.number in near:
            found.append(key)
    return found or keys


def is_worse_decline(state: State, seat: Seat, resource: str, other: str) -> bool:
    """Return whether declining `resource` costs the seat no less, and nobody else more."""
    more = [side.count_resource(resource) - side.count_resource(other) for side in state.sides]
    own = more.pop(seat)
    is_same = own == 0 and not any(more)
    return own >= 0 >= max(more) and not is_same


def search_turns(state: State, seat: Seat, beam: int) -> list[Turn]:
    """Find turns by a beam search over their answers, the best first.

    Each action is searched by itself, so that a good beginning of one does not crowd out another.
    """
    if not is_asked(state, seat):
        return []
    done: dict[Any, Turn] = {}
    for action in promising_answers(state, seat):
        begun = GAME.apply(state, action, ignore_event)
        # The rest of the turn does not change this.
        rounds = rounds_left(begun, seat)
        if not is_asked(begun, seat):
            turn = Turn((action,), begun, sum(estimate_seat(begun, seat, rounds).values()))
            done.setdefault(position_key(begun), turn)
            continue
        frontier = [Turn((action,), begun)]
        while frontier:
            following: dict[Any, Turn] = {}
            for turn in frontier:
                for longer in lengthen_turn(turn, seat):
                    tip = longer.tip
                    known = following if is_asked(tip, seat) else done
                    # Of two turns that lead to one position, the first stays.
                    key = position_key(tip)
                    if key not in known:
                        value = sum(estimate_seat(tip, seat, rounds).values())
                        known[key] = replace(longer, value=value)
            frontier = sorted(following.values(), key=lambda turn: -turn.value)[:beam]
    return sorted(done.values(), key=lambda turn: -turn.value)


def lengthen_turn(turn: Turn, seat: Seat) -> Iterator[Turn]:
    """Yield the turn with each answer that is worth trying.

    Details are answered with it: before them, all routes would look alike.
    """
    for answer in promising_answers(turn.tip, seat):
        tip = GAME.apply(turn.tip, answer, ignore_event)
        longer = Turn((*turn.answers, answer), tip)
        if is_asked(tip, seat) and isinstance(tip.agenda[-1], DETAILS):
            yield from lengthen_turn(longer, seat)
        else:
            yield longer


def is_asked(state: State, seat: Seat) -> bool:
    """Return whether the seat has a question, without building it.

    Few of the partial turns are followed, so most questions are never needed.
    """
    step = state.agenda[-1] if state.agenda else None
    return step is not None and not isinstance(step, Run) and step.seat == seat


def position_key(state: State) -> tuple[Any, ...]:
    """Return what tells two positions within a turn apart."""
    return state.sides, state.routes, state.agenda


def promising_answers(state: State, seat: Seat) -> list[Answer]:
    """Return the answers worth trying."""
    question = question_for(GAME, state, seat)
    assert question is not None
    only = forced_answer(GAME, question)
    if only:
        return [only]
    keys = promising_keys(state, seat, question)
    return [Answer(seat, question.kind, (key,)) for key in keys]


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the best turn of each action, then the second best of each, and so on.

    That way the look-ahead does not spend its time on similar turns.
    """
    by_action: dict[Keys, list[Turn]] = {}
    for turn in search_turns(state, seat, BEAM_WIDTH):
        by_action.setdefault(turn.answers[0].keys, []).append(turn)
    found: list[Turn] = []
    for rank in zip_longest(*by_action.values()):
        found += [turn for turn in rank if turn is not None]
    return found


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the state after the best turn of a narrower search."""
    tip: State = search_turns(state, seat, NARROW_BEAM_WIDTH)[0].tip
    return tip


def weigh_positions(state: State, turns_ahead: int) -> list[tuple[float, State]]:
    """Play on for this many turns, and return the positions after each of them with their weights.

    The last position alone says less: small accidents on the way decide what it is worth. And only
    the volcano is left to chance: instead of drawing stones again and again, the position after an
    eruption counts by its chance, and play goes on as if there were none.
    """
    table = Table("")
    found: list[tuple[float, State]] = []
    lines = [(state, {state.bag: 1.0}, turns_ahead)]
    for start, bags, turns_left in lines:
        path = play_until_stone(start, turns_left, table)
        turns_left_after = turns_left - len(path) + 1
        weight = sum(bags.values()) / turns_ahead
        # The position before the first turn is the same whatever follows.
        counted = path[1:] if turns_left == turns_ahead else path
        found += [(weight, position) for position in counted if not is_stone_due(position)]
        if not is_stone_due(path[-1]):
            continue
        later_bags, eruption_chance = draw_from_each(bags)
        if eruption_chance:
            erupted = GAME.advance(path[-1].with_agenda((Erupt(),)), table)
            # It stays like that for all turns to come.
            positions = min(turns_left_after + 1, turns_ahead)
            found.append((eruption_chance * positions / turns_ahead, erupted))
        for group in group_bags(later_bags):
            likeliest = max(group, key=lambda bag: group[bag])
            drawn = replace(pop(path[-1]), marker="decline", lava=list_lava(likeliest))
            lines.append((drawn, group, turns_left_after))
    return found


def play_until_stone(state: State, max_turns: int, table: Table) -> list[State]:
    """Play on for some turns, or until a stone must be drawn; return all positions."""
    positions = [advance_to_stone(state, table)]
    while len(positions) <= max_turns and not is_stone_due(positions[-1]):
        asking = positions[-1].agenda[-1]
        assert not isinstance(asking, Run)
        positions.append(advance_to_stone(policy(positions[-1], asking.seat, table), table))
    return positions


def advance_to_stone(state: State, table: Table) -> State:
    """Advance until somebody is asked or a stone must be drawn."""
    return state if is_stone_due(state) else GAME.advance(state, table)


def is_stone_due(state: State) -> bool:
    """Return whether the next thing to happen is that a stone is drawn."""
    return isinstance(state.agenda[-1], DrawStone)


def group_bags(bags: dict[Bag, float]) -> list[dict[Bag, float]]:
    """Return the bags in groups of those that make everybody play alike.

    Players begin to hurry when few red stones are left.
    """
    groups: dict[int, dict[Bag, float]] = {}
    for bag, chance in bags.items():
        groups.setdefault(min(bag[0], CALM_RED_STONES), {})[bag] = chance
    return list(groups.values())


def list_lava(bag: Bag) -> tuple[Colour, ...]:
    """Return the stones that have been drawn if these are left."""
    lava = components().lava
    drawn: list[Colour] = []
    for colour, left in zip(COLOURS, bag, strict=True):
        drawn += [colour] * (getattr(lava, colour) - left)
    return tuple(drawn)


def effects(before: State, after: State, seat: Seat) -> list[Effect]:
    """Return what a turn does for a seat: members, turtles, tokens, archipelagos and resources."""
    board = before.board
    was = before.sides[seat]
    now = after.sides[seat]
    found: list[Effect] = []
    turtles, more_turtles = (
        side.count(TURTLE)
        + sum(
            TURTLES.get(island.symbol, 0) for island in board.islands if side.members[island.number]
        )
        for side in (was, now)
    )
    if more_turtles > turtles:
        found.append(Effect("turtles", "turtles", (("number", more_turtles - turtles),)))
    if now.points > was.points:
        found.append(Effect("points", "points", (("number", now.points - was.points),)))
    reached = count_archipelagos(board, now)
    if reached > count_archipelagos(board, was):
        found.append(Effect("tides", "archipelago", (("number", reached),)))
    safe, more_safe = (
        sum(side.members[island.number] for island in board.islands if not island.destroyed)
        for side in (was, now)
    )
    if more_safe > safe:
        found.append(Effect("space", "safe", (("number", more_safe - safe),)))
    elif space_value(now.home) > space_value(was.home):
        found.append(Effect("space", "space", (("number", space_value(now.home)),)))
    faces = [FACES[token] for token in now.tokens if token not in was.tokens]
    for face in faces:
        part = "tides" if face == MASK else "resources"
        if face != TURTLE:
            found.append(Effect(part, "token", (("face", f"token_{face}"),)))
    if now.ships < was.ships:
        found.append(Effect("reach", "route"))
    for resource in RESOURCES:
        lost = [
            old.count_resource(resource) - new.count_resource(resource)
            for old, new in zip(before.sides, after.sides, strict=True)
        ]
        lost.pop(seat)
        if sum(lost) > 0:
            facts = (("number", sum(lost)), ("resource", resource))
            found.append(Effect("resources", "decline", facts))
    return found


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    tastes={
        "raider": {"reach": 1.3},
        "gardener": {"space": 1.3},
        "trader": {"resources": 1.5},
        "hermit": {"turtles": 1.5},
    },
    outlooks={
        "first_steps": Outlook(attention=0.15, foresight=0.0, temperature=1.0),
        "easy": Outlook(attention=0.4, foresight=0.0, temperature=1.0),
        "steady": Outlook(attention=0.35, foresight=0.6, temperature=0.5),
    },
    # About two rounds for two seats. With more of them every turn takes longer to find.
    effort=Effort(candidates=10, samples=(1,), laps=3),
    efforts={2: Effort(candidates=10, samples=(1,), laps=6)},
    weigh_positions=weigh_positions,
    effects=effects,
)
