"""Somebody alone with computers, in a thread and in a direct message: the real bot, its worker,
over real sockets.
"""

import asyncio
import os
import signal
from pathlib import Path

from bot.local.model import Channel
from bot.model import Status
from engine import Seat
from tests.e2e.harness import Stage, Table


async def begun(stage: Stage, channel: Channel | None = None, **options: object) -> Table:
    """Ana's match against computers, its first board posted."""
    await stage.ana.slash("/solo", channel=channel, game="blue_lagoon", **options)
    (match,) = stage.matches()
    table = Table(stage, match, [stage.ana])
    await stage.settled(lambda: bool(table.announced()), "the first board to be due")
    await table.caught_up()
    return table


async def moved(table: Table) -> None:
    """Ana places a piece with her panel, and the computers answer."""
    number = table.match.number
    chosen = table.match.question(Seat(0))
    assert chosen is not None
    panel = await table.panel(table.stage.ana)
    typed = await table.stage.ana.slash(
        "/play", channel=table.place, move=f"{chosen.options[0].key}!", match=table.id
    )
    assert panel.ephemeral and "Done." in typed.content
    everybody = table.room.record.chairs
    await table.stage.settled(
        lambda: table.match.number == number + len(everybody), "the computers to have moved"
    )
    await table.caught_up()


async def test_a_newcomer_plays_in_a_direct_message(stage: Stage) -> None:
    place = stage.discord.dm(stage.ana)
    table = await begun(stage, place, level="easy", seats="3")
    assert (
        table.place is place and table.board.pings == [stage.ana.user] and table.board.attachments
    )
    for _ in range(2):
        await moved(table)
    assert table.board.channel is place and len(table.posts) == 3
    looked = await stage.ana.slash("/board", channel=place)
    listed = await stage.ana.slash("/games", channel=place)
    assert looked.files and "Blue Lagoon" in listed.content
    asked = await stage.ana.slash("/resign", channel=place)
    await stage.ana.click(asked, "Yes, give up my seat")
    await stage.settled(lambda: table.room.record.status is Status.FINISHED, "the end")
    await table.caught_up()
    assert table.board.channel is place
    again, told = [await stage.ana.slash(command, channel=place) for command in ("/board", "/log")]
    assert again.files and "Ana resigns" in told.content, (
        "what has ended here can still be looked at"
    )


async def test_in_a_server_it_has_a_thread_of_its_own(stage: Stage) -> None:
    table = await begun(stage)
    assert table.room.record.place.thread == table.place.id
    await moved(table)
    assert [person.level for person in table.room.record.chairs] == [None, "easy"]


async def test_a_bot_killed_while_a_computer_thinks_goes_on_thinking(stage: Stage) -> None:
    table = await begun(stage, level="strong", seats="4")
    chosen, before = table.match.question(Seat(0)), table.match.number
    assert chosen is not None
    playing = asyncio.create_task(table.play(stage.ana, f"{chosen.options[0].key}!"))
    await stage.settled(lambda: table.match.number > before, "her move")
    await stage.bot.kill()
    playing.cancel()
    await stage.bot.start()
    await stage.settled(lambda: table.match.number == before + 4, "the computers to have moved")
    await table.caught_up()
    assert table.match.waiting_for() == (Seat(0),) and table.board.pings == [stage.ana.user]


async def test_a_worker_that_is_killed_is_replaced(stage: Stage) -> None:
    table = await begun(stage)
    await moved(table)
    for worker in _workers(stage):
        os.kill(worker, signal.SIGKILL)
    stage.complaints.append("a worker is gone")
    await moved(table)


async def test_no_worker_outlives_the_bot(stage: Stage) -> None:
    table = await begun(stage)
    await moved(table)
    workers = _workers(stage)
    assert workers and await stage.bot.stop() == 0
    assert not [worker for worker in workers if _is_alive(worker)]


def _is_alive(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def _workers(stage: Stage) -> list[int]:
    """The processes that think for the bot."""
    assert stage.bot.process is not None
    children = (
        Path(f"/proc/{stage.bot.process.pid}/task/{stage.bot.process.pid}/children")
        .read_text()
        .split()
    )
    return [int(child) for child in children]
