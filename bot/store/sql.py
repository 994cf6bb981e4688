"""Statements that both databases understand, and a database as a query sees it.

A query is called with a Database and some values, and stands in queries.py beside the feature that
asks. Most are one statement: a `Select` is called like `def votes(db, match) -> list[Vote]`. What
takes several statements is such a function. `store.read` and `store.write` run a query whole, in
one transaction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from bot.model import Shards

T = TypeVar("T")
ALL = Shards()

Values = Mapping[str, Any]

OWNED = "(guild >> 22) % {shards} BETWEEN {first_shard} AND {last_shard}"
"""Holds for rows of servers that a process is responsible for, given its `Shards.bounds`."""
ALONE = "{last_shard} - {first_shard} + 1 = {shards}"
"""Holds for a process that is responsible for everything."""


class Statement:
    """A statement for both databases. Its values are named in braces: `WHERE user_id = {user}`.

    Where the databases differ, both texts stand side by side: `Statement(sqlite=...,
    postgres=...)`. Further arguments are values that a caller may leave out.
    """

    def __init__(
        self, text: str = "", *, sqlite: str = "", postgres: str = "", **defaults: Any
    ) -> None:
        names = _Placeholders(":{}")
        self.sqlite = (sqlite or text).format_map(names)
        # A percent sign would begin a placeholder.
        self.postgres = (postgres or text).replace("%", "%%").format_map(_Placeholders("%({})s"))
        self.names = [name for name in names if name not in ALL.bounds]
        self._defaults = defaults

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.sqlite!r})"

    def run(self, db: "Database", *args: Any, own: Shards = ALL, **values: Any) -> "Rows":
        """Run it with values by name, or in the order in which it names them first.

        `own` are the shards that OWNED and ALONE go by.
        """
        named = zip(self.names[: len(args)], args, strict=True)
        return db.execute(self, {**self._defaults, **own.bounds, **dict(named), **values})


class Command(Statement):
    """A query that changes something by one statement."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> None:
        self.run(db, *args, **values)


class _TypedSelect(Statement, Generic[T]):
    def __init__(self, record: Callable[..., T], text: str = "", **more: Any) -> None:
        super().__init__(text, **more)
        self._record = record


class Select(_TypedSelect[T]):
    """A query that is one SELECT: `Select(Vote, "SELECT ...")` makes a Vote of each row."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> list[T]:
        return [self._record(*row) for row in self.run(db, *args, **values).fetchall()]


class SelectOne(_TypedSelect[T]):
    """A query that is one SELECT and finds its first row, None if there is none."""

    def __call__(self, db: "Database", *args: Any, **values: Any) -> T | None:
        row = self.run(db, *args, **values).fetchone()
        return None if row is None else self._record(*row)


class _Placeholders(dict[str, str]):
    """Spells every name as a database's placeholder for a value."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def __missing__(self, name: str) -> str:
        self[name] = self._form.format(name)
        return self[name]


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


def as_tuple(*values: Any) -> tuple[Any, ...]:
    """Return the values of a row as they are: the record of a Select that needs no other."""
    return values


def first_value(rows: Rows) -> Any:
    """Return the first column of the first row, None if there is no row."""
    row = rows.fetchone()
    return row[0] if row else None


def first_column(rows: Rows) -> list[Any]:
    """Return the first column of every row."""
    return [row[0] for row in rows.fetchall()]
