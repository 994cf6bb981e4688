"""The settings of a player, for all their matches: when and how they are reminded, and when they are left alone."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.zones import zone_of
from bot.model.results import HIDDEN
from bot.runtime.errors import Refused
from bot.store.base import Store
from bot.text import say
from engine.core.escape import escaped

CHOICES, WELCOMED = "calls", "welcomed"
"""The keys of a player's choices, and of the note that they were welcomed."""
MINUTES_A_DAY = 24 * 60
MORNING = 9 * 60
"""When a digest comes that nobody has chosen a time for, in minutes of the day."""
REMEMBERED = 10_000
"""Players whose choices are kept in memory."""

CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s*(?P<half>[ap]m)?", re.IGNORECASE)
SPAN = re.compile(r"(?P<start>.+?)\s*(?:-|–|\bto\b)\s*(?P<end>.+)", re.IGNORECASE)


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
    away: int = 0
    """Until when they are on vacation. It is not kept here, but filled in by Reminders.of."""
    closed: bool = False
    """They take no direct messages any more, and have not been told yet that they are reminded where they play."""

    @property
    def is_direct(self) -> bool:
        """Whether they are reminded in a direct message."""
        return self.way is Delivery.DIRECT and bool(self.channel)

    def quiet_until(self, now: float) -> int | None:
        """Return when the quiet hours or the vacation end in which a moment lies; None if it lies in none.

        Quiet hours are local time: over a change to or from summer time they end when the clock on the wall says so.
        """
        if self.away > now:
            return self.quiet_until(self.away) or self.away
        span = self.quiet_hours_at(now)
        return span[1] if span else None

    def quiet_hours_at(self, now: float) -> tuple[int, int] | None:
        """Return the start and end of the quiet hours in which a moment lies, vacations aside; None if in none."""
        if self.quiet is None:
            return None
        start, end = self.quiet
        today = self._today(now)
        for day in (today - timedelta(days=1), today):
            last = day if start < end else day + timedelta(days=1)
            since, until = self._moment(day, start), self._moment(last, end)
            if since <= now < until:
                return since, until
        return None

    def next_digest(self, now: float) -> int:
        """Return when the next digest comes."""
        at = self.digest
        if at is None:
            at = self.quiet[1] if self.quiet else MORNING
        today = self._today(now)
        moments = (self._moment(today + timedelta(days=days), at) for days in range(3))
        return next(moment for moment in moments if moment > now)

    def _today(self, now: float) -> date:
        return datetime.fromtimestamp(now, zone_of(self.zone)).date()

    def _moment(self, day: date, minutes: int) -> int:
        """Return a time of a day in seconds since 1970; one that a change of the clocks leaves out comes after it."""
        return int(datetime.combine(day, time(*divmod(minutes, 60)), zone_of(self.zone)).timestamp())


class PlayerSettings:
    """The settings of all players, and whether they were welcomed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[int, ReminderSettings] = LRUCache(REMEMBERED)
        self._welcomed: LRUCache[int, None] = LRUCache(REMEMBERED)
        self._being_welcomed: set[int] = set()
        self._one_at_a_time = asyncio.Lock()

    async def of(self, user: int) -> ReminderSettings:
        """Return what somebody has chosen."""
        if user not in self._known or self._store.is_shared:
            kept = await self._store.read(queries.player_setting, user, CHOICES)
            self._known[user] = msgspec.json.decode(kept, type=ReminderSettings) if kept else ReminderSettings()
        return self._known[user]

    async def change(self, user: int, **changes: object) -> ReminderSettings:
        """Change some of somebody's choices, and leave the others as they are."""
        async with self._one_at_a_time:
            chosen = replace(await self.of(user), **changes)
            # Out of memory first: should the write fail, the store alone knows what they have chosen.
            self._known.pop(user, None)
            await self._store.write(queries.put_player_setting, user, CHOICES, msgspec.json.encode(chosen).decode())
            self._known[user] = chosen
            return chosen

    async def hide(self, user: int, hidden: bool) -> None:
        """Keep somebody's wish to be in no list, or that they do not mind."""
        await self._store.write(queries.put_player_setting, user, HIDDEN, "1" if hidden else None)

    def forget(self, user: int) -> None:
        """Forget what is in memory of somebody."""
        self._known.pop(user, None)
        self._welcomed.pop(user, None)

    async def welcome(self, user: int, say_it: Callable[[], Awaitable[None]]) -> bool:
        """Welcome somebody who was never welcomed; return whether that happened."""
        if user in self._welcomed or user in self._being_welcomed:
            return False
        self._being_welcomed.add(user)
        try:
            is_new = await self._store.read(queries.player_setting, user, WELCOMED) is None
            if is_new:
                await say_it()
                await self._store.write(queries.put_player_setting, user, WELCOMED, "1")
            self._welcomed[user] = None
            return is_new
        finally:
            self._being_welcomed.discard(user)


def read_time(typed: str) -> int:
    """Return a typed time of day in minutes: '22:30', '7', '7.15', '10 pm'."""
    refusal = Refused(say("me.bad_time", time=escaped(typed)))
    found = CLOCK.fullmatch(typed.strip())
    if found is None:
        raise refusal
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    half = (found["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            raise refusal
        hour = hour % 12 + (12 if half == "pm" else 0)
    is_midnight = (hour, minute) == (24, 0)
    if not is_midnight and (hour > 23 or minute > 59):
        raise refusal
    return (hour * 60 + minute) % MINUTES_A_DAY


def read_quiet(typed: str) -> tuple[int, int] | None:
    """Return typed quiet hours: '22:00-08:00', '10 pm to 7 am'; None for a word such as 'off'."""
    if typed.strip().casefold() in say("me.words_for_none").split():
        return None
    found = SPAN.fullmatch(typed.strip())
    if found is None:
        raise Refused(say("me.bad_quiet", typed=escaped(typed)))
    start, end = read_time(found["start"]), read_time(found["end"])
    if start == end:
        raise Refused(say("me.empty_quiet"))
    return start, end


def written_time(minutes: int) -> str:
    """Return a time of day as people read it."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def local_time(zone: str, now: float) -> str:
    """Return what a clock on the wall shows in a time zone."""
    there = datetime.fromtimestamp(now, UTC).astimezone(zone_of(zone))
    return written_time(there.hour * 60 + there.minute)
