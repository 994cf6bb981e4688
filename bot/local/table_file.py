"""What the local Discord keeps from one start to the next: one SQLite file, written with every
change.

People, channels, messages and files are rows of JSON. What is too old is let go: the file does not
grow for ever.
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
from bot.local.model import LOADING, Attachment, Channel, Message, Seen, Thread, User
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
"""Plain values of the state."""

Value = str | bytes | int | float

TIDY_EVERY = 50
"""New messages after which old ones are let go."""
PUBLIC = 1000
"""Messages of a channel or thread that everybody there sees: several times the longest match."""
PRIVATE = 20
"""Messages of a channel that one player alone sees; the newest panel counts, those before it are
spent.
"""
FILES = 256 * 1024 * 1024
"""Bytes of all files together.

Messages whose files are let go keep their words, alt texts included.
"""

log = logging.getLogger(__name__)


class Unusable(Exception):
    """The file cannot be used; `in_use`: because another process has it."""

    def __init__(self, path: Path, error: Exception) -> None:
        self.path = path
        self.in_use = "locked" in str(error)
        super().__init__(str(error))


class TableFile:
    """The file, in the hands of one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._due: list[tuple[str, object]] = []
        """Changes that are not written yet."""
        self._new_messages = 0
        """Those since old ones were let go."""
        db = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Private messages and the page's address are in it: nobody else on this machine may
            # read them.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
            self._db = db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            if db is not None:
                db.close()
            raise Unusable(path, error) from error

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

    def fact(self, name: str, otherwise: Callable[[], Value]) -> Value:
        """A value by name, made when it is first asked for."""
        found = self._db.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        if found is None:
            found = (otherwise(),)
            self._db.execute("INSERT INTO fact VALUES (?, ?)", (name, found[0]))
        value: Value = found[0]
        return value

    # Reading

    def attach(self, state: State) -> None:
        """Give a state what was kept, or keep all of it if nothing was; then keep every change."""
        try:
            if self._db.execute("SELECT 1 FROM person").fetchone():
                self._restore(state)
            else:
                self._keep_all(state)
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            raise Unusable(self.path, error) from error
        # First of all: nobody hears of a change that is not kept.
        state.listeners.insert(0, self._hear)
        self._state = state
        self._tidy()

    def _keep_all(self, state: State) -> None:
        self._db.execute("BEGIN")
        for name in FACTS:
            self._db.execute(
                "INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, getattr(state, name))
            )
        for person in state.users.values():
            self._put_person(person)
        for channel in state.channels.values():
            self._put_channel(channel)
        self._db.execute("COMMIT")

    def _restore(self, state: State) -> None:
        for name in FACTS:
            setattr(state, name, self.fact(name, lambda: 0))
        state.users = {}
        for (data,) in self._db.execute("SELECT data FROM person ORDER BY id"):
            person = User(**_known(User, json.loads(data)))
            state.users[person.id] = person
        state.bot = next(person for person in state.users.values() if person.bot)
        state.channels = {}
        for (data,) in self._db.execute("SELECT data FROM channel ORDER BY id"):
            channel = channel_from(json.loads(data), state)
            if channel.recipient is None:
                # A file of a time in which there was but one server does not name it.
                channel.guild = channel.guild or state.guild
            state.channels[channel.id] = channel
        self._restore_messages(state)
        state.commands = {None: {}}
        for scope, name, data in self._db.execute(
            "SELECT scope, name, data FROM command ORDER BY rowid"
        ):
            state.commands.setdefault(scope or None, {})[name] = json.loads(data)
        state.seen = {
            (p, c): m for p, c, m in self._db.execute("SELECT person, channel, message FROM seen")
        }
        for thread in state.threads():
            state.wait_for_silence(thread)

    def _restore_messages(self, state: State) -> None:
        state.messages, state.attachments, state.nonces = {}, {}, {}
        for message_id, data in self._db.execute(
            "SELECT id, data FROM message ORDER BY id"
        ).fetchall():
            files = {}
            for row, content in self._db.execute(
                "SELECT data, bytes FROM file WHERE message = ?", (message_id,)
            ):
                file = Attachment(**json.loads(row), data=content)
                files[file.id] = file
            message = message_from(json.loads(data), files, state)
            if message.flags & LOADING:
                # Whoever was thinking about an answer is no more.
                self._drop_message(message.id)
                continue
            state.messages[message.id] = message
            if message.nonce is not None:
                state.nonces[message.nonce] = message
            for file in message.attachments:
                state.sign(file, message.channel)

    # Writing

    def _hear(self, kind: str, subject: object) -> None:
        is_kept = isinstance(subject, User | Channel | Message | Seen)
        # Of interactions nothing is kept but that their ids are used up: the bot knows them by
        # these.
        if is_kept or kind in ("commands", "clock", "interaction_create"):
            self._due.append((kind, subject))
            self._flush()
        if kind == "message_create":
            self._new_messages += 1
            if self._new_messages >= TIDY_EVERY:
                self._tidy()

    def _tidy(self) -> None:
        """Let go of what is too old, newest first: whole messages by their number, files by
        their weight.
        """
        self._new_messages = 0
        count: Counter[tuple[Channel, User | None]] = Counter()
        weight = 0
        for message in list(reversed(self._state.messages.values())):
            place = message.channel, message.only_for
            count[place] += 1
            if count[place] > (PRIVATE if message.ephemeral else PUBLIC):
                self._state.forget(message)
                self._due.append(("message_delete", message))
                continue
            size = sum(len(file.data) for file in message.attachments)
            weight += size
            if size and weight > FILES:
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
            self._db.execute(
                "UPDATE fact SET value = ? WHERE name = 'last_id'", (self._state.last_id,)
            )
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
            case Channel() if subject.gone:
                self._drop_channels()
            case Channel():
                self._put_channel(subject)
            case Message() if subject.deleted:
                self._drop_message(subject.id)
            case Message():
                self._put_message(subject)
                self._put_channel(subject.channel)
            case Seen():
                row = (subject.user.id, subject.channel.id, subject.message)
                self._db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", row)
            case _ if kind == "commands":
                self._put_commands()
            case _ if kind == "clock":
                self._db.execute(
                    "INSERT OR REPLACE INTO fact VALUES ('ahead', ?)", (self._state.ahead,)
                )

    def _put_person(self, person: User) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO person VALUES (?, ?)", (person.id, json.dumps(asdict(person)))
        )

    def _put_channel(self, channel: Channel) -> None:
        if not channel.gone:
            row = (channel.id, json.dumps(channel_row(channel)))
            self._db.execute("INSERT OR REPLACE INTO channel VALUES (?, ?)", row)

    def _drop_channels(self) -> None:
        """Whatever the state has no more: with a channel go its threads."""
        for (channel,) in self._db.execute("SELECT id FROM channel").fetchall():
            if channel not in self._state.channels:
                for (message,) in self._db.execute(
                    "SELECT id FROM message WHERE channel = ?", (channel,)
                ).fetchall():
                    self._drop_message(message)
                self._db.execute("DELETE FROM channel WHERE id = ?", (channel,))

    def _put_message(self, message: Message) -> None:
        row = (message.id, message.channel.id, json.dumps(message_row(message)))
        self._db.execute("INSERT OR REPLACE INTO message VALUES (?, ?, ?)", row)
        known = {
            i for (i,) in self._db.execute("SELECT id FROM file WHERE message = ?", (message.id,))
        }
        for gone in known - {file.id for file in message.attachments}:
            self._db.execute("DELETE FROM file WHERE id = ?", (gone,))
        for file in message.attachments:
            if file.id not in known:
                about = {
                    field.name: getattr(file, field.name)
                    for field in fields(file)
                    if field.name != "data"
                }
                new = (file.id, message.id, json.dumps(about), file.data)
                self._db.execute("INSERT INTO file VALUES (?, ?, ?, ?)", new)
            elif not file.data:
                self._db.execute("UPDATE file SET bytes = ? WHERE id = ?", (b"", file.id))

    def _drop_message(self, message: int) -> None:
        self._db.execute("DELETE FROM file WHERE message = ?", (message,))
        self._db.execute("DELETE FROM message WHERE id = ?", (message,))

    def _put_commands(self) -> None:
        self._db.execute("DELETE FROM command")
        for scope, commands in self._state.commands.items():
            for name, command in commands.items():
                self._db.execute(
                    "INSERT INTO command VALUES (?, ?, ?)", (scope or 0, name, json.dumps(command))
                )


# Rows. Objects refer to each other by id there


def _known(kind: type, row: Json) -> Json:
    """A row without what an earlier version of this program kept besides."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in row.items() if name in names}


def channel_row(place: Channel) -> Json:
    """A channel's or thread's row."""
    row: Json = {
        field.name: getattr(place, field.name) for field in fields(place) if field.name != "gone"
    }
    row["overwrites"] = {str(target): list(bits) for target, bits in place.overwrites.items()}
    row["recipient"] = place.recipient.id if place.recipient else None
    return row


def channel_from(row: Json, state: State) -> Channel:
    """The channel or thread of a row; the people must be there already."""
    row["overwrites"] = {
        int(target): (allow, deny) for target, (allow, deny) in row["overwrites"].items()
    }
    row["recipient"] = state.users[row["recipient"]] if row["recipient"] else None
    kind = Thread if "parent" in row else Channel
    return kind(**_known(kind, row))


_AS_THEY_ARE = (
    *("id", "created", "content", "embeds", "components", "flags", "kind", "edited", "nonce"),
    *("reference", "interaction"),
)
"""Fields of a message that are JSON as they are."""


def message_row(post: Message) -> Json:
    """A message's row; its files have rows of their own."""
    row: Json = {name: getattr(post, name) for name in _AS_THEY_ARE}
    row["channel"] = post.channel.id
    row["author"] = post.author.id
    row["only_for"] = post.only_for.id if post.only_for else None
    row["mentions"] = [person.id for person in post.mentions]
    row["pings"] = [person.id for person in post.pings]
    row["thread"] = post.thread.id if post.thread and not post.thread.gone else None
    row["files"] = [file.id for file in post.attachments]
    return row


def message_from(row: Json, files: dict[int, Attachment], state: State) -> Message:
    """The message of a row; people and channels must be there already."""
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
    return Message(**_known(Message, row) | linked)


# The file from outside


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
