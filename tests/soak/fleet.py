"""The bots and their database: start, kill and watch them."""

import asyncio
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from bot.local import LocalDiscord
from bot.text import say
from tests.e2e.harness import BotProcess
from tests.patience import PATIENCE
from tests.postgres_server import Server
from tests.soak.proxy import Proxy

SHARDS_EACH = 2
"""How many shards each bot serves if there are several bots."""
POLL_SECONDS = 0.02
ENDS = (
    say("database.no_server", place="", why="").partition(":")[0].strip().split("  ")[-1],
    say("shards.overtaken", shards="").partition(".")[0].strip(),
    say("shards.unreachable", shards="", why="").partition("(")[0].strip(),
)
"""What a bot logs when it exits because its database or its shards are gone."""
BOT, WORKER, DATABASE = "bot", "worker", "postgres"
"""What can be killed."""
SHARES = {BOT: 4, WORKER: 2, DATABASE: 3}
"""The relative frequency of each."""


@dataclass(frozen=True)
class Outage:
    """A span in which a bot was down, in trouble, or only just back; by its group of shards."""

    group: int
    since: float
    until: float


@dataclass(frozen=True)
class Kill:
    """A kill: what was killed, and when."""

    what: str
    at: float


class ShardedBot(BotProcess):
    """A bot that serves some of the shards."""

    def __init__(
        self, discord: LocalDiscord, folder: Path, shards: range, of: int, group: int
    ) -> None:
        super().__init__(discord, folder)
        self.shards, self.of, self.group = shards, of, group
        self.way: Proxy | None = None
        """The proxy to its database, if the connection can be cut."""
        if of > 1:
            self.settings["MOTU_SHARDS"] = f"{shards[0]}-{shards[-1]}/{of}"

    @property
    def is_up(self) -> bool:
        """Whether all of its shards are connected."""
        sessions = self.discord.gateway.sessions.values()
        return {one.shard for one in sessions if one.link is not None} >= set(self.shards)

    @property
    def pids(self) -> list[int]:
        """Return the process ids of the bot and its children, its own first."""
        if self.process is None or self.process.returncode is not None:
            return []
        return [self.process.pid, *_children(self.process.pid)]

    async def come_up(self) -> None:
        """Start the bot and wait until it is connected.

        If it exits because the server is down, it is started again, as a host would.
        """
        await self.start(ready=False)
        async with asyncio.timeout(PATIENCE):
            while not self.is_up:
                assert self.process is not None
                await self.start_again_if_ended()
                await asyncio.sleep(POLL_SECONDS)

    async def start_again_if_ended(self) -> None:
        """Start the bot again if it has exited over its database or shards, as a host would."""
        assert self.process is not None
        if self.process.returncode is not None:
            last = self.log.splitlines()[-1]
            assert any(why in last for why in ENDS), f"a bot ended by itself: {last}"
            await self.start(ready=False)

    async def kill(self) -> None:
        """Kill the bot with SIGKILL, and drop its gateway sessions: the next one starts anew."""
        assert self.process is not None
        ports = ports_of(self.process.pid)
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        gateway = self.discord.gateway
        ours = [
            one
            for one in gateway.sessions.values()
            if one.link is not None and one.link.peer_port in ports
        ]
        await self.discord.until(
            lambda: all(one.link is None for one in ours), about="the end of a bot"
        )
        for session in ours:
            gateway.sessions.pop(session.id, None)


class Fleet:
    """All bots on one database."""

    def __init__(
        self,
        discord: LocalDiscord,
        folder: Path,
        processes: int,
        server: Server | None,
        spares: bool = False,
    ) -> None:
        self.discord, self.server = discord, server
        self.url = server.new() if server is not None else ""
        self.groups = processes // 2 if spares else processes
        """How many groups of shards there are; with spares, each has two bots."""
        self.shards = self.groups * SHARDS_EACH if processes > 1 else 1
        each = self.shards // self.groups
        discord.state.advised_shards = self.shards
        self.bots = []
        for number in range(processes):
            group = number % self.groups
            shards = range(group * each, (group + 1) * each)
            self.bots.append(
                ShardedBot(discord, folder / f"bot-{number}", shards, self.shards, group)
            )
        self._spares = spares
        self._supervising: asyncio.Task[None] | None = None
        self.kills: list[Kill] = []
        self.outages: list[Outage] = []
        self.comebacks: list[float] = []
        """How many seconds each bot took to come back after a kill."""
        self.memory: list[tuple[float, list[int]]] = []
        """By time: the bytes of memory that each bot uses with its workers."""
        self.spent: list[tuple[float, float]] = []
        """By time: the processor seconds that all bots have used since they were started."""
        self.faults: list[str] = []
        self._doomed: set[int] = set()
        """The workers of bots that were killed, which must exit by themselves."""
        self._coming: dict[int, asyncio.Task[None]] = {}
        self._server_turn = asyncio.Lock()
        self._file = folder / "bot-0" / "data" / "motu.db"

    @property
    def place(self) -> Path | str:
        """Return where the matches are stored."""
        return self.url or self._file

    def process_of(self, guild: int) -> int:
        """Return the number of the group of bots that serves a server; 0 for direct messages."""
        return (guild >> 22) % self.shards // (self.shards // self.groups)

    async def start(self) -> None:
        """Start all bots one after the other, as Discord requires."""
        for bot in self.bots:
            if self._spares:
                bot.way = Proxy(self.url)
                await bot.way.start()
                bot.settings["MOTU_DATABASE"] = bot.way.url
            elif self.url:
                bot.settings["MOTU_DATABASE"] = self.url
            await bot.come_up()
        if self._spares:
            self._supervising = asyncio.create_task(self._supervise())

    async def _supervise(self) -> None:
        """Start bots again that have exited because others took over their shards."""
        while True:
            for number, bot in enumerate(self.bots):
                if number not in self._coming:
                    try:
                        await bot.start_again_if_ended()
                    except AssertionError as error:
                        self.faults.append(f"bot {number}: {error}")
                        return
            await asyncio.sleep(POLL_SECONDS)

    async def stop(self) -> None:
        """Stop all bots as a host does; note as a fault if one does not end well."""
        await asyncio.gather(*self._coming.values(), return_exceptions=True)
        if self._supervising is not None:
            self._supervising.cancel()
        for number, code in enumerate(await asyncio.gather(*(bot.stop() for bot in self.bots))):
            if code:
                self.faults.append(f"bot {number} ended with code {code}")
        # A worker that is thinking ends once it has finished.
        end = time.monotonic() + PATIENCE
        while (left := [pid for pid in self._doomed if _is_worker(pid)]) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)
        if left:
            self.faults.append(f"{len(left)} workers have outlived their bot")

    def end(self) -> None:
        """Kill every process that is left, whatever has happened."""
        for bot in self.bots:
            for pid in bot.pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    # Killing

    async def kill_at_random(self, rng: random.Random, seconds: float, kills: int) -> None:
        """Kill something at this many random moments of a time."""
        began = time.monotonic()
        for moment in sorted(rng.uniform(0, seconds) for _ in range(kills)):
            await asyncio.sleep(max(0.0, began + moment - time.monotonic()))
            if time.monotonic() - began > seconds:
                break
            await self._kill_one(rng)

    async def _kill_one(self, rng: random.Random) -> None:
        """Kill something that is running; wait if everything has just been killed."""
        while not await self._try_to_kill(rng):  # noqa: ASYNC110
            # Everything has just been killed.
            await asyncio.sleep(POLL_SECONDS)

    async def _try_to_kill(self, rng: random.Random) -> bool:
        """Try to kill something; return False if nothing was running."""
        ways: dict[str, Callable[[random.Random], Awaitable[bool]]]
        ways = {BOT: self._kill_bot, WORKER: self._kill_worker}
        if self.server is not None:
            ways[DATABASE] = self._kill_database
        # Something that is down already cannot be killed: then try something else.
        while ways:
            (what,) = rng.choices(list(ways), [SHARES[way] for way in ways])
            at = time.time()
            if await ways.pop(what)(rng):
                self.kills.append(Kill(what, at))
                return True
        return False

    async def _kill_bot(self, rng: random.Random) -> bool:
        up = [number for number, bot in enumerate(self.bots) if number not in self._coming]
        if not up:
            return False
        number = rng.choice(up)
        bot, since = self.bots[number], time.time()
        self._doomed |= set(bot.pids[1:])
        await bot.kill()

        async def come_back() -> None:
            try:
                await bot.come_up()
            except (AssertionError, TimeoutError) as error:
                self.faults.append(f"bot {number} did not come back: {error}")
            finally:
                self.outages.append(Outage(bot.group, since, time.time()))
                self.comebacks.append(time.time() - since)
                del self._coming[number]

        self._coming[number] = asyncio.create_task(come_back())
        return True

    async def _kill_worker(self, rng: random.Random) -> bool:
        pids = [pid for bot in self.bots for pid in bot.pids[1:] if _is_worker(pid)]
        if not pids:
            return False
        with suppress(ProcessLookupError):
            os.kill(rng.choice(pids), signal.SIGKILL)
        return True

    async def _kill_database(self, rng: random.Random) -> bool:
        if self.server is None or self._server_turn.locked():
            return False
        async with self._server_turn:
            await asyncio.to_thread(self.server.kill)
            # Usually it is back before waiting requests time out, but not always.
            await asyncio.sleep(rng.random() if rng.random() < 0.8 else rng.uniform(5, 9))
            await asyncio.to_thread(self.server.start)
        return True

    async def all_up(self) -> None:
        """Wait until everything that was killed is back."""
        while self._coming:
            await asyncio.wait(list(self._coming.values()))
        async with asyncio.timeout(PATIENCE):
            while not all(bot.is_up and bot.pids for bot in self.bots):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """Close the proxies to the database."""
        for bot in self.bots:
            if bot.way is not None:
                await bot.way.close()

    def was_out(self, group: int, since: float, until: float) -> bool:
        """Return whether the bots of a group were down or in trouble at any time in a span."""
        return any(
            outage.group == group and outage.since <= until and since <= outage.until
            for outage in self.outages
        )

    # Looking

    async def watch(self) -> None:
        """Record the memory and processor time of all bots, for ever."""
        while True:
            self.memory.append((time.time(), [sum(map(_resident, bot.pids)) for bot in self.bots]))
            self.spent.append(
                (time.time(), sum(_processor_seconds(pid) for bot in self.bots for pid in bot.pids))
            )
            await asyncio.sleep(1.0)

    async def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds in the database."""
        if not self.url:
            with closing(
                sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=PATIENCE)
            ) as db:
                return db.execute(sql).fetchall()

        def ask() -> list[tuple[Any, ...]]:
            with psycopg.connect(self.url) as connection:
                return connection.execute(sql.encode()).fetchall()

        return await asyncio.to_thread(ask)

    def count_complaints(self) -> Counter[str]:
        """Count the warnings and errors in the logs, without the parts that differ each time."""
        found: Counter[str] = Counter()
        for bot in self.bots:
            for line in bot.log.splitlines():
                if " WARNING " in line or " ERROR " in line or line.startswith("Traceback"):
                    found[_plain(line)] += 1
        return found


def _plain(line: str) -> str:
    words = line.split(" ", 2)[-1].split()
    return " ".join("…" if any(sign.isdigit() for sign in word) else word for word in words)[:110]


def _children(pid: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return [
            int(child) for thread in threads for child in (thread / "children").read_text().split()
        ]
    except (OSError, ValueError):
        return []


def _is_worker(pid: int) -> bool:
    try:
        return b"bot.workers.child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def ports_of(pid: int) -> set[int]:
    """Return the ports of this machine at which a process has connections."""
    sockets, found = set(), set()
    with suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                sockets.add(str(descriptor.readlink()))
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if f"socket:[{fields[9]}]" in sockets:
            found.add(int(fields[1].rpartition(":")[2], 16))
    return found


def _processor_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return 0.0


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0
