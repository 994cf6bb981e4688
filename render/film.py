"""A match as an animation: a GIF of its boards, in the palette of its game, whose frames hold only
what has changed.

GIF plays inline wherever Discord does. Pillow's own writer looks for 256 colours in every frame,
which takes far longer and makes files far larger than what is done here. The boards are drawn in
one trained palette (render.png), of which a film keeps the colours that matter; so two frames are
compared number by number, and what is equal is written as transparent, which LZW packs to almost
nothing.

Every image of the file stays and is a whole frame. Discord makes its previews by a library that
knows no other way: to have marks taken off by the next frame, or to show a frame part by part,
would save bytes and spoil those.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageChops

from engine import Event, View
from render import Scene, draw, looks_of, renderer
from render.canvas import Box, Canvas, mode
from render.chrome import share
from render.fonts import Face, fitted, in_lines, sentence, write
from render.palette import BACKDROP, CREAM, PINNED, TITLE, WHITE, Colour
from render.png import indexed

CAPTION = 0.098
"""The height of what is written below the board, as a share of its width; so are all lengths
below.
"""
TEXT, LEAST = 0.034, 0.029
EDGE = 0.018
BITS = 6
"""Bits of a colour's number."""
COLOURS = 56
"""How many a film has. It has a fifth fewer bytes than with 256, and looks the same."""
UNCHANGED = COLOURS
"""The number that stands for a pixel which stays as it was."""
CHANGED = bytes((0, *[255] * 255))
"""Makes a mask of where two frames differ out of their difference."""
BLACK: Colour = (0, 0, 0)
TONES = [0] * 90 + [128] * 76 + [255] * 90
"""How light the letters below a frame are, ground included: with more tones they took a quarter
of a film's bytes.
"""
NO_LIMIT = 1 << 62
FIRST, SCORING, LAST = 2.0, 3.0, 7.0
"""How long the first frame, a scoring and the score sheet are shown, as multiples of a usual
frame.
"""


class TooLarge(Exception):
    """Not even the first and the last moment alone would be small enough."""


class Moment(Struct, frozen=True):
    """A position as everyone saw it, and what had just happened."""

    view: View
    told: str = ""
    events: tuple[Event, ...] = ()
    label: str = ""
    """Which moment of the match it is, in words."""

    @property
    def is_scoring(self) -> bool:
        """Whether points were counted: then it is shown for longer."""
        return any(event.shows_scores for event in self.events)


def film(
    moments: Sequence[Moment],
    names: tuple[str, ...],
    seconds: float,
    most: int = NO_LIMIT,
    progress: Callable[[float], None] = lambda part: None,
) -> tuple[bytes, int]:
    """The moments one after the other, each shown so long, and at the end the score sheet if points
    were counted.

    A film that would take more than `most` bytes is made of every second moment, if need be of
    every fourth, and so on: of every how manieth is told. The same moments give the same bytes.
    """
    stride = 1
    while True:
        chosen = _thinned(moments, stride)
        made = _film(chosen, names, seconds * stride, most, progress)
        if made is not None:
            return made, stride
        if stride >= len(moments):
            raise TooLarge
        stride *= 2


def _film(
    moments: Sequence[Moment],
    names: tuple[str, ...],
    seconds: float,
    most: int,
    progress: Callable[[float], None],
) -> bytes | None:
    """A film of all these moments; None as soon as it is too large."""
    if not moments:
        raise ValueError("a film of nothing")
    last, windows = moments[-1].view, steady(moments)
    sheet = renderer(last, "score_sheet")(last, Scene(names)) if last.outcome is not None else None
    samples = [
        frame_of(moments[place], names, windows[place]) for place in (0, len(moments) // 2, -1)
    ]
    with_sheet = samples if sheet is None else [*samples, sheet]
    reel = Reel(with_sheet, _palette(last), share(samples[0].width, CAPTION))
    for number, moment in enumerate(moments):
        usual = SCORING if moment.is_scoring else 1.0
        reel.add(frame_of(moment, names, windows[number]), seconds * (usual if number else FIRST))
        progress((number + 1) / len(moments))
        if reel.size_so_far > most:
            return None
    if sheet is not None:
        reel.add(sheet, seconds * LAST)
    return reel.done() if reel.size_so_far <= most else None


def _thinned(moments: Sequence[Moment], stride: int) -> Sequence[Moment]:
    """Every so many moments; the first, the last and all scorings are kept.

    What is left out is marked in the next.
    """
    kept: list[Moment] = []
    left_out: tuple[Event, ...] = ()
    for number, moment in enumerate(moments):
        left_out += moment.events
        is_last = number == len(moments) - 1
        if number % stride == 0 or moment.is_scoring or is_last:
            kept.append(replace(moment, events=left_out))
            left_out = ()
    return kept


class Reel:
    """A GIF, frame by frame, all in a few colours of one palette."""

    def __init__(self, samples: Sequence[Image.Image], palette: str, letters: int = 0) -> None:
        """As large as the first of some samples, from which the colours are chosen.

        `letters` is the height of the strip at the foot whose letters change as a whole.
        """
        self.size = samples[0].size
        self._name = palette
        self._letters = letters
        coded = [self._coded(sample) for sample in samples]
        used = [
            sum(counts) for counts in zip(*(sample.histogram() for sample in coded), strict=True)
        ]
        self._table, self._colours = fewer(_colours(coded[0]), used)
        self._shown: Image.Image | None = None
        """The frame, as palette indices."""
        self._frames: list[tuple[float, bytes]] = []

    def add(self, picture: Image.Image, seconds: float) -> None:
        """A frame, shown for so long. One that is like the last makes that longer."""
        coded = self._coded(picture)
        now = Image.frombytes("L", coded.size, coded.tobytes()).point(self._table)
        data = self._changes(now)
        if data is not None:
            self._frames.append((seconds, data))
        else:
            before, data = self._frames[-1]
            self._frames[-1] = (before + seconds, data)
        self._shown = now

    @property
    def size_so_far(self) -> int:
        """Bytes of all frames, and of what stands around them."""
        return 1024 + sum(len(data) + 8 for _, data in self._frames)

    def done(self) -> bytes:
        """The file. It begins anew when it has ended."""
        width, height = self.size
        with_colours = 0b11110000 | (BITS - 1)
        head = b"GIF89a" + struct.pack("<2H3B", width, height, with_colours, 0, 0) + self._colours
        repeat = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        body = b"".join(_control(seconds) + data for seconds, data in self._frames)
        return head + repeat + body + b";"

    def _coded(self, picture: Image.Image) -> Image.Image:
        return indexed(within(picture, self.size), self._name)

    def _changes(self, now: Image.Image) -> bytes | None:
        """The image that makes the last frame this one, with what is as it was made transparent;
        None if all is.
        """
        if self._shown is None:
            return _image_data(now, (0, 0, *now.size))
        changed = ImageChops.difference(now, self._shown).point(CHANGED)
        foot = (0, now.height - self._letters, *now.size)
        if self._letters and (letters := changed.crop(foot).getbbox()):
            # Old letters shine through new ones in so many places that all of them anew are
            # smaller.
            changed.paste(255, (letters[0], foot[1] + letters[1], letters[2], foot[1] + letters[3]))
        box = changed.getbbox()
        if box is None:
            return None
        # A single pixel between two that change goes with them: to leave it out would cost more.
        beside = ImageChops.darker(
            ImageChops.offset(changed, 1, 0), ImageChops.offset(changed, -1, 0)
        )
        changed = ImageChops.lighter(changed, beside)
        unchanged = Image.new("L", (box[2] - box[0], box[3] - box[1]), UNCHANGED)
        unchanged.paste(now.crop(box), (0, 0), changed.crop(box))
        return _image_data(unchanged, box)


def fewer(colours: Sequence[Colour], used: Sequence[int]) -> tuple[bytes, bytes]:
    """A table from the numbers of a palette to those of a film's colours, and these.

    Colours that are used little and have another close by give way to that one. Those of seats and
    marks stay.
    """
    left = {number for number, count in enumerate(used[: len(colours)]) if count}
    weight, becomes = list(used), list(range(256))

    def nearest(number: int) -> tuple[float, int]:
        return min(
            (_apart(colours[number], colours[other]), other) for other in left if other != number
        )

    near = {number: nearest(number) for number in left} if len(left) > 1 else {}
    while len(left) > COLOURS:
        gone = min(
            (number for number in left if colours[number] not in PINNED),
            key=lambda number: (near[number][0] * weight[number] ** 0.5, number),
        )
        heir = near[gone][1]
        left.remove(gone)
        weight[heir] += weight[gone]
        becomes = [heir if number == gone else number for number in becomes]
        near |= {number: nearest(number) for number in left if near[number][1] == gone}
    kept = sorted(left)
    # What no sample showed becomes whatever is closest.
    for number in range(len(colours)):
        if becomes[number] not in left:
            becomes[number] = min(kept, key=lambda other: _apart(colours[number], colours[other]))
    places = {number: place for place, number in enumerate(kept)}
    table = bytes(places.get(becomes[number], 0) for number in range(256))
    flat = bytes(value for number in kept for value in colours[number])
    return table, flat.ljust(3 << BITS, b"\0")


def _apart(first: Colour, second: Colour) -> float:
    """How far two colours lie apart; greens are told apart best."""
    red, green, blue = (one - other for one, other in zip(first, second, strict=True))
    return 2.0 * red * red + 4.0 * green * green + 3.0 * blue * blue


def _colours(coded: Image.Image) -> list[Colour]:
    flat = coded.getpalette() or []
    return [(flat[place], flat[place + 1], flat[place + 2]) for place in range(0, len(flat) - 2, 3)]


def _control(seconds: float) -> bytes:
    """What stands before a frame: it stays, unchanged pixels are transparent, and how long it is
    shown.
    """
    stays_and_transparent = 0b00000101
    hundredths = min(65_535, max(2, round(seconds * 100)))
    return struct.pack("<4BH2B", 0x21, 0xF9, 4, stays_and_transparent, hundredths, UNCHANGED, 0)


def _image_data(piece: Image.Image, box: Box) -> bytes:
    """A frame: where it lies, and its pixels as Pillow packs them."""
    coded = Image.frombytes("P", piece.size, piece.tobytes())
    packed = coded.tobytes("gif", "P", BITS, False)
    return b"," + struct.pack("<4H2B", *box[:2], *piece.size, 0, BITS) + packed + b"\0"


def _palette(view: View) -> str:
    """The palette in which the boards of a game are drawn."""
    return renderer(view, "draw").__module__.split(".")[1]


def steady(moments: Sequence[Moment]) -> list[Any]:
    """For each frame its window on the map, for a game whose boards show a part of it."""
    if not moments or not (find := getattr(looks_of(moments[0].view), "steady", None)):
        return [None] * len(moments)
    windows: list[Any] = find([moment.view for moment in moments])
    return windows


def frame_of(moment: Moment, names: tuple[str, ...], window: Any = None) -> Image.Image:
    """A board with what has happened below it. How it stands is on the board itself.

    Whose turn it is is left out: it changes with every frame, its marks would be a third of the
    file, and the next frame tells what came of it.
    """
    scene = Scene(names, last=moment.told, events=moment.events, in_film=True, window=window)
    board = draw(replace(moment.view, to_move=()), scene)
    width = board.width // mode().zoom
    canvas = Canvas.blank(width, board.height // mode().zoom + share(width, CAPTION), TITLE)
    canvas.lay(board, 0, 0)
    canvas.lay(_caption(moment, width), 0, board.height // mode().zoom)
    return canvas.image


def _caption(moment: Moment, width: int) -> Image.Image:
    """What has happened, in two lines at most, and which moment it is."""
    canvas = Canvas.blank(width, share(width, CAPTION), BLACK)
    edge, size = share(width, EDGE), share(width, TEXT)
    foot = canvas.height - share(width, CAPTION - 0.07)
    label = write(canvas, width - edge, foot, moment.label, Face.LABEL, size, WHITE, "r")
    room = width - 2 * edge
    lines = in_lines(moment.told, Face.LABEL, size, room)
    for number, line in enumerate(lines[:2]):
        free = room - (label + edge if number else 0)
        shown, fits = fitted(sentence(line), Face.LABEL, size, share(width, LEAST), free)
        write(
            canvas, edge, foot - (1 - number) * share(width, 0.042), shown, Face.LABEL, fits, WHITE
        )
    letters = canvas.image.convert("L").point(TONES)
    strip = Image.new("RGB", letters.size, TITLE)
    strip.paste(CREAM, (0, 0), letters)
    return strip


def within(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A picture as large as the film: one of another size is fitted in."""
    if picture.size == size:
        return picture
    fitting = picture.convert("RGB")
    scale = min(size[0] / fitting.width, size[1] / fitting.height, 1.0)
    if scale < 1:
        fitting = fitting.resize(
            (round(fitting.width * scale), round(fitting.height * scale)), Image.Resampling.LANCZOS
        )
    ground = Image.new("RGB", size, BACKDROP)
    ground.paste(fitting, ((size[0] - fitting.width) // 2, (size[1] - fitting.height) // 2))
    return ground
