"""Maori in words: the alt text of a picture, the whole table as text, and what lies before a player."""

from engine.core.game import RESIGNED
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, WIDTH
from engine.maori.scoring import Row
from engine.maori.tiles import NO_TILE, TILES
from engine.maori.view import IslandView, MaoriView
from render import Scene
from render.alt import compose, news_of, seat_names, sentence, turn_of
from render.chrome import title_of
from render.maori.panels import shown_seat
from render.words import words_of

WORDS = words_of("maori")
COMMA, SEMICOLON = WORDS.say("list.comma"), WORDS.say("list.semicolon")


def alt_text(view: MaoriView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    names, seat = seat_names(view, scene), shown_seat(view)
    board = [WORDS.say("alt.discoverer", position=view.discoverer, line=_line(view))]
    islands = COMMA.join(_island(island) for island in view.sides[seat].islands)
    if islands:
        board.append(WORDS.say("alt.islands", names, seat=seat, islands=islands))
    board += _matrix(view)
    return compose([_phase(view), turn_of(view, scene), _last(view, scene)], _seats(view, scene), board, scene.rings)


def text_board(view: MaoriView, scene: Scene) -> str:
    """The whole position in words."""
    names = seat_names(view, scene)
    head = [_phase(view, with_rules=True), turn_of(view, scene), _last(view, scene), *_seats(view, scene)]
    lines = [sentence(line) for line in head if line]
    lines += ["", WORDS.say("text.discoverer", position=view.discoverer, line=_line(view))]
    lines += [WORDS.say("text.matrix"), *(sentence(row) for row in _matrix(view))]
    lines += [WORDS.say("text.unseen", tiles=view.tally if view.supply else ())]
    lines += [WORDS.say("text.supply", shells=view.bank)]
    for seat in range(len(view.sides)):
        lines += ["", WORDS.say("text.board", names, seat=seat), *_board(view, seat)]
    if scene.rings:
        prices = dict(view.prices)
        legal = [WORDS.say("text.priced", spot=spot, paid=prices.get(spot, 0)) for spot in scene.rings]
        lines += ["", WORDS.say("text.legal", spots=" ".join(legal))]

    # Of a match that players left, the points as the boards stood.
    is_left = view.outcome is not None and view.outcome.reason == RESIGNED
    rows = view.now if is_left else view.rows
    if rows:
        lines += ["", WORDS.say("text.as_it_stood" if is_left else "text.final")]
    for seat, row in enumerate(rows):
        kinds = [WORDS.say("text.kind", kind=kind, points=getattr(row, kind)) for kind in Row.__struct_fields__]
        lines.append(WORDS.say("text.points", names, seat=seat, kinds=COMMA.join(kinds), total=row.total))
    return "\n".join(lines)


def hand(view: MaoriView, scene: Scene) -> str:
    """What lies before the viewer; nothing for a spectator."""
    if view.viewer is None:
        return ""
    side = view.sides[view.viewer]
    lines = [
        WORDS.say("hand.shells", shells=side.shells),
        WORDS.say("hand.ships", ships=side.ships),
        WORDS.say("hand.storage", stored=tile_words(side.stored)),
    ]
    if view.rules != "basic":
        lines.append(WORDS.say("hand.ship", ship=side.ship))
    lines += [WORDS.say("hand.board"), *_board(view, view.viewer)]
    lines.append(WORDS.say("hand.points", points=view.scores[view.viewer], running=view.outcome is None))
    return "\n".join(lines)


def tile_words(number: int) -> str:
    """A tile in few words: 'left end 2 palms and 1 hut'; '' for none."""
    return WORDS.say("alt.tile", **dict(TILES[number].facts)) if number != NO_TILE else ""


def _phase(view: MaoriView, with_rules: bool = False) -> str:
    return WORDS.say(
        f"alt.{view.phase}",
        game=title_of(view),
        round=view.round,
        tiles=len(view.supply),
        shells=view.bank,
        rules=view.rules if with_rules else "",
        board=view.board,
    )


def _last(view: MaoriView, scene: Scene) -> str:
    """What happened last: as the scene tells it, else as the view knows the last turn."""
    turn, news = view.turn, news_of(scene)
    if turn is None:
        return ""
    if not news:
        is_done = turn.act not in ("", "take")
        act = WORDS.say(f"act.{turn.act}", tile=tile_words(turn.tile), spot=turn.spot) if is_done else ""
        news = WORDS.say(
            "alt.turn",
            seat_names(view, scene),
            seat=turn.seat,
            start=view.journey[0],
            to=view.journey[-1],
            cell=turn.cell,
            act=act,
            ship=turn.ship_to,
        )
    return WORDS.say("alt.last", news=news)


def _seats(view: MaoriView, scene: Scene) -> list[str]:
    names = seat_names(view, scene)
    return [
        WORDS.say(
            "alt.seat",
            names,
            seat=seat,
            points=view.scores[seat],
            shells=side.shells,
            ships=side.ships,
            empty=side.empty,
            stored=tile_words(side.stored),
            ship=side.ship,
        )
        for seat, side in enumerate(view.sides)
    ]


def _line(view: MaoriView) -> str:
    """The cells that the discoverer looks at, the nearest first."""
    return "".join(CELLS[cell] for cell in LINES[POSITIONS.index(view.discoverer)]) if view.discoverer else ""


def _matrix(view: MaoriView) -> list[str]:
    """The matrix row by row."""
    cells = [WORDS.say("alt.cell", cell=CELLS[cell], tile=tile_words(tile)) for cell, tile in enumerate(view.matrix)]
    return [COMMA.join(cells[start : start + WIDTH]) for start in range(0, len(CELLS), WIDTH)]


def _island(island: IslandView) -> str:
    return WORDS.say(
        "alt.island",
        first=island.spots[0],
        last=island.spots[-1] if len(island.spots) > 1 else "",
        palms=island.palms,
        hut=int(island.hut),
        leis=len(island.leis),
        doubled=island.doubled,
        open=not island.complete,
    )


def _board(view: MaoriView, seat: int) -> list[str]:
    """A seat's board, row by row, then its islands."""
    board, side = board_of(view.board), view.sides[seat]
    lying = {laid.spot: laid.tile for laid in (*side.tiles, *side.removed)}
    removed = {laid.spot for laid in side.removed}
    lines = []
    for row in range(board.rows):
        spots = [space.code for space in board.spaces if space.row == row]
        told = [
            WORDS.say("text.space", spot=spot, tile=tile_words(lying.get(spot, NO_TILE)), removed=spot in removed)
            for spot in spots
        ]
        lines.append(sentence(SEMICOLON.join(told)))
    if side.islands:
        lines.append(WORDS.say("text.islands", islands=SEMICOLON.join(_island(island) for island in side.islands)))
    return lines
