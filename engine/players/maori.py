"""What makes a player good at Maori.

Islands are straight, so a board is the sum of its rows and columns, and a tile changes one of each: a line is judged
once and kept. An island that is still open is worth what it would score times the chance that its ends are found, less
the tiles that would be lost with it; the chance falls with the turns that are left.
"""

from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from engine.core.catalog import GAMES
from engine.core.decision import Seat
from engine.core.table import Table
from engine.maori.board import Board, board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, sailed
from engine.maori.scoring import ATOLL_FACTOR, HUT_POINTS, LEI_POINTS, PALM_POINTS, standing
from engine.maori.state import Side, State
from engine.maori.steps import PlaceDiscoverer
from engine.maori.tiles import NO_TILE, TILES, VOLCANOES
from engine.players.mind import Effort, Mind, Parts, Turn, no_offers, turn_of

GAME = GAMES["maori"]
FOUND = (0.0, 0.15, 0.28, 0.40, 0.50, 0.56, 0.60, 0.63, 0.66)
"""The chance that the tile for an open end is found, by the turns that are left."""
HALF_LEI = 0.2
"""The chance that the half lei at an open end is met by another."""
DEAD = -1.0
"""A tile of an island that can no more be completed."""
EMPTY = -2.0
"""An empty space: the point it costs, and a turn to fill it."""
SHIP, SHELL = 0.8, 0.4
"""What a ship in sight and a shell are worth for moving on, fading towards the end."""
FULL = 8
"""So many turns are enough for both to be worth all of that."""
MOST = (0.08, 0.25, 0.5, 0.65, 0.8)
"""The chance to have most ships or shells in the end, by how many one is behind or ahead, -2 to 2."""
STORED = 0.5
"""The share that a stored tile is worth of what it would bring on the board."""
BERTH, BERTHS = 0.3, 3
"""For each empty space that the small ship touches, up to so many."""
ALTERNATIVES = 3
"""So many ways for the discoverer to the same tile at the same price are worth a look."""


class Line(Struct, frozen=True):
    """A row or a column of a board and the sides over which its islands go on."""

    spaces: tuple[int, ...]
    """Neighbours one after the other; printed land ends a line."""
    back: int
    ahead: int


class Chart:
    """The lines of a board, and for each space those that it lies in."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.lines: list[Line] = []
        for back, ahead in ((3, 1), (0, 2)):
            for space in board.by_index:
                if board.beside[space][back] < 0:
                    line = [space]
                    while (following := board.beside[line[-1]][ahead]) >= 0:
                        line.append(following)
                    self.lines.append(Line(tuple(line), back, ahead))
        self.of = {space: tuple(line for line in self.lines if space in line.spaces) for space in board.by_index}


@lru_cache(maxsize=4)
def chart_of(name: str) -> Chart:
    """The chart of a board."""
    return Chart(board_of(name))


def _in_line(line: Line, tiles: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([tiles[space] for space in line.spaces])


@lru_cache(maxsize=100_000)
def _islands_worth(line: Line, tiles: tuple[int, ...], turns: int, inside: frozenset[int]) -> tuple[float, float]:
    """What the islands along a line are worth: their palms, less tiles that will be lost, and their leis."""
    palms_worth = leis_worth = 0.0
    found = FOUND[turns]
    back, ahead = line.back, line.ahead
    place, size = 0, len(tiles)
    while place < size:
        tile = TILES[tiles[place]]
        if tile.kind == "single" and back == 3:
            # A single island is counted with its row.
            factor = (HUT_POINTS if tile.hut else PALM_POINTS) * (ATOLL_FACTOR if line.spaces[place] in inside else 1)
            palms_worth += tile.palms * factor
        if not (back in tile.land or ahead in tile.land):
            place += 1
            continue
        start = place
        while place + 1 < size and ahead in TILES[tiles[place]].land and back in TILES[tiles[place + 1]].land:
            place += 1
        island = [TILES[number] for number in tiles[start : place + 1]]
        count = len(island)
        open_ends, half_leis, is_dead = 0, 0, False
        for end, beyond, side in ((island[0], start - 1, back), (island[-1], place + 1, ahead)):
            if side in end.land:
                if 0 <= beyond < size and tiles[beyond] == NO_TILE:
                    open_ends += 1
                    half_leis += end.lei == side
                else:
                    is_dead = True
        place += 1
        if is_dead or (open_ends and not found):
            palms_worth += DEAD * count
            continue
        doubled = all(space in inside for space in line.spaces[start:place])
        factor = (HUT_POINTS if any(one.hut for one in island) else PALM_POINTS) * (ATOLL_FACTOR if doubled else 1)
        worth = factor * sum(one.palms for one in island)
        leis = sum(one.lei == ahead and other.lei == back for one, other in pairwise(island))
        # What an open end brings grows the island: a palm or more comes with each.
        chance = found**open_ends
        palms_worth += chance * (worth + open_ends * factor) - (1 - chance) * count
        leis_worth += chance * LEI_POINTS * (leis + HALF_LEI * half_leis)
    return palms_worth, leis_worth


def _board_worth(chart: Chart, tiles: tuple[int, ...], turns: int) -> tuple[float, float]:
    inside = chart.board.inside
    palms = leis = 0.0
    for line in chart.lines:
        more = _islands_worth(line, _in_line(line, tiles), turns, inside)
        palms += more[0]
        leis += more[1]
    return palms, leis


def _change(chart: Chart, tiles: tuple[int, ...], turns: int, space: int, tile: int) -> float:
    """What a tile on a space, or none, makes of the islands there."""
    inside, worth = chart.board.inside, 0.0
    for line in chart.of[space]:
        before = _in_line(line, tiles)
        place = line.spaces.index(space)
        after = (*before[:place], tile, *before[place + 1 :])
        worth += sum(_islands_worth(line, after, turns, inside)) - sum(_islands_worth(line, before, turns, inside))
    return worth


def _turns_left(state: State, seat: Seat, filling: int = 0) -> int:
    """How many turns the seat may still have, after it has filled so many more spaces."""
    if state.reason:
        return 0
    if state.filled is not None:
        return 1 if seat in state.to_come and not filling else 0
    board = state.board
    empty = [len(board.empty(side.tiles)) for side in state.sides]
    own = empty.pop(seat) - filling
    return max(0, min(own, min(empty) + 1, len(FOUND) - 1))


def _hold(counts: list[int], seat: Seat) -> float:
    """The chance to have most in the end, times what that is worth."""
    most = max(count for other, count in enumerate(counts) if other != seat)
    return MOST[max(-2, min(2, counts[seat] - most)) + 2] * counts[seat]


def _berth(board: Board, side: Side) -> float:
    """How well the small ship stands: what matters is room around it."""
    if not side.is_ship_placed:
        return 0.0
    room = sum(side.tiles[space] == NO_TILE for space in board.touching[side.ship])
    return BERTH * min(room, BERTHS) - (1.5 if not room else 0.0)


def estimate(state: State) -> tuple[Parts, ...]:
    """What every board is worth in the end."""
    if state.rows:
        return tuple(
            {"islands": row.palms + row.huts, "leis": row.leis, "ships": row.ships, "shells": row.shells}
            | {"empty": row.empty}
            for row in state.rows
        )
    chart, board = chart_of(state.board_name), state.board
    ships = [standing(board, side.tiles).ships for side in state.sides]
    shells = [side.shells for side in state.sides]
    parts = []
    for number, side in enumerate(state.sides):
        seat = Seat(number)
        left = _turns_left(state, seat)
        fade = left / FULL
        palms, leis = _board_worth(chart, side.tiles, left)
        stored = 0.0
        if side.stored and left:
            stored = STORED * max(0.0, _best_change(chart, side, left, side.stored) - 1)
        parts.append(
            {
                "islands": palms + stored,
                "leis": leis,
                "ships": _hold(ships, seat)
                + SHIP * fade * min(board.ships(side.tiles), 6)
                + _berth(board, side) * fade,
                "shells": _hold(shells, seat) + SHELL * fade * side.shells,
                "empty": _empty_worth(left) * len(board.empty(side.tiles)),
            }
        )
    return tuple(parts)


def _empty_worth(left: int) -> float:
    return EMPTY if left > 1 else -1.0


def _best_change(chart: Chart, side: Side, turns: int, tile: int) -> float:
    empty = chart.board.empty(side.tiles)
    return max((_change(chart, side.tiles, turns, space, tile) for space in empty), default=0.0)


class Plan(Struct, frozen=True):
    """A turn in short: where the discoverer goes and what is done there."""

    value: float
    keys: tuple[str, ...]


def _plans(state: State, seat: Seat) -> list[Plan]:
    """Every sensible turn, the best first; of the ways to one tile the cheapest."""
    chart, board, side = chart_of(state.board_name), state.board, state.sides[seat]
    ships_now, shells = board.ships(side.tiles), side.shells
    left, left_after = _turns_left(state, seat, 0), _turns_left(state, seat, 1)
    if state.filled is not None:
        left = left_after = 0
    fade, fade_after = left / FULL, left_after / FULL
    here = sum(_board_worth(chart, side.tiles, left)) + _empty_worth(left) * len(board.empty(side.tiles))
    there = sum(_board_worth(chart, side.tiles, left_after)) + _empty_worth(left_after) * (
        len(board.empty(side.tiles)) - 1
    )
    ships = [standing(board, other.tiles).ships for other in state.sides]
    held = [other.shells for other in state.sides]
    fares = {space: fare for space, fare in state.fares(seat).items() if fare <= shells}

    def kept(count: int, fading: float) -> float:
        """What so many shells are worth."""
        now = [*held[:seat], count, *held[seat + 1 :]]
        return _hold(now, seat) + SHELL * fading * count

    shell_worth = [(kept(count, fade), kept(count, fade_after)) for count in range(shells + 4)]
    ship_worth = [
        _hold([*ships[:seat], ships[seat] + more, *ships[seat + 1 :]], seat)
        + SHIP * fade_after * min(ships_now + more, 6)
        for more in range(-1, 3)
    ]
    stay = _hold(ships, seat) + SHIP * fade * min(ships_now, 6)
    spots: dict[int, list[tuple[float, int, int]]] = {}

    def placings(number: int) -> list[tuple[float, int, int]]:
        """For a tile: what each space makes of it, the fare apart."""
        if number not in spots:
            tile, found = TILES[number], []
            for space, fare in fares.items():
                gained = min(tile.shells, state.bank + fare)
                covered = board.by_index[space].ship
                worth = there + _change(chart, side.tiles, left_after, space, number)
                worth += ship_worth[1 + tile.ships - covered]
                if state.rules == "pro" or side.is_ship_placed:
                    room = sum(side.tiles[near] == NO_TILE for near in board.touching[space])
                    worth += fade_after * (BERTH * min(room, BERTHS) - (1.5 if not room else 0.0))
                found.append((worth, space, fare - gained))
            found.sort(reverse=True)
            spots[number] = found
        return spots[number]

    plans: list[Plan] = []
    seen: dict[tuple[str, int], int] = {}
    reach = min(TRACK, ships_now + shells)
    first_stop = POSITIONS[sailed(state.discoverer, 1)]
    for steps in range(1, reach + 1):
        position = sailed(state.discoverer, steps)
        paid = max(0, steps - ships_now)
        price = 0
        for cell in LINES[position]:
            number = state.matrix[cell]
            if number in VOLCANOES:
                break
            if number == NO_TILE:
                continue
            cost = paid + price
            price += 1
            if cost > shells:
                break
            times = seen.get((CELLS[cell], cost), 0)
            if times >= ALTERNATIVES or any((CELLS[cell], less) in seen for less in range(cost)):
                continue
            seen[CELLS[cell], cost] = times + 1
            code = POSITIONS[position]
            # Of ways that cost the same a short one is as good as any: the look-ahead decides what to leave to others.
            tie = -0.001 * steps
            for worth, space, net in placings(number):
                fare = fares[space]
                if cost + fare <= shells:
                    value = worth + shell_worth[max(0, shells - cost - net)][1] + tie
                    plans.append(Plan(value, (code, CELLS[cell], board.code(space))))
            if side.stored == NO_TILE and left:
                hope = STORED * max(0.0, _best_change(chart, side, left, number) - 1)
                value = here + stay + shell_worth[shells - cost][0] + hope + tie
                plans.append(Plan(value, (code, CELLS[cell], "store")))
    if side.stored != NO_TILE:
        for worth, space, net in placings(side.stored):
            value = worth + shell_worth[max(0, shells - net)][1]
            plans.append(Plan(value, (first_stop, "stored", board.code(space))))
    for space in state.removable(seat):
        worth = here + _change(chart, side.tiles, left, space, NO_TILE) + _empty_worth(left)
        lost = TILES[side.tiles[space]].ships
        plans.append(
            Plan(worth + stay - SHIP * fade * lost + shell_worth[shells][0], (first_stop, "remove", board.code(space)))
        )
    plans.append(Plan(here + stay + shell_worth[shells][0], (first_stop, "nothing")))
    plans.sort(key=lambda plan: (-plan.value, plan.keys))
    return plans


def _with_ship(state: State, seat: Seat, plan: Plan) -> tuple[str, ...]:
    """In the advanced rules the small ship goes where it has most room, next to what was just placed if it can."""
    if state.rules != "advanced":
        return plan.keys
    board, side = state.board, state.sides[seat]
    tiles = list(side.tiles)
    act = plan.keys[1]
    ship = side.ship
    if act == "remove":
        tiles[board.by_code[plan.keys[2]].index] = NO_TILE
    elif act != "nothing" and plan.keys[2] != "store":
        space = board.by_code[plan.keys[2]].index
        number = side.stored if act == "stored" else state.matrix[CELLS.index(act)]
        tiles[space] = number
        ship = board.landing(side.tiles, side.ship, space)[0] if side.is_ship_placed else space
    chart = chart_of(state.board_name)
    wanted = _wanted(chart, tuple(tiles))

    def room(space: int) -> float:
        near = [other for other in board.touching[space] if tiles[other] == NO_TILE]
        return min(len(near), 4) + 1.5 * sum(other in wanted for other in near)

    best = max(board.tiled(tiles), key=lambda space: (room(space), space == ship, -space), default=ship)
    return (*plan.keys, "stay" if best == ship else board.code(best))


def _wanted(chart: Chart, tiles: tuple[int, ...]) -> set[int]:
    """The empty spaces at the open ends of islands."""
    wanted = set()
    for space in chart.board.tiled(tiles):
        for side in TILES[tiles[space]].land:
            beyond = chart.board.beside[space][side]
            if beyond >= 0 and tiles[beyond] == NO_TILE:
                wanted.add(beyond)
    return wanted


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """The best turns; in the opening, every place for the discoverer."""
    if isinstance(state.agenda[-1], PlaceDiscoverer):
        return _openings(state, seat)
    return [turn_of(GAME, state, seat, _with_ship(state, seat, plan), plan.value) for plan in _plans(state, seat)[:40]]


def _openings(state: State, seat: Seat) -> list[Turn]:
    """The discoverer is placed where the seat that begins can do least."""
    found = []
    for code in POSITIONS:
        opening = turn_of(GAME, state, seat, (code,))
        begun = GAME.advance(opening.tip, Table("opening"))
        found.append(Turn(opening.answers, opening.tip, -_plans(begun, state.left_of(seat))[0].value))
    return sorted(found, key=lambda turn: -turn.value)


def policy(state: State, seat: Seat, table: Table) -> State:
    """The best turn of the list."""
    if isinstance(state.agenda[-1], PlaceDiscoverer):
        tip: State = _openings(state, seat)[0].tip
        return tip
    plan = _plans(state, seat)[0]
    after: State = turn_of(GAME, state, seat, _with_ship(state, seat, plan)).tip
    return after


MIND = Mind(
    turns, estimate, policy, no_offers, temperature=2.0, effort=Effort(candidates=12, samples=(1, 1, 2, 4), extra=1)
)
