"""Marks of Conquest of Paradise hide nothing and mislead nobody, whatever colours the reader
sees.
"""

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from engine.conquest.board import HEX_AT
from render import draw
from render.canvas import Canvas, noting
from render.chrome import pointer
from render.conquest import focus
from render.conquest.fight import fights_high
from render.conquest.hexes import SEA, control_rim, legal_ring, tile_rim
from render.conquest.layout import UNITS, bands_of, rise_of
from render.conquest.news import EXPLORER, news_of
from render.conquest.panels import _panel
from render.conquest.tokens import box
from render.conquest.voyages import is_exploring
from render.news import Mark
from render.palette import ACTIVE, LIVERIES, SAND
from render.sample import played
from tests.render.colour_blind import KINDS, TOLD_APART, seen_by, told_apart
from tests.render.hidden import covered
from tests.render.seen import positions

SAMPLE = 16
CLEAR = 8
"""Pixels between a legal code and the name of another hex above it: once they touched, and were
read as one.
"""
OUTLINE = 5
"""Pixels by which the outline of a code may lie over the lower edge of its hex."""


def tight(thing):
    """The rectangle of what is drawn of something."""
    left, top, right, bottom = thing.mask.getbbox()
    return thing.left + left, thing.top + top, thing.left + right, thing.top + bottom


def test_every_legal_code_stands_in_its_hex_and_never_under_the_name_of_another():
    legal = 0
    for title, (view, scene) in positions("conquest", SAMPLE):
        news = news_of(view, scene.events)
        bands = bands_of(fights_high(view, news), is_exploring(view), view.own is not None)
        rings = [spot for spot in scene.rings if spot in HEX_AT]
        crop = focus.crop_for(view, rings, bands.high)
        with noting() as notes:
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
            x, y = crop.place(spot)
            y += bands.theatre
            assert x - 2 * crop.unit <= left and right <= x + 2 * crop.unit, (title, spot)
            assert y - crop.rise <= top and bottom <= y + crop.rise + OUTLINE, (title, spot)
            for other, (start, up, end, down) in names:
                if other != spot and start < right and left < end and up < top:
                    assert top - down >= CLEAR, (title, spot, other)
    assert legal > 20


def on(ground, sprite):
    canvas = Canvas.blank(160, 160, ground)
    canvas.put(sprite, 80, 80)
    return canvas.image


@pytest.mark.parametrize("kind", KINDS)
def test_brown_boxes_are_told_from_green_ones_by_their_shape(kind):
    size = 60
    green, brown, improved = (
        on(SAND, box(size, *sort)) for sort in ((True,), (False,), (False, True))
    )
    area = (size / 160) ** 2
    for first, second in ((green, brown), (green, improved), (brown, improved)):
        assert told_apart(first, second, kind) > 0.12 * area


@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_hex_is_told_from_one_that_pearl_holds(kind):
    unit = UNITS[0]
    pearl = next(seat for seat, livery in enumerate(LIVERIES) if livery.name == "pearl")
    legal = on(SEA, legal_ring(unit))
    area = 8 * unit * rise_of(unit) / 160**2
    for other in (control_rim(unit, pearl), tile_rim(unit)):
        assert told_apart(legal, on(SEA, other), kind) > 0.19 * area


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
            assert told_apart(rim, other, kind) > 0.03


@pytest.mark.parametrize("kind", KINDS)
def test_the_seat_to_move_is_pointed_at_as_its_gold_may_be_a_seats_yellow(kind):
    sun = next(livery.colour for livery in LIVERIES if livery.name == "sun")
    band = Canvas.blank(160, 160, sun).image
    assert told_apart(on(sun, pointer(60)), band, kind) > 0.02


def test_the_simulation_confuses_what_such_eyes_confuse():
    assert seen_by("deutan", (255, 255, 255)) == (255, 255, 255)
    sun = next(livery.colour for livery in LIVERIES if livery.name == "sun")
    assert all(
        told_apart(Canvas.blank(4, 4, sun).image, Canvas.blank(4, 4, ACTIVE).image, kind) == 0
        for kind in KINDS
    ), TOLD_APART


@pytest.mark.parametrize("name", ["Bo", "Ana Lucía", "Cem the Navigator of Rarotonga"])
def test_news_of_an_explorer_leaves_the_rest_of_its_panel_free(name: str) -> None:
    view = next(match.view(None) for match in played("conquest", 2, seed=4))
    nation = replace(view.nations[0], explorer="home", ready=True)
    with noting() as notes:
        placed = notes.on(_panel(0, name, 17.5, nation, False, ((EXPLORER, Mark(3)),)))
    assert any(thing.shows == "news:3" for thing in placed)
    read = {
        thing.shows: covered(number, placed)[1]
        for number, thing in enumerate(placed)
        if thing.shows
    }
    assert read["text:17½"] == 0 and not any(read.values())


def test_news_of_an_explorer_leaves_the_tick_free() -> None:
    view = next(match.view(None) for match in played("conquest", 2, seed=4))
    nation = replace(view.nations[0], explorer="home", ready=True)
    told = _panel(0, "Bo", 17.5, nation, False, ((EXPLORER, Mark(3)),))
    plain = _panel(0, "Bo", 17.5, nation, False, ())
    half = round(told.height * 0.55)
    right = (round(told.width * 0.6), 0, told.width, half)
    assert ImageChops.difference(told.crop(right), plain.crop(right)).getbbox() is None
    assert ImageChops.difference(told, plain).getbbox() is not None
