"""A stop takes seconds: presses are answered, posts stay pending, drawings are not awaited."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.local import LocalDiscord
from bot.ui import pictures
from tests.bot.backend import Backend, match_of
from tests.bot.test_main import environment
from tests.bot.world import World, open_world
from tests.patience import PATIENCE


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr("bot.app.FINISH_SECONDS", 0.05)
    monkeypatch.setattr("bot.posts.outbox.SHUTDOWN_SECONDS", 0.05)
    async with open_world(tmp_path, monkeypatch) as world:
        yield world


async def test_a_press_with_a_slow_picture_is_answered_without_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    draw, goes_on = pictures._render_view, threading.Event()

    def slow(*given: Any) -> list[Any]:
        goes_on.wait(PATIENCE)
        return draw(*given)

    monkeypatch.setattr(pictures, "_render_view", slow)
    try:
        answer = asyncio.create_task(world.play(world.ana, room, "17!"))
        await world.wait_until(lambda: is_due(world))
        await world.stop()
        shown = await answer
        assert shown.content.startswith("Done.")
        assert not shown.files, "the move is made, and said to be"
        assert len(world.boards(room)) == 1, "its board waits for the next start"
    finally:
        goes_on.set()
    await world.start()
    await world.wait_until_posted()
    assert len(world.boards(room)) == 2
    assert world.boards(room)[-1].attachments


async def is_due(world: World) -> bool:
    """Return whether a post is due."""
    return bool(await world.matches.pending_posts())


async def test_interactions_during_a_stop_are_told_so(world: World) -> None:
    room = await world.start_match()
    panel = await world.ana.slash("/play", channel=world.place(room), move="17")
    world.bot.is_ending = True
    for answer in (await world.ana.click(panel, label="Confirm"), await world.bea.slash("/games")):
        assert answer.messages[-1].content == "Motu is restarting. Please try again in a minute."
    world.bot.is_ending = False
    assert (await world.ana.click(panel, label="Confirm")).content.startswith("Done.")


async def test_interactions_over_the_limit_are_told_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    panel = await world.ana.slash("/play", channel=world.place(room), move="17")
    with monkeypatch.context() as crowded:
        crowded.setattr("bot.ui.reply.MAX_CONCURRENT_INTERACTIONS", 0)
        for answer in (
            await world.ana.click(panel, label="Confirm"),
            await world.bea.slash("/games"),
        ):
            assert answer.messages[-1].ephemeral
            assert answer.messages[-1].content.startswith("I'm very busy")
        typing = await world.ana.autocomplete("/play", channel=world.place(room), move="1")
        assert typing.acknowledged and typing.values == []
    assert (await world.ana.click(panel, label="Confirm")).content.startswith("Done."), (
        "nothing was lost by it"
    )


async def test_computers_stop_between_two_moves_and_go_on_after_the_next_start(
    backend: Backend,
) -> None:
    room = await backend.start_match("blue_lagoon", people=1, computers=2)
    seat = match_of(room).waiting_for()[0]
    backend.matches.stop_computers()
    left = (await backend.take_turn(room, seat)).room
    assert match_of(left).number == match_of(room).number + 1
    assert match_of(left).waiting_for() != (seat,)
    await (await backend.restart()).recover()
    await backend.matches.computers.wait(await backend.matches.find(room.record.id), PATIENCE)
    assert match_of(await backend.matches.find(room.record.id)).number == match_of(room).number + 3


async def test_the_program_ends_even_if_a_drawing_never_does(tmp_path: Path) -> None:
    stuck = (
        "import bot.ui.pictures, time; bot.ui.pictures._render_view = lambda *_: time.sleep(3600)"
    )
    async with LocalDiscord() as discord:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", f"{stuck}; from bot.__main__ import main; main([])"),
            cwd=tmp_path,
            env=environment(
                tmp_path,
                DISCORD_TOKEN=discord.token,
                MOTU_LOCAL_URL=discord.url,
                MOTU_LOG_LEVEL="WARNING",
            ),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        await discord.wait_until_ready()
        ana, bea = discord.user("Ana"), discord.user("Bea")
        opened = await ana.slash("/game new", game="blue_lagoon")
        await bea.click(opened, label="Join")
        await ana.click(opened, label="Start")
        asked = asyncio.create_task(ana.slash("/play", move="17!"))
        await discord.until(
            lambda: [i for i in discord.interactions.by_token.values() if i.deferred],
            about="a press",
        )
        process.terminate()
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert (await asked).content
    assert process.returncode == 0 and errors == b""
