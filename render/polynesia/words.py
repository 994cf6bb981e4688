"""Polynesia in words: the alt text of a picture, the whole position as text, and what is a
viewer's own.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from engine.polynesia.board import COLOURS, TURTLES
from engine.polynesia.view import IslandView, PolynesiaView, RouteView
from render import Scene
from render.alt import choices_of, fullest, news_of, seat_names, sentence, turn_of, with_short_names
from render.chrome import title_of
from render.palette import livery_of
from render.polynesia.panels import phase_of
from render.words import words_of


def alt_text(view: PolynesiaView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    words = words_of("polynesia")
    scene = with_short_names(scene)
    head = (_head(view), turn_of(view, scene), _last(view, scene))
    seats = [_seat(view, scene, seat) for seat in range(len(view.sides))]
    # What does not fit is cut from the end: what players have comes before what lies about.
    peopled = [island for island in view.islands if any(island.members)]
    explored = [route for route in view.routes if route.owners]
    with_token = [island for island in view.islands if island.token]
    tides = words.say("board.tides", cards=view.tides)
    members = [
        words.say("board.members", spot=island.spot, groups=_groups(island)) for island in peopled
    ]
    ships = [words.say("board.ships", **_facts(route)) for route in explored]
    faces = dict.fromkeys(island.token for island in with_token)
    tokens = []
    for face in faces:
        spots = tuple(island.spot for island in with_token if island.token == face)
        tokens.append(words.say("board.tokens", token=f"token_{face}", spots=spots))
    short = [
        words.say("board.ways", letter=letter, spots=spots) for letter, spots in _explored_by(view)
    ]
    boards = [
        [tides, *members, *ships, *tokens],
        [tides, *members, *short, *tokens],
        [tides, *members, *short],
    ]
    return fullest(head, seats, boards, scene)


def text_board(view: PolynesiaView, scene: Scene) -> str:
    """The whole position in words."""
    words = words_of("polynesia")
    lines = [sentence(_head(view)), sentence(turn_of(view, scene)), sentence(_last(view, scene))]
    lines += [
        f"{sentence(_seat(view, scene, seat))} {_home(view, seat)}"
        for seat in range(len(view.sides))
    ]
    if not view.over:
        lines.append(words.say("board.first", seat_names(view, scene), seat=view.first))
    bag = dict(zip(COLOURS, view.bag, strict=True))
    drawn = words.say("list.comma").join(words.word(stone) for stone in view.lava)
    lines.append(words.say("board.bag", **bag, drawn=drawn))
    if view.pool is not None:
        lines.append(words.say("board.pool", pool=view.pool))
    lines += [words.say("board.tide", card=card, does=f"tide_{card}") for card in view.tides]
    lines += [
        words.say("board.archipelago", **asdict(archipelago)) for archipelago in view.archipelagos
    ]
    lines.append(words.say("board.islands"))
    lines += [
        words.say("board.island", spot=island.spot, what=_lying_on(island))
        for island in view.islands
    ]
    lines.append(words.say("board.routes"))
    lines += [words.say("board.route", **_facts(route)) for route in view.routes]
    lines.append(choices_of(scene))
    lines += _scored(view, scene)
    return "\n".join(line for line in lines if line)


def hand(view: PolynesiaView, scene: Scene) -> str:
    """What the viewer has: on the personal board, on islands and on routes."""
    seat = view.viewer
    if seat is None:
        return ""
    words = words_of("polynesia")
    comma = words.say("list.comma")
    peopled = [island for island in view.islands if island.members[seat]]
    explored = [route for route in view.routes if seat in route.owners]
    members = [
        words.say("hand.member", number=island.members[seat], spot=island.spot)
        for island in peopled
    ]
    ships = [words.say("hand.ship", spot=route.spot, type=route.type) for route in explored]
    lines = [sentence(_side(view, seat)), _home(view, seat)]
    if members:
        lines.append(words.say("hand.members", members=comma.join(members)))
    lines.append(words.say("hand.ships", ships=comma.join(ships)))
    return "\n".join(lines)


def _head(view: PolynesiaView) -> str:
    """Round and phase, and how near the eruption is: it comes with the last red stone."""
    reds = view.lava.count(COLOURS[0])
    return words_of("polynesia").say(
        "board.head",
        game=title_of(view),
        over=view.over,
        round=view.round,
        phase=phase_of(view),
        red=reds,
        all=reds + view.bag[0],
    )


def _last(view: PolynesiaView, scene: Scene) -> str:
    """What happened last: as the scene tells it, else as the view knows it."""
    words = words_of("polynesia")
    if scene.last:
        return words.say("alt.last", news=news_of(scene))
    last = view.last
    if last is None:
        return ""
    steps = []
    for spot in last.path:
        start, goal = spot.split("-")
        steps.append(words.say("last.step", start=start, goal=goal))
    facts = {**asdict(last), "path": words.say("list.comma").join(steps)}
    told = words.say(f"last.{last.action}", seat_names(view, scene), **facts)
    return words.say("alt.last", news=told)


def _seat(view: PolynesiaView, scene: Scene, seat: int) -> str:
    return words_of("polynesia").say(
        "board.seat", seat_names(view, scene), seat=seat, side=_side(view, seat)
    )


def _side(view: PolynesiaView, seat: int) -> str:
    """What lies before a seat."""
    side = view.sides[seat]
    faces = dict.fromkeys(side.tokens)  # each once, in the order in which they came
    held = tuple((face, side.tokens.count(face)) for face in faces)
    facts = {**asdict(side), "points": view.scores[seat], "tokens": held, "coins": side.points}
    return words_of("polynesia").say("board.side", **facts)


def _home(view: PolynesiaView, seat: int) -> str:
    side = view.sides[seat]
    total = side.home + sum(island.members[seat] for island in view.islands)
    return words_of("polynesia").say("board.home", total=total, home=side.home, out=side.ships_out)


def _groups(island: IslandView) -> str:
    """Whose members stand on an island: 'R×3 Y×1'."""
    words = words_of("polynesia")
    groups = []
    for seat, number in enumerate(island.members):
        if number:
            groups.append(words.say("board.group", letter=livery_of(seat).letter, number=number))
    return " ".join(groups)


def _explored_by(view: PolynesiaView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The routes by the letters of their owners, those of several owners together."""
    owners = dict.fromkeys(route.owners for route in view.routes if route.owners)
    for seats in sorted(owners):
        spots = tuple(route.spot for route in view.routes if route.owners == seats)
        yield "".join(livery_of(seat).letter for seat in seats), spots


def _facts(route: RouteView) -> dict[str, Any]:
    """A route for a template, its owners by their letters."""
    owners = "".join(livery_of(seat).letter for seat in route.owners)
    return {**asdict(route), "owners": owners}


def _lying_on(island: IslandView) -> str:
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
        parts.append(_groups(island))
    return words.say("list.comma").join(parts)


def _scored(view: PolynesiaView, scene: Scene) -> Iterator[str]:
    words, names = words_of("polynesia"), seat_names(view, scene)
    is_counted = view.rows or view.outcome is not None
    yield words.say("board.points" if is_counted else "board.points_now")
    for seat, row in enumerate(view.rows or view.now):
        yield words.say("board.row", names, seat=seat, **asdict(row), total=row.total)
