"""Blue Lagoon in words: the alt text of a picture, the whole board as text, and what a player
holds.
"""

from typing import Literal

from engine.blue_lagoon.board import ITEMS, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.view import BlueLagoonView, Standing
from engine.core.game import RESIGNED
from render import Scene
from render.alt import fullest, news_of, seat_names, sentence, turn_of, with_short_names
from render.blue_lagoon.panels import resources_left
from render.chrome import title_of
from render.palette import livery_of
from render.words import words_of

WORDS = words_of("blue_lagoon")
PHASES = ("exploration", "settlement")
Told = Literal["codes", "items", "numbers", "free"]
"""What is told of an island: where everything is, where items are, only how much there is, or
also what is free.
"""


def alt_text(view: BlueLagoonView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    scene = with_short_names(scene)
    legend = (
        WORDS.say("alt.village") if any(piece.piece == "village" for piece in view.pieces) else ""
    )
    boards = []
    # With the codes of all pieces, with how many they are, at last with how many items there are.
    levels: tuple[Told, ...] = ("codes", "items", "numbers")
    for told in levels:
        regions = [_region(view, area, told) for area in _areas(view)]
        boards.append([legend, *regions] if legend else regions)
    return fullest(_head(view, scene), _seats(view, scene), boards, scene)


def text_board(view: BlueLagoonView, scene: Scene) -> str:
    """The whole position in words."""
    names = seat_names(view, scene)
    head = [*_head(view, scene), *_seats(view, scene)]
    lines = [sentence(line) for line in head if line]
    lines += ["", WORDS.say("text.legend"), *_rows(view), ""]
    lines += [sentence(_region(view, area, "free")) for area in _areas(view)]
    if scene.rings:
        lines += ["", WORDS.say("alt.legal", codes=scene.rings)]
    for phase, rows in zip(PHASES, counted_phases(view), strict=False):
        lines += ["", WORDS.say("text.phase", phase=phase)]
        for seat, row in enumerate(rows):
            kinds = [
                WORDS.say("text.kind", kind=kind, points=getattr(row, kind))
                for kind in Row.__struct_fields__
            ]
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
    ]
    return "\n".join(lines)


def counted_phases(view: BlueLagoonView) -> tuple[tuple[Row, ...], ...]:
    """The phases that were scored; of a match that players left, the one under way as it stood
    too.
    """
    is_left = view.outcome is not None and view.outcome.reason == RESIGNED
    return (*view.rows, view.now) if is_left else view.rows


def _head(view: BlueLagoonView, scene: Scene) -> list[str]:
    """The phase, who is to move or has won, and the last move."""
    phase = WORDS.say(
        f"alt.{view.phase}", game=title_of(view), move=view.move, resources=resources_left(view)
    )
    news = news_of(scene)
    if not news:
        # The scene does not tell it: then what the view knows, the piece that was placed last.
        names = seat_names(view, scene)
        for piece in view.pieces:
            if piece.spot == view.last:
                news = WORDS.say(
                    "alt.placed", names, seat=piece.seat, piece=piece.piece, spot=piece.spot
                )
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


def _region(view: BlueLagoonView, island: str, told: Told) -> str:
    """Whose pieces stand there, then the items."""
    board = board_of(view.map)
    inside = [place.code for place in board.places if place.island == island]
    standing = [piece for piece in view.pieces if piece.spot in inside]
    there = []
    for seat in sorted({piece.seat for piece in standing}):
        own = [piece for piece in standing if piece.seat == seat]
        villages = sum(piece.piece == "village" for piece in own)
        letter = livery_of(seat).letter
        if told == "codes":
            codes = [
                _marked(piece) for piece in sorted(own, key=lambda piece: inside.index(piece.spot))
            ]
            there.append(WORDS.say("alt.pieces", letter=letter, codes=" ".join(codes)))
        else:
            there.append(WORDS.say("alt.number", letter=letter, number=len(own), villages=villages))
    lying = {spot: item for spot, item in view.items if spot in inside}
    if told == "numbers" and lying:
        there.append(WORDS.say("alt.items", number=len(lying)))
    elif lying:
        for item in dict.fromkeys(lying.values()):
            spots = tuple(spot for spot, other in lying.items() if other == item)
            there.append(WORDS.say("alt.item", item=item, spots=spots))
    if told == "free":
        taken = {piece.spot for piece in standing} | lying.keys()
        free = tuple(code for code in inside if code not in taken)
        there.append(WORDS.say("alt.free", codes=free))
    what = WORDS.say("list.comma").join(there) or WORDS.say("alt.empty")
    if not island:
        return WORDS.say("alt.sea", there=what)
    return WORDS.say("alt.island", island=island, value=board.values[island], there=what)


def _marked(piece: Standing) -> str:
    """Where a piece stands, marked if it is a village: 'G7v'."""
    return f"{piece.spot.upper()}v" if piece.piece == "village" else piece.spot.upper()


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
