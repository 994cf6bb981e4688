"""Notes that people write to themselves in a match. Nobody else ever reads them."""

from bot.features.catch_up import queries as note_queries
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.runtime.errors import Refused
from bot.text import say

MAX_NOTE_CHARACTERS = 400
"""A note stands in the panel, which has to have room for the rest."""


class Notes:
    """All notes: one for each person in each match."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store

    async def of(self, room: Room, user: int) -> str:
        """Return a person's note, '' if there is none."""
        return await self._store.read(note_queries.note, room.record.id, user)

    async def write(self, room: Room, user: int, text: str) -> None:
        """Replace a person's note; an empty one deletes it. Refuse people who have no seat."""
        if room.seat_of(user) is None:
            raise Refused(say("note.not_seated"))
        if len(text) > MAX_NOTE_CHARACTERS:
            raise Refused(say("note.too_long", number=len(text), most=MAX_NOTE_CHARACTERS))
        await self._store.write(note_queries.put_note, room.record.id, user, text.strip())
