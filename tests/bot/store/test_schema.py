"""Opening a file: new, old, newer, damaged, foreign, locked or out of reach."""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.features import catch_up, server_settings, thinning
from bot.features.history import moments
from bot.features.ratings import queries as rating_queries
from bot.features.reminders import player_settings
from bot.features.votes import queries as vote_queries
from bot.kernel import queries
from bot.kernel.room import SILENCE_SECONDS
from bot.run import match_check
from bot.runtime.base import StoreError
from bot.store import sqlite_file
from bot.store.schema import MIGRATIONS, steps
from bot.store.sql import Statement
from bot.store.sqlite import SqliteStore
from bot.store.sqlite_file import open_file
from tests.bot.backend import BEA, Backend, match_of
from tests.bot.store.keep import OLD
from tests.patience import PATIENCE

NEWEST = len(steps())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A path for a new database."""
    return tmp_path / "motu.sqlite3"


def refusal(path: Path, migrations: Path = MIGRATIONS) -> str:
    """Return why the file is not opened."""
    with pytest.raises(StoreError) as refused:
        open_file(path, migrations)
    assert str(path) in str(refused.value)
    return str(refused.value)


async def fill(path: Path) -> None:
    """Play a match in a new file."""
    backend = Backend(path)
    await backend.open()
    await backend.play_out(await backend.start_match("blue_lagoon"), limit=12)
    await backend.matches.close()


def filled(path: Path) -> bytes:
    """A closed database with a match in it."""
    asyncio.run(fill(path))
    return path.read_bytes()


def version_of(path: Path) -> int:
    """Return the schema version of a closed file."""
    with closing(sqlite3.connect(path)) as database:
        ((version,),) = database.execute("SELECT version FROM schema_version")
    return int(version)


async def test_a_new_file_has_the_newest_schema(path: Path) -> None:
    store = await SqliteStore.open(path)
    await store.close()
    assert version_of(path) == NEWEST


def test_the_connection_keeps_what_was_acknowledged(path: Path) -> None:
    with closing(open_file(path)) as database:
        found = [
            database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous")
        ]
        assert found == ["wal", 2]
        assert database.execute("PRAGMA foreign_keys").fetchone() == (1,)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_a_new_file_is_its_owners_alone(path: Path) -> None:
    connection = open_file(path)
    connection.execute("CREATE TABLE more (x)")
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    assert {file.stat().st_mode & 0o077 for file in files if "-lock" not in file.name} == {0}
    connection.close()


def test_a_closed_store_leaves_a_single_file(path: Path) -> None:
    filled(path)
    assert not path.with_name(path.name + "-wal").exists()


def test_every_older_schema_has_a_stored_database() -> None:
    assert {file.name for file in OLD.glob("*.sql")} == {
        f"schema_{n}.sql" for n in range(1, NEWEST + 1)
    }


@pytest.mark.parametrize("old", range(1, NEWEST + 1))
async def test_matches_of_every_older_schema_can_be_played_on(path: Path, old: int) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript((OLD / f"schema_{old}.sql").read_text(encoding="utf-8"))
    assert version_of(path) == old
    backend = Backend(path)
    matches = await backend.open()
    (room,) = await matches.of_user(BEA.id)
    assert match_of(room).number > 5
    assert match_of(room).draft(match_of(room).waiting_for()[0]).answers
    assert len(await matches.log(room.record.id, None)) == match_of(room).number + 1
    assert await matches.pending_posts(room.record.id)
    # If it falls silent, its players will vote on it.
    assert "silence" in [due.kind for due in await matches.store.read(queries.jobs, room.record.id)]
    assert matches.clocks.silent_seconds(room) < SILENCE_SECONDS
    finished = await backend.play_out(room)
    assert (await matches.transcript(finished.record.id)).startswith("motu transcript")
    await matches.store.write(queries.put_player_setting, 1, "key", "value")
    await matches.close()
    assert version_of(path) == NEWEST


def migrations(folder: Path, *texts: str) -> Path:
    """Return a folder of migrations."""
    folder.mkdir()
    for number, text in enumerate(texts, start=1):
        (folder / f"{number:04}.sql").write_text(text)
    return folder


def test_migrations_are_applied_one_step_at_a_time(tmp_path: Path, path: Path) -> None:
    first = migrations(tmp_path / "first", "CREATE TABLE a (x); INSERT INTO a VALUES (1);")
    both = migrations(
        tmp_path / "both",
        "SELECT * FROM missing;",
        "ALTER TABLE a ADD COLUMN y DEFAULT 5;",
        "UPDATE a SET y = y + x;",
    )
    open_file(path, first).close()
    with closing(open_file(path, both)) as database:
        assert database.execute("SELECT * FROM a").fetchall() == [(1, 6)]
        assert database.execute("SELECT version FROM schema_version").fetchall() == [(3,)]


def test_a_file_is_copied_before_it_is_migrated(tmp_path: Path, path: Path) -> None:
    open_file(path).close()
    assert not list(path.parent.glob("*.schema-*")), "a new one has nothing to lose"
    migrations = shutil.copytree(MIGRATIONS, tmp_path / "newer")
    newer = len(steps(migrations)) + 1
    (migrations / f"{newer:04}.sql").write_text("CREATE TABLE later (x INTEGER);")
    open_file(path, migrations).close()
    open_file(path, migrations).close()
    (copy,) = path.parent.glob("*.schema-*")
    assert copy.name == f"{path.name}.schema-{newer - 1}" and copy.stat().st_mode & 0o077 == 0
    with pytest.raises(StoreError, match=re.escape(str(copy))):
        open_file(path)
    open_file(copy).close()


def test_a_database_from_before_0_9_0_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (9)"
        )
        database.execute("CREATE TABLE match (id TEXT)")
        database.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"before 0\.9\.0"):
        open_file(path)
    assert path.read_bytes() == before


def test_a_migration_that_fails_leaves_the_schema_before_it(tmp_path: Path, path: Path) -> None:
    first = migrations(tmp_path / "first", "CREATE TABLE a (x);")
    broken = migrations(
        tmp_path / "broken",
        "",
        "CREATE TABLE b (x);",
        "CREATE TABLE c (x); INSERT INTO nowhere VALUES (1);",
    )
    open_file(path, first).close()
    assert "schema 3" in refusal(path, broken)
    with closing(sqlite3.connect(path)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert tables == {"a", "b", "schema_version"} and version_of(path) == 2


def test_migrations_with_a_gap_are_refused(tmp_path: Path) -> None:
    folder = migrations(tmp_path / "gap", "", "")
    (folder / "0002.sql").rename(folder / "0003.sql")
    with pytest.raises(StoreError, match="gap"):
        steps(folder)


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE schema_version SET version = 99")
    before = path.read_bytes()
    assert "newer Motu (schema 99" in refusal(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()
    assert "another program" in refusal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", [b"not a database at all, but long enough for a header" * 40, b"\x00" * 5000]
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    assert "not a database" in refusal(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_database_is_refused(path: Path, share: float) -> None:
    whole = filled(path)
    path.write_bytes(whole[: int(len(whole) * share)])
    assert "damaged" in refusal(path)


def test_a_database_with_a_damaged_page_is_refused(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
    assert "damaged" in refusal(path)


def damage(path: Path) -> None:
    """Damage a page of a file."""
    whole = path.read_bytes()
    path.write_bytes(whole[:-8192] + b"\xff" * 4096 + whole[-4096:])


async def test_a_large_database_opens_at_once_and_damage_in_it_still_stops_the_bot(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "CHECKED_AT_ONCE", 0)
    await fill(path)
    store = await SqliteStore.open(path)
    assert store._damage_check is not None
    await store._damage_check
    assert not store.lost.is_set()
    await store.close()
    await asyncio.to_thread(damage, path)
    store = await SqliteStore.open(path)
    async with asyncio.timeout(PATIENCE):
        await store.lost.wait()
    assert "The file is damaged" in store.why_lost
    await store.close()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "doesn't exist" in refusal(tmp_path / "nowhere" / "motu.sqlite3")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    refusal(tmp_path / "folder")


@contextmanager
def without_privileges() -> Iterator[None]:
    """Drop privileges, so that file permissions apply even to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_an_unwritable_folder_is_refused() -> None:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    try:
        with without_privileges():
            refusal(folder / "motu.sqlite3")
        assert list(folder.iterdir()) == []
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_an_unwritable_file_is_refused() -> None:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    file = folder / "motu.sqlite3"
    try:
        filled(file)
        file.with_name(file.name + "-lock").unlink()
        file.chmod(0o444)
        with without_privileges():
            refusal(file)
    finally:
        shutil.rmtree(folder)


async def test_a_store_that_does_not_open_says_why(path: Path) -> None:
    store = await SqliteStore.open(path)
    with pytest.raises(StoreError, match="Another Motu is using"):
        await SqliteStore.open(path)
    await store.close()


def test_two_bots_never_share_a_file(path: Path) -> None:
    held = open_file(path)
    assert "Another Motu is using" in refusal(path)
    held.close()
    open_file(path).close()


def test_a_linked_path_is_the_same_file(path: Path) -> None:
    link = path.with_name("link.sqlite3")
    link.symlink_to(path)
    with closing(open_file(path)), pytest.raises(StoreError, match="Another Motu is using"):
        open_file(link)


HOLDER = """
import sys
from pathlib import Path
from bot.store.sqlite_file import open_file
held = open_file(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_a_killed_bot_is_gone(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"open\n"
        assert "Another Motu is using" in refusal(path)
        holder.kill()
    open_file(path).close()


def test_a_repaired_file_can_be_opened(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(whole[: len(whole) // 2])
    refusal(path)
    path.write_bytes(whole)
    open_file(path).close()


MODULES = (
    queries,
    catch_up,
    moments,
    rating_queries,
    player_settings,
    server_settings,
    thinning,
    vote_queries,
    match_check,
)
STATEMENTS = {
    f"{module.__name__}.{name}": statement
    for module in MODULES
    for name, statement in vars(module).items()
    if isinstance(statement, Statement) and statement is not rating_queries.RATE_ALL_AGAIN
}
SHORT = (
    "CONSTANT",
    "(subquery",
    "in_channel",
    "in_thread",
    "of_user",
    "heartbeats",
    "jobs_by_wake",
)
"""What may be read whole: it is short, or only its first row is wanted."""


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_reads_a_whole_table(path: Path, name: str) -> None:
    sql = STATEMENTS[name].sqlite
    values = dict.fromkeys(re.findall(r":(\w+)", sql), 1)
    with closing(open_file(path)) as database:
        plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        partial = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%WHERE%'"
        )
        # These have only what is being looked for, however much else there is.
        short = [*SHORT, *(name for (name,) in partial)]
    assert not [
        line for line in plan if line.startswith("SCAN") and not any(map(line.count, short))
    ], plan
