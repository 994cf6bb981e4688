"""How fast the bot may send to Discord: over all processes that share one database."""

from asyncio import sleep
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic

from bot.runtime.base import Refused, StoreError
from bot.store.base import Store

RATE = 25.0
"""Requests a second that nobody waits for.

Discord allows a bot fifty in all; the rest is for boards and lobbies.
"""
BURST = 10.0
"""Requests allowed at once after a pause."""

MOST_PUBLIC_ANSWERS, PUBLIC_ANSWERS_WITHIN = 3, 600.0
"""How many public answers one person may get in a channel, and within how many seconds.

Anybody can ask for them.
"""

MAX_RESERVE_WAIT = 1.0
"""Seconds before tokens that could not be reserved are asked for again."""


class Bucket:
    """Tokens that come in at a steady rate: a sender waits in line for one."""

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        *,
        store: Store | None = None,
        name: str = "",
        longest: float = inf,
    ) -> None:
        """Share the bucket of that name with all processes on the store, if it has several.

        Tokens that come in only after `longest` seconds are not reserved for a taker, who might
        give up meanwhile.
        """
        self._rate, self._burst = rate, burst
        self._store = store if store is not None and store.is_shared else None
        self._name, self._longest = name, longest
        self._full_at = 0.0
        """When all tokens will be there again."""

    async def take(self, tokens: int = 1) -> None:
        """Wait for this many tokens, one per request."""
        cost, ahead = tokens / self._rate, self._burst / self._rate
        now = monotonic()
        self._full_at = max(self._full_at, now) + cost
        wait = self._full_at - now - ahead
        if self._store is not None:
            # While the database is away, this process keeps to the rate by itself.
            with suppress(StoreError):
                reserve = partial(self._store.reserve, self._name, cost, ahead, self._longest)
                wait = await reserve()
                while wait > self._longest:
                    await sleep(min(wait, MAX_RESERVE_WAIT))
                    wait = await reserve()
        if wait > 0:
            await sleep(wait)


class PublicAnswers:
    """Limits how often one person has the bot show something to everyone in a channel."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._shown: list[tuple[float, int, int]] = []
        """When whom was shown something in which channel, for PUBLIC_ANSWERS_WITHIN."""

    def admit(self, user: int, channel: int) -> None:
        """Count one more public answer; refuse one too many, and say when the next is possible."""
        now = self._now()
        # Few people show anything within ten minutes, so all of them are looked through each time.
        self._shown = [one for one in self._shown if one[0] > now - PUBLIC_ANSWERS_WITHIN]
        earlier = [at for at, *where in self._shown if where == [user, channel]]
        if len(earlier) >= MOST_PUBLIC_ANSWERS:
            next_at = int(earlier[0] + PUBLIC_ANSWERS_WITHIN) + 1
            raise Refused("limit.public", number=len(earlier), at=next_at)
        self._shown.append((now, user, channel))


def backoff(tries: int, first: float, longest: float) -> float:
    """Return the seconds to wait after a number of tries: doubling each time, up to the longest."""
    return min(first * 2.0 ** min(tries, 20), longest)
