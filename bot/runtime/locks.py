"""A lock for each of many things, such as one for every match."""

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """Locks by name: one holder at a time for each, first come first served.

    A lock is made when it is first asked for, and is gone when nobody holds it or waits for it.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    def __contains__(self, name: str) -> bool:
        return name in self._locks

    async def wait_until_free(self) -> None:
        """Return once everybody who holds a lock or waits for one has had their turn."""
        for lock in list(self._locks.values()):
            # A lock is fair: it goes to waiters in the order in which they asked.
            async with lock:
                pass
