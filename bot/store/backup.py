"""Copies of a database that is in use: each is whole, as the database stood at one moment."""

import asyncio
import logging
import os
import sqlite3
import time
from calendar import timegm
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import gmtime, strftime, strptime

from bot.runtime.clock import DAY, HOUR
from bot.runtime.errors import StoreError
from bot.store.base import Work
from bot.store.sql import SqliteConnection

log = logging.getLogger("motu.store")

WEEK = 7 * DAY
FIRST_COPY_DELAY = 60
"""Seconds after a start before the first copy."""
PREFIX = "hourly-"
HOURLY = f"{PREFIX}%Y%m%d-%H%M%S.db"

LOCK_TIMEOUT = 60.0
"""Seconds to wait for whoever holds the file."""


def back_up(path: Path, target: Path) -> int:
    """Copy a database into a new file, also while a bot writes to it; the number of matches in
    the copy.
    """
    if not path.is_file():
        raise StoreError("database.none", path=path)
    if target.exists():
        raise StoreError("database.backup_exists", path=target)
    try:
        make_private_folder(target.parent)
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=LOCK_TIMEOUT)
        ) as database:
            copy_into(database, target)
        with closing(sqlite3.connect(target)) as copy:
            if copy.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError
            ((matches,),) = copy.execute("SELECT count(*) FROM matches")
    except (sqlite3.Error, OSError) as error:
        raise StoreError("database.not_copied", path=path, target=target, why=error) from error
    return int(matches)


def copy_into(database: sqlite3.Connection, target: Path) -> None:
    """All that a connection sees, in a new file that its owner alone can read."""
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        database.execute("VACUUM INTO ?", (str(part),))
        # Open for writing as well, which nothing does: Windows only syncs a file that could have
        # been written to.
        with part.open("r+b") as made:
            os.fsync(made.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def make_private_folder(folder: Path) -> None:
    """Make a folder and those above it, for their owner alone."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


class Hourly:
    """A copy every hour while the bot runs, in the folder `backups` beside the database.

    The last so many are kept, and of those before them one a day for a week.
    """

    def __init__(self, database: Path, keep: int, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self.folder = database.parent / "backups"
        self._keep = keep
        self._now = now

    async def run(self) -> None:
        """Copy for ever; what fails is said and tried again in an hour."""
        await asyncio.sleep(self.wait())
        while True:
            try:
                await asyncio.to_thread(self.make)
            except (StoreError, OSError) as error:
                log.error("the hourly copy of the database failed: %s", error)
            await asyncio.sleep(HOUR)

    def wait(self) -> float:
        """Seconds until the next copy is due: an hour after the last one, however often the bot
        was started since.
        """
        copies = self._copies()
        made = _made(copies[-1]) if copies else 0.0
        return max(FIRST_COPY_DELAY, min(HOUR, made + HOUR - self._now()))

    def make(self) -> Path:
        """One copy more, and those removed that are not kept any longer."""
        copy = self.folder / strftime(HOURLY, gmtime(self._now()))
        back_up(self._database, copy)
        for spare in self._spare():
            spare.unlink(missing_ok=True)
        return copy

    def _spare(self) -> list[Path]:
        """Copies that are not kept any longer, and what is left of one that was broken off."""
        older = self._copies()[: -self._keep]
        newest_of_day = {gmtime(_made(copy))[:3]: copy for copy in older}
        kept = {copy for copy in newest_of_day.values() if _made(copy) > self._now() - WEEK}
        broken_off = list(self.folder.glob(f".{PREFIX}*.part"))
        return [*(copy for copy in older if copy not in kept), *broken_off]

    def _copies(self) -> list[Path]:
        """The copies that were made every hour, by their age."""
        return sorted(path for path in self.folder.glob(f"{PREFIX}*.db") if _made(path))


def write_in_copies(database: Path, work: Work[None]) -> None:
    """Run a query in the hourly copies as well; one that cannot be changed is gone within a week
    anyway.
    """
    for path in Hourly(database, keep=1)._copies():
        try:
            opened = sqlite3.connect(
                path, isolation_level=None, timeout=LOCK_TIMEOUT, factory=SqliteConnection
            )
            with closing(opened) as copy:
                copy.execute("BEGIN IMMEDIATE")
                work(copy)
                copy.execute("COMMIT")
                if copy.total_changes:
                    copy.execute("VACUUM")
        except sqlite3.Error as error:
            log.warning("the copy %s stays as it is: %s", path.name, error)


def _made(copy: Path) -> float:
    """When a copy was made, as its name says; 0 if it is not one of these."""
    try:
        return float(timegm(strptime(copy.name, HOURLY)))
    except ValueError:
        return 0.0
