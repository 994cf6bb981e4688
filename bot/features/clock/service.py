"""What happens when somebody's time runs out: a warning first, then what their table has chosen.

- remind: everyone is told that the time is up, and nothing else happens
- draft: a computer drafts the decision, with what its owner may know. For some hours the owner can
  change it like any draft of their own; nobody else sees it. Then it is confirmed, and what the
  same turn asks besides is played at once.
- computer: a computer plays the seat until its owner does something in it
- claim: the others may vote to have the seat given up
- forfeit: the seat is given up

Nobody's time runs out before the warning was sent (features/reminders). A warning that falls into
somebody's quiet hours comes when they end, and the clock waits for it.

Where nobody plays any more the match waits, whatever was chosen.

What has to be done is worked out anew whenever a job wakes this, so that a job that comes twice
does nothing twice.
"""

from msgspec.structs import replace

from bot.features.reminders.service import Reminders
from bot.features.vacation import Vacations
from bot.kernel.change import Change
from bot.kernel.clocks import ALARM, WARNING, with_clock
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.queries import find_job
from bot.kernel.room import Room
from bot.model import Expiry, Job, SeatClock
from engine import EngineError, Seat

NOTICE = "time_notice"
"""The job that tells a table something about a player's time.

Its facts say what: a key of [time].
"""
ON_VACATION = "vacation"
"""The key for a player who is on vacation, and whose clock waits."""
ASLEEP = 2
"""Decisions in a row that computers make for everybody before the match is left to wait."""
ASK_AGAIN = 600
"""Seconds after which a warning that was not sent is asked for again."""


class Expiries:
    """Ends the time of players, and has them warned before."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._clocks = kernel.clocks
        self._vacations = kernel.services.require(Vacations)
        self._reminders = kernel.services.require(Reminders)

    @retry_on_conflict
    async def look_at_clock(self, due: Job) -> None:
        """Warn, or do what the table has chosen, if it is time for that."""
        async with self._kernel.pipeline.exclusive(due.match) as (change, _):
            room, now = change.before, change.now
            seat = room.seat_of(due.user)
            clock = self._clocks.clock(room, seat)
            if seat is None or clock is None:
                return
            at = self._clocks.alarm(room.record, clock)
            if at is None:
                return
            if at > now:
                # It was scheduled for another time, such as before the bot was down.
                await self._kernel.scheduler.set(replace(due, at=at))
                return
            if not clock.expired and await self._waits_for_vacation(change, seat, clock, due):
                return
            if not clock.warned:
                await self._warn(change, seat, clock, due)
                return
            thinks = _what_happens(room) is Expiry.DRAFT and not clock.drafted
            if not thinks and await self._carry_out(change, seat, clock):
                return
        if not await self._draft(room, seat):
            # Somebody has acted while the computer was thinking.
            await self.look_at_clock(due)

    async def _warn(self, change: Change, seat: Seat, clock: SeatClock, due: Job) -> None:
        """Have a player warned; in their quiet hours, let the clock wait for the end of these."""
        room, scheduler = change.before, self._kernel.scheduler
        settings = await self._reminders.of(clock.user)
        if quiet_end := self._reminders.quiet_end(room, clock, settings):
            more = self._clocks.counted_until(room, quiet_end)
            # What a clock lacks for its warning is counted separately: that must not use up how
            # long it may wait for quiet hours.
            full = self._clocks.warned(room, seat) or clock
            waits = replace(full, bank=full.bank + more, quiet=full.quiet + more, warned=0)
            alarm = replace(due, at=quiet_end)
            await self._kernel.pipeline.commit(with_clock(change, seat, waits).schedule(alarm))
            return
        # It is asked for until it was sent: until then nothing else happens to this clock.
        await scheduler.set(replace(due, at=change.now + ASK_AGAIN))
        if not await self._kernel.store.read(find_job, WARNING, due.match, due.user):
            await scheduler.set(Job(WARNING, change.now, due.match, due.user))

    async def _waits_for_vacation(
        self, change: Change, seat: Seat, clock: SeatClock, due: Job
    ) -> bool:
        """Let a clock wait for a player on vacation, return whether it waits."""
        room, now = change.before, change.now
        deadline = self._clocks.deadline(room, seat) or 0
        vacation = await self._vacations.of(clock.user)
        if not vacation.covers(now):
            return False
        if deadline > now:
            await self._kernel.scheduler.set(replace(due, at=deadline))
            return True
        if not (more := await self._vacations.spend(clock.user)):
            return False
        overdue = self._clocks.left(room, seat) or 0
        waits = replace(clock, bank=clock.bank - overdue + more, warned=0, vacation=vacation.since)
        change = with_clock(change, seat, waits)
        if clock.vacation != vacation.since:
            change = _tell_table(change, clock, ON_VACATION, until=vacation.until)
        await self._kernel.pipeline.commit(change)
        return True

    async def _carry_out(self, change: Change, seat: Seat, clock: SeatClock) -> bool:
        """Do what needs no thought; return whether that was all."""
        stood, expiry = change.before.playing(), _what_happens(change.before)
        if clock.drafted:
            try:
                confirmed = stood.confirm(seat)
            except EngineError:
                # Its owner has begun to change it and left it incomplete.
                return False
            await self._confirm(change.play(confirmed), seat)
            return True
        if expiry is Expiry.COMPUTER:
            change = change.play(stood.hand_over(seat, True))
        elif expiry is Expiry.FORFEIT:
            change = change.play(stood.resign(seat))
        else:
            change = with_clock(change, seat, replace(clock, expired=change.now))
        await self._kernel.pipeline.commit(_tell_table(change, clock, expiry))
        return True

    async def _confirm(self, change: Change, seat: Seat) -> None:
        """Confirm what was drafted.

        If the same turn asks for more, that is played at once: the others have waited.
        """
        after = (await self._kernel.pipeline.commit(change)).after
        clock = self._clocks.clock(after, seat)
        if clock is not None and clock.drafted:
            await self._kernel.scheduler.set(
                Job(ALARM, self._clocks.now, change.match_id, clock.user)
            )

    @retry_on_conflict
    async def _draft(self, found: Room, seat: Seat) -> bool:
        """Have a computer draft what its owner has not; False if the match has moved on.

        If the time to change it is up as well it is confirmed at once.
        """
        answers = await self._kernel.computers.proposal(found, seat)
        async with self._kernel.pipeline.exclusive(found.record.id) as (change, _):
            room = change.before
            clock, stood = self._clocks.clock(room, seat), room.playing()
            if (
                clock is None
                or clock != self._clocks.clock(found, seat)
                or stood.number != found.playing().number
            ):
                return False
            drafted = stood if stood.is_complete(seat) else stood.redrafted(seat, answers)
            if clock.drafted:
                await self._confirm(change.play(drafted, drafted.confirm(seat)), seat)
                return True
            expired = replace(clock, expired=change.now, drafted=change.now, slept=clock.slept + 1)
            # The same words in either case: that the owner had drafted it must stay secret.
            told = _tell_table(with_clock(change.play(drafted), seat, expired), clock, Expiry.DRAFT)
            await self._kernel.pipeline.commit(told)
            return True


def _what_happens(room: Room) -> Expiry:
    """Return what the table has chosen; nothing where computers would play among themselves."""
    chosen = room.record.terms.time.expiry
    people, clocks = room.playing().humans(), room.record.clocks.seats
    is_last = chosen is Expiry.COMPUTER and len(people) == 1
    all_sleep = chosen is Expiry.DRAFT and all(clocks[seat].slept >= ASLEEP for seat in people)
    return Expiry.REMIND if is_last or all_sleep else chosen


def _tell_table(change: Change, clock: SeatClock, key: str, **facts: int) -> Change:
    """Have a table told something about a player's time."""
    return change.schedule(
        Job(NOTICE, change.now, change.match_id, clock.user, {"key": key, **facts})
    )
