"""When to remind a player of a decision, as pure functions of their settings, clock and the time.

To change when reminders come, change this table, the constants and the functions below together.
A player chooses one of these levels. The warning is the clock's own message before time runs out.

| level  | match without a clock                    | match with a clock                           |
|--------|------------------------------------------|----------------------------------------------|
| turn   | with the post, after a day, after 3 more | with the post, once later, and the warning   |
| digest | once a day, everything in one message    | once a day, and the warning                  |
| last   | after 4 days                             | the warning                                  |
| off    | never                                    | the warning in the thread, without a mention |
"""

from msgspec import Struct
from msgspec.structs import asdict

from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.kernel.room import Room
from bot.model import Job
from bot.runtime.base import DAY, HOUR
from engine import Seat

REMIND, DIGEST = "remind", "digest"
"""Kinds of jobs: the next reminder of a decision; the daily digest. Their facts are a `Sent`."""
NEVER = 1 << 40
"""The time of a job that must not run, and only records what was sent so far."""
TURN, AGAIN, LAST, END = "turn", "again", "last", "end"
"""Kinds of reminders: your turn, again, last call, and the result. They are keys of [call]."""
MAX_REMINDERS = 3
"""The most reminders of one decision."""
SECOND_REMINDER_DELAY, THIRD_REMINDER_DELAY = DAY, 3 * DAY
"""Seconds between one reminder and the next when no clock runs."""
REMINDER_FRACTION = 0.4
"""With a clock, when to send the second reminder, as a fraction of the time until the warning.

Below one half, so that the wait after it is the longer one.
"""
MIN_SECONDS_FOR_REMINDER = 4 * HOUR
"""With less time left than this, no second reminder is sent, only the clock's own warning."""


class Sent(Struct, frozen=True, omit_defaults=True):
    """How often a player was reminded of a decision, and the last message if it has buttons."""

    times: int = 0
    channel: int = 0
    message: int = 0
    """A direct message or a digest; 0 if the last reminder was a mention in the match's thread."""


def reminder_job(match_id: str, user: int, at: int | None, sent: Sent) -> Job:
    """Return the job for a player's next reminder of a decision; `at` None means never."""
    return Job(REMIND, NEVER if at is None else at, match_id, user, asdict(sent))


class Turn(Struct, frozen=True):
    """The facts about a pending decision that reminders depend on."""

    seat: Seat
    now: int
    deadline: int | None = None
    """When time runs out; None without a clock."""
    warning: int | None = None
    """When the clock warns the player; None if it has already."""
    is_paused: bool = False
    planned_at: int = 0
    """When a saved plan will decide for the player; 0 if there is none."""


def first_reminder(turn: Turn, settings: ReminderSettings) -> int | None:
    """Return when to first remind a player of a decision that is pending from now on, or None."""
    if settings.level is ReminderLevel.TURN:
        if turn.is_paused:
            return turn.now + SECOND_REMINDER_DELAY
        return settings.quiet_until(turn.now) or turn.now
    if settings.level is ReminderLevel.LAST and turn.deadline is None:
        return turn.now + SECOND_REMINDER_DELAY + THIRD_REMINDER_DELAY
    return None


def next_reminder(turn: Turn, settings: ReminderSettings, times: int) -> int | None:
    """Return when to remind a player again after `times` reminders.

    None if only the clock's warning follows, or nothing.
    """
    now = turn.now
    if turn.deadline is None:
        return {1: now + SECOND_REMINDER_DELAY, 2: now + THIRD_REMINDER_DELAY}.get(times)
    if times != 1 or turn.warning is None or turn.deadline - now < MIN_SECONDS_FOR_REMINDER:
        return None
    at = now + min(SECOND_REMINDER_DELAY, round((turn.warning - now) * REMINDER_FRACTION))
    # Quiet hours may delay the reminder, the warning or both. Skip a reminder that would come
    # closer to the warning than to now.
    at = settings.quiet_until(at) or at
    warning = settings.quiet_until(turn.warning) or turn.warning
    return at if warning - at > at - now else None


def has_reminders_left(turn: Turn, times: int) -> bool:
    """Return whether a player may get another reminder of a decision, not counting the warning."""
    # With a clock, the warning is the last of MAX_REMINDERS.
    return times < MAX_REMINDERS - (turn.deadline is not None)


def kind_to_send(turn: Turn, settings: ReminderSettings, times: int) -> str:
    """Return the kind of reminder to send now; '' if none."""
    if turn.warning is not None and turn.warning <= turn.now:
        # The clock's warning is due, and replaces any other reminder.
        return ""
    if has_reminders_left(turn, times):
        if settings.level is ReminderLevel.TURN:
            return (TURN, AGAIN, LAST)[times]
        if settings.level is ReminderLevel.LAST and turn.deadline is None:
            return LAST
    return ""


def put_off_until(turn: Turn, settings: ReminderSettings) -> int | None:
    """Return when to try again if a reminder should not be sent now; None if it should."""
    if turn.is_paused:
        return turn.now + SECOND_REMINDER_DELAY
    if turn.planned_at:
        return turn.planned_at + HOUR
    return settings.quiet_until(turn.now)


def is_sent_to_match(room: Room, settings: ReminderSettings) -> bool:
    """Return whether a player's reminders go to the match's thread, not to direct messages.

    In a match that is played in direct messages, both are the same.
    """
    return not settings.is_direct or not room.record.place.guild


def is_silent(settings: ReminderSettings, now: float, kind: str = "") -> bool:
    """Return whether to send a reminder without a notification sound."""
    # A warning is not silent on vacation: it is sent only once the vacation budget is used up.
    quiet = settings.quiet_hours_at(now) if kind == LAST else settings.quiet_until(now)
    return quiet is not None
