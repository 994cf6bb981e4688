"""The one place where tasks begin, so that none of them fails without somebody reading why.

asyncio tells of a task's failure only when the task is forgotten, at some later time and with its
message, which may hold somebody's secret. So the code that starts a task says here who reads its
failure: the log, or the code that awaits it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from bot.runtime.errors import log_error

log = logging.getLogger("motu.tasks")
T = TypeVar("T")
AnyFuture = TypeVar("AnyFuture", bound="asyncio.Future[Any]")


def track_task(work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
    """Begin a task beside this one; if it fails, that is logged as soon as it ends.

    The name stands in the log, so it names no person.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_failure)
    return task


def awaited_task(work: Awaitable[T]) -> asyncio.Future[T]:
    """Begin a task whose failure is raised where it is awaited, and dropped if it is not."""
    task = asyncio.ensure_future(work)
    # asyncio logs no failure that was looked at.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


class RunningTasks:
    """Tasks that end together: when the bot stops, they are let finish or cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Future[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Begin a task as one of these; see `track_task`."""
        return self.track(track_task(work, name))

    def track(self, task: AnyFuture) -> AnyFuture:
        """Count a task among these until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def track_current(self) -> "asyncio.Task[Any]":
        """Count the current task among these, and return it."""
        task = asyncio.current_task()
        assert task is not None
        return self.track(task)

    async def wait(self, seconds: float) -> "set[asyncio.Future[Any]]":
        """Wait for all tasks but this one; return those that are not done by then."""
        others = self._tasks - {asyncio.current_task()}
        if not others:
            return set()
        _, late = await asyncio.wait(others, timeout=seconds)
        return late

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def watch_loop() -> None:
    """Log what goes wrong in the running loop where nobody could be told, as in a task that a
    library has begun.
    """
    asyncio.get_running_loop().set_exception_handler(_log_context)


def _log_failure(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log_error(error, f"task {task.get_name()} failed")


def _log_context(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # The rest of the context is left out: it shows objects with all that they hold.
    if isinstance(error := context.get("exception"), BaseException):
        log_error(error, context["message"])
    else:
        log.error("%s", context["message"])
