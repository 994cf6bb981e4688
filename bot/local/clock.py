"""Where the local Discord gets its time from."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Seconds since 1970, and something to do at a given second."""

    def now(self) -> float:
        """The time."""

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` once `when` has come."""


class WallClock:
    """The time of this machine."""

    def now(self) -> float:
        """The time."""
        return time.time()

    def call_at(self, when: float, action: Callable[[], object]) -> None:
        """Run `action` on the event loop once `when` has come."""
        asyncio.get_running_loop().call_later(max(0.0, when - self.now()), action)


class HandClock:
    """Time that passes only when a test says so."""

    def __init__(self, start: float | None = None) -> None:
        # discord.py compares ids with the machine's time, so ids should start near it.
        self._now = time.time() if start is None else start
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
