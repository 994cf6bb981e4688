"""The life of a change to a match, on one page: admit, load, act, follow, write, publish.

Everything that changes a match goes through `Pipeline.change`: a button press, a computer's move, a
clock that runs out, a vote that passes. Features take part in two ways:

- A follower adds to the change what must be written with it, in the same transaction.
- A subscriber is called once the change is written, to post, redraw or wake something.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from cachetools import FIFOCache
from msgspec.structs import replace

from bot.kernel import post_rules, queries
from bot.kernel.change import Act, Change, Follower, Need, Subscriber
from bot.kernel.clocks import Clocks
from bot.kernel.feature import Parts
from bot.kernel.matches import Matches
from bot.model import HandledInteraction, Status
from bot.runtime.base import BotError, Conflict, Refused, StoreError, log_error
from bot.runtime.logs import note_saved
from bot.store.base import Store
from engine import EngineError

MAX_CONFLICTS = 5
"""How many times to retry a change because another process wrote first."""
MAX_REMEMBERED_REFUSALS = 10_000
"""How many refused interactions to remember, in case Discord delivers one again."""

P = ParamSpec("P")
T = TypeVar("T")


class RefusedBefore(Refused):
    """The interaction was already refused when Discord delivered it the first time."""


def retry_on_conflict(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorate a function to start over, from the newest match, on every Conflict."""

    @wraps(work)
    async def retry(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(MAX_CONFLICTS):
            with suppress(Conflict):
                return await work(*args, **kwargs)
        # The last attempt lets its Conflict through to the caller.
        return await work(*args, **kwargs)

    return retry


class Pipeline:
    """The only writer of matches. Changes to one match run one after another."""

    def __init__(
        self, store: Store, matches: Matches, clocks: Clocks, now: Callable[[], float]
    ) -> None:
        self._store = store
        self._matches = matches
        self._clocks = clocks
        self._now = now
        self._followers: list[Follower] = []
        self._needs: list[Need[Any]] = []
        self._refused: FIFOCache[int, None] = FIFOCache(MAX_REMEMBERED_REFUSALS)
        self.subscribers: list[Subscriber] = []
        """Called with every change once it has been written, in this order."""

    def register_features(self, parts: Sequence[Parts]) -> None:
        """Install the features' followers, in the order in which they run."""
        auto_moves = [move for one in parts for move in one.auto_moves]
        extenders = [extend for one in parts for extend in one.extenders]
        # First come the followers that may advance or end the match, then the post and the clocks,
        # which depend on the position that results, then all others. Within each group, features
        # run in the order of FEATURES.
        self._followers = [record_activity_and_end]
        for follow in (*auto_moves, *extenders):
            # Each of them may have ended the match, and the next one must see that.
            self._followers += [follow, record_activity_and_end]
        self._followers += [announce_commits, self._clocks.reactivate_player, self._clocks.update]
        self._followers += [follow for one in parts for follow in one.followers]
        self._needs = [need for one in parts for need in one.needs]

    @retry_on_conflict
    async def change(self, match_id: str, act: Act, interaction_id: int | None = None) -> Change:
        """Apply an act to a match, and write it with everything the followers add.

        Returns the change as it was written. If the act is not allowed, raises Refused or an
        EngineError and writes nothing. Also writes nothing if the act returns the change untouched,
        or if the interaction was handled before.
        """
        async with self.exclusive(match_id, interaction_id) as (change, earlier):
            if earlier is not None:
                return change
            acted = act(change)
            if acted is change:
                return change
            # Some acts set this themselves, with the seat and the commits they made.
            if interaction_id is not None and acted.handled is None:
                acted = replace(acted, handled=HandledInteraction(interaction=interaction_id))
            return await self.commit(acted)

    @asynccontextmanager
    async def exclusive(
        self, match_id: str, interaction_id: int | None = None
    ) -> AsyncIterator[tuple[Change, HandledInteraction | None]]:
        """Lock a match and load it, for code that calls `commit` itself.

        Yields an empty change to build on, and the earlier result if this interaction was already
        handled: Discord may deliver one twice.
        """
        if interaction_id in self._refused:
            raise RefusedBefore("refusal.answered")
        async with self._matches.lock(match_id):
            room, earlier, context = await self._matches.load(match_id, interaction_id, self._needs)
            if earlier is not None:
                note_saved()
            try:
                yield (
                    Change(before=room, after=room, now=int(self._now()), context=context),
                    earlier,
                )
            except StoreError:
                # The connection may have failed after the write succeeded. So this is not
                # remembered as a refusal: a repeated delivery looks in the database.
                raise
            except (BotError, EngineError):
                self.note_refused(interaction_id)
                raise

    async def commit(self, change: Change) -> Change:
        """Complete a change, write it and publish it. The caller must hold the match's lock."""
        last_post = change.before.last_post
        # Drafts are private and never posted, so a change to them alone can do without this read.
        if last_post is not None and not change.is_draft_only:
            shown = await self._matches.position(change.match_id, last_post.number)
            change = replace(change, shown=shown)
        for follow in self._followers:
            change = follow(change)
        record = replace(change.after.record, version=change.before.record.version + 1)
        change = replace(change, after=replace(change.after, record=record))
        # Evict the cached match before writing: if the connection fails during the write, only the
        # database knows whether it was written.
        self._matches.drop(change.match_id)
        # One transaction, which raises Conflict if the match is no longer as it was loaded.
        last_post = await self._store.write(queries.write_change, change, own=self._store.own)
        change = replace(change, after=replace(change.after, last_post=last_post))
        self._matches.remember(change)
        for publish in self.subscribers:
            try:
                publish(change)
            except Exception as error:
                # The change is already written, so a failing subscriber must not fail it.
                log_error(error, f"match {change.match_id}")
        return change

    def note_refused(self, interaction_id: int | None) -> None:
        """Remember a refused interaction, so that a repeated delivery is refused as well."""
        if interaction_id is not None:
            self._refused[interaction_id] = None


def record_activity_and_end(change: Change) -> Change:
    """Record the time of the last commit, and mark the match finished once it has an outcome."""
    match = change.after.match
    if match is None or not change.commits:
        return change
    change = change.update(last_activity_at=change.now)
    if match.outcome is not None and change.after.record.status is not Status.FINISHED:
        change = change.update(status=Status.FINISHED, result_unannounced=True)
    return change


def announce_commits(change: Change) -> Change:
    """Request a public post if one of the change's commits needs it."""
    match = change.after.match
    if match is None or change.announce_up_to is not None or change.suppress_post:
        return change
    # If only computers are to move next, the post after their move covers these commits too.
    if match.outcome is None and not post_rules.people_to_move(match):
        return change
    if any(post_rules.needs_post(before, after, change.shown) for before, after in change.commits):
        # One post covers everything since the last one, so it shows the final position.
        change = replace(change, announce_up_to=match.number)
    return change
