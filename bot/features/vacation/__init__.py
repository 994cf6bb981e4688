"""Vacations: a small budget of days a year for each player, announced, and spent only where a clock
would run out.

A player on vacation is not warned. When their time is up in some match, a few hours of the budget
are spent and all of their clocks have these hours more: what is spent counts once, in however many
matches they play. When the vacation or the budget is over they are warned before anything else
happens, as always.
"""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
from discord import app_commands
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Job
from bot.runtime.base import DAY, HOUR, Refused
from bot.text import say
from bot.ui import Feature, MotuInteraction, reply, service, slash

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
VACATION_ENDED = "vacation_ended"
"""The job that takes up what has waited for somebody who is back early."""


class Vacation(Struct, frozen=True, omit_defaults=True):
    """A player's last or next vacation, and what they have spent of their budget."""

    since: int = 0
    until: int = 0
    """If it was called off before it began, this is when: earlier than `since`."""
    year: int = 0
    """The year, by UTC, that `spent` is of."""
    spent: int = 0
    paid_until: int = 0
    """Until when the hours that were spent last."""
    asked: int = 0
    """Discord's id of the interaction that chose it: a repeat of the same one changes nothing
    more.
    """

    def covers(self, now: int) -> bool:
        """Return whether they are on vacation."""
        return self.since <= now < self.until

    def pays(self, now: int) -> bool:
        """Return whether their clocks wait for them: on vacation, with some of the budget left."""
        return self.covers(now) and (self.left(now) > 0 or self.paid_until > now)

    def left(self, now: int) -> int:
        """Return the seconds of the year's budget that are not spent."""
        return BUDGET - (self.spent if self.year == year_of(now) else 0)

    def days_left(self, now: int) -> str:
        """Return the days of the budget that are left; six hours are spent at a time."""
        return f"{self.left(now) / DAY:g}"


class Vacations:
    """The vacations of all players."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._one_at_a_time = asyncio.Lock()

    async def of(self, user: int) -> Vacation:
        """Return a player's last or next vacation."""
        kept = await self._kernel.store.read(queries.player_setting, user, KEY)
        return msgspec.json.decode(kept, type=Vacation) if kept else Vacation()

    async def begin(self, user: int, days: int, in_days: int = 0, interaction: int = 0) -> Vacation:
        """Begin or plan a vacation, in place of any other, and have the player's tables told.

        Refuse if nothing of the budget is left.
        """
        now = self._kernel.clocks.now
        since = now + in_days * DAY
        if not (0 < days <= MAX_DAYS and 0 <= in_days <= MAX_DAYS):
            raise Refused("vacation.bad_days", most=MAX_DAYS)
        async with self._one_at_a_time:
            before = await self.of(user)
            if interaction and before.asked == interaction:
                return before
            if before.left(since) <= 0:
                raise Refused("vacation.spent", days=BUDGET // DAY)
            until = since + days * DAY
            facts = {"key": LEAVES, "since": since, "until": until}
            tables = await self.tables_that_wait(user)
            jobs = [Job(VACATION_NOTICE, now, match, user, facts) for match in tables]
            return await self._keep(user, before, jobs, since=since, until=until, asked=interaction)

    async def end(self, user: int, interaction: int = 0) -> Vacation:
        """End or call off a vacation; refuse if there is none."""
        now = self._kernel.clocks.now
        async with self._one_at_a_time:
            before = await self.of(user)
            if interaction and before.asked == interaction:
                return before
            if before.until <= now:
                raise Refused("vacation.none")
            jobs = [Job(VACATION_ENDED, now, user=user)]
            return await self._keep(user, before, jobs, until=now, asked=interaction)

    async def spend(self, user: int) -> int:
        """Return how many seconds more a clock gets that has run out; 0 without a vacation."""
        now = self._kernel.clocks.now
        async with self._one_at_a_time:
            vacation = await self.of(user)
            if not vacation.pays(now):
                return 0
            if vacation.paid_until <= now:
                left = vacation.left(now)
                paid = min(SPENT_AT_ONCE, left, vacation.until - now)
                spent = BUDGET - left + paid
                vacation = await self._keep(
                    user, vacation, year=year_of(now), spent=spent, paid_until=now + paid
                )
            return min(vacation.paid_until, vacation.until) - now

    async def tables_that_wait(self, user: int) -> list[str]:
        """Return the matches of a player in which others, or a clock, may wait for them."""
        found = []
        for room in await self._kernel.matches.of_user(user):
            people = room.match.humans() if room.match else ()
            if room.seat_of(user) in people and (room.record.clocks.seats or len(people) > 1):
                found.append(room.record.id)
        return found

    async def _keep(
        self, user: int, before: Vacation, jobs: Iterable[Job] = (), **changes: int
    ) -> Vacation:
        """Change a player's vacation, and schedule what follows from it."""
        after = replace(before, **changes)
        document = msgspec.json.encode(after).decode()
        await self._kernel.store.write(queries.put_player_setting, user, KEY, document)
        await self._kernel.scheduler.set(*jobs)
        return after


def year_of(now: int) -> int:
    """Return the calendar year of a time, by UTC."""
    return datetime.fromtimestamp(now, UTC).year


@slash("vacation.begin")
async def begin(
    interaction: MotuInteraction,
    days: app_commands.Range[int, 1, MAX_DAYS],
    in_days: app_commands.Range[int, 0, MAX_DAYS] = 0,
) -> None:
    """Begin or plan a vacation; all tables at which somebody waits for the player are told."""
    vacations = service(interaction, Vacations)
    begun = await vacations.begin(interaction.user.id, days, in_days, interaction.id)
    said = say(
        "vacation.begun",
        since=begun.since,
        at=begun.until,
        days=begun.days_left(begun.since),
        number=len(await vacations.tables_that_wait(interaction.user.id)),
    )
    await reply.tell(interaction, said)


@slash("vacation.end")
async def end(interaction: MotuInteraction) -> None:
    """End the vacation early, or call it off."""
    ended = await service(interaction, Vacations).end(interaction.user.id, interaction.id)
    key = "vacation.cancelled" if ended.until < ended.since else "vacation.ended"
    await reply.tell(
        interaction, say(key, days=ended.days_left(interaction.client.kernel.clocks.now))
    )


@slash("vacation.show")
async def show(interaction: MotuInteraction) -> None:
    """Show the vacation that is on or planned, and what is left of the year's budget."""
    found = await service(interaction, Vacations).of(interaction.user.id)
    now = interaction.client.kernel.clocks.now
    if found.covers(now):
        state = say("vacation.on", at=found.until)
    elif now < found.since < found.until:
        state = say("vacation.planned", since=found.since, at=found.until)
    else:
        state = say("vacation.none")
    await reply.tell(
        interaction,
        say("vacation.shown", state=state, days=found.days_left(now), most=BUDGET // DAY),
    )


FEATURE = Feature(
    name="vacation",
    build=lambda kernel: Parts(services=(Vacations(kernel),)),
    commands=(begin, end, show),
)
