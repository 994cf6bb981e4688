"""Connections to PostgreSQL: how one is made, how long it waits, and what its errors mean.

The timeouts here add up to the few seconds that a user waits when the server is silent.
"""

import re
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.numeric import Int8Dumper

from bot.runtime.base import StoreError
from bot.store.opening import public_address
from bot.store.sql import Statement

T = TypeVar("T")

CONNECT_TIMEOUT = 2
"""Seconds within which a connection must be made; libpq allows no less."""
ANSWER_TIMEOUT = 3.0
"""Seconds after which we give up on a silent server; with a new connection that makes five."""
# The server itself ends statements and transactions whose process no longer waits for them.
OPTIONS = "-c statement_timeout=3s -c idle_in_transaction_session_timeout=15s"

TRANSIENT_ERRORS = (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction)
"""Errors worth retrying on a new connection, such as a server that restarts or is overloaded."""

REFUSALS = {
    "database.no_such": r'FATAL: .*database ".*" does not exist',
    "database.refused": r"FATAL: .*(authentication|role|pg_hba)|no password supplied",
}
"""By text key, libpq's messages about errors that retrying will not fix."""
WHY = re.compile(r"(?:failed: |\[Errno -?\d+\] )(?!.*failed: )(?:FATAL: *)?(.*)")
"""Finds the reason in libpq's messages, without the address before it, which is not repeated."""

IS_WRITABLE = "SELECT current_setting('transaction_read_only') = 'off'"


class Rows(psycopg.Cursor[tuple[Any, ...]]):
    """The result of a statement, which in pipeline mode is fetched on demand."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement has changed."""
        if self.pgresult is None:
            # psycopg fetches rows on demand, but not their number.
            assert isinstance(self.connection, Connection)
            self.connection.enter_pipeline().sync()
        return super().rowcount


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that runs Statements, and is closed if the server does not answer."""

    answer_timeout = ANSWER_TIMEOUT
    """Seconds that the server has for each answer."""
    is_outdated = False
    """Whether another server may have become the one to write to since it was made."""

    _entered: psycopg.Pipeline | None = None

    def enter_pipeline(self) -> psycopg.Pipeline:
        """Send all further statements of the connection without waiting for their answers."""
        if self._entered is None:
            self._leaving = ExitStack()
            self._entered = self._leaving.enter_context(self.pipeline())
        return self._entered

    def close(self) -> None:
        """Close the connection without waiting for the pipeline's answers."""
        super().close()
        if self._entered is not None:
            with suppress(psycopg.Error):
                self._leaving.close()

    def execute(  # type: ignore[override]
        self, statement: Statement | str, values: Any = (), /
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        """Send a Statement, or SQL that only PostgreSQL understands."""
        if isinstance(statement, str):
            return super().execute(statement.encode())
        return super().execute(statement.postgres, values)

    def executemany(self, statement: Statement, values: Iterable[Any], /) -> None:
        """Send a statement once for each of these values."""
        self.cursor().executemany(statement.postgres, values)

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for an answer, but only for `answer_timeout`."""
        return super().wait(gen, interval, self.answer_timeout if timeout is None else timeout)


def connect(url: str) -> Connection:
    """Make a connection; StoreError says what is wrong with the address, without the password."""
    try:
        address = conninfo_to_dict(url)
        if not re.fullmatch(r"[\d,]*", str(address.get("port", ""))):
            raise psycopg.ProgrammingError
        connection = Connection.connect(
            url,
            autocommit=True,
            cursor_factory=Rows,
            application_name="motu",
            connect_timeout=CONNECT_TIMEOUT,
            options=f"{address.get('options', '')} {OPTIONS}",
        )
    except psycopg.OperationalError as error:
        for refusal, said in REFUSALS.items():
            if re.search(said, str(error)):
                raise StoreError(refusal, place=public_address(url)) from error
        raise
    # Discord's ids need eight bytes, and a number of one size makes one prepared statement.
    connection.adapters.register_dumper(int, Int8Dumper)
    return connection


def reason(error: BaseException) -> str:
    """Return an error's message if it is safe to log, else its type.

    The server's details may quote rows, and messages of other errors even the password.
    """
    if isinstance(error, psycopg.Error):
        if error.diag.message_primary:
            return error.diag.message_primary
        if said := WHY.search(str(error)):
            return said[1]
    return type(error).__name__
