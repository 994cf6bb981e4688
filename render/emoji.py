"""Emoji: pictures of OpenMoji, if the packages for them are installed."""

import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO

from PIL import Image

from render.script_fonts import find_package_folder

PICTURE_CHOICE = "\ufe0f"
"""Follows a character that is meant as an emoji."""
MAX_EMOJI_LENGTH = 12
"""Characters: a family is several people with joiners between them."""
KEYCAPS_AND_ARROWS = "0123456789#*‼⁉↔"
"""Characters that begin an emoji although Unicode does not class them as symbols."""


def emoji_at(text: str, start: int) -> str:
    """Return the longest emoji that begins at a place and has a picture, else ''."""
    pictures = find_emoji_pictures()
    first = text[start]
    may_be_emoji = unicodedata.category(first) in ("So", "Sk") or first in KEYCAPS_AND_ARROWS
    if not pictures or not may_be_emoji:
        return ""
    found = ""
    for end in range(start + 1, min(start + MAX_EMOJI_LENGTH, len(text)) + 1):
        if _picture_key(text[start:end]) in pictures:
            found = text[start:end]
    # A digit is an emoji only with a keycap behind it.
    return "" if found.isascii() else found


def _picture_key(emoji: str) -> str:
    """Return the name under which OpenMoji has an emoji: its code points."""
    return "-".join(f"{ord(char):04X}" for char in emoji if char != PICTURE_CHOICE)


@lru_cache(1)
def find_emoji_pictures() -> dict[str, str]:
    """Return the paths of all pictures by their code points; none if they are not installed."""
    package = find_package_folder("emosvg")
    if package is None or find_spec("resvg_py") is None:
        return {}
    folder = package / "resources" / "openmoji-svg-color"
    return {path.stem.replace("-FE0F", ""): str(path) for path in folder.glob("*.svg")}


@lru_cache(64)
def draw_emoji(emoji: str, size: int) -> Image.Image:
    """Draw an emoji that has a picture, `size` pixels wide and high."""
    import resvg_py

    path = find_emoji_pictures()[_picture_key(emoji)]
    data = bytes(
        resvg_py.svg_to_bytes(svg_path=path, width=size, height=size, skip_system_fonts=True)
    )
    with Image.open(BytesIO(data)) as picture:
        return picture.convert("RGBA")
