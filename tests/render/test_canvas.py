"""The drawing tools: brushes, canvases and the cache of drawing functions."""

from itertools import pairwise

import pytest
from PIL import Image

from render import canvas
from render.canvas import Brush, Canvas, Mode, Sprite, cached, current_mode, draw_box, use_mode
from render.items import ITEMS
from render.palette import LIVERIES, PINNED, WHITE, rgb
from render.pieces import badge, canoe, disc, pawn, settler, village, voyager
from render.png import load_palette, map_to_palette
from render.shapes import ellipse, hexagon, rectangle, seat_shape
from render.terrain import Relief, noise, paint_terrain


def test_results_are_cached_and_the_oldest_dropped():
    calls = []

    @cached(2)
    def drawn(name):
        calls.append(name)
        return name

    for name in ("a", "a", "b", "c", "a"):
        drawn(name)
    assert calls == ["a", "b", "c", "a"]
    with use_mode(Mode(keep=False)):
        drawn("a")
    assert calls[-2:] == ["a", "a"]


def test_a_box_drawn_by_its_corners_looks_like_a_whole_one():
    def draw(width, height):
        brush = Brush(width + 6, height + 6, at=(3, 3))
        brush.fill(rectangle(0, 0, width, height, 7), WHITE)
        brush.ring(rectangle(2, 2, width - 2, height - 4.2, 5), 1.4, rgb("#DF3F2B"))
        return brush.finish()

    for size in ((90, 61), (25, 70), (20, 20)):
        whole, by_corners = draw(*size), draw_box(draw, *size, corner=12)
        assert by_corners.anchor == whole.anchor
        assert by_corners.image.size == whole.image.size
        assert by_corners.image.tobytes() == whole.image.tobytes()
        assert by_corners.mask.tobytes() == whole.mask.tobytes()


def test_a_mode_ends_with_its_block():
    with use_mode(Mode(zoom=2, fine=2)):
        assert current_mode().zoom == 2
    assert current_mode() == Mode()


@pytest.mark.parametrize("zoom", [1, 2, 4])
def test_sprites_grow_with_the_zoom_and_keep_their_place(zoom):
    with use_mode(Mode(zoom=zoom, keep=False)):
        sprite = settler(0, 50)
        canvas = Canvas.blank(80, 80, WHITE)
        canvas.put(sprite, 40, 40)
    left, top, right, bottom = (side / zoom for side in sprite.mask.getbbox())
    assert sprite.anchor == (33, 31)
    assert 0 < left < right < 66
    assert 0 < top < bottom < 68
    assert canvas.image.size == (80 * zoom, 80 * zoom)


@pytest.mark.parametrize("make", [settler, canoe, village, pawn, badge])
@pytest.mark.parametrize("seat", range(5))
def test_every_piece_shows_the_seat_s_colour_and_stamp(make, seat):
    found = {colour: n for n, colour in make(seat, 64).image.getcolors(100_000)}
    assert found.get(LIVERIES[seat].colour, 0) > 150
    assert found.get(LIVERIES[seat].stamp, 0) > 30


def test_sprites_do_not_touch_the_edge_of_their_canvas():
    sprites = [
        settler(2, 60),
        canoe(4, 60),
        village(2, 60),
        badge(4, 60),
        disc("12", 60),
        voyager(60),
    ]
    for sprite in [*sprites, *(item(60) for item in ITEMS.values())]:
        across, high = sprite.mask.size
        left, top, right, bottom = sprite.mask.getbbox()
        assert left > 0 and top > 0 and right < across and bottom < high


def test_seats_differ_in_shape_letter_and_lightness():
    assert (
        len({livery.shape for livery in LIVERIES})
        == len({livery.letter for livery in LIVERIES})
        == 5
    )
    outlines = {tuple(seat_shape(livery.shape, 0, 0, 10)) for livery in LIVERIES}
    assert len(outlines) == 5
    greys = sorted(
        0.299 * r + 0.587 * g + 0.114 * b for r, g, b in (livery.colour for livery in LIVERIES)
    )
    assert all(after - before > 15 for before, after in pairwise(greys))


@pytest.mark.parametrize("name", ["blue_lagoon", "sheet"])
def test_trained_palettes_hold_the_pinned_colours_exactly(name):
    colours = load_palette(name)
    assert len(colours) <= 256
    strip = Image.new("RGB", (len(PINNED), 1))
    strip.putdata(PINNED)
    assert map_to_palette(strip, colours).convert("RGB").tobytes() == strip.tobytes()


def test_a_brush_stays_within_its_outline():
    brush = Brush(20, 20)
    brush.fill(rectangle(5, 5, 15, 15), rgb("#FF0000"))
    brush.line([(-50, -50), (-20, -20)], 3, WHITE)
    sprite = brush.finish()
    assert sprite.mask.getbbox() == (5, 5, 16, 16)
    assert sprite.mask.getpixel((10, 10)) == 255


def test_noise_depends_on_its_seed_alone():
    assert noise((40, 30), 8, 1, 2).tobytes() == noise((40, 30), 8, 1, 2).tobytes()
    assert noise((40, 30), 8, 1).tobytes() != noise((40, 30), 8, 2).tobytes()
    assert all(0 <= height <= 255 for height in noise((40, 30), 8, 1).getextrema())


def test_terrain_has_land_where_the_outlines_are_and_sea_elsewhere():
    terrain = paint_terrain(Relief((200, 200), [hexagon(100, 100, 90, 52)], 7))
    assert terrain.image.size == terrain.coast.size == terrain.green.size == (200, 200)
    assert terrain.coast.getpixel((100, 100)) == terrain.green.getpixel((100, 100)) == 255
    assert terrain.coast.getpixel((5, 5)) == 0
    red, green, blue = terrain.image.getpixel((100, 100))
    assert green > blue
    red, green, blue = terrain.image.getpixel((5, 5))
    assert blue > green > red


def test_an_ellipse_is_closed():
    first, *_, last = ellipse(0, 0, 10)
    assert first == pytest.approx(last, abs=1e-9)


def test_large_results_share_a_cache_bounded_in_bytes(monkeypatch):
    small_cache = canvas.ResultCache(3 * 100 * 100 * 4)
    monkeypatch.setattr(canvas, "large_results", small_cache)
    drawn = []

    @cached(1)
    def ground(number):
        drawn.append(number)
        return Image.new("RGB", (100, 100), (number, 0, 0))

    for number in (1, 2, 3, 1, 2, 3):
        assert ground(number).getpixel((0, 0)) == (number, 0, 0)
    assert drawn == [1, 2, 3] and small_cache.bytes == small_cache.max_bytes
    ground(4)
    # One made way, and is drawn again.
    assert [ground(number).getpixel((0, 0))[0] for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert len(drawn) > 4 and small_cache.bytes == small_cache.max_bytes
    assert ground(4) is ground(4)


def test_what_saves_least_for_its_bytes_is_evicted_and_then_what_was_used_longest_ago():
    cache = canvas.ResultCache(100)
    for key, seconds in (("strip", 1), ("canoe", 9), ("hut", 9), ("palm", 9)):
        cache.put(key, key.upper(), 25, seconds)
    cache.put("ship", "SHIP", 25, 9)
    assert cache.get("strip") is None
    assert cache.get("canoe") == "CANOE"
    assert cache.bytes == 100
    cache.put("lei", "LEI", 50, 9)
    assert [cache.get(key) for key in ("canoe", "hut", "palm", "ship", "lei")] == [
        "CANOE",
        None,
        None,
        "SHIP",
        "LEI",
    ]
    # Nothing stays for ever: what is not used any more sinks below what is.
    for number in range(20):
        cache.put(number, number, 25, 4)
    assert cache.get("canoe") is None and cache.bytes == 100


def test_small_results_stay_out_of_it_and_all_pictures_of_a_result_are_counted(monkeypatch):
    empty = canvas.ResultCache(100)
    monkeypatch.setattr(canvas, "large_results", empty)

    @cached(2)
    def dot(number):
        return Image.new("L", (10, 10), number)

    assert dot(1) is dot(1) and empty.bytes == 0
    image = Image.new("RGB", (10, 10))
    mask = Image.new("L", (10, 10))
    assert canvas.count_image_bytes(Sprite(image, mask, (0, 0))) == 500
    assert canvas.count_image_bytes((image, [mask], "x", Canvas.blank(10, 10, (0, 0, 0)))) == 900
