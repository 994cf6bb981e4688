"""Typed commands: parsing, errors and suggestions."""

import time
from typing import Any

import pytest

from bot.local import Impossible, ManualClock
from bot.local.command_line import parse_line, parse_values
from bot.local.slash import Command, commands, invoke
from bot.local.state import State
from bot.local.suggestions import NO_COMMAND, NO_MATCH, NOT_LOADED, Hint, Suggestions, suggest

Json = dict[str, Any]
STRING, BOOLEAN = 3, 5


def option(name: str, kind: int = STRING, **more: Any) -> Json:
    return {"name": name, "type": kind, "description": f"the {name}", **more}


def command(name: str, *options: Json, **more: Any) -> Json:
    return {
        "id": "1",
        "name": name,
        "description": f"does {name}",
        "options": list(options),
        **more,
    }


NEW = [
    option(
        "game",
        required=True,
        choices=[{"name": "Go", "value": "go"}, {"name": "Old Chess", "value": "chess"}],
    ),
    option("note", max_length=50),
    option("open", BOOLEAN),
]
PLAY = [
    option("move", autocomplete=True),
    option("match", autocomplete=True),
    option("fast", BOOLEAN),
]


@pytest.fixture
def state() -> State:
    state = State(ManualClock())
    registered = [
        command("game", option("new", 1, options=NEW), option("list", 1)),
        command("play", *PLAY),
        command("ping"),
        command("talk", option("to"), contexts=[0]),
    ]
    state.commands[None] = {one["name"]: one for one in registered}
    return state


@pytest.fixture
def known(state: State) -> dict[str, Command]:
    return commands(state, state.add_channel("general"), state.add_user("Ben"))


def meant(known: dict[str, Command], text: str) -> tuple[str, Json]:
    line = parse_line(text, known)
    assert line is not None
    return line.command.name, parse_values(line)


def suggestions_for(known: dict[str, Command], text: str) -> Suggestions:
    """Return the suggestions at the caret, written as `|`."""
    return suggest(known, text.replace("|", ""), text.index("|"))


def labels(found: Suggestions) -> list[str]:
    return [entry.label for entry in found.entries]


def accept_first(text: str, found: Suggestions) -> str:
    """Return the line after accepting the first suggestion."""
    entry, line = found.entries[0], text.replace("|", "")
    return f"{line[: entry.start]}{entry.text}|{line[entry.end :]}"


# What a line means


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("/ping", "ping", {}),
        ("/ping   ", "ping", {}),
        ("/PLAY a1", "play", {"move": "a1"}),
        ("/play", "play", {}),
        ("/play move:", "play", {}),
        ("/play move:a1", "play", {"move": "a1"}),
        ("/play match:17 move:a1 b2", "play", {"match": "17", "move": "a1 b2"}),
        ("/play 24: boat, then 25", "play", {"move": "24: boat, then 25"}),
        ("/play a b match:c:d e:f", "play", {"move": "a b", "match": "c:d e:f"}),
        ("/play move:premove:x match:y", "play", {"move": "premove:x", "match": "y"}),
        ("/play https://a.example/x:1", "play", {"move": "https://a.example/x:1"}),
        ("/play move:\n a\tb ", "play", {"move": "a\tb"}),
        ("/game   new  go", "game new", {"game": "go"}),
        ("/game new note:3 game:old CHESS", "game new", {"game": "chess", "note": "3"}),
        ("/game new Go OPEN:Yes", "game new", {"game": "go", "open": True}),
        ("/game new open:false game:Go", "game new", {"game": "go", "open": False}),
        ("/game list", "game list", {}),
    ],
)
def test_options_come_in_any_order_with_blanks_and_colons(
    known: dict[str, Command], text: str, name: str, options: Json
) -> None:
    assert meant(known, text) == (name, options)
    assert invoke(known[name], options)["name"] == name.split()[0]


@pytest.mark.parametrize(
    ("text", "why", "facts"),
    [
        ("/game new", "option_missing", {"option": "game", "description": "the game"}),
        ("/game new note:3", "option_missing", {"option": "game", "description": "the game"}),
        ("/game new game: note:3", "option_missing", {"option": "game", "description": "the game"}),
        ("/game new gme:go", "no_option", {"option": "gme", "has": ["game", "note", "open"]}),
        ("/game new go sets:3", "no_option", {"option": "sets", "has": []}),
        ("/game new game:Poker", "not_listed", {"option": "game", "value": "Poker"}),
        ("/game new go game:go", "given_twice", {"option": "game"}),
        ("/game new go open:maybe", "not_listed", {"option": "open", "value": "maybe"}),
        ("/ping pong", "no_options", {"command": "ping"}),
        ("/ping a:b", "no_option", {"option": "a", "has": []}),
    ],
)
def test_missing_and_wrong_options_are_named(
    known: dict[str, Command], text: str, why: str, facts: Json
) -> None:
    with pytest.raises(Impossible) as refused:
        meant(known, text)
    assert (refused.value.why, refused.value.facts) == (why, facts)


def test_a_text_that_is_too_long_is_not_sent(known: dict[str, Command]) -> None:
    name, options = meant(known, f"/game new go note:{'x' * 51}")
    with pytest.raises(Impossible, match="option_length"):
        invoke(known[name], options)


@pytest.mark.parametrize(
    "text", ["/", "/ ", "/game", "/game newer", "/pinging", "/play/", "ping", "", "/ ping"]
)
def test_a_line_without_a_complete_command_is_not_sent(
    known: dict[str, Command], text: str
) -> None:
    assert parse_line(text, known) is None


# How a line could go on


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/|", ["/game new", "/game list", "/ping", "/play", "/talk"]),
        ("/g|", ["/game new", "/game list", "/ping"]),
        ("/game  n|", ["/game new"]),
        ("/NEW|", ["/game new"]),
        ("/pl|ay move:a", ["/play"]),
        ("/nothing|", []),
    ],
)
def test_commands_are_offered_by_any_part_of_their_names(
    known: dict[str, Command], text: str, expected: list[str]
) -> None:
    found = suggestions_for(known, text)
    assert labels(found) == expected and found.note == NO_COMMAND


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("/g|", "/game new game:|"),
        ("/pl|ay move:a", "/play | move:a"),
        ("/game new |", "/game new game:Go|"),
        ("/game new ch|", "/game new game:Old Chess|"),
        ("/game new game:|", "/game new game:Go|"),
        ("/game new game:ch| note:3", "/game new game:Old Chess| note:3"),
        ("/game new game:Go |", "/game new game:Go note:|"),
        ("/game new game:g |", "/game new game:Go|"),
        ("/game new game:g | note:3", "/game new game:Go| note:3"),
        ("/game new open:|", "/game new open:True|"),
        ("/game new note:anything |", "/game new note:anything game:|"),
    ],
)
def test_an_accepted_suggestion_is_inserted_into_the_line(
    known: dict[str, Command], text: str, after: str
) -> None:
    assert accept_first(text, suggestions_for(known, text)) == after


def test_enter_accepts_suggestions_until_the_command_can_be_sent(known: dict[str, Command]) -> None:
    unfinished = ("/|", "/pi|", "/game new|")
    finished = ("/ping|", "/ping |", "/play a|")
    assert all(suggestions_for(known, text).is_name for text in unfinished)
    assert not any(suggestions_for(known, text).is_name for text in finished)


def test_enter_accepts_required_choices_until_all_are_made(known: dict[str, Command]) -> None:
    lines = (
        "/game new |",
        "/game new game:c|",
        "/game new c|",
        "/game new game:Go|",
        "/game new game:go |",
    )
    assert [suggestions_for(known, text).enter_accepts for text in lines] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert not suggestions_for(known, "/game new game:poker|").enter_accepts, (
        "where nothing fits it is sent, and the reason is said"
    )
    required = {
        "new": Command("new", "", [{**option("game", autocomplete=True), "required": True}], {})
    }
    choices = [{"name": "Blue Lagoon", "value": "blue_lagoon"}]
    for text, picks in (
        ("/new |", True),
        ("/new blu|", True),
        ("/new blue_lagoon|", False),
        ("/new x|", False),
    ):
        assert (
            suggestions_for(required, text)
            .with_choices(choices if "x" not in text else [])
            .enter_accepts
            is picks
        )


def test_a_bare_yes_or_no_is_not_offered(known: dict[str, Command]) -> None:
    board = {
        "board": Command(
            "board", "", [option("mine", BOOLEAN), option("match", autocomplete=True)], {}
        )
    }
    assert labels(suggestions_for(board, "/board |")) == ["mine:", "match:"]
    assert labels(suggestions_for(board, "/board mine:|")) == ["True", "False"]


def test_the_hint_names_the_current_and_remaining_options(known: dict[str, Command]) -> None:
    assert suggestions_for(known, "/play a|").hint == Hint("the move", "move", ("match", "fast"))
    assert suggestions_for(known, "/play match:a fast:yes move:b|").hint == Hint("the move", "move")
    assert suggestions_for(known, "/game new note:x|").hint == Hint(
        "the note", "note", ("game", "open")
    )
    assert (
        suggestions_for(known, "/ping |").hint
        == suggestions_for(known, "/ping x|").hint
        == Hint("does ping")
    )


def test_the_hint_says_that_nothing_matches(known: dict[str, Command]) -> None:
    assert suggestions_for(known, "/game new Poker|").note == NO_MATCH
    assert suggestions_for(known, "/game new note:x|").note == "", "anything can stand here"


def test_the_bot_s_completion_gets_the_valid_options(known: dict[str, Command]) -> None:
    asked = suggestions_for(known, "/play match:17 move:a b| ").question
    assert asked is not None
    assert (asked.command.name, asked.slot.name) == ("play", "move")
    assert asked.values == {"match": "17", "move": "a b"}
    asked = suggestions_for(known, "/play move: a b |").question
    assert asked is not None and asked.values == {"move": "a b "}, "a word has ended"
    for typed, right in (("perhaps", {}), ("yes", {"fast": True})):
        asked = suggestions_for(known, f"/play a| fast:{typed}").question
        assert asked is not None and asked.values == {"move": "a", **right}


def test_a_completed_choice_is_inserted_by_value(known: dict[str, Command]) -> None:
    choices = [{"name": "24: boat", "value": "b24"}, {"name": "25: boat", "value": "b25"}]
    for text, after in (
        ("/play |", "/play move:b24|"),
        ("/play 2|", "/play move:b24|"),
        ("/play move:2| match:x", "/play move:b24| match:x"),
    ):
        found = suggestions_for(known, text).with_choices(choices)
        assert accept_first(text, found) == after and found.note == NO_MATCH
        assert labels(found)[:2] == ["24: boat", "25: boat"]
    assert labels(suggestions_for(known, "/play |").with_choices(choices))[2:] == [
        "match:",
        "fast:",
    ]
    assert labels(suggestions_for(known, "/play move:b24 |").with_choices(choices)) == [
        "25: boat",
        "match:",
        "fast:",
    ]
    assert labels(suggestions_for(known, "/play move:b24|").with_choices(choices)) == [
        "24: boat",
        "25: boat",
    ]
    failed = suggestions_for(known, "/play |").with_choices(None)
    assert failed.note == NOT_LOADED and labels(failed) == ["match:", "fast:"]


def test_in_direct_messages_only_usable_commands_are_offered(
    state: State, known: dict[str, Command]
) -> None:
    ana = state.add_user("Ana")
    private = commands(state, state.open_dm(ana), ana)
    assert "/talk" in labels(suggestions_for(known, "/|"))
    assert "/talk" not in labels(suggestions_for(private, "/|"))
    assert parse_line("/talk", private) is None


@pytest.mark.parametrize("part", ["x", " ", "a:", "note:", "game:", " game: ", "/", "\n", "é", '"'])
def test_huge_lines_are_parsed_quickly(known: dict[str, Command], part: str) -> None:
    line = f"/game new {part * 2000}"[:2000]
    started = time.process_time()
    for caret in (0, 5, 1000, 2000, 9999):
        assert suggest(known, line, caret).to_packet()
    if part.strip():
        with pytest.raises(Impossible):
            meant(known, line)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    "text", ["/play |move:a", "/play move:a |b match:c", "/game new note:x |game:"]
)
def test_a_suggestion_never_merges_with_the_following_text(
    known: dict[str, Command], text: str
) -> None:
    found = suggestions_for(known, text)
    assert not [label for label in labels(found) if label.endswith(":")]
