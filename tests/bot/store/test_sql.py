"""SQL statements with values for either database."""

import sqlite3

import pytest

from bot.store.sql import Command, Select, SelectOne, Statement, Write
from bot.store.sqlite_file import SqliteConnection


def test_a_statement_names_its_values_in_each_databases_way() -> None:
    statement = Statement(
        "SELECT {user}, value FROM settings WHERE owner = {user} AND value LIKE '%x%'"
    )
    assert (
        statement.sqlite
        == "SELECT :user, value FROM settings WHERE owner = :user AND value LIKE '%x%'"
    )
    assert (
        statement.postgres
        == "SELECT %(user)s, value FROM settings WHERE owner = %(user)s AND value LIKE '%%x%%'"
    )


def test_a_pair_has_a_text_for_each_database() -> None:
    statement = Statement(sqlite="SELECT {a} -> '$.x'", postgres="SELECT {a} ->> 'x', '{{}}'")
    assert statement.sqlite == "SELECT :a -> '$.x'"
    assert statement.postgres == "SELECT %(a)s ->> 'x', '{}'"


def test_sqlite_runs_statements_and_its_own_sql() -> None:
    database = sqlite3.connect(":memory:", factory=SqliteConnection)
    database.execute("CREATE TABLE notes (match_id TEXT, note TEXT)")
    put = Statement("INSERT INTO notes VALUES ({match}, {note})")
    database.execute(put, {"match": "a", "note": "one"})
    database.executemany(put, [{"match": "b", "note": "two"}, {"match": "c", "note": "three"}])
    found = database.execute(
        Statement("SELECT note FROM notes WHERE match_id > {match}"), {"match": "a"}
    )
    assert found.fetchall() == [("two",), ("three",)]
    database.close()


def test_a_query_takes_values_by_name_or_in_order_and_makes_records_of_rows() -> None:
    database = sqlite3.connect(":memory:", factory=SqliteConnection)
    database.execute("CREATE TABLE notes (match_id TEXT, note TEXT)")
    put = Command("INSERT INTO notes VALUES ({match}, {note})")
    put(database, "a", "one")
    put(database, "b", note="two")
    found = Select(Write, "SELECT match_id, note FROM notes WHERE match_id >= {first}")
    assert found(database, "a") == [Write("a", "one"), Write("b", "two")]  # type: ignore[arg-type]
    note = SelectOne(str, "SELECT note FROM notes WHERE match_id = {match}")
    assert (note(database, "b"), note(database, match="c")) == ("two", None)
    with pytest.raises(ValueError):
        note(database, "a", "b")
    database.close()
