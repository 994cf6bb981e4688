"""Who is reminded of which decision, and which reminders have to be sent now."""

from collections.abc import Iterable
from typing import Any

import msgspec

from bot.kernel import queries
from bot.kernel.queries import owned
from bot.model.jobs import Job
from bot.model.match import MatchRecord
from bot.model.posts import Reminder
from bot.model.shards import NONE, Shards
from bot.model.stored import CALLS_WANTED
from bot.store.sql import Database, first_column

SETTINGS_OF_SEATED = """
    SELECT owner, key, value FROM player_setting
    WHERE owner IN (SELECT user FROM seat WHERE match = ?) AND key IN (?, ?)
"""

ANSWERED = "SELECT DISTINCT match FROM call WHERE over = 1 AND {owns}"

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

ANSWER_REMINDER = "UPDATE call SET over = 1, wanted = '' WHERE match = :match AND user = :user"

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


def reminders_of_match(db: Database, record: MatchRecord) -> list[Reminder]:
    """Return how the people of a match are reminded."""
    return reminders(db, record.id)


def settings_of_seated(db: Database, match: str, keys: tuple[str, str]) -> dict[int, dict[str, str]]:
    """Return what the people who sit in a match have chosen under these keys."""
    found: dict[int, dict[str, str]] = {}
    for owner, key, value in db.execute(SETTINGS_OF_SEATED, (match, *keys)).fetchall():
        found.setdefault(owner, {})[key] = value
    return found


def reminders(db: Database, match: str | None = None, user: int | None = None) -> list[Reminder]:
    """Return the reminders of a match, of a user, or of a user in a match."""
    kept = db.execute(CALLS, {"match": match, "user": user}) if match is not None else db.execute(CALLS_OF, (user,))
    return [_reminder(row) for row in kept.fetchall()]


def wanted_reminders(db: Database, most: int, *, own: Shards) -> list[Reminder]:
    """Return reminders that this process has to send now, those that have waited longest first."""
    owns = owned(own, "call") if own.are_all else f"{owned(own, 'call')} AND NOT {DIRECT_CALLS}"
    return [_reminder(row) for row in db.execute(WANTED_CALLS.format(owns=owns), (most,)).fetchall()]


def claim_reminders(db: Database, now: int, most: int, until: int, *, own: Shards) -> list[Reminder]:
    """Claim reminders that any process may send now, so that no other does until then."""
    if own.are_all or own == NONE:
        return []
    found = [_reminder(row) for row in db.execute(TAKE_CALLS, (now, most)).fetchall()]
    taken = "UPDATE call SET taken = ? WHERE match = ? AND user = ?"
    db.executemany(taken, [(until, reminder.match, reminder.user) for reminder in found])
    return found


def matches_with_answered_reminders(db: Database, *, own: Shards) -> list[str]:
    """Return the matches with reminders that were answered and still have their buttons."""
    return first_column(db.execute(ANSWERED.format(owns=owned(own, "call"))))


def request_reminders(db: Database, job: Job, now: int, most: int, *, own: Shards) -> None:
    """Ask for the reminder of a job, and for others whose time has come with it."""
    rows = db.execute(DUE_CALLS, (job.kind, now, most)).fetchall()
    rows += db.execute(DUE_CALL, (job.id,)).fetchall()
    db.executemany(WANT_CALL, [(wanted or "due", now, match, user) for _, match, user, wanted in rows])
    db.executemany("DELETE FROM due WHERE id = ?", [(number,) for number, *_ in rows])
    if not own.are_all:
        # Those that are sent where a match is played are its owner's.
        db.execute(queries.TELL_PROCESSES, {"news": CALLS_WANTED})


def answer_reminders(db: Database, match: str, *users: int) -> None:
    """Note that the decisions of these people are made or gone: they are not reminded any more."""
    db.executemany(ANSWER_REMINDER, [{"match": match, "user": user} for user in users])


def put_reminders(db: Database, *reminders: Reminder) -> None:
    """Keep how people are reminded from now on."""
    db.executemany(PUT_CALL, [msgspec.structs.asdict(reminder) for reminder in reminders])


def remind_later(db: Database, reminders: Iterable[Reminder], jobs: Iterable[Job]) -> None:
    """Keep how people are reminded from now on, and when."""
    put_reminders(db, *reminders)
    queries.schedule(db, *jobs)


def replace_reminder(db: Database, before: Reminder, after: Reminder, jobs: Iterable[Job] = ()) -> bool:
    """Keep a reminder in place of another; return False if that has changed meanwhile."""
    if before not in reminders(db, before.match, before.user):
        return False
    remind_later(db, (after,), jobs)
    return True


def delete_reminder(db: Database, reminder: Reminder) -> None:
    """Forget a reminder."""
    db.execute("DELETE FROM call WHERE match = ? AND user = ?", (reminder.match, reminder.user))


def _reminder(row: Any) -> Reminder:
    match, user, times, wanted, since, channel, message, over = row
    return Reminder(match, user, times, wanted, since, channel, message, bool(over))
