"""The film of how a match ended, added to its last post; and the channel where a server wants
results told.
"""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.features.films import FILM, MAX_END_BYTES
from bot.features.results_feed import RESULT
from bot.kernel import queries
from bot.kernel.room import Room
from bot.local.model import Message
from bot.model import Job
from bot.ui import describe
from bot.ui.long_jobs import LongJobs
from bot.workers.jobs import WorkerJob
from bot.workers.pool import JobFailed
from tests.bot.world import World, open_world
from tests.patience import PATIENCE


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with open_world(tmp_path, monkeypatch, films=True) as world:
        yield world


def films_in(message: Message) -> list[bytes]:
    return [data for name, data in message.files.items() if name.endswith(".gif")]


def last_of(world: World, room: Room) -> Message:
    return world.discord.state.messages[room.record.turn_message]


async def in_this_process(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
    """A job done where its sprites are warm."""
    return await asyncio.to_thread(job.run, lambda part: None)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LongJobs, "result", in_this_process)


async def test_the_last_post_gets_a_film_once_also_if_the_bot_stops_in_the_midst(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(LongJobs, "result", for_ever)
    room = await world.played_out(await world.started())
    before = [file.filename for file in last_of(world, room).attachments]
    assert before[:2] == ["board.png", "scores.png"]
    # The post does not wait for its film, which is made again after the start.
    await begun.wait()
    await world.stop()
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    await world.start()
    await world.done(FILM, room)
    post = last_of(world, room)
    assert [file.filename for file in post.attachments] == [
        *before[:2],
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    (film,) = films_in(post)
    assert len(film) < MAX_END_BYTES and "how it ended" in (post.attachments[-1].description or "")
    with Image.open(io.BytesIO(film)) as shown:
        assert getattr(shown, "n_frames", 1) >= 3
    # Whoever is asked again finds that it is there.
    await world.matches.films.add_to_last_post(room)
    assert len(films_in(last_of(world, room))) == 1 and len(world.boards(room)) == len(
        set(world.boards(room))
    )


async def test_a_film_that_is_cancelled_or_lost_is_told_and_can_be_had_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        await asyncio.Event().wait()

    await world.matches.servers.change(world.discord.state.guild, films=False)
    room = await world.played_out(await world.started())
    world.waits_for_all = False
    monkeypatch.setattr(LongJobs, "result", for_ever)
    monkeypatch.setattr("bot.ui.long_jobs.EVERY", PATIENCE)
    here: dict[str, Any] = {"channel": world.place(room), "options": {"match": room.record.id}}

    def films() -> list[Message]:
        return [
            message for message in world.discord.messages(world.place(room)) if films_in(message)
        ]

    asked = await world.ana.slash("/replay", **here)
    assert "0 %" in asked.content and asked.message.labels == ["Cancel"]
    await world.ana.click(asked, label="Cancel", wait="ack")
    await asked.until(lambda answer: not answer.message.labels)
    assert "stopped" in asked.content
    # Wanted from a moment that is shown: that is there again.
    shown = await world.ana.slash("/board", at="0", **here)
    assert shown.message.attachments and "Play from here" in shown.message.labels
    pressed = await world.ana.click(shown, label="Play from here")
    assert pressed.message.labels == ["Cancel"]
    await world.ana.click(pressed.message, label="Cancel", wait="ack")
    await pressed.until(lambda answer: "Play from here" in shown.message.labels)
    assert shown.message.attachments
    # The bot dies while Ana waits, and stops as it should while Bea does: she is told.
    asked = await world.ana.slash("/replay", **here)
    for handler in list(world.bot.handlers._tasks):
        handler.cancel()
    waits = await world.bea.slash("/replay", **here)
    assert waits.message.labels == ["Cancel"] and not films()
    await world.stop()
    assert "Motu is restarting" in waits.content and not waits.message.labels
    await world.start()
    # A button from before stops nothing of anybody's.
    waits = await world.bea.slash("/replay", **here)
    late = await world.ana.click(asked, label="Cancel")
    assert "not being made any more" in late.content and not late.message.labels
    assert waits.message.labels == ["Cancel"]
    await world.bea.click(waits, label="Cancel", wait="ack")
    await waits.until(lambda answer: not answer.message.labels)
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    made = await world.ana.slash("/replay", **here)
    await made.until(lambda answer: "is made" in answer.content)
    assert len(films()) == 1 and "Ana and Bea" in films()[0].content
    # Somewhere else whoever wants to be shown to nobody is not named.
    await world.matches.store.write(queries.put_player_setting, world.bea.id, "hidden", "1")
    elsewhere = world.discord.add_channel("elsewhere")
    made = await world.ana.slash("/replay", match=room.record.id, channel=elsewhere)
    await made.until(lambda answer: "is made" in answer.content)
    (post,) = world.discord.messages(elsewhere)
    assert "Ana" in post.text and "Bea" not in post.text and films_in(post) != films_in(films()[0])
    # Where it could not be posted it is not even begun.
    world.discord.deny(world.discord.channel(), "attach_files")
    refused = await world.ana.slash("/replay", **here)
    assert "Attach Files" in refused.content and len(films()) == 1


async def test_a_post_stays_as_it_is_without_a_film_where_none_is_wanted_or_can_be_made(
    world: World, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    async def fails(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        raise JobFailed("in a test")

    guild = world.discord.state.guild
    await world.matches.servers.change(guild, films=False)
    unwanted = await world.played_out(await world.started())
    await world.done(FILM, unwanted)
    await world.matches.servers.change(guild, films=True)
    with monkeypatch.context() as patched:
        patched.setattr(LongJobs, "result", fails)
        failed = await world.played_out(await world.started())
        await world.done(FILM, failed)

    async def too_late(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        world.discord.deny(world.discord.channel(), "attach_files")
        return await in_this_process(self, job)

    monkeypatch.setattr(LongJobs, "result", too_late)
    denied = await world.played_out(await world.started(place="channel"))
    await world.done(FILM, denied)
    for room in (unwanted, denied, failed):
        post = last_of(world, room)
        assert (
            not films_in(post)
            and {"board.png", "scores.png"} <= post.files.keys()
            and "Rematch" in post.labels
        )
    (told,) = [
        message
        for message in world.discord.messages()
        if "could not be added to its last post" in message.text
    ]
    assert "Attach Files" in told.text and denied.record.id in told.text


async def test_a_result_is_told_once_where_the_server_wants_it(world: World, at_once: None) -> None:
    guild, hall = world.discord.state.guild, world.discord.add_channel("results")
    await world.matches.servers.change(guild, chronicle=hall.id)
    room = await world.played_out(await world.started())
    await world.done(RESULT, room)
    (post,) = world.discord.messages(hall)
    assert (
        "Blue Lagoon" in post.content and post.pings == [] and describe.link(room) in post.content
    )
    assert "The first match of Blue Lagoon played to its end on this server." in post.content
    assert [file.filename for file in post.attachments] == [
        "board.png",
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    assert films_in(post) == films_in(last_of(world, room))
    # A bot that stopped before it was noted looks first.
    await world.matches.scheduler.set(Job(RESULT, 0, room.record.id))
    await world.done(RESULT, room)
    assert len(world.discord.messages(hall)) == 1
    # Whoever wants to be in no list is not named, in words and in pictures.
    await world.matches.store.write(queries.put_player_setting, world.bea.id, "hidden", "1")
    second = await world.played_out(await world.started(), seed=2)
    await world.done(RESULT, second)
    post = world.discord.messages(hall)[-1]
    assert (
        "Bea" not in post.text
        and "Ana" in post.text
        and films_in(post) != films_in(last_of(world, second))
    )
    # Nobody but those who left is there to tell of.
    left = await world.started()
    asked = await world.bea.slash("/resign", channel=world.place(left), match=left.record.id)
    await world.bea.click(asked, label="Yes, give up my seat")
    await world.caught_up()
    await world.done(RESULT, left)
    assert len(world.discord.messages(hall)) == 2


async def test_a_channel_for_results_that_is_lost_is_named_and_holds_up_no_match(
    world: World, at_once: None
) -> None:
    guild, hall = world.discord.state.guild, world.discord.add_channel("results")
    await world.matches.servers.change(guild, chronicle=hall.id)
    world.discord.deny(hall, "attach_files")
    for seed in (1, 2):
        room = await world.played_out(await world.started(), seed)
        await world.done(RESULT, room)
    assert world.discord.messages(hall) == []
    (told,) = [
        message
        for message in world.discord.messages()
        if "I cannot tell the result" in message.text
    ]
    assert "Attach Files" in told.text
    shown = await world.owner.slash("/settings")
    assert "Attach Files" in shown.text
    world.discord.allow(hall, "attach_files")
    room = await world.played_out(await world.started(), seed=3)
    await world.done(RESULT, room)
    assert len(world.discord.messages(hall)) == 1
    assert not (await world.matches.servers.of(guild)).is_chronicle_lost
