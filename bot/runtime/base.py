"""What every part of the bot stands on: errors, tasks, locks and the time.

Errors carry words for the person who asked; nothing has changed then.

BotError
├── Refused        not possible for this person or at this time
├── NotFound       no such match, or none here
├── BadConfig      a setting that makes no sense
└── StoreError     the database cannot be used
    ├── Conflict   somebody else wrote first
    └── Damaged    a match whose row cannot be read
NotServing         another process may serve the shards of this one, which must say nothing

This is the one place where tasks begin, so that none of them fails without somebody reading why.
asyncio tells of a task's failure only when the task is forgotten, at some later time and with its
message, which may hold somebody's secret. So the code that starts a task says here who reads its
failure: the log, or the code that awaits it.
"""

import asyncio
import logging
import secrets
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.runtime import logs
from bot.text import say

log = logging.getLogger("motu")
T = TypeVar("T")
AnyFuture = TypeVar("AnyFuture", bound="asyncio.Future[Any]")

HOUR, DAY = 3600, 86_400
"""In seconds, as all time is counted here."""


# Errors.


class BotError(Exception):
    """A refusal with a message for the person who asked; nothing has changed.

    It is given the key of its text and the facts in it. Words that are no key are said as they are.
    """

    def __init__(self, key: str = "", /, **facts: Any) -> None:
        super().__init__(say(key, **facts))


class Refused(BotError):
    """Not possible for this person or at this time."""


class NotFound(BotError):
    """No such match, or none here."""


class StoreError(BotError):
    """The database cannot be used."""


class Conflict(StoreError):
    """Somebody else wrote first."""


class Damaged(StoreError):
    """A match whose row cannot be read."""


class BadConfig(BotError):
    """A setting that cannot be used, by name."""


class NotServing(ConnectionError):
    """Another process may serve the shards of this one: it must not say anything to Discord."""


def log_error(error: BaseException, about: str = "") -> str:
    """Log where an error happened under a short id, which is that of the press if it came of one.

    Its message is left out: it might hold somebody's secret.
    """
    pressed = logs.current()
    short_id = pressed.id if pressed else secrets.token_hex(3)
    frames = "".join(traceback.format_tb(error.__traceback__))
    # Errors of Discord's have a status and a code of their own.
    numbers = [getattr(error, name, None) for name in ("status", "code")]
    codes = "/".join(str(number) for number in numbers if number is not None)
    detail = " ".join(part for part in (type(error).__name__, codes, about) if part)
    log.error("error %s: %s\n%s", short_id, detail, frames)
    return short_id


# Tasks.


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


class Chores:
    """The same work for many matches, at most one task per match, so that posts keep their order.

    If it is asked for again while it runs, it runs once more afterwards.
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
        """Have the work done and return its result; None if nothing begins any more."""
        self.poke(match)
        task = None
        while match in self.tasks:
            task = self.tasks[match]
            await asyncio.wait([task])
        return None if task is None or task.cancelled() else task.result()

    def stop(self) -> None:
        """Begin nothing more, and cancel what is in hand."""
        self._closing = True
        for task in self.tasks.values():
            task.cancel()

    async def close(self, last_call: float = 0.0) -> None:
        """Start nothing more, and give running work this many seconds to finish."""
        self._closing = True
        tasks = list(self.tasks.values())
        if tasks and last_call:
            await asyncio.wait(tasks, timeout=last_call)
        self.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, match: str) -> None:
        del self.tasks[match]
        if match in self._again:
            self._again.discard(match)
            self.poke(match)


def watch_loop() -> None:
    """Log what fails in the running loop unseen, as in a task that a library has begun."""
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


# Locks.


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
