"""Find a person in every table, for their export and to delete them.

People are found in columns named `user_id`, and in JSON documents by the types of fields (see the
markers in bot/model). A test fails for a column or field that is not declared either way.
"""

from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.ratings.queries import LOCK_RATINGS
from bot.features.votes import queries as vote_queries
from bot.kernel import queries
from bot.model import (
    COMPUTER,
    IS_FACTS,
    IS_USER,
    DetailOf,
    MatchRecord,
    NameOf,
    Person,
    TableClocks,
    UserId,
    Words,
)
from bot.store.sql import Command, Database, Select, SelectOne, Statement, as_tuple
from engine.core.escape import escape_text

T = TypeVar("T")

OWN_TABLES = ("player_settings", "jobs", "notes")
"""Tables whose rows belong to one person, and are deleted."""
SHARED_TABLES = ("results", "ratings")
"""Tables whose rows are part of others' matches as well: they stay, under another id and name."""

OWN_ROWS = {
    table: Statement(f"SELECT * FROM {table} WHERE user_id = {{user}} AND user_id != 0")
    for table in (*OWN_TABLES, *SHARED_TABLES)
}
OWN_ROWS["results"] = Statement("""
    SELECT match_id AS match, results.* FROM results JOIN finishes USING (number)
    WHERE user_id = {user} AND user_id != 0
""")

DELETE_OWN = {
    table: Statement(f"DELETE FROM {table} WHERE user_id = {{user}}") for table in OWN_TABLES
}
# The job that deletes a person's data is kept until all of it is done.
DELETE_OWN["jobs"] = Statement("DELETE FROM jobs WHERE user_id = {user} AND kind != {kept_job}")

# A match that has just ended may be rated under the former player's id before the person's own
# ratings are renamed. Only one of the two can stay: the person's, which has more matches.
DELETE_SECOND_RATINGS = Statement("""
    DELETE FROM ratings WHERE user_id = {id} AND EXISTS (
        SELECT 1 FROM ratings AS own
        WHERE own.user_id = {user} AND own.pool = ratings.pool AND own.guild = ratings.guild
            AND own.game = ratings.game AND own.level = ratings.level
            AND own.character = ratings.character
    )
""")

RENAME_SHARED = [
    Statement(f"""
        UPDATE {table} SET user_id = {{id}}, name = {{name}}
        WHERE user_id = {{user}} AND user_id != 0
    """)
    for table in SHARED_TABLES
]

last_opened = SelectOne(int, "SELECT opened FROM matches ORDER BY opened DESC LIMIT 1")
"""Return the number of the newest match."""

# Ids are long enough to search for them as text. A document that contains the digits by chance does
# no harm: nothing in it is replaced.
TELLS_OF_USER = "LIKE '%' || CAST({user} AS TEXT) || '%'"

matches_with = Select(
    str,
    f"""
    SELECT id FROM matches WHERE opened > {{after}} AND opened <= {{until}} AND (
        record {TELLS_OF_USER}
        OR EXISTS (SELECT 1 FROM notes WHERE match_id = id AND user_id = {{user}})
        OR EXISTS (SELECT 1 FROM votes WHERE match_id = id AND vote {TELLS_OF_USER})
    ) ORDER BY opened
    """,
)
"""Return the matches, opened after one number up to another, that may mention a person."""

moves = Select(
    as_tuple,
    """
    SELECT number, seat, answers FROM moves WHERE match_id = {match} AND number > 0
    ORDER BY number
    """,
)
"""Return the number, seat and answers of every commit of a match."""

CLOCKS = Select(
    as_tuple,
    f"SELECT number, clocks FROM moves WHERE match_id = {{match}} AND clocks {TELLS_OF_USER}",
)

PUT_CLOCKS = Command(
    "UPDATE moves SET clocks = {clocks} WHERE match_id = {match} AND number = {number}"
)

WITHDRAW_POSTS = Command("UPDATE announcements SET is_posted = TRUE WHERE match_id = {match}")


def own_rows(db: Database, user: int) -> dict[str, list[dict[str, Any]]]:
    """Return all rows with a person's id, by table."""
    found = {}
    for table, statement in OWN_ROWS.items():
        cursor = statement.run(db, user)
        rows = sorted(cursor.fetchall(), key=str)
        names = [column[0] for column in cursor.description or ()]
        found[table] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


def forget_rows(db: Database, user: int, former: Person, kept_job: str = "") -> None:
    """Delete a person's own rows, except one kind of job, and rename them in shared ones."""
    LOCK_RATINGS(db)
    for statement in DELETE_OWN.values():
        statement.run(db, user=user, kept_job=kept_job)
    DELETE_SECOND_RATINGS.run(db, user=user, id=former.id)
    for statement in RENAME_SHARED:
        statement.run(db, user=user, id=former.id, name=former.name)


def forget_in(db: Database, match_id: str, user: int, former: Person) -> None:
    """Replace a person by a former player throughout a match, and delete their plans and drafts."""
    stored = queries.load_match(db, match_id)
    if stored is None:
        return
    record = stored.record
    leaver = Leaver(user, former, record)
    own_seats = [seat for seat, person in enumerate(record.chairs) if person.id == user]
    others = [person.id for person in record.chairs if person.id > COMPUTER and person.id != user]
    after = replace(
        record,
        version=record.version + 1,
        host=next(iter(others), former.id) if record.host == user else record.host,
        seating=tuple(awaited for awaited in record.seating if awaited != user),
        plans=tuple(plan for plan in record.plans if plan.seat not in own_seats),
    )
    if own_seats and not record.place.guild:
        # The match was played in their direct messages, whose channel id identifies them.
        after = replace(
            after,
            place=replace(record.place, channel=0, thread=0),
            result_unannounced=False,
            paused_for="",
            lobby_message=0,
            turn_message=0,
        )
        WITHDRAW_POSTS(db, match_id)
    drafts = tuple(draft for draft in stored.drafts if draft.seat not in own_seats)
    queries.put_record(db, leaver.forget_in(after), drafts)
    for number, kept in CLOCKS(db, match=match_id, user=user):
        clocks = leaver.forget_in(msgspec.json.decode(kept, type=TableClocks))
        PUT_CLOCKS(db, msgspec.json.encode(clocks).decode(), match_id, number)
    for vote in vote_queries.votes(db, match_id):
        vote_queries.put_vote(db, leaver.forget_in(vote))


def forget_everywhere(db: Database, user: int, former: Person) -> None:
    """Delete a person from a whole database in one transaction. For backup copies."""
    for match in matches_with(db, user=user, after=0, until=last_opened(db) or 0):
        forget_in(db, match, user, former)
    forget_rows(db, user, former)


class Leaver:
    """Replaces a person by a former player in the documents of a match."""

    def __init__(self, user: int, former: Person, record: MatchRecord) -> None:
        self._user = user
        self._former = former
        changes = [change for change in record.seat_changes if change.was == user]
        self._stand_ins = {change.was_name for change in changes if change.user == COMPUTER}
        """The person's names under which a computer continues to play their seat."""
        self._names: set[str] = set()
        """All names of the person found so far, to be replaced in texts.

        In a vote, the fields with names come before the texts.
        """

    def forget_in(self, document: T) -> T:
        """Return a document with the person replaced in all fields that are marked for people."""
        found: T = self._forget(document, type(document))
        return found

    def _forget(self, value: Any, hint: Any, record: Struct | None = None) -> Any:
        """Return a copy of a value with the person replaced by 'a former player'.

        The type hint says where people may stand in it; `record` is what the value is a field of.
        """
        for mark in getattr(hint, "__metadata__", ()):
            return self._forget_marked(value, mark, record)
        if isinstance(value, Struct):
            fields = {
                name: self._forget(getattr(value, name), of_field, value)
                for name, of_field in fields_of(type(value)).items()
            }
            return replace(value, **fields)
        if isinstance(value, tuple) and get_args(hint)[1:] == (...,):
            return tuple(self._forget(one, get_args(hint)[0]) for one in value)
        if isinstance(value, dict):
            of_key, of_value = get_args(hint)
            return {
                self._forget(key, of_key): self._forget(one, of_value) for key, one in value.items()
            }
        return value

    def _forget_marked(self, value: Any, mark: Any, record: Struct | None) -> Any:
        """Return the value of a field that is marked for people, without the person."""
        if mark == IS_USER:
            return self._former.id if value == self._user else value
        if mark == IS_FACTS:
            return {
                key: self._forget(one, UserId if key == "owner" else Words)
                for key, one in value.items()
            }
        if isinstance(mark, NameOf):
            user = getattr(record, mark.field)
            if user == self._user:
                self._names.add(value)
            is_stand_in = user == COMPUTER and value in self._stand_ins
            return self._former.name if user == self._user or is_stand_in else value
        if isinstance(mark, DetailOf):
            return "" if getattr(record, mark.field) == self._user else value
        if isinstance(value, str):
            names = {name for name in self._names if name}
            for name in (f"<@{self._user}>", *names, *map(escape_text, names)):
                value = value.replace(name, self._former.name)
        return value


@cache
def fields_of(record: type) -> dict[str, Any]:
    """Return the types of a record's fields, with their markers."""
    return get_type_hints(record, include_extras=True)
