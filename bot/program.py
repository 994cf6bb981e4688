"""The program: with a token it goes to Discord, without one it starts a Discord of its own on this machine."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot.config import Config, apply_options, parse_options, read_config
from bot.errors import BotError
from bot.text import say
from engine.core.words import speak

LOCAL_READY_TIMEOUT = 0.2
TOKEN_REFUSED = 4004
"""With this code Discord closes a connection whose token is not valid, or not any more."""


class Stopped(BotError):
    """The program cannot go on, with the reason in a line."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop; the exit code is 0 if it was told to."""
    given = parse_options(arguments)
    try:
        config = apply_options(given, read_config())
        # Commands are described when they are loaded, which comes after this.
        speak(config.language)
        _log(config.log_level)
        # Not by asyncio.run, which would wait for threads whose work nobody wants any more: main ends them.
        return asyncio.Runner().run(_run(config))
    except BotError as error:
        print(say("program.failed", why=error), file=sys.stderr)
        return 1


def _log(level: str) -> None:
    logging.basicConfig(
        level=level, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    # At DEBUG discord.py logs whole payloads, and people's secrets with them.
    logging.getLogger("discord").setLevel(logging.INFO if level == "DEBUG" else logging.WARNING)
    for name in ("asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _print(line: str) -> None:
    print(line, flush=True)


async def _run(config: Config) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    if config.token:
        await _play(config, config.token, config.local_url, stop)
        return 0
    if config.local_url:
        raise Stopped(say("program.local_token"))
    from bot.own_discord import OwnDiscord, open_page, table_beside

    _make_folder(config.database.parent)
    file = table_beside(config.database, fresh=config.fresh)
    async with OwnDiscord(config.local_port, file, config.players, stop) as own:
        if stop.is_set():
            return 0
        _print(say("program.browser", page=own.page))

        def ready(line: str) -> None:
            _print(line)
            open_page(own.page)

        await _play(config, own.token, own.url, stop, tell=ready, invites=False)
    return 0


async def _play(
    config: Config,
    token: str,
    local_url: str,
    stop: asyncio.Event,
    *,
    tell: Callable[[str], None] = _print,
    invites: bool = True,
) -> None:
    """The bot from its database to its last word."""
    from bot.app import Motu
    from bot.matches.service import Matches
    from bot.store.sqlite import SqliteStore

    if local_url:
        _point_at(local_url)
    _make_folder(config.database.parent)
    store = await SqliteStore.open(config.database)
    usual = LOCAL_READY_TIMEOUT if local_url else 2.0
    timeout = usual if config.ready_timeout is None else config.ready_timeout
    bot = Motu(Matches(store), guild=config.guild, ready_timeout=timeout, tell=tell, invites=invites)
    running: asyncio.Future[Any] = asyncio.ensure_future(bot.start(token))
    try:
        await _until_stopped(running, stop)
    finally:
        await bot.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stopped(say("program.no_folder", folder=folder, why=error.strerror)) from error


def _point_at(url: str) -> None:
    from bot.local import point_at

    try:
        point_at(url)
    except ValueError as error:
        raise Stopped(say("program.local_url", why=error)) from error


async def _until_stopped(running: "asyncio.Future[Any]", stop: asyncio.Event) -> None:
    """Wait for a signal; if the client ends by itself, say why in a line."""
    import discord

    waiting: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not running.done():
        return
    try:
        running.result()
    except discord.LoginFailure as error:
        raise Stopped(say("program.bad_token")) from error
    except discord.ConnectionClosed as error:
        if error.code == TOKEN_REFUSED:
            raise Stopped(say("program.bad_token")) from error
        raise Stopped(say("program.closed", code=error.code)) from error
    except discord.DiscordException as error:
        raise Stopped(say("program.ended", error=type(error).__name__)) from error
    raise Stopped(say("program.ended_silently"))
