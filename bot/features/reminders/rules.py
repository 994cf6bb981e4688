"""When and how somebody is reminded of a decision, given their settings, clock and the time.

| level  | where no clock runs                      | where a clock runs                           |
|--------|------------------------------------------|----------------------------------------------|
| turn   | with the post, after a day, after 3 more | with the post, well before the warning, then |
| digest | once a day, with all that waits for them | the same, and the warning                    |
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
"""Jobs: the reminders of one decision, and the digest of a day. Their facts are a `Sent`."""
NEVER = 1 << 40
"""The time of a reminder that does not come by itself: it only keeps what was sent so far."""
TURN, AGAIN, LAST, END = "turn", "again", "last", "end"
"""What a reminder says, as [call] words it; besides them there is the digest."""
MAX_REMINDERS = 3
"""Reminders of one decision."""
SECOND_REMINDER_DELAY, THIRD_REMINDER_DELAY = DAY, 3 * DAY
"""Seconds between one reminder and the next when no clock runs."""
REMINDER_FRACTION = 0.4
"""Where a clock runs, remind after this fraction of the time until its warning. Below one half, so
the second wait is the longer one.
"""
MIN_SECONDS_FOR_REMINDER = 4 * HOUR
"""With less time left than this, only the clock's own warning is sent."""


class Sent(Struct, frozen=True, omit_defaults=True):
    """The reminders of a decision that were sent."""

    times: int = 0
    channel: int = 0
    message: int = 0
    """The last one, if it is a message of its own: a direct message, or a digest."""


def reminder_job(match: str, user: int, at: int | None, sent: Sent) -> Job:
    """Return the job of somebody's next reminder of a decision."""
    return Job(REMIND, NEVER if at is None else at, match, user, asdict(sent))


class Turn(Struct, frozen=True):
    """The facts about a pending decision that reminders depend on."""

    seat: Seat
    now: int
    deadline: int | None = None
    """When time runs out; None where no clock runs."""
    warning: int | None = None
    """When the clock warns the player; None once it has."""
    is_paused: bool = False
    planned_at: int = 0
    """When a saved plan will decide for the player; 0 if there is none."""


def first_reminder(turn: Turn, settings: ReminderSettings) -> int | None:
    """Return when somebody is first reminded of a decision that is put to them now, if at all."""
    if settings.level is ReminderLevel.TURN:
        return (
            turn.now + SECOND_REMINDER_DELAY
            if turn.is_paused
            else settings.quiet_until(turn.now) or turn.now
        )
    if settings.level is ReminderLevel.LAST and turn.deadline is None:
        return turn.now + SECOND_REMINDER_DELAY + THIRD_REMINDER_DELAY
    return None


def next_reminder(turn: Turn, settings: ReminderSettings, times: int) -> int | None:
    """Return when to remind somebody again after `times` reminders.

    None if the clock's warning, or nothing, comes next.
    """
    now = turn.now
    if turn.deadline is None:
        return {1: now + SECOND_REMINDER_DELAY, 2: now + THIRD_REMINDER_DELAY}.get(times)
    if times != 1 or turn.warning is None or turn.deadline - now < MIN_SECONDS_FOR_REMINDER:
        return None
    at = now + min(SECOND_REMINDER_DELAY, round((turn.warning - now) * REMINDER_FRACTION))
    # Quiet hours may put either off.
    at = settings.quiet_until(at) or at
    warning = settings.quiet_until(turn.warning) or turn.warning
    return at if warning - at > at - now else None


def has_reminders_left(turn: Turn, times: int) -> bool:
    """Whether somebody may still be reminded of a decision, besides by the warning of a clock."""
    return times < MAX_REMINDERS - (turn.deadline is not None)


def kind_to_send(turn: Turn, settings: ReminderSettings, times: int) -> str:
    """Return what a reminder says whose time has come; '' if none is sent."""
    if turn.warning is not None and turn.warning <= turn.now:
        # The clock is about to ask for its warning, which takes the place of any other reminder.
        return ""
    if has_reminders_left(turn, times):
        if settings.level is ReminderLevel.TURN:
            return (TURN, AGAIN, LAST)[times]
        if settings.level is ReminderLevel.LAST and turn.deadline is None:
            return LAST
    return ""


def put_off_until(turn: Turn, settings: ReminderSettings) -> int | None:
    """Return when to try again if a reminder cannot be sent now; None if it can."""
    if turn.is_paused:
        return turn.now + SECOND_REMINDER_DELAY
    if turn.planned_at:
        return turn.planned_at + HOUR
    return settings.quiet_until(turn.now)


def is_sent_to_match(room: Room, settings: ReminderSettings) -> bool:
    """Whether reminders go to the place where the match is played.

    In a direct-message match they always do.
    """
    return not settings.is_direct or not room.record.place.guild


def is_silent(settings: ReminderSettings, now: float, kind: str = "") -> bool:
    """Whether a reminder makes no sound now.

    A last call is heard on vacation: one comes only where the days of vacation are used up.
    """
    quiet = settings.quiet_hours_at(now) if kind == LAST else settings.quiet_until(now)
    return quiet is not None
