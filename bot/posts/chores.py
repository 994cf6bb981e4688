"""Work for each match by itself: one task a match at most, so that what it posts keeps its
order.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from bot.runtime.tasks import track_task


class Chores:
    """The same work for many matches.

    Whoever asks for it while it is being done has it done once more after that.
    """

    def __init__(self, name: str, work: Callable[[str], Coroutine[Any, Any, Any]]) -> None:
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        """What is being done, by match."""
        self._name = name
        self._work = work
        self._again: set[str] = set()
        self._closing = False

    def poke(self, match: str) -> None:
        """There may be something to do in this match."""
        if self._closing:
            return
        if match in self.tasks:
            self._again.add(match)
            return
        task = track_task(self._work(match), f"{self._name}-{match}")
        self.tasks[match] = task
        task.add_done_callback(lambda _: self._done(match))

    async def finish(self, match: str) -> Any:
        """Have the work done from now on, wait for it, and return what came of it; None if
        nothing begins any more.
        """
        self.poke(match)
        task = None
        while match in self.tasks:
            task = self.tasks[match]
            await asyncio.wait([task])
        return None if task is None or task.cancelled() else task.result()

    async def close(self, last_call: float = 0.0) -> None:
        """Begin nothing more; what is in hand gets so many seconds to finish."""
        self._closing = True
        tasks = list(self.tasks.values())
        if tasks and last_call:
            await asyncio.wait(tasks, timeout=last_call)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, match: str) -> None:
        del self.tasks[match]
        if match in self._again:
            self._again.discard(match)
            self.poke(match)
