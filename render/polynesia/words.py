"""Polynesia in words: the alt text of a picture and the whole position as text."""

from collections.abc import Iterator

from engine.core.words import points, words_of
from engine.polynesia.board import COLOURS
from engine.polynesia.view import ArchipelagoView, IslandView, PolynesiaView, RouteView, Row
from render import Scene
from render.alt import compose, news_of, seat_name, sentence, turn_of
from render.palette import livery_of
from render.polynesia.panels import PHASES, winners

TURTLE_WORDS = {"turtle1": "1 turtle", "turtle2": "2 turtles"}
KINDS = ("space", "turtles", "tokens", "points", "tide1", "tide2", "tide3")


def alt_text(view: PolynesiaView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    head = (f"Polynesia, {_phase(view)}", _turn(view, scene), _last(view, scene))
    seats = [_seat(view, scene, seat) for seat in range(len(view.sides))]
    board = [_tides(view), *_members(view), *_routes(view), *_tokens(view)]
    return compose(head, seats, [part for part in board if part], scene.rings)


def text_board(view: PolynesiaView, scene: Scene) -> str:
    """The whole position in words."""
    lines = [f"Polynesia, {_phase(view)}.", sentence(_turn(view, scene)), f"{_last(view, scene)}."]
    lines += [f"{_seat(view, scene, seat)}. {_board(view, seat)}." for seat in range(len(view.sides))]
    lines += [f"{seat_name(scene.names, view.first)} has the Starting Player token." if not view.over else ""]
    lines += [f"In the bag: {_stones(view.bag)}. Drawn: {', '.join(view.lava) or 'none'}."]
    lines += [f"Point tokens in reserve: {view.pool}." if view.pool is not None else ""]
    lines += [f"Tide card {card}: {words_of('polynesia').word(f'tide_{card}')}" for card in view.tides]
    lines += [f"Archipelago {_archipelago(view, found)}." for found in view.archipelagos]
    lines += ["Islands:", *(f"{_island(island)}." for island in view.islands)]
    lines += ["Routes:", *(f"{_route(route)}." for route in view.routes)]
    if scene.rings:
        lines.append("Legal: " + " ".join(spot.upper() for spot in scene.rings) + ".")
    lines += _scored(view, scene)
    return "\n".join(line for line in lines if line not in ("", "."))


def _phase(view: PolynesiaView) -> str:
    reds = view.lava.count(COLOURS[0])
    stones = f"{reds} of {reds + view.bag[0]} red stones"
    return f"final position, {stones}" if view.over else f"round {view.round}, {PHASES[view.marker]}, {stones}"


def _turn(view: PolynesiaView, scene: Scene) -> str:
    return turn_of(view, scene, winners(view) if view.over else ())


def _last(view: PolynesiaView, scene: Scene) -> str:
    if scene.last:
        return f"Last: {news_of(scene)}"
    if view.last is None:
        return ""
    last = view.last
    spots = [spot.upper().replace("-", " > ") for spot in last.path]
    spots += [spot.upper() for spot in (*last.routes, *last.islands)]
    return f"Last: {seat_name(scene.names, last.seat)} {last.action} {', '.join(spots)}".rstrip()


def _seat(view: PolynesiaView, scene: Scene, seat: int) -> str:
    side = view.sides[seat]
    parts = [
        f"{points(view.scores[seat])} points",
        f"{side.fish} fish",
        _many(side.shells, "shell"),
        _many(side.ships, "ship"),
        f"{side.home} at home",
        f"space {side.value}",
    ]
    held = [_many(side.tokens.count(face), face) for face in dict.fromkeys(side.tokens)]
    parts += ["tokens " + " ".join(held)] if held else []
    parts += [_many(side.points, "Point token")] if side.points else []
    return f"{seat_name(scene.names, seat)}: {', '.join(parts)}"


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 or word == 'fish' else 's'}"


def _board(view: PolynesiaView, seat: int) -> str:
    side = view.sides[seat]
    total = side.home + sum(island.members[seat] for island in view.islands)
    return f"Of {_many(total, 'member')} {side.home} stand on the board, {_many(side.ships_out, 'ship')} on the map"


def _stones(counts: tuple[int, ...]) -> str:
    return ", ".join(f"{number} {colour}" for colour, number in zip(COLOURS, counts, strict=True))


def _tides(view: PolynesiaView) -> str:
    return "Tide cards " + " ".join(view.tides)


def _letters(counts: tuple[int, ...]) -> str:
    return " ".join(f"{livery_of(seat).letter}×{number}" for seat, number in enumerate(counts) if number)


def _members(view: PolynesiaView) -> Iterator[str]:
    for island in view.islands:
        if any(island.members):
            yield f"{island.spot.upper()} {_letters(island.members)}"


def _routes(view: PolynesiaView) -> Iterator[str]:
    for route in view.routes:
        if route.owners:
            yield f"{route.spot.upper()} {_owners(route)} {route.type}"


def _owners(route: RouteView) -> str:
    return "".join(livery_of(seat).letter for seat in route.owners)


def _tokens(view: PolynesiaView) -> Iterator[str]:
    for island in view.islands:
        if island.token:
            yield f"{island.token} token {island.spot.upper()}"


def _archipelago(view: PolynesiaView, found: ArchipelagoView) -> str:
    state = "reached by a route" if found.linked else "without a route"
    coin = ", a Point token on it" if found.point else ""
    return f"{found.letter} ({' '.join(spot.upper() for spot in found.islands)}): {state}{coin}"


def _island(island: IslandView) -> str:
    parts = ["destroyed"] if island.destroyed else []
    parts += [TURTLE_WORDS.get(island.symbol, island.symbol)] if island.symbol else []
    parts += [f"{island.token} token"] if island.token else []
    parts += [_letters(island.members)] if any(island.members) else []
    return f"{island.spot.upper()}: {', '.join(parts) or 'empty'}"


def _route(route: RouteView) -> str:
    if route.neutral:
        return f"{route.spot.upper()}: neutral"
    return f"{route.spot.upper()}: {f'{_owners(route)}, {route.type}' if route.owners else 'unexplored'}"


def _scored(view: PolynesiaView, scene: Scene) -> Iterator[str]:
    rows: tuple[Row, ...] = view.rows or view.now
    if rows:
        yield "Points:" if view.rows else "Points if the volcano erupted now:"
    for seat, row in enumerate(rows):
        counted = ", ".join(f"{kind} {points(getattr(row, kind))}" for kind in KINDS)
        yield f"{seat_name(scene.names, seat)}: {counted}; {points(row.total)} in all."
