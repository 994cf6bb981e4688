"""What waits for a person with many matches, in which order, and which tables they can join."""

from math import inf

from bot.kernel import queries
from bot.kernel.cache import MatchCache
from bot.kernel.clocks import Clocks
from bot.kernel.matches import Matches
from bot.kernel.room import Room
from bot.model.match import Status
from bot.store.base import Store
from engine import find_game


class Agenda:
    """The matches of every person, in the order in which they want to be played."""

    def __init__(self, store: Store, cache: MatchCache, matches: Matches, clocks: Clocks) -> None:
        self._store = store
        self._cache = cache
        self._matches = matches
        self._clocks = clocks

    def awaits(self, room: Room, user: int) -> bool:
        """Whether a running match waits for a person, and not for a computer that plays for them."""
        if room.match is None or room.record.status is not Status.RUNNING:
            return False
        return room.waits_for(user) and room.seat_of(user) in room.match.humans()

    def deadline(self, room: Room, user: int) -> int | None:
        """When a person's time in a match runs out; None if no clock runs for them."""
        seat = room.seat_of(user)
        return None if seat is None else self._clocks.deadline(room, seat)

    async def waiting(self, user: int) -> list[Room]:
        """Running matches that wait for a person: by time left, and without a clock those that have waited longest."""
        rooms = [room for room in await self._matches.of_user(user) if self.awaits(room, user)]

        def urgency(room: Room) -> tuple[float, float]:
            deadline = self.deadline(room, user)
            # Discord's ids grow with time: the older the board that asks them, the longer they are waited for.
            return (inf if deadline is None else deadline, room.record.turn_message or inf)

        return sorted(rooms, key=urgency)

    async def whole(self, user: int) -> list[Room]:
        """All open matches of a person: those that wait for them, rematches offered to them, the others, lobbies."""
        waiting = await self.waiting(user)
        offered = await self._cache.readable(await self._store.read(queries.rematches_awaiting, user))
        known = {room.record.id for room in waiting}
        others = [room for room in await self._matches.of_user(user) if room.record.id not in known]
        return [*waiting, *offered, *sorted(others, key=lambda room: room.record.status is Status.LOBBY)]

    async def tables(self, guild: int, user: int) -> list[Room]:
        """Lobbies of a server in which a person could sit down, and then matches in which a seat is offered."""
        if not guild:
            return []
        lobbies = await self._cache.readable(await self._store.read(queries.open_lobbies, guild))
        begun = await self._cache.readable(await self._store.read(queries.matches_offering_seats, guild))
        open_to_all = [*filter(_has_room, lobbies), *(room for room in begun if not room.record.paused_for)]
        return [room for room in open_to_all if room.seat_of(user) is None]


def _has_room(room: Room) -> bool:
    """Whether there is a free chair in a lobby whose message people can see."""
    is_shown = room.record.status is Status.LOBBY and bool(room.record.lobby_message)
    # Chairs of a rematch are kept for those who are awaited.
    taken = len(room.record.chairs) + len(room.record.awaited)
    return is_shown and taken < find_game(room.record.game).seats[-1]
