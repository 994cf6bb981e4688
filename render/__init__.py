"""Pictures and alt texts, made from views alone.

A game's looks live in render.<game>, found by the view's `game`: it may define draw, score_sheet
with score_text, alt_text, text_board and hand. Whatever it leaves out, and every game without such
a module, is served by the fallback sheet.

What the games share, from the ground up:

    palette   the colours of the house, and how the seats differ: colour, letter, shape
    shapes    outlines as lists of points: curves, ellipses, polygons
    canvas    Brush draws a sprite, Canvas puts sprites together, kept() caches them
    fonts     text: measured, shortened to fit, written
    scripts   names in every script, shaped as it is written
    words     the text files behind everything that a picture says

    terrain   coasts, depths and terraces, cut from one field of heights
    nature    palms, tufts, waves, the hibiscus of the last move
    pieces    the wooden pieces of the seats
    items     what lies on a board: coconuts, shells, statuettes
    news      how pictures mark what happened since the last post
    room      where a mark finds room beside what is read

    chrome    title strip, chip of the seat to move, panels
    pad       the score sheet
    sheet     the fallback: any view as a labelled sheet
    alt       alt texts: how their parts are put together and cut

    curves    how the seats of a match stood over its moves
    standings how people stand: the sheet of a player, of a pair, lists of ratings
    film      a match as an animation
    png       a finished picture as a file, in the palette that was trained for its game
    train     trains those palettes; run by hand
    sample    random positions, to look at and to train on
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from msgspec import Struct
from PIL.Image import Image

from engine import Event, View
from render.png import encode


class Scene(Struct, frozen=True):
    """What a picture needs besides the view."""

    names: tuple[str, ...]
    """Plain text, as people wrote them: a renderer shortens what does not fit."""
    rings: tuple[str, ...] = ()
    """Spots that are ringed in a private picture."""
    question: str = ""
    """What is being decided, for the alt text."""
    last: str = ""
    """What happened last, for the alt text."""
    events: tuple[Event, ...] = ()
    """What the viewer was told since the last post, in order: the picture marks all of it."""
    choices: tuple[str, ...] = ()
    """What may be answered, in words, for a board in words."""
    ringed: Literal["legal", "advised", "played"] = "legal"
    """Why spots are ringed, for the alt text: they may be chosen, a strong player would do so,
    or somebody did.
    """
    so_far: bool = False
    """A score sheet is wanted of a match that goes on: the points as if it ended now."""
    in_film: bool = False
    """One of many pictures in a film, where things are seen to move: the ways that they went
    need no mark.
    """
    window: Any = None
    """The part of the map that a film shows here, for a game whose boards show a part: what its
    `steady` says.
    """


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


def score_text(view: View, scene: Scene) -> str:
    """The score sheet in at most 1,024 characters."""
    return str(renderer(view, "score_text")(view, scene))


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
    fallback = import_module("render.sheet")
    found: Callable[[Any, Scene], Any] = getattr(looks_of(view), part, None) or getattr(
        fallback, part
    )
    return found


def looks_of(view: View) -> Any:
    """The module of a game's own looks; None if it has none."""
    has_looks = view.game.isidentifier() and find_spec(f"render.{view.game}")
    return import_module(f"render.{view.game}") if has_looks else None


def _encoded(image: Image, view: View, part: str) -> bytes:
    """A picture as a PNG, in the palette that was trained for the module which drew it: a game,
    or the sheet.
    """

    # 'render.maori.scores' has the palette 'maori', 'render.sheet' has 'sheet'.
    module = renderer(view, part).__module__
    palette = module.split(".")[1]
    return encode(image, palette)
