"""The pace of a table: how much time its players have, and what becomes of a clock when something happens. Pure.

Each player has a bank of time. It runs while their decision is awaited, and they earn an increment, up to a cap, with
each turn that they finish: once between two posts, however many small steps the turn has. A plan that plays earns it
too. Several clocks run at once where several people are asked at once. No clock runs on a weekend that the table has
taken off, while the match is paused, or while the bot is away.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from heapq import merge

from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.zones import zone_of
from bot.model.clocks import Pace, SeatClock, TableClocks, TimeTerms
from bot.runtime.clock import HOUR

LONGEST_WARNING = 12 * HOUR
"""Seconds before the end of somebody's time at which they are warned; a third of their time, if that is less."""
SHORTEST_WARNING = HOUR
"""Minimum time to act on a warning. A clock with less left, such as one paused just before its end, is topped up."""
VETO = 12 * HOUR
"""Seconds in which somebody can change what a computer has drafted for them."""

Span = tuple[int, int]


class Grants(Struct, frozen=True):
    """What a pace grants, in seconds: at the beginning, for a finished turn, and at most."""

    bank: int
    increment: int
    cap: int


GRANTS = {
    Pace.QUICK: Grants(24 * HOUR, 4 * HOUR, 72 * HOUR),
    Pace.STEADY: Grants(72 * HOUR, 12 * HOUR, 120 * HOUR),
    Pace.EASY: Grants(72 * HOUR, 36 * HOUR, 240 * HOUR),
}


class Awaited(Struct, frozen=True):
    """What clocks need to know of a match."""

    users: tuple[int, ...]
    """By seat."""
    answered: tuple[int, ...]
    """Committed answers by seat."""
    seats: frozenset[int] = frozenset()
    """The seats with a person whose decision is awaited; none while the match is paused or over."""
    planned: frozenset[int] = frozenset()
    """The seats whose plan has just played."""


# Time that counts.


def weekends(since: int, zone: str) -> Iterator[Span]:
    """The weekends from the one on that ends after a moment, on the clocks of a time zone."""
    where = zone_of(zone)
    day = datetime.fromtimestamp(since, UTC).astimezone(where).date()
    saturday = day - timedelta(days=(day.weekday() + 2) % 7)
    while True:
        ends = (saturday, saturday + timedelta(days=2))
        start, end = (int(datetime.combine(at, time(), where).timestamp()) for at in ends)
        if end > since:
            yield start, end
        saturday += timedelta(days=7)


def time_off(since: int, zone: str, absences: Iterable[Span]) -> Iterator[Span]:
    """When no clock runs after a moment, in order; spans may overlap, and there may be no end of them."""
    away = sorted(absences)
    return merge(weekends(since, zone), away) if zone else iter(away)


def used(since: int, until: int, off: Iterable[Span]) -> int:
    """Seconds between two moments that count."""
    counted, at = 0, since
    for start, end in off:
        if start >= until:
            break
        counted += max(0, start - at)
        at = max(at, end)
    return counted + max(0, until - at)


def reached(since: int, seconds: int, off: Iterable[Span]) -> int:
    """The moment at which so many seconds have counted."""
    at, left = since, max(0, seconds)
    for start, end in off:
        if end <= at:
            continue
        if start - at >= left:
            break
        left -= max(0, start - at)
        at = max(at, end)
    return at + left


# What becomes of the clocks.


def left(clocks: TableClocks, clock: SeatClock, now: int, absences: Iterable[Span]) -> int:
    """Seconds that a player has left; less than none if they are overdue."""
    if not clock.since:
        return clock.bank
    return clock.bank - used(clock.since, now, time_off(clock.since, clocks.weekends, absences))


def deadline(clocks: TableClocks, clock: SeatClock, absences: Iterable[Span]) -> int | None:
    """When a player's time runs out, if nothing changes; None while their clock stands."""
    if not clock.since:
        return None
    return reached(clock.since, clock.bank, time_off(clock.since, clocks.weekends, absences))


def confirmed_at(clocks: TableClocks, clock: SeatClock, absences: Iterable[Span]) -> int | None:
    """When a computer's draft is confirmed that its owner can change until then; None if there is none."""
    if not clock.drafted:
        return None
    return reached(clock.drafted, VETO, time_off(clock.drafted, clocks.weekends, absences))


def lead(clock: SeatClock) -> int:
    """Seconds before the end of a player's time at which they are warned."""
    own_time = clock.bank - clock.quiet - clock.late
    return max(SHORTEST_WARNING, min(LONGEST_WARNING, own_time // 3))


def alarm(clocks: TableClocks, clock: SeatClock, absences: Iterable[Span]) -> int | None:
    """When something is to be done about a clock: a warning, what the table does when it has run out, or a confirm."""
    if not clock.since:
        return None
    if clock.drafted:
        return confirmed_at(clocks, clock, absences)
    if clock.expired:
        # What the table has chosen has happened.
        return None
    off = time_off(clock.since, clocks.weekends, absences)
    return reached(clock.since, clock.bank if clock.warned else clock.bank - lead(clock), off)


def settled(
    clocks: TableClocks, terms: TimeTerms, stands: Awaited, now: int, absences: Iterable[Span], told: bool
) -> TableClocks:
    """The clocks after something has happened in a match; `told` if a post is made of it."""
    grants = GRANTS.get(terms.pace)
    if grants is None:
        return TableClocks()
    absences = list(absences)
    fresh = clocks.pace is not terms.pace or len(clocks.seats) != len(stands.users)
    seats = []
    for seat, user in enumerate(stands.users):
        clock = SeatClock(user, grants.bank) if fresh or clocks.seats[seat].user != user else clocks.seats[seat]
        if seat in stands.planned and not clock.since:
            # Its turn began and ended in one write, so its clock never ran. It earns what a turn by hand earns.
            clock = replace(clock, bank=_with_increment(clock.bank, grants), paid=clocks.posts)
        clock = _stopped(clocks, clock, grants, stands, seat, now, absences, told, terms.weekends != clocks.weekends)
        if not clock.since and seat in stands.seats:
            # Whoever comes back to a clock that had run out has an increment at least.
            bank = max(clock.bank, grants.increment) if clock.bank <= 0 else clock.bank
            clock = replace(clock, bank=bank, since=now, answered=stands.answered[seat])
        seats.append(clock)
    return TableClocks(tuple(seats), terms.pace, terms.weekends, clocks.posts + told)


def _stopped(
    clocks: TableClocks,
    clock: SeatClock,
    grants: Grants,
    stands: Awaited,
    seat: int,
    now: int,
    absences: list[Span],
    told: bool,
    other_rules: bool,
) -> SeatClock:
    """A clock that ran stopped, if there is a reason to: its decision is made or gone, or other rules begin."""
    if not clock.since:
        return clock
    has_answered = stands.answered[seat] > clock.answered
    is_over = seat not in stands.seats or (has_answered and told)
    if not is_over and not other_rules:
        return clock
    bank, paid = left(clocks, clock, now, absences), clock.paid
    if is_over and has_answered and paid != clocks.posts:
        bank = _with_increment(bank, grants)
        paid = clocks.posts
    if not is_over:
        # Only what comes after it is counted otherwise.
        return replace(clock, bank=bank, since=now)
    return SeatClock(clock.user, max(bank, 0), paid=paid, slept=clock.slept)


def _with_increment(bank: int, grants: Grants) -> int:
    """Return the bank after a finished turn: an increment more, up to the cap."""
    return max(bank, min(max(bank, 0) + grants.increment, grants.cap))


def rewound(clocks: TableClocks, then: TableClocks, now: int, absences: Iterable[Span]) -> TableClocks:
    """The clocks standing as they stood then, for a match that goes back: the time used since is given back."""
    if not clocks.seats or (then.pace, len(then.seats)) != (clocks.pace, len(clocks.seats)):
        return clocks
    seats = tuple(
        SeatClock(clock.user, max(0, was.bank if was.user == clock.user else left(clocks, clock, now, absences)))
        for clock, was in zip(clocks.seats, then.seats, strict=True)
    )
    return replace(clocks, seats=seats)


def noted(clocks: TableClocks, now: int, absences: Iterable[Span]) -> TableClocks:
    """The clocks as they are kept beside a commit: with what everybody had left then."""
    absences = list(absences)
    seats = tuple(SeatClock(clock.user, left(clocks, clock, now, absences)) for clock in clocks.seats)
    return replace(clocks, seats=seats)
