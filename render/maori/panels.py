"""The title strip, the panels of the players with their boards, and the panel of the supply."""

from PIL import Image

from engine.maori.board import board_of
from engine.maori.tiles import NO_TILE
from engine.maori.view import MaoriView, SideView
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, hair, paper, share
from render.fonts import Face, fitted, width, write
from render.items import shell
from render.maori.boards import Marks, put_board
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
LINE = share(PICTURE, LEAST)
WORDS = words_of("maori")
KINDS = (("single", 1), ("end", 24), ("middle", 69), ("water", 79), ("volcano", 96))
"""The kinds of tiles, each with one that shows it."""


def shown_seat(view: MaoriView) -> int:
    """Whose board is drawn large: the viewer's, else that of the seat to move, at the end of whoever is first."""
    if view.viewer is not None:
        return view.viewer
    return view.outcome.winners[0] if view.outcome else view.to_move[0]


def phase_lines(view: MaoriView) -> tuple[str, ...]:
    """What the middle of the title strip says."""
    rules = "" if view.rules == "basic" else view.rules
    phase = WORDS.say(f"phase.{view.phase}", round=view.round, rules=rules)
    if view.phase == "over":
        return (phase,)
    return phase, WORDS.say("phase.left", tiles=len(view.supply), shells=view.bank)


@kept(16)
def _strip(seat: int, across: int, high: int) -> Sprite:
    """The left end of a panel in the seat's colour, with a column of its shapes."""
    livery = livery_of(seat)
    brush = Brush(across + 2, high)
    radius = share(PICTURE, 0.0117)
    clip = brush.mask(rectangle(0, 0, across * 3, high, radius))
    brush.paint(clip, livery.colour)
    step = across + 2
    for i in range(1, high // step):
        brush.fill(seat_shape(livery.shape, across / 2, i * step, across * 0.2), mix(livery.colour, livery.stamp, 0.55))
    brush.fill(rectangle(across, 0, across + 2, high), rgb("#8A6A38"))
    return brush.done()


def _blank(card: Card, seat: int, active: bool) -> Canvas:
    canvas = Canvas.blank(card.across + 2 * RIM, card.high + 2 * RIM, BACKDROP)
    plate = Plate(card.across, card.high, RIM, card.band, share(PICTURE, 0.0117))
    canvas.put(paper(plate, active), RIM, RIM)
    canvas.put(_strip(seat, card.band, card.high), RIM, RIM)
    return canvas


def _put_slot(canvas: Canvas, card: Card, tile: int, is_last: bool) -> None:
    x, y = card.slot[0] + RIM, card.slot[1] + RIM
    canvas.put(frame(SLOT, SLOT, 4), x, y)
    if tile != NO_TILE:
        canvas.lay(tile_image(tile, SLOT), x, y)
    else:
        canvas.cover((x, y, x + SLOT, y + SLOT), rgb("#0C3A50"))
        write(canvas, x + SLOT // 2, y + SLOT // 2, "–", Face.CODE, LINE, CODE_UNKNOWN, "m")
    if is_last:
        canvas.put(last_ring(SLOT), x, y)
        canvas.put(hibiscus(24), x + SLOT - 6, y + 8)


def _count(canvas: Canvas, x: int, y: int, icon: Sprite, number: int, size: int) -> None:
    canvas.put(icon if number else icon.faded(), x, y)
    face, colour = (Face.STRONG, INK) if number else (Face.LABEL, PALE)
    write(canvas, x + round(size * 0.8), y, str(number), face, size, colour)


def _name(canvas: Canvas, x: int, y: int, name: str, size: int, room: int) -> None:
    shown, fits = fitted(name, Face.STRONG, size, LINE, room)
    write(canvas, x, y, shown, Face.STRONG, fits, INK)


@kept(64)
def large_panel(
    board: str, seat: int, name: str, score: float, side: SideView, active: bool, marks: Marks, slot: str
) -> Image.Image:
    """The panel of the board in question; `slot` says what is marked at its storage."""
    canvas, card = _blank(LARGE, seat, active), LARGE
    middle = RIM + card.slot[1] + SLOT // 2
    left = RIM + card.band
    canvas.put(badge(seat, share(PICTURE, 0.053)), left + 36, middle)
    _name(canvas, left + 70, middle - 17, name, share(PICTURE, 0.034), 138)
    write(
        canvas, left + 70, middle + 17, WORDS.say("panel.score", points=score), Face.LABEL, share(PICTURE, 0.027), MUTED
    )
    _count(canvas, left + 232, middle - 19, shell(34, None), side.shells, share(PICTURE, 0.033))
    _count(canvas, left + 232, middle + 19, ship(40, None), side.ships, share(PICTURE, 0.033))
    right = RIM + card.slot[0] - 14
    has_waiting = slot.endswith("waiting")
    write(canvas, right, middle - (17 if has_waiting else 0), WORDS.say("panel.stored"), Face.LABEL, LINE, MUTED, "r")
    if has_waiting:
        canvas.put(canoe(seat, 42, None), right - 34, middle + 18)
    _put_slot(canvas, card, side.stored, slot.startswith("last"))
    put_board(canvas, RIM + card.board[0], RIM + card.board[1], card, board, seat, side, marks)
    return canvas.image


SHORT_LINES = ((75,), 105, 142, 181)
LONG_LINES = ((69, 94), 121, 153, 187)
"""How far down a small panel its name, score, shells and ships stand, for a name in one line and in two."""


def name_lines(name: str, room: int) -> tuple[str, ...]:
    """A name in one line if it fits, else in two: parted at a space if the first part fills half a line."""
    if width(name, Face.STRONG, LINE) <= room:
        return (name,)
    end = max(end for end in range(1, len(name)) if end == 1 or width(f"{name[:end]}-", Face.STRONG, LINE) <= room)
    space = name.rfind(" ", end // 2, end + 1)
    return (name[:space], name[space + 1 :]) if space > 0 else (f"{name[:end]}-", name[end:])


@kept(128)
def small_panel(
    board: str, seat: int, name: str, score: float, side: SideView, active: bool, marks: Marks, slot: str
) -> Image.Image:
    """The panel of another board."""
    canvas, card = _blank(SMALL, seat, active), SMALL
    left, room = RIM + card.band + 9, card.board[0] - card.wood - card.band - 18
    canvas.put(badge(seat, share(PICTURE, 0.047)), left + 22, RIM + 33)
    if slot.endswith("waiting"):
        canvas.put(canoe(seat, 40, None), left + 66, RIM + 34)
    lines = name_lines(name, room)
    names, score_line, shells, ships = LONG_LINES if len(lines) > 1 else SHORT_LINES
    for line, y in zip(lines, names, strict=True):
        _name(canvas, left, RIM + y, line, LINE if len(lines) > 1 else share(PICTURE, 0.029), room)
    shown, size = fitted(WORDS.say("panel.score", points=score), Face.LABEL, share(PICTURE, 0.026), LINE, room)
    write(canvas, left, RIM + score_line, shown, Face.LABEL, size, MUTED)
    _count(canvas, left + 18, RIM + shells, shell(30, None), side.shells, share(PICTURE, 0.03))
    _count(canvas, left + 18, RIM + ships, ship(36, None), side.ships, share(PICTURE, 0.03))
    _put_slot(canvas, card, side.stored, slot.startswith("last"))
    put_board(canvas, RIM + card.board[0], RIM + card.board[1], card, board, seat, side, marks)
    return canvas.image


@kept(32)
def supply_panel(tally: tuple[tuple[str, int], ...], bank: int, rules: str, board: str) -> Image.Image:
    """Tiles and shells to come: it fills the place that another board would take."""
    canvas = Canvas.blank(SMALL.across + 2 * RIM, SMALL.high + 2 * RIM, BACKDROP)
    canvas.put(paper(Plate(SMALL.across, SMALL.high, RIM, 0, share(PICTURE, 0.0117)), False), RIM, RIM)
    left, total = RIM + 20, sum(number for _, number in tally)
    head = WORDS.say("panel.tiles", tiles=total)
    write(canvas, left, RIM + 38, head, Face.STRONG, share(PICTURE, 0.032), INK)
    canvas.cover((left, RIM + 64, RIM + SMALL.across - 20, RIM + 64 + hair(PICTURE)), RULE)
    step = (SMALL.across - 40) // len(tally)
    counts = dict(tally)
    for i, (kind, example) in enumerate(KINDS):
        x = left + i * step + step // 2
        canvas.put(frame(SLOT, SLOT, 2), x - SLOT // 2, RIM + 84)
        canvas.lay(tile_image(example, SLOT), x - SLOT // 2, RIM + 84)
        face, colour = (Face.STRONG, INK) if counts[kind] else (Face.LABEL, PALE)
        write(canvas, x, RIM + 174, str(counts[kind]), face, share(PICTURE, 0.033), colour, "m")
    canvas.cover((left, RIM + 200, RIM + SMALL.across - 20, RIM + 200 + hair(PICTURE)), RULE)
    canvas.put(shell(32, None) if bank else shell(32, None).faded(), left + 18, RIM + 228)
    told = WORDS.say("panel.shells", shells=bank)
    write(canvas, left + 44, RIM + 228, told, Face.LABEL, share(PICTURE, 0.027), INK if bank else MUTED)
    write(canvas, left, RIM + 268, WORDS.say("panel.variant", rules=rules, board=board), Face.LABEL, LINE, MUTED)
    return canvas.image


def marks_of(view: MaoriView, seat: int, rings: tuple[str, ...]) -> Marks:
    """What is marked on a seat's board: its part of the last turn, and its legal spaces if it is the one asked."""
    coded = seat == shown_seat(view)
    codes = board_of(view.board).by_code
    legal = tuple(spot for spot in rings if spot in codes) if coded and seat in view.to_move else ()
    prices = tuple(pair for pair in view.prices if pair[0] in legal)
    turn = view.turn
    if turn is None or turn.seat != seat:
        return Marks(coded, legal, prices)
    return Marks(coded, legal, prices, turn.spot, (turn.ship_from, turn.ship_to))


def slot_of(view: MaoriView, seat: int) -> str:
    """What a seat's storage shows: 'last' if the last turn was about it, 'waiting' for a ship beside the board."""
    turn, side = view.turn, view.sides[seat]
    is_last = turn is not None and turn.seat == seat and (turn.act == "store" or view.hand == "stored")
    waits = view.rules != "basic" and not side.tiles and view.phase != "over"
    return ("last" if is_last else "") + (" waiting" if waits else "")
