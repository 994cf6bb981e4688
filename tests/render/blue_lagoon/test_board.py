"""The picture of a Blue Lagoon match: board, rings, codes, pieces and panels."""

from math import hypot

import pytest
from msgspec.structs import replace

from engine import Seat
from render import Scene, draw
from render.blue_lagoon.board import MOST_RINGS
from render.blue_lagoon.ground import ground_of
from render.blue_lagoon.layout import LONGEST, TALLEST, layout_of
from render.blue_lagoon.news import collect_news
from render.canvas import record_placements
from render.chrome import chip_of
from render.fonts import Face, text_width
from render.palette import LIVERIES
from render.png import to_palette
from render.sample import scene_of
from tests.render import seen
from tests.render.positions import SMALL_MAP, long_map, match_of, start_of

BYTES = 350 * 1024


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_view_of_a_match_draws(seats):
    """Every ninth, for they differ little from one to the next."""
    matches = match_of(seats)[::9]
    sizes = {
        draw(match.view(None), scene_of(match, private=bool(match.number % 2))).size
        for match in matches
    }
    assert len(sizes) == 1
    across, high = sizes.pop()
    assert 960 <= across <= 1080
    assert high <= across * TALLEST


def test_a_piece_changes_its_place_and_nothing_far_away():
    before, after = match_of(4)[30], match_of(4)[31]
    spot = after.view(None).last
    layout = layout_of("default", 4)
    views = [
        replace(after.view(None), last=""),
        replace(after.view(None), last="", pieces=before.view(None).pieces),
    ]
    first, second = (draw(view, Scene(())) for view in views)
    x, y = layout.centres[spot]
    box = (x - layout.hex, y - layout.hex, x + layout.hex, y + layout.hex)
    assert first.crop(box).tobytes() != second.crop(box).tobytes()
    for image in (first, second):
        image.paste((0, 0, 0), box)
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("seat", range(4))
def test_seat_colours_are_exact_in_the_sent_picture(seat):
    match = match_of(4)[60]
    image = to_palette(draw(match.view(None), scene_of(match)), "blue_lagoon").convert("RGB")
    layout = layout_of("default", 4)
    mine = [piece for piece in match.view(None).pieces if piece.seat == seat]
    assert mine
    for piece in mine:
        x, y = layout.centres[piece.spot]
        cell = image.crop(
            (x - layout.half, y - layout.hex // 2, x + layout.half, y + layout.hex // 2)
        )
        exact = [
            number for number, colour in cell.getcolors(10_000) if colour == LIVERIES[seat].colour
        ]
        assert sum(exact) > 60, piece


def test_the_last_move_is_marked():
    view = match_of(4)[30].view(None)
    layout = layout_of("default", 4)
    x, y = layout.centres[view.last]
    box = (x - layout.half, y - layout.side, x + layout.half, y + layout.side)
    marked = draw(view, Scene(()))
    unmarked = draw(replace(view, last=""), Scene(()))
    assert _pinks(marked.crop(box)) > 100
    assert _pinks(unmarked) == 0


def _pinks(image):
    return sum(
        number for number, colour in image.getcolors(2_000_000) if colour == (0xFF, 0x5F, 0xA8)
    )


def test_legal_places_are_ringed_until_there_are_too_many():
    """More than sixty are lit and bounded by a white line, and no place is darker than it was."""
    view = match_of(4)[30].view(None)
    layout = layout_of("default", 4)
    filled = {piece.spot for piece in view.pieces} | {spot for spot, _ in view.items}
    free = [
        place.code for place in layout.board.places if place.code not in filled and not place.circle
    ]
    assert len(free) > MOST_RINGS
    many = set(free[: MOST_RINGS + 1])
    plain = draw(view, Scene(()))
    ringed = draw(view, Scene((), tuple(free[:20])))
    lit = draw(view, Scene((), tuple(many)))
    for code, is_legal in ((free[0], True), (free[-1], False)):
        x, y = layout.centres[code]
        edge = (x + round(layout.half * 0.86), y)
        assert (ringed.getpixel(edge) == (255, 255, 255)) is is_legal
        inside = (x, y - layout.side // 2)
        assert (sum(lit.getpixel(inside)) > sum(plain.getpixel(inside))) is is_legal
    for ends, places in layout.sides.items():
        is_upright = ends[0][0] == ends[1][0]
        if len(places) == 2 and is_upright and not filled & {place.code for place in places}:
            (x, y), (_, to_y) = (layout.corner(end) for end in ends)
            line = lit.crop((x - 1, layout.title + y + 8, x + 2, layout.title + to_y - 8))
            is_border = (places[0].code in many) is not (places[1].code in many)
            assert ((255, 255, 255) in {colour for _, colour in line.getcolors()}) is is_border
    for place in layout.board.places:
        if place.code not in many and place.code not in filled:
            x, y = layout.centres[place.code]
            box = (
                x - layout.half // 2,
                y - layout.side // 4,
                x + layout.half // 2,
                y + layout.side // 4,
            )
            assert lit.crop(box).tobytes() == plain.crop(box).tobytes()


def test_every_piece_since_the_last_post_is_marked_in_order():
    match = match_of(4)[60]
    view, scene = seen.public(match, 4)
    news = collect_news(view, scene)
    assert [news_item.mark.number for news_item in news] == [1, 2, 3, 4]
    assert [news_item.seat for news_item in news] == [commit.seat for commit in match.commits[-4:]]
    assert news[-1].spot == view.last
    with record_placements() as notes:
        shown = [thing.shows for thing in notes.on(draw(view, scene))]
    for news_item in news:
        assert (
            shown.count(f"news:{news_item.mark.number}")
            == shown.count(f"whose:{news_item.mark.number}")
            == 1
        )
    pinks = [
        _pinks(draw(view, replace(scene, events=scene.events[:n]))) for n in (1, len(scene.events))
    ]
    assert min(pinks) > 100


@pytest.mark.parametrize("number", [20, 65])
def test_flowers_leave_the_codes_printed_around_them_free(number):
    view, scene = seen.public(match_of(4)[number], 4)
    layout = layout_of(view.map, len(view.sides))
    replaced = {piece.spot for piece in view.pieces} | {spot for spot, _ in view.items}
    with record_placements() as notes:
        flowers = [thing for thing in notes.on(draw(view, scene)) if "news:" in thing.shows]
    on_board = [flower.box for flower in flowers if flower.top < layout.title + layout.sea]
    assert on_board
    for place in layout.board.places:
        x, y = layout.centres[place.code]
        half = text_width(place.code.upper(), Face.CODE, layout.code_size) / 2
        for left, top, right, bottom in on_board if place.code not in replaced else []:
            across = max(0, abs((left + right) / 2 - x) - half)
            down = max(0, abs((top + bottom) / 2 - y) - layout.code_size / 3)
            # Almost half a flower, whose corners are empty.
            assert hypot(across, down) > 0.42 * (right - left), place.code


def test_a_scoring_is_marked_on_every_panel():
    match = next(match for match in match_of(3) if match.view(None).phase == "settlement")
    view, scene = seen.public(match, 2)
    assert {seat for seat, what in collect_news(view, scene)[-1].panels if what == "score"} == {
        0,
        1,
        2,
    }
    quiet = replace(scene, events=())
    layout = layout_of("default", 3)
    below = (0, layout.title + layout.sea, layout.width, layout.height)
    assert draw(view, scene).crop(below).tobytes() != draw(view, quiet).crop(below).tobytes()


def test_unknown_spots_are_not_ringed():
    view = match_of(4)[30].view(None)
    assert draw(view, Scene((), ("pass", "zz9"))).tobytes() == draw(view, Scene(())).tobytes()


def test_every_code_has_a_place_of_its_own_that_it_fits():
    layout = layout_of("default", 4)
    assert len(set(layout.centres.values())) == len(layout.board.places) == 162
    assert layout.code_size >= 0.025 * layout.width
    for place in layout.board.places:
        assert text_width(place.code.upper(), Face.CODE, layout.code_size) <= layout.hex * 0.84
        assert text_width(place.code.upper(), Face.STRONG, layout.legal_size) <= layout.hex * 0.86


def test_the_grid_has_every_side_once():
    layout = layout_of("default", 4)
    assert all(1 <= len(places) <= 2 for places in layout.sides.values())
    assert sum(len(places) for places in layout.sides.values()) == 6 * 162
    assert (
        sum(len(places) == 2 for places in layout.sides.values())
        == sum(layout.board.near(place.bit).bit_count() for place in layout.board.places) // 2
    )


def test_every_island_shows_its_value_at_a_corner_of_its_own():
    layout = layout_of("default", 4)
    assert sorted(layout.signs.values()) == [6, 6, 6, 8, 8, 8, 10, 10]
    for corner, value in layout.signs.items():
        (island,) = {place.island for place in layout.corners[corner]}
        assert layout.board.values[island] == value


@pytest.mark.parametrize(
    "board", [SMALL_MAP, long_map(20, 12), long_map(9, 20)], ids=["small", "tall", "wide"]
)
def test_any_map_fits(board):
    match = start_of({"board": board})
    image = draw(match.view(None), scene_of(match))
    layout = layout_of(match.view(None).map, 4)
    assert max(image.size) <= LONGEST
    assert len(layout.signs) == len(board["islands"])
    for x, y in layout.centres.values():
        assert layout.half <= x <= layout.width - layout.half
        assert layout.title + layout.side <= y <= layout.title + layout.sea - layout.side
    for place in layout.board.places:
        assert text_width(place.code.upper(), Face.CODE, layout.code_size) <= layout.hex * 0.84


def test_the_chip_names_who_moves_and_in_the_end_who_won():
    names = ("Ana", "Bea")
    first = match_of(2)[0].view(None)
    last = match_of(2)[-1].view(None)
    assert chip_of(first, names) is not None
    assert chip_of(first, names).name == "Ana"
    assert chip_of(first, names).verb == "to move"
    assert chip_of(last, names).seats == last.outcome.winners
    assert chip_of(last, names).verb == "wins"
    level = replace(last, outcome=replace(last.outcome, ranking=((Seat(0), Seat(1)),)))
    assert chip_of(level, names).seats == (0, 1)
    assert chip_of(level, names).verb == "share the win"
    left = match_of(2)[0].resign(Seat(0)).view(None)
    assert chip_of(left, names).verb == "ended early"


def test_a_ring_leaves_no_half_of_a_palm():
    match = match_of(2)[0]
    view, scene = match.view(None), scene_of(match)
    palms = ground_of(view.map, 2).palms
    public = draw(view, Scene(scene.names))
    private = draw(view, scene)
    for palm in palms:
        x, y = palm.foot
        trunk = (x - 3, y - 12, x + 4, y - 5)
        is_gone = public.crop(trunk).tobytes() != private.crop(trunk).tobytes()
        assert is_gone is bool(palm.near & set(scene.rings))
    assert len({bool(palm.near & set(scene.rings)) for palm in palms}) == 2
