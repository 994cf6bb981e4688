"""The settings of a player, for all matches: how they are reminded, and when left alone."""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.features.vacation import KEY as VACATION
from bot.features.vacation import Vacation
from bot.kernel.queries import player_setting, put_player_setting
from bot.kernel.zones import zone_of
from bot.model import MatchRecord
from bot.runtime.base import Refused, log_error
from bot.store.sql import Database, Select, as_tuple
from bot.text import say
from engine.core.escape import escaped

CHOICES, WELCOMED = "calls", "welcomed"
"""The keys of a player's choices, and of the note that they were welcomed."""
MORNING = 9 * 60
"""When a digest comes that nobody has chosen a time for, in minutes of the day."""

TIMES_OF_DAY = ("%H:%M", "%H", "%I:%M%p", "%I%p")
SPAN = re.compile(r"(?P<start>.+?)\s*(?:-|–|\bto\b)\s*(?P<end>.+)", re.IGNORECASE)


SETTINGS_OF_SEATED = Select(
    as_tuple,
    """
    SELECT seats.user_id, name, value
    FROM seats JOIN player_settings ON player_settings.user_id = seats.user_id
    WHERE match_id = {match} AND is_seated AND name IN ({choices}, {vacation})
    """,
)


class ReminderLevel(StrEnum):
    """How often somebody wants to be reminded."""

    TURN = "turn"
    DIGEST = "digest"
    LAST = "last"
    OFF = "off"


class Delivery(StrEnum):
    """How somebody wants to be reminded."""

    MENTION = "mention"
    DIRECT = "direct"


class ReminderSettings(Struct, frozen=True, omit_defaults=True):
    """A player's choices. Times are minutes of the day in their own time zone."""

    level: ReminderLevel = ReminderLevel.TURN
    way: Delivery = Delivery.MENTION
    quiet: tuple[int, int] | None = None
    """The start and end of the hours in which they are not to be disturbed."""
    zone: str = "UTC"
    digest: int | None = None
    """When the digest of a day comes; None: when the quiet hours end, or in the morning."""
    channel: int = 0
    """The direct message with them, opened when they asked for it."""
    closed: bool = False
    """They take no direct messages any more, and have not been told yet that they are reminded
    where they play.
    """
    vacation: Vacation = Vacation()
    """Their last or next vacation.

    It is kept by itself (features/vacation.py), and only filled in here.
    """

    @property
    def is_direct(self) -> bool:
        """Whether they are reminded in a direct message."""
        return self.way is Delivery.DIRECT and bool(self.channel)

    def quiet_until(self, now: float) -> int | None:
        """Return when the quiet hours or the vacation end in which a moment lies, if it does.

        Quiet hours are local time: over a change to or from summer time they end when the clock on
        the wall says so.
        """
        if self.vacation.covers(int(now)):
            back_at = self.vacation.until
            return self.quiet_until(back_at) or back_at
        span = self.quiet_hours_at(now)
        return span[1] if span else None

    def quiet_hours_at(self, now: float) -> tuple[int, int] | None:
        """Return the quiet hours in which a moment lies, if it does; vacations do not count."""
        if self.quiet is None:
            return None
        start, end = self.quiet
        for day in (-1, 0):
            last_day = day if start < end else day + 1
            since, until = self._moment(now, day, start), self._moment(now, last_day, end)
            if since <= now < until:
                return since, until
        return None

    def next_digest(self, now: float) -> int:
        """Return when the next digest comes."""
        at = self.digest
        if at is None:
            at = self.quiet[1] if self.quiet else MORNING
        moments = (self._moment(now, days, at) for days in range(3))
        return next(moment for moment in moments if moment > now)

    def _moment(self, now: float, days: int, minutes: int) -> int:
        """Return a time of day, some days from now, in seconds since 1970.

        A time that a change of the clocks leaves out comes after it.
        """
        zone = zone_of(self.zone)
        day = datetime.fromtimestamp(now, zone).date() + timedelta(days=days)
        return int(datetime.combine(day, time(*divmod(minutes, 60)), zone).timestamp())


def settings_of(db: Database, user: int) -> ReminderSettings:
    """Return what somebody has chosen about reminders, with their vacation."""
    return _decode(player_setting(db, user, CHOICES), player_setting(db, user, VACATION))


def settings_of_players(db: Database, record: MatchRecord) -> dict[int, ReminderSettings]:
    """Return what the people of a match have chosen about reminders, with their vacations."""
    kept = {
        (user, name): value
        for user, name, value in SETTINGS_OF_SEATED(db, record.id, CHOICES, VACATION)
    }
    found: dict[int, ReminderSettings] = {}
    for person in record.chairs:
        try:
            found[person.id] = _decode(
                kept.get((person.id, CHOICES)), kept.get((person.id, VACATION))
            )
        except msgspec.MsgspecError as error:
            # Nobody's move may fail because of it.
            log_error(error, "somebody's settings cannot be read")
            found[person.id] = ReminderSettings()
    return found


def change_settings(db: Database, user: int, changes: Mapping[str, Any]) -> ReminderSettings:
    """Change some of somebody's choices, leave the others as they are, and return all."""
    chosen = replace(settings_of(db, user), **changes)
    document = msgspec.json.encode(replace(chosen, vacation=Vacation())).decode()
    put_player_setting(db, user, CHOICES, document)
    return chosen


def note_welcomed(db: Database, user: int) -> bool:
    """Note that somebody is welcomed; return False if they were before."""
    is_new = player_setting(db, user, WELCOMED) is None
    put_player_setting(db, user, WELCOMED, "1")
    return is_new


def _decode(choices: str | None, vacation: str | None) -> ReminderSettings:
    chosen = msgspec.json.decode(choices or "{}", type=ReminderSettings)
    return replace(chosen, vacation=msgspec.json.decode(vacation or "{}", type=Vacation))


def read_time(typed: str) -> int:
    """Return a typed time of day in minutes: '22:30', '7', '7.15', '10 pm'."""
    text = re.sub("[.h]", ":", typed.casefold()).replace(" ", "")
    if text in ("24", "24:00"):
        return 0
    for pattern in TIMES_OF_DAY:
        with suppress(ValueError):
            read = datetime.strptime(text, pattern)
            return read.hour * 60 + read.minute
    raise Refused("me.bad_time", time=escaped(typed))


def read_quiet(typed: str) -> tuple[int, int] | None:
    """Return typed quiet hours: '22:00-08:00', '10 pm to 7 am'; None for a word such as 'off'."""
    if typed.strip().casefold() in say("me.words_for_none").split():
        return None
    found = SPAN.fullmatch(typed.strip())
    if found is None:
        raise Refused("me.bad_quiet", typed=escaped(typed))
    start, end = read_time(found["start"]), read_time(found["end"])
    if start == end:
        raise Refused("me.empty_quiet")
    return start, end


def local_time(zone: str, now: float) -> str:
    """Return what a clock on the wall shows in a time zone."""
    return f"{datetime.fromtimestamp(now, zone_of(zone)):%H:%M}"
