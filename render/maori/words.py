"""Maori in words: the alt text of a picture and the whole table as text."""

from collections.abc import Iterator

from engine.core.words import points
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, WIDTH
from engine.maori.tiles import NO_TILE, TILES
from engine.maori.view import IslandView, MaoriView
from render import Scene
from render.alt import compose, news_of, seat_name, sentence, turn_of
from render.maori.panels import shown_seat, winners

SHORT = {"single": "single", "left_end": "left end", "right_end": "right end", "top_end": "top end"}
SHORT |= {"bottom_end": "bottom end", "h_middle": "level middle", "v_middle": "upright middle"}
SHORT |= {"open_water": "water", "ship_water": "water ship", "shell_water": "water 2 shells", "volcano": "volcano"}
PLURALS = {"single": "single islands", "end": "ends", "middle": "middles", "water": "water", "volcano": "volcanoes"}


def _some(number: float, what: str) -> str:
    return f"{points(number)} {what}{'' if number == 1 else 's'}"


def alt_text(view: MaoriView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    head = (f"Maori, {_phase(view)}", _turn(view, scene), f"Last: {_last(view, scene)}" if view.turn else "")
    seats = [_seat(view, scene, seat) for seat in range(len(view.sides))]
    return compose(head, seats, list(_regions(view, scene)), scene.rings)


def text_board(view: MaoriView, scene: Scene) -> str:
    """The whole position in words."""
    lines = [f"Maori, {_phase(view)}, {view.rules} rules, {view.board} board.", sentence(_turn(view, scene))]
    if view.turn:
        lines.append(f"Last: {_last(view, scene)}.")
    lines += [f"{_seat(view, scene, seat)}." for seat in range(len(view.sides))]
    lines += ["", _discoverer(view) + ".", "Matrix, row by row:"]
    lines += [_cells(view, range(start, start + WIDTH)) + "." for start in range(0, len(CELLS), WIDTH)]
    tally = ", ".join(f"{PLURALS[kind]} {number}" for kind, number in view.tally)
    lines += [f"Not yet seen: {tally}.", f"Shells in the supply: {view.bank}."]
    for seat in range(len(view.sides)):
        lines += ["", *_board(view, scene, seat)]
    if scene.rings:
        priced = dict(view.prices)
        lines += ["", "Legal: " + " ".join(_priced(spot, priced.get(spot, 0)) for spot in scene.rings) + "."]
    return "\n".join([*lines, *_scored(view, scene)])


def _phase(view: MaoriView) -> str:
    if view.phase == "over":
        return "final position"
    stage = {"opening": "placing the discoverer", "last_turns": f"round {view.round}, last turns"}
    left = f"{_some(len(view.supply), 'tile')} and {_some(view.bank, 'shell')} left"
    return f"{stage.get(view.phase, f'round {view.round}')}, {left}"


def _turn(view: MaoriView, scene: Scene) -> str:
    return turn_of(view, scene, winners(view) if view.phase == "over" else ())


def _last(view: MaoriView, scene: Scene) -> str:
    if scene.last:
        return news_of(scene)
    turn = view.turn
    if turn is None:
        return ""
    parts = [f"{seat_name(scene.names, turn.seat)} discoverer {view.journey[0]} to {view.journey[-1]}"]
    if turn.cell:
        parts.append(f"takes {turn.cell.upper()}")
    done = {"remove": "removes", "place": "places", "place_stored": "places from storage"}
    if turn.spot:
        parts.append(f"{done[turn.act]} {tile_short(turn.tile)} at {turn.spot.upper()}")
    parts += {"store": ["stores it"], "nothing": ["does nothing"]}.get(turn.act, [])
    if turn.ship_to:
        parts.append(f"ship to {turn.ship_to.upper()}")
    return ", ".join(parts)


def tile_short(number: int) -> str:
    """A tile in few words: 'left end 2 palms hut'."""
    tile = TILES[number]
    parts = [SHORT[tile.shape]]
    if tile.is_island:
        parts.append(_some(tile.palms, "palm"))
        parts += ["hut"] * tile.hut + ["half lei"] * (tile.lei >= 0) + ["ship"] * tile.ships
        parts += [_some(tile.shells, "shell")] * bool(tile.shells)
    return " ".join(parts)


def _seat(view: MaoriView, scene: Scene, seat: int) -> str:
    side = view.sides[seat]
    parts = [_some(view.scores[seat], "point"), _some(side.shells, "shell"), _some(side.ships, "ship")]
    parts.append(f"{side.empty} empty")
    if side.stored != NO_TILE:
        parts.append(f"stored {tile_short(side.stored)}")
    if side.ship:
        parts.append(f"ship at {side.ship.upper()}")
    return f"{seat_name(scene.names, seat)}: {', '.join(parts)}"


def _discoverer(view: MaoriView) -> str:
    if not view.discoverer:
        return "The discoverer is not placed yet"
    line = "".join(CELLS[cell] for cell in LINES[POSITIONS.index(view.discoverer)]).upper()
    return f"Discoverer at {view.discoverer}, line {line}"


def _regions(view: MaoriView, scene: Scene) -> Iterator[str]:
    """The discoverer, the board in question, then the matrix."""
    yield _discoverer(view).removeprefix("The ").replace("Discoverer", "discoverer")
    seat = shown_seat(view)
    own = [_island(island) for island in view.sides[seat].islands]
    if own:
        yield f"{seat_name(scene.names, seat)} " + ", ".join(own)
    for start in range(0, len(CELLS), WIDTH):
        yield _cells(view, range(start, start + WIDTH))


def _island(island: IslandView) -> str:
    spots = "-".join((island.spots[0], island.spots[-1])[: len(island.spots)]).upper()
    parts = [spots, _some(island.palms, "palm")]
    parts += ["hut"] * island.hut + ["lei"] * len(island.leis) + ["doubled"] * island.doubled
    return " ".join(parts) + ("" if island.complete else " open")


def _cells(view: MaoriView, cells: range) -> str:
    return ", ".join(f"{CELLS[cell].upper()} {_lying(view.matrix[cell])}" for cell in cells)


def _lying(number: int) -> str:
    return "empty" if number == NO_TILE else tile_short(number)


def _board(view: MaoriView, scene: Scene, seat: int) -> Iterator[str]:
    """A seat's board, row by row, then its islands."""
    board, side = board_of(view.board), view.sides[seat]
    lying = {laid.spot: tile_short(laid.tile) for laid in side.tiles}
    lying |= {laid.spot: f"{tile_short(laid.tile)}, incomplete, removed" for laid in side.removed}
    yield f"Board of {seat_name(scene.names, seat)}:"
    for row in range(board.rows):
        spaces = [space for space in board.spaces if space.row == row]
        told = (f"{space.code.upper()} {lying.get(space.code, 'empty')}" for space in spaces)
        yield "; ".join(told) + "."
    if side.islands:
        yield "Islands: " + "; ".join(_island(island) for island in side.islands) + "."


def _priced(spot: str, shells: int) -> str:
    return f"{spot.upper()} ({_some(shells, 'shell')})" if shells else spot.upper()


def _scored(view: MaoriView, scene: Scene) -> Iterator[str]:
    """What the score sheet says: of a match that players left, the points as the boards stood."""
    rows = view.rows if view.to_move else view.rows or view.now
    if rows:
        yield ""
        yield "Points:" if view.rows else "Points as the boards stood:"
    for seat, row in enumerate(rows):
        kinds = [("palms", row.palms), ("palms with a hut", row.huts), ("leis", row.leis)]
        kinds += [("ships", row.ships), ("shells", row.shells), ("empty spaces", row.empty)]
        counted = ", ".join(f"{kind} {points(value)}" for kind, value in kinds)
        yield f"{seat_name(scene.names, seat)}: {counted}; {points(row.total)} in all."
