"""What is kept of people: every column is said to be somebody's or nobody's, and what is deleted is gone."""

import asyncio
from contextlib import closing
from pathlib import Path
from random import Random

from bot.store.personal import AMONG_OTHERS, NOBODYS, SHARED, THEIR_OWN
from bot.store.schema import opened
from bot.store.sql import Database
from bot.store.sqlite import SqliteStore

SECRET = "what somebody wants to be forgotten"


def test_every_column_is_known_to_be_personal_or_not(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "motu.sqlite3")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        schema = {
            (table, column[1])
            for (table,) in tables.fetchall()
            for column in database.execute(f"PRAGMA table_info({table})")
        }
    own = {(table, column) for table, (whose, others) in THEIR_OWN.items() for column in (whose, *others)}
    declared = [(table, column) for kind in (SHARED, AMONG_OTHERS, NOBODYS) for table in kind for column in kind[table]]
    assert len(set(declared)) == len(declared) and not own & set(declared), "each stands in one place"
    assert own | set(declared) == schema, "say in bot/store/personal.py whether a new column tells of a person"


async def test_no_copy_is_left_of_what_was_deleted_wherever_sqlite_has_moved_it(tmp_path: Path) -> None:
    store, random = await SqliteStore.open(tmp_path / "motu.sqlite3"), Random("pages")

    def churn(db: Database) -> None:
        owners = []
        for _ in range(2000):
            owners.append(random.getrandbits(60))
            db.execute("INSERT INTO player_setting VALUES (?, 'key', ?)", (owners[-1], SECRET))
            grown = (SECRET + "x" * int(random.expovariate(1 / 500)), random.choice(owners))
            db.execute("UPDATE player_setting SET value = ? WHERE owner = ?", grown)

    await store.write(churn)
    await store.write(lambda db: db.execute("UPDATE player_setting SET value = 'nothing'"))
    await store.scrub()
    assert SECRET.encode() not in await asyncio.to_thread(store._watch.path.read_bytes)
    await store.close()
