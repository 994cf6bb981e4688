"""Blue Lagoon in words: the alt text of a picture, the whole board as text, and what a player holds."""

from engine.blue_lagoon.board import ITEMS, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.view import BlueLagoonView
from engine.core.game import RESIGNED
from render import Scene
from render.alt import compose, news_of, seat_names, sentence, turn_of
from render.blue_lagoon.panels import resources_left
from render.chrome import title_of
from render.palette import livery_of
from render.words import words_of

WORDS = words_of("blue_lagoon")
PHASES = ("exploration", "settlement")


def alt_text(view: BlueLagoonView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    board = [_region(view, area) for area in _areas(view)]
    return compose(_head(view, scene), _seats(view, scene), board, scene.rings)


def text_board(view: BlueLagoonView, scene: Scene) -> str:
    """The whole position in words."""
    names = seat_names(view, scene)
    head = [*_head(view, scene), *_seats(view, scene)]
    lines = [sentence(line) for line in head if line]
    lines += ["", WORDS.say("text.legend"), *_rows(view), ""]
    lines += [sentence(_region(view, area, with_free=True)) for area in _areas(view)]
    if scene.rings:
        lines += ["", WORDS.say("alt.legal", codes=scene.rings)]
    for phase, rows in zip(PHASES, counted_phases(view), strict=False):
        lines += ["", WORDS.say("text.phase", phase=phase)]
        for seat, row in enumerate(rows):
            kinds = [WORDS.say("text.kind", kind=kind, points=getattr(row, kind)) for kind in Row.__struct_fields__]
            listed = WORDS.say("list.comma").join(kinds)
            lines.append(WORDS.say("text.points", names, seat=seat, kinds=listed, total=row.total))
    return "\n".join(lines)


def hand(view: BlueLagoonView, scene: Scene) -> str:
    """What the viewer has left and holds; nothing for a spectator."""
    if view.viewer is None:
        return ""
    side = view.sides[view.viewer]
    lines = [
        WORDS.say("hand.pieces", settlers=side.settlers_left, villages=side.villages_left),
        WORDS.say("hand.held", held=_items(side.held)),
        WORDS.say("hand.points", points=view.scores[view.viewer], running=view.outcome is None),
    ]
    return "\n".join(lines)


def counted_phases(view: BlueLagoonView) -> tuple[tuple[Row, ...], ...]:
    """The phases that were scored; of a match that players left, the one under way as it stood too."""
    is_left = view.outcome is not None and view.outcome.reason == RESIGNED
    return (*view.rows, view.now) if is_left else view.rows


def _head(view: BlueLagoonView, scene: Scene) -> list[str]:
    """The phase, who is to move or has won, and the last move."""
    phase = WORDS.say(f"alt.{view.phase}", game=title_of(view), move=view.move, resources=resources_left(view))
    news = news_of(scene)
    if not news:
        # The scene does not tell it: then what the view knows, the piece that was placed last.
        names = seat_names(view, scene)
        for piece in view.pieces:
            if piece.spot == view.last:
                news = WORDS.say("alt.placed", names, seat=piece.seat, piece=piece.piece, spot=piece.spot)
    last = WORDS.say("alt.last", news=news) if news else ""
    return [phase, turn_of(view, scene), last]


def _seats(view: BlueLagoonView, scene: Scene) -> list[str]:
    names = seat_names(view, scene)
    return [
        WORDS.say(
            "alt.seat",
            names,
            seat=seat,
            points=view.scores[seat],
            settlers=side.settlers_left,
            villages=side.villages_left,
            held=_items(side.held),
        )
        for seat, side in enumerate(view.sides)
    ]


def _items(counts: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """Items with their numbers, those that are there."""
    return tuple((item, count) for item, count in zip(ITEMS, counts, strict=True) if count)


def _areas(view: BlueLagoonView) -> list[str]:
    """Each island, then the sea, which is ''."""
    return [*board_of(view.map).values, ""]


def _region(view: BlueLagoonView, island: str, with_free: bool = False) -> str:
    """Owners with their numbers of pieces, then the items by their codes."""
    board = board_of(view.map)
    inside = [place.code for place in board.places if place.island == island]
    owners = [standing.seat for standing in view.pieces if standing.spot in inside]
    there = [f"{livery_of(seat).letter}×{owners.count(seat)}" for seat in sorted(set(owners))]
    lying = {spot: item for spot, item in view.items if spot in inside}
    there += [WORDS.say("alt.item", item=item, spot=spot) for spot, item in lying.items()]
    if with_free:
        taken = {standing.spot for standing in view.pieces} | lying.keys()
        free = tuple(code for code in inside if code not in taken)
        there.append(WORDS.say("alt.free", codes=free))
    told = WORDS.say("list.comma").join(there) or WORDS.say("alt.empty")
    if not island:
        return WORDS.say("alt.sea", there=told)
    return WORDS.say("alt.island", island=island, value=board.values[island], there=told)


def _rows(view: BlueLagoonView) -> list[str]:
    """The board as it lies: every code with a mark of what is on it."""
    board = board_of(view.map)
    marks = {spot: "*" for spot, _ in view.items}
    for standing in view.pieces:
        letter = livery_of(standing.seat).letter
        marks[standing.spot] = f"{letter}v" if standing.piece == "village" else letter
    rows = []
    for row in range(len(board.data.row_widths)):
        places = []
        for place in board.places:
            if place.row == row:
                mark = marks.get(place.code, "-")
                places.append(f"{place.code.upper()}{mark}")
        rows.append(WORDS.say("text.row", row=row + 1, places=" ".join(places)))
    return rows
