"""Statements that both databases understand, and a database as a query sees it.

A query is a plain function over a Database: `def votes(db: Database, match: str) -> list[Vote]`. It
runs its statements with values bound by name, and stands in queries.py beside the feature that
asks. `store.read` and `store.write` run it whole, in one transaction.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

Values = Mapping[str, Any]

OWNED = "(guild >> 22) % {shards} BETWEEN {first_shard} AND {last_shard}"
"""Holds for rows of servers that a process is responsible for, given its `Shards.bounds`."""


class Statement:
    """A statement for both databases. Its values are named in braces: `WHERE user_id = {user}`.

    Where the databases differ, both texts stand side by side: `Statement(sqlite=...,
    postgres=...)`.
    """

    def __init__(self, text: str = "", *, sqlite: str = "", postgres: str = "") -> None:
        self.sqlite = (sqlite or text).format_map(_Placeholders(":{}"))
        # A percent sign would begin a placeholder.
        self.postgres = (postgres or text).replace("%", "%%").format_map(_Placeholders("%({})s"))

    def __repr__(self) -> str:
        return f"Statement({self.sqlite!r})"


class _Placeholders(dict[str, str]):
    """Spells every name as a database's placeholder for a value."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, name: str) -> str:
        return self._form.format(name)


class Rows(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""

    @property
    def description(self) -> Sequence[Any] | None:
        """The columns of what it has found, each beginning with its name."""

    def fetchone(self) -> Any:
        """Return the first row it has found, None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return all rows it has found."""


class Database(Protocol):
    """As much of a connection as queries use, of sqlite3 or of psycopg."""

    def execute(self, statement: Statement, values: Values = ..., /) -> Rows:
        """Run one statement."""

    def executemany(self, statement: Statement, values: Iterable[Values], /) -> object:
        """Run a statement once for each of these values."""


class Write(Struct, frozen=True):
    """A query with its arguments, to be run in a transaction with others."""

    query: Callable[..., Any]
    args: tuple[Any, ...]

    def run(self, db: Database) -> None:
        """Run the query."""
        self.query(db, *self.args)


def first_value(rows: Rows) -> Any:
    """Return the first column of the first row, None if there is no row."""
    row = rows.fetchone()
    return row[0] if row else None


def first_column(rows: Rows) -> list[Any]:
    """Return the first column of every row."""
    return [row[0] for row in rows.fetchall()]


sqlite3.register_converter("BOOLEAN", lambda kept: kept == b"1")


class SqliteConnection(sqlite3.Connection):
    """A connection of sqlite3 that also runs Statements, and reads truth as bool."""

    def __init__(self, database: Any, **options: Any) -> None:
        super().__init__(database, detect_types=sqlite3.PARSE_DECLTYPES, **options)

    def execute(self, statement: Statement | str, values: Any = (), /) -> sqlite3.Cursor:
        """Run one statement, or SQL of SQLite's own."""
        return super().execute(
            statement if isinstance(statement, str) else statement.sqlite, values
        )

    def executemany(self, statement: Statement | str, values: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement, or SQL of SQLite's own, once for each of these values."""
        return super().executemany(
            statement if isinstance(statement, str) else statement.sqlite, values
        )
