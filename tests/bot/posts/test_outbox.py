"""The outbox under faults: every due post goes out in order and once, and a lost place loses no
match.
"""

import asyncio

import discord
import pytest
from simcord import HttpLogEntry

from bot.kernel import queries
from bot.kernel.room import Post, Room
from bot.model import Announcement, Status
from bot.posts.outbox import Outbox
from bot.runtime.base import StoreError
from engine import Seat
from tests.bot.answers import said
from tests.bot.conftest import World
from tests.bot.intercept import Run, intercept

POSTS = "/channels/*/messages"


def turns(world: World, room: Room) -> list[discord.Message]:
    """The public messages of a match, oldest first."""
    found = [message for message in world.place(room).history() if "Blue Lagoon" in message.content]
    return sorted(found, key=lambda message: message.id)


def sent(world: World) -> list[HttpLogEntry]:
    """The requests that posted something."""
    return [
        entry
        for entry in world.env.http_requests
        if entry.method == "POST" and entry.path.endswith("/messages")
    ]


async def test_a_turn_is_posted_with_its_picture_and_one_ping(world: World) -> None:
    room = await world.started()
    await world.ana.slash(world.place(room), "play", move="17!")
    first, second = sent(world)
    assert second.json["allowed_mentions"] == {"parse": [], "users": [world.bea.id]}
    assert second.json["enforce_nonce"] is True and first.json["nonce"] != second.json["nonce"]
    assert turns(world, room)[-1].attachments[0].filename == "board.png"


async def test_buttons_of_the_turn_before_are_taken_off_once(world: World) -> None:
    room = await world.started()
    for who, move in ((world.ana, "17!"), (world.bea, "1!"), (world.ana, "30!")):
        await who.slash(world.place(room), "play", move=move)
    posted = turns(world, room)
    assert [bool(message.components) for message in posted] == [False, False, False, True]
    edits = [
        entry
        for entry in world.env.http_requests
        if entry.method == "PATCH" and "/messages/" in entry.path
    ]
    assert len([entry for entry in edits if entry.path.startswith("/channels/")]) == 3


STARTERS = "t,t,t,t,done!"


async def secret_round(world: World) -> Room:
    """Ana and Bea at Conquest, where both choose their first pieces in secret."""
    opened = await world.ana.slash(
        world.channel, "game new", game="conquest", settings="start=variable"
    )
    await world.bea.click(opened.response.message, label="Join")
    await world.ana.click(opened.response.message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.match is not None and room.match.waiting_for() == (0, 1)
    return room


async def test_while_secret_answers_come_in_the_last_post_says_whose(world: World) -> None:
    room = await secret_round(world)
    (first,) = world.place(room).history()
    opening = first.content
    await world.bea.slash(world.place(room), "play", move=STARTERS)
    (board,) = world.place(room).history()
    assert (
        "1 of 2 has answered: Bea." in board.content
        and "**Ana**" in board.content
        and "**Bea**" not in board.content
    )
    assert opening.splitlines()[-1] in board.content, "the dice stay sealed where they were"
    assert board.components and board.attachments
    await world.ana.slash(world.place(room), "play", move=STARTERS)
    assert len(list(world.place(room).history())) == 2
    assert "1 of 2 has answered" in board.content


async def test_a_last_post_that_cannot_be_edited_stays_as_it_is(world: World) -> None:
    room = await secret_round(world)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=30046)
    await world.bea.slash(world.place(room), "play", move=STARTERS)
    (board,) = world.place(room).history()
    assert "has answered" not in board.content
    await world.ana.slash(world.place(room), "play", move=STARTERS)
    assert len(list(world.place(room).history())) == 2


async def test_a_server_error_is_waited_out(world: World, monkeypatch) -> None:
    monkeypatch.setattr("bot.posts.outbox.FIRST_WAIT", 0.01)
    room = await world.started()
    world.env.inject_error("POST", POSTS, status=503, times=3)
    await world.ana.slash(world.place(room), "play", move="17!")
    assert len(turns(world, room)) == 2
    assert await world.matches.due() == []


async def test_what_was_due_when_the_bot_stopped_is_posted_after_the_start(
    world: World, monkeypatch
) -> None:
    room = await world.started()
    world.matches.stop_posting()
    await world.ana.slash(world.place(room), "play", move="17!")
    assert len(turns(world, room)) == 1
    await world.restart()
    assert len(turns(world, room)) == 2 and await world.matches.due() == []


async def test_a_database_that_is_busy_at_the_start_delays_what_is_due(
    world: World, monkeypatch
) -> None:
    monkeypatch.setattr("bot.app.DATABASE_RETRY_SECONDS", 0.01)
    room = await world.started()
    world.matches.stop_posting()
    await world.ana.slash(world.place(room), "play", move="17!")
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
    await world.ana.slash(world.place(room), "play", move="17!")
    assert len(await world.matches.due()) == 1
    return room


async def test_a_post_that_was_made_but_not_noted_is_found_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await made_but_not_noted(world, monkeypatch)
    await world.restart()
    assert len(sent(world)) == len(turns(world, room)) == 2
    assert await world.matches.due() == []


async def test_a_post_that_cannot_be_found_carries_the_same_nonce_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*args: object) -> None:
        return None

    await made_but_not_noted(world, monkeypatch)
    monkeypatch.setattr(Outbox, "_find_posted", nothing)
    await world.restart()
    nonces = [entry.json["nonce"] for entry in sent(world)]
    assert len(nonces) == 3 and nonces[1] == nonces[2] != nonces[0]
    assert await world.matches.due() == []


async def test_a_deleted_thread_pauses_the_match_and_tells_the_host(world: World) -> None:
    room = await world.started()
    place = world.place(room)
    shown = await world.ana.slash(place, "play", move="17")
    world.env.inject_error("POST", POSTS, status=404, code=10003, message="Unknown Channel")
    await world.ana.click(shown.response.message, label="Confirm")
    paused = await world.room(room)
    assert paused.record.status is Status.PAUSED and paused.match.number == 1, "the move is kept"
    told = sent(world)[-1].json["content"]
    assert [
        entry.json
        for entry in world.env.http_requests
        if entry.path.endswith("/users/@me/channels")
    ] == [{"recipient_id": world.ana.id}]
    assert "paused" in told and f"/game resume match:{room.record.id}" in told
    assert "paused" in said(await world.bea.slash(world.channel, "games"))
    refused = said(await world.bea.slash(world.channel, "play", move="1!", match=room.record.id))
    assert "paused" in refused
    opened = said(await world.bea.slash(world.channel, "play", match=room.record.id))
    assert opened.startswith("This match is paused: ") and "`/game resume`" in opened


async def test_a_paused_match_goes_on_where_it_is_resumed(world: World) -> None:
    room = await world.started()
    world.env.inject_error("POST", POSTS, status=403, code=50013, message="Missing Permissions")
    await world.ana.slash(world.place(room), "play", move="17!")
    other = world.guild.create_text_channel("elsewhere")
    assert "None of your matches" in said(await world.cem.slash(other, "game resume"))
    assert "goes on here" in said(await world.bea.slash(other, "game resume"))
    moved = await world.room(room)
    assert moved.record.status is Status.RUNNING and moved.record.place.channel == other.id
    (thread,) = other.threads
    assert "Ana: boat on 17." in thread.last_message.content
    assert said(await world.bea.slash(thread, "play", move="1!")).startswith("Done.")
    assert "Bea: boat on 1." in thread.last_message.content


async def test_the_host_can_move_a_match_back(world: World) -> None:
    room = await world.started()
    other = world.guild.create_text_channel("elsewhere")
    await world.matches.outbox.pause_all(room.record.place.thread)
    await world.bea.slash(other, "game resume")
    assert "Only the host" in said(
        await world.bea.slash(world.channel, "game move", match=room.record.id)
    )
    assert "is played here from now on" in said(await world.ana.slash(world.channel, "game move"))
    await world.env.settle()
    moved = await world.room(room)
    assert moved.record.status is Status.RUNNING and moved.record.place.channel == world.channel.id
    board = world.place(moved).last_message
    assert "Blue Lagoon" in board.content and board.components
    assert said(await world.ana.slash(world.place(moved), "play", move="17!")).startswith("Done.")


async def test_a_match_whose_place_was_lost_between_two_turns_shows_its_board_in_the_new_one(
    world: World,
) -> None:
    room = await world.started()
    await world.ana.slash(world.place(room), "play", move="17!")
    await world.matches.outbox.pause_all(room.record.place.thread)
    other = world.guild.create_text_channel("elsewhere")
    await world.bea.slash(other, "game resume")
    (thread,) = other.threads
    (board,) = [message for message in thread.history() if "Blue Lagoon" in message.content]
    assert "**Bea** places a piece" in board.content and board.attachments and board.components
    assert "Ana: boat on 17." in board.content, "nobody can look it up where it was told"
    await world.bea.slash(thread, "play", move="1!")
    assert len([message for message in thread.history() if "Blue Lagoon" in message.content]) == 2


async def test_a_match_resumed_in_a_thread_goes_on_in_it(world: World) -> None:
    room = await world.started()
    world.env.inject_error("POST", POSTS, status=403, code=50013, message="Missing Permissions")
    await world.ana.slash(world.place(room), "play", move="17!")
    assert "goes on here" in said(await world.ana.slash(world.place(room), "game resume"))
    assert (await world.room(room)).record.place == room.record.place
    assert "Ana: boat on 17." in turns(world, room)[-1].content


async def test_a_database_that_is_busy_is_waited_out(world: World, monkeypatch) -> None:
    monkeypatch.setattr("bot.posts.outbox.FIRST_WAIT", 0.01)
    room = await world.started()
    post_of, failed = world.matches.kernel.matches.post_of, []

    async def busy(announcement: Announcement) -> Post:
        if not failed:
            failed.append(announcement.id)
            raise StoreError("busy")
        return await post_of(announcement)

    monkeypatch.setattr(world.matches.kernel.matches, "post_of", busy)
    await world.ana.slash(world.place(room), "play", move="17!")
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
    asked = await world.ana.slash(world.place(room), "resign")
    world.env.inject_error("POST", POSTS, status=403, code=50001, message="Missing Access")
    await world.ana.click(asked.response.message, label="Yes, give up my seat")
    ended = await world.room(room)
    assert ended.record.status is Status.FINISHED and "has ended" in sent(world)[-1].json["content"]
    assert "goes on here" in said(
        await world.ana.slash(world.channel, "game resume", match=room.record.id)
    )
    assert "1. **Bea**" in turns(world, await world.room(room))[-1].content


async def test_a_channel_that_goes_takes_no_match_with_it(world: World) -> None:
    room = await world.started()
    await world.bot.on_guild_channel_delete(world.bot.get_channel(world.channel.id))
    await world.matches.outbox.pause_all(room.record.place.thread)
    assert (await world.room(room)).record.status is Status.PAUSED
    assert len([entry for entry in sent(world) if "is paused" in entry.json["content"]]) == 1, (
        "told once"
    )


async def test_where_no_thread_can_be_made_the_channel_does(world: World) -> None:
    world.env.inject_error(
        "POST", "/channels/*/messages/*/threads", status=400, code=160006, message="Too many"
    )
    room = await world.started()
    assert room.record.place.thread == 0 and not room.record.place.wants_thread
    assert "places a piece" in world.channel.last_message.content


async def test_a_lost_lobby_message_does_not_stop_the_match(world: World) -> None:
    world.env.inject_error(
        "POST", "/channels/*/messages/*/threads", status=404, code=10008, message="Unknown Message"
    )
    room = await world.started()
    assert room.record.place.thread and "places a piece" in world.place(room).last_message.content


async def test_an_archived_thread_is_opened_before_posting(world: World) -> None:
    room = await world.started()
    world.env.inject_error("POST", POSTS, status=400, code=50083, message="Thread is archived")
    await world.ana.slash(world.place(room), "play", move="17!")
    opened = [
        e for e in world.env.http_requests if e.method == "PATCH" and e.json == {"archived": False}
    ]
    assert len(opened) == 1 and len(turns(world, room)) == 2


async def test_an_old_turn_that_cannot_be_edited_keeps_its_buttons(world: World) -> None:
    room = await world.started()
    world.env.inject_error(
        "PATCH", "/channels/*/messages/*", status=400, code=30046, message="Too many old edits"
    )
    await world.ana.slash(world.place(room), "play", move="17!")
    first, second = turns(world, room)
    assert first.components and second.components
    assert "Where do you place" in said(await world.bea.click(first, label="Your move"))


async def test_computers_play_and_are_not_called(world: World) -> None:
    message = (await world.lobby()).response.message
    await world.add_computer(message)
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    await world.ana.slash(world.place(room), "play", move="17!")
    match = (await world.room(room)).match
    assert match is not None and match.number == 2 and match.waiting_for() == (0,)
    last = turns(world, room)[-1]
    assert last.content.startswith(f"<@{world.ana.id}>") and "Teva ⚙: " in last.content


async def test_a_computer_that_thinks_for_long_is_named(world: World) -> None:
    message = (await world.lobby(settings="first=1")).response.message
    await world.add_computer(message)
    await world.ana.click(message, label="Start")
    (room,) = await world.matches.of_user(world.ana.id)
    (board,) = turns(world, room)
    at_first = board.content
    world.matches.computers._slow[room.record.id] = Seat(1)
    world.matches.outbox.poke(room.record.id)
    await world.matches.outbox._chores.tasks[room.record.id]
    (board,) = turns(world, room)
    assert board.content == at_first, "it thinks about what is not asked"
    # As it would be if a computer had Ana's seat.
    world.matches.computers._slow[room.record.id] = Seat(0)
    for _ in range(2):
        world.matches.outbox.poke(room.record.id)
        await world.matches.outbox._chores.tasks[room.record.id]
    (board,) = turns(world, room)
    assert (
        board.content == f"{at_first}\n**Ana** is thinking…"
        and board.components
        and board.attachments
    )
    world.matches.computers._slow.clear()
    await world.ana.slash(world.place(room), "play", move="17!")
    told, newest = turns(world, room)
    assert "is thinking" not in newest.content
    assert told.content == at_first.removeprefix(f"<@{world.ana.id}> "), (
        "what happened is to be read for ever"
    )


async def test_only_some_posts_are_made_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox, at_once, most = world.matches.outbox, 0, 0

    async def post(announcement: Announcement, tries: int) -> bool:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0)
        at_once -= 1
        return True

    monkeypatch.setattr(outbox, "_send_and_record", post)
    monkeypatch.setattr(outbox, "_posting", asyncio.Semaphore(2))
    assert all(
        await asyncio.gather(*(outbox.deliver(Announcement(n, "abc", 0, 1)) for n in range(5)))
    )
    assert most == 2
