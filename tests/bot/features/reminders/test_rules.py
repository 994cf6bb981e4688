"""The rules of reminders: when, and of which kind."""

import pytest

from bot.features.reminders import rules
from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.rules import AGAIN, LAST, TURN, Turn
from engine import Seat
from tests.bot.manual_clock import DAY, HOUR, moment

NOON = moment("2026-03-02 12:00")
EVERY_TURN, LAST_CALL = ReminderSettings(), ReminderSettings(level=ReminderLevel.LAST)
DIGEST = ReminderSettings(level=ReminderLevel.DIGEST)
NEVER = ReminderSettings(level=ReminderLevel.OFF)
AFTERNOON_OFF = ReminderSettings(quiet=(12 * 60, 15 * 60))

NO_CLOCK = Turn(Seat(0), NOON)
PAUSED = Turn(Seat(0), NOON, is_paused=True)
TWO_DAYS = Turn(Seat(0), NOON, deadline=NOON + 2 * DAY, warning=NOON + 40 * HOUR)
THREE_HOURS = Turn(Seat(0), NOON, deadline=NOON + 3 * HOUR, warning=NOON + 2 * HOUR)
WARNS_NOW = Turn(Seat(0), NOON, deadline=NOON + 8 * HOUR, warning=NOON)
WARNED = Turn(Seat(0), NOON, deadline=NOON + 8 * HOUR)
PLANNED = Turn(Seat(0), NOON, planned_at=NOON + DAY)


@pytest.mark.parametrize(
    ("turn", "settings", "hours"),
    [
        (NO_CLOCK, EVERY_TURN, 0),
        (NO_CLOCK, AFTERNOON_OFF, 3),
        (NO_CLOCK, LAST_CALL, 96),
        (NO_CLOCK, DIGEST, None),
        (NO_CLOCK, NEVER, None),
        (PAUSED, EVERY_TURN, 24),
        (TWO_DAYS, EVERY_TURN, 0),
        (TWO_DAYS, LAST_CALL, None),
    ],
)
def test_time_of_the_first_reminder(
    turn: Turn, settings: ReminderSettings, hours: int | None
) -> None:
    assert rules.first_reminder(turn, settings) == (None if hours is None else NOON + hours * HOUR)


@pytest.mark.parametrize(
    ("turn", "times", "hours"),
    [
        (NO_CLOCK, 1, 24),
        (NO_CLOCK, 2, 72),
        (NO_CLOCK, 3, None),
        (TWO_DAYS, 1, 16),
        (TWO_DAYS, 2, None),
        (THREE_HOURS, 1, None),
        (WARNED, 1, None),
    ],
)
def test_time_of_the_next_reminder(turn: Turn, times: int, hours: int | None) -> None:
    assert rules.next_reminder(turn, EVERY_TURN, times) == (
        None if hours is None else NOON + hours * HOUR
    )


@pytest.mark.parametrize(
    ("turn", "settings", "times", "kind"),
    [
        (NO_CLOCK, EVERY_TURN, 0, TURN),
        (NO_CLOCK, EVERY_TURN, 1, AGAIN),
        (NO_CLOCK, EVERY_TURN, 2, LAST),
        (NO_CLOCK, EVERY_TURN, 3, ""),
        (NO_CLOCK, LAST_CALL, 0, LAST),
        (NO_CLOCK, DIGEST, 0, ""),
        (TWO_DAYS, EVERY_TURN, 1, AGAIN),
        (TWO_DAYS, EVERY_TURN, 2, ""),
        (TWO_DAYS, LAST_CALL, 0, ""),
        # The warning takes the place of what is wanted in the same moment.
        (WARNS_NOW, EVERY_TURN, 1, ""),
    ],
)
def test_kind_of_a_reminder(turn: Turn, settings: ReminderSettings, times: int, kind: str) -> None:
    assert rules.kind_to_send(turn, settings, times) == kind


@pytest.mark.parametrize(
    ("turn", "settings", "hours"),
    [
        (NO_CLOCK, EVERY_TURN, None),
        (NO_CLOCK, AFTERNOON_OFF, 3),
        (PAUSED, AFTERNOON_OFF, 24),
        (PLANNED, EVERY_TURN, 25),
    ],
)
def test_a_reminder_is_postponed_past_quiet_hours(
    turn: Turn, settings: ReminderSettings, hours: int | None
) -> None:
    assert rules.put_off_until(turn, settings) == (None if hours is None else NOON + hours * HOUR)
