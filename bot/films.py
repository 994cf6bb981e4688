"""Films of matches: whatever part somebody asks for, and how a match ended, which is added to its last post.

That a film is due is written with the post itself (bot/matches/announcements.py), so a bot that stops in the midst
makes it after the next start, once: a post that has its film is left alone. One that cannot be made leaves the post as
it is.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from cachetools import LRUCache

from bot import error_codes
from bot.errors import log_error
from bot.matches import records
from bot.matches.announcements import FILM
from bot.matches.room import Room, Status
from bot.permissions import missing_at
from bot.pictures import Picture
from bot.posts.after_end import AfterEnd
from bot.reply import NOBODY, attached
from bot.store.base import StoredCommit
from bot.tasks import awaited_task
from bot.text import describe, listed, say
from bot.text.names import plain_names
from bot.workers.jobs import Filmed, MakeFilm, Shot
from bot.workers.pool import JobFailed, WorkerLost
from engine import visible
from engine.core.save import encode_events

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.films")

SPEEDS = {"slow": 2.4, "usual": 1.2, "fast": 0.5}
"""Seconds that a frame is shown."""
SHORT = 2 * 2**20
"""Bytes at most of the film of an end."""
LONGEST_END = 40
"""Frames at most of the film of an end."""
TOLD = 160
"""Characters of what has happened, below a frame."""
FILES = 10
"""Files that a message may have."""
KEPT = 4
"""Films of ends that are kept for a moment: the last post and the channel for results want the same one."""


class Films:
    """Makes films, and adds them to the posts that tell how matches ended."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._ends: LRUCache[tuple[str, tuple[str, ...]], asyncio.Future[Picture | None]] = LRUCache(KEPT)
        AfterEnd(bot, FILM, self._add, self._stay_without)

    async def close(self) -> None:
        """What is being made is dropped, and made after the next start."""
        tasks = list(self._ends.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def shots(self, room: Room, first: int, last: int) -> tuple[Shot, ...]:
        """A frame for each moment from one to another, as everyone saw it."""
        past = self._bot.matches.past
        moments = await past.moments(room)
        shown = range(first, last + 1)
        kept = await past.commits(room, moments[first - 1] if first else -1, moments[last]) if shown else []
        shots = []
        for moment in shown:
            since = [stored for stored in kept if stored.number <= moments[moment]]
            kept = kept[len(since) :]
            shots.append(_shot(room, since, say("replay.number", number=moment, last=len(moments) - 1)))
        return tuple(shots)

    async def of_end(self, room: Room) -> Picture | None:
        """The last round of a match and how it ended; None if that cannot be made."""
        key = (room.info.id, plain_names(room))
        if key not in self._ends:
            self._ends[key] = awaited_task(self._end(room))
        try:
            # Whoever stops waiting does not stop it for the others.
            return await asyncio.shield(self._ends[key])
        except Exception:
            # Whoever tries again makes it again.
            self._ends.pop(key, None)
            raise

    async def _end(self, room: Room) -> Picture | None:
        past = self._bot.matches.past
        moments = await past.moments(room)
        last = len(moments) - 1
        begun = await past.first_of(room, moments, await past.round_at(room, moments, last))
        # At least what everybody did last, with the board before it; in a long round no more than can be taken in.
        first = max(0, last - LONGEST_END, min(begun - 1, last - room.playing().seats))
        shots = await self.shots(room, first, last)
        job = MakeFilm(room.info.game, shots, plain_names(room), SPEEDS["usual"], SHORT)
        try:
            made: Filmed = await self._bot.long_jobs.result(job)
        except (WorkerLost, JobFailed) as error:
            log_error(error, f"match {room.info.id} ends without a film")
            return None
        alt = say("replay.alt_end", game=describe.title(room), result=describe.result(room, plain_names(room)))
        return Picture(made.data, alt, f"{room.info.game}-{room.info.id}-end.gif")

    async def _add(self, room: Room) -> None:
        """The last post of a match is to have its film."""
        place = room.info.place
        wanted = (await self._bot.matches.servers.of(place.guild)).films
        if not wanted or room.info.status is not Status.FINISHED or not room.info.turn_message:
            return
        if missing_at(self._bot, place):
            await self._tell_host(room)
            return
        post = await self._bot.channel_of(place).fetch_message(room.info.turn_message)
        if len(post.attachments) >= FILES or any(file.filename.endswith(".gif") for file in post.attachments):
            return
        film = await self.of_end(room)
        if film is None:
            return

        async def add() -> discord.Message:
            return await post.edit(attachments=[*post.attachments, *attached([film])], allowed_mentions=NOBODY)

        await self._bot.outbox.in_open_thread(place.posts_to, add)

    async def _stay_without(self, room: Room, error: Exception) -> None:
        if getattr(error, "code", 0) in (error_codes.NO_ACCESS, error_codes.NO_PERMISSION):
            await self._tell_host(room)
        log.info("the last post of match %s stays without a film (%s)", room.info.id, type(error).__name__)

    async def _tell_host(self, room: Room) -> None:
        """Say what the bot would need to add the film."""
        lacking = missing_at(self._bot, room.info.place) or [say("permission.attach_files")]
        facts = {"game": describe.title(room), "id": room.info.id, "number": len(lacking)}
        await self._bot.outbox.tell(room.info.host, say("notice.no_film", permissions=listed(lacking), **facts))


def _shot(room: Room, since: Sequence[StoredCommit], label: str) -> Shot:
    """The position after the last of some commits, with what all of them told everybody."""
    game, snapshot = room.playing().game, since[-1].snapshot
    commits = [records.commit(stored, game) for stored in since]
    stood = Room(room.info, records.position(snapshot, {game.id: game}))
    told = describe.told_within(stood, records.facts(commits, None), None, plain_names(room), TOLD)
    marked = visible([event for made in commits for event in made.events], None)
    return Shot(snapshot, told, encode_events(marked), label)
