"""Rate limits: for requests to Discord, across all processes, and for public answers."""

from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic

from bot.runtime.base import Refused, StoreError
from bot.store.base import Store

RATE = 25.0
"""Requests per second for messages that nobody waits for.

Discord allows a bot fifty in total; the others are left for boards and lobbies.
"""
BURST = 10.0
"""How many requests may be sent at once after a pause."""

MOST_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN = 3, 600.0
"""How many public answers a user may cause in a channel, and in how many seconds.

They are visible to everyone, so the limit keeps a user from flooding a channel.
"""

MAX_RESERVE_WAIT = 1.0
"""How many seconds to wait at most before trying to reserve tokens again."""


class Bucket:
    """A token bucket: tokens arrive at a steady rate, and each request takes one."""

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        *,
        store: Store | None = None,
        name: str = "",
        longest: float = inf,
    ) -> None:
        """Share the bucket with this name with the other processes, if the store is shared.

        Tokens that arrive only in more than `longest` seconds are not reserved, because they would
        be lost if the waiting task gave up.
        """
        self._rate, self._burst = rate, burst
        self._store = store if store is not None and store.is_shared else None
        self._name, self._longest = name, longest
        self._full_at = 0.0
        """When the bucket will be full again."""

    async def take(self, tokens: int = 1) -> None:
        """Wait for this many tokens, one per request."""
        cost, ahead = tokens / self._rate, self._burst / self._rate
        now = monotonic()
        self._full_at = max(self._full_at, now) + cost
        wait = self._full_at - now - ahead
        if self._store is not None:
            # While the database is down, each process keeps to the rate on its own.
            with suppress(StoreError):
                reserve = partial(self._store.reserve, self._name, cost, ahead, self._longest)
                wait = await reserve()
                while wait > self._longest:
                    await sleep(min(wait, MAX_RESERVE_WAIT))
                    wait = await reserve()
        if wait > 0:
            await sleep(wait)


class PublicAnswers:
    """Limits how often a user makes the bot answer publicly in a channel."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._shown: list[tuple[float, int, int]] = []
        """The recent public answers: time, user and channel."""

    def admit(self, user: int, channel: int) -> None:
        """Count a public answer; refuse one too many, and say when the next is allowed."""
        now = self._now()
        # There are few public answers in ten minutes, so searching a list is good enough.
        self._shown = [one for one in self._shown if one[0] > now - PUBLIC_ANSWERS_WITHIN]
        earlier = [at for at, *where in self._shown if where == [user, channel]]
        if len(earlier) >= MOST_PUBLIC_ANSWERS:
            next_at = int(earlier[0] + PUBLIC_ANSWERS_WITHIN) + 1
            raise Refused("limit.public", number=len(earlier), at=next_at)
        self._shown.append((now, user, channel))


def backoff(tries: int, first: float, longest: float) -> float:
    """Return how long to wait after some failed tries: twice as long each time, with a limit."""
    return min(first * 2.0 ** min(tries, 20), longest)
