"""Names in every script: faces for the letters that Source Sans does not have, shaped and ordered
as the script is.

Pillow shapes text only where the machine happens to have FriBiDi, so it is done here, alike
everywhere: the text is cut into runs of one face and one direction, HarfBuzz makes glyphs of a run,
and their outlines are filled.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import uharfbuzz as hb
from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

SCALE = 0.9
"""These faces are cut somewhat larger than Source Sans."""
ABOVE, BELOW = 1.15, 0.5
"""How far letters reach from the baseline, in sizes: Thai and Arabic go farther than Latin."""
SEGMENTS = 6
"""Straight pieces of a curve; text is drawn four times as large as it is shown."""
EMOJI_SIZE = 1.25
"""How wide and high an emoji is, in sizes, and how far it stands below the baseline."""
EMOJI_DROP = 0.28

SYSTEM_FONT_FOLDERS = tuple(
    Path(folder)
    for folder in (
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        "~/.local/share/fonts",
        "~/.fonts",
        "/System/Library/Fonts",
        "/Library/Fonts",
        "~/Library/Fonts",
        "C:/Windows/Fonts",
    )
)
"""Where Linux, macOS and Windows keep their fonts."""

Point = tuple[float, float]


class Script(Struct, frozen=True):
    """A writing system: its characters, and where to find a font for them."""

    package: str
    file: str
    """The font in that package, which draws the same on every machine."""
    system_fonts: tuple[str, ...]
    """Fonts that a machine may have, the best first: names of files, lower case, no spaces."""
    spans: tuple[tuple[int, int], ...]
    index: int = 0
    """Which font of a collection (.ttc) to use; a file with a single font has index 0."""


NOTO_FORMS = ("-regular", "[wdth,wght]", "[wght]", "-vf")
"""How systems name the files of a Noto font, after its name."""


def _noto(package: str, name: str, *spans: tuple[int, int], others: tuple[str, ...] = ()) -> Script:
    """Return a script that Noto Sans has a font for; `others` are further fonts of systems."""
    noto = f"NotoSans{name.title()}"
    return Script(
        f"justmytype_intl_{package}",
        f"fonts/ofl/notosans{name}/{noto}[wdth,wght].ttf",
        (*(noto.lower() + form for form in NOTO_FORMS), *others),
        spans,
    )


def _cjk(index: int, *others: str) -> Script:
    spans = (
        (0x1100, 0x11FF),
        (0x2E80, 0x9FFF),
        (0xA960, 0xA97F),
        (0xAC00, 0xD7FF),
        (0xF900, 0xFAFF),
        (0xFE30, 0xFE4F),
        (0xFF00, 0xFFEF),
        (0x20000, 0x323AF),
    )
    noto = "NotoSansCJK-Regular"
    return Script(
        "noto_cjk_sans_otc", f"{noto}.ttc", (noto.lower(), *others, "arialunicode"), spans, index
    )


JAPANESE = _cjk(0, "yugothr", "ヒラギノ角ゴシックw3")
KOREAN = _cjk(1, "malgun", "applesdgothicneo")
CHINESE = _cjk(2, "msyh", "pingfang", "stheitilight", "wqy-zenhei")
"""They share most characters, but draw them as each language does."""
WESTERN_ASIA = ("dejavusans", "segoeui", "arial")
INDIA = ("nirmala", "arialunicode")
SOUTHEAST_ASIA = ("leelawui", "arialunicode")
SCRIPTS = (
    _noto("rtl", "hebrew", (0x0590, 0x05FF), (0xFB1D, 0xFB4F), others=WESTERN_ASIA),
    _noto(
        "rtl",
        "arabic",
        (0x0600, 0x06FF),
        (0x0750, 0x077F),
        (0x08A0, 0x08FF),
        (0xFB50, 0xFDFF),
        (0xFE70, 0xFEFF),
        others=WESTERN_ASIA,
    ),
    _noto("south_asia", "devanagari", (0x0900, 0x097F), (0xA8E0, 0xA8FF), others=INDIA),
    _noto("south_asia", "bengali", (0x0980, 0x09FF), others=INDIA),
    _noto("south_asia", "tamil", (0x0B80, 0x0BFF), others=INDIA),
    _noto("south_asia", "telugu", (0x0C00, 0x0C7F), others=INDIA),
    _noto("sea", "thai", (0x0E00, 0x0E7F), others=SOUTHEAST_ASIA),
    _noto("sea", "lao", (0x0E80, 0x0EFF), others=SOUTHEAST_ASIA),
    _noto("sea", "myanmar", (0x1000, 0x109F), others=("mmrtext", "myanmarmn")),
    _noto("sea", "khmer", (0x1780, 0x17FF), others=SOUTHEAST_ASIA),
    CHINESE,
)
JOINERS = "\u200c\u200d"
PICTURE_CHOICE = "\ufe0f"
"""Says that the character before it is meant as an emoji."""


class Run(Struct, frozen=True):
    """A piece of text in one face and one direction.

    Without script or emoji it is in the face that was asked for.
    """

    text: str
    script: Script | None = None
    emoji: str = ""
    """The file of an emoji."""
    level: int = 0
    """Odd: from right to left; 2 is a piece from left to right inside such a one."""


LEFT_TO_RIGHT = "\u200e"
"""Before a text: it goes from left to right although a name from right to left begins it.

It is not drawn.
"""


def knows(char: str) -> bool:
    """Whether one of these faces can draw a character."""
    script = _script_of(char)
    return script is not None and _font(script, 400).get_nominal_glyph(ord(char)) is not None


def emoji_at(text: str, start: int) -> str:
    """The longest emoji that begins there, '' if none does that there is a picture of."""
    pictures = _emoji()
    if not pictures or not _may_be_emoji(text[start]):
        return ""
    found = ""
    for end in range(start + 1, min(start + 12, len(text)) + 1):
        if _emoji_key(text[start:end]) in pictures:
            found = text[start:end]
    # A digit is one only with a keycap behind it.
    return "" if found.isascii() else found


def runs_of(text: str) -> list[Run]:
    """The runs of a text from left to right as they are shown."""
    pieces: list[tuple[str, Script | None, str]] = []
    language = _language(text)
    place = 0
    while place < len(text):
        if emoji := emoji_at(text, place):
            pieces.append((emoji, None, _emoji()[_emoji_key(emoji)]))
            place += len(emoji)
            continue
        char = text[place]
        script = _script_of(char)
        script = language if script is CHINESE else script
        if pieces and not pieces[-1][2] and _joins(char, pieces[-1][1]):
            script = pieces[-1][1]
        pieces.append((char, script, ""))
        place += 1
    levels = _levels([piece for piece, _, _ in pieces])
    runs: list[Run] = []
    for (text_here, script, emoji), level in zip(pieces, levels, strict=True):
        if text_here == LEFT_TO_RIGHT:
            continue
        last = runs[-1] if runs else None
        if last and not emoji and not last.emoji and (last.script, last.level) == (script, level):
            runs[-1] = Run(last.text + text_here, script, level=level)
        else:
            runs.append(Run(text_here, script, emoji, level))
    return _shown(runs)


def _shown(runs: list[Run]) -> list[Run]:
    """Runs in the order in which they stand: pieces from right to left are turned round, and
    what is inside back.
    """
    for least in (2, 1):
        turned: list[Run] = []
        for is_inside, group in groupby(runs, key=lambda run: run.level >= least):
            together = list(group)
            turned += together[::-1] if is_inside else together
        runs = turned
    return runs


def _levels(pieces: list[str]) -> list[int]:
    """How deep each piece lies: 0 from left to right, 1 from right to left, 2 back again, numbers
    included.

    It is the part of Unicode's bidirectional algorithm that names need: no brackets, and of marks
    of direction one.
    """
    kinds = [unicodedata.bidirectional(piece[0]) for piece in pieces]
    strong = [kind for kind in kinds if kind in ("L", "R", "AL")]
    base = int(bool(strong) and strong[0] != "L")
    found: list[tuple[int, int] | None] = []
    """Of each piece that has a direction its level, and the side that it counts to: 1 from right
    to left.
    """
    before = base
    for kind in kinds:
        if kind in ("R", "AL"):
            before = 1
            found.append((1, 1))
        elif kind == "L" or (kind == "EN" and before == 0):
            before = 0
            found.append((2 * base, 0))
        elif kind in ("EN", "AN"):
            # A number is read from left to right, but goes with the letters before it.
            found.append((2, 1))
        else:
            found.append(None)
    return [
        known[0] if known else _between(found, place, base) for place, known in enumerate(found)
    ]


def _between(found: list[tuple[int, int] | None], place: int, base: int) -> int:
    """The level of what has no direction of its own: as its neighbours if they agree, else as
    the text.
    """
    left = next((known[1] for known in reversed(found[:place]) if known), base)
    right = next((known[1] for known in found[place + 1 :] if known), base)
    side = left if left == right else base
    return 1 if side else 2 * base


def width(text: str, weight: int, pixels: int, plain: Callable[[str], float]) -> float:
    """Pixels across; `plain` measures a run in the face that was asked for."""
    return sum(_across(run, weight, pixels, plain) for run in runs_of(text))


def _across(run: Run, weight: int, pixels: int, plain: Callable[[str], float]) -> float:
    if run.emoji:
        return pixels * EMOJI_SIZE
    if run.script is None:
        return plain(run.text)
    glyphs = _shaped(run, weight)
    return sum(advance for _, advance, _, _ in glyphs) * pixels * SCALE


class Pen(Struct, frozen=True):
    """Where and how a text is drawn: a picture, the baseline's beginning, and the colours."""

    image: Image.Image
    x: float
    y: float
    colour: tuple[int, int, int]
    halo: tuple[int, int, int] | None = None
    stroke: int = 0


def write(pen: Pen, text: str, weight: int, pixels: int, plain: Any) -> None:
    """Draw a text; runs in the face that was asked for, a Pillow font, are drawn in it."""
    x = pen.x
    for run in runs_of(text):
        if run.emoji:
            side = round(pixels * EMOJI_SIZE)
            picture = _emoji_picture(run.emoji, side)
            pen.image.alpha_composite(
                picture, (round(x), round(pen.y + pixels * EMOJI_DROP) - side)
            )
        elif run.script is None:
            pencil = ImageDraw.Draw(pen.image)
            if pen.halo is not None:
                wide = pen.stroke
                pencil.text(
                    (x, pen.y),
                    run.text,
                    pen.halo,
                    plain,
                    "ls",
                    stroke_width=wide,
                    stroke_fill=pen.halo,
                )
            pencil.text((x, pen.y), run.text, font=plain, fill=pen.colour, anchor="ls")
        else:
            mask = _mask(run, weight, pixels, (x, pen.y), pen.image.size)
            if pen.halo is not None:
                pen.image.paste(
                    pen.halo, (0, 0), mask.filter(ImageFilter.MaxFilter(2 * pen.stroke + 1))
                )
            pen.image.paste(pen.colour, (0, 0), mask)
        x += _across(run, weight, pixels, plain.getlength)


def _mask(run: Run, weight: int, pixels: int, start: Point, size: tuple[int, int]) -> Image.Image:
    """The glyphs of a run filled, whose contours may overlap: what is wound around more outwards
    than inwards.
    """
    assert run.script is not None
    winding = Image.new("L", size, 128)
    x, scale = start[0], pixels * SCALE
    for outline, advance, right, up in _shaped(run, weight):
        for contour in outline:
            corners = [
                (x + (right + across) * scale, start[1] - (up + high) * scale)
                for across, high in contour
            ]
            _wind(winding, corners, outwards=_is_clockwise(corners))
        x += advance * scale
    mask = winding.point([0 if value == 128 else 255 for value in range(256)])
    comes_in_weights = _font(run.script, weight).face.has_var_data
    bolder = 0 if comes_in_weights else round(pixels * weight / 900 * 0.015)
    return mask.filter(ImageFilter.MaxFilter(2 * bolder + 1)) if bolder else mask


def _wind(winding: Image.Image, corners: list[Point], outwards: bool) -> None:
    """Count a contour in; only where it lies, which is a tenth of the work."""
    across, down = [x for x, _ in corners], [y for _, y in corners]
    box = (int(min(across)) - 1, int(min(down)) - 1, int(max(across)) + 2, int(max(down)) + 2)
    filled = Image.new("L", (box[2] - box[0], box[3] - box[1]), 0)
    ImageDraw.Draw(filled).polygon([(x - box[0], y - box[1]) for x, y in corners], fill=1)
    combine = ImageChops.add if outwards else ImageChops.subtract
    winding.paste(combine(winding.crop(box), filled), box[:2])


def _is_clockwise(corners: list[Point]) -> bool:
    """Whether a contour goes round with the sun, as seen where y goes down."""
    area = 0.0
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        area += x1 * y2 - x2 * y1
    return area > 0


Glyph = tuple[tuple[tuple[Point, ...], ...], float, float, float]
"""Its contours, how far it moves on, and how far it is moved right and up, all in sizes."""


@lru_cache(512)
def _shaped(run: Run, weight: int) -> tuple[Glyph, ...]:
    """The glyphs of a run from left to right."""
    assert run.script is not None
    font = _font(run.script, weight)
    buffer = hb.Buffer()
    buffer.add_str(run.text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if run.level == 1 else "ltr"
    hb.shape(font, buffer)
    size = font.face.upem
    glyphs = []
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        contours: list[list[Point]] = []
        font.draw_glyph(info.codepoint, _pencil(), contours)
        outline = tuple(
            tuple((x / size, y / size) for x, y in contour)
            for contour in contours
            if len(contour) > 2
        )
        glyphs.append(
            (outline, place.x_advance / size, place.x_offset / size, place.y_offset / size)
        )
    return tuple(glyphs)


@lru_cache(1)
def _pencil() -> Any:
    """Follows an outline in straight pieces."""

    def move(x: float, y: float, contours: list[list[Point]]) -> None:
        contours.append([(x, y)])

    def line(x: float, y: float, contours: list[list[Point]]) -> None:
        contours[-1].append((x, y))

    def curve(*given: Any) -> None:
        *numbers, contours = given
        points = [contours[-1][-1], *zip(numbers[::2], numbers[1::2], strict=True)]
        for step in range(1, SEGMENTS + 1):
            contours[-1].append(_on_curve(points, step / SEGMENTS))

    funcs = hb.DrawFuncs()
    funcs.set_move_to_func(move)
    funcs.set_line_to_func(line)
    funcs.set_quadratic_to_func(curve)
    funcs.set_cubic_to_func(curve)
    funcs.set_close_path_func(lambda contours: None)
    return funcs


def _on_curve(points: list[Point], part: float) -> Point:
    """A point of a Bézier curve, by halving as de Casteljau does."""
    while len(points) > 1:
        points = [
            (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
            for (x1, y1), (x2, y2) in pairwise(points)
        ]
    return points[0]


@lru_cache(32)
def _font(script: Script, weight: int) -> Any:
    """Return a script's font: its package's, else one that this machine has, else None."""
    folder = _folder(script.package)
    if folder is not None:
        path, index = folder / script.file, script.index
    else:
        installed = _system_fonts()
        name = next((name for name in script.system_fonts if name in installed), None)
        if name is None:
            return None
        path = installed[name]
        # Other collections than Noto's hold weights or widths, not languages: take the first.
        index = script.index if name in script.file.lower() else 0
    font = hb.Font(hb.Face(hb.Blob.from_file_path(str(path)), index))
    if font.face.has_var_data:
        font.set_variations({"wght": weight})
    return font


@lru_cache(1)
def _system_fonts() -> dict[str, Path]:
    """Return the font files of this machine by `Script.system_fonts`."""
    return {
        path.stem.lower().replace(" ", ""): path
        for folder in SYSTEM_FONT_FOLDERS
        for path in sorted(folder.expanduser().rglob("*"))
        if path.suffix.lower() in (".ttf", ".otf", ".ttc")
    }


def _folder(package: str) -> Path | None:
    """Return where a package is installed; only its files are wanted, so it is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


@lru_cache(4096)
def _script_of(char: str) -> Script | None:
    """Return the script of a character, if there is a font for it."""
    code = ord(char)
    for script in SCRIPTS:
        if any(first <= code <= last for first, last in script.spans):
            return script if _font(script, 400) else None
    return None


def _language(text: str) -> Script:
    """Whose characters the shared ones of China, Japan and Korea are: kana or Hangul beside them
    tell.
    """
    names = [unicodedata.name(char, "") for char in text]
    if any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names) and _font(JAPANESE, 400):
        return JAPANESE
    if any(name.startswith("HANGUL") for name in names) and _font(KOREAN, 400):
        return KOREAN
    return CHINESE


def _joins(char: str, script: Script | None) -> bool:
    """Whether a character goes with the face of the one before it: accents, joiners, blanks and
    the like.
    """
    if char in JOINERS or unicodedata.category(char)[0] == "M":
        return True
    if script is None or _script_of(char) is not None or char.isalnum():
        return False
    return _font(script, 400).get_nominal_glyph(ord(char)) is not None


def _may_be_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char in "0123456789#*‼⁉↔"


def _emoji_key(text: str) -> str:
    return "-".join(f"{ord(char):04X}" for char in text if char != PICTURE_CHOICE)


@lru_cache(1)
def _emoji() -> dict[str, str]:
    """Return the pictures of OpenMoji by their characters, if they are installed."""
    package = _folder("emosvg")
    if package is None or find_spec("resvg_py") is None:
        return {}
    folder = package / "resources" / "openmoji-svg-color"
    return {path.stem.replace("-FE0F", ""): str(path) for path in folder.glob("*.svg")}


@lru_cache(64)
def _emoji_picture(path: str, side: int) -> Image.Image:
    import resvg_py

    data = bytes(
        resvg_py.svg_to_bytes(svg_path=path, width=side, height=side, skip_system_fonts=True)
    )
    with Image.open(BytesIO(data)) as picture:
        return picture.convert("RGBA")


def clusters(text: str) -> Iterator[str]:
    """The characters as they are seen: accents, joined signs and emoji are not torn apart."""
    place = 0
    while place < len(text):
        end = place + max(1, len(emoji_at(text, place)))
        while end < len(text) and (
            unicodedata.category(text[end])[0] == "M" or text[end] in JOINERS
        ):
            end += 1
        yield text[place:end]
        place = end
