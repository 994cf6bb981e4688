"""The bots and their database, what kills them, and what they take of the machine."""

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
"""Shards of a bot, where there are several."""
LOOK = 0.02
ENDS = (
    say("database.no_server", place="", why="").partition(":")[0].strip().split("  ")[-1],
    say("shards.overtaken", shards="").partition(".")[0].strip(),
    say("shards.unreachable", shards="", why="").partition("(")[0].strip(),
)
"""What a bot says that ends because its database is gone, or its shards."""
BOT, WORKER, DATABASE = "bot", "worker", "postgres"
"""What is killed."""
SHARES = {BOT: 4, WORKER: 2, DATABASE: 3}
"""How often, against each other."""


@dataclass(frozen=True)
class Outage:
    """A time in which a bot was not there or in trouble, or had just come; by the number of its
    shards' group.
    """

    group: int
    since: float
    until: float


@dataclass(frozen=True)
class Kill:
    """What was killed, and when."""

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
        """The way to its database, where that may be cut."""
        if of > 1:
            self.settings["MOTU_SHARDS"] = f"{shards[0]}-{shards[-1]}/{of}"

    @property
    def is_up(self) -> bool:
        """Whether all of its shards are connected."""
        sessions = self.discord.gateway.sessions.values()
        return {one.shard for one in sessions if one.link is not None} >= set(self.shards)

    @property
    def pids(self) -> list[int]:
        """The processes of this bot, itself first."""
        if self.process is None or self.process.returncode is not None:
            return []
        return [self.process.pid, *_children(self.process.pid)]

    async def come_up(self) -> None:
        """Started, and connected; one that ends because there is no server is started again, as
        any host does.
        """
        await self.start(ready=False)
        async with asyncio.timeout(PATIENCE):
            while not self.is_up:
                assert self.process is not None
                await self.start_again_if_ended()
                await asyncio.sleep(LOOK)

    async def start_again_if_ended(self) -> None:
        """Start a bot again that has ended because of its database or its shards, as any host
        does.
        """
        assert self.process is not None
        if self.process.returncode is not None:
            last = self.log.splitlines()[-1]
            assert any(why in last for why in ENDS), f"a bot ended by itself: {last}"
            await self.start(ready=False)

    async def kill(self) -> None:
        """SIGKILL; what Discord has kept for it is forgotten, as the next one begins anew."""
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
        """How many lots of shards there are; with spares, two bots share each, one of which
        waits.
        """
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
        """The seconds that each bot took to be back after it was killed."""
        self.memory: list[tuple[float, list[int]]] = []
        """Now and then: the bytes that each bot has in memory with its workers."""
        self.spent: list[tuple[float, float]] = []
        """And the processor's seconds that all of them have taken since they were started."""
        self.faults: list[str] = []
        self._doomed: set[int] = set()
        """Workers of bots that were killed: they must end by themselves."""
        self._coming: dict[int, asyncio.Task[None]] = {}
        self._server_turn = asyncio.Lock()
        self._file = folder / "bot-0" / "data" / "motu.db"

    @property
    def place(self) -> Path | str:
        """Where the matches are kept."""
        return self.url or self._file

    def process_of(self, guild: int) -> int:
        """The number of the bot that is told of what happens in a server; 0 for what is in none."""
        return (guild >> 22) % self.shards // (self.shards // self.groups)

    async def start(self) -> None:
        """All of them, one after the other, as Discord wants it."""
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
        """Start bots again that have ended because their shards were taken over, as any host
        does.
        """
        while True:
            for number, bot in enumerate(self.bots):
                if number not in self._coming:
                    try:
                        await bot.start_again_if_ended()
                    except AssertionError as error:
                        self.faults.append(f"bot {number}: {error}")
                        return
            await asyncio.sleep(LOOK)

    async def stop(self) -> None:
        """All of them told to stop, as a host does; each must end well."""
        await asyncio.gather(*self._coming.values(), return_exceptions=True)
        if self._supervising is not None:
            self._supervising.cancel()
        for number, code in enumerate(await asyncio.gather(*(bot.stop() for bot in self.bots))):
            if code:
                self.faults.append(f"bot {number} ended with code {code}")
        # One that is in the midst of a thought ends when it is done with it.
        end = time.monotonic() + PATIENCE
        while (left := [pid for pid in self._doomed if _is_worker(pid)]) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(LOOK)
        if left:
            self.faults.append(f"{len(left)} workers have outlived their bot")

    def end(self) -> None:
        """Whatever has happened: nothing of it is left running."""
        for bot in self.bots:
            for pid in bot.pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    # Killing

    async def kill_at_random(self, chance: random.Random, seconds: float, kills: int) -> None:
        """So many kills at random moments of that time."""
        began = time.monotonic()
        for moment in sorted(chance.uniform(0, seconds) for _ in range(kills)):
            await asyncio.sleep(max(0.0, began + moment - time.monotonic()))
            if time.monotonic() - began > seconds:
                break
            await self._kill_one(chance)

    async def _kill_one(self, chance: random.Random) -> None:
        while not await self._killed(chance):  # noqa: ASYNC110
            # All that there is has just been killed.
            await asyncio.sleep(LOOK)

    async def _killed(self, chance: random.Random) -> bool:
        ways: dict[str, Callable[[random.Random], Awaitable[bool]]]
        ways = {BOT: self._kill_bot, WORKER: self._kill_worker}
        if self.server is not None:
            ways[DATABASE] = self._kill_database
        # Whatever is down already cannot be killed: then it is another's turn.
        while ways:
            (what,) = chance.choices(list(ways), [SHARES[way] for way in ways])
            at = time.time()
            if await ways.pop(what)(chance):
                self.kills.append(Kill(what, at))
                return True
        return False

    async def _kill_bot(self, chance: random.Random) -> bool:
        up = [number for number, bot in enumerate(self.bots) if number not in self._coming]
        if not up:
            return False
        number = chance.choice(up)
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

    async def _kill_worker(self, chance: random.Random) -> bool:
        pids = [pid for bot in self.bots for pid in bot.pids[1:] if _is_worker(pid)]
        if not pids:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(pids), signal.SIGKILL)
        return True

    async def _kill_database(self, chance: random.Random) -> bool:
        if self.server is None or self._server_turn.locked():
            return False
        async with self._server_turn:
            await asyncio.to_thread(self.server.kill)
            # Mostly it is back before anybody who waits for it is told; now and then it is not.
            await asyncio.sleep(chance.random() if chance.random() < 0.8 else chance.uniform(5, 9))
            await asyncio.to_thread(self.server.start)
        return True

    async def all_up(self) -> None:
        """Wait until everybody who was killed is back."""
        while self._coming:
            await asyncio.wait(list(self._coming.values()))
        async with asyncio.timeout(PATIENCE):
            while not all(bot.is_up and bot.pids for bot in self.bots):  # noqa: ASYNC110
                await asyncio.sleep(LOOK)

    async def close(self) -> None:
        """Close the ways to the database."""
        for bot in self.bots:
            if bot.way is not None:
                await bot.way.close()

    def was_out(self, group: int, since: float, until: float) -> bool:
        """Return whether the bots of some shards were away or in trouble at some time in
        between.
        """
        return any(
            outage.group == group and outage.since <= until and since <= outage.until
            for outage in self.outages
        )

    # Looking

    async def watch(self) -> None:
        """Note what everybody takes of memory and processor, for ever."""
        while True:
            self.memory.append((time.time(), [sum(map(_resident, bot.pids)) for bot in self.bots]))
            self.spent.append(
                (time.time(), sum(_processor_seconds(pid) for bot in self.bots for pid in bot.pids))
            )
            await asyncio.sleep(1.0)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says."""
        if not self.url:
            with closing(
                sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=PATIENCE)
            ) as db:
                return db.execute(sql).fetchall()

        def ask() -> list[tuple[Any, ...]]:
            with psycopg.connect(self.url) as connection:
                return connection.execute(sql.encode()).fetchall()

        return await asyncio.to_thread(ask)

    def complaints(self) -> Counter[str]:
        """What the logs of the bots complain of, without what differs each time."""
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
