"""Announcements: due when the hand passes, once, with all that happened since the last one."""

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
from tests.bot.intercept import Run, intercept
from tests.bot.seating import ANA, PLACE, House, answered, asked, playing
from tests.patience import PATIENCE
from tests.transcripts.scenario import HERE


async def post_all(house: House, message: int = 1) -> list[tuple[int, int]]:
    """Everything due posted: the commits each post told of."""
    due = await house.matches.due()
    for announcement in due:
        await house.matches.note_post(announcement, message)
    return [(announcement.since, announcement.number) for announcement in due]


def waiting(post: Post) -> tuple[Seat, ...]:
    """The people that a post says are waited for."""
    return people_to_move(playing(post.room))


async def test_every_turn_of_a_person_is_announced(house: House) -> None:
    room = await house.started("blue_lagoon")
    assert await post_all(house) == [(-1, 0)]
    for number in range(4):
        room = (await house.turn(room, number % 2)).room
        assert await post_all(house) == [(number, number + 1)]


async def test_a_pick_or_an_undo_is_not_announced(house: House) -> None:
    room = await house.started("blue_lagoon")
    await post_all(house)
    room = (await house.pick(room, 0)).room
    await house.matches.undo(house.press(room, 0, turn=1))
    assert await house.matches.due() == []


async def test_turns_of_computers_are_told_with_the_next_persons(house: House) -> None:
    room = await house.started("blue_lagoon", people=1, computers=2)
    assert await post_all(house) == [(-1, 0)]
    room = (await house.turn(room, 0)).room
    assert playing(room).number == 3 and playing(room).waiting_for() == (0,)
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    assert (due.since, due.number) == (0, 3)
    assert {event.seat for event in post.events if hasattr(event, "seat")} == {0, 1, 2}
    assert (waiting(post), post.newly) == ((0,), (0,))


async def test_a_board_drawn_later_marks_what_the_last_post_told_and_what_is_newer(
    house: House,
) -> None:
    room = await house.started("blue_lagoon", people=1, computers=2)
    announcements = house.matches.kernel.matches
    room = (await house.turn(room, 0)).room
    (*_, due) = await announcements.due()
    told = (await announcements.post_of(due)).events
    assert await announcements.news(room, None) == told and len(told) >= 3
    assert await announcements.news(room, Seat(0)) == told
    room = (await house.turn(room, 0)).room
    newer = await announcements.news(room, None)
    assert {event.seat for event in newer} == {0, 1, 2} and not set(newer) & set(told), (
        "those of the last post alone"
    )
    await house.restart()
    again = await house.matches.find(room.record.id)
    assert await house.matches.news(again, None) == await announcements.news(room, None)


async def test_of_what_happened_since_everyone_learns_only_what_they_may_know(house: House) -> None:
    """In Reef everybody draws cards in secret, and a sealed bid makes no post: that it is in is
    known at once.
    """
    room = await house.started(people=2)
    before = await house.matches.news(room, None)
    room = (await house.turn(room, 1)).room
    everyone, ana, bea = [await house.matches.news(room, seat) for seat in (None, Seat(0), Seat(1))]
    assert everyone[: len(before)] == before and "BidSealed" in {
        type(event).__name__ for event in everyone
    }
    drawn = [
        [event.card for event in news if hasattr(event, "card")] for news in (everyone, ana, bea)
    ]
    assert not any(drawn[0]) and any(drawn[1]) and any(drawn[2])
    assert not any(mine and other for mine, other in zip(drawn[1], drawn[2], strict=True))


async def test_a_match_that_a_computer_begins_is_announced_when_a_person_is_to_move(
    house: House,
) -> None:
    room = await house.started("blue_lagoon", people=1, computers=2, first="2")
    (due,) = await house.matches.due()
    assert playing(room).waiting_for() == (0,) and (due.since, due.number) == (-1, 2)


async def test_the_hand_that_stays_is_not_announced(house: House) -> None:
    """In Reef a dive may be followed by another of the same diver: one story, told when they are
    done.
    """
    room = await house.started(people=2)
    await post_all(house)
    announced, stayed = [], 0
    while playing(room).outcome is None:
        before = playing(room)
        seat = before.waiting_for()[0]
        is_open = not asked(before, seat).secret
        room = (await house.turn(room, seat)).room
        passed = (
            playing(room).waiting_for() != before.waiting_for() or playing(room).outcome is not None
        )
        stayed += not passed and is_open
        awaits_others = not is_open and set(playing(room).waiting_for()) < set(before.waiting_for())
        due = await post_all(house)
        assert len(due) == ((passed or not is_open) and not awaits_others)
        announced += due
    assert stayed and announced[-1][1] == playing(room).number
    assert [since for since, _ in announced] == [0, *(number for _, number in announced[:-1])]


async def test_a_secret_round_is_told_when_it_ends_though_the_last_one_in_is_asked_next(
    house: House,
) -> None:
    """In Reef the diver's neighbour, who names the reef, may be the one who sealed last."""
    for last in (0, 1):
        room = await house.started(people=2)
        room = (await house.turn(room, 1 - last)).room
        await post_all(house)
        room = (await house.turn(room, last)).room
        if playing(room).waiting_for() == (last,):
            break
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    assert "BidsRevealed" in {type(event).__name__ for event in post.events}
    assert (waiting(post), post.newly) == ((last,), (last,))


async def test_a_turn_that_comes_round_to_the_same_seat_is_announced_also_after_a_restart(
    tmp_path: Path,
) -> None:
    """Bea has the last action of a round of Polynesia and the first of the next."""
    script = parse((HERE / "polynesia" / "two-seats.txt").read_text(encoding="utf-8"))
    house = House(tmp_path / "motu.sqlite3", make_seed=lambda: script.seed)
    await house.open()
    room = await house.started("polynesia", **dict(script.settings))
    for commit in replay(script).commits[:20]:
        await post_all(house)
        await house.restart()
        answers = tuple(
            (answer.kind, answer.keys) for answer in commit.answers if not answer.forced
        )
        room = (await house.matches.play(house.press(room, commit.seat), answered(*answers))).room
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    assert (due.since, due.number, waiting(post), post.newly) == (19, 20, (1,), (1,))
    await house.matches.close()


async def test_who_has_been_pinged_is_not_pinged_again(house: House) -> None:
    room = await house.started(people=3)
    posts = [await house.matches.post_of(due) for due in await house.matches.due()]
    assert [(waiting(post), post.newly) for post in posts] == [((0, 1, 2), (0, 1, 2))]
    await house.matches.resign(house.press(room, 1))
    post = await house.matches.post_of((await house.matches.due())[-1])
    assert (waiting(post), post.newly) == ((0, 2), ())


async def test_a_secret_answer_makes_no_post_while_others_are_awaited(house: House) -> None:
    room = await house.started(people=3)
    await post_all(house)
    room = await house.matches.find(room.record.id)
    assert await house.matches.standing_post(room) is None
    for seat, awaited in ((1, (0, 2)), (0, (2,))):
        await house.turn(room, seat)
        assert await post_all(house) == []
        now = await house.matches.find(room.record.id)
        post = await house.matches.standing_post(now)
        assert post is not None
        assert (post.announcement.number, waiting(post), playing(now).waiting_for()) == (
            0,
            (0, 1, 2),
            awaited,
        )
    await house.turn(room, 2)
    assert await post_all(house) == [(0, 3)]
    room = await house.matches.find(room.record.id)
    assert await house.matches.standing_post(room) is None


async def test_a_secret_answer_of_a_computer_makes_no_post(house: House) -> None:
    room = await house.started(people=2, computers=1)
    assert playing(room).number == 1 and playing(room).waiting_for() == (0, 1)
    assert await post_all(house) == [(-1, 0)]


async def test_the_end_is_announced(house: House) -> None:
    room = await house.played_out(await house.started("blue_lagoon", people=1, computers=1))
    last = (await house.matches.due())[-1]
    post = await house.matches.post_of(last)
    assert last.number == playing(room).number
    assert waiting(post) == () and playing(post.room).outcome == playing(room).outcome


async def test_a_resignation_is_announced(house: House) -> None:
    room = await house.started("blue_lagoon", people=3)
    await post_all(house)
    await house.matches.resign(house.press(room, 2))
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    assert (due.number, waiting(post), post.newly) == (1, (0,), ())
    assert playing(post.room).resigned == {2}
    assert "Cem resigns." in turn_message.message(post).content.splitlines()


async def test_a_resignation_of_the_one_to_move_is_announced_with_the_answer_given_for_them(
    house: House,
) -> None:
    room = await house.started("blue_lagoon", people=3)
    await post_all(house)
    await house.matches.resign(house.press(room, 0))
    (due,) = await house.matches.due()
    assert (due.since, due.number) == (0, 2)
    post = await house.matches.post_of(due)
    assert post.newly == (1,) and "Ana resigns. Ana ⚙: " in turn_message.message(post).content


async def test_a_post_shows_the_match_as_it_stood_without_drafts(house: House) -> None:
    room = await house.started("blue_lagoon")
    first = playing(room)
    room = (await house.turn(room, 0)).room
    room = (await house.pick(room, 1)).room
    posts = [await house.matches.post_of(due) for due in await house.matches.due()]
    assert [playing(post.room).number for post in posts] == [0, 1]
    assert playing(posts[0].room) == first and not playing(posts[1].room).drafts
    assert [waiting(post) for post in posts] == [(0,), (1,)]


async def test_a_post_tells_only_what_everyone_may_know(house: House) -> None:
    room = await house.started()
    (due,) = await house.matches.due()
    post = await house.matches.post_of(due)
    assert post.events and visible(post.events, None) == post.events
    assert not any(getattr(event, "card", "") for event in post.events)
    assert (await house.matches.log(room.record.id, Seat(0)))[0].events != post.events


async def test_what_was_posted_is_ticked_off_once_and_carries_the_buttons(house: House) -> None:
    room = await house.started("blue_lagoon")
    (due,) = await house.matches.due()
    await house.matches.note_post(due, 77)
    await house.matches.note_post(due, 77)
    matches = await house.restart()
    assert await matches.due() == []
    assert (await matches.find(room.record.id)).record.turn_message == 77


async def test_what_is_due_stays_due_over_a_restart_in_order(house: House) -> None:
    rooms = [await house.started("blue_lagoon") for _ in range(2)]
    for room in rooms:
        await house.turn(room, 0)
    before = await house.matches.due()
    matches = await house.restart()
    assert await matches.due() == before
    assert [due.id for due in before] == sorted({due.id for due in before})
    assert [due.match for due in await matches.due(rooms[1].record.id)] == [rooms[1].record.id] * 2


async def test_a_paused_match_has_nothing_due_until_it_moves(house: House) -> None:
    room = await house.started("blue_lagoon")
    await house.matches.pause(room.record.id, "gone")
    assert await house.matches.due() == []
    await house.matches.moved(room.record.id, PLACE)
    assert len(await house.matches.due()) == 1


async def test_a_crash_before_the_computers_turn_is_made_good(house: House) -> None:
    """As if the program had been stopped between a person's commit and the computer's answer."""
    room = await house.started("blue_lagoon", people=1, computers=1)
    await post_all(house)
    house.matches.computers._thinker = _stopped  # type: ignore[assignment]
    await house.turn(room, 0)
    assert await house.matches.due() == []
    matches = await house.restart()
    await matches.recover()
    await matches.recover()
    await matches.computers.wait(await matches.find(room.record.id), PATIENCE)
    (due,) = await matches.due()
    assert (due.since, due.number) == (0, 2)
    found: Room = await matches.find(room.record.id)
    assert playing(found).waiting_for() == (0,)


async def _stopped(*_: object) -> None:
    raise RuntimeError("stopped")


async def test_an_announcement_of_a_match_that_is_not_there_is_refused(house: House) -> None:
    room = await house.matches.open_lobby("toy", {}, PLACE, ANA)
    for match in ("nothing1", room.record.id):
        with pytest.raises(NotFound):
            await house.matches.post_of(Announcement(1, match, -1, 0))


async def test_a_match_that_moves_leaves_its_last_board_behind(house: House) -> None:
    room = await house.started("blue_lagoon")
    await post_all(house, message=77)
    stays = await house.matches.moved(room.record.id, room.record.place)
    assert stays.record.turn_message == 77
    moves = await house.matches.moved(room.record.id, Place(1, 8))
    assert moves.record.turn_message == 0
    assert await post_all(house, message=0) == [(-1, 0)], "shown anew where it went"
    matches = await house.restart()
    assert (await matches.find(room.record.id)).record.turn_message == 0


async def test_the_service_says_when_posts_may_have_to_change(house: House) -> None:
    told: list[Change] = []
    house.matches.kernel.add(Parts(subscribers=(told.append,)))

    def due() -> list[tuple[int, int] | None]:
        """The commits that a post tells of for each change, if one has become due by it."""
        posts = [(change.before.last_post, change.after.last_post) for change in told]
        return [
            (post.since, post.number) if post and post != before else None for before, post in posts
        ]

    room = await house.started("blue_lagoon")
    assert due() == [None, (-1, 0)], "Bea comes, and the match begins"
    room = (await house.pick(room, 0)).room
    assert told[-1].is_draft_only, "a draft is nobody else's business"
    await house.matches.confirm(house.press(room, 0))
    assert due()[2:] == [None, (0, 1)] and not told[-1].is_draft_only
    await house.matches.moved(room.record.id, Place(1, 2, 3, wants_thread=True))
    assert due()[4:] == [None] and not told[-1].announce_again, (
        "the outbox itself has made that thread"
    )
    await house.matches.pause(room.record.id, "gone")
    await house.matches.moved(room.record.id, PLACE)
    assert [change.after.record.paused_for for change in told[5:]] == ["gone", ""]
    assert {change.match_id for change in told} == {room.record.id}


async def test_a_position_that_was_shown_is_read_from_the_store_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await house.started("blue_lagoon")
    for _ in range(3):
        room = (await house.turn(room, playing(room).waiting_for()[0])).room
    await house.restart()
    read = []

    async def count(run: Run, match: str, first: int, last: int) -> list[StoredCommit]:
        read.append(last)
        return await run()

    intercept(monkeypatch, queries.replayable_commits, count)
    due = await house.matches.due(room.record.id)
    for _ in range(2):
        for announcement in due:
            await house.matches.post_of(announcement)
    assert read == [0, 1, 2], "the newest one is the room's own"
