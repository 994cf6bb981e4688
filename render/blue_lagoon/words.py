"""Blue Lagoon in words: the alt text of a picture and the whole board as text."""

from collections.abc import Iterator

from engine.blue_lagoon.board import ITEMS, Board, board_of
from engine.blue_lagoon.view import BlueLagoonView, SideView
from engine.core.words import points, words_of
from render import Scene
from render.alt import compose, news_of, seat_name, sentence, turn_of
from render.blue_lagoon.panels import resources_left, winners
from render.palette import livery_of


def alt_text(view: BlueLagoonView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    head = (
        f"Blue Lagoon, {_phase(view)}",
        _turn(view, scene),
        f"Last: {_last(view, scene)}" if view.last else "",
    )
    seats = [_seat(view, scene, seat, brief=True) for seat in range(len(view.sides))]
    return compose(head, seats, list(_regions(view)), scene.rings)


def text_board(view: BlueLagoonView, scene: Scene) -> str:
    """The whole position in words."""
    lines = [f"Blue Lagoon, {_phase(view)}.", sentence(_turn(view, scene))]
    if view.last:
        lines.append(f"Last: {_last(view, scene)}.")
    lines += [f"{_seat(view, scene, seat, brief=False)}." for seat in range(len(view.sides))]
    lines += ["", "Places row by row; even rows begin half a place further left. '-' is free, a letter is a seat,"]
    lines += ["v a village, * an item: see below."]
    lines += _rows(view)
    lines += ["", *(f"{region}." for region in _regions(view, free=True))]
    if scene.rings:
        lines += ["", "Legal: " + " ".join(spot.upper() for spot in scene.rings) + "."]
    return "\n".join([*lines, *_scored(view, scene)])


def _phase(view: BlueLagoonView) -> str:
    if view.phase == "over":
        return "final position"
    left = resources_left(view)
    return f"{view.phase}, move {view.move}, {left} resource{'' if left == 1 else 's'} left"


def _turn(view: BlueLagoonView, scene: Scene) -> str:
    return turn_of(view, scene, winners(view) if view.phase == "over" else ())


def _last(view: BlueLagoonView, scene: Scene) -> str:
    if scene.last:
        return news_of(scene)
    piece = next((piece for piece in view.pieces if piece.spot == view.last), None)
    return f"{seat_name(scene.names, piece.seat)} {piece.piece} at {view.last.upper()}" if piece else view.last.upper()


def _seat(view: BlueLagoonView, scene: Scene, seat: int, brief: bool) -> str:
    side = view.sides[seat]
    parts = [f"{points(view.scores[seat])} points", f"{side.settlers_left} settlers"]
    if view.phase == "exploration":
        parts.append(f"{side.villages_left} villages")
    return f"{seat_name(scene.names, seat)}: {', '.join(parts)} left, holds {_held(side, brief)}"


def _held(side: SideView, brief: bool) -> str:
    words = words_of("blue_lagoon")
    held = [
        f"{number} {item if brief else words.word(item)}"
        for item, number in zip(ITEMS, side.held, strict=True)
        if number
    ]
    return " ".join(held) if brief and held else ", ".join(held) or "nothing"


def _regions(view: BlueLagoonView, free: bool = False) -> Iterator[str]:
    """Each island, then the sea: owners with counts and items by code."""
    board = board_of(view.map)
    for island, value in board.values.items():
        codes = [place.code for place in board.places if place.island == island]
        yield f"{island.upper()} ({value}): {_region(view, codes, free)}"
    yield f"sea: {_region(view, [place.code for place in board.places if not place.island], free)}"


def _region(view: BlueLagoonView, codes: list[str], free: bool) -> str:
    inside = set(codes)
    owners = [standing.seat for standing in view.pieces if standing.spot in inside]
    parts = [f"{livery_of(seat).letter}×{owners.count(seat)}" for seat in sorted(set(owners))]
    parts += [f"{item} {spot.upper()}" for spot, item in view.items if spot in inside]
    if free:
        taken = {standing.spot for standing in view.pieces} | {spot for spot, _ in view.items}
        empty = [code.upper() for code in codes if code not in taken]
        parts.append("free " + " ".join(empty) if empty else "nothing free")
    return ", ".join(parts) or "empty"


def _rows(view: BlueLagoonView) -> list[str]:
    board: Board = board_of(view.map)
    marks = {spot: "*" for spot, _ in view.items}
    for standing in view.pieces:
        marks[standing.spot] = livery_of(standing.seat).letter + ("v" if standing.piece == "village" else "")
    lines = []
    for row in range(len(board.data.row_widths)):
        places = [place for place in board.places if place.row == row]
        lines.append(f"{row + 1}: " + " ".join(f"{place.code.upper()}{marks.get(place.code, '-')}" for place in places))
    return lines


def _scored(view: BlueLagoonView, scene: Scene) -> Iterator[str]:
    """The phases of the score sheet: of a match that players left, the one under way too."""
    counted = view.rows if view.to_move or not view.now else (*view.rows, view.now)
    for phase, rows in zip(("exploration", "settlement"), counted, strict=False):
        yield ""
        yield f"Points of the {phase}:"
        for seat, row in enumerate(rows):
            kinds = ("islands", "links", "majorities", "resources", "set", "statuettes")
            parts = ", ".join(f"{kind} {points(getattr(row, kind))}" for kind in kinds)
            yield f"{seat_name(scene.names, seat)}: {parts}; {points(row.total)} in all."
