"""Reminders as players receive them: mentions, direct messages and digests."""

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
from tests.bot.backend import match_of
from tests.bot.intercept import intercept
from tests.bot.manual_clock import DAY, HOUR, ManualClock, moment
from tests.bot.posts.test_outbox import STARTERS
from tests.bot.tables import room_of
from tests.bot.world import World, open_world


class ReminderWorld(World):
    """A world whose clock the test moves."""

    now: ManualClock

    async def advance(self, seconds: float) -> None:
        """Let time pass, run due jobs, and send all reminders."""
        end = self.now.now + seconds
        store = self.matches.store
        while (
            due := await store.read(queries.next_job_at, own=store.own)
        ) is not None and due <= end:
            self.now.now = max(self.now.now, due)
            self.matches.scheduler.on_clock_moved()
            await self.wait_until_all_is_sent()
        self.now.now = end
        self.matches.scheduler.on_clock_moved()

    async def wait_until_all_is_sent(self) -> None:
        """Wait until every press is answered and no post or reminder is pending."""

        async def holds() -> bool:
            matches, now = self.matches, int(self.now.now)
            if len(self.bot.handlers):
                return False
            # In this order: a post that is noted schedules reminders.
            if await matches.pending_posts():
                return False
            if await matches.store.read(queries.due_jobs, now, 1, own=matches.store.own):
                return False
            return not matches.scheduler._running and not matches.outbox._chores.tasks

        await self.wait_until(holds)

    async def play_first_option(self, room: Room, person: Person, seat: int) -> Room:
        """Play the first legal turn by text."""
        question = match_of(await self.matches.find(room.record.id)).question(Seat(seat))
        assert question is not None
        await self.play(person, room, f"{question.options[0].key}!")
        await self.wait_until_all_is_sent()
        return await self.matches.find(room.record.id)

    async def choose_settings(self, person: Person, **choices: str) -> Response:
        """Use /me settings."""
        return await person.slash("/me settings", options=choices)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ReminderWorld]:
    async with open_world(tmp_path, monkeypatch, ManualClock(), kind=ReminderWorld) as world:
        assert isinstance(world, ReminderWorld)
        yield world


def mentioning(person: Person, messages: list[Message]) -> list[Message]:
    """Return the messages that mention somebody now."""
    return [message for message in messages if person.mention in message.content]


def with_buttons(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message.buttons]


def direct_messages(person: Person) -> list[Message]:
    """Return the bot's direct messages to somebody, without its private answers."""
    return [message for message in person.inbox() if not message.ephemeral]


async def test_a_new_turn_post_takes_mention_and_buttons_off_the_previous_one(
    world: ReminderWorld,
) -> None:
    room = await world.start_match()
    await world.play_first_option(room, world.ana, 0)
    first, second = world.boards(room)
    assert first.pings == [world.ana.user]
    assert second.pings == [world.bea.user]
    text = (
        f"{world.bea.mention} **Blue Lagoon** (`{room.record.id}`). **Bea**'s turn: place a piece."
    )
    assert second.content.startswith(text), "it names the game, the match and the decision"
    assert first.content.startswith(f"**Blue Lagoon** (`{room.record.id}`)")
    assert not first.buttons
    assert first.attachments
    posts = world.discord.messages(world.place(room))
    assert mentioning(world.ana, posts) == []
    assert mentioning(world.bea, posts) == [second]


async def test_reminders_say_who_is_awaited_last(world: ReminderWorld) -> None:
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    for person in (world.bea, world.cem):
        await person.click(opened.message, label="Join")
    await world.choose_settings(world.bea, level="digest", by="direct")
    await world.ana.click(opened.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.wait_until_all_is_sent()
    await world.play(world.cem, room, STARTERS)
    await world.advance(DAY + HOUR)
    posts = world.discord.messages(world.place(room))
    (reminder,) = mentioning(world.ana, posts)
    assert "Still waiting for you" in reminder.content
    digest = direct_messages(world.bea)[-1]
    assert "waiting for you" in digest.content
    assert "last one" not in reminder.content + digest.content
    await world.play(world.ana, room, STARTERS)
    await world.advance(DAY)
    assert "You're the last one." in direct_messages(world.bea)[-1].content
    await world.choose_settings(world.bea, level="turn")
    await world.advance(4 * DAY)
    text = direct_messages(world.bea)[-1].content
    assert "Still waiting for you" in text or "Last reminder" in text
    assert "Everyone else has answered: you're the last one." in text


async def test_a_reminder_takes_over_mention_and_buttons(
    world: ReminderWorld,
) -> None:
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    await world.advance(DAY)
    place = world.place(room)
    posts = world.discord.messages(place)
    (reminder,) = mentioning(world.bea, posts)
    assert reminder is posts[-1] and reminder.pings == [world.bea.user]
    assert "Still waiting for you: **Blue Lagoon**" in reminder.content
    assert with_buttons(posts) == [reminder]
    panel = await world.bea.click(reminder, "Your move")
    assert panel.ephemeral and "Where do you place your piece?" in panel.content
    await world.advance(10 * DAY)
    assert len(world.bea.pings()) == 3
    assert "**Last reminder**" in world.bea.pings()[-1].content
    await world.play_first_option(room, world.bea, 1)
    posts = world.discord.messages(place)
    assert mentioning(world.bea, posts) == []
    assert with_buttons(posts) == [posts[-1]] == [world.boards(room)[-1]]


def requests(world: ReminderWorld) -> list[tuple[str, str]]:
    """Return the bot's message requests: the method, and whether it named one message."""
    asked = [
        asked
        for asked in world.discord.rest.requests
        if asked.path.startswith("/channels/") and "/messages" in asked.path
    ]
    return [(asked.method, "one" if "/messages/" in asked.path else "all") for asked in asked]


async def test_a_turn_costs_two_requests(
    world: ReminderWorld,
) -> None:
    room = await world.start_match()
    await world.wait_until_all_is_sent()
    before = len(requests(world))
    await world.play_first_option(room, world.ana, 0)
    await world.advance(DAY)
    await world.play_first_option(room, world.bea, 1)
    assert requests(world)[before:] == [("POST", "all"), ("PATCH", "one")] * 3, (
        "two turns and a reminder between"
    )
    posts = world.discord.messages(world.place(room))
    assert mentioning(world.bea, posts) == []
    assert with_buttons(posts) == [posts[-1]]
    assert "Still waiting for you: **Blue Lagoon**" in posts[-2].content


async def test_a_post_from_before_a_restart_keeps_its_words_alone(
    world: ReminderWorld,
) -> None:
    room = await world.start_match()
    await world.wait_until_all_is_sent()
    (first,) = world.boards(room)
    words = first.content.removeprefix(f"{world.ana.mention} ")
    await world.stop()
    await world.start()
    await world.play_first_option(room, world.ana, 0)
    assert first.content == words and not first.buttons


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (403, 50001), (400, 50083)])
async def test_a_post_that_cannot_be_edited_delays_no_turn(
    world: ReminderWorld, status: int, code: int
) -> None:
    room = await world.start_match()
    await world.wait_until_all_is_sent()
    world.discord.faults.respond_with("PATCH", "/channels/*/messages/*", status, code=code)
    await world.play_first_option(room, world.ana, 0)
    await world.play_first_option(room, world.bea, 1)
    assert len(world.boards(room)) == 3
    assert not (await world.matches.find(room.record.id)).is_paused


async def test_one_message_reminds_everyone_who_is_awaited(world: ReminderWorld) -> None:
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    await world.wait_until_all_is_sent()
    before = len(world.discord.messages())
    await world.advance(DAY)
    (reminder,) = world.discord.messages()[before:]
    assert reminder.pings == [world.ana.user, world.bea.user]


async def test_a_player_without_reminders_is_named_but_not_mentioned(world: ReminderWorld) -> None:
    await world.choose_settings(world.bea, level="off")
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    await world.advance(10 * DAY)
    board = world.boards(room)[-1]
    assert world.bea.pings() == []
    assert "**Bea**'s turn: place a piece." in board.content
    assert "<@" not in board.content
    assert world.discord.messages(world.place(room))[-1] is board, "and nobody reminds her"


async def test_a_direct_message_replaces_the_mention_and_loses_its_button_once_answered(
    world: ReminderWorld,
) -> None:
    answer = await world.choose_settings(world.bea, by="direct")
    (hello,) = world.bea.inbox()
    assert answer.ephemeral and "I'll remind you here" in hello.content
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    assert world.bea.pings() == []
    assert "<@" not in world.boards(room)[-1].content
    call = world.bea.inbox()[-1]
    assert (
        f"**Blue Lagoon** (`{room.record.id}`) with Ana. **Bea**'s turn: place a piece."
        in call.content
    )
    assert call.labels == ["Your move"]
    assert f"/{room.record.place.posts_to}/" in call.content, "with a link to the board"
    await world.advance(DAY)
    again = world.bea.inbox()[-1]
    assert "Still waiting" in again.content and with_buttons(world.bea.inbox()) == [again]
    panel = await world.bea.click(again, "Your move")
    assert panel.ephemeral and panel.files and panel.last.channel is again.channel
    question = match_of(await world.matches.find(room.record.id)).question(Seat(1))
    assert question is not None
    await world.bea.slash(
        "/play", channel=again.channel, move=f"{question.options[0].key}!", match=room.record.id
    )
    await world.wait_until_all_is_sent()
    assert with_buttons([message for message in world.bea.inbox() if not message.ephemeral]) == []
    assert "isn't waiting for you" in again.content
    assert world.boards(room)[-1].pings == [world.ana.user]


async def test_a_direct_message_contains_nothing_secret(world: ReminderWorld) -> None:
    await world.choose_settings(world.bea, by="direct")
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(opened, label="Join")
    await world.ana.click(opened, label="Start")
    await world.wait_until_all_is_sent()
    board = world.discord.messages()[-1]
    call = world.bea.inbox()[-1]
    task = board.content.splitlines()[0].partition(": ")[2]
    assert task in call.content and not call.attachments


@pytest.mark.parametrize("code", [50007, 50278])
async def test_closed_direct_messages_are_reported_once_in_the_thread(
    world: ReminderWorld, code: int
) -> None:
    await world.choose_settings(world.bea, by="direct")
    world.discord.faults.respond_with(
        "POST", f"/channels/{world.discord.dm(world.bea).id}/messages", 403, code=code, times=9
    )
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    (called,) = world.bea.pings()
    assert "I can't send you direct messages any more" in called.content
    assert with_buttons(world.discord.messages(world.place(room))) == [called]
    await world.advance(DAY)
    assert len(world.bea.pings()) == 2
    assert "direct messages" not in world.bea.pings()[-1].content
    refused = [asked for asked in world.discord.rest.requests if asked.code == code]
    assert len(refused) == 1, "Discord counts what it refuses: it is asked once"
    assert "I mention you" in (await world.choose_settings(world.bea)).content


async def test_a_digest_lists_all_waiting_matches_with_a_button_each(
    world: ReminderWorld,
) -> None:
    await world.choose_settings(world.bea, level="digest", by="direct")
    rooms = [
        await world.play_first_option(await world.start_match(), world.ana, 0) for _ in range(3)
    ]
    await world.advance(DAY)
    digest = world.bea.inbox()[-1]
    assert "3 matches are waiting for you" in digest.content
    assert all(room.record.id in digest.content for room in rooms)
    assert digest.labels == ["1. Blue Lagoon", "2. Blue Lagoon", "3. Blue Lagoon", "All my matches"]
    panel = await world.bea.click(digest, "2. Blue Lagoon")
    assert "Where do you place your piece?" in panel.content
    listed = await world.bea.click(digest, "All my matches")
    assert listed.content.count("Blue Lagoon") >= 3
    await world.advance(DAY)
    inbox = direct_messages(world.bea)
    assert with_buttons(inbox) == [inbox[-1]] and inbox[-1] is not digest


async def test_a_public_digest_does_not_name_other_matches(
    world: ReminderWorld,
) -> None:
    await world.choose_settings(world.bea, level="digest")
    rooms = [
        await world.play_first_option(await world.start_match(), world.ana, 0) for _ in range(2)
    ]
    await world.advance(DAY)
    (digest,) = world.bea.pings()
    assert sum(room.record.id in digest.content for room in rooms) == 1
    assert digest.labels == ["Your move", "All my matches"]
    listed = await world.bea.click(digest, "All my matches")
    assert listed.ephemeral and listed.content.count("Blue Lagoon") >= 2


async def choose_pace(world: ReminderWorld, lobby: Response, pace: str) -> None:
    """Have Ana choose the pace of her lobby."""
    opened = await world.ana.click(lobby, "Pace")
    await world.ana.submit(opened, {"Pace": pace})


async def quick_match(world: ReminderWorld, time_up: str = "") -> Room:
    """Start a match with the quick clock in which Bea is to move."""
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    await world.bea.click(opened, label="Join")
    await choose_pace(world, opened, "quick")
    if time_up:
        await world.ana.slash("/game pace", time_up=time_up)
    says_so = "never in your quiet hours"
    await world.discord.until(lambda: says_so in opened.message.text, about="the lobby's card")
    await world.ana.click(opened, label="Start")
    await world.wait_until_all_is_sent()
    (room,) = await world.matches.of_user(world.bea.id)
    return await world.play_first_option(room, world.ana, 0)


def last_calls(world: ReminderWorld, room: Room) -> list[Message]:
    return [
        post
        for post in world.discord.messages(world.place(room))
        if "**Last reminder**" in post.content
    ]


async def test_a_last_call_after_quiet_hours_names_the_remaining_time(
    world: ReminderWorld,
) -> None:
    """On a quick clock from noon, Bea would be warned at four in the morning."""
    await world.choose_settings(world.bea, quiet="22:00-08:00", zone="UTC")
    room = await quick_match(world)
    await world.advance(18 * HOUR)
    assert last_calls(world, room) == []
    await world.advance(2 * HOUR)
    (call,) = last_calls(world, room)
    assert world.bea.user in call.pings and not call.flags & SILENT
    assert f"<t:{moment('2026-03-03 16:00')}:R>" in call.content, "with the deadline"
    assert "After that" not in call.content, "this table has chosen a mere reminder"
    await world.advance(8 * HOUR)
    assert (await world.matches.find(room.record.id)).is_expired(Seat(1))


@pytest.mark.parametrize("way", ["mention", "direct"])
async def test_no_two_messages_name_different_deadlines(world: ReminderWorld, way: str) -> None:
    await world.choose_settings(world.bea, quiet="22:00-08:00", zone="UTC", by=way)
    room = await quick_match(world)
    board = world.boards(room)[-1]
    assert f"<t:{moment('2026-03-03 12:00')}:R>" in board.content
    for hours in (18, 2):
        await world.advance(hours * HOUR)
        await world.wait_until_idle()
        said = [post.content for post in world.discord.messages(world.place(room))]
        if way == "direct":
            # An answered or outdated direct message has no buttons.
            said += [message.content for message in with_buttons(direct_messages(world.bea))][-1:]
        times = {line.partition("<t:")[2][:10] for line in said if "<t:" in line}
        deadline = world.matches.clocks.deadline(await world.reload(room), Seat(1))
        shown = times - ({str(moment("2026-03-03 12:00"))} if hours == 18 else set())
        assert shown == {str(deadline)}, said


async def test_the_current_post_follows_the_time_limits(world: ReminderWorld) -> None:
    room = await quick_match(world)
    board, place = world.boards(room)[-1], world.place(room)
    usual = board.content
    assert "Due <t:" in usual

    async def agree(command: str, **options: str) -> None:
        await world.ana.slash(command, channel=place, **options)
        await world.bea.click(world.newest(room), label="Yes")
        await world.wait_until_all_is_sent()

    await agree("/game pause")
    assert "<t:" not in board.content and board.buttons, "no clock runs meanwhile"
    await agree("/game resume")
    board = world.boards(room)[-1]
    await world.advance(HOUR)
    await agree("/game pace", pace="easy")
    deadline = int(world.now.now) + 72 * HOUR
    assert f"Due <t:{deadline}:f> (<t:{deadline}:R>)." in board.content
    await agree("/game pace", pace="none")
    assert "<t:" not in board.content
    await agree("/game pace", pace="easy")
    assert f"place a piece. Due <t:{deadline}:f>" in board.content


async def test_an_outdated_post_names_no_deadline(world: ReminderWorld) -> None:
    room = await quick_match(world, time_up="draft")
    await world.advance(17 * HOUR)
    (call,) = last_calls(world, room)
    text = "After that, a computer suggests a move, and you have 12 h to change it."
    assert text in call.content
    await world.play_first_option(room, world.bea, 1)
    *outdated, current = world.posts(room)
    assert "**Last reminder**" in outdated[-1].content
    assert not any("<t:" in post.content or "After that" in post.content for post in outdated)
    assert "<t:" in current.content


async def test_the_last_person_at_a_table_is_told_that_it_waits(world: ReminderWorld) -> None:
    room = await quick_match(world, time_up="computer")
    await world.advance(3 * DAY)
    await world.wait_until_idle()
    place = world.place(room)
    away, back = (p for p in world.posts(room) if "'s time is up" in p.content)
    assert "A computer plays for them until they come back." in away.content
    assert "Nobody else is playing, so the match waits for them." in back.content
    calls = [p.content for p in world.discord.messages(place) if "Last reminder" in p.content]
    assert len(calls) == 2 and "After that" not in calls[-1], "it has no consequences"


async def test_a_delayed_last_call_names_a_future_deadline(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are called first, until Bea's time would have been up for hours."""
    room = await quick_match(world)
    await world.advance(15 * HOUR)
    asked, goes_on = asyncio.Event(), asyncio.Event()
    take = world.matches.calls._bucket.take

    async def wait_for_others(requests: int = 1) -> None:
        asked.set()
        await goes_on.wait()
        await take(requests)

    monkeypatch.setattr(world.matches.calls._bucket, "take", wait_for_others)
    world.now.now += 2 * HOUR
    world.matches.scheduler.on_clock_moved()
    await asked.wait()
    world.now.now += 10 * HOUR
    world.matches.scheduler.on_clock_moved()
    goes_on.set()
    await world.wait_until_all_is_sent()
    (call,) = last_calls(world, room)
    late = await world.matches.find(room.record.id)
    deadline = int(world.now.now) + 8 * HOUR
    assert world.matches.clocks.deadline(late, Seat(1)) == deadline
    assert f"<t:{deadline}:R>" in call.content
    assert not late.is_expired(Seat(1))


@pytest.mark.parametrize(("status", "code", "times"), [(503, 0, 8), (400, 50035, 1)])
async def test_a_failed_last_call_is_retried_while_the_clock_waits(
    world: ReminderWorld, status: int, code: int, times: int
) -> None:
    """Discord fails as often as a reminder is tried, or refuses it once."""
    room = await quick_match(world)
    await world.advance(15 * HOUR)
    thread = f"/channels/{world.place(room).id}/messages"
    fault = world.discord.faults.respond_with("POST", thread, status, code=code, times=times)
    await world.advance(2 * HOUR)
    assert fault.times == 0 and len(last_calls(world, room)) == 1
    warned = (await world.matches.find(room.record.id)).record.clocks.seats[1].warned
    assert moment("2026-03-03 04:00") < warned < moment("2026-03-03 05:00"), (
        "later than it was to be sent"
    )
    await world.advance(warned + 8 * HOUR - 1 - world.now.now)
    assert not (await world.matches.find(room.record.id)).is_expired(Seat(1))
    await world.advance(1)
    await world.wait_until_all_is_sent()
    assert (await world.matches.find(room.record.id)).is_expired(Seat(1))


@pytest.mark.parametrize(("status", "code"), [(404, 10003), (403, 50001), (403, 50007)])
async def test_a_last_call_refused_in_direct_messages_goes_to_the_thread(
    world: ReminderWorld, status: int, code: int
) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await quick_match(world)
    await world.advance(15 * HOUR)
    world.discord.faults.respond_with(
        "POST", f"/channels/{world.discord.dm(world.bea).id}/messages", status, code=code
    )
    await world.advance(2 * HOUR)
    (call,) = last_calls(world, room)
    assert world.bea.user in call.pings
    assert "I can't send you direct messages any more" in call.content


async def test_a_failed_reminder_is_sent_later_and_once(world: ReminderWorld) -> None:
    await world.choose_settings(world.bea, by="direct")
    dm = f"/channels/{world.discord.dm(world.bea).id}/messages"
    world.discord.faults.respond_with("POST", dm, 503, times=3, applied=True)
    await world.play_first_option(await world.start_match(), world.ana, 0)
    await world.advance(HOUR)
    assert len([message for message in world.bea.inbox() if message.buttons]) == 1


async def test_a_direct_message_says_why_a_plan_was_dropped(world: ReminderWorld) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await world.start_match()
    summary = await world.bea.slash("/plan", channel=world.place(room), move="17", unless="18")
    await world.bea.click(summary, "Keep the plan")
    await world.play(world.ana, room, "18!")
    await world.wait_until_all_is_sent()
    why = "Your plan `17` was cancelled: something happened on 18."
    assert why in direct_messages(world.bea)[-1].content
    assert why in (await world.bea.slash("/catchup", channel=world.place(room))).content
    assert not [
        post for post in world.discord.messages(world.place(room)) if "plan" in post.content
    ]


async def test_a_reminder_answered_before_a_kill_loses_its_button_after_the_start(
    world: ReminderWorld,
) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    direct_message = direct_messages(world.bea)[-1]
    store = world.matches.store
    # The state right after the answer was stored.
    call = await store.read(queries.find_job, REMIND, room.record.id, world.bea.id)
    await store.write(queries.replace_job, call, replace(call, kind=STRIP, at=0))
    await world.stop()
    assert direct_message.labels == ["Your move"]
    await world.start()
    await world.discord.until(lambda: direct_message.labels == [], about="the button to go")


async def test_a_reminder_opens_an_archived_thread(world: ReminderWorld) -> None:
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    world.discord.archive(world.place(room))
    await world.advance(DAY)
    assert "Still waiting" in world.discord.messages(world.place(room))[-1].content


async def test_a_reminder_where_the_bot_may_not_post_pauses_the_match(world: ReminderWorld) -> None:
    room = await world.play_first_option(await world.start_match(), world.ana, 0)
    world.discord.deny(world.discord.channel(), "send_messages_in_threads")
    await world.advance(DAY)
    assert (await world.matches.find(room.record.id)).is_paused
    assert await world.matches.pings.find_due(room.record.id) == []


async def test_the_result_is_sent_by_direct_message_to_players_who_chose_that(
    world: ReminderWorld,
) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await world.start_match()
    response = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(response, "Yes, give up my seat")
    await world.wait_until_all_is_sent()
    message = world.bea.inbox()[-1]
    assert "Blue Lagoon ended early" in message.content and "Rematch" in message.labels
    assert world.bea.pings() == []


async def test_a_vote_reminds_everybody_in_the_way_they_chose(world: ReminderWorld) -> None:
    off, quiet, direct = (world.discord.user(name) for name in ("Olu", "Qin", "Dag"))
    await world.choose_settings(off, level="off")
    await world.choose_settings(quiet, quiet="11:00-20:00")
    await world.choose_settings(direct, by="direct")
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    for person in (off, quiet, direct):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.wait_until_all_is_sent()
    (room,) = await world.matches.of_user(off.id)
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.wait_until_all_is_sent()
    (vote,) = [
        post
        for post in world.discord.messages(world.place(room))
        if "wants to pause" in post.content
    ]
    direct_message = direct_messages(direct)[-1]
    assert vote.pings == []
    assert f"/{vote.id}" in direct_message.content
    assert "wants to pause" in direct_message.content
    await direct.click(direct_message, "Yes")
    assert "Yes: Ana and Dag" in direct_message.content and direct_message.labels == ["Yes", "No"]
    await world.discord.until(lambda: "Yes: Ana and Dag" in vote.content, about="the vote itself")
    await world.advance(DAY)
    (called,) = quiet.pings()
    assert called.channel is world.place(room) and f"/{vote.id}" in called.content
    # Once it has ended nobody is notified of it, and pressing an old notification shows the result.
    await quiet.click(called, "Yes")
    await direct.click(direct_message, "No")
    await world.discord.until(
        lambda: "This vote is over" in direct.inbox()[-1].content, about="the refusal"
    )
    assert (
        direct_message.labels == []
        and "**Paused." in direct_message.content
        and "**Paused." in vote.content
    )
    # If a direct message is closed it is said where the match is played.
    world.discord.faults.respond_with(
        "POST", f"/channels/{world.discord.dm(direct).id}/messages", 403, code=50007
    )
    await world.ana.slash("/game resume", channel=world.place(room))
    await world.wait_until_all_is_sent()
    (message,) = direct.pings()
    assert "**Blue Lagoon** needs your vote" in message.content
    assert "can't send you direct messages" in message.content
    assert off.pings() == [] and len(quiet.pings()) == 1


async def four_with_levels(world: ReminderWorld) -> tuple[Room, Person, Person, Person]:
    """Start a match of people with different reminder settings."""
    last, direct_message, digest = (world.discord.user(name) for name in ("Lal", "Dag", "Eva"))
    await world.choose_settings(last, level="last")
    await world.choose_settings(direct_message, level="digest", by="direct")
    await world.choose_settings(digest, level="digest")
    opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
    for person in (last, direct_message, digest):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.wait_until_all_is_sent()
    (room,) = await world.matches.of_user(last.id)
    return room, last, direct_message, digest


async def test_a_vote_respects_digests_and_last_calls(world: ReminderWorld) -> None:
    room, last, direct_message, digest = await four_with_levels(world)
    before = len(direct_messages(direct_message))
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.wait_until_all_is_sent()
    (vote,) = [
        post
        for post in world.discord.messages(world.place(room))
        if "wants to pause" in post.content
    ]
    assert vote.pings == [] and len(direct_messages(direct_message)) == before, (
        "nobody is called at once"
    )
    await world.advance(20 * HOUR)
    assert last.pings() == [] and len(direct_messages(direct_message)) == before
    await world.advance(2 * HOUR)
    (told,) = direct_messages(direct_message)[before:]
    (called,) = digest.pings()
    for message in (told, called):
        assert "needs your vote by" in message.content
        assert f"/{vote.id}" in message.content
    assert last.pings() == []
    await direct_message.click(vote, "No")
    await world.advance(DAY)
    assert len(direct_messages(direct_message)) == before + 1, "who has voted hears no more of it"
    assert len(digest.pings()) == 2, "who has not is told with the next digest"
    # The vote lasts three days.
    await world.advance(13 * HOUR)
    assert last.pings() == []
    await world.advance(2 * HOUR)
    (call,) = last.pings()
    assert f"/{vote.id}" in call.content and call.labels == ["Yes", "No"]
    await world.advance(5 * DAY)
    assert len(last.pings()) == 1


@pytest.mark.parametrize("chosen_at", ["2026-03-02 12:00", "2026-03-05 19:30"])
async def test_a_vote_ending_in_quiet_hours_is_announced_early_or_silently(
    world: ReminderWorld, chosen_at: str
) -> None:
    room, last, *_ = await four_with_levels(world)
    for time in sorted(["2026-03-03 08:00", chosen_at]):
        await world.advance(moment(time) - world.now.now)
        if time == chosen_at:
            await world.choose_settings(last, quiet="19:00-09:00", zone="UTC")
        else:
            await world.ana.slash("/game pause", channel=world.place(room))
            await world.wait_until_all_is_sent()

    def last_calls() -> list[Message]:
        posts = world.discord.messages(world.place(room))
        return [post for post in mentioning(last, posts) if "needs your vote" in post.content]

    is_before_quiet = moment(chosen_at) < moment("2026-03-05 18:00")
    first = "18:00" if is_before_quiet else "20:00"
    await world.advance(moment(f"2026-03-05 {first}") - 1 - world.now.now)
    assert last_calls() == []
    await world.advance(1)
    # The vote ends at eight in the morning.
    (call,) = last_calls()
    assert call.pings == ([last.user] if is_before_quiet else [])
    assert bool(call.flags & SILENT) is not is_before_quiet
    await world.advance(2 * DAY)
    assert last_calls() == [call]


async def test_a_digest_lists_turns_and_votes_together(world: ReminderWorld) -> None:
    room, last, direct_message, _ = await four_with_levels(world)
    before = len(direct_messages(direct_message))
    await world.play_first_option(await world.play_first_option(room, world.ana, 0), last, 1)
    await world.ana.slash("/game pause", channel=world.place(room))
    await world.advance(DAY)
    (message,) = direct_messages(direct_message)[before:]
    assert "1 match is waiting for you" in message.content and "needs your vote" in message.content
    assert message.labels == ["1. Blue Lagoon", "All my matches"]


async def test_changed_terms_are_announced_at_everybody_s_reminder_level(
    world: ReminderWorld,
) -> None:
    last, direct_message, digest, every = (
        world.discord.user(name) for name in ("Lal", "Dag", "Eva", "Tim")
    )
    await world.choose_settings(last, level="last")
    await world.choose_settings(direct_message, level="digest", by="direct")
    await world.choose_settings(digest, level="digest")
    lobbies = []
    for people in ((last, every, direct_message), (digest,)):
        opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
        for person in people:
            await person.click(opened, "Join")
        lobbies.append(opened)
    before = len(direct_messages(direct_message))
    for opened in lobbies:
        for pace in ("quick", "steady"):
            await choose_pace(world, opened, pace)
    await world.wait_until_all_is_sent()
    (message,) = every.pings()
    assert "changed the time limits" in message.content
    assert last.pings() == digest.pings() == []
    assert len(direct_messages(direct_message)) == before
    await world.advance(3 * DAY)
    (line,) = direct_messages(direct_message)[before:]
    (called,) = digest.pings()
    assert "The host of **Blue Lagoon**" in line.content
    assert "The host of **Blue Lagoon**" in called.content
    assert last.pings() == [] and len(every.pings()) == 1


class ChangedLobby:
    """A lobby of Ana's whose pace she changes."""

    def __init__(self, world: ReminderWorld, opened: Response) -> None:
        self.world, self.opened = world, opened

    @classmethod
    async def open(cls, world: ReminderWorld, *people: Person) -> "ChangedLobby":
        opened = await world.ana.slash("/game new", game="blue_lagoon", settings="first=1")
        for person in people:
            await person.click(opened, "Join")
        return cls(world, opened)

    async def change(self, pace: str) -> None:
        await choose_pace(self.world, self.opened, pace)

        async def is_done() -> bool:
            return not len(self.world.bot.handlers)

        await self.world.wait_until(is_done)

    def posts(self) -> list[Message]:
        posts = self.world.discord.messages(self.opened.message.channel)
        return [post for post in posts if "changed the time limits" in post.content]


async def test_terms_changed_in_quiet_hours_are_announced_afterwards(world: ReminderWorld) -> None:
    quiet = world.discord.user("Tim")
    leaver = world.discord.user("Lea")
    for person in (quiet, leaver):
        await world.choose_settings(person, quiet="10:00-20:00", zone="UTC")
    lobby = await ChangedLobby.open(world, quiet, leaver)
    await lobby.change("quick")
    await lobby.change("steady")
    await leaver.click(lobby.opened, "Leave")
    await world.advance(8 * HOUR - 1)
    assert quiet.pings() == []
    await world.advance(1)
    (message,) = quiet.pings()
    assert "steady" in message.content.casefold() and message is lobby.posts()[-1]
    await world.advance(2 * DAY)
    assert quiet.pings() == [message] and leaver.pings() == []


async def test_a_player_who_joined_late_is_told_of_the_next_change_of_terms(
    world: ReminderWorld,
) -> None:
    every = world.discord.user("Tim")
    late = world.discord.user("Lou")
    lobby = await ChangedLobby.open(world, every)
    await lobby.change("quick")
    await late.click(lobby.opened, "Join")
    await lobby.change("steady")
    assert len(late.pings()) == len(every.pings()) == 1, (
        "who was mentioned just now is not mentioned again"
    )
    await lobby.change("quick")
    assert len(lobby.posts()) == 2 and len(late.pings()) == 1
    await world.advance(3 * DAY)
    await lobby.change("steady")
    assert len(late.pings()) == len(every.pings()) == 2, "after days everybody is told anew"


async def test_changed_terms_are_announced_although_the_last_message_was_deleted(
    world: ReminderWorld,
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


async def test_a_rematch_waits_for_the_digest_of_who_wants_one(world: ReminderWorld) -> None:
    await world.choose_settings(world.bea, level="digest", by="direct")
    room = await world.start_match()
    response = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(response, "Yes, give up my seat")
    await world.wait_until_all_is_sent()
    before = len(direct_messages(world.bea))
    await world.ana.click(world.boards(room)[-1], "Rematch")
    await world.wait_until_all_is_sent()
    assert world.bea.pings() == [] and len(direct_messages(world.bea)) == before
    await world.advance(DAY)
    (message,) = direct_messages(world.bea)[before:]
    assert "a rematch of **Blue Lagoon**" in message.content


def test_a_long_digest_says_how_many_matches_it_leaves_out() -> None:
    rooms = [
        room_of(begin(GAMES["conquest"], 4, {}, f"digest {n}"), ["Alexandrina" * 2] * 4)
        for n in range(40)
    ]
    untils = dict.fromkeys(map(Seat, range(4)), moment("2026-03-02 12:00"))
    turns = [(room, reminder_job(room.record.id, 10, None, Sent())) for room in rooms]
    made = call_message.make_digest(
        Job("digest", 1, user=10), Digest(tuple(turns)), lambda room: untils
    )
    buttons = [part for row in made.rows for part in row if isinstance(part, Button)]
    assert len(made.content) <= CONTENT and len(made.rows) <= ROWS
    left_out = 40 - (len(buttons) - 1)
    assert made.content.startswith("40 matches are waiting for you")
    assert made.content.endswith(f"… and {left_out} more.")


def test_a_post_names_the_deadline_of_everybody_who_is_awaited() -> None:
    room = room_of(begin(GAMES["conquest"], 2, {"start": "variable"}, "until"), ["Ana", "Bea"])
    assert (
        turn_message.describe_deadlines(room, {Seat(0): 7, Seat(1): 7}) == "Due <t:7:f> (<t:7:R>)."
    )
    both = turn_message.describe_deadlines(room, {Seat(0): 7, Seat(1): 8})
    assert both == "Ana: due <t:7:f> (<t:7:R>). Bea: due <t:8:f> (<t:8:R>)."
    post = Post(Announcement(1, room.record.id, -1, 0), room, (), (Seat(0), Seat(1)))
    text = turn_message.message(post, deadlines={Seat(0): 7, Seat(1): 8}).content
    assert both in text
    moved = turn_message.update_deadlines(text, room, {Seat(0): 9, Seat(1): 8})
    assert moved == text.replace("<t:7:", "<t:9:")
    once = turn_message.update_deadlines(moved, room, {Seat(1): 8})
    assert "Due <t:8:f> (<t:8:R>).\n" in once and "Ana: due" not in once


class Limiter:
    """A clock that advances only when somebody sleeps, and a record of all requests."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sent: list[float] = []

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have rate limits use this clock."""
        monkeypatch.setattr("bot.ui.rate.monotonic", self.time)
        monkeypatch.setattr("bot.ui.rate.sleep", self.sleep)


async def test_ten_thousand_requests_at_once_respect_the_rate_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limiter = Limiter()
    limiter.install(monkeypatch)
    bucket = Bucket()
    for number in range(10_000):
        await bucket.take(1 + number % 3)
        limiter.sent += [limiter.now] * (1 + number % 3)
    first = 0
    for last, at in enumerate(limiter.sent):
        while limiter.sent[first] <= at - 1:
            first += 1
        assert last - first < 50, "Discord allows a bot 50 requests per second"
    assert limiter.now == pytest.approx(len(limiter.sent) / RATE, rel=0.01)


async def test_simultaneous_reminders_wait_for_the_bucket_and_none_is_lost(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests are made by the real sender, but nobody waits for a real clock."""
    limiter = Limiter()
    limiter.install(monkeypatch)
    world.matches.calls._bucket = Bucket()
    await world.choose_settings(world.bea, by="direct")
    rooms = [await world.start_match() for _ in range(8)]
    for room in rooms:
        await world.play_first_option(room, world.ana, 0)
    before, limiter.now = len(world.bea.inbox()), 100.0
    await world.advance(DAY)
    assert len(world.bea.inbox()) == before + len(rooms)
    # A call is sent, and the one before it loses its button.
    assert limiter.now == pytest.approx(100 + (2 * len(rooms) - BURST) / RATE)


# A call that may have been made


class Killed(Exception):
    """Raised to stand in for a kill."""


async def kill_before_noting(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch, note: str
) -> None:
    """Have the bot die between sending a reminder and noting it."""

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.kernel.scheduler.SHUTDOWN_SECONDS", 0.0)
    world.waits_for_all = False
    monkeypatch.setattr(world.matches.pings, note, hang)


async def restart_after(world: ReminderWorld, seconds: float) -> None:
    """Restart the bot after some time, and wait until all reminders are sent."""
    await world.stop()
    world.now.now += seconds
    await world.start()
    await world.wait_until_all_is_sent()


@pytest.mark.parametrize("seconds", [1, 3600, 2 * DAY])
async def test_a_direct_message_that_was_sent_before_a_kill_is_not_sent_again(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await world.start_match()
    await kill_before_noting(world, monkeypatch, "note_sent")
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: with_buttons(direct_messages(world.bea)), about="the call")
    (direct_message,) = with_buttons(direct_messages(world.bea))
    world.discord.state.nonces.clear()
    await restart_after(world, seconds)
    assert with_buttons(direct_messages(world.bea)) == [direct_message]
    call = await world.matches.store.read(queries.find_job, REMIND, room.record.id, world.bea.id)
    assert call.facts["message"] == direct_message.id
    assert call.facts["times"] == 1, "and now it is noted"
    panel = await world.bea.click(direct_message, "Your move")
    assert panel.ephemeral and "Where do you place your piece?" in panel.content
    # The next one is another.
    await world.advance(2 * DAY)
    assert len(with_buttons(direct_messages(world.bea))) == 1
    assert with_buttons(direct_messages(world.bea)) != [direct_message]


async def test_a_direct_message_sent_before_a_kill_is_not_postponed_and_resent(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.choose_settings(world.bea, by="direct", quiet="12:30-20:00", zone="UTC")
    await world.advance(moment("2026-03-02 12:29") - world.now.now)
    room = await world.start_match()
    await kill_before_noting(world, monkeypatch, "note_sent")
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: with_buttons(direct_messages(world.bea)), about="the call")
    world.discord.state.nonces.clear()
    await restart_after(world, 3600)
    await world.advance(DAY / 2)
    assert len(direct_messages(world.bea)) == 2, "a word when she chose it, and one call"


async def test_a_call_that_was_not_sent_before_a_kill_is_sent_once(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.choose_settings(world.bea, by="direct")
    room = await world.start_match()

    async def dies(*_: object, **__: object) -> int:
        raise Killed

    await kill_before_noting(world, monkeypatch, "note_sent")
    monkeypatch.setattr(world.matches.calls._sender, "send", dies)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    assert with_buttons(direct_messages(world.bea)) == []
    await restart_after(world, 3600)
    assert len(with_buttons(direct_messages(world.bea))) == 1


async def test_a_digest_that_was_sent_before_a_kill_is_not_sent_again(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    for way in ("direct", "mention"):
        await world.choose_settings(world.bea, level="digest", by=way, digest="18:00", zone="UTC")
        room = await world.play_first_option(await world.start_match(), world.ana, 0)
        place = world.discord.dm(world.bea) if way == "direct" else world.place(room)
        before = len(with_buttons(world.discord.messages(place)))
        with pytest.MonkeyPatch.context() as patch:
            await kill_before_noting(world, patch, "note_digest_sent")
            world.now.now = moment("2026-03-02 18:00") + (DAY if way == "mention" else 0)
            world.matches.scheduler.on_clock_moved()
            sent = "the digest"
            await world.discord.until(
                lambda p=place, b=before: len(with_buttons(world.discord.messages(p))) > b,
                about=sent,
            )
            await world.stop()
        world.discord.state.nonces.clear()
        world.now.now += 3600
        await world.start()
        await world.wait_until_all_is_sent()
        assert len(with_buttons(world.discord.messages(place))) == before + 1, way


@pytest.mark.parametrize("way", ["direct", "mention"])
async def test_a_call_to_a_vote_that_was_sent_before_a_kill_is_not_sent_again(
    world: ReminderWorld, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    # By mention the vote's own message calls, but in quiet hours; a call of its own comes when they
    # end.
    await world.choose_settings(
        world.bea, by=way, **({} if way == "direct" else {"quiet": "11:00-20:00", "zone": "UTC"})
    )
    room = await world.start_match()
    place = world.discord.dm(world.bea) if way == "direct" else world.place(room)

    def calls() -> list[Message]:
        return [
            post
            for post in world.discord.messages(place)
            if "needs your vote" in post.content and post.buttons
        ]

    async def is_posted() -> bool:
        votes = await world.matches.votes.awaiting(room, world.bea.id)
        return bool(votes and votes[0].message)

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bot.kernel.scheduler.SHUTDOWN_SECONDS", 0.0)
    world.waits_for_all = False
    intercept(monkeypatch, queries.delete_job, hang, world.matches.store)
    await world.ana.slash("/game pause", channel=world.place(room))
    if way == "mention":
        await world.wait_until(is_posted)
        world.now.now = moment("2026-03-02 20:00")
        world.matches.scheduler.on_clock_moved()
    await world.discord.until(calls, about="the call")
    sent = calls()
    world.discord.state.nonces.clear()
    await restart_after(world, 3600)
    assert calls() == sent and len(sent) == 1
    await world.bea.click(sent[0], "No")
    await world.discord.until(lambda: "No: Bea" in sent[0].content, about="what she says to it")
