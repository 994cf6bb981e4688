"""What happens when a player's time runs out: first a warning, then what the players agreed on.

- remind: a notice says that time is up, and nothing else happens
- draft: a computer drafts the decision, knowing only what the player may know. For some hours the
  player can change it like any draft; nobody else sees it. Then it is confirmed, and any further
  decisions of that turn are made at once.
- computer: a computer plays the seat until its owner decides something again
- claim: the others may vote to have the player resign
- forfeit: the player resigns

Time never runs out before the warning has been sent (features/reminders). If that would be in the
player's quiet hours, the warning is sent after them, and the clock waits for it.

If nobody plays any more, the match waits, whatever the players agreed on.

Each job derives what to do from the current state of the match, because it may run twice or late.
"""

from msgspec.structs import replace

from bot.features.reminders.service import Reminders
from bot.features.vacation import Vacations
from bot.kernel.change import Change
from bot.kernel.clocks import ALARM, WARNING, effective_expiry, set_clock
from bot.kernel.kernel import Kernel
from bot.kernel.pipeline import retry_on_conflict
from bot.kernel.queries import find_job
from bot.kernel.room import Room
from bot.model import Expiry, Job, SeatClock
from engine import EngineError, Seat

NOTICE = "time_notice"
"""The kind of job that posts a notice about a player's time; its fact `key` is a key in [time]."""
ON_VACATION = "vacation"
"""The notice that a player is on vacation and their clock waits."""
WARNING_RETRY_SECONDS = 600
"""How long to wait before requesting a warning again that has not been sent."""


class Expiries:
    """Warns players before their time runs out, and acts when it has."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._clocks = kernel.clocks
        self._vacations = kernel.services.require(Vacations)
        self._reminders = kernel.services.require(Reminders)

    @retry_on_conflict
    async def check_clock(self, due: Job) -> None:
        """Warn the player, or apply what the players agreed on, if it is time. Handles ALARM."""
        async with self._kernel.pipeline.exclusive(due.match) as (change, _):
            room, now = change.before, change.now
            seat = room.seat_of(due.user)
            clock = self._clocks.clock(room, seat)
            if seat is None or clock is None:
                return
            at = self._clocks.alarm_at(room.record, clock)
            if at is None:
                return
            if at > now:
                # The job is out of date, for instance because the bot was down for a while.
                await self._kernel.scheduler.set(replace(due, at=at))
                return
            if not clock.expired and await self._waits_for_vacation(change, seat, clock, due):
                return
            if not clock.warned:
                await self._warn(change, seat, clock, due)
                return
            needs_draft = effective_expiry(room) is Expiry.DRAFT and not clock.drafted
            if not needs_draft and await self._carry_out(change, seat, clock):
                return
        # Draft outside of the lock, because the computer may think for a while.
        if not await self._draft(room, seat):
            # Somebody has acted while the computer was thinking.
            await self.check_clock(due)

    async def _warn(self, change: Change, seat: Seat, clock: SeatClock, due: Job) -> None:
        """Request the warning of a player; in quiet hours, extend the clock until they end."""
        room, scheduler = change.before, self._kernel.scheduler
        settings = await self._reminders.of(clock.user)
        if quiet_end := self._reminders.quiet_end(room, clock, settings):
            more = self._clocks.counted_seconds_until(room, quiet_end)
            # A clock with less time left than a warning must leave is topped up first. That must
            # not count as waiting for quiet hours, which is limited (`quiet`).
            full = self._clocks.clock_after_warning(room, seat) or clock
            waits = replace(full, bank=full.bank + more, quiet=full.quiet + more, warned=0)
            alarm = replace(due, at=quiet_end)
            await self._kernel.pipeline.commit(set_clock(change, seat, waits).schedule(alarm))
            return
        # Keep requesting it until it is sent: nothing else happens to this clock before that.
        await scheduler.set(replace(due, at=change.now + WARNING_RETRY_SECONDS))
        if not await self._kernel.store.read(find_job, WARNING, due.match, due.user):
            await scheduler.set(Job(WARNING, change.now, due.match, due.user))

    async def _waits_for_vacation(
        self, change: Change, seat: Seat, clock: SeatClock, due: Job
    ) -> bool:
        """Extend the clock of a player on vacation from their budget; return whether it waits."""
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
        overdue = self._clocks.seconds_left(room, seat) or 0
        waits = replace(clock, bank=clock.bank - overdue + more, warned=0, vacation=vacation.since)
        change = set_clock(change, seat, waits)
        if clock.vacation != vacation.since:
            # Post one notice per vacation.
            change = schedule_notice(change, clock, ON_VACATION, until=vacation.until)
        await self._kernel.pipeline.commit(change)
        return True

    async def _carry_out(self, change: Change, seat: Seat, clock: SeatClock) -> bool:
        """Apply what needs no computer; return False if a decision has to be drafted first."""
        match, expiry = change.before.playing(), effective_expiry(change.before)
        if clock.drafted:
            try:
                confirmed = match.confirm(seat)
            except EngineError:
                # The player has begun to change the draft and left it incomplete.
                return False
            await self._confirm(change.play(confirmed), seat)
            return True
        if expiry is Expiry.COMPUTER:
            change = change.play(match.hand_over(seat, True))
        elif expiry is Expiry.FORFEIT:
            change = change.play(match.resign(seat))
        else:
            change = set_clock(change, seat, replace(clock, expired=change.now))
        await self._kernel.pipeline.commit(schedule_notice(change, clock, expiry))
        return True

    async def _confirm(self, change: Change, seat: Seat) -> None:
        """Save a confirmed draft, and have any further decision of the turn made at once."""
        after = (await self._kernel.pipeline.commit(change)).after
        clock = self._clocks.clock(after, seat)
        if clock is not None and clock.drafted:
            # There is more to decide in this turn. The others have waited long enough, so there is
            # no new delay.
            await self._kernel.scheduler.set(
                Job(ALARM, self._clocks.now, change.match_id, clock.user)
            )

    @retry_on_conflict
    async def _draft(self, seen_room: Room, seat: Seat) -> bool:
        """Let a computer draft a player's decision; return False if the match has changed since.

        If the time to change the draft is up as well, confirm it at once.
        """
        answers = await self._kernel.computers.propose_turn(seen_room, seat)
        async with self._kernel.pipeline.exclusive(seen_room.record.id) as (change, _):
            room = change.before
            clock, match = self._clocks.clock(room, seat), room.playing()
            if (
                clock is None
                or clock != self._clocks.clock(seen_room, seat)
                or match.number != seen_room.playing().number
            ):
                return False
            drafted = match if match.is_complete(seat) else match.replay_draft(seat, answers)
            if clock.drafted:
                await self._confirm(change.play(drafted, drafted.confirm(seat)), seat)
                return True
            expired = replace(clock, expired=change.now, drafted=change.now, slept=clock.slept + 1)
            # The notice is the same if the player had a complete draft: whether they did is secret.
            after = set_clock(change.play(drafted), seat, expired)
            await self._kernel.pipeline.commit(schedule_notice(after, clock, Expiry.DRAFT))
            return True


def schedule_notice(change: Change, clock: SeatClock, key: str, **facts: int) -> Change:
    """Return the change with a job that posts a notice about a player's time."""
    return change.schedule(
        Job(NOTICE, change.now, change.match_id, clock.user, {"key": key, **facts})
    )
