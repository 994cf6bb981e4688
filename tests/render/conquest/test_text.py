"""Conquest of Paradise in words, and the words in its pictures."""

import pytest
from msgspec.structs import replace

from engine import Table
from engine.conquest.board import CARDS
from engine.conquest.view import BuildView, CardView
from engine.core.words import points
from render import Scene, alt_text, draw, hand, renderer, score_sheet, text_board
from render.alt import LIMIT
from render.canvas import Mode, use_mode
from render.conquest.layout import TEXT, WIDTH
from render.conquest.own_band import cards_within, list_in_lines
from render.conquest.scores import card_points
from render.conquest.step_band import draw_steps
from render.conquest.windows import film_windows
from render.fonts import Face, record_texts, text_width
from render.pad import outcome_line
from render.words import words_of
from tests.render.conquest.positions import battle_of, first_of, match_of, scene_for
from tests.render.texts import assert_apart

WORDS = words_of("conquest")
LONG = ("M" * 400, "T" * 400, "K" * 400, "S" * 400)
NAMES = {
    "long": ("W" * 32, "Maximilian of the Windward Isles", "i" * 32, "Mm " * 10),
    "macrons": ("Tāne Māhuta ōēīū ĀĒĪŌŪ", "Kealiʻi Keʻala", "Ngā Tamariki o te Kōhanga", "ʻŌpūnui"),
    "odd": (
        "",
        "漢字の名前です",
        "a\u0301\u0302 zalgo\u0489",
        "line\nbreak\ttab \u202e rtl \u0000",
    ),
}
QUICK = Mode(fine=1, cut=1, keep=False)


def _crowded():
    """Return a private view with as much to say as possible."""
    view, _ = scene_for(first_of("build_item", turn=6), private=True)
    hand = tuple(CardView(key, True, True) for key in list(CARDS)[:12])
    items = tuple((item, "f8") for item in ("t", "o", "w", "b", "c", "v", "a", "card"))
    own = replace(view.own, hand=hand, points=27.5, build=BuildView(items, ("f7", "f8"), False))
    nations = tuple(
        replace(
            nation,
            villages=18,
            open_canoes=16,
            hand=12,
            saved=True,
            kumara=True,
            ready=True,
            track=20.5,
        )
        for nation in view.nations
    )
    return replace(
        view, own=own, nations=nations, scores=(27.5, 20.5, 10.5, 0.5), kumara_played=True
    )


VIEWS = {
    "crowded": _crowded,
    "fight": lambda: scene_for(battle_of(2), private=True)[0],
    "three": lambda: scene_for(first_of("explore_on", 3, turn=3), private=True)[0],
    "final": lambda: match_of(4)[-1].view(None),
}


@pytest.mark.parametrize(
    ("position", "names"),
    [*((position, "long") for position in VIEWS), ("crowded", "macrons"), ("crowded", "odd")],
)
def test_no_text_leaves_its_box_or_runs_into_another(position, names):
    view = VIEWS[position]()
    with use_mode(QUICK), record_texts() as texts:
        for part in ("draw", "score_sheet"):
            renderer(view, part)(view, Scene(NAMES[names]))
    written = {text.text for text in texts}
    assert {"Conquest of Paradise", "VP"} < written
    # Knots matter while Explorers are sent out, and in no other Step.
    assert ({"Knots", "Return", "Lost", "Cup"} <= written) == (view.step == "exploration")
    assert not written & {"1st", "2nd", "3rd", "4th"}, "the turn order looks like a ranking"
    assert_apart(texts)


def test_an_alt_text_lists_holdings_and_legal_spots_on_a_full_map():
    shortened = 0
    for match in match_of(4, advanced=True)[-120::8]:
        view, scene = scene_for(match, private=True)
        crowded = replace(
            scene, names=LONG, question="where to go " * 8, last="Moana sailed. " * 10
        )
        text = alt_text(view, crowded)
        board = text[text.index("Board: ") :]
        shortened += " hexes" in board
        assert len(text) <= LIMIT
        for seat, letter in enumerate("RYVW"):
            held = [group for group in view.groups if group.owner == seat]
            own = board.split(f"{letter} Villages ")[-1].split("; ")[0]
            assert all(f"{group.spot.upper()} {group.villages}" in own for group in held), (
                letter,
                text,
            )
        assert not scene.rings or "You can choose: " in text
    assert shortened


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_alt_texts_never_exceed_the_limit_nor_lose_a_seat(seats):
    for match in match_of(seats, advanced=True)[::4]:
        for private in (False, True):
            view, scene = scene_for(match, private)
            scene = replace(scene, names=LONG[:seats], question="where " * 400, last="there " * 400)
            text = alt_text(view, scene)
            assert len(text) <= LIMIT
            assert all(
                f"{letter} {name[:15]}" in text
                for letter, name in zip("RYVW", LONG[:seats], strict=False)
            )


def test_the_alt_text_tells_the_position():
    match = first_of("explore_on", 2, turn=3)
    view, _ = scene_for(match, private=False)
    text = alt_text(view, Scene(("Ana", "Bea"), ("g7", "h8"), "Sail on?", "Bea: Explorer to H8."))
    # What changed comes first.
    assert text.startswith(
        f"Latest: Bea: Explorer to H8. Conquest of Paradise, turn {view.turn}, Exploration, "
        f"{view.goal} points to win. "
    )
    letter, name = ("R", "Ana") if view.to_move == (0,) else ("Y", "Bea")
    assert f"{letter} {name} to move: Sail on?" in text
    nation = replace(view.nations[0], villages=3, groups=1, open_canoes=0, pieces=9, hand=2)
    description = alt_text(replace(view, nations=(nation, view.nations[1])), Scene(("Ana", "Bea")))
    assert (
        f"R Ana: {points(view.scores[0])} points, 3 Villages, 1 group, 9 pieces, 2 cards"
        in description
    )
    assert f"Explorer at {view.voyage.at.upper()}, {view.voyage.knots} Knot" in text
    assert text.endswith("You can choose: G7 H8.")


def test_the_final_alt_text_names_the_winner():
    match = match_of(4)[-1]
    (first,) = match.outcome.ranking[0]
    assert f"{'RYVW'[first]} {'ABCD'[first]} wins." in alt_text(
        match.view(None), Scene(tuple("ABCD"))
    )


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_words_tell_nothing_that_the_viewer_cannot_know(viewer):
    for match in match_of(4, advanced=True)[7::19]:
        dealt = match.game.redeal(match.base, viewer, Table(f"words {match.number}"))
        for words in (alt_text, text_board):
            before, after = (
                words(match.game.view(state, viewer), Scene(())) for state in (match.base, dealt)
            )
            assert before == after


def test_the_text_board_holds_the_whole_position():
    match = first_of("build_item", turn=7)
    view, scene = scene_for(match, private=True)
    text = text_board(view, scene)
    for group in view.groups:
        assert f"{group.spot.upper()} {WORDS.word(group.key)}" in text
    for tile in view.tiles:
        assert tile.up or f"{tile.spot.upper()} a face-down tile" in text
    for stack in view.stacks:
        assert any(
            line.startswith(f"{stack.spot.upper()} {'RYVW'[stack.seat]}")
            for line in text.splitlines()
        )
        if stack.seat == view.viewer and stack.kinds.b:
            assert "Warrior Band" in text
    for card in view.own.hand:
        assert WORDS.word(card.key) in text
    for tile in view.own.tiles:
        assert f"{tile.spot.upper()} a face-down tile, seen by" in text
    unknown = [hex.spot.upper() for hex in view.hexes if hex.face == "unknown"]
    assert f"Still Unknown: {' '.join(unknown)}." in text


def test_the_text_board_tells_a_battle():
    view, scene = scene_for(battle_of(2), private=False)
    text = text_board(view, scene)
    row = view.battle.rows[0]
    assert f"Battle at {view.battle.spot.upper()}, {'RYVW'[view.battle.attacker]} against" in text
    assert (row.w, row.b, row.l) == (1, 0, 0)
    assert "front 1 War Canoe, " in text


def test_cards_that_do_not_fit_are_counted():
    names = [WORDS.word(card) for card in list(CARDS)[:9]]
    room = text_width(" · ".join(names), Face.LABEL, 30)
    assert cards_within(names, room) == " · ".join(names)
    description = cards_within(names, room // 2)
    shown = sum(name in description for name in names)
    assert 0 < shown < 9 and description.endswith(f"{names[shown - 1]} and {9 - shown} more")
    assert cards_within((), room) == ""


def test_there_is_a_score_sheet_at_the_end_only():
    scene = Scene(("Ana", "Bea", "Cem", "Dua"))
    assert score_sheet(match_of(4)[-2].view(None), scene) is None
    assert score_sheet(match_of(4)[-1].view(None), scene)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_score_sheet_adds_up(seats):
    view = match_of(seats, advanced=True)[-1].view(None)
    for seat, nation in enumerate(view.nations):
        score = nation.score
        parts = (
            score.villages + score.groups + score.atolls + score.kumara + card_points(view, seat)
        )
        assert parts == view.scores[seat]
        assert card_points(view, seat) >= score.cards


def test_the_verdict_says_what_broke_a_tie():
    view = match_of(2)[-1].view(None)

    def verdict(scores, ranking, *tiebreak):
        parts = tuple((("groups", groups), ("cards", cards)) for groups, cards in tiebreak)
        outcome = replace(view.outcome, scores=scores, ranking=ranking, tiebreak=parts)
        return outcome_line(replace(view, scores=scores, outcome=outcome), ("Ana", "Bea"))

    level = (12.5, 12.5)
    assert verdict(level, ((0, 1),), (3, 2), (3, 2)) == "Ana and Bea share the win with 12½ points"
    assert verdict((12.5, 13), ((1,), (0,)), (3, 2), (3, 2)) == "Bea wins with 13 points"
    assert (
        verdict(level, ((0,), (1,)), (4, 2), (3, 2))
        == "Ana wins with 12½ points, on the tiebreak: 4 groups"
    )
    assert (
        verdict(level, ((1,), (0,)), (3, 2), (3, 3))
        == "Bea wins with 12½ points, on the tiebreak: 3 cards"
    )


def test_own_pieces_are_listed_by_place():
    view = _crowded()
    description = hand(view, Scene(())).splitlines()
    own = next(stack for stack in view.stacks if stack.seat == view.viewer)
    home = view.nations[view.viewer].home.upper()
    assert description[0].startswith("Home: ") and description[0].endswith(f"({home}).")
    assert description[1].startswith("Cards: Hui (used) · Moai (used) · ")
    assert description[1].endswith("Ocean Chart (used).")
    secret = replace(view.own, hand=(*view.own.hand, CardView("haka", False, False)))
    cards = hand(replace(view, own=secret), Scene(())).splitlines()[1]
    assert cards.endswith("; 27½ points counting all of them."), "what nobody else can count"
    assert any(line.startswith("At ") and f"({own.spot.upper()}): " in line for line in description)
    assert any(line.startswith("Pieces you can still build: ") for line in description)
    listed = (
        "Your list: canoe F8, face-up canoe F8, War Canoe F8, Band F8, Colony F8, Village "
        "F8, Agriculture F8, card, "
    )
    assert any(
        line.startswith(f"{listed}F7 settles, F8 settles; points left: ") for line in description
    )
    assert description[-1] == (
        "Standing orders: Battle losses (spare my best), Battle cards (ask each Battle)."
    )
    assert hand(view, Scene(())) in text_board(view, Scene(()))


def test_a_spectator_has_no_own_pieces():
    assert hand(scene_for(first_of("build_item", turn=6), private=False)[0], Scene(())) == ""


def test_the_text_board_tells_of_malaria_and_the_way_to_south_america_where_they_are_played():
    view, scene = scene_for(match_of(2)[0], private=False)
    assert "malaria" not in text_board(view, scene)
    description = text_board(replace(view, malaria_played=True, kumara_played=True), scene)
    assert (
        "B6 Solomon Islands, Independent, 3 green boxes and 1 brown box, 3 Local Warriors, "
        "malaria on 3 and 4." in description
    )
    assert (
        "To South America you set out from S8 R9 and land from V5 V6 V7 V8 V9; on the way are "
        "Galapagos U5, Unfortunate V9." in description
    )


def test_a_build_list_goes_on_in_a_second_line_before_its_letters_get_small():
    room = WIDTH * 7 // 8
    long = "Agriculture E7, War Canoe D10, Agriculture F7; points left: 1/3 + 0/3 + 0/2 + 1/1 + 1/1"
    lines, size = list_in_lines(long, room)
    assert " ".join(lines) == long and len(lines) == 2 and size == TEXT
    assert all(text_width(line, Face.LABEL, size) <= room for line in lines)
    lines, size = list_in_lines("Agriculture E7; points left: 1/3", room)
    assert len(lines) == 1 and size > TEXT
    lines, size = list_in_lines(f"{long}, {long}", room)
    assert len(lines) == 2 and size < TEXT, "nothing of a list is left out"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_signs_beside_the_points_are_explained(seats):
    view, scene = scene_for(match_of(seats)[20], private=False)
    bare = [replace(one, ready=False, saved=False, explorer="home") for one in view.nations]
    for sign, text in (({"ready": True}, "has answered"), ({"explorer": "lost"}, "Explorer lost")):
        first = replace(bare[0], **sign)
        for nations, is_explained in (((first, *bare[1:]), True), (tuple(bare), False)):
            with record_texts() as texts, use_mode(QUICK):
                draw_steps(replace(view, nations=nations), scene.names)
            assert (text in {written.text for written in texts}) == is_explained
            assert_apart(texts)


@pytest.mark.parametrize(("last", "has_knots"), [(-2, True), (-1, False)])
def test_a_film_shows_knots_until_the_end(last, has_knots):
    view, scene = scene_for(match_of(4)[last], private=False)
    (window,) = film_windows([view])
    with use_mode(QUICK), record_texts() as texts:
        draw(view, replace(scene, window=window, in_film=True))
    assert ("Knots" in {text.text for text in texts}) == has_knots
