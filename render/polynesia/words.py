"""Polynesia in words: the alt text of a picture, the whole position as text, what a viewer has.

Every sentence comes from text/en.toml; here the facts for them are collected.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from engine.polynesia.board import COLOURS, TURTLES
from engine.polynesia.view import IslandView, PolynesiaView, RouteView
from render import Scene
from render.alt import (
    compose_fullest,
    describe_choices,
    describe_turn,
    end_sentence,
    put_news_first,
    seat_names,
    shorten_names,
    shorten_news,
)
from render.chrome import title_of
from render.palette import livery_of
from render.polynesia.panels import describe_phase
from render.words import words_of


def alt_text(view: PolynesiaView, scene: Scene) -> str:
    """Return the picture in at most 1,024 characters."""
    words = words_of("polynesia")
    scene = shorten_names(scene)
    head = (_describe_state(view), describe_turn(view, scene), _describe_last_action(view, scene))
    seats = [_describe_seat(view, scene, seat) for seat in range(len(view.sides))]

    tides = words.say("board.tides", cards=view.tides)
    members = []
    for island in view.islands:
        if any(island.members):
            groups = _list_groups(island)
            members.append(words.say("board.members", spot=island.spot, groups=groups))
    explored = [route for route in view.routes if route.owners]
    routes = [words.say("board.ships", **_route_facts(route)) for route in explored]
    routes_by_owner = []
    for letters, spots in _group_routes(view):
        routes_by_owner.append(words.say("board.ways", letter=letters, spots=spots))
    tokens = []
    for face in dict.fromkeys(island.token for island in view.islands if island.token):
        spots = tuple(island.spot for island in view.islands if island.token == face)
        tokens.append(words.say("board.tokens", token=f"token_{face}", spots=spots))

    # What does not fit is cut from the end, so what players have comes before what lies about.
    boards = [
        [tides, *members, *routes, *tokens],
        [tides, *members, *routes_by_owner, *tokens],
        [tides, *members, *routes_by_owner],
    ]
    return compose_fullest(head, seats, boards, scene)


def text_board(view: PolynesiaView, scene: Scene) -> str:
    """Return the whole position in words."""
    words = words_of("polynesia")
    head = (_describe_state(view), describe_turn(view, scene), _describe_last_action(view, scene))
    lines = [end_sentence(part) for part in put_news_first(head)]
    for seat in range(len(view.sides)):
        described = end_sentence(_describe_seat(view, scene, seat))
        lines.append(f"{described} {_describe_home(view, seat)}")
    if not view.over:
        lines.append(words.say("board.first", seat_names(view, scene), seat=view.first))

    bag = dict(zip(COLOURS, view.bag, strict=True))
    drawn = words.say("list.comma").join(words.word(stone) for stone in view.lava)
    lines.append(words.say("board.bag", **bag, drawn=drawn))
    if view.pool is not None:
        lines.append(words.say("board.pool", pool=view.pool))
    lines += [words.say("board.tide", card=card, does=f"tide_{card}") for card in view.tides]
    lines += [words.say("board.archipelago", **asdict(each)) for each in view.archipelagos]

    lines.append(words.say("board.islands"))
    lines += [
        words.say("board.island", spot=island.spot, what=_describe_island(island))
        for island in view.islands
    ]
    lines.append(words.say("board.routes"))
    lines += [words.say("board.route", **_route_facts(route)) for route in view.routes]
    lines.append(describe_choices(scene))
    lines += _describe_points(view, scene)
    return "\n".join(line for line in lines if line)


def hand(view: PolynesiaView, scene: Scene) -> str:
    """Return what the viewer has: on the personal board, on islands and on routes."""
    seat = view.viewer
    if seat is None:
        return ""
    words = words_of("polynesia")
    comma = words.say("list.comma")
    members = []
    for island in view.islands:
        number = island.members[seat]
        if number:
            members.append(words.say("hand.member", number=number, spot=island.spot))
    own = [route for route in view.routes if seat in route.owners]
    ships = [words.say("hand.ship", spot=route.spot, type=route.type) for route in own]
    lines = [end_sentence(_describe_side(view, seat)), _describe_home(view, seat)]
    if members:
        lines.append(words.say("hand.members", members=comma.join(members)))
    lines.append(words.say("hand.ships", ships=comma.join(ships)))
    return "\n".join(lines)


def _describe_state(view: PolynesiaView) -> str:
    """Return round and phase, and how near the eruption is: it comes with the last red stone."""
    reds = view.lava.count(COLOURS[0])
    return words_of("polynesia").say(
        "board.head",
        game=title_of(view),
        over=view.over,
        running=view.outcome is None,
        round=view.round,
        phase=describe_phase(view),
        red=reds,
        all=reds + view.bag[0],
    )


def _describe_last_action(view: PolynesiaView, scene: Scene) -> str:
    """Return what happened last: as the scene tells it, else as far as the view knows it."""
    words = words_of("polynesia")
    if scene.last:
        return words.say("alt.last", news=shorten_news(scene))
    last = view.last
    if last is None:
        return ""
    steps = []
    for spot in last.path:
        start, goal = spot.split("-")
        steps.append(words.say("last.step", start=start, goal=goal))
    facts = {**asdict(last), "path": words.say("list.comma").join(steps)}
    news = words.say(f"last.{last.action}", seat_names(view, scene), **facts)
    return words.say("alt.last", news=news)


def _describe_seat(view: PolynesiaView, scene: Scene, seat: int) -> str:
    names, side = seat_names(view, scene), _describe_side(view, seat)
    return words_of("polynesia").say("board.seat", names, seat=seat, side=side)


def _describe_side(view: PolynesiaView, seat: int) -> str:
    """Return what lies before a seat."""
    side = view.sides[seat]
    # Each face once, in the order in which they came.
    faces = dict.fromkeys(side.tokens)
    tokens = tuple((face, side.tokens.count(face)) for face in faces)
    facts = {**asdict(side), "points": view.scores[seat], "tokens": tokens, "coins": side.points}
    return words_of("polynesia").say("board.side", **facts)


def _describe_home(view: PolynesiaView, seat: int) -> str:
    """Return how many members a seat has, at home and in all, and its ships on routes."""
    side = view.sides[seat]
    total = side.home + sum(island.members[seat] for island in view.islands)
    return words_of("polynesia").say("board.home", total=total, home=side.home, out=side.ships_out)


def _list_groups(island: IslandView) -> str:
    """Return whose members stand on an island, such as 'R×3 Y×1'."""
    words = words_of("polynesia")
    groups = []
    for seat, number in enumerate(island.members):
        if number:
            groups.append(words.say("board.group", letter=livery_of(seat).letter, number=number))
    return " ".join(groups)


def _group_routes(view: PolynesiaView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the letters of owners with their routes; shared routes have several letters."""
    owners = dict.fromkeys(route.owners for route in view.routes if route.owners)
    for seats in sorted(owners):
        spots = tuple(route.spot for route in view.routes if route.owners == seats)
        yield "".join(livery_of(seat).letter for seat in seats), spots


def _route_facts(route: RouteView) -> dict[str, Any]:
    """Return a route for a template, its owners by their letters."""
    owners = "".join(livery_of(seat).letter for seat in route.owners)
    return {**asdict(route), "owners": owners}


def _describe_island(island: IslandView) -> str:
    words = words_of("polynesia")
    parts = []
    if island.destroyed:
        parts.append(words.say("board.destroyed"))
    if island.symbol in TURTLES:
        parts.append(words.count(TURTLES[island.symbol], "turtle"))
    elif island.symbol:
        parts.append(words.word(island.symbol))
    if island.token:
        parts.append(words.word(f"token_{island.token}"))
    if any(island.members):
        parts.append(_list_groups(island))
    return words.say("list.comma").join(parts)


def _describe_points(view: PolynesiaView, scene: Scene) -> Iterator[str]:
    """Yield the points by their kinds, or those of an eruption now."""
    words, names = words_of("polynesia"), seat_names(view, scene)
    is_counted = view.rows or view.outcome is not None
    yield words.say("board.points" if is_counted else "board.points_now")
    for seat, row in enumerate(view.rows or view.now):
        yield words.say("board.row", names, seat=seat, **asdict(row), total=row.total)
