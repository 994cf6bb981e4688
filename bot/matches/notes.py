"""Notes that people write to themselves in a match. Nobody else ever reads them."""

from bot.errors import Refused
from bot.matches.room import Room
from bot.store.base import Store
from bot.text import say

LONGEST = 400
"""Characters of a note: it stands in the panel, which has to have room for the rest."""


class Notes:
    """All notes, one for a person in a match."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, room: Room, user: int) -> str:
        """A person's note, '' if there is none."""
        return await self._store.note(room.info.id, user)

    async def write(self, room: Room, user: int, text: str) -> None:
        """A note kept in place of the one before; an empty one is forgotten. Refused to whoever has no seat."""
        if room.seat_of(user) is None:
            raise Refused(say("note.not_seated"))
        if len(text) > LONGEST:
            raise Refused(say("note.too_long", number=len(text), most=LONGEST))
        await self._store.put_note(room.info.id, user, text.strip())
