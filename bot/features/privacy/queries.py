"""What is kept about a person, in every table: read for their export, and forgotten when they ask
for it.

People stand in columns named `user_id`, and in documents where the type of a field says so
(bot/model). A test fails for a column or a field that says nothing.
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
    MatchRecord,
    NameOf,
    Person,
    TableClocks,
    UserId,
    Words,
)
from bot.store.sql import Command, Database, Select, SelectOne, Statement, as_tuple
from engine.core.escape import escaped

T = TypeVar("T")

OWN_TABLES = ("player_settings", "jobs", "notes")
"""Tables whose rows belong to one person, and are deleted with them."""
SHARED_TABLES = ("results", "ratings")
"""Tables whose rows are part of other people's matches too.

They stay, under another id and name.
"""

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
# The job that forgets somebody goes last, when all of it is done.
DELETE_OWN["jobs"] = Statement("DELETE FROM jobs WHERE user_id = {user} AND kind != {kept_job}")

RENAME_SHARED = [
    Statement(f"""
        UPDATE {table} SET user_id = {{id}}, name = {{name}}
        WHERE user_id = {{user}} AND user_id != 0
    """)
    for table in SHARED_TABLES
]

last_opened = SelectOne(int, "SELECT opened FROM matches ORDER BY opened DESC LIMIT 1")
"""Return the number of the newest match."""

# Ids are so long that they are found as text: whatever is found by chance tells of nobody, and
# stays as it is.
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
"""Return the matches in which a person may be found, of those opened in between."""

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
    """Return a person's own rows and their share of what others have played too, by table."""
    found = {}
    for table, statement in OWN_ROWS.items():
        cursor = statement.run(db, user)
        rows = sorted(cursor.fetchall(), key=str)
        names = [column[0] for column in cursor.description or ()]
        found[table] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


def forget_rows(db: Database, user: int, former: Person, kept_job: str = "") -> None:
    """Delete a person's own rows, except their job of one kind; rename what they share."""
    LOCK_RATINGS(db)
    for statement in DELETE_OWN.values():
        statement.run(db, user=user, kept_job=kept_job)
    for statement in RENAME_SHARED:
        statement.run(db, user=user, id=former.id, name=former.name)


def forget_in(db: Database, match: str, user: int, former: Person) -> None:
    """Put a former player wherever a match tells of a person, and delete what was theirs alone."""
    stored = queries.load_match(db, match)
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
        # The channel is that of their direct messages.
        after = replace(
            after,
            place=replace(record.place, channel=0, thread=0),
            result_unannounced=False,
            paused_for="",
            lobby_message=0,
            turn_message=0,
        )
        WITHDRAW_POSTS(db, match)
    drafts = tuple(draft for draft in stored.drafts if draft.seat not in own_seats)
    queries.put_record(db, leaver.forget_in(after), drafts)
    for number, kept in CLOCKS(db, match=match, user=user):
        clocks = leaver.forget_in(msgspec.json.decode(kept, type=TableClocks))
        PUT_CLOCKS(db, msgspec.json.encode(clocks).decode(), match, number)
    for vote in vote_queries.votes(db, match):
        vote_queries.put_vote(db, leaver.forget_in(vote))


def forget_everywhere(db: Database, user: int, former: Person) -> None:
    """Forget a person in a whole database at once."""
    for match in matches_with(db, user=user, after=0, until=last_opened(db) or 0):
        forget_in(db, match, user, former)
    forget_rows(db, user, former)


class Leaver:
    """Somebody who is being forgotten in a match, and the former player who takes their place."""

    def __init__(self, user: int, former: Person, record: MatchRecord) -> None:
        self._user = user
        self._former = former
        changes = [change for change in record.seat_changes if change.was == user]
        self._stand_ins = {change.was_name for change in changes if change.user == COMPUTER}
        """Names of theirs under which a computer plays on in their seat."""
        self._names: set[str] = set()
        """All names of theirs that were found so far: in a vote they stand before the words."""

    def forget_in(self, document: T) -> T:
        """Return a document with the former player wherever its types say it tells of a person."""
        found: T = self._forget(document, type(document))
        return found

    def _forget(self, value: Any, hint: Any, record: Struct | None = None) -> Any:
        """Return a value of a type, and of a field of a record, without the person."""
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
        """Return the value of a field whose type says that it may tell of a person."""
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
        if isinstance(value, str):
            names = {name for name in self._names if name}
            for name in (f"<@{self._user}>", *names, *map(escaped, names)):
                value = value.replace(name, self._former.name)
        return value


@cache
def fields_of(record: type) -> dict[str, Any]:
    """Return the types of a record's fields, with what marks them."""
    return get_type_hints(record, include_extras=True)
