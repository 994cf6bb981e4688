"""Intercept queries so that a test can count them, delay them or let them fail."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from bot.store.base import Query, Store

Run = Callable[[], Awaitable[Any]]
"""Runs the query that was caught, and returns its result."""


def intercept(
    monkeypatch: pytest.MonkeyPatch,
    query: Query[..., Any],
    handler: Callable[..., Awaitable[Any]],
    store: Store | None = None,
) -> None:
    """Have a store call `handler(run, *args, **kwargs)` whenever it is asked to run a query.

    Without a store it holds for all of them, including those opened later.
    """

    def wrap(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def wrapped(self: Store, asked: Query[..., Any], *args: Any, **kwargs: Any) -> Any:
            run = partial(method, self, asked, *args, **kwargs)
            if asked is query and store in (None, self):
                return await handler(run, *args, **kwargs)
            return await run()

        return wrapped

    for name in ("read", "write"):
        monkeypatch.setattr(Store, name, wrap(getattr(Store, name)))
