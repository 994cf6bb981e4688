"""Vacations: each player has some days a year, spent only while a clock would run out.

A player announces a vacation, and their matches get a notice. While it lasts they are not warned.
When their time runs out in some match, a few hours of the budget are spent, and all of their clocks
wait for these hours: they are spent once, in however many matches the player is. When the vacation
or the budget is over, the player is warned as usual before time runs out.
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
from bot.model import VACATION_BUDGET, Job
from bot.runtime.base import DAY, HOUR, Refused
from bot.text import say
from bot.ui import (
    Content,
    Entered,
    Feature,
    Form,
    MotuInteraction,
    TextField,
    open_form,
    reply,
    service,
    slash,
)

MAX_DAYS = 60
"""The most days that a vacation may last, and that it may be planned ahead."""
SPENDING_STEP_SECONDS = 6 * HOUR
"""How much of the budget is spent at a time."""
MAX_DIGITS = 3
"""The most digits of a number of days in the form."""
KEY = "vacation"
"""The key in the table of player settings."""
VACATION_NOTICE, LEAVES = "vacation_notice", "leaves"
"""The kind of job that posts a notice of a vacation in a match; the key of its text in [time]."""
VACATION_OVER = "vacation_over"
"""The kind of job that edits those notices when it is over; its fact `messages` has their ids."""
VACATION_ENDED = "vacation_ended"
"""The kind of job that reschedules the reminders of a player who is back early."""


class Vacation(Struct, frozen=True, omit_defaults=True):
    """A player's last or next vacation, and how much of their budget they have spent."""

    since: int = 0
    until: int = 0
    """Its end. Earlier than `since` if it was called off before it began."""
    year: int = 0
    """The UTC year in which `spent` was spent."""
    spent: int = 0
    paid_until: int = 0
    """When the hours that were spent most recently are used up."""
    asked: int = 0
    """The id of the Discord interaction that set it: a repeat of that one is ignored."""

    def covers(self, now: int) -> bool:
        """Return whether the player is on vacation."""
        return self.since <= now < self.until

    def pays(self, now: int) -> bool:
        """Return whether the player's clocks wait: they are on vacation with budget left."""
        return self.covers(now) and (self.left(now) > 0 or self.paid_until > now)

    def left(self, now: int) -> int:
        """Return the seconds left of the year's budget."""
        return VACATION_BUDGET - (self.spent if self.year == year_of(now) else 0)

    def days_left(self, now: int) -> str:
        """Return the days left of the year's budget, such as '13.75'."""
        return f"{self.left(now) / DAY:g}"


class Vacations:
    """The vacations of all players."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        # Several clocks of a player may run out at once. Without the lock, each would spend hours.
        self._one_at_a_time = asyncio.Lock()

    async def of(self, user: int) -> Vacation:
        """Return a player's last or next vacation."""
        document = await self._kernel.store.read(queries.player_setting, user, KEY)
        return msgspec.json.decode(document, type=Vacation) if document else Vacation()

    async def begin(
        self, user: int, days: int, in_days: int = 0, interaction_id: int = 0
    ) -> Vacation:
        """Begin or plan a vacation, replacing any other, and schedule the notices of it.

        Refuse if the budget is used up.
        """
        now = self._kernel.clocks.now
        since = now + in_days * DAY
        if not (0 < days <= MAX_DAYS and 0 <= in_days <= MAX_DAYS):
            raise Refused("vacation.bad_days", most=MAX_DAYS)
        async with self._one_at_a_time:
            before = await self.of(user)
            if interaction_id and before.asked == interaction_id:
                # Discord has delivered the same interaction twice.
                return before
            # The budget of the year in which the vacation begins, which may be the next one.
            if before.left(since) <= 0:
                raise Refused("vacation.spent", days=VACATION_BUDGET // DAY)
            until = since + days * DAY
            facts = {"key": LEAVES, "since": since, "until": until}
            tables = await self.find_affected_matches(user)
            jobs = [Job(VACATION_NOTICE, now, match, user, facts) for match in tables]
            return await self._save(
                user, before, jobs, since=since, until=until, asked=interaction_id
            )

    async def end(self, user: int, interaction_id: int = 0) -> Vacation:
        """End a vacation, or call off a planned one; refuse if there is none."""
        now = self._kernel.clocks.now
        async with self._one_at_a_time:
            before = await self.of(user)
            if interaction_id and before.asked == interaction_id:
                return before
            if before.until <= now:
                raise Refused("vacation.none")
            jobs = [Job(VACATION_ENDED, now, user=user)]
            for match in await self.find_affected_matches(user):
                pending = await self._kernel.store.read(
                    queries.find_job, VACATION_OVER, match, user
                )
                if pending is not None:
                    # Run the job now that edits the match's notices of this vacation.
                    jobs.append(replace(pending, at=now))
            return await self._save(user, before, jobs, until=now, asked=interaction_id)

    async def spend(self, user: int) -> int:
        """Spend vacation for a clock that has run out; return the seconds it gains, or 0."""
        now = self._kernel.clocks.now
        async with self._one_at_a_time:
            vacation = await self.of(user)
            if not vacation.pays(now):
                return 0
            # Hours that were already spent for another match count for this one too, so spend more
            # only if they are used up.
            if vacation.paid_until <= now:
                left = vacation.left(now)
                paid = min(SPENDING_STEP_SECONDS, left, vacation.until - now)
                spent = VACATION_BUDGET - left + paid
                vacation = await self._save(
                    user, vacation, year=year_of(now), spent=spent, paid_until=now + paid
                )
            return min(vacation.paid_until, vacation.until) - now

    async def find_affected_matches(self, user: int) -> list[str]:
        """Return a player's matches in which other people, or a clock, may wait for them."""
        matches = []
        for room in await self._kernel.matches.of_user(user):
            # Without a clock, nobody waits for a player who plays alone against computers.
            people = room.match.humans() if room.match else ()
            if room.seat_of(user) in people and (room.record.clocks.seats or len(people) > 1):
                matches.append(room.record.id)
        return matches

    async def _save(
        self, user: int, before: Vacation, jobs: Iterable[Job] = (), **changes: int
    ) -> Vacation:
        """Save a changed vacation, and schedule jobs."""
        after = replace(before, **changes)
        document = msgspec.json.encode(after).decode()
        await self._kernel.store.write(queries.put_player_setting, user, KEY, document)
        await self._kernel.scheduler.set(*jobs)
        return after


def year_of(now: int) -> int:
    """Return the UTC year of a Unix timestamp."""
    return datetime.fromtimestamp(now, UTC).year


@slash("vacation.begin", extras=reply.MAY_OPEN_FORM)
async def begin(
    interaction: MotuInteraction,
    days: app_commands.Range[int, 1, MAX_DAYS] | None = None,
    in_days: app_commands.Range[int, 0, MAX_DAYS] = 0,
) -> None:
    """Begin or plan a vacation; without a length, open a form for it."""
    if days is None:
        await open_form(interaction, "vacation")
    else:
        await begin_vacation(interaction, days, in_days)


class VacationForm(Form, template="vacation", command="vacation.begin"):
    """A vacation, from now on or planned."""

    async def content(self, interaction: MotuInteraction) -> Content:
        """Return the fields, with what is left of the budget."""
        vacation = await service(interaction, Vacations).of(interaction.user.id)
        left = vacation.days_left(interaction.client.kernel.clocks.now)
        days = TextField(
            key="days",
            label=say("vacation.days"),
            description=say("vacation.days_help", days=left, most=MAX_DAYS),
            is_required=True,
            max_length=MAX_DIGITS,
        )
        in_days = TextField(
            key="in_days",
            label=say("vacation.in_days"),
            description=say("vacation.in_days_help"),
            max_length=MAX_DIGITS,
        )
        return Content(say("vacation.title"), [days, in_days])

    async def on_submit(self, interaction: MotuInteraction, entered: Entered) -> None:
        """Begin or plan the vacation."""
        days, in_days = entered.number("days"), entered.number("in_days")
        await begin_vacation(interaction, days or 0, in_days or 0)


async def begin_vacation(interaction: MotuInteraction, days: int, in_days: int) -> None:
    """Begin or plan a vacation, and answer with what is left of the budget."""
    vacations = service(interaction, Vacations)
    vacation = await vacations.begin(interaction.user.id, days, in_days, interaction.id)
    text = say(
        "vacation.begun",
        since=vacation.since,
        at=vacation.until,
        days=vacation.days_left(vacation.since),
        number=len(await vacations.find_affected_matches(interaction.user.id)),
    )
    await reply.tell(interaction, text)


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
    """Show the current or planned vacation, and what is left of the year's budget."""
    vacation = await service(interaction, Vacations).of(interaction.user.id)
    now = interaction.client.kernel.clocks.now
    if vacation.covers(now):
        state = say("vacation.on", at=vacation.until)
    elif now < vacation.since < vacation.until:
        state = say("vacation.planned", since=vacation.since, at=vacation.until)
    else:
        state = say("vacation.none")
    await reply.tell(
        interaction,
        say(
            "vacation.shown", state=state, days=vacation.days_left(now), most=VACATION_BUDGET // DAY
        ),
    )


FEATURE = Feature(
    name="vacation",
    build=lambda kernel: Parts(services=(Vacations(kernel),)),
    commands=(begin, end, show),
    forms=(VacationForm,),
)
