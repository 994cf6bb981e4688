"""Matches in which nothing happens: after two weeks without a clock the table is asked, once, what shall become of it.

It is asked again only after something has happened, and then nothing for as long again. Who plays by a clock is called
by that. Time in which the bot was away is no silence of the players'.
"""

from contextlib import suppress

from bot.errors import Refused
from bot.matches import pace
from bot.matches.clocks import Clocks
from bot.matches.pace import Pace
from bot.matches.room import BOT, OPEN, SILENT, Due, Room, Status
from bot.matches.rooms import Rooms
from bot.matches.scheduler import Scheduler
from bot.matches.vote_kinds import SILENCE
from bot.matches.votes import Votes
from bot.store.base import Store
from engine import Seat

DUE = "silence"
"""The kind of the rows that say when to look whether a match is silent."""


class Silence:
    """Looks at every running match now and then."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        scheduler: Scheduler,
        clocks: Clocks,
        votes: Votes,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._scheduler = scheduler
        self._clocks = clocks
        self._votes = votes
        scheduler.register(DUE, self._look)
        votes.register(SILENCE)

    def begun(self, match: str) -> Due:
        """What is due from the beginning of a match on."""
        return Due(DUE, self._clocks.now + SILENT, match)

    def of(self, room: Room) -> int:
        """Seconds for which nothing has happened in a match although the bot was there."""
        return pace.used(room.info.touched, self._clocks.now, self._scheduler.away(room.info.place.guild))

    def why_absent(self, room: Room, seat: Seat) -> str:
        """Why somebody may be thought away, as far as the match knows: a key of [vote.absent], '' if they are there."""
        match = room.playing()
        if seat in match.away:
            return "away"
        if room.is_expired(seat):
            return "expired"
        owes = room.info.status is Status.RUNNING and seat in match.waiting_for()
        return "silent" if owes and self.of(room) >= SILENT else ""

    async def _look(self, due: Due) -> None:
        room = await self._rooms.find(due.match)
        if room.match is None or room.info.status not in OPEN:
            return
        silent, wait = self.of(room), SILENT
        if silent < SILENT:
            wait = SILENT - silent
        elif room.info.status is Status.RUNNING and room.info.terms.time.pace is Pace.NONE:
            asked = [vote.opened for vote in await self._store.votes(due.match) if vote.kind == SILENCE.name]
            if max(asked, default=0) <= room.info.touched:
                # Refused, it has just gone on, or cannot post.
                with suppress(Refused):
                    await self._votes.propose(due.match, BOT, SILENCE.name)
        await self._scheduler.set(Due(DUE, self._clocks.now + wait, due.match))
