"""How long things take, for those who watch the bot."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, str, float, BaseException | None], None]
"""Told what was done, of which kind, in how many seconds, and the error if it failed."""

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Tell a listener of everything that is measured from now on."""
    _listeners.append(listener)


@contextmanager
def measure(what: str, kind: str = "") -> Iterator[None]:
    """Measure how long the work inside takes."""
    began = time.perf_counter()
    failed: BaseException | None = None
    try:
        yield
    except BaseException as error:
        failed = error
        raise
    finally:
        for listener in _listeners:
            listener(what, kind, time.perf_counter() - began, failed)
