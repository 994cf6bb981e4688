"""Maori in words: the alt text of a picture, the whole table as text, and what lies before a
player.
"""

from engine.core.game import RESIGNED
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, WIDTH
from engine.maori.scoring import Row
from engine.maori.tiles import NO_TILE, TILES
from engine.maori.view import IslandView, MaoriView
from render import Scene
from render.alt import fullest, news_of, seat_names, sentence, turn_of, with_short_names
from render.chrome import title_of
from render.maori.panels import shown_seat
from render.palette import livery_of
from render.words import words_of

WORDS = words_of("maori")


def alt_text(view: MaoriView, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    scene = with_short_names(scene)
    head = [_phase(view), turn_of(view, scene), _last(view, scene)]
    discoverer = WORDS.say("alt.discoverer", position=view.discoverer, line=_line(view))
    first = shown_seat(view)
    own: list[str] = []
    others: list[str] = []
    sums: dict[int, str] = {}
    for seat, side in enumerate(view.sides):
        letter = livery_of(seat).letter
        islands = WORDS.comma_list(_island(island) for island in side.islands)
        if not islands:
            continue
        told = WORDS.say("alt.islands", letter=letter, islands=islands)
        (own if seat == first else others).append(told)
        palms = sum(island.palms for island in side.islands)
        is_open = sum(not island.complete for island in side.islands)
        sums[seat] = WORDS.say(
            "alt.sum", letter=letter, islands=len(side.islands), open=is_open, palms=palms
        )
    in_sum = [told for seat, told in sums.items() if seat != first]
    # The most telling comes first; the islands of the others are told of all of them, or of all of
    # them in sum.
    boards = [
        [discoverer, *own, *_matrix(view), *others],
        [discoverer, *own, *_matrix(view, short=True), *others],
        [discoverer, *own, *_matrix(view), *in_sum],
        [discoverer, *own, *_matrix(view, short=True), *in_sum],
    ]
    if any(spot in board_of(view.board).by_code for spot in scene.rings):
        # Whoever chooses a space needs their islands more than tiles that nobody takes now.
        boards.append([discoverer, *own, *_discoverers_tiles(view), *in_sum])
    boards += [
        [discoverer, *_matrix(view, short=True), *sums.values()],
        [discoverer, *_matrix(view, short=True)],
    ]
    return fullest(head, _seats(view, scene), boards, scene)


def text_board(view: MaoriView, scene: Scene) -> str:
    """The whole position in words."""
    names = seat_names(view, scene)
    head = [
        _phase(view, with_rules=True),
        turn_of(view, scene),
        _last(view, scene),
        *_seats(view, scene),
    ]
    lines = [sentence(line) for line in head if line]

    lines += ["", WORDS.say("text.discoverer", position=view.discoverer, line=_line(view))]
    lines.append(WORDS.say("text.matrix"))
    lines += [sentence(row) for row in _matrix(view)]
    lines.append(WORDS.say("text.unseen", tiles=view.tally if view.supply else ()))
    lines.append(WORDS.say("text.supply", shells=view.bank))

    for seat in range(len(view.sides)):
        lines += ["", WORDS.say("text.board", names, seat=seat)]
        lines += _board(view, seat)

    if scene.rings:
        prices = dict(view.prices)
        legal = [
            WORDS.say("text.priced", spot=spot, paid=prices.get(spot, 0)) for spot in scene.rings
        ]
        lines += ["", WORDS.say("text.legal", spots=" ".join(legal))]
    return "\n".join(lines + _points(view, names))


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
    return "\n".join(lines)


def _points(view: MaoriView, names: tuple[str, ...]) -> list[str]:
    """The points of the match by their kinds; of one that players left, as the boards stood;
    before the end none.
    """
    is_left = view.outcome is not None and view.outcome.reason == RESIGNED
    rows = view.now if is_left else view.rows
    if not rows:
        return []
    lines = ["", WORDS.say("text.as_it_stood" if is_left else "text.final")]
    for seat, row in enumerate(rows):
        kinds = [
            WORDS.say("text.kind", kind=kind, points=getattr(row, kind))
            for kind in Row.__struct_fields__
        ]
        lines.append(
            WORDS.say(
                "text.points", names, seat=seat, kinds=WORDS.comma_list(kinds), total=row.total
            )
        )
    return lines


def tile_words(number: int) -> str:
    """A tile in few words: 'left end 2 palms and 1 hut'; '' for none."""
    if number == NO_TILE:
        return ""
    return WORDS.say("alt.tile", **dict(TILES[number].facts))


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
    turn = view.turn
    if turn is None:
        return ""
    news = news_of(scene)
    if not news:
        act = ""
        if turn.act not in ("", "take"):  # a turn that is still being drafted has done nothing yet
            act = WORDS.say(f"act.{turn.act}", tile=tile_words(turn.tile), spot=turn.spot)
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
    if not view.discoverer:
        return ""
    line = LINES[POSITIONS.index(view.discoverer)]
    return "".join(CELLS[cell] for cell in line)


def _matrix(view: MaoriView, short: bool = False) -> list[str]:
    """The matrix row by row."""
    cells = []
    for code, tile in zip(CELLS, view.matrix, strict=True):
        told = _short_tile(tile) if short else tile_words(tile)
        cells.append(WORDS.say("alt.cell", cell=code, tile=told))
    return [WORDS.comma_list(cells[start : start + WIDTH]) for start in range(0, len(cells), WIDTH)]


def _discoverers_tiles(view: MaoriView) -> list[str]:
    """The tiles of the line that the discoverer looks at."""
    line = LINES[POSITIONS.index(view.discoverer)] if view.discoverer else ()
    return [
        WORDS.say("alt.cell", cell=CELLS[cell], tile=_short_tile(view.matrix[cell]))
        for cell in line
    ]


def _short_tile(number: int) -> str:
    """A tile in still fewer words: 'left 2 palms 1 hut'."""
    if number == NO_TILE:
        return ""
    tile = TILES[number]
    symbols = dict(tile.symbols)
    counted = {symbol: symbols.get(symbol, 0) for symbol in ("palm", "hut", "lei", "ship", "shell")}
    return WORDS.say("short.tile", shape=WORDS.say(f"short.{tile.shape}"), **counted)


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
    board = board_of(view.board)
    side = view.sides[seat]
    # Islands that were taken off for the scoring are told too, and that they were.
    lying = {laid.spot: laid.tile for laid in (*side.tiles, *side.removed)}
    removed = {laid.spot for laid in side.removed}
    lines = []
    for row in range(board.rows):
        told = []
        for space in board.spaces:
            if space.row == row:
                tile = tile_words(lying.get(space.code, NO_TILE))
                told.append(
                    WORDS.say(
                        "text.space", spot=space.code, tile=tile, removed=space.code in removed
                    )
                )
        lines.append(sentence(WORDS.semicolon_list(told)))
    if side.islands:
        islands = WORDS.semicolon_list(_island(island) for island in side.islands)
        lines.append(WORDS.say("text.islands", islands=islands))
    return lines
