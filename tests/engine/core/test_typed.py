"""Typed turns are read, completed, or refused with the nearest choices.

Players learn how texts are read, so a test here may be added but its expectations don't change.
"""

from math import dist
from random import Random
from typing import NamedTuple

import pytest

from engine import GAMES, Answer, Decision, Match, Option, Seat, UnreadableTurn, begin
from engine.core import typed
from engine.core.typed import suggest_turns
from engine.core.words import words_of
from tests.contract.games import new_match
from tests.contract.player import play, random_answer
from tests.engine.conquest.scenes import Scene
from tests.engine.conquest.wars import war
from tests.engine.perspectives import perspective_of
from tests.engine.quiz import quiz

ME, OTHER = Seat(0), Seat(1)
NAMES = ("Ana", "Bea", "Cem", "Dag")


def lagoon() -> Match:
    return begin(GAMES["blue_lagoon"], 2, {"first": "1"}, seed=7)


def played(*moves: str) -> Match:
    """Return a match of Blue Lagoon after these placements."""
    match = lagoon()
    for move in moves:
        (seat,) = match.waiting_for()
        match = match.pick(Answer(seat, "place_piece", (move,))).confirm(seat)
    return match


def ask(*keys: str, least: int = 1, most: int = 1, ends: str = "") -> Decision:
    found = [Option(key) for key in keys]
    return Decision(ME, "ask", (*found, *([Option(ends, ends=True)] if ends else [])), least, most)


class Asked(NamedTuple):
    """The result of reading a text, for any match."""

    answers: tuple[tuple[str, tuple[str, ...]], ...]
    confirm: bool = False
    offer: bool = False


def parsed(match: Match, typed_text: str, seat: Seat = ME) -> Asked:
    read = typed.read_turn(perspective_of(match, seat), typed_text)
    return Asked(read.answers, read.is_confirmed, read.is_offer)


def values(match: Match, typed_text: str, seat: Seat = ME) -> list[str]:
    return [value for _, value in suggest_turns(perspective_of(match, seat), typed_text)]


@pytest.mark.parametrize("typed_text", ["17", " 17 ", "17,", ",17"])
def test_a_key_is_an_answer(typed_text: str) -> None:
    assert parsed(lagoon(), typed_text) == Asked((("place_piece", ("17",)),))


@pytest.mark.parametrize("typed_text", ["17!", "17 !", "17!!", "17, !"])
def test_a_final_exclamation_mark_confirms(typed_text: str) -> None:
    assert parsed(lagoon(), typed_text) == Asked((("place_piece", ("17",)),), confirm=True)


def test_case_does_not_matter() -> None:
    match = played("17", "1")
    assert parsed(match, "B10V").answers == (("place_piece", ("b10v",)),)


@pytest.mark.parametrize(
    ("typed_text", "key"),
    [
        ("boat 5", "5"),
        ("5 Boat", "5"),
        ("village b10", "b10v"),
        ("B10 VILLAGE!", "b10v"),
        ("settler b10", "b10"),
    ],
)
def test_words_of_a_label_name_it_in_any_order(typed_text: str, key: str) -> None:
    assert parsed(played("17", "1"), typed_text).answers == (("place_piece", (key,)),)
    assert values(played("17", "1"), typed_text.removesuffix("!"))[0].startswith(key)


@pytest.mark.parametrize(
    "typed_text", ["explore n1-i5 3 fish", "EXPLORE, I5-N1, 3 FISH", "explore, n1-i5 pay 3 fish!"]
)
def test_a_number_with_its_noun_and_a_route_from_its_other_end_are_understood(
    typed_text: str,
) -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, seed=7)
    expected = (
        ("take_action", ("explore",)),
        ("explore_route", ("n1-i5",)),
        ("pay_route", ("fish",)),
    )
    assert parsed(match, typed_text).answers == expected
    assert parsed(match, "3 fish!").answers == (("take_action", ("fish",)),)


def test_a_unique_beginning_is_enough() -> None:
    assert parsed(quiz(ask("explore", "travel")), "tr").answers == (("ask", ("travel",)),)


def test_a_number_is_never_cut() -> None:
    match = quiz(ask("g7", "12", "west"))
    with pytest.raises(UnreadableTurn, match="`1` isn't possible now"):
        parsed(match, "1")
    assert parsed(match, "we").answers == (("ask", ("west",)),)


def test_an_exact_key_wins_over_longer_ones() -> None:
    assert parsed(lagoon(), "1").answers == (("place_piece", ("1",)),)


@pytest.mark.parametrize(
    ("typed_text", "keys"),
    [
        ("n", ["nothing", "remove"]),
        ("c", ["card", "done"]),
        ("g7", ["g7v", "b10v"]),
        ("1", ["19", "20"]),
        ("m", ["m3", "n1"]),
        ("h9", ["h9-on", "j4"]),
        ("1b", ["1b1w", "none"]),
        ("n1", ["n1-i5", "n2-i6"]),
        ("fleet1", ["fleet12", "fleet2"]),
    ],
)
def test_an_illegal_code_is_not_read_as_a_prefix(typed_text: str, keys: list[str]) -> None:
    """A place out of reach, or a piece that cannot be had, must not turn into something else."""
    with pytest.raises(
        UnreadableTurn, match=f"(?s)`{typed_text}` isn't possible now.*{keys[0].upper()}"
    ):
        parsed(quiz(ask(*keys)), typed_text)
    with pytest.raises(UnreadableTurn, match=f"`{typed_text}` isn't possible now"):
        parsed(quiz(ask(*keys, *(f"x{number}" for number in range(40)))), f"{typed_text}!")


def test_a_taken_spot_is_not_confused_with_a_longer_number() -> None:
    taken = played("1", "2", *(str(number) for number in range(10, 19)))
    assert {"19"} == {
        option.key for option in taken.decisions(OTHER)[0].options if option.key.startswith("1")
    }
    with pytest.raises(UnreadableTurn, match="`1` isn't possible now"):
        parsed(taken, "1!", OTHER)


@pytest.mark.parametrize("typed_text", ["i12-t", "i12-"])
def test_the_beginning_of_a_route_is_enough(typed_text: str) -> None:
    assert parsed(quiz(ask("i12-t1", "n1-i5")), typed_text).answers == (("ask", ("i12-t1",)),)


def test_where_all_choices_are_words_a_letter_is_enough() -> None:
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, seed=7)
    assert match.waiting_for() == (ME,)
    assert parsed(match, "t").answers == parsed(match, "travel").answers


def test_an_ambiguous_beginning_is_refused_with_what_it_could_be() -> None:
    with pytest.raises(UnreadableTurn, match="could be TRAVEL, TRADE"):
        parsed(quiz(ask("travel", "trade", "rest")), "tra")


def test_a_whole_turn_is_several_answers() -> None:
    match = quiz(ask("a", "b"), ask("c", "d"), ask("e", "f"))
    read = parsed(match, "a, D ,e!")
    assert read == Asked((("ask", ("a",)), ("ask", ("d",)), ("ask", ("e",))), confirm=True)


def test_forced_answers_may_be_typed_or_left_out() -> None:
    match = quiz(ask("a", "b"), ask("only"), ask("c", "d"))
    assert (
        parsed(match, "a,only,c!")
        == parsed(match, "a,c!")
        == Asked((("ask", ("a",)), ("ask", ("c",))), True)
    )


def test_repeating_a_forced_answer_is_accepted() -> None:
    match = quiz(ask("a", "b"), ask("c"), ask("c", "d", ends="stop"))
    assert parsed(match, "a,c!") == Asked((("ask", ("a",)),), confirm=True)
    assert parsed(match, "a,c,c!") == Asked((("ask", ("a",)), ("ask", ("c",))), confirm=True)
    assert parsed(match, "a,d!") == Asked((("ask", ("a",)), ("ask", ("d",))), confirm=True)


def test_a_forced_answer_of_several_keys_is_repeated_whole() -> None:
    match = quiz(ask("a", "b"), ask("c", "d", least=2, most=2), ask("c", "e"))
    assert (
        parsed(match, "a,d+c,e!").answers
        == parsed(match, "a,e!").answers
        == (("ask", ("a",)), ("ask", ("e",)))
    )
    assert parsed(match, "a,c!").answers == (("ask", ("a",)), ("ask", ("c",)))


def test_of_two_forced_answers_the_second_may_be_written_alone() -> None:
    match = quiz(ask("a", "b"), ask("c"), ask("d"), ask("c", "d"))
    for typed_text, last in (("a,d,c!", "c"), ("a,c,d,d!", "d"), ("a,d,d!", "d")):
        assert parsed(match, typed_text).answers == (("ask", ("a",)), ("ask", (last,)))
    with pytest.raises(UnreadableTurn, match="isn't complete"):
        parsed(match, "a,c,d!")


def test_a_key_typed_after_a_draft_answers_what_the_panel_asks() -> None:
    match = quiz(ask("a", "b"), ask("c"), ask("c", "d")).pick(Answer(ME, "ask", ("a",)))
    assert parsed(match, "c!") == Asked((("ask", ("c",)),), confirm=True)


@pytest.mark.parametrize("typed_text", ["a d e!", "A D E !", " a,  d e ! ", "a d,e!"])
def test_blanks_separate_choices_like_commas(typed_text: str) -> None:
    match = quiz(ask("a", "b"), ask("c", "d"), ask("e", "f"))
    assert parsed(match, typed_text) == Asked(
        (("ask", ("a",)), ("ask", ("d",)), ("ask", ("e",))), confirm=True
    )


def test_several_keys_of_one_answer_are_joined_by_plus() -> None:
    assert parsed(quiz(ask("a", "b", "c", most=2)), "a+C!").answers == (("ask", ("a", "c")),)


def test_a_dash_chooses_none() -> None:
    assert parsed(quiz(ask("a", "b", least=0, most=2)), "-!").answers == (("ask", ()),)


def test_too_many_keys_are_refused() -> None:
    with pytest.raises(UnreadableTurn, match="1 to 2, not 3"):
        parsed(quiz(ask("a", "b", "c", most=2)), "a+b+c")


def test_a_text_continues_after_the_draft() -> None:
    match = quiz(ask("a", "b"), ask("c", "d")).pick(Answer(ME, "ask", ("a",)))
    assert parsed(match, "d!").answers == (("ask", ("d",)),)
    assert parsed(match.pick(Answer(ME, "ask", ("c",))), "!") == Asked((), confirm=True)


def test_an_open_optional_sequence_may_be_confirmed() -> None:
    assert parsed(quiz(ask("a", "b"), ask("c", ends="stop")), "a!") == Asked(
        (("ask", ("a",)),), confirm=True
    )


def test_an_illegal_choice_is_refused_with_the_nearest_ones() -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parsed(lagoon(), "47")
    typed_text = str(refused.value)
    assert typed_text.startswith(
        "`47` isn't possible now. 47 isn't on the board. Nothing was changed."
    )
    assert "Nearest: 7, 4, 46," in typed_text


@pytest.mark.parametrize(
    ("typed_text", "why"),
    [
        (
            "g9",
            "G9 isn't next to one of your pieces, and on land it has to be.",
        ),
        (
            "G9",
            "G9 isn't next to one of your pieces, and on land it has to be.",
        ),
        ("Boat 1", "Bea already has a piece on 1."),
        ("17", "You already have a piece on 17."),
        ("1", "Bea already has a piece on 1."),
        ("30v", "30 is sea, and villages only go on land."),
        ("zz", "ZZ isn't on the board."),
        ("@everyone", "No choice is called that."),
    ],
)
def test_a_refusal_says_why_and_that_nothing_was_drafted(typed_text: str, why: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parsed(played("17", "1"), typed_text)
    shown = typed_text.replace("@", "@\u200b")
    answer = str(refused.value)
    assert answer.startswith(f"`{shown}` isn't possible now. {why}")
    assert answer.partition("\n")[0].endswith(" Nothing was changed.")
    near = "Nearest: " if typed_text[-1].isdigit() else "Possible: "
    assert typed_text == "30v" or near in str(refused.value)


def test_an_illegal_village_is_answered_with_villages() -> None:
    with pytest.raises(UnreadableTurn, match=r"Nearest: B11V, B10V, H1V\."):
        parsed(played("17", "1"), "b9v")


def test_the_nearest_choices_are_those_nearest_on_the_board() -> None:
    match = played("17", "1")
    with pytest.raises(UnreadableTurn) as refused:
        parsed(match, "g9")
    nearest = str(refused.value).partition("Nearest: ")[2].casefold().rstrip(" …").split(", ")
    places = match.game.places(match.view(ME))
    distances = [dist(places[code], places["g9"]) for code in nearest]
    everywhere = sorted(
        dist(places[option.spot], places["g9"]) for option in match.decisions(ME)[0].options
    )
    assert distances == everywhere[: len(nearest)] and len(nearest) == 8


def test_an_example_fits_the_game_at_hand() -> None:
    with pytest.raises(UnreadableTurn, match=r"such as `1!`\."):
        parsed(lagoon(), ",")
    match = begin(GAMES["polynesia"], 2, {"first": "1"}, seed=7)
    with pytest.raises(UnreadableTurn, match=r"such as `explore,.*!`\."):
        parsed(match, ",")


def test_few_choices_are_all_listed() -> None:
    with pytest.raises(UnreadableTurn, match="Possible: A, B"):
        parsed(quiz(ask("a", "b")), "zebra")


def test_an_unfinished_turn_is_not_confirmed() -> None:
    with pytest.raises(UnreadableTurn, match="isn't complete, so nothing was changed"):
        parsed(quiz(ask("a", "b"), ask("c", "d")), "a!")


def test_one_choice_too_many_is_refused() -> None:
    with pytest.raises(UnreadableTurn, match="one choice too many"):
        parsed(lagoon(), "17,18")
    with pytest.raises(UnreadableTurn, match="Confirm it with `!`, or take it back with `/undo`"):
        parsed(lagoon().pick(Answer(ME, "place_piece", ("17",))), "18!")


def test_a_player_out_of_turn_is_told_whose_turn_it_is() -> None:
    with pytest.raises(UnreadableTurn, match=r"not your turn. \*\*Ana\*\*'s turn: place a piece"):
        parsed(lagoon(), "17", OTHER)


@pytest.mark.parametrize("typed_text", ["17", "17!", "!"])
def test_nothing_is_played_once_the_match_has_ended(typed_text: str) -> None:
    with pytest.raises(UnreadableTurn, match="the match is over"):
        parsed(lagoon().resign(OTHER), typed_text)


@pytest.mark.parametrize("typed_text", ["", "   ", ",", ", ,", ":", "( )"])
def test_an_empty_text_is_refused(typed_text: str) -> None:
    with pytest.raises(UnreadableTurn):
        parsed(lagoon(), typed_text)


@pytest.mark.parametrize("typed_text", ["x" * 6000, "17," * 2000, "@everyone" * 600])
def test_a_very_long_text_is_refused_briefly(typed_text: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parsed(lagoon(), typed_text)
    assert len(str(refused.value)) < 300
    assert values(lagoon(), typed_text) == []


@pytest.mark.parametrize(
    "typed_text", ["`**_@everyone", "<@1>", "g7\n# big", "\u202e17", "17/18/19", "💥"]
)
def test_free_text_is_refused_and_cannot_break_out_of_its_quotes(typed_text: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parsed(lagoon(), typed_text)
    message = str(refused.value)
    assert message.count("`") == 2 and "\n" not in message.split("`")[1]
    assert "@everyone" not in message and "<@1>" not in message


@pytest.mark.parametrize(
    ("typed_text", "shown"),
    [("\u200b17", "`\ufffd17`"), ("17++18", "`+`"), ("17+", "`+`"), ("/17", "`/17`")],
)
def test_invisible_characters_are_made_visible(typed_text: str, shown: str) -> None:
    with pytest.raises(UnreadableTurn) as refused:
        parsed(lagoon(), typed_text)
    assert shown in str(refused.value)


def test_completion_offers_legal_keys_with_their_wording() -> None:
    names = dict(suggest_turns(perspective_of(lagoon(), ME), "1"))
    assert names["1: boat by A and B"] == "1" and names["17: boat by B and H"] == "17"
    assert len(names) <= 25


def test_completion_puts_exact_keys_first_then_beginnings_then_other_places() -> None:
    found = [value for value in values(lagoon(), "1") if not value.endswith("!")]
    assert found[:2] == ["1", "10"]
    assert found.index("21") > found.index("19")


def test_completion_finds_words_of_the_label() -> None:
    match = played("17", "1")
    assert values(match, "village") == ["b10v", "b11v", "h1v"]


def test_a_choice_s_value_is_the_whole_text_so_far() -> None:
    match = quiz(ask("a", "b"), ask("c", "d"), ask("e", "f"))
    assert values(match, "a,d,") == ["a,d,e", "a,d,f"]
    assert suggest_turns(perspective_of(match, ME), "A, D,")[0] == ("A, D, E", "a,d,e")


def test_a_whole_turn_can_be_confirmed_from_the_completion() -> None:
    assert "17!" in values(lagoon(), "17")
    drafted = lagoon().pick(Answer(ME, "place_piece", ("17",)))
    assert values(drafted, "") == ["!"]


def test_completion_of_several_keys_leaves_out_those_taken() -> None:
    assert values(quiz(ask("a", "b", "c", most=2), ask("d", "e")), "a+") == ["a+b", "a+c"]


def test_completion_offers_nothing_out_of_turn() -> None:
    assert values(lagoon(), "1", OTHER) == []


def test_completion_after_nonsense_offers_nothing() -> None:
    assert values(lagoon(), "nonsense,1") == []


def test_an_offer_names_its_kind() -> None:
    offer = Decision(ME, "reveal_card", (Option("haka"), Option("tapu")), blocking=False)
    match = quiz((ask("a", "b"), offer))
    assert parsed(match, "reveal_card/haka!") == Asked(
        (("reveal_card", ("haka",)),), confirm=True, offer=True
    )
    assert (
        parsed(match, "reveal_card/haka!")
        == parsed(match, "Reveal card: HAKA!")
        == parsed(match, "reveal card haka!")
    )
    assert parsed(match, "rev/ta") == Asked((("reveal_card", ("tapu",)),), offer=True)
    assert "reveal_card/haka" in values(match, "hak")
    with pytest.raises(UnreadableTurn, match="`tapu` is one choice too many"):
        parsed(match, "reveal_card/haka tapu!")
    with pytest.raises(UnreadableTurn, match="`zebra` isn't possible now"):
        parsed(match, "reveal_card/haka+zebra!")
    with pytest.raises(UnreadableTurn, match="Possible: reveal_card"):
        parsed(match, "build/haka")
    with pytest.raises(UnreadableTurn, match="Possible: HAKA, TAPU"):
        parsed(match, "reveal_card/moai")


def said_by_buttons(match: Match, seat: Seat, rng: Random) -> tuple[str, Match] | None:
    """Return a random turn as its buttons name it, and the match with that turn drafted.

    None if two buttons have the same label.
    """
    words = words_of(match.game.id)
    typed_text = list[str]()
    drafted = match
    while (question := drafted.question(seat)) is not None and len(typed_text) < 6:
        answer, view = random_answer(question, rng), drafted.view(seat)
        shown = {
            option.key: words.option(question, option, view, NAMES, brief=True)
            for option in question.options
        }
        if len(set(shown.values())) < len(shown):
            return None
        typed_text.append("+".join(shown[key] for key in answer.keys) or "-")
        drafted = drafted.pick(answer)
    return ", ".join(typed_text), drafted


@pytest.mark.parametrize("game_id", GAMES)
def test_a_turn_can_be_typed_in_the_words_of_its_buttons(game_id: str) -> None:
    """This includes labels with commas of their own, and labels that begin like another choice."""
    rng, with_commas = Random(game_id), 0
    for seed in range(4):
        begun = war(4, seed) if game_id == "conquest" else new_match(game_id, 2, seed=seed)
        for act, (before, _, _) in enumerate(play(begun, rng)):
            match = before.without_drafts()
            seat = match.waiting_for()[0]
            if turn := said_by_buttons(match, seat, rng):
                text, drafted = turn
                read = typed.read_turn(perspective_of(match, seat, NAMES[: match.seats]), text)
                assert read.match.draft(seat).answers == drafted.draft(seat).answers, text
                with_commas += text.count(",") >= len(drafted.draft(seat).answers)
            if act > 50:
                break
    assert with_commas or game_id == "blue_lagoon", "no label has a comma"


def test_a_label_with_a_comma_does_not_make_another_one_ambiguous() -> None:
    scene = (
        Scene(2)
        .sea("g8", "g9")
        .pieces(ME, "f8", "1t")
        .pieces(ME, "g8", "2t")
        .pieces(OTHER, "f7", "1t")
    )
    match = scene.moving(ME).match
    read = typed.read_turn(perspective_of(match, ME), "F8, Tonga (1 piece), G9, open G8")
    keys = [answer.keys[0] for answer in read.match.draft(ME).answers]
    assert keys == ["f8", "g9", "open-g8"]
