"""Names of people, and texts about matches."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.kernel.encoding import DAMAGED, visible_events
from bot.kernel.room import Post
from bot.model import Announcement, Person, Status
from bot.posts import turn_message
from bot.posts.places import FORBIDDEN, GONE
from bot.ui import describe, parts
from bot.ui.describe import marked_names, person_name, plain_names
from engine import GAMES, Answer, Event, Outcome, Seat, begin
from engine.conquest.events import SeatReady
from engine.core.escape import escape_text, one_line
from engine.players.simple import stand_in
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
def test_names_contain_no_markdown_or_mentions(name: str) -> None:
    shown = escape_text(name)
    bare = shown.replace("\\\\", "")
    assert "\n" not in shown and "@everyone" not in shown and "<@" not in shown.replace("\\<@", "")
    for mark in "*|`[#<>:":
        assert bare.count(mark) == bare.count(f"\\{mark}")


def test_ordinary_names_stay_unchanged() -> None:
    assert escape_text("Māui ʻOkina 3") == "Māui ʻOkina 3"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "\n"])
def test_an_invisible_name_is_replaced(name: str) -> None:
    assert person_name(Person(123456, name)) == "Player 3456"


def test_people_with_the_same_name_are_distinguished() -> None:
    room = room_of(None, ("Ana", "ana", "Bea", "x" * 32))
    assert plain_names(room) == ("Ana P1", "ana P2", "Bea", "x" * 32)
    twins = marked_names(room_of(None, ("x" * 32,) * 2))
    assert len(set(twins)) == 2 and max(map(len, twins)) <= 32


def test_a_player_replaced_by_a_computer_is_marked() -> None:
    match = (
        begin(GAMES["blue_lagoon"], 3, {"first": "1"}, seed=7)
        .resign(Seat(0))
        .hand_over(Seat(1), True)
    )
    names = ("Ana", "Bea", "Cem")
    assert plain_names(room_of(match, names)) == ("Ana ⚙", "Bea ⚙", "Cem")
    assert plain_names(room_of(match.hand_over(Seat(1), False), names)) == ("Ana ⚙", "Bea", "Cem")
    assert plain_names(room_of(match.hand_over(Seat(1), False).resign(Seat(1)), names)) == names, (
        "nobody played on for them"
    )


def test_moves_after_a_resignation_are_attributed_to_the_computer() -> None:
    match = begin(GAMES["blue_lagoon"], 3, {"first": "1"}, seed=7).resign(Seat(0))
    played = stand_in(match, Seat(0))
    events = describe.tell_events(
        room_of(played, ("Ana", "Bea", "Cem")), visible_events(played.commits, None), None
    )
    assert events[0] == "Ana resigned." and events[1].startswith("Ana ⚙ placed "), events


def test_long_names_are_shortened() -> None:
    assert len(one_line("x" * 100)) == 32
    assert len(turn_message.thread_name(room_of(None, ("x" * 100,) * 4))) <= 100


def test_long_texts_lose_their_first_lines_with_a_note() -> None:
    lines = [f"line {number}" for number in range(100)]
    kept = parts.lines_within(lines, 60, "…")
    assert kept[0] == "…"
    assert kept[-1] == "line 99"
    assert len("\n".join(kept)) <= 60
    assert parts.lines_within(["a", "b"], 3) == ["a", "b"]
    assert len("\n".join(parts.lines_within(["x" * 100], 20, "…"))) <= 20


def post(
    moves: tuple[str, ...] = (), names: tuple[str, ...] = ("Ana", "Bea"), since: int = -1
) -> Post:
    match = begin(GAMES["blue_lagoon"], len(names), {"first": "1"}, seed=7)
    for move in moves:
        (seat,) = match.waiting_for()
        match = match.pick(Answer(seat, "place_piece", (move,))).confirm(seat)
    waiting = match.waiting_for()
    events = match.events if since < 0 else (match.last.events if match.last else ())
    return Post(
        Announcement(1, "abcd2345", since, match.number), room_of(match, names), events, waiting
    )


def test_the_first_post_says_that_the_dice_are_sealed() -> None:
    due = post()
    message = turn_message.message(due)
    assert message.content.startswith(
        "<@10> **Blue Lagoon** (`abcd2345`). **Ana**'s turn: place a piece."
    )
    assert message.pings == (10,)
    assert message.content.endswith(
        "The random draws are locked in. Press Fairness to see the proof."
    )
    assert "c0ffee" not in message.content
    assert labels(message.rows) == ["Your move", "My view", "Log", "Rules", "Fairness"]
    proof = turn_message.fairness(due.room)
    seed = due.room.playing().seed
    assert f"`{'c0ffee' * 10}`" in proof and seed not in proof.replace("c0ffee", "")


def test_a_turn_post_says_what_happened_and_who_is_next() -> None:
    message = turn_message.message(post(("17",), since=0))
    assert (
        "Ana placed a boat on 17." in message.content
        and "**Bea**'s turn: place a piece" in message.content
    )
    assert "c0ffee" not in message.content and message.pings == (11,)
    check_rows(message.rows)
    assert labels(message.rows) == ["Your move", "Catch me up", "My view", "Log", "Rules"]
    assert not message.with_scores


def test_a_post_shows_the_table_and_never_a_draft() -> None:
    due = post(("17",), since=0)
    assert due.room.match is not None
    drafted = due.room.match.pick(Answer(Seat(1), "place_piece", ("31",)))
    secret = Post(due.announcement, room_of(drafted), due.events, due.newly)
    assert turn_message.message(secret).content == turn_message.message(due).content


def news(due: Post, limit: int = describe.MAX_ALT_NEWS) -> str:
    return describe.tell_within(due.room, due.events, None, limit, plain_names(due.room))


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (60, "Ana sailed to 11. Took N: a right end. Placed it on Q3."),
        (50, "Ana sailed to 11. Took N: a right end. …"),
        (30, "Ana sailed to 11. …"),
        (16, "Ana sailed to…"),
    ],
)
def test_a_long_text_is_cut_after_a_sentence_if_much_is_left(limit: int, shown: str) -> None:
    text = "Ana sailed to 11. Took N: a right end. Placed it on Q3."
    assert describe.cut_to_sentences(text, limit) == shown


def test_a_long_alt_text_keeps_the_latest_events() -> None:
    assert news(post(("17", "1", "30"), since=-1)).endswith(
        "Ana placed a boat on 17. Bea placed a boat on 1. Ana placed a boat on 30."
    )
    long = post(("17", "1", "30", "3", "31", "5", "16", "6", "14", "8", "13", "10"), since=-1)
    told = news(long)
    assert told.startswith("… ")
    assert told.endswith("Bea placed a boat on 10.")
    assert len(told) <= describe.MAX_ALT_NEWS
    assert told.removeprefix("… ") in " ".join(
        describe.tell_events(long.room, long.events, None)
    ), "nothing left out between"
    assert news(long, 10) == "… Bea pla…", "what is too long alone is cut"


def test_computers_and_resigned_players_are_not_mentioned() -> None:
    due = post()
    assert due.room.match is not None
    room = room_of(due.room.match, chairs=(Person(0, "Computer 1"), Person(11, "Bea")))
    assert turn_message.message(Post(due.announcement, room, (), (Seat(0),))).pings == ()


def test_a_post_of_a_thousand_events_is_short() -> None:
    due = post(("17",), ("x" * 32, "y" * 32, "z" * 32, "*" * 32), since=0)
    flood = Post(due.announcement, due.room, due.events * 1000, due.newly)
    head, story = turn_message.message(flood).content.splitlines()
    assert (
        head.startswith("<@11>") and story.startswith("… ") and len(story) <= turn_message.MAX_NEWS
    )


def test_points_are_written_where_there_is_no_picture() -> None:
    due = post(("17",), since=0)
    assert "If the phase ended now" not in turn_message.message(due).content
    assert (
        "If the phase ended now: Ana 0, Bea 0."
        in turn_message.message(due, with_points=True).content
    )


def test_the_end_mentions_all_players_and_offers_the_seed() -> None:
    match = begin(
        GAMES["blue_lagoon"], 3, {"first": "1"}, seed="5eed", computers=frozenset({Seat(2)})
    ).resign(Seat(0))
    chairs = (Person(10, "Ana"), Person(11, "Bea"), Person(0, "Computer 1"))
    room = room_of(match, status=Status.FINISHED, chairs=chairs)
    message = turn_message.message(Post(Announcement(1, "abcd2345", 0, 1), room, (), ()))
    assert message.content.splitlines() == [
        "<@10> <@11> **Blue Lagoon ended early: Ana dropped out, so only Bea is left.**",
        "1. **Bea** 0, 2. **Computer 1 ⚙** 0, 3. **Ana** 0.",
        "Press Fairness to check that nothing was tampered with.",
    ]
    assert message.with_scores and message.pings == (10, 11)
    assert labels(message.rows) == ["Rematch", "My view", "Log", "Review", "Fairness"]
    proof = turn_message.fairness(room)
    assert "`5eed`" in proof and "`abcd2345:5eed`" in proof and "c0ffee" in proof


NO_TIE = ((("items", 3),), (("items", 5),), (("items", 5),))


@pytest.mark.parametrize(
    ("ranking", "scores", "tiebreak", "said"),
    [
        ((0, 1), (162, 130), (), "Ana wins Blue Lagoon, 162 to 130"),
        ((1, 0), (-9, 0), (), "Bea wins Blue Lagoon, 0 to −9"),
        ((2, 0, 1), (80, 40.5, 99), (), "Cem wins Blue Lagoon, 99 to 80"),
        (((0, 1), 2), (70, 70, 12), (), "Ana and Bea share the win in Blue Lagoon, 70 each"),
        (
            (1, 0, 2),
            (70, 70, 12),
            NO_TIE,
            "Bea wins Blue Lagoon, 70 to 70, on the tiebreak: 5 items",
        ),
        ((1, (0, 2)), (60, 70, 60), NO_TIE, "Bea wins Blue Lagoon, 70 to 60"),
        ((1, 0), (), (), "Bea wins Blue Lagoon"),
    ],
)
def test_the_end_is_summed_up_in_one_line(
    ranking: Any, scores: Any, tiebreak: Any, said: str
) -> None:
    seats = len(scores) or 2
    places = tuple(place if isinstance(place, tuple) else (place,) for place in ranking)
    match = begin(GAMES["blue_lagoon"], seats, {"first": "1"}, seed=7)
    match.__dict__["outcome"] = Outcome("nobody_can_place", places, scores, tiebreak)
    room = room_of(match, ("Ana", "Bea", "Cem")[:seats])
    assert describe.result(room, plain_names(room)) == said
    assert turn_message.thread_name(room) == f"{said} · abcd2345"


def test_a_solo_player_who_resigns_leaves_no_winner() -> None:
    match = begin(
        GAMES["blue_lagoon"], 2, {"first": "1"}, seed=7, computers=frozenset({Seat(1)})
    ).resign(Seat(0))
    room = room_of(match, chairs=(Person(10, "Ana"), Person(0, "Computer 1")))
    assert describe.result(room, plain_names(room)) == "Blue Lagoon ended early: Ana dropped out"


def test_threads_of_similar_matches_have_different_names() -> None:
    match = begin(GAMES["conquest"], 4, seed=7)
    names = tuple(letter * 32 for letter in "wxyz")
    one, other = (
        turn_message.thread_name(room_of(match, names, id=match_id))
        for match_id in ("abcd2345", "abcd2346")
    )
    assert one != other and len(one) <= 100
    assert (
        turn_message.thread_name(room_of(begin(GAMES["maori"], 2)))
        == "Maori: Ana and Bea · abcd2345"
    )


def test_secret_events_are_not_described() -> None:
    room = room_of(begin(GAMES["conquest"], 2, seed=7))
    sealed = [SeatReady(Seat(seat), ready=True) for seat in range(2)]
    assert describe.tell_each_actor(room, sealed, Seat(0), 500) == ""


class PointsShown(Event, frozen=True, tag=True):
    """An event that counts points."""

    shows_scores = True


def test_the_score_sheet_comes_with_the_events_that_count_points() -> None:
    due = post(("17",), since=0)
    counted = Post(due.announcement, due.room, (*due.events, PointsShown()), due.newly)
    assert turn_message.message(counted).with_scores
    assert turn_message.message(counted).content == turn_message.message(due).content, (
        "the sheet tells them"
    )


@pytest.mark.parametrize("reason", [GONE, FORBIDDEN, DAMAGED])
def test_the_reason_for_a_pause_is_put_into_words(reason: str) -> None:
    room = room_of(None, status=Status.PAUSED)
    paused = replace(room, record=replace(room.record, paused_for=reason))
    assert " " in paused.why_paused and paused.why_paused in describe.describe_state(paused)


def test_reasons_stored_as_text_are_shown_as_they_are() -> None:
    room = room_of(None, status=Status.PAUSED)
    assert (
        replace(room, record=replace(room.record, paused_for="it has no channel.")).why_paused
        == "it has no channel."
    )
