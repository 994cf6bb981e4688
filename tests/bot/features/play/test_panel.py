"""The private panel of any game, within Discord's limits."""

import re
from io import BytesIO

import pytest
from discord import ComponentType, File
from msgspec.structs import replace

from bot.features.play import panel as build
from bot.features.play.panel import CONTROL, PICK, Control
from bot.kernel.room import Room
from bot.ui import describe
from bot.ui.parts import GOOD, LAYOUT_PARTS, Button, Part, Section, layout_of
from engine import GAMES, Answer, Decision, IllegalAnswer, Match, NotFinished, Option, Seat, begin
from engine.core.typed import read_turn
from render.sample import play_randomly
from tests.bot.features.play.driver import controls, panel_controls
from tests.bot.tables import button_of, check_parts, labels, menus, room_of, texts
from tests.engine.conquest.scenes import Scene
from tests.engine.quiz import quiz
from tests.toy import TOY, WORDS

ME = Seat(0)


@pytest.fixture
def toy_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of the toy game, which is in no catalog."""
    monkeypatch.setattr("bot.ui.describe.words_of", lambda game: WORDS)


def options(count: int, group: str = "", key: str = "o") -> tuple[Option, ...]:
    return tuple(
        Option(f"{key}{number}", spot=f"{key}{number}", group=group) for number in range(count)
    )


def control_of(shown: list[Part], label: str) -> Control:
    return next(
        control
        for control, part in controls(shown)
        if isinstance(part, Button) and part.label == label
    )


def lagoon() -> Match:
    return begin(GAMES["blue_lagoon"], 2, {"first": "1"}, seed=7)


@pytest.mark.parametrize("count", [1, 2, 5, 6, 10, 16, 24, 25])
def test_options_that_fit_five_rows_are_buttons(count: int) -> None:
    panel = build.build_panel(room_of(quiz(Decision(ME, "ask", options(count, "west")))), ME)
    check_parts(panel.parts)
    assert not menus(panel.parts) and len(labels(panel.parts)) == count


def test_the_controls_have_the_last_row_to_themselves() -> None:
    ask = Decision(ME, "ask", options(21))
    match = quiz(ask, ask, ask).pick(Answer(ME, "ask", ("o1",))).pick(Answer(ME, "ask", ("o2",)))
    panel = build.build_panel(room_of(match), ME)
    check_parts(panel.parts)
    assert [len(row) for row in panel.parts if isinstance(row, tuple)] == [5, 5, 5, 5, 1, 2]
    assert labels(panel.parts)[-3:] == ["O20", "Undo", "Start over"]


def test_long_labels_are_cut() -> None:
    keys = tuple(Option("x" * 24 + str(number), facts=(("key2", "y"),)) for number in range(5))
    panel = build.build_panel(room_of(quiz(Decision(ME, "k" * 40, keys))), ME)
    check_parts(panel.parts)


def test_small_groups_are_expanded_while_there_is_room() -> None:
    sizes = {"a": 20, "b": 3, "c": 1, "d": 12}
    grouped = tuple(option for name, size in sizes.items() for option in options(size, name, name))
    room = room_of(quiz(Decision(ME, "ask", (*grouped, Option("pass", ends=True)))))
    panel = build.build_panel(room, ME)
    check_parts(panel.parts)
    opened = [*(f"B{n}" for n in range(3)), "C0", *(f"D{n}" for n in range(12))]
    assert labels(panel.parts) == ["a: 20 choices", *opened, "PASS"]
    below = build.build_panel(room, ME, "a")
    assert labels(below.parts) == [*(f"A{n}" for n in range(20)), "PASS", "Back"]


def worst_case() -> Decision:
    """Return 206 options in 18 groups, more than any Blue Lagoon position has shown."""
    sizes = {"sea-1": 23, "sea-2": 23}
    sizes |= {f"{piece}-{island}": 10 for piece in ("settler", "village") for island in "abcdefgh"}
    found = [
        o for name, size in sizes.items() for o in options(size, name, f"{name[0]}{name[-1]}x")
    ]
    return Decision(ME, "place_piece", tuple(found))


def test_an_advised_option_has_its_own_green_button() -> None:
    room, asked = room_of(quiz(worst_case())), worst_case()
    keys = [option.key for option in asked.options]
    for first in range(0, len(keys), 7):
        advised = (keys[first], keys[-1 - first], keys[first // 2])
        panel = build.build_panel(room, ME, advice=build.Advice(keys=advised))
        check_parts(panel.parts)
        found = {
            c.key: part
            for c, part in controls(panel.parts)
            if isinstance(part, Button) and c.action == PICK
        }
        assert {key for key, part in found.items() if part.look == GOOD} == set(advised)
        reached = build.build_panel(
            room, ME, asked.option(keys[first]).group, advice=build.Advice(keys=advised)
        )
        assert labels(reached.parts)[-1] == "Back", "the other choices are where they were"


def test_many_groups_become_buttons_that_open_their_options() -> None:
    decision = worst_case()
    assert len(decision.options) == 206
    room = room_of(quiz(decision))
    top = build.build_panel(room, ME)
    check_parts(top.parts)
    assert not menus(top.parts) and len(labels(top.parts)) == 18
    assert "settler-a: 10 choices" in labels(top.parts) and len(top.rings) == 206
    for name in {option.group for option in decision.options}:
        below = build.build_panel(room, ME, name)
        check_parts(below.parts)
        members = [option.key for option in decision.options if option.group == name]
        assert labels(below.parts) == [*(key.upper() for key in members), "Back"]
        assert set(below.rings) == set(members)


@pytest.mark.parametrize(
    ("count", "groups"), [(26, 1), (300, 1), (900, 1), (900, 40), (900, 300), (5000, 7)]
)
def test_every_option_can_be_reached_however_they_are_grouped(count: int, groups: int) -> None:
    found = tuple(Option(f"o{number}", group=f"g-{number % groups}") for number in range(count))
    match = quiz(Decision(ME, "ask", found))
    seen, edge, reached = {""}, [""], set()
    while edge:
        for control, part in panel_controls(match, ME, edge.pop()):
            assert isinstance(part, Button)
            if control.action == PICK:
                reached.add(control.key)
            elif control.key not in seen:
                seen.add(control.key)
                edge.append(control.key)
    assert reached == {option.key for option in found}


def test_a_group_of_several_pages_names_the_range_of_each() -> None:
    panel = build.build_panel(room_of(quiz(Decision(ME, "ask", options(60, "sea", "s")))), ME)
    assert labels(panel.parts) == [
        "sea, S0 to S19",
        "sea, S20 to S39",
        "sea, S40 to S59",
    ]


def test_an_unknown_page_shows_the_first() -> None:
    room = room_of(quiz(worst_case()))
    for name in ("nowhere", "_7", "_", "_x"):
        assert build.build_panel(room, ME, name).parts == build.build_panel(room, ME).parts


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 2), (2, 2), (0, 25)])
def test_several_picks_are_one_menu_with_bounds(least: int, most: int) -> None:
    panel = build.build_panel(room_of(quiz(Decision(ME, "ask", options(25), least, most))), ME)
    assert menus(panel.parts)[0].placeholder.startswith(f"Up to {most}: O0 O1 O2 ")
    check_parts(panel.parts)
    (menu,) = menus(panel.parts)
    assert (menu.at_least, menu.at_most) == (least, most)
    assert ("None" in labels(panel.parts)) == (least == 0)


def test_custom_ids_survive_a_round_trip() -> None:
    panel = build.build_panel(room_of(quiz(Decision(ME, "ask", options(2)))), ME)
    pressed = button_of(panel.parts, "O1").id
    assert pressed == "p:abcd2345:0:0:ask:o1"
    found = re.fullmatch(CONTROL, pressed)
    assert found and found.groups() == ("p", "abcd2345", "0", "0", "ask", "o1")
    group = button_of(
        build.build_panel(room_of(quiz(worst_case())), ME).parts, "sea-1: 23 choices"
    ).id
    assert group == "m:abcd2345:0:0:place_piece:sea-1"


def test_a_fresh_turn_has_nothing_to_undo_or_confirm() -> None:
    panel = build.build_panel(room_of(lagoon()), ME)
    assert not {"Undo", "Confirm", "Start over"} & set(labels(panel.parts))


def test_a_complete_turn_is_confirmed_or_undone() -> None:
    panel = build.build_panel(room_of(lagoon().pick(Answer(ME, "place_piece", ("17",)))), ME)
    check_parts(panel.parts)
    assert labels(panel.parts) == ["Confirm", "Undo"]
    assert "boat on 17" in panel.chosen and not panel.rings


def test_start_over_appears_after_two_picks() -> None:
    ask = Decision(ME, "ask", options(3))
    match = quiz(ask, ask, ask).pick(Answer(ME, "ask", ("o1",)))
    assert "Start over" not in labels(build.build_panel(room_of(match), ME).parts)
    match = match.pick(Answer(ME, "ask", ("o2",)))
    assert "Start over" in labels(build.build_panel(room_of(match), ME).parts)


def test_an_open_sequence_can_be_stopped_and_confirmed() -> None:
    ask = Decision(ME, "ask", options(3))
    more = Decision(ME, "ask", (*options(3), Option("stop", ends=True)))
    match = quiz(ask, more).pick(Answer(ME, "ask", ("o1",)))
    panel = build.build_panel(room_of(match), ME)
    assert labels(panel.parts) == ["O0", "O1", "O2", "STOP", "STOP and confirm", "Undo"]


def test_confirm_never_forfeits_a_choice() -> None:
    ask = Decision(ME, "ask", options(3))
    more = Decision(ME, "ask", (*options(3), Option("nothing", forfeits=True)))
    match = quiz(ask, more).pick(Answer(ME, "ask", ("o1",)))
    assert labels(build.build_panel(room_of(match), ME).parts) == [
        "O0",
        "O1",
        "O2",
        "NOTHING",
        "Undo",
    ]
    with pytest.raises(NotFinished):
        match.confirm(ME)
    given_up = build.build_panel(room_of(match.pick(Answer(ME, "ask", ("nothing",)))), ME)
    assert "Nothing is final yet" in given_up.text and "NOTHING" in given_up.chosen
    assert labels(given_up.parts) == ["Confirm", "Undo", "Start over"]


def test_without_an_ending_an_open_turn_cannot_be_confirmed() -> None:
    ask = Decision(ME, "ask", options(3))
    match = quiz(ask, ask).pick(Answer(ME, "ask", ("o1",)))
    assert not [
        label for label in labels(build.build_panel(room_of(match), ME).parts) if "onfirm" in label
    ]


def test_confirm_says_what_cannot_be_undone(toy_words: None) -> None:
    match = quiz(Decision(ME, "ask", options(3)), follow="RollTide").pick(
        Answer(ME, "ask", ("o1",))
    )
    assert "Confirm: the tide is rolled" in labels(build.build_panel(room_of(match), ME).parts)


def test_the_panel_says_whose_turn_it_is_and_what_they_decide() -> None:
    panel = build.build_panel(room_of(lagoon()), Seat(1))
    assert panel.text == "Not your turn yet. **Ana**'s turn: place a piece." and panel.parts == []


def test_the_panel_names_the_player_to_move_once() -> None:
    room = room_of(lagoon())
    text = build.build_panel(
        room, Seat(1), notice=f"It's not your turn. {describe.whose_turn(room)}"
    ).text
    assert text == "It's not your turn. **Ana**'s turn: place a piece."
    assert (
        build.build_panel(room, Seat(1), notice="Done.").text
        == "Done.\n**Ana**'s turn: place a piece."
    )


def test_names_cannot_break_a_panel() -> None:
    room = room_of(lagoon(), ("**Ana** @everyone", "b\n# c"))
    text = build.build_panel(room, Seat(1)).text
    assert "@everyone" not in text and "\\*\\*Ana" in text


def with_offer(toy: Match) -> tuple[Match, Seat]:
    """Return a toy match with an offer that can be taken at any time."""
    for seed in range(50):
        match = begin(TOY, 2, seed=seed)
        for seat in (Seat(0), Seat(1)):
            if any(not decision.blocking for decision in match.decisions(seat)):
                return match, seat
    raise AssertionError("no offer in fifty deals")


def open_offers(room: Room, seat: Seat, control: Control) -> build.Panel:
    """Return the panel of offers that a control opens."""
    return build.build_offers(room, seat, control.kind, control.keys, control.page)


def test_an_offer_of_many_groups_is_chosen_group_by_group() -> None:
    """Every option can be reached, however many there are."""
    options = tuple(Option(f"s{n}", spot=f"s{n}", group=f"part-{n // 10}") for n in range(80))
    offer = Decision(Seat(0), "flip_tile", options, blocking=False)
    question = Decision(Seat(0), "ask", (Option("a"), Option("b")))
    room = room_of(quiz((question, offer)))
    top = build.build_offers(room, Seat(0), "flip_tile")
    check_parts(top.parts)
    assert labels(top.parts) == [*(f"part-{n}: 10 choices" for n in range(8)), "Back"]
    assert set(top.rings) == {option.spot for option in options}
    for number in range(8):
        page = open_offers(room, ME, control_of(top.parts, f"part-{number}: 10 choices"))
        check_parts(page.parts)
        keys = [f"s{n}" for n in range(number * 10, number * 10 + 10)]
        assert labels(page.parts) == [*(key.upper() for key in keys), "Back"]
        assert set(page.rings) == set(keys)
        assert open_offers(room, ME, control_of(page.parts, "Back")) == top
    sure = open_offers(room, ME, control_of(page.parts, "S71"))
    assert button_of(sure.parts, "Yes, now").id == "p:abcd2345:0:0:flip_tile:s71"


def test_an_offer_that_takes_several_is_a_menu_for_each_25_of_them() -> None:
    offer = Decision(ME, "flip_tiles", options(30), 1, 3, blocking=False)
    room = room_of(quiz((Decision(ME, "ask", options(2)), offer)))
    first = build.build_offers(room, ME, "flip_tiles")
    check_parts(first.parts)
    second = open_offers(room, ME, control_of(first.parts, "Next page (2 of 2)"))
    check_parts(second.parts)
    assert [line.value for made in (first, second) for line in menus(made.parts)[0].choices] == [
        option.key for option in offer.options
    ]
    assert menus(second.parts)[0].placeholder == "Up to 3: O25 O26 O27 O28 O29"
    assert open_offers(room, ME, control_of(second.parts, "Next page (1 of 2)")) == first


def test_offers_are_under_more_and_ask_for_confirmation(toy_words: None) -> None:
    match, seat = with_offer(begin(TOY, 2))
    room = room_of(match)
    offer = next(decision for decision in match.decisions(seat) if not decision.blocking)
    assert "More…" in labels(build.build_panel(room, seat).parts)
    listed = build.build_offers(room, seat)
    check_parts(listed.parts)
    chosen = build.build_offers(room, seat, offer.kind)
    check_parts(chosen.parts)
    key = offer.options[0].key
    assert open_offers(room, seat, controls(chosen.parts)[0][0]) == build.build_offers(
        room, seat, offer.kind, (key,)
    )
    asked = build.build_offers(room, seat, offer.kind, (key,))
    check_parts(asked.parts)
    assert "now?" in asked.text
    assert button_of(asked.parts, "Yes, now").id == f"p:abcd2345:{seat}:0:{offer.kind}:{key}"


def test_a_secret_offer_is_not_called_a_reveal() -> None:
    order = Decision(ME, "order", (Option("one"), Option("two")), blocking=False, secret=True)
    match = quiz((Decision(ME, "ask", options(2)), order))
    asked = build.build_offers(room_of(match), ME, "order", ("one",))
    assert "Nobody else will know" in asked.text
    assert "Everyone will see it" not in asked.text


def test_an_offer_that_is_not_made_has_no_panel(toy_words: None) -> None:
    match, seat = with_offer(begin(TOY, 2))
    offer = next(decision for decision in match.decisions(seat) if not decision.blocking)
    with pytest.raises(IllegalAnswer):
        build.build_offers(room_of(match), seat, offer.kind, ("nonsense",))


def test_every_panel_of_a_toy_match_fits(toy_words: None) -> None:
    match, turns = begin(TOY, 3, seed=4), 0
    while match.outcome is None:
        for seat in range(3):
            panel = build.build_panel(room_of(match, ("A", "B", "C")), Seat(seat))
            check_parts(panel.parts)
            assert 0 < len(panel.text) <= 2000
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


def test_a_shortened_label_can_be_typed_as_shown() -> None:
    seat = Seat(0)
    room = room_of(Scene(2).moving(seat).match)
    buttons = labels(build.build_offers(room, seat, "set_all_orders").parts)
    shown = next(label for label in buttons if label.startswith("Fast"))
    turn = read_turn(build.SeatContext.of(room, seat), f"set_all_orders/{shown}")
    assert turn.answers == (("set_all_orders", ("swift",)),)


def test_choices_of_several_sorts_stand_under_headings() -> None:
    match = lagoon()
    for code in ("24", "30"):
        seat = match.waiting_for()[0]
        match = match.pick(Answer(seat, "place_piece", (code,))).confirm(seat)
    panel = build.build_panel(room_of(match), ME)
    check_parts(panel.parts)
    assert texts(panel.parts) == ["**At sea**", "**On land**", "**Villages**"]
    below = panel.parts[panel.parts.index("**Villages**") + 1]
    assert isinstance(below, tuple)
    assert all("village" in button.label for button in below)


def test_headings_have_space_beside_as_many_choices_as_a_page_takes() -> None:
    for match in play_randomly("blue_lagoon", 3, seed=0):
        seat = match.waiting_for()[0]
        panel = build.build_panel(room_of(match, ("Ana", "Bea", "Cem")), seat)
        if len(labels(panel.choices)) == 24:
            break
    check_parts(panel.parts)
    assert texts(panel.choices) == ["**At sea**", "**On land**", "**Villages**"]


def test_a_choice_with_more_to_say_is_a_text_with_a_button() -> None:
    seat = Seat(0)
    made = build.build_offers(room_of(Scene(2).moving(seat).match), seat, "set_card_order")
    check_parts(made.parts)
    sections = {part.button.label: part.text for part in made.parts if isinstance(part, Section)}
    assert (
        sections["Ask me after every roll"] == "After every roll you play a card or let it stand."
    )
    assert "Use no cards" in labels(made.parts) and "Use no cards" not in sections


def test_choices_without_a_group_stand_right_below_the_question() -> None:
    seat = Seat(0)
    ungrouped, others = options(6), (*options(6, "west"), *options(6, "east", "e"))
    for offered, headings in (
        ((*ungrouped, *others), ["**west**", "**east**"]),
        ((*others, *ungrouped), ["**west**", "**east**", "**Other**"]),
    ):
        match = quiz((Decision(seat, "ask", offered),))
        assert texts(build.build_panel(room_of(match), seat).choices) == headings


def test_a_full_page_has_space_for_a_score_sheet() -> None:
    """Two pictures share a gallery where each could not have one of its own."""
    files = [File(BytesIO(), f"{name}.png") for name in ("board", "scores")]
    row = tuple(Button(f"b{number}", "x") for number in range(5))
    for texts_above, galleries in ((2, 2), (3, 1)):
        layout = layout_of(["text"] * texts_above + [row] * 6, files)
        kinds = [part.type for part in layout.children]
        assert kinds.count(ComponentType.media_gallery) == galleries
        assert layout.total_children_count == LAYOUT_PARTS


def test_texts_and_headings_give_way_where_there_is_no_space_for_them() -> None:
    """The choices themselves matter most: what they do can be looked up."""
    seat = Seat(0)
    match = Scene(2).moving(seat).match
    offer = next(one for one in match.offers(seat) if one.kind == "set_card_order")
    many = replace(offer, options=(*offer.options, *options(20, "west"), *options(3, "east", "e")))
    room = room_of(quiz((Decision(seat, "ask", options(2)), many)))
    made = build.build_offers(room, seat, "set_card_order")
    check_parts(made.parts)
    assert not [part for part in made.parts if isinstance(part, Section)]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("Where to?", "**Where to?**"),
        ("Where to? You have 2 moves.", "**Where to?** You have 2 moves."),
        ("At F7: 2 canoes. Where to? Go on!", "At F7: 2 canoes. **Where to?** Go on!"),
        ("Tide card 3.3: pay 3?", "**Tide card 3.3: pay 3?**"),
        ("Orders except battle", "**Orders except battle**"),
    ],
)
def test_only_the_question_stands_out(asked: str, shown: str) -> None:
    assert describe.emphasize_question(asked) == shown
