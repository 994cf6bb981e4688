"""A match as an animated GIF: its boards one after the other, then the last with the score sheet.

Discord plays GIFs inline everywhere. Pillow's own writer searches 256 colours for every frame,
which takes far longer and makes far larger files than what is done here: boards are drawn in the
palette of their game (render.png), of which a film keeps the colours that matter. So two frames can
be compared number by number, and pixels that did not change are written as transparent, which LZW
packs to almost nothing.

Every image in the file stays on screen and is a whole frame. Discord makes its previews with a
library that supports nothing else: removing marks with the next frame, or showing a frame in parts,
would save bytes but spoil the previews.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops

from engine import Event, View
from render import Scene, draw, find_game_module, renderer
from render.canvas import OPAQUE, Box, Canvas, current_mode
from render.chrome import TITLE_HEIGHT, share
from render.fonts import Face, break_in_two, fit_text, read_left_to_right, text_width, write
from render.palette import BACKDROP, CREAM, PINNED, TITLE, WHITE, Colour
from render.pieces import badge
from render.png import to_palette

# Lengths of the caption below a board, as shares of the picture's width.
CAPTION_HEIGHT = 0.098
CAPTION_TEXT = 0.034
SMALLEST_TEXT = 0.029
CAPTION_MARGIN = 0.018
CAPTION_LAST_LINE = 0.07
"""From the top of the caption to the middle of its second line."""
CAPTION_STEP = 0.042
CAPTION_LINES = 2
ACTOR_BADGE, ACTOR_RIGHT, ACTOR_DOWN = 0.045, 0.032, 0.035
"""The badge of the seat that acts, at the right end of the title strip."""
MOST_SHEET = 0.62
"""The largest share of the last frame's height that the score sheet takes."""
CAPTION_TONES = [0] * 90 + [128] * 76 + [255] * 90
"""Reduces letters to three tones: with more they took a quarter of a film's bytes."""
BLACK: Colour = (0, 0, 0)

COLOUR_BITS = 6
MAX_COLOURS = 56
"""Colours of a film. It has a fifth fewer bytes than with 256, and looks the same."""
UNCHANGED = MAX_COLOURS
"""The palette index of a pixel that stays as it was."""
CHANGED = bytes((0, *[OPAQUE] * 255))
"""Turns the difference of two frames into a mask of where they differ."""
RED_WEIGHT, GREEN_WEIGHT, BLUE_WEIGHT = 2.0, 4.0, 3.0
"""How well the eye tells tones of each colour apart."""

# How long frames are shown, as multiples of a usual frame.
FIRST_FRAME = 2.0
SCORING_FRAME = 3.0
SCORE_SHEET = 7.0
MIN_HUNDREDTHS, MAX_HUNDREDTHS = 2, 65_535
"""The times that a GIF frame can be shown; players ignore shorter ones."""
NO_LIMIT = 1 << 62
HEADER_BYTES = 1024
"""At least as many bytes as the file has besides its frames."""
FRAME_CONTROL_BYTES = 8


class TooLarge(Exception):
    """Even a film of only the first and the last moment has too many bytes."""


class Moment(Struct, frozen=True):
    """A position as everyone saw it, and what had just happened."""

    view: View
    caption: str = ""
    """A text that says what has just happened."""
    events: tuple[Event, ...] = ()
    label: str = ""
    """A text that says which moment of the match it is."""

    @property
    def is_scoring(self) -> bool:
        """Whether points were counted: then it is shown for longer."""
        return any(event.shows_scores for event in self.events)


def make_film(
    moments: Sequence[Moment],
    names: tuple[str, ...],
    seconds: float,
    most: int = NO_LIMIT,
    progress: Callable[[float], None] = lambda part: None,
) -> tuple[bytes, int]:
    """Make a film of at most `most` bytes; return it with its stride.

    A film that gets too large is made of every second moment, if need be of every fourth, and so
    on: the stride says of every how many. A moment is shown for `seconds` times the stride. The
    same moments give the same bytes.
    """
    stride = 1
    while True:
        chosen = _choose_moments(moments, stride)
        made = _film_all(chosen, names, seconds * stride, most, progress)
        if made is not None:
            return made, stride
        if stride >= len(moments):
            raise TooLarge
        stride *= 2


def _choose_moments(moments: Sequence[Moment], stride: int) -> list[Moment]:
    """Choose every `stride`th moment, and always the first, the last and all scorings.

    What happened in moments that are left out is marked in the next one.
    """
    chosen: list[Moment] = []
    events: tuple[Event, ...] = ()
    for number, moment in enumerate(moments):
        events += moment.events
        is_last = number == len(moments) - 1
        if number % stride == 0 or moment.is_scoring or is_last:
            chosen.append(replace(moment, events=events))
            events = ()
    return chosen


def _film_all(
    moments: Sequence[Moment],
    names: tuple[str, ...],
    seconds: float,
    most: int,
    progress: Callable[[float], None],
) -> bytes | None:
    """Make a film of all these moments; None as soon as it has more than `most` bytes."""
    if not moments:
        raise ValueError("a film of nothing")
    last = moments[-1].view
    windows = find_windows(moments)
    score_sheet = None
    if last.outcome is not None:
        score_sheet = renderer(last, "score_sheet")(last, Scene(names))

    ending = None
    if score_sheet is not None:
        ending = draw_ending(draw_frame(moments[-1], names, windows[-1]), score_sheet)

    # The colours are chosen from the first, the middle and the last frame.
    sampled = (0, len(moments) // 2, -1)
    samples = [draw_frame(moments[place], names, windows[place]) for place in sampled]
    caption_height = share(samples[0].width, CAPTION_HEIGHT)
    if ending is not None:
        samples.append(ending)
    # The palette of a game is named after the module that draws its boards: render.<palette>.
    palette = renderer(last, "draw").__module__.split(".")[1]
    reel = Reel(samples, palette, caption_height)

    for number, moment in enumerate(moments):
        if number == 0:
            shown_for = FIRST_FRAME
        else:
            shown_for = SCORING_FRAME if moment.is_scoring else 1.0
        reel.add(draw_frame(moment, names, windows[number]), seconds * shown_for)
        progress((number + 1) / len(moments))
        if reel.size_so_far > most:
            return None
    if ending is not None:
        reel.add(ending, seconds * SCORE_SHEET)
    return reel.finish() if reel.size_so_far <= most else None


class Reel:
    """A GIF that frames are added to, all in a few colours of one palette."""

    def __init__(self, samples: Sequence[Image.Image], palette: str, letters: int = 0) -> None:
        """Choose the size from the first sample, and the colours from all of them.

        `letters` is the height of the caption in pixels.
        """
        self.size = samples[0].size
        self._palette = palette
        self._letters = letters
        indexed = [to_palette(fit_within(sample, self.size), palette) for sample in samples]
        histograms = [sample.histogram() for sample in indexed]
        used = [sum(counts) for counts in zip(*histograms, strict=True)]
        # Pillow gives a palette as one list: red, green and blue of each colour in turn.
        flat = indexed[0].getpalette() or []
        reds, greens, blues = flat[::3], flat[1::3], flat[2::3]
        colours = list(zip(reds, greens, blues, strict=False))
        self._table, self._colours = reduce_palette(colours, used)
        self._shown: Image.Image | None = None
        """The last frame, as indices of the film's colours."""
        self._frames: list[tuple[float, bytes]] = []

    def add(self, picture: Image.Image, seconds: float) -> None:
        """Add a frame; one that equals the last frame only prolongs it."""
        indexed = to_palette(fit_within(picture, self.size), self._palette)
        frame = Image.frombytes("L", indexed.size, indexed.tobytes()).point(self._table)
        data = self._encode_changes(frame)
        if data is not None:
            self._frames.append((seconds, data))
        else:
            before, data = self._frames[-1]
            self._frames[-1] = (before + seconds, data)
        self._shown = frame

    @property
    def size_so_far(self) -> int:
        """The bytes of all frames and of what stands around them."""
        return HEADER_BYTES + sum(len(data) + FRAME_CONTROL_BYTES for _, data in self._frames)

    def finish(self) -> bytes:
        """Return the file, which plays in an endless loop."""
        width, height = self.size
        global_colours = 0b11110000 | (COLOUR_BITS - 1)
        header = b"GIF89a" + struct.pack("<2H3B", width, height, global_colours, 0, 0)
        loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        frames = b"".join(_frame_control(seconds) + data for seconds, data in self._frames)
        return header + self._colours + loop + frames + b";"

    def _encode_changes(self, frame: Image.Image) -> bytes | None:
        """Encode what differs from the last frame; None if nothing does."""
        if self._shown is None:
            return _image_data(frame, (0, 0, *frame.size))
        changed = ImageChops.difference(frame, self._shown).point(CHANGED)
        if self._letters:
            caption_top = frame.height - self._letters
            letters = changed.crop((0, caption_top, *frame.size)).getbbox()
            if letters:
                # Old letters shine through new ones in so many places that it is smaller to write
                # all of them anew.
                left, top, right, bottom = letters
                changed.paste(OPAQUE, (left, caption_top + top, right, caption_top + bottom))
        box = changed.getbbox()
        if box is None:
            return None
        # A single pixel between two that change is written as well: leaving it out costs more.
        left_neighbours = ImageChops.offset(changed, 1, 0)
        right_neighbours = ImageChops.offset(changed, -1, 0)
        between = ImageChops.darker(left_neighbours, right_neighbours)
        changed = ImageChops.lighter(changed, between)
        left, top, right, bottom = box
        data = Image.new("L", (right - left, bottom - top), UNCHANGED)
        data.paste(frame.crop(box), (0, 0), changed.crop(box))
        return _image_data(data, box)


def reduce_palette(colours: Sequence[Colour], used: Sequence[int]) -> tuple[bytes, bytes]:
    """Reduce a palette to MAX_COLOURS; `used` says how many pixels have each of its colours.

    Return a table from the indices of the palette to those of the new one, and the new palette.
    Colours that are used little and have another one close by are merged into that one. Pinned
    colours, those of seats and marks, stay.
    """
    left = {index for index, count in enumerate(used[: len(colours)]) if count}
    weight = list(used)
    merged_into = list(range(256))

    def find_nearest(index: int) -> tuple[float, int]:
        others = (other for other in left if other != index)
        return min((_distance(colours[index], colours[other]), other) for other in others)

    nearest = {index: find_nearest(index) for index in left} if len(left) > 1 else {}
    while len(left) > MAX_COLOURS:
        removable = [index for index in left if colours[index] not in PINNED]
        # The square root keeps large areas from swallowing every small one.
        losses = {index: nearest[index][0] * weight[index] ** 0.5 for index in removable}
        gone = min(removable, key=lambda index: (losses[index], index))
        heir = nearest[gone][1]
        left.remove(gone)
        weight[heir] += weight[gone]
        merged_into = [heir if index == gone else index for index in merged_into]
        for index in left:
            if nearest[index][1] == gone:
                nearest[index] = find_nearest(index)
    kept = sorted(left)
    # Colours that are in no sample become whatever is closest.
    for index in range(len(colours)):
        if merged_into[index] not in left:
            merged_into[index] = min(
                kept, key=lambda other: _distance(colours[index], colours[other])
            )
    new_index = {index: number for number, index in enumerate(kept)}
    table = bytes(new_index.get(merged_into[index], 0) for index in range(256))
    flat = bytes(value for index in kept for value in colours[index])
    return table, flat.ljust(3 << COLOUR_BITS, b"\0")


def _distance(first: Colour, second: Colour) -> float:
    """Return how different two colours look; tones of green differ most."""
    red, green, blue = (one - other for one, other in zip(first, second, strict=True))
    return RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue


def _frame_control(seconds: float) -> bytes:
    """Return the graphic control extension of a frame: its time, and which index is transparent."""
    stays_and_is_transparent = 0b00000101
    hundredths = min(MAX_HUNDREDTHS, max(MIN_HUNDREDTHS, round(seconds * 100)))
    return struct.pack("<4BH2B", 0x21, 0xF9, 4, stays_and_is_transparent, hundredths, UNCHANGED, 0)


def _image_data(indices: Image.Image, box: Box) -> bytes:
    """Return an image descriptor and the pixels, compressed by Pillow's encoder."""
    compressed = Image.frombytes("P", indices.size, indices.tobytes()).tobytes(
        "gif", "P", COLOUR_BITS, False
    )
    left, top, _, _ = box
    descriptor = struct.pack("<4H2B", left, top, *indices.size, 0, COLOUR_BITS)
    return b"," + descriptor + compressed + b"\0"


def find_windows(moments: Sequence[Moment]) -> list[Any]:
    """Return each frame's window on the map; None for games that always show the whole board."""
    game_windows = None
    if moments:
        game_windows = getattr(find_game_module(moments[0].view), "film_windows", None)
    if game_windows is None:
        return [None] * len(moments)
    windows: list[Any] = game_windows([moment.view for moment in moments])
    return windows


def draw_frame(moment: Moment, names: tuple[str, ...], window: Any = None) -> Image.Image:
    """Draw a board with a caption below it that says what has happened.

    Whose turn it is is left out: it changes with every frame, its marks would be a third of the
    file, and the next frame shows the result anyway.
    """
    scene = Scene(names, last=moment.caption, events=moment.events, in_film=True, window=window)
    board = draw(replace(moment.view, to_move=()), scene)
    zoom = current_mode().zoom
    width, height = board.width // zoom, board.height // zoom
    canvas = Canvas.blank(width, height + share(width, CAPTION_HEIGHT), TITLE)
    canvas.lay(board, 0, 0)
    actor = _actor_of(moment)
    if actor is not None:
        badge_x, badge_y = width - share(width, ACTOR_RIGHT), share(width, ACTOR_DOWN)
        canvas.put(badge(actor, share(width, ACTOR_BADGE)), badge_x, badge_y, f"actor:{actor}")
    canvas.lay(_draw_caption(moment, width), 0, height)
    return canvas.image


def draw_ending(board: Image.Image, score_sheet: Image.Image) -> Image.Image:
    """Draw the last frame: the final board, and the score sheet over its foot.

    The sheet's own title strip is left out: that of the board says the same.
    """
    strip = round(score_sheet.width * TITLE_HEIGHT)
    sheet = score_sheet.crop((0, strip, *score_sheet.size))
    room = (board.width, round(board.height * MOST_SHEET))
    scale = min(room[0] / sheet.width, room[1] / sheet.height)
    size = (round(sheet.width * scale), round(sheet.height * scale))
    sheet = sheet.resize(size, Image.Resampling.LANCZOS)
    ending = board.copy()
    top = board.height - sheet.height
    ending.paste(BACKDROP, (0, top, *board.size))
    ending.paste(sheet, ((board.width - sheet.width) // 2, top))
    return ending


def _actor_of(moment: Moment) -> int | None:
    """Return the seat that acted last in a moment; None in the end and if nobody did."""
    if moment.view.outcome is not None:
        return None
    seats = [getattr(event, "seat", None) for event in moment.events]
    acting = [seat for seat in seats if isinstance(seat, int) and seat >= 0]
    return acting[-1] if acting else None


def _draw_caption(moment: Moment, width: int) -> Image.Image:
    """Draw what has happened in two lines at most, and which moment it is."""
    canvas = Canvas.blank(width, share(width, CAPTION_HEIGHT), BLACK)
    margin = share(width, CAPTION_MARGIN)
    size = share(width, CAPTION_TEXT)
    smallest = share(width, SMALLEST_TEXT)
    last_line = canvas.height - share(width, CAPTION_HEIGHT - CAPTION_LAST_LINE)
    right = width - margin
    label_width = write(canvas, right, last_line, moment.label, Face.LABEL, size, WHITE, "r")
    room = width - 2 * margin
    # The label stands at the end of the second line.
    rooms = [room, room - label_width - margin]
    lines = break_in_two(moment.caption, Face.LABEL, size, room)[:CAPTION_LINES]
    if text_width(lines[-1], Face.LABEL, smallest) > rooms[len(lines) - 1]:
        # Smaller letters leave more words to the first line, so that the second is not cut off.
        lines = break_in_two(moment.caption, Face.LABEL, smallest, room)[:CAPTION_LINES]
    for row, line in enumerate(lines):
        line_room = rooms[row]
        text, text_size = fit_text(read_left_to_right(line), Face.LABEL, size, smallest, line_room)
        y = last_line - (1 - row) * share(width, CAPTION_STEP)
        write(canvas, margin, y, text, Face.LABEL, text_size, WHITE)
    letters = canvas.image.convert("L").point(CAPTION_TONES)
    strip = Image.new("RGB", letters.size, TITLE)
    strip.paste(CREAM, (0, 0), letters)
    return strip


def fit_within(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a picture of that size; one that is larger or smaller is centred on the backdrop."""
    if picture.size == size:
        return picture
    width, height = size
    fitting = picture.convert("RGB")
    scale = min(width / fitting.width, height / fitting.height, 1.0)
    if scale < 1:
        scaled_size = (round(fitting.width * scale), round(fitting.height * scale))
        fitting = fitting.resize(scaled_size, Image.Resampling.LANCZOS)
    ground = Image.new("RGB", size, BACKDROP)
    left, top = (width - fitting.width) // 2, (height - fitting.height) // 2
    ground.paste(fitting, (left, top))
    return ground
