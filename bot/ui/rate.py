"""Rate limits: for low-priority requests to Discord, across all processes, and for public replies.

RATE and BURST may be tuned as long as they stay well below Discord's limit of fifty a second.
"""

from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic

from bot.runtime.base import Refused, StoreError
from bot.store.base import Store

RATE = 25.0
"""Requests per second for messages that no user is waiting for, such as reminders.

Discord allows a bot fifty in total; the rest is reserved for boards, lobbies and replies.
"""
BURST = 10.0
"""How many requests may be sent at once after a pause."""

MAX_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN = 3, 600.0
"""How many public replies a user may cause in a channel, and within how many seconds.

They are visible to everyone, so the limit keeps a user from flooding a channel.
"""

MAX_RESERVE_WAIT = 1.0
"""The longest time, in seconds, to wait before trying to reserve tokens again."""


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
        """Create a bucket, which is shared with the other processes if the store is.

        Processes share the bucket of the same `name`. Tokens for which the wait would be longer
        than `longest` seconds are not reserved, because they would be lost if the waiting task gave
        up.
        """
        self._rate, self._burst = rate, burst
        self._store = store if store is not None and store.is_shared else None
        self._name, self._longest = name, longest
        self._full_at = 0.0
        """When the bucket will be full again."""

    async def take(self, tokens: int = 1) -> None:
        """Wait for this many tokens, one per request."""
        # A full bucket is `ahead` seconds ahead of the steady rate.
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
    """Limits how often a user makes the bot reply publicly in a channel."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._shown: list[tuple[float, int, int]] = []
        """The recent public answers: time, user and channel."""

    def admit(self, user: int, channel: int) -> None:
        """Count a public reply; refuse one too many, and say when the next is allowed."""
        now = self._now()
        # There are few public answers in ten minutes, so searching a list is good enough.
        self._shown = [answer for answer in self._shown if answer[0] > now - PUBLIC_ANSWERS_WITHIN]
        earlier = [at for at, *where in self._shown if where == [user, channel]]
        if len(earlier) >= MAX_PUBLIC_ANSWERS:
            next_at = int(earlier[0] + PUBLIC_ANSWERS_WITHIN) + 1
            raise Refused("limit.public", number=len(earlier), at=next_at)
        self._shown.append((now, user, channel))


def backoff(tries: int, first: float, longest: float) -> float:
    """Return how long to wait after some failed tries: twice as long each time, with a limit."""
    return min(first * 2.0 ** min(tries, 20), longest)
