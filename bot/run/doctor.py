"""`motu doctor`: finds problems before the bot starts.

It must change nothing. With `--live` it also posts in a channel, and deletes what it has posted.
"""

import argparse
import asyncio
import logging
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from bot.model import Shards
from bot.run.config import ENV_FILE, SECRET, Config, apply_options, is_open_to_others, read_config
from bot.runtime.base import BotError
from bot.store.opening import public_address
from bot.text import and_list, say
from engine.core.words import set_default_language

DISCORD_TIMEOUT_SECONDS = 15
"""How long Discord may take to answer."""
MIN_FREE_BYTES = 100 * 2**20
"""Bytes that must be free on the disk. Without room no move can be saved."""
ENOUGH_FREE_BYTES = 2**30
"""With less free space than this, the findings include a note."""
MAX_CLOCK_ERROR_SECONDS = 20
"""Seconds by which the clock may be wrong: Discord's clients compare its times with theirs."""
GUILDS_PER_PAGE = 200
"""Servers that Discord lists in one response."""
MAX_LISTED_SERVERS = 10
"""Servers without permissions that are listed one by one."""
PRIVILEGED_INTENTS = {
    "presences": "gateway_presence",
    "members": "gateway_guild_members",
    "message_content": "gateway_message_content",
}
"""Intents that Discord has to grant, with the application flag that shows that it has.

The bot needs none of them.
"""
SAMPLE = "Māori 日本 ไทย हिन्दी עברית"


class Finding(Struct, frozen=True):
    """The result of a check."""

    kind: str
    """`right`, `wrong`, or `note` for something that may be intended."""
    text: str


async def run(options: argparse.Namespace) -> int:
    """Check everything and print the findings; the exit code is 1 if something is wrong."""
    # What discord.py would log is part of the findings.
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    wrong = 0
    async for finding in _examine(options):
        print(say(f"doctor.{finding.kind}", text=finding.text))
        wrong += finding.kind == "wrong"
    print(say("doctor.sum", wrong=wrong) if wrong else say("doctor.well"))
    return 1 if wrong else 0


async def _examine(options: argparse.Namespace) -> AsyncIterator[Finding]:
    """Run the checks that the settings allow."""
    try:
        config = read_config()
    except BotError as error:
        yield _wrong(str(error))
        return
    set_default_language(config.language)
    if is_open_to_others(ENV_FILE):
        yield _note("config.env_readable", path=ENV_FILE)
    is_usable = True
    try:
        config = apply_options(options, config)
    except BotError as error:
        yield _wrong(str(error))
        is_usable = False
    if config.postgres:
        yield await check_postgres(config.postgres)
    else:
        for finding in (
            *check_folder(config.database.parent),
            *check_database_file(config.database),
        ):
            yield finding
        if config.shards and not config.shards.are_all:
            yield _note("doctor.lonely_shards")
    for finding in check_fonts():
        yield finding
    if is_usable and config.token:
        async for finding in check_discord(config):
            yield finding
        if options.live is not None:
            async for finding in check_live(config, options.live):
                yield finding
    elif is_usable:
        yield _note("doctor.no_token", key=SECRET)


def _finding(kind: str, key: str, /, **facts: Any) -> Finding:
    """Return a finding with the text of a key, or with the key itself if that is a message."""
    return Finding(kind, say(key, **facts))


_right, _note, _wrong = (partial(_finding, kind) for kind in ("right", "note", "wrong"))


def check_folder(path: Path) -> Iterator[Finding]:
    """Check that a folder can be written to and has enough room."""
    existing = next(one for one in (path, *path.resolve().parents) if one.exists())
    try:
        # Try it with a file: a folder's mode does not show what root may do.
        with tempfile.TemporaryFile(dir=existing):
            pass
        free = shutil.disk_usage(existing).free
    except OSError as error:
        yield _wrong("doctor.no_writing", folder=existing, why=error.strerror)
        return
    megabytes = free // 2**20
    if free < MIN_FREE_BYTES:
        yield _wrong(
            "doctor.full", folder=existing, megabytes=megabytes, needed=MIN_FREE_BYTES // 2**20
        )
    elif free < ENOUGH_FREE_BYTES:
        yield _note("doctor.little", folder=existing, megabytes=megabytes)
    else:
        yield _right("doctor.disk", folder=existing, megabytes=megabytes)


def check_database_file(path: Path) -> Iterator[Finding]:
    """Check that a database file is Motu's, undamaged, not too new, and writable."""
    from bot.store.sqlite_file import examine, is_in_use

    if not path.exists():
        yield _right("doctor.new_database", path=path)
        return
    try:
        version, newest = examine(path)
    except BotError as error:
        yield _wrong(str(error))
        return
    if not os.access(path, os.W_OK):
        yield _wrong("doctor.read_only", path=path)
    elif is_in_use(path):
        yield _note("doctor.in_use", path=path)
    else:
        yield _compare_versions(path, version, newest)


async def check_postgres(url: str) -> Finding:
    """Check that a database on a server is Motu's and not too new."""
    place = public_address(url)
    try:
        from bot.store.postgres import check_database

        version, newest = await check_database(url)
    except ImportError:
        return _wrong("database.no_driver")
    except BotError as error:
        return _wrong(str(error))
    if version == 0:
        return _right("doctor.empty_server", place=place)
    return _compare_versions(place, version, newest)


def _compare_versions(place: Path | str, version: int, newest: int) -> Finding:
    if version < newest:
        return _note("doctor.older_database", path=place, version=version, newest=newest)
    return _right("doctor.database", path=place)


def check_fonts() -> Iterator[Finding]:
    """Check that the fonts for the boards are there."""
    try:
        from render.fonts import Face, font, text_width

        for face in Face:
            font(face, 20)
        text_width(SAMPLE, Face.LABEL, 20)
    except (ImportError, OSError, StopIteration, RuntimeError) as error:
        yield _wrong("doctor.no_fonts", why=str(error) or type(error).__name__)
        return
    yield _right("doctor.fonts")
    if find_spec("emosvg") is None or find_spec("resvg_py") is None:
        yield _note("doctor.no_emoji")


async def check_discord(config: Config) -> AsyncIterator[Finding]:
    """Check the token, the clock, the intents and the permissions with Discord."""
    import aiohttp
    import discord
    from discord.http import Route

    from bot.run.own_discord import use_local_discord

    if config.local_url:
        try:
            use_local_discord(config.local_url)
        except BotError as error:
            yield _wrong(str(error))
            return
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(DISCORD_TIMEOUT_SECONDS):
            # Discord refuses a request without a token, but the response has a date header.
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"{Route.BASE}/users/@me") as answer,
            ):
                yield check_clock(answer.headers.get(aiohttp.hdrs.DATE, ""), time.time())
            await client.login(config.token)
            yield _right("doctor.token")
            yield check_intents((await client.http.application_info()).get("flags", 0))
            if config.shards:
                advised, _, _ = await client.http.get_bot_gateway()
                yield check_shards(config.shards, advised)
            guilds: list[Any] = []
            while len(guilds) % GUILDS_PER_PAGE == 0:
                after = int(guilds[-1]["id"]) if guilds else None
                page = await client.http.get_guilds(GUILDS_PER_PAGE, after=after)
                if not page:
                    break
                guilds += page
            for finding in check_permissions(guilds, config.guild):
                yield finding
    except discord.LoginFailure:
        yield _wrong("program.bad_token")
    except (
        aiohttp.ClientError,
        discord.DiscordException,
        OSError,
        TimeoutError,
        ValueError,
    ) as error:
        # The error's message may contain an address with a secret in it.
        status = getattr(error, "status", None)
        yield _wrong("doctor.no_discord", why=str(status or type(error).__name__))
    finally:
        await client.close()


async def check_live(config: Config, channel: int) -> AsyncIterator[Finding]:
    """Make one request of each kind that Motu makes, in a channel, and report what was refused."""
    import aiohttp
    import discord

    from bot.run.live import try_requests

    yield _note("doctor.live", channel=channel)
    try:
        done = await try_requests(config, channel)
    except (aiohttp.ClientError, discord.DiscordException, OSError, TimeoutError) as error:
        # `check_discord` has reported a token that Discord refuses.
        yield _wrong("doctor.no_discord", why=type(error).__name__)
        return
    refused = [request for request in done if request.why]
    for request in refused:
        name, effect = say(f"live.{request.name}"), say(f"live_effect.{request.name}")
        yield _wrong("doctor.refused", request=name, why=request.why, effect=effect)
    if any(request.name == "leave_thread" for request in done):
        yield _note("doctor.thread_left")
    accepted = len(done) - len(refused)
    if accepted:
        yield _right("doctor.accepted", number=accepted, all=not refused)


def check_shards(own: Shards, advised: int) -> Finding:
    """Compare the number of shards with what Discord advises."""
    if own.count < advised:
        return _note("doctor.few_shards", count=own.count, advised=advised)
    return _right("doctor.shards", shards=own, advised=advised)


def check_clock(date: str, now: float) -> Finding:
    """Compare this machine's clock with the date of Discord's answer."""
    try:
        ahead = round(now - parsedate_to_datetime(date).timestamp())
    except (TypeError, ValueError):
        return _note("doctor.no_date")
    if abs(ahead) <= MAX_CLOCK_ERROR_SECONDS:
        return _right("doctor.clock")
    return _wrong("doctor.wrong_clock", seconds=abs(ahead), ahead=ahead > 0)


def check_intents(flags: int) -> Finding:
    """Check that no intents are granted that the bot does not need."""
    import discord

    granted = discord.ApplicationFlags._from_value(flags)
    needless = [
        name
        for name, flag in PRIVILEGED_INTENTS.items()
        if getattr(granted, flag) or getattr(granted, f"{flag}_limited")
    ]
    if needless:
        return _note("doctor.needless_intents", intents=and_list(needless))
    return _right("doctor.intents")


def check_permissions(guilds: list[dict[str, Any]], home: int | None) -> Iterator[Finding]:
    """Check the bot's permissions in its servers; channels may have others."""
    import discord

    from bot.ui.permissions import missing_permissions
    from engine.core.escape import one_line

    if home is not None and str(home) not in [guild["id"] for guild in guilds]:
        yield _wrong("config.not_in_guild", guild=home)
    wrong = 0
    for guild in guilds:
        allowed = discord.Permissions(int(guild["permissions"]))
        lacking = missing_permissions(allowed, in_thread=False, wants_thread=True)
        if allowed.administrator or not lacking:
            continue
        wrong += 1
        if wrong <= MAX_LISTED_SERVERS:
            facts = {"server": one_line(guild["name"]), "id": guild["id"]}
            yield _wrong("doctor.no_permissions", permissions=and_list(lacking), **facts)
    if wrong > MAX_LISTED_SERVERS:
        yield _wrong("doctor.more_servers", servers=wrong - MAX_LISTED_SERVERS)
    if not guilds:
        yield _note("doctor.no_servers")
    elif not wrong:
        yield _right("doctor.permissions", servers=len(guilds))
