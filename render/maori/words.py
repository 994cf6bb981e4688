"""Maori in words: the alt text of a picture, the whole table as text, and what a player has.

Every sentence comes from text/en.toml; here the facts for them are collected.
"""

from engine.core.game import RESIGNED
from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS, WIDTH
from engine.maori.tiles import NO_TILE, TILES
from engine.maori.view import IslandView, MaoriView
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
from render.maori.panels import seat_with_codes
from render.maori.scores import list_points
from render.palette import livery_of
from render.words import words_of

WORDS = words_of("maori")


def alt_text(view: MaoriView, scene: Scene) -> str:
    """Return the picture in at most 1,024 characters."""
    scene = shorten_names(scene)
    head = [_describe_phase(view), describe_turn(view, scene), _describe_last_turn(view, scene)]
    line = "".join(CELLS[cell] for cell in _visible_line(view))
    discoverer = WORDS.say("alt.discoverer", position=view.discoverer, line=line)
    first_seat = seat_with_codes(view)
    own: list[str] = []
    others: list[str] = []
    sums: list[str] = []
    others_in_sum: list[str] = []
    for seat, side in enumerate(view.sides):
        if not side.islands:
            continue
        letter = livery_of(seat).letter
        islands = WORDS.comma_list(_describe_island(island) for island in side.islands)
        in_full = WORDS.say("alt.islands", letter=letter, islands=islands)
        in_sum = WORDS.say(
            "alt.sum",
            letter=letter,
            islands=len(side.islands),
            open=sum(not island.complete for island in side.islands),
            palms=sum(island.palms for island in side.islands),
        )
        sums.append(in_sum)
        if seat == first_seat:
            own.append(in_full)
        else:
            others.append(in_full)
            others_in_sum.append(in_sum)

    # From the fullest to the shortest. The islands of the others are listed for all of them, or
    # only counted for all of them.
    matrix = _describe_matrix(view)
    short_matrix = _describe_matrix(view, is_short=True)
    boards = [
        [discoverer, *own, *matrix, *others],
        [discoverer, *own, *short_matrix, *others],
        [discoverer, *own, *matrix, *others_in_sum],
        [discoverer, *own, *short_matrix, *others_in_sum],
    ]
    if any(spot in board_of(view.board).by_code for spot in scene.rings):
        # To choose a space, a player needs their islands more than the tiles of the matrix.
        boards.append([discoverer, *own, *_describe_visible_tiles(view), *others_in_sum])
    boards.append([discoverer, *short_matrix, *sums])
    boards.append([discoverer, *short_matrix])
    return compose_fullest(head, _describe_seats(view, scene), boards, scene)


def text_board(view: MaoriView, scene: Scene) -> str:
    """Return the whole position in words."""
    names = seat_names(view, scene)
    head = [
        _describe_phase(view, with_rules=True),
        describe_turn(view, scene),
        _describe_last_turn(view, scene),
    ]
    lines = [end_sentence(line) for line in put_news_first(head)]
    lines += [end_sentence(line) for line in _describe_seats(view, scene)]

    visible_line = "".join(CELLS[cell] for cell in _visible_line(view))
    lines.append("")
    lines.append(WORDS.say("text.discoverer", position=view.discoverer, line=visible_line))
    lines.append(WORDS.say("text.matrix"))
    lines += [end_sentence(row) for row in _describe_matrix(view)]
    lines.append(WORDS.say("text.unseen", tiles=view.tally if view.supply else ()))
    lines.append(WORDS.say("text.supply", shells=view.bank))

    for seat in range(len(view.sides)):
        lines += ["", WORDS.say("text.board", names, seat=seat)]
        lines += _describe_board(view, seat)

    if scene.rings:
        prices = dict(view.prices)
        lost = {caution.spot for caution in view.cautions if caution.lost}
        legal = [
            WORDS.say("text.priced", spot=spot, paid=prices.get(spot, 0), lost=spot in lost)
            for spot in scene.rings
        ]
        lines += ["", WORDS.say("text.legal", spots=WORDS.comma_list(legal))]
    elif choices := describe_choices(scene):
        lines += ["", choices]
    return "\n".join(lines + _describe_points(view, names))


def hand(view: MaoriView, scene: Scene) -> str:
    """Return what lies before the viewer; nothing for a spectator."""
    if view.viewer is None:
        return ""
    side = view.sides[view.viewer]
    lines = [
        WORDS.say("hand.shells", shells=side.shells),
        WORDS.say("hand.ships", ships=side.ships),
        WORDS.say("hand.storage", stored=describe_tile(side.stored)),
    ]
    if view.rules != "basic":
        lines.append(WORDS.say("hand.ship", ship=side.ship))
    lines += [WORDS.say("hand.board"), *_describe_board(view, view.viewer)]
    return "\n".join(lines)


def describe_tile(number: int) -> str:
    """Return a tile in few words, such as 'left end 2 palms and 1 hut'; '' for none."""
    if number == NO_TILE:
        return ""
    return WORDS.say("alt.tile", **dict(TILES[number].facts))


def _describe_tile_shortly(number: int) -> str:
    """Return a tile in still fewer words, such as 'left 2 palms 1 hut'; '' for none."""
    if number == NO_TILE:
        return ""
    tile = TILES[number]
    symbols = dict(tile.symbols)
    counts = {symbol: symbols.get(symbol, 0) for symbol in ("palm", "hut", "lei", "ship", "shell")}
    return WORDS.say("short.tile", shape=WORDS.say(f"short.{tile.shape}"), **counts)


def _describe_phase(view: MaoriView, with_rules: bool = False) -> str:
    return WORDS.say(
        f"alt.{view.phase}",
        game=title_of(view),
        round=view.round,
        tiles=len(view.supply),
        shells=view.bank,
        rules=view.rules if with_rules else "",
        board=view.board,
    )


def _describe_last_turn(view: MaoriView, scene: Scene) -> str:
    """Return what happened last: as the scene tells it, else as far as the view knows it."""
    news, turn = shorten_news(scene), view.turn
    if not news:
        if turn is None:
            return ""
        act = ""
        # A turn that is still being drafted has done nothing yet.
        if turn.act not in ("", "take"):
            act = WORDS.say(f"act.{turn.act}", tile=describe_tile(turn.tile), spot=turn.spot)
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


def _describe_seats(view: MaoriView, scene: Scene) -> list[str]:
    names = seat_names(view, scene)
    lines = []
    for seat, side in enumerate(view.sides):
        line = WORDS.say(
            "alt.seat",
            names,
            seat=seat,
            points=view.scores[seat],
            shells=side.shells,
            ships=side.ships,
            empty=side.empty,
            stored=describe_tile(side.stored),
            ship=side.ship,
        )
        lines.append(line)
    return lines


def _visible_line(view: MaoriView) -> tuple[int, ...]:
    """Return the cells that the discoverer looks at, the nearest first."""
    if not view.discoverer:
        return ()
    return tuple(LINES[POSITIONS.index(view.discoverer)])


def _describe_matrix(view: MaoriView, is_short: bool = False) -> list[str]:
    """Return the matrix row by row."""
    describe = _describe_tile_shortly if is_short else describe_tile
    cells = []
    for code, tile in zip(CELLS, view.matrix, strict=True):
        cells.append(WORDS.say("alt.cell", cell=code, tile=describe(tile)))
    row_starts = range(0, len(cells), WIDTH)
    return [WORDS.comma_list(cells[start : start + WIDTH]) for start in row_starts]


def _describe_visible_tiles(view: MaoriView) -> list[str]:
    """Return the tiles in the line that the discoverer looks at."""
    cells = []
    for cell in _visible_line(view):
        tile = _describe_tile_shortly(view.matrix[cell])
        cells.append(WORDS.say("alt.cell", cell=CELLS[cell], tile=tile))
    return cells


def _describe_island(island: IslandView) -> str:
    return WORDS.say(
        "alt.island",
        first=island.spots[0],
        last=island.spots[-1] if len(island.spots) > 1 else "",
        palms=island.palms,
        hut=int(island.hut),
        leis=len(island.leis),
        doubled=island.doubled,
        open=not island.complete,
        lost=island.lost,
    )


def _describe_board(view: MaoriView, seat: int) -> list[str]:
    """Return a seat's board, row by row, then its islands."""
    board = board_of(view.board)
    side = view.sides[seat]
    # Islands that were removed before the scoring are listed too, and marked as removed.
    tiles = {laid.spot: laid.tile for laid in (*side.tiles, *side.removed)}
    removed = {laid.spot for laid in side.removed}
    lines = []
    for row in range(board.rows):
        spaces = []
        for space in board.spaces:
            if space.row == row:
                code = space.code
                tile = describe_tile(tiles.get(code, NO_TILE))
                spaces.append(
                    WORDS.say("text.space", spot=code, tile=tile, removed=code in removed)
                )
        lines.append(end_sentence(WORDS.semicolon_list(spaces)))
    if side.islands:
        islands = WORDS.semicolon_list(_describe_island(island) for island in side.islands)
        lines.append(WORDS.say("text.islands", islands=islands))
    return lines


def _describe_points(view: MaoriView, names: tuple[str, ...]) -> list[str]:
    """Return the points of the match by their kinds; none before its end.

    Of a match that players left, they are the points of the boards at that time.
    """
    was_left = view.outcome is not None and view.outcome.reason == RESIGNED
    if not view.rows and not was_left:
        return []
    lines = ["", WORDS.say("text.as_it_stood" if was_left else "text.final")]
    points = list_points(view)
    for seat, total in enumerate(view.scores):
        kinds = [
            WORDS.say("text.kind", kind=kind, points=by_seat[seat])
            for kind, by_seat in points.items()
        ]
        listed = WORDS.comma_list(kinds)
        lines.append(WORDS.say("text.points", names, seat=seat, kinds=listed, total=total))
    return lines
