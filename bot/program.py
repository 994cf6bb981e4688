"""Start and stop the bot: on Discord with a token, else on a Discord of its own."""

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from bot.run.config import ENV_FILE, Config, apply_options, is_open_to_others, read_config
from bot.run.tools import parse_options
from bot.runtime import logs
from bot.runtime.base import BotError, RunningTasks, awaited_task, watch_loop
from bot.runtime.systems import stop_on_signals
from bot.text import say
from engine import GAMES
from engine.core.words import set_default_language, words_of

if TYPE_CHECKING:
    from bot.app import Motu

READY_TIMEOUT, LOCAL_READY_TIMEOUT = 2.0, 0.2
"""Seconds to wait for the next server before the bot counts as ready."""
REQUESTS = 50
"""How many a second Discord allows a bot; answers to commands and presses are not among them."""
TOKEN_REFUSED = 4004
"""With this code Discord closes a connection whose token is not valid, or not any more."""
OURS = ("motu.db", "table.db", "local", "backups")
"""How the names of what Motu keeps begin.

A folder that holds anything else is shared, and left as it is.
"""

log = logging.getLogger("motu")

print_now = partial(print, flush=True)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop, or do what a tool does; the exit code is 0 if all went well."""
    given = parse_options(arguments)
    if given.version:
        # Looked up only here: that takes as long as reading all options.
        from importlib.metadata import version

        print(say("help.version", version=version("motu")))
        return 0
    try:
        if given.run is not None:
            return int(asyncio.run(given.run(given)))
        config = apply_options(given, read_config())
        set_default_language(config.language)
        logs.set_up(config.log_level, config.log_form, config.token)
        if is_open_to_others(ENV_FILE):
            log.warning("%s", say("config.env_readable", path=ENV_FILE))
        # Not by asyncio.run, which would wait for threads whose work nobody wants any more: main
        # ends them.
        asyncio.Runner().run(_run(config))
    except BotError as error:
        print(say("program.failed", why=error), file=sys.stderr)
        return 1
    return 0


async def _run(config: Config) -> None:
    """Run the bot on Discord, or on a Discord of its own."""
    watch_loop()
    stop = asyncio.Event()
    stop_on_signals(stop, asyncio.get_running_loop())
    if config.local_url and not config.token:
        raise BotError("program.local_token")
    if not config.postgres:
        _make_folder(config.database.parent)
    if config.token:
        await _play(config, stop)
        return
    from bot.run.own_discord import open_page, own_discord, table_beside

    file = table_beside(config.database, fresh=config.fresh)
    async with own_discord(config.local_port, file, config.players, stop) as own:
        if stop.is_set():
            return
        print_now(say("program.browser", page=own.page))

        def tell_ready(line: str) -> None:
            print_now(line)
            open_page(own.page)

        config = replace(config, token=own.token, local_url=own.url)
        await _play(config, stop, tell=tell_ready, invites=False)


async def _play(
    config: Config,
    stop: asyncio.Event,
    *,
    tell: Callable[[str], None] = print_now,
    invites: bool = True,
) -> None:
    """Run the bot from its database to its last word."""
    from bot.app import Motu
    from bot.feature_list import FEATURES
    from bot.kernel.kernel import Kernel
    from bot.run.own_discord import TableClock, use_local_discord
    from bot.store.backup import run_hourly
    from bot.store.opening import open_store
    from bot.workers.pool import Thinkers

    table_clock, requests, ready_timeout = None, REQUESTS, READY_TIMEOUT
    if config.local_url:
        use_local_discord(config.local_url)
        table_clock = TableClock(config.local_url, config.token)
        # The Discord on this machine takes as many as come.
        requests, ready_timeout = 0, LOCAL_READY_TIMEOUT
    # A database that is down is waited for, which nobody has to sit through.
    opening = awaited_task(open_store(config.place))
    await _first_of(opening, stop)
    if not opening.done():
        opening.cancel()
        return
    # To load them takes long enough that somebody would wait for it, were it left to their first
    # command.
    await asyncio.to_thread(lambda: [words_of(game.id) for game in GAMES.values()])
    thinkers = Thinkers()
    builders = [feature.build for feature in FEATURES]
    kernel = Kernel(opening.result(), builders, thinker=thinkers, now=table_clock or time.time)
    background = RunningTasks()
    if table_clock is not None:
        # Before anything is done by it: it may have been moved in an earlier life.
        await table_clock.ask()
        background.start(table_clock.follow(kernel.scheduler.clock_moved), "clock")
    if config.shards and not (config.postgres or config.shards.are_all):
        log.warning("%s", say("doctor.lonely_shards"))
    bot = Motu(
        kernel,
        guild=config.guild,
        shards=config.shards,
        requests=requests if config.requests is None else config.requests,
        ready_timeout=ready_timeout if config.ready_timeout is None else config.ready_timeout,
        tell=tell,
        invites=invites,
    )
    running = background.track(awaited_task(bot.start(config.token)))
    if config.backups and not config.postgres:
        background.start(run_hourly(config.database, config.backups), "backups")
    watching: Any = nullcontext()
    if config.metrics is not None:
        from bot.metrics import Metrics, serving

        watching = serving(*config.metrics, Metrics(bot))
    try:
        async with watching:
            await _until_stopped(running, stop, bot)
    finally:
        await bot.close()
        await thinkers.close()
        await background.close()


async def _first_of(task: "asyncio.Future[Any]", *events: asyncio.Event) -> None:
    """Wait until a task is done or one of the events is set."""
    waits = [awaited_task(event.wait()) for event in events]
    await asyncio.wait([task, *waits], return_when=asyncio.FIRST_COMPLETED)
    for waiting in waits:
        waiting.cancel()


def _make_folder(folder: Path) -> None:
    """Make the data folder, readable by its owner alone.

    Anybody who can read the database can see every hidden card.
    """
    from bot.store.sqlite_file import make_private_folder

    try:
        make_private_folder(folder)
        if all(entry.name.startswith(OURS) for entry in folder.iterdir()):
            folder.chmod(0o700)
    except OSError as error:
        raise BotError("program.no_folder", folder=folder, why=error.strerror) from error


async def _until_stopped(running: "asyncio.Future[None]", stop: asyncio.Event, bot: "Motu") -> None:
    """Wait for a signal; raise why if the client ends, or the database or the shards are lost."""
    import discord

    store, claim = bot.kernel.store, bot.claim
    await _first_of(running, stop, store.lost, claim.failed)
    if store.lost.is_set():
        raise BotError(store.why_lost)
    if claim.failed.is_set() and not stop.is_set():
        raise BotError(claim.failure)
    if not running.done():
        return
    try:
        running.result()
    except discord.LoginFailure as error:
        raise BotError("program.bad_token") from error
    except discord.ConnectionClosed as error:
        if error.code == TOKEN_REFUSED:
            raise BotError("program.bad_token") from error
        raise BotError("program.closed", code=error.code) from error
    except discord.DiscordException as error:
        raise BotError("program.ended", error=type(error).__name__) from error
    raise BotError("program.ended_silently")
