"""The picture of a Conquest match: its main map, bands, chart and panels."""

from itertools import pairwise

import pytest
from msgspec.structs import replace
from PIL import ImageChops, ImageStat

from engine import Answer, Seat, Table
from engine.conquest.board import AMERICA, HEX_AT, HEXES, TILES
from engine.conquest.view import NOBODY, Arrow, Kinds, StackView, TileView
from render import Scene, draw
from render.canvas import record_placements
from render.chrome import chip_of
from render.conquest import ground, windows
from render.conquest.battle_band import battles_height
from render.conquest.exploration_band import is_exploring
from render.conquest.layout import (
    BATTLE_HEIGHT,
    CHART,
    FINISHED_BATTLE_HEIGHT,
    GAPS,
    HEIGHT,
    LARGE_UNITS,
    TEXT,
    UNITS,
    WIDTH,
    bands_of,
    chart_crop,
    crop_of,
)
from render.conquest.news import news_of
from render.conquest.panels import PanelNews, draw_panel
from render.conquest.track import (
    CELL_HEIGHT,
    CELLS_LINE,
    TOKEN_STEP,
    arrange_tabs,
    cell_width,
    draw_track,
    value_x,
)
from render.fonts import Face, record_texts, text_width
from render.news import Mark
from render.palette import ACTIVE, LAST, LIVERIES
from render.png import to_palette
from render.ranks import winners_of
from render.words import words_of
from tests.engine.conquest.scenes import Scene as Position
from tests.render.conquest.positions import (
    ADVANCED,
    battle_of,
    first_of,
    match_of,
    scene_for,
    seat_of,
    seeking_kumara,
)

BYTES = 350 * 1024
PUBLIC = bands_of(0, is_exploring=False)


def crop_for(view, scene):
    news = news_of(view, scene.events)
    bands = bands_of(battles_height(view, news), is_exploring(view), view.outcome is not None)
    rings = [spot for spot in scene.rings if spot in HEX_AT]
    return bands, windows.main_map_window(view, rings, bands.main_map_height)


def cell(image, view, scene, spot):
    """Return the part of a picture that shows a hex of the main map."""
    bands, crop = crop_for(view, scene)
    x, y = crop.middle_of(spot)
    y += bands.main_map
    return image.crop((x - 2 * crop.unit, y - crop.rise, x + 2 * crop.unit, y + crop.rise))


def number_of(image, colour):
    return sum(number for number, found in image.getcolors(2_000_000) if found == colour)


@pytest.mark.parametrize(
    ("seats", "advanced", "turns"),
    [(2, False, "6"), (3, True, "6"), (4, True, "6")],
    ids=["two", "three", "four"],
)
def test_every_view_of_a_match_draws(seats, advanced, turns):
    """Every third, for they differ little from one to the next."""
    matches = match_of(seats, advanced, turns)[::3]
    sizes = {draw(*scene_for(match, private=bool(match.number % 2))).size for match in matches}
    assert sizes == {(WIDTH, HEIGHT)}
    assert HEIGHT <= 1600
    assert WIDTH < HEIGHT <= WIDTH * 4 / 3


def test_every_step_of_a_drafted_turn_draws():
    kinds = set()
    for start in (first_of("move_stack", turn=8), first_of("build_item", turn=8)):
        match, seat = start, seat_of(start)
        for _ in range(12):
            decision = match.question(seat)
            going = [option for option in decision.options if option.spot] or list(decision.options)
            kinds.add(decision.kind)
            match = match.pick(
                Answer(
                    seat, decision.kind, tuple(o.key for o in going[: max(1, decision.at_least)])
                )
            )
            if match.is_complete(seat):
                break
            draw(*_drafted(match, seat))
        assert match.view(seat) != start.view(seat)
    assert {"move_stack", "move_to", "build_item"} <= kinds


def _drafted(match, seat):
    options = [option for option in match.question(seat).options if option.spot]
    return match.view(seat), Scene(("A", "B", "C", "D"), tuple(option.spot for option in options))


@pytest.mark.parametrize("advanced", [False, True], ids=["basic", "advanced"])
def test_hidden_information_does_not_change_the_picture(advanced):
    matches = match_of(4, advanced)
    # Not at the beginning: until somebody has built or explored, everything is known to all.
    for match in matches[20 :: len(matches) // 3]:
        for viewer in (None, 1):
            dealt = match.game.redeal(match.base, viewer, Table(f"redeal {match.number}"))
            assert dealt != match.base
            before = match.game.view(match.base, viewer)
            after = match.game.view(dealt, viewer)
            assert draw(before, Scene(())).tobytes() == draw(after, Scene(())).tobytes()


def test_every_legal_hex_is_in_the_main_map():
    asked = 0
    for match in (*match_of(4), *match_of(2, advanced=True)):
        view, scene = scene_for(match, private=True)
        _, crop = crop_for(view, scene)
        asked += bool(scene.rings)
        assert all(crop.holds(spot) for spot in scene.rings if spot in HEX_AT)
    assert asked > 60


@pytest.mark.parametrize("fights", [0, BATTLE_HEIGHT, BATTLE_HEIGHT + 3 * FINISHED_BATTLE_HEIGHT])
def test_all_hexes_fit_the_main_map_if_all_are_legal(fights):
    high = bands_of(fights, True).main_map_height
    every = [hex.code for hex in HEXES]
    crop = crop_of(WIDTH, high, every)
    assert all(crop.holds(spot) for spot in every)


def test_hexes_are_as_large_as_what_must_be_shown_allows():
    near, wide = ["j7", "k8"], ["g2", "f11", "s8", "c9"]
    assert crop_of(WIDTH, PUBLIC.main_map_height, near).unit == UNITS[0]
    assert crop_of(WIDTH, PUBLIC.main_map_height, wide).unit < UNITS[LARGE_UNITS - 1]
    assert UNITS[0] * 4 > WIDTH * 0.11


def test_the_window_stays_until_something_must_be_shown_that_lies_outside():
    usual = crop_of(WIDTH, PUBLIC.main_map_height, ())
    assert all(usual.holds(home) for home in ("f7", "f8", "j7", "l6"))
    assert crop_of(WIDTH, PUBLIC.main_map_height, ["c7", "n9", "g3"]) == usual
    # In strides: what lies a little further is shown by the same window.
    east = crop_of(WIDTH, PUBLIC.main_map_height, ["p8"])
    assert east != usual
    assert crop_of(WIDTH, PUBLIC.main_map_height, ["q8"]) == east
    # Bands below the main map make it lower and move nothing.
    for fights in (0, BATTLE_HEIGHT):
        lower = crop_of(WIDTH, bands_of(fights, True).main_map_height, ())
        assert lower.left == usual.left
        assert lower.top == usual.top
        assert lower.unit == usual.unit


def test_a_band_of_battles_cuts_no_pieces_off_that_the_full_main_map_shows():
    view, _ = scene_for(match_of(4)[0], private=False)
    low = bands_of(BATTLE_HEIGHT + FINISHED_BATTLE_HEIGHT, False).main_map_height
    south = replace(view, stacks=(*view.stacks, replace(view.stacks[0], spot="g9")))
    assert not windows.main_map_window(view, (), low).holds("g9")
    assert windows.main_map_window(south, (), low).holds("g9")
    assert windows.main_map_window(south, (), PUBLIC.main_map_height) == windows.main_map_window(
        view, (), PUBLIC.main_map_height
    )


def test_the_chart_shows_every_hex():
    whole = chart_crop()
    assert all(whole.holds(hex.code) for hex in HEXES)
    assert len({whole.middle_of(hex.code) for hex in HEXES}) == 167


def test_legal_hexes_are_ringed_and_unknown_spots_are_not():
    view, scene = scene_for(first_of("explore_on", turn=4), private=True)
    unknown = [spot for spot in scene.rings if view.hex_at[spot].face == "unknown"]
    ringed = draw(view, scene)
    bare = draw(view, Scene(scene.names))
    plain = {spot: cell(bare, view, Scene(scene.names), spot) for spot in unknown}
    # Beside an arrow or an Explorer there may be white without a ring.
    spot = next(spot for spot in unknown if number_of(plain[spot], (255, 255, 255)) == 0)
    assert number_of(cell(ringed, view, scene, spot), (255, 255, 255)) > 250
    assert (
        draw(view, replace(scene, rings=())).tobytes()
        == draw(view, replace(scene, rings=("pass", "zz9"))).tobytes()
    )


@pytest.mark.parametrize("seat", range(4))
def test_seat_colours_are_exact_in_the_sent_picture(seat):
    view, scene = scene_for(match_of(4)[-30], private=False)
    spot = next(
        spot
        for spot in ("g6", "j3", "h7")
        if not view.stacks_at(spot) and spot not in view.group_at
    )
    stack = StackView(seat, spot, 3, 2, True)
    view = replace(view, stacks=(stack,), arrows=(), last=(spot,), voyage=None, battle=None)
    image = to_palette(draw(view, scene), "conquest").convert("RGB")
    assert number_of(cell(image, view, scene, spot), LIVERIES[seat].colour) > 300


def test_a_stack_shows_its_kinds_to_its_owner_only():
    view, scene = scene_for(match_of(4)[40], private=False)
    view = replace(view, stacks=(), arrows=(), fleets=(), last=("h7",), voyage=None)
    face_down = StackView(0, "h7", 2, 2, False)
    known = StackView(0, "h7", 2, 2, False, Kinds(w=1, c=1))
    other = StackView(0, "h7", 2, 2, False, Kinds(t=1, b=1))
    images = [
        cell(draw(replace(view, stacks=(s,)), scene), view, scene, "h7")
        for s in (face_down, known, other)
    ]
    assert len({image.tobytes() for image in images}) == 3


def test_a_discovery_is_named_to_its_discoverer_only():
    view, scene = scene_for(match_of(4)[0], private=False)
    view = replace(view, stacks=(), arrows=(), fleets=(), last=("h7",), voyage=None)
    hidden = [TileView("h7", False, key, (0, 2)) for key in ("", "tahiti", "rarotonga")]
    images = [cell(draw(replace(view, tiles=(tile,)), scene), view, scene, "h7") for tile in hidden]
    assert len({image.tobytes() for image in images}) == 3
    for seat in (0, 2):
        assert all(number_of(image, LIVERIES[seat].colour) > 60 for image in images)


def test_control_chains_and_open_canoes_are_in_the_owner_s_colour():
    view, scene = scene_for(match_of(4)[0], private=False)
    view = replace(view, stacks=(), last=("g7",))
    bare = draw(view, scene)
    owned = [replace(group, owner=3) if group.spot == "g7" else group for group in view.groups]
    assert any(group.spot == "g7" and group.owner == NOBODY for group in view.groups)
    held = draw(replace(view, groups=tuple(owned)), scene)
    nation = replace(view.nations[3], links=(("g7", "h8"),))
    linked = draw(replace(view, nations=(*view.nations[:3], nation)), scene)
    open_canoe = draw(replace(view, stacks=(StackView(3, "g7", 1, 0, True),)), scene)
    pearl = LIVERIES[3].colour
    base = number_of(cell(bare, view, scene, "g7"), pearl)
    assert all(
        number_of(cell(image, view, scene, "g7"), pearl) > base + 100
        for image in (held, linked, open_canoe)
    )


def test_each_number_of_villages_and_improved_boxes_looks_different():
    view, scene = scene_for(match_of(4)[0], private=False)
    home = next(group for group in view.groups if group.spot == "f8")
    # Villages and improved boxes; the last Village stands in the improved brown box.
    counts = [(1, 0), (2, 0), (2, 1), (home.green + 1, 1)]
    images = set()
    for villages, improved in counts:
        group = replace(home, owner=1, villages=villages, improved=improved)
        groups = tuple(group if other.spot == "f8" else other for other in view.groups)
        images.add(cell(draw(replace(view, groups=groups), scene), view, scene, "f8").tobytes())
    assert len(images) == len(counts)


def test_movement_is_drawn_as_arrows_and_the_last_move_is_marked():
    view, scene = scene_for(match_of(4)[0], private=False)
    quiet = replace(view, last=(), arrows=())
    moved = replace(view, last=("h7",), arrows=(Arrow(0, ("j7", "h8", "h7"), 2),))
    assert number_of(draw(quiet, scene), LAST) == 0
    image = draw(moved, scene)
    assert all(
        number_of(cell(image, moved, scene, spot), LAST) > 100 for spot in ("j7", "h8", "h7")
    )
    back = draw(replace(moved, arrows=(Arrow(0, ("h7", "h8", "j7"), 2),)), scene)
    assert back.tobytes() != image.tobytes()


def test_knots_and_lost_explorers_show_on_the_rope():
    view, scene = scene_for(first_of("explore_on", turn=4), private=False)
    voyage = view.voyage
    pictures = {
        draw(replace(view, voyage=replace(voyage, knots=knots)), scene).tobytes()
        for knots in range(7)
    }
    assert len(pictures) == 6
    lost = replace(view.nations[0], explorer="lost")
    assert draw(replace(view, nations=(lost, *view.nations[1:])), scene).tobytes() not in pictures


def test_a_battle_is_shown_close_by_though_the_attacker_has_moved_all_over_the_ocean():
    view, scene = scene_for(battle_of(2), private=False)
    far = tuple(
        Arrow(view.battle.attacker, way, 1) for way in (("f7", "e7"), ("s9", "t8"), ("c3", "d3"))
    )
    moved = replace(view, viewer=view.battle.attacker, active=view.battle.attacker, arrows=far)
    _, crop = crop_for(moved, scene)
    assert crop.holds(view.battle.spot)
    assert crop.unit == UNITS[0]


def test_a_battle_shows_its_rows_and_rolls():
    match = battle_of(2)
    view, scene = scene_for(match, private=False)
    shown = draw(view, scene)
    unshown = draw(
        replace(view, battle=replace(view.battle, shown=False, rows=(), rolls=())), scene
    )
    assert shown.tobytes() != unshown.tobytes()
    _, crop = crop_for(view, scene)
    assert crop.holds(view.battle.spot)
    row = view.battle.rows[0]
    more = (replace(row, w=row.w + 1), view.battle.rows[1])
    assert (
        draw(replace(view, battle=replace(view.battle, rows=more)), scene).tobytes()
        != shown.tobytes()
    )


@pytest.mark.parametrize(
    "values",
    [
        (0, 0, 0, 0),
        (2, 2, 2, 3),
        (3, 3, 3.5, 4),
        (22, 21.5, 22, 9),
        (25, 25, 25, 25),
        (25, 24, 25, 24.5),
    ],
)
def test_tokens_on_the_track_never_hide_one_another_and_their_tabs_point_at_their_values(values):
    cell = cell_width(25)
    found = arrange_tabs(values, cell)
    assert {seat: tab.value for tab in found for seat in tab.seats} == dict(enumerate(values))
    places = sorted(
        tab.left + number * TOKEN_STEP for tab in found for number in range(len(tab.seats))
    )
    assert all(right - left >= TOKEN_STEP for left, right in pairwise(places))
    assert places[0] >= TOKEN_STEP // 2 and places[-1] <= WIDTH - TOKEN_STEP // 2
    for tab in found:
        assert abs(value_x(tab.value, cell) - tab.middle) < tab.width / 2 + TOKEN_STEP


def test_a_tab_reaches_from_its_tokens_to_its_number():
    view = match_of(4)[0].view(None)
    nations = tuple(
        replace(nation, track=value)
        for nation, value in zip(view.nations, (2, 2, 2, 3), strict=True)
    )
    drawn = draw_track(replace(view, nations=nations))
    across = cell_width(view.goal)
    above = CELLS_LINE - CELL_HEIGHT // 2 - 2
    bare = draw_track(replace(view, nations=(replace(view.nations[0], track=9),)))
    changed = ImageChops.difference(drawn, bare)
    pointed = [value for value in range(6) if _is_changed(changed, value_x(value, across), above)]
    assert pointed == [2, 3]


def _is_changed(difference, x, y):
    return difference.crop((x - 4, y, x + 5, y + 1)).getbbox() is not None


def test_a_token_alone_stands_over_its_number():
    cell = cell_width(22)
    assert [tab.middle for tab in arrange_tabs((4, 9, 15.5), cell)] == [
        value_x(value, cell) for value in (4, 9, 15.5)
    ]


@pytest.mark.parametrize("goal", [19, 22, 28, 31])
def test_the_track_reaches_the_goal(goal):
    cell_across = cell_width(goal)
    assert 0.07 * WIDTH + cell_across * (goal + 1) <= WIDTH
    assert text_width("30", Face.CODE, TEXT) <= cell_across - 2 or goal > 31
    view, scene = scene_for(match_of(4)[0], private=False)
    track = draw(replace(view, goal=goal), scene).crop((0, PUBLIC.track, WIDTH, PUBLIC.chart))
    assert number_of(track, ACTIVE) > 100


def test_names_of_lands_are_written_whole():
    for land in TILES.values():
        shown = words_of("conquest").word(land.key, "short")
        assert text_width(shown, Face.STRONG, TEXT) <= UNITS[1] * 4 * 1.5, shown


def test_the_chip_names_who_moves_and_in_the_end_who_won():
    names = ("Ana", "Bea", "Cem", "Dua")
    first = match_of(4)[0].view(None)
    last = match_of(4)[-1].view(None)
    assert chip_of(first, names).verb == "to move"
    assert winners_of(last) == tuple(match_of(4)[-1].outcome.ranking[0])
    level = replace(last, outcome=replace(last.outcome, ranking=((0, 1, 2, 3),)))
    assert chip_of(level, names).seats == (0, 1, 2, 3)
    left = match_of(4)[0].resign(Seat(0)).resign(Seat(1)).resign(Seat(2)).view(None)
    assert chip_of(left, names).verb == "ended early"


def test_a_name_is_whole_beside_all_that_a_panel_tells_at_once():
    view, _ = scene_for(match_of(4)[0], private=False)
    nation = replace(view.nations[0], ready=True, explorer="lost")
    everything = PanelNews((Mark(27), Mark(28)), Mark(28), Mark(27), has_explorer_news=True)
    with record_texts() as texts:
        draw_panel(0, "Tupaia", 9.5, nation, True, everything)
    assert "Tupaia" in {text.text for text in texts}
    with record_texts() as texts:
        draw_panel(
            0,
            "Tupaia ⚙",
            3,
            replace(nation, ready=False, explorer="", out=True),
            False,
            PanelNews(points=Mark(2)),
        )
    assert "Tupaia ⚙" in {text.text for text in texts}


def test_south_america_is_shown_and_ringed_where_an_explorer_can_land():
    view, scene = seeking_kumara(5, 5, 5, 5)
    assert AMERICA in scene.rings
    bands, crop = crop_for(
        view, replace(scene, rings=tuple(spot for spot in scene.rings if spot in HEX_AT))
    )
    x, y = crop.middle_of(AMERICA)
    assert crop.shows("v8")
    assert 0 < x < crop.width
    box = (
        x - 2 * crop.unit,
        y + bands.main_map - crop.rise,
        x + 2 * crop.unit,
        y + bands.main_map + crop.rise,
    )
    ringed = draw(view, scene).crop(box)
    bare = draw(view, replace(scene, rings=scene.rings[:-1])).crop(box)
    assert number_of(ringed, (255, 255, 255)) > number_of(bare, (255, 255, 255)) + 200


def test_the_coast_of_south_america_is_in_every_chart():
    view, scene = scene_for(match_of(2)[0], private=False)
    chart = draw(view, scene).crop((0, PUBLIC.chart, WIDTH, HEIGHT))
    strip = chart.crop((GAPS + CHART[0] - 9, 20, GAPS + CHART[0] - 3, CHART[1] - 20))
    _, green, blue = ImageStat.Stat(strip).mean
    assert green > blue, "land is greener than it is blue"


def changed(before, after):
    """Return by code whether the hexes of the main map look different in two views."""
    (view, scene), (other, _) = before, after
    one, two = draw(view, scene), draw(other, scene)
    _, crop = crop_for(view, scene)
    return {
        hex.code
        for hex in HEXES
        if crop.holds(hex.code)
        and cell(one, view, scene, hex.code).tobytes() != cell(two, view, scene, hex.code).tobytes()
    }


def test_landmarks_of_the_search_for_kumara_are_shown_where_it_is_played():
    view, scene = seeking_kumara(5, 5, 5, 5)
    assert {"u5", "v9", "r9"} <= changed((view, scene), (replace(view, kumara_played=False), scene))


def test_the_rolls_of_malaria_are_shown_where_it_is_played():
    view, scene = seeking_kumara(5)
    west = replace(view, voyage=None, step="building", to_move=())
    there = Scene(scene.names, rings=("a5",))
    assert things(west, there, "malaria") == {"a5", "b6", "c6", "c7"}
    assert not things(replace(west, malaria_played=False), there, "malaria")


def things(view, scene, kind):
    """Return the hexes of the main map with something of this kind."""
    with record_placements() as notes:
        placed = notes.on(draw(view, scene))
    return {thing.shows.split(":")[1] for thing in placed if thing.shows.startswith(f"{kind}:")}


def test_a_fleets_open_canoe_is_drawn_as_one_and_linked():
    scene = Position(3).sea("g8").pieces(0, "f8", "1t 1b").add_open_canoes(0, "f8")
    play = scene.moving(0).pick(0, "f8,g8,1t")
    shut = _drafted(play.match, 0)
    opened = _drafted(play.pick(0, "open").match, 0)
    assert opened[0].fleets[0].open
    assert opened[0].nations[0].links == (("f8", "g8"),)
    shown = replace(shut[0], fleets=opened[0].fleets), Scene(shut[1].names)
    assert draw(*shown).tobytes() != draw(shut[0], Scene(shut[1].names)).tobytes()


def test_the_advanced_rules_are_on_in_these_tests():
    assert dict(match_of(4, advanced=True)[0].settings).items() >= ADVANCED.items()


def test_the_ground_is_the_same_in_squares_as_in_one():
    view = match_of(3, True, "6")[-1].view(None)
    # A usual window, one of small hexes, and one that does not begin where a square does.
    for crop in (
        crop_of(WIDTH, 900, ()),
        crop_of(WIDTH, 700, ["c4", "r8"]),
        crop_of(WIDTH, 900, ["l9"]),
    ):
        in_one = ground._draw_patch.__wrapped__(
            crop, tuple(ground.hex_ground(view, hex.code, crop) for hex in HEXES)
        )
        assert ImageChops.difference(ground.draw_ground(view, crop), in_one).getbbox() is None
