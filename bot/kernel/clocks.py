"""The clocks of all matches, set with every change.

Each player has a bank of time. It runs while their decision is awaited, and they earn an increment,
up to a cap, with each turn that they finish: once between two posts, however many small steps the
turn has. A plan that plays earns it too. Several clocks run at once where several people are asked
at once. No clock runs on a weekend that the table has taken off, while the match is paused, or
while the bot is away.

Where a clock stands is written with the match. Beside each clock that runs there is a job which
only wakes the bot: what has to be done is worked out when it does (features/clock).
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from heapq import merge

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.change import Change
from bot.kernel.post_rules import people_to_move
from bot.kernel.room import Room
from bot.kernel.scheduler import Scheduler
from bot.kernel.zones import zone_of
from bot.model import COMPUTER, Job, MatchRecord, Pace, SeatClock, Status, TableClocks
from bot.runtime.base import HOUR
from engine import Match, Seat

ALARM, WARNING = "clock", "clock_warning"
"""Jobs: a look at a clock, and the warning that somebody's time runs out."""
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


class Clocks:
    """How much time everybody has left."""

    def __init__(self, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._scheduler = scheduler
        self._now = now

    @property
    def now(self) -> int:
        """The time, in whole seconds since 1970."""
        return int(self._now())

    def _time(self, record: MatchRecord) -> CountedTime:
        """Return which time counts in a match: not that in which the bot was down."""
        return CountedTime(record.clocks.weekends, self._scheduler.away(record.place.guild))

    def clock(self, room: Room, seat: Seat | None) -> SeatClock | None:
        """Return the clock of a seat; None at a table without clocks, or without a seat."""
        seats = room.record.clocks.seats
        return seats[seat] if seats and seat is not None else None

    def deadline(self, room: Room, seat: Seat | None) -> int | None:
        """Return when a seat's time runs out; None if no clock runs for it."""
        clock = self.clock(room, seat)
        if clock is None or not clock.since:
            return None
        return self._time(room.record).after(clock.since, clock.bank)

    def deadlines(self, room: Room) -> dict[Seat, int]:
        """Return when the time of those who are awaited runs out, where a clock runs."""
        found = {seat: self.deadline(room, seat) for seat in room.playing().waiting_for()}
        return {seat: at for seat, at in found.items() if at is not None}

    def left(self, room: Room, seat: Seat) -> int | None:
        """Return the seconds that a seat has left; None at a table without clocks."""
        clock = self.clock(room, seat)
        return self._time(room.record).left(clock, self.now) if clock else None

    def silent_seconds(self, room: Room) -> int:
        """Return for how long nothing has happened in a match. Weekends count."""
        return replace(self._time(room.record), weekends="").elapsed(
            room.record.last_activity_at, self.now
        )

    def confirmed_at(self, room: Room, seat: Seat) -> int | None:
        """Return when a computer's draft for an absent player is confirmed, if there is one."""
        clock = self.clock(room, seat)
        return self.alarm(room.record, clock) if clock and clock.drafted else None

    def alarm(self, record: MatchRecord, clock: SeatClock) -> int | None:
        """Return when to do something about a clock: warn, carry out its expiry, or confirm."""
        counted = self._time(record)
        if clock.drafted:
            return counted.after(clock.drafted, VETO)
        # Once a clock has expired without a draft, what the table has chosen has happened.
        if clock.expired or not clock.since:
            return None
        warning = 0 if clock.warned else warning_seconds(clock)
        return counted.after(clock.since, clock.bank - warning)

    def warning(self, room: Room, seat: Seat) -> int | None:
        """Return when a player is warned that their time runs out, unless they were."""
        clock = self.clock(room, seat)
        if clock is None or clock.warned or clock.expired:
            return None
        return self.alarm(room.record, clock)

    def warned(self, room: Room, seat: Seat) -> SeatClock | None:
        """Return a seat's clock once its player is warned now; None if they are not to be.

        A warning that comes late leaves as much time to act on it as one in time.
        """
        clock, at = self.clock(room, seat), self.warning(room, seat)
        if clock is None or at is None or at > self.now:
            return None
        short = max(0, warning_seconds(clock) - self._time(room.record).left(clock, self.now))
        return replace(clock, bank=clock.bank + short, late=clock.late + short, warned=self.now)

    def counted_until(self, room: Room, moment: int) -> int:
        """Return how many of the seconds from now to a moment count on the clocks of a match."""
        return self._time(room.record).elapsed(self.now, moment)

    def rewind(self, record: MatchRecord, then: TableClocks) -> TableClocks:
        """Return the clocks as they stood then, for a match that goes back, all stopped."""
        clocks, counted = record.clocks, self._time(record)
        if not clocks.seats or (then.pace, len(then.seats)) != (clocks.pace, len(clocks.seats)):
            return clocks
        seats = []
        for clock, was in zip(clocks.seats, then.seats, strict=True):
            bank = was.bank if was.user == clock.user else counted.left(clock, self.now)
            seats.append(SeatClock(clock.user, max(0, bank)))
        return replace(clocks, seats=tuple(seats))

    # Followers.

    def wake_player(self, change: Change) -> Change:
        """Note that somebody has done something themselves.

        A player who makes a move after their time was up, in the midst of a turn, gets an increment
        for the rest of it.
        """
        seat, record = change.actor, change.before.record
        clock = self.clock(change.after, seat)
        if seat is None or clock is None:
            return change
        is_late = bool(change.commits and clock.expired)
        if not is_late and not clock.slept:
            return change
        clock = replace(clock, slept=0)
        if is_late:
            spent = clock.bank - self._time(record).left(clock, change.now)
            bank = spent + GRANTS[record.clocks.pace].increment
            # Neither warned nor expired any more.
            clock = SeatClock(
                clock.user,
                bank,
                clock.since,
                clock.answered,
                paid=record.clocks.posts,
                vacation=clock.vacation,
            )
        return with_clock(change, seat, clock)

    def run(self, change: Change) -> Change:
        """Start, stop and pay the clocks by what has happened, and schedule the next looks."""
        record, match = change.after.record, change.after.match
        if match is None or (record.terms.time.pace is Pace.NONE and not record.clocks.seats):
            return change
        clocks = _run_clocks(change, match, self._time(record))
        after = change.update(clocks=clocks)
        counted = self._time(after.after.record)
        if change.commits or change.before.match is None:
            left = (
                SeatClock(clock.user, counted.left(clock, change.now)) for clock in clocks.seats
            )
            after = replace(after, clocks=replace(clocks, seats=tuple(left)))
        old, new = self._alarms(change.before.record), self._alarms(after.after.record)
        for user in old.keys() - new.keys():
            after = after.cancel_jobs((ALARM, user), (WARNING, user))
        return after.schedule(
            *(
                Job(ALARM, at, change.match_id, user)
                for user, at in new.items()
                if at != old.get(user)
            )
        )

    def _alarms(self, record: MatchRecord) -> dict[int, int]:
        """Return when something has to be done about each person's clock."""
        people = [clock for clock in record.clocks.seats if clock.user != COMPUTER]
        alarms = {clock.user: self.alarm(record, clock) for clock in people}
        return {user: at for user, at in alarms.items() if at is not None}


def with_clock(change: Change, seat: Seat, clock: SeatClock) -> Change:
    """Return a change that sets the clock of a seat."""
    clocks = change.after.record.clocks
    seats = tuple(clock if place == seat else other for place, other in enumerate(clocks.seats))
    return change.update(clocks=replace(clocks, seats=seats))


def _run_clocks(change: Change, match: Match, counted: CountedTime) -> TableClocks:
    """Return the clocks: stopped and paid where a decision was made, running where one is due."""
    record, now = change.after.record, change.now
    terms, clocks = record.terms.time, record.clocks
    if terms.pace is Pace.NONE:
        return TableClocks()
    grants = GRANTS[terms.pace]
    awaited = people_to_move(match) if record.status is Status.RUNNING else ()
    is_posted = change.announce_up_to is not None
    is_new = clocks.pace is not terms.pace or len(clocks.seats) != len(record.chairs)
    seats = []
    for number, person in enumerate(record.chairs):
        seat = Seat(number)
        clock = SeatClock(person.id, grants.bank) if is_new else clocks.seats[seat]
        if clock.user != person.id:
            clock = SeatClock(person.id, grants.bank)
        if clock.since:
            has_answered = match.answered[seat] > clock.answered
            bank, paid = counted.left(clock, now), clock.paid
            if seat not in awaited or (has_answered and is_posted):
                # A turn of many small steps is paid once between two posts.
                if has_answered and paid != clocks.posts:
                    bank, paid = grants.pay(bank), clocks.posts
                clock = SeatClock(clock.user, max(bank, 0), paid=paid, slept=clock.slept)
            elif terms.weekends != clocks.weekends:
                # What has passed was counted by the old rule; only what comes is counted by the new
                # one.
                clock = replace(clock, bank=bank, since=now)
        elif _has_played_plan(change, match, seat):
            # The turn began and ended in one write, so the clock never ran. It earns what a turn by
            # hand earns.
            clock = replace(clock, bank=grants.pay(clock.bank), paid=clocks.posts)
        if not clock.since and seat in awaited:
            # A player who comes back to a clock that had run out gets at least one increment.
            bank = clock.bank if clock.bank > 0 else grants.increment
            clock = replace(clock, bank=bank, since=now, answered=match.answered[seat])
        seats.append(clock)
    return TableClocks(tuple(seats), terms.pace, terms.weekends, clocks.posts + is_posted)


def _has_played_plan(change: Change, match: Match, seat: Seat) -> bool:
    """Whether a seat's plan has played with this change: it is gone, its owner still there."""
    plan = change.before.plan_of(seat)
    if plan is None or not plan.kept or plan.dropped:
        return False
    has_moved = any(made.seat == seat for made in change.engine_commits)
    return has_moved and seat in match.humans() and not change.after.plan_of(seat)
