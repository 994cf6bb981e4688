"""Words that people made, and words about matches."""

import pytest
from msgspec.structs import replace

from bot.components import parts
from bot.matches.records import DAMAGED
from bot.matches.room import Announcement, Person, Post, Status
from bot.posts import turn_message
from bot.posts.outbox import FORBIDDEN, GONE
from bot.text import describe
from bot.text.names import escaped, marked_names, one_line, person_name, plain_names
from engine import GAMES, Answer, Event, Seat, begin
from tests.bot.tables import check_rows, labels, room_of

NASTY = [
    "**bold**",
    "@everyone",
    "<@1> <#2>",
    "||x||",
    "[a](http://b.c)",
    "# head",
    "> quote",
    ":smile:",
    "a\nb",
    "`x`",
]


@pytest.mark.parametrize("name", NASTY)
def test_nothing_of_a_name_is_markdown_or_a_mention(name: str) -> None:
    shown = escaped(name)
    bare = shown.replace("\\\\", "")
    assert "\n" not in shown and "@everyone" not in shown and "<@" not in shown.replace("\\<@", "")
    for mark in "*|`[#<>:":
        assert bare.count(mark) == bare.count(f"\\{mark}")


def test_ordinary_names_stay_as_they_are() -> None:
    assert escaped("Māui ʻOkina 3") == "Māui ʻOkina 3"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "\n"])
def test_an_invisible_name_gets_a_visible_one(name: str) -> None:
    assert person_name(Person(123456, name)) == "Player 3456"


def test_people_who_are_called_alike_are_told_apart() -> None:
    room = room_of(None, ("Ana", "ana", "Bea", "x" * 32))
    assert plain_names(room) == ("Ana P1", "ana P2", "Bea", "x" * 32)
    twins = marked_names(room_of(None, ("x" * 32,) * 2))
    assert len(set(twins)) == 2 and max(map(len, twins)) <= 32


def test_long_names_are_shortened() -> None:
    assert len(one_line("x" * 100)) == 32
    assert len(turn_message.thread_name(room_of(None, ("x" * 100,) * 4))) <= 100


def test_lines_are_cut_from_the_front_with_a_word_about_it() -> None:
    lines = [f"line {number}" for number in range(100)]
    kept = parts.lines_within(lines, 60, "…")
    assert kept[0] == "…" and kept[-1] == "line 99" and len("\n".join(kept)) <= 60
    assert parts.lines_within(["a", "b"], 3) == ["a", "b"]
    assert len("\n".join(parts.lines_within(["x" * 100], 20, "…"))) <= 20


def post(moves: tuple[str, ...] = (), names: tuple[str, ...] = ("Ana", "Bea"), since: int = -1) -> Post:
    match = begin(GAMES["blue_lagoon"], len(names), seed=7)
    for move in moves:
        (seat,) = match.waiting_for()
        match = match.pick(Answer(seat, "place_piece", (move,))).confirm(seat)
    waiting = match.waiting_for()
    events = match.events if since < 0 else (match.last.events if match.last else ())
    return Post(Announcement(1, "abcd2345", since, match.number), room_of(match, names), events, waiting)


def test_the_first_post_seals_the_dice() -> None:
    made = turn_message.message(post())
    assert f"`{'c0ffee' * 10}`" in made.content and made.pings == (10,)
    assert made.content.startswith("<@10> **Blue Lagoon**: **Ana** places a piece.")


def test_a_turn_tells_what_happened_and_who_decides_what() -> None:
    made = turn_message.message(post(("17",), since=0))
    assert "Ana: boat on 17." in made.content and "**Bea** places a piece" in made.content
    assert "c0ffee" not in made.content and made.pings == (11,)
    check_rows(made.rows)
    assert labels(made.rows) == ["Your move", "My view", "Log", "Rules"]
    assert not made.with_scores and not made.with_transcript


def test_a_post_shows_the_table_and_never_a_draft() -> None:
    due = post(("17",), since=0)
    assert due.room.match is not None
    drafted = due.room.match.pick(Answer(Seat(1), "place_piece", ("31",)))
    secret = Post(due.announcement, room_of(drafted), due.events, due.newly)
    assert turn_message.message(secret).content == turn_message.message(due).content


def test_an_alt_text_tells_in_order_and_of_too_much_the_end() -> None:
    due = post(("17", "1", "30"), since=-1)
    assert describe.told_plainly(due.room, due.events, None).endswith("Boat on 17. Bea: boat on 1. Ana: boat on 30.")
    long = post(("17", "1", "30", "3", "31", "5", "16", "6", "14", "8", "13", "10"), since=-1)
    told = describe.told_plainly(long.room, long.events, None)
    assert told.startswith("… ") and told.endswith("Bea: boat on 10.") and len(told) <= describe.LONGEST_NEWS
    assert told.removeprefix("… ") in " ".join(describe.told(long.room, long.events, None)), "nothing left out between"


def test_computers_and_those_who_resigned_are_not_pinged() -> None:
    due = post()
    assert due.room.match is not None
    room = room_of(due.room.match, chairs=(Person(0, "Computer 1"), Person(11, "Bea")))
    assert turn_message.message(Post(due.announcement, room, (), (Seat(0),))).pings == ()


def test_a_post_of_a_thousand_events_fits() -> None:
    due = post(("17",), ("x" * 32, "y" * 32, "z" * 32, "*" * 32), since=0)
    flood = Post(due.announcement, due.room, due.events * 1000, due.newly)
    said = turn_message.message(flood).content
    assert len(said) <= 2000 and "more in the Log" in said and "If the phase ended now" in said


def test_the_end_shows_ranking_seed_and_how_to_check_it() -> None:
    match = begin(GAMES["blue_lagoon"], 2, seed="5eed").resign(Seat(0))
    room = room_of(match, status=Status.FINISHED)
    made = turn_message.message(Post(Announcement(1, "abcd2345", 0, 1), room, (), ()))
    assert "1. **Bea**" in made.content and "2. **Ana**" in made.content
    assert "`5eed`" in made.content and "`abcd2345:5eed`" in made.content and "c0ffee" in made.content
    assert made.with_scores and made.with_transcript and made.pings == ()
    assert "Your move" not in labels(made.rows)


class PointsShown(Event, frozen=True, tag=True):
    """An event that counts points."""

    shows_scores = True


def test_the_score_sheet_comes_with_the_events_that_count_points() -> None:
    due = post(("17",), since=0)
    counted = Post(due.announcement, due.room, (*due.events, PointsShown()), due.newly)
    assert turn_message.message(counted).with_scores and not turn_message.message(counted).with_transcript


@pytest.mark.parametrize("reason", [GONE, FORBIDDEN, DAMAGED])
def test_why_a_match_is_paused_is_said_in_words(reason: str) -> None:
    room = room_of(None, status=Status.PAUSED)
    paused = replace(room, info=replace(room.info, paused_for=reason))
    assert " " in paused.why_paused and paused.why_paused in describe.state_of(paused)


def test_an_older_database_has_the_words_themselves() -> None:
    room = room_of(None, status=Status.PAUSED)
    assert replace(room, info=replace(room.info, paused_for="it has no channel.")).why_paused == "it has no channel."
