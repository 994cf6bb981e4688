"""The errors that mean 'the database is in trouble', for everything that talks to PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg

TROUBLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    # asyncpg raises these when the answer of a dying server makes no sense to it, and when none of several servers
    # takes writes at the moment.
    asyncpg.InternalClientError,
)
"""The server or the way to it is gone, going, coming or full."""
RETRYABLE = (*TROUBLE, asyncpg.TransactionRollbackError, asyncpg.ReadOnlySQLTransactionError)
"""Errors after which the same work may well succeed a moment later."""


@contextmanager
def closed_as_trouble(connection: Any) -> Iterator[None]:
    """Raise ConnectionResetError instead of the InterfaceError that a closed connection gives."""
    try:
        yield
    except asyncpg.InterfaceError as error:
        if is_closed(connection):
            raise ConnectionResetError from error
        raise


def is_closed(connection: Any) -> bool:
    """Return whether a connection was closed, or taken back by its pool because it was."""
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:
        return True


def reason(error: BaseException) -> str:
    """Return the server's words without the details, which quote rows; of other errors only the kind.

    Messages of other errors may quote anything, the password included.
    """
    if isinstance(error, asyncpg.PostgresError):
        return str(error.args[0] if error.args else type(error).__name__)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__
