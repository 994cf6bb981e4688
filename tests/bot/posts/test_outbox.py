"""The outbox under faults: every due post goes out in order and once, and a lost place loses no
match.
"""

import asyncio
from fnmatch import fnmatch

import pytest

from bot.kernel import queries
from bot.kernel.room import Post, Room
from bot.local.model import Message
from bot.model import Announcement, Status
from bot.posts.outbox import Outbox
from bot.runtime.base import StoreError
from engine import Seat
from tests.bot.intercept import Run, intercept
from tests.bot.world import World

POSTS = "/channels/*/messages"


def turns(world: World, room: Room) -> list[Message]:
    """The public messages of a match where it is played, oldest first."""
    return [message for message in world.posts(room) if "Blue Lagoon" in message.content]


def asked_of(world: World, method: str, path: str) -> list[str]:
    """The requests of the bot to a route, by their paths."""
    found = [asked for asked in world.discord.rest.asked if asked.method == method]
    return [asked.path for asked in found if fnmatch(asked.path, path)]


async def test_a_turn_is_posted_with_its_picture_and_one_ping(world: World) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    first, second = turns(world, room)
    assert second.pings == [world.bea.user] and first.nonce != second.nonce
    assert second.attachments[0].filename == "board.png"


async def test_buttons_of_the_turn_before_are_taken_off_once(world: World) -> None:
    room = await world.started()
    for who, move in ((world.ana, "17!"), (world.bea, "1!"), (world.ana, "30!")):
        await who.slash("/play", channel=world.place(room), move=move)
    posted = turns(world, room)
    assert [bool(message.components) for message in posted] == [False, False, False, True]
    edits = asked_of(world, "PATCH", f"/channels/{world.place(room).id}/messages/*")
    assert len(edits) == 3


STARTERS = "t,t,t,t,done!"


async def secret_round(world: World) -> Room:
    """Ana and Bea at Conquest, where both choose their first pieces in secret."""
    opened = await world.ana.slash("/game new", game="conquest", settings="start=variable")
    await world.bea.click(opened.message, label="Join")
    await world.ana.click(opened.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.match is not None and room.match.waiting_for() == (0, 1)
    return room


async def test_while_secret_answers_come_in_the_last_post_says_whose(world: World) -> None:
    room = await secret_round(world)
    (first,) = world.posts(room)
    opening = first.content
    await world.bea.slash("/play", channel=world.place(room), move=STARTERS)
    (board,) = world.posts(room)
    assert (
        "1 of 2 has answered: Bea." in board.content
        and "**Ana**" in board.content
        and "**Bea**" not in board.content
    )
    assert opening.splitlines()[-1] in board.content, "the dice stay sealed where they were"
    assert board.components and board.attachments
    await world.ana.slash("/play", channel=world.place(room), move=STARTERS)
    assert len(world.posts(room)) == 2
    assert "1 of 2 has answered" in board.content


async def test_a_last_post_that_cannot_be_edited_stays_as_it_is(world: World) -> None:
    room = await secret_round(world)
    world.discord.faults.answer("PATCH", "/channels/*/messages/*", 400, code=30046)
    await world.bea.slash("/play", channel=world.place(room), move=STARTERS)
    (board,) = world.posts(room)
    assert "has answered" not in board.content
    await world.ana.slash("/play", channel=world.place(room), move=STARTERS)
    assert len(world.posts(room)) == 2


async def test_a_server_error_is_waited_out(world: World, monkeypatch) -> None:
    room = await world.started()
    world.discord.faults.answer("POST", POSTS, 503, times=3)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert len(turns(world, room)) == 2
    assert await world.matches.due() == []


async def test_what_was_due_when_the_bot_stopped_is_posted_after_the_start(
    world: World, monkeypatch
) -> None:
    room = await world.started()
    world.matches.stop_posting()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert len(turns(world, room)) == 1
    await world.restart()
    assert len(turns(world, room)) == 2 and await world.matches.due() == []


async def test_a_database_that_is_busy_at_the_start_delays_what_is_due(
    world: World, monkeypatch
) -> None:
    monkeypatch.setattr("bot.app.DATABASE_RETRY_SECONDS", 0.01)
    room = await world.started()
    world.matches.stop_posting()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    failed = []

    async def fail_once(run: Run, **_: object) -> list[str]:
        if not failed:
            failed.append(run)
            raise StoreError("busy")
        return await run()

    intercept(monkeypatch, queries.matches_awaiting_computer, fail_once)
    await world.restart()
    assert failed and len(turns(world, room)) == 2


async def made_but_not_noted(world: World, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A match whose last board was posted, which the bot could not write down before it ended."""
    room = await world.started()

    async def crash(*args: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(world.matches.kernel.matches, "note_post", crash)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert len(await world.matches.due()) == 1
    return room


async def test_a_post_that_was_made_but_not_noted_is_found_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await made_but_not_noted(world, monkeypatch)
    await world.restart()
    assert len(asked_of(world, "POST", POSTS)) == len(turns(world, room)) == 2
    assert await world.matches.due() == []


async def test_a_post_that_cannot_be_found_carries_the_same_nonce_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*args: object) -> None:
        return None

    room = await made_but_not_noted(world, monkeypatch)
    monkeypatch.setattr(Outbox, "_find_posted", nothing)
    await world.restart()
    assert len(asked_of(world, "POST", POSTS)) == 3, "it was sent once more"
    assert len(turns(world, room)) == 2, "Discord knows it by its nonce"
    assert await world.matches.due() == []


async def test_a_deleted_thread_pauses_the_match_and_tells_the_host(world: World) -> None:
    room = await world.started()
    place = world.place(room)
    shown = await world.ana.slash("/play", channel=place, move="17")
    world.discord.faults.answer("POST", POSTS, 404, code=10003)
    await world.ana.click(shown, label="Confirm")
    paused = await world.room(room)
    assert paused.record.status is Status.PAUSED and paused.match.number == 1, "the move is kept"
    (told,) = [message.content for message in world.ana.inbox()]
    assert world.bea.inbox() == []
    assert "paused" in told and f"/game resume match:{room.record.id}" in told
    assert "paused" in (await world.bea.slash("/games")).private.content
    refused = (await world.bea.slash("/play", move="1!", match=room.record.id)).private.content
    assert "paused" in refused
    opened = (await world.bea.slash("/play", match=room.record.id)).private.content
    assert opened.startswith("This match is paused: ") and "`/game resume`" in opened


async def test_a_paused_match_goes_on_where_it_is_resumed(world: World) -> None:
    room = await world.started()
    world.discord.faults.answer("POST", POSTS, 403, code=50013)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    other = world.discord.add_channel("elsewhere")
    assert (
        "None of your matches"
        in (await world.cem.slash("/game resume", channel=other)).private.content
    )
    assert "goes on here" in (await world.bea.slash("/game resume", channel=other)).private.content
    moved = await world.room(room)
    assert moved.record.status is Status.RUNNING and moved.record.place.channel == other.id
    (thread,) = world.threads(other)
    assert "Ana: boat on 17." in world.newest(thread).content
    assert (await world.bea.slash("/play", channel=thread, move="1!")).private.content.startswith(
        "Done."
    )
    assert "Bea: boat on 1." in world.newest(thread).content


async def test_the_host_can_move_a_match_back(world: World) -> None:
    room = await world.started()
    other = world.discord.add_channel("elsewhere")
    await world.matches.outbox.pause_all(room.record.place.thread)
    await world.bea.slash("/game resume", channel=other)
    assert (
        "Only the host"
        in (await world.bea.slash("/game move", match=room.record.id)).private.content
    )
    assert "is played here from now on" in (await world.ana.slash("/game move")).private.content
    await world.idle()
    moved = await world.room(room)
    assert moved.record.status is Status.RUNNING and moved.record.place.channel == world.channel.id
    board = world.newest(moved)
    assert "Blue Lagoon" in board.content and board.components
    assert (
        await world.ana.slash("/play", channel=world.place(moved), move="17!")
    ).private.content.startswith("Done.")


async def test_a_match_whose_place_was_lost_between_two_turns_shows_its_board_in_the_new_one(
    world: World,
) -> None:
    room = await world.started()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    await world.matches.outbox.pause_all(room.record.place.thread)
    other = world.discord.add_channel("elsewhere")
    await world.bea.slash("/game resume", channel=other)
    (thread,) = world.threads(other)
    (board,) = [message for message in world.posts(thread) if "Blue Lagoon" in message.content]
    assert "**Bea** places a piece" in board.content and board.attachments and board.components
    assert "Ana: boat on 17." in board.content, "nobody can look it up where it was told"
    await world.bea.slash("/play", channel=thread, move="1!")
    assert (
        len([message for message in world.posts(thread) if "Blue Lagoon" in message.content]) == 2
    )


async def test_a_match_resumed_in_a_thread_goes_on_in_it(world: World) -> None:
    room = await world.started()
    world.discord.faults.answer("POST", POSTS, 403, code=50013)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert (
        "goes on here"
        in (await world.ana.slash("/game resume", channel=world.place(room))).private.content
    )
    assert (await world.room(room)).record.place == room.record.place
    assert "Ana: boat on 17." in turns(world, room)[-1].content


async def test_a_database_that_is_busy_is_waited_out(world: World, monkeypatch) -> None:
    room = await world.started()
    post_of, failed = world.matches.kernel.matches.post_of, []

    async def busy(announcement: Announcement) -> Post:
        if not failed:
            failed.append(announcement.id)
            raise StoreError("busy")
        return await post_of(announcement)

    monkeypatch.setattr(world.matches.kernel.matches, "post_of", busy)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    assert failed and len(turns(world, room)) == 2


async def test_a_bot_that_stops_begins_no_post_any_more(world: World, monkeypatch) -> None:
    room = await world.started()
    asked, goes_on = [], asyncio.Event()

    async def slow(match: str) -> list[Announcement]:
        asked.append(match)
        await goes_on.wait()
        return []

    monkeypatch.setattr(world.matches.kernel.matches, "due", slow)
    # As if another process had posted the board: what is due has to be read.
    world.matches.outbox._sent.clear()
    world.matches.outbox.poke(room.record.id)
    await asyncio.sleep(0)
    world.matches.outbox.poke(room.record.id)
    closing = asyncio.ensure_future(world.matches.outbox.close())
    await asyncio.sleep(0)
    goes_on.set()
    await closing
    await asyncio.sleep(0)
    assert asked == [room.record.id]


async def test_an_end_that_could_not_be_posted_is_posted_where_it_is_resumed(world: World) -> None:
    room = await world.started()
    asked = await world.ana.slash("/resign", channel=world.place(room))
    world.discord.faults.answer("POST", POSTS, 403, code=50001)
    await world.ana.click(asked, label="Yes, give up my seat")
    ended = await world.room(room)
    assert ended.record.status is Status.FINISHED and "has ended" in world.ana.inbox()[-1].content
    assert (
        "goes on here"
        in (await world.ana.slash("/game resume", match=room.record.id)).private.content
    )
    assert "1. **Bea**" in turns(world, await world.room(room))[-1].content


async def test_a_channel_that_goes_takes_no_match_with_it(world: World) -> None:
    room = await world.started()
    await world.bot.on_guild_channel_delete(world.bot.get_channel(world.channel.id))
    await world.matches.outbox.pause_all(room.record.place.thread)
    assert (await world.room(room)).record.status is Status.PAUSED
    (told,) = world.ana.inbox()
    assert "is paused" in told.content, "told once"


async def test_where_no_thread_can_be_made_the_channel_does(world: World) -> None:
    world.discord.faults.answer("POST", "/channels/*/messages/*/threads", 400, code=160006)
    room = await world.started()
    assert room.record.place.thread == 0 and not room.record.place.wants_thread
    assert "places a piece" in world.newest().content


async def test_a_lost_lobby_message_does_not_stop_the_match(world: World) -> None:
    world.discord.faults.answer("POST", "/channels/*/messages/*/threads", 404, code=10008)
    room = await world.started()
    assert room.record.place.thread and "places a piece" in world.newest(room).content


async def test_an_archived_thread_is_opened_before_posting(world: World) -> None:
    room = await world.started()
    world.discord.faults.answer("POST", POSTS, 400, code=50083)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    thread = world.place(room)
    assert len(asked_of(world, "PATCH", f"/channels/{thread.id}")) == 1
    assert len(turns(world, room)) == 2


async def test_an_old_turn_that_cannot_be_edited_keeps_its_buttons(world: World) -> None:
    room = await world.started()
    world.discord.faults.answer("PATCH", "/channels/*/messages/*", 400, code=30046)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    first, second = turns(world, room)
    assert first.components and second.components
    assert "Where do you place" in (await world.bea.click(first, label="Your move")).private.content


async def test_computers_play_and_are_not_called(world: World) -> None:
    message = (await world.lobby()).message
    await world.add_computer(message)
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    match = (await world.room(room)).match
    assert match is not None and match.number == 2 and match.waiting_for() == (0,)
    last = turns(world, room)[-1]
    assert last.content.startswith(f"<@{world.ana.id}>") and "Teva ⚙: " in last.content


async def test_a_computer_that_thinks_for_long_is_named(world: World) -> None:
    message = (await world.lobby(settings="first=1")).message
    await world.add_computer(message)
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    (board,) = turns(world, room)
    at_first = board.content
    world.matches.computers._slow[room.record.id] = Seat(1)
    world.matches.outbox.poke(room.record.id)
    await world.idle()
    (board,) = turns(world, room)
    assert board.content == at_first, "it thinks about what is not asked"
    # As it would be if a computer had Ana's seat.
    world.matches.computers._slow[room.record.id] = Seat(0)
    for _ in range(2):
        world.matches.outbox.poke(room.record.id)
        await world.idle()
    (board,) = turns(world, room)
    assert (
        board.content == f"{at_first}\n**Ana** is thinking…"
        and board.components
        and board.attachments
    )
    world.matches.computers._slow.clear()
    await world.ana.slash("/play", channel=world.place(room), move="17!")
    told, newest = turns(world, room)
    assert "is thinking" not in newest.content
    assert told.content == at_first.removeprefix(f"<@{world.ana.id}> "), (
        "what happened is to be read for ever"
    )


async def test_only_some_posts_are_made_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox, at_once, most = world.matches.outbox, 0, 0

    async def owns(match: str) -> bool:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        return False

    monkeypatch.setattr(world.bot, "owns", owns)
    monkeypatch.setattr(outbox, "_posting", asyncio.Semaphore(2))
    await asyncio.gather(*(outbox.deliver(Announcement(n, "abc", 0, 1), 0) for n in range(5)))
    assert most == 2
