"""What Windows does differently: how a process is told to stop, and how one is started apart.

Nothing slow is imported here: the program handles signals before it loads anything else.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import asyncio

Priority = Literal["normal", "low", "lowest"]

STOP_SIGNALS = [signal.SIGINT, signal.SIGTERM]
"""Ctrl-C, a supervisor, and Ctrl-Break, which only Windows has."""
if sys.platform == "win32":
    STOP_SIGNALS.append(signal.SIGBREAK)


def stop_on_signals(stop: "asyncio.Event", loop: "asyncio.AbstractEventLoop") -> None:
    """Set an event when this process is told to stop."""
    for number in STOP_SIGNALS:
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:
            # The event loop of Windows has no handlers of its own, but any signal wakes it.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))


@contextmanager
def hold_signals() -> Iterator[None]:
    """Hold stop signals back, also from a process started meanwhile until it releases them.

    Windows cannot do that. There a process that is started apart does not hear Ctrl-C anyway.
    """
    _mask_signals("SIG_BLOCK")
    try:
        yield
    finally:
        release_signals()


def release_signals() -> None:
    """Let signals through that were held back when this process was started."""
    _mask_signals("SIG_UNBLOCK")


def _mask_signals(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), STOP_SIGNALS)


def started_apart(priority: Priority = "normal") -> dict[str, Any]:
    """Return how to start a process that Ctrl-C in a terminal does not reach.

    The priority is for Windows alone: elsewhere a process lowers its own once it runs.
    """
    if sys.platform != "win32":
        return {"start_new_session": True}
    import subprocess

    priorities = {
        "normal": subprocess.NORMAL_PRIORITY_CLASS,
        "low": subprocess.BELOW_NORMAL_PRIORITY_CLASS,
        "lowest": subprocess.IDLE_PRIORITY_CLASS,
    }
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | priorities[priority]}
