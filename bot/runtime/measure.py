"""How long things take, for those who watch the bot."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, tuple[str, ...], float, BaseException | None], None]
"""Told what was done, its labels, in how many seconds, and the error if it failed."""

listeners: list[Listener] = []
"""Called with everything that is measured."""


def report(
    what: str, labels: tuple[str, ...], seconds: float, error: BaseException | None = None
) -> None:
    """Tell the listeners how long something took."""
    for listener in listeners:
        listener(what, labels, seconds, error)


@contextmanager
def measure(what: str, *labels: str) -> Iterator[None]:
    """Measure how long the work inside takes."""
    began = time.perf_counter()
    failed: BaseException | None = None
    try:
        yield
    except BaseException as error:
        failed = error
        raise
    finally:
        report(what, labels, time.perf_counter() - began, failed)
