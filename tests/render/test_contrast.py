"""Every letter and digit can be read: at least 4.5:1 to its ground, by WCAG's measure."""

import pytest

from engine import GAMES
from render import Scene, curves, draw, renderer
from render.canvas import Mode, use_mode
from render.fonts import Written, record_texts
from render.palette import CASING, CODE_SEA, CREAM, INK, LEGAL, MUTED, PAPER, WHITE, Colour
from render.sample import NAMES
from tests.render.seen import match_of, positions

LEAST = 4.5
SAMPLE = 5
EMPTY = {"0", "–"}
"""What zero counts and empty spaces say."""
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


def faint(texts: list[Written]) -> set[tuple[str, Colour, Colour]]:
    return {
        (text.text, text.ink, text.ground)
        for text in texts
        if text.text not in EMPTY and contrast(text.ink, text.ground) < LEAST
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_picture_can_be_read(game: str) -> None:
    with use_mode(QUICK), record_texts() as texts:
        for _, (view, scene) in positions(game, SAMPLE):
            draw(view, scene)
        end = match_of(game, max(GAMES[game].seats), 1)[-1]
        view = end.view(None)
        scene = Scene(NAMES[: end.seats])
        draw(view, scene)
        renderer(view, "score_sheet")(view, scene)
    assert len(texts) > 200
    assert not faint(texts)


def test_every_text_of_a_chart_can_be_read() -> None:
    with record_texts() as texts:
        curves.draw_image("Maori", [[1.0, 2.0], [3.0, 4.0]], NAMES[:2], [])
    assert texts and not faint(texts)


@pytest.mark.parametrize(
    ("ink", "ground"),
    [(MUTED, PAPER), (INK, PAPER), (LEGAL, CASING), (CODE_SEA, CASING), (WHITE, CASING)],
)
def test_colours_of_texts_with_a_halo_can_be_read(ink: Colour, ground: Colour) -> None:
    assert contrast(ink, ground) >= LEAST


def test_it_is_measured_what_can_be_read() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(CREAM, PAPER) < LEAST
