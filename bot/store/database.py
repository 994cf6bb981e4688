"""A database as the SQL sees it, whichever it is."""

from collections.abc import Iterable
from typing import Any, Protocol


class Rows(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchall(self) -> list[Any]:
        """All rows it found."""

    def fetchone(self) -> Any:
        """The first row it found, None if there is none."""


def require_one(rows: Rows, otherwise: Exception) -> None:
    """Raise that unless a statement has changed one row; a database far away says so together with what comes later."""
    promise = getattr(rows, "promise_one", None)
    if promise is not None:
        promise(otherwise)
    elif rows.rowcount != 1:
        raise otherwise


class Database(Protocol):
    """As much of a database's connection as is needed here."""

    def execute(self, sql: str, values: Any = ..., /) -> Rows:
        """One statement."""

    def executemany(self, sql: str, values: Iterable[Any], /) -> object:
        """One statement for each of these values."""
