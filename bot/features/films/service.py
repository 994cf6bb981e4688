"""The film of how a match ended, added to its last post.

The job to make it is written with the post itself, so a bot that stops in between makes it after
the next start, once: a post that has its film is left alone. If it cannot be made, the post stays
as it is.
"""

import asyncio
import logging

import discord
from cachetools import LRUCache

from bot.features.films.shots import take_shots
from bot.features.history.moment_view import MomentExtras, moment_button_id
from bot.features.history.moments import Moments
from bot.features.server_settings.settings import Servers
from bot.kernel.room import Room
from bot.model.match import Status
from bot.posts.after_end import AfterEnd
from bot.posts.threads import in_open_thread
from bot.runtime.errors import log_error
from bot.runtime.tasks import awaited_task
from bot.text import listed, say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.long_jobs import LongJobs
from bot.ui.names import plain_names
from bot.ui.parts import STRONG, Button, button
from bot.ui.permissions import missing_at
from bot.ui.pictures import Picture
from bot.ui.reply import NOBODY, attached, write_to
from bot.workers.jobs import Filmed, MakeFilm
from bot.workers.pool import JobFailed, WorkerLost

log = logging.getLogger("motu.films")

FILM = "film"
"""The job that adds the film to the last post of a match."""
SPEEDS = {"slow": 2.4, "usual": 1.2, "fast": 0.5}
"""Seconds that a frame is shown."""
MAX_END_BYTES = 2 * 2**20
MAX_END_FRAMES = 40
MAX_FILES = 10
"""Files that a message may have."""
ENDS_REMEMBERED = 4
"""Films of ends kept in memory: the last post and the results channel want the same one."""

FilmKey = tuple[str, tuple[str, ...]]
"""A match, and the names that its players have in the film."""


class Films(MomentExtras):
    """Makes the films of ends, and adds them to the posts that tell of these."""

    def __init__(self, client: MotuClient, moments: Moments, servers: Servers, long_jobs: LongJobs) -> None:
        self._client = client
        self._moments = moments
        self._servers = servers
        self._long_jobs = long_jobs
        self._ends: LRUCache[FilmKey, asyncio.Future[Picture | None]] = LRUCache(ENDS_REMEMBERED)
        self.after_end = AfterEnd(client, FILM, self.add_to_last_post, self._give_up)

    async def close(self) -> None:
        """Drop what is being made; it is made after the next start."""
        tasks = list(self._ends.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def moment_buttons(self, room: Room, moment: int, last: int, mine: bool) -> list[Button]:
        """Return the button that plays a match from a moment on."""
        custom_id = moment_button_id(room.record.id, moment, "film", mine)
        return [button(custom_id, say("past.film"), STRONG, disabled=moment == last)]

    async def of_end(self, room: Room) -> Picture | None:
        """Return a film of the last round of a match and its end; None if it cannot be made."""
        key = (room.record.id, plain_names(room))
        if key not in self._ends:
            self._ends[key] = awaited_task(self._film_end(room))
        try:
            # Shielded: others may be waiting for the same film.
            return await asyncio.shield(self._ends[key])
        except Exception:
            # Forget the failed film, so that the next request makes it again.
            self._ends.pop(key, None)
            raise

    async def _film_end(self, room: Room) -> Picture | None:
        moments = await self._moments.of(room)
        last = len(moments) - 1
        last_round = await self._moments.round_at(room, moments, last)
        round_began = await self._moments.first_of_round(room, moments, last_round)
        # At least everybody's last turn, with the board before it; of a long round only the end.
        first = min(round_began - 1, last - room.playing().seats)
        first = max(0, last - MAX_END_FRAMES, first)
        shots = await take_shots(self._moments, room, first, last)
        job = MakeFilm(room.record.game, shots, plain_names(room), SPEEDS["usual"], MAX_END_BYTES)
        try:
            made: Filmed = await self._long_jobs.result(job)
        except (WorkerLost, JobFailed) as error:
            log_error(error, f"match {room.record.id} ends without a film")
            return None
        result = describe.result(room, plain_names(room))
        alt = say("replay.alt_end", game=describe.title(room), result=result)
        return Picture(made.data, alt, f"{room.record.game}-{room.record.id}-end.gif")

    async def add_to_last_post(self, room: Room) -> None:
        """Add the film to the last post of a match, unless it is there or not wanted."""
        place = room.record.place
        wants_films = (await self._servers.of(place.guild)).films
        is_finished = room.record.status is Status.FINISHED
        if not wants_films or not is_finished or not room.record.turn_message:
            return
        if missing_at(self._client, place):
            await self._tell_host(room)
            return
        post = await self._client.channel_of(place).fetch_message(room.record.turn_message)
        has_film = any(file.filename.endswith(".gif") for file in post.attachments)
        if has_film or len(post.attachments) >= MAX_FILES:
            return
        film = await self.of_end(room)
        if film is None:
            return

        async def add() -> discord.Message:
            files = attached([film])
            return await post.edit(attachments=[*post.attachments, *files], allowed_mentions=NOBODY)

        await in_open_thread(self._client, place.posts_to, add)

    async def _give_up(self, room: Room, error: Exception) -> None:
        """Leave the last post without a film."""
        if getattr(error, "code", 0) in (error_codes.NO_ACCESS, error_codes.NO_PERMISSION):
            await self._tell_host(room)
        reason = type(error).__name__
        log.info("the last post of match %s stays without a film (%s)", room.record.id, reason)

    async def _tell_host(self, room: Room) -> None:
        """Tell the host what the bot would need to add the film."""
        lacking = missing_at(self._client, room.record.place) or [say("permission.attach_files")]
        said = say(
            "notice.no_film",
            permissions=listed(lacking),
            number=len(lacking),
            game=describe.title(room),
            id=room.record.id,
        )
        await write_to(self._client, room.record.host, said)
