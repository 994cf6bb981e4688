"""motu doctor --live tries every kind of request in a channel, and cleans up."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.local import LocalDiscord
from bot.local.model import Thread
from bot.local.routes import ROUTES
from bot.run import doctor, live
from bot.run.config import Config
from bot.run.own_discord import use_local_discord
from bot.text import say
from tests.bot.run.test_doctor import real_discord
from tests.bot.test_main import run

__all__ = ["real_discord"]


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(players=("Mia",)) as discord:
        discord.allow(discord.channel(), "manage_threads")
        yield discord
        assert discord.unknown_routes == [] and discord.crashes == []


async def examine(discord: LocalDiscord, channel: int | None = None) -> list[doctor.Finding]:
    """Return the findings of the live check in a channel, by default the first."""
    use_local_discord(discord.url)
    config = Config(token=discord.token, local_url=discord.url)
    place = discord.channel().id if channel is None else channel
    return [finding async for finding in doctor.check_live(config, place)]


def problems(found: list[doctor.Finding]) -> list[str]:
    return [finding.text for finding in found if finding.kind == "wrong"]


def is_clean(discord: LocalDiscord) -> bool:
    """Whether nothing was left, except for an archived thread."""
    threads = [one for one in discord.state.threads() if not one.archived]
    return not discord.messages() and not threads


def untried_routes(discord: LocalDiscord) -> set[str]:
    """Return the routes that were not used, without responses, which need somebody's press."""
    made = [f"{request.method} {request.path}" for request in discord.rest.requests]
    routes = [f"{route.method} {route.path}" for route in ROUTES if route.needs_login]
    patterns = {route: re.sub(r"{\w+}", "[^/]+", route) for route in routes}
    return {
        route
        for route, pattern in patterns.items()
        if not any(re.fullmatch(pattern, request) for request in made)
    }


async def test_all_is_accepted_and_nothing_stays(discord: LocalDiscord) -> None:
    found = await examine(discord)
    assert [finding.kind for finding in found] == ["note", "right"], found
    assert is_clean(discord) and not discord.state.threads()
    made = {(request.method, request.status) for request in discord.rest.requests}
    assert {("DELETE", 200), ("DELETE", 204), ("PATCH", 200), ("POST", 200)} <= made
    assert {status for _, status in made} <= {200, 204}
    posts = [shot for shot in discord.snapshots if shot.kind == "message_create"]
    # A post, a layout, a card, a post in a thread, and the announcement of another thread; in
    # direct messages a text and a layout. None of them pings.
    assert len(posts) == 7 and not any(shot.data["mentions"] for shot in posts)
    on_thread = [one.method for one in discord.rest.requests if one.path.count("/") == 2]
    # Renamed, archived, reopened.
    assert on_thread.count("PATCH") == 3
    # The commands of all servers are replaced at a start, like those of one. The servers are
    # listed by the rest of `motu doctor`.
    left_out = {"PUT /applications/{application}/commands", "GET /users/@me/guilds"}
    assert untried_routes(discord) == left_out


async def test_a_thread_that_cannot_be_deleted_is_archived(discord: LocalDiscord) -> None:
    discord.deny(discord.channel(), "manage_threads")
    found = await examine(discord)
    assert [finding.kind for finding in found] == ["note", "note", "right"]
    assert "Manage Threads" in found[1].text
    assert not discord.messages()
    threads = [one for one in discord.state.channels.values() if isinstance(one, Thread)]
    assert [thread.archived for thread in threads] == [True, True]


@pytest.mark.parametrize(
    ("permission", "refused"),
    [
        ("attach_files", ["post", "layout", "thread_post"]),
        ("embed_links", ["card"]),
        ("create_public_threads", ["thread", "thread_alone"]),
        ("send_messages_in_threads", ["thread_post", "unarchive"]),
        ("read_message_history", ["history", "fetch"]),
        ("send_messages", ["post", "layout", "card"]),
        ("view_channel", ["channel"]),
    ],
)
async def test_a_missing_permission_is_told_with_its_effect(
    discord: LocalDiscord, permission: str, refused: list[str]
) -> None:
    discord.deny(discord.channel(), permission)
    found = problems(await examine(discord))
    assert len(found) == len(refused), found
    for name, text in zip(refused, found, strict=True):
        assert text.startswith(say(f"live.{name}")) and text.endswith(say(f"live_effect.{name}"))
        assert "403, code 500" in text or "400, code 50083" in text, text
    assert is_clean(discord)


async def test_closed_direct_messages_are_told(discord: LocalDiscord) -> None:
    discord.state.owner.takes_dms = False
    (told,) = problems(await examine(discord))
    assert "403, code 50007" in told and "direct message" in told
    assert is_clean(discord)


async def test_a_wrong_channel_is_told(discord: LocalDiscord) -> None:
    (told,) = problems(await examine(discord, 77))
    assert "404, code 10003" in told and "Copy Channel ID" in told
    (told,) = problems(await examine(discord, discord.dm(discord.user("Mia")).id))
    assert "isn't a text channel" in told
    assert is_clean(discord)


async def test_it_cleans_up_after_failures(discord: LocalDiscord) -> None:
    discord.faults.respond_with("PATCH", "/channels/*", 403, code=50013, times=9)
    discord.faults.respond_with("PATCH", "/channels/*/messages/*", 400, code=50035, times=9)
    found = problems(await examine(discord))
    # Renaming, archiving and reopening the thread, three edits and the film.
    assert len(found) == 7, found
    discord.faults.clear()
    assert is_clean(discord)


async def test_it_cleans_up_when_it_is_stopped(discord: LocalDiscord) -> None:
    held = discord.faults.hold("PATCH", "/channels/*")
    checking = asyncio.create_task(examine(discord))
    await held.was_hit.wait()
    assert discord.messages()
    checking.cancel()
    held.release()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert is_clean(discord)


async def test_a_form_beyond_discord_s_limits_is_told(
    discord: LocalDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert live.check_form_locally() == live.Request("form")
    # As if discord.py sent a label that is too long.
    monkeypatch.setattr("bot.local.form_limits.MAX_LABEL", 2)
    (told,) = problems(await examine(discord))
    assert told.startswith("Checking a form failed") and "Must be" in told
    assert is_clean(discord)


async def test_a_request_without_an_answer_is_told(
    discord: LocalDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "REQUEST_TIMEOUT_SECONDS", 0.5)
    held = discord.faults.hold("POST", "/channels/*/messages/*/threads")
    (told,) = problems(await examine(discord))
    assert "no answer (TimeoutError)" in told
    held.release()


async def test_the_program_shows_the_result_but_no_token(tmp_path: Path) -> None:
    async with LocalDiscord(players=("Mia",)) as discord:
        channel = discord.channel()
        told = {"DISCORD_TOKEN": discord.token, "MOTU_LOCAL_URL": discord.url}
        arguments = ("doctor", "--live", str(channel.id))
        well = await asyncio.to_thread(run, tmp_path, *arguments, **told)
        assert well.returncode == 0 and not well.stderr, well
        assert "Discord accepted all" in well.stdout
        discord.deny(channel, "attach_files")
        ill = await asyncio.to_thread(run, tmp_path, *arguments, **told)
        assert ill.returncode == 1 and "Attach Files" in ill.stdout
        assert discord.token not in well.stdout + ill.stdout
        assert is_clean(discord)
    odd = run(tmp_path, "doctor", "--live", "general")
    assert odd.returncode == 2 and "--live" in odd.stderr
