"""Wording: templates filled with facts, and keys where a word is missing."""

from pathlib import Path

import msgspec
import pytest

from engine import Decision, Option, Seat
from engine.core.event import Resigned
from engine.core.words import Words, and_list, points, read_words, words_of
from tests.toy import TOY, WORDS
from tests.toy.events import CardDrawn, Dived, ReefChosen, Stowed, TideRolled
from tests.toy.scenes import P1, P2, bidding, diving, pick

NAMES = ("Ana", "Bea")
LIST = {"comma": ", ", "last": "{head} and {last}", "last_deed": "{head}, and {last}"}


@pytest.mark.parametrize(
    ("template", "facts", "text"),
    [
        ("{seat:name} bids", {"seat": 1}, "Bea bids"),
        ("{seat:name} bids", {"seat": 7}, "P8 bids"),
        ("{seats:names} share", {"seats": (0, 1)}, "Ana and Bea share"),
        ("on {spot:code}", {"spot": "g7"}, "on G7"),
        ("{spots:codes}", {"spots": ("g7", "17")}, "G7 17"),
        ("{piece:word}", {"piece": "left"}, "left basket"),
        ("{piece:word}", {"piece": "unknown"}, "unknown"),
        (
            "{pieces:words}",
            {"pieces": ("left", "right", "a")},
            "left basket, right basket and the inner reef",
        ),
        ("{pieces:words}", {"pieces": ()}, ""),
        ("{rolls:numbers}", {"rolls": (2, 5, 1)}, "2, 5 and 1"),
        ("x[, {item:word}]", {"item": "taken"}, "x, taken"),
        ("x[, {item:word}]", {"item": ""}, "x"),
        ("x[, {item:word}]", {}, "x"),
        ("x[ by {seat:name}]", {"seat": 0}, "x by Ana"),
        ("[for {paid:count dive}|free]", {"paid": 2}, "for 2 dives"),
        ("[for {paid:count dive}|free]", {"paid": 0}, "free"),
        ("[{late:if}late[, by {n}]]", {"late": True, "n": 3}, "late, by 3"),
        ("[{late:if}late[, by {n}]]", {"late": True, "n": 0}, "late"),
        ("[{late:if}late[, by {n}]]", {"late": False, "n": 3}, ""),
        ("{paid:count dive}", {"paid": 1}, "1 dive"),
        ("{paid:count dive}", {"paid": 2}, "2 dives"),
        ("{paid:count dive}", {"paid": 0.5}, "½ dives"),
        ("{n:count @what}", {"n": 3, "what": "spot"}, "3 spots"),
        ("{held:counts}", {"held": (("dive", 1), ("spot", 0), ("card", 2))}, "1 dive and 2 cards"),
        ("{n:plural one=# dives|other=# dive}", {"n": 1}, "1 dives"),
        ("{n:plural 0=none dives|one=# dives|other=# dive}", {"n": 0}, "none dives"),
        ("{n:plural 0=none dives|one=# dives|other=# dive}", {"n": 4}, "4 dive"),
        ("{score:points}", {"score": 3.5}, "3½"),
        ("{plain}", {"plain": 4}, "4"),
        ("{names} {template}", {"names": 1, "template": 2}, "1 2"),
        ("{gone}", {}, "{gone}"),
        ("{gone:tally} {gone:names} {gone:count dive}", {}, "{gone} {gone} {gone}"),
        (r"\{braces\} \[and\] | \[others\]", {}, "{braces} [and] | [others]"),
    ],
)
def test_a_template_is_filled_as_its_fields_ask(
    template: str, facts: dict[str, object], text: str
) -> None:
    assert WORDS.fill(template, NAMES, **facts) == text


POLISH = {
    "list": {"comma": ", ", "last": "{head} i {last}"},
    "word": {
        "shell": {
            **{
                "one": "muszla",
                "few": "muszle",
                "many": "muszli",
                "other": "muszli",
                "none": "ani jednej muszli",
            },
            "acc": {"one": "muszlę", "few": "muszle", "many": "muszli", "other": "muszli"},
        },
        "ship": "statek",
    },
}


@pytest.mark.parametrize(
    ("template", "facts", "text"),
    [
        ("{n:count shell}", {"n": 1}, "1 muszla"),
        ("{n:count shell}", {"n": 22}, "22 muszle"),
        ("{n:count shell}", {"n": 12}, "12 muszli"),
        ("{n:count shell}", {"n": 0}, "ani jednej muszli"),
        ("bierze {n:count shell acc}", {"n": 1}, "bierze 1 muszlę"),
        ("bierze {item:word acc}", {"item": "shell"}, "bierze muszlę"),
        ("bierze {item:word acc}", {"item": "ship"}, "bierze statek"),
        ("{items:counts acc}", {"items": (("shell", 1), ("ship", 2))}, "1 muszlę i 2 statek"),
        ("{n:plural one=# gra|few=# grają|many=# gra|other=# gra}", {"n": 3}, "3 grają"),
    ],
)
def test_another_language_is_nothing_but_its_files(
    template: str, facts: dict[str, object], text: str
) -> None:
    assert Words(POLISH, "pl").fill(template, NAMES, **facts) == text


@pytest.mark.parametrize(
    "template", ["[no field]", "[{a}", "a}", "a]", "{a", "{a b}", "[{a}|b", "{x:unheard}"]
)
def test_a_template_that_cannot_be_read_is_a_fault_of_the_file(template: str) -> None:
    with pytest.raises(ValueError):
        WORDS.fill(template, NAMES, a=1, x=1)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (2, "2"),
        (2.0, "2"),
        (0.5, "½"),
        (15.5, "15½"),
        (-3, "−3"),
        (-0.5, "−½"),
        (-2.5, "−2½"),
    ],
)
def test_points_may_be_halves_and_negative(number: float, text: str) -> None:
    assert points(number) == text


def test_a_list_reads_like_one() -> None:
    assert [and_list("abc"[:size]) for size in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_a_fact_of_an_option_may_name_several_seats() -> None:
    words = Words(
        {**words_of().text, "decision": {"pay": {"option": "{key:code}: 2 each to {owners:names}"}}}
    )
    option = Option("a1", facts=(("owners", (Seat(1), Seat(0))),))
    decision = Decision(P1, "pay", (option, Option("a2", facts=(("owners", ()),))))
    view = diving("c1", "c2", dives=2).view(P1)
    assert words.option(decision, option, view, NAMES) == "A1: 2 each to Bea and Ana"
    assert msgspec.json.decode(msgspec.json.encode(decision), type=Decision) == decision


def test_a_question_and_its_options_are_worded_with_their_facts() -> None:
    match = diving("c1", "c2", dives=2)
    (decision,) = match.decisions(P1)
    assert WORDS.question(decision, NAMES) == "Dive where? 2 dives left"
    assert WORDS.short(decision, NAMES) == "dive"
    assert WORDS.option(decision, decision.options[0], match.view(P1), NAMES) == "A1"
    match = pick(match, P1, "a1", "left")
    (decision,) = match.decisions(P1)
    assert WORDS.option(decision, decision.option("stop"), match.view(P1), NAMES) == "stop diving"
    assert WORDS.option(decision, Option("a1", spot="a1"), match.view(P1), NAMES) == "A1, taken"


def test_an_option_s_own_facts_come_before_those_of_its_spot() -> None:
    view = bidding("c1", "c2").view(None)
    words = Words({"decision": {"x": {"option": "{spot} {note} {key}"}}})
    option = Option("k", spot="a1", facts=(("spot", "here"), ("note", "nothing"), ("key", "other")))
    assert words.option(Decision(P1, "x", (option,)), option, view, NAMES) == "here nothing other"


def test_groups_are_worded_whole_or_by_their_head() -> None:
    assert WORDS.group("reef-a") == "Reef A"
    assert Words({"group": {"reef-a": "inner"}}).group("reef-a") == "inner"
    assert Words({}).group("reef-a") == "reef-a"


def test_each_event_is_one_line_and_empty_texts_are_skipped() -> None:
    assert WORDS.event_lines(Dived(P2, "a1"), NAMES) == ["Bea dives at A1"]
    assert WORDS.event_lines(CardDrawn(P2, ""), NAMES) == ["Bea draws a card"]
    assert Words({"event": {"TideRolled": ""}}).event_lines(TideRolled(1), NAMES) == []
    assert Words({}).event_lines(TideRolled(1), NAMES) == ["TideRolled"]


def test_a_story_names_a_seat_once_for_several_actions_in_a_row() -> None:
    event = {
        "Dived": "{seat:name} dives at {spot:code}.",
        "ReefChosen": "{seat:name}: {reef:word} it is.",
        "Stowed": "",
    }
    words = Words({"list": LIST, "event": {**event, "TideRolled": "The tide allows {dives}."}})
    dives = [
        Dived(P2, "a1"),
        Stowed(P2, "left"),
        Dived(P2, "a2"),
        ReefChosen(P2, "b"),
        Dived(P1, "a3"),
    ]
    assert words.story(dives, NAMES) == [
        "Bea dives at A1 and at A2. Bea: b it is.",
        "Ana dives at A3.",
    ]
    assert words.story([Dived(P2, "a1"), TideRolled(2), Dived(P2, "a2")], NAMES) == [
        "Bea dives at A1.",
        "The tide allows 2.",
        "Bea dives at A2.",
    ]
    assert WORDS.story([Dived(P2, "a1"), Dived(P2, "a2")], NAMES) == [
        "Bea dives at A1",
        "Bea dives at A2",
    ]
    assert words.story([], NAMES) == []


def test_actions_share_a_sentence_unless_they_have_pauses_of_their_own() -> None:
    event = {
        "Dived": "{seat:name} dives at {spot:code}.",
        "CardDrawn": "{seat:name} pays and draws {card}.",
    }
    words = Words({"list": LIST, "event": event})
    dive, card, pause = Dived(P2, "a1"), CardDrawn(P2, "a pearl (2, or 3)"), CardDrawn(P2, "1, 2")
    assert words.story([dive, card], NAMES) == [
        "Bea dives at A1, and pays and draws a pearl (2, or 3)."
    ]
    assert words.story([dive, dive, card], NAMES) == [
        "Bea dives at A1 and at A1, and pays and draws a pearl (2, or 3)."
    ]
    assert words.story([dive, pause, dive], NAMES) == [
        "Bea dives at A1. Bea pays and draws 1, 2. Bea dives at A1."
    ]


def test_a_long_story_repeats_the_name_of_its_seat() -> None:
    words = Words({"list": LIST, "event": {"Dived": "{seat:name} dives at {spot:code}."}})
    paragraphs = words.story([Dived(P2, "a1")] * 120, NAMES)
    assert len(paragraphs) > 2
    assert all(len(line) <= 300 and line.startswith("Bea dives") for line in paragraphs)
    sentences = [each for line in paragraphs for each in line.removesuffix(".").split(". ")]
    assert all(len(each) < 170 and each.startswith("Bea dives at A1, at") for each in sentences)
    assert sum(line.count("at A1") for line in paragraphs) == 120


def test_status_confirm_reason_settings_and_help() -> None:
    assert WORDS.status(bidding("c1", "c2").view(None), NAMES) == ["Round 1, 6 spots left"]
    assert WORDS.confirm("RollTide") == "the tide is rolled"
    assert WORDS.confirm("") == WORDS.confirm("Unknown") == ""
    assert WORDS.reason("reef_empty") == "the reef is empty"
    assert WORDS.setting("rounds") == "Rounds"
    assert WORDS.choice("rounds", "3") == "three"
    assert WORDS.choice("rounds", "9") == "9"
    assert WORDS.topics["bidding"]["title"] == "Bidding"
    assert WORDS.summary.startswith("Bid for the dive")


def test_a_missing_wording_falls_back_on_the_key() -> None:
    words = Words({})
    decision = Decision(Seat(0), "seal_bid", (Option("c1"),))
    assert words.question(decision, NAMES) == words.short(decision, NAMES) == "seal bid"
    assert (
        words.option(decision, decision.options[0], bidding("c1", "c2").view(None), NAMES) == "C1"
    )
    assert words.summary == ""
    assert words.topics == {}
    assert words.reason("x") == "x"
    assert words.setting("y") == "y"


def test_common_texts_are_inherited_by_every_game(tmp_path: Path) -> None:
    bare = read_words(tmp_path)
    assert bare.reason("resigned") != "resigned"
    assert bare.summary == ""
    assert words_of("blue_lagoon").event_lines(Resigned(Seat(1)), NAMES) == [
        f"{NAMES[1]} resigned."
    ]
    assert (
        words_of("blue_lagoon").reason("resigned")
        == WORDS.reason("resigned")
        == bare.reason("resigned")
    )


def test_a_game_may_override_a_common_text(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "en.toml").write_text(
        'summary = "x"\n[reason]\nresigned = "all went home"\n'
    )
    assert read_words(tmp_path).reason("resigned") == "all went home"
    assert read_words(tmp_path).summary == "x"
    assert TOY.title == "Reef"


def test_a_kind_whose_options_are_all_words_is_known() -> None:
    words = Words(
        {
            "decision": {
                "act": {"options": {"fish": "Fish"}},
                "place": {"option": "{key}", "options": {}},
            }
        }
    )
    assert [words.names_all_options(kind) for kind in ("act", "place", "unheard")] == [
        True,
        False,
        False,
    ]


def test_a_place_is_named_if_the_view_knows_it() -> None:
    view = msgspec.structs.replace(diving("c1", "c2", dives=2).view(P1), taken=("c1",))
    words = Words({**words_of().text, "word": {"taken": "Reef"}})
    assert words.fill("at {spot:place}", NAMES, view, spot="c1") == "at Reef (C1)"
    assert words.fill("at {spot:place}", NAMES, spot="c1") == "at C1"
    assert words.fill("at {spots:places}", NAMES, view, spots=("z9", "c1")) == "at Z9 and Reef (C1)"
    assert (
        words.fill("{spots:places}", NAMES, view, spots=("c1 2", "z9 0")) == "Reef (C1) 2 and Z9 0"
    )
