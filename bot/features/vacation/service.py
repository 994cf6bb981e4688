"""Vacations: a small budget of days a year for each player, announced, and spent only where a clock would run out.

A player on vacation is not warned. When their time is up in some match, a few hours of the budget are spent and all of
their clocks have these hours more: what is spent counts once, in however many matches they play. When the vacation or
the budget is over they are warned before anything else happens, as always.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.kernel import Kernel
from bot.model.jobs import Job
from bot.model.stored import Scope
from bot.runtime.clock import DAY, HOUR
from bot.runtime.errors import Refused
from bot.store import queries
from bot.text import say

BUDGET = 14 * DAY
"""Seconds of vacation in a calendar year."""
MAX_DAYS = 60
"""Days that one vacation may last, and that it may be planned ahead."""
SPENT_AT_ONCE = 6 * HOUR
"""Seconds that are spent at a time."""
KEY = "vacation"
"""The setting of a player in which their vacation is kept."""
VACATION_NOTICE, LEAVES = "vacation_notice", "leaves"
"""The job that tells a table that somebody goes on vacation, and the key of its words in [time]."""


class VacationListener(ABC):
    """Hears when somebody's vacation ends early: implemented by the feature that reminds people."""

    @abstractmethod
    async def on_vacation_ended(self, user: int) -> None:
        """Take up what has waited for somebody to come back."""


class Vacation(Struct, frozen=True, omit_defaults=True):
    """A player's last or next vacation, and what they have spent of their budget."""

    since: int = 0
    until: int = 0
    year: int = 0
    """The year, by UTC, that `spent` is of."""
    spent: int = 0
    paid_until: int = 0
    """Until when the hours that were spent last."""
    asked: int = 0
    """Discord's id of the interaction that chose it: a repeat of the same one changes nothing more."""

    def covers(self, now: int) -> bool:
        """Return whether they are on vacation."""
        return self.since <= now < self.until

    def pays(self, now: int) -> bool:
        """Return whether their clocks wait for them: they are on vacation, and the budget is not used up."""
        return self.covers(now) and (self.left(now) > 0 or self.paid_until > now)

    def is_ahead(self, now: int) -> bool:
        """Return whether it is planned and has not begun."""
        return now < self.since < self.until

    @property
    def was_cancelled(self) -> bool:
        """Whether its player called it off before it began."""
        return self.until < self.since

    def is_repeat(self, interaction: int) -> bool:
        """Return whether an interaction has been carried out before."""
        return bool(interaction) and self.asked == interaction

    def left(self, now: int) -> int:
        """Return the seconds of the year's budget that are not spent."""
        return BUDGET - (self.spent if self.year == _year(now) else 0)


class Vacations:
    """The vacations of all players."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._cache = kernel.cache
        self._scheduler = kernel.scheduler
        self._now = kernel.now
        self._one_at_a_time = asyncio.Lock()

    async def of(self, user: int) -> Vacation:
        """Return a player's last or next vacation."""
        kept = await self._store.read(queries.setting, Scope.PLAYER, user, KEY)
        return msgspec.json.decode(kept, type=Vacation) if kept else Vacation()

    async def away_until(self, user: int) -> int:
        """Return until when somebody is on vacation; 0 if they are not."""
        vacation = await self.of(user)
        return vacation.until if vacation.covers(int(self._now())) else 0

    async def begin(self, user: int, days: int, in_days: int = 0, interaction: int = 0) -> Vacation:
        """Begin or plan a vacation, in place of any other; refuse if nothing of the budget is left."""
        now = int(self._now())
        if not (0 < days <= MAX_DAYS and 0 <= in_days <= MAX_DAYS):
            raise Refused(say("vacation.bad_days", most=MAX_DAYS))
        async with self._one_at_a_time:
            before, since = await self.of(user), now + in_days * DAY
            if before.is_repeat(interaction):
                return before
            if before.left(since) <= 0:
                raise Refused(say("vacation.spent", days=BUDGET // DAY))
            return await self._keep(user, replace(before, since=since, until=since + days * DAY, asked=interaction))

    async def end(self, user: int, interaction: int = 0) -> Vacation:
        """End or call off a vacation; refuse if there is none.

        One that was called off keeps its beginning, by which `was_cancelled` knows it.
        """
        now = int(self._now())
        async with self._one_at_a_time:
            before = await self.of(user)
            if before.is_repeat(interaction):
                return before
            if before.until <= now:
                raise Refused(say("vacation.none"))
            return await self._keep(user, replace(before, until=now, asked=interaction))

    async def spend(self, user: int) -> int:
        """Return how many seconds more a clock gets that has run out: 0 without a vacation, or without budget."""
        now = int(self._now())
        async with self._one_at_a_time:
            vacation = await self.of(user)
            if not vacation.covers(now):
                return 0
            if vacation.paid_until > now:
                return min(vacation.paid_until, vacation.until) - now
            seconds = min(SPENT_AT_ONCE, vacation.left(now), vacation.until - now)
            if seconds <= 0:
                return 0
            spent = BUDGET - vacation.left(now) + seconds
            await self._keep(user, replace(vacation, year=_year(now), spent=spent, paid_until=now + seconds))
            return seconds

    async def tables_that_wait(self, user: int) -> list[str]:
        """Return the matches of a player in which others, or a clock, may wait for them."""
        found = []
        for room in await self._cache.readable(await self._store.read(queries.of_user, user)):
            people = room.match.humans() if room.match else ()
            if room.seat_of(user) in people and (room.record.clocks.seats or len(people) > 1):
                found.append(room.record.id)
        return found

    async def notify_tables(self, user: int, vacation: Vacation, matches: Iterable[str]) -> None:
        """Have tables told that a player goes on vacation."""
        now = int(self._now())
        facts = {"key": LEAVES, "since": vacation.since, "until": vacation.until}
        jobs = [Job(VACATION_NOTICE, now, match, user, facts) for match in matches]
        await self._scheduler.set(*jobs)

    async def _keep(self, user: int, vacation: Vacation) -> Vacation:
        await self._store.write(queries.put_setting, Scope.PLAYER, user, KEY, msgspec.json.encode(vacation).decode())
        return vacation


def _year(now: int) -> int:
    return datetime.fromtimestamp(now, UTC).year
