"""People at tables, for the rows that go through the bot's own service and store."""

import random
from itertools import count
from typing import Any, Self

from msgspec.structs import replace

from bot.kernel.room import Press
from bot.model import Person, Place
from tests.bot.desk import Desk
from tests.bot.seating import answered

PEOPLE = tuple(
    Person(100 + seat, name) for seat, name in enumerate(("Moana", "Tāne", "Sina", "Rangi"))
)


class Tables:
    """Opens matches of Blue Lagoon and makes random moves in them; used with `async with`, which
    closes their store.
    """

    def __init__(self, matches: Desk, seed: int = 5) -> None:
        self.matches = matches
        self._chance = random.Random(seed)
        self._interactions = count(1 << 60)
        self._opened = count()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        # The store has a thread, which would outlive a row that fails.
        await self.matches.close()

    async def opened(self, seats: int = 4, settings: dict[str, str] | None = None) -> str:
        """A new match from lobby to first move, of other people each time: nobody may be in many
        at once.
        """
        number = next(self._opened)
        host, *others = (replace(person, id=person.id + 100 * number) for person in PEOPLE[:seats])
        room = await self.matches.open_lobby("blue_lagoon", settings or {}, Place(1, 2, 3), host)
        for person in others:
            await self.matches.join(room.record.id, person)
        await self.matches.start(room.record.id, host)
        await self.announced(room.record.id)
        return room.record.id

    async def chosen(self, match: str) -> dict[str, Any]:
        """A random legal move, as `Desk.play` takes it."""
        room = await self.matches.find(match)
        assert room.match is not None
        (decision,) = room.match.asked()
        press = Press(match, room.record.chairs[decision.seat].id, next(self._interactions))
        keys = (self._chance.choice(decision.options).key,)
        return {"press": press, "move": answered((decision.kind, keys))}

    async def moved(self, match: str) -> None:
        """One move more, and told to everyone."""
        await self.played(await self.chosen(match))

    async def played(self, move: dict[str, Any]) -> None:
        """That move, stored, and its announcement made ready and ticked off."""
        await self.matches.play(**move)
        await self.announced(move["press"].match)

    async def announced(self, match: str) -> None:
        """What is due is posted, as far as Motu itself has work with it."""
        for announcement in await self.matches.due(match):
            await self.matches.post_of(announcement)
            await self.matches.note_post(announcement, next(self._interactions))

    async def given_up(self, match: str) -> None:
        """A match ended: all but one resign."""
        for person in (await self.matches.find(match)).record.chairs[1:]:
            await self.matches.resign(Press(match, person.id, next(self._interactions)))
        await self.announced(match)
        await self.matches.standing.settled()
