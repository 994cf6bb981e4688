"""A row count that a database far away tells together with what comes later."""

from bot.store.sql import Rows


def require_one(rows: Rows, otherwise: Exception) -> None:
    """Raise that unless a statement has changed one row; a database far away says so together with what comes later."""
    promise = getattr(rows, "promise_one", None)
    if promise is not None:
        promise(otherwise)
    elif rows.rowcount != 1:
        raise otherwise
