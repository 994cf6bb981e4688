"""The film on a match's last post, and the server's results channel."""

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


async def run_in_thread(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
    """Run a job in a thread, where its sprites are cached."""
    return await asyncio.to_thread(job.run, lambda part: None)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LongJobs, "result", run_in_thread)


async def test_the_last_post_gets_one_film_even_if_the_bot_is_stopped_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(LongJobs, "result", for_ever)
    room = await world.play_out(await world.start_match())
    before = [file.filename for file in last_of(world, room).attachments]
    assert before[:2] == ["board.png", "scores.png"]
    # The post does not wait for its film, which is made again after the start.
    await begun.wait()
    await world.stop()
    monkeypatch.setattr(LongJobs, "result", run_in_thread)
    await world.start()
    await world.wait_until_job_done(FILM, room)
    post = last_of(world, room)
    assert [file.filename for file in post.attachments] == [
        *before[:2],
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    (film,) = films_in(post)
    assert len(film) < MAX_END_BYTES and "A film of the last round" in (
        post.attachments[-1].description or ""
    )
    with Image.open(io.BytesIO(film)) as shown:
        assert getattr(shown, "n_frames", 1) >= 3
    # A job that runs again finds the film there.
    await world.matches.films.add_to_last_post(room)
    assert len(films_in(last_of(world, room))) == 1
    assert len(world.boards(room)) == len(set(world.boards(room)))


async def test_a_cancelled_or_lost_film_is_reported_and_can_be_made_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        await asyncio.Event().wait()

    await world.matches.servers.change(world.discord.state.guild, films=False)
    room = await world.play_out(await world.start_match())
    world.waits_for_all = False
    monkeypatch.setattr(LongJobs, "result", for_ever)
    monkeypatch.setattr("bot.ui.long_jobs.PROGRESS_SECONDS", PATIENCE)
    here: dict[str, Any] = {"channel": world.place(room), "options": {"match": room.record.id}}

    def films() -> list[Message]:
        return [
            message for message in world.discord.messages(world.place(room)) if films_in(message)
        ]

    response = await world.ana.slash("/replay", **here)
    assert "0%" in response.content and response.message.labels == ["Cancel"]
    await world.ana.click(response, label="Cancel", wait="ack")
    await response.until(lambda answer: not answer.message.labels)
    assert "cancelled" in response.content
    # A film that was requested under a moment: afterwards the moment is shown again.
    shown = await world.ana.slash("/board", at="0", **here)
    assert shown.message.attachments and "Play from here" in shown.message.labels
    pressed = await world.ana.click(shown, label="Play from here")
    assert pressed.message.labels == ["Cancel"]
    await world.ana.click(pressed.message, label="Cancel", wait="ack")
    await pressed.until(lambda answer: "Play from here" in shown.message.labels)
    assert shown.message.attachments
    # The bot is killed while Ana waits, and stopped while Bea waits: Bea is told.
    response = await world.ana.slash("/replay", **here)
    for handler in list(world.bot.handlers._tasks):
        handler.cancel()
    waits = await world.bea.slash("/replay", **here)
    assert waits.message.labels == ["Cancel"] and not films()
    await world.stop()
    assert "Motu is restarting" in waits.content and not waits.message.labels
    await world.start()
    # An old Stop button stops nobody else's job.
    waits = await world.bea.slash("/replay", **here)
    late = await world.ana.click(response, label="Cancel")
    assert "not working on this any more" in late.content and not late.message.labels
    assert waits.message.labels == ["Cancel"]
    await world.bea.click(waits, label="Cancel", wait="ack")
    await waits.until(lambda answer: not answer.message.labels)
    monkeypatch.setattr(LongJobs, "result", run_in_thread)
    made = await world.ana.slash("/replay", **here)
    await made.until(lambda answer: "your film" in answer.content)
    assert len(films()) == 1 and "Ana and Bea" in films()[0].content
    # A hidden player is not named in other channels.
    await world.matches.store.write(queries.put_player_setting, world.bea.id, "hidden", "1")
    elsewhere = world.discord.add_channel("elsewhere")
    made = await world.ana.slash("/replay", match=room.record.id, channel=elsewhere)
    await made.until(lambda answer: "your film" in answer.content)
    (post,) = world.discord.messages(elsewhere)
    assert "Ana" in post.text
    assert "Bea" not in post.text
    assert films_in(post) != films_in(films()[0])
    # Where it could not be posted it is not even begun.
    world.discord.deny(world.discord.channel(), "attach_files")
    refused = await world.ana.slash("/replay", **here)
    assert "Attach Files" in refused.content and len(films()) == 1


async def test_without_a_film_the_post_stays_unchanged(
    world: World, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    async def fails(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        raise JobFailed("in a test")

    guild = world.discord.state.guild
    await world.matches.servers.change(guild, films=False)
    unwanted = await world.play_out(await world.start_match())
    await world.wait_until_job_done(FILM, unwanted)
    await world.matches.servers.change(guild, films=True)
    with monkeypatch.context() as patched:
        patched.setattr(LongJobs, "result", fails)
        failed = await world.play_out(await world.start_match())
        await world.wait_until_job_done(FILM, failed)

    async def too_late(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        world.discord.deny(world.discord.channel(), "attach_files")
        return await run_in_thread(self, job)

    monkeypatch.setattr(LongJobs, "result", too_late)
    denied = await world.play_out(await world.start_match(place="channel"))
    await world.wait_until_job_done(FILM, denied)
    for room in (unwanted, denied, failed):
        post = last_of(world, room)
        assert not films_in(post)
        assert {"board.png", "scores.png"} <= post.files.keys()
        assert "Rematch" in post.labels
    (told,) = [
        message
        for message in world.discord.messages()
        if "couldn't add the film to the last post" in message.text
    ]
    assert "Attach Files" in told.text and denied.record.id in told.text


async def test_a_result_is_posted_once_in_the_server_s_results_channel(
    world: World, at_once: None
) -> None:
    guild = world.discord.state.guild
    hall = world.discord.add_channel("results")
    await world.matches.servers.change(guild, chronicle=hall.id)
    room = await world.play_out(await world.start_match())
    await world.wait_until_job_done(RESULT, room)
    (post,) = world.discord.messages(hall)
    assert "Blue Lagoon" in post.content
    assert post.pings == []
    assert describe.link(room) in post.content
    assert "That's the first match of Blue Lagoon finished on this server!" in post.content
    assert "\nRatings (provisional): **" in post.content
    assert "+34, now 1034; **" in post.content and "−18, now 982.\n" in post.content
    assert [file.filename for file in post.attachments] == [
        "board.png",
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    assert films_in(post) == films_in(last_of(world, room))
    # A bot that stopped before it was noted looks first.
    await world.matches.scheduler.set(Job(RESULT, 0, room.record.id))
    await world.wait_until_job_done(RESULT, room)
    assert len(world.discord.messages(hall)) == 1
    # Hidden players are named neither in the text nor in the pictures.
    await world.matches.store.write(queries.put_player_setting, world.bea.id, "hidden", "1")
    second = await world.play_out(await world.start_match(), seed=2)
    await world.wait_until_job_done(RESULT, second)
    post = world.discord.messages(hall)[-1]
    assert "Bea" not in post.text
    assert "Ana" in post.text
    assert films_in(post) != films_in(last_of(world, second))
    # All players have left, so there is no result to post.
    left = await world.start_match()
    response = await world.bea.slash("/resign", channel=world.place(left), match=left.record.id)
    await world.bea.click(response, label="Yes, give up my seat")
    await world.wait_until_posted()
    await world.wait_until_job_done(RESULT, left)
    assert len(world.discord.messages(hall)) == 2


async def test_a_lost_results_channel_is_reported_and_delays_no_match(
    world: World, at_once: None
) -> None:
    guild = world.discord.state.guild
    hall = world.discord.add_channel("results")
    await world.matches.servers.change(guild, chronicle=hall.id)
    world.discord.deny(hall, "attach_files")
    for seed in (1, 2):
        room = await world.play_out(await world.start_match(), seed)
        await world.wait_until_job_done(RESULT, room)
    assert world.discord.messages(hall) == []
    (told,) = [
        message
        for message in world.discord.messages()
        if "I can't post a match result" in message.text
    ]
    assert "Attach Files" in told.text
    shown = await world.owner.slash("/settings")
    assert "Attach Files" in shown.text
    world.discord.allow(hall, "attach_files")
    room = await world.play_out(await world.start_match(), seed=3)
    await world.wait_until_job_done(RESULT, room)
    assert len(world.discord.messages(hall)) == 1
    assert not (await world.matches.servers.of(guild)).is_chronicle_lost
