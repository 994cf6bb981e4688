"""The clocks of all matches, set with every write. pace.py has the arithmetic, expiry.py what happens at the end.

Where a clock stands is written with the match. Beside each clock that runs lies a row of what is due, which only wakes:
what is to be done is worked out when it does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from bot.matches import pace, post_rules
from bot.matches.pace import Awaited, Pace, SeatClock, Span, TableClocks
from bot.matches.room import COMPUTER, Due, Info, Room, Status
from bot.matches.rooms import Rooms
from bot.matches.scheduler import Scheduler
from bot.store.base import Store, StoredCommit
from engine import Seat

ALARM, WARNING = "clock", "clock_warning"
"""What is due: a look at a clock, and the warning that somebody's time runs out."""


class Clocks:
    """All clocks."""

    def __init__(self, store: Store, rooms: Rooms, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._store = store
        self._rooms = rooms
        self._scheduler = scheduler
        self._now = now
        rooms.settle = self._settle

    @property
    def now(self) -> int:
        """The time, in whole seconds."""
        return int(self._now())

    def _away(self, info: Info) -> list[Span]:
        """When the bot was away for a match, which costs nobody time."""
        return self._scheduler.away(info.place.guild)

    def clock(self, room: Room, seat: Seat) -> SeatClock | None:
        """The clock of a seat; None at a table without."""
        return room.info.clocks.seats[seat] if room.info.clocks.seats else None

    def deadline(self, room: Room, seat: Seat) -> int | None:
        """When a seat's time runs out; None if no clock runs for it."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.deadline(room.info.clocks, clock, self._away(room.info))

    def left(self, room: Room, seat: Seat) -> int | None:
        """Seconds that a seat has left, whether its clock runs or not; None at a table without clocks."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.left(room.info.clocks, clock, self.now, self._away(room.info))

    def confirmed_at(self, room: Room, seat: Seat) -> int | None:
        """When the draft is confirmed that a computer has made for an absent player; None if none has."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.confirmed_at(room.info.clocks, clock, self._away(room.info))

    def alarm(self, room: Room, seat: Seat) -> int | None:
        """When something is to be done about a seat's clock."""
        clock = self.clock(room, seat)
        return None if clock is None else pace.alarm(room.info.clocks, clock, self._away(room.info))

    def warning(self, room: Room, seat: Seat) -> int | None:
        """Return when a seat's player is warned that their time runs out; None if they were, or no clock runs."""
        clock = self.clock(room, seat)
        return None if clock is None or clock.warned or clock.expired else self.alarm(room, seat)

    def short_of_warning(self, room: Room, clock: SeatClock) -> int:
        """Return how many seconds a clock lacks for a warning now to leave enough time to act on it."""
        return max(0, pace.lead(clock) - pace.left(room.info.clocks, clock, self.now, self._away(room.info)))

    def counted_until(self, room: Room, moment: int) -> int:
        """Return how many of the seconds from now to a moment count on the clocks of a match."""
        off = pace.time_off(self.now, room.info.clocks.weekends, self._away(room.info))
        return pace.used(self.now, moment, off)

    async def rewound(self, info: Info, number: int) -> Info:
        """The match with its clocks as they stood after a commit, for whoever takes it back there."""
        then = await self._store.clocks(info.id, number)
        return replace(info, clocks=pace.rewound(info.clocks, then, self.now, self._away(info)))

    # With every write.

    def _settle(self, read: Info, room: Room, written: Mapping[str, Any]) -> tuple[Room, dict[str, Any]]:
        info = room.info
        if room.match is None or (info.terms.time.pace is Pace.NONE and not info.clocks.seats):
            return room, {}
        now, away, told = self.now, self._away(info), written.get("announce") is not None
        stands = replace(_stands(room), planned=_played_plans(read, room, written.get("commits", ())))
        clocks = pace.settled(info.clocks, info.terms.time, stands, now, away, told)
        timing: dict[str, Any] = {}
        if written.get("commits"):
            timing["clocks"] = pace.noted(clocks, now, away)
        if clocks != read.clocks:
            timing |= _alarms(read, clocks, away)
        return Room(replace(info, clocks=clocks), room.match), timing

    def awake(self, room: Room, seat: Seat, has_moved: bool) -> Room:
        """The room with somebody awake who has done something themselves.

        Who makes a move after their time was up, in the midst of a turn, has an increment for the rest of it now.
        """
        clock = self.clock(room, seat)
        if clock is None or not (clock.slept or (has_moved and clock.expired)):
            return room
        clock = replace(clock, slept=0)
        if has_moved and clock.expired:
            spent = clock.bank - pace.left(room.info.clocks, clock, self.now, self._away(room.info))
            bank, paid = spent + pace.GRANTS[room.info.clocks.pace].increment, room.info.clocks.posts
            clock = replace(clock, bank=bank, paid=paid, quiet=0, late=0, warned=0, expired=0, drafted=0)
        return self.changed(room, seat, clock)

    def changed(self, room: Room, seat: Seat, clock: SeatClock) -> Room:
        """The room with another clock for a seat, to be written by whoever holds the turn."""
        seats = tuple(clock if place == seat else other for place, other in enumerate(room.info.clocks.seats))
        return Room(replace(room.info, clocks=replace(room.info.clocks, seats=seats)), room.match)


def _stands(room: Room) -> Awaited:
    """What clocks need to know of a match."""
    match, users = room.match, tuple(person.id for person in room.info.chairs)
    assert match is not None
    waiting = post_rules.people_to_move(match) if room.info.status is Status.RUNNING else ()
    return Awaited(users, match.answered, frozenset(waiting))


def _played_plans(read: Info, room: Room, commits: Sequence[StoredCommit]) -> frozenset[int]:
    """Return the seats whose plan these commits have played: it is gone, and its owner still sits there."""
    moved = {commit.seat for commit in commits}
    people = room.playing().humans()
    kept = [plan.seat for plan in read.plans if plan.kept and not plan.dropped]
    return frozenset(seat for seat in kept if seat in moved and seat in people and not room.plan_of(Seat(seat)))


def _alarms(info: Info, clocks: TableClocks, away: list[Span]) -> dict[str, Any]:
    """What is due for clocks that have changed, and what no more."""
    before = {clock.user: pace.alarm(info.clocks, clock, away) for clock in info.clocks.seats if clock.user != COMPUTER}
    after = {clock.user: pace.alarm(clocks, clock, away) for clock in clocks.seats if clock.user != COMPUTER}
    dues = tuple(
        Due(ALARM, at, info.id, user) for user, at in after.items() if at is not None and at != before.get(user)
    )
    gone = [user for user, at in before.items() if at is not None and after.get(user) is None]
    return {"dues": dues, "undue": tuple((kind, user) for user in gone for kind in (ALARM, WARNING))}
