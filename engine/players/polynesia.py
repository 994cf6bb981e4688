"""The computer player's knowledge of Polynesia.

A position is worth its points as if the volcano erupted now. Each island that is not reached yet
adds what it would bring, discounted by its distance: an own route is one step, a route that must be
explored first about three. Turns are found by a beam search: all answers to each question are
tried, and the best few are followed.

Numbers in capitals were tuned by playing; change them freely, and check with
`python -m tests.bench.players`.
"""

from collections import Counter
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Seat
from engine.core.steps import Run
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
    FISH,
    MASK,
    RESOURCES,
    SHELL,
    SHIP,
    TURTLE,
    TURTLES,
    MapName,
    board_of,
    components,
    space_value,
)
from engine.polynesia.maintenance import DrawStone
from engine.polynesia.scoring import HARVESTS, TIDES, count_archipelagos
from engine.polynesia.state import TYPE_FACTOR, Side, State
from engine.polynesia.steps import TakeAction

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
NO_CHANCE = Table("")
"""A table for turns that draw nothing."""
MAX_ROUTE_DISTANCE = 3.3
"""A route is worth exploring if one of its ends is no farther than this from an own member."""
FACES = {"": "", **{token.id: token.face for token in components().tokens}}


@lru_cache(maxsize=4096)
def island_neighbours(
    name: MapName, routes: tuple[int, ...], seat: Seat
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Return, by island, its neighbours and the steps to them for this seat."""
    board = board_of(name)
    found: list[list[tuple[int, float]]] = [[] for _ in board.islands]
    for route in board.routes:
        ships = routes[route.number]
        if route.neutral or ships >> seat & 1:
            steps = OWN_ROUTE_STEPS
        elif ships % TYPE_FACTOR:
            steps = FOREIGN_ROUTE_STEPS
        else:
            steps = NEW_ROUTE_STEPS
        found[route.a.number].append((route.b.number, steps))
        found[route.b.number].append((route.a.number, steps))
    return tuple(map(tuple, found))


# Cached, like the neighbours: distances change only when a ship is placed, and measuring those from
# one island takes 50 us.
@lru_cache(maxsize=16384)
def steps_from(name: MapName, routes: tuple[int, ...], seat: Seat, start: int) -> tuple[float, ...]:
    """Return the steps from an island to every other for this seat."""
    neighbours = island_neighbours(name, routes, seat)
    steps_to = [UNREACHABLE] * len(neighbours)
    steps_to[start] = 0.0
    frontier = [start]
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


@lru_cache(maxsize=4096)
def steps_from_nearest(
    name: MapName, routes: tuple[int, ...], seat: Seat, standing: tuple[int, ...]
) -> tuple[float, ...]:
    """Return the steps to every island from the nearest of the islands in `standing`."""
    distances = [steps_from(name, routes, seat, start) for start in standing]
    if len(distances) > 1:
        return tuple(map(min, *distances))
    return distances[0] if distances else (UNREACHABLE,) * len(board_of(name).islands)


@lru_cache(maxsize=4096)
def steps_to_safety(name: MapName, distances: tuple[float, ...]) -> float:
    """Return the steps to the nearest island that will not sink, given those to all islands."""
    islands = board_of(name).islands
    return min(
        steps for island, steps in zip(islands, distances, strict=True) if not island.destroyed
    )


@lru_cache(maxsize=256)
def expect_rounds(bag: Bag) -> float:
    """Return how many rounds to expect after this one, with these stones left in the bag."""
    rounds = 0.0
    bags = {bag: 1.0}
    while bags:
        later: dict[Bag, float] = {}
        for stones, chance in bags.items():
            for left, part in draw_stones(stones, 1):
                # The volcano erupts with the last red stone.
                if left[0]:
                    later[left] = later.get(left, 0.0) + chance * part
        bags = later
        rounds += sum(bags.values())
    return rounds


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
    members: tuple[int, ...],
    masks: int,
    rounds: int,
) -> tuple[float, ...]:
    """Return what a first member would add, by island; 0 if it sinks or is already reached."""
    board = board_of(name)
    reached = set()
    for island in board.islands:
        if members[island.number] and island.archipelago:
            reached.add(island.archipelago)
    gains = []
    for island in board.islands:
        if island.destroyed or members[island.number]:
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
    return tuple(estimate_seat(state, Seat(seat)) for seat in range(len(state.sides)))


def estimate_seat(state: State, seat: Seat) -> dict[str, float]:
    """Return the parts of the seat's expected points."""
    rounds = rounds_left(state, seat)
    space, turtles, points, reach, resources = estimate_own_parts(
        state.map,
        state.tides,
        state.tokens,
        state.archipelago_points,
        state.routes,
        state.sides[seat],
        seat,
        rounds,
    )
    own, lead = tide_points(state.map, state.tides, state.sides, seat)
    # The more rounds are left, the less of a lead counts.
    kept = LEAD_KEPT.get(state.tides[2], 0.0)
    kept += (1.0 - kept) / max(1.0, rounds)
    return {
        "space": space,
        "turtles": turtles,
        "points": points,
        "tides": own + lead * kept,
        "reach": reach,
        "resources": resources,
    }


# Cached: lines of a look-ahead often come to the same position of a seat, and judging one takes
# 150 us. That is why the arguments are the parts of the state that matter, and not the state.
@lru_cache(maxsize=4096)
def estimate_own_parts(
    name: MapName,
    tides: tuple[str, str, str],
    tokens: tuple[str, ...],
    archipelago_points: tuple[str, ...],
    routes: tuple[int, ...],
    side: Side,
    seat: Seat,
    rounds: float,
) -> tuple[float, float, float, float, float]:
    """Return the parts that do not depend on others: space, turtles, points, reach, resources."""
    board = board_of(name)
    held = Counter(FACES[token] for token in side.tokens)
    gains = island_gains(
        name, tides, tokens, archipelago_points, side.members, held[MASK], round(rounds)
    )
    fade = min(1.0, rounds / FADE_ROUNDS)
    # The more time there is, the less a step costs.
    nearness = min(MAX_NEARNESS, BASE_NEARNESS + NEARNESS_PER_ROUND * rounds)
    standing = tuple(number for number, count in enumerate(side.members) if count)
    distances = steps_from_nearest(name, routes, seat, standing)
    targets = [gain * nearness**steps for gain, steps in zip(gains, distances, strict=True) if gain]
    targets.sort(reverse=True)
    weight = 1.0
    reach = 0.0
    for target in targets[:MAX_TARGETS]:
        reach += target * weight
        weight *= NEXT_TARGET_WEIGHT
    safe = 0
    ferry = 0.0
    turtles = 0.0
    income = 0
    for number in standing:
        island = board.islands[number]
        count = side.members[number]
        if island.destroyed:
            from_here = steps_from(name, routes, seat, number)
            ferry += count * nearness ** steps_to_safety(name, from_here)
        else:
            safe += count
            turtles += TURTLES.get(island.symbol, 0)
        income += island.symbol in RESOURCES
    income += held[FISH] + held[SHELL]
    fish_value = RESOURCE_VALUES[min(side.fish, 6)]
    shell_value = RESOURCE_VALUES[min(side.shells, 6)]
    stock = (fish_value + shell_value) * fade
    masks = MASK_VALUES["2.2"] * held[MASK] * fade if tides[1] == "2.2" else 0.0
    return (
        SPACE_VALUES[safe] + fade * (FERRY_VALUE * ferry + HOME_VALUE * side.home),
        turtles + held[TURTLE],
        side.points + masks,
        REACH_WEIGHT * reach * fade,
        stock + INCOME_VALUE * income * rounds,
    )


@lru_cache(maxsize=4096)
def tide_points(
    name: MapName, tides: tuple[str, str, str], sides: tuple[Side, ...], seat: Seat
) -> tuple[float, float]:
    """Return the Tide cards' points if it erupts now: for the seat alone, and for having the most.

    The first two cards score each seat by itself, the third compares them.
    """
    board = board_of(name)
    first, second, third = tides
    own = 0
    after = erupt_side(name, sides[seat], third)
    for tide in (first, second):
        if tide in TIDES:
            own += TIDES[tide](board, (after,))[0]
    lead = 0
    if third in TIDES:
        everybody = tuple(erupt_side(name, side, third) for side in sides)
        lead = TIDES[third](board, everybody)[seat]
    return float(own), float(lead)


# Cached: only one of the sides changes from answer to answer, and this took a third of a turn's
# time.
@lru_cache(maxsize=4096)
def erupt_side(name: MapName, side: Side, tide: str) -> Side:
    """Return the side after the eruption, and after the last harvest if there is one."""
    board = board_of(name)
    harvest = HARVESTS.get(tide)
    after = side.send_home(board)
    return after.gain(harvest, after.harvest(board, harvest)) if harvest else after


def value_for(state: State, seat: Seat) -> float:
    """Return how good a position is for the seat."""
    return sum(estimate_seat(state, seat).values())


def promising_keys(state: State, seat: Seat, question: Decision) -> list[str]:
    """Return the options worth trying: routes near own members, and no decline that only hurts."""
    keys = [option.key for option in question.options]
    if question.kind == "decline":
        return [
            key
            for key in keys
            if not any(is_worse_decline(state, seat, key, other) for other in keys)
        ]
    if question.kind not in ("explore_route", "explore_free"):
        return keys
    near = set()
    for start, count in enumerate(state.sides[seat].members):
        if count:
            distances = steps_from(state.map, state.routes, seat, start)
            near |= {n for n, steps in enumerate(distances) if steps <= MAX_ROUTE_DISTANCE}
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
        if not is_asked(begun, seat):
            turn = Turn((action,), begun, value_for(begun, seat))
            done.setdefault(position_key(begun), turn)
            continue
        frontier = [Turn((action,), begun)]
        while frontier:
            following: dict[Any, Turn] = {}
            for turn in frontier:
                for answer in promising_answers(turn.tip, seat):
                    tip = GAME.apply(turn.tip, answer, ignore_event)
                    known = following if is_asked(tip, seat) else done
                    # Of two turns that lead to one position, the first stays.
                    key = position_key(tip)
                    if key not in known:
                        known[key] = Turn((*turn.answers, answer), tip, value_for(tip, seat))
            frontier = sorted(following.values(), key=lambda turn: -turn.value)[:beam]
    return sorted(done.values(), key=lambda turn: -turn.value)


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


def fish_for_resource(state: State, seat: Seat) -> State:
    """Return the state after a turn that costs no thought: fish for the scarcer resource."""
    question = question_for(GAME, state, seat)
    if question is None or question.kind != "take_action":
        return policy(state, seat, NO_CHANCE)
    side = state.sides[seat]
    scarcer = FISH if side.fish <= side.shells else SHELL
    fished: State = GAME.apply(state, Answer(seat, question.kind, (scarcer,)), ignore_event)
    return fished


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
    outlooks={
        "first_steps": Outlook(attention=0.5, foresight=0.0, temperature=0.5),
        "easy": Outlook(foresight=0.0, temperature=0.3),
    },
    effort=Effort(candidates=10, samples=(1, 1, 2), laps=4, watched_turns=3),
    # On the smaller side of the map players get in each other's way, so all their turns are thought
    # about, but fewer of them.
    efforts={
        2: Effort(candidates=10, samples=(1, 2, 4), laps=4),
        3: Effort(candidates=10, samples=(1, 2, 4), laps=2),
    },
    quick_turn=fish_for_resource,
    effects=effects,
)
