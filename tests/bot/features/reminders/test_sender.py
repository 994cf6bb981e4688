"""Calls as people get them: mentions, reminders, direct messages and digests.

The clock is turned by hand.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.features.reminders import messages as call_message
from bot.features.reminders.rules import REMIND, Sent, reminder_job
from bot.features.reminders.service import STRIP, Digest
from bot.kernel import queries
from bot.kernel.room import Post, Room
from bot.local import Person, Response
from bot.local.model import SILENT, Message
from bot.model import Announcement, Job
from bot.posts import turn_message
from bot.ui.parts import CONTENT, ROWS, Button
from bot.ui.rate import BURST, RATE, Bucket
from engine import GAMES, Seat, begin
from tests.bot.hand_clock import DAY, HOUR, HandClock, moment
from tests.bot.intercept import intercept
from tests.bot.seating import playing
from tests.bot.tables import room_of
from tests.bot.world import World, open_world


class Calling(World):
    """A table whose clock is turned by hand."""

    now: HandClock

    async def later(self, seconds: float) -> None:
        """So much time passes; what falls due is done, and everybody is called who is to be."""
        end = self.now.now + seconds
        store = self.matches.store
        while (
            due := await store.read(queries.next_job_at, own=store.own)
        ) is not None and due <= end:
            self.now.now = max(self.now.now, due)
            self.matches.scheduler.clock_moved()
            await self.rung()
        self.now.now = end
        self.matches.scheduler.clock_moved()

    async def rung(self) -> None:
        """Wait until every press is answered, nothing is pending and no reminder is wanted."""

        async def holds() -> bool:
            matches, now = self.matches, int(self.now.now)
            if len(self.bot.handlers):
                return False
            # In this order: a post that is noted schedules reminders.
            if await matches.due():
                return False
            if await matches.store.read(queries.due_jobs, now, 1, own=matches.store.own):
                return False
            return not matches.scheduler._running and not matches.outbox._chores.tasks

        await self.settled(holds)

    async def moved(self, room: Room, person: Person, seat: int) -> Room:
        """Somebody plays the first legal turn by text."""
        question = playing(await self.matches.find(room.record.id)).question(Seat(seat))
        assert question is not None
        await self.play(person, room, f"{question.options[0].key}!")
        await self.rung()
        return await self.matches.find(room.record.id)

    async def chooses(self, person: Person, **choices: str) -> Response:
        """Somebody uses /me settings."""
        return await person.slash("/me settings", options=choices)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Calling]:
    async with open_world(tmp_path, monkeypatch, HandClock(), kind=Calling) as world:
        assert isinstance(world, Calling)
        yield world


def calling(person: Person, messages: list[Message]) -> list[Message]:
    """The messages that mention somebody as they read now."""
    return [message for message in messages if person.mention in message.content]


def with_buttons(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message.buttons]


def letters(person: Person) -> list[Message]:
    """What the bot has written to somebody in direct messages, without its answers to what they
    did there.
    """
    return [message for message in person.inbox() if not message.ephemeral]


async def test_a_turn_calls_by_one_new_message_and_the_older_one_loses_its_mention_and_buttons(
    world: Calling,
) -> None:
    room = await world.started()
    await world.moved(room, world.ana, 0)
    first, second = world.boards(room)
    assert first.pings == [world.ana.user] and second.pings == [world.bea.user]
    said = f"{world.bea.mention} **Blue Lagoon** (`{room.record.id}`): **Bea** places a piece."
    assert second.content.startswith(said), "it names the game, the match and the decision"
    assert (
        first.content.startswith(f"**Blue Lagoon** (`{room.record.id}`)")
        and not first.buttons
        and first.attachments
    )
    posts = world.discord.messages(world.place(room))
    assert calling(world.ana, posts) == [] and calling(world.bea, posts) == [second]


async def test_a_reminder_takes_the_mention_and_the_buttons_over_and_its_button_opens_the_panel(
    world: Calling,
) -> None:
    room = await world.moved(await world.started(), world.ana, 0)
    await world.later(DAY)
    place = world.place(room)
    posts = world.discord.messages(place)
    (reminder,) = calling(world.bea, posts)
    assert reminder is posts[-1] and reminder.pings == [world.bea.user]
    assert "Still waiting in **Blue Lagoon**" in reminder.content and with_buttons(posts) == [
        reminder
    ]
    panel = await world.bea.click(reminder, "Your move")
    assert panel.ephemeral and "Where do you place a piece?" in panel.content
    await world.later(10 * DAY)
    assert len(world.bea.pings()) == 3 and "**Last call**" in world.bea.pings()[-1].content
    await world.moved(room, world.bea, 1)
    posts = world.discord.messages(place)
    assert calling(world.bea, posts) == [] and with_buttons(posts) == [posts[-1]] == [
        world.boards(room)[-1]
    ]


def requests(world: Calling) -> list[tuple[str, str]]:
    """What the bot has asked of messages, oldest first: the method, and whether of one or of all
    of a channel.
    """
    asked = [
        asked
        for asked in world.discord.rest.asked
        if asked.path.startswith("/channels/") and "/messages" in asked.path
    ]
    return [(asked.method, "one" if "/messages/" in asked.path else "all") for asked in asked]


async def test_a_turn_costs_two_requests_the_post_and_a_blind_edit_of_the_one_before(
    world: Calling,
) -> None:
    room = await world.started()
    await world.rung()
    before = len(requests(world))
    await world.moved(room, world.ana, 0)
    await world.later(DAY)
    await world.moved(room, world.bea, 1)
    assert requests(world)[before:] == [("POST", "all"), ("PATCH", "one")] * 3, (
        "two turns and a reminder between"
    )
    posts = world.discord.messages(world.place(room))
    assert calling(world.bea, posts) == [] and with_buttons(posts) == [posts[-1]]
    assert "Still waiting in **Blue Lagoon**" in posts[-2].content


async def test_a_post_of_before_a_restart_loses_its_mention_and_keeps_its_words(
    world: Calling,
) -> None:
    room = await world.started()
    await world.rung()
    (first,) = world.boards(room)
    words = first.content.removeprefix(f"{world.ana.mention} ")
    await world.stop()
    await world.start()
    await world.moved(room, world.ana, 0)
    assert first.content == words and not first.buttons


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (403, 50001), (400, 50083)])
async def test_a_post_that_cannot_be_edited_holds_up_no_turn(
    world: Calling, status: int, code: int
) -> None:
    room = await world.started()
    await world.rung()
    world.discord.faults.answer("PATCH", "/channels/*/messages/*", status, code=code)
    await world.moved(room, world.ana, 0)
    await world.moved(room, world.bea, 1)
    assert len(world.boards(room)) == 3
    assert not (await world.matches.find(room.record.id)).is_paused


async def test_one_message_reminds_all_who_are_awaited(world: Calling) -> None:
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    await world.rung()
    before = len(world.discord.messages())
    await world.later(DAY)
    (reminder,) = world.discord.messages()[before:]
    assert reminder.pings == [world.ana.user, world.bea.user]


async def test_whoever_wants_no_calls_is_named_and_not_mentioned(world: Calling) -> None:
    await world.chooses(world.bea, level="off")
    room = await world.moved(await world.started(), world.ana, 0)
    await world.later(10 * DAY)
    board = world.boards(room)[-1]
    assert (
        world.bea.pings() == []
        and "**Bea** places a piece." in board.content
        and "<@" not in board.content
    )
    assert world.discord.messages(world.place(room))[-1] is board, "and nobody reminds her"


async def test_a_direct_message_takes_the_place_of_the_mention_and_loses_its_button_when_answered(
    world: Calling,
) -> None:
    answer = await world.chooses(world.bea, by="direct")
    (hello,) = world.bea.inbox()
    assert answer.ephemeral and "Here I will call you" in hello.content
    room = await world.moved(await world.started(), world.ana, 0)
    assert world.bea.pings() == [] and "<@" not in world.boards(room)[-1].content
    call = world.bea.inbox()[-1]
    assert (
        f"**Blue Lagoon** (`{room.record.id}`) with Ana: **Bea** places a piece." in call.content
        and call.labels == ["Your move"]
    )
    assert f"/{room.record.place.posts_to}/" in call.content, "with a link to the board"
    await world.later(DAY)
    again = world.bea.inbox()[-1]
    assert "Still waiting" in again.content and with_buttons(world.bea.inbox()) == [again]
    panel = await world.bea.click(again, "Your move")
    assert panel.ephemeral and panel.files and panel.last.channel is again.channel
    question = playing(await world.matches.find(room.record.id)).question(Seat(1))
    assert question is not None
    await world.bea.slash(
        "/play", channel=again.channel, move=f"{question.options[0].key}!", match=room.record.id
    )
    await world.rung()
    assert (
        with_buttons([message for message in world.bea.inbox() if not message.ephemeral]) == []
        and "does not wait for you" in again.content
    )
    assert world.boards(room)[-1].pings == [world.ana.user]


async def test_a_direct_message_tells_nothing_that_is_not_public(world: Calling) -> None:
    await world.chooses(world.bea, by="direct")
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    await world.rung()
    board, call = world.discord.messages()[-1], world.bea.inbox()[-1]
    task = board.content.splitlines()[0].partition(": ")[2]
    assert task in call.content and not call.attachments


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_direct_message_that_is_closed_is_told_once_in_the_thread(
    world: Calling, code: int
) -> None:
    await world.chooses(world.bea, by="direct")
    world.discord.faults.answer(
        "POST", f"/channels/{world.discord.dm(world.bea).id}/messages", 403, code=code, times=9
    )
    room = await world.moved(await world.started(), world.ana, 0)
    (called,) = world.bea.pings()
    assert "I cannot send you direct messages any more" in called.content
    assert with_buttons(world.discord.messages(world.place(room))) == [called]
    await world.later(DAY)
    assert len(world.bea.pings()) == 2 and "direct messages" not in world.bea.pings()[-1].content
    refused = [asked for asked in world.discord.rest.asked if asked.code == code]
    assert len(refused) == 1, "Discord counts what it refuses: it is asked once"
    assert "I mention you" in (await world.chooses(world.bea)).content


async def test_a_digest_lists_all_that_waits_in_a_direct_message_with_a_button_each(
    world: Calling,
) -> None:
    await world.chooses(world.bea, level="digest", by="direct")
    rooms = [await world.moved(await world.started(), world.ana, 0) for _ in range(3)]
    await world.later(DAY)
    digest = world.bea.inbox()[-1]
    assert "3 matches wait for you" in digest.content and all(
        room.record.id in digest.content for room in rooms
    )
    assert digest.labels == ["1. Blue Lagoon", "2. Blue Lagoon", "3. Blue Lagoon", "All my matches"]
    panel = await world.bea.click(digest, "2. Blue Lagoon")
    assert "Where do you place a piece?" in panel.content
    listed = await world.bea.click(digest, "All my matches")
    assert listed.content.count("Blue Lagoon") >= 3
    await world.later(DAY)
    inbox = letters(world.bea)
    assert with_buttons(inbox) == [inbox[-1]] and inbox[-1] is not digest


async def test_a_digest_by_mention_is_one_message_and_tells_others_nothing_of_other_matches(
    world: Calling,
) -> None:
    await world.chooses(world.bea, level="digest")
    rooms = [await world.moved(await world.started(), world.ana, 0) for _ in range(2)]
    await world.later(DAY)
    (digest,) = world.bea.pings()
    assert sum(room.record.id in digest.content for room in rooms) == 1
    assert digest.labels == ["Your move", "All my matches"]
    listed = await world.bea.click(digest, "All my matches")
    assert listed.ephemeral and listed.content.count("Blue Lagoon") >= 2


async def quick_match(world: Calling) -> Room:
    """A match by the quick clock, in which Ana has moved and Bea is to."""
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    await world.bea.click(opened, label="Join")
    asked = await world.ana.click(opened, "Time…")
    menu = next(
        part["custom_id"]
        for part in asked.message.selects
        if part["custom_id"].endswith("time_pace")
    )
    await world.ana.choose(asked, menu, "quick")
    says_so = "A warning never comes in your quiet hours"
    await world.discord.until(lambda: says_so in opened.message.text, about="the lobby's card")
    await world.ana.click(opened, label="Start")
    await world.rung()
    (room,) = await world.matches.of_user(world.bea.id)
    return await world.moved(room, world.ana, 0)


def last_calls(world: Calling, room: Room) -> list[Message]:
    return [
        post
        for post in world.discord.messages(world.place(room))
        if "**Last call**" in post.content
    ]


async def test_a_last_call_comes_when_quiet_hours_end_and_names_the_time_that_is_left_then(
    world: Calling,
) -> None:
    """Asked at noon by a quick clock, Bea would be warned at four in the morning, and her time
    be up at noon.
    """
    await world.chooses(world.bea, quiet="22:00-08:00", zone="UTC")
    room = await quick_match(world)
    await world.later(18 * HOUR)
    assert last_calls(world, room) == []
    await world.later(2 * HOUR)
    (call,) = last_calls(world, room)
    assert world.bea.user in call.pings and not call.flags & SILENT
    assert f"<t:{moment('2026-03-03 16:00')}:R>" in call.content, "with the deadline"
    await world.later(8 * HOUR)
    assert (await world.matches.find(room.record.id)).is_expired(Seat(1))


async def test_a_last_call_that_had_to_wait_names_a_time_that_is_to_come(
    world: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are called first, until Bea's time would have been up for hours."""
    room = await quick_match(world)
    await world.later(15 * HOUR)
    asked, goes_on = asyncio.Event(), asyncio.Event()
    take = world.matches.calls._bucket.take

    async def wait_for_others(requests: int = 1) -> None:
        asked.set()
        await goes_on.wait()
        await take(requests)

    monkeypatch.setattr(world.matches.calls._bucket, "take", wait_for_others)
    world.now.now += 2 * HOUR
    world.matches.scheduler.clock_moved()
    await asked.wait()
    world.now.now += 10 * HOUR
    world.matches.scheduler.clock_moved()
    goes_on.set()
    await world.rung()
    (call,) = last_calls(world, room)
    late = await world.matches.find(room.record.id)
    deadline = int(world.now.now) + 8 * HOUR
    assert (
        world.matches.clocks.deadline(late, Seat(1)) == deadline
        and f"<t:{deadline}:R>" in call.content
    )
    assert not late.is_expired(Seat(1))


@pytest.mark.parametrize(("status", "code", "times"), [(503, 0, 8), (400, 50035, 1)])
async def test_a_last_call_that_discord_does_not_take_is_made_later_and_the_clock_waits(
    world: Calling, status: int, code: int, times: int
) -> None:
    """Discord is in trouble for as many tries as a call gets, or refuses the call once."""
    room = await quick_match(world)
    await world.later(15 * HOUR)
    thread = f"/channels/{world.place(room).id}/messages"
    fault = world.discord.faults.answer("POST", thread, status, code=code, times=times)
    await world.later(2 * HOUR)
    assert fault.times == 0 and len(last_calls(world, room)) == 1
    warned = (await world.matches.find(room.record.id)).record.clocks.seats[1].warned
    assert moment("2026-03-03 04:00") < warned < moment("2026-03-03 05:00"), (
        "later than it was to be sent"
    )
    await world.later(warned + 8 * HOUR - 1 - world.now.now)
    assert not (await world.matches.find(room.record.id)).is_expired(Seat(1))
    await world.later(1)
    await world.rung()
    assert (await world.matches.find(room.record.id)).is_expired(Seat(1))


@pytest.mark.parametrize(("status", "code"), [(404, 10003), (403, 50001), (403, 50007)])
async def test_a_last_call_that_is_refused_in_direct_messages_stands_in_the_thread(
    world: Calling, status: int, code: int
) -> None:
    await world.chooses(world.bea, by="direct")
    room = await quick_match(world)
    await world.later(15 * HOUR)
    world.discord.faults.answer(
        "POST", f"/channels/{world.discord.dm(world.bea).id}/messages", status, code=code
    )
    await world.later(2 * HOUR)
    (call,) = last_calls(world, room)
    assert (
        world.bea.user in call.pings
        and "I cannot send you direct messages any more" in call.content
    )


async def test_a_call_that_discord_does_not_take_is_made_later_and_once(world: Calling) -> None:
    await world.chooses(world.bea, by="direct")
    dm = f"/channels/{world.discord.dm(world.bea).id}/messages"
    world.discord.faults.answer("POST", dm, 503, times=3, applied=True)
    await world.moved(await world.started(), world.ana, 0)
    await world.later(HOUR)
    assert len([message for message in world.bea.inbox() if message.buttons]) == 1


async def test_a_direct_message_says_why_a_plan_was_dropped(world: Calling) -> None:
    await world.chooses(world.bea, by="direct")
    room = await world.started()
    summary = await world.bea.slash("/plan", channel=world.place(room), move="17", unless="18")
    await world.bea.click(summary, "Keep the plan")
    await world.play(world.ana, room, "18!")
    await world.rung()
    why = "Your plan `17` was dropped: something has happened on 18."
    assert why in letters(world.bea)[-1].content
    assert why in (await world.bea.slash("/catchup", channel=world.place(room))).content
    assert not [
        post for post in world.discord.messages(world.place(room)) if "plan" in post.content
    ]


async def test_a_call_that_was_answered_when_the_bot_was_killed_loses_its_button_after_the_start(
    world: Calling,
) -> None:
    await world.chooses(world.bea, by="direct")
    room = await world.moved(await world.started(), world.ana, 0)
    letter = letters(world.bea)[-1]
    store = world.matches.store
    # As it is kept once the answer is written, and nothing else is done yet.
    call = await store.read(queries.find_job, REMIND, room.record.id, world.bea.id)
    await store.write(queries.replace_job, call, replace(call, kind=STRIP, at=0))
    await world.stop()
    assert letter.labels == ["Your move"]
    await world.start()
    await world.discord.until(lambda: letter.labels == [], about="the button to go")


async def test_a_reminder_opens_an_archived_thread(world: Calling) -> None:
    room = await world.moved(await world.started(), world.ana, 0)
    world.discord.archive(world.place(room))
    await world.later(DAY)
    assert "Still waiting" in world.discord.messages(world.place(room))[-1].content


async def test_a_reminder_where_the_bot_may_not_post_pauses_the_match(world: Calling) -> None:
    room = await world.moved(await world.started(), world.ana, 0)
    world.discord.deny(world.discord.channel(), "send_messages_in_threads")
    await world.later(DAY)
    assert (await world.matches.find(room.record.id)).is_paused
    assert await world.matches.pings.due(room.record.id) == []


async def test_the_end_is_told_in_a_direct_message_to_whoever_wants_it_there(
    world: Calling,
) -> None:
    await world.chooses(world.bea, by="direct")
    room = await world.started()
    asked = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(asked, "Yes, give up my seat")
    await world.rung()
    told = world.bea.inbox()[-1]
    assert "Blue Lagoon ended early" in told.content and "Rematch" in told.labels
    assert world.bea.pings() == []


async def test_a_vote_calls_everybody_as_they_want_to_be_called(world: Calling) -> None:
    off, quiet, direct = (world.discord.user(name) for name in ("Olu", "Qin", "Dag"))
    await world.chooses(off, level="off")
    await world.chooses(quiet, quiet="11:00-20:00")
    await world.chooses(direct, by="direct")
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    for person in (off, quiet, direct):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.rung()
    (room,) = await world.matches.of_user(off.id)
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.rung()
    (vote,) = [
        post
        for post in world.discord.messages(world.place(room))
        if "asks to pause" in post.content
    ]
    letter = letters(direct)[-1]
    assert (
        vote.pings == [] and f"/{vote.id}" in letter.content and "asks to pause" in letter.content
    )
    await direct.click(letter, "Yes")
    assert "Yes: Ana and Dag" in letter.content and letter.labels == ["Yes", "No"]
    await world.discord.until(lambda: "Yes: Ana and Dag" in vote.content, about="the vote itself")
    await world.later(DAY)
    (called,) = quiet.pings()
    assert called.channel is world.place(room) and f"/{vote.id}" in called.content
    # Once it is over nobody is called to it, and a letter that is pressed shows what came of it.
    await quiet.click(called, "Yes")
    await direct.click(letter, "No")
    await world.discord.until(
        lambda: "This vote is closed" in direct.inbox()[-1].content, about="the refusal"
    )
    assert letter.labels == [] and "**Paused." in letter.content and "**Paused." in vote.content
    # If a direct message is closed it is said where the match is played.
    world.discord.faults.answer(
        "POST", f"/channels/{world.discord.dm(direct).id}/messages", 403, code=50007
    )
    await world.ana.slash("/game resume", channel=world.place(room))
    await world.rung()
    (told,) = direct.pings()
    assert (
        "You are asked in **Blue Lagoon**" in told.content
        and "cannot send you direct messages" in told.content
    )
    assert off.pings() == [] and len(quiet.pings()) == 1


async def four_with_levels(world: Calling) -> tuple[Room, Person, Person, Person]:
    """A match of Ana with people who want the last call alone, a digest in a direct message, and
    one by mention.
    """
    last, letter, digest = (world.discord.user(name) for name in ("Lal", "Dag", "Eva"))
    await world.chooses(last, level="last")
    await world.chooses(letter, level="digest", by="direct")
    await world.chooses(digest, level="digest")
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    for person in (last, letter, digest):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.rung()
    (room,) = await world.matches.of_user(last.id)
    return room, last, letter, digest


async def test_a_vote_keeps_to_digests_and_last_calls(world: Calling) -> None:
    room, last, letter, digest = await four_with_levels(world)
    before = len(letters(letter))
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.rung()
    (vote,) = [
        post
        for post in world.discord.messages(world.place(room))
        if "asks to pause" in post.content
    ]
    assert vote.pings == [] and len(letters(letter)) == before, "nobody is called at once"
    await world.later(20 * HOUR)
    assert last.pings() == [] and len(letters(letter)) == before
    await world.later(2 * HOUR)
    (told,) = letters(letter)[before:]
    (called,) = digest.pings()
    for message in (told, called):
        assert (
            "You're asked to vote in **Blue Lagoon**" in message.content
            and f"/{vote.id}" in message.content
        )
    assert last.pings() == []
    await letter.click(vote, "No")
    await world.later(DAY)
    assert len(letters(letter)) == before + 1, "who has voted hears no more of it"
    assert len(digest.pings()) == 2, "who has not is told with the next digest"
    # The vote lasts three days.
    await world.later(13 * HOUR)
    assert last.pings() == []
    await world.later(2 * HOUR)
    (call,) = last.pings()
    assert f"/{vote.id}" in call.content and call.labels == ["Yes", "No"]
    await world.later(5 * DAY)
    assert len(last.pings()) == 1


@pytest.mark.parametrize("chosen_at", ["2026-03-02 12:00", "2026-03-05 19:30"])
async def test_a_vote_that_ends_in_quiet_hours_is_called_to_before_them_or_without_a_sound(
    world: Calling, chosen_at: str
) -> None:
    room, last, *_ = await four_with_levels(world)
    for time in sorted(["2026-03-03 08:00", chosen_at]):
        await world.later(moment(time) - world.now.now)
        if time == chosen_at:
            await world.chooses(last, quiet="19:00-09:00", zone="UTC")
        else:
            await world.ana.slash("/game pause", channel=world.place(room))
            await world.rung()

    def last_calls() -> list[Message]:
        posts = world.discord.messages(world.place(room))
        return [post for post in calling(last, posts) if "You are asked in" in post.content]

    is_before_quiet = moment(chosen_at) < moment("2026-03-05 18:00")
    first = "18:00" if is_before_quiet else "20:00"
    await world.later(moment(f"2026-03-05 {first}") - 1 - world.now.now)
    assert last_calls() == []
    await world.later(1)
    # The vote ends at eight in the morning.
    (call,) = last_calls()
    assert (
        call.pings == ([last.user] if is_before_quiet else [])
        and bool(call.flags & SILENT) is not is_before_quiet
    )
    await world.later(2 * DAY)
    assert last_calls() == [call]


async def test_a_digest_tells_of_turns_and_votes_in_one_message(world: Calling) -> None:
    room, last, letter, _ = await four_with_levels(world)
    before = len(letters(letter))
    await world.moved(await world.moved(room, world.ana, 0), last, 1)
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.later(DAY)
    (told,) = letters(letter)[before:]
    assert "1 match waits for you" in told.content and "You're asked to vote" in told.content
    assert told.labels == ["1. Blue Lagoon", "All my matches"]


async def test_changed_terms_of_a_lobby_keep_to_everybodys_level(world: Calling) -> None:
    last, letter, digest, every = (
        world.discord.user(name) for name in ("Lal", "Dag", "Eva", "Tim")
    )
    await world.chooses(last, level="last")
    await world.chooses(letter, level="digest", by="direct")
    await world.chooses(digest, level="digest")
    lobbies = []
    for people in ((last, every, letter), (digest,)):
        opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
        for person in people:
            await person.click(opened, "Join")
        lobbies.append(opened)
    before = len(letters(letter))
    for opened in lobbies:
        asked = await world.ana.click(opened, "Time…")
        menu = next(
            part["custom_id"]
            for part in asked.message.selects
            if part["custom_id"].endswith("time_pace")
        )
        for pace in ("quick", "steady"):
            await world.ana.choose(asked, menu, pace)
    await world.rung()
    (told,) = every.pings()
    assert "has changed the time of the table" in told.content
    assert last.pings() == digest.pings() == [] and len(letters(letter)) == before
    await world.later(3 * DAY)
    (line,) = letters(letter)[before:]
    (called,) = digest.pings()
    assert (
        "The host of **Blue Lagoon**" in line.content
        and "The host of **Blue Lagoon**" in called.content
    )
    assert last.pings() == [] and len(every.pings()) == 1


class ChangedLobby:
    """A lobby of Ana's whose pace she changes."""

    def __init__(self, world: Calling, opened: Response, asked: Response) -> None:
        self.world, self.opened, self.asked = world, opened, asked

    @classmethod
    async def open(cls, world: Calling, *people: Person) -> "ChangedLobby":
        opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
        for person in people:
            await person.click(opened, "Join")
        return cls(world, opened, await world.ana.click(opened, "Time…"))

    async def change(self, pace: str) -> None:
        menus = [part["custom_id"] for part in self.asked.message.selects]
        await self.world.ana.choose(
            self.asked, next(menu for menu in menus if menu.endswith("time_pace")), pace
        )

        async def is_done() -> bool:
            return not len(self.world.bot.handlers)

        await self.world.settled(is_done)

    def posts(self) -> list[Message]:
        posts = self.world.discord.messages(self.opened.message.channel)
        return [post for post in posts if "has changed the time of the table" in post.content]


async def test_terms_changed_in_quiet_hours_are_told_when_these_end(world: Calling) -> None:
    quiet, leaver = world.discord.user("Tim"), world.discord.user("Lea")
    for person in (quiet, leaver):
        await world.chooses(person, quiet="10:00-20:00", zone="UTC")
    lobby = await ChangedLobby.open(world, quiet, leaver)
    await lobby.change("quick")
    await lobby.change("steady")
    await leaver.click(lobby.opened, "Leave")
    await world.later(8 * HOUR - 1)
    assert quiet.pings() == []
    await world.later(1)
    (told,) = quiet.pings()
    assert "steady" in told.content.casefold() and told is lobby.posts()[-1]
    await world.later(2 * DAY)
    assert quiet.pings() == [told] and leaver.pings() == []


async def test_who_joins_after_terms_were_changed_is_told_of_the_next_change(
    world: Calling,
) -> None:
    every, late = world.discord.user("Tim"), world.discord.user("Lou")
    lobby = await ChangedLobby.open(world, every)
    await lobby.change("quick")
    await late.click(lobby.opened, "Join")
    await lobby.change("steady")
    assert len(late.pings()) == len(every.pings()) == 1, (
        "who was mentioned just now is not mentioned again"
    )
    await lobby.change("quick")
    assert len(lobby.posts()) == 2 and len(late.pings()) == 1
    await world.later(3 * DAY)
    await lobby.change("steady")
    assert len(late.pings()) == len(every.pings()) == 2, "after days everybody is told anew"


async def test_people_are_told_of_changed_terms_although_the_last_message_was_deleted(
    world: Calling,
) -> None:
    every = world.discord.user("Tim")
    lobby = await ChangedLobby.open(world, every)
    await lobby.change("quick")
    (first,) = lobby.posts()
    world.discord.delete_message(first)
    await lobby.change("steady")
    (second,) = lobby.posts()
    assert second.pings == [every.user] and "steady" in second.content.casefold()
    await lobby.change("quick")
    assert lobby.posts() == [second] and "quick" in second.content.casefold()


async def test_a_rematch_waits_for_the_digest_of_who_wants_one(world: Calling) -> None:
    await world.chooses(world.bea, level="digest", by="direct")
    room = await world.started()
    asked = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(asked, "Yes, give up my seat")
    await world.rung()
    before = len(letters(world.bea))
    await world.ana.click(world.boards(room)[-1], "Rematch")
    await world.rung()
    assert world.bea.pings() == [] and len(letters(world.bea)) == before
    await world.later(DAY)
    (told,) = letters(world.bea)[before:]
    assert "A rematch of **Blue Lagoon**" in told.content


def test_a_digest_of_very_many_matches_keeps_to_a_message_and_says_how_many_it_leaves_out() -> None:
    rooms = [
        room_of(begin(GAMES["conquest"], 4, {}, f"digest {n}"), ["Alexandrina" * 2] * 4)
        for n in range(40)
    ]
    untils = dict.fromkeys(map(Seat, range(4)), moment("2026-03-02 12:00"))
    turns = [(room, reminder_job(room.record.id, 10, None, Sent())) for room in rooms]
    made = call_message.digest(Job("digest", 1, user=10), Digest(tuple(turns)), lambda room: untils)
    buttons = [part for row in made.rows for part in row if isinstance(part, Button)]
    assert len(made.content) <= CONTENT and len(made.rows) <= ROWS
    left_out = 40 - (len(buttons) - 1)
    assert made.content.startswith("40 matches wait for you") and made.content.endswith(
        f"… and {left_out} more."
    )


def test_a_post_names_the_deadline_of_everybody_who_is_awaited() -> None:
    room = room_of(begin(GAMES["conquest"], 2, {"start": "variable"}, "until"), ["Ana", "Bea"])
    assert turn_message.until(room, {Seat(0): 7, Seat(1): 7}) == "Until <t:7:f>, <t:7:R>."
    both = turn_message.until(room, {Seat(0): 7, Seat(1): 8})
    assert both == "Ana: until <t:7:f>, <t:7:R>. Bea: until <t:8:f>, <t:8:R>."
    post = Post(Announcement(1, room.record.id, -1, 0), room, (), (Seat(0), Seat(1)))
    assert both in turn_message.message(post, untils={Seat(0): 7, Seat(1): 8}).content


class Limiter:
    """Time that passes only when somebody sleeps, and when each request was made."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sent: list[float] = []

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have buckets go by this time."""
        monkeypatch.setattr("bot.ui.rate.monotonic", self.time)
        monkeypatch.setattr("bot.ui.rate.sleep", self.sleep)


async def test_ten_thousand_requests_at_once_keep_to_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limiter = Limiter()
    limiter.stand_in(monkeypatch)
    bucket = Bucket()
    for number in range(10_000):
        await bucket.take(1 + number % 3)
        limiter.sent += [limiter.now] * (1 + number % 3)
    first = 0
    for last, at in enumerate(limiter.sent):
        while limiter.sent[first] <= at - 1:
            first += 1
        assert last - first < 50, "Discord allows a bot so many in any second"
    assert limiter.now == pytest.approx(len(limiter.sent) / RATE, rel=0.01)


async def test_reminders_that_are_due_at_once_wait_for_the_bucket_and_none_is_lost(
    world: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are made by the real sender, but nobody waits for a real clock."""
    limiter = Limiter()
    limiter.stand_in(monkeypatch)
    world.matches.calls._bucket = Bucket()
    await world.chooses(world.bea, by="direct")
    rooms = [await world.started() for _ in range(8)]
    for room in rooms:
        await world.moved(room, world.ana, 0)
    before, limiter.now = len(world.bea.inbox()), 100.0
    await world.later(DAY)
    assert len(world.bea.inbox()) == before + len(rooms)
    # A call is sent, and the one before it loses its button.
    assert limiter.now == pytest.approx(100 + (2 * len(rooms) - BURST) / RATE)


# A call that may have been made


class Killed(Exception):
    """Stands for a kill: whatever comes after it is not done."""


async def killed_before_noting(world: Calling, monkeypatch: pytest.MonkeyPatch, note: str) -> None:
    """From now on the bot dies between sending a call and noting it."""

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.kernel.scheduler.LAST_CALL", 0.0)
    world.waits_for_all = False
    monkeypatch.setattr(world.matches.pings, note, hang)


async def restarted(world: Calling, seconds: float) -> None:
    """The bot is back after so much time, and has made all calls that were wanted."""
    await world.stop()
    world.now.now += seconds
    await world.start()
    await world.rung()


@pytest.mark.parametrize("seconds", [1, 3600, 2 * DAY])
async def test_a_direct_message_that_was_sent_before_a_kill_is_not_sent_again(
    world: Calling, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    await world.chooses(world.bea, by="direct")
    room = await world.started()
    await killed_before_noting(world, monkeypatch, "note_sent")
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: with_buttons(letters(world.bea)), about="the call")
    (letter,) = with_buttons(letters(world.bea))
    world.discord.state.nonces.clear()
    await restarted(world, seconds)
    assert with_buttons(letters(world.bea)) == [letter]
    call = await world.matches.store.read(queries.find_job, REMIND, room.record.id, world.bea.id)
    assert (call.facts["message"], call.facts["times"]) == (letter.id, 1), "and now it is noted"
    panel = await world.bea.click(letter, "Your move")
    assert panel.ephemeral and "Where do you place a piece?" in panel.content
    # The next one is another.
    await world.later(2 * DAY)
    assert len(with_buttons(letters(world.bea))) == 1 and with_buttons(letters(world.bea)) != [
        letter
    ]


async def test_a_direct_message_that_was_sent_before_a_kill_is_not_put_off_and_sent_again(
    world: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.chooses(world.bea, by="direct", quiet="12:30-20:00", zone="UTC")
    await world.later(moment("2026-03-02 12:29") - world.now.now)
    room = await world.started()
    await killed_before_noting(world, monkeypatch, "note_sent")
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: with_buttons(letters(world.bea)), about="the call")
    world.discord.state.nonces.clear()
    await restarted(world, 3600)
    await world.later(DAY / 2)
    assert len(letters(world.bea)) == 2, "a word when she chose it, and one call"


async def test_a_call_that_was_not_sent_before_a_kill_is_sent_once(
    world: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.chooses(world.bea, by="direct")
    room = await world.started()

    async def dies(*_: object, **__: object) -> int:
        raise Killed

    await killed_before_noting(world, monkeypatch, "note_sent")
    monkeypatch.setattr(world.matches.calls._sender, "send", dies)
    await world.play(world.ana, room, "17!")
    await world.caught_up()
    assert with_buttons(letters(world.bea)) == []
    await restarted(world, 3600)
    assert len(with_buttons(letters(world.bea))) == 1


async def test_a_digest_that_was_sent_before_a_kill_is_not_sent_again(
    world: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    for way in ("direct", "mention"):
        await world.chooses(world.bea, level="digest", by=way, digest="18:00", zone="UTC")
        room = await world.moved(await world.started(), world.ana, 0)
        place = world.discord.dm(world.bea) if way == "direct" else world.place(room)
        before = len(with_buttons(world.discord.messages(place)))
        with pytest.MonkeyPatch.context() as patch:
            await killed_before_noting(world, patch, "note_digest_sent")
            world.now.now = moment("2026-03-02 18:00") + (DAY if way == "mention" else 0)
            world.matches.scheduler.clock_moved()
            sent = "the digest"
            await world.discord.until(
                lambda p=place, b=before: len(with_buttons(world.discord.messages(p))) > b,
                about=sent,
            )
            await world.stop()
        world.discord.state.nonces.clear()
        world.now.now += 3600
        await world.start()
        await world.rung()
        assert len(with_buttons(world.discord.messages(place))) == before + 1, way


@pytest.mark.parametrize("way", ["direct", "mention"])
async def test_a_call_to_a_vote_that_was_sent_before_a_kill_is_not_sent_again(
    world: Calling, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    # By mention the vote's own message calls, but in quiet hours; a call of its own comes when they
    # end.
    await world.chooses(
        world.bea, by=way, **({} if way == "direct" else {"quiet": "11:00-20:00", "zone": "UTC"})
    )
    room = await world.started()
    place = world.discord.dm(world.bea) if way == "direct" else world.place(room)

    def calls() -> list[Message]:
        return [
            post
            for post in world.discord.messages(place)
            if "You are asked in" in post.content and post.buttons
        ]

    async def is_posted() -> bool:
        votes = await world.matches.votes.awaiting(room, world.bea.id)
        return bool(votes and votes[0].message)

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.kernel.scheduler.LAST_CALL", 0.0)
    world.waits_for_all = False
    intercept(monkeypatch, queries.delete_job, hang, world.matches.store)
    await world.ana.slash("/game pause", channel=world.place(room))
    if way == "mention":
        await world.settled(is_posted)
        world.now.now = moment("2026-03-02 20:00")
        world.matches.scheduler.clock_moved()
    await world.discord.until(calls, about="the call")
    sent = calls()
    world.discord.state.nonces.clear()
    await restarted(world, 3600)
    assert calls() == sent and len(sent) == 1
    await world.bea.click(sent[0], "No")
    await world.discord.until(lambda: "No: Bea" in sent[0].content, about="what she says to it")
