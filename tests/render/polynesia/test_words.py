"""The texts of Polynesia's pictures: all fit, and they describe the whole position."""

import pytest
from msgspec.structs import replace

from engine import Seat
from engine.core.words import words_of
from engine.polynesia.board import TRACK, tide_cards
from render import Scene, alt_text, hand, renderer, text_board
from render.alt import LIMIT
from render.canvas import Mode, use_mode
from render.fonts import ELLIPSIS, record_texts
from render.news import Mark
from render.palette import livery_of
from render.polynesia.layout import PICTURE_WIDTH, to_pixels
from render.polynesia.panels import Owner, describe_phase, draw_seat_panel
from render.polynesia.strip import draw_tide_cards, tide_reminder
from tests.render.polynesia.positions import golden, match_of, private, public
from tests.render.test_text import NAMES
from tests.render.texts import assert_apart

QUICK = Mode(fine=1, cut=1, keep=False)
LONG = ("M" * 400, "T" * 400, "K" * 400, "S" * 400)
LETTERS = "RYVW"


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("part", ["draw", "score_sheet"])
def test_no_text_leaves_its_box_or_runs_into_another(names, part, monkeypatch):
    view, _ = public(match_of(4)[-1])
    ground = renderer(view, "draw").__globals__["draw_ground"](view.map, 4, True)
    monkeypatch.setitem(renderer(view, "draw").__globals__, "draw_ground", lambda *which: ground)
    with use_mode(QUICK), record_texts() as texts:
        renderer(view, part)(view, Scene(names))
    assert {"Polynesia"} < {text.text for text in texts}
    assert_apart(texts)


@pytest.mark.parametrize("name", ["W" * 32, "Moana"])
def test_the_fullest_panel_holds_its_texts(name):
    side = match_of(4)[-1].view(None).sides[0]
    every = ("mask",) * 3 + ("turtle",) * 2 + ("fish",) * 2 + ("shell",) * 2 + ("ship",) * 2
    full = replace(
        side, fish=28, shells=28, ships=15, masks=3, tokens=every, points=10, home=0, value=7
    )
    with use_mode(QUICK), record_texts() as texts:
        draw_seat_panel(
            Owner(
                0,
                name,
                -28,
                full,
                True,
                True,
                True,
                (("fish", Mark()), ("score", Mark())),
                (Mark(1), Mark(2)),
            )
        )
    assert_apart(texts)
    assert any(text.text.startswith(name[:3]) for text in texts), "a name is never cut to nothing"


@pytest.mark.parametrize("marker", TRACK)
def test_every_space_of_the_phase_track_has_a_name(marker):
    phase = describe_phase(replace(match_of(2)[0].view(None), marker=marker))
    assert phase and not phase.startswith("phase.")


@pytest.mark.parametrize("card", tide_cards())
def test_every_tide_card_has_a_reminder_that_fits_its_line(card):
    tides = {"1": "1.1", "2": "2.1", "3": "3.8"} | {card[0]: card}
    with use_mode(QUICK), record_texts() as texts:
        draw_tide_cards(tuple(tides.values()), 10)
    assert_apart(texts)
    (text,) = [text for text in texts if text.text == tide_reminder(card)]
    assert text.box[2] <= text.canvas.width - to_pixels(8)
    assert ELLIPSIS not in text.text


def test_codes_have_the_size_of_the_house():
    assert to_pixels(30) >= round(0.025 * PICTURE_WIDTH)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_alt_texts_never_exceed_the_limit_nor_lose_a_seat(seats):
    for match in match_of(seats)[::5]:
        view, scene = public(match)
        crowded_scene = replace(
            scene, names=LONG[:seats], question="where " * 400, last="there " * 400
        )
        text = alt_text(view, crowded_scene)
        assert len(text) <= LIMIT
        assert all(
            f"{letter} {name[:15]}" in text
            for letter, name in zip(LETTERS, LONG[:seats], strict=False)
        )


def test_the_alt_text_tells_the_position():
    view, scene = private(match_of(4)[60], "travel")
    text = alt_text(
        view, replace(scene, question="Who travels, and where?", last="Keʻala explored I18-A2.")
    )
    # What changed comes first.
    assert text.startswith(
        f"Latest: Keʻala explored I18-A2. Polynesia, round {view.round}, Phase Marker on "
        f"{view.marker}, 3 of 6 red stones; points as if the volcano erupted now."
    )
    seat = view.to_move[0]
    assert f"{LETTERS[seat]} {scene.names[seat]} to move: Who travels, and where?" in text
    side = view.sides[0]
    assert (
        f"R Moana: {view.scores[0]:.0f} points, {side.fish} fish, {side.shells} shells, "
        f"{side.ships} ships" in text
    )
    assert (
        f"{side.home} at home, best free space {side.value}, "
        "tokens 1 turtle and 1 fish, 2 Point tokens" in text
    )
    assert "Board: Tide cards 1.3 2.3 3.2; M R×3; N1 V×1" in text


def test_the_alt_text_names_routes_tokens_and_legal_codes_where_there_is_room():
    view, scene = public(match_of(2)[20])
    text = alt_text(view, replace(scene, rings=("m", "n1-i5")))
    route = next(route for route in view.routes if route.owners)
    island = next(island for island in view.islands if island.token)
    assert f"{route.spot.upper()} {LETTERS[route.owners[0]]} {route.type}" in text
    assert f"{island.token} token {island.spot.upper()}" in text
    assert text.endswith("You can choose: M N1-I5.")


def test_the_alt_text_finds_the_last_move_by_itself():
    described = {
        alt_text(*public(match)).split("Latest: ")[-1].split(". ")[0] for match in match_of(4)[1:40]
    }
    assert "V Keʻala sailed M to N1, M to N3, M to N2" in described
    assert "W Sina explored N1-I5" in described


def test_the_final_alt_text_names_the_winner():
    match = match_of(4)[-1]
    first = match.outcome.ranking[0][0]
    assert f"{LETTERS[first]} {'ABCD'[first]} wins." in alt_text(
        match.view(None), Scene(tuple("ABCD"))
    )


@pytest.mark.parametrize("name", ["four-seats", "three-seats"])
def test_the_text_board_holds_the_whole_position(name):
    match = golden(name)[-1]
    view, scene = public(match)
    text = text_board(view, scene)
    lines = text.splitlines()
    for island in view.islands:
        (line,) = [line for line in lines if line.startswith(f"{island.spot.upper()}: ")]
        for seat, number in enumerate(island.members):
            assert (f"{livery_of(seat).letter}×{number}" in line) is bool(number)
        assert ("token" in line) is bool(island.token)
        assert ("destroyed" in line) is island.destroyed
    for route in view.routes:
        owners = "".join(livery_of(seat).letter for seat in route.owners)
        state = (
            "neutral" if route.neutral else f"{owners}, {route.type}" if owners else "unexplored"
        )
        assert f"{route.spot.upper()}: {state}." in lines
    for card in view.tides:
        assert f"Tide card {card}: {words_of('polynesia').word(f'tide_{card}')}" in lines
    for row in view.rows:
        assert (
            f"turtles {row.turtles}, turtle tokens {row.tokens}, Point tokens {row.points}" in text
        )


def test_the_text_board_of_a_match_in_play_counts_as_if_it_ended():
    view, scene = public(match_of(3)[30])
    text = text_board(view, scene)
    assert "Points if the volcano erupted now:" in text
    assert f"In the bag: {view.bag[0]} red, {view.bag[1]} grey, {view.bag[2]} black." in text
    assert f"{'RYV'[view.first]} {scene.names[view.first]} has the Starting Player token." in text


def test_the_hand_tells_viewers_what_they_have_and_where():
    match = match_of(4)[60]
    view = match.view(Seat(0))
    lines = hand(view, Scene(NAMES["short"])).splitlines()
    side = view.sides[0]
    assert lines[0].startswith(
        f"{view.scores[0]:.0f} points, {side.fish} fish, {side.shells} shells, "
    )
    assert (
        lines[1]
        == f"{side.home} of 13 members on the personal board, {side.ships_out} ships on the map."
    )
    standing = [
        f"{island.members[0]} on {island.spot.upper()}"
        for island in view.islands
        if island.members[0]
    ]
    assert lines[2] == f"Members: {', '.join(standing)}."
    sailing = [f"{route.spot.upper()} ({route.type})" for route in view.routes if 0 in route.owners]
    assert lines[3] == f"Ships: {', '.join(sailing)}."
    assert hand(match.view(None), Scene(NAMES["short"])) == ""
    assert hand(match_of(4)[0].view(Seat(1)), Scene(())).endswith("Members: 5 on M.\nShips: none.")
