"""Copies of a database that is in use: each is whole, as the database stood at one moment."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.errors import StoreError
from bot.text import say

PATIENCE = 60.0
"""Seconds to wait for whoever holds the file."""


def back_up(path: Path, target: Path) -> int:
    """Copy a database into a new file, also while a bot writes to it; the number of matches in the copy."""
    if not path.is_file():
        raise StoreError(say("database.none", path=path))
    if target.exists():
        raise StoreError(say("database.backup_exists", path=target))
    try:
        make_private_folder(target.parent)
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as database:
            copy_into(database, target)
        with closing(sqlite3.connect(target)) as copy:
            if copy.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError
            ((matches,),) = copy.execute("SELECT count(*) FROM match")
    except (sqlite3.Error, OSError) as error:
        raise StoreError(say("database.not_copied", path=path, target=target, why=error)) from error
    return int(matches)


def copy_into(database: sqlite3.Connection, target: Path) -> None:
    """All that a connection sees, in a new file that its owner alone can read."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        database.execute("VACUUM INTO ?", (str(part),))
        with part.open("rb") as made:
            os.fsync(made.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def make_private_folder(folder: Path) -> None:
    """Make a folder and those above it, for their owner alone."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
