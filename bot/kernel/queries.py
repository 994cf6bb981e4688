"""What the kernel keeps, and finds again: matches, their log, posts, jobs and settings.

A query is a plain function over a database, run whole in one transaction by `store.read` and
`store.write`. A server is only sent a statement; what came of it is fetched when somebody asks. So
queries send all they can before they look.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.model.clocks import TableClocks
from bot.model.jobs import SHARED_JOBS, Absence, Job
from bot.model.match import COMPUTER, OPEN, MatchRecord
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
from bot.store.sql import OWNED, Database, Rows, Statement, Write, first_column, first_value

INTERACTIONS_REMEMBERED = 86_400_000 << 22
"""A day in Discord's ids, which count milliseconds above their lowest 22 bits: no interaction is
repeated later.
"""
BOARD_SAMPLES = 1000
"""Running matches among which those are looked for that look different."""
LAST = 1 << 62
"""A number above that of any commit."""

# A match is written.

CREATE_MATCH = Statement("""
    INSERT INTO matches (id, game, version) VALUES ({id}, {game}, {version} - 1) ON CONFLICT DO NOTHING
""")

# What is NULL stays as it is.
UPDATE_MATCH = Statement("""
    UPDATE matches SET
        version = {version},
        status = {status},
        is_open = {is_open},
        guild = {guild},
        channel = {channel},
        thread = {thread},
        host = {host},
        last_activity_at = {last_activity_at},
        paused_for = {paused_for},
        result_unannounced = {result_unannounced},
        awaits_computer = coalesce({awaits_computer}, awaits_computer),
        lobby_message = {lobby_message},
        turn_message = {turn_message},
        drafts = coalesce({drafts}, drafts),
        record = {record}
    WHERE id = {id} AND version = {version} - 1
""")

DELETE_SEATS = Statement("DELETE FROM seats WHERE match_id = {match}")

PUT_SEAT = Statement("""
    INSERT INTO seats (match_id, user_id, is_seated, is_open) VALUES ({match}, {user}, {is_seated}, {is_open})
""")

PUT_MOVE = Statement("""
    INSERT INTO moves (match_id, number, rules, seat, back_to, answers, events, clocks, position)
    VALUES ({match}, {number}, {rules}, {seat}, {back_to}, {commit}, {events}, {clocks}, {snapshot})
    ON CONFLICT DO NOTHING
""")

HOSTED_LOBBIES = Statement("""
    SELECT count(*) FROM seats JOIN matches ON id = match_id
    WHERE user_id = {host} AND seats.is_open AND is_seated AND host = {host} AND status = 'lobby'
""")

HANDLED_INTERACTION = Statement("""
    SELECT seat, since, number FROM interactions WHERE match_id = {match} AND id = {interaction}
""")

PUT_INTERACTION = Statement("""
    INSERT INTO interactions (match_id, id, seat, since, number)
    VALUES ({match}, {interaction}, {seat}, {since}, {number})
    ON CONFLICT DO NOTHING
""")

DELETE_OLD_INTERACTIONS = Statement(
    "DELETE FROM interactions WHERE match_id = {match} AND id < {oldest}"
)

TELL_PROCESSES = Statement(sqlite="SELECT {news}", postgres="SELECT pg_notify('motu', {news})")
"""Tell the other processes on this database something. Nobody else listens in SQLite."""


def create_match(
    db: Database,
    record: MatchRecord,
    handled: HandledInteraction | None = None,
    most: int | None = None,
) -> None:
    """Keep a new match, unless its host has `most` open lobbies already."""
    created = db.execute(
        CREATE_MATCH, {"id": record.id, "game": record.game, "version": record.version}
    )
    if created.rowcount != 1:
        raise Conflict("refusal.match_exists", id=record.id)
    _update_match(db, record)
    _put_seats(db, record)
    # After it is in, for a repeat of the same interaction is known by the id that is taken;
    # refused, it is undone.
    if most is not None and first_value(db.execute(HOSTED_LOBBIES, {"host": record.host})) > most:
        raise Refused("refusal.too_many_lobbies", most=most)
    if handled is not None:
        _put_interaction(db, record.id, handled)


def write_change(db: Database, writes: Writes, *, own: Shards) -> Announcement | None:
    """Write a change to a match, and return the post that has become due by it.

    Raises Conflict if somebody else has written the match since it was read. Its owner is told if
    that is another process.
    """
    record = writes.record
    written = [_update_match(db, record, writes.drafts, writes.awaits_computer)]
    if writes.seats_changed:
        _put_seats(db, record)
    for commit in writes.commits:
        clocks = writes.clocks if commit is writes.commits[-1] else None
        encoded = None if clocks is None else _encode(clocks)
        move = {**msgspec.structs.asdict(commit), "match": record.id, "clocks": encoded}
        written.append(db.execute(PUT_MOVE, move))
    if writes.handled is not None:
        written.append(_put_interaction(db, record.id, writes.handled))
    for kind, user in writes.cancelled_jobs:
        cancel_job(db, kind, record.id, user)
    schedule(db, *writes.jobs)
    for write in writes.more:
        write.run(db)
    if not own.serve(record.place.guild):
        db.execute(TELL_PROCESSES, {"news": f"{record.place.guild} {record.id}"})
    if writes.withdrawn_after is not None:
        db.execute(WITHDRAW, {"match": record.id, "number": writes.withdrawn_after})
    announced: Rows | None = None
    if writes.announce is not None:
        announced = db.execute(ANNOUNCE, {"match": record.id, "number": writes.announce})
    # All of it is sent: only now is a server asked whether the match was as it was read.
    if any(rows.rowcount != 1 for rows in written):
        raise Conflict("refusal.conflict")
    row = announced.fetchone() if announced is not None else None
    announcement = Announcement(*row) if row else None
    if writes.announce_again:
        announcement = _announce_again(db, record.id) or announcement
    return announcement


def _update_match(
    db: Database,
    record: MatchRecord,
    drafts: tuple[StoredDraft, ...] | None = None,
    awaits_computer: bool | None = None,
) -> Rows:
    """Write the record of a match; one row is changed if its version is the one after that in
    the database.
    """
    return db.execute(
        UPDATE_MATCH,
        {
            "id": record.id,
            "version": record.version,
            "status": record.status,
            "is_open": record.status in OPEN,
            "guild": record.place.guild,
            "channel": record.place.channel,
            "thread": record.place.thread,
            "host": record.host,
            "last_activity_at": record.last_activity_at,
            "paused_for": record.paused_for,
            "result_unannounced": record.result_unannounced,
            "awaits_computer": awaits_computer,
            "lobby_message": record.lobby_message,
            "turn_message": record.turn_message,
            "drafts": None if drafts is None else _encode(drafts),
            "record": _encode(record),
        },
    )


def put_record(db: Database, record: MatchRecord, drafts: tuple[StoredDraft, ...]) -> None:
    """Write the record of a match, its people and its drafts, as they are from now on."""
    _update_match(db, record, drafts)
    _put_seats(db, record)


def _put_seats(db: Database, record: MatchRecord) -> None:
    db.execute(DELETE_SEATS, {"match": record.id})
    seated = [person.id for person in record.chairs if person.id != COMPUTER]
    seat = {"match": record.id, "is_open": record.status in OPEN}
    db.executemany(PUT_SEAT, [{**seat, "user": user, "is_seated": True} for user in seated])
    db.executemany(
        PUT_SEAT, [{**seat, "user": user, "is_seated": False} for user in record.awaited]
    )


def handled_interaction(db: Database, match: str, interaction: int) -> HandledInteraction | None:
    """Return what came of an interaction, None if it was not carried out."""
    row = db.execute(HANDLED_INTERACTION, {"match": match, "interaction": interaction}).fetchone()
    if row is None:
        return None
    seat, since, number = row
    return HandledInteraction(interaction=interaction, seat=seat, since=since, number=number)


def _put_interaction(db: Database, match: str, handled: HandledInteraction) -> Rows:
    oldest = handled.interaction - INTERACTIONS_REMEMBERED
    db.execute(DELETE_OLD_INTERACTIONS, {"match": match, "oldest": oldest})
    return db.execute(PUT_INTERACTION, {**msgspec.structs.asdict(handled), "match": match})


# A match is read.

MATCH = Statement("""
    SELECT record, version, lobby_message, turn_message, drafts,
        (SELECT position FROM moves WHERE match_id = matches.id ORDER BY number DESC LIMIT 1)
    FROM matches WHERE id = {match}
""")

VERSION = Statement("SELECT version FROM matches WHERE id = {match}")

COMMITS = Statement("""
    SELECT number, rules, seat, back_to, answers, events, position FROM moves
    WHERE match_id = {match} AND number > {since} AND number <= {number} ORDER BY number
""")

POSITION = Statement("SELECT position FROM moves WHERE match_id = {match} AND number = {number}")

CLOCKS_AT = Statement("SELECT clocks FROM moves WHERE match_id = {match} AND number = {number}")

LAST_KEPT_POSITION = Statement("""
    SELECT max(number) FROM moves WHERE match_id = {match} AND number <= {number} AND position IS NOT NULL
""")


def load_match(db: Database, match: str) -> StoredMatch | None:
    """Return a match with its newest position and its drafts."""
    row = db.execute(MATCH, {"match": match}).fetchone()
    if row is None:
        return None
    kept, version, lobby_message, turn_message, drafts, position = row
    try:
        record = msgspec.json.decode(kept, type=MatchRecord)
        record = replace(
            record, version=version, lobby_message=lobby_message, turn_message=turn_message
        )
        stored_drafts = msgspec.json.decode(drafts, type=tuple[StoredDraft, ...])
    except msgspec.MsgspecError as error:
        raise Damaged("database.damaged_match", id=match) from error
    return StoredMatch(record=record, snapshot=position or b"", drafts=stored_drafts)


def load_newer(
    db: Database, match: str, version: int | None, interaction: int | None
) -> tuple[StoredMatch | None, HandledInteraction | None]:
    """Return a match unless that is its version, and what came of an interaction if it was carried
    out.

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
    """Return several matches, without those that are not there or damaged."""
    found = []
    for match in matches:
        with suppress(Damaged):
            if stored := load_match(db, match):
                found.append(stored)
    return found


def match_version(db: Database, match: str) -> int | None:
    """Return how often a match was written, None if there is none."""
    version: int | None = first_value(db.execute(VERSION, {"match": match}))
    return version


def load_context(
    db: Database, record: MatchRecord, needs: Iterable[Callable[[Database, MatchRecord], Any]]
) -> tuple[dict[Any, Any], Announcement | None]:
    """Return what each of these needs finds about a match, and its last post."""
    # Sent first and fetched last: a server answers it together with the first need.
    last = db.execute(LAST_ANNOUNCEMENT, {"match": record.id})
    found = {need: need(db, record) for need in needs}
    row = last.fetchone()
    return found, Announcement(*row[:4]) if row else None


def commits(
    db: Database, match: str, since: int = -1, number: int | None = None
) -> list[StoredCommit]:
    """Return the commits of a match after one number up to another, in order."""
    values = {"match": match, "since": since, "number": LAST if number is None else number}
    return [
        StoredCommit(
            number=number,
            rules=rules,
            seat=seat,
            back_to=back_to,
            commit=answers,
            events=events,
            snapshot=position or b"",
        )
        for number, rules, seat, back_to, answers, events, position in db.execute(
            COMMITS, values
        ).fetchall()
    ]


def position(db: Database, match: str, number: int) -> bytes | None:
    """Return the position after a commit, None if it is not kept."""
    found: bytes | None = first_value(db.execute(POSITION, {"match": match, "number": number}))
    return found


def last_kept_position(db: Database, match: str, number: int = LAST) -> int | None:
    """Return the last commit up to a number whose position is kept."""
    found: int | None = first_value(
        db.execute(LAST_KEPT_POSITION, {"match": match, "number": number})
    )
    return found


def clocks_at(db: Database, match: str, number: int) -> TableClocks:
    """Return the clocks as they stood after a commit."""
    kept = first_value(db.execute(CLOCKS_AT, {"match": match, "number": number}))
    return msgspec.json.decode(kept, type=TableClocks) if kept else TableClocks()


# Matches are searched.

OPEN_MATCHES_IN = Statement("""
    SELECT id, opened FROM matches WHERE channel = {channel} AND is_open
    UNION SELECT id, opened FROM matches WHERE thread = {channel} AND is_open
    ORDER BY opened DESC
""")

# Of a direct message, which has no threads, a lobby that was cancelled is not meant.
LAST_ENDED_IN = Statement("""
    SELECT id, opened FROM (
        SELECT id, opened FROM matches
        WHERE channel = {place} AND NOT is_open AND thread = 0 AND status = 'finished'
        ORDER BY opened DESC LIMIT 1
    ) AS in_channel
    UNION SELECT id, opened FROM (
        SELECT id, opened FROM matches WHERE thread = {place} AND NOT is_open ORDER BY opened DESC LIMIT 1
    ) AS in_thread
    ORDER BY opened DESC LIMIT 1
""")

ENDED_MATCHES = Statement("""
    SELECT id, opened FROM (
        SELECT id, opened FROM matches
        WHERE channel = {place} AND NOT is_open AND status IN ('finished', 'called_off')
        ORDER BY opened DESC LIMIT {most}
    ) AS in_channel
    UNION SELECT id, opened FROM (
        SELECT id, opened FROM matches
        WHERE thread = {place} AND NOT is_open AND status IN ('finished', 'called_off')
        ORDER BY opened DESC LIMIT {most}
    ) AS in_thread
    UNION SELECT id, opened FROM (
        SELECT id, opened FROM seats JOIN matches ON id = match_id
        WHERE user_id = {user} AND NOT seats.is_open AND is_seated AND status IN ('finished', 'called_off')
        ORDER BY opened DESC LIMIT {most}
    ) AS of_user
    ORDER BY opened DESC LIMIT {most}
""")

OPEN_MATCHES_OF = Statement("""
    SELECT id FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND seats.is_open AND is_seated ORDER BY opened DESC
""")

REMATCHES_AWAITING = Statement("""
    SELECT id FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND seats.is_open AND NOT is_seated AND status = 'lobby' ORDER BY opened DESC
""")

OPEN_LOBBIES = Statement("""
    SELECT id FROM matches WHERE guild = {guild} AND is_open AND status = 'lobby' ORDER BY opened DESC
""")

MATCHES_OFFERING_SEATS = Statement("""
    SELECT DISTINCT id, opened FROM votes JOIN matches ON id = match_id
    WHERE votes.guild = {guild} AND kind = 'seat' AND votes.is_open AND matches.is_open ORDER BY opened DESC
""")

# The next ones look for work of this process.

IDLE_LOBBIES = Statement(
    f"SELECT id FROM matches WHERE status = 'lobby' AND is_open AND last_activity_at < {{before}} AND {OWNED}"
)

RUNNING_MATCHES = Statement(f"""
    SELECT record FROM matches WHERE status = 'running' AND is_open AND {OWNED} ORDER BY opened DESC LIMIT {{most}}
""")

MATCHES_UNABLE_TO_POST = Statement(f"SELECT id FROM matches WHERE paused_for != '' AND {OWNED}")

UNANNOUNCED_RESULTS = Statement(f"SELECT id FROM matches WHERE result_unannounced AND {OWNED}")

MATCHES_AWAITING_COMPUTER = Statement(f"""
    SELECT id FROM matches WHERE awaits_computer AND is_open AND {OWNED} ORDER BY opened
""")


def open_matches_in(db: Database, channel: int) -> list[str]:
    """Return the open matches of a channel or thread, newest first."""
    return first_column(db.execute(OPEN_MATCHES_IN, {"channel": channel}))


def last_ended_in(db: Database, place: int) -> str | None:
    """Return the last match of a thread or direct message that is not open any more."""
    match: str | None = first_value(db.execute(LAST_ENDED_IN, {"place": place}))
    return match


def ended_matches(db: Database, user: int, place: int, most: int) -> list[str]:
    """Return the newest matches that have ended, of a person or of a channel or thread."""
    return first_column(db.execute(ENDED_MATCHES, {"user": user, "place": place, "most": most}))


def open_matches_of(db: Database, user: int) -> list[str]:
    """Return the open matches of a person, newest first."""
    return first_column(db.execute(OPEN_MATCHES_OF, {"user": user}))


def rematches_awaiting(db: Database, user: int) -> list[str]:
    """Return the open lobbies of rematches in which a person is awaited, newest first."""
    return first_column(db.execute(REMATCHES_AWAITING, {"user": user}))


def open_lobbies(db: Database, guild: int) -> list[str]:
    """Return the open lobbies of a server, newest first."""
    return first_column(db.execute(OPEN_LOBBIES, {"guild": guild}))


def matches_offering_seats(db: Database, guild: int) -> list[str]:
    """Return the matches of a server in which a seat is offered, newest first."""
    return first_column(db.execute(MATCHES_OFFERING_SEATS, {"guild": guild}))


def matches_awaiting_computer(db: Database, *, own: Shards) -> list[str]:
    """Return the open matches that wait for a computer, oldest first."""
    return first_column(db.execute(MATCHES_AWAITING_COMPUTER, own.bounds))


def idle_lobbies(db: Database, before: int, *, own: Shards) -> list[str]:
    """Return the open lobbies in which nobody has done anything since a time."""
    return first_column(db.execute(IDLE_LOBBIES, {"before": before, **own.bounds}))


def matches_unable_to_post(db: Database, *, own: Shards) -> list[str]:
    """Return the matches that cannot post where they live, those included that have ended."""
    return first_column(db.execute(MATCHES_UNABLE_TO_POST, own.bounds))


def matches_with_unannounced_result(db: Database, *, own: Shards) -> list[str]:
    """Return the matches that have ended, and whose lobby and thread do not say so yet."""
    return first_column(db.execute(UNANNOUNCED_RESULTS, own.bounds))


def distinct_board_samples(db: Database, most: int, *, own: Shards) -> list[str]:
    """Return the newest running match of each kind that looks different."""
    found: dict[Any, str] = {}
    for kept in first_column(db.execute(RUNNING_MATCHES, {"most": BOARD_SAMPLES, **own.bounds})):
        with suppress(msgspec.MsgspecError):
            record = msgspec.json.decode(kept, type=MatchRecord)
            found.setdefault(
                (record.game, *sorted(record.settings.items()), len(record.chairs)), record.id
            )
    return list(found.values())[:most]


# Posts.

ANNOUNCE = Statement("""
    INSERT INTO announcements (match_id, since, number)
    SELECT {match}, coalesce(max(number), -1), CAST({number} AS BIGINT) FROM announcements WHERE match_id = {match}
    ON CONFLICT DO NOTHING
    RETURNING id, match_id, since, number
""")

WITHDRAW = Statement(
    "DELETE FROM announcements WHERE match_id = {match} AND NOT is_posted AND number > {number}"
)

PENDING = """
    SELECT announcements.id, match_id, since, number FROM announcements JOIN matches ON matches.id = match_id
    WHERE NOT is_posted AND paused_for = ''
"""

PENDING_ANNOUNCEMENTS = Statement(f"{PENDING} AND {OWNED} ORDER BY announcements.id")

PENDING_ANNOUNCEMENTS_OF_MATCH = Statement(
    PENDING + " AND match_id = {match} ORDER BY announcements.id"
)

LAST_ANNOUNCEMENT = Statement("""
    SELECT id, match_id, since, number, is_posted FROM announcements
    WHERE match_id = {match} ORDER BY number DESC LIMIT 1
""")

ANNOUNCEMENT_POSTED = Statement(
    "UPDATE announcements SET is_posted = TRUE WHERE id = {id} AND match_id = {match}"
)

IS_ANNOUNCEMENT_PENDING = Statement(
    "SELECT 1 FROM announcements WHERE NOT is_posted AND match_id = {match}"
)

DELETE_ANNOUNCEMENT = Statement("DELETE FROM announcements WHERE id = {id}")

POST_AGAIN = Statement("""
    INSERT INTO announcements (match_id, since, number) VALUES ({match}, {since}, {number})
    RETURNING id, match_id, since, number
""")

NOTE_LOBBY_MESSAGE = Statement("""
    UPDATE matches SET lobby_message = {message}, version = version + 1 WHERE id = {match} RETURNING version
""")

NOTE_TURN_MESSAGE = Statement("""
    UPDATE matches SET turn_message = {message}, version = version + 1 WHERE id = {match} RETURNING version
""")


def note_message(db: Database, match: str, kind: MessageKind, message: int) -> int:
    """Note which message is a match's lobby, or carries its buttons; return the match's version
    from then on.
    """
    # A new version, so that other processes read the match again.
    note = NOTE_TURN_MESSAGE if kind is MessageKind.TURN else NOTE_LOBBY_MESSAGE
    return first_value(db.execute(note, {"match": match, "message": message})) or 0


def note_post(
    db: Database,
    announcement: Announcement,
    message: int,
    jobs: Iterable[Job],
    writes: Iterable[Write],
) -> int:
    """Note that a post was made, with what is written then; return the match's version from then
    on.
    """
    db.execute(ANNOUNCEMENT_POSTED, {"id": announcement.id, "match": announcement.match})
    schedule(db, *jobs)
    for write in writes:
        write.run(db)
    return note_message(db, announcement.match, MessageKind.TURN, message)


def pending_announcements(
    db: Database, match: str | None = None, *, own: Shards
) -> list[Announcement]:
    """Return the posts that have to be made, of a match or of all that this process owns; the
    oldest first.
    """
    if match is None:
        found = db.execute(PENDING_ANNOUNCEMENTS, own.bounds)
    else:
        found = db.execute(PENDING_ANNOUNCEMENTS_OF_MATCH, {"match": match})
    return [Announcement(*row) for row in found.fetchall()]


def last_announcement(db: Database, match: str) -> Announcement | None:
    """Return the last post of a match, made or not."""
    row = db.execute(LAST_ANNOUNCEMENT, {"match": match}).fetchone()
    return Announcement(*row[:4]) if row else None


def recent_commits(
    db: Database, match: str, number: int
) -> tuple[Announcement | None, list[StoredCommit]]:
    """Return the last post of a match, and the commits up to a number since the post before it."""
    last_post = last_announcement(db, match)
    return last_post, commits(db, match, last_post.since if last_post else -1, number)


def _announce_again(db: Database, match: str) -> Announcement | None:
    """Make the last post due once more, unless another is, and return it."""
    last = last_announcement(db, match)
    if last is None or db.execute(IS_ANNOUNCEMENT_PENDING, {"match": match}).fetchone():
        return None
    # Under an id of its own: Discord would take a repeated nonce for the message that is there
    # already.
    db.execute(DELETE_ANNOUNCEMENT, {"id": last.id})
    row = db.execute(
        POST_AGAIN, {"match": match, "since": last.since, "number": last.number}
    ).fetchone()
    return Announcement(*row)


# Jobs.

# Under an id of its own each time: what was set anew meanwhile is not what has been done.
SCHEDULE = Statement("""
    INSERT INTO jobs (kind, match_id, user_id, guild, run_at, wake_at, facts)
    VALUES (
        {kind}, {match}, {user},
        CASE WHEN {is_shared} THEN NULL ELSE (SELECT guild FROM matches WHERE id = {match}) END,
        {at}, {at}, {facts}
    )
""")

CANCEL_JOB = Statement(
    "DELETE FROM jobs WHERE kind = {kind} AND match_id = {match} AND user_id = {user}"
)

HAS_JOB = Statement(
    "SELECT 1 FROM jobs WHERE kind = {kind} AND match_id = {match} AND user_id = {user}"
)

JOB = "SELECT kind, run_at, match_id, user_id, facts, id, tries FROM jobs"

JOBS = Statement(JOB + " WHERE match_id = {match} ORDER BY run_at")

DUE_JOBS = Statement(f"""
    {JOB} WHERE wake_at <= {{now}} AND ({OWNED} OR guild IS NULL AND {{with_shared}})
    ORDER BY wake_at LIMIT {{most}}
""")

NEXT_JOB = Statement(f"""
    SELECT wake_at FROM jobs WHERE {OWNED} OR guild IS NULL AND {{with_shared}} ORDER BY wake_at LIMIT 1
""")

SHARED_DUE = JOB + " WHERE wake_at <= {now} AND guild IS NULL ORDER BY wake_at LIMIT {most}"

SHARED_DUE_JOBS = Statement(sqlite=SHARED_DUE, postgres=SHARED_DUE + " FOR UPDATE SKIP LOCKED")

HOLD_JOB = Statement("UPDATE jobs SET wake_at = {until} WHERE id = {id}")

DELETE_JOB = Statement("DELETE FROM jobs WHERE id = {id}")

RETRY_JOB = Statement("UPDATE jobs SET wake_at = {wake_at}, tries = tries + 1 WHERE id = {id}")

POSTPONE_JOBS = Statement(f"""
    UPDATE jobs SET run_at = run_at + {{by}}, wake_at = wake_at + {{by}}
    WHERE kind = {{kind}} AND ({OWNED} OR guild IS NULL AND {{with_shared}})
""")

HEARTBEATS = Statement("SELECT shards, shard, seen_at FROM heartbeats")

PUT_HEARTBEAT = Statement("""
    INSERT INTO heartbeats (shards, shard, seen_at) VALUES ({shards}, {shard}, {now})
    ON CONFLICT (shards, shard) DO UPDATE SET seen_at = excluded.seen_at
""")

PUT_ABSENCE = Statement("""
    INSERT INTO absences (since, until, first_shard, last_shard, shards)
    VALUES ({since}, {until}, {first_shard}, {last_shard}, {shards})
""")

ABSENCES = Statement("""
    SELECT since, until, first_shard, last_shard, shards FROM absences WHERE until > {since} ORDER BY until
""")


def schedule(db: Database, *jobs: Job) -> None:
    """Schedule jobs; one of the same kind, match and person is moved."""
    for job in jobs:
        cancel_job(db, job.kind, job.match, job.user)
        is_shared = job.kind in SHARED_JOBS or not job.match
        facts = _encode(job.facts)
        db.execute(
            SCHEDULE, {**msgspec.structs.asdict(job), "is_shared": is_shared, "facts": facts}
        )


def cancel_job(db: Database, kind: str, match: str = "", user: int = 0) -> None:
    """Delete a job that is not to run any more."""
    db.execute(CANCEL_JOB, {"kind": kind, "match": match, "user": user})


def has_job(db: Database, kind: str, match: str = "", user: int = 0) -> bool:
    """Return whether a job is scheduled."""
    return db.execute(HAS_JOB, {"kind": kind, "match": match, "user": user}).fetchone() is not None


def jobs(db: Database, match: str) -> list[Job]:
    """Return the jobs of a match, the next one first."""
    return _jobs(db.execute(JOBS, {"match": match}))


def jobs_of_match(db: Database, record: MatchRecord) -> list[Job]:
    """Return the jobs of a match, for a follower that needs them."""
    return jobs(db, record.id)


def due_jobs(db: Database, now: int, most: int, *, own: Shards) -> list[Job]:
    """Return the jobs whose time has come and that no other process may run."""
    values = {"now": now, "most": most, "with_shared": own.are_all, **own.bounds}
    return _jobs(db.execute(DUE_JOBS, values))


def claim_jobs(db: Database, now: int, most: int, until: int, *, own: Shards) -> list[Job]:
    """Claim jobs that any process may run and whose time has come, so that no other does until
    then.
    """
    if own.are_all or own == NONE:
        return []
    claimed = _jobs(db.execute(SHARED_DUE_JOBS, {"now": now, "most": most}))
    hold_jobs(db, [job.id for job in claimed], until)
    return claimed


def hold_jobs(db: Database, ids: Iterable[int], until: int) -> None:
    """Keep other processes from running these jobs until then."""
    db.executemany(HOLD_JOB, [{"id": number, "until": until} for number in ids])


def next_job_at(db: Database, *, own: Shards) -> int | None:
    """Return when the next job is to run."""
    wake_at: int | None = first_value(
        db.execute(NEXT_JOB, {"with_shared": own != NONE, **own.bounds})
    )
    return wake_at


def delete_job(db: Database, job: Job) -> None:
    """Delete a job that has run, unless it was scheduled again meanwhile."""
    db.execute(DELETE_JOB, {"id": job.id})


def retry_job(db: Database, job: Job, wake_at: int) -> None:
    """Have a job that has failed run again later."""
    db.execute(RETRY_JOB, {"id": job.id, "wake_at": wake_at})


def note_heartbeat(
    db: Database, now: int, most: int, kinds: Iterable[str], *, own: Shards
) -> list[Absence]:
    """Record that the bot serves its shards now; return its absences longer than the given seconds.

    Jobs of these kinds are postponed by as much.
    """
    served = Shards() if own.are_all else own
    beats = db.execute(HEARTBEATS).fetchall()
    db.executemany(
        PUT_HEARTBEAT,
        [{"shards": served.count, "shard": shard, "now": now} for shard in served.ids],
    )
    # Where shards were counted otherwise, any of them may have served a server.
    seen = {
        shard: [at for count, one, at in beats if count != served.count or one == shard]
        for shard in served.ids
    }
    since = {shard: max(times) for shard, times in seen.items() if times}
    if len(since) == len(served.ids) and len(set(since.values())) == 1:
        absences = [Absence(since[served.first], now, served)]
    else:
        absences = [
            Absence(last, now, Shards(shard, shard, served.count)) for shard, last in since.items()
        ]
    absences = [absence for absence in absences if now - absence.since > most]
    for absence in absences:
        whose = absence.whose
        db.execute(PUT_ABSENCE, {"since": absence.since, "until": now, **whose.bounds})
        postponed = {"by": now - absence.since, "with_shared": whose.are_all, **whose.bounds}
        db.executemany(POSTPONE_JOBS, [{"kind": kind, **postponed} for kind in kinds])
    if absences and not own.are_all:
        db.execute(TELL_PROCESSES, {"news": ABSENCE})
    return absences


def absences(db: Database, since: int) -> list[Absence]:
    """Return the times in which the bot was away that ended after one."""
    found = db.execute(ABSENCES, {"since": since}).fetchall()
    return [Absence(since, until, Shards(*shards)) for since, until, *shards in found]


def _jobs(rows: Rows) -> list[Job]:
    return [
        Job(kind, at, match, user, msgspec.json.decode(facts), number, tries)
        for kind, at, match, user, facts, number, tries in rows.fetchall()
    ]


# Settings.

PLAYER_SETTING = Statement(
    "SELECT value FROM player_settings WHERE user_id = {user} AND name = {name}"
)

PUT_PLAYER_SETTING = Statement("""
    INSERT INTO player_settings (user_id, name, value) VALUES ({user}, {name}, {value})
    ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value
""")

DELETE_PLAYER_SETTING = Statement(
    "DELETE FROM player_settings WHERE user_id = {user} AND name = {name}"
)

SERVER_SETTING = Statement(
    "SELECT value FROM server_settings WHERE guild = {guild} AND name = {name}"
)

PUT_SERVER_SETTING = Statement("""
    INSERT INTO server_settings (guild, name, value) VALUES ({guild}, {name}, {value})
    ON CONFLICT (guild, name) DO UPDATE SET value = excluded.value
""")

DELETE_SERVER_SETTING = Statement(
    "DELETE FROM server_settings WHERE guild = {guild} AND name = {name}"
)


def player_setting(db: Database, user: int, name: str) -> str | None:
    """Return what a player has chosen for a setting."""
    value: str | None = first_value(db.execute(PLAYER_SETTING, {"user": user, "name": name}))
    return value


def put_player_setting(db: Database, user: int, name: str, value: str | None) -> None:
    """Keep what a player has chosen for a setting; None forgets it."""
    if value is None:
        db.execute(DELETE_PLAYER_SETTING, {"user": user, "name": name})
    else:
        db.execute(PUT_PLAYER_SETTING, {"user": user, "name": name, "value": value})


def players_with_setting(db: Database, name: str, players: Iterable[int]) -> frozenset[int]:
    """Return those of the players who have chosen something for a setting."""
    return frozenset(player for player in players if player_setting(db, player, name) is not None)


def server_setting(db: Database, guild: int, name: str) -> str | None:
    """Return what a server has chosen for a setting; server 0 stands for the bot itself."""
    value: str | None = first_value(db.execute(SERVER_SETTING, {"guild": guild, "name": name}))
    return value


def put_server_setting(db: Database, guild: int, name: str, value: str | None) -> None:
    """Keep what a server has chosen for a setting; None forgets it."""
    if value is None:
        db.execute(DELETE_SERVER_SETTING, {"guild": guild, "name": name})
    else:
        db.execute(PUT_SERVER_SETTING, {"guild": guild, "name": name, "value": value})


def _encode(document: Any) -> str:
    return msgspec.json.encode(document).decode()
