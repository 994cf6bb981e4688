"""What happens when somebody's time runs out: a warning first, then what their table has chosen.

- remind: all are told that the time is up, and nothing else happens
- draft: a computer drafts the decision, with what its owner may know. For some hours the owner can change it, as any
  draft of their own; nobody else sees it. Then it is confirmed, and what the same turn asks besides is played at once.
- computer: a computer plays the seat until its owner does something in it
- claim: the others may vote to have the seat given up
- forfeit: the seat is given up

Nobody's time runs out before the warning was sent. A warning that falls into somebody's quiet hours comes when they
end, and the clock waits for it.

Where nobody plays any more the match waits, whatever was chosen.

It is worked out anew whenever a row of what is due wakes this, so that a row that comes twice does nothing twice.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from msgspec.structs import replace

from bot.clock import HOUR
from bot.matches import records
from bot.matches.clocks import ALARM, WARNING, Clocks
from bot.matches.computers import Computers
from bot.matches.pace import Expiry, SeatClock
from bot.matches.player_settings import PlayerSettings
from bot.matches.room import Due, Room
from bot.matches.rooms import Rooms, on_newest
from bot.matches.scheduler import Scheduler
from bot.matches.vacation import Vacation, Vacations
from bot.store.base import Store
from engine import EngineError, Match, Seat

NOTICE = "time_notice"
"""What is due: a line for the whole table about somebody's time. Its facts say which: a key of [time]."""
AWAY = "vacation"
"""That somebody is on vacation, and their clock waits."""
VACATION_NOTICE, LEAVES = "vacation_notice", "leaves"
"""The same when they announce it."""
ASLEEP = 2
"""Decisions in a row that computers make for everybody before the match is left to wait."""


LONGEST_QUIET = 25 * HOUR
"""Seconds that a clock waits for quiet hours in one turn: as long as they can be on a day of 25 hours. Somebody who
changes theirs again and again does not stop it for good."""
ASK_AGAIN = 600
"""Seconds after which a warning is asked for again that was not sent."""


class Follow(Protocol):
    """Writes down what has happened along a trail of a match, for whoever holds the turn in it."""

    async def __call__(self, room: Room, trail: list[Match], *, dues: tuple[Due, ...] = ()) -> Room:
        """The room after it."""


class Expiries:
    """The ends of all players' time."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        scheduler: Scheduler,
        clocks: Clocks,
        vacations: Vacations,
        settings: PlayerSettings,
        computers: Computers,
        follow: Follow,
        go_on: Callable[[str], None],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._scheduler = scheduler
        self._clocks = clocks
        self._vacations = vacations
        self._settings = settings
        self._computers = computers
        self._follow = follow
        self._go_on = go_on
        """Called with a match in which something was committed."""
        self.warn: Callable[[str, Seat], Awaitable[None]] = self.mark_warned
        """Calls somebody for the last time before their time is up, and then marks them as warned."""
        scheduler.register(ALARM, self._alarm)
        scheduler.register(WARNING, self._warning)

    @on_newest
    async def _alarm(self, due: Due) -> None:
        """Warn, or do what the table has chosen, if it is time for that."""
        async with self._rooms.turn(due.match) as room:
            seat, now = room.seat_of(due.user), self._clocks.now
            clock = self._clocks.clock(room, seat) if seat is not None else None
            at = self._clocks.alarm(room, seat) if seat is not None else None
            if seat is None or clock is None or at is None:
                return
            if at > now:
                # It was set for another time, such as before the bot was away.
                await self._store.set_due(replace(due, at=at))
                return
            if not clock.expired and await self._waits_for_vacation(room, seat, clock, due):
                return
            if not clock.warned:
                if not await self._waits_for_quiet_end(room, seat, clock):
                    # Asked for again until it was sent: until then nothing else happens to this clock.
                    warning = Due(WARNING, now, due.match, due.user)
                    await self._scheduler.set(warning, replace(due, at=now + ASK_AGAIN))
                return
            thinks = self._what_happens(room) is Expiry.DRAFT and not clock.drafted
            if not thinks and await self._carried_out(room, seat, clock):
                return
        if not await self._drafted(room, seat):
            # Somebody has acted meanwhile, and the thought was for nothing.
            await self._alarm(due)

    async def _waits_for_vacation(self, room: Room, seat: Seat, clock: SeatClock, due: Due) -> bool:
        """Leave somebody alone who is on vacation; if their time is up, some of their budget is spent for more."""
        now, deadline = self._clocks.now, self._clocks.deadline(room, seat) or 0
        vacation = await self._vacations.of(clock.user)
        if not vacation.covers(now):
            return False
        if deadline > now:
            await self._store.set_due(replace(due, at=deadline))
            return True
        if not (more := await self._vacations.spend(clock.user)):
            return False
        overdue = self._clocks.left(room, seat) or 0
        waits = replace(clock, bank=clock.bank - overdue + more, warned=0, vacation=vacation.since)
        notice = Due(NOTICE, now, room.info.id, clock.user, {"key": AWAY, "until": vacation.until})
        is_told = clock.vacation == vacation.since
        await self._rooms.write(room.info, self._clocks.changed(room, seat, waits), dues=() if is_told else (notice,))
        return True

    async def tables_that_wait(self, user: int) -> list[str]:
        """The matches of somebody in which others may wait for them, or a clock."""
        found = []
        for room in await self._rooms.readable(await self._store.of_user(user)):
            people = room.match.humans() if room.match else ()
            if room.seat_of(user) in people and (room.info.clocks.seats or len(people) > 1):
                found.append(room.info.id)
        return found

    async def tell_of_vacation(self, user: int, vacation: Vacation, matches: Iterable[str]) -> None:
        """Tell tables that somebody goes."""
        facts = {"key": LEAVES, "since": vacation.since, "until": vacation.until}
        await self._scheduler.set(*(Due(VACATION_NOTICE, self._clocks.now, match, user, facts) for match in matches))

    async def _waits_for_quiet_end(self, room: Room, seat: Seat, clock: SeatClock) -> bool:
        """Let a clock wait until its player's quiet hours are over, if it is to warn them in these; whether it does."""
        now = self._clocks.now
        until = (await self._settings.of(clock.user)).quiet_until(now)
        if until is None:
            return False
        more = self._clocks.counted_until(room, until)
        if clock.quiet + more > LONGEST_QUIET:
            return False
        # Kept apart: what a clock lacks for its warning does not use up how long it may wait for quiet hours.
        short = self._clocks.short_of_warning(room, clock)
        waits = replace(clock, bank=clock.bank + more + short, quiet=clock.quiet + more, late=clock.late + short)
        alarm = Due(ALARM, until, room.info.id, clock.user)
        await self._rooms.write(room.info, self._clocks.changed(room, seat, waits), dues=(alarm,))
        return True

    async def _warning(self, due: Due) -> None:
        room = await self._rooms.find(due.match)
        seat = room.seat_of(due.user)
        if seat is not None and self._clocks.warning(room, seat) is not None:
            await self.warn(due.match, seat)

    @on_newest
    async def ready_to_warn(self, match: str, seat: Seat) -> Room | None:
        """Return the room if a warning can be sent now, with enough time left to act on it; None if it is not due.

        What has changed since it was asked for is seen here: the player may have moved or gone on vacation, or their
        quiet hours have begun. The clock asks again when it is time.
        """
        async with self._rooms.turn(match) as room:
            clock, at = self._clocks.clock(room, seat), self._clocks.warning(room, seat)
            if clock is None or at is None or at > self._clocks.now:
                return None
            if (await self._vacations.of(clock.user)).pays(self._clocks.now):
                return None
            if await self._waits_for_quiet_end(room, seat, clock):
                return None
            if short := self._clocks.short_of_warning(room, clock):
                in_time = replace(clock, bank=clock.bank + short, late=clock.late + short)
                return await self._rooms.write(room.info, self._clocks.changed(room, seat, in_time))
            return room

    @on_newest
    async def mark_warned(self, match: str, seat: Seat) -> None:
        """Note that somebody was warned; if that comes late, as after an absence of the bot, they have more time."""
        async with self._rooms.turn(match) as room:
            clock, at = self._clocks.clock(room, seat), self._clocks.warning(room, seat)
            if clock is None or at is None or at > self._clocks.now:
                return
            short = self._clocks.short_of_warning(room, clock)
            warned = replace(clock, bank=clock.bank + short, late=clock.late + short, warned=self._clocks.now)
            await self._rooms.write(room.info, self._clocks.changed(room, seat, warned))

    async def _carried_out(self, room: Room, seat: Seat, clock: SeatClock) -> bool:
        """Do what needs no thought; whether that was all."""
        now, stood, expiry = self._clocks.now, room.playing(), self._what_happens(room)
        notice = Due(NOTICE, now, room.info.id, clock.user, {"key": expiry})
        if clock.drafted:
            try:
                confirmed = stood.confirm(seat)
            except EngineError:
                # Its owner has begun to change it and left it so.
                return False
            await self._confirmed(room, seat, [stood, confirmed])
            return True
        if expiry is Expiry.COMPUTER:
            await self._follow(room, [stood, stood.hand_over(seat, True)], dues=(notice,))
        elif expiry is Expiry.FORFEIT:
            await self._follow(room, [stood, stood.resign(seat)], dues=(notice,))
        else:
            expired = self._clocks.changed(room, seat, replace(clock, expired=now))
            await self._rooms.write(room.info, expired, dues=(notice,))
            return True
        self._go_on(room.info.id)
        return True

    def _what_happens(self, room: Room) -> Expiry:
        """What the table has chosen; but where nobody plays any more, computers do not go on among themselves."""
        chosen, people, clocks = room.info.terms.time.expiry, room.playing().humans(), room.info.clocks.seats
        is_last = chosen is Expiry.COMPUTER and len(people) == 1
        all_sleep = chosen is Expiry.DRAFT and all(clocks[seat].slept >= ASLEEP for seat in people)
        return Expiry.REMIND if is_last or all_sleep else chosen

    async def _confirmed(self, room: Room, seat: Seat, trail: list[Match]) -> None:
        """Confirm what was drafted. If the same turn asks for more, that is played at once: the others have waited."""
        after = await self._follow(room, trail)
        clock = self._clocks.clock(after, seat)
        if clock is not None and clock.drafted:
            await self._scheduler.set(Due(ALARM, self._clocks.now, room.info.id, clock.user))
        self._go_on(room.info.id)

    @on_newest
    async def _drafted(self, found: Room, seat: Seat) -> bool:
        """Have a computer draft the decision, unless its owner has drafted it whole; False if the match has moved on.

        If the time to change it is up as well it is confirmed at once.
        """
        answers = await self._computers.proposal(found, seat)
        async with self._rooms.turn(found.info.id) as room:
            clock, stood, now = self._clocks.clock(room, seat), room.playing(), self._clocks.now
            if clock is None or clock != self._clocks.clock(found, seat) or stood.number != found.playing().number:
                return False
            drafted = stood if stood.is_complete(seat) else stood.redrafted(seat, answers)
            if clock.drafted:
                await self._confirmed(room, seat, [stood, drafted, drafted.confirm(seat)])
                return True
            expired = replace(clock, expired=now, drafted=now, slept=clock.slept + 1)
            changed = self._clocks.changed(room, seat, expired)
            # The same words whoever has drafted it: that somebody had is their secret.
            notice = Due(NOTICE, now, room.info.id, clock.user, {"key": Expiry.DRAFT})
            after = Room(changed.info, drafted)
            await self._rooms.write(room.info, after, drafts=records.stored_drafts(drafted), dues=(notice,))
            return True
