"""The SQL: plain functions over a database, each run whole.

It is SQLite's, of which postgres_sql.py makes PostgreSQL's word by word. So rows are replaced by ON CONFLICT, whatever
stands beside an aggregate is grouped by, and a value that is selected as it was given says by a CAST what it is.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from bot.model.clocks import TableClocks
from bot.model.jobs import Absence, Job
from bot.model.match import OPEN, MatchRecord, Person, Place, PlannedTurn, SeatChange, Status, Terms
from bot.model.posts import Announcement, Reminder
from bot.model.shards import NONE, Shards
from bot.model.stored import (
    ABSENCE,
    CALLS_WANTED,
    HandledInteraction,
    MessageKind,
    Scope,
    StoredCommit,
    StoredDraft,
    StoredMatch,
    Writes,
)
from bot.model.votes import Vote
from bot.runtime.errors import Conflict, Damaged, Refused
from bot.store import standings
from bot.store.database import require_one
from bot.store.sql import Database
from bot.text import say

REMEMBERED = 86_400_000 << 22
"""A day in Discord's ids, which count milliseconds above their lowest 22 bits: no interaction is repeated later."""

MATCH = """
    SELECT id, game, status, guild, channel, thread, wants_thread, host, settings, terms, commitment, paused_for,
        touched, version, untold, seating, clocks, sat, plans,
        (SELECT message FROM message WHERE match = match.id AND kind = 'lobby'),
        (SELECT message FROM message WHERE match = match.id AND kind = 'turn')
    FROM match WHERE id = ?
"""

CREATE = """
    INSERT INTO match (id, game, status, open, guild, channel, thread, wants_thread, host, settings, terms,
        commitment, paused_for, touched, version, untold, seating, clocks, sat, plans)
    VALUES (:id, :game, :status, :open, :guild, :channel, :thread, :wants_thread, :host, :settings, :terms,
        :commitment, :paused_for, :touched, :version, :untold, :seating, :clocks, :sat, :plans)
    ON CONFLICT DO NOTHING
"""

UPDATE = """
    UPDATE match SET status = :status, open = :open, guild = :guild, channel = :channel, thread = :thread,
        wants_thread = :wants_thread, host = :host, settings = :settings, terms = :terms, commitment = :commitment,
        paused_for = :paused_for, touched = :touched, untold = :untold, seating = :seating, clocks = :clocks,
        plans = :plans, sat = :sat, unattended = :unattended, version = :version
    WHERE id = :id AND version = :version - 1
"""

TELL_OWNER = "SELECT 1 WHERE ? = ''"
"""Nothing in SQLite, where nobody else listens."""

ANNOUNCE = """
    INSERT INTO announcement (match, since, number)
    SELECT :match, coalesce(max(number), -1), CAST(:number AS INTEGER) FROM announcement WHERE match = :match
    RETURNING id, match, since, number
"""

DETOURS = """
    SELECT number, CAST(json_extract(CAST(answers AS TEXT), '$.back_to') AS INTEGER) FROM match_commit
    WHERE match = ? AND CAST(answers AS TEXT) LIKE '%"back_to"%' ORDER BY number
"""

PUT_CLOCKS = "INSERT INTO clock VALUES (?, ?, ?) ON CONFLICT (match, number) DO UPDATE SET clocks = excluded.clocks"

PUT_MESSAGE = "INSERT INTO message VALUES (?, ?, ?) ON CONFLICT (match, kind) DO UPDATE SET message = excluded.message"

PUT_VOTE = """
    INSERT INTO vote VALUES (?, ?, ?, ?)
    ON CONFLICT (match, number) DO UPDATE SET told = excluded.told, asked = excluded.asked
"""

SETTINGS_OF_SEATED = """
    SELECT owner, key, value FROM player_setting
    WHERE owner IN (SELECT user FROM seat WHERE match = ?) AND key IN (?, ?)
"""

PUT_NOTE = "INSERT INTO note VALUES (?, ?, ?) ON CONFLICT (match, user) DO UPDATE SET text = excluded.text"

WITHDRAW = "DELETE FROM announcement WHERE match = ? AND posted = 0 AND number > ?"

COMMITS = """
    SELECT event.number, event.rules, seat, answers, told, position
    FROM event LEFT JOIN snapshot USING (match, number) LEFT JOIN match_commit USING (match, number)
    WHERE match = ? AND event.number > ? AND event.number <= ? ORDER BY event.number
"""

HERE = """
    SELECT id, opened FROM match WHERE channel = :channel AND open = 1
    UNION SELECT id, opened FROM match WHERE thread = :channel AND open = 1 ORDER BY opened DESC
"""

# Of a direct message, which has no threads, a lobby that was cancelled is not meant.
ENDED = """
    SELECT id, opened FROM (
        SELECT id, opened FROM match WHERE channel = :place AND open = 0 AND thread = 0 AND status = 'finished'
        ORDER BY opened DESC LIMIT 1
    )
    UNION SELECT id, opened FROM (
        SELECT id, opened FROM match WHERE thread = :place AND open = 0 ORDER BY opened DESC LIMIT 1
    )
    ORDER BY opened DESC LIMIT 1
"""

OVER = """
    SELECT * FROM (SELECT id, opened FROM match WHERE channel = :place AND open = 0
        AND status IN ('finished', 'called_off') ORDER BY opened DESC LIMIT :most)
    UNION SELECT * FROM (SELECT id, opened FROM match WHERE thread = :place AND open = 0
        AND status IN ('finished', 'called_off') ORDER BY opened DESC LIMIT :most)
    UNION SELECT * FROM (SELECT id, opened FROM seat JOIN match ON match.id = seat.match
        WHERE seat.user = :user AND seat.open = 0 AND status IN ('finished', 'called_off')
        ORDER BY opened DESC LIMIT :most)
    ORDER BY opened DESC LIMIT :most
"""

OF_USER = """
    SELECT DISTINCT id, opened FROM seat JOIN match ON match.id = seat.match
    WHERE seat.user = ? AND seat.open = 1 ORDER BY opened DESC
"""

DUE = """
    SELECT announcement.id, match, since, number FROM announcement JOIN match ON match.id = announcement.match
    WHERE posted = 0 AND paused_for = ''
"""

SEATS = "SELECT seat, open FROM seat WHERE match = ? ORDER BY seat"

POSTS = "SELECT since, number FROM announcement WHERE match = ? ORDER BY number"

VERSION = "SELECT version FROM match WHERE id = ?"

NEWEST = "SELECT position FROM snapshot WHERE match = ? ORDER BY number DESC LIMIT 1"

NEWEST_KEPT = "SELECT max(number) FROM snapshot WHERE match = ? AND number <= ?"

TO_THIN = "SELECT id FROM match WHERE open = 0 AND thinned = 0 AND touched < ? ORDER BY touched LIMIT ?"

# A match that is open is never thinned: it may be rewound.
THIN = """
    DELETE FROM snapshot WHERE match = :match AND number = :number
        AND EXISTS (SELECT 1 FROM match WHERE id = :match AND open = 0)
"""

DRAFTS = "SELECT seat, answers, cut FROM draft WHERE match = ? ORDER BY seat"

HOSTED = """
    SELECT count(*) FROM seat JOIN match ON match.id = seat.match
    WHERE seat.user = :host AND seat.open = 1 AND match.host = :host AND status = 'lobby'
"""

FINISHED = """
    SELECT count(DISTINCT match.id) FROM seat JOIN match ON match.id = seat.match
    WHERE seat.user = ? AND seat.open = 0 AND status = 'finished'
"""

OPEN_IN = "SELECT count(*) FROM match WHERE guild = ? AND open = 1 AND id != ?"

TABLES = "SELECT id FROM match WHERE guild = ? AND open = 1 AND status = 'lobby' ORDER BY opened DESC"

OFFERING = """
    SELECT DISTINCT id, opened FROM vote JOIN match ON match.id = vote.match
    WHERE told = 0 AND guild = ? AND open = 1
        AND json_extract(asked, '$.kind') = 'seat' AND json_extract(asked, '$.outcome') IS NULL
    ORDER BY opened DESC
"""

AWAITING = """
    SELECT DISTINCT match.id, opened FROM match, json_each(seating)
    WHERE status = 'lobby' AND open = 1 AND seating != '[]' AND json_each.value = :user
        AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.match = match.id AND seat.user = :user)
    ORDER BY opened DESC
"""

# The next ones look for work: {owns} is what the process owns. Where several share it, what anybody may do is taken by
# whoever locks its row first: PostgreSQL reads what stands in the comments.
LOBBIES = "SELECT id FROM match WHERE status = 'lobby' AND open = 1 AND touched < ? AND {owns} ORDER BY opened"

OF_EACH_KIND = """
    SELECT id FROM match WHERE opened IN (
        SELECT max(opened) FROM match WHERE status = 'running' AND open = 1 AND {owns}
        GROUP BY game, settings, (SELECT count(*) FROM seat WHERE seat.match = match.id)
    ) ORDER BY opened DESC LIMIT ?
"""

PAUSED = "SELECT id FROM match WHERE paused_for != '' AND {owns}"

UNTOLD = "SELECT id FROM match WHERE untold = 1 AND {owns}"

UNATTENDED = "SELECT id FROM match WHERE unattended = 1 AND open = 1 AND {owns} ORDER BY opened"

ANSWERED = "SELECT DISTINCT match FROM call WHERE over = 1 AND {owns}"

VOTING = "SELECT DISTINCT match FROM vote WHERE told = 0 AND {owns}"

# Under an id of its own each time: what was set anew meanwhile is not what has been done.
SET_DUE = """
    INSERT INTO due (kind, match, user, at, wake, facts) VALUES (:kind, :match, :user, :at, :at, :facts)
"""

DROP_DUE = "DELETE FROM due WHERE kind = ? AND match = ? AND user = ?"

DUE_BY = "SELECT kind, at, match, user, facts, id, tries FROM due WHERE wake <= ? AND {owns} ORDER BY wake LIMIT ?"

NEXT_DUE = "SELECT wake FROM due WHERE {owns} ORDER BY wake LIMIT 1"

ANYBODYS = "(due.match = '' OR due.kind IN ('remind', 'film'))"
"""What is due and tied to no server: it names no match, or is nothing that a match's owner would have to know of."""

TAKE_DUE = f"""
    SELECT kind, at, match, user, facts, id, tries FROM due WHERE wake <= ? AND {ANYBODYS} ORDER BY wake LIMIT ?
    /* FOR UPDATE SKIP LOCKED */
"""

KEEP_DUE = "UPDATE due SET wake = ? WHERE id = ?"

PUT_BEAT = "INSERT INTO beat VALUES (?, ?, ?) ON CONFLICT (shards, shard) DO UPDATE SET at = excluded.at"

PUT_ABSENCE = "INSERT INTO absence VALUES (?, ?, ?, ?, ?)"

ABSENCES = """
    SELECT since, until, first_shard, last_shard, shards FROM absence WHERE until > ? ORDER BY until
"""

POSTPONE = "UPDATE due SET at = at + :by, wake = wake + :by WHERE kind = :kind AND {owns}"

CALL = "SELECT match, user, times, wanted, since, channel, message, over FROM call"

CALLS = f"{CALL} WHERE match = :match AND (CAST(:user AS INTEGER) IS NULL OR user = :user) ORDER BY user"

CALLS_OF = f"{CALL} WHERE user = ? ORDER BY match"

DIRECT_CALLS = """
    (call.match = '' OR (
        EXISTS (SELECT 1 FROM match WHERE match.id = call.match AND guild != 0) AND EXISTS (
            SELECT 1 FROM player_setting
            WHERE owner = call.user AND key = 'calls' AND json_extract(value, '$.way') = 'direct'
        )
    ))
"""
"""Calls that are made by a direct message, and not among the posts of a match."""

TAKE_CALLS = f"""
    {CALL} WHERE wanted != '' AND taken <= ? AND {DIRECT_CALLS} ORDER BY since LIMIT ? /* FOR UPDATE SKIP LOCKED */
"""

WANTED_CALLS = CALL + " WHERE wanted != '' AND {owns} ORDER BY since LIMIT ?"

DUE_CALL = "SELECT id, match, user, json_extract(facts, '$.wanted') FROM due WHERE id = ?"

DUE_CALLS = """
    SELECT id, match, user, json_extract(facts, '$.wanted') FROM due WHERE kind = ? AND wake <= ? ORDER BY wake LIMIT ?
    /* FOR UPDATE SKIP LOCKED */
"""

WANT_CALL = """
    UPDATE call SET wanted = ?, since = ? WHERE match = ? AND user = ? AND over = 0 AND wanted = ''
"""

PUT_CALL = """
    INSERT INTO call (match, user, times, wanted, since, channel, message, over)
    VALUES (:match, :user, :times, :wanted, :since, :channel, :message, :over)
    ON CONFLICT (match, user) DO UPDATE SET times = excluded.times, wanted = excluded.wanted, since = excluded.since,
        channel = excluded.channel, message = excluded.message, over = excluded.over, taken = 0
"""


def owned(own: Shards, table: str = "match") -> str:
    """Which rows are this process's alone: of matches, or of a table that names its match. One process has all."""
    if own.are_all:
        return "1 = 1"
    shard = f"(match.guild >> 22) % {own.count}"
    if table != "match":
        # Not by EXISTS, of which PostgreSQL may make a list of all matches: row by row it is looked up by its id.
        shard = f"(SELECT {shard} FROM match WHERE match.id = {table}.match)"
    return f"{shard} BETWEEN {own.first} AND {own.last}"


def create(db: Database, record: MatchRecord, done: HandledInteraction | None = None, most: int | None = None) -> None:
    """A new match, unless its host has `most` open lobbies already."""
    if db.execute(CREATE, _columns(record)).rowcount != 1:
        raise Conflict(say("refusal.match_exists", id=record.id))
    _put_chairs(db, record)
    # After it is in, for a repeat of the same interaction is known by the id that is taken; refused, it is undone.
    if most is not None and _only(db.execute(HOSTED, {"host": record.host}).fetchall()) > most:
        raise Refused(say("refusal.too_many_lobbies", most=most))
    if done is not None:
        _put_done(db, record.id, done)


def append(db: Database, writes: Writes, *, own: Shards) -> Announcement | None:
    """Write a change to a match, and return the post that has become due by it.

    Raises Conflict if somebody else has written the match since it was read. Its owner is told if that is another
    process.
    """
    record = writes.record
    changed = db.execute(UPDATE, {**_columns(record), "unattended": writes.unattended})
    require_one(changed, Conflict(say("refusal.conflict")))
    if writes.seats_changed or record.status not in OPEN:
        _put_chairs(db, record)
    for commit in writes.commits:
        _put_commit(db, record.id, commit)
    if writes.clocks is not None:
        row = (record.id, writes.commits[-1].number, msgspec.json.encode(writes.clocks).decode())
        db.execute(PUT_CLOCKS, row)
    if writes.drafts is not None:
        _put_drafts(db, record.id, writes.drafts)
    if writes.turn_message is not None:
        db.execute(PUT_MESSAGE, (record.id, MessageKind.TURN, writes.turn_message))
    if writes.withdrawn_after is not None:
        db.execute(WITHDRAW, (record.id, writes.withdrawn_after))
    if writes.handled is not None:
        _put_done(db, record.id, writes.handled)
    for kind, user in writes.cancelled_jobs:
        drop_due(db, kind, record.id, user)
    set_due(db, *writes.jobs)
    for user in writes.answered:
        db.execute("UPDATE call SET over = 1, wanted = '' WHERE match = ? AND user = ?", (record.id, user))
    put_calls(db, writes.reminders)
    if writes.results is not None:
        standings.put_finish(db, record)
        standings.put_results(db, {record.id: writes.results})
    for vote in writes.votes:
        kept = msgspec.json.encode(vote).decode()
        db.execute(PUT_VOTE, (record.id, vote.number, vote.told, kept))
    if not own.serve(record.place.guild):
        db.execute(TELL_OWNER, (f"{record.place.guild} {record.id}",))
    announcement = None
    if writes.announce is not None:
        row = db.execute(ANNOUNCE, {"match": record.id, "number": writes.announce}).fetchone()
        # A server is not asked for the row: it would be one more round trip, and the outbox can read it later.
        announcement = Announcement(*row) if row else None
    if writes.announce_again:
        announcement = _announce_again(db, record.id) or announcement
    return announcement


def load_context(
    db: Database, record: MatchRecord, needs: Iterable[Callable[[Database, MatchRecord], Any]]
) -> tuple[dict[Any, Any], Announcement | None]:
    """Return what each of these needs finds about a match, and its last post."""
    return {need: need(db, record) for need in needs}, announced(db, record.id)


def note_message(db: Database, match: str, kind: MessageKind, message: int) -> int:
    """Note which message is a match's lobby, or carries its buttons; return the match's version from then on."""
    db.execute(PUT_MESSAGE, (match, kind, message))
    # So that other processes read the match again.
    db.execute("UPDATE match SET version = version + 1 WHERE id = ?", (match,))
    return version(db, match) or 0


def note_post(
    db: Database, announcement: Announcement, message: int, reminders: Iterable[Reminder], jobs: Iterable[Job]
) -> int:
    """Note that a post was made, and who is reminded of what it asks; return the match's version from then on."""
    done = (announcement.id, announcement.match)
    db.execute("UPDATE announcement SET posted = 1 WHERE id = ? AND match = ?", done)
    put_calls(db, reminders, jobs)
    return note_message(db, announcement.match, MessageKind.TURN, message)


def load(db: Database, match: str) -> StoredMatch | None:
    """A match with its people, its newest snapshot and its drafts."""
    rows = db.execute(MATCH, (match,)).fetchall()
    if not rows:
        return None
    chairs = db.execute("SELECT user, name, level FROM seat WHERE match = ? ORDER BY seat", (match,)).fetchall()
    drafts = db.execute(DRAFTS, (match,)).fetchall()
    try:
        record = _record(rows[0], chairs)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged(say("database.damaged_match", id=match)) from error
    return StoredMatch(
        record=record,
        snapshot=_only(db.execute(NEWEST, (match,)).fetchall()) or b"",
        drafts=tuple(StoredDraft(seat=seat, answers=answers, cut=bool(cut)) for seat, answers, cut in drafts),
    )


def version(db: Database, match: str) -> int | None:
    """How often a match was written."""
    found: int | None = _only(db.execute(VERSION, (match,)).fetchall())
    return found


def load_all(db: Database, matches: Iterable[str]) -> list[StoredMatch]:
    """Several matches, without those that are not there or damaged."""
    found = []
    for match in matches:
        with suppress(Damaged):
            if stored := load(db, match):
                found.append(stored)
    return found


def commits(db: Database, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
    """Commits in order."""
    last = number if number is not None else 1 << 62
    return [
        StoredCommit(number=n, rules=rules, seat=seat or 0, commit=commit or b"", events=told, snapshot=position or b"")
        for n, rules, seat, commit, told, position in db.execute(COMMITS, (match, since, last)).fetchall()
    ]


def snapshot(db: Database, match: str, number: int) -> bytes | None:
    """The position after a commit."""
    found = db.execute("SELECT position FROM snapshot WHERE match = ? AND number = ?", (match, number))
    position: bytes | None = _only(found.fetchall())
    return position


def newest_kept(db: Database, match: str, number: int) -> int | None:
    """The last commit up to a number whose position is kept."""
    found: int | None = _only(db.execute(NEWEST_KEPT, (match, number)).fetchall())
    return found


def to_thin(db: Database, before: int, most: int) -> list[str]:
    """Matches that have ended and were not thinned."""
    return [row[0] for row in db.execute(TO_THIN, (before, most)).fetchall()]


def thin(db: Database, match: str, numbers: Iterable[int]) -> None:
    """Positions forgotten."""
    db.executemany(THIN, [{"match": match, "number": number} for number in numbers])


def thinned(db: Database, match: str) -> None:
    """All of a match that was to be forgotten is."""
    if db.execute("UPDATE match SET thinned = 1 WHERE id = ? AND open = 0", (match,)).rowcount:
        db.execute("DELETE FROM clock WHERE match = ?", (match,))


def clocks(db: Database, match: str, number: int) -> TableClocks:
    """The clocks as they were kept beside a commit."""
    found = db.execute("SELECT clocks FROM clock WHERE match = ? AND number = ?", (match, number))
    kept: str | None = _only(found.fetchall())
    return msgspec.json.decode(kept, type=TableClocks) if kept else TableClocks()


def done(db: Database, match: str, interaction: int) -> HandledInteraction | None:
    """An interaction that was carried out."""
    found = db.execute(
        "SELECT seat, since, number FROM interaction WHERE match = ? AND id = ?", (match, interaction)
    ).fetchall()
    for seat, since, number in found:
        return HandledInteraction(interaction=interaction, seat=seat, since=since, number=number)
    return None


def here(db: Database, channel: int) -> list[str]:
    """Open matches of a channel or thread."""
    return [row[0] for row in db.execute(HERE, {"channel": channel}).fetchall()]


def ended(db: Database, place: int) -> str | None:
    """The last match of a thread or direct message that is not open any more."""
    match: str | None = _only(db.execute(ENDED, {"place": place}).fetchall())
    return match


def over(db: Database, user: int, place: int, most: int) -> list[str]:
    """The newest matches that have ended, of a person or of a channel or thread."""
    return [row[0] for row in db.execute(OVER, {"user": user, "place": place, "most": most}).fetchall()]


def of_user(db: Database, user: int) -> list[str]:
    """Open matches of a person."""
    return [row[0] for row in db.execute(OF_USER, (user,)).fetchall()]


def finished(db: Database, user: int) -> int:
    """How many matches of a person have ended."""
    return int(_only(db.execute(FINISHED, (user,)).fetchall()))


def open_in(db: Database, guild: int, besides: str) -> int:
    """How many matches of a server are open, besides one."""
    return int(_only(db.execute(OPEN_IN, (guild, besides)).fetchall()))


def tables(db: Database, guild: int) -> list[str]:
    """Open lobbies of a server."""
    return [row[0] for row in db.execute(TABLES, (guild,)).fetchall()]


def offering(db: Database, guild: int) -> list[str]:
    """Matches of a server in which a seat is offered."""
    return [row[0] for row in db.execute(OFFERING, (guild,)).fetchall()]


def awaiting(db: Database, user: int) -> list[str]:
    """Open lobbies in which a person is awaited."""
    return [row[0] for row in db.execute(AWAITING, {"user": user}).fetchall()]


def unattended(db: Database, *, own: Shards) -> list[str]:
    """Running matches that wait for a computer."""
    return [row[0] for row in db.execute(UNATTENDED.format(owns=owned(own))).fetchall()]


def lobbies(db: Database, before: int, *, own: Shards) -> list[str]:
    """Open lobbies in which nobody has done anything since."""
    return [row[0] for row in db.execute(LOBBIES.format(owns=owned(own)), (before,)).fetchall()]


def paused(db: Database, *, own: Shards) -> list[str]:
    """Matches that cannot post, those included that have ended unsaid."""
    return [row[0] for row in db.execute(PAUSED.format(owns=owned(own))).fetchall()]


def of_each_kind(db: Database, most: int, *, own: Shards) -> list[str]:
    """The newest running match of each kind that looks different."""
    return [row[0] for row in db.execute(OF_EACH_KIND.format(owns=owned(own)), (most,)).fetchall()]


def untold(db: Database, *, own: Shards) -> list[str]:
    """Matches that have ended, and whose lobby and thread do not say so yet."""
    return [row[0] for row in db.execute(UNTOLD.format(owns=owned(own))).fetchall()]


def due(db: Database, match: str | None = None, *, own: Shards) -> list[Announcement]:
    """Announcements not yet posted."""
    if match is None:
        rows = db.execute(f"{DUE} AND {owned(own)} ORDER BY announcement.id").fetchall()
    else:
        rows = db.execute(f"{DUE} AND match = ? ORDER BY announcement.id", (match,)).fetchall()
    return [Announcement(*row) for row in rows]


def told_at(db: Database, match: str) -> list[int]:
    """The commits after which a post was due."""
    rows = db.execute("SELECT number FROM announcement WHERE match = ? ORDER BY number", (match,)).fetchall()
    return [number for (number,) in rows]


def detours(db: Database, match: str) -> list[tuple[int, int]]:
    """The commits that took others back, each with the one it went back to."""
    return [(number, back_to) for number, back_to in db.execute(DETOURS, (match,)).fetchall() if back_to is not None]


def announced(db: Database, match: str) -> Announcement | None:
    """The last announcement, posted or not."""
    last = "SELECT id, match, since, number FROM announcement WHERE match = ? ORDER BY number DESC LIMIT 1"
    return next((Announcement(*row) for row in db.execute(last, (match,)).fetchall()), None)


def recent(db: Database, match: str, number: int) -> tuple[Announcement | None, list[StoredCommit]]:
    """Return the last post of a match, and the commits up to a number since the post before it."""
    last_post = announced(db, match)
    return last_post, commits(db, match, last_post.since if last_post else -1, number)


def set_due(db: Database, *dues: Job) -> None:
    """Things to happen later."""
    for due in dues:
        drop_due(db, due.kind, due.match, due.user)
        db.execute(SET_DUE, msgspec.to_builtins(due) | {"facts": msgspec.json.encode(due.facts).decode()})


def drop_due(db: Database, kind: str, match: str = "", user: int = 0) -> None:
    """Something to happen no more."""
    db.execute(DROP_DUE, (kind, match, user))


def due_by(db: Database, now: int, most: int, *, own: Shards) -> list[Job]:
    """What is to be done by now."""
    owns = owned(own, "due") if own.are_all else f"{owned(own, 'due')} AND NOT {ANYBODYS}"
    return [_due(row) for row in db.execute(DUE_BY.format(owns=owns), (now, most)).fetchall()]


def take_due(db: Database, now: int, most: int, until: int, *, own: Shards) -> list[Job]:
    """What is to be done by now by anybody, in this process's hand until then."""
    if own.are_all or own == NONE:
        return []
    rows = db.execute(TAKE_DUE, (now, most)).fetchall()
    found = [_due(row) for row in rows]
    keep_due(db, [due.id for due in found], until)
    return found


def keep_due(db: Database, ids: Iterable[int], until: int) -> None:
    """It stays in this process's hand until then."""
    db.executemany(KEEP_DUE, [(until, number) for number in ids])


def next_due(db: Database, *, own: Shards) -> int | None:
    """When the next thing is to be done."""
    owns = owned(own, "due") if own.are_all or own == NONE else f"({owned(own, 'due')} OR {ANYBODYS})"
    wake: int | None = _only(db.execute(NEXT_DUE.format(owns=owns)).fetchall())
    return wake


def is_to_happen(db: Database, kind: str, match: str = "", user: int = 0) -> bool:
    """Whether something of that kind is to happen."""
    found = db.execute("SELECT 1 FROM due WHERE kind = ? AND match = ? AND user = ?", (kind, match, user))
    return found.fetchone() is not None


def dues_of(db: Database, match: str) -> list[Job]:
    """All that is to happen in a match."""
    found = db.execute("SELECT kind, at, match, user, facts, id, tries FROM due WHERE match = ? ORDER BY at", (match,))
    return [_due(row) for row in found.fetchall()]


def jobs_of_match(db: Database, record: MatchRecord) -> list[Job]:
    """Return the jobs of a match."""
    return dues_of(db, record.id)


def reminders_of_match(db: Database, record: MatchRecord) -> list[Reminder]:
    """Return how the people of a match are reminded."""
    return calls(db, record.id)


def votes_of_match(db: Database, record: MatchRecord) -> list[Vote]:
    """Return the votes of a match, in order."""
    return votes(db, record.id)


def due_done(db: Database, due: Job) -> None:
    """It has happened."""
    db.execute("DELETE FROM due WHERE id = ?", (due.id,))


def due_failed(db: Database, due: Job, wake: int) -> None:
    """It is tried again."""
    db.execute("UPDATE due SET wake = ?, tries = tries + 1 WHERE id = ?", (wake, due.id))


def beat(db: Database, now: int, most: int, kinds: Iterable[str], *, own: Shards) -> list[Absence]:
    """The bot is there now for the servers of these shards."""
    whose = Shards() if own.are_all else own
    kept = db.execute("SELECT shards, shard, at FROM beat").fetchall()
    db.executemany(PUT_BEAT, [(whose.count, shard, now) for shard in whose.ids])
    # Where shards were counted otherwise, any of them may have served a server.
    seen = {shard: [at for count, one, at in kept if count != whose.count or one == shard] for shard in whose.ids}
    since = {shard: max(times) for shard, times in seen.items() if times}
    if len(since) == len(whose.ids) and len(set(since.values())) == 1:
        found = [Absence(since[whose.first], now, whose)]
    else:
        found = [Absence(last, now, Shards(shard, shard, whose.count)) for shard, last in since.items()]
    found = [absence for absence in found if now - absence.since > most]
    for absence in found:
        away, by = absence.whose, now - absence.since
        db.execute(PUT_ABSENCE, (absence.since, now, away.first, away.last, away.count))
        for kind in kinds:
            db.execute(POSTPONE.format(owns=owned(away, "due")), {"by": by, "kind": kind})
    if found and not own.are_all:
        db.execute(TELL_OWNER, (ABSENCE,))
    return found


def absences(db: Database, since: int) -> list[Absence]:
    """When the bot was not there."""
    return [Absence(since, until, Shards(*whose)) for since, until, *whose in db.execute(ABSENCES, (since,)).fetchall()]


def votes(db: Database, match: str) -> list[Vote]:
    """All votes of a match."""
    found = db.execute("SELECT asked FROM vote WHERE match = ? ORDER BY number", (match,))
    return [msgspec.json.decode(row[0], type=Vote) for row in found.fetchall()]


def votes_and_ends(db: Database, match: str, kind: str) -> tuple[list[Vote], list[Job]]:
    """Return the votes of a match, and the jobs of a kind that end them."""
    return votes(db, match), [job for job in dues_of(db, match) if job.kind == kind]


def note_vote_message(db: Database, vote: Vote, message: int, place: int) -> None:
    """Note which message shows a vote as it was given; once it is decided, that its result is told."""
    for kept in votes(db, vote.match):
        if kept.number == vote.number:
            shown = msgspec.structs.replace(kept, message=message, place=place, told=not vote.is_open)
            if shown != kept:
                row = (vote.match, vote.number, shown.told, msgspec.json.encode(shown).decode())
                db.execute(PUT_VOTE, row)


def voting(db: Database, *, own: Shards) -> list[str]:
    """Matches with votes of which something is still to be told."""
    return [row[0] for row in db.execute(VOTING.format(owns=owned(own, "vote"))).fetchall()]


def note(db: Database, match: str, user: int) -> str:
    """A person's note in a match."""
    return str(_only(db.execute("SELECT text FROM note WHERE match = ? AND user = ?", (match, user)).fetchall()) or "")


def put_note(db: Database, match: str, user: int, text: str) -> None:
    """A note kept or forgotten."""
    if text:
        db.execute(PUT_NOTE, (match, user, text))
    else:
        db.execute("DELETE FROM note WHERE match = ? AND user = ?", (match, user))


def setting(db: Database, scope: Scope, owner: int, key: str) -> str | None:
    """A choice of a player or server."""
    found = db.execute(f"SELECT value FROM {scope}_setting WHERE owner = ? AND key = ?", (owner, key))
    value: str | None = _only(found.fetchall())
    return value


def settings_of_seated(db: Database, match: str, keys: tuple[str, str]) -> dict[int, dict[str, str]]:
    """Return what the people who sit in a match have chosen under these keys."""
    found: dict[int, dict[str, str]] = {}
    for owner, key, value in db.execute(SETTINGS_OF_SEATED, (match, *keys)).fetchall():
        found.setdefault(owner, {})[key] = value
    return found


def put_setting(db: Database, scope: Scope, owner: int, key: str, value: str | None) -> None:
    """A choice kept or forgotten."""
    if value is None:
        db.execute(f"DELETE FROM {scope}_setting WHERE owner = ? AND key = ?", (owner, key))
    else:
        replaced = "ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value"
        db.execute(f"INSERT INTO {scope}_setting VALUES (?, ?, ?) {replaced}", (owner, key, value))


def calls(db: Database, match: str | None = None, user: int | None = None) -> list[Reminder]:
    """How people are called."""
    kept = db.execute(CALLS, {"match": match, "user": user}) if match is not None else db.execute(CALLS_OF, (user,))
    return [_call(row) for row in kept.fetchall()]


def wanted_calls(db: Database, most: int, *, own: Shards) -> list[Reminder]:
    """Calls to be made now."""
    owns = owned(own, "call") if own.are_all else f"{owned(own, 'call')} AND NOT {DIRECT_CALLS}"
    return [_call(row) for row in db.execute(WANTED_CALLS.format(owns=owns), (most,)).fetchall()]


def take_calls(db: Database, now: int, most: int, until: int, *, own: Shards) -> list[Reminder]:
    """Calls to be made now by anybody, in this process's hand until then."""
    if own.are_all or own == NONE:
        return []
    found = [_call(row) for row in db.execute(TAKE_CALLS, (now, most)).fetchall()]
    taken = "UPDATE call SET taken = ? WHERE match = ? AND user = ?"
    db.executemany(taken, [(until, call.match, call.user) for call in found])
    return found


def answered(db: Database, *, own: Shards) -> list[str]:
    """Matches with calls that are answered."""
    return [row[0] for row in db.execute(ANSWERED.format(owns=owned(own, "call"))).fetchall()]


def want_calls(db: Database, due: Job, now: int, most: int, *, own: Shards) -> None:
    """A call that has come due and others with it are wanted, by what stands in their row or else simply due."""
    rows = db.execute(DUE_CALLS, (due.kind, now, most)).fetchall()
    rows += db.execute(DUE_CALL, (due.id,)).fetchall()
    db.executemany(WANT_CALL, [(wanted or "due", now, match, user) for _, match, user, wanted in rows])
    db.executemany("DELETE FROM due WHERE id = ?", [(number,) for number, *_ in rows])
    if not own.are_all:
        # Those that are made where a match is played are its owner's.
        db.execute(TELL_OWNER, (CALLS_WANTED,))


def put_calls(db: Database, put: Iterable[Reminder], dues: Iterable[Job] = ()) -> None:
    """How people are called from now on, and what is due for it."""
    db.executemany(PUT_CALL, [msgspec.structs.asdict(call) for call in put])
    set_due(db, *dues)


def change_call(db: Database, was: Reminder, call: Reminder, dues: Iterable[Job] = ()) -> bool:
    """The same if it still is as it was."""
    if was not in calls(db, was.match, was.user):
        return False
    put_calls(db, (call,), dues)
    return True


def drop_call(db: Database, call: Reminder) -> None:
    """What was kept of a call forgotten."""
    db.execute("DELETE FROM call WHERE match = ? AND user = ?", (call.match, call.user))


def _call(row: Any) -> Reminder:
    match, user, times, wanted, since, channel, message, over = row
    return Reminder(match, user, times, wanted, since, channel, message, bool(over))


def _only(rows: list[Any]) -> Any:
    return rows[0][0] if rows else None


def _due(row: Any) -> Job:
    kind, at, match, user, facts, number, tries = row
    return Job(kind, at, match, user, msgspec.json.decode(facts, type=dict[str, Any]), number, tries)


def _columns(record: MatchRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "game": record.game,
        "status": record.status,
        "open": record.status in OPEN,
        "guild": record.place.guild,
        "channel": record.place.channel,
        "thread": record.place.thread,
        "wants_thread": record.place.wants_thread,
        "host": record.host,
        "settings": msgspec.json.encode(record.settings).decode(),
        "terms": msgspec.json.encode(record.terms).decode(),
        "commitment": record.commitment,
        "paused_for": record.paused_for,
        "touched": record.touched,
        "version": record.version,
        "untold": record.untold,
        "seating": msgspec.json.encode(record.seating).decode(),
        "sat": msgspec.json.encode(record.sat).decode(),
        "clocks": msgspec.json.encode(record.clocks).decode(),
        "plans": msgspec.json.encode(record.plans).decode(),
    }


def _record(row: Any, chairs: list[Any]) -> MatchRecord:
    match, game, status, guild, channel, thread, wants, host, settings, terms, commitment, why, *rest = row
    touched, version, untold, seating, clocks, sat, plans, lobby, turn = rest
    return MatchRecord(
        id=match,
        game=game,
        status=Status(status),
        place=Place(guild, channel, thread, bool(wants)),
        host=host,
        settings=msgspec.json.decode(settings, type=dict[str, str]),
        chairs=tuple(_person(*chair) for chair in chairs),
        terms=msgspec.json.decode(terms, type=Terms),
        commitment=commitment,
        lobby_message=lobby or 0,
        turn_message=turn or 0,
        paused_for=why,
        touched=touched,
        untold=bool(untold),
        seating=msgspec.json.decode(seating, type=tuple[int, ...]),
        sat=msgspec.json.decode(sat, type=tuple[SeatChange, ...]),
        clocks=msgspec.json.decode(clocks, type=TableClocks),
        plans=msgspec.json.decode(plans, type=tuple[PlannedTurn, ...]),
        version=version,
    )


def _person(user: int, name: str, level: str) -> Person:
    return msgspec.convert({"id": user, "name": name, "level": level or None}, Person)


def _put_chairs(db: Database, record: MatchRecord) -> None:
    db.execute("DELETE FROM seat WHERE match = ?", (record.id,))
    is_open = record.status in OPEN
    rows = [
        (record.id, seat, person.id, person.name, is_open, person.level or "")
        for seat, person in enumerate(record.chairs)
    ]
    db.executemany("INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?)", rows)


def _put_commit(db: Database, match: str, commit: StoredCommit) -> None:
    if commit.number:
        row = (match, commit.number, commit.rules, commit.seat, commit.commit)
        db.execute("INSERT INTO match_commit VALUES (?, ?, ?, ?, ?)", row)
    db.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (match, commit.number, commit.rules, commit.events))
    db.execute("INSERT INTO snapshot VALUES (?, ?, ?)", (match, commit.number, commit.snapshot))


def _put_drafts(db: Database, match: str, drafts: tuple[StoredDraft, ...]) -> None:
    db.execute("DELETE FROM draft WHERE match = ?", (match,))
    rows = [(match, draft.seat, draft.answers, draft.cut) for draft in drafts]
    db.executemany("INSERT INTO draft VALUES (?, ?, ?, ?)", rows)


def _announce_again(db: Database, match: str) -> Announcement | None:
    """Make the last post due once more, unless another is, and return it."""
    last = announced(db, match)
    due = db.execute("SELECT 1 FROM announcement WHERE posted = 0 AND match = ?", (match,)).fetchone()
    if last is None or due is not None:
        return None
    # Under an id of its own: Discord would take a repeated nonce for the message that is there already.
    db.execute("DELETE FROM announcement WHERE id = ?", (last.id,))
    again = "INSERT INTO announcement (match, since, number) VALUES (?, ?, ?) RETURNING id, match, since, number"
    row = db.execute(again, (match, last.since, last.number)).fetchone()
    return Announcement(*row) if row else None


def _put_done(db: Database, match: str, done: HandledInteraction) -> None:
    db.execute("DELETE FROM interaction WHERE match = ? AND id < ?", (match, done.interaction - REMEMBERED))
    row = (match, done.interaction, done.seat, done.since, done.number)
    db.execute("INSERT INTO interaction VALUES (?, ?, ?, ?, ?)", row)
