"""Stop signals and detached processes, which work differently on Windows.

Import nothing slow here: the program handles signals before it loads anything else.
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
"""Ctrl-C, the signal of a supervisor, and on Windows also Ctrl-Break."""
if sys.platform == "win32":
    STOP_SIGNALS.append(signal.SIGBREAK)


def stop_on_signals(stop: "asyncio.Event", loop: "asyncio.AbstractEventLoop") -> None:
    """Set an event when this process is told to stop."""
    for number in STOP_SIGNALS:
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:
            # On Windows the event loop has no signal handlers, but any signal wakes it up.
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))


@contextmanager
def hold_signals() -> Iterator[None]:
    """Block stop signals, for this process and for one that is started meanwhile.

    The new process inherits the block until it calls `release_signals`. Windows has no such thing,
    but there Ctrl-C does not reach a detached process anyway.
    """
    _mask_signals("SIG_BLOCK")
    try:
        yield
    finally:
        release_signals()


def release_signals() -> None:
    """Unblock the stop signals."""
    _mask_signals("SIG_UNBLOCK")


def _mask_signals(how: str) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), STOP_SIGNALS)


def detached_process_options(priority: Priority = "normal") -> dict[str, Any]:
    """Return the options for starting a process that Ctrl-C in the terminal does not reach.

    The priority is only for Windows. Elsewhere a process lowers its own once it runs.
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
