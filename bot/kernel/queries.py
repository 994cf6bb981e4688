"""What the kernel keeps, and finds again: matches, their log and drafts, posts, jobs and settings.

A query is a plain function over a database, run whole in one transaction by `store.read` and `store.write`.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from bot.model.clocks import TableClocks
from bot.model.jobs import Absence, Job
from bot.model.match import OPEN, MatchRecord, Person, Place, PlannedTurn, SeatChange, Status, Terms
from bot.model.posts import Announcement
from bot.model.shards import NONE, Shards
from bot.model.stored import (
    ABSENCE,
    HandledInteraction,
    MessageKind,
    StoredCommit,
    StoredDraft,
    StoredMatch,
    Writes,
)
from bot.runtime.errors import Conflict, Damaged, NotFound, Refused
from bot.store.base import VERSION, match_version
from bot.store.database import require_one
from bot.store.sql import Database, Statement, Write, first_column, first_value

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

TELL_PROCESSES = Statement(sqlite="SELECT {news}", postgres="SELECT pg_notify('motu', {news})")
"""Tell the other processes on this database something. Nobody else listens in SQLite."""

ANNOUNCE = """
    INSERT INTO announcement (match, since, number)
    SELECT :match, coalesce(max(number), -1), CAST(:number AS INTEGER) FROM announcement WHERE match = :match
    RETURNING id, match, since, number
"""

PUT_CLOCKS = "INSERT INTO clock VALUES (?, ?, ?) ON CONFLICT (match, number) DO UPDATE SET clocks = excluded.clocks"

PUT_MESSAGE = "INSERT INTO message VALUES (?, ?, ?) ON CONFLICT (match, kind) DO UPDATE SET message = excluded.message"

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

NEWEST = "SELECT position FROM snapshot WHERE match = ? ORDER BY number DESC LIMIT 1"

NEWEST_KEPT = "SELECT max(number) FROM snapshot WHERE match = ? AND number <= ?"

DRAFTS = "SELECT seat, answers, cut FROM draft WHERE match = ? ORDER BY seat"

HOSTED = """
    SELECT count(*) FROM seat JOIN match ON match.id = seat.match
    WHERE seat.user = :host AND seat.open = 1 AND match.host = :host AND status = 'lobby'
"""

TABLES = "SELECT id FROM match WHERE guild = ? AND open = 1 AND status = 'lobby' ORDER BY opened DESC"

OFFERING = """
    SELECT DISTINCT id, opened FROM vote JOIN match ON match.id = vote.match
    WHERE told = 0 AND guild = ? AND open = 1
        AND json_extract(asked, '$.kind') = 'seat' AND json_extract(asked, '$.outcome') IS NULL
    ORDER BY opened DESC
"""

AWAITING = Statement(
    sqlite="""
    SELECT DISTINCT match.id, opened FROM match, json_each(seating)
    WHERE status = 'lobby' AND open = 1 AND seating != '[]' AND json_each.value = {user}
        AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.match = match.id AND seat.user = {user})
    ORDER BY opened DESC
""",
    postgres="""
        SELECT id, opened FROM match
        WHERE status = 'lobby' AND open = 1 AND seating != '[]'
            AND CAST(seating AS jsonb) @> to_jsonb(CAST({user} AS INTEGER))
            AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.match = match.id AND seat.user = {user})
        ORDER BY opened DESC
    """,
)

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


PLAYER_SETTING = Statement("SELECT value FROM player_setting WHERE owner = {user} AND key = {key}")

PUT_PLAYER_SETTING = Statement("""
    INSERT INTO player_setting VALUES ({user}, {key}, {value})
    ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value
""")

DELETE_PLAYER_SETTING = Statement("DELETE FROM player_setting WHERE owner = {user} AND key = {key}")

SERVER_SETTING = Statement("SELECT value FROM server_setting WHERE owner = {guild} AND key = {key}")

PUT_SERVER_SETTING = Statement("""
    INSERT INTO server_setting VALUES ({guild}, {key}, {value})
    ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value
""")

DELETE_SERVER_SETTING = Statement("DELETE FROM server_setting WHERE owner = {guild} AND key = {key}")


def owned(own: Shards, table: str = "match") -> str:
    """Which rows are this process's alone: of matches, or of a table that names its match. One process has all."""
    if own.are_all:
        return "1 = 1"
    shard = f"(match.guild >> 22) % {own.count}"
    if table != "match":
        # Not by EXISTS, of which PostgreSQL may make a list of all matches: row by row it is looked up by its id.
        shard = f"(SELECT {shard} FROM match WHERE match.id = {table}.match)"
    return f"{shard} BETWEEN {own.first} AND {own.last}"


def create_match(
    db: Database, record: MatchRecord, done: HandledInteraction | None = None, most: int | None = None
) -> None:
    """A new match, unless its host has `most` open lobbies already."""
    if db.execute(CREATE, _columns(record)).rowcount != 1:
        raise Conflict("refusal.match_exists", id=record.id)
    _put_chairs(db, record)
    # After it is in, for a repeat of the same interaction is known by the id that is taken; refused, it is undone.
    if most is not None and first_value(db.execute(HOSTED, {"host": record.host})) > most:
        raise Refused("refusal.too_many_lobbies", most=most)
    if done is not None:
        _put_done(db, record.id, done)


def write_change(db: Database, writes: Writes, *, own: Shards) -> Announcement | None:
    """Write a change to a match, and return the post that has become due by it.

    Raises Conflict if somebody else has written the match since it was read. Its owner is told if that is another
    process.
    """
    record = writes.record
    changed = db.execute(UPDATE, {**_columns(record), "unattended": writes.unattended})
    require_one(changed, Conflict("refusal.conflict"))
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
        cancel_job(db, kind, record.id, user)
    schedule(db, *writes.jobs)
    for write in writes.more:
        write.run(db)
    if not own.serve(record.place.guild):
        db.execute(TELL_PROCESSES, {"news": f"{record.place.guild} {record.id}"})
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
    return {need: need(db, record) for need in needs}, last_announcement(db, record.id)


def note_message(db: Database, match: str, kind: MessageKind, message: int) -> int:
    """Note which message is a match's lobby, or carries its buttons; return the match's version from then on."""
    db.execute(PUT_MESSAGE, (match, kind, message))
    # So that other processes read the match again.
    db.execute("UPDATE match SET version = version + 1 WHERE id = ?", (match,))
    return match_version(db, match) or 0


def note_post(
    db: Database, announcement: Announcement, message: int, jobs: Iterable[Job], writes: Iterable[Write]
) -> int:
    """Note that a post was made, with what is written then; return the match's version from then on."""
    done = (announcement.id, announcement.match)
    db.execute("UPDATE announcement SET posted = 1 WHERE id = ? AND match = ?", done)
    schedule(db, *jobs)
    for write in writes:
        write.run(db)
    return note_message(db, announcement.match, MessageKind.TURN, message)


def load_match(db: Database, match: str) -> StoredMatch | None:
    """A match with its people, its newest snapshot and its drafts."""
    # All are asked before any is fetched: one round trip to a server instead of four.
    found = db.execute(MATCH, (match,))
    chairs = db.execute("SELECT user, name, level FROM seat WHERE match = ? ORDER BY seat", (match,))
    drafts = db.execute(DRAFTS, (match,))
    newest = db.execute(NEWEST, (match,))
    row = found.fetchone()
    if row is None:
        return None
    try:
        record = _record(row, chairs.fetchall())
    except (msgspec.MsgspecError, ValueError) as error:
        raise Damaged("database.damaged_match", id=match) from error
    return StoredMatch(
        record=record,
        snapshot=first_value(newest) or b"",
        drafts=tuple(
            StoredDraft(seat=seat, answers=answers, cut=bool(cut)) for seat, answers, cut in drafts.fetchall()
        ),
    )


def load_newer(
    db: Database, match: str, version: int | None, interaction: int | None
) -> tuple[StoredMatch | None, HandledInteraction | None]:
    """Return a match unless that is its version, and what came of an interaction if it was carried out.

    Raises NotFound if there is no such match.
    """
    newest = db.execute(VERSION, {"match": match})
    handled = None if interaction is None else handled_interaction(db, match, interaction)
    if version is not None and first_value(newest) == version:
        return None, handled
    stored = load_match(db, match)
    if stored is None:
        raise NotFound("refusal.no_match", id=match)
    return stored, handled


def load_matches(db: Database, matches: Iterable[str]) -> list[StoredMatch]:
    """Several matches, without those that are not there or damaged."""
    found = []
    for match in matches:
        with suppress(Damaged):
            if stored := load_match(db, match):
                found.append(stored)
    return found


def commits(db: Database, match: str, since: int = -1, number: int | None = None) -> list[StoredCommit]:
    """Commits in order."""
    last = number if number is not None else 1 << 62
    return [
        StoredCommit(number=n, rules=rules, seat=seat or 0, commit=commit or b"", events=told, snapshot=position or b"")
        for n, rules, seat, commit, told, position in db.execute(COMMITS, (match, since, last)).fetchall()
    ]


def position(db: Database, match: str, number: int) -> bytes | None:
    """The position after a commit."""
    found = db.execute("SELECT position FROM snapshot WHERE match = ? AND number = ?", (match, number))
    position: bytes | None = first_value(found)
    return position


def last_kept_position(db: Database, match: str, number: int) -> int | None:
    """The last commit up to a number whose position is kept."""
    found: int | None = first_value(db.execute(NEWEST_KEPT, (match, number)))
    return found


def clocks_at(db: Database, match: str, number: int) -> TableClocks:
    """The clocks as they were kept beside a commit."""
    found = db.execute("SELECT clocks FROM clock WHERE match = ? AND number = ?", (match, number))
    kept: str | None = first_value(found)
    return msgspec.json.decode(kept, type=TableClocks) if kept else TableClocks()


def handled_interaction(db: Database, match: str, interaction: int) -> HandledInteraction | None:
    """An interaction that was carried out."""
    found = db.execute(
        "SELECT seat, since, number FROM interaction WHERE match = ? AND id = ?", (match, interaction)
    ).fetchall()
    for seat, since, number in found:
        return HandledInteraction(interaction=interaction, seat=seat, since=since, number=number)
    return None


def open_matches_in(db: Database, channel: int) -> list[str]:
    """Open matches of a channel or thread."""
    return first_column(db.execute(HERE, {"channel": channel}))


def last_ended_in(db: Database, place: int) -> str | None:
    """The last match of a thread or direct message that is not open any more."""
    match: str | None = first_value(db.execute(ENDED, {"place": place}))
    return match


def ended_matches(db: Database, user: int, place: int, most: int) -> list[str]:
    """The newest matches that have ended, of a person or of a channel or thread."""
    return first_column(db.execute(OVER, {"user": user, "place": place, "most": most}))


def open_matches_of(db: Database, user: int) -> list[str]:
    """Open matches of a person."""
    return first_column(db.execute(OF_USER, (user,)))


def open_lobbies(db: Database, guild: int) -> list[str]:
    """Open lobbies of a server."""
    return first_column(db.execute(TABLES, (guild,)))


def matches_offering_seats(db: Database, guild: int) -> list[str]:
    """Matches of a server in which a seat is offered."""
    return first_column(db.execute(OFFERING, (guild,)))


def rematches_awaiting(db: Database, user: int) -> list[str]:
    """Open lobbies in which a person is awaited."""
    return first_column(db.execute(AWAITING, {"user": user}))


def matches_awaiting_computer(db: Database, *, own: Shards) -> list[str]:
    """Running matches that wait for a computer."""
    return first_column(db.execute(UNATTENDED.format(owns=owned(own))))


def idle_lobbies(db: Database, before: int, *, own: Shards) -> list[str]:
    """Open lobbies in which nobody has done anything since."""
    return first_column(db.execute(LOBBIES.format(owns=owned(own)), (before,)))


def matches_unable_to_post(db: Database, *, own: Shards) -> list[str]:
    """Matches that cannot post, those included that have ended unsaid."""
    return first_column(db.execute(PAUSED.format(owns=owned(own))))


def distinct_board_samples(db: Database, most: int, *, own: Shards) -> list[str]:
    """The newest running match of each kind that looks different."""
    return first_column(db.execute(OF_EACH_KIND.format(owns=owned(own)), (most,)))


def matches_with_unannounced_result(db: Database, *, own: Shards) -> list[str]:
    """Matches that have ended, and whose lobby and thread do not say so yet."""
    return first_column(db.execute(UNTOLD.format(owns=owned(own))))


def pending_announcements(db: Database, match: str | None = None, *, own: Shards) -> list[Announcement]:
    """Announcements not yet posted."""
    if match is None:
        rows = db.execute(f"{DUE} AND {owned(own)} ORDER BY announcement.id").fetchall()
    else:
        rows = db.execute(f"{DUE} AND match = ? ORDER BY announcement.id", (match,)).fetchall()
    return [Announcement(*row) for row in rows]


def last_announcement(db: Database, match: str) -> Announcement | None:
    """The last announcement, posted or not."""
    last = "SELECT id, match, since, number FROM announcement WHERE match = ? ORDER BY number DESC LIMIT 1"
    return next((Announcement(*row) for row in db.execute(last, (match,)).fetchall()), None)


def recent_commits(db: Database, match: str, number: int) -> tuple[Announcement | None, list[StoredCommit]]:
    """Return the last post of a match, and the commits up to a number since the post before it."""
    last_post = last_announcement(db, match)
    return last_post, commits(db, match, last_post.since if last_post else -1, number)


def schedule(db: Database, *dues: Job) -> None:
    """Things to happen later."""
    for due in dues:
        cancel_job(db, due.kind, due.match, due.user)
        db.execute(SET_DUE, msgspec.to_builtins(due) | {"facts": msgspec.json.encode(due.facts).decode()})


def cancel_job(db: Database, kind: str, match: str = "", user: int = 0) -> None:
    """Something to happen no more."""
    db.execute(DROP_DUE, (kind, match, user))


def due_jobs(db: Database, now: int, most: int, *, own: Shards) -> list[Job]:
    """What is to be done by now."""
    owns = owned(own, "due") if own.are_all else f"{owned(own, 'due')} AND NOT {ANYBODYS}"
    return [_due(row) for row in db.execute(DUE_BY.format(owns=owns), (now, most)).fetchall()]


def claim_jobs(db: Database, now: int, most: int, until: int, *, own: Shards) -> list[Job]:
    """What is to be done by now by anybody, in this process's hand until then."""
    if own.are_all or own == NONE:
        return []
    rows = db.execute(TAKE_DUE, (now, most)).fetchall()
    found = [_due(row) for row in rows]
    hold_jobs(db, [due.id for due in found], until)
    return found


def hold_jobs(db: Database, ids: Iterable[int], until: int) -> None:
    """It stays in this process's hand until then."""
    db.executemany(KEEP_DUE, [(until, number) for number in ids])


def next_job_at(db: Database, *, own: Shards) -> int | None:
    """When the next thing is to be done."""
    owns = owned(own, "due") if own.are_all or own == NONE else f"({owned(own, 'due')} OR {ANYBODYS})"
    wake: int | None = first_value(db.execute(NEXT_DUE.format(owns=owns)))
    return wake


def has_job(db: Database, kind: str, match: str = "", user: int = 0) -> bool:
    """Whether something of that kind is to happen."""
    found = db.execute("SELECT 1 FROM due WHERE kind = ? AND match = ? AND user = ?", (kind, match, user))
    return found.fetchone() is not None


def jobs(db: Database, match: str) -> list[Job]:
    """All that is to happen in a match."""
    found = db.execute("SELECT kind, at, match, user, facts, id, tries FROM due WHERE match = ? ORDER BY at", (match,))
    return [_due(row) for row in found.fetchall()]


def jobs_of_match(db: Database, record: MatchRecord) -> list[Job]:
    """Return the jobs of a match."""
    return jobs(db, record.id)


def delete_job(db: Database, due: Job) -> None:
    """It has happened."""
    db.execute("DELETE FROM due WHERE id = ?", (due.id,))


def retry_job(db: Database, due: Job, wake: int) -> None:
    """It is tried again."""
    db.execute("UPDATE due SET wake = ?, tries = tries + 1 WHERE id = ?", (wake, due.id))


def note_heartbeat(db: Database, now: int, most: int, kinds: Iterable[str], *, own: Shards) -> list[Absence]:
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
        db.execute(TELL_PROCESSES, {"news": ABSENCE})
    return found


def absences(db: Database, since: int) -> list[Absence]:
    """When the bot was not there."""
    return [Absence(since, until, Shards(*whose)) for since, until, *whose in db.execute(ABSENCES, (since,)).fetchall()]


def player_setting(db: Database, user: int, key: str) -> str | None:
    """Return what a player has chosen under a key."""
    value: str | None = first_value(db.execute(PLAYER_SETTING, {"user": user, "key": key}))
    return value


def put_player_setting(db: Database, user: int, key: str, value: str | None) -> None:
    """Keep what a player has chosen under a key; None forgets it."""
    put = DELETE_PLAYER_SETTING if value is None else PUT_PLAYER_SETTING
    db.execute(put, {"user": user, "key": key, "value": value})


def players_with_setting(db: Database, key: str, players: Iterable[int]) -> frozenset[int]:
    """Return those of the players who have chosen something under a key."""
    return frozenset(player for player in players if player_setting(db, player, key) is not None)


def server_setting(db: Database, guild: int, key: str) -> str | None:
    """Return what a server has chosen under a key; server 0 stands for the bot itself."""
    value: str | None = first_value(db.execute(SERVER_SETTING, {"guild": guild, "key": key}))
    return value


def put_server_setting(db: Database, guild: int, key: str, value: str | None) -> None:
    """Keep what a server has chosen under a key; None forgets it."""
    put = DELETE_SERVER_SETTING if value is None else PUT_SERVER_SETTING
    db.execute(put, {"guild": guild, "key": key, "value": value})


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
        "touched": record.last_activity_at,
        "version": record.version,
        "untold": record.result_unannounced,
        "seating": msgspec.json.encode(record.seating).decode(),
        "sat": msgspec.json.encode(record.seat_changes).decode(),
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
        last_activity_at=touched,
        result_unannounced=bool(untold),
        seating=msgspec.json.decode(seating, type=tuple[int, ...]),
        seat_changes=msgspec.json.decode(sat, type=tuple[SeatChange, ...]),
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
    last = last_announcement(db, match)
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
