"""Whichever store is asked for: a file or the address of a server."""

from pathlib import Path

from bot.errors import StoreError
from bot.store.postgres_url import is_postgres
from bot.store.sql import SqlStore
from bot.text import say


async def open_store(place: Path | str) -> SqlStore:
    """The store in that file or at that address; StoreError with the reason if it cannot be used."""
    if isinstance(place, str) and is_postgres(place):
        try:
            from bot.store.postgres import PostgresStore
        except ImportError as error:
            raise StoreError(say("database.no_driver")) from error
        return await PostgresStore.open(place)
    from bot.store.sqlite import SqliteStore

    return await SqliteStore.open(place)
