"""Who is reminded of which decision, and which reminders have to be sent now."""

from collections.abc import Iterable

from msgspec.structs import asdict

from bot.kernel import queries
from bot.model.jobs import Job
from bot.model.match import MatchRecord
from bot.model.posts import Reminder
from bot.model.shards import NONE, Shards
from bot.model.stored import REMINDERS_REQUESTED
from bot.store.sql import ALONE, OWNED, Database, Select, Statement, as_tuple

REMINDER = (
    "SELECT match_id, user_id, times, wanted, since, channel, message, is_over FROM reminders"
)

REMINDERS_OF_MATCH = Select(Reminder, REMINDER + " WHERE match_id = {match} ORDER BY user_id")

REMINDERS_OF_USER = Select(Reminder, REMINDER + " WHERE user_id = {user} ORDER BY match_id")

REMINDER_IN_MATCH = Select(Reminder, REMINDER + " WHERE match_id = {match} AND user_id = {user}")

# Settings are compact JSON. To look for them as text needs no function, of which each database has
# its own.
WANTS_DIRECT_MESSAGES = """
    EXISTS (
        SELECT 1 FROM player_settings
        WHERE player_settings.user_id = reminders.user_id
            AND name = 'calls' AND value LIKE '%"way":"direct"%'
    )
"""

wanted_reminders = Select(
    Reminder,
    f"""
    {REMINDER} WHERE wanted != '' AND ({ALONE} OR {OWNED} AND NOT {WANTS_DIRECT_MESSAGES})
    ORDER BY since LIMIT {{most}}
    """,
)
"""Return reminders that this process has to send now, those that have waited longest first."""

# Direct messages of matches that are played in a server; a match that is played in one has guild 0.
SHARED = f"""
    {REMINDER} WHERE wanted != '' AND claimed_until <= {{now}}
        AND (guild IS NULL OR guild != 0 AND {WANTS_DIRECT_MESSAGES})
    ORDER BY since LIMIT {{most}}
"""

SHARED_REMINDERS = Select(Reminder, sqlite=SHARED, postgres=SHARED + " FOR UPDATE SKIP LOCKED")

CLAIM_REMINDER = Statement("""
    UPDATE reminders SET claimed_until = {until} WHERE match_id = {match} AND user_id = {user}
""")

matches_with_answered_reminders = Select(
    str, f"SELECT DISTINCT match_id FROM reminders WHERE is_over AND {OWNED}"
)
"""Return the matches with reminders that were answered and still have their buttons."""

DUE = queries.JOB + " WHERE kind = {kind} AND wake_at <= {now} ORDER BY wake_at LIMIT {most}"

DUE_JOBS = Select(queries.read_job, sqlite=DUE, postgres=DUE + " FOR UPDATE SKIP LOCKED")

JOB = Select(queries.read_job, queries.JOB + " WHERE id = {id}")

REQUEST_REMINDER = Statement("""
    UPDATE reminders SET wanted = {wanted}, since = {now}
    WHERE match_id = {match} AND user_id = {user} AND NOT is_over AND wanted = ''
""")

ANSWER_REMINDER = Statement("""
    UPDATE reminders SET is_over = TRUE, wanted = '' WHERE match_id = {match} AND user_id = {user}
""")

PUT_REMINDER = Statement("""
    INSERT INTO reminders (
        match_id, user_id, guild, times, wanted, since, channel, message, is_over
    )
    VALUES (
        {match}, {user}, (SELECT guild FROM matches WHERE id = {match}),
        {times}, {wanted}, {since}, {channel}, {message}, {over}
    )
    ON CONFLICT (match_id, user_id) DO UPDATE SET
        times = excluded.times,
        wanted = excluded.wanted,
        since = excluded.since,
        channel = excluded.channel,
        message = excluded.message,
        is_over = excluded.is_over,
        claimed_until = 0
""")

DELETE_REMINDER = Statement("DELETE FROM reminders WHERE match_id = {match} AND user_id = {user}")

settings_of_seated = Select(
    as_tuple,
    """
    SELECT seats.user_id, name, value
    FROM seats JOIN player_settings ON player_settings.user_id = seats.user_id
    WHERE match_id = {match} AND is_seated AND name IN ({one}, {other})
    """,
)
"""Return what the people who sit in a match have chosen for two settings."""


def reminders(db: Database, match: str | None = None, user: int | None = None) -> list[Reminder]:
    """Return the reminders of a match, of a user, or of a user in a match."""
    if match is None:
        return REMINDERS_OF_USER(db, user)
    return REMINDERS_OF_MATCH(db, match) if user is None else REMINDER_IN_MATCH(db, match, user)


def reminders_of_match(db: Database, record: MatchRecord) -> list[Reminder]:
    """Return how the people of a match are reminded, for a follower that needs it."""
    return REMINDERS_OF_MATCH(db, record.id)


def claim_reminders(
    db: Database, now: int, most: int, until: int, *, own: Shards
) -> list[Reminder]:
    """Claim reminders that any process may send now, so that no other does until then."""
    if own.are_all or own == NONE:
        return []
    claimed = SHARED_REMINDERS(db, now, most)
    db.executemany(CLAIM_REMINDER, [{**asdict(one), "until": until} for one in claimed])
    return claimed


def request_reminders(db: Database, job: Job, now: int, most: int, *, own: Shards) -> None:
    """Ask for the reminder of a job, and for others whose time has come with it."""
    for due in (*DUE_JOBS(db, job.kind, now, most), *JOB(db, job.id)):
        wanted = due.facts.get("wanted", "due")
        REQUEST_REMINDER.run(db, wanted, now, due.match, due.user)
        queries.delete_job(db, due.id)
    if not own.are_all:
        # Those that are sent where a match is played are its owner's.
        queries.TELL_PROCESSES.run(db, REMINDERS_REQUESTED)


def answer_reminders(db: Database, match: str, *users: int) -> None:
    """Note that the decisions of these people are made or gone: they are not reminded any more."""
    db.executemany(ANSWER_REMINDER, [{"match": match, "user": user} for user in users])


def put_reminders(db: Database, *reminders: Reminder) -> None:
    """Keep how people are reminded from now on."""
    db.executemany(PUT_REMINDER, [asdict(reminder) for reminder in reminders])


def remind_later(db: Database, reminders: Iterable[Reminder], jobs: Iterable[Job]) -> None:
    """Keep how people are reminded from now on, and when."""
    put_reminders(db, *reminders)
    queries.schedule(db, *jobs)


def replace_reminder(
    db: Database, before: Reminder, after: Reminder, jobs: Iterable[Job] = ()
) -> bool:
    """Keep a reminder in place of another; return False if that has changed meanwhile."""
    if before not in REMINDER_IN_MATCH(db, before.match, before.user):
        return False
    remind_later(db, (after,), jobs)
    return True


def forget_reminders(db: Database, *outdated: Reminder) -> None:
    """Forget reminders, except those that have changed meanwhile."""
    for reminder in outdated:
        if reminder in REMINDER_IN_MATCH(db, reminder.match, reminder.user):
            DELETE_REMINDER.run(db, reminder.match, reminder.user)
