"""Start and stop the bot: on Discord if there is a token, else on the local Discord.

Imports here must stay few: anything slow is imported only where it is needed, so that `motu --help`
is quick and stop signals are handled from the beginning.
"""

import asyncio
import gc
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
"""How many seconds discord.py waits for another server before the bot counts as ready."""
REQUESTS = 50
"""Discord's limit of requests per second; answers to interactions do not count."""
TOKEN_REFUSED = 4004
"""The code with which Discord closes a connection that has an invalid token."""
OWN_FILES = ("motu.db", "table.db", "local", "backups")
"""The beginnings of the names of Motu's own files.

A folder that contains other files as well is shared, so its permissions are left alone.
"""

log = logging.getLogger("motu")

print_now = partial(print, flush=True)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the bot until it is told to stop, or run a sub-command; return the exit code."""
    given = parse_options(arguments)
    if given.version:
        # Import it only here, because that takes as long as parsing all options.
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
        # Don't use asyncio.run, which would wait for threads that still draw: `main` ends the
        # process.
        asyncio.Runner().run(_run(config))
    except BotError as error:
        print(say("program.failed", why=error), file=sys.stderr)
        return 1
    return 0


async def _run(config: Config) -> None:
    """Run the bot on Discord, or start the local Discord and run the bot there."""
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
    """Open the database and run the bot until it stops."""
    client_class = load_bot()
    from bot.feature_list import FEATURES
    from bot.kernel.kernel import Kernel
    from bot.run.own_discord import TableClock, use_local_discord
    from bot.store.backup import run_hourly
    from bot.store.opening import open_store
    from bot.workers.outside import OutsidePlayer, OutsideThinkers
    from bot.workers.pool import Thinkers

    table_clock, requests, ready_timeout = None, REQUESTS, READY_TIMEOUT
    if config.local_url:
        use_local_discord(config.local_url)
        table_clock = TableClock(config.local_url, config.token)
        # The local Discord has no rate limit.
        requests, ready_timeout = 0, LOCAL_READY_TIMEOUT
    # Opening waits for a database that is down. A stop signal must still work meanwhile.
    opening = awaited_task(open_store(config.place))
    await _first_of(opening, stop)
    if not opening.done():
        opening.cancel()
        return
    # Load the texts of all games now, so that the first command does not have to wait for them.
    await asyncio.to_thread(lambda: [words_of(game.id) for game in GAMES.values()])
    thinkers = Thinkers()
    builders = [feature.build for feature in FEATURES]
    outside = OutsidePlayer(config.player, config.player_seconds) if config.player else None
    thinker = thinkers if outside is None else OutsideThinkers(outside, thinkers)
    if outside is not None:
        await outside.start()
    kernel = Kernel(opening.result(), builders, thinker=thinker, now=table_clock or time.time)
    background = RunningTasks()
    if table_clock is not None:
        # Ask before anything uses the clock: it may have been moved before the bot was started.
        await table_clock.ask()
        background.start(table_clock.follow(kernel.scheduler.on_clock_moved), "clock")
    if config.shards and not (config.postgres or config.shards.are_all):
        log.warning("%s", say("doctor.lonely_shards"))
    bot = client_class(
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
        if outside is not None:
            await outside.close()
        await thinkers.close()
        await background.close()


def load_bot() -> "type[Motu]":
    """Import discord.py and all features; return the class of the bot's client.

    Loaded modules never become garbage. Still, the garbage collector would scan their hundred
    thousand objects while they are loaded and in every full collection, which would stop the
    running bot for 10 ms. So it is disabled during the import, and the objects are then frozen.
    """
    gc.disable()
    try:
        from bot.app import Motu
    finally:
        gc.freeze()
        gc.enable()
    return Motu


async def _first_of(task: "asyncio.Future[Any]", *events: asyncio.Event) -> None:
    """Wait until a task is done or one of the events is set."""
    waits = [awaited_task(event.wait()) for event in events]
    await asyncio.wait([task, *waits], return_when=asyncio.FIRST_COMPLETED)
    for waiting in waits:
        waiting.cancel()


def _make_folder(folder: Path) -> None:
    """Create the data folder, readable only by its owner.

    Anyone who can read the database can see every hidden card.
    """
    from bot.store.sqlite_file import make_private_folder

    try:
        make_private_folder(folder)
        if all(entry.name.startswith(OWN_FILES) for entry in folder.iterdir()):
            folder.chmod(0o700)
    except OSError as error:
        raise BotError("program.no_folder", folder=folder, why=error.strerror) from error


async def _until_stopped(running: "asyncio.Future[None]", stop: asyncio.Event, bot: "Motu") -> None:
    """Wait for a stop signal; raise BotError if the client, database or shards are lost."""
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
