"""Whatever Discord answers: no board is lost, doubled or withheld, and a match that could not
post goes on again.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
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
from bot.posts.places import Lost, pause_match
from bot.runtime.base import StoreError
from tests.bot.posts.table import Table, at_table
from tests.patience import PATIENCE

POST = ("POST", "/channels/*/messages")


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    async with at_table(tmp_path, monkeypatch) as table:
        yield table


def is_whole(board: Message) -> bool:
    """Whether a board is shown with its picture and its buttons."""
    return bool(board.attachments and board.buttons)


async def status(table: Table, room: Room) -> Status:
    """How a match stands."""
    return (await table.matches.find(room.record.id)).record.status


# A post that may have been made


async def test_two_matches_told_of_in_the_same_words_are_not_taken_for_each_other(
    table: Table,
) -> None:
    first, second = await table.begun("channel"), await table.begun("channel")
    await table.play(table.ana, first, "17!")
    await table.caught_up()
    table.discord.faults.answer(*POST, 503)
    await table.play(table.ana, second, "17!")
    await table.caught_up()
    for room in (first, second):
        boards = table.boards(room)
        assert len(boards) == 2 and is_whole(boards[-1]) and not boards[0].buttons


async def test_a_post_in_doubt_is_found_whatever_has_been_said_since_the_last_board(
    table: Table,
) -> None:
    room = await table.begun("channel")
    table.discord.faults.hold(*POST, applied=True)
    for number in range(130):
        table.ana.say(f"line {number}")
    await table.play(table.ana, room, "17!")
    await table.discord.until(
        lambda: len(table.boards(room)) == 2, about="a board that the bot does not hear of"
    )
    await table.stop()
    for number in range(130):
        table.ana.say(f"another line {number}")
    # By now Discord has forgotten the nonce.
    clock = table.discord.state.clock
    clock.advance(3600)  # type: ignore[attr-defined]
    table.discord.faults.clear()
    await table.start()
    await table.caught_up()
    boards = table.boards(room)
    assert len(boards) == 2 and is_whole(boards[-1]) and not boards[0].buttons


async def test_a_board_that_was_noted_without_our_hearing_of_it_keeps_its_buttons(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await table.begun()
    announcements, lost = table.matches.kernel.matches, []
    posted = announcements.note_post

    async def answer_lost(announcement: Announcement, *given: Any) -> None:
        await posted(announcement, *given)
        if not lost:
            lost.append(announcement.id)
            raise StoreError

    monkeypatch.setattr(announcements, "note_post", answer_lost)
    await table.play(table.ana, room, "17!")
    await table.settled(lambda: drained(table, lost))
    boards = table.boards(room)
    assert len(boards) == 2 and is_whole(boards[-1]) and not boards[0].buttons


async def drained(table: Table, lost: list[int]) -> bool:
    """Whether the post whose answer was lost is no longer in doubt."""
    return (
        bool(lost)
        and not table.matches.outbox._maybe_sent
        and not table.matches.outbox._chores.tasks
    )


async def test_a_reminder_that_was_noted_keeps_its_buttons(table: Table) -> None:
    room = await table.begun()
    board = table.boards(room)[-1]
    room = await table.matches.find(room.record.id)
    await table.matches.outbox.strip_previous_turn(room, board.id)
    assert board.buttons
    await table.matches.outbox.strip_previous_turn(room, board.id + 1)
    assert not board.buttons


async def test_a_post_in_doubt_in_words_alone_is_found_too(table: Table) -> None:
    room = await table.begun()
    table.discord.faults.answer(*POST, 400, times=2)
    table.discord.faults.answer(*POST, 503, applied=True)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    boards = table.boards(room)
    assert len(boards) == 2 and not boards[-1].attachments and not boards[-1].buttons


# A post that is refused


async def test_an_odd_refusal_is_outlasted_with_the_whole_board(table: Table) -> None:
    room = await table.begun()
    people = [table.ana, table.bea]
    for number, refused in enumerate((401, 403, 404, 405, 408, 409, 415, 422, 429, 451)):
        fault = table.discord.faults.answer(*POST, refused, times=3 if refused != 429 else 1)
        await table.play(people[number % 2], room, f"{17 + number}!")
        await table.caught_up()
        assert not fault.times, refused
    boards = table.boards(room)
    assert len(boards) == 11 and all(board.attachments for board in boards)
    assert [bool(board.buttons) for board in boards] == [False] * 10 + [True]
    assert await status(table, room) is Status.RUNNING and not table.ana.inbox()


async def test_what_is_refused_for_long_goes_out_without_its_picture_and_then_in_words(
    table: Table,
) -> None:
    room = await table.begun()
    table.discord.faults.answer(*POST, 422, times=outbox.RETRIES_BEFORE_FALLBACK + 1)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    plain = table.boards(room)[-1]
    assert plain.buttons and not plain.attachments and table.bea.user in plain.pings

    table.discord.faults.answer(*POST, 403, times=outbox.RETRIES_BEFORE_FALLBACK + 2)
    await table.play(table.bea, room, "1!")
    await table.caught_up()
    assert not plain.buttons
    words = table.boards(room)[-1]
    assert "Bea: boat on 1." in words.content and not words.buttons and not words.attachments
    assert f"`/play match:{room.record.id}` opens your panel" in words.content
    assert len(table.boards(room)) == 3
    await table.play(table.ana, room, "30!")
    await table.caught_up()
    assert is_whole(table.boards(room)[-1])


async def test_a_post_said_to_be_too_large_goes_out_without_its_picture(table: Table) -> None:
    room = await table.begun()
    for number, code in enumerate((0, 40005)):
        table.discord.faults.answer(*POST, 413, code=code)
        await table.play((table.ana, table.bea)[number], room, f"{17 + number}!")
        await table.caught_up()
        board = table.boards(room)[-1]
        assert board.buttons and not board.attachments


async def test_a_message_that_discord_will_not_have_says_in_words_how_to_move(table: Table) -> None:
    room = await table.begun()
    table.discord.faults.answer(*POST, 400, code=50035, times=2)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    board = table.boards(room)[-1]
    assert not board.buttons and f"/play match:{room.record.id}" in board.content


async def test_a_thread_that_is_refused_oddly_is_tried_again(table: Table) -> None:
    table.discord.faults.answer("POST", "/channels/*/messages/*/threads", 403, times=2)
    room = await table.begun()
    assert room.record.place.thread and is_whole(table.boards(room)[-1])


async def test_a_request_without_an_answer_is_given_up_after_seconds(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (REQUEST_TIMEOUT.total or 0) <= 60
    await table.stop()
    monkeypatch.setattr("bot.gateway.REQUEST_TIMEOUT", aiohttp.ClientTimeout(sock_read=0.2))
    await table.start()
    room = await table.begun()
    # Never released: one that Discord does not carry out, one that it does.
    table.discord.faults.hold(*POST)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    table.discord.faults.hold(*POST, applied=True)
    await table.play(table.bea, room, "1!")
    await table.caught_up()
    assert len(table.boards(room)) == 3 and is_whole(table.boards(room)[-1])


async def test_after_too_many_refusals_nothing_is_posted_for_a_while(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await table.begun()
    loop = asyncio.get_running_loop()
    until = loop.time() + 0.3
    table.matches.outbox._refused.extend(
        [until - outbox.REFUSAL_WINDOW_SECONDS] * outbox.MAX_REFUSALS
    )
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    assert loop.time() >= until and len(table.boards(room)) == 2


@pytest.mark.parametrize("applied", [False, True])
async def test_an_answer_that_makes_no_sense_is_outlasted(table: Table, applied: bool) -> None:
    room = await table.begun()
    table.discord.faults.answer(*POST, 200, applied=applied)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    assert len(table.boards(room)) == 2 and is_whole(table.boards(room)[-1])


async def test_a_board_goes_out_even_if_discord_will_not_say_what_is_there(table: Table) -> None:
    room = await table.begun()
    table.discord.faults.answer(*POST, 503)
    table.discord.faults.answer("GET", POST[1], 404, times=1000)
    await table.play(table.ana, room, "17!")
    await table.caught_up()
    assert len(table.boards(room)) == 2 and is_whole(table.boards(room)[-1])


async def test_a_database_that_cannot_be_read_for_a_moment_withholds_no_board(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await table.begun()
    due, failed = table.matches.kernel.matches.due, []

    async def busy(match: str | None = None) -> list[Announcement]:
        if match and len(failed) < 2:
            failed.append(match)
            raise StoreError("busy")
        return await due(match)

    # Replaced before the move, so that no read of what is due gets past it.
    monkeypatch.setattr(table.matches.kernel.matches, "due", busy)
    # As if another process had made the move: what is due has to be read.
    table.matches.stop_posting()
    table.matches.outbox._sent.clear()
    await table.play(table.ana, room, "17!")
    table.matches.outbox.poke(room.record.id)
    await table.caught_up()
    assert len(failed) == 2 and len(table.boards(room)) == 2


# A place that is lost


async def test_a_match_goes_on_when_it_may_post_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.05)
    room = await table.begun()
    general = table.discord.channel("general")
    shown = await table.ana.slash("/play", channel=table.place(room), move="17")
    for number, lost in enumerate(("send_messages_in_threads", "view_channel"), start=2):
        table.discord.deny(general, lost)
        await table.settled(lambda: cannot_post(table, room))
        if lost == "send_messages_in_threads":
            await table.ana.click(shown, label="Confirm")
        else:
            await table.bea.slash(
                "/play", channel=table.place(room), move="1!", match=room.record.id
            )
        await table.settled(lambda: is_paused(table, room))
        asked = len(table.discord.rest.asked)
        table.discord.allow(general, lost)
        await table.discord.until(lambda n=number: len(table.boards(room)) == n, about="the board")  # type: ignore[misc]
        await table.caught_up()
        assert await status(table, room) is Status.RUNNING and is_whole(table.boards(room)[-1])
        assert not [a for a in list(table.discord.rest.asked)[asked:] if a.status == 403], (
            "nothing is tried in vain"
        )
    await table.discord.until(lambda: len(table.ana.inbox()) == 2, about="two words to the host")
    assert len(table.boards(room)) == 3
    assert [bool(board.buttons) for board in table.boards(room)] == [False, False, True]


async def cannot_post(table: Table, room: Room) -> bool:
    """Whether the bot has heard that it may not post in a match's thread."""
    return not table.matches.outbox.lost_places._seems_open(Lost(room.record.place, "forbidden"))


async def is_paused(table: Table, room: Room) -> bool:
    return await status(table, room) is Status.PAUSED


def told(table: Table, event: str, room: Room) -> list[tuple[str, dict[str, Any]]]:
    """What the gateway tells of a change to a match's place, as Discord words it."""
    state, guild = table.discord.state, room.record.place.guild
    whole = objects.guild(state, guild)
    role = next(role for role in whole["roles"] if role["id"] == str(state.bot_role))
    thread = table.place(room)
    assert isinstance(thread, Thread)
    events: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "channel": [("CHANNEL_UPDATE", objects.channel(state, table.discord.channel("general")))],
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


def tell(table: Table, events: list[tuple[str, dict[str, Any]]]) -> None:
    for session in table.discord.gateway.sessions.values():
        for event, data in events:
            session.tell(event, data)


async def refused_once(table: Table) -> Room:
    """A match whose second board Discord has refused, although nothing seems to stand against
    it.
    """
    room = await table.begun()
    await table.ana.slash("/games", channel=table.place(room))
    # All that was told of its new thread is heard by now, and forgotten.
    table.matches.outbox.lost_places._changed.clear()
    table.discord.faults.answer(*POST, 403, code=50013)
    await table.play(table.ana, room, "17!")
    # The host hears of it once it is paused; it may have gone on before somebody looks.
    await table.discord.until(table.ana.inbox, about="a word to the host")
    return room


@pytest.mark.parametrize("event", ["channel", "role", "member", "thread", "server"])
async def test_a_change_where_it_is_played_lets_a_refused_match_go_on_in_seconds(
    table: Table, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.01)
    room = await refused_once(table)
    tell(table, told(table, event, room))
    await table.discord.until(lambda: len(table.boards(room)) == 2, about="the board")
    await table.caught_up()
    assert await status(table, room) is Status.RUNNING and is_whole(table.boards(room)[-1])


async def test_a_permission_that_comes_back_while_the_match_is_paused_is_heeded(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.01)
    room = await table.begun()
    general = table.discord.channel("general")

    async def pausing(kernel: Kernel, match: str, why: str) -> Room | None:
        table.discord.allow(general, "send_messages_in_threads")
        await table.settled(can_post)
        return await pause_match(kernel, match, why)

    async def can_post() -> bool:
        return not await cannot_post(table, room)

    monkeypatch.setattr("bot.posts.outbox.pause_match", pausing)
    table.discord.deny(general, "send_messages_in_threads")
    await table.settled(lambda: cannot_post(table, room))
    await table.play(table.ana, room, "17!")
    await table.discord.until(lambda: len(table.boards(room)) == 2, about="the board")
    await table.caught_up()
    assert await status(table, room) is Status.RUNNING


async def test_what_changes_elsewhere_has_nothing_tried(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.01)
    room = await refused_once(table)
    state, guild = table.discord.state, str(room.record.place.guild)
    asked = len(table.discord.rest.asked)
    elsewhere = table.discord.add_channel("elsewhere")
    role = {
        **objects.guild(state, int(guild))["roles"][1],
        "id": str(state.snowflake()),
        "name": "others",
    }
    tell(table, [("GUILD_ROLE_CREATE", {"guild_id": guild, "role": role})])
    tell(table, [("GUILD_ROLE_UPDATE", {"guild_id": guild, "role": role})])
    tell(
        table,
        [("GUILD_MEMBER_UPDATE", {"guild_id": guild, **objects.member(state, table.ana.user)})],
    )
    tell(table, [("CHANNEL_UPDATE", objects.channel(state, elsewhere))])
    # Whatever came before this is heard by now.
    await table.ana.slash("/games", channel=elsewhere)
    tried = [
        one for one in list(table.discord.rest.asked)[asked:] if one.path.endswith("/messages")
    ]
    assert tried == [] and await status(table, room) is Status.PAUSED


async def test_a_match_that_may_post_again_since_the_bot_was_away_goes_on_after_the_start(
    table: Table,
) -> None:
    room = await table.begun()
    general = table.discord.channel("general")
    table.discord.deny(general, "send_messages_in_threads")
    await table.play(table.ana, room, "17!")
    await table.discord.until(table.ana.inbox, about="a word to the host")
    await table.stop()
    table.discord.allow(general, "send_messages_in_threads")
    await table.start()

    async def goes_on() -> bool:
        return await status(table, room) is Status.RUNNING and len(table.boards(room)) == 2

    await table.settled(goes_on)
    assert len(table.ana.inbox()) == 1


async def test_where_nothing_seems_amiss_it_is_tried_now_and_then_and_the_host_told_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.FIRST_TRY", 0.001)
    monkeypatch.setattr("bot.posts.places.LONGEST_WAIT", 0.001)
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.02)
    room = await table.begun()
    fault = table.discord.faults.answer(*POST, 403, code=50013, times=3)
    # The word to the host is a post as well, and refused once.
    await table.play(table.ana, room, "17!")
    await table.discord.until(lambda: len(table.boards(room)) == 2, about="the board")
    await table.caught_up()
    assert not fault.times and await status(table, room) is Status.RUNNING


async def test_a_thread_that_is_gone_is_not_asked_for_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.posts.places.LOOK_SECONDS", 0.01)
    room = await table.begun()
    table.discord.delete_channel(table.place(room))
    await table.discord.until(table.ana.inbox, about="a word to the host")
    asked = len(table.discord.rest.asked)
    table.discord.add_channel("elsewhere")
    await asyncio.sleep(0.1)
    assert len(table.discord.rest.asked) == asked and await status(table, room) is Status.PAUSED


# After a start


async def test_whoever_plays_after_a_start_does_not_wait_behind_all_that_was_due(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BACKLOG_PATIENCE_SECONDS", PATIENCE)
    rooms = [await table.begun() for _ in range(8)]
    table.matches.stop_posting()
    for room in rooms[1:]:
        await table.play(table.ana, room, "17!")
    await table.stop()
    held = table.discord.faults.hold(*POST, times=outbox.BACKLOG_WORKERS)
    await table.start()

    async def is_busy() -> bool:
        return not held.times

    await table.settled(is_busy)
    await table.play(table.ana, rooms[0], "17!")
    await table.discord.until(
        lambda: len(table.boards(rooms[0])) == 2, about="the board of the move"
    )
    assert all(len(table.boards(room)) == 1 for room in rooms[1:]), (
        "the others have not been drawn yet"
    )
    held.release()
    await table.caught_up()
    assert all(len(table.boards(room)) == 2 for room in rooms)
