"""Polynesia in words: the alt text of a picture, the whole position as text, and what is a viewer's own."""

from collections.abc import Iterator

from msgspec.structs import asdict

from engine.polynesia.board import COLOURS, TURTLES
from engine.polynesia.view import IslandView, PolynesiaView, RouteView
from render import Scene
from render.alt import choices_of, compose, news_of, seat_names, sentence, turn_of
from render.chrome import title_of
from render.palette import livery_of
from render.polynesia.panels import phase_of
from render.words import words_of


def alt_text(view: PolynesiaView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    words = words_of("polynesia")
    head = (_head(view), turn_of(view, scene), _last(view, scene))
    seats = [_seat(view, scene, seat) for seat in range(len(view.sides))]
    peopled = [island for island in view.islands if any(island.members)]
    explored = [route for route in view.routes if route.owners]
    bearing = [island for island in view.islands if island.token]
    board = [
        words.say("board.tides", cards=view.tides),
        *(words.say("board.members", spot=island.spot, groups=_groups(island)) for island in peopled),
        *(words.say("board.ships", **{**asdict(route), "owners": _owners(route)}) for route in explored),
        *(words.say("board.token", token=f"token_{island.token}", spot=island.spot) for island in bearing),
    ]
    return compose(head, seats, board, scene.rings)


def text_board(view: PolynesiaView, scene: Scene) -> str:
    """The whole position in words."""
    words, names = words_of("polynesia"), seat_names(view, scene)
    lines = [sentence(_head(view)), sentence(turn_of(view, scene)), sentence(_last(view, scene))]
    lines += [f"{sentence(_seat(view, scene, seat))} {_home(view, seat)}" for seat in range(len(view.sides))]
    if not view.over:
        lines.append(words.say("board.first", names, seat=view.first))
    bag, drawn = dict(zip(COLOURS, view.bag, strict=True)), [words.word(stone) for stone in view.lava]
    lines.append(words.say("board.bag", **bag, drawn=words.say("list.comma").join(drawn)))
    if view.pool is not None:
        lines.append(words.say("board.pool", pool=view.pool))
    lines += [words.say("board.tide", card=card, does=f"tide_{card}") for card in view.tides]
    lines += [words.say("board.archipelago", **asdict(archipelago)) for archipelago in view.archipelagos]
    lines.append(words.say("board.islands"))
    lines += [words.say("board.island", spot=island.spot, what=_lying_on(island)) for island in view.islands]
    lines.append(words.say("board.routes"))
    lines += [words.say("board.route", **{**asdict(route), "owners": _owners(route)}) for route in view.routes]
    lines.append(choices_of(scene))
    lines += _scored(view, scene)
    return "\n".join(line for line in lines if line)


def hand(view: PolynesiaView, scene: Scene) -> str:
    """What the viewer has: on the personal board, on islands and on routes."""
    words, seat = words_of("polynesia"), view.viewer
    if seat is None:
        return ""
    comma = words.say("list.comma")
    members = [
        words.say("hand.member", number=island.members[seat], spot=island.spot)
        for island in view.islands
        if island.members[seat]
    ]
    ships = [words.say("hand.ship", spot=route.spot, type=route.type) for route in view.routes if seat in route.owners]
    lines = [sentence(_side(view, seat)), _home(view, seat)]
    if members:
        lines.append(words.say("hand.members", members=comma.join(members)))
    lines.append(words.say("hand.ships", ships=comma.join(ships)))
    return "\n".join(lines)


def _head(view: PolynesiaView) -> str:
    reds = view.lava.count(COLOURS[0])
    facts = {"over": view.over, "round": view.round, "phase": phase_of(view), "red": reds, "all": reds + view.bag[0]}
    return words_of("polynesia").say("board.head", game=title_of(view), **facts)


def _last(view: PolynesiaView, scene: Scene) -> str:
    words, last = words_of("polynesia"), view.last
    if scene.last:
        return words.say("alt.last", news=news_of(scene))
    if last is None:
        return ""
    steps = [spot.split("-") for spot in last.path]
    path = words.say("list.comma").join(words.say("last.step", start=start, goal=goal) for start, goal in steps)
    told = words.say(f"last.{last.action}", seat_names(view, scene), **{**asdict(last), "path": path})
    return words.say("alt.last", news=told)


def _seat(view: PolynesiaView, scene: Scene, seat: int) -> str:
    return words_of("polynesia").say("board.seat", seat_names(view, scene), seat=seat, side=_side(view, seat))


def _side(view: PolynesiaView, seat: int) -> str:
    """What lies before a seat."""
    side = view.sides[seat]
    held = tuple((face, side.tokens.count(face)) for face in dict.fromkeys(side.tokens))
    facts = {**asdict(side), "points": view.scores[seat], "tokens": held, "coins": side.points}
    return words_of("polynesia").say("board.side", **facts)


def _home(view: PolynesiaView, seat: int) -> str:
    side = view.sides[seat]
    total = side.home + sum(island.members[seat] for island in view.islands)
    return words_of("polynesia").say("board.home", total=total, home=side.home, out=side.ships_out)


def _groups(island: IslandView) -> str:
    """Whose members stand on an island: 'R×3 Y×1'."""
    words = words_of("polynesia")
    groups = [(livery_of(seat).letter, number) for seat, number in enumerate(island.members) if number]
    return " ".join(words.say("board.group", letter=letter, number=number) for letter, number in groups)


def _owners(route: RouteView) -> str:
    return "".join(livery_of(seat).letter for seat in route.owners)


def _lying_on(island: IslandView) -> str:
    words = words_of("polynesia")
    parts = [words.say("board.destroyed")] if island.destroyed else []
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
    yield words.say("board.points" if view.rows else "board.points_now")
    for seat, row in enumerate(view.rows or view.now):
        yield words.say("board.row", names, seat=seat, **asdict(row), total=row.total)
