"""How fast the bot may send what nobody waits for."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

RATE = 25.0
"""Such requests a second. Discord allows a bot fifty in all; the rest is for boards and lobbies."""
BURST = 10.0
"""So many at once after a pause."""


class Bucket:
    """Tokens that come in at a steady rate; whoever wants to send takes one, and waits for it in line."""

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        time: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rate, self._burst = rate, burst
        self._time, self._sleep = time, sleep
        self._full_at = 0.0
        """When all tokens will be there again."""

    async def take(self, tokens: int = 1) -> None:
        """Wait for so many tokens, one for each request."""
        now = self._time()
        self._full_at = max(self._full_at, now) + tokens / self._rate
        wait = self._full_at - now - self._burst / self._rate
        if wait > 0:
            await self._sleep(wait)
