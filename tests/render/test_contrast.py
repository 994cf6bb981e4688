"""Every letter and digit can be read: at least 4.5:1 to its ground, by WCAG's measure."""

import random
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from engine import GAMES, Match
from render import Scene, draw, fonts, pieces, renderer
from render.canvas import Canvas, Mode, Sprite, use_mode
from render.conquest.sample import play_plainly
from render.curves import MarkedMoment
from render.fonts import Face, Written, record_texts
from render.palette import CODE_LAND, CODE_SEA, CREAM, PAPER, Colour
from render.poster import poster_image
from render.sample import NAMES
from tests.render.seen import AWAY, match_of, public, questions

LEAST = 4.5
LATE = 0.75
"""How far into a match its pictures are taken: most things are on the board by then."""
EMPTY = {"0", "–"}
"""What zero counts and empty spaces say."""
PRINTED = (CODE_LAND, CODE_SEA)
"""The codes of empty spaces, which are printed on the board without a halo."""
QUICK = Mode(fine=1, cut=1, keep=False)


def luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: Colour, second: Colour) -> float:
    brighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


class Lettering(Struct, frozen=True):
    """A text of a picture, its colour, and the colour of its halo or else of what lies below."""

    text: str
    ink: Colour
    ground: Colour


class Letters:
    """Everything that is lettered in the pictures drawn since."""

    def __init__(self) -> None:
        self.in_sprites: list[Lettering] = []
        self.written: list[Written] = []
        self._bare: dict[int, tuple[str, Colour, Sprite]] = {}

    def label(
        self,
        text: str,
        face: Face,
        size: int,
        colour: Colour,
        align: str = "m",
        halo: Colour | None = None,
        rim: float = 0,
    ) -> Sprite:
        """Note a text with a halo, and remember one without until it is put somewhere."""
        sprite = fonts.label(text, face, size, colour, align, halo, rim)
        if halo is not None:
            self.in_sprites.append(Lettering(text, colour, halo))
        else:
            self._bare[id(sprite.image)] = text, colour, sprite
        return sprite

    def note(self, image: Image.Image, mark: Sprite, left: int, top: int) -> None:
        """Note that a sprite is put on a picture, if it is a text without a halo."""
        box = mark.mask.getbbox()
        if id(mark.image) not in self._bare or box is None:
            return
        text, ink, _ = self._bare[id(mark.image)]
        if ink in PRINTED:
            return
        area = image.crop((left + box[0], top + box[1], left + box[2], top + box[3]))
        colours = area.convert("RGB").getcolors(area.width * area.height) or []
        _, ground = max(colours)
        assert isinstance(ground, tuple)
        self.in_sprites.append(Lettering(text, ink, ground))

    def faint(self) -> set[Lettering]:
        """Return what can hardly be read."""
        written = [Lettering(text.text, text.ink, text.ground) for text in self.written]
        return {
            one
            for one in (*self.in_sprites, *written)
            if one.text not in EMPTY and contrast(one.ink, one.ground) < LEAST
        }


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Iterator[Letters]:
    """Note all letters of what is drawn: those in sprites, and those that are written on paper."""
    letters = Letters()
    put, overlay = Canvas.put, pieces.overlay

    def put_noted(self: Canvas, sprite: Sprite, x: int, y: int, shows: str = "") -> None:
        letters.note(self.image, sprite, x - sprite.anchor[0], y - sprite.anchor[1])
        put(self, sprite, x, y, shows)

    def overlay_noted(sprite: Sprite, mark: Sprite, right: int, down: int) -> Sprite:
        left = sprite.anchor[0] + right - mark.anchor[0]
        top = sprite.anchor[1] + down - mark.anchor[1]
        letters.note(sprite.image, mark, left, top)
        return overlay(sprite, mark, right, down)

    monkeypatch.setattr(Canvas, "put", put_noted)
    for game in GAMES:
        import_module(f"render.{game}")
    for name, module in list(sys.modules.items()):
        if not name.startswith("render.") or module is fonts:
            continue
        if getattr(module, "label", None) is fonts.label:
            monkeypatch.setattr(module, "label", letters.label)
        if getattr(module, "overlay", None) is overlay:
            monkeypatch.setattr(module, "overlay", overlay_noted)
    with use_mode(QUICK), record_texts() as letters.written:
        yield letters


def matches_of(game: str, seats: int) -> tuple[Match, ...]:
    return tuple(play_plainly(seats)) if game == "conquest" else match_of(game, seats, 1)


@pytest.mark.parametrize("game", GAMES)
def test_every_letter_of_a_picture_can_be_read(letters: Letters, game: str) -> None:
    few, most = min(GAMES[game].seats), max(GAMES[game].seats)
    matches = matches_of(game, few)
    draw(*public(matches[round(LATE * len(matches))], AWAY))
    matches = matches_of(game, most)
    late = matches[round(LATE * len(matches))]
    view, scene = next(questions(late, random.Random(1), most))
    draw(view, scene)
    draw(view, replace(scene, rings=scene.rings[:1], ringed="advised"))
    end = matches[-1].view(None)
    draw(end, Scene(NAMES[:most]))
    renderer(end, "score_sheet")(end, Scene(NAMES[:most]))
    assert len(letters.written) > 50 and len(letters.in_sprites) > 100
    assert not letters.faint()


def test_every_letter_of_a_poster_can_be_read(letters: Letters) -> None:
    end = match_of("maori", 5, 1)[-1].view(None)
    expected = [[0.0] * 5, list(end.scores)]
    marked = [MarkedMoment(str(seat + 1), 1, seat) for seat in range(5)]
    poster_image(end, NAMES, expected, marked, ["Moved."] * 5, "18 November 2026")
    assert len(letters.written) > 50 and len(letters.in_sprites) > 20
    assert not letters.faint()


def test_it_is_measured_what_can_be_read() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(CREAM, PAPER) < LEAST
