"""Public posts that are due, and what each of them needs. The outbox sends them."""

from collections.abc import Iterable

from cachetools import LRUCache

from bot.kernel import encoding, post_rules, queries
from bot.kernel.change import Change
from bot.kernel.matches import Matches
from bot.kernel.room import Post, Room
from bot.model import Announcement, Job, MessageKind
from bot.store.base import Store
from engine import Commit, Event, Seat

COMMITS_REMEMBERED = 2048
"""Commits kept in memory: every panel and every post shows what the latest of its match told."""


class Announcements:
    """The public posts of all matches."""

    def __init__(self, store: Store, matches: Matches) -> None:
        self._store = store
        self._matches = matches
        self._commits: LRUCache[tuple[str, int], Commit] = LRUCache(COMMITS_REMEMBERED)
        """Commits by match and number. What is committed never changes."""

    def remember(self, change: Change) -> None:
        """Keep in memory what was just written, so that neither panel nor post reads it back."""
        for _, after in change.commits:
            if after.last is not None:
                self._commits[change.match_id, after.number] = after.last

    async def commits_between(self, room: Room, since: int, number: int) -> dict[int, Commit]:
        """Return the commits after one up to another by their numbers, undone ones included."""
        match, numbers = room.record.id, range(since + 1, number + 1)
        if all((match, at) in self._commits for at in numbers):
            return {at: self._commits[match, at] for at in numbers}
        game = room.playing().game
        kept = await self._store.read(queries.commits, match, since, number)
        commits = {stored.number: encoding.decode_commit(stored, game) for stored in kept}
        self._commits.update({(match, at): made for at, made in commits.items()})
        return commits

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Return pending posts, in order; those of a match that cannot post wait."""
        return await self._store.read(queries.pending_announcements, match, own=self._store.own)

    async def post_of(self, announcement: Announcement) -> Post:
        """Return an announcement with what its message needs, as the match stood then."""
        match, since, number = announcement.match, announcement.since, announcement.number
        room = await self._matches.find(match)
        stood = await self._matches.position(match, number)
        # The first post of a match has none before it.
        before = await self._matches.position(match, since) if since >= 0 else None
        commits = encoding.without_undone(await self.commits_between(room, since, number))
        waiting = post_rules.people_to_move(stood)
        # A player who takes a turn back knows that it is theirs.
        takers = {made.seat for made in commits if made.back_to is not None and not made.seed}
        if any(made.seed for made in commits):
            # After a rewind everyone who is to move is asked anew, even if they were awaited
            # before.
            before = None
        newly = tuple(
            seat
            for seat in waiting
            if seat not in takers and post_rules.is_newly_asked(seat, before, commits)
        )
        computers = {made.seat for made in commits} & stood.computers
        return Post(
            announcement,
            Room(room.record, stood),
            encoding.facts(commits, None),
            newly,
            len(computers),
        )

    async def news(self, room: Room, viewer: Seat | None) -> tuple[Event, ...]:
        """Return what a seat, or everyone, may know of the last post's news and of all since.

        It is what the board of that post marks. A board drawn after it marks the same, and what
        is newer.
        """
        since = room.last_post.since if room.last_post else -1
        commits = await self.commits_between(room, since, room.playing().number)
        return encoding.facts(encoding.without_undone(commits), viewer)

    async def standing_post(self, room: Room) -> Post | None:
        """Return the last post of a match while secret answers to it come in, else None."""
        match, last_post = room.playing(), room.last_post
        if last_post is None or last_post.number == match.number:
            return None
        said = await self._matches.position(room.record.id, last_post.number)
        return await self.post_of(last_post) if post_rules.is_still_open(said, match) else None

    async def note_post(
        self, announcement: Announcement, message: int, jobs: Iterable[Job] = ()
    ) -> None:
        """Note that a post was made; its message carries the buttons from now on."""
        async with self._matches.lock(announcement.match):
            version = await self._store.write(queries.note_post, announcement, message, jobs)
            self._matches.patch(announcement.match, version, turn_message=message)

    async def note_message(self, match: str, kind: MessageKind, message: int) -> None:
        """Note which message is a match's lobby, or carries its buttons."""
        async with self._matches.lock(match):
            version = await self._store.write(queries.note_message, match, kind, message)
            field = "turn_message" if kind is MessageKind.TURN else "lobby_message"
            self._matches.patch(match, version, **{field: message})
