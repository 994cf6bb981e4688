"""The players' clocks: how much time each has left. `Clocks.update` follows every change.

Each player has a bank of time, which runs down while the match waits for their decision. Finishing
a turn earns an increment, up to a cap: one between two posts, however many small steps the turn
takes. A planned turn earns it too. If several people must decide at once, all their clocks run.
No clock runs on weekends that the table has taken off, while the match is paused, or while the bot
is down.

Clocks are saved with the match. For each running clock there is also a job that wakes the bot at
the next deadline; what to do then is decided in features/clock.
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
from bot.model import COMPUTER, Expiry, Job, MatchRecord, Pace, SeatClock, Status, TableClocks
from bot.runtime.base import HOUR
from engine import Match, Seat

ALARM, WARNING = "clock", "clock_warning"
"""Kinds of jobs: check a clock, and warn a player that their time is running out."""
MAX_WARNING_SECONDS = 12 * HOUR
"""How long before the end players are warned, unless a third of their time is less."""
MIN_WARNING_SECONDS = HOUR
"""How long players have at least after a warning.

A clock with less left, such as one paused just before its end, is topped up.
"""
DRAFT_VETO_SECONDS = 12 * HOUR
"""How long a player can still change what a computer has drafted for them."""

MAX_MISSED_DECISIONS = 2
"""How many decisions in a row computers draft for every player before the match waits."""

Span = tuple[int, int]


class Grants(Struct, frozen=True):
    """The time that a pace grants, in seconds."""

    bank: int
    """At the start of the match."""
    increment: int
    """For each finished turn."""
    cap: int
    """Increments do not raise a bank above this."""

    def pay(self, bank: int) -> int:
        """Return a bank with the increment for a finished turn added, up to the cap."""
        # Time added for quiet hours or a vacation may have lifted a bank above the cap: it stays.
        return max(bank, min(max(bank, 0) + self.increment, self.cap))


GRANTS = {
    Pace.QUICK: Grants(24 * HOUR, 4 * HOUR, 72 * HOUR),
    Pace.STEADY: Grants(72 * HOUR, 12 * HOUR, 120 * HOUR),
    Pace.EASY: Grants(72 * HOUR, 36 * HOUR, 240 * HOUR),
}


class CountedTime(Struct, frozen=True):
    """Time arithmetic that leaves out weekends off and the bot's absences."""

    weekends: str
    """The time zone in which weekends are off; '' if they are not."""
    absences: Sequence[Span]
    """When the bot was down, in order."""

    def elapsed(self, since: int, until: int) -> int:
        """Return how many of the seconds between two moments count."""
        # Weekends and absences may overlap, so `at` never moves back.
        counted, at = 0, since
        for start, end in self._time_off(since):
            if start >= until:
                break
            counted += max(0, start - at)
            at = max(at, end)
        return counted + max(0, until - at)

    def after(self, since: int, seconds: int) -> int:
        """Return the moment by which this many seconds have counted."""
        at, left = since, max(0, seconds)
        for start, end in self._time_off(since):
            if end <= at:
                continue
            if start - at >= left:
                break
            left -= max(0, start - at)
            at = max(at, end)
        return at + left

    def seconds_left(self, clock: SeatClock, now: int) -> int:
        """Return the seconds left on a clock; negative if its player is overdue."""
        return clock.bank - self.elapsed(clock.since, now) if clock.since else clock.bank

    def _time_off(self, since: int) -> Iterator[Span]:
        """Yield the spans after a moment in which no clock runs, in order. May never end."""
        weekends = _weekends(since, self.weekends) if self.weekends else ()
        return merge(weekends, self.absences)


def warning_seconds(clock: SeatClock) -> int:
    """Return how many seconds before the end of their time a player is warned."""
    # Extra time for quiet hours or a late warning must not make the warning come even earlier.
    own_time = clock.bank - clock.quiet - clock.late
    return max(MIN_WARNING_SECONDS, min(MAX_WARNING_SECONDS, own_time // 3))


def _weekends(since: int, zone: str) -> Iterator[Span]:
    """Yield the weekends of a time zone that end after a moment. Never ends."""
    where = zone_of(zone)
    day = datetime.fromtimestamp(since, UTC).astimezone(where).date()
    saturday = day - timedelta(days=(day.weekday() + 2) % 7)
    while True:
        monday = saturday + timedelta(days=2)
        # Midnight by the local clock: a weekend with a switch to summer time is an hour shorter.
        start, end = (
            int(datetime.combine(at, time(), where).timestamp()) for at in (saturday, monday)
        )
        if end > since:
            yield start, end
        saturday += timedelta(days=7)


class Clocks:
    """Knows how much time players have left, and keeps their clocks up to date."""

    def __init__(self, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._scheduler = scheduler
        self._now = now

    @property
    def now(self) -> int:
        """The time, in whole seconds since 1970."""
        return int(self._now())

    def _counted_time(self, record: MatchRecord) -> CountedTime:
        """Return the weekends off and absences that apply to a match."""
        return CountedTime(record.clocks.weekends, self._scheduler.absences_in(record.place.guild))

    def clock(self, room: Room, seat: Seat | None) -> SeatClock | None:
        """Return the clock of a seat; None in a match without clocks, or if no seat is given."""
        seats = room.record.clocks.seats
        return seats[seat] if seats and seat is not None else None

    def deadline(self, room: Room, seat: Seat | None) -> int | None:
        """Return when a seat's time runs out; None if its clock does not run."""
        clock = self.clock(room, seat)
        if clock is None or not clock.since:
            return None
        return self._counted_time(room.record).after(clock.since, clock.bank)

    def deadlines(self, room: Room) -> dict[Seat, int]:
        """Return the deadlines of the seats that the match waits for and whose clock runs."""
        found = {seat: self.deadline(room, seat) for seat in room.playing().waiting_for()}
        return {seat: at for seat, at in found.items() if at is not None}

    def seconds_left(self, room: Room, seat: Seat) -> int | None:
        """Return the seconds that a seat has left; None in a match without clocks."""
        clock = self.clock(room, seat)
        return self._counted_time(room.record).seconds_left(clock, self.now) if clock else None

    def silent_seconds(self, room: Room) -> int:
        """Return how long nothing has happened in a match. Weekends off count here."""
        return replace(self._counted_time(room.record), weekends="").elapsed(
            room.record.last_activity_at, self.now
        )

    def draft_confirmed_at(self, room: Room, seat: Seat) -> int | None:
        """Return when the draft that a computer made for an absent player will be confirmed."""
        clock = self.clock(room, seat)
        return self.alarm_at(room.record, clock) if clock and clock.drafted else None

    def alarm_at(self, record: MatchRecord, clock: SeatClock) -> int | None:
        """Return when a clock next needs action: warn, expire, or confirm a computer's draft."""
        counted = self._counted_time(record)
        if clock.drafted:
            return counted.after(clock.drafted, DRAFT_VETO_SECONDS)
        # A clock that has expired without a draft needs nothing more: the consequence the players
        # agreed on has taken effect.
        if clock.expired or not clock.since:
            return None
        warning = 0 if clock.warned else warning_seconds(clock)
        return counted.after(clock.since, clock.bank - warning)

    def warning_at(self, room: Room, seat: Seat) -> int | None:
        """Return when a player will be warned that their time runs out; None if they were."""
        clock = self.clock(room, seat)
        if clock is None or clock.warned or clock.expired:
            return None
        return self.alarm_at(room.record, clock)

    def clock_after_warning(self, room: Room, seat: Seat) -> SeatClock | None:
        """Return a seat's clock marked as warned; None if it is not time for a warning.

        A warning that comes late adds to the clock the time by which it is late.
        """
        clock, at = self.clock(room, seat), self.warning_at(room, seat)
        if clock is None or at is None or at > self.now:
            return None
        left = self._counted_time(room.record).seconds_left(clock, self.now)
        missing = max(0, warning_seconds(clock) - left)
        return replace(clock, bank=clock.bank + missing, late=clock.late + missing, warned=self.now)

    def counted_seconds_until(self, room: Room, moment: int) -> int:
        """Return how much a match's clocks will run down between now and a moment, in seconds."""
        return self._counted_time(room.record).elapsed(self.now, moment)

    def rewind(self, record: MatchRecord, then: TableClocks) -> TableClocks:
        """Return the clocks for a match that is rewound: set back to `then`, and all stopped."""
        clocks, counted = record.clocks, self._counted_time(record)
        # If the pace has changed since, the old banks mean nothing any more.
        if not clocks.seats or (then.pace, len(then.seats)) != (clocks.pace, len(clocks.seats)):
            return clocks
        seats = []
        for clock, was in zip(clocks.seats, then.seats, strict=True):
            # A player who took the seat over later keeps the time they have.
            bank = was.bank if was.user == clock.user else counted.seconds_left(clock, self.now)
            seats.append(SeatClock(clock.user, max(0, bank)))
        return replace(clocks, seats=tuple(seats))

    # Followers.

    def reactivate_player(self, change: Change) -> Change:
        """Reset the clock of a player who acts again after a computer had to act for them.

        A player whose time was up and who now moves gets an increment for the rest of the turn.
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
            spent = clock.bank - self._counted_time(record).seconds_left(clock, change.now)
            bank = spent + GRANTS[record.clocks.pace].increment
            # A new clock, so that the player is warned again and it can expire again.
            clock = SeatClock(
                clock.user,
                bank,
                clock.since,
                clock.answered,
                paid=record.clocks.posts,
                vacation=clock.vacation,
            )
        return set_clock(change, seat, clock)

    def update(self, change: Change) -> Change:
        """Start, stop and pay the clocks after a change, and schedule the jobs that check them."""
        record, match = change.after.record, change.after.match
        if match is None or (record.terms.time.pace is Pace.NONE and not record.clocks.seats):
            return change
        clocks = _update_clocks(change, match, self._counted_time(record))
        after = change.update(clocks=clocks)
        counted = self._counted_time(after.after.record)
        if change.commits or change.before.match is None:
            # Saved with the commit, in case the match is rewound to it.
            left = (
                SeatClock(clock.user, counted.seconds_left(clock, change.now))
                for clock in clocks.seats
            )
            after = replace(after, clocks=replace(clocks, seats=tuple(left)))
        old, new = self._alarms(change.before.record), self._alarms(after.after.record)
        for user in old.keys() - new.keys():
            after = after.cancel_jobs((ALARM, user), (WARNING, user))
        for user, at in new.items():
            if at != old.get(user):
                after = after.schedule(Job(ALARM, at, change.match_id, user))
        return after

    def _alarms(self, record: MatchRecord) -> dict[int, int]:
        """Return when each person's clock next needs action, by user id."""
        people = [clock for clock in record.clocks.seats if clock.user != COMPUTER]
        alarms = {clock.user: self.alarm_at(record, clock) for clock in people}
        return {user: at for user, at in alarms.items() if at is not None}


def set_clock(change: Change, seat: Seat, clock: SeatClock) -> Change:
    """Set the clock of a seat."""
    clocks = change.after.record.clocks
    seats = tuple(clock if place == seat else other for place, other in enumerate(clocks.seats))
    return change.update(clocks=replace(clocks, seats=seats))


def _update_clocks(change: Change, match: Match, counted: CountedTime) -> TableClocks:
    """Return a match's clocks after a change.

    Clocks of seats that have decided are stopped and paid; clocks of seats that must decide run.
    """
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
            bank, paid = counted.seconds_left(clock, now), clock.paid
            if seat not in awaited or (has_answered and is_posted):
                # A turn of many small steps is paid only once between two posts.
                if has_answered and paid != clocks.posts:
                    bank, paid = grants.pay(bank), clocks.posts
                clock = SeatClock(clock.user, max(bank, 0), paid=paid, slept=clock.slept)
            elif terms.weekends != clocks.weekends:
                # The time so far is counted by the old rule for weekends, the rest by the new one.
                clock = replace(clock, bank=bank, since=now)
        elif _has_played_plan(change, match, seat):
            # The turn began and ended in one write, so the clock never ran. It still earns as much
            # as a turn played by hand.
            clock = replace(clock, bank=grants.pay(clock.bank), paid=clocks.posts)
        if not clock.since and seat in awaited:
            # A player whose bank was used up gets at least one increment for the new turn.
            bank = clock.bank if clock.bank > 0 else grants.increment
            clock = replace(clock, bank=bank, since=now, answered=match.answered[seat])
        seats.append(clock)
    return TableClocks(tuple(seats), terms.pace, terms.weekends, clocks.posts + is_posted)


def effective_expiry(room: Room) -> Expiry:
    """Return what the table has chosen, or REMIND if computers would play among themselves."""
    chosen = room.record.terms.time.expiry
    people, clocks = room.playing().humans(), room.record.clocks.seats
    if chosen is Expiry.COMPUTER and len(people) == 1:
        return Expiry.REMIND
    if chosen is Expiry.DRAFT:
        missed = [clocks[seat].slept for seat in people]
        if all(number >= MAX_MISSED_DECISIONS for number in missed):
            return Expiry.REMIND
    return chosen


def _has_played_plan(change: Change, match: Match, seat: Seat) -> bool:
    """Whether this change has played a seat's plan."""
    plan = change.before.plan_of(seat)
    if plan is None or not plan.kept or plan.dropped:
        return False
    # A plan also disappears when its owner gives up the seat, which is then no longer a human's.
    has_moved = any(made.seat == seat for made in change.engine_commits)
    return has_moved and seat in match.humans() and not change.after.plan_of(seat)
