"""Personal data: every column is declared, and deleted data is gone."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, get_args

from msgspec import Struct

from bot.features.privacy.queries import OWN_TABLES, SHARED_TABLES, Leaver, fields_of
from bot.model import (
    MatchRecord,
    Person,
    Place,
    PlannedTurn,
    SeatChange,
    SeatClock,
    Status,
    StoredDraft,
    TableClocks,
    TimeTerms,
    Vote,
)
from bot.store.sql import Database
from bot.store.sqlite import SqliteStore
from bot.store.sqlite_file import open_file

SECRET = "what somebody wants to be forgotten"


ELSEWHERE = {
    "matches": {"host", "channel", "thread", "lobby_message", "turn_message", "drafts", "record"},
    "moves": {"clocks"},
    "votes": {"vote"},
    "seats": {"user_id"},
}
"""Columns that `forget_in` sees to: documents, and what tells where somebody could be written
to.
"""

NOBODYS = {
    "matches": {
        *(
            "opened",
            "id",
            "game",
            "version",
            "status",
            "is_open",
            "guild",
            "last_activity_at",
            "paused_for",
        ),
        *("result_unannounced", "awaits_computer", "thinned"),
    },
    "seats": {"match_id", "is_seated", "is_open"},
    "moves": {"match_id", "number", "rules", "seat", "back_to", "answers", "events", "position"},
    "interactions": {"match_id", "id", "seat", "since", "number"},
    "announcements": {"id", "match_id", "since", "number", "is_posted"},
    "heartbeats": {"shards", "shard", "seen_at"},
    "absences": {"since", "until", "first_shard", "last_shard", "shards"},
    "server_settings": {"guild", "name", "value"},
    "votes": {"match_id", "number", "guild", "kind", "is_open", "is_posted"},
    "finishes": {"number", "match_id", "guild", "game", "seats", "finished_at", "is_rated"},
    "results": {
        *(
            "number",
            "seat",
            "level",
            "character",
            "place",
            "score",
            "kind",
            "has_left",
            "came_late",
            "counts",
        ),
        *("here_mu", "here_sigma", "mu", "sigma"),
    },
    "ratings": {
        "pool",
        "guild",
        "game",
        "level",
        "character",
        "mu",
        "sigma",
        "sure",
        "matches",
        "wins",
        "last_at",
    },
    "schema_version": {"version"},
}
"""Columns that tell of nobody, or of a seat only."""


def test_every_column_is_declared_personal_or_not(tmp_path: Path) -> None:
    with closing(open_file(tmp_path / "motu.sqlite3")) as database:
        tables = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        schema = {
            table: {column[1] for column in database.execute(f"PRAGMA table_info({table})")}
            for (table,) in tables.fetchall()
        }
    for table, columns in schema.items():
        if table in OWN_TABLES:
            assert "user_id" in columns, "its rows are deleted with their owner"
            continue
        shared = {"user_id", "name"} if table in SHARED_TABLES else set()
        assert shared | ELSEWHERE.get(table, set()) | NOBODYS.get(table, set()) == columns, (
            f"say whether new columns of {table} tell of a person, and have the queries "
            "of privacy forget those that do"
        )


OF_NOBODY = {
    MatchRecord: {
        *("id", "game", "settings", "commitment", "lobby_message", "turn_message", "paused_for"),
        *("last_activity_at", "version"),
    },
    Place: {"guild", "channel", "thread", "locale"},
    PlannedTurn: {
        "id",
        "seat",
        "move",
        "answers",
        "meant",
        "stages",
        "unless",
        "since",
        "at",
        "dropped",
    },
    SeatChange: {"seat", "since", "why"},
    SeatClock: {
        *(
            "bank",
            "since",
            "answered",
            "paid",
            "warned",
            "expired",
            "drafted",
            "vacation",
            "quiet",
            "late",
            "slept",
        ),
    },
    TableClocks: {"weekends", "posts"},
    TimeTerms: {"weekends"},
    Vote: {"match", "number", "kind", "opened", "ends", "outcome", "closed", "message", "place"},
    StoredDraft: {"seat", "answers"},
}
"""Fields of documents that tell of nobody, or of a seat only: plans and drafts go with their
seat.
"""


def fields_without_a_mark(hint: Any) -> Iterator[tuple[type, str]]:
    """Return fields with numbers or texts that are not declared."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        for name, of_field in fields_of(hint).items():
            parts = [of_field]
            for part in parts:
                parts += get_args(part)
            yield from (inner for part in parts for inner in fields_without_a_mark(part))
            is_marked = any(getattr(part, "__metadata__", ()) for part in parts)
            if not is_marked and {int, str, bytes, Any}.intersection(parts):
                yield hint, name


def test_every_document_field_is_declared_personal_or_not() -> None:
    documents = (MatchRecord, TableClocks, Vote, StoredDraft)
    found = {field for document in documents for field in fields_without_a_mark(document)}
    known = {(record, name) for record, names in OF_NOBODY.items() for name in names}
    assert {(record.__name__, name) for record, name in found ^ known} == set(), (
        "mark a field that tells of a person by its type (bot/model), and name any other here"
    )


def test_deleting_a_person_keeps_others_plans() -> None:
    plan = PlannedTurn(id=1, seat=1, move="31", answers=(("place", ("31", "settler")),))
    ana = Person(10, "Ana", locale="pl")
    bea = Person(11, "Bea", locale="de")
    former = Person(-7, "a former player")
    record = MatchRecord(
        id="aaaaaaaa",
        game="toy",
        status=Status.RUNNING,
        place=Place(1, 2),
        host=ana.id,
        settings={},
        chairs=(ana, bea),
        plans=(plan,),
    )
    after = Leaver(ana.id, former, record).forget_in(record)
    assert after.chairs == (former, bea) and after.plans == (plan,)


async def test_sqlite_leaves_no_copy_of_deleted_data(
    tmp_path: Path,
) -> None:
    store, random = await SqliteStore.open(tmp_path / "motu.sqlite3"), Random("pages")

    def churn(db: Database) -> None:
        owners = []
        for _ in range(2000):
            owners.append(random.getrandbits(60))
            db.execute("INSERT INTO player_settings VALUES (?, 'key', ?)", (owners[-1], SECRET))
            grown = (SECRET + "x" * int(random.expovariate(1 / 500)), random.choice(owners))
            db.execute("UPDATE player_settings SET value = ? WHERE user_id = ?", grown)

    await store.write(churn)
    await store.write(lambda db: db.execute("UPDATE player_settings SET value = 'nothing'"))
    await store.scrub()
    assert SECRET.encode() not in await asyncio.to_thread(store._watch.path.read_bytes)
    await store.close()
