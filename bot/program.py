"""The program: with a token it goes to Discord, without one it starts a Discord of its own on
this machine.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.run.config import ENV_FILE, Config, apply_options, is_open_to_others, read_config
from bot.run.tools import parse_options
from bot.runtime import logs
from bot.runtime.errors import BotError
from bot.runtime.systems import stop_on_signals
from bot.runtime.tasks import awaited_task, track_task, watch_loop
from bot.text import say
from engine import GAMES
from engine.core.words import speak, words_of

if TYPE_CHECKING:
    from bot.app import Motu
    from bot.store.base import Store

LOCAL_READY_TIMEOUT = 0.2
REQUESTS = 50
"""How many a second Discord allows a bot; answers to commands and presses are not among them."""
TOKEN_REFUSED = 4004
"""With this code Discord closes a connection whose token is not valid, or not any more."""
OURS = ("motu.db", "table.db", "local", "backups")
"""How the names of what Motu keeps begin.

A folder that holds anything else is shared, and left as it is.
"""

log = logging.getLogger("motu")


class Stopped(BotError):
    """The program cannot go on, with the reason in a line."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop, or do what a tool does; the exit code is 0 if all went well."""
    given = parse_options(arguments)
    try:
        if given.run is not None:
            return int(given.run(given))
        config = apply_options(given, read_config())
        # Commands are described when they are loaded, which comes after this.
        speak(config.language)
        logs.set_up(config.log_level, config.log_form, config.token)
        if is_open_to_others(ENV_FILE):
            log.warning("%s", say("config.env_readable", path=ENV_FILE))
        # Not by asyncio.run, which would wait for threads whose work nobody wants any more: main
        # ends them.
        return asyncio.Runner().run(_run(config))
    except BotError as error:
        print(say("program.failed", why=error), file=sys.stderr)
        return 1


def _print(line: str) -> None:
    print(line, flush=True)


async def _run(config: Config) -> int:
    watch_loop()
    stop = asyncio.Event()
    stop_on_signals(stop, asyncio.get_running_loop())
    if config.token:
        await _play(config, config.token, config.local_url, stop)
        return 0
    if config.local_url:
        raise Stopped("program.local_token")
    from bot.run.own_discord import open_page, own_discord, table_beside

    _make_folder(config.database.parent)
    file = table_beside(config.database, fresh=config.fresh)
    async with own_discord(config.local_port, file, config.players, stop) as own:
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
    """Run the bot from its database to its last word."""
    from bot.app import Motu
    from bot.feature_list import FEATURES
    from bot.kernel.kernel import Kernel
    from bot.run.table_clock import TableClock
    from bot.runtime.clock import Clock
    from bot.store.backup import Hourly
    from bot.store.opening import open_store
    from bot.workers.pool import Thinkers

    if local_url:
        _point_at(local_url)
    if not config.postgres:
        _make_folder(config.database.parent)
    opening: asyncio.Future[Any] = awaited_task(open_store(config.place))
    stopping: asyncio.Future[Any] = awaited_task(stop.wait())
    # A database that is down is waited for, which nobody has to sit through.
    await asyncio.wait([opening, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not opening.done():
        opening.cancel()
        return
    store = opening.result()
    # To load them takes long enough that somebody would wait for it, were it left to their first
    # command.
    await asyncio.to_thread(_load_games)
    usual = LOCAL_READY_TIMEOUT if local_url else 2.0
    timeout = usual if config.ready_timeout is None else config.ready_timeout
    thinkers = Thinkers()
    clock = TableClock(local_url, token) if local_url else Clock()
    if isinstance(clock, TableClock):
        # Before anything is done by it: it may have been moved in an earlier life.
        await clock.ask()
    kernel = Kernel(store, [feature.build for feature in FEATURES], thinker=thinkers, now=clock)
    clock.on_move(kernel.scheduler.clock_moved)
    if config.shards and not (config.postgres or config.shards.are_all):
        log.warning("%s", say("doctor.lonely_shards"))
    # The Discord on this machine takes as many as come.
    requests = (0 if local_url else REQUESTS) if config.requests is None else config.requests
    bot = Motu(
        kernel,
        guild=config.guild,
        shards=config.shards,
        requests=requests,
        ready_timeout=timeout,
        tell=tell,
        invites=invites,
    )
    running: asyncio.Future[Any] = awaited_task(bot.start(token))
    beside = [track_task(clock.follow(), "clock")] if isinstance(clock, TableClock) else []
    if config.backups and not config.postgres:
        beside.append(track_task(Hourly(config.database, config.backups).run(), "backups"))
    try:
        async with _watched(config, bot, store):
            await _until_stopped(running, stop, store, bot)
    finally:
        for task in beside:
            task.cancel()
        await bot.close()
        await thinkers.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def _watched(config: Config, bot: "Motu", store: "Store") -> AsyncIterator[None]:
    """With a port for health and metrics, if there shall be one."""
    if config.metrics is None:
        yield
        return
    from bot.run.metrics import Metrics, serving

    host, port = config.metrics
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(serving(host, port, Metrics(bot, store)))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise Stopped("program.metrics_port", host=host, port=port, why=why) from error
        yield


def _load_games() -> None:
    for game in GAMES:
        words_of(GAMES[game].id)


def _make_folder(folder: Path) -> None:
    """The folder for what is kept, for its owner alone: whoever can read the database knows all
    that is hidden.
    """
    from bot.store.backup import make_private_folder

    try:
        make_private_folder(folder)
        if all(entry.name.startswith(OURS) for entry in folder.iterdir()):
            folder.chmod(0o700)
    except OSError as error:
        raise Stopped("program.no_folder", folder=folder, why=error.strerror) from error


def _point_at(url: str) -> None:
    from bot.local import point_at

    try:
        point_at(url)
    except ValueError as error:
        raise Stopped("program.local_url", why=error) from error


async def _until_stopped(
    running: "asyncio.Future[Any]", stop: asyncio.Event, store: "Store", bot: "Motu"
) -> None:
    """Wait for a signal; if the client ends by itself, or the database or the shards are lost,
    say why in a line.
    """
    import discord

    waits = [awaited_task(event.wait()) for event in (stop, store.lost, bot.claim.failed)]
    await asyncio.wait([running, *waits], return_when=asyncio.FIRST_COMPLETED)
    for waiting in waits:
        waiting.cancel()
    if store.lost.is_set():
        raise Stopped(store.why_lost)
    if bot.claim.failed.is_set() and not stop.is_set():
        raise Stopped(bot.claim.failure)
    if not running.done():
        return
    try:
        running.result()
    except discord.LoginFailure as error:
        raise Stopped("program.bad_token") from error
    except discord.ConnectionClosed as error:
        if error.code == TOKEN_REFUSED:
            raise Stopped("program.bad_token") from error
        raise Stopped("program.closed", code=error.code) from error
    except discord.DiscordException as error:
        raise Stopped("program.ended", error=type(error).__name__) from error
    raise Stopped("program.ended_silently")
