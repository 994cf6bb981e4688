"""Pictures and alt texts of matches, made from views alone.

The renderer of a game is the module render.<game>, found by the view's `game`. It may define
`draw`, `score_sheet` with `score_text`, `alt_text`, `text_board` and `hand`. Whatever it leaves
out, and every game without such a module, is served by the fallback in `sheet`.

A function named after a thing returns that thing: `palm(size)` is the sprite of a palm and
`ellipse(...)` an outline. Functions that draw on a canvas begin with `put_` or `draw_`.

What the games share, from the bottom up:

    palette       all colours, and how the seats differ: colour, letter, shape
    shapes        outlines as lists of points: curves, ellipses, polygons
    canvas        Brush draws a sprite, Canvas puts sprites together, @cached keeps what they draw
    script_fonts  fonts for scripts that the usual fonts do not have
    emoji         pictures of emoji
    scripts       text in any script, shaped and drawn
    fonts         text: measured, fitted to a width, written
    words         the text files behind everything that a picture says

    terrain       coasts, depths and terraces, cut from a height field
    nature        palms, tufts, waves, the hibiscus of the last move
    pieces        the wooden pieces of the seats
    items         things that lie on a board: coconuts, shells, statuettes
    news          marks for what happened since the last post
    free_space    where a mark fits without covering what is read

    ranks         who leads and who has won
    chrome        title strip, chip of the seat to move, panels
    hints         a hint on the board
    pad           the score sheet
    sheet         the fallback: any view as a labelled sheet
    alt           alt texts: how their parts are put together and cut

    axis          the value axis of a chart
    curves        the chart of a match: expected points after every move
    standings     the sheets of players and pairs, the leaderboards
    poster        a match as one picture to keep
    film          a match as an animated GIF
    png           a finished picture as a file, in the palette that was trained for its game
    train         trains those palettes; run by hand
    sample        random positions, to look at and to train on
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
    """The data that a picture needs besides the view."""

    names: tuple[str, ...]
    """Plain text, as people wrote them; a renderer shortens what does not fit."""
    rings: tuple[str, ...] = ()
    """Spots that are ringed in a private picture."""
    question: str = ""
    """The question to be decided, in words, for the alt text."""
    last: str = ""
    """The last events in words, for the alt text."""
    events: tuple[Event, ...] = ()
    """The events that the viewer learned of since the last post, which the picture marks."""
    choices: tuple[str, ...] = ()
    """The possible answers in words, for a board in words."""
    ringed: Literal["legal", "advised", "played"] = "legal"
    """Why spots are ringed, for the alt text.

    They may be chosen, they are what a strong player would choose, or they were chosen.
    """
    so_far: bool = False
    """Whether the score sheet of an unfinished match is wanted, as if it ended now."""
    in_film: bool = False
    """Whether this is a frame of a film, in which moves need no arrows: they can be seen."""
    window: Any = None
    """The part of the map that a frame of a film shows, from the game's `film_windows`."""


def draw(view: View, scene: Scene) -> Image:
    """Draw the board."""
    image: Image = renderer(view, "draw")(view, scene)
    return image


def picture(view: View, scene: Scene) -> bytes:
    """Draw the board as a PNG. The same view gives the same bytes."""
    return _encode_drawing(draw(view, scene), view, "draw")


def score_sheet(view: View, scene: Scene) -> bytes | None:
    """Draw the score sheet as a PNG; None while no points were counted."""
    image = renderer(view, "score_sheet")(view, scene)
    return None if image is None else _encode_drawing(image, view, "score_sheet")


def score_text(view: View, scene: Scene) -> str:
    """Describe the score sheet as an alt text, in at most 1,024 characters."""
    return str(renderer(view, "score_text")(view, scene))


def alt_text(view: View, scene: Scene) -> str:
    """Describe the board as an alt text, in at most 1,024 characters."""
    return str(renderer(view, "alt_text")(view, scene))


def text_board(view: View, scene: Scene) -> str:
    """Describe the whole position in words, for people who cannot use the picture."""
    return str(renderer(view, "text_board")(view, scene))


def hand(view: View, scene: Scene) -> str:
    """Describe what the viewer owns, one thing per line."""
    return str(renderer(view, "hand")(view, scene))


def renderer(view: View, part: str) -> Callable[[Any, Scene], Any]:
    """Return a function of the game's renderer, or the fallback's if it does not define it."""
    found: Callable[[Any, Scene], Any] | None = getattr(find_game_module(view), part, None)
    if found is not None:
        return found
    fallback: Callable[[Any, Scene], Any] = getattr(import_module("render.sheet"), part)
    return fallback


def find_game_module(view: View) -> Any:
    """Return the module render.<game>, or None if there is none."""
    has_module = view.game.isidentifier() and find_spec(f"render.{view.game}")
    return import_module(f"render.{view.game}") if has_module else None


def _encode_drawing(image: Image, view: View, part: str) -> bytes:
    """Encode a picture as a PNG in the palette of the module that drew it."""
    # 'render.maori.scores' has the palette 'maori', 'render.sheet' has 'sheet'.
    palette = renderer(view, part).__module__.split(".")[1]
    return encode(image, palette)
