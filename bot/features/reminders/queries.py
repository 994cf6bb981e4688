"""Who is reminded of which decision, and which reminders have to be sent now."""

from collections.abc import Iterable

import msgspec

from bot.kernel import queries
from bot.model.jobs import Job
from bot.model.match import MatchRecord
from bot.model.posts import Reminder
from bot.model.shards import NONE, Shards
from bot.model.stored import REMINDERS_REQUESTED
from bot.store.sql import OWNED, Database, Rows, Statement, first_column

REMINDER = (
    "SELECT match_id, user_id, times, wanted, since, channel, message, is_over FROM reminders"
)

REMINDERS_OF_MATCH = Statement(REMINDER + " WHERE match_id = {match} ORDER BY user_id")

REMINDERS_OF_USER = Statement(REMINDER + " WHERE user_id = {user} ORDER BY match_id")

REMINDER_IN_MATCH = Statement(REMINDER + " WHERE match_id = {match} AND user_id = {user}")

# Settings are compact JSON. To look for them as text needs no function, of which each database has
# its own.
WANTS_DIRECT_MESSAGES = """
    EXISTS (
        SELECT 1 FROM player_settings
        WHERE player_settings.user_id = reminders.user_id AND name = 'calls' AND value LIKE '%"way":"direct"%'
    )
"""

WANTED_REMINDERS = Statement(f"""
    {REMINDER} WHERE wanted != '' AND ({{is_alone}} OR {OWNED} AND NOT {WANTS_DIRECT_MESSAGES})
    ORDER BY since LIMIT {{most}}
""")

# Direct messages of matches that are played in a server; a match that is played in one has guild 0.
SHARED = f"""
    {REMINDER} WHERE wanted != '' AND claimed_until <= {{now}}
        AND (guild IS NULL OR guild != 0 AND {WANTS_DIRECT_MESSAGES})
    ORDER BY since LIMIT {{most}}
"""

SHARED_REMINDERS = Statement(sqlite=SHARED, postgres=SHARED + " FOR UPDATE SKIP LOCKED")

CLAIM_REMINDER = Statement("""
    UPDATE reminders SET claimed_until = {until} WHERE match_id = {match} AND user_id = {user}
""")

MATCHES_WITH_ANSWERED_REMINDERS = Statement(
    f"SELECT DISTINCT match_id FROM reminders WHERE is_over AND {OWNED}"
)

DUE = """
    SELECT id, match_id, user_id, facts FROM jobs
    WHERE kind = {kind} AND wake_at <= {now} ORDER BY wake_at LIMIT {most}
"""

DUE_REMINDERS = Statement(sqlite=DUE, postgres=DUE + " FOR UPDATE SKIP LOCKED")

DUE_REMINDER = Statement("SELECT id, match_id, user_id, facts FROM jobs WHERE id = {id}")

REQUEST_REMINDER = Statement("""
    UPDATE reminders SET wanted = {wanted}, since = {now}
    WHERE match_id = {match} AND user_id = {user} AND NOT is_over AND wanted = ''
""")

ANSWER_REMINDER = Statement("""
    UPDATE reminders SET is_over = TRUE, wanted = '' WHERE match_id = {match} AND user_id = {user}
""")

PUT_REMINDER = Statement("""
    INSERT INTO reminders (match_id, user_id, guild, times, wanted, since, channel, message, is_over)
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

SETTINGS_OF_SEATED = Statement("""
    SELECT seats.user_id, name, value FROM seats JOIN player_settings ON player_settings.user_id = seats.user_id
    WHERE match_id = {match} AND is_seated AND name IN ({first}, {second})
""")


def reminders(db: Database, match: str | None = None, user: int | None = None) -> list[Reminder]:
    """Return the reminders of a match, of a user, or of a user in a match."""
    if match is None:
        return _reminders(db.execute(REMINDERS_OF_USER, {"user": user}))
    if user is None:
        return _reminders(db.execute(REMINDERS_OF_MATCH, {"match": match}))
    return _reminders(db.execute(REMINDER_IN_MATCH, {"match": match, "user": user}))


def reminders_of_match(db: Database, record: MatchRecord) -> list[Reminder]:
    """Return how the people of a match are reminded, for a follower that needs it."""
    return reminders(db, record.id)


def settings_of_seated(
    db: Database, match: str, names: tuple[str, str]
) -> dict[int, dict[str, str]]:
    """Return what the people who sit in a match have chosen for these settings."""
    first, second = names
    found: dict[int, dict[str, str]] = {}
    rows = db.execute(SETTINGS_OF_SEATED, {"match": match, "first": first, "second": second})
    for user, name, value in rows.fetchall():
        found.setdefault(user, {})[name] = value
    return found


def wanted_reminders(db: Database, most: int, *, own: Shards) -> list[Reminder]:
    """Return reminders that this process has to send now, those that have waited longest first."""
    return _reminders(
        db.execute(WANTED_REMINDERS, {"most": most, "is_alone": own.are_all, **own.bounds})
    )


def claim_reminders(
    db: Database, now: int, most: int, until: int, *, own: Shards
) -> list[Reminder]:
    """Claim reminders that any process may send now, so that no other does until then."""
    if own.are_all or own == NONE:
        return []
    claimed = _reminders(db.execute(SHARED_REMINDERS, {"now": now, "most": most}))
    db.executemany(
        CLAIM_REMINDER, [{"until": until, "match": one.match, "user": one.user} for one in claimed]
    )
    return claimed


def matches_with_answered_reminders(db: Database, *, own: Shards) -> list[str]:
    """Return the matches with reminders that were answered and still have their buttons."""
    return first_column(db.execute(MATCHES_WITH_ANSWERED_REMINDERS, own.bounds))


def request_reminders(db: Database, job: Job, now: int, most: int, *, own: Shards) -> None:
    """Ask for the reminder of a job, and for others whose time has come with it."""
    rows = db.execute(DUE_REMINDERS, {"kind": job.kind, "now": now, "most": most}).fetchall()
    rows += db.execute(DUE_REMINDER, {"id": job.id}).fetchall()
    requested = []
    for _, match, user, facts in rows:
        wanted = msgspec.json.decode(facts).get("wanted", "due")
        requested.append({"wanted": wanted, "now": now, "match": match, "user": user})
    db.executemany(REQUEST_REMINDER, requested)
    db.executemany(queries.delete_job, [{"id": number} for number, *_ in rows])
    if not own.are_all:
        # Those that are sent where a match is played are its owner's.
        db.execute(queries.TELL_PROCESSES, {"news": REMINDERS_REQUESTED})


def answer_reminders(db: Database, match: str, *users: int) -> None:
    """Note that the decisions of these people are made or gone: they are not reminded any more."""
    db.executemany(ANSWER_REMINDER, [{"match": match, "user": user} for user in users])


def put_reminders(db: Database, *reminders: Reminder) -> None:
    """Keep how people are reminded from now on."""
    db.executemany(PUT_REMINDER, [msgspec.structs.asdict(reminder) for reminder in reminders])


def remind_later(db: Database, reminders: Iterable[Reminder], jobs: Iterable[Job]) -> None:
    """Keep how people are reminded from now on, and when."""
    put_reminders(db, *reminders)
    queries.schedule(db, *jobs)


def replace_reminder(
    db: Database, before: Reminder, after: Reminder, jobs: Iterable[Job] = ()
) -> bool:
    """Keep a reminder in place of another; return False if that has changed meanwhile."""
    if before not in reminders(db, before.match, before.user):
        return False
    remind_later(db, (after,), jobs)
    return True


def forget_reminders(db: Database, *outdated: Reminder) -> None:
    """Forget reminders, except those that have changed meanwhile."""
    for reminder in outdated:
        if reminder in reminders(db, reminder.match, reminder.user):
            db.execute(DELETE_REMINDER, {"match": reminder.match, "user": reminder.user})


def _reminders(rows: Rows) -> list[Reminder]:
    return [Reminder(*row) for row in rows.fetchall()]
