"""Make backups of a database that is in use, each the consistent state of one moment.

`motu backup` makes one. While the bot runs, one is made every hour in the folder `backups` next to
the database. The newest `keep` are kept, and of older ones one per day for a week.
"""

import asyncio
import logging
import sqlite3
import time
from calendar import timegm
from contextlib import closing, suppress
from pathlib import Path
from time import gmtime, strftime, strptime

from bot.runtime.base import DAY, HOUR, StoreError
from bot.store.base import Work
from bot.store.sqlite_file import connect, copy_into, find_damage, make_private_folder

log = logging.getLogger("motu.store")

WEEK = 7 * DAY
FIRST_COPY_DELAY = 60
"""Seconds after a start before the first copy."""
HOURLY = "hourly-%Y%m%d-%H%M%S.db"

LOCK_TIMEOUT = 60.0
"""Seconds to wait for another process to release the file."""


def back_up(path: Path, target: Path) -> int:
    """Copy a database into a new file; return how many matches the copy has."""
    if not path.is_file():
        raise StoreError("database.none", path=path)
    if target.exists():
        raise StoreError("database.backup_exists", path=target)
    try:
        make_private_folder(target.parent)
        with closing(connect(path, "rw", LOCK_TIMEOUT)) as database:
            copy_into(database, target)
        with closing(connect(target, "ro")) as copy:
            if damage := find_damage(copy):
                raise sqlite3.DatabaseError(damage)
            ((matches,),) = copy.execute("SELECT count(*) FROM matches")
    except (sqlite3.Error, OSError) as error:
        raise StoreError("database.not_copied", path=path, target=target, why=error) from error
    return int(matches)


async def run_hourly(database: Path, keep: int) -> None:
    """Make a copy every hour; a failure is logged, and the next attempt is an hour later."""
    await asyncio.sleep(seconds_until_hourly(database, time.time()))
    while True:
        try:
            await asyncio.to_thread(make_hourly, database, keep, time.time())
        except (StoreError, OSError) as error:
            log.error("the hourly database backup failed: %s", error)
        await asyncio.sleep(HOUR)


def seconds_until_hourly(database: Path, now: float) -> float:
    """Return the seconds until the next copy: an hour after the last, despite restarts."""
    last_made = max(_hourly_copies(database).values(), default=0.0)
    return max(FIRST_COPY_DELAY, min(HOUR, last_made + HOUR - now))


def make_hourly(database: Path, keep: int, now: float) -> Path:
    """Make a copy, delete those that are no longer kept, and return the new one's path."""
    folder = database.parent / "backups"
    copy = folder / strftime(HOURLY, gmtime(now))
    back_up(database, copy)
    older = list(_hourly_copies(database).items())[:-keep]
    newest_of_day = {gmtime(made)[:3]: path for path, made in older}
    for path, made in older:
        if made <= now - WEEK or path not in newest_of_day.values():
            path.unlink(missing_ok=True)
    # Incomplete copies of a process that was killed.
    for part in folder.glob(".hourly-*.part"):
        part.unlink(missing_ok=True)
    return copy


def _hourly_copies(database: Path) -> dict[Path, float]:
    """Return the hourly copies, oldest first, each with the time in its name."""
    copies: dict[Path, float] = {}
    for path in sorted((database.parent / "backups").glob("hourly-*.db")):
        # Somebody may have put another file there.
        with suppress(ValueError):
            copies[path] = float(timegm(strptime(path.name, HOURLY)))
    return copies


def write_in_copies(database: Path, work: Work[None]) -> None:
    """Run a query in the hourly copies as well.

    A copy that cannot be changed is deleted within a week anyway.
    """
    for path in _hourly_copies(database):
        try:
            with closing(connect(path, "rw", LOCK_TIMEOUT)) as copy:
                copy.execute("BEGIN IMMEDIATE")
                work(copy)
                copy.execute("COMMIT")
                if copy.total_changes:
                    copy.execute("VACUUM")
        except sqlite3.Error as error:
            log.warning("couldn't update the backup %s: %s", path.name, error)
