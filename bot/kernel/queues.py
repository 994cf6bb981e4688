"""One change at a time in each match, first come first served."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.runtime.errors import Refused
from bot.text import say


class Queues:
    """A fair queue for each match that is being changed; different matches do not wait for each other."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._lengths: dict[str, int] = {}
        self._closed = False
        self._empty = asyncio.Event()
        self._empty.set()

    @asynccontextmanager
    async def turn(self, match: str) -> AsyncIterator[None]:
        """Wait in line for a match, and hold it inside."""
        if self._closed:
            raise Refused(say("refusal.restarting"))
        lock = self._locks.setdefault(match, asyncio.Lock())
        self._lengths[match] = self._lengths.get(match, 0) + 1
        self._empty.clear()
        try:
            async with lock:
                yield
        finally:
            self._left(match)

    def is_held(self, match: str) -> bool:
        """Return whether a match is being changed now."""
        return match in self._locks

    async def close(self) -> None:
        """Let nobody else in, and wait until everybody in line has had their turn."""
        self._closed = True
        await self._empty.wait()

    def _left(self, match: str) -> None:
        self._lengths[match] -= 1
        if not self._lengths[match]:
            del self._lengths[match], self._locks[match]
        if not self._locks:
            self._empty.set()
