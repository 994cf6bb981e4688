"""Marks of Conquest hide nothing and mislead nobody, whichever colours the reader sees."""

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from engine.conquest.board import HEX_AT
from render import draw
from render.canvas import Canvas, record_placements
from render.chrome import pointer
from render.conquest import windows
from render.conquest.battle_band import battles_height
from render.conquest.exploration_band import is_exploring
from render.conquest.hexes import SEA, control_rim, legal_ring, tile_rim
from render.conquest.layout import UNITS, bands_of, rise_of
from render.conquest.news import news_of
from render.conquest.panels import PanelNews, draw_panel
from render.conquest.tokens import box
from render.news import Mark
from render.palette import ACTIVE, LIVERIES, SAND
from render.sample import play_randomly
from tests.render.colour_blind import KINDS, TOLD_APART, simulate, visible_difference
from tests.render.hidden import covered
from tests.render.seen import positions

SAMPLE = 16
SAILED = PanelNews((Mark(3),), has_explorer_news=True)
CLEAR = 8
"""Pixels between a legal code and the name of another hex above it: once they touched, and were
read as one.
"""
OUTLINE = 5
"""Pixels by which the outline of a code may lie over the lower edge of its hex."""


def tight(thing):
    """Return the bounding box of what is drawn."""
    left, top, right, bottom = thing.mask.getbbox()
    return thing.left + left, thing.top + top, thing.left + right, thing.top + bottom


def test_every_legal_code_stands_in_its_hex_and_never_under_the_name_of_another():
    legal = 0
    for title, (view, scene) in positions("conquest", SAMPLE):
        news = news_of(view, scene.events)
        bands = bands_of(battles_height(view, news), is_exploring(view), view.outcome is not None)
        rings = [spot for spot in scene.rings if spot in HEX_AT]
        crop = windows.main_map_window(view, rings, bands.main_map_height)
        with record_placements() as notes:
            placed = notes.on(draw(view, scene))
        codes = {
            thing.shows[5:]: tight(thing) for thing in placed if thing.shows.startswith("code:")
        }
        names = [
            (thing.shows[5:], tight(thing)) for thing in placed if thing.shows.startswith("name:")
        ]
        assert set(rings) <= codes.keys(), title
        for spot in rings:
            legal += 1
            left, top, right, bottom = codes[spot]
            x, y = crop.middle_of(spot)
            y += bands.main_map
            assert x - 2 * crop.unit <= left
            assert right <= x + 2 * crop.unit, (title, spot)
            assert y - crop.rise <= top
            assert bottom <= y + crop.rise + OUTLINE, (title, spot)
            for other, (start, up, end, down) in names:
                if other != spot and start < right and left < end and up < top:
                    assert top - down >= CLEAR, (title, spot, other)
    assert legal > 20


def on(ground, sprite):
    canvas = Canvas.blank(160, 160, ground)
    canvas.put(sprite, 80, 80)
    return canvas.image


@pytest.mark.parametrize("kind", KINDS)
def test_brown_and_green_boxes_differ_in_shape(kind):
    size = 60
    green, brown, improved = (
        on(SAND, box(size, *sort)) for sort in ((True,), (False,), (False, True))
    )
    area = (size / 160) ** 2
    for first, second in ((green, brown), (green, improved), (brown, improved)):
        assert visible_difference(first, second, kind) > 0.12 * area


@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_hex_differs_from_a_pearl_held_one(kind):
    unit = UNITS[0]
    pearl = next(seat for seat, livery in enumerate(LIVERIES) if livery.name == "pearl")
    legal = on(SEA, legal_ring(unit))
    area = 8 * unit * rise_of(unit) / 160**2
    for other in (control_rim(unit, pearl), tile_rim(unit)):
        assert visible_difference(legal, on(SEA, other), kind) > 0.19 * area


@pytest.mark.parametrize("kind", KINDS)
def test_rims_of_two_seats_differ_by_more_than_their_colour(kind):
    unit = UNITS[0]
    rims = [on(SEA, control_rim(unit, seat)) for seat in range(4)]
    for rim, livery in zip(rims, LIVERIES, strict=False):
        # The seat's shape at the corners.
        stamped = sum(number for number, colour in rim.getcolors(10_000) if colour == livery.stamp)
        assert stamped > 80, livery.name
    for seat, rim in enumerate(rims):
        for other in rims[:seat]:
            assert visible_difference(rim, other, kind) > 0.03


@pytest.mark.parametrize("kind", KINDS)
def test_the_seat_to_move_is_pointed_at_as_its_gold_may_be_a_seats_yellow(kind):
    sun = next(livery.colour for livery in LIVERIES if livery.name == "sun")
    band = Canvas.blank(160, 160, sun).image
    assert visible_difference(on(sun, pointer(60)), band, kind) > 0.02


def test_the_simulation_confuses_what_such_eyes_confuse():
    assert simulate("deutan", (255, 255, 255)) == (255, 255, 255)
    sun = next(livery.colour for livery in LIVERIES if livery.name == "sun")
    assert all(
        visible_difference(Canvas.blank(4, 4, sun).image, Canvas.blank(4, 4, ACTIVE).image, kind)
        == 0
        for kind in KINDS
    ), TOLD_APART


@pytest.mark.parametrize("name", ["Bo", "Ana Lucía", "Cem the Navigator of Rarotonga"])
def test_news_of_an_explorer_leaves_the_rest_of_its_panel_free(name: str) -> None:
    view = next(match.view(None) for match in play_randomly("conquest", 2, seed=4))
    nation = replace(view.nations[0], explorer="home", ready=True)
    with record_placements() as notes:
        placed = notes.on(draw_panel(0, name, 17.5, nation, False, SAILED))
    assert any(thing.shows == "whose:3" for thing in placed)
    read = {
        thing.shows: covered(number, placed)[1]
        for number, thing in enumerate(placed)
        if thing.shows
    }
    assert read["text:17½"] == 0 and not any(read.values())


def test_news_of_an_explorer_leaves_the_tick_free() -> None:
    view = next(match.view(None) for match in play_randomly("conquest", 2, seed=4))
    nation = replace(view.nations[0], explorer="home", ready=True)
    with_news = draw_panel(0, "Bo", 17.5, nation, False, SAILED)
    plain = draw_panel(0, "Bo", 17.5, nation, False, PanelNews())
    half = round(with_news.height * 0.55)
    right = (round(with_news.width * 0.6), 0, with_news.width, half)
    assert ImageChops.difference(with_news.crop(right), plain.crop(right)).getbbox() is None
    assert ImageChops.difference(with_news, plain).getbbox() is not None
