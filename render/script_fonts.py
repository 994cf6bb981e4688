"""Fonts for the scripts that Source Sans does not have: which exist, and where to find them.

A font comes from its package if that is installed, otherwise from the system. To support another
script, add it to SCRIPTS.
"""

import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import uharfbuzz as hb
from msgspec import Struct

REGULAR_WEIGHT = 400
FONT_SUFFIXES = (".ttf", ".otf", ".ttc")
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


def _noto(
    package: str,
    name: str,
    *spans: tuple[int, int],
    others: tuple[str, ...] = (),
) -> Script:
    """Return a script that Noto Sans has a font for; `others` are further fonts of systems."""
    noto = f"NotoSans{name.title()}"
    return Script(
        f"justmytype_intl_{package}",
        f"fonts/ofl/notosans{name}/{noto}[wdth,wght].ttf",
        (*(noto.lower() + form for form in NOTO_FORMS), *others),
        spans,
    )


def _cjk(index: int, *others: str) -> Script:
    """Return one of the languages in the font collection of China, Japan and Korea."""
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
"""These languages share most characters, but each draws some of them differently."""
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


def find_package_folder(package: str) -> Path | None:
    """Return where a package is installed; only its files are used, so it is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


@lru_cache(1)
def find_system_fonts() -> dict[str, Path]:
    """Return the font files of this machine by names as in `Script.system_fonts`."""
    found = {}
    for folder in SYSTEM_FONT_FOLDERS:
        for path in sorted(folder.expanduser().rglob("*")):
            if path.suffix.lower() in FONT_SUFFIXES:
                found[path.stem.lower().replace(" ", "")] = path
    return found


@lru_cache(32)
def open_font(script: Script, weight: int = REGULAR_WEIGHT) -> Any:
    """Open a script's HarfBuzz font: its package's, else one of this machine, else None."""
    folder = find_package_folder(script.package)
    if folder is not None:
        path, index = folder / script.file, script.index
    else:
        installed = find_system_fonts()
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


def has_glyph(script: Script, char: str) -> bool:
    """Return whether the font of a script, which must be there, has a character."""
    return open_font(script).get_nominal_glyph(ord(char)) is not None


@lru_cache(4096)
def find_script(char: str) -> Script | None:
    """Return the script of a character, if there is a font for it."""
    code = ord(char)
    for script in SCRIPTS:
        if any(first <= code <= last for first, last in script.spans):
            return script if open_font(script) else None
    return None


def choose_cjk_script(text: str) -> Script:
    """Choose the language in which the characters that CJK languages share are drawn.

    Kana beside them make a text Japanese, Hangul makes it Korean; otherwise it is Chinese.
    """
    names = [unicodedata.name(char, "") for char in text]
    has_kana = any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names)
    if has_kana and open_font(JAPANESE):
        return JAPANESE
    has_hangul = any(name.startswith("HANGUL") for name in names)
    if has_hangul and open_font(KOREAN):
        return KOREAN
    return CHINESE
