"""The clocks of all matches, set with every change. pace.py has the arithmetic.

Where a clock stands is written with the match. Beside each clock that runs there is a job which only wakes the bot:
what has to be done is worked out when it does (features/clock).
"""

from collections.abc import Callable

from msgspec.structs import replace

from bot.kernel import pace, post_rules
from bot.kernel.change import Change
from bot.kernel.pace import Awaited, Span
from bot.kernel.room import Room
from bot.kernel.scheduler import Scheduler
from bot.model.clocks import Pace, SeatClock, TableClocks
from bot.model.jobs import Job
from bot.model.match import COMPUTER, MatchRecord, Status
from engine import Match, Seat

ALARM, WARNING = "clock", "clock_warning"
"""Jobs: a look at a clock, and the warning that somebody's time runs out."""


class Clocks:
    """How much time everybody has left."""

    def __init__(self, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._scheduler = scheduler
        self._now = now

    @property
    def now(self) -> int:
        """The time, in whole seconds since 1970."""
        return int(self._now())

    def _down(self, record: MatchRecord) -> list[Span]:
        """When the bot was down for a match, which costs nobody time."""
        return self._scheduler.away(record.place.guild)

    def clock(self, room: Room, seat: Seat | None) -> SeatClock | None:
        """Return the clock of a seat; None at a table without clocks, and for somebody without a seat."""
        seats = room.record.clocks.seats
        return seats[seat] if seats and seat is not None else None

    def deadline(self, room: Room, seat: Seat | None) -> int | None:
        """Return when a seat's time runs out; None if no clock runs for it."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.deadline(room.record.clocks, clock, self._down(room.record))

    def deadlines(self, room: Room) -> dict[Seat, int]:
        """Return when the time of those who are awaited runs out, as far as a clock runs for them."""
        found = {seat: self.deadline(room, seat) for seat in room.playing().waiting_for()}
        return {seat: at for seat, at in found.items() if at is not None}

    def left(self, room: Room, seat: Seat) -> int | None:
        """Return the seconds that a seat has left, whether its clock runs or not; None at a table without clocks."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.left(room.record.clocks, clock, self.now, self._down(room.record))

    def silent_seconds(self, room: Room) -> int:
        """Return for how long nothing has happened in a match."""
        return pace.used(room.record.last_activity_at, self.now, self._down(room.record))

    def confirmed_at(self, room: Room, seat: Seat) -> int | None:
        """Return when the draft is confirmed that a computer has made for an absent player; None if none has."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.confirmed_at(room.record.clocks, clock, self._down(room.record))

    def alarm(self, room: Room, seat: Seat) -> int | None:
        """Return when something has to be done about a seat's clock."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.alarm(room.record.clocks, clock, self._down(room.record))

    def warning(self, room: Room, seat: Seat) -> int | None:
        """Return when a seat's player is warned that their time runs out; None if they were, or no clock runs."""
        clock = self.clock(room, seat)
        return None if clock is None or clock.warned or clock.expired else self.alarm(room, seat)

    def short_of_warning(self, room: Room, clock: SeatClock) -> int:
        """Return how many seconds a clock lacks for a warning now to leave enough time to act on it."""
        left = pace.left(room.record.clocks, clock, self.now, self._down(room.record))
        return max(0, pace.lead(clock) - left)

    def counted_until(self, room: Room, moment: int) -> int:
        """Return how many of the seconds from now to a moment count on the clocks of a match."""
        off = pace.time_off(self.now, room.record.clocks.weekends, self._down(room.record))
        return pace.used(self.now, moment, off)

    def rewind(self, record: MatchRecord, then: TableClocks) -> TableClocks:
        """Return the clocks of a match that goes back: the time used since is given back."""
        return pace.rewound(record.clocks, then, self.now, self._down(record))

    def wake_player(self, change: Change) -> Change:
        """Note that somebody has done something themselves.

        A player who makes a move after their time was up, in the midst of a turn, gets an increment for the rest of it.
        """
        seat = change.actor
        clock = self.clock(change.after, seat) if seat is not None else None
        has_moved = bool(change.commits)
        if seat is None or clock is None or not (clock.slept or (has_moved and clock.expired)):
            return change
        clock = replace(clock, slept=0)
        if has_moved and clock.expired:
            clocks = change.before.record.clocks
            spent = clock.bank - pace.left(clocks, clock, self.now, self._down(change.before.record))
            bank = spent + pace.GRANTS[clocks.pace].increment
            clock = replace(clock, bank=bank, paid=clocks.posts, quiet=0, late=0, warned=0, expired=0, drafted=0)
        return change.update(clocks=with_clock(change.after.record.clocks, seat, clock))

    def run(self, change: Change) -> Change:
        """Start, stop and pay the clocks by what has happened, and schedule the next look at each."""
        record, match = change.after.record, change.after.match
        if match is None or (record.terms.time.pace is Pace.NONE and not record.clocks.seats):
            return change
        down = self._down(record)
        awaited = _awaited(change.after, match, _played_plans(change))
        clocks = pace.settled(record.clocks, record.terms.time, awaited, change.now, down, change.announce is not None)
        begins = change.before.match is None
        if change.commits or begins:
            change = replace(change, clocks=pace.noted(clocks, change.now, down))
        if clocks == change.before.record.clocks:
            return change.update(clocks=clocks)
        return _schedule_alarms(change.update(clocks=clocks), down)


def with_clock(clocks: TableClocks, seat: Seat, clock: SeatClock) -> TableClocks:
    """Return the clocks of a table with another one for a seat."""
    seats = tuple(clock if place == seat else other for place, other in enumerate(clocks.seats))
    return replace(clocks, seats=seats)


def _awaited(room: Room, match: Match, planned: frozenset[int]) -> Awaited:
    """Return what clocks have to know of a match."""
    users = tuple(person.id for person in room.record.chairs)
    waiting = post_rules.people_to_move(match) if room.record.status is Status.RUNNING else ()
    return Awaited(users, match.answered, frozenset(waiting), planned)


def _played_plans(change: Change) -> frozenset[int]:
    """Return the seats whose plan this change has played: it is gone, and its owner still sits there."""
    moved = {made.seat for made in change.made}
    people = change.after.playing().humans()
    kept = [plan.seat for plan in change.before.record.plans if plan.kept and not plan.dropped]
    return frozenset(seat for seat in kept if seat in moved and seat in people and not change.after.plan_of(Seat(seat)))


def _schedule_alarms(change: Change, down: list[Span]) -> Change:
    """Schedule a look at each clock that has changed, and cancel those that are no longer needed."""

    def alarms(record: MatchRecord) -> dict[int, int | None]:
        clocks = record.clocks
        return {clock.user: pace.alarm(clocks, clock, down) for clock in clocks.seats if clock.user != COMPUTER}

    before, after = alarms(change.before.record), alarms(change.after.record)
    changed = [(user, at) for user, at in after.items() if at is not None and at != before.get(user)]
    gone = [user for user, at in before.items() if at is not None and after.get(user) is None]
    change = change.schedule(*(Job(ALARM, at, change.match_id, user) for user, at in changed))
    return change.cancel_jobs(*((kind, user) for user in gone for kind in (ALARM, WARNING)))
