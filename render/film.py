"""A match as an animation: a GIF of its boards, in the palette of its game, whose frames hold only what has changed.

GIF plays inline wherever Discord does. Pillow's own writer looks for 256 colours in every frame, which takes far longer
and makes files far larger than what is done here. The boards are drawn in one trained palette (render.png), so two
frames are compared number by number; what is equal is written as transparent, which LZW packs to almost nothing.
"""

import struct
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from PIL import GifImagePlugin, Image, ImageChops

from engine import Event, View
from render import Scene, draw, renderer
from render.canvas import Box, Canvas, mode
from render.chrome import share
from render.fonts import Face, fitted, in_lines, write
from render.palette import BACKDROP, CREAM, TITLE, TITLE_TEXT
from render.png import indexed

CAPTION = 0.098
"""The height of what is written below the board, as a share of its width; so are all lengths below."""
TEXT, LEAST = 0.034, 0.029
EDGE = 0.018
UNCHANGED = 255
"""The number that stands for a pixel which stays as it was; the colour that it had in the palette is done without."""
SPARED = bytes((*range(UNCHANGED), UNCHANGED - 1))
SAME = bytes((255, *[0] * 255))
"""Makes a mask of where two frames are equal out of their difference."""
NO_LIMIT = 1 << 62
FIRST, SCORING, LAST = 2.0, 3.0, 7.0
"""How long the first frame, a scoring and the score sheet are shown, as multiples of a usual frame."""


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
    """The moments one after the other, each shown so long, and at the end the score sheet if points were counted.

    A film that would take more than `most` bytes is made of every second moment, if need be of every fourth, and so on:
    of every how manieth is told. The same moments give the same bytes.
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
    moments: Sequence[Moment], names: tuple[str, ...], seconds: float, most: int, progress: Callable[[float], None]
) -> bytes | None:
    """A film of all these moments; None as soon as it is too large."""
    reel: Reel | None = None
    for number, moment in enumerate(moments):
        frame = frame_of(moment, names)
        if reel is None:
            reel = Reel(frame.size, _palette(moment.view))
            seconds_shown = seconds * FIRST
        else:
            seconds_shown = seconds * (SCORING if moment.is_scoring else 1.0)
        reel.add(frame, seconds_shown)
        progress((number + 1) / len(moments))
        if reel.size_so_far > most:
            return None
    if reel is None:
        raise ValueError("a film of nothing")
    last = moments[-1].view
    sheet = renderer(last, "score_sheet")(last, Scene(names)) if last.outcome is not None else None
    if sheet is not None:
        reel.add(sheet, seconds * LAST)
    return reel.done() if reel.size_so_far <= most else None


def _thinned(moments: Sequence[Moment], stride: int) -> Sequence[Moment]:
    """Every so many moments; the first, the last and all scorings are kept. What is left out is marked in the next."""
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
    """A GIF, frame by frame, each in the same palette."""

    def __init__(self, size: tuple[int, int], palette: str) -> None:
        self.size = size
        self._name = palette
        self._palette = b""
        self._shown: Image.Image | None = None
        """What is to be seen, in numbers of the palette."""
        self._frames: list[tuple[float, bytes]] = []

    def add(self, picture: Image.Image, seconds: float) -> None:
        """A frame, shown for so long. One that is like the last makes that longer."""
        coded = indexed(_within(picture, self.size), self._name)
        self._palette = self._palette or bytes(coded.getpalette() or ()).ljust(768, b"\0")
        now = Image.frombytes("L", coded.size, coded.tobytes()).point(SPARED)
        box = self._changed(now)
        if box is not None:
            self._frames.append((seconds, _image_data(self._piece(now, box), box)))
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
        all_colours = 0b11110111
        head = b"GIF89a" + struct.pack("<2H3B", width, height, all_colours, 0, 0) + self._palette
        repeat = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        body = b"".join(_control(seconds) + data for seconds, data in self._frames)
        return head + repeat + body + b";"

    def _changed(self, now: Image.Image) -> Box | None:
        """The box around what has changed since the last frame."""
        return (0, 0, *now.size) if self._shown is None else ImageChops.difference(now, self._shown).getbbox()

    def _piece(self, now: Image.Image, box: Box) -> Image.Image:
        """That box of the frame, with what is as it was made transparent."""
        piece = now.crop(box)
        if self._shown is not None:
            is_same = ImageChops.difference(piece, self._shown.crop(box)).point(SAME)
            piece.paste(UNCHANGED, (0, 0, *piece.size), is_same)
        return piece


def _control(seconds: float) -> bytes:
    """What stands before a frame: it stays, unchanged pixels are transparent, and how long it is shown."""
    stays_and_transparent = 0b00000101
    hundredths = min(65_535, max(2, round(seconds * 100)))
    return struct.pack("<4BH2B", 0x21, 0xF9, 4, stays_and_transparent, hundredths, UNCHANGED, 0)


def _image_data(piece: Image.Image, box: Box) -> bytes:
    """A frame as Pillow packs it: where it lies, and its pixels."""
    coded = Image.frombytes("P", piece.size, piece.tobytes())
    coded.putpalette(bytes(range(256)) * 3)
    return b"".join(GifImagePlugin.getdata(coded, box[:2]))


def _palette(view: View) -> str:
    """The palette in which the boards of a game are drawn."""
    return renderer(view, "draw").__module__.split(".")[1]


def frame_of(moment: Moment, names: tuple[str, ...]) -> Image.Image:
    """A board with what has happened below it. How it stands is on the board itself.

    Whose turn it is is left out: it changes with every frame, its marks would be a third of the file, and the next
    frame tells what came of it.
    """
    board = draw(replace(moment.view, to_move=()), Scene(names, last=moment.told, events=moment.events))
    width = board.width // mode().zoom
    canvas = Canvas.blank(width, board.height // mode().zoom + share(width, CAPTION), TITLE)
    canvas.lay(board, 0, 0)
    edge, size = share(width, EDGE), share(width, TEXT)
    foot = canvas.height - share(width, CAPTION - 0.07)
    label = write(canvas, width - edge, foot, moment.label, Face.LABEL, size, TITLE_TEXT, "r")
    room = width - 2 * edge
    lines = in_lines(moment.told, Face.LABEL, size, room)
    for number, line in enumerate(lines[:2]):
        shown, fits = fitted(line, Face.LABEL, size, share(width, LEAST), room - (label + edge if number else 0))
        write(canvas, edge, foot - (1 - number) * share(width, 0.042), shown, Face.LABEL, fits, CREAM)
    return canvas.image


def _within(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
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
