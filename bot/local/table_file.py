"""What the local Discord keeps from one start to the next, in one SQLite file.

Every change is written at once. People, channels, messages and files are rows of JSON with the
fields of `model.py`. Old messages are dropped, so that the file does not grow forever.
"""

import json
import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bot.local.errors import Json
from bot.local.model import LOADING, Attachment, Channel, Message, ReadMarker, Thread, User
from bot.local.state import State

VERSION = 1
SCHEMA = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value NOT NULL);
CREATE TABLE person (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE channel (id INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE message (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE file (
    id INTEGER PRIMARY KEY, message INTEGER NOT NULL, data TEXT NOT NULL, bytes BLOB NOT NULL
);
CREATE INDEX file_message ON file (message);
CREATE TABLE command (
    scope INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (scope, name)
);
CREATE TABLE seen (person INTEGER NOT NULL, channel INTEGER NOT NULL, message INTEGER NOT NULL,
                   PRIMARY KEY (person, channel));
"""
FACTS = ("guild", "bot_role", "secret", "last_id", "ahead")
"""Attributes of the state that are kept by name."""

Value = str | bytes | int | float

TIDY_EVERY = 50
"""New messages after which old ones are dropped."""
MAX_PUBLIC_MESSAGES = 1000
"""Public messages kept per channel or thread: several times as many as the longest match has."""
MAX_EPHEMERAL_MESSAGES = 20
"""Ephemeral messages kept per channel and player. Only the newest panel matters."""
MAX_FILE_BYTES = 256 * 1024 * 1024
"""Size of all files together. Messages that lose their files keep the alt texts."""

log = logging.getLogger(__name__)


class TableFileError(Exception):
    """The file cannot be used; if `in_use`, because another process uses it."""

    def __init__(self, path: Path, error: Exception) -> None:
        self.path = path
        self.in_use = "locked" in str(error)
        super().__init__(str(error))


class TableFile:
    """The file, used by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unwritten: list[tuple[str, object]] = []
        """Changes that are still to be written, each as a listener gets it."""
        self._messages_since_tidy = 0
        db = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # It contains private messages and the page's secret address, so nobody else on this
            # machine may read it.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
            self._db = db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            if db is not None:
                db.close()
            raise TableFileError(path, error) from error

    def _prepare(self) -> None:
        """Lock the file, and create the tables in a new one."""
        # The lock is held until the file is closed: two processes would overwrite each other.
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
        """Write pending changes and unlock the file."""
        self._flush()
        self._db.close()

    def load_fact(self, name: str, default: Callable[[], Value]) -> Value:
        """Return a value by name; the first time, store and return the default."""
        found = self._db.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        if found is None:
            found = (default(),)
            self._db.execute("INSERT INTO fact VALUES (?, ?)", (name, found[0]))
        value: Value = found[0]
        return value

    # Reading

    def attach(self, state: State) -> None:
        """Load the file into a state, or save the state in a new file; then save every change."""
        try:
            if self._db.execute("SELECT 1 FROM person").fetchone():
                self._load(state)
            else:
                self._save_all(state)
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            raise TableFileError(self.path, error) from error
        # The first listener, so that a change is saved before anybody hears of it.
        state.listeners.insert(0, self._on_change)
        self._state = state
        self._tidy()

    def _save_all(self, state: State) -> None:
        self._db.execute("BEGIN")
        for name in FACTS:
            self._db.execute(
                "INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, getattr(state, name))
            )
        for person in state.users.values():
            self._save_person(person)
        for channel in state.channels.values():
            self._save_channel(channel)
        self._db.execute("COMMIT")

    def _load(self, state: State) -> None:
        for name in FACTS:
            setattr(state, name, self.load_fact(name, lambda: 0))
        state.users = {}
        for (data,) in self._db.execute("SELECT data FROM person ORDER BY id"):
            person = User(**_known_fields(User, json.loads(data)))
            state.users[person.id] = person
        state.bot = next(person for person in state.users.values() if person.bot)
        state.channels = {}
        for (data,) in self._db.execute("SELECT data FROM channel ORDER BY id"):
            channel = channel_from_row(json.loads(data), state)
            if channel.recipient is None:
                # Files from before there were several servers do not name the server.
                channel.guild = channel.guild or state.guild
            state.channels[channel.id] = channel
        self._load_messages(state)
        state.commands = {None: {}}
        commands = self._db.execute("SELECT scope, name, data FROM command ORDER BY rowid")
        for scope, name, data in commands:
            state.commands.setdefault(scope or None, {})[name] = json.loads(data)
        state.read_markers = {}
        for person_id, channel_id, message_id in self._db.execute(
            "SELECT person, channel, message FROM seen"
        ):
            state.read_markers[person_id, channel_id] = message_id
        for thread in state.threads():
            state.archive_when_silent(thread)

    def _load_messages(self, state: State) -> None:
        state.messages, state.attachments, state.nonces = {}, {}, {}
        # All rows are read first, since some are deleted on the way.
        rows = self._db.execute("SELECT id, data FROM message ORDER BY id").fetchall()
        for message_id, data in rows:
            files = {}
            for row, content in self._db.execute(
                "SELECT data, bytes FROM file WHERE message = ?", (message_id,)
            ):
                file = Attachment(**json.loads(row), data=content)
                files[file.id] = file
            message = message_from_row(json.loads(data), files, state)
            if message.flags & LOADING:
                # Its interaction is forgotten, so "Motu is thinking…" would stay forever.
                self._delete_message(message.id)
                continue
            state.messages[message.id] = message
            if message.nonce is not None:
                state.nonces[message.nonce] = message
            for file in message.attachments:
                state.sign(file, message.channel)

    # Writing

    def _on_change(self, kind: str, subject: object) -> None:
        is_saved = isinstance(subject, User | Channel | Message | ReadMarker)
        # Interactions are not saved, but each advances `last_id`, which is: the bot remembers their
        # ids and would take a second interaction with the same id for a repeated one.
        if is_saved or kind in ("commands", "clock", "interaction_create"):
            self._unwritten.append((kind, subject))
            self._flush()
        if kind == "message_create":
            self._messages_since_tidy += 1
            if self._messages_since_tidy >= TIDY_EVERY:
                self._tidy()

    def _tidy(self) -> None:
        """Drop messages beyond the newest ones of a channel, and the oldest files."""
        self._messages_since_tidy = 0
        counts: Counter[tuple[Channel, User | None]] = Counter()
        total_bytes = 0
        for message in list(reversed(self._state.messages.values())):
            place = message.channel, message.only_for
            counts[place] += 1
            limit = MAX_EPHEMERAL_MESSAGES if message.ephemeral else MAX_PUBLIC_MESSAGES
            if counts[place] > limit:
                self._state.forget(message)
                self._unwritten.append(("message_delete", message))
                continue
            size = sum(len(file.data) for file in message.attachments)
            total_bytes += size
            if size and total_bytes > MAX_FILE_BYTES:
                for file in message.attachments:
                    file.data = b""
                self._unwritten.append(("message_update", message))
        self._flush()

    def _flush(self) -> None:
        """Write pending changes in one transaction; if the disk is full, they stay pending."""
        if not self._unwritten:
            return
        try:
            self._db.execute("BEGIN")
            for kind, subject in self._unwritten:
                self._write(kind, subject)
            self._db.execute(
                "UPDATE fact SET value = ? WHERE name = 'last_id'", (self._state.last_id,)
            )
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            log.error("Can't save the table in %s right now: %s.", self.path, error)
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        else:
            self._unwritten.clear()

    def _write(self, kind: str, subject: object) -> None:
        """Write one change."""
        match subject:
            case User():
                self._save_person(subject)
            case Channel() if subject.gone:
                self._delete_gone_channels()
            case Channel():
                self._save_channel(subject)
            case Message() if subject.deleted:
                self._delete_message(subject.id)
            case Message():
                self._save_message(subject)
                self._save_channel(subject.channel)
            case ReadMarker():
                row = (subject.user.id, subject.channel.id, subject.message)
                self._db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", row)
            case _ if kind == "commands":
                self._save_commands()
            case _ if kind == "clock":
                self._db.execute(
                    "INSERT OR REPLACE INTO fact VALUES ('ahead', ?)", (self._state.ahead,)
                )

    def _save_person(self, person: User) -> None:
        row = (person.id, json.dumps(asdict(person)))
        self._db.execute("INSERT OR REPLACE INTO person VALUES (?, ?)", row)

    def _save_channel(self, channel: Channel) -> None:
        if not channel.gone:
            row = (channel.id, json.dumps(channel_to_row(channel)))
            self._db.execute("INSERT OR REPLACE INTO channel VALUES (?, ?)", row)

    def _delete_gone_channels(self) -> None:
        """Delete the channels that the state no longer has; a channel takes its threads along."""
        for (channel,) in self._db.execute("SELECT id FROM channel").fetchall():
            if channel in self._state.channels:
                continue
            messages = self._db.execute("SELECT id FROM message WHERE channel = ?", (channel,))
            for (message,) in messages.fetchall():
                self._delete_message(message)
            self._db.execute("DELETE FROM channel WHERE id = ?", (channel,))

    def _save_message(self, message: Message) -> None:
        row = (message.id, message.channel.id, json.dumps(message_to_row(message)))
        self._db.execute("INSERT OR REPLACE INTO message VALUES (?, ?, ?)", row)
        rows = self._db.execute("SELECT id FROM file WHERE message = ?", (message.id,))
        saved = {file_id for (file_id,) in rows}
        for gone in saved - {file.id for file in message.attachments}:
            self._db.execute("DELETE FROM file WHERE id = ?", (gone,))
        for file in message.attachments:
            if file.id not in saved:
                names = [field.name for field in fields(file) if field.name != "data"]
                data = json.dumps({name: getattr(file, name) for name in names})
                self._db.execute(
                    "INSERT INTO file VALUES (?, ?, ?, ?)", (file.id, message.id, data, file.data)
                )
            elif not file.data:
                self._db.execute("UPDATE file SET bytes = ? WHERE id = ?", (b"", file.id))

    def _delete_message(self, message: int) -> None:
        self._db.execute("DELETE FROM file WHERE message = ?", (message,))
        self._db.execute("DELETE FROM message WHERE id = ?", (message,))

    def _save_commands(self) -> None:
        self._db.execute("DELETE FROM command")
        for scope, commands in self._state.commands.items():
            for name, command in commands.items():
                row = (scope or 0, name, json.dumps(command))
                self._db.execute("INSERT INTO command VALUES (?, ?, ?)", row)


# Rows, in which objects refer to each other by id


def _known_fields(kind: type, row: Json) -> Json:
    """Return a row without the fields that only earlier versions of this program had."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in row.items() if name in names}


def channel_to_row(channel: Channel) -> Json:
    """Return the row of a channel or thread."""
    names = [field.name for field in fields(channel) if field.name != "gone"]
    row: Json = {name: getattr(channel, name) for name in names}
    row["overwrites"] = {str(target): list(bits) for target, bits in channel.overwrites.items()}
    row["recipient"] = channel.recipient.id if channel.recipient else None
    return row


def channel_from_row(row: Json, state: State) -> Channel:
    """Return the channel or thread of a row. The people must be loaded already."""
    row["overwrites"] = {
        int(target): (allow, deny) for target, (allow, deny) in row["overwrites"].items()
    }
    row["recipient"] = state.users[row["recipient"]] if row["recipient"] else None
    kind = Thread if "parent" in row else Channel
    return kind(**_known_fields(kind, row))


_JSON_FIELDS = (
    "id",
    "created",
    "content",
    "embeds",
    "components",
    "flags",
    "kind",
    "edited",
    "nonce",
    "reference",
    "interaction",
)
"""Fields of a message that can be written as JSON without conversion."""


def message_to_row(message: Message) -> Json:
    """Return the row of a message. Its files have rows of their own."""
    row: Json = {name: getattr(message, name) for name in _JSON_FIELDS}
    row["channel"] = message.channel.id
    row["author"] = message.author.id
    row["only_for"] = message.only_for.id if message.only_for else None
    row["mentions"] = [person.id for person in message.mentions]
    row["pings"] = [person.id for person in message.pings]
    row["thread"] = message.thread.id if message.thread and not message.thread.gone else None
    row["files"] = [file.id for file in message.attachments]
    return row


def message_from_row(row: Json, files: dict[int, Attachment], state: State) -> Message:
    """Return the message of a row. People and channels must be loaded already."""
    thread = state.channels.get(row["thread"] or 0)
    linked: dict[str, Any] = {
        "channel": state.channels[row["channel"]],
        "author": state.users[row["author"]],
        "only_for": state.users[row["only_for"]] if row["only_for"] else None,
        "mentions": [state.users[person] for person in row["mentions"]],
        "pings": [state.users[person] for person in row["pings"]],
        "thread": thread if isinstance(thread, Thread) else None,
        "attachments": [files[file] for file in row["files"]],
    }
    return Message(**_known_fields(Message, row) | linked)


# Functions for other processes


def is_in_use(path: Path) -> bool:
    """Return whether another process uses the file."""
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


def delete_databases(*paths: Path) -> None:
    """Delete SQLite databases with the files that SQLite keeps beside them."""
    for path in paths:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
