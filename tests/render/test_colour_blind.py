"""No picture relies on colour alone: people without red, green or blue cones can read it."""

from collections.abc import Callable
from itertools import combinations

import pytest
from msgspec.structs import replace
from PIL import Image

from engine.maori.board import board_of
from engine.polynesia.board import COLOURS
from engine.polynesia.view import Last
from render import Scene, draw, palette
from render.blue_lagoon.layout import layout_of as blue_lagoon_layout
from render.blue_lagoon.panels import draw_side_panel as blue_lagoon_panel
from render.canvas import Canvas, Mode, Sprite, use_mode
from render.chrome import pointer
from render.conquest.tokens import counter, explorer
from render.items import ITEMS
from render.maori.layout import LARGE_PANEL, locate_panel
from render.maori.news import collect_news
from render.maori.panels import RIM, describe_player, draw_large_panel, draw_small_panel
from render.news import bud, flower, make_marks
from render.palette import ACTIVE, LIVERIES, SHELF, WHITE, livery_of
from render.pieces import badge, canoe, pawn, settler, village
from render.polynesia.layout import layout_of as polynesia_layout
from render.polynesia.panels import describe_owner, draw_seat_panel
from render.polynesia.sprites import draw_lava_stone
from render.polynesia.strip import draw_route_sample
from tests.bench.colour import difference, lab
from tests.render import positions
from tests.render.colour_blind import KINDS, TOLD_APART, simulate, visible_difference
from tests.render.maori import positions as maori_positions
from tests.render.polynesia import positions as polynesia_positions

PIECES: dict[str, Callable[[int, int], Sprite]] = {
    "badge": badge,
    "settler": settler,
    "canoe": canoe,
    "village": village,
    "pawn": pawn,
    "counter": counter,
    "explorer": explorer,
}
SIZE = 60


def _on_sea(sprite: Sprite) -> Image.Image:
    """Draw a sprite alone on the water."""
    canvas = Canvas.blank(90, 90, SHELF)
    canvas.put(sprite, 45, 45)
    return canvas.image


def _pixels(first: Image.Image, second: Image.Image, kind: str) -> float:
    """Return how many pixels two pictures visibly differ by."""
    return visible_difference(first, second, kind) * first.width * first.height


@pytest.mark.parametrize("kind", KINDS)
def test_seats_differ_in_colour(kind):
    for first, second in combinations(LIVERIES, 2):
        seen = [lab(simulate(kind, livery.colour)) for livery in (first, second)]
        assert difference(*seen) > TOLD_APART, (first.name, second.name)


@pytest.mark.parametrize("piece", PIECES)
def test_seats_differ_in_shape_too(piece, monkeypatch):
    """Even if all pieces had one colour, each would show whose it is."""
    alike = [
        replace(livery, colour=(128, 128, 128), stamp=WHITE, cream_line=False)
        for livery in LIVERIES
    ]
    monkeypatch.setattr(palette, "LIVERIES", tuple(alike))
    with use_mode(Mode(keep=False)):
        drawn = [_on_sea(PIECES[piece](seat, SIZE)) for seat in range(len(LIVERIES))]
    for first, second in combinations(drawn, 2):
        assert all(_pixels(first, second, kind) > 15 for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_gold_is_not_what_marks_the_seat_to_move(kind):
    """To these eyes gold is a seat's yellow, so the pointer has a dark and a light outline."""
    sun = livery_of(1).colour
    nearly = difference(lab(simulate(kind, ACTIVE)), lab(simulate(kind, sun)))
    assert nearly < TOLD_APART
    for livery in LIVERIES:
        canvas = Canvas.blank(60, 60, livery.colour)
        plain = canvas.image.copy()
        canvas.put(pointer(30), 40, 30)
        assert _pixels(plain, canvas.image, kind) > 120, livery.name


def _inside(panel: Image.Image) -> Image.Image:
    """Return a panel without the outline of its paper."""
    edge = RIM + 4
    return panel.crop((edge, edge, min(150, panel.width), panel.height - edge))


def _panels(seat: int, active: bool) -> dict[str, Image.Image]:
    """Return a seat's panels in each game, to move or not."""
    to_move = (seat,) if active else (1 - seat,)
    lagoon = positions.match_of(2)[20].view(None)
    sea = replace(polynesia_positions.match_of(2)[20].view(None), to_move=to_move)
    table = replace(maori_positions.match_of(2)[20].view(None), to_move=to_move)
    player = describe_player(table, seat, "Ana", (), collect_news(table, Scene(())))
    quiet = replace(player, marks=replace(player.marks, has_codes=False))
    return {
        "blue_lagoon": blue_lagoon_panel(960, seat, "Ana", 7, lagoon.sides[seat], active),
        "polynesia": draw_seat_panel(describe_owner(sea, seat, "Ana")),
        "maori": draw_large_panel(quiet) if seat == 0 else draw_small_panel(quiet),
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_seat_to_move_is_known_within_its_outline(seat, kind):
    idle = _panels(seat, active=False)
    active = _panels(seat, active=True)
    for game in idle:
        assert _pixels(_inside(idle[game]), _inside(active[game]), kind) > 100, game


GAMES = ("blue_lagoon", "polynesia", "maori")


@pytest.fixture(scope="module")
def spots() -> dict[str, tuple[Image.Image, Image.Image, Image.Image]]:
    """Return a place of each game: plain, as a legal choice, and with an event."""
    found = {}
    view = positions.match_of(4)[30].view(None)
    spot = view.last
    layout = blue_lagoon_layout("default", 4)
    x, y = layout.centres[spot]
    box = (x - 50, y - 55, x + 50, y + 50)
    quiet = replace(view, last="")
    found["blue_lagoon"] = (
        [draw(quiet, Scene(())), draw(quiet, Scene((), (spot,))), draw(view, Scene(()))],
        box,
    )

    sea = polynesia_positions.match_of(4)[0].view(None)
    sea_layout = polynesia_layout(sea.map)
    x, y = sea_layout.to_picture(sea_layout.middles["i28"])
    told = replace(sea, last=Last(1, "populate", islands=("i28",)))
    still = replace(sea, last=None)
    box = (x - 80, y - 75, x + 80, y + 70)
    found["polynesia"] = (
        [draw(still, Scene(())), draw(still, Scene((), ("i28",))), draw(told, Scene(()))],
        box,
    )

    match = next(
        match
        for match in maori_positions.match_of(2)
        if (turn := match.view(None).turn) and turn.spot
    )
    seat = match.view(None).turn.seat
    table = replace(match.view(seat), to_move=(seat,))
    spot = table.turn.spot
    left, top = locate_panel(0)
    space = board_of(table.board).by_code[spot]
    x = left + LARGE_PANEL.board[0] + space.column * LARGE_PANEL.cell
    y = top + LARGE_PANEL.board[1] + space.row * LARGE_PANEL.cell
    box = (x - 8, y - 8, x + LARGE_PANEL.cell + 8, y + LARGE_PANEL.cell + 8)
    calm = replace(table, turn=None, journey=())
    found["maori"] = (
        [draw(calm, Scene(())), draw(calm, Scene((), (spot,))), draw(table, Scene(()))],
        box,
    )
    return {
        game: tuple(image.crop(box) for image in images) for game, (images, box) in found.items()
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_legal_marks_and_news_marks_can_be_distinguished(spots, game, kind):
    plain, legal, last = spots[game]
    assert _pixels(plain, legal, kind) > 200
    assert _pixels(plain, last, kind) > 200
    assert _pixels(legal, last, kind) > 200


@pytest.mark.parametrize("kind", KINDS)
def test_older_marks_are_recognised_by_their_numbers(kind):
    for make in (flower, bud):
        drawn = [_on_sea(make(34, mark, 24)) for mark in make_marks([0, 1, 2, 3])]
        for first, second in combinations(drawn, 2):
            assert _pixels(first, second, kind) > 30


@pytest.mark.parametrize("kind", KINDS)
def test_routes_stones_and_items_can_be_distinguished(kind):
    assert (
        _pixels(*(_on_sea(draw_route_sample(is_neutral)) for is_neutral in (False, True)), kind)
        > 100
    )
    for things in (
        [draw_lava_stone(colour, SIZE) for colour in COLOURS],
        [make(SIZE) for make in ITEMS.values()],
    ):
        for first, second in combinations(map(_on_sea, things), 2):
            assert _pixels(first, second, kind) > 300
