"""The picture of a Polynesia match: sea, routes, members, panels and marks."""

import io
from itertools import combinations, product

import pytest
from msgspec.structs import replace
from PIL import Image

from engine import Outcome
from engine.polynesia.board import MAPS
from engine.polynesia.events import Gathered
from engine.polynesia.view import Last
from render import Scene, draw, score_sheet
from render.canvas import record_placements
from render.chrome import chip_of
from render.fonts import record_texts
from render.pad import outcome_line
from render.palette import ACTIVE, LAST, LIVERIES, PINNED, WHITE
from render.png import load_palette, map_to_palette, to_palette
from render.polynesia.ground import ASHES, NEUTRAL_ROUTE, NEW_ROUTE
from render.polynesia.layout import LAND_LIFT, SEA_HEIGHT, layout_of, to_pixels
from render.polynesia.marks import draw_member_count, draw_sandbank
from render.polynesia.news import collect_news
from render.polynesia.panels import describe_owner, draw_seat_panel, panel_plate
from render.polynesia.places import (
    FIGURE_HEIGHT,
    FIGURE_WIDTH,
    angle_between,
    find_widest_gap,
    overlap_area,
    space_evenly,
)
from render.polynesia.strip import draw_legend
from render.ranks import winners_of
from tests.render import seen
from tests.render.hidden import covered
from tests.render.polynesia.positions import GOLDEN, actions, golden, match_of, private, public
from tests.render.texts import assert_apart

BYTES = 350 * 1024
LONGEST, TALLEST = 1600, 4 / 3


@pytest.mark.parametrize("name", GOLDEN)
def test_every_view_of_a_golden_match_draws(name):
    """Every eighth position, for they differ little from one to the next, and the last."""
    matches = golden(name)
    sizes = set()
    for match in (*matches[::8], matches[-1]):
        sizes.add(draw(*public(match)).size)
        doable = actions(match) if match.number % 16 == 0 else []
        sizes |= {draw(*private(match, action)).size for action in doable}
    ((across, high),) = sizes
    assert 960 <= across <= 1080
    assert high <= min(LONGEST, across * TALLEST)


def test_the_trained_palette_holds_the_pinned_colours_exactly():
    strip = Image.new("RGB", (len(PINNED), 1))
    strip.putdata(PINNED)
    assert (
        map_to_palette(strip, load_palette("polynesia")).convert("RGB").tobytes() == strip.tobytes()
    )


@pytest.mark.parametrize("seat", range(4))
def test_seat_colours_are_exact_in_the_sent_picture(seat):
    """On the members standing on islands, and on the bands of the seat's routes."""
    view, scene = public(match_of(4)[60])
    image = to_palette(draw(view, scene), "polynesia").convert("RGB")
    layout = layout_of(view.map)
    mine = [island for island in view.islands if island.members[seat]]
    assert mine
    for island in mine:
        stand = layout.stands[island.spot][sum(1 for number in island.members if number)]
        assert _number(image, _box(layout, stand.rect), LIVERIES[seat].colour) > 60, island
    for route in (route for route in view.routes if route.owners == (seat,)):
        x, y = layout.route_middle(layout.board.route[route.spot])
        assert (
            _number(image, _box(layout, (x - 45, y - 40, x + 45, y + 40)), LIVERIES[seat].colour)
            > 60
        ), route


def _box(layout, rect):
    left, top, right, bottom = rect
    return *layout.to_picture((left, top)), *layout.to_picture((right, bottom))


def _number(image, box, colour):
    return sum(number for number, found in image.crop(box).getcolors(2_000_000) if found == colour)


@pytest.mark.parametrize("name", MAPS)
def test_unexplored_routes_are_dashed_and_neutral_ones_orange(name):
    view, scene = public(match_of(4 if name == "side_4p" else 2)[0])
    image, layout = draw(view, scene), layout_of(name)
    for route in layout.board.routes:
        x, y = layout.route_middle(route)
        box = _box(layout, (x - 24, y - 24, x + 24, y + 24))
        assert (_number(image, box, NEUTRAL_ROUTE) > 40) is route.neutral
        assert (_number(image, box, NEW_ROUTE) > 15) is not route.neutral


def test_an_explored_route_shows_its_owners_and_its_type():
    view, _ = public(match_of(4)[0])
    number = next(number for number, route in enumerate(view.routes) if route.spot == "t1-i28")
    fish, shell = (
        draw(
            _with_route(view, number, replace(view.routes[number], owners=(1, 2), type=kind)),
            Scene(()),
        )
        for kind in ("fish", "shell")
    )
    layout = layout_of(view.map)
    x, y = layout.route_middle(layout.board.routes[number])
    box = _box(layout, (x - 70, y - 60, x + 70, y + 60))
    for seat, least in ((0, 0), (1, 100), (2, 100), (3, 0)):
        assert (_number(fish, box, LIVERIES[seat].colour) > least) is (least > 0)
    assert fish.crop(box).tobytes() != shell.crop(box).tobytes()
    for image in (fish, shell):
        image.paste((0, 0, 0), box)
    assert fish.tobytes() == shell.tobytes()


def _with_route(view, number, route):
    return replace(
        view, last=None, routes=(*view.routes[:number], route, *view.routes[number + 1 :])
    )


def test_up_to_four_ships_find_room_on_a_route():
    view, _ = public(match_of(4)[0])
    for owners in ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3)):
        route = replace(view.routes[10], owners=owners, type="fish")
        assert draw(_with_route(view, 10, route), Scene(())).width == 1080


@pytest.mark.parametrize("name", MAPS)
def test_members_stand_clear_of_routes_codes_and_other_islands(name):
    layout = layout_of(name)
    for code, stands in layout.stands.items():
        for seats in range(1, max(layout.board.players) + 1):
            stand = stands[seats]
            left, top, right, bottom = stand.rect
            assert 0 <= left < right <= 1200 and 0 <= top < bottom <= SEA_HEIGHT
            assert stand.columns * -(-seats // stand.columns) >= seats
            for other, (x, y) in layout.middles.items():
                reach = 20 if other == code else 30
                assert overlap_area(stand.rect, (x - reach, y - reach, x + reach, y + 14)) < 40, (
                    code,
                    seats,
                    other,
                )
        for route in layout.board.routes:
            x, y = layout.route_middle(route)
            assert not overlap_area(stands[1].rect, (x - 16, y - 16, x + 16, y + 16)), (
                code,
                route.code,
            )


def test_a_lone_member_stands_in_the_widest_gap_of_an_open_island():
    assert find_widest_gap([0, 90]) == 225
    assert find_widest_gap([10]) == 190
    assert angle_between(350, 20) == 30
    layout = layout_of("side_4p")
    (x, y), stand = layout.middles["i7"], layout.stands["i7"][1]
    assert stand.y > y and stand.x < x + 30, "the routes of I7 lead up, to the right and down left"


def test_nobody_s_members_stand_where_another_island_s_do():
    for name in MAPS:
        stands = layout_of(name).stands
        for first, second in combinations(stands, 2):
            assert not overlap_area(stands[first][1].rect, stands[second][1].rect), (first, second)


@pytest.mark.parametrize("name", MAPS)
def test_members_of_neighbouring_islands_stay_in_sight_however_many_seats_are_there(name):
    """Less than half the room of a seat's members is ever shared."""
    stands = layout_of(name).stands
    most = max(layout_of(name).board.players)
    for first, second in combinations(stands, 2):
        for here, there in product(range(1, most + 1), repeat=2):
            shared = overlap_area(stands[first][here].rect, stands[second][there].rect)
            assert shared < FIGURE_WIDTH * FIGURE_HEIGHT / 2, (first, here, second, there)


def test_dots_lie_at_even_distances():
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert space_evenly(square, 5) == [
        (0, 0),
        (5, 0),
        (10, 0),
        (10, 5),
        (10, 10),
        (5, 10),
        (0, 10),
        (0, 5),
    ]


def test_legal_islands_are_ringed():
    view, _ = public(match_of(4)[60])
    layout = layout_of(view.map)
    plain = draw(view, Scene(()))
    ringed = draw(view, Scene((), ("i28",)))
    x, y = layout.middles["i28"]
    edge = layout.to_picture((x - 68, y - 4))
    assert plain.getpixel(edge) != WHITE == ringed.getpixel(edge)
    box = _box(layout, (x - 82, y - 70, x + 82, y + 70))
    for image in (plain, ringed):
        image.paste((0, 0, 0), box)
    assert plain.tobytes() == ringed.tobytes()


def test_routes_to_explore_turn_white_and_passages_wear_an_arrow():
    match = match_of(4)[60]
    layout = layout_of("side_4p")
    view, scene = public(match)
    before = draw(view, scene)
    after = draw(view, replace(scene, rings=("t1-d2",)))
    x, y = layout.route_middle(layout.board.route["t1-d2"])
    box = _box(layout, (x - 30, y - 30, x + 30, y + 30))
    assert _number(after, box, WHITE) > _number(before, box, WHITE) + 200
    travelling, scene = private(match, "travel")
    plain = draw(travelling, replace(scene, rings=()))
    for spot in scene.rings:
        passage = layout.board.passage[spot]
        image = draw(travelling, replace(scene, rings=(spot,)))
        x, y = layout.middles[passage.goal.code]
        box = _box(layout, (x - 75, y - 65, x + 75, y + 60))
        assert _number(image, box, WHITE) > _number(plain, box, WHITE) + 300, spot
        back = draw(
            travelling, replace(scene, rings=(f"{passage.goal.code}-{passage.start.code}",))
        )
        assert back.tobytes() != image.tobytes()


def test_both_islands_of_a_route_that_may_be_chosen_show_their_codes_in_white():
    view, _ = public(match_of(4)[60])
    layout = layout_of(view.map)
    plain = draw(view, Scene(()))
    chosen = draw(view, Scene((), ("t1-d2",)))
    for spot in layout.board.island:
        x, y = layout.middles[spot]
        box = _box(layout, (x - 30, y - 45, x + 30, y - 12))
        gained = _number(chosen, box, WHITE) - _number(plain, box, WHITE)
        assert (gained > 100) == (spot in ("t1", "d2")), spot


def test_a_route_with_ships_that_may_be_chosen_shows_its_owners_between_two_white_lines():
    view, _ = public(match_of(4)[0])
    number = layout_of(view.map).board.route["t1-i28"].number
    owned = _with_route(view, number, replace(view.routes[number], owners=(1, 2), type="fish"))
    layout = layout_of(view.map)
    (x, y), (to_x, to_y) = layout.trace_route(layout.board.routes[number])
    plain = draw(owned, Scene(()))
    chosen = draw(owned, Scene((), ("t1-i28",)))
    # A piece of the route beside its ships.
    near_x = x + (to_x - x) * 0.3
    near_y = y + (to_y - y) * 0.3
    box = _box(layout, (near_x - 16, near_y - 16, near_x + 16, near_y + 16))
    assert _number(plain, box, WHITE) == 0
    assert _number(chosen, box, WHITE) > 40
    for seat in (1, 2):
        assert _number(chosen, box, LIVERIES[seat].colour) > 60


def test_a_ship_token_shows_routes_although_all_of_them_have_ships():
    """During a travel the same codes name passages, at some of which the seat has nobody."""
    view, scene = public(match_of(4)[60])
    owned = tuple(
        route if route.neutral else replace(route, owners=(1,), type="fish")
        for route in view.routes
    )
    full = replace(view, routes=owned, to_move=(0,), last=Last(0, "travel"))
    before = draw(full, scene)
    after = draw(full, replace(scene, rings=("i28-t6", "t1-d2", "i30-t6")))
    layout = layout_of(view.map)
    for spot in ("i28-t6", "t1-d2", "i30-t6"):
        x, y = layout.route_middle(layout.board.route[spot])
        box = _box(layout, (x - 60, y - 50, x + 60, y + 50))
        assert _number(after, box, WHITE) > _number(before, box, WHITE) + 60
        goal_x, goal_y = layout.middles[spot.split("-")[1]]
        edge = layout.to_picture((goal_x - 68, goal_y - 4))
        assert after.getpixel(edge) == before.getpixel(edge), "a route to explore rings no island"


@pytest.mark.parametrize("name", MAPS)
def test_sand_joins_members_to_their_island(name):
    """Members are joined to the coast without a gap, however many seats there are."""
    layout = layout_of(name)
    for island in layout.board.islands:
        for seats in range(1, max(layout.board.players) + 1):
            stand = layout.stands[island.code][seats]
            bank = draw_sandbank(name, island.code, seats)
            x, y = layout.middles[island.code]
            for step in range(11):
                part = 0.35 + 0.65 * step / 10
                spot = (
                    to_pixels(x + (stand.x - x) * part),
                    to_pixels(y - LAND_LIFT + (stand.y - y + LAND_LIFT) * part),
                )
                inside = (spot[0] + bank.anchor[0], spot[1] + bank.anchor[1])
                assert bank.mask.getpixel(inside) > 200, (island.code, seats, part)


@pytest.mark.parametrize("name", MAPS)
def test_sand_runs_along_a_column_beside_its_island_and_joins_no_other(name):
    layout = layout_of(name)
    columns = 0
    for island in layout.board.islands:
        for seats in range(2, max(layout.board.players) + 1):
            stand = layout.stands[island.code][seats]
            bank = draw_sandbank(name, island.code, seats)
            if stand.columns > 1:
                continue
            for row in range(seats):
                x = stand.x
                y = stand.rect[1] + FIGURE_HEIGHT * (row + 1) - 10
                if layout.find_nearest_island((x, y)) == island.code:
                    columns += 1
                    assert (
                        bank.mask.getpixel(
                            (to_pixels(x) + bank.anchor[0], to_pixels(y) + bank.anchor[1])
                        )
                        > 200
                    ), (island.code, row)
            for other in layout.board.islands:
                x, y = (to_pixels(value) for value in layout.middles[other.code])
                across = x + bank.anchor[0]
                down = y + bank.anchor[1]
                if (
                    other is not island
                    and 0 <= across < bank.mask.width
                    and 0 <= down < bank.mask.height
                ):
                    assert bank.mask.getpixel((across, down)) == 0, (island.code, other.code)
    assert columns > 4


def test_large_counts_neither_cover_the_next_member_nor_leave_the_sea():
    view, _ = public(match_of(4)[0])
    crowded = replace(
        view, islands=tuple(replace(island, members=(12,) * 4) for island in view.islands)
    )
    with record_placements() as notes:
        placed = notes.on(draw(crowded, Scene(())))
    members = {thing.shows: thing for thing in placed if thing.shows.startswith("member:")}
    for thing in placed:
        kind, _, rest = thing.shows.partition(":")
        if kind == "count" and rest.count(":") == 1:
            spot, seat = rest.split(":")
            # What reaches over the edge would be cut from it.
            assert thing.mask.size == draw_member_count(12).mask.size, thing.shows
            after = members.get(f"member:{spot}:{int(seat) + 1}")
            if after is not None and after.top == members[f"member:{rest}"].top:
                assert thing.mask.getbbox()[2] + thing.left <= after.left + 12, thing.shows


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_legend_explains_sea_and_phase_track_for_every_number_of_seats(seats):
    with record_texts() as texts:
        draw_legend.__wrapped__()
    assert [text.text for text in texts] == [
        "unexplored",
        "open to all",
        "doomed",
        "decline",
        "resources",
        "starting player",
    ]
    assert_apart(texts)
    view, scene = public(match_of(seats)[0])
    image, line = draw(view, scene), draw_legend()
    top = layout_of(view.map).panels_top - line.height
    assert (
        image.crop((0, top, image.width, top + line.height - 6)).tobytes()
        == line.crop((0, 0, line.width, line.height - 6)).tobytes()
    )


def test_unknown_spots_are_not_ringed():
    view, _ = public(match_of(4)[60])
    assert (
        draw(view, Scene((), ("pass", "zz9", "m-t6"))).tobytes() == draw(view, Scene(())).tobytes()
    )


@pytest.mark.parametrize(
    ("last", "spots"),
    [
        (Last(1, "populate", islands=("i28",)), ["i28"]),
        (Last(1, "travel", path=("m-n3", "n3-i9", "m-n1")), ["i9", "n1"]),
        (Last(1, "travel", path=("m-n1", "n1-m")), ["m"]),
    ],
)
def test_the_last_move_is_marked_where_it_ended(last, spots):
    view, _ = public(match_of(4)[0])
    layout = layout_of(view.map)
    marked = draw(replace(view, last=last), Scene(()))
    unmarked = draw(replace(view, last=None), Scene(()))
    assert _number(unmarked, (0, 0, *unmarked.size), LAST) == 0
    for code, (x, y) in layout.middles.items():
        up = 104 if code == "m" else 74
        pinks = _number(marked, _box(layout, (x - 24, y - up, x + 24, y - up + 24)), LAST)
        assert (pinks > 20) is (code in spots), code


def test_a_path_and_an_explored_route_are_marked_too():
    view, _ = public(match_of(4)[60])
    layout = layout_of(view.map)
    for last in (Last(0, "travel", path=("n2-m",)), Last(0, "explore", routes=("i7-t1",))):
        image = draw(replace(view, last=last), Scene(()))
        (route,) = [layout.board.passage[spot].route for spot in (*last.path, *last.routes)]
        x, y = layout.route_middle(route)
        assert _number(image, _box(layout, (x - 30, y - 30, x + 30, y + 30)), LAST) > 40


def test_everything_since_the_last_post_is_marked_in_order():
    """Four turns are marked where they happened, with numbers, and on their players' panels."""
    match = match_of(4)[49]
    view, scene = seen.public(match, 4)
    news = collect_news(view, scene)
    assert [news_item.mark.number for news_item in news] == [1, 2, 3, 4]
    assert [news_item.mark.age for news_item in news] == [2, 2, 1, 0]
    assert [news_item.seat for news_item in news] == [commit.seat for commit in match.commits[-4:]]
    with record_placements() as notes:
        placed = notes.on(draw(view, scene))
    shown = [thing.shows for thing in placed]
    for news_item in news:
        assert shown.count(f"news:{news_item.mark.number}") == len(news_item.reached) + len(
            news_item.routes
        )
        assert shown.count(f"whose:{news_item.mark.number}") == 1, "one on the panel of each"


def test_a_maintenance_is_marked_below_the_sea_and_on_the_panels():
    match = next(match for match in match_of(4) if match.last and _is_gathered(match.last.events))
    # The stones are drawn with the last action of the round, the rest follows upon the decline.
    view, scene = seen.public(match, 2)
    acted, kept_up = collect_news(view, scene)[-2:]
    assert (acted.seat, kept_up.seat) == (match.commits[-2].seat, None)
    assert {"decline", "resources", "start"} < set(kept_up.strip), "and a colour"
    before = collect_news(view, replace(scene, events=()))
    quiet = [
        draw_seat_panel(describe_owner(view, seat, "Ana", before)).tobytes() for seat in range(4)
    ]
    marked = [
        draw_seat_panel(describe_owner(view, seat, "Ana", (acted, kept_up))).tobytes()
        for seat in range(4)
    ]
    gained = {seat for seat, _ in kept_up.panels} | {acted.seat}
    assert {seat for seat in range(4) if quiet[seat] != marked[seat]} == gained


def _is_gathered(events):
    return any(isinstance(event, Gathered) and any(event.counts) for event in events)


@pytest.mark.parametrize("action", ["fish", "shell", "decline"])
def test_other_actions_are_marked_below_the_sea(action):
    view, _ = public(match_of(4)[60])
    image = draw(replace(view, last=Last(2, action)), Scene(()))
    layout = layout_of(view.map)
    below = layout.sea_bottom
    assert _number(image, (0, 0, image.width, below), LAST) == 0
    assert _number(image, (0, below, *image.size), LAST) > 40


def test_only_the_seat_to_move_is_outlined_in_gold():
    view, _ = public(match_of(4)[30])
    shape, panels = panel_plate(), layout_of(view.map).panels_top
    for mover in range(4):
        image = draw(replace(view, to_move=(mover,)), Scene(()))
        for seat in range(4):
            left = seat % 2 * image.width // 2
            top = panels + seat // 2 * (shape.height + 11)
            rim = (left + 60, top - shape.rim, left + 460, top)
            assert (_number(image, rim, ACTIVE) > 500) is (seat == mover)


def test_the_eruption_burns_the_islands_it_destroys():
    view, _ = public(match_of(4)[-1])
    layout = layout_of(view.map)
    image = draw(view, Scene(()))
    for island in layout.board.islands:
        x, y = layout.middles[island.code]
        burnt = _number(image, _box(layout, (x - 50, y - 40, x + 50, y + 34)), ASHES)
        assert (burnt > 1000) is island.destroyed, island.code


def test_point_tokens_lie_in_the_lagoons_until_they_are_taken():
    view, _ = public(match_of(3)[0])
    assert all(archipelago.point for archipelago in view.archipelagos)
    layout = layout_of(view.map)
    image = draw(view, Scene(()))
    gone = draw(
        replace(view, archipelagos=tuple(replace(a, point=False) for a in view.archipelagos)),
        Scene(()),
    )
    for x, y in layout.point_tokens.values():
        box = _box(layout, (x - 20, y - 20, x + 20, y + 20))
        assert _number(image, box, ACTIVE) > 100 > _number(gone, box, ACTIVE)


def test_the_chip_names_who_moves_and_in_the_end_who_won():
    names = ("Ana", "Bea")
    first = match_of(2)[0].view(None)
    last = match_of(2)[-1].view(None)
    chip = chip_of(first, names)
    assert (chip.name, chip.verb) == (names[first.to_move[0]], "to move")
    winner = last.outcome.winners[0]
    assert chip_of(last, names).name == names[winner]
    assert chip_of(last, names).verb == "wins"
    assert chip_of(
        replace(last, outcome=replace(last.outcome, ranking=((0, 1),))), names
    ).seats == (0, 1)
    left = golden("resigned")[-1].view(None)
    assert chip_of(left, names).verb == "ended early" and winners_of(left) == ()


def test_the_score_sheet_comes_with_the_end_and_says_who_won():
    names = ("Ana", "Bea")
    first = match_of(2)[0].view(None)
    last = match_of(2)[-1].view(None)
    assert score_sheet(first, Scene(names)) is None
    sheet = Image.open(io.BytesIO(score_sheet(last, Scene(names))))
    assert sheet.height <= sheet.width
    assert (
        outcome_line(_ended(last, (9, 7), (3, 4), ((0,), (1,))), names) == "Ana wins with 9 points"
    )
    broken = _ended(last, (9, 9), (3, 4), ((1,), (0,)))
    assert outcome_line(broken, names) == "Bea wins with 9 points, on the tiebreak: 4 islands"
    shared = _ended(last, (1, 1), (4, 4), ((0, 1),))
    assert outcome_line(shared, names) == "Ana and Bea share the win with 1 point"


def _ended(view, scores, islands, ranking):
    """Return a view of a match that ended with these points and islands."""
    tiebreak = tuple((("islands", number),) for number in islands)
    return replace(view, scores=scores, outcome=Outcome("erupted", ranking, scores, tiebreak))


def test_every_island_lies_whole_within_the_sea():
    for name in MAPS:
        layout = layout_of(name)
        for island in layout.board.islands:
            xs, ys = zip(*layout.trace_coast(island), strict=True)
            assert min(xs) >= 0
            assert max(xs) <= 1200
            assert min(ys) >= 0
            assert max(ys) <= SEA_HEIGHT
        middles = list(layout.middles.values())
        assert all(
            abs(a[0] - b[0]) > 110 or abs(a[1] - b[1]) > 90 for a, b in combinations(middles, 2)
        )
        assert to_pixels(1200) == 1080


SIGNS = ("symbol", "token", "ship", "owner", "cost", "coin", "count", "code")
MOST_COVERED = 0.3


def test_no_sign_is_covered_with_four_seats():
    """Counted over a thousand signs: members stand where they hide no ship and no cost."""
    signs, hidden = 0, []
    for seed in (3, 6):
        for match in seen.match_of("polynesia", 4, seed)[10::9]:
            with record_placements() as notes:
                placed = notes.on(draw(*seen.public(match)))
            for number, thing in enumerate(placed):
                if thing.shows.split(":")[0] in SIGNS:
                    whole, hides = covered(number, placed)
                    signs += 1
                    if hides > MOST_COVERED * whole:
                        hidden.append((seed, match.number, thing.shows))
    assert signs > 1000
    assert not hidden
