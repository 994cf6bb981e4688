"""Stacks of Conquest can be read, and the map keeps its place: counted over many positions.

The tests look at where the renderer puts things and how large these are, without drawing a map.
"""

import random
from collections import Counter
from functools import cache

import pytest
from msgspec import Struct
from PIL import Image

from engine import Answer, Match, Seat
from engine.conquest.board import HEX_AT, HEXES
from engine.conquest.view import NOBODY, ConquestView
from render.canvas import Placed, record_placements
from render.chrome import LEAST
from render.conquest import ground, hex_canvas
from render.conquest.battle_band import battles_height, draw_battles
from render.conquest.exploration_band import is_exploring
from render.conquest.hex_canvas import HexCanvas
from render.conquest.hexes import CHARTED, SEA
from render.conquest.layout import WIDTH, Bands, Crop, bands_of, crop_of
from render.conquest.news import news_of
from render.conquest.own_band import draw_own_things
from render.conquest.pieces import draw_pieces
from render.conquest.sample import play_plainly
from render.conquest.windows import askable_hexes, main_map_window, required_hexes
from render.sample import NAMES
from tests.engine.conquest.wars import war

POSITIONS = 500
WARS = 6
TURNS_OF_A_WAR = 25
"""Enough for voyages, Movement, Battles and Building."""


class Asked(Struct, frozen=True):
    """A question of a seat's turn, and the position that everyone else sees meanwhile."""

    match: Match
    drafted: Match
    """The same with what the seat has chosen so far."""
    seat: Seat
    rings: tuple[str, ...]

    @property
    def public(self) -> ConquestView:
        """What everyone sees."""
        view = self.match.view(None)
        assert isinstance(view, ConquestView)
        return view

    @property
    def private(self) -> ConquestView:
        """What the seat sees."""
        view = self.drafted.view(self.seat)
        assert isinstance(view, ConquestView)
        return view


@cache
def asked() -> tuple[Asked, ...]:
    """Return questions of sensible matches, and of wars with pieces and Battles everywhere."""
    found = []
    for seats in (2, 3, 4):
        for match in play_plainly(seats):
            found += [
                Asked(match, match, seat, rings_of(match, seat)) for seat in match.waiting_for()
            ]
    for seed in range(WARS):
        match, chance = war(2 + seed % 3, seed), random.Random(seed)
        for _ in range(TURNS_OF_A_WAR):
            if not match.waiting_for():
                break
            seat, drafted = match.waiting_for()[0], match
            while decision := drafted.question(seat):
                found.append(Asked(match, drafted, seat, rings_of(drafted, seat)))
                number = max(1, decision.at_least) if decision.at_most else 0
                options = chance.sample(decision.options, min(number, len(decision.options)))
                keys = tuple(option.key for option in options)
                drafted = drafted.pick(Answer(seat, decision.kind, keys))
            match = drafted.confirm(seat)
    return tuple(found)


def rings_of(match: Match, seat: Seat) -> tuple[str, ...]:
    return tuple(option.spot for option in match.question(seat).options if option.spot)


def window_of(view: ConquestView, rings: tuple[str, ...] = ()) -> tuple[Bands, Crop]:
    height = battles_height(view, news_of(view, ()))
    bands = bands_of(height, is_exploring(view), view.outcome is not None)
    return bands, main_map_window(view, rings, bands.main_map_height)


def test_the_positions_are_of_all_steps_and_seats() -> None:
    assert len(asked()) >= POSITIONS
    steps = Counter(question.public.step for question in asked())
    for step in ("order", "exploration", "movement", "battle", "building"):
        assert steps[step] >= POSITIONS // 20, step
    seats = Counter(question.match.seats for question in asked())
    assert min(seats[number] for number in (2, 3, 4)) >= POSITIONS // 5


def test_pressing_your_move_does_not_shift_the_map() -> None:
    opened = [question for question in asked() if question.drafted == question.match]
    assert len(opened) >= POSITIONS
    for question in opened:
        private = window_of(question.private, question.rings)
        assert private == window_of(question.public), (question.match.number, question.seat)


def test_the_map_keeps_its_place_in_a_turn_until_something_lies_outside() -> None:
    kept = 0
    for question in asked():
        view = question.private
        bands, before = window_of(question.public)
        needed = {*askable_hexes(view), *required_hexes(view, question.rings)}
        if all(before.holds(spot) for spot in needed if spot in HEX_AT):
            assert window_of(view, question.rings) == (bands, before), question.match.number
            kept += 1
    assert kept >= POSITIONS


def test_no_counter_is_too_small_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 2.5 % of the width that a letter has at least."""
    # Where pieces stand does not depend on the ground, which takes longest to draw.
    monkeypatch.setattr(hex_canvas, "draw_ground", lambda view, crop: Image.new("RGB", (1, 1)))
    pictures = asked()[:: len(asked()) // POSITIONS]
    assert len(pictures) >= POSITIONS
    counted = 0
    for question in pictures:
        for placed in placed_counters(question):
            left, top, right, bottom = placed.mask.getbbox() or (0, 0, 0, 0)
            least = min(right - left, bottom - top)
            assert least >= WIDTH * LEAST, (question.match.number, placed.shows)
            counted += 1
    assert counted >= 10 * POSITIONS


def placed_counters(question: Asked) -> list[Placed]:
    """Return the counters of a private picture: in the main map and in the bands below it."""
    view = question.private
    news = news_of(view, ())
    with record_placements() as notes:
        main_map = HexCanvas(view, frozenset(question.rings), window_of(view, question.rings)[1])
        draw_pieces(main_map)
        images = [main_map.canvas.image, draw_own_things(view)]
        if battles_height(view, news):
            images.append(draw_battles(view, NAMES, news))
        return [
            placed
            for image in images
            for placed in notes.on(image)
            if placed.shows.startswith("piece")
        ]


def test_the_edge_of_the_main_map_cuts_no_island() -> None:
    cut = 0
    for question in asked():
        view = question.private
        _, crop = window_of(view, question.rings)
        for hex in HEXES:
            is_land = view.hex_at[hex.code].face in ("group", "atoll")
            if is_land and crop.shows(hex.code) and not crop.holds(hex.code):
                assert not ground.hex_ground(view, hex.code, crop).land, hex.code
                cut += 1
    assert cut > POSITIONS


def test_a_land_that_the_edge_would_cut_is_drawn_as_water() -> None:
    view = play_plainly(4)[-30].view(None)
    assert isinstance(view, ConquestView)
    _, crop = window_of(view)
    drawn = ground.draw_ground(view, crop)
    lands = [hex.code for hex in HEXES if view.hex_at[hex.code].face in ("group", "atoll")]
    cut = [spot for spot in lands if crop.shows(spot) and not crop.holds(spot)]
    assert cut
    assert {colour_at(drawn, crop, spot) for spot in cut} <= {SEA, CHARTED, None}


def colour_at(drawn: Image.Image, crop: Crop, spot: str) -> tuple[int, ...] | None:
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
    colours = drawn.crop(box).getcolors(100_000)
    assert colours is not None
    return max(colours)[1]


def test_the_window_holds_all_that_seats_have_on_the_map() -> None:
    for question in asked():
        view = question.public
        if view.voyage is not None and view.voyage.kumara:
            # The search for Kumara is shown close by.
            continue
        _, crop = window_of(view)
        spots = {stack.spot for stack in view.stacks} | {fleet.at for fleet in view.fleets}
        spots |= {group.spot for group in view.groups if group.owner != NOBODY}
        assert all(crop.holds(spot) for spot in spots), question.match.number


def test_a_match_that_ended_in_the_middle_of_the_exploration_shows_its_lands_large() -> None:
    matches = [match for match in play_plainly(4) if is_exploring(match.view(None))]
    match = matches[len(matches) // 2]
    for seat in range(3):
        match = match.resign(Seat(seat))
    view = match.view(None)
    assert isinstance(view, ConquestView) and view.step == "exploration"
    bands, crop = window_of(view)
    assert bands.exploration == bands.own, "nobody ties Knots any more"
    assert crop.is_large
    assert all(crop.holds(group.spot) for group in view.groups if group.owner != NOBODY)


@pytest.mark.parametrize(
    "height", [bands_of(0, True).main_map_height, bands_of(0, False, True).main_map_height]
)
def test_a_map_that_is_shown_from_end_to_end_has_as_much_sea_above_as_below(height: int) -> None:
    crop = crop_of(WIDTH, height, ["g1", "f11", "c9", "s8"])
    rows = [crop.middle_of(hex.code)[1] for hex in HEXES]
    above, below = min(rows) - crop.rise, height - max(rows) - crop.rise
    assert above > 0 and abs(above - below) <= 1
