"""Clocks for the local Discord: this machine's, and one that tests move by hand."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Gives the time in seconds since 1970, and runs actions at a given time."""

    ahead: float
    """Seconds that the clock was moved forward. The bot moves its own clock by as much."""

    def now(self) -> float:
        """Return the time."""

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` as soon as the time `when` is reached."""

    def move(self, seconds: float) -> None:
        """Move the clock forward, and the bot's clock with it."""


class SystemClock:
    """The time of this machine, plus what a player has moved it forward by."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._numbers = itertools.count()
        self._scheduled: dict[int, tuple[float, Callable[[], object], asyncio.TimerHandle]] = {}

    def now(self) -> float:
        """Return the time."""
        return time.time() + self.ahead

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` on the event loop as soon as the time `when` is reached."""
        number = next(self._numbers)

        def run() -> None:
            del self._scheduled[number]
            action()

        delay = max(0.0, when - self.now())
        timer = asyncio.get_running_loop().call_later(delay, run)
        self._scheduled[number] = when, action, timer

    def move(self, seconds: float) -> None:
        """Move the clock forward; actions that are overdue by then run next."""
        self.ahead += seconds
        # asyncio's timers know nothing of our clock, so each one is set again.
        scheduled, self._scheduled = self._scheduled, {}
        for when, action, timer in scheduled.values():
            timer.cancel()
            self.call_at(when, action)


class ManualClock:
    """A clock that stands still until a test advances it."""

    def __init__(self, start: float | None = None) -> None:
        # discord.py compares ids with the machine's time, so ids should start near it.
        self._now = time.time() if start is None else start
        self.ahead = 0.0
        self._numbers = itertools.count()
        self._scheduled: list[tuple[float, int, Callable[[], object]]] = []

    def now(self) -> float:
        """Return the time."""
        return self._now

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` when the clock is advanced to `when` or beyond."""
        # The number keeps actions of the same moment in order; actions cannot be compared.
        heapq.heappush(self._scheduled, (when, next(self._numbers), action))

    def advance(self, seconds: float) -> None:
        """Let time pass, running each scheduled action at its own moment."""
        end = self._now + seconds
        while self._scheduled and self._scheduled[0][0] <= end:
            when, _, action = heapq.heappop(self._scheduled)
            self._now = max(self._now, when)
            action()
        self._now = end

    def move(self, seconds: float) -> None:
        """Let time pass for the bot, too."""
        self.ahead += seconds
        self.advance(seconds)
