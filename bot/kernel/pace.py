"""Paces, and the time that counts on a clock. clocks.py runs the clocks.

Each player has a bank of time. It runs while their decision is awaited, and they earn an increment,
up to a cap, with each turn that they finish: once between two posts, however many small steps the
turn has. A plan that plays earns it too. Several clocks run at once where several people are asked
at once. No clock runs on a weekend that the table has taken off, while the match is paused, or
while the bot is away.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from heapq import merge

from msgspec import Struct

from bot.kernel.zones import zone_of
from bot.model import Pace, SeatClock
from bot.runtime.base import HOUR

LONGEST_WARNING = 12 * HOUR
"""Seconds before the end of somebody's time at which they are warned; a third of their time, if
that is less.
"""
SHORTEST_WARNING = HOUR
"""Minimum time to act on a warning.

A clock with less left, such as one paused just before its end, is topped up.
"""
VETO = 12 * HOUR
"""Seconds in which somebody can change what a computer has drafted for them."""

Span = tuple[int, int]


class Grants(Struct, frozen=True):
    """What a pace grants, in seconds: at the beginning, for a finished turn, and at most."""

    bank: int
    increment: int
    cap: int

    def pay(self, bank: int) -> int:
        """Return a bank after a finished turn: an increment more, up to the cap."""
        return max(bank, min(max(bank, 0) + self.increment, self.cap))


GRANTS = {
    Pace.QUICK: Grants(24 * HOUR, 4 * HOUR, 72 * HOUR),
    Pace.STEADY: Grants(72 * HOUR, 12 * HOUR, 120 * HOUR),
    Pace.EASY: Grants(72 * HOUR, 36 * HOUR, 240 * HOUR),
}


class CountedTime(Struct, frozen=True):
    """The time that counts on the clocks of a match."""

    weekends: str
    """The time zone in which weekends are off; '' if they are not."""
    absences: Sequence[Span]
    """When the bot was down, in order."""

    def elapsed(self, since: int, until: int) -> int:
        """Return how many of the seconds between two moments count."""
        counted, at = 0, since
        for start, end in self._time_off(since):
            if start >= until:
                break
            counted += max(0, start - at)
            at = max(at, end)
        return counted + max(0, until - at)

    def after(self, since: int, seconds: int) -> int:
        """Return the moment at which this many seconds have counted."""
        at, left = since, max(0, seconds)
        for start, end in self._time_off(since):
            if end <= at:
                continue
            if start - at >= left:
                break
            left -= max(0, start - at)
            at = max(at, end)
        return at + left

    def left(self, clock: SeatClock, now: int) -> int:
        """Return the seconds that are left on a clock; negative if its player is overdue."""
        return clock.bank - self.elapsed(clock.since, now) if clock.since else clock.bank

    def deadline(self, clock: SeatClock) -> int | None:
        """Return when a clock runs out, if nothing changes; None while it stands."""
        return self.after(clock.since, clock.bank) if clock.since else None

    def confirmed_at(self, clock: SeatClock) -> int | None:
        """Return until when somebody can change what a computer drafted for them, if one did."""
        return self.after(clock.drafted, VETO) if clock.drafted else None

    def alarm(self, clock: SeatClock) -> int | None:
        """Return when to do something about a clock: warn, carry out its expiry, or confirm."""
        # Once a clock has expired without a draft, what the table has chosen has happened.
        if clock.drafted or clock.expired or not clock.since:
            return self.confirmed_at(clock)
        return self.after(
            clock.since, clock.bank if clock.warned else clock.bank - warning_seconds(clock)
        )

    def _time_off(self, since: int) -> Iterator[Span]:
        """Yield when no clock runs after a moment, in order and perhaps without end."""
        weekends = _weekends(since, self.weekends) if self.weekends else ()
        return merge(weekends, self.absences)


def warning_seconds(clock: SeatClock) -> int:
    """Return how many seconds before the end of their time a player is warned."""
    own_time = clock.bank - clock.quiet - clock.late
    return max(SHORTEST_WARNING, min(LONGEST_WARNING, own_time // 3))


def _weekends(since: int, zone: str) -> Iterator[Span]:
    """Yield the weekends of a time zone that end after a moment, without end."""
    where = zone_of(zone)
    day = datetime.fromtimestamp(since, UTC).astimezone(where).date()
    saturday = day - timedelta(days=(day.weekday() + 2) % 7)
    while True:
        monday = saturday + timedelta(days=2)
        # Midnights by the zone's own clock: a weekend in which summer time begins is an hour
        # shorter.
        start, end = (
            int(datetime.combine(at, time(), where).timestamp()) for at in (saturday, monday)
        )
        if end > since:
            yield start, end
        saturday += timedelta(days=7)
