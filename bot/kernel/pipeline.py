"""The life of a change to a match, on one page: lock and load, act, follow, write, publish.

Whatever changes a match passes through here: a press, a computer's move, a clock that runs out, a vote that passes.
What must always follow from a change is a follower, and is written in the same transaction. What has to hear of every
change is a subscriber.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from cachetools import FIFOCache
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.change import Act, Change, Context, Follower, Need, Subscriber
from bot.kernel.matches import Matches
from bot.kernel.room import Room
from bot.model.stored import HandledInteraction
from bot.runtime.errors import BotError, Conflict, Refused, StoreError, log_error
from bot.store.base import Store
from engine import EngineError

MAX_CONFLICTS = 5
"""How often a change is worked out again because another process wrote first."""
REFUSED_REMEMBERED = 10_000
"""Refused interactions that are remembered, should Discord deliver one a second time."""

P = ParamSpec("P")
T = TypeVar("T")


class RefusedBefore(Refused):
    """The interaction was refused when it came the first time."""


def retry_on_conflict(act: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Do something again if another process has written first, on what that has made of the match."""

    @wraps(act)
    async def retry(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(MAX_CONFLICTS):
            with suppress(Conflict):
                return await act(*args, **kwargs)
        return await act(*args, **kwargs)

    return retry


class Pipeline:
    """Changes matches, one change at a time in each."""

    def __init__(self, store: Store, matches: Matches, now: Callable[[], float]) -> None:
        self._store = store
        self._matches = matches
        self._now = now
        self._needs: tuple[Need[Any], ...] = ()
        self._followers: tuple[Follower, ...] = ()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._refused: FIFOCache[int, None] = FIFOCache(REFUSED_REMEMBERED)

    def connect(
        self, needs: Sequence[Need[Any]], followers: Sequence[Follower], subscribers: Sequence[Subscriber]
    ) -> None:
        """Have these run with every change, in this order."""
        self._needs = tuple(dict.fromkeys(needs))
        self._followers = tuple(followers)
        self._subscribers = tuple(subscribers)

    @retry_on_conflict
    async def change(self, match: str, act: Act, interaction: int | None = None) -> Change:
        """Do something to a match, with everything that follows from it, once.

        Raises Refused, or the engine's reason, if it is not possible; then nothing has changed. Nothing is written if
        the act changes nothing, or if the interaction is a repeat of one that was carried out.
        """
        async with self.exclusive(match, interaction) as (change, earlier):
            if earlier is not None:
                return change
            acted = act(change)
            return change if acted is change else await self.commit(acted)

    @asynccontextmanager
    async def exclusive(
        self, match: str, interaction: int | None = None
    ) -> AsyncIterator[tuple[Change, HandledInteraction | None]]:
        """Wait in line for a match and hold it: nobody else in this process changes it meanwhile.

        Yields a change in which nothing has happened yet, to be handed to `commit`, and what came of the interaction if
        it was carried out before.
        """
        if interaction in self._refused:
            raise RefusedBefore("refusal.answered")
        async with self._matches.lock(match):
            earlier = None
            if interaction is not None:
                earlier = await self._store.read(queries.handled_interaction, match, interaction)
            # Loaded after that: if another process has carried it out, the match must show what came of it.
            room = await self._matches.load(match)
            try:
                yield Change(before=room, after=room, now=int(self._now())), earlier
            except StoreError:
                # Whether it was carried out the database alone knows.
                raise
            except (BotError, EngineError):
                self.note_refused(interaction)
                raise

    async def commit(self, change: Change) -> Change:
        """Write a change with everything that follows from it, and publish it. For code that holds the match."""
        if not change.is_draft_only:
            change = replace(change, context=await self._load_context(change.before))
        for follow in self._followers:
            change = follow(change)
        writes = change.to_store()
        # Out of memory before it is written: should that fail, the store alone knows how the match stands.
        self._matches.drop(change.match_id)
        # One transaction, which raises Conflict if the match is not as it was loaded.
        announcement = await self._store.write(queries.write_change, writes, own=self._store.own)
        after = self._matches.keep(Room(writes.record, change.after.match))
        change = replace(change, after=after, announcement=announcement)
        for tell in self._subscribers:
            try:
                tell(change)
            except Exception as error:
                # What was done is stored: it does not fail because of what follows from it.
                log_error(error, f"match {change.match_id}")
        return change

    def note_refused(self, interaction: int | None) -> None:
        """Remember that an interaction came to nothing, so that it does when Discord delivers it again, too."""
        if interaction is not None:
            self._refused[interaction] = None

    async def _load_context(self, room: Room) -> Context:
        """Read everything that the followers declare they need."""
        if room.match is None:
            return Context(values=dict.fromkeys(self._needs))
        found, last_post = await self._store.read(queries.load_context, room.record, self._needs)
        shown = await self._matches.position(room.record.id, last_post.number) if last_post else None
        return Context(last_post, shown, found)
