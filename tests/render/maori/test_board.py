"""The picture of a Maori match: matrix, boards, panels and marks."""

from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace
from PIL import ImageChops, ImageStat

from engine.maori.board import board_of
from engine.maori.matrix import CELLS, LINES, POSITIONS
from engine.maori.tiles import VOLCANOES
from render import Scene, draw, renderer, score_sheet
from render.canvas import Mode, record_placements, use_mode
from render.chrome import TITLE_HEIGHT, chip_of, share
from render.fonts import Face, record_texts, text_width
from render.maori.boards import HATCH
from render.maori.layout import (
    CELL_SIZE,
    HARBOUR_RADIUS,
    LARGE_PANEL,
    PANEL_GAP,
    PICTURE_WIDTH,
    SHEET_MARGIN,
    SHEET_SIZE,
    SHEET_TOP,
    SMALL_PANEL,
    list_price_places,
    locate_berth,
    locate_cell,
    locate_discoverer,
    locate_discoverer_code,
    locate_panel,
    measure_height,
)
from render.maori.marks import BERTH_RADIUS, PRICE_HEIGHT, PRICE_WIDTH
from render.maori.news import collect_news
from render.maori.panels import (
    describe_player,
    draw_large_panel,
    draw_small_panel,
    order_seats,
    phase_lines,
    seat_with_codes,
)
from render.maori.sample import posed
from render.pad import outcome_line
from render.palette import LAST, LIVERIES, PINNED
from render.png import load_palette, to_palette
from render.sample import NAMES
from tests.engine.maori import table
from tests.render.maori.positions import (
    GOLDEN,
    draft_until,
    golden_scenes,
    match_of,
    private,
    public,
    scene_for,
)
from tests.render.seen import public as told_by
from tests.render.texts import assert_inside, overlap

BYTES = 350 * 1024
AIM = 250 * 1024
WHITE = (255, 255, 255)


def _pixels(image, colour):
    return sum(
        number for number, found in image.getcolors(image.width * image.height) if found == colour
    )


def _sheet(image):
    """Return the part of the picture with the matrix."""
    return image.crop((PANEL_GAP, SHEET_TOP, PANEL_GAP + SHEET_SIZE, SHEET_TOP + SHEET_SIZE))


def _card(image, number):
    """Return the part of the picture with the large board (0) or another one."""
    x, y = locate_panel(number)
    card = SMALL_PANEL if number else LARGE_PANEL
    return image.crop((x, y, x + card.width, y + card.height))


def _space(view, spot, number=0):
    """Return the box of a board's space in the picture."""
    card = SMALL_PANEL if number else LARGE_PANEL
    space, (x, y) = board_of(view.board).by_code[spot], locate_panel(number)
    left = x + card.board[0] + space.column * card.cell
    top = y + card.board[1] + space.row * card.cell
    return left, top, left + card.cell, top + card.cell


def _cell(code):
    x, y = locate_cell(CELLS.index(code))
    return PANEL_GAP + x, SHEET_TOP + y, PANEL_GAP + x + CELL_SIZE, SHEET_TOP + y + CELL_SIZE


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_view_of_a_golden_match_draws(path):
    """Every eleventh, for they differ little from one to the next, and the last."""
    views = list(golden_scenes(path.read_text(encoding="utf-8")))
    for view, scene in (*views[::11], views[-1]):
        assert draw(view, scene).size == (PICTURE_WIDTH, measure_height(len(view.sides)))
    assert (score_sheet(view, scene) is None) is bool(view.to_move)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_pictures_keep_their_proportions(seats):
    assert measure_height(seats) <= PICTURE_WIDTH * 4 / 3
    assert max(PICTURE_WIDTH, measure_height(seats)) <= 1600


@pytest.mark.parametrize("seat", range(5))
def test_seat_colours_are_exact_in_the_sent_picture(seat):
    view, scene = public(match_of(5)[40])
    image = to_palette(draw(view, scene), "maori").convert("RGB")
    number = order_seats(view).index(seat)
    assert _pixels(_card(image, number), LIVERIES[seat].colour) > 1500


@pytest.mark.parametrize("seat", range(5))
def test_small_ships_show_their_seat(seat):
    view, _ = public(match_of(5, rules="pro")[60])
    number = order_seats(view).index(seat)
    place = _space(view, view.sides[seat].ship, number)
    sides = tuple(replace(side, ship="") for side in view.sides)
    images = [
        draw(one, Scene(())).crop(place) for one in (view, replace(view, sides=sides, turn=None))
    ]
    with_ship, without = (_pixels(image, LIVERIES[seat].colour) for image in images)
    assert with_ship >= without + 40


def test_a_small_ship_waits_beside_the_board_until_the_first_tile():
    view = scene_for(match_of(3, rules="advanced")[1], None)
    with_ships = draw(view, Scene(()))
    without = draw(replace(view, rules="basic"), Scene(()))
    for number in range(3):
        box = (
            (0, 0, LARGE_PANEL.width, 60)
            if number == 0
            else (0, 0, SMALL_PANEL.board[0] - SMALL_PANEL.frame_width, SMALL_PANEL.storage[1])
        )
        changed = ImageChops.difference(
            _card(with_ships, number).crop(box), _card(without, number).crop(box)
        )
        assert changed.getbbox() is not None


def test_boards_keep_their_places_regardless_of_turn():
    """For everyone in the order of the seats; a viewer's own board changes places with the
    first.
    """
    for match in match_of(5)[40:45]:
        assert order_seats(scene_for(match, None)) == [0, 1, 2, 3, 4]
        assert seat_with_codes(scene_for(match, None)) == match.waiting_for()[0], (
            "whose spaces have their codes"
        )
        for viewer in range(5):
            places = order_seats(scene_for(match, viewer))
            assert (places[0], places[viewer]) == (viewer, 0)
            assert all(places[seat] == seat for seat in range(1, 5) if seat != viewer)
            strip = _card(draw(scene_for(match, viewer), Scene(NAMES)), 0).crop(
                (0, 0, LARGE_PANEL.strip_width, LARGE_PANEL.height)
            )
            assert _pixels(strip, LIVERIES[viewer].colour) > 3000


def test_the_winner_has_the_large_board_in_the_end():
    over = scene_for(match_of(5)[-1], None)
    winner = over.outcome.winners[0]
    assert winner != 0, "this match shows it"
    places = order_seats(over)
    assert (places[0], places[winner]) == (winner, 0)
    left = match_of(5)[3].resign(0).resign(1).resign(2).resign(3)
    assert order_seats(scene_for(left, None)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seats", [2, 5])
def test_the_seat_to_move_has_a_pointer(seats):
    view = scene_for(match_of(seats)[20], None)
    (mover,) = view.to_move
    other = (mover + 1) % seats
    image = draw(view, Scene(()))
    idle = draw(replace(view, to_move=(other,)), Scene(()))
    for seat in range(seats):
        number = order_seats(view).index(seat)
        card = SMALL_PANEL if number else LARGE_PANEL
        head = (0, 8, card.strip_width + 12, 70)
        changed = ImageChops.difference(
            _card(image, number).crop(head), _card(idle, number).crop(head)
        )
        assert (changed.getbbox() is not None) is (seat in (mover, other))


def test_a_tile_changes_its_board_and_nothing_else():
    view, scene = public(match_of(5)[60])
    last = next(seat for seat in range(1, 5) if seat not in view.to_move)
    side = view.sides[last]
    fewer = replace(side, tiles=side.tiles[:-1])
    views = [
        replace(view, turn=None, sides=(*view.sides[:last], one, *view.sides[last + 1 :]))
        for one in (side, fewer)
    ]
    box = _space(view, side.tiles[-1].spot, last)
    # The track in the title counts the tiles too.
    title = share(PICTURE_WIDTH, TITLE_HEIGHT)
    whole = ImageChops.difference(*(draw(one, scene) for one in views))
    whole.paste(0, (0, 0, whole.width, title))
    changed = whole.getbbox()
    assert changed is not None
    assert box[0] <= changed[0]
    assert box[1] <= changed[1]
    assert changed[2] <= box[2]
    assert changed[3] <= box[3]


def test_the_last_move_is_marked_on_track_matrix_and_board():
    view, scene = public(match_of(5)[60])
    assert view.turn is not None and view.turn.act == "place"
    marked = draw(view, scene)
    number = order_seats(view).index(view.turn.seat)
    left, top, right, bottom = _space(view, view.turn.spot, number)
    assert _pixels(marked.crop((left - 6, top - 6, right + 6, bottom + 6)), LAST) > 300
    assert _pixels(marked.crop(_cell(view.turn.cell)), LAST) > 150
    for position in view.journey:
        x, y = locate_berth(position)
        assert _pixels(_sheet(marked).crop((x - 30, y - 30, x + 30, y + 30)), LAST) > 50
    still = draw(replace(view, turn=None, journey=()), scene)
    assert _pixels(still, LAST) == 0


def test_everything_since_the_last_post_is_marked_in_order():
    """Four turns: journeys on the track, tiles of the matrix, what was placed, and whose turns
    they were.
    """
    match = match_of(5)[44]
    view, scene = told_by(match, 4)
    news = collect_news(view, scene)
    assert [news_item.mark.number for news_item in news] == [1, 2, 3, 4]
    assert [news_item.mark.age for news_item in news] == [2, 2, 1, 0]
    assert [news_item.seat for news_item in news] == [commit.seat for commit in match.commits[-4:]]
    for before, after in pairwise(news):
        assert before.journey[-1] == after.journey[0]
    with record_placements() as notes:
        shown = [thing.shows for thing in notes.on(draw(view, scene))]
    for news_item in news:
        stored = sum(1 for _, what in news_item.panels if what == "stored")
        marked = (
            (len(news_item.journey) > 1) + len(set(news_item.cells)) + len(news_item.spots) + stored
        )
        assert shown.count(f"news:{news_item.mark.number}") == marked
        assert shown.count(f"whose:{news_item.mark.number}") == 1


def test_a_final_board_has_no_news():
    view, scene = told_by(match_of(3)[-1], 2)
    assert scene.events
    assert collect_news(view, scene) == ()


def test_a_scoring_is_marked_on_every_panel():
    view, scene = told_by(match_of(3)[-1], 2)
    news = collect_news(replace(view, outcome=None), scene)
    assert news[-1].seat is None
    assert {seat for seat, what in news[-1].panels if what == "score"} == {0, 1, 2}


def test_a_stored_tile_is_marked_at_the_storage():
    match = next(
        match
        for match in match_of(5)
        if (turn := scene_for(match, None).turn) and turn.act == "store"
    )
    view = scene_for(match, None)
    number = order_seats(view).index(view.turn.seat)
    card = SMALL_PANEL if number else LARGE_PANEL
    image = _card(draw(view, Scene(())), number)
    x, y = card.storage
    assert _pixels(image.crop((x - 5, y - 5, x + 71, y + 71)), LAST) > 200


def test_the_discoverers_positions_are_ringed_with_what_they_cost():
    match = match_of(5)[40]
    view, scene = private(match)
    costs = dict(view.prices)
    assert set(costs) == set(scene.rings)
    assert any(costs.values())
    assert not all(costs.values())
    ringed = _sheet(draw(view, scene))
    plain = _sheet(draw(view, replace(scene, rings=())))
    for position in POSITIONS:
        x, y = locate_berth(position)
        box = (x - 24, y - 24, x + 24, y + 24)
        is_legal = position in scene.rings
        assert (
            _pixels(ringed.crop(box), WHITE) > _pixels(plain.crop(box), WHITE) + 100
        ) is is_legal, position


def test_legal_tiles_are_ringed_and_the_others_dim():
    match = draft_until(match_of(5)[44], "discover_tile")
    view, scene = private(match)
    image = draw(view, scene)
    plain = draw(replace(view, turn=None), replace(scene, rings=()))
    assert scene.rings
    for code in CELLS:
        box = _cell(code)
        bright = [sum(ImageStat.Stat(one.crop(box)).mean) for one in (image, plain)]
        assert (_pixels(image.crop(box), WHITE) > 400) is (code in scene.rings)
        assert (bright[0] < 0.9 * bright[1]) is (code not in scene.rings)


def test_a_volcano_bars_the_line_of_the_discoverer():
    view = scene_for(
        draft_until(match_of(5)[44], "discover_tile"), match_of(5)[44].waiting_for()[0]
    )
    line = LINES[POSITIONS.index(view.discoverer)]
    matrix = list(view.matrix)
    for cell, number in enumerate(matrix):
        matrix[cell] = 1 if number in VOLCANOES else number
    matrix[line[1]] = matrix[next(cell for cell in range(16) if cell not in line)] = VOLCANOES[0]
    image = draw(replace(view, matrix=tuple(matrix)), Scene((), (CELLS[line[0]],)))
    red = (0xDD, 0x3B, 0x22)
    assert _pixels(image.crop(_cell(CELLS[line[1]])), red) > 200
    assert sum(_pixels(image.crop(_cell(code)), red) > 20 for code in CELLS) == 1


@pytest.mark.parametrize("kind", ["place_tile", "remove_tile"])
def test_legal_spaces_are_ringed_on_the_own_board(kind):
    match = draft_until(match_of(4)[30], kind, *(("remove",) if kind == "remove_tile" else ()))
    view, scene = private(match)
    image = draw(view, scene)
    plain = draw(view, replace(scene, rings=()))
    board = board_of(view.board)
    assert set(scene.rings) <= set(board.by_code)
    for code in board.by_code:
        box = _space(view, code)
        gained = _pixels(image.crop(box), WHITE) - _pixels(plain.crop(box), WHITE)
        assert (gained > 300) is (code in scene.rings), code


def test_unknown_spots_and_spots_of_others_are_not_ringed():
    match = match_of(4)[30]
    view = scene_for(match, None)
    assert (
        draw(view, Scene((), ("pass", "zz9", "ab", ""))).tobytes()
        == draw(view, Scene(())).tobytes()
    )
    watching = scene_for(match, (match.waiting_for()[0] + 1) % 4)
    assert draw(watching, Scene((), ("r1",))).tobytes() == draw(watching, Scene(())).tobytes()


def test_the_atoll_and_its_ship_are_printed_until_a_tile_covers_them():
    view = scene_for(match_of(4, "atoll")[1], None)
    image = draw(view, Scene(()))
    inner, outer = (image.crop(_space(view, code)).getpixel((12, 42)) for code in ("r3", "q3"))
    assert sum(inner) > sum(outer) + 40
    middle = image.crop(_space(view, "s3"))
    assert (
        _pixels(middle, (0xFF, 0xF3, 0xDC))
        > 200
        > _pixels(image.crop(_space(view, "s2")), (0xFF, 0xF3, 0xDC))
    )


def test_removed_islands_stay_as_prints_in_the_water():
    view = scene_for(match_of(5)[-1], None)
    seat = next(seat for seat, side in enumerate(view.sides) if side.removed)
    number = order_seats(view).index(seat)
    gone = replace(view, sides=tuple(replace(side, removed=()) for side in view.sides))
    shown = draw(view, Scene(()))
    empty = draw(gone, Scene(()))
    box = _space(view, view.sides[seat].removed[0].spot, number)
    assert ImageChops.difference(shown.crop(box), empty.crop(box)).getbbox() is not None
    lying = next(laid.spot for laid in view.sides[seat].tiles)
    pale, bright = (
        sum(ImageStat.Stat(shown.crop(one)).stddev) for one in (box, _space(view, lying, number))
    )
    assert pale < bright / 2


def _with_tiles(tiles, kind="move_discoverer"):
    """Return what the first of two seats sees with these tiles on its board."""
    matrix = table.matrix_with(p=15)
    play = table.position(table.side(tiles), table.side(), discoverer="8", matrix=matrix)
    rings = ()
    if kind == "place_tile":
        play.play("9,p")
        rings = tuple(option.spot for option in play.decision.options if option.spot)
    view = replace(play.game.view(play.state, 0), to_move=(0,))
    return view, Scene(NAMES[:2], rings=rings)


def _hatched(view, scene, spot):
    """Return how many pixels of a space are hatched."""
    return _pixels(draw(view, scene).convert("RGB").crop(_space(view, spot)), HATCH)


def test_tiles_that_wont_count_are_hatched():
    blocked, scene = _with_tiles("r1=15 r2=79 s1=15 s2=25")
    free, _ = _with_tiles("r1=15 s1=15 s2=25")
    assert _hatched(blocked, scene, "r1") > 200 > _hatched(free, scene, "r1")
    assert _hatched(blocked, scene, "s1") == _hatched(free, scene, "s1")


def test_spaces_where_a_tile_wont_count_are_hatched():
    view, scene = _with_tiles("", "place_tile")
    hatched, plain = draw(view, scene), draw(replace(view, cautions=()), scene)
    for spot, is_hatched in (("s5", True), ("q5", True), ("s1", False), ("r3", False)):
        place = _space(view, spot)
        changed = ImageChops.difference(hatched.crop(place), plain.crop(place)).getbbox()
        assert (changed is not None) is is_hatched


@pytest.mark.parametrize(
    ("tiles", "kind", "is_explained"),
    [
        ("r1=15", "move_discoverer", False),
        ("r1=15 r2=79", "move_discoverer", True),
        ("r1=15", "place_tile", True),
    ],
)
def test_a_legend_explains_the_hatch_where_there_is_one(tiles, kind, is_explained):
    with record_texts() as texts:
        draw(*_with_tiles(tiles, kind))
    legends = [text.text for text in texts if text.text.startswith("Hatched")]
    assert bool(legends) is is_explained


def test_the_supply_fills_the_place_of_a_missing_board():
    for seats in (2, 4):
        view, scene = public(match_of(seats)[12])
        before = draw(view, scene)
        after = draw(replace(view, supply=view.supply[1:], bank=view.bank + 1), scene)
        assert (
            ImageChops.difference(_card(before, seats), _card(after, seats)).getbbox() is not None
        )
        assert ImageChops.difference(_card(before, 0), _card(after, 0)).getbbox() is None


@pytest.mark.parametrize("position", POSITIONS)
def test_the_discoverers_code_hides_neither_a_tile_nor_its_price_nor_another_position(position):
    """On the track, between the ship and the next position, which never costs anything."""
    code = _around(locate_discoverer_code(position), 15, 10)
    unpriced = position, POSITIONS[(POSITIONS.index(position) + 1) % 16]
    tiles = (
        SHEET_MARGIN - 4,
        SHEET_MARGIN - 4,
        SHEET_SIZE - SHEET_MARGIN + 4,
        SHEET_SIZE - SHEET_MARGIN + 4,
    )
    discs = [
        _around(locate_berth(other), BERTH_RADIUS + 3, BERTH_RADIUS + 3)
        for other in POSITIONS
        if other != position
    ]
    labels = [
        _around(list_price_places(other)[0], PRICE_WIDTH // 2, PRICE_HEIGHT // 2)
        for other in POSITIONS
        if other not in unpriced
    ]
    for box in (tiles, *discs, *labels):
        assert not overlap(code, box)
    assert min(code) >= 0 and max(code) <= SHEET_SIZE


@pytest.mark.parametrize("position", POSITIONS)
def test_the_price_of_a_position_leaves_every_number_in_sight(position):
    label = _around(list_price_places(position)[0], PRICE_WIDTH // 2, PRICE_HEIGHT // 2)
    for other in POSITIONS:
        assert not overlap(label, _around(locate_berth(other), 14, 9))
    assert min(label) >= 0 and max(label) <= SHEET_SIZE


def test_the_discoverer_is_drawn_whole_at_every_position():
    for position in POSITIONS:
        assert all(
            HARBOUR_RADIUS <= place <= SHEET_SIZE - HARBOUR_RADIUS
            for place in locate_discoverer(position)
        )


def _around(place, across, down):
    return place[0] - across, place[1] - down, place[0] + across, place[1] + down


def test_codes_fit_their_places():
    for code in (*POSITIONS, *CELLS.upper()):
        assert text_width(code, Face.STRONG, 24) <= 34
    for space in board_of("atoll").spaces:
        assert text_width(space.code.upper(), Face.STRONG, 29) <= CELL_SIZE * 0.7
    places = [locate_berth(position) for position in POSITIONS]
    assert all(
        abs(a[0] - b[0]) + abs(a[1] - b[1]) >= CELL_SIZE * 0.9 for a, b in combinations(places, 2)
    )


LONG_NAMES = {
    "short": ("A", "B", "C", "D", "E"),
    "long": ("W" * 32, "Maximilian of the Windward Isles", "i" * 32, "Mm " * 10, "Alexandrina"),
    "macrons": (
        "Tāne Māhuta ōēīū",
        "Kealiʻi Keʻala",
        "Ngā Tamariki o te Kōhanga",
        "ʻŌpūnui",
        "Hōkūleʻa",
    ),
    "odd": ("", "   ", "漢字の名前です", "😀😀 Sina", "line\nbreak\ttab \u202e rtl"),
}


@pytest.mark.parametrize("names", LONG_NAMES.values(), ids=LONG_NAMES)
def test_no_text_leaves_its_box_or_runs_into_another(names):
    view = scene_for(match_of(5)[-1], None)
    sides = [
        replace(side, tiles=side.tiles[:1], removed=(), shells=30, ships=22) for side in view.sides
    ]
    view = replace(view, scores=(-16, 137, 100, -9, 0), sides=tuple(sides), matrix=(0,) * 16)
    with use_mode(Mode(fine=1, cut=1, keep=False)), record_texts() as texts:
        draw(view, Scene(names))
        draw(
            replace(view, viewer=0, phase="last_turns", to_move=(3,), rules="advanced"),
            Scene(names),
        )
        renderer(view, "score_sheet")(view, Scene(names))
    assert {"Maori", "Score sheet", "137", "−16"} <= {text.text for text in texts}
    assert_inside(texts)
    for first, second in combinations(texts, 2):
        if first.canvas is second.canvas and (first.text, first.box) != (second.text, second.box):
            assert not overlap(first.box, second.box), (first, second)


def test_the_chip_and_the_phase_say_how_the_match_stands():
    first = scene_for(match_of(2)[0], None)
    last = scene_for(match_of(2)[-1], None)
    names = ("Ana", "Bea")
    chip = chip_of(first, names)
    assert chip is not None
    assert (chip.name, chip.verb) == (names[first.to_move[0]], "to move")
    assert phase_lines(first)[1] == "81 tiles, 20 shells left"
    assert phase_lines(replace(first, phase="play", round=4, rules="pro", supply=(1,), bank=1)) == (
        "Round 4 · pro",
        "1 tile, 1 shell left",
    )
    assert chip_of(last, names).seats == last.outcome.winners
    assert chip_of(last, names).verb == "wins"
    tied = replace(
        last.outcome,
        scores=(9, 9),
        ranking=((1,), (0,)),
        tiebreak=((("shells", 3),), (("shells", 4),)),
    )
    broken = replace(last, scores=(9, 9), outcome=tied)
    assert outcome_line(broken, names) == "Bea wins with 9 points, on the tiebreak: 4 shells"


@pytest.mark.parametrize(
    "name", ["Maximilian", "Tāne Māhuta", "Kealiʻi Keʻala", "Wonderful Navigator"]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_name_of_twenty_letters_is_not_cut(name, seat):
    view = replace(scene_for(match_of(5)[40], None), scores=(-16,) * 5, to_move=(2,))
    with record_texts() as texts:
        (draw_small_panel if seat else draw_large_panel)(describe_player(view, seat, name, (), ()))
    assert name in {text.text for text in texts}


def test_points_are_large_and_dark_and_have_a_true_minus():
    view = replace(scene_for(match_of(5)[40], None), scores=(-16, 5, -1, 0, 12))
    with use_mode(Mode(fine=1, cut=1, keep=False)), record_texts() as texts:
        draw(view, Scene(()))
    points = [
        text
        for text in texts
        if text.text in ("−16", "5", "−1", "0", "12") and text.box[3] - text.box[1] > 24
    ]
    assert sorted(text.text for text in points) == sorted(("−16", "5", "−1", "0", "12"))
    assert not any("-" in text.text for text in texts)


def test_points_are_on_a_sheet_of_their_own_when_the_match_is_over():
    assert score_sheet(*public(match_of(3)[5])) is None
    data = score_sheet(*public(match_of(3)[-1]))
    assert data is not None and len(data) < 100 * 1024


def test_the_palette_holds_the_pinned_colours_and_is_trained_on_every_question():
    assert load_palette("maori")[: len(PINNED)] == PINNED
    shown = [
        (view.board, view.rules, len(view.sides), bool(view.hand), view.phase)
        for view, _ in posed()
    ]
    assert {(board, rules) for board, rules, *_ in shown} >= {
        ("front", "basic"),
        ("atoll", "advanced"),
        ("front", "pro"),
    }
    assert {True, False} == {has_hand for *_, has_hand, _ in shown}
    assert "over" in {phase for *_, phase in shown}
