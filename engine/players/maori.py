"""What makes a player good at Maori.

Islands are straight, so a board is the sum of its rows and columns, and a tile changes one of each:
a line is judged once and kept. An island that is still open is worth what it would score times the
chance that its ends are found, less the tiles that would be lost with it; the chance falls with the
turns that are left.
"""

from collections.abc import Iterator
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
"""Turns left from which on both count in full."""
MOST = (0.08, 0.25, 0.5, 0.65, 0.8)
"""The chance to have most ships or shells in the end, by how many one is behind or ahead, -2 to
2.
"""
STORED = 0.5
"""The share that a stored tile is worth of what it would bring on the board."""
BERTH, BERTHS, HEMMED_IN = 0.3, 3, -1.5
"""Value per empty space that the small ship touches, the most that count, and of none."""
MANY_SHIPS = 6
"""More ships in sight than this make no journey easier."""
LISTED = 40
"""Turns that are worth a thought."""
ALTERNATIVES = 3
"""Ways to the same tile at the same price that are worth a look."""


class Line(Struct, frozen=True):
    """A row or column of a board, and the sides over which its islands continue."""

    spaces: tuple[int, ...]
    """Neighbours one after the other; printed land ends a line."""
    back: int
    ahead: int


class Chart:
    """The lines of a board, and for each space the lines through it."""

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
        self.of = {
            space: tuple(line for line in self.lines if space in line.spaces)
            for space in board.by_index
        }


@lru_cache(maxsize=4)
def chart_of(name: str) -> Chart:
    """Return the chart of a board."""
    return Chart(board_of(name))


def _in_line(line: Line, tiles: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([tiles[space] for space in line.spaces])


@lru_cache(maxsize=16384)
def _islands_worth(
    line: Line, tiles: tuple[int, ...], turns: int, inside: frozenset[int]
) -> tuple[float, float]:
    """Return the value of the islands on a line: palms and leis, less tiles that will be lost."""
    palms_worth = leis_worth = 0.0
    found = FOUND[turns]
    back, ahead = line.back, line.ahead
    place, size = 0, len(tiles)
    while place < size:
        tile = TILES[tiles[place]]
        if tile.kind == "single" and back == 3:
            # A single island is counted with its row.
            factor = (HUT_POINTS if tile.hut else PALM_POINTS) * (
                ATOLL_FACTOR if line.spaces[place] in inside else 1
            )
            palms_worth += tile.palms * factor
        if not (back in tile.land or ahead in tile.land):
            place += 1
            continue
        start = place
        while (
            place + 1 < size
            and ahead in TILES[tiles[place]].land
            and back in TILES[tiles[place + 1]].land
        ):
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
        factor = (HUT_POINTS if any(one.hut for one in island) else PALM_POINTS) * (
            ATOLL_FACTOR if doubled else 1
        )
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
    """Return how a tile on a space, or none, changes the value of the islands there."""
    inside, worth = chart.board.inside, 0.0
    for line in chart.of[space]:
        before = _in_line(line, tiles)
        place = line.spaces.index(space)
        after = (*before[:place], tile, *before[place + 1 :])
        worth += sum(_islands_worth(line, after, turns, inside)) - sum(
            _islands_worth(line, before, turns, inside)
        )
    return worth


def _turns_left(state: State, seat: Seat, filling: int = 0) -> int:
    """Estimate the turns left after the seat has filled this many more spaces."""
    if state.reason:
        return 0
    if state.filled is not None:
        return 1 if seat in state.to_come and not filling else 0
    board = state.board
    empty = [len(board.empty(side.tiles)) for side in state.sides]
    own = empty.pop(seat) - filling
    return max(0, min(own, min(empty) + 1, len(FOUND) - 1))


def _hold(counts: list[int], seat: Seat) -> float:
    """Return the chance of having most at the end, times what that is worth."""
    most = max(count for other, count in enumerate(counts) if other != seat)
    return MOST[max(-2, min(2, counts[seat] - most)) + 2] * counts[seat]


def _room(board: Board, tiles: tuple[int, ...], ship: int) -> float:
    """Rate a space for the small ship: what matters is free space around it."""
    room = sum(tiles[space] == NO_TILE for space in board.touching[ship])
    return BERTH * min(room, BERTHS) if room else HEMMED_IN


def estimate(state: State) -> tuple[Parts, ...]:
    """Estimate what every board will be worth at the end."""
    if state.rows:
        return tuple(
            {
                "islands": row.palms + row.huts,
                "leis": row.leis,
                "ships": row.ships,
                "shells": row.shells,
            }
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
        berth = _room(board, side.tiles, side.ship) if side.is_ship_placed else 0.0
        stored = 0.0
        if side.stored and left:
            stored = _stored_worth(chart, side, left, side.stored)
        parts.append(
            {
                "islands": palms + stored,
                "leis": leis,
                "ships": _hold(ships, seat)
                + fade * (SHIP * min(board.ships(side.tiles), MANY_SHIPS) + berth),
                "shells": _hold(shells, seat) + SHELL * fade * side.shells,
                "empty": _empty_worth(left) * len(board.empty(side.tiles)),
            }
        )
    return tuple(parts)


def _empty_worth(left: int) -> float:
    return EMPTY if left > 1 else -1.0


def _stored_worth(chart: Chart, side: Side, turns: int, tile: int) -> float:
    """Estimate a stored tile: a share of the best use that it could have."""
    empty = chart.board.empty(side.tiles)
    best = max((_change(chart, side.tiles, turns, space, tile) for space in empty), default=0.0)
    return STORED * max(0.0, best - 1)


class Plan(Struct, frozen=True):
    """A turn in short: where the discoverer goes, and what is done there."""

    value: float
    keys: tuple[str, ...]


class Ledger:
    """The values of a seat's turns. What is the same for all of them is computed once.

    Placing a tile leaves one space less to fill, so such a turn is judged by other prospects.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.chart, self.board, self.side = (
            chart_of(state.board_name),
            state.board,
            state.sides[seat],
        )
        is_last = state.filled is not None
        self.left = 0 if is_last else _turns_left(state, seat)
        self.left_after = 0 if is_last else _turns_left(state, seat, filling=1)
        tiles, empty = self.side.tiles, len(self.board.empty(self.side.tiles))
        self.in_sight = self.board.ships(tiles)
        self.ships = [standing(self.board, other.tiles).ships for other in state.sides]
        self.held = [other.shells for other in state.sides]
        self.fares = {
            space: fare for space, fare in state.fares(seat).items() if fare <= self.side.shells
        }
        self.filling = sum(_board_worth(self.chart, tiles, self.left_after)) + _empty_worth(
            self.left_after
        ) * (empty - 1)
        """What the board is worth without the tile that is about to be placed."""
        self.resting = (
            sum(_board_worth(self.chart, tiles, self.left)) + _empty_worth(self.left) * empty
        )
        self.resting += self._sailing(0, self.left)
        """What the board is worth if no tile is placed."""
        self._placings: dict[int, list[tuple[float, int, int]]] = {}

    def plans(self) -> list[Plan]:
        """Return every sensible turn, the best first."""
        plans = [*self._from_matrix(), *self._from_storage(), *self._removing()]
        plans.append(
            Plan(
                self.resting + self._keeping(self.side.shells, self.left),
                (self._next_stop(), "nothing"),
            )
        )
        return sorted(plans, key=lambda plan: (-plan.value, plan.keys))

    def _keeping(self, shells: int, left: int) -> float:
        """Return what this many shells are worth."""
        now = [*self.held[: self.seat], shells, *self.held[self.seat + 1 :]]
        return _hold(now, self.seat) + SHELL * left / FULL * shells

    def _sailing(self, more: int, left: int) -> float:
        """Return what the ships in sight are worth, with some more or fewer."""
        now = [*self.ships[: self.seat], self.ships[self.seat] + more, *self.ships[self.seat + 1 :]]
        return _hold(now, self.seat) + SHIP * left / FULL * min(self.in_sight + more, MANY_SHIPS)

    def _next_stop(self) -> str:
        """Return the discoverer's nearest stop: it must move at least one step."""
        return POSITIONS[sailed(self.state.discoverer, 1)]

    def _placed(self, number: int) -> list[tuple[float, int, int]]:
        """Return, for a tile, the value of each space and the shells it costs there.

        Shells below 0 are gained.
        """
        if number not in self._placings:
            tile, tiles, found = TILES[number], self.side.tiles, []
            for space, fare in self.fares.items():
                worth = self.filling + _change(self.chart, tiles, self.left_after, space, number)
                worth += self._sailing(
                    tile.ships - self.board.by_index[space].ship, self.left_after
                )
                if self.state.rules == "pro" or self.side.is_ship_placed:
                    worth += self.left_after / FULL * _room(self.board, tiles, space)
                found.append((worth, space, fare - min(tile.shells, self.state.bank + fare)))
            self._placings[number] = sorted(found, reverse=True)
        return self._placings[number]

    def _from_matrix(self) -> Iterator[Plan]:
        """Yield tiles to place or store, by the cheapest way and a few that cost the same."""
        shells = self.side.shells
        seen: dict[tuple[str, int], int] = {}
        for steps in range(1, min(TRACK, self.in_sight + shells) + 1):
            position = sailed(self.state.discoverer, steps)
            for cell, number, price in _on_offer(self.state, position):
                cost, key = price + max(0, steps - self.in_sight), CELLS[cell]
                times = seen.get((key, cost), 0)
                if (
                    cost > shells
                    or times >= ALTERNATIVES
                    or any((key, less) in seen for less in range(cost))
                ):
                    continue
                seen[key, cost] = times + 1
                # Of ways that cost the same the shortest comes first: which leaves others least, a
                # look-ahead finds.
                keys, tie = (POSITIONS[position], key), -0.001 * steps
                for worth, space, net in self._placed(number):
                    if cost + self.fares[space] <= shells:
                        value = worth + self._keeping(shells - cost - net, self.left_after)
                        yield Plan(value + tie, (*keys, self.board.code(space)))
                if self.side.stored == NO_TILE and self.left:
                    hope = _stored_worth(self.chart, self.side, self.left, number)
                    value = self.resting + hope + self._keeping(shells - cost, self.left)
                    yield Plan(value + tie, (*keys, "store"))

    def _from_storage(self) -> Iterator[Plan]:
        if self.side.stored != NO_TILE:
            for worth, space, net in self._placed(self.side.stored):
                value = worth + self._keeping(self.side.shells - net, self.left_after)
                yield Plan(value, (self._next_stop(), "stored", self.board.code(space)))

    def _removing(self) -> Iterator[Plan]:
        for space in self.state.removable(self.seat):
            change = _change(self.chart, self.side.tiles, self.left, space, NO_TILE) + _empty_worth(
                self.left
            )
            change -= SHIP * self.left / FULL * TILES[self.side.tiles[space]].ships
            value = self.resting + change + self._keeping(self.side.shells, self.left)
            yield Plan(value, (self._next_stop(), "remove", self.board.code(space)))


def _on_offer(state: State, position: int) -> Iterator[tuple[int, int, int]]:
    """Yield cells that can be taken from a position with their tiles and price in shells."""
    price = 0
    for cell in LINES[position]:
        number = state.matrix[cell]
        if number in VOLCANOES:
            return
        if number != NO_TILE:
            yield cell, number, price
            price += 1


def _with_ship(state: State, seat: Seat, plan: Plan) -> tuple[str, ...]:
    """Advanced rules: put the small ship where it has most room, if possible next to the new
    tile.
    """
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

    best = max(
        board.tiled(tiles), key=lambda space: (room(space), space == ship, -space), default=ship
    )
    return (*plan.keys, "stay" if best == ship else board.code(best))


def _wanted(chart: Chart, tiles: tuple[int, ...]) -> set[int]:
    """Return the empty spaces at the open ends of islands."""
    wanted = set()
    for space in chart.board.tiled(tiles):
        for side in TILES[tiles[space]].land:
            beyond = chart.board.beside[space][side]
            if beyond >= 0 and tiles[beyond] == NO_TILE:
                wanted.add(beyond)
    return wanted


def turns(state: State, seat: Seat, table: Table) -> list[Turn]:
    """Return the best turns; in the opening, every place for the discoverer."""
    if isinstance(state.agenda[-1], PlaceDiscoverer):
        return _openings(state, seat)
    return [
        turn_of(GAME, state, seat, _with_ship(state, seat, plan), plan.value)
        for plan in Ledger(state, seat).plans()[:LISTED]
    ]


def _openings(state: State, seat: Seat) -> list[Turn]:
    """Place the discoverer where the seat that goes first can do least."""
    found = []
    for code in POSITIONS:
        opening = turn_of(GAME, state, seat, (code,))
        begun = GAME.advance(opening.tip, Table("opening"))
        found.append(
            Turn(opening.answers, opening.tip, -Ledger(begun, state.left_of(seat)).plans()[0].value)
        )
    return sorted(found, key=lambda turn: -turn.value)


def policy(state: State, seat: Seat, table: Table) -> State:
    """Return the best turn of the list."""
    if isinstance(state.agenda[-1], PlaceDiscoverer):
        tip: State = _openings(state, seat)[0].tip
        return tip
    plan = Ledger(state, seat).plans()[0]
    after: State = turn_of(GAME, state, seat, _with_ship(state, seat, plan)).tip
    return after


MIND = Mind(
    turns,
    estimate,
    policy,
    no_offers,
    temperature=2.0,
    effort=Effort(candidates=12, samples=(2, 2, 4, 6), extra=1),
)
