"""Matches for the rows that measure the bot's own service and store."""

import random
from itertools import count
from typing import Any, Self

from msgspec.structs import replace

from bot.kernel.room import Press
from bot.model import Person, Place
from tests.bot.backend import answer_with
from tests.bot.services import Services

PEOPLE = tuple(
    Person(100 + seat, name) for seat, name in enumerate(("Moana", "Tāne", "Sina", "Rangi"))
)


class Tables:
    """Opens matches of Blue Lagoon and makes random moves. As a context it closes the store."""

    def __init__(self, matches: Services, seed: int = 5) -> None:
        self.matches = matches
        self._chance = random.Random(seed)
        self._interactions = count(1 << 60)
        self._opened = count()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        # The store has a thread, which would outlive a row that fails.
        await self.matches.close()

    async def open_match(self, seats: int = 4, settings: dict[str, str] | None = None) -> str:
        """Start a match between people who are in no other, since their number is limited."""
        number = next(self._opened)
        host, *others = (replace(person, id=person.id + 100 * number) for person in PEOPLE[:seats])
        room = await self.matches.open_lobby("blue_lagoon", settings or {}, Place(1, 2, 3), host)
        for person in others:
            await self.matches.join(room.record.id, person)
        await self.matches.start(room.record.id, host)
        await self.post_pending(room.record.id)
        return room.record.id

    async def choose_move(self, match: str) -> dict[str, Any]:
        """Return a random legal move as arguments of `Services.play`."""
        room = await self.matches.find(match)
        assert room.match is not None
        (decision,) = room.match.asked()
        press = Press(match, room.record.chairs[decision.seat].id, next(self._interactions))
        keys = (self._chance.choice(decision.options).key,)
        return {"press": press, "move": answer_with((decision.kind, keys))}

    async def make_move(self, match: str) -> None:
        """Make a random move and post it."""
        await self.play_move(await self.choose_move(match))

    async def play_move(self, move: dict[str, Any]) -> None:
        """Store this move and post it."""
        await self.matches.play(**move)
        await self.post_pending(move["press"].match)

    async def post_pending(self, match: str) -> None:
        """Do everything for the pending posts except sending them."""
        for announcement in await self.matches.pending_posts(match):
            await self.matches.post_of(announcement)
            await self.matches.note_post(announcement, next(self._interactions))

    async def resign_all(self, match: str) -> None:
        """End a match: all but one player resign."""
        for person in (await self.matches.find(match)).record.chairs[1:]:
            await self.matches.resign(Press(match, person.id, next(self._interactions)))
        await self.post_pending(match)
        await self.matches.standing.wait_until_rated()
