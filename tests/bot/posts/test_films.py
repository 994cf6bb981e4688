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
from tests.bot.posts.table import Table, at_table
from tests.patience import PATIENCE


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    async with at_table(tmp_path, monkeypatch, films=True) as table:
        yield table


def films_in(message: Message) -> list[bytes]:
    return [data for name, data in message.files.items() if name.endswith(".gif")]


def last_of(table: Table, room: Room) -> Message:
    return table.discord.state.messages[room.record.turn_message]


async def in_this_process(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
    """A job done where its sprites are warm."""
    return await asyncio.to_thread(job.run, lambda part: None)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LongJobs, "result", in_this_process)


async def test_the_last_post_gets_a_film_once_also_if_the_bot_stops_in_the_midst(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(LongJobs, "result", for_ever)
    room = await table.played_out(await table.begun())
    before = [file.filename for file in last_of(table, room).attachments]
    assert before[:2] == ["board.png", "scores.png"]
    # The post does not wait for its film, which is made again after the start.
    await begun.wait()
    await table.stop()
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    await table.start()
    await table.done(FILM, room)
    post = last_of(table, room)
    assert [file.filename for file in post.attachments] == [
        *before[:2],
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    (film,) = films_in(post)
    assert len(film) < MAX_END_BYTES and "how it ended" in (post.attachments[-1].description or "")
    with Image.open(io.BytesIO(film)) as shown:
        assert getattr(shown, "n_frames", 1) >= 3
    # Whoever is asked again finds that it is there.
    await table.matches.films.add_to_last_post(room)
    assert len(films_in(last_of(table, room))) == 1 and len(table.boards(room)) == len(
        set(table.boards(room))
    )


async def test_a_film_that_is_cancelled_or_lost_is_told_and_can_be_had_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def for_ever(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        await asyncio.Event().wait()

    await table.matches.servers.change(table.discord.state.guild, films=False)
    room = await table.played_out(await table.begun())
    monkeypatch.setattr(LongJobs, "result", for_ever)
    monkeypatch.setattr("bot.ui.long_jobs.EVERY", PATIENCE)
    here: dict[str, Any] = {"channel": table.place(room), "options": {"match": room.record.id}}

    def films() -> list[Message]:
        return [
            message for message in table.discord.messages(table.place(room)) if films_in(message)
        ]

    asked = await table.ana.slash("/replay", **here)
    assert "0 %" in asked.content and asked.message.labels == ["Cancel"]
    await table.ana.click(asked, label="Cancel", wait="ack")
    await asked.until(lambda answer: not answer.message.labels)
    assert "stopped" in asked.content
    # Wanted from a moment that is shown: that is there again.
    shown = await table.ana.slash("/board", at="0", **here)
    assert shown.message.attachments and "Play from here" in shown.message.labels
    pressed = await table.ana.click(shown, label="Play from here")
    assert pressed.message.labels == ["Cancel"]
    await table.ana.click(pressed.message, label="Cancel", wait="ack")
    await pressed.until(lambda answer: "Play from here" in shown.message.labels)
    assert shown.message.attachments
    # The bot dies while Ana waits, and stops as it should while Bea does: she is told.
    asked = await table.ana.slash("/replay", **here)
    for handler in list(table.bot.handlers._tasks):
        handler.cancel()
    waits = await table.bea.slash("/replay", **here)
    assert waits.message.labels == ["Cancel"] and not films()
    await table.stop()
    assert "Motu is restarting" in waits.content and not waits.message.labels
    await table.start()
    # A button from before stops nothing of anybody's.
    waits = await table.bea.slash("/replay", **here)
    late = await table.ana.click(asked, label="Cancel")
    assert "not being made any more" in late.content and not late.message.labels
    assert waits.message.labels == ["Cancel"]
    await table.bea.click(waits, label="Cancel", wait="ack")
    await waits.until(lambda answer: not answer.message.labels)
    monkeypatch.setattr(LongJobs, "result", in_this_process)
    made = await table.ana.slash("/replay", **here)
    await made.until(lambda answer: "is made" in answer.content)
    assert len(films()) == 1 and "Ana and Bea" in films()[0].content
    # Somewhere else whoever wants to be shown to nobody is not named.
    await table.matches.store.write(queries.put_player_setting, table.bea.id, "hidden", "1")
    elsewhere = table.discord.add_channel("elsewhere")
    made = await table.ana.slash("/replay", match=room.record.id, channel=elsewhere)
    await made.until(lambda answer: "is made" in answer.content)
    (post,) = table.discord.messages(elsewhere)
    assert "Ana" in post.text and "Bea" not in post.text and films_in(post) != films_in(films()[0])
    # Where it could not be posted it is not even begun.
    table.discord.deny(table.discord.channel(), "attach_files")
    refused = await table.ana.slash("/replay", **here)
    assert "Attach Files" in refused.content and len(films()) == 1


async def test_a_post_stays_as_it_is_without_a_film_where_none_is_wanted_or_can_be_made(
    table: Table, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    async def fails(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        raise JobFailed("in a test")

    guild = table.discord.state.guild
    await table.matches.servers.change(guild, films=False)
    unwanted = await table.played_out(await table.begun())
    await table.done(FILM, unwanted)
    await table.matches.servers.change(guild, films=True)
    with monkeypatch.context() as patched:
        patched.setattr(LongJobs, "result", fails)
        failed = await table.played_out(await table.begun())
        await table.done(FILM, failed)

    async def too_late(self: LongJobs, job: WorkerJob, progress: Any = None) -> Any:
        table.discord.deny(table.discord.channel(), "attach_files")
        return await in_this_process(self, job)

    monkeypatch.setattr(LongJobs, "result", too_late)
    denied = await table.played_out(await table.begun("channel"))
    await table.done(FILM, denied)
    for room in (unwanted, denied, failed):
        post = last_of(table, room)
        assert (
            not films_in(post)
            and {"board.png", "scores.png"} <= post.files.keys()
            and "Rematch" in post.labels
        )
    (told,) = [
        message
        for message in table.discord.messages()
        if "could not be added to its last post" in message.text
    ]
    assert "Attach Files" in told.text and denied.record.id in told.text


async def test_a_result_is_told_once_where_the_server_wants_it(table: Table, at_once: None) -> None:
    guild, hall = table.discord.state.guild, table.discord.add_channel("results")
    await table.matches.servers.change(guild, chronicle=hall.id)
    room = await table.played_out(await table.begun())
    await table.done(RESULT, room)
    (post,) = table.discord.messages(hall)
    assert (
        "Blue Lagoon" in post.content and post.pings == [] and describe.link(room) in post.content
    )
    assert "The first match of Blue Lagoon played to its end on this server." in post.content
    assert [file.filename for file in post.attachments] == [
        "board.png",
        f"blue_lagoon-{room.record.id}-end.gif",
    ]
    assert films_in(post) == films_in(last_of(table, room))
    # A bot that stopped before it was noted looks first.
    await table.matches.scheduler.set(Job(RESULT, 0, room.record.id))
    await table.done(RESULT, room)
    assert len(table.discord.messages(hall)) == 1
    # Whoever wants to be in no list is not named, in words and in pictures.
    await table.matches.store.write(queries.put_player_setting, table.bea.id, "hidden", "1")
    second = await table.played_out(await table.begun(), seed=2)
    await table.done(RESULT, second)
    post = table.discord.messages(hall)[-1]
    assert (
        "Bea" not in post.text
        and "Ana" in post.text
        and films_in(post) != films_in(last_of(table, second))
    )
    # Nobody but those who left is there to tell of.
    left = await table.begun()
    asked = await table.bea.slash("/resign", channel=table.place(left), match=left.record.id)
    await table.bea.click(asked, label="Yes, give up my seat")
    await table.caught_up()
    await table.done(RESULT, left)
    assert len(table.discord.messages(hall)) == 2


async def test_a_channel_for_results_that_is_lost_is_named_and_holds_up_no_match(
    table: Table, at_once: None
) -> None:
    guild, hall = table.discord.state.guild, table.discord.add_channel("results")
    await table.matches.servers.change(guild, chronicle=hall.id)
    table.discord.deny(hall, "attach_files")
    for seed in (1, 2):
        room = await table.played_out(await table.begun(), seed)
        await table.done(RESULT, room)
    assert table.discord.messages(hall) == []
    (told,) = [
        message
        for message in table.discord.messages()
        if "I cannot tell the result" in message.text
    ]
    assert "Attach Files" in told.text
    shown = await table.ana.slash("/settings")
    assert "Attach Files" in shown.text
    table.discord.allow(hall, "attach_files")
    room = await table.played_out(await table.begun(), seed=3)
    await table.done(RESULT, room)
    assert len(table.discord.messages(hall)) == 1
    assert not (await table.matches.servers.of(guild)).is_chronicle_lost
