"""The announcements: which posts are due, and what each of them needs. The outbox posts them."""

from typing import Any

from cachetools import LRUCache
from msgspec.structs import replace

from bot.matches import post_rules, records
from bot.matches.pings import CALLS_NOBODY, Calling
from bot.matches.room import Announcement, Due, Post, Room, Status
from bot.matches.rooms import Rooms, on_newest
from bot.store.base import MessageKind, Store
from engine import Commit, Event, Match, Seat

FILM, CHRONICLE = "film", "chronicle"
"""What is due once the end of a match is posted: its film, and a post where the server wants results told."""
NEWS = 128
"""Matches whose latest commits are kept in memory: a panel is drawn with every press, and shows what they told."""


class Announcements:
    """What everyone is to be told of all matches: written down with the commits, ticked off when it is posted."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms
        self._latest: LRUCache[tuple[str, int], list[Commit]] = LRUCache(NEWS)

    async def due(self, match: str | None = None) -> list[Announcement]:
        """Announcements not yet posted, in order; those of a match that cannot post wait until it moves."""
        return await self._store.due(match)

    async def post_of(self, announcement: Announcement) -> Post:
        """An announcement with what its message needs, as the match stood then."""
        match, since, number = announcement.match, announcement.since, announcement.number
        room = await self._rooms.find(match)
        stood = await self._rooms.position(match, number)
        # The first post of a match has none before it.
        before = await self._rooms.position(match, since) if since >= 0 else None
        commits = records.story(await self._store.commits(match, since, number), stood.game)
        waiting = post_rules.people_to_move(stood)
        # Whoever takes a turn back knows that it is theirs.
        takers = {made.seat for made in commits if made.back_to is not None and not made.seed}
        if any(made.seed for made in commits):
            # After a rewind whoever is to move is asked anew, even if they were awaited before.
            before = None
        newly = tuple(
            seat for seat in waiting if seat not in takers and post_rules.is_newly_asked(seat, before, commits)
        )
        computers = {made.seat for made in commits} & stood.computers
        return Post(announcement, Room(room.info, stood), records.facts(commits, None), newly, len(computers))

    async def news(self, room: Room, viewer: Seat | None) -> tuple[Event, ...]:
        """What a seat, or everyone, may know of what the last post told and of all that came after it.

        It is what the board of that post marks. A board drawn after it marks the same, and what is newer.
        """
        match, number = room.info.id, room.playing().number
        commits = self._latest.get((match, number))
        if commits is None:
            said = await self._store.announced(match)
            kept = await self._store.commits(match, said.since if said else -1, number)
            commits = records.story(kept, room.playing().game)
            # A commit and the post it makes due are written as one, so this stays true of its number.
            self._latest[match, number] = commits
        return records.facts(commits, viewer)

    async def standing_post(self, match: str) -> tuple[Post, Room] | None:
        """The last post and the match as it stands now, while answers to it come in that only the last one shows."""
        room = await self._rooms.find(match)
        said = await self._store.announced(match)
        if said is None or room.match is None or not room.info.turn_message or room.match.number == said.number:
            return None
        if not post_rules.is_still_open(await self._rooms.position(match, said.number), room.match):
            return None
        return await self.post_of(said), room

    async def posted(self, announcement: Announcement, message: int, called: Calling = CALLS_NOBODY) -> None:
        """Tick an announcement off; `message` now carries the buttons, and people are called as was planned."""
        match, dues = announcement.match, called.dues
        room = await self._rooms.find(match)
        if room.info.status is Status.FINISHED and announcement.number == room.playing().number:
            dues = (*dues, *(Due(kind, 0, match) for kind in (FILM, CHRONICLE)))
        await self._carries_buttons(match, message, posted=announcement.id, calls=called.calls, dues=dues)

    async def reminded(self, match: str, message: int) -> None:
        """A reminder was posted; it carries the buttons from now on."""
        await self._carries_buttons(match, message)

    @on_newest
    async def _carries_buttons(self, match: str, message: int, **written: Any) -> None:
        async with self._rooms.turn(match) as room:
            after = Room(replace(room.info, turn_message=message), room.match)
            await self._rooms.write(room.info, after, message=(MessageKind.TURN, message), **written)

    async def is_told(self, match: str, before: Match, stood: Match) -> bool:
        """Whether a commit makes a post due."""
        if post_rules.has_passed(before, stood):
            return True
        said = await self._store.announced(match)
        if said is None:
            return False
        return post_rules.comes_round(await self._rooms.position(match, said.number), before, stood)
