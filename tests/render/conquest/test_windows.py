"""Counted over many positions of Conquest: stacks can be read, and the map keeps its place."""

from collections.abc import Iterator

import pytest
from PIL import Image

from engine import Match
from engine.conquest.board import HEX_AT, HEXES
from engine.conquest.view import ConquestView
from render import Scene, draw
from render.canvas import Mode, record_placements, use_mode
from render.chrome import LEAST
from render.conquest.battle_band import battles_height
from render.conquest.exploration_band import is_exploring
from render.conquest.ground import draw_ground
from render.conquest.hexes import CHARTED, SEA
from render.conquest.layout import WIDTH, Crop, bands_of
from render.conquest.news import news_of
from render.conquest.sample import play_plainly
from render.conquest.windows import theatre_window
from tests.render.seen import match_of, positions

POSITIONS = 500
DRAWN = 60
"""Positions whose pictures are drawn; the others are worked out."""


def window_of(view: ConquestView, scene: Scene) -> Crop:
    height = battles_height(view, news_of(view, scene.events))
    bands = bands_of(height, is_exploring(view), view.outcome is not None)
    rings = [spot for spot in scene.rings if spot in HEX_AT]
    return theatre_window(view, rings, bands.theatre_height)


def played() -> Iterator[Match]:
    """Yield positions of sensible and of random matches of every number of seats."""
    for seats in (2, 3, 4):
        yield from play_plainly(seats)
        yield from match_of("conquest", seats, 1)[::4]


def test_pressing_your_move_does_not_shift_the_map() -> None:
    compared = 0
    for match in played():
        public = match.view(None)
        assert isinstance(public, ConquestView)
        for seat in match.waiting_for():
            private = match.view(seat)
            assert isinstance(private, ConquestView)
            spots = tuple(option.spot for option in match.question(seat).options if option.spot)
            shown = window_of(private, Scene((), spots))
            assert shown == window_of(public, Scene(())), (match.number, seat)
            compared += 1
    assert compared >= POSITIONS


def test_no_counter_is_too_small_to_read() -> None:
    """The 2.5 % of the width that a letter has at least."""
    counted = 0
    with use_mode(Mode(fine=1, cut=1, keep=False)):
        for title, (view, scene) in positions("conquest", DRAWN):
            with record_placements() as notes:
                placed = notes.on(draw(view, scene))
            for thing in placed:
                if thing.shows.startswith("piece:"):
                    left, top, right, bottom = thing.mask.getbbox()
                    assert min(right - left, bottom - top) >= WIDTH * LEAST, (title, thing.shows)
                    counted += 1
    assert counted > 500


def test_the_edge_of_a_theatre_cuts_no_island() -> None:
    cut = 0
    for match in (*play_plainly(4)[::12], *match_of("conquest", 3, 1)[::40]):
        view = match.view(None)
        assert isinstance(view, ConquestView)
        crop = window_of(view, Scene(()))
        ground = draw_ground(view, crop)
        for hex in HEXES:
            is_land = view.hex_at[hex.code].face in ("group", "atoll")
            if is_land and crop.shows(hex.code) and not crop.holds(hex.code):
                assert colour_at(ground, crop, hex.code) in (SEA, CHARTED, None)
                cut += 1
    assert cut > 10


def colour_at(ground: Image.Image, crop: Crop, spot: str) -> tuple[int, ...] | None:
    """Return the colour that a hex has most of; None if hardly any of it can be seen."""
    x, y = crop.middle_of(spot)
    box = (
        max(0, x - crop.unit),
        max(0, y - crop.rise // 2),
        min(crop.width, x + crop.unit),
        min(crop.height, y + crop.rise // 2),
    )
    if box[0] >= box[2] or box[1] >= box[3]:
        return None
    colours = ground.crop(box).getcolors(100_000)
    assert colours is not None
    return max(colours)[1]


@pytest.mark.parametrize("spot", ["f8", "j7"])
def test_the_window_holds_every_home(spot: str) -> None:
    view = play_plainly(4)[0].view(None)
    assert isinstance(view, ConquestView)
    assert window_of(view, Scene(())).holds(spot)
