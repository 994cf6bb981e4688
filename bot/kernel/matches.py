"""Matches found: by their id, where they are played, or by who sits in them."""

from collections.abc import Mapping
from typing import Any

from bot.kernel import queries, records
from bot.kernel.cache import MatchCache
from bot.kernel.room import Room
from bot.store.base import Store
from bot.text import say
from engine import Commit, Game, Seat, UnknownGame
from engine.core.escape import escaped

FINISHED_OFFERED = 50
"""Finished matches that are offered while somebody types."""


class Matches:
    """All matches, for reading."""

    def __init__(self, store: Store, cache: MatchCache, games: Mapping[str, Game[Any]]) -> None:
        self._store = store
        self._cache = cache
        self._games = games

    def game(self, game: str) -> Game[Any]:
        """Return the game of an id; refuse one that there is not."""
        if game not in self._games:
            raise UnknownGame(say("refusal.unknown_game", game=escaped(game), games=tuple(self._games)))
        return self._games[game]

    async def find(self, match: str) -> Room:
        """Return the match of an id; NotFound if there is none, Malformed if it cannot be read."""
        return await self._cache.find(match)

    async def here(self, channel: int) -> list[Room]:
        """Return the open matches of a channel or thread, newest first."""
        return await self._cache.readable(await self._store.read(queries.open_matches_in, channel))

    async def ended(self, place: int) -> list[Room]:
        """Return the last match that ended in a thread or direct message, if any did."""
        match = await self._store.read(queries.last_ended_in, place)
        return await self._cache.readable([match] if match else [])

    async def around(self, user: int, channel: int) -> list[Room]:
        """Return open matches that a person may mean: their own, those waiting for them first, then the channel's."""
        ids = (
            *await self._store.read(queries.open_matches_of, user),
            *await self._store.read(queries.open_matches_in, channel),
        )
        rooms = await self._cache.readable(dict.fromkeys(ids))
        mine = [room for room in rooms if room.is_seated(user)]
        others = [room for room in rooms if not room.is_seated(user)]
        return [*sorted(mine, key=lambda room: not room.waits_for(user)), *others]

    async def finished_candidates(self, user: int, channel: int) -> list[Room]:
        """Return finished matches that a person may mean: their own and those of the channel, newest first."""
        return await self._cache.readable(
            await self._store.read(queries.ended_matches, user, channel, FINISHED_OFFERED)
        )

    async def of_user(self, user: int) -> list[Room]:
        """Return the open matches that a person sits in, those waiting for them first."""
        rooms = await self._cache.readable(await self._store.read(queries.open_matches_of, user))
        return sorted((room for room in rooms if room.is_seated(user)), key=lambda room: not room.waits_for(user))

    async def paused(self) -> list[Room]:
        """Return the matches that cannot post where they are played."""
        return await self._cache.readable(await self._store.read(queries.matches_unable_to_post, own=self._store.own))

    async def distinct_board_samples(self, most: int) -> list[Room]:
        """Return running matches, one of each kind that looks different: what will be drawn first."""
        return await self._cache.readable(
            await self._store.read(queries.distinct_board_samples, most, own=self._store.own)
        )

    async def log(self, match: str, viewer: Seat | None) -> list[Commit]:
        """Return the commits as a seat, or everyone, may know them, each at its number: the set-up is number 0."""
        room = await self.find(match)
        game = self.game(room.record.game)
        kept = await self._store.read(queries.commits, match)
        return [records.as_known(records.commit(stored, game), viewer, room.is_over) for stored in kept]
