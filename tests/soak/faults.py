"""Faults other than kills: bots are suspended, cut off from their database, or slowed down."""

import asyncio
import os
import random
import signal
import time
from contextlib import suppress
from dataclasses import dataclass

from tests.soak.fleet import Fleet, Outage, ShardedBot, ports_of

STOP, CUT, DELAY, TWINS = "suspended", "cut off", "slowed down", "silently cut off"
"""Kinds of faults.

STOP: the process gets SIGSTOP. CUT: the database is out of reach. DELAY: the way to it is slow.
TWINS: only the database notices that the connection is broken, so the spare takes over, and for a
while both bots have a gateway session.
"""
SHARES = {STOP: 1, CUT: 3, DELAY: 2, TWINS: 2}
"""The relative frequency of each kind."""
SECONDS = {STOP: (10.0, 60.0), CUT: (0.2, 8.0), DELAY: (2.0, 8.0), TWINS: (4.0, 12.0)}
"""The shortest and longest duration of each kind, in seconds."""
SLOWEST = 1.5
"""The longest delay of the way to the database, in seconds per direction."""
SERVING = 0.9
"""The probability that a fault hits the bot that serves the shards, not its spare."""
AFTER = 10.0
"""Seconds after a fault for which a press may still go unanswered: a new session takes a while."""
REST = 1.0
"""Seconds before the same bot may have another fault."""
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Fault:
    """A fault that a bot had."""

    what: str
    group: int
    since: float
    until: float
    is_serving: bool
    """Whether the bot served the shards when it began."""


class Faults:
    """Gives the bots of a fleet faults, spread evenly over a time."""

    def __init__(self, fleet: Fleet, rng: random.Random) -> None:
        self.fleet, self.random = fleet, rng
        self.done: list[Fault] = []
        self._busy: dict[ShardedBot, str] = {}
        """The bots that have a fault now, with its kind."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, number: int, seconds: float) -> None:
        """Begin the given number of faults within the time; return when the last has ended."""
        began = time.monotonic()
        for count in range(number):
            await asyncio.sleep(max(0.0, began + seconds * count / number - time.monotonic()))
            while not (chosen := self._choose()):  # noqa: ASYNC110
                await asyncio.sleep(POLL_SECONDS)
            if time.monotonic() - began > seconds:
                break
            bot, what = chosen
            self._busy[bot] = what
            task = asyncio.create_task(self._run_fault(bot, what))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await asyncio.gather(*self._tasks)

    def _choose(self) -> tuple[ShardedBot, str] | None:
        """Return a bot that has no fault, and a fault for it; None if there is no such bot."""
        free = [bot for bot in self.fleet.bots if bot not in self._busy and bot.pids]
        serving = [bot for bot in free if serves(bot)]
        some = serving if serving and self.random.random() < SERVING else free
        if not some:
            return None
        bot = self.random.choice(some)
        shares = dict(SHARES)
        if any(what == STOP and other.group == bot.group for other, what in self._busy.items()):
            # One bot of each group must keep running, or every press would go unanswered.
            del shares[STOP]
        (what,) = self.random.choices(list(shares), list(shares.values()))
        return bot, what

    async def _run_fault(self, bot: ShardedBot, what: str) -> None:
        """Let a bot have a fault for a while."""
        since, is_serving = time.time(), serves(bot)
        seconds = self.random.uniform(*SECONDS[what])
        assert bot.way is not None
        try:
            if what == STOP:
                await _suspend(bot, seconds)
            else:
                if what == CUT:
                    bot.way.cut()
                elif what == DELAY:
                    bot.way.delay(self.random.uniform(0.02, SLOWEST))
                else:
                    bot.way.silence()
                await asyncio.sleep(seconds)
                bot.way.mend()
            until = time.time()
            self.done.append(Fault(what, bot.group, since, until, is_serving))
            self.fleet.outages.append(Outage(bot.group, since, until + AFTER))
            await asyncio.sleep(REST)
        finally:
            del self._busy[bot]


async def _suspend(bot: ShardedBot, seconds: float) -> None:
    pid = bot.pids[0]
    os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def serves(bot: ShardedBot) -> bool:
    """Return whether a bot has a gateway session, that is, one end of its connection."""
    if not bot.pids:
        return False
    links = [
        session.link
        for session in bot.discord.gateway.sessions.values()
        if session.link is not None
    ]
    ports = {link.peer_port for link in links}
    return bool(ports & ports_of(bot.pids[0]))
