"""Announcements: when a post is due, and which commits it covers."""

from pathlib import Path

import pytest

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.post_rules import people_to_move
from bot.kernel.room import Post, Room
from bot.model import Announcement, Place, StoredCommit
from bot.posts import turn_message
from bot.runtime.base import NotFound
from engine import Seat, visible
from engine.core.transcript import parse, replay
from tests.bot.backend import ANA, PLACE, Backend, answer_with, match_of, question_of
from tests.bot.intercept import Run, intercept
from tests.patience import PATIENCE
from tests.transcripts.scenario import HERE


async def post_all(backend: Backend, message: int = 1) -> list[tuple[int, int]]:
    """Post everything that is due; return the commits of each post."""
    due = await backend.matches.pending_posts()
    for announcement in due:
        await backend.matches.note_post(announcement, message)
    return [(announcement.since, announcement.number) for announcement in due]


def awaited_people(post: Post) -> tuple[Seat, ...]:
    """Return the people that a post waits for."""
    return people_to_move(match_of(post.room))


async def test_every_turn_of_a_person_is_announced(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    assert await post_all(backend) == [(-1, 0)]
    for number in range(4):
        room = (await backend.take_turn(room, number % 2)).room
        assert await post_all(backend) == [(number, number + 1)]


async def test_a_pick_or_an_undo_is_not_announced(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await post_all(backend)
    room = (await backend.pick(room, 0)).room
    await backend.matches.undo(backend.press(room, 0, turn=1))
    assert await backend.matches.pending_posts() == []


async def test_computer_turns_are_announced_with_the_next_person_s(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=2)
    assert await post_all(backend) == [(-1, 0)]
    room = (await backend.take_turn(room, 0)).room
    assert match_of(room).number == 3 and match_of(room).waiting_for() == (0,)
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    assert (due.since, due.number) == (0, 3)
    assert {event.seat for event in post.events if hasattr(event, "seat")} == {0, 1, 2}
    assert (awaited_people(post), post.newly) == ((0,), (0,))


async def test_a_board_marks_the_last_post_s_events_and_newer_ones(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=2)
    announcements = backend.matches.kernel.matches
    room = (await backend.take_turn(room, 0)).room
    (*_, due) = await announcements.pending_posts()
    events = (await announcements.post_of(due)).events
    assert await announcements.news(room, None) == events and len(events) >= 3
    assert await announcements.news(room, Seat(0)) == events
    room = (await backend.take_turn(room, 0)).room
    newer = await announcements.news(room, None)
    assert {event.seat for event in newer} == {0, 1, 2}
    assert not set(newer) & set(events), "those of the last post alone"
    await backend.restart()
    again = await backend.matches.find(room.record.id)
    assert await backend.matches.news(again, None) == await announcements.news(room, None)


async def test_recent_events_are_filtered_by_viewer(backend: Backend) -> None:
    """In Reef everybody draws cards in secret, and a sealed bid makes no post."""
    room = await backend.start_match(people=2)
    before = await backend.matches.news(room, None)
    room = (await backend.take_turn(room, 1)).room
    everyone, ana, bea = [
        await backend.matches.news(room, seat) for seat in (None, Seat(0), Seat(1))
    ]
    assert everyone[: len(before)] == before
    assert "BidSealed" in {type(event).__name__ for event in everyone}
    drawn = [
        [event.card for event in news if hasattr(event, "card")] for news in (everyone, ana, bea)
    ]
    assert not any(drawn[0])
    assert any(drawn[1])
    assert any(drawn[2])
    assert not any(mine and other for mine, other in zip(drawn[1], drawn[2], strict=True))


async def test_a_match_that_a_computer_begins_is_announced_when_a_person_is_to_move(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=2, first="2")
    (due,) = await backend.matches.pending_posts()
    assert match_of(room).waiting_for() == (0,)
    assert (due.since, due.number) == (-1, 2)


async def test_a_turn_that_stays_with_a_seat_is_not_announced(backend: Backend) -> None:
    """In Reef a dive may be followed by another of the same diver: one story, told when they are
    done.
    """
    room = await backend.start_match(people=2)
    await post_all(backend)
    announced, stayed = [], 0
    while match_of(room).outcome is None:
        before = match_of(room)
        seat = before.waiting_for()[0]
        is_open = not question_of(before, seat).secret
        room = (await backend.take_turn(room, seat)).room
        passed = (
            match_of(room).waiting_for() != before.waiting_for()
            or match_of(room).outcome is not None
        )
        stayed += not passed and is_open
        awaits_others = not is_open and set(match_of(room).waiting_for()) < set(
            before.waiting_for()
        )
        due = await post_all(backend)
        assert len(due) == ((passed or not is_open) and not awaits_others)
        announced += due
    assert stayed and announced[-1][1] == match_of(room).number
    assert [since for since, _ in announced] == [0, *(number for _, number in announced[:-1])]


async def test_a_secret_round_is_announced_when_it_ends(
    backend: Backend,
) -> None:
    """In Reef the diver's neighbour, who names the reef, may be the one who sealed last."""
    for last in (0, 1):
        room = await backend.start_match(people=2)
        room = (await backend.take_turn(room, 1 - last)).room
        await post_all(backend)
        room = (await backend.take_turn(room, last)).room
        if match_of(room).waiting_for() == (last,):
            break
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    assert "BidsRevealed" in {type(event).__name__ for event in post.events}
    assert (awaited_people(post), post.newly) == ((last,), (last,))


async def test_a_turn_that_returns_to_the_same_seat_is_announced(
    tmp_path: Path,
) -> None:
    """Bea has the last action of a round of Polynesia and the first of the next."""
    script = parse((HERE / "polynesia" / "two-seats.txt").read_text(encoding="utf-8"))
    backend = Backend(tmp_path / "motu.sqlite3", make_seed=lambda: script.seed)
    await backend.open()
    room = await backend.start_match("polynesia", **dict(script.settings))
    for commit in replay(script).commits[:20]:
        await post_all(backend)
        await backend.restart()
        answers = tuple(
            (answer.kind, answer.keys) for answer in commit.answers if not answer.forced
        )
        room = (
            await backend.matches.play(backend.press(room, commit.seat), answer_with(*answers))
        ).room
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    assert due.since == 19
    assert due.number == 20
    assert awaited_people(post) == (1,)
    assert post.newly == (1,)
    await backend.matches.close()


async def test_a_player_is_not_mentioned_twice(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    posts = [await backend.matches.post_of(due) for due in await backend.matches.pending_posts()]
    assert [(awaited_people(post), post.newly) for post in posts] == [((0, 1, 2), (0, 1, 2))]
    await backend.matches.resign(backend.press(room, 1))
    post = await backend.matches.post_of((await backend.matches.pending_posts())[-1])
    assert (awaited_people(post), post.newly) == ((0, 2), ())


async def test_a_secret_answer_makes_no_post_while_others_are_awaited(backend: Backend) -> None:
    room = await backend.start_match(people=3)
    await post_all(backend)
    room = await backend.matches.find(room.record.id)
    assert await backend.matches.standing_post(room) is None
    for seat, awaited in ((1, (0, 2)), (0, (2,))):
        await backend.take_turn(room, seat)
        assert await post_all(backend) == []
        now = await backend.matches.find(room.record.id)
        post = await backend.matches.standing_post(now)
        assert post is not None
        assert post.announcement.number == 0
        assert awaited_people(post) == (0, 1, 2)
        assert match_of(now).waiting_for() == awaited
    await backend.take_turn(room, 2)
    assert await post_all(backend) == [(0, 3)]
    room = await backend.matches.find(room.record.id)
    assert await backend.matches.standing_post(room) is None


async def test_a_secret_answer_of_a_computer_makes_no_post(backend: Backend) -> None:
    room = await backend.start_match(people=2, computers=1)
    assert match_of(room).number == 1
    assert match_of(room).waiting_for() == (0, 1)
    assert await post_all(backend) == [(-1, 0)]


async def test_the_end_is_announced(backend: Backend) -> None:
    room = await backend.play_out(await backend.start_match("blue_lagoon", people=1, computers=1))
    last = (await backend.matches.pending_posts())[-1]
    post = await backend.matches.post_of(last)
    assert last.number == match_of(room).number
    assert awaited_people(post) == ()
    assert match_of(post.room).outcome == match_of(room).outcome


async def test_a_resignation_is_announced(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await post_all(backend)
    await backend.matches.resign(backend.press(room, 2))
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    assert due.number == 1
    assert awaited_people(post) == (0,)
    assert post.newly == ()
    assert match_of(post.room).resigned == {2}
    lines = turn_message.message(post).content.splitlines()
    assert any(line.startswith("Cem left the match. A computer (steady) plays") for line in lines)


async def test_a_resignation_of_the_one_to_move_is_announced_with_the_answer_given_for_them(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=3)
    await post_all(backend)
    await backend.matches.resign(backend.press(room, 0))
    (due,) = await backend.matches.pending_posts()
    assert (due.since, due.number) == (0, 2)
    post = await backend.matches.post_of(due)
    assert post.newly == (1,)
    _, left, placed = turn_message.message(post).content.splitlines()
    assert left.startswith("Ana left the match.") and placed.startswith("Ana ⚙ placed ")


async def test_a_post_shows_the_match_as_it_stood_without_drafts(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    first = match_of(room)
    room = (await backend.take_turn(room, 0)).room
    room = (await backend.pick(room, 1)).room
    posts = [await backend.matches.post_of(due) for due in await backend.matches.pending_posts()]
    assert [match_of(post.room).number for post in posts] == [0, 1]
    assert match_of(posts[0].room) == first
    assert not match_of(posts[1].room).drafts
    assert [awaited_people(post) for post in posts] == [(0,), (1,)]


async def test_a_post_contains_only_public_events(backend: Backend) -> None:
    room = await backend.start_match()
    (due,) = await backend.matches.pending_posts()
    post = await backend.matches.post_of(due)
    assert post.events and visible(post.events, None) == post.events
    assert not any(getattr(event, "card", "") for event in post.events)
    assert (await backend.matches.log(room.record.id, Seat(0)))[0].events != post.events


async def test_a_post_is_noted_once_and_carries_the_buttons(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    (due,) = await backend.matches.pending_posts()
    await backend.matches.note_post(due, 77)
    await backend.matches.note_post(due, 77)
    matches = await backend.restart()
    assert await matches.pending_posts() == []
    assert (await matches.find(room.record.id)).record.turn_message == 77


async def test_pending_posts_survive_a_restart_in_order(backend: Backend) -> None:
    rooms = [await backend.start_match("blue_lagoon") for _ in range(2)]
    for room in rooms:
        await backend.take_turn(room, 0)
    before = await backend.matches.pending_posts()
    matches = await backend.restart()
    assert await matches.pending_posts() == before
    assert [due.id for due in before] == sorted({due.id for due in before})
    assert [due.match for due in await matches.pending_posts(rooms[1].record.id)] == [
        rooms[1].record.id
    ] * 2


async def test_a_paused_match_posts_nothing_until_it_is_moved(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await backend.matches.pause(room.record.id, "gone")
    assert await backend.matches.pending_posts() == []
    await backend.matches.move(room.record.id, PLACE)
    assert len(await backend.matches.pending_posts()) == 1


async def test_a_computer_s_turn_lost_in_a_crash_is_played_after_the_start(
    backend: Backend,
) -> None:
    """As if the program had been stopped between a person's commit and the computer's answer."""
    room = await backend.start_match("blue_lagoon", people=1, computers=1)
    await post_all(backend)
    backend.matches.computers._thinker = _stopped  # type: ignore[assignment]
    await backend.take_turn(room, 0)
    assert await backend.matches.pending_posts() == []
    matches = await backend.restart()
    await matches.recover()
    await matches.recover()
    await matches.computers.wait(await matches.find(room.record.id), PATIENCE)
    (due,) = await matches.pending_posts()
    assert (due.since, due.number) == (0, 2)
    found: Room = await matches.find(room.record.id)
    assert match_of(found).waiting_for() == (0,)


async def _stopped(*_: object) -> None:
    raise RuntimeError("stopped")


async def test_an_announcement_of_an_unknown_match_is_refused(backend: Backend) -> None:
    room = await backend.matches.open_lobby("toy", {}, PLACE, ANA)
    for match in ("nothing1", room.record.id):
        with pytest.raises(NotFound):
            await backend.matches.post_of(Announcement(1, match, -1, 0))


async def test_a_moved_match_leaves_its_last_board_behind(backend: Backend) -> None:
    room = await backend.start_match("blue_lagoon")
    await post_all(backend, message=77)
    stays = await backend.matches.move(room.record.id, room.record.place)
    assert stays.record.turn_message == 77
    moves = await backend.matches.move(room.record.id, Place(1, 8))
    assert moves.record.turn_message == 0
    assert await post_all(backend, message=0) == [(-1, 0)], "shown anew where it went"
    matches = await backend.restart()
    assert (await matches.find(room.record.id)).record.turn_message == 0


async def test_subscribers_are_notified_when_posts_may_change(backend: Backend) -> None:
    told: list[Change] = []
    backend.matches.kernel.add(Parts(subscribers=(told.append,)))

    def due() -> list[tuple[int, int] | None]:
        """Return the commits of the post that each change makes due."""
        posts = [(change.before.last_post, change.after.last_post) for change in told]
        return [
            (post.since, post.number) if post and post != before else None for before, post in posts
        ]

    room = await backend.start_match("blue_lagoon")
    assert due() == [None, (-1, 0)], "Bea comes, and the match begins"
    room = (await backend.pick(room, 0)).room
    assert told[-1].is_draft_only, "a draft is nobody else's business"
    await backend.matches.confirm(backend.press(room, 0))
    assert due()[2:] == [None, (0, 1)]
    assert not told[-1].is_draft_only
    await backend.matches.move(room.record.id, Place(1, 2, 3, wants_thread=True))
    assert due()[4:] == [None]
    assert not told[-1].announce_again, "the outbox itself has made that thread"
    await backend.matches.pause(room.record.id, "gone")
    await backend.matches.move(room.record.id, PLACE)
    assert [change.after.record.paused_for for change in told[5:]] == ["gone", ""]
    assert {change.match_id for change in told} == {room.record.id}


async def test_a_shown_position_is_read_from_the_store_once(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await backend.start_match("blue_lagoon")
    for _ in range(3):
        room = (await backend.take_turn(room, match_of(room).waiting_for()[0])).room
    await backend.restart()
    read = []

    async def count(run: Run, match: str, first: int, last: int) -> list[StoredCommit]:
        read.append(last)
        return await run()

    intercept(monkeypatch, queries.replayable_commits, count)
    due = await backend.matches.pending_posts(room.record.id)
    for _ in range(2):
        for announcement in due:
            await backend.matches.post_of(announcement)
    assert read == [0, 1, 2], "the newest one is the room's own"
