"""Where the local Discord gets its time from."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Seconds since 1970, and something to do at a given second."""

    ahead: float
    """Seconds that it was moved forward; the bot's own clock follows."""

    def now(self) -> float:
        """The time."""

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` once `when` has come."""

    def move(self, seconds: float) -> None:
        """Put the clock forward."""


class WallClock:
    """The time of this machine, or later: whoever tries the table out may move it forward."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._order = itertools.count()
        self._due: dict[int, tuple[float, Callable[[], object], asyncio.TimerHandle]] = {}

    def now(self) -> float:
        """The time."""
        return time.time() + self.ahead

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` on the event loop once `when` has come."""
        number = next(self._order)
        timer = asyncio.get_running_loop().call_later(
            max(0.0, when - self.now()), self._call, number
        )
        self._due[number] = when, action, timer

    def move(self, seconds: float) -> None:
        """Put the clock forward; what falls due on the way is done next."""
        self.ahead += seconds
        due, self._due = self._due, {}
        for when, action, timer in due.values():
            timer.cancel()
            self.call_at(when, action)

    def _call(self, number: int) -> None:
        _, action, _ = self._due.pop(number)
        action()


class HandClock:
    """Time that passes only when a test says so."""

    def __init__(self, start: float | None = None) -> None:
        # discord.py compares ids with the machine's time, so ids should start near it.
        self._now = time.time() if start is None else start
        self.ahead = 0.0
        self._order = itertools.count()
        self._due: list[tuple[float, int, Callable[[], object]]] = []

    def now(self) -> float:
        """The time."""
        return self._now

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` when the hand reaches `when`."""
        heapq.heappush(self._due, (when, next(self._order), action))

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass, doing on the way what falls due."""
        end = self._now + seconds
        while self._due and self._due[0][0] <= end:
            when, _, action = heapq.heappop(self._due)
            self._now = max(self._now, when)
            action()
        self._now = end

    def move(self, seconds: float) -> None:
        """The same, and the bot's clock follows."""
        self.ahead += seconds
        self.advance(seconds)
