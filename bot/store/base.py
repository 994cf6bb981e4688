"""The interface of a store: it runs queries in transactions, and assigns shards to processes.

There are two: SqliteStore, for one process, and PostgresStore, which several may share. Everything
outside this package must work with either.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Self, TypeVar

from bot.model import Shards
from bot.runtime.logs import measure, note_saved
from bot.store.sql import Database

T = TypeVar("T")
P = ParamSpec("P")

Work = Callable[[Database], T]
"""A query with its arguments filled in."""
Query = Callable[Concatenate[Database, P], T]
"""A function over a database, which runs in one transaction."""


class Store(ABC):
    """A database that keeps every acknowledged move, even after a crash.

    Every method raises StoreError if the database cannot be used.
    """

    is_shared = False
    """Whether other processes write to it as well, so that cached rows may be out of date."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        """Set once the database is given up for good."""
        self.why_lost = ""
        self.own = Shards()
        """The shards that this process is responsible for: all of them, unless it claims some."""
        self._listener: Callable[[str], None] = lambda payload: None

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query that only reads, in one transaction: it sees one state of the database."""
        with measure("store", "read"):
            return await self._read(lambda db: query(db, *args, **kwargs))

    async def write(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query that changes the database, in one transaction, and return its result."""
        with measure("store", "write"):
            result = await self._write(lambda db: query(db, *args, **kwargs))
        note_saved()
        return result

    @abstractmethod
    async def _read(self, work: Work[T]) -> T: ...

    @abstractmethod
    async def _write(self, work: Work[T]) -> T: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    @abstractmethod
    async def close(self) -> None:
        """Finish running work and close the database. Closing it twice does no harm."""

    def listen(self, listener: Callable[[str], None]) -> None:
        """Set the function that gets notifications of other processes.

        A notification is the id of a match that another process has written, or a broadcast.
        """
        self._listener = listener

    async def claim(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        """Claim these shards, waiting until no other process owns them.

        `on_wait` is called with the reason, once, if another process has to end first.
        """
        self.own = shards

    async def confirm_claim(self) -> bool:
        """Return whether this process certainly owns its shards; may wait for the database."""
        return True

    async def wait_until_claim_lost(self) -> None:
        """Wait until this process has lost its shards, or may have, to another."""
        await asyncio.Event().wait()

    async def regain_claim(self) -> None:
        """Claim lost shards again.

        Raises StoreError if another process has them by now, or the database stays unreachable.
        """
        raise AssertionError("a store that nobody shares never loses its shards")

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """Reserve `cost` seconds of a rate limit shared by all processes; return how long to wait.

        After a pause, up to `ahead` seconds are free at once. A result of more than `longest` means
        that nothing was reserved.
        """
        return 0.0

    async def write_in_copies(  # noqa: B027
        self, query: Query[P, None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Run a query also in the bot's own backups, and overwrite what it deletes there."""

    async def scrub(self) -> None:  # noqa: B027
        """Overwrite the bytes of everything that was deleted so far."""
