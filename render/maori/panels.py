"""The panels of the players around their boards, the panel of the supply, and the phase line.

A panel shows name, points, shells, ships and the storage. The large panel has everything in one row
above the board; the small ones have a column of counts beside it. Lengths are in pixels and may be
changed freely; look at the pictures.
"""

from collections.abc import Sequence

from PIL import Image

from engine.core.words import points
from engine.maori.board import board_of
from engine.maori.tiles import NO_TILE
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, Sprite, cached
from render.chrome import PaperSize, Stage, hairline_width, paper, pointer, put_panel_rank, share
from render.fonts import Face, fit_text, text_width, write
from render.free_space import FreeSpace
from render.items import shell
from render.maori.boards import HATCH, Marks, Player, put_board
from render.maori.layout import (
    LARGE_PANEL,
    PICTURE_WIDTH,
    SMALL_HEAD_HEIGHT,
    SMALL_PANEL,
    STORAGE_SIZE,
    PanelLayout,
)
from render.maori.marks import TEXT_SIZE, draw_hatch, draw_news_ring, put_turn_number
from render.maori.news import NewsItem
from render.maori.sprites import draw_frame, draw_ship
from render.maori.tiles import draw_ghost_tile, draw_tile, mask_symbols
from render.news import Mark, bud, choose_panel_marks, encircle, put_panel_flowers
from render.palette import (
    BACKDROP,
    CODE_UNKNOWN,
    CREAM,
    INK,
    MUTED,
    RULE,
    Colour,
    livery_of,
    mix,
    rgb,
)
from render.pieces import badge, canoe
from render.ranks import UNRANKED, Rank, final_lines, winners_of
from render.shapes import rectangle, seat_shape
from render.words import words_of

WORDS = words_of("maori")

RIM = share(PICTURE_WIDTH, 0.005)
"""Room around the paper of a panel for the gold outline of the seat to move."""
CORNER_RADIUS = share(PICTURE_WIDTH, 0.0117)
STRIP_LINE_WIDTH = 2
STRIP_LINE = rgb("#8A6A38")
EMPTY_STORAGE = rgb("#0C3A50")
STORAGE_FRAME = 4
STORAGE_FLOWER_SIZE = 24

# Sizes of text.
SCORE_SIZE = share(PICTURE_WIDTH, 0.042)
LARGE_NAME_SIZE = share(PICTURE_WIDTH, 0.034)
SMALL_NAME_SIZE = share(PICTURE_WIDTH, 0.033)
LARGE_COUNT_SIZE = share(PICTURE_WIDTH, 0.033)
SMALL_COUNT_SIZE = share(PICTURE_WIDTH, 0.03)

# The score: its unit stands beside the number and a little lower, a ring around a new number.
SCORE_TO_UNIT = 6
UNIT_DROP = 4
SCORE_RING_LEFT, SCORE_RING_RIGHT, SCORE_RING_HALF_HEIGHT = 5, 3, 19
COUNT_RING_MARGIN = 6

SIGNATURE_WIDTH = 42
"""The room that the flower of a turn takes beside a name."""
SIGNATURE_GAP = 12
SIGNATURE_FLOWER_SIZE = 30

# The large panel: two lines of text around the middle of the storage, from the strip to the right.
LARGE_UPPER_LINE, LARGE_LOWER_LINE = -21, 14
"""How far below the middle of the storage the two lines are."""
LARGE_BADGE_SIZE = share(PICTURE_WIDTH, 0.053)
LARGE_BADGE_X, LARGE_POINTER_X, LARGE_TEXT_X = 38, 11, 72
"""How far right of the strip badge, pointer and text are."""
LARGE_POINTER_SIZE, LARGE_POINTER_DROP = 28, 8
"""The size of the pointer, and how far below the badge's middle it is, clear of the rank's disc."""
LARGE_SHIP_SIZE, LARGE_SHIP_ROOM = 42, 48
"""The small ship that waits beside the board, and the room it takes with a gap."""
LARGE_COUNTS_X, LARGE_COUNT_STEP = 138, 97
"""From the text to the first count, and from that to the next."""
LARGE_SHELL_ICON, LARGE_SHIP_ICON = 34, 40

# The small panel: a line with badge, name and points; below it a column of counts.
SMALL_LEFT = 9
"""From the strip to the column."""
SMALL_LINE = 29
"""From the top of the paper to the middle of the line with the name."""
SMALL_BADGE_SIZE = share(PICTURE_WIDTH, 0.047)
SMALL_BADGE_X, SMALL_TEXT_X, SMALL_COUNT_X = 23, 54, 20
"""From the left of the column."""
SMALL_POINTER_SIZE, SMALL_POINTER_DROP = 26, 16
SMALL_RIGHT_MARGIN = 26
SMALL_NAME_GAP = 10
SMALL_SIGNATURE_X, SMALL_SIGNATURE_Y = 41, 24
SMALL_SHELLS_Y, SMALL_SHIPS_Y, SMALL_WAITING_Y = 64, 102, 182
"""From the foot of the panel's head."""
SMALL_SHELL_ICON, SMALL_SHIP_ICON, SMALL_WAITING_ICON = 30, 36, 40
SMALL_WAITING_X = 22

# The supply: a heading, the kinds of tiles between two rules, then the shells and the variant.
SUPPLY_MARGIN = 20
SUPPLY_HEAD_SIZE = share(PICTURE_WIDTH, 0.032)
SUPPLY_HEAD_Y = 42
SUPPLY_RULES_Y = (72, 222)
SUPPLY_TILES_Y = 98
SUPPLY_TILE_FRAME = 2
SUPPLY_NUMBERS_Y = 192
SUPPLY_NUMBER_SIZE = share(PICTURE_WIDTH, 0.033)
SUPPLY_SHELLS_Y = 256
SUPPLY_SHELL_ICON, SUPPLY_SHELL_X, SUPPLY_SHELL_TEXT_X = 32, 18, 44
SUPPLY_SHELL_TEXT_SIZE = share(PICTURE_WIDTH, 0.027)
SUPPLY_VARIANT_Y = 302
SHRUNK_TEXT_SIZE = share(PICTURE_WIDTH, 0.018)
"""The size to which these texts shrink at most, in languages with longer words."""
# The line below the panels: a small tile, and what its hatch or its fading means.
LEGEND_TILE, LEGEND_TILE_SIZE = 69, 28
LEGEND_LEFT, LEGEND_GAP = 18, 12
LEGEND_MIDDLE = 19
"""From the bottom of the picture."""
SUPPLY_EXAMPLES = (
    ("single", 1),
    ("end", 24),
    ("middle", 69),
    ("water", 79),
    ("volcano", 96),
)
"""The kinds of tiles, each with the number of one that shows it."""


def order_seats(view: MaoriView) -> list[int]:
    """Return the seats in the order of their panels; the first has the large one.

    That is seat order, except that the first seat changes places with the viewer or, after the
    end, with the winner.
    """
    order = list(range(len(view.sides)))
    shown_large = view.viewer
    if shown_large is None and winners_of(view):
        shown_large = winners_of(view)[0]
    if shown_large is not None:
        order[0], order[shown_large] = shown_large, 0
    return order


def seat_with_codes(view: MaoriView) -> int | None:
    """Return the seat whose board shows its codes.

    That is the viewer, else the seat to move or the winner; in a film it is nobody. The final
    picture has no codes, only its words have.
    """
    if view.viewer is not None:
        return view.viewer
    if view.outcome:
        return view.outcome.winners[0]
    return view.to_move[0] if view.to_move else None


def phase_lines(view: MaoriView) -> tuple[str, ...]:
    """Return the lines in the middle of the title strip."""
    rules = "" if view.rules == "basic" else view.rules
    phase = WORDS.say(f"phase.{view.phase}", round=view.round, rules=rules)
    if view.phase == "over":
        return final_lines(view, phase)
    return phase, WORDS.say("phase.left", tiles=len(view.supply), shells=view.bank)


def stage_of(view: MaoriView) -> Stage:
    """Return how far the match has come: it ends with the tiles, if not before."""
    if view.phase == "over":
        return Stage(1, 1, 1)
    laid = sum(len(side.tiles) for side in view.sides)
    return Stage(1, 0, laid / max(1, laid + len(view.supply)))


# Cached: it takes 4 ms and is the same in all panels of a seat.
@cached(16)
def _draw_strip(seat: int, strip_width: int, height: int) -> Sprite:
    """Draw the left end of a panel in the seat's colour, with a column of its shapes."""
    livery = livery_of(seat)
    whole_width = strip_width + STRIP_LINE_WIDTH
    brush = Brush(whole_width, height)
    # Round at the left like the paper under it; its right corners are outside of the sprite.
    area = brush.mask(rectangle(0, 0, strip_width * 3, height, CORNER_RADIUS))
    brush.paint(area, livery.colour)
    step = strip_width + 2
    stamp = mix(livery.colour, livery.stamp, 0.55)
    for number in range(1, height // step):
        shape = seat_shape(livery.shape, strip_width / 2, number * step, strip_width * 0.2)
        brush.fill(shape, stamp)
    brush.fill(rectangle(strip_width, 0, whole_width, height), STRIP_LINE)
    return brush.finish()


def _blank_panel(layout: PanelLayout, player: Player) -> Canvas:
    """Return a panel with its paper and strip: gold around it if the seat is to move."""
    canvas = Canvas.blank(layout.width + 2 * RIM, layout.height + 2 * RIM, BACKDROP)
    plate = PaperSize(layout.width, layout.height, RIM, layout.strip_width, CORNER_RADIUS)
    canvas.put(paper(plate, player.is_to_move, player.rank.has_won), RIM, RIM)
    canvas.put(_draw_strip(player.seat, layout.strip_width, layout.height), RIM, RIM)
    put_panel_rank(canvas, player.rank, RIM, PICTURE_WIDTH)
    return canvas


def _put_storage(canvas: Canvas, layout: PanelLayout, player: Player) -> None:
    """Put the storage with its tile, ringed if it has changed."""
    x, y = layout.storage[0] + RIM, layout.storage[1] + RIM
    size, stored = STORAGE_SIZE, player.side.stored
    mark = dict(player.changed).get("stored")
    canvas.put(draw_frame(size, size, STORAGE_FRAME), x, y)
    free_space = FreeSpace(canvas.width, canvas.height)
    if stored == NO_TILE:
        canvas.cover((x, y, x + size, y + size), EMPTY_STORAGE)
        if mark is None:
            middle_x, middle_y = x + size // 2, y + size // 2
            write(canvas, middle_x, middle_y, "–", Face.CODE, TEXT_SIZE, CODE_UNKNOWN, "m")
    else:
        canvas.lay(draw_tile(stored, size), x, y)
        free_space.taken.paste(mask_symbols(stored, size), (x, y))
    if mark is not None:
        canvas.put(free_space.clip_behind(draw_news_ring(size, mark.age), x, y), x, y)
        flower = bud(STORAGE_FLOWER_SIZE, mark, TEXT_SIZE)
        put_turn_number(canvas, free_space, (x, y), size, flower, mark)


def _put_count(
    canvas: Canvas, x: int, y: int, icon: Sprite, number: int, size: int, mark: Mark | None = None
) -> None:
    """Put an icon with its number beside it: pale if there is none, ringed if it has changed."""
    canvas.put(icon if number else icon.fade(), x, y)
    face = Face.STRONG if number else Face.LABEL
    colour = INK if number else MUTED
    left = x + round(size * 0.8)
    right = left + write(canvas, left, y, str(number), face, size, colour)
    if mark is not None:
        half = round(size * 0.5)
        ring = (left - COUNT_RING_MARGIN, y - half, right + COUNT_RING_MARGIN, y + half)
        encircle(canvas, ring, mark)


def _write_score(canvas: Canvas, x: int, y: int, player: Player, is_right_aligned: bool) -> int:
    """Write the points and their unit, from x on or up to it; return how wide they are."""
    number = points(player.score)
    unit = WORDS.say("panel.unit", points=player.score)
    number_width = text_width(number, Face.STRONG, SCORE_SIZE)
    across = number_width + SCORE_TO_UNIT + text_width(unit, Face.LABEL, TEXT_SIZE)
    left = x - across if is_right_aligned else x
    unit_left = left + number_width + SCORE_TO_UNIT
    write(canvas, left, y, number, Face.STRONG, SCORE_SIZE, INK)
    write(canvas, unit_left, y + UNIT_DROP, unit, Face.LABEL, TEXT_SIZE, MUTED)
    mark = dict(player.changed).get("score")
    if mark is not None:
        right = left + number_width + SCORE_RING_RIGHT
        top, bottom = y - SCORE_RING_HALF_HEIGHT, y + SCORE_RING_HALF_HEIGHT
        encircle(canvas, (left - SCORE_RING_LEFT, top, right, bottom), mark)
    return across


def _write_name(
    canvas: Canvas,
    x: int,
    y: int,
    name: str,
    size: int,
    room: int,
) -> None:
    shown, fitting_size = fit_text(name, Face.STRONG, size, TEXT_SIZE, room)
    write(canvas, x, y, shown, Face.STRONG, fitting_size, INK)


# Cached, like the small ones: it takes 2 ms once its tiles are there, and a turn changes one panel
# of up to five.
@cached(64)
def draw_large_panel(player: Player) -> Image.Image:
    """Draw the large panel."""
    layout, side = LARGE_PANEL, player.side
    canvas = _blank_panel(layout, player)
    changed = dict(player.changed)

    # Everything but the board is in one row with the storage, in two lines.
    middle = RIM + layout.storage[1] + STORAGE_SIZE // 2
    upper, lower = middle + LARGE_UPPER_LINE, middle + LARGE_LOWER_LINE
    left = RIM + layout.strip_width
    canvas.put(badge(player.seat, LARGE_BADGE_SIZE), left + LARGE_BADGE_X, middle)
    if player.is_to_move:
        canvas.put(pointer(LARGE_POINTER_SIZE), left + LARGE_POINTER_X, middle + LARGE_POINTER_DROP)

    # The upper line, from the right: the waiting ship, the flowers of turns; the name has the rest.
    text_x = left + LARGE_TEXT_X
    right = RIM + layout.storage[0] - SIGNATURE_GAP
    if player.has_ship_waiting:
        ship = canoe(player.seat, LARGE_SHIP_SIZE, None)
        canvas.put(ship, right - LARGE_SHIP_SIZE // 2, upper)
        right -= LARGE_SHIP_ROOM
    if player.flowers:
        flowers = SIGNATURE_WIDTH * len(choose_panel_marks(player.flowers))
        flowers_x = right - flowers // 2
        put_panel_flowers(
            canvas, flowers_x, upper, player.flowers, SIGNATURE_FLOWER_SIZE, TEXT_SIZE
        )
        right -= flowers + SIGNATURE_GAP
    _write_name(canvas, text_x, upper, player.name, LARGE_NAME_SIZE, right - text_x)

    _write_score(canvas, text_x, lower, player, is_right_aligned=False)
    shells_x = text_x + LARGE_COUNTS_X
    shells_mark = changed.get("shells")
    shell_icon = shell(LARGE_SHELL_ICON, None)
    _put_count(canvas, shells_x, lower, shell_icon, side.shells, LARGE_COUNT_SIZE, shells_mark)
    ships_x = shells_x + LARGE_COUNT_STEP
    ship_icon = draw_ship(LARGE_SHIP_ICON, None)
    _put_count(canvas, ships_x, lower, ship_icon, side.ships, LARGE_COUNT_SIZE)
    _put_storage(canvas, layout, player)
    put_board(canvas, RIM + layout.board[0], RIM + layout.board[1], layout, player)
    return canvas.image


@cached(128)
def draw_small_panel(player: Player) -> Image.Image:
    """Draw a small panel."""
    layout, side = SMALL_PANEL, player.side
    canvas = _blank_panel(layout, player)
    changed = dict(player.changed)

    # Name and points above the board.
    left, line = RIM + layout.strip_width + SMALL_LEFT, RIM + SMALL_LINE
    canvas.put(badge(player.seat, SMALL_BADGE_SIZE), left + SMALL_BADGE_X, line)
    if player.is_to_move:
        canvas.put(pointer(SMALL_POINTER_SIZE), left, line + SMALL_POINTER_DROP)
    text_x, right = left + SMALL_TEXT_X, RIM + layout.width - SMALL_RIGHT_MARGIN
    right -= _write_score(canvas, right, line, player, is_right_aligned=True) + SMALL_NAME_GAP
    _write_name(canvas, text_x, line, player.name, SMALL_NAME_SIZE, right - text_x)

    # A column at the left of the board: flowers of turns, counts, and the storage at the bottom.
    counts_x, counts_top = left + SMALL_COUNT_X, RIM + SMALL_HEAD_HEIGHT
    flowers_x, flowers_y = left + SMALL_SIGNATURE_X, counts_top + SMALL_SIGNATURE_Y
    put_panel_flowers(
        canvas, flowers_x, flowers_y, player.flowers, SIGNATURE_FLOWER_SIZE, TEXT_SIZE
    )
    shells_y, shells_mark = counts_top + SMALL_SHELLS_Y, changed.get("shells")
    shell_icon = shell(SMALL_SHELL_ICON, None)
    _put_count(canvas, counts_x, shells_y, shell_icon, side.shells, SMALL_COUNT_SIZE, shells_mark)
    ship_icon = draw_ship(SMALL_SHIP_ICON, None)
    ships_y = counts_top + SMALL_SHIPS_Y
    _put_count(canvas, counts_x, ships_y, ship_icon, side.ships, SMALL_COUNT_SIZE)
    if player.has_ship_waiting:
        waiting = canoe(player.seat, SMALL_WAITING_ICON, None)
        canvas.put(waiting, counts_x + SMALL_WAITING_X, counts_top + SMALL_WAITING_Y)
    _put_storage(canvas, layout, player)
    put_board(canvas, RIM + layout.board[0], RIM + layout.board[1], layout, player)
    return canvas.image


def draw_supply_panel(view: MaoriView) -> Image.Image:
    """Draw the tiles and shells to come; the panel takes the place of another board."""
    layout = SMALL_PANEL
    canvas = Canvas.blank(layout.width + 2 * RIM, layout.height + 2 * RIM, BACKDROP)
    canvas.put(
        paper(PaperSize(layout.width, layout.height, RIM, 0, CORNER_RADIUS), False), RIM, RIM
    )
    left, right = RIM + SUPPLY_MARGIN, RIM + layout.width - SUPPLY_MARGIN

    def write_fitting(
        x: int,
        y: int,
        text: str,
        face: Face,
        size: int,
        colour: Colour,
    ) -> None:
        shown, fitting_size = fit_text(text, face, size, SHRUNK_TEXT_SIZE, right - x)
        write(canvas, x, RIM + y, shown, face, fitting_size, colour)

    counts, bank = dict(view.tally), view.bank
    heading = WORDS.say("panel.tiles", tiles=sum(counts.values()))
    write_fitting(left, SUPPLY_HEAD_Y, heading, Face.STRONG, SUPPLY_HEAD_SIZE, INK)
    for rule_y in SUPPLY_RULES_Y:
        canvas.cover(
            (left, RIM + rule_y, right, RIM + rule_y + hairline_width(PICTURE_WIDTH)), RULE
        )

    step = (right - left) // len(SUPPLY_EXAMPLES)
    for number, (kind, example) in enumerate(SUPPLY_EXAMPLES):
        x = left + number * step + step // 2
        tile_x, tile_y = x - STORAGE_SIZE // 2, RIM + SUPPLY_TILES_Y
        canvas.put(draw_frame(STORAGE_SIZE, STORAGE_SIZE, SUPPLY_TILE_FRAME), tile_x, tile_y)
        canvas.lay(draw_tile(example, STORAGE_SIZE), tile_x, tile_y)
        face = Face.STRONG if counts[kind] else Face.LABEL
        colour = INK if counts[kind] else MUTED
        number_y = RIM + SUPPLY_NUMBERS_Y
        write(canvas, x, number_y, str(counts[kind]), face, SUPPLY_NUMBER_SIZE, colour, "m")

    icon = shell(SUPPLY_SHELL_ICON, None)
    canvas.put(icon if bank else icon.fade(), left + SUPPLY_SHELL_X, RIM + SUPPLY_SHELLS_Y)
    shells = WORDS.say("panel.shells", shells=bank)
    shells_x = left + SUPPLY_SHELL_TEXT_X
    colour = INK if bank else MUTED
    write_fitting(shells_x, SUPPLY_SHELLS_Y, shells, Face.LABEL, SUPPLY_SHELL_TEXT_SIZE, colour)
    variant = WORDS.say("panel.variant", rules=view.rules, board=view.board)
    write_fitting(left, SUPPLY_VARIANT_Y, variant, Face.LABEL, TEXT_SIZE, MUTED)
    return canvas.image


def put_legend(canvas: Canvas, view: MaoriView) -> None:
    """Explain hatched or faded tiles below the panels, if there are any."""
    size = LEGEND_TILE_SIZE
    sample = draw_tile(LEGEND_TILE, size)
    if any(side.removed for side in view.sides):
        text = WORDS.say("legend.removed")
        sample = draw_ghost_tile(LEGEND_TILE, size)
    elif any(side.lost for side in view.sides) or any(one.lost for one in view.cautions):
        text = WORDS.say("legend.lost")
    else:
        return
    middle = canvas.height - LEGEND_MIDDLE
    left = LEGEND_LEFT
    top = middle - size // 2
    canvas.lay(sample, left, top)
    if not view.outcome:
        canvas.put(draw_hatch(size, HATCH), left, top)
    text_x = left + size + LEGEND_GAP
    room = PICTURE_WIDTH - LEGEND_LEFT - text_x
    shown, fitting_size = fit_text(text, Face.LABEL, TEXT_SIZE, SHRUNK_TEXT_SIZE, room)
    write(canvas, text_x, middle, shown, Face.LABEL, fitting_size, CREAM)


def describe_player(
    view: MaoriView,
    seat: int,
    name: str,
    rings: tuple[str, ...],
    news: Sequence[NewsItem],
    rank: Rank = UNRANKED,
) -> Player:
    """Return what the panel of a seat shows."""
    side = view.sides[seat]
    changed: dict[str, Mark] = {}
    for news_item in news:
        for whose, what in news_item.panels:
            if whose == seat:
                changed[what] = news_item.mark
    has_small_ship = view.rules != "basic" and view.phase != "over"
    return Player(
        seat=seat,
        name=name,
        score=view.scores[seat],
        is_to_move=seat in view.to_move,
        board=view.board,
        side=side,
        marks=_collect_marks(view, seat, rings, news),
        flowers=tuple(
            news_item.mark
            for news_item in news
            if news_item.seat == seat and not news_item.mark.is_bare
        ),
        changed=tuple(changed.items()),
        # It comes aboard with the first tile.
        has_ship_waiting=has_small_ship and not side.tiles,
        rank=rank,
    )


def _collect_marks(
    view: MaoriView, seat: int, rings: tuple[str, ...], news: Sequence[NewsItem]
) -> Marks:
    """Return what is marked on a seat's board: its last turns, and what it may choose."""
    has_codes = seat == seat_with_codes(view) and view.outcome is None
    legal: tuple[str, ...] = ()
    if has_codes and seat in view.to_move:
        # Rings may lie in the matrix and on the track too: the chart draws those.
        spaces = board_of(view.board).by_code
        legal = tuple(spot for spot in rings if spot in spaces)
    prices = tuple((spot, shells) for spot, shells in view.prices if spot in legal)
    lost = tuple(
        caution.spot for caution in view.cautions if caution.lost and caution.spot in legal
    )
    spots: dict[str, Mark] = {}
    sailed = []
    for news_item in news:
        if news_item.seat == seat:
            spots |= dict.fromkeys(news_item.spots, news_item.mark)
            sailed += [(start, goal, news_item.mark) for start, goal in news_item.sailed]
    return Marks(has_codes, legal, prices, lost, tuple(spots.items()), tuple(sailed))
