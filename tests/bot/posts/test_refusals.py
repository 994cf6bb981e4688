"""Refusals by Discord: no board is lost or repeated, and paused matches resume."""

import asyncio
from typing import Any

import aiohttp
import pytest

from bot.gateway import REQUEST_TIMEOUT
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.local import objects
from bot.local.model import Message, Thread
from bot.model import Announcement, Status
from bot.posts import outbox
from bot.posts.places import LostPlace, pause_match
from bot.runtime.base import StoreError
from tests.bot.world import World
from tests.patience import PATIENCE

POST = ("POST", "/channels/*/messages")
INVALID_FORM_BODY = 50035


def is_whole(board: Message) -> bool:
    """Return whether a board has its picture and buttons."""
    return bool(board.attachments and board.buttons)


async def status_of(world: World, room: Room) -> Status:
    """Return the status of a match."""
    return (await world.matches.find(room.record.id)).record.status


# A post that may have been made


async def test_posts_of_two_matches_with_the_same_text_are_not_confused(
    world: World,
) -> None:
    first = await world.start_match(place="channel")
    second = await world.start_match(place="channel")
    await world.play(world.ana, first, "17!")
    await world.wait_until_posted()
    world.discord.faults.respond_with(*POST, 503)
    await world.play(world.ana, second, "17!")
    await world.wait_until_posted()
    for room in (first, second):
        boards = world.boards(room)
        assert len(boards) == 2
        assert is_whole(boards[-1])
        assert not boards[0].buttons


async def test_a_post_in_doubt_is_found_behind_later_messages(
    world: World,
) -> None:
    room = await world.start_match(place="channel")
    world.discord.faults.hold(*POST, applied=True)
    for number in range(130):
        world.ana.say(f"line {number}")
    await world.play(world.ana, room, "17!")
    await world.discord.until(
        lambda: len(world.boards(room)) == 2, about="a board that the bot does not hear of"
    )
    await world.stop()
    for number in range(130):
        world.ana.say(f"another line {number}")
    # By now Discord has forgotten the nonce.
    clock = world.discord.state.clock
    clock.advance(3600)  # type: ignore[attr-defined]
    world.discord.faults.clear()
    await world.start()
    await world.wait_until_posted()
    boards = world.boards(room)
    assert len(boards) == 2
    assert is_whole(boards[-1])
    assert not boards[0].buttons


async def test_a_board_whose_note_was_in_doubt_keeps_its_buttons(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    announcements, lost = world.matches.kernel.matches, []
    posted = announcements.note_post

    async def answer_lost(announcement: Announcement, *given: Any) -> None:
        await posted(announcement, *given)
        if not lost:
            lost.append(announcement.id)
            raise StoreError

    monkeypatch.setattr(announcements, "note_post", answer_lost)
    await world.play(world.ana, room, "17!")
    await world.wait_until(lambda: is_resolved(world, lost))
    boards = world.boards(room)
    assert len(boards) == 2
    assert is_whole(boards[-1])
    assert not boards[0].buttons


async def is_resolved(world: World, lost: list[int]) -> bool:
    """Return whether the post in doubt has been resolved."""
    return (
        bool(lost)
        and not world.matches.outbox._maybe_sent
        and not world.matches.outbox._chores.tasks
    )


async def test_a_reminder_that_was_noted_keeps_its_buttons(world: World) -> None:
    room = await world.start_match()
    board = world.boards(room)[-1]
    room = await world.matches.find(room.record.id)
    await world.matches.outbox.strip_previous_turn(room, board.id)
    assert board.buttons
    await world.matches.outbox.strip_previous_turn(room, board.id + 1)
    assert not board.buttons


async def test_a_text_only_post_in_doubt_is_found_too(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*POST, 400, times=2)
    world.discord.faults.respond_with(*POST, 503, applied=True)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    boards = world.boards(room)
    assert len(boards) == 2
    assert not boards[-1].attachments
    assert not boards[-1].buttons

    # A post that is refused
    world.expect_error("sending a simpler version of a post")


async def test_an_odd_refusal_is_retried_with_the_whole_board(world: World) -> None:
    room = await world.start_match()
    people = [world.ana, world.bea]
    for number, refused in enumerate((401, 403, 404, 405, 408, 409, 415, 422, 429, 451)):
        fault = world.discord.faults.respond_with(*POST, refused, times=3 if refused != 429 else 1)
        await world.play(people[number % 2], room, f"{17 + number}!")
        await world.wait_until_posted()
        assert not fault.times, refused
    boards = world.boards(room)
    assert len(boards) == 11 and all(board.attachments for board in boards)
    assert [bool(board.buttons) for board in boards] == [False] * 10 + [True]
    assert await status_of(world, room) is Status.RUNNING and not world.ana.inbox()


async def test_a_repeatedly_refused_post_drops_its_picture_and_then_its_buttons(
    world: World,
) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*POST, 422, times=outbox.RETRIES_BEFORE_FALLBACK + 1)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    plain = world.boards(room)[-1]
    assert plain.buttons and not plain.attachments and world.bea.user in plain.pings

    world.discord.faults.respond_with(*POST, 403, times=outbox.RETRIES_BEFORE_FALLBACK + 2)
    await world.play(world.bea, room, "1!")
    await world.wait_until_posted()
    assert not plain.buttons
    words = world.boards(room)[-1]
    assert (
        "Bea placed a boat on 1." in words.content and not words.buttons and not words.attachments
    )
    assert f"Open your panel with `/play match:{room.record.id}`" in words.content
    assert len(world.boards(room)) == 3
    await world.play(world.ana, room, "30!")
    await world.wait_until_posted()
    assert is_whole(world.boards(room)[-1])
    world.expect_error("sending a simpler version of a post")


async def test_a_post_that_is_too_large_is_sent_without_its_picture(world: World) -> None:
    room = await world.start_match()
    for number, code in enumerate((0, 40005)):
        world.discord.faults.respond_with(*POST, 413, code=code)
        await world.play((world.ana, world.bea)[number], room, f"{17 + number}!")
        await world.wait_until_posted()
        board = world.boards(room)[-1]
        assert board.buttons and not board.attachments
    world.expect_error("sending a simpler version of a post")


async def test_a_message_that_discord_rejects_falls_back_to_plain_text(world: World) -> None:
    room = await world.start_match()
    # Reject the post with its picture, and the one without.
    world.discord.faults.respond_with(*POST, 400, code=INVALID_FORM_BODY, times=2)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    board = world.boards(room)[-1]
    assert not board.buttons and f"/play match:{room.record.id}" in board.content
    world.expect_error("sending a simpler version of a post")


async def test_an_odd_refusal_to_create_a_thread_is_retried(world: World) -> None:
    world.discord.faults.respond_with("POST", "/channels/*/messages/*/threads", 403, times=2)
    room = await world.start_match()
    assert room.record.place.thread and is_whole(world.boards(room)[-1])


async def test_a_request_without_an_answer_times_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (REQUEST_TIMEOUT.total or 0) <= 60
    await world.stop()
    monkeypatch.setattr("bot.gateway.REQUEST_TIMEOUT", aiohttp.ClientTimeout(sock_read=0.2))
    await world.start()
    room = await world.start_match()
    # Two requests that never get a response: Discord has not carried out the first, but the second.
    world.discord.faults.hold(*POST)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    world.discord.faults.hold(*POST, applied=True)
    await world.play(world.bea, room, "1!")
    await world.wait_until_posted()
    assert len(world.boards(room)) == 3
    assert is_whole(world.boards(room)[-1])


async def test_after_too_many_refusals_posting_pauses(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    loop = asyncio.get_running_loop()
    until = loop.time() + 0.3
    world.matches.outbox._refused.extend(
        [until - outbox.REFUSAL_WINDOW_SECONDS] * outbox.MAX_REFUSALS
    )
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    assert loop.time() >= until and len(world.boards(room)) == 2


@pytest.mark.parametrize("applied", [False, True])
async def test_a_malformed_answer_is_retried(world: World, applied: bool) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*POST, 200, applied=applied)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    assert len(world.boards(room)) == 2
    assert is_whole(world.boards(room)[-1])
    world.expect_error("KeyError")


async def test_a_board_is_posted_even_if_the_history_cannot_be_read(world: World) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*POST, 503)
    world.discord.faults.respond_with("GET", POST[1], 404, times=1000)
    await world.play(world.ana, room, "17!")
    await world.wait_until_posted()
    assert len(world.boards(room)) == 2
    assert is_whole(world.boards(room)[-1])


async def test_a_brief_database_failure_loses_no_board(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    due, failed = world.matches.kernel.matches.pending_posts, []

    async def busy(match: str | None = None) -> list[Announcement]:
        if match and len(failed) < 2:
            failed.append(match)
            raise StoreError("busy")
        return await due(match)

    # Replace it before the move, so that no read of pending posts gets past it.
    monkeypatch.setattr(world.matches.kernel.matches, "pending_posts", busy)
    # As if another process had made the move: the pending posts have to be read.
    world.matches.stop_posting()
    world.matches.outbox._sent.clear()
    await world.play(world.ana, room, "17!")
    world.matches.outbox.poke(room.record.id)
    await world.wait_until_posted()
    assert len(failed) == 2 and len(world.boards(room)) == 2


# A place that is lost


async def test_a_match_resumes_when_it_may_post_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.05)
    room = await world.start_match()
    general = world.discord.channel("general")
    shown = await world.ana.slash("/play", channel=world.place(room), move="17")
    for number, lost in enumerate(("send_messages_in_threads", "view_channel"), start=2):
        world.discord.deny(general, lost)
        await world.wait_until(lambda: cannot_post(world, room))
        if lost == "send_messages_in_threads":
            await world.ana.click(shown, label="Confirm")
        else:
            await world.bea.slash(
                "/play", channel=world.place(room), move="1!", match=room.record.id
            )
        await world.wait_until(lambda: is_paused(world, room))
        request_count = len(world.discord.rest.requests)
        world.discord.allow(general, lost)
        await world.discord.until(lambda n=number: len(world.boards(room)) == n, about="the board")  # type: ignore[misc]
        await world.wait_until_posted()
        assert await status_of(world, room) is Status.RUNNING
        assert is_whole(world.boards(room)[-1])
        assert not [
            a for a in list(world.discord.rest.requests)[request_count:] if a.status == 403
        ], "nothing is tried in vain"
    await world.discord.until(lambda: len(world.ana.inbox()) == 2, about="two words to the host")
    assert len(world.boards(room)) == 3
    assert [bool(board.buttons) for board in world.boards(room)] == [False, False, True]


async def cannot_post(world: World, room: Room) -> bool:
    """Return whether the bot knows that it may not post in a match's thread."""
    return not world.matches.outbox.lost_places._seems_postable(
        LostPlace(room.record.place, "forbidden")
    )


async def is_paused(world: World, room: Room) -> bool:
    return await status_of(world, room) is Status.PAUSED


def gateway_events(world: World, event: str, room: Room) -> list[tuple[str, dict[str, Any]]]:
    """Return the gateway's events about a change to a match's place."""
    state, guild = world.discord.state, room.record.place.guild
    whole = objects.guild(state, guild)
    role = next(role for role in whole["roles"] if role["id"] == str(state.bot_role))
    thread = world.place(room)
    assert isinstance(thread, Thread)
    events: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "channel": [("CHANNEL_UPDATE", objects.channel(state, world.discord.channel("general")))],
        "role": [("GUILD_ROLE_UPDATE", {"guild_id": str(guild), "role": role})],
        "member": [
            ("GUILD_MEMBER_UPDATE", {"guild_id": str(guild), **objects.member(state, state.bot)})
        ],
        "thread": [("THREAD_UPDATE", objects.thread(state, thread))],
        "server": [
            ("GUILD_DELETE", {"id": str(guild), "unavailable": True}),
            ("GUILD_CREATE", whole),
        ],
    }
    return events[event]


def tell(world: World, events: list[tuple[str, dict[str, Any]]]) -> None:
    for session in world.discord.gateway.sessions.values():
        for event, data in events:
            session.dispatch(event, data)


async def start_refused_match(world: World) -> Room:
    """Start a match whose second board Discord refuses without a visible reason."""
    room = await world.start_match()
    await world.ana.slash("/games", channel=world.place(room))
    # The events about its new thread have been handled by now.
    world.matches.outbox.lost_places._changed.clear()
    world.discord.faults.respond_with(*POST, 403, code=50013)
    await world.play(world.ana, room, "17!")
    # The host hears of it once it is paused; it may have gone on before somebody looks.
    await world.discord.until(world.ana.inbox, about="a word to the host")
    return room


@pytest.mark.parametrize("event", ["channel", "role", "member", "thread", "server"])
async def test_a_permission_change_resumes_a_refused_match_quickly(
    world: World, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.01)
    room = await start_refused_match(world)
    tell(world, gateway_events(world, event, room))
    await world.discord.until(lambda: len(world.boards(room)) == 2, about="the board")
    await world.wait_until_posted()
    assert await status_of(world, room) is Status.RUNNING
    assert is_whole(world.boards(room)[-1])


async def test_a_permission_restored_during_the_pause_is_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.01)
    room = await world.start_match()
    general = world.discord.channel("general")

    async def pausing(kernel: Kernel, match: str, why: str) -> Room | None:
        world.discord.allow(general, "send_messages_in_threads")
        await world.wait_until(can_post)
        return await pause_match(kernel, match, why)

    async def can_post() -> bool:
        return not await cannot_post(world, room)

    monkeypatch.setattr("bot.posts.outbox.pause_match", pausing)
    world.discord.deny(general, "send_messages_in_threads")
    await world.wait_until(lambda: cannot_post(world, room))
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: len(world.boards(room)) == 2, about="the board")
    await world.wait_until_posted()
    assert await status_of(world, room) is Status.RUNNING


async def test_changes_elsewhere_trigger_no_retry(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.01)
    room = await start_refused_match(world)
    state = world.discord.state
    guild = str(room.record.place.guild)
    request_count = len(world.discord.rest.requests)
    elsewhere = world.discord.add_channel("elsewhere")
    role = {
        **objects.guild(state, int(guild))["roles"][1],
        "id": str(state.snowflake()),
        "name": "others",
    }
    tell(world, [("GUILD_ROLE_CREATE", {"guild_id": guild, "role": role})])
    tell(world, [("GUILD_ROLE_UPDATE", {"guild_id": guild, "role": role})])
    tell(
        world,
        [("GUILD_MEMBER_UPDATE", {"guild_id": guild, **objects.member(state, world.ana.user)})],
    )
    tell(world, [("CHANNEL_UPDATE", objects.channel(state, elsewhere))])
    # All earlier events have been handled by now.
    await world.ana.slash("/games", channel=elsewhere)
    tried = [
        one
        for one in list(world.discord.rest.requests)[request_count:]
        if one.path.endswith("/messages")
    ]
    assert tried == [] and await status_of(world, room) is Status.PAUSED


async def test_a_match_that_may_post_again_resumes_after_the_start(
    world: World,
) -> None:
    room = await world.start_match()
    general = world.discord.channel("general")
    world.discord.deny(general, "send_messages_in_threads")
    await world.play(world.ana, room, "17!")
    await world.discord.until(world.ana.inbox, about="a word to the host")
    await world.stop()
    world.discord.allow(general, "send_messages_in_threads")
    await world.start()

    async def goes_on() -> bool:
        return await status_of(world, room) is Status.RUNNING and len(world.boards(room)) == 2

    await world.wait_until(goes_on)
    assert len(world.ana.inbox()) == 1


async def test_an_unexplained_refusal_is_retried_and_the_host_told_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.FIRST_RETRY_SECONDS", 0.001)
    monkeypatch.setattr("bot.posts.places.MAX_RETRY_SECONDS", 0.001)
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.02)
    room = await world.start_match()
    fault = world.discord.faults.respond_with(*POST, 403, code=50013, times=3)
    # The message to the host is a post as well, and is refused once.
    await world.play(world.ana, room, "17!")
    await world.discord.until(lambda: len(world.boards(room)) == 2, about="the board")
    await world.wait_until_posted()
    assert not fault.times and await status_of(world, room) is Status.RUNNING


async def test_a_deleted_thread_is_not_requested_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.CHECK_SECONDS", 0.01)
    room = await world.start_match()
    world.discord.delete_channel(world.place(room))
    await world.discord.until(world.ana.inbox, about="a word to the host")
    request_count = len(world.discord.rest.requests)
    world.discord.add_channel("elsewhere")
    await asyncio.sleep(0.1)
    assert len(world.discord.rest.requests) == request_count
    assert await status_of(world, room) is Status.PAUSED


# After a start


async def test_new_turns_after_a_start_do_not_wait_for_old_posts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BACKLOG_PATIENCE_SECONDS", PATIENCE)
    rooms = [await world.start_match() for _ in range(8)]
    world.matches.stop_posting()
    for room in rooms[1:]:
        await world.play(world.ana, room, "17!")
    await world.stop()
    held = world.discord.faults.hold(*POST, times=outbox.BACKLOG_WORKERS)
    await world.start()

    async def is_busy() -> bool:
        return not held.times

    await world.wait_until(is_busy)
    await world.play(world.ana, rooms[0], "17!")
    await world.discord.until(
        lambda: len(world.boards(rooms[0])) == 2, about="the board of the move"
    )
    assert all(len(world.boards(room)) == 1 for room in rooms[1:]), (
        "the others have not been drawn yet"
    )
    held.release()
    await world.wait_until_posted()
    assert all(len(world.boards(room)) == 2 for room in rooms)
