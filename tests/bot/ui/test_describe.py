"""Words that people made, and words about matches."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.kernel.encoding import DAMAGED, facts
from bot.kernel.room import Post
from bot.model import Announcement, Person, Status
from bot.posts import turn_message
from bot.posts.places import FORBIDDEN, GONE
from bot.ui import describe, parts
from bot.ui.describe import marked_names, person_name, plain_names
from engine import GAMES, Answer, Event, Outcome, Seat, begin
from engine.conquest.events import SeatReady
from engine.core.escape import escaped, one_line
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


def test_whoever_a_computer_plays_for_is_marked() -> None:
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


def test_what_follows_a_resignation_is_not_told_as_the_deed_of_whoever_left() -> None:
    match = begin(GAMES["blue_lagoon"], 3, {"first": "1"}, seed=7).resign(Seat(0))
    played = stand_in(match, Seat(0))
    told = describe.told(room_of(played, ("Ana", "Bea", "Cem")), facts(played.commits, None), None)
    assert told[0] == "Ana resigns." and told[1].startswith("Ana ⚙: "), told


def test_long_names_are_shortened() -> None:
    assert len(one_line("x" * 100)) == 32
    assert len(turn_message.thread_name(room_of(None, ("x" * 100,) * 4))) <= 100


def test_lines_are_cut_from_the_front_with_a_word_about_it() -> None:
    lines = [f"line {number}" for number in range(100)]
    kept = parts.lines_within(lines, 60, "…")
    assert kept[0] == "…" and kept[-1] == "line 99" and len("\n".join(kept)) <= 60
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


def test_the_first_post_says_that_the_dice_are_sealed_and_a_button_has_the_seal() -> None:
    due = post()
    made = turn_message.message(due)
    assert made.content.startswith(
        "<@10> **Blue Lagoon** (`abcd2345`): **Ana** places a piece."
    ) and made.pings == (10,)
    assert (
        made.content.endswith("The dice are sealed; the proof is behind Fairness.")
        and "c0ffee" not in made.content
    )
    assert labels(made.rows) == ["Your move", "My view", "Log", "Rules", "Fairness"]
    proof, seed = turn_message.fairness(due.room), due.room.playing().seed
    assert f"`{'c0ffee' * 10}`" in proof and seed not in proof.replace("c0ffee", "")


def test_a_turn_tells_what_happened_and_who_decides_what() -> None:
    made = turn_message.message(post(("17",), since=0))
    assert "Ana: boat on 17." in made.content and "**Bea** places a piece" in made.content
    assert "c0ffee" not in made.content and made.pings == (11,)
    check_rows(made.rows)
    assert labels(made.rows) == ["Your move", "What happened", "My view", "Log", "Rules"]
    assert not made.with_scores


def test_a_post_shows_the_table_and_never_a_draft() -> None:
    due = post(("17",), since=0)
    assert due.room.match is not None
    drafted = due.room.match.pick(Answer(Seat(1), "place_piece", ("31",)))
    secret = Post(due.announcement, room_of(drafted), due.events, due.newly)
    assert turn_message.message(secret).content == turn_message.message(due).content


def news(due: Post, limit: int = describe.LONGEST_NEWS) -> str:
    return describe.told_within(due.room, due.events, None, limit, plain_names(due.room))


def test_an_alt_text_tells_in_order_and_of_too_much_the_end() -> None:
    assert news(post(("17", "1", "30"), since=-1)).endswith(
        "Boat on 17. Bea: boat on 1. Ana: boat on 30."
    )
    long = post(("17", "1", "30", "3", "31", "5", "16", "6", "14", "8", "13", "10"), since=-1)
    told = news(long)
    assert (
        told.startswith("… ")
        and told.endswith("Bea: boat on 10.")
        and len(told) <= describe.LONGEST_NEWS
    )
    assert told.removeprefix("… ") in " ".join(describe.told(long.room, long.events, None)), (
        "nothing left out between"
    )
    assert news(long, 10) == "… Bea: bo…", "what is too long alone is cut"


def test_computers_and_those_who_resigned_are_not_pinged() -> None:
    due = post()
    assert due.room.match is not None
    room = room_of(due.room.match, chairs=(Person(0, "Computer 1"), Person(11, "Bea")))
    assert turn_message.message(Post(due.announcement, room, (), (Seat(0),))).pings == ()


def test_a_post_of_a_thousand_events_is_short() -> None:
    due = post(("17",), ("x" * 32, "y" * 32, "z" * 32, "*" * 32), since=0)
    flood = Post(due.announcement, due.room, due.events * 1000, due.newly)
    head, story = turn_message.message(flood).content.splitlines()
    assert head.startswith("<@11>") and story.startswith("… ") and len(story) <= turn_message.STORY


def test_points_are_said_where_there_is_no_picture_to_show_them() -> None:
    due = post(("17",), since=0)
    assert "If the phase ended now" not in turn_message.message(due).content
    assert (
        "If the phase ended now: Ana 0, Bea 0."
        in turn_message.message(due, with_points=True).content
    )


def test_the_end_calls_all_who_played_and_a_button_has_the_seed() -> None:
    match = begin(
        GAMES["blue_lagoon"], 3, {"first": "1"}, seed="5eed", computers=frozenset({Seat(2)})
    ).resign(Seat(0))
    chairs = (Person(10, "Ana"), Person(11, "Bea"), Person(0, "Computer 1"))
    room = room_of(match, status=Status.FINISHED, chairs=chairs)
    made = turn_message.message(Post(Announcement(1, "abcd2345", 0, 1), room, (), ()))
    assert made.content.splitlines() == [
        "<@10> <@11> **Blue Lagoon ended early: only Bea is left at the table.**",
        "1. **Bea** 0, 2. **Computer 1 ⚙** 0, 3. **Ana** 0.",
        "The dice can be checked now: press Fairness.",
    ]
    assert made.with_scores and made.pings == (10, 11)
    assert labels(made.rows) == ["Rematch", "My view", "Log", "Review", "Fairness"]
    proof = turn_message.fairness(room)
    assert "`5eed`" in proof and "`abcd2345:5eed`" in proof and "c0ffee" in proof


NO_TIE = ((("items", 3),), (("items", 5),), (("items", 5),))


@pytest.mark.parametrize(
    ("ranking", "scores", "tiebreak", "said"),
    [
        ((0, 1), (162, 130), (), "Ana wins Blue Lagoon, 162 to 130"),
        ((1, 0), (-9, 0), (), "Bea wins Blue Lagoon, 0 to −9"),
        ((2, 0, 1), (80, 40.5, 99), (), "Cem wins Blue Lagoon, 99 to 80"),
        (((0, 1), 2), (70, 70, 12), (), "Ana and Bea share the win of Blue Lagoon, 70 each"),
        (
            (1, 0, 2),
            (70, 70, 12),
            NO_TIE,
            "Bea wins Blue Lagoon, 70 to 70, the tie broken by 5 items",
        ),
        ((1, (0, 2)), (60, 70, 60), NO_TIE, "Bea wins Blue Lagoon, 70 to 60"),
        ((1, 0), (), (), "Bea wins Blue Lagoon"),
    ],
)
def test_the_end_is_told_in_a_line(ranking: Any, scores: Any, tiebreak: Any, said: str) -> None:
    seats = len(scores) or 2
    places = tuple(place if isinstance(place, tuple) else (place,) for place in ranking)
    match = begin(GAMES["blue_lagoon"], seats, {"first": "1"}, seed=7)
    match.__dict__["outcome"] = Outcome("nobody_can_place", places, scores, tiebreak)
    room = room_of(match, ("Ana", "Bea", "Cem")[:seats])
    assert describe.result(room, plain_names(room)) == said
    assert turn_message.thread_name(room) == f"{said} · abcd2345"


def test_whoever_gives_up_alone_leaves_no_winner() -> None:
    match = begin(
        GAMES["blue_lagoon"], 2, {"first": "1"}, seed=7, computers=frozenset({Seat(1)})
    ).resign(Seat(0))
    room = room_of(match, chairs=(Person(10, "Ana"), Person(0, "Computer 1")))
    assert describe.result(room, plain_names(room)) == "Blue Lagoon ended early: Ana gave up"


def test_threads_of_matches_alike_have_different_names() -> None:
    match, names = begin(GAMES["conquest"], 4, seed=7), tuple(letter * 32 for letter in "wxyz")
    one, other = (
        turn_message.thread_name(room_of(match, names, id=match_id))
        for match_id in ("abcd2345", "abcd2346")
    )
    assert one != other and len(one) <= 100
    assert (
        turn_message.thread_name(room_of(begin(GAMES["maori"], 2)))
        == "Maori: Ana and Bea · abcd2345"
    )


def test_of_deeds_that_nobody_may_know_nothing_is_told() -> None:
    room = room_of(begin(GAMES["conquest"], 2, seed=7))
    sealed = [SeatReady(Seat(seat), ready=True) for seat in range(2)]
    assert describe.told_each(room, sealed, Seat(0), 500) == ""


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
def test_why_a_match_is_paused_is_said_in_words(reason: str) -> None:
    room = room_of(None, status=Status.PAUSED)
    paused = replace(room, record=replace(room.record, paused_for=reason))
    assert " " in paused.why_paused and paused.why_paused in describe.state_of(paused)


def test_an_older_database_has_the_words_themselves() -> None:
    room = room_of(None, status=Status.PAUSED)
    assert (
        replace(room, record=replace(room.record, paused_for="it has no channel.")).why_paused
        == "it has no channel."
    )
