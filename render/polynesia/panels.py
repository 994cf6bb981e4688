"""The panels of Polynesia and the phase line of its title strip.

A panel has three lines: name, tokens and points; what the seat has; the personal board. Lengths are
in units of `layout`.
"""

from collections.abc import Sequence

from msgspec import Struct
from PIL import Image

from engine.core.words import points
from engine.polynesia.board import COLOURS, components
from engine.polynesia.view import PolynesiaView, SideView
from render.canvas import Box, Brush, Canvas, Sprite, cached
from render.chrome import (
    LEAST,
    PaperSize,
    Stage,
    hairline_width,
    panel_size,
    paper,
    put_panel_rank,
    seat_band,
    share,
)
from render.fonts import Face, fit_text, write
from render.items import shell
from render.news import Mark, encircle, put_panel_flowers
from render.palette import ACTIVE, BACKDROP, BARK, INK, MUTED, PAPER, RULE, Colour, mix
from render.pieces import badge, canoe, pawn
from render.polynesia.layout import PANEL_HEIGHT, PICTURE_WIDTH, to_pixels
from render.polynesia.news import NewsItem
from render.polynesia.sprites import (
    draw_first_marker,
    draw_fish,
    draw_lava_stone,
    draw_mask,
    draw_point_token,
    draw_token,
)
from render.ranks import UNRANKED, Rank, final_lines
from render.shapes import rectangle
from render.words import words_of

LEAST_TEXT_SIZE = share(PICTURE_WIDTH, LEAST)
"""In pixels."""
TEXT_SIZE, NAME_SIZE, SCORE_SIZE, NUMBER_SIZE = 30, 39, 52, 32

ICON_SIZES = {
    "fish": 38,
    "shell": 40,
    "ship": 44,
    "mask": 40,
    "point": 38,
}
"""The sizes at which the icons look equally large, by what a seat has."""

LEFT_MARGIN = 16
"""From the band in the seat's colour to the lines of a panel."""
RIGHT_MARGIN, RULE_RIGHT_MARGIN = 20, 18
BADGE_SIZE = 64
FLOWER_SIZE, FLOWER_FOOT = 34, 24
"""The flowers of a seat's turns, and how far above the foot of the panel they are."""
NEWS_RING_MARGIN, TIGHT_RING_MARGIN = 7, 4
"""Room between something that changed and the ring around it."""

# The first line.
HEAD_LINE, HEAD_RULE = 33, 62
"""From the top of the paper."""
UNIT_DROP, UNIT_GAP, SCORE_GAP = 5, 7, 12
SCORE_RING_HALF_HEIGHT = 18
FIRST_MARKER_SIZE, FIRST_MARKER_X, FIRST_MARKER_ROOM = 36, 13, 38
FIRST_MARKER_RING = (22, 14)
"""Width and half the height of what is ringed."""
NAME_GAP = 8
LEAST_NAME_WIDTH = 118
"""The room that a name has at least, beside its tokens."""
TOKEN_FACES = ("turtle", "fish", "shell", "ship")
"""Tokens beside a name; masks are counted below it."""
TOKEN_SIZE, SMALL_TOKEN_SIZE = 42, 34
"""The size of a token, and its size if there are three kinds or more."""
MAX_LARGE_TOKENS = 2
TOKEN_GAP, COUNTED_TOKEN_GAP, TOKEN_COUNT_X = 5, 24, 3
"""After a token, after one with a count, and from a token to its count."""
TOKEN_RING_INSET = 5

# The second line.
COUNTS_LINE = 89
COUNTS_RIGHT_MARGIN = 26
ICON_X, NUMBER_X = 22, 50
NUMBER_RING_HALF_HEIGHT = 12

# The third line: the personal board.
BOARD_LINE = 134
SPACE_STEP, SPACE_HEIGHT = 35.6, 40
SPACE_GAP, BOARD_INDENT = 3, 4
BOARD_ROW_GAP = 8
"""Between the two rows of the board, which stand in one line."""
MEMBER_SIZE, MEMBER_RISE = 37, 2
SPACE_MARGIN, SPACE_LINE = 4, 1.5
"""In pixels: room in the sprite of a space for its edge, and the edge."""

# The panel of the bag.
BAG_LEFT, BAG_TITLE_LINE, BAG_RULE, BAG_STONES_LINE = 22, 42, 74, 116
BAG_TITLE_SIZE, BAG_STONE_SIZE = 36, 46
BAG_INDENT, BAG_STONE_X, BAG_NUMBER_X, BAG_STEP = 20, 18, 44, 150


class Owner(Struct, frozen=True):
    """Everything that the panel of a seat shows.

    Panels are cached by it: two that are equal give the same picture.
    """

    seat: int
    name: str
    score: float
    side: SideView
    is_to_move: bool
    is_first: bool
    """Whether the seat has the Starting Player token."""
    has_points: bool
    """Whether a Tide card of the match gives Point tokens."""
    changed: tuple[tuple[str, Mark], ...]
    """The parts of the panel that changed since the last post, each with its newest mark."""
    flowers: tuple[Mark, ...]
    """The turns of the seat since the last post."""
    rank: Rank = UNRANKED


def describe_owner(
    view: PolynesiaView,
    seat: int,
    name: str,
    news: Sequence[NewsItem] = (),
    rank: Rank = UNRANKED,
) -> Owner:
    """Return what the panel of a seat shows."""
    changed: dict[str, Mark] = {}
    for news_item in news:
        for whose, what in news_item.panels:
            if whose == seat:
                changed[what] = news_item.mark
    return Owner(
        seat=seat,
        name=name,
        score=view.scores[seat],
        side=view.sides[seat],
        is_to_move=seat in view.to_move,
        is_first=seat == view.first and not view.over,
        has_points=view.pool is not None,
        changed=tuple(changed.items()),
        flowers=tuple(news_item.mark for news_item in news if news_item.seat == seat),
        rank=rank,
    )


def describe_phase(view: PolynesiaView) -> str:
    """Return the phase at which the Phase Marker stands."""
    key = "actions" if view.marker.isdigit() else view.marker
    return words_of("polynesia").say(f"phase.{key}", marker=view.marker)


def phase_lines(view: PolynesiaView) -> tuple[str, ...]:
    """Return the lines in the middle of the title strip."""
    words = words_of("polynesia")
    if view.over:
        return final_lines(view, words.say("strip.final"))
    return (words.say("strip.round", round=view.round, phase=describe_phase(view)),)


def stage_of(view: PolynesiaView) -> Stage:
    """Return how far the match has come: it ends with the last red stone."""
    if view.over:
        return Stage(1, 1, 1)
    red = view.lava.count(COLOURS[0])
    return Stage(1, 0, red / max(1, red + view.bag[0]))


def panel_plate() -> PaperSize:
    """Return the measures of a panel: those of all games, but somewhat higher."""
    usual = panel_size(PICTURE_WIDTH)
    return PaperSize(usual.width, to_pixels(PANEL_HEIGHT), usual.rim, usual.band, usual.radius)


# Most panels are the same as in the picture before: cached, they save 2.5 ms each of a picture's 7.
@cached(256)
def draw_seat_panel(owner: Owner) -> Image.Image:
    """Draw the panel of a seat."""
    painter = PanelPainter(owner)
    painter.put_band()
    painter.put_head()
    painter.put_counts()
    painter.put_personal_board()
    return painter.canvas.image


def _blank_panel(is_to_move: bool, has_won: bool = False) -> Canvas:
    plate = panel_plate()
    canvas = Canvas.blank(plate.width + 2 * plate.rim, plate.height + 2 * plate.rim, BACKDROP)
    canvas.put(paper(plate, is_to_move, has_won), plate.rim, plate.rim)
    return canvas


class PanelPainter:
    """Draws the panel of a seat; each method draws one part of it."""

    def __init__(self, owner: Owner) -> None:
        self.owner = owner
        self.changed = dict(owner.changed)
        self.plate = panel_plate()
        self.canvas = _blank_panel(owner.is_to_move, owner.rank.has_won)
        self.left = self.plate.rim + self.plate.band + to_pixels(LEFT_MARGIN)
        """Where the lines of the panel begin, in pixels."""
        self.right = self.plate.rim + self.plate.width

    def ring_if_changed(self, what: str, box: Box, margin: int = NEWS_RING_MARGIN) -> None:
        """Put a ring around something that changed since the last post."""
        mark = self.changed.get(what)
        if mark is not None:
            left, top, right, bottom = box
            out = to_pixels(margin)
            encircle(self.canvas, (left - out, top - out, right + out, bottom + out), mark)

    def put_band(self) -> None:
        """Put the band in the seat's colour with badge and the flowers of the seat's turns."""
        plate, seat = self.plate, self.owner.seat
        self.canvas.put(seat_band(plate, seat, self.owner.is_to_move), plate.rim, plate.rim)
        put_panel_rank(self.canvas, self.owner.rank, plate.rim, PICTURE_WIDTH)
        x = plate.rim + plate.band // 2
        self.canvas.put(badge(seat, to_pixels(BADGE_SIZE)), x, plate.rim + plate.height // 2)
        flowers_y = plate.rim + plate.height - to_pixels(FLOWER_FOOT)
        size = to_pixels(FLOWER_SIZE)
        put_panel_flowers(self.canvas, x, flowers_y, self.owner.flowers, size, LEAST_TEXT_SIZE)

    def put_head(self) -> None:
        """Put the first line: Starting Player token, name and tokens, and points at the right."""
        line = self.plate.rim + to_pixels(HEAD_LINE)
        right = self._write_score(line)
        left = self.left
        if self.owner.is_first:
            marker = draw_first_marker(to_pixels(FIRST_MARKER_SIZE))
            self.canvas.put(marker, left + to_pixels(FIRST_MARKER_X), line)
            width, half = to_pixels(FIRST_MARKER_RING[0]), to_pixels(FIRST_MARKER_RING[1])
            ring = (left, line - half, left + width, line + half)
            self.ring_if_changed("first", ring, TIGHT_RING_MARGIN)
            left += to_pixels(FIRST_MARKER_ROOM)

        # Name and tokens share the room between the Starting Player token and the points.
        tokens = _choose_tokens(self.owner.side, right - left - to_pixels(LEAST_NAME_WIDTH))
        token_size = TOKEN_SIZE if len(tokens) <= MAX_LARGE_TOKENS else SMALL_TOKEN_SIZE
        room = right - left - sum(_token_width(number, token_size) for _, number in tokens)
        size = to_pixels(NAME_SIZE)
        name, size = fit_text(self.owner.name, Face.STRONG, size, LEAST_TEXT_SIZE, room)
        left += write(self.canvas, left, line, name, Face.STRONG, size, INK) + to_pixels(NAME_GAP)
        for face, number in tokens:
            self._put_token(left, line, face, number, token_size)
            left += _token_width(number, token_size)

        rule_top = self.plate.rim + to_pixels(HEAD_RULE)
        rule_right = self.right - to_pixels(RULE_RIGHT_MARGIN)
        rule_bottom = rule_top + hairline_width(PICTURE_WIDTH)
        self.canvas.cover((self.left, rule_top, rule_right, rule_bottom), RULE)

    def _write_score(self, line: int) -> int:
        """Write the points at the right end of a line; return the pixel where they begin."""
        right = self.right - to_pixels(RIGHT_MARGIN)
        unit = words_of("polynesia").say("panel.points")
        unit_y, unit_size = line + to_pixels(UNIT_DROP), to_pixels(TEXT_SIZE)
        right -= write(self.canvas, right, unit_y, unit, Face.LABEL, unit_size, MUTED, "r")
        right -= to_pixels(UNIT_GAP)
        score, size = points(self.owner.score), to_pixels(SCORE_SIZE)
        left = right - write(self.canvas, right, line, score, Face.STRONG, size, INK, "r")
        half = to_pixels(SCORE_RING_HALF_HEIGHT)
        ring = (left, line - half, right, line + half)
        self.ring_if_changed("score", ring, TIGHT_RING_MARGIN)
        return left - to_pixels(SCORE_GAP)

    def _put_token(self, left: int, line: int, face: str, number: int, size: int) -> None:
        """Put a token beside the name, with its count if there are more of it."""
        half = to_pixels(size / 2)
        self.canvas.put(draw_token(face, to_pixels(size), None), left + half, line)
        if number > 1:
            number_x = left + to_pixels(size + TOKEN_COUNT_X)
            text_size = to_pixels(TEXT_SIZE)
            write(self.canvas, number_x, line, str(number), Face.STRONG, text_size, INK)
        inset = to_pixels(TOKEN_RING_INSET)
        inner_left, inner_right = left + inset, left + 2 * half - inset
        ring = (inner_left, line - half + inset, inner_right, line + half - inset)
        self.ring_if_changed(f"token_{face}", ring)

    def put_counts(self) -> None:
        """Put the second line: what the seat has, each with its number, pale if there is none."""
        side = self.owner.side
        counts = [
            ("fish", side.fish),
            ("shell", side.shells),
            ("ship", side.ships),
            ("mask", side.masks),
        ]
        if self.owner.has_points:
            counts.append(("point", side.points))
        width = self.plate.width - self.plate.band - to_pixels(COUNTS_RIGHT_MARGIN)
        step = width // len(counts)
        x, y = self.left, self.plate.rim + to_pixels(COUNTS_LINE)
        half = to_pixels(NUMBER_RING_HALF_HEIGHT)
        for what, number in counts:
            icon = _draw_icon(what, self.owner.seat)
            if not number:
                icon = _draw_faded_icon(what, self.owner.seat)
            self.canvas.put(icon, x + to_pixels(ICON_X), y)
            number_x = x + to_pixels(NUMBER_X)
            number_right = number_x + _write_number(self.canvas, number_x, y, number)
            self.ring_if_changed(what, (number_x, y - half, number_right, y + half))
            x += step

    def put_personal_board(self) -> None:
        """Put the 13 spaces: members stand on the last ones, the best free one is gold."""
        spaces = components().spaces
        first_row = len(components().rows[0])
        free = len(spaces) - self.owner.side.home
        left = self.left + to_pixels(SPACE_STEP / 2 - BOARD_INDENT)
        y = self.plate.rim + to_pixels(BOARD_LINE)
        size = to_pixels(TEXT_SIZE)
        for number, value in enumerate(spaces):
            is_free, is_best = number < free, number == free - 1
            gap = BOARD_ROW_GAP if number >= first_row else 0
            x = left + to_pixels(number * SPACE_STEP + gap)
            self.canvas.put(_draw_space(is_free, is_best), x, y)
            if not is_free:
                member = pawn(self.owner.seat, to_pixels(MEMBER_SIZE), None)
                self.canvas.put(member, x, y - to_pixels(MEMBER_RISE))
            elif is_best:
                write(self.canvas, x, y, str(value), Face.STRONG, size, INK, "m")
            else:
                write(self.canvas, x, y, str(value), Face.LABEL, size, MUTED, "m")


def _choose_tokens(side: SideView, room: int) -> list[tuple[str, int]]:
    """Return the tokens shown beside a name and how many there are of each.

    Those that would leave the name no room are left out, ship tokens first: they have had their
    effect already.
    """
    tokens = [(face, side.tokens.count(face)) for face in TOKEN_FACES if face in side.tokens]
    while len(tokens) > MAX_LARGE_TOKENS:
        if sum(_token_width(number, SMALL_TOKEN_SIZE) for _, number in tokens) <= room:
            break
        tokens.pop()
    return tokens


def _token_width(number: int, size: int) -> int:
    """Return what a token takes across in pixels, with its count if there are more of it."""
    return to_pixels(size + (TOKEN_GAP if number == 1 else COUNTED_TOKEN_GAP))


def _write_number(canvas: Canvas, x: int, y: int, number: int) -> int:
    """Write a count, pale if there is none; return its width."""
    face = Face.STRONG if number else Face.LABEL
    return write(canvas, x, y, str(number), face, to_pixels(NUMBER_SIZE), INK if number else MUTED)


def _draw_icon(what: str, seat: int) -> Sprite:
    """Return the icon of something that a seat has, in the size at which all look alike."""
    size = to_pixels(ICON_SIZES[what])
    match what:
        case "fish":
            return draw_fish(size, None)
        case "shell":
            return shell(size, None)
        case "ship":
            return canoe(seat, size, None)
        case "mask":
            return draw_mask(size, None)
    return draw_point_token(size, "1", None)


@cached(32)
def _draw_faded_icon(what: str, seat: int) -> Sprite:
    return _draw_icon(what, seat).fade()


@cached(8)
def _draw_space(is_free: bool, is_best: bool) -> Sprite:
    """Draw a space of the personal board, put by its middle."""
    half_width, half_height = to_pixels(SPACE_STEP - SPACE_GAP) / 2, to_pixels(SPACE_HEIGHT) / 2
    margin, line = SPACE_MARGIN, SPACE_LINE
    middle = (round(half_width) + margin, round(half_height) + margin)
    brush = Brush(2 * (half_width + margin), 2 * (half_height + margin), at=middle)

    def fill_box(grow: float, radius: float, colour: Colour) -> None:
        right, bottom = half_width + grow, half_height + grow
        brush.fill(rectangle(-right, -bottom, right, bottom, radius), colour)

    if is_best:
        fill_box(1, 7, BARK)
        fill_box(-line, 5, ACTIVE)
    else:
        fill_box(0, 6, RULE)
        fill_box(-line, 5, mix(PAPER, RULE, 0.22 if is_free else 0.62))
    return brush.finish()


@cached(16)
def draw_bag_panel(bag: tuple[int, int, int]) -> Image.Image:
    """Draw what is left in the bag; the panel takes the place of a fourth seat."""
    plate = panel_plate()
    canvas = _blank_panel(is_to_move=False)
    left = plate.rim + to_pixels(BAG_LEFT)
    rule_right = plate.rim + plate.width - to_pixels(RULE_RIGHT_MARGIN)

    title = words_of("polynesia").say("bag.title")
    title_y, size = plate.rim + to_pixels(BAG_TITLE_LINE), to_pixels(BAG_TITLE_SIZE)
    title, size = fit_text(title, Face.STRONG, size, LEAST_TEXT_SIZE, rule_right - left)
    write(canvas, left, title_y, title, Face.STRONG, size, INK)
    rule_top = plate.rim + to_pixels(BAG_RULE)
    canvas.cover((left, rule_top, rule_right, rule_top + hairline_width(PICTURE_WIDTH)), RULE)

    x, y = left + to_pixels(BAG_INDENT), plate.rim + to_pixels(BAG_STONES_LINE)
    for colour, number in zip(COLOURS, bag, strict=True):
        stone = draw_lava_stone(colour, to_pixels(BAG_STONE_SIZE))
        canvas.put(stone if number else stone.fade(), x + to_pixels(BAG_STONE_X), y)
        _write_number(canvas, x + to_pixels(BAG_NUMBER_X), y, number)
        x += to_pixels(BAG_STEP)
    return canvas.image
