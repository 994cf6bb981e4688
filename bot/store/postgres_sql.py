"""PostgreSQL's words for what queries.py and migrations/ say in SQLite's: one set of queries for both."""

import re
from functools import lru_cache

from bot.store import tables
from bot.store.sql import Statement

TOKENS = re.compile(
    r"""
    (?P<text>'(?:[^']|'')*')
    | (?P<quoted>"[^"]*")
    | \?
    | :(?P<name>[a-z_]+)
    | \bjson_extract\((?P<json>[a-z_.]+),\ '\$\.(?P<field>[a-z_]+)'\)
    | (?P<word>\b[A-Za-z_]+\b)
    """,
    re.VERBOSE,
)
WORDS = {"user": '"user"', "INTEGER": "BIGINT", "REAL": "DOUBLE PRECISION", "BLOB": "BYTEA"}
"""In PostgreSQL `user` is a function, INTEGER too short for Discord's ids, and REAL less than Python's float."""

OWN = {
    tables.SEQUENCE: """
        SELECT last_value FROM pg_sequences
        WHERE schemaname = current_schema() AND sequencename = :table || '_' || :column || '_seq'
    """,
    tables.SET_SEQUENCE: "SELECT setval(pg_get_serial_sequence(:table, :column), CAST(:last AS INTEGER))",
    # They are made with their tables.
    tables.NEW_SEQUENCE: "SELECT 1",
}
"""Queries that have no words in common: JSON, and the numbers that are never given twice."""


@lru_cache(maxsize=1024)
def translated(sql: Statement | str) -> str:
    """A query in PostgreSQL's words, its values as psycopg wants them."""
    if isinstance(sql, Statement):
        sql = re.sub(r"%\((\w+)\)s", r":\1", sql.postgres).replace("%%", "%")

    def word(found: re.Match[str]) -> str:
        token = found.group()
        if token == "?":
            return "%s"
        if name := found["name"]:
            return f"%({name})s"
        if found["json"]:
            return f"(CAST({WORDS.get(found['json'], found['json'])} AS json) ->> '{found['field']}')"
        return WORDS.get(token, token)

    # What only PostgreSQL understands stands in comments.
    own = re.sub(r"/\* (FOR UPDATE[A-Z ]*) \*/", r"\1", OWN.get(sql, sql))
    return TOKENS.sub(word, own.replace("%", "%%"))
