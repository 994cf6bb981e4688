"""Open a database by the path of a file or the address of a server.

An address looks like postgresql://motu:password@host:5432/motu. It has a password in it, so it must
be shown only by `public_address`.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bot.runtime.base import StoreError

if TYPE_CHECKING:
    from bot.store.base import Store

SCHEMES = ("postgresql://", "postgres://")
HARMLESS = re.compile(r"[\w.,:\[\]-]*(/[\w-]*)?")


def is_postgres(text: str) -> bool:
    """Return whether a text is the address of a PostgreSQL server, not the path of a file."""
    return text.startswith(SCHEMES)


def looks_like_address(text: str) -> bool:
    """Return whether a text looks like an address, even of another kind of database."""
    return re.match(r"[a-z+]{2,}:/", text, re.IGNORECASE) is not None


def public_address(url: str) -> str:
    """Return an address without user and password, for messages."""
    place = url.split("://", 1)[1].rpartition("@")[2].partition("?")[0]
    return f"{SCHEMES[0]}{place if HARMLESS.fullmatch(place) else '…'}"


async def open_store(place: Path | str, alone: bool = False, read_only: bool = False) -> "Store":
    """Open the store in a file or at an address; StoreError says why it cannot be used.

    With `alone`, no bot may be running on it, and none can start meanwhile. A file that is opened
    `read_only` may be in use.
    """
    if isinstance(place, str) and is_postgres(place):
        try:
            from bot.store.postgres import PostgresStore
        except ImportError as error:
            raise StoreError("database.no_driver") from error
        return await PostgresStore.open(place, exclusive=alone)
    from bot.store.sqlite import SqliteStore

    if read_only:
        return await SqliteStore.open_to_read(Path(place))
    return await SqliteStore.open(place, alone=alone)
