"""How fast the bot may ask Discord for something: over all processes, where several share one database."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic

from bot.runtime.errors import Refused, StoreError
from bot.store.base import Store
from bot.text import say

RATE = 25.0
"""Requests a second that nobody waits for. Discord allows a bot fifty in all; the rest is for boards and lobbies."""
BURST = 10.0
"""So many at once after a pause."""

MOST_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN = 3, 600.0
"""How many public answers one person may get in a channel, and within how many seconds. Anybody can ask for them."""

AGAIN = 1.0
"""Seconds before it is asked again for what is not kept for whoever waits."""

Reserve = Callable[[float, float, float], Awaitable[float]]
"""Given the seconds that something takes of a bucket that all processes have, and those that may be taken ahead: how
many to wait for it. If they are more than the third number, it is not kept for whoever asks."""


class Bucket:
    """Tokens that come in at a steady rate; whoever wants to send takes one, and waits for it in line."""

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        time: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        shared: Reserve | None = None,
        longest: float = inf,
    ) -> None:
        self._longest = longest
        """Seconds that something shared is kept for whoever waits: not at all for who may give up meanwhile."""
        self._rate, self._burst = rate, burst
        self._time, self._sleep = time, sleep
        self._shared = shared
        self._full_at = 0.0
        """When all tokens will be there again."""

    async def take(self, tokens: int = 1) -> None:
        """Wait for so many tokens, one for each request."""
        cost, ahead = tokens / self._rate, self._burst / self._rate
        now = self._time()
        self._full_at = max(self._full_at, now) + cost
        wait = self._full_at - now - ahead
        if self._shared is not None:
            # While the database is away this process keeps to it alone.
            with suppress(StoreError):
                while (wait := await self._shared(cost, ahead, self._longest)) > self._longest:
                    await self._sleep(min(wait, AGAIN))
        if wait > 0:
            await self._sleep(wait)


class PublicAnswers:
    """Limits how often one person has the bot show something to everyone in a channel."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._shown: dict[tuple[int, int], deque[float]] = {}
        """When each person showed something in each channel, oldest first; kept for PUBLIC_ANSWERS_WITHIN."""

    def admit(self, user: int, channel: int) -> None:
        """Count one more public answer; refuse it, and say when the next one is possible, if there were too many."""
        now = self._now()
        self._forget_before(now - PUBLIC_ANSWERS_WITHIN)
        shown = self._shown.setdefault((user, channel), deque())
        if len(shown) >= MOST_PUBLIC_ANSWERS:
            next_at = int(shown[0] + PUBLIC_ANSWERS_WITHIN) + 1
            raise Refused(say("limit.public", number=len(shown), at=next_at))
        shown.append(now)

    def _forget_before(self, at: float) -> None:
        # Few people show anything within ten minutes, so all of them are looked through each time.
        for key, shown in list(self._shown.items()):
            while shown and shown[0] <= at:
                shown.popleft()
            if not shown:
                del self._shown[key]


def backoff(tries: int, first: float, longest: float) -> float:
    """Seconds to wait after so many tries: twice as many each time, up to the longest."""
    return min(first * 2.0 ** min(tries, 20), longest)


def all_requests(most: int, shared: Reserve | None = None) -> Bucket:
    """A bucket that lets no more than so many pass in any second."""
    return Bucket(0.8 * most, 0.2 * most, shared=shared)


def shared(store: Store, what: str) -> Reserve | None:
    """Return how to reserve a share of a limit that all processes on one database have; None for one process alone."""
    return partial(store.reserve, what) if store.is_shared else None
