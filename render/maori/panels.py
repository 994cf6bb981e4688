"""The title strip, the panels of the players with their boards, and the panel of the supply."""

from collections.abc import Sequence

from PIL import Image

from engine.core.words import points
from engine.maori.board import board_of
from engine.maori.tiles import NO_TILE
from engine.maori.view import MaoriView
from render.canvas import Brush, Canvas, Sprite, kept
from render.chrome import LEAST, Plate, hair, paper, pointer, share
from render.fonts import Face, fitted, width, write
from render.items import shell
from render.maori.boards import Marks, Player, put_board
from render.maori.layout import HEAD, LARGE, PICTURE, SLOT, SMALL, Card
from render.maori.marks import last_ring, put_deed
from render.maori.news import Deed
from render.maori.sprites import frame, ship
from render.maori.tiles import symbols_of, tile_image
from render.news import Mark, bud, encircle, sign, signed
from render.palette import BACKDROP, CODE_UNKNOWN, INK, MUTED, PALE, RULE, livery_of, mix, rgb
from render.pieces import badge, canoe
from render.room import Room
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


def seats_in_place(view: MaoriView) -> list[int]:
    """The seats in the order of their places: the first is large.

    For everyone they stand as they sit. A viewer's own board changes places with the first, and no
    other moves.
    """
    order = list(range(len(view.sides)))
    if view.viewer is not None:
        order[0], order[view.viewer] = view.viewer, 0
    return order


def shown_seat(view: MaoriView) -> int | None:
    """Whose board is in question and has its codes: the viewer's, else that of the seat to move or
    of the winner.

    In a film it is nobody's.
    """
    if view.viewer is not None:
        return view.viewer
    if view.outcome:
        return view.outcome.winners[0]
    return view.to_move[0] if view.to_move else None


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
    """A panel with nothing on it yet: paper in a gold rim for the seat to move, and the strip of
    its colour.
    """
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
    mark = dict(player.changed).get("stored")
    if mark is not None:
        room = Room(canvas.width, canvas.height)
        if player.side.stored != NO_TILE:
            room.area.paste(symbols_of(player.side.stored, SLOT), (x, y))
        canvas.put(room.behind(last_ring(SLOT, mark.age), x, y), x, y)
        put_deed(canvas, room, (x, y), SLOT, bud(24, mark, LINE), mark)


def _put_count(
    canvas: Canvas, x: int, y: int, icon: Sprite, number: int, size: int, mark: Mark | None = None
) -> None:
    """An icon with its number beside it, both pale if there is none; ringed if it has changed."""
    canvas.put(icon if number else icon.faded(), x, y)
    face = Face.STRONG if number else Face.LABEL
    colour = INK if number else PALE
    left = x + round(size * 0.8)
    across = write(canvas, left, y, str(number), face, size, colour)
    if mark is not None:
        half = round(size * 0.5)
        encircle(canvas, (left - 6, y - half, left + across + 6, y + half), mark)


def _write_score(canvas: Canvas, x: int, y: int, player: Player, from_right: bool) -> int:
    """The points and their unit, from the left or up to the right; gives how far they reach
    across.
    """
    number, unit = points(player.score), WORDS.say("panel.unit", points=player.score)
    size = share(PICTURE, 0.042)
    number_across, unit_across = width(number, Face.STRONG, size), width(unit, Face.LABEL, LINE)
    across = number_across + 6 + unit_across
    left = x - across if from_right else x
    write(canvas, left, y, number, Face.STRONG, size, INK)
    write(canvas, left + number_across + 6, y + 4, unit, Face.LABEL, LINE, MUTED)
    mark = dict(player.changed).get("score")
    if mark is not None:
        encircle(canvas, (left - 5, y - 19, left + number_across + 3, y + 19), mark)
    return across


def _write_name(canvas: Canvas, x: int, y: int, name: str, size: int, room: int) -> None:
    shown, fits = fitted(name, Face.STRONG, size, LINE, room)
    write(canvas, x, y, shown, Face.STRONG, fits, INK)


def _sign(canvas: Canvas, player: Player, right: int, y: int) -> int:
    """The flowers of what the seat did, up to the right; gives the room that they take, with a
    gap before them.
    """
    if not player.deeds:
        return 0
    across = 42 * len(signed(player.deeds))
    sign(canvas, right - across // 2, y, player.deeds, 30, LINE)
    return across + 12


# Kept, like the small ones: it takes 2 ms once its tiles are there, and a turn changes one panel of
# up to five.
@kept(64)
def large_panel(player: Player) -> Image.Image:
    """The panel of the board in the first place."""
    card, side = LARGE, player.side
    canvas = _blank(card, player)
    changed = dict(player.changed)

    # Everything but the board is in one row with the storage, in two lines.
    middle = RIM + card.slot[1] + SLOT // 2
    upper, lower = middle - 21, middle + 14
    left = RIM + card.band
    canvas.put(badge(player.seat, share(PICTURE, 0.053)), left + 38, middle)
    if player.is_to_move:
        canvas.put(pointer(28), left + 11, middle)
    texts = left + 72
    right = RIM + card.slot[0] - 12
    if player.has_ship_waiting:
        canvas.put(canoe(player.seat, 42, None), right - 21, upper)
        right -= 48
    right -= _sign(canvas, player, right, upper)
    _write_name(canvas, texts, upper, player.name, share(PICTURE, 0.034), right - texts)

    _write_score(canvas, texts, lower, player, from_right=False)
    counts, size = texts + 150, share(PICTURE, 0.033)
    _put_count(canvas, counts, lower, shell(34, None), side.shells, size, changed.get("shells"))
    _put_count(canvas, counts + 84, lower, ship(40, None), side.ships, size)
    _put_storage(canvas, card, player)
    put_board(canvas, RIM + card.board[0], RIM + card.board[1], card, player)
    return canvas.image


@kept(128)
def small_panel(player: Player) -> Image.Image:
    """The panel of another board."""
    card, side = SMALL, player.side
    canvas = _blank(card, player)
    changed = dict(player.changed)

    # Name and points above the board; the counts are in a column at its left, with the storage at
    # the bottom.
    left, line = RIM + card.band + 9, RIM + 29
    canvas.put(badge(player.seat, share(PICTURE, 0.047)), left + 23, line)
    if player.is_to_move:
        canvas.put(pointer(26), left, line)
    texts, right = left + 54, RIM + card.across - 26
    right -= _write_score(canvas, right, line, player, from_right=True) + 10
    _write_name(canvas, texts, line, player.name, share(PICTURE, 0.033), right - texts)

    counts, size = left + 20, share(PICTURE, 0.03)
    _sign(canvas, player, left + 41 + 21 * len(signed(player.deeds)), RIM + HEAD + 24)
    _put_count(
        canvas, counts, RIM + HEAD + 64, shell(30, None), side.shells, size, changed.get("shells")
    )
    _put_count(canvas, counts, RIM + HEAD + 102, ship(36, None), side.ships, size)
    if player.has_ship_waiting:
        canvas.put(canoe(player.seat, 40, None), counts + 22, RIM + HEAD + 182)
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
    write(canvas, left, RIM + 42, head, Face.STRONG, share(PICTURE, 0.032), INK)
    for rule in (RIM + 72, RIM + 222):  # above the tiles and below them
        canvas.cover((left, rule, right, rule + hair(PICTURE)), RULE)

    step = (right - left) // len(KINDS)
    top = RIM + 98
    for number, (kind, example) in enumerate(KINDS):
        x = left + number * step + step // 2
        canvas.put(frame(SLOT, SLOT, 2), x - SLOT // 2, top)
        canvas.lay(tile_image(example, SLOT), x - SLOT // 2, top)
        face = Face.STRONG if counts[kind] else Face.LABEL
        colour = INK if counts[kind] else PALE
        write(canvas, x, RIM + 192, str(counts[kind]), face, share(PICTURE, 0.033), colour, "m")

    icon = shell(32, None)
    canvas.put(icon if bank else icon.faded(), left + 18, RIM + 256)
    shells = WORDS.say("panel.shells", shells=bank)
    write(
        canvas,
        left + 44,
        RIM + 256,
        shells,
        Face.LABEL,
        share(PICTURE, 0.027),
        INK if bank else MUTED,
    )
    variant = WORDS.say("panel.variant", rules=view.rules, board=view.board)
    write(canvas, left, RIM + 302, variant, Face.LABEL, LINE, MUTED)
    return canvas.image


def player_of(
    view: MaoriView, seat: int, name: str, rings: tuple[str, ...], deeds: Sequence[Deed]
) -> Player:
    """What the panel of a seat shows."""
    side = view.sides[seat]
    changed = {what: deed.mark for deed in deeds for whose, what in deed.panels if whose == seat}
    has_small_ship = view.rules != "basic" and view.phase != "over"
    return Player(
        seat=seat,
        name=name,
        score=view.scores[seat],
        is_to_move=seat in view.to_move,
        board=view.board,
        side=side,
        marks=_marks_of(view, seat, rings, deeds),
        deeds=tuple(deed.mark for deed in deeds if deed.seat == seat and not deed.mark.is_bare),
        changed=tuple(changed.items()),
        # It comes aboard with the first tile.
        has_ship_waiting=has_small_ship and not side.tiles,
    )


def _marks_of(view: MaoriView, seat: int, rings: tuple[str, ...], deeds: Sequence[Deed]) -> Marks:
    """What is marked on a seat's board: its last turns, and its legal spaces if it is the one
    asked.
    """
    coded = seat == shown_seat(view)
    legal: tuple[str, ...] = ()
    if coded and seat in view.to_move:
        # Rings may lie in the matrix and on the track too: the chart draws those.
        codes = board_of(view.board).by_code
        legal = tuple(spot for spot in rings if spot in codes)
    prices = tuple((spot, shells) for spot, shells in view.prices if spot in legal)
    mine = [deed for deed in deeds if deed.seat == seat]
    spots = {spot: deed.mark for deed in mine for spot in deed.spots}
    sailed = tuple((start, to, deed.mark) for deed in mine for start, to in deed.sailed)
    return Marks(coded, legal, prices, tuple(spots.items()), sailed)
