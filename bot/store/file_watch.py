"""Watching the file under a running bot: whoever removes, replaces or cuts it short does not go
unnoticed.

SQLite holds its files open and goes on writing into them, also when they have no name any more: all
that is acknowledged from then on would be gone with the process. So with every write it is made
sure that the files are still the same. What was removed or replaced can still be read, and is put
where it is found at the next start.
"""

import logging
import sqlite3
from enum import Enum
from pathlib import Path
from time import gmtime, strftime

from bot.store.backup import copy_into, make_private_folder
from bot.text import say

log = logging.getLogger("motu.store")

LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The first bytes of every write-ahead log."""

Identity = tuple[int, int]
"""Which file it is, whatever it is called."""
NO_FILE: Identity = (0, 0)


class Harm(Enum):
    """What was done to the files."""

    REMOVED = "removed"
    REPLACED = "replaced"
    """Another file has its name."""
    LOG_REMOVED = "log_removed"
    """The write-ahead log has lost its name."""
    OVERWRITTEN = "overwritten"
    """One of them was cut short, or written over."""


class FileLost(Exception):
    """The files are not those that were opened."""

    def __init__(self, harm: Harm) -> None:
        super().__init__(harm.value)
        self.harm = harm


class FileWatch:
    """What is known of an open database's file and of the write-ahead log beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log = self.path.with_name(self.path.name + "-wal")
        self._note()

    def _note(self) -> None:
        found = self.path.stat()
        self._file_is: Identity = (found.st_dev, found.st_ino)
        self._log_is = _identity(self._log)
        self._size, self._written = found.st_size, found.st_mtime_ns
        self._log_is_empty = not self._log.exists() or not self._log.stat().st_size

    def check(self, database: sqlite3.Connection) -> None:
        """Before a write: FileLost unless the files are those that were written last."""
        self._check_names()
        found = self.path.stat()
        if found.st_size < self._size:
            raise FileLost(Harm.OVERWRITTEN)
        if found.st_mtime_ns != self._written:
            # Somebody else wrote into it: SQLite, for a reader who tidies up, or whoever copied a
            # file over it.
            database.execute("PRAGMA shrink_memory")
            if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise FileLost(Harm.OVERWRITTEN)
            self._note()

    def check_written(self) -> None:
        """After a commit, before it is acknowledged: FileLost unless it stands in the files of
        these names.
        """
        self._check_names()
        # A log that was emptied begins with a hole, and none of it would be read after a crash. One
        # that was empty before stays so if nothing had to be changed.
        if self._log.exists():
            with self._log.open("rb") as file:
                begins = file.read(4)
            if begins not in LOG_BEGINS and not (self._log_is_empty and not begins):
                raise FileLost(Harm.OVERWRITTEN)
        self._note()

    def log_emptied(self) -> None:
        """After the write-ahead log was written back into the file, and cut to nothing."""
        self._check_names()
        self._note()

    def _check_names(self) -> None:
        file = _identity(self.path)
        if file != self._file_is:
            raise FileLost(Harm.REMOVED if file == NO_FILE else Harm.REPLACED)
        if self._log_is not in (NO_FILE, _identity(self._log)):
            raise FileLost(Harm.LOG_REMOVED)

    def rescue(self, database: sqlite3.Connection, harm: Harm) -> str:
        """Put what the open connection still reads where it is not lost; what has become of it,
        in words.
        """
        copy = self.path.with_name(
            f"{self.path.name}.rescued-{strftime('%Y%m%d-%H%M%S', gmtime())}"
        )
        try:
            match harm:
                case Harm.REMOVED:
                    make_private_folder(self.path.parent)
                    copy_into(database, copy)
                    self._forget_log()
                    copy.replace(self.path)
                case Harm.REPLACED:
                    copy_into(database, copy)
                    # The new file must not be read together with the old one's log.
                    self._forget_log()
                case Harm.LOG_REMOVED:
                    ((busy, _, _),) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    if busy:
                        copy_into(database, copy)
                        harm = Harm.REPLACED
                case Harm.OVERWRITTEN:
                    pass
        except (sqlite3.Error, OSError) as error:
            log.error("what was in the database could not be rescued: %s", error)
            harm = Harm.OVERWRITTEN
        return say(f"database.{harm.value}", path=self.path, copy=copy)

    def _forget_log(self) -> None:
        if _identity(self._log) == self._log_is:
            for end in ("-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except FileNotFoundError:
        return NO_FILE
    return found.st_dev, found.st_ino
