"""The migrations of the schema, and the databases that are refused.

SQLite and PostgreSQL have their files in schema/, one for each version. An older database is
migrated to the newest version when it is opened; there is no way back.
"""

from collections.abc import Iterator
from pathlib import Path

from bot.runtime.base import StoreError
from bot.store.sql import Database, Statement, first_column, first_value

MIGRATIONS = Path(__file__).parent / "schema" / "sqlite"
POSTGRES_MIGRATIONS = MIGRATIONS.with_name("postgres")

MOVING = "moving"
"""The table that marks a database into which another is being moved."""
UNRELEASED = "match"
"""A table that only databases from before the first release have."""

TABLES = Statement(
    sqlite="SELECT name FROM sqlite_master WHERE type = 'table'",
    postgres="SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
)
VERSION = Statement("SELECT version FROM schema_version")
MAKE_VERSION = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (0);
"""


def steps(migrations: Path = MIGRATIONS) -> list[Path]:
    """Return the migrations in order; the first leads to schema version 1."""
    paths = sorted(migrations.glob("*.sql"))
    numbers = [int(path.stem) for path in paths]
    if numbers != list(range(1, len(paths) + 1)):
        raise StoreError("database.gap", folder=migrations)
    return paths


def schema_version(db: Database, place: Path | str, migrations: Path) -> int:
    """Return the schema version of a database, 0 if it is empty.

    Raises StoreError if it is another program's, or too old or too new for this one.
    """
    tables = first_column(db.execute(TABLES))
    if not tables:
        return 0
    if "schema_version" not in tables:
        raise StoreError("database.foreign", path=place)
    if UNRELEASED in tables:
        raise StoreError("database.unreleased", path=place)
    version = int(first_value(db.execute(VERSION)))
    known = len(steps(migrations))
    if version > known:
        raise StoreError("database.newer", path=place, version=version, known=known)
    return version


def pending_migrations(
    db: Database, place: Path | str, migrations: Path, alone: bool
) -> Iterator[tuple[int, str]]:
    """Yield the version and the script of each migration that a database lacks.

    Raises StoreError if another database was only partly moved into it, unless it is opened `alone`
    to continue that.
    """
    version = schema_version(db, place, migrations)
    if not alone and MOVING in first_column(db.execute(TABLES)):
        raise StoreError("database.half_moved", path=place)
    for number, step in enumerate(steps(migrations), start=1):
        if number > version:
            script = f"""
                BEGIN;
                {MAKE_VERSION if number == 1 else ""}
                {step.read_text(encoding="utf-8")}
                UPDATE schema_version SET version = {number};
                COMMIT;
            """
            yield number, script
