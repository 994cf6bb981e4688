"""A player's reminder settings: how often, how, and when not to be disturbed.

They apply to all matches of a player, and are stored as one JSON document per user, so the names
of the fields and the values of the enums must not change.
"""

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
from engine.core.escape import escape_text

CHOICES, WELCOMED = "calls", "welcomed"
"""Keys in the table of player settings: the choices below, and that the player was welcomed."""
MORNING = 9 * 60
"""The default time of the digest, in minutes after midnight."""

TIME_FORMATS = ("%H:%M", "%H", "%I:%M%p", "%I%p")
"""The formats in which a time of day may be typed, for strptime."""
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
    """How often a player wants to be reminded; rules.py has the details."""

    TURN = "turn"
    DIGEST = "digest"
    LAST = "last"
    OFF = "off"


class Delivery(StrEnum):
    """Whether a player wants mentions in the match's thread, or direct messages."""

    MENTION = "mention"
    DIRECT = "direct"


class ReminderSettings(Struct, frozen=True, omit_defaults=True):
    """A player's choices. Times are minutes after midnight in their own time zone."""

    level: ReminderLevel = ReminderLevel.TURN
    way: Delivery = Delivery.MENTION
    quiet: tuple[int, int] | None = None
    """The start and end of the hours in which they do not want to be disturbed."""
    zone: str = "UTC"
    digest: int | None = None
    """The time of the daily digest; None for the end of quiet hours, or else MORNING."""
    channel: int = 0
    """The channel of direct messages with them, once they have chosen those."""
    closed: bool = False
    """Whether their direct messages turned out to be closed, and they have not been told yet."""
    vacation: Vacation = Vacation()
    """Their last or next vacation; stored separately (features/vacation), and filled in here."""

    @property
    def is_direct(self) -> bool:
        """Whether they are reminded by direct message."""
        return self.way is Delivery.DIRECT and bool(self.channel)

    def quiet_until(self, now: float) -> int | None:
        """Return when the current quiet hours or vacation end; None outside of both.

        Quiet hours are local time: across a change of daylight saving, they end by the new local
        time.
        """
        if self.vacation.covers(int(now)):
            back_at = self.vacation.until
            return self.quiet_until(back_at) or back_at
        span = self.quiet_hours_at(now)
        return span[1] if span else None

    def quiet_hours_at(self, now: float) -> tuple[int, int] | None:
        """Return the start and end of the current quiet hours, or None; vacations do not count."""
        if self.quiet is None:
            return None
        start, end = self.quiet
        # Quiet hours that span midnight may have begun on the day before.
        for day in (-1, 0):
            last_day = day if start < end else day + 1
            since, until = self._moment(now, day, start), self._moment(now, last_day, end)
            if since <= now < until:
                return since, until
        return None

    def next_digest(self, now: float) -> int:
        """Return the time of the next digest."""
        at = self.digest
        if at is None:
            at = self.quiet[1] if self.quiet else MORNING
        moments = (self._moment(now, days, at) for days in range(3))
        return next(moment for moment in moments if moment > now)

    def _moment(self, now: float, days: int, minutes: int) -> int:
        """Return a local time of day, some days from now, as a Unix timestamp."""
        # For a time that daylight saving skips, datetime uses the offset before the change, so the
        # result comes shortly after it.
        zone = zone_of(self.zone)
        day = datetime.fromtimestamp(now, zone).date() + timedelta(days=days)
        return int(datetime.combine(day, time(*divmod(minutes, 60)), zone).timestamp())


def settings_of(db: Database, user: int) -> ReminderSettings:
    """Return a player's reminder settings and vacation."""
    return _decode(player_setting(db, user, CHOICES), player_setting(db, user, VACATION))


def settings_of_players(db: Database, record: MatchRecord) -> dict[int, ReminderSettings]:
    """Return the reminder settings and vacations of a match's players, by user."""
    rows = {
        (user, name): value
        for user, name, value in SETTINGS_OF_SEATED(db, record.id, CHOICES, VACATION)
    }
    settings: dict[int, ReminderSettings] = {}
    for person in record.chairs:
        try:
            settings[person.id] = _decode(
                rows.get((person.id, CHOICES)), rows.get((person.id, VACATION))
            )
        except msgspec.MsgspecError as error:
            # A move must not fail because of one player's damaged settings.
            log_error(error, "couldn't read a player's settings")
            settings[person.id] = ReminderSettings()
    return settings


def change_settings(db: Database, user: int, changes: Mapping[str, Any]) -> ReminderSettings:
    """Change some of a player's settings, and return all of them."""
    chosen = replace(settings_of(db, user), **changes)
    document = msgspec.json.encode(replace(chosen, vacation=Vacation())).decode()
    put_player_setting(db, user, CHOICES, document)
    return chosen


def note_welcomed(db: Database, user: int) -> bool:
    """Record that a player is welcomed; return False if they already were."""
    is_new = player_setting(db, user, WELCOMED) is None
    put_player_setting(db, user, WELCOMED, "1")
    return is_new


def _decode(choices: str | None, vacation: str | None) -> ReminderSettings:
    chosen = msgspec.json.decode(choices or "{}", type=ReminderSettings)
    return replace(chosen, vacation=msgspec.json.decode(vacation or "{}", type=Vacation))


def read_time(typed: str) -> int:
    """Parse a time of day, such as '22:30', '7', '7.15' or '10 pm', into minutes."""
    text = re.sub("[.h]", ":", typed.casefold()).replace(" ", "")
    if text in ("24", "24:00"):
        return 0
    for pattern in TIME_FORMATS:
        with suppress(ValueError):
            parsed = datetime.strptime(text, pattern)
            return parsed.hour * 60 + parsed.minute
    raise Refused("me.bad_time", time=escape_text(typed))


def read_quiet(typed: str) -> tuple[int, int] | None:
    """Parse quiet hours, such as '22:00-08:00' or '10 pm to 7 am'; return None for 'off'."""
    if typed.strip().casefold() in say("me.words_for_none").split():
        return None
    match = SPAN.fullmatch(typed.strip())
    if match is None:
        raise Refused("me.bad_quiet", typed=escape_text(typed))
    start, end = read_time(match["start"]), read_time(match["end"])
    if start == end:
        raise Refused("me.empty_quiet")
    return start, end


def local_time(zone: str, now: float) -> str:
    """Return the local time in a time zone, such as '22:30'."""
    return f"{datetime.fromtimestamp(now, zone_of(zone)):%H:%M}"
