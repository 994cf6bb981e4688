"""Pictures and alt texts, made from views alone."""

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


def draw(view: View, scene: Scene) -> Image:
    """The board as a picture: by render.<game>, else the fallback sheet."""
    raise NotImplementedError


def picture(view: View, scene: Scene) -> bytes:
    """The board as a PNG. The same view gives the same bytes."""
    raise NotImplementedError


def score_sheet(view: View, scene: Scene) -> bytes | None:
    """The points counted so far as a PNG, None while nothing was counted."""
    raise NotImplementedError


def alt_text(view: View, scene: Scene) -> str:
    """The picture in at most 1,024 characters."""
    raise NotImplementedError


def text_board(view: View, scene: Scene) -> str:
    """The whole position in words, for those who cannot use the picture."""
    raise NotImplementedError
