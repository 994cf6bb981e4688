"""Pictures and alt texts, made from views alone.

A game's looks live in render.<game>, found by the view's `game`: it may define draw, score_sheet, alt_text,
text_board and hand. Whatever it leaves out, and every game without such a module, is served by the fallback sheet.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec import Struct
from PIL.Image import Image

from engine import View


class Scene(Struct, frozen=True):
    """What a picture needs besides the view."""

    names: tuple[str, ...]
    """Plain text, as people wrote them: a renderer shortens what does not fit."""
    rings: tuple[str, ...] = ()
    """Legal spots, ringed in a private picture."""
    question: str = ""
    """What is being decided, for the alt text."""
    last: str = ""
    """What happened last, for the alt text."""
    choices: tuple[str, ...] = ()
    """What may be answered, in words, for a board in words."""


def draw(view: View, scene: Scene) -> Image:
    """The board as a picture: by render.<game>, else the fallback sheet."""
    image: Image = renderer(view, "draw")(view, scene)
    return image


def picture(view: View, scene: Scene) -> bytes:
    """The board as a PNG. The same view gives the same bytes."""
    return _encoded(draw(view, scene), view, "draw")


def score_sheet(view: View, scene: Scene) -> bytes | None:
    """The points counted so far as a PNG, None while nothing was counted."""
    image = renderer(view, "score_sheet")(view, scene)
    return None if image is None else _encoded(image, view, "score_sheet")


def alt_text(view: View, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    return str(renderer(view, "alt_text")(view, scene))


def text_board(view: View, scene: Scene) -> str:
    """The whole position in words, for those who cannot use the picture."""
    return str(renderer(view, "text_board")(view, scene))


def hand(view: View, scene: Scene) -> str:
    """What is the viewer's own, in words, a line each."""
    return str(renderer(view, "hand")(view, scene))


def renderer(view: View, part: str) -> Callable[[Any, Scene], Any]:
    """A part of the game's own looks, or the fallback's."""
    own = view.game.isidentifier() and find_spec(f"render.{view.game}") is not None
    module = import_module(f"render.{view.game}") if own else None
    found: Callable[[Any, Scene], Any] = getattr(module, part, None) or getattr(import_module("render.sheet"), part)
    return found


def _encoded(image: Image, view: View, part: str) -> bytes:
    """A picture as a PNG, in the palette that was trained for the module which drew it: a game, or the sheet."""
    from render.png import encode

    module = renderer(view, part).__module__
    return encode(image, module.split(".")[1])
