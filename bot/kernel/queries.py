"""The SQL for matches, their moves, announcements, jobs and settings.

With PostgreSQL, running a statement only sends it; fetching rows or reading `rowcount` waits for
its result. So a query of several statements should send as many as it can before it looks at a
result: each wait is a round trip to the database.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from bot.kernel.change import Change
from bot.model import (
    ABSENCE,
    COMPUTER,
    OPEN,
    SHARED_JOBS,
    Absence,
    Announcement,
    HandledInteraction,
    Job,
    MatchRecord,
    Shards,
    StoredCommit,
    StoredDraft,
    StoredMatch,
    TableClocks,
)
from bot.runtime.base import Conflict, Damaged, NotFound, Refused, log_error
from bot.store.sql import ALONE, OWNED, Command, Database, Rows, Select, SelectOne, Statement

INTERACTION_LIFETIME = 86_400_000 << 22
"""How long to remember handled interactions: a day, as a difference between two of Discord's ids.

Their lowest 22 bits are a counter, the others milliseconds. After a day, Discord has long stopped
delivering an interaction again.
"""
MAX_SAMPLED_MATCHES = 1000
"""How many running matches to search for boards that look different."""
LAST = 1 << 62
"""Higher than the number of any commit."""

# Write a match.

CREATE_MATCH = Statement("""
    INSERT INTO matches (id, game, version) VALUES ({id}, {game}, {version} - 1)
    ON CONFLICT DO NOTHING
""")

# A NULL leaves its column as it is.
UPDATE_MATCH = Statement("""
    UPDATE matches SET
        version = {version}, status = {status}, is_open = {is_open},
        guild = {guild}, channel = {channel}, thread = {thread}, host = {host},
        last_activity_at = {last_activity_at}, paused_for = {paused_for},
        result_unannounced = {result_unannounced},
        awaits_computer = coalesce({awaits_computer}, awaits_computer),
        lobby_message = {lobby_message}, turn_message = {turn_message},
        drafts = coalesce({drafts}, drafts), record = {record}
    WHERE id = {id} AND version = {version} - 1
""")

DELETE_SEATS = Command("DELETE FROM seats WHERE match_id = {match}")

PUT_SEAT = Statement("""
    INSERT INTO seats (match_id, user_id, is_seated, is_open)
    VALUES ({match}, {user}, {is_seated}, {is_open})
""")

PUT_MOVE = Statement("""
    INSERT INTO moves (match_id, number, rules, seat, back_to, answers, events, clocks, position)
    VALUES ({match}, {number}, {rules}, {seat}, {back_to}, {commit}, {events}, {clocks}, {snapshot})
    ON CONFLICT DO NOTHING
""")

HOSTED_LOBBIES = Select(
    str,
    """
    SELECT id FROM seats JOIN matches ON id = match_id
    WHERE user_id = {host} AND seats.is_open AND is_seated AND host = {host} AND status = 'lobby'
    """,
)

PUT_INTERACTION = Statement("""
    INSERT INTO interactions (match_id, id, seat, since, number)
    VALUES ({match}, {interaction}, {seat}, {since}, {number})
    ON CONFLICT DO NOTHING
""")

DELETE_OLD_INTERACTIONS = Command(
    "DELETE FROM interactions WHERE match_id = {match} AND id < {interaction} - {remembered}"
)

NOTIFY_PROCESSES = Command(sqlite="SELECT {news}", postgres="SELECT pg_notify('motu', {news})")
"""Notify the other processes that use this database. With SQLite there are none."""


def create_match(
    db: Database,
    record: MatchRecord,
    handled: HandledInteraction | None = None,
    most: int | None = None,
) -> None:
    """Insert a new match; refuse if its host then has more than `most` open lobbies."""
    created = CREATE_MATCH.run(db, id=record.id, game=record.game, version=record.version)
    if created.rowcount != 1:
        raise Conflict("refusal.match_exists", id=record.id)
    put_record(db, record)
    # Checked only after the insert: a repeated interaction must be recognised first, by the id that
    # is taken. The refusal rolls the insert back.
    if most is not None and len(HOSTED_LOBBIES(db, record.host)) > most:
        raise Refused("refusal.too_many_lobbies", most=most)
    if handled is not None:
        _put_interaction(db, record.id, handled)


def write_change(db: Database, change: Change, *, own: Shards) -> Announcement | None:
    """Write a change to a match; return the match's last post, sent or pending.

    Raises Conflict if somebody else has written the match since it was loaded. If another process
    owns the match, that process is notified.
    """
    record = change.after.record
    match = record.id
    seats_changed = change.seats_changed
    written = [put_record(db, record, change.stored_drafts, change.awaits_computer, seats_changed)]
    commits = change.stored_commits
    for commit in commits:
        clocks = change.clocks if commit is commits[-1] else None
        encoded = None if clocks is None else _encode(clocks)
        written.append(PUT_MOVE.run(db, match=match, clocks=encoded, **asdict(commit)))
    if change.handled is not None:
        written.append(_put_interaction(db, match, change.handled))
    for kind, user in change.cancelled_jobs:
        cancel_job(db, kind, match, user)
    schedule(db, *change.jobs)
    for write in change.writes:
        write.run(db)
    if not own.serve(record.place.guild):
        NOTIFY_PROCESSES(db, news=f"{record.place.guild} {match}")
    if change.withdrawn_after is not None:
        WITHDRAW.run(db, match=match, number=change.withdrawn_after)
    announced: Rows | None = None
    if change.announce_up_to is not None:
        announced = ANNOUNCE.run(db, match=match, number=change.announce_up_to)
    # Everything is sent. Only now wait for the results, which tell whether the version was right.
    if any(rows.rowcount != 1 for rows in written):
        raise Conflict("refusal.conflict")
    row = announced.fetchone() if announced is not None else None
    if change.announce_again and (last := DELETE_LAST_ANNOUNCEMENT.run(db, match).fetchone()):
        # A new row gets a new id, and with it a new nonce: Discord would answer a repeated nonce
        # with the old message.
        row = ANNOUNCE.run(db, match=match, number=last[0]).fetchone()
    if row is None and change.withdrawn_after is not None:
        return last_announcement(db, match)
    return Announcement(*row) if row else change.before.last_post


def put_record(
    db: Database,
    record: MatchRecord,
    drafts: tuple[StoredDraft, ...] | None = None,
    awaits_computer: bool | None = None,
    seats_changed: bool = True,
) -> Rows:
    """Write a match's record; no row changes if the database does not have the version before."""
    columns: dict[str, Any] = {**asdict(record), **asdict(record.place)}
    columns["is_open"] = record.status in OPEN
    columns["awaits_computer"] = awaits_computer
    columns["drafts"] = None if drafts is None else _encode(drafts)
    columns["record"] = _encode(record)
    updated = db.execute(UPDATE_MATCH, columns)
    if seats_changed:
        DELETE_SEATS(db, record.id)
        people = {person.id: True for person in record.chairs if person.id != COMPUTER}
        people |= dict.fromkeys(record.awaited, False)
        seat = {"match": record.id, "is_open": columns["is_open"]}
        seats = [{**seat, "user": user, "is_seated": sits} for user, sits in people.items()]
        db.executemany(PUT_SEAT, seats)
    return updated


def _put_interaction(db: Database, match_id: str, handled: HandledInteraction) -> Rows:
    DELETE_OLD_INTERACTIONS(db, match_id, handled.interaction, INTERACTION_LIFETIME)
    return PUT_INTERACTION.run(db, match=match_id, **asdict(handled))


# Read a match.

MATCH = Statement("""
    SELECT record, version, lobby_message, turn_message, drafts,
        (SELECT position FROM moves WHERE match_id = matches.id ORDER BY number DESC LIMIT 1)
    FROM matches WHERE id = {match}
""")

COMMIT = "SELECT number, rules, seat, back_to, answers, events, position FROM moves"


def read_commit(*columns: Any) -> StoredCommit:
    """Build a commit from the columns of a row."""
    commit = StoredCommit(*columns)
    return commit if commit.snapshot else replace(commit, snapshot=b"")


commits = Select(
    read_commit,
    f"""
    {COMMIT} WHERE match_id = {{match}} AND number > {{since}} AND number <= {{number}}
    ORDER BY number
    """,
    since=-1,
    number=LAST,
)
"""Return the commits of a match after one number up to another, in order."""

replayable_commits = Select(
    read_commit,
    f"""
    {COMMIT} WHERE match_id = {{match}} AND number >= (
        SELECT max(number) FROM moves
        WHERE match_id = {{match}} AND number <= {{first}} AND position IS NOT NULL
    ) AND number <= {{last}} ORDER BY number
    """,
)
"""Return the commits up to `last`, starting with the last stored position up to `first`."""

match_version = SelectOne(int, "SELECT version FROM matches WHERE id = {match}")
"""Return the version of a match, which rises with every write."""

handled_interaction = SelectOne(
    HandledInteraction,
    "SELECT id, seat, since, number FROM interactions WHERE match_id = {match} AND id = {id}",
)
"""Return the result of an interaction; None if it was never handled."""

clocks_at = SelectOne(
    msgspec.json.Decoder(TableClocks).decode,
    """
    SELECT clocks FROM moves
    WHERE match_id = {match} AND number = {number} AND clocks IS NOT NULL
    """,
)
"""Return the clocks after a commit; None if the match had none."""


def load_match(db: Database, match_id: str) -> StoredMatch | None:
    """Return a match with its newest position and its drafts; None if it does not exist."""
    row_cursor = MATCH.run(db, match_id)
    last_post = last_announcement(db, match_id)
    row = row_cursor.fetchone()
    if row is None:
        return None
    encoded, version, lobby_message, turn_message, drafts, position = row
    try:
        record = msgspec.json.decode(encoded, type=MatchRecord)
        # `note_messages` updates these columns without writing the whole record.
        record = replace(
            record, version=version, lobby_message=lobby_message, turn_message=turn_message
        )
        stored_drafts = msgspec.json.decode(drafts, type=tuple[StoredDraft, ...])
    except msgspec.MsgspecError as error:
        raise Damaged("database.damaged_match", id=match_id) from error
    return StoredMatch(
        record=record, snapshot=position or b"", drafts=stored_drafts, last_post=last_post
    )


def load_newer(
    db: Database,
    match_id: str,
    known: MatchRecord | None,
    interaction_id: int | None = None,
    needs: Iterable[Callable[[Database, MatchRecord], Any]] = (),
) -> tuple[StoredMatch | None, HandledInteraction | None, dict[Any, Any]]:
    """Return what a change starts from.

    That is the match, if it is newer than the known one; the result of the interaction, if it was
    handled before; and the results of the `needs`. Raises NotFound if there is no such match.
    """
    newest = match_version.run(db, match_id)
    handled = None if interaction_id is None else handled_interaction(db, match_id, interaction_id)
    stored = None
    if known is None or newest.fetchone() != (known.version,):
        stored = load_match(db, match_id)
        if stored is None:
            raise NotFound("refusal.no_match", id=match_id)
        known = stored.record
    return stored, handled, {need: need(db, known) for need in needs}


def load_matches(db: Database, matches: Iterable[str]) -> list[StoredMatch]:
    """Return those of several matches that exist and can be read."""
    found = []
    for match in matches:
        try:
            stored = load_match(db, match)
        except Damaged as error:
            log_error(error, f"couldn't read match {match}")
            continue
        if stored is not None:
            found.append(stored)
    return found


# Search for matches. Each of these returns ids.

find_matches = partial(Select, str)


open_matches_in = find_matches("""
    SELECT id FROM matches WHERE is_open AND (channel = {channel} OR thread = {channel})
    ORDER BY opened DESC
""")
"""The open matches of a channel or thread, newest first."""

# A direct message has no threads. A cancelled lobby is left out there: nobody asks for it again.
last_ended_in = find_matches("""
    SELECT id FROM matches WHERE opened IN (
        SELECT opened FROM (
            SELECT opened FROM matches
            WHERE channel = {place} AND NOT is_open AND thread = 0 AND status = 'finished'
            ORDER BY opened DESC LIMIT 1
        ) AS in_channel
        UNION SELECT opened FROM (
            SELECT opened FROM matches WHERE thread = {place} AND NOT is_open
            ORDER BY opened DESC LIMIT 1
        ) AS in_thread
    ) ORDER BY opened DESC LIMIT 1
""")
"""The last closed match of a thread or direct message, if any."""

ended_matches = find_matches("""
    SELECT id FROM matches WHERE opened IN (
        SELECT opened FROM (
            SELECT opened FROM seats JOIN matches ON id = match_id
            WHERE user_id = {user} AND NOT seats.is_open AND is_seated
                AND status IN ('finished', 'called_off')
            ORDER BY opened DESC LIMIT {most}
        ) AS of_user
        UNION SELECT opened FROM (
            SELECT opened FROM matches
            WHERE channel = {place} AND NOT is_open AND status IN ('finished', 'called_off')
            ORDER BY opened DESC LIMIT {most}
        ) AS in_channel
        UNION SELECT opened FROM (
            SELECT opened FROM matches
            WHERE thread = {place} AND NOT is_open AND status IN ('finished', 'called_off')
            ORDER BY opened DESC LIMIT {most}
        ) AS in_thread
    ) ORDER BY opened DESC LIMIT {most}
""")
"""The newest ended matches of a person, and of a channel or thread."""

open_matches_of = find_matches("""
    SELECT id FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND seats.is_open AND is_seated ORDER BY opened DESC
""")
"""The open matches in which a person has a seat, newest first."""

rematches_awaiting = find_matches("""
    SELECT id FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND seats.is_open AND NOT is_seated AND status = 'lobby'
    ORDER BY opened DESC
""")
"""The open lobbies of rematches that a person is invited to, newest first."""

open_lobbies = find_matches("""
    SELECT id FROM matches WHERE guild = {guild} AND is_open AND status = 'lobby'
    ORDER BY opened DESC
""")
"""The open lobbies of a server, newest first."""

matches_offering_seats = find_matches("""
    SELECT id FROM matches WHERE is_open AND id IN (
        SELECT match_id FROM votes WHERE guild = {guild} AND kind = 'seat' AND is_open
    ) ORDER BY opened DESC
""")
"""The open matches of a server in which a seat is offered, newest first."""

# The next queries look for work that this process has to do, so they are limited to its shards.

idle_lobbies = find_matches(f"""
    SELECT id FROM matches
    WHERE status = 'lobby' AND is_open AND last_activity_at < {{before}} AND {OWNED}
""")
"""The open lobbies in which nothing has happened since a time."""

matches_unable_to_post = find_matches(f"SELECT id FROM matches WHERE paused_for != '' AND {OWNED}")
"""The matches that cannot post in their place, including ended ones."""

matches_with_unannounced_result = find_matches(
    f"SELECT id FROM matches WHERE result_unannounced AND {OWNED}"
)
"""The ended matches whose lobby message and thread name do not show the result yet."""

matches_awaiting_computer = find_matches(
    f"SELECT id FROM matches WHERE awaits_computer AND is_open AND {OWNED} ORDER BY opened"
)
"""The open matches that wait for a computer, oldest first."""

RUNNING_MATCHES = Select(
    str,
    f"""
    SELECT record FROM matches WHERE status = 'running' AND is_open AND {OWNED}
    ORDER BY opened DESC LIMIT {{most}}
    """,
)


def distinct_board_samples(db: Database, most: int, *, own: Shards) -> list[str]:
    """Return one running match, the newest, for each kind of board: game, settings and seats."""
    samples: dict[Any, str] = {}
    for encoded in RUNNING_MATCHES(db, MAX_SAMPLED_MATCHES, own=own):
        with suppress(msgspec.MsgspecError):
            record = msgspec.json.decode(encoded, type=MatchRecord)
            look = (record.game, *sorted(record.settings.items()), len(record.chairs))
            samples.setdefault(look, record.id)
    return list(samples.values())[:most]


# Posts.

ANNOUNCE = Statement("""
    INSERT INTO announcements (match_id, since, number)
    SELECT {match}, coalesce(max(number), -1), CAST({number} AS BIGINT)
    FROM announcements WHERE match_id = {match}
    ON CONFLICT DO NOTHING
    RETURNING id, match_id, since, number
""")

WITHDRAW = Statement(
    "DELETE FROM announcements WHERE match_id = {match} AND NOT is_posted AND number > {number}"
)

pending_announcements = Select(
    Announcement,
    f"""
    SELECT announcements.id, match_id, since, number
    FROM announcements JOIN matches ON matches.id = match_id
    WHERE NOT is_posted AND paused_for = '' AND {OWNED}
        AND match_id = coalesce({{match}}, match_id)
    ORDER BY announcements.id
    """,
    match=None,
)
"""Return the posts that this process has to send, for one match or all, oldest first."""

last_announcement = SelectOne(
    Announcement,
    """
    SELECT id, match_id, since, number FROM announcements
    WHERE match_id = {match} ORDER BY number DESC LIMIT 1
    """,
)
"""Return the last post of a match, sent or pending."""

ANNOUNCEMENT_POSTED = Command(
    "UPDATE announcements SET is_posted = TRUE WHERE match_id = {match} AND id = {id}"
)

DELETE_LAST_ANNOUNCEMENT = Statement("""
    DELETE FROM announcements
    WHERE match_id = {match}
        AND number = (SELECT max(number) FROM announcements WHERE match_id = {match})
        AND NOT EXISTS (SELECT 1 FROM announcements WHERE match_id = {match} AND NOT is_posted)
    RETURNING number
""")

# The version rises so that other processes load the match again.
note_messages = SelectOne(
    int,
    """
    UPDATE matches SET
        lobby_message = coalesce({lobby_message}, lobby_message),
        turn_message = coalesce({turn_message}, turn_message),
        version = version + 1
    WHERE id = {match}
    RETURNING version
    """,
    lobby_message=None,
    turn_message=None,
)
"""Record a match's lobby message or the message with its buttons; return the new version."""


def note_post(
    db: Database, announcement: Announcement, message: int, jobs: Iterable[Job]
) -> int | None:
    """Record that a post was sent, and schedule its jobs; return the match's new version."""
    ANNOUNCEMENT_POSTED(db, announcement.match, announcement.id)
    schedule(db, *jobs)
    return note_messages(db, match=announcement.match, turn_message=message)


# Jobs.

# A job that is scheduled again gets a new id, so that the end of its earlier run cannot delete it.
SCHEDULE = Command("""
    INSERT INTO jobs (kind, match_id, user_id, guild, run_at, wake_at, facts)
    VALUES (
        {kind}, {match}, {user},
        (SELECT guild FROM matches WHERE id = {match} AND NOT {is_shared}),
        {at}, {at}, {facts}
    )
""")

cancel_job = Command(
    "DELETE FROM jobs WHERE kind = {kind} AND match_id = {match} AND user_id = {user}",
    match="",
    user=0,
)
"""Cancel a job."""

JOB = "SELECT kind, run_at, match_id, user_id, facts, id, tries FROM jobs"

SERVED = f"({OWNED} OR guild IS NULL AND {ALONE})"
"""The condition for jobs that only this process may run."""


def read_job(
    kind: str, at: int, match_id: str, user: int, facts: str, number: int, tries: int
) -> Job:
    """Build a job from the columns of a row."""
    return Job(kind, at, match_id, user, msgspec.json.decode(facts), number, tries)


jobs = Select(read_job, JOB + " WHERE match_id = {match} ORDER BY run_at")
"""Return the jobs of a match, the next one first."""

find_job = SelectOne(
    read_job,
    JOB + " WHERE kind = {kind} AND match_id = {match} AND user_id = {user}",
    match="",
    user=0,
)
"""Return a scheduled job; None if there is none of this kind, match and user."""

# Reminders come last: there may be very many at once, and no other job should wait for them.
due_jobs = Select(
    read_job,
    f"""
    {JOB} WHERE wake_at <= {{now}} AND {SERVED}
    ORDER BY kind = 'remind', wake_at LIMIT {{most}}
    """,
)
"""Return the due jobs that only this process may run."""

# Finds nothing for a process that serves all shards, because `due_jobs` finds these jobs too, nor
# for one that serves none, because it runs no jobs.
CLAIM_JOBS = f"""
    UPDATE jobs SET wake_at = {{until}} WHERE id IN (
        SELECT id FROM jobs
        WHERE wake_at <= {{now}} AND guild IS NULL AND NOT {ALONE} AND {{last_shard}} >= 0
        ORDER BY wake_at LIMIT {{most}} %s
    )
    RETURNING kind, run_at, match_id, user_id, facts, id, tries
"""

claim_jobs = Select(
    read_job, sqlite=CLAIM_JOBS % "", postgres=CLAIM_JOBS % "FOR UPDATE SKIP LOCKED"
)
"""Reserve due jobs that any process may run until a time, and return them."""

# A process without shards runs no jobs.
next_job_at = SelectOne(
    int,
    f"""
    SELECT wake_at FROM jobs WHERE {OWNED} OR guild IS NULL AND {{last_shard}} >= 0
    ORDER BY wake_at LIMIT 1
    """,
)
"""Return when the next job is due."""

HOLD_JOB = Statement("UPDATE jobs SET wake_at = {until} WHERE id = {id}")

delete_job = Command("DELETE FROM jobs WHERE id = {id}")
"""Delete a job that has run. If it was scheduled again meanwhile, that one has another id."""

retry_job = Command("UPDATE jobs SET wake_at = {wake_at}, tries = tries + 1 WHERE id = {id}")
"""Schedule the retry of a job that has failed."""

POSTPONE_JOBS = Command(f"""
    UPDATE jobs SET run_at = run_at + {{by}}, wake_at = wake_at + {{by}}
    WHERE kind = {{kind}} AND {SERVED}
""")

HEARTBEATS = Statement("SELECT shards, shard, seen_at FROM heartbeats")

PUT_HEARTBEAT = Statement("""
    INSERT INTO heartbeats (shards, shard, seen_at) VALUES ({shards}, {shard}, {now})
    ON CONFLICT (shards, shard) DO UPDATE SET seen_at = excluded.seen_at
""")

PUT_ABSENCE = Command("""
    INSERT INTO absences (since, until, first_shard, last_shard, shards)
    VALUES ({since}, {until}, {first_shard}, {last_shard}, {shards})
""")

absences = Select(
    lambda since, until, *shards: Absence(since, until, Shards(*shards)),
    """
    SELECT since, until, first_shard, last_shard, shards FROM absences
    WHERE until > {since} ORDER BY until
    """,
)
"""Return the bot's absences that ended after a time."""


def schedule(db: Database, *jobs: Job) -> None:
    """Schedule jobs; each replaces the one of the same kind, match and user, if any."""
    for job in jobs:
        cancel_job(db, job.kind, job.match, job.user)
        is_shared = job.kind in SHARED_JOBS
        SCHEDULE(db, **asdict(job) | {"is_shared": is_shared, "facts": _encode(job.facts)})


def replace_job(db: Database, job: Job, following: Job) -> bool:
    """Replace a job with another; return False if it was cancelled or moved meanwhile."""
    is_deleted = delete_job.run(db, job.id).rowcount == 1
    if is_deleted:
        schedule(db, following)
    return is_deleted


def jobs_of_match(db: Database, record: MatchRecord) -> list[Job]:
    """Return the jobs of a match. A `Need` for followers."""
    return jobs(db, record.id)


def hold_jobs(db: Database, ids: Iterable[int], until: int) -> None:
    """Extend the reservation of these jobs until a time."""
    db.executemany(HOLD_JOB, [{"id": number, "until": until} for number in ids])


def note_heartbeat(
    db: Database, now: int, longest_gap: int, kinds: Iterable[str], *, own: Shards
) -> list[Absence]:
    """Record that this process serves its shards now; return the absences that this ends.

    An absence is a gap of more than `longest_gap` seconds. Jobs of these `kinds` are postponed by
    its length.
    """
    served = Shards() if own.are_all else own
    beats = HEARTBEATS.run(db).fetchall()
    db.executemany(
        PUT_HEARTBEAT,
        [{"shards": served.count, "shard": shard, "now": now} for shard in served.ids],
    )

    def last_seen(shard: int) -> int:
        # Before the number of shards was changed, any of them may have served these servers.
        times = [at for count, one, at in beats if count != served.count or one == shard]
        return max(times, default=now)

    absences = []
    for since, shards in groupby(served.ids, last_seen):
        if now - since > longest_gap:
            unserved = list(shards)
            whose = Shards(unserved[0], unserved[-1], served.count)
            absences.append(Absence(since, now, whose))
    for absence in absences:
        whose = absence.whose
        PUT_ABSENCE(db, since=absence.since, until=now, own=whose)
        for kind in kinds:
            POSTPONE_JOBS(db, kind=kind, by=now - absence.since, own=whose)
    if absences and not own.are_all:
        NOTIFY_PROCESSES(db, ABSENCE)
    return absences


# Settings. Those of the bot itself are stored as those of server 0.


class Settings:
    """The queries of a table of settings: one value per owner, a player or server, and name."""

    def __init__(self, table: str, owner: str) -> None:
        where = f"WHERE {owner} = {{owner}} AND name = {{name}}"
        self.find = SelectOne(str, f"SELECT value FROM {table} {where}")
        self._delete = Statement(f"DELETE FROM {table} {where}")
        self._put = Statement(f"""
            INSERT INTO {table} ({owner}, name, value) VALUES ({{owner}}, {{name}}, {{value}})
            ON CONFLICT ({owner}, name) DO UPDATE SET value = excluded.value
        """)

    def put(self, db: Database, owner: int, name: str, value: str | None) -> None:
        """Store a setting; None deletes it."""
        statement = self._delete if value is None else self._put
        statement.run(db, owner=owner, name=name, value=value)


_players = Settings("player_settings", "user_id")
_servers = Settings("server_settings", "guild")
player_setting, put_player_setting = _players.find, _players.put
server_setting, put_server_setting = _servers.find, _servers.put


def players_with_setting(db: Database, name: str, players: Iterable[int]) -> frozenset[int]:
    """Return those of the players who have set a setting."""
    return frozenset(player for player in players if player_setting(db, player, name) is not None)


def _encode(document: Any) -> str:
    return msgspec.json.encode(document).decode()
