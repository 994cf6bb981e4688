"""Blue Lagoon in words: alt text, the whole board as text, and what the viewer holds.

An alt text has a limit of characters: `alt_text` offers the board in several lengths, and
`compose_fullest` takes the fullest that fits. Templates are in text/en.toml.
"""

from typing import Literal

from engine.blue_lagoon.board import ITEMS, board_of
from engine.blue_lagoon.scoring import Row
from engine.blue_lagoon.view import BlueLagoonView
from engine.core.game import RESIGNED
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
from render.blue_lagoon.panels import resources_left
from render.chrome import title_of
from render.palette import livery_of
from render.words import words_of

WORDS = words_of("blue_lagoon")
PHASES = ("exploration", "settlement")
Detail = Literal["codes", "items", "numbers", "free"]
"""How much a text says about an island: where all pieces and items are, where items are, only how
many there are, or where everything is and which spaces are free.
"""
ALT_TEXT_DETAILS: tuple[Detail, ...] = ("codes", "items", "numbers")
"""From the fullest to the shortest."""


def alt_text(view: BlueLagoonView, scene: Scene) -> str:
    """Describe the picture in at most 1,024 characters."""
    scene = shorten_names(scene)
    boards = [_region_texts(view, detail) for detail in ALT_TEXT_DETAILS]
    boards[0] = [*_village_texts(view), *boards[0]]
    return compose_fullest(_heading(view, scene), _seat_texts(view, scene), boards, scene)


def text_board(view: BlueLagoonView, scene: Scene) -> str:
    """Describe the whole position."""
    names = seat_names(view, scene)
    head = [*put_news_first(_heading(view, scene)), *_seat_texts(view, scene)]
    lines = [end_sentence(line) for line in head if line]
    lines += ["", WORDS.say("text.legend"), *_row_lines(view), ""]
    lines += [end_sentence(region) for region in _region_texts(view, "free")]
    if choices := describe_choices(scene):
        lines += ["", choices]
    for phase, rows in zip(PHASES, counted_phases(view), strict=False):
        lines += ["", WORDS.say("text.phase", phase=phase)]
        for seat, row in enumerate(rows):
            kinds = [
                WORDS.say("text.kind", kind=kind, points=getattr(row, kind))
                for kind in Row.__struct_fields__
            ]
            listed = WORDS.comma_list(kinds)
            lines.append(WORDS.say("text.points", names, seat=seat, kinds=listed, total=row.total))
    return "\n".join(lines)


def hand(view: BlueLagoonView, scene: Scene) -> str:
    """Describe what the viewer has left and holds; '' for a spectator."""
    if view.viewer is None:
        return ""
    side = view.sides[view.viewer]
    left = WORDS.say("hand.pieces", settlers=side.settlers_left, villages=side.villages_left)
    held = WORDS.say("hand.held", held=_item_counts(side.held))
    return f"{left}\n{held}"


def counted_phases(view: BlueLagoonView) -> tuple[tuple[Row, ...], ...]:
    """Return the points of the phases scored so far.

    If players left the match, the phase under way is counted as it stood.
    """
    has_ended_early = view.outcome is not None and view.outcome.reason == RESIGNED
    return (*view.rows, view.now) if has_ended_early else view.rows


def _heading(view: BlueLagoonView, scene: Scene) -> list[str]:
    """Return the phase, who is to move or has won, and the last move."""
    phase = WORDS.say(
        f"alt.{view.phase}",
        game=title_of(view),
        move=view.move,
        resources=resources_left(view),
        running=view.outcome is None,
    )
    news = shorten_news(scene)
    if not news:
        # The scene does not tell it: name the piece that was placed last.
        names = seat_names(view, scene)
        for piece in view.pieces:
            if piece.spot == view.last:
                facts = {"seat": piece.seat, "piece": piece.piece, "spot": piece.spot}
                news = WORDS.say("alt.placed", names, **facts)
    last = WORDS.say("alt.last", news=news) if news else ""
    return [phase, describe_turn(view, scene), last]


def _seat_texts(view: BlueLagoonView, scene: Scene) -> list[str]:
    """Return what the panel of each seat shows."""
    names = seat_names(view, scene)
    texts = []
    for seat, side in enumerate(view.sides):
        text = WORDS.say(
            "alt.seat",
            names,
            seat=seat,
            points=view.scores[seat],
            settlers=side.settlers_left,
            villages=side.villages_left,
            held=_item_counts(side.held),
        )
        texts.append(text)
    return texts


def _item_counts(counts: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """Return items with their numbers, without those of which there are none."""
    return tuple((item, count) for item, count in zip(ITEMS, counts, strict=True) if count)


def _region_texts(view: BlueLagoonView, detail: Detail) -> list[str]:
    """Return what is on each island, then what is in the sea."""
    board = board_of(view.map)
    texts = []
    for island, value in board.values.items():
        texts.append(
            WORDS.say("alt.island", island=island, value=value, there=_region(view, island, detail))
        )
    texts.append(WORDS.say("alt.sea", there=_region(view, "", detail)))
    return texts


def _village_texts(view: BlueLagoonView) -> list[str]:
    """Return where everybody's villages are; nothing if there are none."""
    villages = [piece for piece in view.pieces if piece.piece == "village"]
    parts = []
    for seat in sorted({piece.seat for piece in villages}):
        codes = tuple(piece.spot for piece in villages if piece.seat == seat)
        parts.append(WORDS.say("alt.pieces", letter=livery_of(seat).letter, codes=codes))
    return [WORDS.say("alt.villages", there=WORDS.comma_list(parts))] if parts else []


def _region(view: BlueLagoonView, island: str, detail: Detail) -> str:
    """Return whose pieces stand on an island, then its items; '' is the sea."""
    inside = [place.code for place in board_of(view.map).places if place.island == island]
    pieces = [piece for piece in view.pieces if piece.spot in inside]
    parts = []
    for seat in sorted({piece.seat for piece in pieces}):
        own = [piece for piece in pieces if piece.seat == seat]
        letter = livery_of(seat).letter
        if detail == "codes":
            codes = tuple(sorted((piece.spot for piece in own), key=inside.index))
            parts.append(WORDS.say("alt.pieces", letter=letter, codes=codes))
        else:
            # The shortest text has no room for them.
            villages = 0
            if detail != "numbers":
                villages = sum(piece.piece == "village" for piece in own)
            parts.append(WORDS.say("alt.number", letter=letter, number=len(own), villages=villages))
    lying = {spot: item for spot, item in view.items if spot in inside}
    if detail == "numbers" and lying:
        parts.append(WORDS.say("alt.items", number=len(lying)))
    elif lying:
        for item in dict.fromkeys(lying.values()):
            spots = tuple(spot for spot, other in lying.items() if other == item)
            parts.append(WORDS.say("alt.item", item=item, spots=spots))
    if detail == "free":
        taken = {piece.spot for piece in pieces} | lying.keys()
        free = tuple(code for code in inside if code not in taken)
        parts.append(WORDS.say("alt.free", codes=free))
    return WORDS.comma_list(parts) or WORDS.say("alt.empty")


def _row_lines(view: BlueLagoonView) -> list[str]:
    """Return the board row by row: every code with a mark of what is on it."""
    board = board_of(view.map)
    marks = {spot: "*" for spot, _ in view.items}
    for piece in view.pieces:
        letter = livery_of(piece.seat).letter
        marks[piece.spot] = f"{letter}v" if piece.piece == "village" else letter
    lines = []
    for row in range(len(board.data.row_widths)):
        codes = [place.code for place in board.places if place.row == row]
        places = [code.upper() + marks.get(code, "-") for code in codes]
        lines.append(WORDS.say("text.row", row=row + 1, places=" ".join(places)))
    return lines
