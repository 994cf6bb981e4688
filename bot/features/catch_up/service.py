"""What has changed for a person since they last did something in a match, whoever did it."""

from collections.abc import Sequence

from msgspec import Struct

from bot.kernel import queries, records
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from engine import Commit, Event, Match, Seat


class Changes(Struct, frozen=True):
    """What a seat, or a watcher, has missed."""

    events: tuple[Event, ...]
    """What they may know of it, in order."""
    before: Match | None = None
    """The match as they left it; None for a watcher, and for somebody who has not acted yet."""


class CatchUp:
    """Looks back in all matches."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._cache = kernel.cache
        self._announcements = kernel.announcements

    async def changes(self, room: Room, seat: Seat | None) -> Changes:
        """Return everything since a seat's own last act; for a watcher since the last post."""
        if seat is None:
            return Changes(await self._announcements.news(room, None))
        match, game = room.record.id, room.playing().game
        kept = await self._store.read(queries.commits, match)
        commits = {stored.number: records.commit(stored, game) for stored in kept}
        standing = sorted(commits.keys() - records.undone(commits))
        began_as_computer = seat in (await self._cache.position(match, 0)).computers
        last = _last_act(standing, commits, seat, began_as_computer)
        missed = [commits[number] for number in standing if last is None or number > last]
        before = None if last is None else await self._cache.position(match, last)
        return Changes(records.facts(missed, seat), before)


def _last_act(standing: Sequence[int], commits: dict[int, Commit], seat: Seat, by_computer: bool) -> int | None:
    """Return the number of the last commit that the person in a seat has made themselves, if any.

    What a computer plays for them is news to them. So is everything to somebody who has taken over
    a seat.
    """
    last, is_away = None, by_computer
    for number in standing:
        made = commits[number]
        if not number or made.seat != seat:
            continue
        if made.handed == "computer" or made.resigned:
            is_away, by_computer = True, by_computer or made.resigned
        elif made.handed == "person":
            last = None if by_computer else last
            is_away = by_computer = False
        elif not is_away and not made.seed:
            last = number
    return last
