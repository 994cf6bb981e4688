"""Whichever store is asked for: a file or the address of a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.runtime.errors import StoreError
from bot.store.base import Store
from bot.store.postgres_url import is_postgres


async def open_store(place: Path | str, alone: bool = False) -> Store:
    """The store in that file or at that address; StoreError with the reason if it cannot be
    used.
    """
    if isinstance(place, str) and is_postgres(place):
        try:
            from bot.store.postgres import PostgresStore
        except ImportError as error:
            raise StoreError("database.no_driver") from error
        return await PostgresStore.open(place, exclusive=alone)
    from bot.store.sqlite import SqliteStore

    return await SqliteStore.open(place, alone=alone)


@asynccontextmanager
async def open_alone(place: Path | str) -> AsyncIterator[Store]:
    """The same for whoever copies or mends all of it: StoreError while a bot runs on it, and
    none starts meanwhile.
    """
    store = await open_store(place, alone=True)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def open_to_read(place: Path | str) -> AsyncIterator[Store]:
    """The same for whoever only reads, also while a bot runs on it."""
    if isinstance(place, Path):
        from bot.store.sqlite import SqliteReader

        store: Store = await SqliteReader.open(place)
    else:
        store = await open_store(place)
    try:
        yield store
    finally:
        await store.close()
