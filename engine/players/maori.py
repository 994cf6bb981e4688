"""The computer player's knowledge of Maori.

Islands are straight, so a board is the sum of its rows and columns, and a tile changes one of each:
a line is valued once and cached. An island that is still open is worth what it would score times
the chance that its ends are found, less the tiles that would be lost with it; the chance falls with
the turns that are left.

Numbers in capitals were tuned by playing; change them freely, and check with
`python -m tests.bench.players`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from engine.core.catalog import GAMES
from engine.core.decision import Seat
from engine.core.table import Table
from engine.maori.board import Board, board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, TRACK, sail_clockwise
from engine.maori.scoring import (
    ATOLL_FACTOR,
    HUT_POINTS,
    LEI_POINTS,
    PALM_POINTS,
    find_islands,
    score_board,
)
from engine.maori.state import Side, State
from engine.maori.steps import MoveDiscoverer, PlaceDiscoverer
from engine.maori.tiles import NO_TILE, TILES, VOLCANOES, Tile
from engine.players.mind import (
    Effect,
    Effort,
    Mind,
    Outlook,
    Parts,
    Turn,
    no_offers,
    turn_from_keys,
    walk_turns,
)
from engine.players.search import lead_of

GAME = GAMES["maori"]
NORTH, EAST, SOUTH, WEST = range(4)
END_CHANCES = (0.0, 0.15, 0.28, 0.40, 0.50, 0.56, 0.60, 0.63, 0.66)
"""The chance that the tile for an open end is found, by the turns that are left."""
HALF_LEI_CHANCE = 0.2
"""The chance that the half lei at an open end meets another one."""
LOST_TILE_VALUE = -1.0
"""A tile of an island that can no longer be completed."""
EMPTY_SPACE_VALUE = -2.0
"""An empty space: the point it costs, and a turn to fill it."""
LAST_EMPTY_SPACE_VALUE = -1.0
"""An empty space when there is no turn left to fill it."""
SHIP_VALUE = 0.8
"""A visible ship, for moving farther; it fades towards the end."""
SHELL_VALUE = 0.4
"""A shell, for moving farther; it fades towards the end."""
FADE_TURNS = 8
"""Turns left from which on ships and shells are worth less."""
MAJORITY_CHANCES = (0.08, 0.25, 0.5, 0.65, 0.8)
"""The chance to have the most ships or shells at the end, by how many a seat is ahead: -2 to 2."""
STORED_SHARE = 0.5
"""The share of a tile's best use that it is worth in storage."""
BERTH_VALUE = 0.3
"""An empty space that the small ship touches."""
MAX_BERTHS = 3
"""Empty spaces around the small ship that count."""
HEMMED_IN_VALUE = -1.5
"""A small ship that touches no empty space."""
MAX_SHIPS = 6
"""Visible ships that make journeys easier; more do not help."""
MAX_TURNS_LISTED = 40
"""Turns that are worth a thought."""
MAX_EQUAL_WAYS = 3
"""Ways to the same tile at the same price that are worth a look."""
STEP_TIE_BREAK = 0.001
"""What a step counts among ways that cost the same."""


class Line(Struct, frozen=True):
    """A row or column of a board, and the sides over which its islands continue."""

    spaces: tuple[int, ...]
    """Adjacent spaces one after the other; printed land ends a line."""
    back: int
    ahead: int

    def tiles_on(self, tiles: tuple[int, ...]) -> tuple[int, ...]:
        """Return the tiles on this line of a board."""
        return tuple([tiles[space] for space in self.spaces])


class Chart:
    """The lines of a board, and the value of what lies on them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.board = board = board_of(name)
        self.lines: list[Line] = []
        for back, ahead in ((WEST, EAST), (NORTH, SOUTH)):
            for space in board.by_index:
                if board.beside[space][back] < 0:
                    line = [space]
                    while (following := board.beside[line[-1]][ahead]) >= 0:
                        line.append(following)
                    self.lines.append(Line(tuple(line), back, ahead))
        self.lines_through = {
            space: tuple(line for line in self.lines if space in line.spaces)
            for space in board.by_index
        }

    def value_board(self, tiles: tuple[int, ...], turns: int) -> tuple[float, float]:
        """Return the value of all islands: palms with huts, and leis."""
        palms = 0.0
        leis = 0.0
        for line in self.lines:
            line_palms, line_leis = value_islands(
                line, line.tiles_on(tiles), turns, self.board.inside
            )
            palms += line_palms
            leis += line_leis
        return palms, leis

    def value_change(self, tiles: tuple[int, ...], turns: int, space: int, tile: int) -> float:
        """Return how a tile on a space, or NO_TILE, changes the value of the islands."""
        inside = self.board.inside
        change = 0.0
        for line in self.lines_through[space]:
            before = line.tiles_on(tiles)
            index = line.spaces.index(space)
            after = (*before[:index], tile, *before[index + 1 :])
            value_after = sum(value_islands(line, after, turns, inside))
            value_before = sum(value_islands(line, before, turns, inside))
            change += value_after - value_before
        return change

    def value_stored(self, side: Side, turns: int, tile: int) -> float:
        """Return the value of a tile in storage: a share of the best use that it could have."""
        changes = value_placements(self.name, side.tiles, turns, tile)
        best = max(changes.values(), default=0.0)
        return STORED_SHARE * max(0.0, best - 1)

    def open_ends(self, tiles: tuple[int, ...]) -> set[int]:
        """Return the empty spaces at the open ends of islands."""
        found = set()
        for space in self.board.tiled_spaces(tiles):
            for side in TILES[tiles[space]].land:
                beyond = self.board.beside[space][side]
                if beyond >= 0 and tiles[beyond] == NO_TILE:
                    found.add(beyond)
        return found


@lru_cache(maxsize=4)
def chart_of(name: str) -> Chart:
    """Return the chart of a board."""
    return Chart(name)


# Cached: a look-ahead meets the same boards again and again with other tiles on offer. This made a
# strong turn 1.8 times faster.
@lru_cache(maxsize=8192)
def value_placements(
    name: str, tiles: tuple[int, ...], turns: int, tile: int
) -> Mapping[int, float]:
    """Return, by empty space, how a tile there would change the value of the islands."""
    chart = chart_of(name)
    return {
        space: chart.value_change(tiles, turns, space, tile)
        for space in chart.board.empty_spaces(tiles)
    }


# Cached: a turn changes two lines of a board, so most lines are valued again and again.
@lru_cache(maxsize=16384)
def value_islands(
    line: Line, tiles: tuple[int, ...], turns: int, inside: frozenset[int]
) -> tuple[float, float]:
    """Return the value of the islands on a line: palms less lost tiles, and leis."""
    palms_value = 0.0
    leis_value = 0.0
    end_chance = END_CHANCES[turns]
    back, ahead = line.back, line.ahead
    size = len(tiles)
    index = 0
    while index < size:
        tile = TILES[tiles[index]]
        # A single island lies on a row and on a column; it is counted with its row.
        if tile.kind == "single" and back == WEST:
            palms_value += tile.palms * palm_factor([tile], line.spaces[index] in inside)
        if back not in tile.land and ahead not in tile.land:
            index += 1
            continue
        start = index
        while (
            index + 1 < size
            and ahead in TILES[tiles[index]].land
            and back in TILES[tiles[index + 1]].land
        ):
            index += 1
        island = [TILES[number] for number in tiles[start : index + 1]]
        open_ends = 0
        half_leis = 0
        is_dead = False
        first_end = (island[0], start - 1, back)
        last_end = (island[-1], index + 1, ahead)
        for end, beyond, side in (first_end, last_end):
            if side in end.land:
                if 0 <= beyond < size and tiles[beyond] == NO_TILE:
                    open_ends += 1
                    half_leis += end.lei == side
                else:
                    is_dead = True
        index += 1
        if is_dead or (open_ends and not end_chance):
            palms_value += LOST_TILE_VALUE * len(island)
            continue
        is_doubled = all(space in inside for space in line.spaces[start:index])
        factor = palm_factor(island, is_doubled)
        palms = factor * sum(one.palms for one in island)
        leis = sum(one.lei == ahead and other.lei == back for one, other in pairwise(island))
        # Each tile that closes an open end brings about one palm more.
        chance = end_chance**open_ends
        palms_value += chance * (palms + open_ends * factor) - (1 - chance) * len(island)
        leis_value += chance * LEI_POINTS * (leis + HALF_LEI_CHANCE * half_leis)
    return palms_value, leis_value


def palm_factor(island: list[Tile], is_inside: bool) -> int:
    """Return the points of each palm on an island: more with a hut, double in the atoll."""
    points = HUT_POINTS if any(tile.hut for tile in island) else PALM_POINTS
    return points * (ATOLL_FACTOR if is_inside else 1)


def turns_left(state: State, seat: Seat, filling: int = 0) -> int:
    """Estimate the turns left after the seat has filled this many more spaces."""
    if state.reason:
        return 0
    # Once somebody has filled their board, each other seat has one last turn.
    if state.filled is not None:
        return 1 if seat in state.to_come and not filling else 0
    board = state.board
    empty = [len(board.empty_spaces(side.tiles)) for side in state.sides]
    own = empty.pop(seat) - filling
    return max(0, min(own, min(empty) + 1, len(END_CHANCES) - 1))


def most_of_others(counts: Sequence[int], seat: Seat) -> int:
    """Return the most that any other seat has."""
    return max(count for other, count in enumerate(counts) if other != seat)


def value_majority(own: int, most: int) -> float:
    """Return the chance to have the most at the end, times the points for it.

    `most` is what the best of the others has.
    """
    ahead = max(-2, min(2, own - most))
    return MAJORITY_CHANCES[ahead + 2] * own


def value_berth(board: Board, tiles: tuple[int, ...], ship: int) -> float:
    """Return the value of a space for the small ship: it needs empty spaces around it."""
    berths = sum(tiles[space] == NO_TILE for space in board.touching[ship])
    return BERTH_VALUE * min(berths, MAX_BERTHS) if berths else HEMMED_IN_VALUE


def value_empty_space(turns: int) -> float:
    """Return the value of an empty space, by the turns that are left."""
    return EMPTY_SPACE_VALUE if turns > 1 else LAST_EMPTY_SPACE_VALUE


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate each seat's final points, by their parts."""
    if state.rows:
        return tuple(
            {
                "islands": row.palms + row.huts,
                "leis": row.leis,
                "ships": row.ships,
                "shells": row.shells,
                "empty": row.empty,
            }
            for row in state.rows
        )
    chart = chart_of(state.board_name)
    board = state.board
    ships = [score_board(board, side.tiles).ships for side in state.sides]
    shells = [side.shells for side in state.sides]
    parts = []
    for number, side in enumerate(state.sides):
        seat = Seat(number)
        left = turns_left(state, seat)
        fade = left / FADE_TURNS
        palms, leis = chart.value_board(side.tiles, left)
        berth = value_berth(board, side.tiles, side.ship) if side.is_ship_placed else 0.0
        stored = 0.0
        if side.stored and left:
            stored = chart.value_stored(side, left, side.stored)
        visible_ships = min(board.count_ships(side.tiles), MAX_SHIPS)
        parts.append(
            {
                "islands": palms + stored,
                "leis": leis,
                "ships": value_majority(ships[seat], most_of_others(ships, seat))
                + fade * (SHIP_VALUE * visible_ships + berth),
                "shells": value_majority(side.shells, most_of_others(shells, seat))
                + SHELL_VALUE * fade * side.shells,
                "empty": value_empty_space(left) * len(board.empty_spaces(side.tiles)),
            }
        )
    return tuple(parts)


class Plan(Struct, frozen=True):
    """A turn in short: its value, and the keys of its answers."""

    value: float
    keys: tuple[str, ...]


class Planner:
    """All sensible turns of a seat in a position, with their values.

    Whatever is the same for all turns is computed once. Placing a tile leaves one space less to
    fill, and so perhaps fewer turns: such turns are valued by `left_after`.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.seat = seat
        self.chart = chart_of(state.board_name)
        self.board = state.board
        self.side = state.sides[seat]
        is_last_round = state.filled is not None
        self.left = 0 if is_last_round else turns_left(state, seat)
        self.left_after = 0 if is_last_round else turns_left(state, seat, filling=1)
        tiles = self.side.tiles
        empty = len(self.board.empty_spaces(tiles))
        self.visible_ships = self.board.count_ships(tiles)
        ships = [score_board(self.board, other.tiles).ships for other in state.sides]
        self.ships = ships[seat]
        self.most_ships = most_of_others(ships, seat)
        self.most_shells = most_of_others([other.shells for other in state.sides], seat)
        self.fares = {
            space: fare
            for space, fare in state.find_fares(seat).items()
            if fare <= self.side.shells
        }
        board_after = sum(self.chart.value_board(tiles, self.left_after))
        self.placing_value = board_after + value_empty_space(self.left_after) * (empty - 1)
        """The value of the board without the tile that is about to be placed."""
        board_now = sum(self.chart.value_board(tiles, self.left))
        self.resting_value = board_now + value_empty_space(self.left) * empty
        self.resting_value += self.value_ships(0, self.left)
        """The value of the board if no tile is placed."""
        fade = self.left_after / FADE_TURNS
        # The small ship, if there is one, sails to the new tile.
        has_ship = state.rules == "pro" or self.side.is_ship_placed
        self.berths = {
            space: fade * value_berth(self.board, tiles, space) if has_ship else 0.0
            for space in self.fares
        }
        self._placements: dict[int, list[tuple[float, int, int]]] = {}

    def plans(self) -> list[Plan]:
        """Return every sensible turn, the best first."""
        plans = [*self.matrix_plans(), *self.storage_plans(), *self.removal_plans()]
        doing_nothing = self.resting_value + self.value_shells(self.side.shells, self.left)
        plans.append(Plan(doing_nothing, (self.next_stop, "nothing")))
        return sorted(plans, key=lambda plan: (-plan.value, plan.keys))

    def value_shells(self, shells: int, left: int) -> float:
        """Return what this many shells are worth to the seat."""
        return value_majority(shells, self.most_shells) + SHELL_VALUE * left / FADE_TURNS * shells

    def value_ships(self, change: int, left: int) -> float:
        """Return what the visible ships are worth to the seat, with some more or fewer."""
        majority = value_majority(self.ships + change, self.most_ships)
        visible_ships = min(self.visible_ships + change, MAX_SHIPS)
        return majority + SHIP_VALUE * left / FADE_TURNS * visible_ships

    @property
    def next_stop(self) -> str:
        """The discoverer's nearest stop: it must move at least one step."""
        return POSITIONS[sail_clockwise(self.state.discoverer, 1)]

    def placements(self, number: int) -> list[tuple[float, int, int]]:
        """Return the value, the space and the cost in shells of each place for a tile.

        A negative cost is a gain: the tile itself may bring shells.
        """
        if number not in self._placements:
            tile = TILES[number]
            tiles = self.side.tiles
            changes = value_placements(self.state.board_name, tiles, self.left_after, number)
            found = []
            for space, fare in self.fares.items():
                value = self.placing_value + changes[space]
                ship_change = tile.ships - self.board.by_index[space].ship
                value += self.value_ships(ship_change, self.left_after)
                value += self.berths[space]
                gained = min(tile.shells, self.state.bank + fare)
                found.append((value, space, fare - gained))
            self._placements[number] = sorted(found, reverse=True)
        return self._placements[number]

    def matrix_plans(self) -> Iterator[Plan]:
        """Yield turns that take a tile, by the cheapest way and a few that cost the same."""
        shells = self.side.shells
        seen: dict[tuple[str, int], int] = {}
        for steps in range(1, min(TRACK, self.visible_ships + shells) + 1):
            position = sail_clockwise(self.state.discoverer, steps)
            for cell, number, price in cells_on_offer(self.state, position):
                key = CELLS[cell]
                cost = price + max(0, steps - self.visible_ships)
                times = seen.get((key, cost), 0)
                is_cheaper_elsewhere = any((key, less) in seen for less in range(cost))
                if cost > shells or times >= MAX_EQUAL_WAYS or is_cheaper_elsewhere:
                    continue
                seen[key, cost] = times + 1
                # Of ways that cost the same the shortest comes first; a look-ahead finds out which
                # of them leaves least for the others.
                keys = (POSITIONS[position], key)
                tie_break = -STEP_TIE_BREAK * steps
                for placing, space, net in self.placements(number):
                    if cost + self.fares[space] <= shells:
                        value = placing + self.value_shells(shells - cost - net, self.left_after)
                        yield Plan(value + tie_break, (*keys, self.board.code(space)))
                if self.side.stored == NO_TILE and self.left:
                    stored = self.chart.value_stored(self.side, self.left, number)
                    value = self.resting_value + stored
                    value += self.value_shells(shells - cost, self.left)
                    yield Plan(value + tie_break, (*keys, "store"))

    def storage_plans(self) -> Iterator[Plan]:
        """Yield turns that place the stored tile."""
        if self.side.stored == NO_TILE:
            return
        for placing, space, net in self.placements(self.side.stored):
            value = placing + self.value_shells(self.side.shells - net, self.left_after)
            yield Plan(value, (self.next_stop, "stored", self.board.code(space)))

    def removal_plans(self) -> Iterator[Plan]:
        """Yield turns that remove a tile from the board."""
        tiles = self.side.tiles
        for space in self.state.removable_spaces(self.seat):
            change = self.chart.value_change(tiles, self.left, space, NO_TILE)
            change += value_empty_space(self.left)
            change -= SHIP_VALUE * self.left / FADE_TURNS * TILES[tiles[space]].ships
            value = self.resting_value + change + self.value_shells(self.side.shells, self.left)
            yield Plan(value, (self.next_stop, "remove", self.board.code(space)))


def cells_on_offer(state: State, position: int) -> Iterator[tuple[int, int, int]]:
    """Yield the cells that can be taken from a position, with their tiles and price in shells.

    The first tile is free, and each tile before one costs a shell; a volcano blocks the way.
    """
    price = 0
    for cell in LINES[position]:
        number = state.matrix[cell]
        if number in VOLCANOES:
            return
        if number != NO_TILE:
            yield cell, number, price
            price += 1


def add_ship_move(state: State, seat: Seat, plan: Plan) -> tuple[str, ...]:
    """Return the plan's keys, in the advanced rules with a move of the small ship.

    It goes where it has the most room, and if possible next to open ends of islands.
    """
    if state.rules != "advanced":
        return plan.keys
    board = state.board
    side = state.sides[seat]
    tiles = list(side.tiles)
    act = plan.keys[1]
    ship = side.ship
    if act == "remove":
        tiles[board.by_code[plan.keys[2]].index] = NO_TILE
    elif act != "nothing" and plan.keys[2] != "store":
        space = board.by_code[plan.keys[2]].index
        tiles[space] = side.stored if act == "stored" else state.matrix[CELLS.index(act)]
        ship = board.find_landing(side.tiles, side.ship, space)[0] if side.is_ship_placed else space
    open_ends = chart_of(state.board_name).open_ends(tuple(tiles))

    def rate(space: int) -> tuple[float, bool, int]:
        near = [other for other in board.touching[space] if tiles[other] == NO_TILE]
        room = min(len(near), 4) + 1.5 * sum(other in open_ends for other in near)
        # Of equal spaces it stays where it is, or goes to the first.
        return room, space == ship, -space

    best = max(board.tiled_spaces(tiles), key=rate, default=ship)
    return (*plan.keys, "stay" if best == ship else board.code(best))


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the best turns; at the start, every place for the discoverer."""
    step = state.agenda[-1]
    if isinstance(step, PlaceDiscoverer):
        return rank_openings(state, seat)
    if not isinstance(step, MoveDiscoverer):
        return rank_endings(state, seat)
    found = []
    for plan in Planner(state, seat).plans()[:MAX_TURNS_LISTED]:
        keys = add_ship_move(state, seat, plan)
        found.append(turn_from_keys(GAME, state, seat, keys, plan.value))
    return found


def rank_endings(state: State, seat: Seat) -> list[Turn]:
    """Return the best ways to finish a turn in which the discoverer has already moved."""
    found = []
    for turn in walk_turns(GAME, state, seat):
        value = lead_of(estimate(turn.tip), seat)
        found.append(Turn(turn.answers, turn.tip, value))
    found.sort(key=lambda turn: -turn.value)
    # Turns that differ only in where the small ship goes would crowd out all others.
    best: dict[tuple[tuple[str, ...], ...], Turn] = {}
    for turn in found:
        acts = [answer.keys for answer in turn.answers if answer.kind != "move_ship"]
        best.setdefault(tuple(acts), turn)
    return list(best.values())[:MAX_TURNS_LISTED] if len(best) > 1 else found[:MAX_TURNS_LISTED]


def rank_openings(state: State, seat: Seat) -> list[Turn]:
    """Return the places for the discoverer, those first that give the first player the least."""
    found = []
    for code in POSITIONS:
        opening = turn_from_keys(GAME, state, seat, (code,))
        begun = GAME.advance(opening.tip, Table("opening"))
        best_reply = Planner(begun, state.left_of(seat)).plans()[0]
        found.append(Turn(opening.answers, opening.tip, -best_reply.value))
    return sorted(found, key=lambda turn: -turn.value)


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the state after the best turn of the list."""
    if isinstance(state.agenda[-1], PlaceDiscoverer):
        opened: State = rank_openings(state, seat)[0].tip
        return opened
    plan = Planner(state, seat).plans()[0]
    after: State = turn_from_keys(GAME, state, seat, add_ship_move(state, seat, plan)).tip
    return after


def effects(before: State, after: State, seat: Seat) -> list[Effect]:
    """Return what a turn does on the seat's board, and what it brings in shells."""
    if before.discoverer < 0:
        # Placing the discoverer brings nothing itself, whichever points it is expected to gain.
        return [Effect(part, "opening") for part in ("islands", "leis", "ships", "shells", "empty")]
    board = before.board
    was = before.sides[seat]
    now = after.sides[seat]
    found: list[Effect] = []
    old = find_islands(board, was.tiles)
    new = find_islands(board, now.tiles)
    leis, more_leis = (
        sum(len(island.leis) for island in islands if island.complete) for islands in (old, new)
    )
    if more_leis > leis:
        found.append(Effect("leis", "lei", (("number", more_leis - leis),)))
    for island in new:
        if island in old:
            continue
        if island.complete and len(island.spaces) > 1:
            found.append(Effect("islands", "complete", (("points", island.palm_points),)))
        elif island.complete and island.palms:
            found.append(Effect("islands", "single", (("points", island.palm_points),)))
        elif not island.complete and len(island.spaces) > 1:
            found.append(Effect("islands", "extend", (("number", island.palms),)))
    ships, more_ships = (board.count_ships(side.tiles) for side in (was, now))
    if more_ships > ships:
        found.append(Effect("ships", "ship", (("number", more_ships - ships),)))
    empty, still_empty = (len(board.empty_spaces(side.tiles)) for side in (was, now))
    if now.stored != was.stored and still_empty == empty:
        found.append(Effect("islands", "store"))
    elif still_empty > empty:
        found.append(Effect("islands", "remove"))
    if now.shells > was.shells:
        found.append(Effect("shells", "shells", (("number", now.shells - was.shells),)))
    elif now.shells == was.shells:
        found.append(Effect("shells", "free"))
    if still_empty < empty:
        found.append(Effect("empty", "fill"))
    return found


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    outlooks={
        "first_steps": Outlook(attention=0.15, foresight=0.1, temperature=1.2),
        "easy": Outlook(attention=0.35, foresight=0.25, temperature=1.5),
        "steady": Outlook(foresight=0.4),
    },
    effort=Effort(candidates=16, samples=(4, 4, 8, 16), extra_turns=1),
    # In a crowd the matrix changes so much until the next own turn that one more round says more
    # than more samples.
    efforts={
        4: Effort(candidates=16, samples=(2, 4, 6, 12), laps=2, extra_turns=1),
        5: Effort(candidates=16, samples=(2, 4, 4, 8), laps=2, extra_turns=1),
    },
    chance_weights=(0.13, 0.15, 0.28),
    tastes={
        "raider": {"ships": 2.0},
        "gardener": {"islands": 1.3},
        "trader": {"shells": 2.2},
        "hermit": {"leis": 1.8},
    },
    effects=effects,
)
