"""What the local Discord keeps from one start to the next: one SQLite file, written with every change."""

import json
import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from bot.local import memory, rows
from bot.local.model import LOADING, Channel, Membership, Message, Seen, User
from bot.local.posting import renew
from bot.local.state import State

VERSION = 1
SCHEMA = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value NOT NULL);
CREATE TABLE person (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE channel (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE message (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE file (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, data TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE INDEX file_message ON file (message);
CREATE TABLE command (scope INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (scope, name));
CREATE TABLE seen (person INTEGER NOT NULL, channel INTEGER NOT NULL, message INTEGER NOT NULL,
                   PRIMARY KEY (person, channel));
"""

TIDY_EVERY = 50
"""New messages after which old ones are let go."""

log = logging.getLogger(__name__)


class CannotKeep(Exception):
    """The file cannot be used, with the reason in a line."""


class Keep:
    """The file, in the hands of one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._due: list[tuple[str, object]] = []
        self._untidy = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Private messages and the page's address are in it: nobody else on this machine may read them.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
            raise CannotKeep(_reason(path, error)) from error

    def _give_up(self, error: Exception) -> None:
        with suppress(AttributeError):
            self._db.close()

    def _prepare(self) -> None:
        # Held until it is closed: two programs at one table would tear it apart.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("BEGIN EXCLUSIVE")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise sqlite3.DatabaseError("it was made by a newer version of this program")
        if version == 0:
            for statement in SCHEMA.split(";\n"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Write what is due, and let others have the file."""
        self._flush()
        self._db.close()

    def fact(self, name: str, otherwise: Callable[[], str | bytes | int]) -> str | bytes | int:
        """A value by name, made when it is first asked for."""
        found = self._db.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        if found is None:
            found = (otherwise(),)
            self._db.execute("INSERT INTO fact VALUES (?, ?)", (name, found[0]))
        value: str | bytes | int = found[0]
        return value

    # Reading

    def attach(self, state: State) -> None:
        """Give a state what was kept, or keep all of it if nothing was; then keep every change."""
        try:
            if self._db.execute("SELECT 1 FROM person").fetchone():
                self._restore(state)
            else:
                self._begin(state)
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            raise CannotKeep(_reason(self.path, error)) from error
        # First of all: nobody hears of a change that is not kept.
        state.listeners.insert(0, self._hear)
        self._state = state
        self._tidy()

    def _begin(self, state: State) -> None:
        self._db.execute("BEGIN")
        for name in ("guild", "bot_role", "secret", "last_id"):
            self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, getattr(state, name)))
        for person in state.users.values():
            self._put_person(person)
        for channel in state.channels.values():
            self._put_channel(channel)
        self._db.execute("COMMIT")

    def _restore(self, state: State) -> None:
        for name in ("guild", "bot_role", "secret", "last_id"):
            setattr(state, name, self.fact(name, lambda: 0))
        people = self._db.execute("SELECT data FROM person ORDER BY id")
        state.users = {person.id: person for person in (rows.to_person(json.loads(data)) for (data,) in people)}
        state.bot = next(person for person in state.users.values() if person.bot)
        channels = self._db.execute("SELECT data FROM channel ORDER BY id").fetchall()
        state.channels = {c.id: c for c in (rows.to_channel(json.loads(data), state) for (data,) in channels)}
        self._restore_messages(state)
        state.commands = {None: {}}
        for scope, name, data in self._db.execute("SELECT scope, name, data FROM command ORDER BY rowid"):
            state.commands.setdefault(scope or None, {})[name] = json.loads(data)
        state.seen = {(p, c): m for p, c, m in self._db.execute("SELECT person, channel, message FROM seen")}
        for thread in state.threads():
            state.wait_for_silence(thread)

    def _restore_messages(self, state: State) -> None:
        state.messages, state.attachments, state.nonces = {}, {}, {}
        for message_id, data in self._db.execute("SELECT id, data FROM message ORDER BY id").fetchall():
            files = self._db.execute("SELECT data, bytes FROM file WHERE message = ?", (message_id,))
            message = rows.to_message(json.loads(data), [rows.to_file(json.loads(d), b) for d, b in files], state)
            if message.flags & LOADING:
                # Whoever was thinking about an answer is no more.
                self._drop_message(message)
                continue
            state.messages[message.id] = message
            if message.nonce is not None:
                state.nonces[message.author.id, message.nonce] = message
            renew(state, message)

    # Writing

    def _hear(self, kind: str, subject: object) -> None:
        is_kept = isinstance(subject, User | Channel | Membership | Message | Seen)
        # Of interactions nothing is kept but that their ids are used up: the bot knows them by these.
        if is_kept or kind in ("commands", "interaction_create"):
            self._due.append((kind, subject))
            self._flush()
        if kind == "message_create":
            self._untidy += 1
            if self._untidy >= TIDY_EVERY:
                self._tidy()

    def _tidy(self) -> None:
        """Let go of what is too old to be remembered."""
        self._untidy = 0
        for message in memory.outdated(self._state):
            self._state.forget(message)
            self._due.append(("message_delete", message))
        for message in memory.too_heavy(self._state):
            for file in message.attachments:
                file.data = b""
            self._due.append(("message_update", message))
        self._flush()

    def _flush(self) -> None:
        """One transaction with all that is due; what a full disk refuses stays due."""
        if not self._due:
            return
        try:
            self._db.execute("BEGIN")
            for kind, subject in self._due:
                self._write(kind, subject)
            self._db.execute("UPDATE fact SET value = ? WHERE name = 'last_id'", (self._state.last_id,))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            log.error("The table cannot be kept in %s just now: %s.", self.path, error)
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        else:
            self._due.clear()

    def _write(self, kind: str, subject: object) -> None:
        match subject:
            case User():
                self._put_person(subject)
            case Membership():
                self._put_channel(subject.thread)
            case Channel() if subject.gone:
                self._drop_channels()
            case Channel():
                self._put_channel(subject)
            case Message() if subject.deleted:
                self._drop_message(subject)
            case Message():
                self._put_message(subject)
                self._put_channel(subject.channel)
            case Seen():
                row = (subject.user.id, subject.channel.id, subject.message)
                self._db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", row)
            case _ if kind == "commands":
                self._put_commands()

    def _put_person(self, person: User) -> None:
        self._db.execute("INSERT OR REPLACE INTO person VALUES (?, ?)", (person.id, json.dumps(rows.person(person))))

    def _put_channel(self, channel: Channel) -> None:
        if not channel.gone:
            row = (channel.id, json.dumps(rows.channel(channel)))
            self._db.execute("INSERT OR REPLACE INTO channel VALUES (?, ?)", row)

    def _drop_channels(self) -> None:
        kept = self._state.channels
        for (channel,) in self._db.execute("SELECT id FROM channel").fetchall():
            if channel not in kept:
                for (message,) in self._db.execute("SELECT id FROM message WHERE channel = ?", (channel,)).fetchall():
                    self._drop(message)
                self._db.execute("DELETE FROM channel WHERE id = ?", (channel,))

    def _put_message(self, message: Message) -> None:
        row = (message.id, message.channel.id, json.dumps(rows.message(message)))
        self._db.execute("INSERT OR REPLACE INTO message VALUES (?, ?, ?)", row)
        known = {i for (i,) in self._db.execute("SELECT id FROM file WHERE message = ?", (message.id,))}
        for gone in known - {file.id for file in message.attachments}:
            self._db.execute("DELETE FROM file WHERE id = ?", (gone,))
        for file in message.attachments:
            if not file.data:
                self._db.execute("UPDATE file SET bytes = ? WHERE id = ?", (b"", file.id))
            if file.id not in known:
                new = (file.id, message.id, json.dumps(rows.file(file)), file.data)
                self._db.execute("INSERT INTO file VALUES (?, ?, ?, ?)", new)

    def _drop_message(self, message: Message) -> None:
        self._drop(message.id)

    def _drop(self, message: int) -> None:
        self._db.execute("DELETE FROM file WHERE message = ?", (message,))
        self._db.execute("DELETE FROM message WHERE id = ?", (message,))

    def _put_commands(self) -> None:
        self._db.execute("DELETE FROM command")
        for scope, commands in self._state.commands.items():
            for name, command in commands.items():
                self._db.execute("INSERT INTO command VALUES (?, ?, ?)", (scope or 0, name, json.dumps(command)))


def _reason(path: Path, error: Exception) -> str:
    if "locked" in str(error):
        return f"Another Motu is using {path}. Stop it first, or choose another folder with --data."
    return f"The table in {path} cannot be used: {error}. Nothing was changed; --fresh starts with an empty one."


def in_use(path: Path) -> bool:
    """Whether another process has the file."""
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as db:
            db.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    except sqlite3.DatabaseError:
        return False
    return False


def wipe(*paths: Path) -> None:
    """Take files of SQLite away with all that belongs to them."""
    for path in paths:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
