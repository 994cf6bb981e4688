"""What happens when somebody's time runs out: a warning first, then what their table has chosen.

- remind: everyone is told that the time is up, and nothing else happens
- draft: a computer drafts the decision, with what its owner may know. For some hours the owner can change it like any
  draft of their own; nobody else sees it. Then it is confirmed, and what the same turn asks besides is played at once.
- computer: a computer plays the seat until its owner does something in it
- claim: the others may vote to have the seat given up
- forfeit: the seat is given up

Nobody's time runs out before the warning was sent. A warning that falls into somebody's quiet hours comes when they
end, and the clock waits for it.

Where nobody plays any more the match waits, whatever was chosen.

What has to be done is worked out anew whenever a job wakes this, so that a job that comes twice does nothing twice.
"""

from msgspec.structs import replace

from bot.features.reminders.service import ClockWarnings, Reminders
from bot.features.vacation import Vacations
from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.clocks import ALARM, WARNING, with_clock
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.room import Room
from bot.model.clocks import Expiry, SeatClock
from bot.model.jobs import Job
from bot.runtime.clock import HOUR
from engine import EngineError, Seat

NOTICE = "time_notice"
"""The job that tells a table something about a player's time. Its facts say what: a key of [time]."""
ON_VACATION = "vacation"
"""The key for a player who is on vacation, and whose clock waits."""
ASLEEP = 2
"""Decisions in a row that computers make for everybody before the match is left to wait."""
LONGEST_QUIET = 25 * HOUR
"""Seconds that a clock waits for quiet hours in one turn: as long as they can be on a day of 25 hours. Somebody who
changes theirs again and again does not stop it for good."""
ASK_AGAIN = 600
"""Seconds after which a warning that was not sent is asked for again."""


class Expiries(ClockWarnings):
    """Ends the time of players, and warns them before."""

    def __init__(self, kernel: Kernel, vacations: Vacations, reminders: Reminders) -> None:
        self._store = kernel.store
        self._matches = kernel.matches
        self._pipeline = kernel.pipeline
        self._scheduler = kernel.scheduler
        self._computers = kernel.computers
        self._clocks = kernel.clocks
        self._vacations = vacations
        self._reminders = reminders

    async def warn(self, match: str, seat: Seat) -> None:
        """Have a player reminded for the last time before their time is up."""
        await self._reminders.warn(match, seat)

    @retry_on_conflict
    async def look_at_clock(self, due: Job) -> None:
        """Warn, or do what the table has chosen, if it is time for that."""
        async with self._pipeline.exclusive(due.match) as (change, _):
            room, now = change.before, change.now
            seat = room.seat_of(due.user)
            clock = self._clocks.clock(room, seat) if seat is not None else None
            at = self._clocks.alarm(room, seat) if seat is not None else None
            if seat is None or clock is None or at is None:
                return
            if at > now:
                # It was scheduled for another time, such as before the bot was down.
                await self._store.write(queries.schedule, replace(due, at=at))
                return
            if not clock.expired and await self._waits_for_vacation(change, seat, clock, due):
                return
            if not clock.warned:
                if not await self._waits_for_quiet_end(change, seat, clock):
                    # It is asked for until it was sent: until then nothing else happens to this clock.
                    warning = Job(WARNING, now, due.match, due.user)
                    await self._scheduler.set(warning, replace(due, at=now + ASK_AGAIN))
                return
            thinks = self._what_happens(room) is Expiry.DRAFT and not clock.drafted
            if not thinks and await self._carried_out(change, seat, clock):
                return
        if not await self._drafted(room, seat):
            # Somebody has acted while the computer was thinking.
            await self.look_at_clock(due)

    async def _waits_for_vacation(self, change: Change, seat: Seat, clock: SeatClock, due: Job) -> bool:
        """Leave a player on vacation alone; if their time is up, some of their budget is spent for more of it.

        Return whether the clock waits.
        """
        room, now = change.before, change.now
        deadline = self._clocks.deadline(room, seat) or 0
        vacation = await self._vacations.of(clock.user)
        if not vacation.covers(now):
            return False
        if deadline > now:
            await self._store.write(queries.schedule, replace(due, at=deadline))
            return True
        if not (more := await self._vacations.spend(clock.user)):
            return False
        overdue = self._clocks.left(room, seat) or 0
        waits = replace(clock, bank=clock.bank - overdue + more, warned=0, vacation=vacation.since)
        notice = Job(NOTICE, now, room.record.id, clock.user, {"key": ON_VACATION, "until": vacation.until})
        is_told = clock.vacation == vacation.since
        change = _set_clock(change, seat, waits)
        await self._pipeline.commit(change if is_told else change.schedule(notice))
        return True

    async def _waits_for_quiet_end(self, change: Change, seat: Seat, clock: SeatClock) -> bool:
        """Let a clock that is to warn its player wait until their quiet hours are over; return whether it does."""
        room = change.before
        until = (await self._reminders.settings.of(clock.user)).quiet_until(change.now)
        if until is None:
            return False
        more = self._clocks.counted_until(room, until)
        if clock.quiet + more > LONGEST_QUIET:
            return False
        # Counted separately: what a clock lacks for its warning must not use up how long it may wait for quiet hours.
        short = self._clocks.short_of_warning(room, clock)
        waits = replace(clock, bank=clock.bank + more + short, quiet=clock.quiet + more, late=clock.late + short)
        alarm = Job(ALARM, until, room.record.id, clock.user)
        await self._pipeline.commit(_set_clock(change, seat, waits).schedule(alarm))
        return True

    async def ask_for_warning(self, due: Job) -> None:
        """Have a player warned, if their clock still asks for it."""
        room = await self._matches.find(due.match)
        seat = room.seat_of(due.user)
        if seat is not None and self._clocks.warning(room, seat) is not None:
            await self.warn(due.match, seat)

    @retry_on_conflict
    async def ready_to_warn(self, match: str, seat: Seat) -> Room | None:
        """Return the match if a warning can be sent now, with enough time left to act on it; None if it is not due.

        Since it was asked for the player may have moved or gone on vacation, or their quiet hours have begun. The clock
        asks again when it is time.
        """
        async with self._pipeline.exclusive(match) as (change, _):
            room = change.before
            clock, at = self._clocks.clock(room, seat), self._clocks.warning(room, seat)
            if clock is None or at is None or at > change.now:
                return None
            if (await self._vacations.of(clock.user)).pays(change.now):
                return None
            if await self._waits_for_quiet_end(change, seat, clock):
                return None
            if short := self._clocks.short_of_warning(room, clock):
                in_time = replace(clock, bank=clock.bank + short, late=clock.late + short)
                return (await self._pipeline.commit(_set_clock(change, seat, in_time))).after
            return room

    async def mark_warned(self, match: str, seat: Seat) -> None:
        """Note that a player was warned; if that comes late, as after the bot was down, they have more time."""

        def mark(change: Change) -> Change:
            room = change.before
            clock, at = self._clocks.clock(room, seat), self._clocks.warning(room, seat)
            if clock is None or at is None or at > change.now:
                return change
            short = self._clocks.short_of_warning(room, clock)
            warned = replace(clock, bank=clock.bank + short, late=clock.late + short, warned=change.now)
            return _set_clock(change, seat, warned)

        await self._pipeline.change(match, mark)

    async def _carried_out(self, change: Change, seat: Seat, clock: SeatClock) -> bool:
        """Do what needs no thought; return whether that was all."""
        room = change.before
        stood, expiry = room.playing(), self._what_happens(room)
        notice = Job(NOTICE, change.now, room.record.id, clock.user, {"key": expiry})
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
            change = _set_clock(change, seat, replace(clock, expired=change.now))
        await self._pipeline.commit(change.schedule(notice))
        return True

    def _what_happens(self, room: Room) -> Expiry:
        """Return what the table has chosen; where nobody plays any more, computers do not go on among themselves."""
        chosen, people, clocks = room.record.terms.time.expiry, room.playing().humans(), room.record.clocks.seats
        is_last = chosen is Expiry.COMPUTER and len(people) == 1
        all_sleep = chosen is Expiry.DRAFT and all(clocks[seat].slept >= ASLEEP for seat in people)
        return Expiry.REMIND if is_last or all_sleep else chosen

    async def _confirm(self, change: Change, seat: Seat) -> None:
        """Confirm what was drafted. If the same turn asks for more, that is played at once: the others have waited."""
        after = (await self._pipeline.commit(change)).after
        clock = self._clocks.clock(after, seat)
        if clock is not None and clock.drafted:
            await self._scheduler.set(Job(ALARM, self._clocks.now, change.match_id, clock.user))

    @retry_on_conflict
    async def _drafted(self, found: Room, seat: Seat) -> bool:
        """Have a computer draft the decision, unless its owner has drafted it whole; False if the match has moved on.

        If the time to change it is up as well it is confirmed at once.
        """
        answers = await self._computers.proposal(found, seat)
        async with self._pipeline.exclusive(found.record.id) as (change, _):
            room = change.before
            clock, stood = self._clocks.clock(room, seat), room.playing()
            if clock is None or clock != self._clocks.clock(found, seat) or stood.number != found.playing().number:
                return False
            drafted = stood if stood.is_complete(seat) else stood.redrafted(seat, answers)
            if clock.drafted:
                await self._confirm(change.play(drafted, drafted.confirm(seat)), seat)
                return True
            expired = replace(clock, expired=change.now, drafted=change.now, slept=clock.slept + 1)
            # The same words in either case: that the owner had drafted it must stay secret.
            notice = Job(NOTICE, change.now, room.record.id, clock.user, {"key": Expiry.DRAFT})
            await self._pipeline.commit(_set_clock(change.play(drafted), seat, expired).schedule(notice))
            return True


def _set_clock(change: Change, seat: Seat, clock: SeatClock) -> Change:
    return change.update(clocks=with_clock(change.after.record.clocks, seat, clock))
