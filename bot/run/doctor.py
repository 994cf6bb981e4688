"""motu doctor: what would be wrong at a start, before there is one. It changes nothing."""

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
from bot.text import listed, say
from engine.core.words import set_default_language

ANSWER = 15
"""Seconds in which Discord must answer."""
FREE = 100 * 2**20
"""Bytes that must be free on the disk: a write that fails there is a move that is refused."""
PLENTY = 2**30
OFF = 20
"""Seconds by which the clock may be wrong: other clocks read the times in its messages."""
PAGE = 200
"""Servers that Discord lists at a time."""
TOLD = 10
"""Servers that are told one by one."""
PRIVILEGED_INTENTS = {
    "presences": "gateway_presence",
    "members": "gateway_guild_members",
    "message_content": "gateway_message_content",
}
"""What has to be granted to a bot that hears of it, and the flag that says so of an application.

The bot wants none of it.
"""
SAMPLE = "Māori 日本 ไทย हिन्दी עברית"


class Finding(Struct, frozen=True):
    """Something that was looked at."""

    kind: str
    """`right`, `note` for what may be meant so, or `wrong`."""
    text: str


async def run(options: argparse.Namespace) -> int:
    """Look at everything and say it; the exit code is 1 if something is wrong."""
    # What discord.py would tell of its troubles is told here in other words.
    logging.getLogger("discord").setLevel(logging.CRITICAL)
    wrong = 0
    async for finding in _examine(options):
        print(say(f"doctor.{finding.kind}", text=finding.text))
        wrong += finding.kind == "wrong"
    print(say("doctor.sum", wrong=wrong) if wrong else say("doctor.well"))
    return 1 if wrong else 0


async def _examine(options: argparse.Namespace) -> AsyncIterator[Finding]:
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
        yield await postgres(config.postgres)
    else:
        for finding in (*folder(config.database.parent), *database(config.database)):
            yield finding
        if config.shards and not config.shards.are_all:
            yield _note("doctor.lonely_shards")
    for finding in fonts():
        yield finding
    if is_usable and config.token:
        async for finding in discord_side(config):
            yield finding
    elif is_usable:
        yield _note("doctor.no_token", key=SECRET)


def _finding(kind: str, key: str, /, **facts: Any) -> Finding:
    """Return a finding with the text of a key; what is no key is said as it is."""
    return Finding(kind, say(key, **facts))


_right, _note, _wrong = (partial(_finding, kind) for kind in ("right", "note", "wrong"))


def folder(path: Path) -> Iterator[Finding]:
    """Look whether a folder can be written to, and how much room there is."""
    there = next(one for one in (path, *path.resolve().parents) if one.exists())
    try:
        # Write a file to find out: the folder's mode says nothing to a superuser.
        with tempfile.TemporaryFile(dir=there):
            pass
        free = shutil.disk_usage(there).free
    except OSError as error:
        yield _wrong("doctor.no_writing", folder=there, why=error.strerror)
        return
    megabytes = free // 2**20
    if free < FREE:
        yield _wrong("doctor.full", folder=there, megabytes=megabytes, needed=FREE // 2**20)
    elif free < PLENTY:
        yield _note("doctor.little", folder=there, megabytes=megabytes)
    else:
        yield _right("doctor.disk", folder=there, megabytes=megabytes)


def database(path: Path) -> Iterator[Finding]:
    """Look whether a database file is one of ours, whole, not too new, and may be written."""
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


async def postgres(url: str) -> Finding:
    """Look whether a database on a server is one of ours and not too new."""
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


def fonts() -> Iterator[Finding]:
    """Look whether there is all that boards are lettered with."""
    try:
        from render.fonts import Face, font, width

        for face in Face:
            font(face, 20)
        width(SAMPLE, Face.LABEL, 20)
    except (ImportError, OSError, StopIteration, RuntimeError) as error:
        yield _wrong("doctor.no_fonts", why=str(error) or type(error).__name__)
        return
    yield _right("doctor.fonts")
    if find_spec("emosvg") is None or find_spec("resvg_py") is None:
        yield _note("doctor.no_emoji")


async def discord_side(config: Config) -> AsyncIterator[Finding]:
    """Ask Discord about the token, and what the bot may do."""
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
        async with asyncio.timeout(ANSWER):
            # Discord refuses a request without a token, but tells the time.
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"{Route.BASE}/users/@me") as answer,
            ):
                yield clock(answer.headers.get(aiohttp.hdrs.DATE, ""), time.time())
            await client.login(config.token)
            yield _right("doctor.token")
            yield intents((await client.http.application_info()).get("flags", 0))
            if config.shards:
                advised, _, _ = await client.http.get_bot_gateway()
                yield shards(config.shards, advised)
            # Discord lists servers by the page.
            guilds: list[Any] = []
            while len(guilds) % PAGE == 0:
                after = int(guilds[-1]["id"]) if guilds else None
                page = await client.http.get_guilds(PAGE, after=after)
                if not page:
                    break
                guilds += page
            for finding in permissions(guilds, config.guild):
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
        # Its words may hold an address with what is secret in it.
        status = getattr(error, "status", None)
        yield _wrong("doctor.no_discord", why=str(status or type(error).__name__))
    finally:
        await client.close()


def shards(own: Shards, advised: int) -> Finding:
    """Compare the number of shards with what Discord wants."""
    if own.count < advised:
        return _note("doctor.few_shards", count=own.count, advised=advised)
    return _right("doctor.shards", shards=own, advised=advised)


def clock(date: str, now: float) -> Finding:
    """Compare this machine's clock with the date of Discord's answer."""
    try:
        ahead = round(now - parsedate_to_datetime(date).timestamp())
    except (TypeError, ValueError):
        return _note("doctor.no_date")
    if abs(ahead) <= OFF:
        return _right("doctor.clock")
    return _wrong("doctor.wrong_clock", seconds=abs(ahead), ahead=ahead > 0)


def intents(flags: int) -> Finding:
    """Look whether nothing is granted that the bot does not want to hear of."""
    import discord

    granted = discord.ApplicationFlags._from_value(flags)
    needless = [
        name
        for name, flag in PRIVILEGED_INTENTS.items()
        if getattr(granted, flag) or getattr(granted, f"{flag}_limited")
    ]
    if needless:
        return _note("doctor.needless_intents", intents=listed(needless))
    return _right("doctor.intents")


def permissions(guilds: list[dict[str, Any]], home: int | None) -> Iterator[Finding]:
    """Look in which servers the bot lacks what it needs; channels may still say otherwise."""
    import discord

    from bot.ui.permissions import missing
    from engine.core.escape import one_line

    if home is not None and str(home) not in [guild["id"] for guild in guilds]:
        yield _wrong("config.not_in_guild", guild=home)
    wrong = 0
    for guild in guilds:
        allowed = discord.Permissions(int(guild["permissions"]))
        lacking = missing(allowed, in_thread=False, wants_thread=True)
        if allowed.administrator or not lacking:
            continue
        wrong += 1
        if wrong <= TOLD:
            facts = {"server": one_line(guild["name"]), "id": guild["id"]}
            yield _wrong("doctor.no_permissions", permissions=listed(lacking), **facts)
    if wrong > TOLD:
        yield _wrong("doctor.more_servers", servers=wrong - TOLD)
    if not guilds:
        yield _note("doctor.no_servers")
    elif not wrong:
        yield _right("doctor.permissions", servers=len(guilds))
