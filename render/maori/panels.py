"""The title strip, the panels of the players with their boards, and the panel of the supply."""

from msgspec import Struct
from PIL import Image

from engine.maori.board import board_of
from engine.maori.tiles import NO_TILE
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, hair, paper, share
from render.fonts import Face, fitted, width, write
from render.items import shell
from render.maori.boards import Marks, Player, put_board
from render.maori.layout import LARGE, PICTURE, SLOT, SMALL, Card
from render.maori.marks import last_ring
from render.maori.sprites import frame, ship
from render.maori.tiles import tile_image
from render.nature import hibiscus
from render.palette import BACKDROP, CODE_UNKNOWN, INK, MUTED, PALE, RULE, livery_of, mix, rgb
from render.pieces import badge, canoe
from render.shapes import rectangle, seat_shape
from render.words import words_of

RIM = share(PICTURE, 0.005)
"""Room around the paper of a panel for the gold outline of the seat to move."""
RADIUS = share(PICTURE, 0.0117)
"""Of the corners of a panel."""
LINE = share(PICTURE, LEAST)
"""The size of the smallest text."""
LINE_BESIDE_STRIP = 2
WORDS = words_of("maori")
KINDS = (("single", 1), ("end", 24), ("middle", 69), ("water", 79), ("volcano", 96))
"""The kinds of tiles, each with the number of one that shows it."""


def shown_seat(view: MaoriView) -> int:
    """Whose board is drawn large: the viewer's, else that of the seat to move, at the end of whoever is first."""
    if view.viewer is not None:
        return view.viewer
    if view.outcome:
        return view.outcome.winners[0]
    return view.to_move[0]


def phase_lines(view: MaoriView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    rules = "" if view.rules == "basic" else view.rules
    phase = WORDS.say(f"phase.{view.phase}", round=view.round, rules=rules)
    if view.phase == "over":
        return (phase,)
    return phase, WORDS.say("phase.left", tiles=len(view.supply), shells=view.bank)


# Kept: it takes 4 ms and is the same in all panels of a seat.
@kept(16)
def _strip(seat: int, across: int, high: int) -> Sprite:
    """The left end of a panel in the seat's colour, with a column of its shapes."""
    livery = livery_of(seat)
    brush = Brush(across + LINE_BESIDE_STRIP, high)
    # Round at the left like the paper under it; its right corners are outside of the sprite.
    area = brush.mask(rectangle(0, 0, across * 3, high, RADIUS))
    brush.paint(area, livery.colour)
    step = across + 2
    stamp = mix(livery.colour, livery.stamp, 0.55)
    for number in range(1, high // step):
        brush.fill(seat_shape(livery.shape, across / 2, number * step, across * 0.2), stamp)
    brush.fill(rectangle(across, 0, across + LINE_BESIDE_STRIP, high), rgb("#8A6A38"))
    return brush.done()


def _blank(card: Card, player: Player) -> Canvas:
    """A panel with nothing on it yet: paper in a gold rim for the seat to move, and the strip of its colour."""
    canvas = Canvas.blank(card.across + 2 * RIM, card.high + 2 * RIM, BACKDROP)
    plate = Plate(card.across, card.high, RIM, card.band, RADIUS)
    canvas.put(paper(plate, player.is_to_move), RIM, RIM)
    canvas.put(_strip(player.seat, card.band, card.high), RIM, RIM)
    return canvas


def _put_storage(canvas: Canvas, card: Card, player: Player) -> None:
    x, y = card.slot[0] + RIM, card.slot[1] + RIM
    canvas.put(frame(SLOT, SLOT, 4), x, y)
    if player.side.stored != NO_TILE:
        canvas.lay(tile_image(player.side.stored, SLOT), x, y)
    else:
        canvas.cover((x, y, x + SLOT, y + SLOT), rgb("#0C3A50"))
        write(canvas, x + SLOT // 2, y + SLOT // 2, "–", Face.CODE, LINE, CODE_UNKNOWN, "m")
    if player.is_storage_last:
        canvas.put(last_ring(SLOT), x, y)
        canvas.put(hibiscus(24), x + SLOT - 6, y + 8)


def _put_count(canvas: Canvas, x: int, y: int, icon: Sprite, number: int, size: int) -> None:
    """An icon with its number beside it, both pale if there is none."""
    canvas.put(icon if number else icon.faded(), x, y)
    face = Face.STRONG if number else Face.LABEL
    colour = INK if number else PALE
    write(canvas, x + round(size * 0.8), y, str(number), face, size, colour)


def _write_name(canvas: Canvas, x: int, y: int, name: str, size: int, room: int) -> None:
    shown, fits = fitted(name, Face.STRONG, size, LINE, room)
    write(canvas, x, y, shown, Face.STRONG, fits, INK)


# Kept, like the small ones: it takes 2 ms once its tiles are there, and a turn changes one panel of up to five.
@kept(64)
def large_panel(player: Player) -> Image.Image:
    """The panel of the board in question."""
    card, side = LARGE, player.side
    canvas = _blank(card, player)

    # Everything but the board is in one row with the storage, most of it in two lines.
    middle = RIM + card.slot[1] + SLOT // 2
    left = RIM + card.band
    canvas.put(badge(player.seat, share(PICTURE, 0.053)), left + 36, middle)
    texts = left + 70
    _write_name(canvas, texts, middle - 17, player.name, share(PICTURE, 0.034), room=138)
    score = WORDS.say("panel.score", points=player.score)
    write(canvas, texts, middle + 17, score, Face.LABEL, share(PICTURE, 0.027), MUTED)

    counts, size = left + 232, share(PICTURE, 0.033)
    _put_count(canvas, counts, middle - 19, shell(34, None), side.shells, size)
    _put_count(canvas, counts, middle + 19, ship(40, None), side.ships, size)

    right = RIM + card.slot[0] - 14
    up = 17 if player.has_ship_waiting else 0
    write(canvas, right, middle - up, WORDS.say("panel.stored"), Face.LABEL, LINE, MUTED, "r")
    if player.has_ship_waiting:
        canvas.put(canoe(player.seat, 42, None), right - 34, middle + 18)
    _put_storage(canvas, card, player)

    put_board(canvas, RIM + card.board[0], RIM + card.board[1], card, player)
    return canvas.image


class Lines(Struct, frozen=True):
    """How far down a small panel its lines of text stand."""

    names: tuple[int, ...]
    score: int
    shells: int
    ships: int


ONE_LINE = Lines((75,), 105, 142, 181)
TWO_LINES = Lines((69, 94), 121, 153, 187)
"""For a name in one line and in two."""


def name_lines(name: str, room: int) -> tuple[str, ...]:
    """A name in one line if it fits, else in two: parted at a space if the first part fills half a line."""
    if width(name, Face.STRONG, LINE) <= room:
        return (name,)
    end = 1  # so many letters of it fit the first line with a hyphen
    for longer in range(2, len(name)):
        if width(f"{name[:longer]}-", Face.STRONG, LINE) <= room:
            end = longer
    space = name.rfind(" ", end // 2, end + 1)
    if space > 0:
        return name[:space], name[space + 1 :]
    return f"{name[:end]}-", name[end:]


@kept(128)
def small_panel(player: Player) -> Image.Image:
    """The panel of another board."""
    card, side = SMALL, player.side
    canvas = _blank(card, player)

    # Everything but the board is in a column at its left, with the storage at the bottom.
    left = RIM + card.band + 9
    room = card.board[0] - card.wood - card.band - 18
    canvas.put(badge(player.seat, share(PICTURE, 0.047)), left + 22, RIM + 33)
    if player.has_ship_waiting:
        canvas.put(canoe(player.seat, 40, None), left + 66, RIM + 34)

    names = name_lines(player.name, room)
    is_long = len(names) > 1
    lines = TWO_LINES if is_long else ONE_LINE
    name_size = LINE if is_long else share(PICTURE, 0.029)
    for name, y in zip(names, lines.names, strict=True):
        _write_name(canvas, left, RIM + y, name, name_size, room)
    score = WORDS.say("panel.score", points=player.score)
    shown, score_size = fitted(score, Face.LABEL, share(PICTURE, 0.026), LINE, room)
    write(canvas, left, RIM + lines.score, shown, Face.LABEL, score_size, MUTED)

    counts, size = left + 18, share(PICTURE, 0.03)
    _put_count(canvas, counts, RIM + lines.shells, shell(30, None), side.shells, size)
    _put_count(canvas, counts, RIM + lines.ships, ship(36, None), side.ships, size)
    _put_storage(canvas, card, player)

    put_board(canvas, RIM + card.board[0], RIM + card.board[1], card, player)
    return canvas.image


def supply_panel(view: MaoriView) -> Image.Image:
    """Tiles and shells to come: it fills the place that another board would take."""
    canvas = Canvas.blank(SMALL.across + 2 * RIM, SMALL.high + 2 * RIM, BACKDROP)
    plate = Plate(SMALL.across, SMALL.high, RIM, 0, RADIUS)
    canvas.put(paper(plate, False), RIM, RIM)

    left, right = RIM + 20, RIM + SMALL.across - 20
    counts, bank = dict(view.tally), view.bank
    head = WORDS.say("panel.tiles", tiles=sum(counts.values()))
    write(canvas, left, RIM + 38, head, Face.STRONG, share(PICTURE, 0.032), INK)
    for rule in (RIM + 64, RIM + 200):  # above the tiles and below them
        canvas.cover((left, rule, right, rule + hair(PICTURE)), RULE)

    step = (right - left) // len(KINDS)
    top = RIM + 84
    for number, (kind, example) in enumerate(KINDS):
        x = left + number * step + step // 2
        canvas.put(frame(SLOT, SLOT, 2), x - SLOT // 2, top)
        canvas.lay(tile_image(example, SLOT), x - SLOT // 2, top)
        face = Face.STRONG if counts[kind] else Face.LABEL
        colour = INK if counts[kind] else PALE
        write(canvas, x, RIM + 174, str(counts[kind]), face, share(PICTURE, 0.033), colour, "m")

    icon = shell(32, None)
    canvas.put(icon if bank else icon.faded(), left + 18, RIM + 228)
    shells = WORDS.say("panel.shells", shells=bank)
    write(canvas, left + 44, RIM + 228, shells, Face.LABEL, share(PICTURE, 0.027), INK if bank else MUTED)
    variant = WORDS.say("panel.variant", rules=view.rules, board=view.board)
    write(canvas, left, RIM + 268, variant, Face.LABEL, LINE, MUTED)
    return canvas.image


def player_of(view: MaoriView, seat: int, name: str, rings: tuple[str, ...]) -> Player:
    """What the panel of a seat shows."""
    turn, side = view.turn, view.sides[seat]
    is_storage_last = False
    if turn is not None and turn.seat == seat:
        is_storage_last = turn.act == "store" or view.hand == "stored"
    has_small_ship = view.rules != "basic" and view.phase != "over"
    return Player(
        seat=seat,
        name=name,
        score=view.scores[seat],
        is_to_move=seat in view.to_move,
        board=view.board,
        side=side,
        marks=_marks_of(view, seat, rings),
        is_storage_last=is_storage_last,
        # It comes aboard with the first tile.
        has_ship_waiting=has_small_ship and not side.tiles,
    )


def _marks_of(view: MaoriView, seat: int, rings: tuple[str, ...]) -> Marks:
    """What is marked on a seat's board: its part of the last turn, and its legal spaces if it is the one asked."""
    coded = seat == shown_seat(view)
    legal: tuple[str, ...] = ()
    if coded and seat in view.to_move:
        # Rings may lie in the matrix and on the track too: the chart draws those.
        codes = board_of(view.board).by_code
        legal = tuple(spot for spot in rings if spot in codes)
    prices = tuple((spot, shells) for spot, shells in view.prices if spot in legal)
    turn = view.turn
    if turn is None or turn.seat != seat:
        return Marks(coded, legal, prices)
    return Marks(coded, legal, prices, last=turn.spot, sailed=(turn.ship_from, turn.ship_to))
