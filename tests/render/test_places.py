"""Things stay where they are: little changes from one picture to the next, in posts and films."""

from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from engine import GAMES
from render import draw
from tests.render.seen import match_of, public

MUCH = 0.2
"""The share of a picture's pixels that few turns may change."""
SELDOM = 0.1
"""The share of the turns that may change more, phases aside."""
PAIRS = 6


def changed(before: Image.Image, after: Image.Image) -> float:
    """Return the share of pixels that differ."""
    bands = ImageChops.difference(before, after).split()
    widest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return 1 - widest.histogram()[0] / (widest.width * widest.height)


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (game, seats)
        for game in ("blue_lagoon", "maori", "polynesia")
        for seats in GAMES[game].seats
    ],
)
def test_few_turns_change_much_of_the_picture(game, seats):
    pairs = list(pairwise(match_of(game, seats, seats)))
    same_phase = [
        pair
        for pair in pairs
        if len({getattr(match.view(None), "phase", "") for match in pair}) == 1
    ]
    chosen = same_phase[:: max(1, len(same_phase) // PAIRS)]
    shares = [changed(*(draw(*public(match)) for match in pair)) for pair in chosen]
    assert sum(share > MUCH for share in shares) < SELDOM * len(shares)


def test_it_is_measured_what_changes():
    first = Image.new("RGB", (10, 10))
    second = first.copy()
    second.paste((0, 0, 1), (0, 0, 10, 3))
    assert changed(first, second) == pytest.approx(0.3)
