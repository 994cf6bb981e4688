"""What makes a player good at Polynesia.

A position is worth its points as if the volcano erupted now, and for every island that is not yet
reached what it would add, less the further it is: an own route is a step, one that must be explored
first about three. Turns are found by trying the answers to each question and following the best few
of them.
"""

from collections import Counter
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from engine.core.catalog import GAMES
from engine.core.decision import Answer, Decision, Seat
from engine.core.steps import Run
from engine.core.table import Table
from engine.players.mind import Effort, Mind, Parts, Turn, forced, ignore, no_offers, question_to
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
)
from engine.polynesia.maintenance import DrawStone
from engine.polynesia.scoring import HARVESTS, TIDES
from engine.polynesia.state import TYPE, Side, State
from engine.polynesia.steps import TakeAction

GAME = GAMES["polynesia"]
Keys = tuple[str, ...]

OWN, NEW, FOREIGN = 1.0, 3.2, 1.9
"""Steps over a route: an own or neutral one, one without a ship, one with ships of others only."""
SPACE = (0.0, 0.1, 0.3, 0.8, 1.2, 1.8, 2.2, 2.8, 3.2, 3.8, 4.3, 5.0, 6.0, 7.0)
"""The free space of the personal board by members that will not go under: the printed row with
its steps smoothed.
"""
NEARNESS, NEARER, NEAREST = 0.56, 0.03, 0.82
"""What is left of an island's worth for each step to it: the more, the more rounds there are, up
to a limit.
"""
LATE = 1.5
"""Rounds before the end from which on hopes fade."""
FERRY = 0.5
"""What a member on an island that will go under may still be worth, before the way to safety is
counted.
"""
HOME = 0.12
"""What a member on the personal board may still be worth."""
HELD = (0.0, 0.25, 0.42, 0.55, 0.62, 0.66, 0.7)
"""What resources of a type are worth, by their number: a few pay the next routes, more only wait
for the decline.
"""
INCOME = 0.16
"""A resource in each round to come."""
REACH, SHARED, TARGETS = 1.15, 0.97, 10
"""What islands within reach count for, each further one less than the one before, and how many
count.
"""
PRESENCE = 0.3
"""An island that is reached, whatever it shows: it breaks ties and leads on."""
TOKENS = {SHIP: 0.8, TURTLE: 1.0}
"""What island tokens are worth, the others apart."""
MASKS = {"2.1": 0.3, "2.2": 0.3, "2.3": 0.5}
"""What a mask is worth that no card scores at the end."""
KEPT = {"3.4": 1.0, "3.5": 0.3, "3.7": 0.3}
"""What is left of a lead by the end: on islands nearly all, at home and in ships some; in fish and
shells, of which everybody returns one type each round, nothing.
"""
BEAM, NARROW = 16, 5
"""Beginnings of a turn to follow, and fewer in a look-ahead.

Where a member is going shows late in a turn.
"""
ACTIONS = 3
"""Of a seat in a round."""
FAR = 99.0
NO_CHANCE = Table("")
"""For what draws nothing."""
NEAR = 3.3
"""A route is worth exploring if one of its ends is no further from an own member."""
FACES = {"": "", **{token.id: token.face for token in components().tokens}}


@lru_cache(maxsize=4)
def _edges(name: MapName) -> tuple[tuple[int, int, int, bool], ...]:
    return tuple(
        (route.number, route.a.number, route.b.number, route.neutral)
        for route in board_of(name).routes
    )


@lru_cache(maxsize=4096)
def _beside(
    name: MapName, routes: tuple[int, ...], seat: Seat
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Return, by island, its neighbours and the steps to them for this seat."""
    found: list[list[tuple[int, float]]] = [[] for _ in board_of(name).islands]
    for number, a, b, neutral in _edges(name):
        ships = routes[number]
        steps = OWN if neutral or ships >> seat & 1 else FOREIGN if ships % TYPE else NEW
        found[a].append((b, steps))
        found[b].append((a, steps))
    return tuple(map(tuple, found))


# Kept, as is what lies beside: ways change only when a ship is placed, and to measure those from an
# island takes 50 us.
@lru_cache(maxsize=16384)
def _ways(name: MapName, routes: tuple[int, ...], seat: Seat, start: int) -> tuple[float, ...]:
    """Return the steps from an island to every other for this seat."""
    beside = _beside(name, routes, seat)
    steps_to = [FAR] * len(beside)
    steps_to[start] = 0.0
    edge = [start]
    # Few islands and short ways: to look again at what got nearer is quicker than a heap.
    while edge:
        nearer = []
        for island in edge:
            so_far = steps_to[island]
            for other, steps in beside[island]:
                if so_far + steps < steps_to[other]:
                    steps_to[other] = so_far + steps
                    nearer.append(other)
        edge = nearer
    return tuple(steps_to)


@lru_cache(maxsize=256)
def _lasting(bag: tuple[int, int, int]) -> float:
    """Return how many rounds to expect after this one."""
    rounds, now = 0.0, {bag: 1.0}
    while now:
        later: dict[tuple[int, int, int], float] = {}
        for stones, chance in now.items():
            for left, part in _drawn(stones, 1):
                if left[0]:
                    later[left] = later.get(left, 0.0) + chance * part
        now = later
        rounds += sum(now.values())
    return rounds


def _drawn(bag: tuple[int, int, int], stones: int) -> list[tuple[tuple[int, int, int], float]]:
    """Return what may be left in the bag after this many stones, each with its probability.

    A black stone brings two more.
    """
    total = sum(bag)
    if not stones or not bag[0]:
        return [(bag, 1.0)]
    found = []
    for colour in range(3):
        if bag[colour]:
            left = (bag[0] - (colour == 0), bag[1] - (colour == 1), bag[2] - (colour == 2))
            more = stones - 1 + (2 if colour == 2 else 0)
            found += [(rest, chance * bag[colour] / total) for rest, chance in _drawn(left, more)]
    return found


def rounds_left(state: State, seat: Seat) -> float:
    """Return how many rounds the seat can expect to act in, including the rest of this one."""
    actions, is_drawn = 0, True
    for step in state.agenda:
        if type(step) is TakeAction:
            actions += step.seat == seat
        elif type(step) is DrawStone:
            is_drawn = False
    return _lasting(state.bag) + (1.0 if is_drawn else actions / ACTIONS)


@lru_cache(maxsize=4096)
def _allure(
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
    reached = {
        island.archipelago
        for island in board.islands
        if members[island.number] and island.archipelago
    }
    gains = []
    for island in board.islands:
        if island.destroyed or members[island.number]:
            gains.append(0.0)
            continue
        gain = PRESENCE + TURTLES.get(island.symbol, 0)
        if island.symbol in RESOURCES:
            gain += INCOME * rounds
        face = FACES[tokens[island.number]]
        if face in RESOURCES:
            gain += INCOME * rounds
        elif face == MASK:
            gain += _mask_worth(tides, masks, len(reached))
        elif face:
            gain += TOKENS.get(face, 0.0)
        letter = island.archipelago
        if letter:
            gain += letter in points
            if letter not in reached:
                gain += {"1.3": 1.15, "1.4": 0.5}.get(tides[0], 0.0) + (
                    masks if tides[1] == "2.5" else 0.0
                )
            elif tides[0] == "1.4":
                gain += 2.2
        if tides[2] == "3.4" and island.symbol in TURTLES:
            gain += 2.0
        if HARVESTS.get(tides[2]) in (island.symbol, face):
            gain += 0.3
        gains.append(gain)
    return tuple(gains)


def _mask_worth(tides: tuple[str, str, str], masks: int, archipelagos: int) -> float:
    """Return what one more mask is worth."""
    match tides[1]:
        case "2.4":
            return (0.8, 2.6, 2.6, 0.0, 0.0)[min(masks, 4)]
        case "2.5":
            return 1.0 + archipelagos
        case "2.6":
            return 0.2 if masks else 2.0
    return MASKS[tides[1]]


def _parts(state: State, seat: Seat) -> dict[str, float]:
    """Return the parts of the seat's expected points."""
    rounds = rounds_left(state, seat)
    space, turtles, points, reach, resources = _alone(
        state.map,
        state.tides,
        state.tokens,
        state.archipelago_points,
        state.routes,
        state.sides[seat],
        seat,
        rounds,
    )
    staying, passing = _tide_points(state.map, state.tides, state.sides, seat)
    return {
        "space": space,
        "turtles": turtles,
        "points": points,
        "tides": staying + passing * _kept(state.tides[2], rounds),
        "reach": reach,
        "resources": resources,
    }


# Kept: lines of a look-ahead often come to the same position of a seat, and to judge one takes 150
# us.
@lru_cache(maxsize=4096)
def _alone(
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
    allure = _allure(
        name, tides, tokens, archipelago_points, side.members, held[MASK], round(rounds)
    )
    fade = min(1.0, rounds / LATE)
    # Each step costs the less the more time there is.
    nearness = min(NEAREST, NEARNESS + NEARER * rounds)
    standing = tuple(number for number, count in enumerate(side.members) if count)
    hopes = [
        gain * nearness**steps
        for gain, steps in zip(allure, _nearest(name, routes, seat, standing), strict=True)
        if gain
    ]
    hopes.sort(reverse=True)
    weight, hope = 1.0, 0.0
    for one in hopes[:TARGETS]:
        hope += one * weight
        weight *= SHARED
    safe, ferry, turtles, income = 0, 0.0, 0.0, 0
    for number in standing:
        island, count = board.islands[number], side.members[number]
        if island.destroyed:
            ferry += count * nearness ** _to_safety(name, _ways(name, routes, seat, number))
        else:
            safe += count
            turtles += TURTLES.get(island.symbol, 0)
        income += island.symbol in RESOURCES
    income += held[FISH] + held[SHELL]
    stock = (HELD[min(side.fish, 6)] + HELD[min(side.shells, 6)]) * fade
    masks = MASKS["2.2"] * held[MASK] * fade if tides[1] == "2.2" else 0.0
    return (
        SPACE[safe] + fade * (FERRY * ferry + HOME * side.home),
        turtles + held[TURTLE],
        side.points + masks,
        REACH * hope * fade,
        stock + INCOME * income * rounds,
    )


@lru_cache(maxsize=4096)
def _nearest(
    name: MapName, routes: tuple[int, ...], seat: Seat, standing: tuple[int, ...]
) -> tuple[float, ...]:
    """Return the steps to every island from the nearest one with a member of the seat."""
    ways = [_ways(name, routes, seat, start) for start in standing]
    if len(ways) > 1:
        return tuple(map(min, *ways))
    return ways[0] if ways else (FAR,) * len(board_of(name).islands)


@lru_cache(maxsize=4096)
def _to_safety(name: MapName, row: tuple[float, ...]) -> float:
    return min(
        steps
        for island, steps in zip(board_of(name).islands, row, strict=True)
        if not island.destroyed
    )


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate points as if it erupted now, plus what is within reach."""
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
    return tuple(_parts(state, Seat(seat)) for seat in range(len(state.sides)))


def _kept(tide: str, rounds: float) -> float:
    """Return how much of a lead counts: the more rounds are left, the less."""
    kept = KEPT.get(tide, 0.0)
    return kept + (1.0 - kept) / max(1.0, rounds)


@lru_cache(maxsize=4096)
def _tide_points(
    name: MapName, tides: tuple[str, str, str], sides: tuple[Side, ...], seat: Seat
) -> tuple[float, float]:
    """Return the Tide cards' points if it erupts now: safe ones, and those for having most.

    The first two cards each look at one seat alone.
    """
    board, staying, passing = board_of(name), 0, 0
    first, second, third = tides
    own = _left_standing(name, sides[seat], third)
    for tide in (first, second):
        if tide in TIDES:
            staying += TIDES[tide](board, (own,))[0]
    if third in TIDES:
        left = tuple(_left_standing(name, side, third) for side in sides)
        passing = TIDES[third](board, left)[seat]
    return float(staying), float(passing)


# Kept: of all the sides only one changes from answer to answer, and this took a third of a turn's
# time.
@lru_cache(maxsize=4096)
def _left_standing(name: MapName, side: Side, tide: str) -> Side:
    """Return the side after the eruption, and after the last harvest if there is one."""
    board, harvest = board_of(name), HARVESTS.get(tide)
    after = side.driven_home(board)
    return after.gaining(harvest, after.harvest(board, harvest)) if harvest else after


def _value(state: State, seat: Seat) -> float:
    """Return how good a position is for the seat."""
    return sum(_parts(state, seat).values())


def _trimmed(state: State, seat: Seat, question: Decision) -> list[str]:
    """Return the options worth trying: routes near own members, and no decline that only hurts."""
    keys = [option.key for option in question.options]
    if question.kind == "decline":
        return [
            key for key in keys if not any(_is_dearer(state, seat, key, other) for other in keys)
        ]
    if question.kind not in ("explore_route", "explore_free"):
        return keys
    standing = [number for number, count in enumerate(state.sides[seat].members) if count]
    near = set()
    for start in standing:
        row = _ways(state.map, state.routes, seat, start)
        near |= {number for number, steps in enumerate(row) if steps <= NEAR}
    found = []
    for key in keys:
        route = state.board.route.get(key)
        if route is None or route.a.number in near or route.b.number in near:
            found.append(key)
    return found or keys


def _is_dearer(state: State, seat: Seat, resource: str, other: str) -> bool:
    """Return whether declining one resource costs the seat no less, and nobody else more."""
    more = [side.holding(resource) - side.holding(other) for side in state.sides]
    own = more.pop(seat)
    return own >= 0 >= max(more) and (own, *more) != (0,) * len(state.sides)


def _turns(state: State, seat: Seat, beam: int) -> list[Turn]:
    """Find turns by trying answers, for each action by itself.

    That way a good beginning of one action does not crowd out another.
    """
    if not _is_asked(state, seat):
        return []
    done: dict[Any, Turn] = {}
    for action in _answers(state, seat):
        begun = GAME.apply(state, action, ignore)
        if not _is_asked(begun, seat):
            done.setdefault(_position(begun), Turn((action,), begun, _value(begun, seat)))
            continue
        edge = [Turn((action,), begun)]
        while edge:
            following: dict[Any, Turn] = {}
            for turn in edge:
                for answer in _answers(turn.tip, seat):
                    tip = GAME.apply(turn.tip, answer, ignore)
                    # Of two turns to one position the first stays.
                    known = following if _is_asked(tip, seat) else done
                    if (position := _position(tip)) not in known:
                        known[position] = Turn((*turn.answers, answer), tip, _value(tip, seat))
            edge = sorted(following.values(), key=lambda turn: -turn.value)[:beam]
    return sorted(done.values(), key=lambda turn: -turn.value)


def _is_asked(state: State, seat: Seat) -> bool:
    """Return whether the seat has a question, without building it: only few beginnings are
    followed.
    """
    step = state.agenda[-1] if state.agenda else None
    return step is not None and not isinstance(step, Run) and step.seat == seat


def _position(state: State) -> tuple[Any, ...]:
    """Return what tells two positions within a turn apart."""
    return state.sides, state.routes, state.agenda


def _answers(state: State, seat: Seat) -> list[Answer]:
    """Return the answers worth trying."""
    question = question_to(GAME, state, seat)
    assert question is not None
    only = forced(GAME, question)
    return (
        [only]
        if only
        else [Answer(seat, question.kind, (key,)) for key in _trimmed(state, seat, question)]
    )


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the best turn of all, then the best of each action in turn.

    That way similar turns are not all looked into.
    """
    ranked = _turns(state, seat, BEAM)
    by_action: dict[Keys, list[Turn]] = {}
    for turn in ranked:
        by_action.setdefault(turn.answers[0].keys, []).append(turn)
    return [turn for some in zip_longest(*by_action.values()) for turn in some if turn is not None]


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the best turn of a narrower search."""
    tip: State = _turns(state, seat, NARROW)[0].tip
    return tip


def rest(state: State, seat: Seat) -> State:
    """Return a turn without thinking: fish for the scarcer resource."""
    question = question_to(GAME, state, seat)
    if question is None or question.kind != "take_action":
        return policy(state, seat, NO_CHANCE)
    side = state.sides[seat]
    fished: State = GAME.apply(
        state, Answer(seat, question.kind, (FISH if side.fish <= side.shells else SHELL,)), ignore
    )
    return fished


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    temperature=0.5,
    effort=Effort(candidates=10, samples=(1, 1, 2), laps=4, watched=3),
    # On the smaller side of the map players do get in each other's way: all of them are thought
    # through, less far.
    efforts={
        2: Effort(candidates=10, samples=(1, 2, 4), laps=4),
        3: Effort(candidates=10, samples=(1, 2, 4), laps=2),
    },
    rest=rest,
)
