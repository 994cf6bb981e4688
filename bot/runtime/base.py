"""Errors, background tasks and locks, for every part of the bot.

The message of a BotError is shown to the user, and raising one means that nothing was changed.

BotError
├── Refused        not possible for this person or at this time
├── NotFound       no such match, or none here
├── BadConfig      a setting that cannot be used
└── StoreError     the database cannot be used
    ├── Conflict   somebody else wrote first
    └── Damaged    a match whose row cannot be read
NotServing         this process has lost its shards and must not talk to Discord

All tasks are started here, so that no failure goes unnoticed. Left alone, asyncio reports a failed
task only when it is garbage-collected, and with the error's message, which may contain a secret. So
the code that starts a task chooses how its failure is handled: `track_task` logs it, `awaited_task`
raises it where the task is awaited.
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
"""In seconds."""


# Errors.


class BotError(Exception):
    """An error with a message for the user. When it is raised, nothing has been changed.

    It takes the key of a text and the facts in it. A text that is not a key is shown as it is.
    """

    def __init__(self, key: str = "", /, **facts: Any) -> None:
        super().__init__(key)
        self._facts = facts

    def __str__(self) -> str:
        # Put into words only when it is shown, in the language of the user who sees it.
        return say(*self.args, **self._facts)


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
    """A setting that cannot be used."""


class NotServing(ConnectionError):
    """This process has lost its shards, perhaps to another one, and must not talk to Discord."""


def log_error(error: BaseException, about: str = "") -> str:
    """Log where an error happened, and return the short id of the log entry.

    During a press it is the id of the press. The error's message is left out, because it might
    contain a secret.
    """
    pressed = logs.current_press()
    short_id = pressed.id if pressed else secrets.token_hex(3)
    frames = "".join(traceback.format_tb(error.__traceback__))
    # discord.HTTPException has both of these.
    numbers = [getattr(error, name, None) for name in ("status", "code")]
    codes = "/".join(str(number) for number in numbers if number is not None)
    detail = " ".join(part for part in (type(error).__name__, codes, about) if part)
    log.error("error %s: %s\n%s", short_id, detail, frames)
    return short_id


# Tasks.


def track_task(work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
    """Start a task in the background, and log it if it fails.

    The name appears in the log, so it must not contain a person's name.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_failure)
    return task


def awaited_task(work: Awaitable[T]) -> asyncio.Future[T]:
    """Start a task whose failure is raised where it is awaited, and ignored if it never is."""
    task = asyncio.ensure_future(work)
    # asyncio does not log an exception that somebody has retrieved.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


class RunningTasks:
    """A group of tasks that can be waited for or cancelled together when the bot stops."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Future[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Start a task with `track_task` and add it to the group."""
        return self.track(track_task(work, name))

    def track(self, task: AnyFuture) -> AnyFuture:
        """Add a task to the group until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def track_current(self) -> "asyncio.Task[Any]":
        """Add the current task to the group, and return it."""
        task = asyncio.current_task()
        assert task is not None
        return self.track(task)

    def current(self) -> "asyncio.Task[Any] | None":
        """Return the current task if it belongs to the group."""
        task = asyncio.current_task()
        return task if task in self._tasks else None

    async def wait(self, seconds: float) -> "set[asyncio.Future[Any]]":
        """Wait for all tasks except the current one; return those that are not done in time."""
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
    """Runs a function for many keys, usually matches, at most once at a time for each.

    If a key is poked while its task runs, the function runs once more afterwards. So posts of a
    match keep their order, and no change is missed.
    """

    def __init__(self, name: str, work: Callable[[str], Coroutine[Any, Any, Any]]) -> None:
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        """The running task of each key."""
        self._name = name
        self._work = work
        self._again: set[str] = set()
        self._closing = False

    def poke(self, key: str) -> None:
        """Run the function for a key, now or after the run under way."""
        if self._closing:
            return
        if key in self.tasks:
            self._again.add(key)
            return
        task = track_task(self._work(key), f"{self._name}-{key}")
        self.tasks[key] = task
        task.add_done_callback(lambda _: self._on_done(key))

    async def finish(self, key: str) -> Any:
        """Run the function for a key and return its result; None if it was stopped."""
        self.poke(key)
        task = None
        while key in self.tasks:
            task = self.tasks[key]
            await asyncio.wait([task])
        return None if task is None or task.cancelled() else task.result()

    def stop(self) -> None:
        """Cancel all tasks, and start no more."""
        self._closing = True
        for task in self.tasks.values():
            task.cancel()

    async def close(self, timeout_seconds: float = 0.0) -> None:
        """Start no more tasks, and cancel those that do not finish within some seconds."""
        self._closing = True
        tasks = list(self.tasks.values())
        if tasks and timeout_seconds:
            await asyncio.wait(tasks, timeout=timeout_seconds)
        self.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_done(self, key: str) -> None:
        del self.tasks[key]
        if key in self._again:
            self._again.discard(key)
            self.poke(key)


def watch_loop() -> None:
    """Log errors that nobody else handles, such as those in tasks that a library has started."""
    asyncio.get_running_loop().set_exception_handler(_log_context)


def _log_failure(task: "asyncio.Task[Any]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log_error(error, f"task {task.get_name()} failed")


def _log_context(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # The rest of the context is left out: the repr of its objects might contain secrets.
    if isinstance(error := context.get("exception"), BaseException):
        log_error(error, context["message"])
    else:
        log.error("%s", context["message"])


# Locks.


class Locks:
    """Locks by name. A lock exists only while somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    def __contains__(self, name: str) -> bool:
        return name in self._locks

    async def wait_until_free(self) -> None:
        """Wait until everyone who holds a lock or waits for one now has released it."""
        for lock in list(self._locks.values()):
            # asyncio's locks are fair: this gets the lock after all who asked for it earlier.
            async with lock:
                pass
