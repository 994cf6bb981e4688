"""The private panel, for any game, within Discord's limits."""

import re

import pytest

from bot.components import ids
from bot.components.ids import Control
from bot.panel import build, presses
from bot.text import describe
from engine import GAMES, Answer, Decision, IllegalAnswer, Match, Option, Seat, begin
from tests.bot.tables import button_of, check_rows, labels, menus, quiz, room_of
from tests.toy import TOY, WORDS

ME = Seat(0)


@pytest.fixture
def toy_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy speaks, although no catalog has it."""
    monkeypatch.setattr("bot.text.describe.words_of", lambda game: WORDS)


def options(count: int, group: str = "", key: str = "o") -> tuple[Option, ...]:
    return tuple(Option(f"{key}{number}", spot=f"{key}{number}", group=group) for number in range(count))


def lagoon() -> Match:
    return begin(GAMES["blue_lagoon"], 2, seed=7)


@pytest.mark.parametrize("count", [1, 2, 5, 6, 10])
def test_a_few_short_options_are_buttons(count: int) -> None:
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", options(count)))), ME)
    check_rows(made.rows)
    assert not menus(made.rows) and len(labels(made.rows)) == count


def test_fifteen_very_short_options_are_three_rows_of_buttons() -> None:
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", options(15)))), ME)
    assert [len(row) for row in made.rows if isinstance(row, tuple)] == [5, 5, 5]


@pytest.mark.parametrize("count", [16, 24, 25])
def test_up_to_25_options_are_one_menu(count: int) -> None:
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", options(count, "west")))), ME)
    check_rows(made.rows)
    (menu,) = menus(made.rows)
    assert len(menu.choices) == count


def test_long_labels_go_into_a_menu_and_are_cut() -> None:
    keys = tuple(Option("x" * 24 + str(number), facts=(("key2", "y"),)) for number in range(5))
    made = build.build_panel(room_of(quiz(Decision(ME, "k" * 40, keys))), ME)
    check_rows(made.rows)


def test_a_few_groups_are_a_menu_each() -> None:
    grouped = tuple(option for name in "abcd" for option in options(20, name, name))
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", (*grouped, Option("pass", ends=True))))), ME)
    check_rows(made.rows)
    assert [len(menu.choices) for menu in menus(made.rows)] == [20, 20, 20, 20]
    assert labels(made.rows) == ["PASS"]


def worst_case() -> Decision:
    """206 options in 18 groups: more than any position of Blue Lagoon has shown."""
    sizes = {"sea-1": 23, "sea-2": 23}
    sizes |= {f"{piece}-{island}": 10 for piece in ("settler", "village") for island in "abcdefgh"}
    found = [o for name, size in sizes.items() for o in options(size, name, f"{name[0]}{name[-1]}x")]
    return Decision(ME, "place_piece", tuple(found))


def test_many_groups_are_two_levels_with_their_codes_listed() -> None:
    decision = worst_case()
    assert len(decision.options) == 206
    room = room_of(quiz(decision))
    top = build.build_panel(room, ME)
    check_rows(top.rows)
    (menu,) = menus(top.rows)
    assert (
        len(menu.choices) == 18 and "SAX0 SAX1" in next(c for c in menu.choices if c.value == "settler-a").description
    )
    assert len(top.rings) == 206
    for line in menu.choices:
        below = build.build_panel(room, ME, group=line.value)
        check_rows(below.rows)
        (inner,) = menus(below.rows)
        members = [option.key for option in decision.options if option.group == line.value]
        assert [choice.value for choice in inner.choices] == members
        assert set(below.rings) == set(members)
        assert "Back" in labels(below.rows)


def test_every_option_can_be_reached_however_badly_a_game_groups_them() -> None:
    ungrouped = Decision(ME, "ask", options(300))
    made = build.shelves(ungrouped.options)
    assert [len(shelf) for shelf in made.values()] == [25] * 12
    check_rows(build.build_panel(room_of(quiz(ungrouped)), ME).rows)
    (inner,) = menus(build.build_panel(room_of(quiz(ungrouped)), ME, group="other_2").rows)
    assert inner.choices[0].value == "o25"


def test_an_unknown_group_shows_the_groups() -> None:
    room = room_of(quiz(worst_case()))
    assert build.build_panel(room, ME, group="nowhere") == build.build_panel(room, ME)


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 2), (2, 2), (0, 25)])
def test_several_picks_are_a_menu_with_bounds(least: int, most: int) -> None:
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", options(25), least, most))), ME)
    check_rows(made.rows)
    (menu,) = menus(made.rows)
    assert (menu.at_least, menu.at_most) == (least, most)
    assert ("None" in labels(made.rows)) == (least == 0)


def test_ids_are_those_of_the_design_and_survive_a_round_trip() -> None:
    made = build.build_panel(room_of(quiz(Decision(ME, "ask", options(2)))), ME)
    pressed = button_of(made.rows, "O1").id
    assert pressed == "p:abcd2345:0:0:ask:o1"
    found = re.fullmatch(ids.CONTROL, pressed)
    assert found and str(Control(found["sort"], found["match"], 0, 0, found["kind"], found["key"])) == pressed
    assert menus(build.build_panel(room_of(quiz(worst_case())), ME, group="sea-1").rows)[0].id == (
        "g:abcd2345:0:0:place_piece:sea-1"
    )


def test_a_fresh_turn_has_nothing_to_undo_or_confirm() -> None:
    made = build.build_panel(room_of(lagoon()), ME)
    assert not {"Undo", "Confirm", "Start over"} & set(labels(made.rows))


def test_a_complete_turn_is_confirmed_or_undone() -> None:
    made = build.build_panel(room_of(lagoon().pick(Answer(ME, "place_piece", ("17",)))), ME)
    check_rows(made.rows)
    assert labels(made.rows) == ["Confirm", "Undo"]
    assert "boat on 17" in made.text and not made.rings


def test_start_over_needs_more_than_one_pick() -> None:
    ask = Decision(ME, "ask", options(3))
    match = quiz(ask, ask, ask).pick(Answer(ME, "ask", ("o1",)))
    assert "Start over" not in labels(build.build_panel(room_of(match), ME).rows)
    match = match.pick(Answer(ME, "ask", ("o2",)))
    assert "Start over" in labels(build.build_panel(room_of(match), ME).rows)


def test_an_open_sequence_can_be_stopped_and_confirmed() -> None:
    ask = Decision(ME, "ask", options(3))
    more = Decision(ME, "ask", (*options(3), Option("stop", ends=True)))
    match = quiz(ask, more).pick(Answer(ME, "ask", ("o1",)))
    assert {"Stop and confirm", "STOP"} <= set(labels(build.build_panel(room_of(match), ME).rows))


def test_without_an_ending_an_open_turn_cannot_be_confirmed() -> None:
    ask = Decision(ME, "ask", options(3))
    match = quiz(ask, ask).pick(Answer(ME, "ask", ("o1",)))
    assert not [label for label in labels(build.build_panel(room_of(match), ME).rows) if "onfirm" in label]


def test_confirm_says_what_cannot_be_undone(toy_words: None) -> None:
    match = quiz(Decision(ME, "ask", options(3)), follow="RollTide").pick(Answer(ME, "ask", ("o1",)))
    assert "Confirm: the tide is rolled" in labels(build.build_panel(room_of(match), ME).rows)


def test_somebody_else_s_turn_is_told_with_what_they_decide() -> None:
    made = build.build_panel(room_of(lagoon()), Seat(1))
    assert made.text == "Not your turn: **Ana** places a piece." and made.rows == ()


def test_whose_turn_it_is_is_said_once() -> None:
    room = room_of(lagoon())
    said = build.build_panel(room, Seat(1), notice=f"It is not your turn: {describe.whose_turn(room)}").text
    assert said == "It is not your turn: **Ana** places a piece."
    assert build.build_panel(room, Seat(1), notice="Done.").text == "Done.\nNot your turn: **Ana** places a piece."


def test_names_cannot_break_a_panel() -> None:
    room = room_of(lagoon(), ("**Ana** @everyone", "b\n# c"))
    said = build.build_panel(room, Seat(1)).text
    assert "@everyone" not in said and "\\*\\*Ana" in said


def with_offer(toy: Match) -> tuple[Match, Seat]:
    """A toy match in which somebody may do something at any time."""
    for seed in range(50):
        match = begin(TOY, 2, seed=seed)
        for seat in (Seat(0), Seat(1)):
            if any(not decision.blocking for decision in match.decisions(seat)):
                return match, seat
    raise AssertionError("no offer in fifty deals")


def test_an_offer_of_many_groups_is_chosen_group_by_group() -> None:
    """Every option can be reached, however many there are."""
    options = tuple(Option(f"s{n}", spot=f"s{n}", group=f"part-{n // 10}") for n in range(80))
    offer = Decision(Seat(0), "flip_tile", options, blocking=False)
    question = Decision(Seat(0), "ask", (Option("a"), Option("b")))
    room = room_of(quiz((question, offer)))
    top = build.build_offers(room, Seat(0), "flip_tile")
    check_rows(top.rows)
    (groups,) = menus(top.rows)
    assert groups.id.endswith(":flip_tile:_") and set(top.rings) == {option.spot for option in options}
    found = set()
    for line in groups.choices:
        shown = build.build_offers(room, Seat(0), "flip_tile", group=line.value)
        check_rows(shown.rows)
        (menu,) = menus(shown.rows)
        assert menu.id.endswith(f":flip_tile:_{line.value}")
        assert {choice.value for choice in menu.choices} == set(shown.rings)
        found |= set(shown.rings)
    assert found == {option.key for option in options}
    page = presses._turned_page(room, ME, Control("o", "abcd2345", 0, 0, "flip_tile", "_"), ("part-3",))
    assert page == build.build_offers(room, ME, "flip_tile", group="part-3")
    sure = presses._turned_page(room, ME, Control("o", "abcd2345", 0, 0, "flip_tile", "_part-3"), ("s31",))
    assert button_of(sure.rows, "Yes, now").id == "p:abcd2345:0:0:flip_tile:s31"


def test_offers_stand_under_more_and_ask_once(toy_words: None) -> None:
    match, seat = with_offer(begin(TOY, 2))
    room = room_of(match)
    offer = next(decision for decision in match.decisions(seat) if not decision.blocking)
    assert "More…" in labels(build.build_panel(room, seat).rows)
    listed = build.build_offers(room, seat)
    check_rows(listed.rows)
    chosen = build.build_offers(room, seat, offer.kind)
    check_rows(chosen.rows)
    key = offer.options[0].key
    assert menus(chosen.rows)[0].choices[0].value == key
    asked = build.build_offers(room, seat, offer.kind, (key,))
    check_rows(asked.rows)
    assert "now?" in asked.text
    assert button_of(asked.rows, "Yes, now").id == f"p:abcd2345:{seat}:0:{offer.kind}:{key}"


def test_an_offer_that_stays_secret_is_not_called_a_revelation() -> None:
    order = Decision(ME, "order", (Option("one"), Option("two")), blocking=False, secret=True)
    match = quiz((Decision(ME, "ask", options(2)), order))
    asked = build.build_offers(room_of(match), ME, "order", ("one",))
    assert "Nobody else is told" in asked.text
    assert "Everyone will know" not in asked.text


def test_an_offer_that_is_not_made_is_not_asked(toy_words: None) -> None:
    match, seat = with_offer(begin(TOY, 2))
    offer = next(decision for decision in match.decisions(seat) if not decision.blocking)
    with pytest.raises(IllegalAnswer):
        build.build_offers(room_of(match), seat, offer.kind, ("nonsense",))


def test_every_panel_of_a_toy_match_fits(toy_words: None) -> None:
    match, turns = begin(TOY, 3, seed=4), 0
    while match.outcome is None:
        for seat in range(3):
            made = build.build_panel(room_of(match, ("A", "B", "C")), Seat(seat))
            check_rows(made.rows)
            assert 0 < len(made.text) <= 2000
        seat = match.waiting_for()[0]
        decision = next((d for d in match.decisions(seat) if d.blocking), None)
        if decision is None:
            match, turns = match.confirm(seat), turns + 1
            continue
        keys = tuple(option.key for option in decision.options[: max(decision.at_least, 1)])
        match = match.pick(Answer(seat, decision.kind, keys))
    assert turns > 3
    assert "over" in build.build_panel(room_of(match, ("A", "B", "C")), ME).text
    assert WORDS.summary
