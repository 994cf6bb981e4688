"""What every store can do: run a query whole, and say which process is responsible for what."""

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
"""A function over a database. It is run whole: all that it writes is kept, or nothing is."""


class Store(ABC):
    """A database that no crash robs of an acknowledged move.

    Every method raises StoreError if it cannot be reached.
    """

    is_shared = False
    """Whether other processes write to it: then what was read may be out of date."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        """Set once nothing can be kept any more, for good."""
        self.why_lost = ""
        self.own = Shards()
        """The shards that this process looks after: all of them, unless it claims fewer."""
        self._listener: Callable[[str], None] = lambda payload: None

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a query finds, all of it as the database stands at one moment."""
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
        """Finish what is in hand, and let the database go. Closing it twice does no harm."""

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call this with the id of a match of ours that another process has written, or with
        what it tells all.
        """
        self._listener = listener

    async def claim(self, shards: Shards, on_wait: Callable[[str], None]) -> None:
        """Claim these shards, waiting until no other process owns them.

        `on_wait` is called with the reason, once, if another process has to end first.
        """
        self.own = shards

    async def confirm_claim(self) -> bool:
        """Return whether the shards are surely this process's, asking the database if need be."""
        return True

    async def wait_until_claim_lost(self) -> None:
        """Wait until this process has lost its shards, or may have, to another."""
        await asyncio.Event().wait()

    async def regain_claim(self) -> None:
        """Claim lost shards again; StoreError if another process has them, or the database stays
        out of reach.
        """
        raise AssertionError("a store that nobody shares never loses its shards")

    async def reserve(self, what: str, cost: float, ahead: float, longest: float) -> float:
        """Reserve `cost` seconds of a rate limit shared by all processes; return how long to wait.

        As much as fits into `ahead` seconds may be had at once. More than `longest` means that
        nothing was reserved.
        """
        return 0.0

    async def write_in_copies(  # noqa: B027
        self, query: Query[P, None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Run a query also in the copies that the bot itself has made, leaving no trace of what
        it deletes.
        """

    async def scrub(self) -> None:  # noqa: B027
        """Make what was deleted so far unreadable, down to the bytes of the file."""
