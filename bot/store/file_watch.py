"""Watching the file under a running bot, in case it is removed, replaced or cut short.

SQLite holds its files open and goes on writing into them, also when they have no name any more: all
that is acknowledged from then on would be gone with the process. So with every write it is made
sure that the files are still the same. What was removed or replaced can still be read, and is put
where it is found at the next start.
"""

import logging
import os
import sqlite3
from pathlib import Path
from time import gmtime, strftime

from bot.store.sqlite_file import copy_into, make_private_folder
from bot.text import say

log = logging.getLogger("motu.store")

LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The first bytes of every write-ahead log."""


class FileLost(Exception):
    """The files are not those that were opened.

    Its one argument is what was done to them: `removed`, `replaced` if another file has the name,
    `log_removed` if the write-ahead log has lost its name, `overwritten` if one of them was cut
    short or written over.
    """


class FileWatch:
    """What is known of an open database's file and of the write-ahead log beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log_path = self.path.with_name(self.path.name + "-wal")
        self._note()

    def _note(self) -> None:
        self._file = self.path.stat()
        self._log = _stat(self._log_path)

    def check(self, database: sqlite3.Connection) -> None:
        """Before a write: raise FileLost unless the files are those that were written last."""
        self._check_names()
        found = self.path.stat()
        if found.st_size < self._file.st_size:
            raise FileLost("overwritten")
        if found.st_mtime_ns != self._file.st_mtime_ns:
            # Somebody else wrote into it: SQLite, for a reader who tidies up, or whoever copied a
            # file over it.
            database.execute("PRAGMA shrink_memory")
            if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise FileLost("overwritten")
            self._note()

    def check_written(self) -> None:
        """After a commit, before it is acknowledged: raise FileLost unless it is in the files of
        these names.
        """
        self._check_names()
        # A log that was emptied begins with a hole, and none of it would be read after a crash.
        if self._log_path.exists():
            with self._log_path.open("rb") as file:
                begins = file.read(4)
            if begins and begins not in LOG_BEGINS:
                raise FileLost("overwritten")
        self._note()

    def _check_names(self) -> None:
        found = _stat(self.path)
        if found is None:
            raise FileLost("removed")
        if not os.path.samestat(found, self._file):
            raise FileLost("replaced")
        if self._log is not None and not self._has_own_log():
            raise FileLost("log_removed")

    def _has_own_log(self) -> bool:
        found = _stat(self._log_path)
        return bool(found and self._log and os.path.samestat(found, self._log))

    def rescue(self, database: sqlite3.Connection, harm: str) -> str:
        """Put what the open connection still reads where it is not lost; return in words what has
        become of it.
        """
        stamp = strftime("%Y%m%d-%H%M%S", gmtime())
        copy = self.path.with_name(f"{self.path.name}.rescued-{stamp}")
        try:
            if harm == "log_removed":
                ((busy, _, _),) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                if busy:
                    copy_into(database, copy)
                    harm = "replaced"
            elif harm != "overwritten":
                make_private_folder(self.path.parent)
                copy_into(database, copy)
                if self._has_own_log():
                    # A new file must not be read together with the old one's log.
                    for end in ("-wal", "-shm"):
                        self.path.with_name(self.path.name + end).unlink(missing_ok=True)
                if harm == "removed":
                    copy.replace(self.path)
        except (sqlite3.Error, OSError) as error:
            log.error("what was in the database could not be rescued: %s", error)
            harm = "overwritten"
        return say(f"database.{harm}", path=self.path, copy=copy)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
