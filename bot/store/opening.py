"""Where a database is, a file or the address of a server, and how it is opened.

An address is such as postgresql://motu:password@host:5432/motu.
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
    """Return whether a text is the address of a server rather than the name of a file."""
    return text.startswith(SCHEMES)


def looks_like_address(text: str) -> bool:
    """Return whether a text is meant as an address, even of another program's database."""
    return re.match(r"[a-z+]{2,}:/", text, re.IGNORECASE) is not None


def public_address(url: str) -> str:
    """Return where the database of an address is, never who enters it or how."""
    place = url.split("://", 1)[1].rpartition("@")[2].partition("?")[0]
    return f"{SCHEMES[0]}{place if HARMLESS.fullmatch(place) else '…'}"


async def open_store(place: Path | str, alone: bool = False, read_only: bool = False) -> "Store":
    """Open the store in that file or at that address; StoreError says why it cannot be used.

    With `alone`, no bot may run on it, and none starts meanwhile. A file that is opened
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
