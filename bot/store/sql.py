"""SQL statements for both databases, and the interface of a database for queries.

A query is called with a Database and some values; each feature has its own in queries.py. Most are
one statement: a `Select` is called like a function `def votes(db, match_id) -> list[Vote]`. Queries
with several statements are such functions. `store.read` and `store.write` run a query in one
transaction. SQL must work in both databases, or be given for each.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from bot.model import Shards

T = TypeVar("T")
ALL = Shards()

Values = Mapping[str, Any]

OWNED = "(guild >> 22) % {shards} BETWEEN {first_shard} AND {last_shard}"
"""SQL condition for rows of servers in a process's shards, given its `Shards.bounds`."""
ALONE = "{last_shard} - {first_shard} + 1 = {shards}"
"""SQL condition that holds if the process is responsible for all shards."""


class Statement:
    """A statement for both databases, with values named in braces: `WHERE user_id = {user}`.

    Where the databases differ, it has two texts: `Statement(sqlite=..., postgres=...)`. Further
    arguments are defaults for values that a caller leaves out.
    """

    def __init__(
        self, text: str = "", *, sqlite: str = "", postgres: str = "", **defaults: Any
    ) -> None:
        names = _Placeholders(":{}")
        self.sqlite = (sqlite or text).format_map(names)
        # psycopg takes a single percent sign for a placeholder.
        self.postgres = (postgres or text).replace("%", "%%").format_map(_Placeholders("%({})s"))
        self.names = [name for name in names if name not in ALL.bounds]
        self._defaults = defaults

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.sqlite!r})"

    def run(self, db: "Database", *args: Any, own: Shards = ALL, **values: Any) -> "Rows":
        """Run the statement with values by name, or in the order in which they first occur in it.

        `own` are the shards for OWNED and ALONE.
        """
        named = zip(self.names[: len(args)], args, strict=True)
        return db.execute(self, {**self._defaults, **own.bounds, **dict(named), **values})


class Command(Statement):
    """A query of one statement that changes something."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> None:
        self.run(db, *args, **values)


class _TypedSelect(Statement, Generic[T]):
    def __init__(self, record: Callable[..., T], text: str = "", **more: Any) -> None:
        super().__init__(text, **more)
        self._record = record


class Select(_TypedSelect[T]):
    """A query of one SELECT: `Select(Vote, "SELECT ...")` turns each row into a Vote."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> list[T]:
        return [self._record(*row) for row in self.run(db, *args, **values).fetchall()]


class SelectOne(_TypedSelect[T]):
    """A query of one SELECT that returns the first row, None if there is none."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> T | None:
        row = self.run(db, *args, **values).fetchone()
        return None if row is None else self._record(*row)


class _Placeholders(dict[str, str]):
    """Maps each name to a database's placeholder for it, and collects the names."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, name: str) -> str:
        self[name] = self._form.format(name)
        return self[name]


class Rows(Protocol):
    """The result of a statement: a cursor of sqlite3 or psycopg."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement has changed."""

    @property
    def description(self) -> Sequence[Any] | None:
        """The columns of the result, each a sequence that begins with its name."""

    def fetchone(self) -> Any:
        """Return the next row, None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class Database(Protocol):
    """The part of a connection of sqlite3 or psycopg that queries use."""

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


def as_tuple(*values: Any) -> tuple[Any, ...]:
    """Return a row unchanged, for a Select that needs no record type."""
    return values


def first_value(rows: Rows) -> Any:
    """Return the first column of the first row, None if there is no row."""
    row = rows.fetchone()
    return row[0] if row else None


def first_column(rows: Rows) -> list[Any]:
    """Return the first column of every row."""
    return [row[0] for row in rows.fetchall()]
