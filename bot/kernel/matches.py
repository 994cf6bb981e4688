"""Find and cache matches, lock them while they change, and read what their posts report.

`Matches.find` returns one match by its id, `Matches.select` all that a query finds; everything else
here is built on these two. Nothing here changes a match: only the pipeline does (pipeline.py).
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from math import inf
from typing import Any, ParamSpec

from cachetools import LRUCache
from msgspec.structs import replace

from bot.kernel import encoding, post_rules, queries
from bot.kernel.change import Change, Context, Need
from bot.kernel.clocks import Clocks
from bot.kernel.encoding import DAMAGED, Games
from bot.kernel.room import Post, Room
from bot.model import (
    Announcement,
    HandledInteraction,
    Job,
    Status,
    StoredCommit,
    StoredMatch,
)
from bot.runtime.base import Locks, NotFound, Refused, log_error
from bot.store.base import Query, Store
from bot.text import say
from engine import Commit, EngineError, Event, Game, Match, Seat, UnknownGame, snapshot
from engine.core.escape import escape_text

MATCH_ID = re.compile(r"[a-z0-9]{1,8}")
MATCHES_PER_READ = 50
"""How many matches to read at once: decoding them blocks the event loop for a few milliseconds."""
CACHED_POSITIONS = 128
"""How many past positions to cache.

A match in play needs two: those of its last post and the one before it.
"""
CACHED_COMMITS = 2048
"""How many commits to cache: every panel and every post reports those since the last post."""

P = ParamSpec("P")


class Matches:
    """All matches. The most recently used ones are cached."""

    def __init__(self, store: Store, clocks: Clocks, games: Games, size: int) -> None:
        self._store = store
        self._clocks = clocks
        self._games = games
        self._rooms: LRUCache[str, Room] = LRUCache(size)
        self._past: LRUCache[tuple[str, int], Match] = LRUCache(CACHED_POSITIONS)
        self._commits: LRUCache[tuple[str, int], Commit] = LRUCache(CACHED_COMMITS)
        """Commits by match and number. A commit never changes."""
        self._locks = Locks()
        self._is_closed = False

    def game(self, game: str) -> Game[Any]:
        """Return a game by its id; raise UnknownGame if there is none."""
        if game not in self._games:
            raise UnknownGame(
                say("refusal.unknown_game", game=escape_text(game), games=tuple(self._games))
            )
        return self._games[game]

    # One match.

    async def find(self, match_id: str) -> Room:
        """Return a match by its id; raise NotFound if there is none, Malformed if it is damaged."""
        room = self._rooms.get(match_id)
        # Another process may have written since.
        if room is None or self._store.is_shared:
            room, _, _ = await self.load(match_id)
        return room

    async def load(
        self, match_id: str, interaction_id: int | None = None, needs: Iterable[Need[Any]] = ()
    ) -> tuple[Room, HandledInteraction | None, Context]:
        """Return the newest match, the result of a handled interaction, and the followers' context.

        All three are read in one transaction. So if another process has handled the interaction,
        the match already includes its effect.
        """
        if not MATCH_ID.fullmatch(match_id):
            raise NotFound("refusal.no_match", id=match_id[:8])
        room = self._rooms.get(match_id)
        stored, handled, context = await self._store.read(
            queries.load_newer, match_id, room.record if room else None, interaction_id, needs
        )
        if stored is not None:
            room = encoding.decode_match(stored, self._games)
        assert room is not None
        return self.keep(room), handled, Context(context)

    @asynccontextmanager
    async def lock(self, match_id: str) -> AsyncIterator[None]:
        """Hold a match's lock, so that no other task of this process changes it meanwhile."""
        if self._is_closed:
            raise Refused("refusal.restarting")
        async with self._locks[match_id]:
            yield

    def keep(self, room: Room) -> Room:
        """Cache a match, unless a newer version of it is cached, and return it."""
        known = self._rooms.get(room.record.id)
        # A read that began before a change was written may end after it, with the older match.
        if known is None or known.record.version <= room.record.version:
            self._rooms[room.record.id] = room
        return room

    def drop(self, match_id: str) -> None:
        """Remove a match from the cache."""
        self._rooms.pop(match_id, None)

    def patch(self, match_id: str, version: int | None, **fields: int) -> None:
        """Update fields of a cached match that were just written.

        Drop the match from the cache if another process has written as well.
        """
        room = self._rooms.pop(match_id, None)
        # If the version rose by more than one, another process wrote too: read the match again.
        if room is not None and room.record.version + 1 == version:
            self.keep(replace(room, record=replace(room.record, version=version, **fields)))

    async def close(self) -> None:
        """Admit no more tasks, and wait until those that hold or await a lock are done."""
        self._is_closed = True
        await self._locks.wait_until_free()

    # Several matches.

    async def select(
        self, query: Query[P, list[str]], *args: P.args, **kwargs: P.kwargs
    ) -> list[Room]:
        """Return the matches whose ids a query finds."""
        return await self.find_all(await self._store.read(query, *args, **kwargs))

    async def find_all(self, matches: Iterable[str]) -> list[Room]:
        """Return the matches with these ids; a damaged one is returned as paused."""
        matches = list(matches)
        found: list[Room] = []
        for start in range(0, len(matches), MATCHES_PER_READ):
            batch = matches[start : start + MATCHES_PER_READ]
            rooms = dict[str, Room]()
            if not self._store.is_shared:
                rooms |= {match: self._rooms[match] for match in batch if match in self._rooms}
            missing = [match for match in batch if match not in rooms]
            stored = await self._store.read(queries.load_matches, missing) if missing else []
            rooms |= {one.record.id: self._decode(one) for one in stored}
            found += [rooms[match] for match in batch if match in rooms]
        return found

    def _decode(self, stored: StoredMatch) -> Room:
        """Decode one of several matches; a damaged one is returned as paused."""
        try:
            return self.keep(encoding.decode_match(stored, self._games))
        except EngineError as error:
            log_error(error, f"couldn't read match {stored.record.id}")
            return Room(replace(stored.record, status=Status.PAUSED, paused_for=DAMAGED))

    async def here(self, channel: int) -> list[Room]:
        """Return the open matches of a channel or thread, newest first."""
        return await self.select(queries.open_matches_in, channel)

    async def of_user(self, user: int) -> list[Room]:
        """Return the open matches in which a person is seated, those waiting for them first."""
        rooms = await self.select(queries.open_matches_of, user)
        seated = [room for room in rooms if room.is_seated(user)]
        return sorted(seated, key=lambda room: not room.is_asked(user))

    async def around(self, user: int, channel: int) -> list[Room]:
        """Return the open matches that a person may mean: their own, then others in the channel."""
        theirs = await self._store.read(queries.open_matches_of, user)
        here = await self._store.read(queries.open_matches_in, channel)
        rooms = await self.find_all(dict.fromkeys((*theirs, *here)))
        return sorted(rooms, key=lambda room: (not room.is_seated(user), not room.is_asked(user)))

    # Matches that a person can play.

    async def waiting_for(self, user: int) -> list[Room]:
        """Return the running matches that wait for a person, the most urgent first."""

        def urgency(room: Room) -> tuple[float, float]:
            deadline = self._clocks.deadline(room, room.own_seat(user))
            # Discord's ids grow with time, so the smallest id is the board that has waited longest.
            return (inf if deadline is None else deadline, room.record.turn_message or inf)

        return sorted(
            (room for room in await self.of_user(user) if room.is_waiting_for(user)), key=urgency
        )

    async def agenda(self, user: int) -> list[Room]:
        """Return a person's open matches: waiting ones, offered rematches, the others, lobbies."""
        waiting = await self.waiting_for(user)
        offered = await self.select(queries.rematches_awaiting, user)
        others = [room for room in await self.of_user(user) if not room.is_waiting_for(user)]
        others.sort(key=lambda room: room.record.status is Status.LOBBY)
        return [*waiting, *offered, *others]

    async def open_tables(self, guild: int, user: int) -> list[Room]:
        """Return a server's lobbies that a person could join, then matches that offer a seat."""
        if not guild:
            return []
        lobbies = await self.select(queries.open_lobbies, guild)
        begun = await self.select(queries.matches_offering_seats, guild)
        rooms = [room for room in lobbies if room.is_open_lobby]
        rooms += [room for room in begun if not room.record.paused_for]
        return [room for room in rooms if room.seat_of(user) is None]

    # The past of a match.

    async def log(self, match_id: str, viewer: Seat | None) -> list[Commit]:
        """Return a match's commits, the set-up first, without what the viewer must not know.

        A `viewer` of None stands for a spectator.
        """
        room = await self.find(match_id)
        game = self.game(room.record.game)
        stored_commits = await self._store.read(queries.commits, match_id)
        return [
            encoding.redact_commit(encoding.decode_commit(stored, game), viewer, room.is_over)
            for stored in stored_commits
        ]

    async def position(self, match_id: str, number: int) -> Match:
        """Return the position after a commit, without drafts."""
        room = self._rooms.get(match_id)
        if room is not None and room.match is not None and room.match.number == number:
            self._past[match_id, number] = room.match.without_drafts()
        elif (match_id, number) not in self._past:
            _, positions = await self.replay(match_id, number, number)
            if number not in positions:
                raise NotFound("refusal.no_commit", id=match_id, number=number)
            # People who look at one moment of a match often step to the next, so keep them all.
            self._past.update(
                {(match_id, neighbour): after for neighbour, after in positions.items()}
            )
            return positions[number]
        return self._past[match_id, number]

    async def commits(
        self, match_id: str, since: int = -1, number: int = queries.LAST
    ) -> list[StoredCommit]:
        """Return the commits after `since` up to `number`, each with the position after it."""
        stored_commits = await self._store.read(queries.commits, match_id, since, number)
        if all(stored.snapshot for stored in stored_commits):
            return stored_commits
        # Positions that were thinned out are replayed from stored ones.
        stored_commits, positions = await self.replay(
            match_id, stored_commits[0].number, stored_commits[-1].number
        )
        return [
            replace(stored, snapshot=stored.snapshot or snapshot(positions[stored.number]))
            for stored in stored_commits
            if stored.number > since
        ]

    async def replay(
        self, match_id: str, first: int, last: int
    ) -> tuple[list[StoredCommit], dict[int, Match]]:
        """Return the commits up to `last`, and the position after each, by number.

        They begin with the last stored position up to `first`, because the positions in between
        have to be replayed from it. Earlier positions that a commit goes back to are included.
        """
        stored_commits = await self._store.read(queries.replayable_commits, match_id, first, last)
        known = dict[int, Match]()
        for stored in stored_commits:
            if stored.back_to is not None and stored.back_to < stored_commits[0].number:
                known[stored.back_to] = await self.position(match_id, stored.back_to)
        return stored_commits, await asyncio.to_thread(
            encoding.replay_positions, stored_commits, self._games, known
        )

    # Posts.

    def remember(self, change: Change) -> None:
        """Cache what was just written, so that the panel and the post needn't read it back."""
        self.keep(change.after)
        for _, after in change.commits:
            if after.last is not None:
                self._commits[change.match_id, after.number] = after.last

    async def commits_between(self, room: Room, since: int, number: int) -> dict[int, Commit]:
        """Return the commits after `since` up to `number`, by number, including undone ones."""
        match, numbers = room.record.id, range(since + 1, number + 1)
        if all((match, at) in self._commits for at in numbers):
            return {at: self._commits[match, at] for at in numbers}
        game = room.playing().game
        stored_commits = await self._store.read(queries.commits, match, since, number)
        commits = {stored.number: encoding.decode_commit(stored, game) for stored in stored_commits}
        self._commits.update({(match, at): commit for at, commit in commits.items()})
        return commits

    async def news(self, room: Room, viewer: Seat | None) -> tuple[Event, ...]:
        """Return the recent events that the viewer may know, for marking them on a board.

        They are those that the last post reported, and everything since. A `viewer` of None stands
        for a spectator.
        """
        since = room.last_post.since if room.last_post else -1
        commits = await self.commits_between(room, since, room.playing().number)
        return encoding.visible_events(encoding.without_undone(commits), viewer)

    async def pending_posts(self, match_id: str | None = None) -> list[Announcement]:
        """Return the pending posts of one match or all, in order, except in paused matches."""
        return await self._store.read(queries.pending_announcements, match_id, own=self._store.own)

    async def post_of(self, announcement: Announcement) -> Post:
        """Return an announcement with everything its message needs, as of its commit."""
        match, since, number = announcement.match, announcement.since, announcement.number
        room = await self.find(match)
        position = await self.position(match, number)
        # The first post of a match has none before it.
        before = await self.position(match, since) if since >= 0 else None
        commits = encoding.without_undone(await self.commits_between(room, since, number))
        waiting = post_rules.people_to_move(position)
        # A player who takes a turn back knows that it is their turn again, and needs no ping. (A
        # rewind also goes back, but it has a new seed.)
        undoing = {
            commit.seat for commit in commits if commit.back_to is not None and not commit.seed
        }
        if any(commit.seed for commit in commits):
            # A rewind asks everyone who is to move once more, even those who were asked before it.
            before = None
        newly_asked = tuple(
            seat
            for seat in waiting
            if seat not in undoing and post_rules.is_newly_asked(seat, before, commits)
        )
        computers = {commit.seat for commit in commits} & position.computers
        return Post(
            announcement,
            Room(room.record, position),
            encoding.visible_events(commits, None),
            newly_asked,
            len(computers),
        )

    async def standing_post(self, room: Room) -> Post | None:
        """Return the last post if it is still current while secret answers come in, else None."""
        match, last_post = room.playing(), room.last_post
        if last_post is None or last_post.number == match.number:
            return None
        posted = await self.position(room.record.id, last_post.number)
        return await self.post_of(last_post) if post_rules.is_still_open(posted, match) else None

    async def last_awaited(self, room: Room) -> Seat | None:
        """Return the only person's seat that still has to answer a question in secret.

        None if several have to, or if nobody else was asked: then it is simply their turn.
        """
        if room.match is None or len(post_rules.people_to_move(room.match)) != 1:
            return None
        post = await self.standing_post(room)
        return None if post is None else post_rules.last_awaited(post.room.playing(), room.match)

    async def is_last_awaited(self, room: Room, user: int) -> bool:
        """Whether a user is the last one to answer a question that several people were asked."""
        seat = await self.last_awaited(room)
        return seat is not None and seat == room.seat_of(user)

    async def note_post(
        self, announcement: Announcement, message: int, jobs: Iterable[Job] = ()
    ) -> None:
        """Record that a post was sent as this message, which has the buttons from now on."""
        async with self.lock(announcement.match):
            version = await self._store.write(queries.note_post, announcement, message, jobs)
            self.patch(announcement.match, version, turn_message=message)

    async def note_messages(self, match_id: str, **messages: int) -> None:
        """Record a match's `lobby_message`, or its `turn_message` with the buttons."""
        async with self.lock(match_id):
            version = await self._store.write(queries.note_messages, match=match_id, **messages)
            self.patch(match_id, version, **messages)
