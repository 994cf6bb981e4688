"""Vacation: a small budget of days a year for each player, announced, and spent only where a clock would run out.

Whoever is on vacation is not warned. When their time is up in some match, some hours of the budget are spent and all of
their clocks have these hours more: what is spent counts once, in however many matches they play. When the vacation or
the budget is over they are warned before anything else happens, as always.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.clock import DAY, HOUR
from bot.errors import Refused
from bot.store.base import Scope, Store
from bot.text import say

BUDGET = 14 * DAY
"""Seconds of vacation in a calendar year."""
LONGEST = 60
"""Days that one vacation lasts at most, or lies ahead."""
AT_ONCE = 6 * HOUR
"""Seconds that are spent at a time."""
KEY = "vacation"


class Vacation(Struct, frozen=True, omit_defaults=True):
    """Somebody's vacation, the last or the next one, and what they have spent of their budget."""

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
        """Whether they are on vacation."""
        return self.since <= now < self.until

    def pays(self, now: int) -> bool:
        """Whether their clocks wait for them: they are on vacation, and the budget is not used up."""
        return self.covers(now) and (self.left(now) > 0 or self.paid_until > now)

    def is_ahead(self, now: int) -> bool:
        """Whether it is planned and has not begun."""
        return now < self.since < self.until

    @property
    def was_cancelled(self) -> bool:
        """Whether its player called it off before it began."""
        return self.until < self.since

    def is_repeat(self, interaction: int) -> bool:
        """Whether that interaction has been carried out."""
        return bool(interaction) and self.asked == interaction

    def left(self, now: int) -> int:
        """Seconds of the year's budget that are not spent."""
        return BUDGET - (self.spent if self.year == _year(now) else 0)


class Vacations:
    """The vacations of all players."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._one_at_a_time = asyncio.Lock()

    async def of(self, user: int) -> Vacation:
        """Somebody's vacation, perhaps over or none."""
        kept = await self._store.setting(Scope.PLAYER, user, KEY)
        return msgspec.json.decode(kept, type=Vacation) if kept else Vacation()

    async def away_until(self, user: int) -> int:
        """Until when somebody is on vacation; 0 if they are not."""
        vacation = await self.of(user)
        return vacation.until if vacation.covers(int(self._now())) else 0

    async def begin(self, user: int, days: int, in_days: int = 0, interaction: int = 0) -> Vacation:
        """A vacation of so many days, instead of the one there was; refused if nothing of the budget is left."""
        now = int(self._now())
        if not (0 < days <= LONGEST and 0 <= in_days <= LONGEST):
            raise Refused(say("vacation.bad_days", most=LONGEST))
        async with self._one_at_a_time:
            before, since = await self.of(user), now + in_days * DAY
            if before.is_repeat(interaction):
                return before
            if before.left(since) <= 0:
                raise Refused(say("vacation.spent", days=BUDGET // DAY))
            return await self._keep(user, replace(before, since=since, until=since + days * DAY, asked=interaction))

    async def end(self, user: int, interaction: int = 0) -> Vacation:
        """End or call off the vacation; refused if there is none.

        One that was called off keeps its beginning, which is how `was_cancelled` knows it.
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
        """Seconds more for a clock that has run out; none if its player is not on vacation or has spent the budget."""
        now = int(self._now())
        async with self._one_at_a_time:
            vacation = await self.of(user)
            if not vacation.covers(now):
                return 0
            if vacation.paid_until > now:
                return min(vacation.paid_until, vacation.until) - now
            seconds = min(AT_ONCE, vacation.left(now), vacation.until - now)
            if seconds <= 0:
                return 0
            spent = BUDGET - vacation.left(now) + seconds
            await self._keep(user, replace(vacation, year=_year(now), spent=spent, paid_until=now + seconds))
            return seconds

    async def _keep(self, user: int, vacation: Vacation) -> Vacation:
        await self._store.put_setting(Scope.PLAYER, user, KEY, msgspec.json.encode(vacation).decode())
        return vacation


def _year(now: int) -> int:
    return datetime.fromtimestamp(now, UTC).year
