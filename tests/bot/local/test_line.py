"""Typed lines: what they mean, what is wrong with them, and how they could go on."""

import time
from typing import Any

import pytest

from bot.local import HandClock
from bot.local.line import commands, read, values
from bot.local.model import Channel, Thread, User
from bot.local.slash import Impossible, invoke
from bot.local.state import State
from bot.local.suggest import NO_COMMAND, NO_MATCH, NOT_LOADED, Offer, offer

Json = dict[str, Any]
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, NUMBER = 3, 4, 5, 6, 7, 8, 10


def option(name: str, kind: int = STRING, **more: Any) -> Json:
    return {"name": name, "type": kind, "description": f"the {name}", **more}


def command(name: str, *options: Json, **more: Any) -> Json:
    return {"id": "1", "name": name, "description": f"does {name}", "options": list(options), **more}


NEW = [
    option("game", required=True, choices=[{"name": "Go", "value": "go"}, {"name": "Old Chess", "value": "chess"}]),
    option("seats", INTEGER, min_value=2, max_value=4),
    option("rival", USER),
    option("place", CHANNEL, channel_types=[0]),
    option("note"),
    option("open", BOOLEAN),
    option("weight", NUMBER),
    option("role", ROLE),
]
PLAY = [option("move", autocomplete=True), option("match", autocomplete=True)]
COMMANDS = [
    command("game", option("new", 1, options=NEW), option("list", 1)),
    command("admin", option("seat", 2, options=[option("swap", 1, options=[option("who", USER, required=True)])])),
    command("play", *PLAY),
    command("ping"),
    command("talk", option("to", CHANNEL), contexts=[0]),
]


@pytest.fixture
def state() -> State:
    state = State(HandClock())
    for name in ("Ana", "Ben", "Ana Maria"):
        state.add_user(name)
    state.add_channel("general")
    state.add_channel("old hall")
    state.commands[None] = {one["name"]: one for one in COMMANDS}
    return state


def user(state: State, name: str = "Ana") -> User:
    return next(one for one in state.people if one.name == name)


def place(state: State, name: str = "general") -> Channel:
    return next(one for one in state.channels.values() if one.name == name)


def meant(state: State, text: str) -> tuple[str, Json]:
    line = read(text, commands(state, place(state)))
    assert line is not None
    return line.command.name, values(state, user(state), line)


def offered(state: State, text: str, channel: Channel | None = None) -> Offer:
    """What is offered where the bar stands."""
    line, caret = text.replace("|", ""), text.index("|")
    return offer(state, user(state), channel or place(state), line, caret)


def labels(found: Offer) -> list[str]:
    return [entry.label for entry in found.entries]


def taken(text: str, found: Offer, which: int = 0) -> str:
    """The line once an entry is put in, the bar where the caret is then."""
    entry, line = found.entries[which], text.replace("|", "")
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
        ("/game new seats:3 game:old CHESS", "game new", {"game": "chess", "seats": 3}),
        ("/game new Go SEATS:+4 open:Yes", "game new", {"game": "go", "seats": 4, "open": True}),
        ("/game new weight:-2.5 game:Go", "game new", {"game": "go", "weight": -2.5}),
        ("/game new note:a seats: b is text game:go open:false", "game new", None),
        ("/game list", "game list", {}),
    ],
)  # fmt: skip
def test_options_come_in_any_order_with_blanks_and_colons(state: State, text: str, name: str, options: Any) -> None:
    if options is None:
        with pytest.raises(Impossible, match="seats is a whole number"):
            meant(state, text)
    else:
        assert meant(state, text) == (name, options)
        assert invoke(state, name, options)["name"] == name.split()[0]


def test_people_and_channels_are_known_by_their_names(state: State) -> None:
    ben, hall = user(state, "Ben"), place(state, "old hall")
    for way in ("Ben", "@ben", f"<@{ben.id}>"):
        assert meant(state, f"/game new go rival:{way}")[1]["rival"] is ben
    for way in ("old hall", "#Old Hall", f"<#{hall.id}>"):
        assert meant(state, f"/game new go place:{way} seats:2")[1]["place"] is hall
    assert meant(state, "/game new go rival:Ana Maria")[1]["rival"] is user(state, "Ana Maria")
    _, options = meant(state, "/admin seat swap @Ana")
    assert invoke(state, "admin seat swap", options)["resolved"]["users"].keys() == {str(user(state).id)}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/game new", "game is missing: the game"),
        ("/game new seats:3", "game is missing: the game"),
        ("/game new game: seats:3", "game is missing: the game"),
        ("/game new gme:go", "there is no option gme; /game new has game, seats, rival"),
        ("/game new go sets:3", "there is no option sets"),
        ("/game new game:go seats:3 sets:3", "there is no option sets"),
        ("/game new game:Poker", "“Poker” is not in the list of game"),
        ("/game new go game:go", "game is given twice"),
        ("/game new go seats:three", "seats is a whole number, not “three”"),
        ("/game new go seats:2.0", "seats is a whole number"),
        ("/game new go seats:٣", "seats is a whole number"),
        ("/game new go weight:nan", "weight is a number"),
        ("/game new go weight:1e9", "weight is a number"),
        ("/game new go rival:Nobody", "“Nobody” is not in the list of rival"),
        ("/game new go rival:Motu", "“Motu” is not in the list of rival"),
        ("/game new go open:maybe", "“maybe” is not in the list of open"),
        ("/game new go role:x", "role cannot be given here"),
        ("/ping pong", "/ping has no options"),
        ("/ping a:b", "there is no option a"),
    ],
)
def test_what_is_missing_or_wrong_is_named(state: State, text: str, why: str) -> None:
    with pytest.raises(Impossible) as refused:
        meant(state, text)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("number", ["1", "5", "9" * 17, "-" + "9" * 400])
def test_numbers_out_of_bounds_are_refused(state: State, number: str) -> None:
    for text in (f"/game new go seats:{number}", f"/game new go weight:{number}.5"):
        name, options = meant(state, text)
        if "seats" in options or len(number) > 1:
            with pytest.raises(Impossible, match="takes"):
                invoke(state, name, options)


@pytest.mark.parametrize("text", ["/", "/ ", "/game", "/game newer", "/pinging", "/play/", "ping", "", "/ ping"])
def test_a_line_without_a_whole_command_means_nothing(state: State, text: str) -> None:
    assert read(text, commands(state, place(state))) is None


def test_a_channel_that_one_may_not_see_cannot_be_named(state: State) -> None:
    hall = place(state, "old hall")
    state.set_overwrite(hall, user(state).id, 0, 1 << 10)
    with pytest.raises(Impossible, match="is not in the list of place"):
        meant(state, f"/game new go place:<#{hall.id}>")
    assert labels(offered(state, "/game new place:|")) == ["#general"]


def test_threads_of_one_name_are_told_apart(state: State) -> None:
    threads = [Thread(state.snowflake(), "Table", 11, parent=place(state).id) for _ in range(2)]
    for thread in threads:
        state.add_thread(thread)
    found = offered(state, "/talk ta|")
    assert labels(found) == ["#Table", "#Table"]
    chosen = taken("/talk ta|", found, 1).replace("|", "")
    assert meant(state, chosen)[1]["to"] is threads[1]
    assert labels(offered(state, "/game new place:ta|")) == [], "it is no text channel"


# How a line could go on


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/|", ["/admin seat swap", "/game new", "/game list", "/ping", "/play", "/talk"]),
        ("/g|", ["/game new", "/game list", "/ping"]),
        ("/game  n|", ["/game new"]),
        ("/NEW|", ["/game new"]),
        ("/pl|ay move:a", ["/play"]),
        ("/nothing|", []),
    ],
)
def test_commands_are_offered_by_any_part_of_their_names(state: State, text: str, expected: list[str]) -> None:
    found = offered(state, text)
    assert labels(found) == expected and found.note == NO_COMMAND


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("/g|", "/game new game:|"),
        ("/pl|ay move:a", "/play | move:a"),
        ("/game new |", "/game new game:Go|"),
        ("/game new ch|", "/game new game:Old Chess|"),
        ("/game new game:|", "/game new game:Go|"),
        ("/game new game:ch| seats:3", "/game new game:Old Chess| seats:3"),
        ("/game new game:Go |", "/game new game:Go seats:|"),
        ("/game new game:g |", "/game new game:Go|"),
        ("/game new game:g | seats:3", "/game new game:Go| seats:3"),
        ("/game new rival:b|", "/game new rival:@Ben|"),
        ("/game new rival:ma|", "/game new rival:@Ana Maria|"),
        ("/game new place:#|", "/game new place:#general|"),
        ("/game new open:|", "/game new open:True|"),
        ("/game new note:anything |", "/game new note:anything game:|"),
    ],
)
def test_what_is_taken_stands_in_the_line(state: State, text: str, after: str) -> None:
    assert taken(text, offered(state, text)) == after


def test_enter_takes_a_command_until_it_can_be_sent(state: State) -> None:
    assert [offered(state, text).is_name for text in ("/|", "/pi|", "/ping|", "/ping |", "/game new|", "/play a|")] == [
        True, True, False, False, True, False,
    ]  # fmt: skip


def test_the_hint_says_what_is_typed_and_what_else_can_be(state: State) -> None:
    assert offered(state, "/play a|").hint == "move: the move · also match"
    assert offered(state, "/play match:a move:b|").hint == "move: the move"
    assert offered(state, "/game new note:x|").hint.startswith("note: the note · also game, seats")
    assert offered(state, "/ping |").hint == offered(state, "/ping x|").hint == "does ping"


def test_nothing_that_fits_is_said(state: State) -> None:
    assert offered(state, "/game new Poker|").note == NO_MATCH
    assert offered(state, "/game new note:x|").note == "", "anything can stand here"


def test_the_bot_is_asked_with_what_is_right_so_far(state: State) -> None:
    asked = offered(state, "/play match:17 move:a b| ").question
    assert asked is not None and (asked.command, asked.focused) == ("play", "move")
    assert asked.values == {"match": "17", "move": "a b"}
    asked = offered(state, "/play move: a b |").question
    assert asked is not None and asked.values == {"move": "a b "}, "a word has ended"
    state.commands[None]["play"] = command("play", *PLAY, option("seats", INTEGER), option("rival", USER))
    asked = offered(state, "/play a| seats:x rival:Ben").question
    assert asked is not None and asked.values == {"move": "a", "rival": user(state, "Ben")}


def test_what_the_bot_answers_is_put_in_by_its_value(state: State) -> None:
    choices = [{"name": "24: boat", "value": "b24"}, {"name": "25: boat", "value": 25}]
    for text, after in (
        ("/play |", "/play move:b24|"),
        ("/play 2|", "/play move:b24|"),
        ("/play move:2| match:x", "/play move:b24| match:x"),
    ):
        found = offered(state, text).answered(choices)
        assert taken(text, found) == after and found.note == NO_MATCH
        assert labels(found)[:2] == ["24: boat", "25: boat"]
    assert labels(offered(state, "/play |").answered(choices))[2:] == ["match:"]
    assert labels(offered(state, "/play move:b24 |").answered(choices)) == ["25: boat", "match:"]
    assert labels(offered(state, "/play move:b24|").answered(choices)) == ["24: boat", "25: boat"]
    failed = offered(state, "/play |").answered(None)
    assert failed.note == NOT_LOADED and labels(failed) == ["match:"]


def test_in_private_only_what_works_there_is_offered(state: State) -> None:
    private = state.dm_of(user(state))
    assert "/talk" in labels(offered(state, "/|")) and "/talk" not in labels(offered(state, "/|", private))
    assert read("/talk", commands(state, private)) is None


@pytest.mark.parametrize("part", ["x", " ", "a:", "seats:", "game:", " game: ", "/", "\n", "é", '"'])
def test_huge_lines_are_read_in_no_time(state: State, part: str) -> None:
    line = f"/game new {part * 2000}"[:2000]
    started = time.process_time()
    for caret in (0, 5, 1000, 2000, 9999):
        assert offer(state, user(state), place(state), line, caret).packet()
    if part.strip():
        with pytest.raises(Impossible):
            meant(state, line)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("text", ["/play |move:a", "/play move:a |b match:c", "/game new note:x |game:"])
def test_nothing_is_offered_that_would_grow_together_with_what_follows(state: State, text: str) -> None:
    found = offered(state, text)
    assert not [label for label in labels(found) if label.endswith(":")]
