"""The outbox: every due announcement is posted in order and once, whatever Discord or a crash does meanwhile."""

import asyncio
import io
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import discord
from msgspec.structs import replace

from bot import error_codes
from bot.components.items import view_of
from bot.errors import BotError, StoreError, log_error
from bot.matches.records import DAMAGED
from bot.matches.room import Announcement, Place, Post, Room, Status
from bot.pictures import Picture
from bot.posts import turn_message
from bot.reply import NOBODY, UNREACHABLE, attached
from bot.text import describe, say
from bot.text.names import plain_names
from engine import EngineError

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.poster")

WEEK: Literal[10080] = 10080
"""Minutes of silence after which Discord archives a thread: the longest it allows."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
GONE, FORBIDDEN = "gone", "forbidden"
"""Why a match is paused that cannot post."""
LAST_CALL = 5.0
"""Seconds given to posts in hand when the bot stops."""

LOOKED_BACK = 100
"""Messages looked through for a post that may be there already."""


class Outbox:
    """Posts what is due. One task a match at most, so that its posts keep their order."""

    def __init__(self, bot: "Motu") -> None:
        self.bot = bot
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._pausing: set[str] = set()
        self._closing = False
        self._doubtful: set[int] = set()
        """Announcements that may be posted already, without the bot having heard of it."""

    def poke(self, match: str) -> None:
        """Something may be due in this match."""
        if self._closing:
            return
        if match in self._tasks:
            self._again.add(match)
            return
        task = asyncio.create_task(self._drain(match), name=f"outbox-{match}")
        self._tasks[match] = task
        task.add_done_callback(lambda _: self._done(match))

    async def catch_up(self) -> None:
        """After a start: post what was due when the bot stopped."""
        due = await self.bot.matches.announcements.due()
        self._doubtful |= {announcement.id for announcement in due}
        for match in dict.fromkeys(announcement.match for announcement in due):
            self.poke(match)

    async def close(self) -> None:
        """Let posts in hand finish; what is left stays due."""
        self._closing = True
        tasks = list(self._tasks.values())
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_CALL)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, match: str) -> None:
        del self._tasks[match]
        if match in self._again:
            self._again.discard(match)
            self.poke(match)

    async def _drain(self, match: str) -> None:
        """Post all that is due in a match; if nothing is, its last post may have to say whose answers are in."""
        try:
            for announcement in await self.bot.matches.announcements.due(match):
                if not await self._deliver(announcement):
                    return
            await self._freshen(match)
        except EngineError as error:
            log_error(error, f"match {match} cannot be read")
            with suppress(BotError, EngineError):
                await self.pause(match, DAMAGED)
        except Exception as error:
            log_error(error)

    async def _deliver(self, announcement: Announcement) -> bool:
        """Post one announcement, waiting for Discord as long as it takes; False if Discord will not have it."""
        match, wait = announcement.match, FIRST_WAIT
        while True:
            try:
                post = await self.bot.matches.announcements.post_of(announcement)
                room = await self._housed(post.room)
                sent = await self._send(post, room)
                await self._take_buttons_off(room)
                await self.bot.matches.announcements.posted(announcement, sent.id)
                self._doubtful.discard(announcement.id)
                return True
            except discord.HTTPException as error:
                if error.status < 500 and error.status != 429 and error.code != error_codes.CHANNEL_WRITE_LIMIT:
                    # To ask again would not help. Where the place is lost the match waits for another one; anything
                    # else stays due until the next move, and the log says so.
                    if error.code in error_codes.CHANNEL_LOST or error.status in (403, 404):
                        is_gone = error.code == error_codes.UNKNOWN_CHANNEL or error.status == 404
                        await self.pause(match, GONE if is_gone else FORBIDDEN)
                    else:
                        log_error(error)
                    return False
                log.warning("Discord answers %s, posting again in %.0f s", error.status, wait)
            except (StoreError, *UNREACHABLE) as error:
                log.warning("a post has to wait (%s), trying again in %.0f s", type(error).__name__, wait)
            # Discord may have made the post without our hearing of it.
            self._doubtful.add(announcement.id)
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    async def _send(self, post: Post, room: Room) -> discord.Message:
        """The post with its pictures, or without what Discord will not take of it."""
        made = turn_message.message(post)
        if post.announcement.id in self._doubtful and (found := await self._found(room, made)):
            return found
        view, names = post.room.playing().view(None), plain_names(post.room)
        pictures: list[Picture | None] = []
        try:
            scene = describe.scene(post.room, post.events, None)
            pictures = [await self.bot.pictures.board(view, names, **scene)]
            if made.with_scores:
                pictures.append(await self.bot.pictures.score_sheet(view, names))
        except Exception as error:
            # A post goes out even if it cannot be drawn.
            log_error(error)
            pictures = []
        try:
            return await self._send_once(post, room, made, pictures)
        except discord.HTTPException as error:
            if error.code == error_codes.ARCHIVED_THREAD:
                await self.bot.http.edit_channel(room.info.place.posts_to, archived=False)
            elif error.code == error_codes.TOO_LARGE:
                pictures = []
            elif error.status == 400:
                # Whatever it is that Discord will not take, the match must go on: the words alone do it.
                log_error(error)
                made, pictures = replace(made, rows=(), with_transcript=False), []
            else:
                raise
            return await self._send_once(post, room, made, pictures)

    async def _found(self, room: Room, made: turn_message.Message) -> discord.Message | None:
        """The post, if it is there already: Discord drops a repeat by itself for some minutes only."""
        last = room.info.turn_message or room.info.lobby_message
        after = discord.Object(last) if last else None
        try:
            async for message in self._channel(room.info.place).history(limit=LOOKED_BACK, after=after):
                if message.author == self.bot.user and message.content == made.content.strip():
                    return message
        except discord.Forbidden:
            log.info("match %s cannot look back at what it has posted", room.info.id)
        return None

    async def _send_once(
        self, post: Post, room: Room, made: turn_message.Message, pictures: list[Picture | None]
    ) -> discord.Message:
        files = attached(pictures)
        if made.with_transcript:
            transcript = await self.bot.matches.transcript(room.info.id)
            files.append(discord.File(io.BytesIO(transcript.encode()), f"{room.info.game}-{room.info.id}.txt"))
        return await self._channel(room.info.place).send(
            made.content,
            view=view_of(made.rows),
            files=files,
            # Discord answers a repeated nonce with the message that is there, for some minutes.
            nonce=f"{post.announcement.match}-{post.announcement.id}",
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, replied_user=False, users=[discord.Object(user) for user in made.pings]
            ),
        )

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(place.posts_to, guild_id=place.guild or None)

    async def _housed(self, room: Room) -> Room:
        """The room with its thread, made at its first post; in the channel itself where no thread can be."""
        place = room.info.place
        if place.thread or not place.wants_thread:
            return room
        try:
            place = replace(place, thread=await self._make_thread(room))
        except discord.HTTPException as error:
            is_passing = error.status >= 500 or error.status == 429
            if is_passing or error.code in (error_codes.UNKNOWN_CHANNEL, error_codes.NO_ACCESS):
                raise
            log.info("no thread for match %s (%s): it stays in its channel", room.info.id, error.code)
            place = replace(place, wants_thread=False)
        moved = await self.bot.matches.moved(room.info.id, place)
        return Room(replace(room.info, place=moved.info.place), room.match)

    async def _make_thread(self, room: Room) -> int:
        """A thread under the lobby's message has that message's id, so a repeat after a crash finds it."""
        # By Discord's routes themselves: discord.py's own objects make a thread only where they have the server and
        # the channel in memory, and those may not have come yet when a post is due at a start.
        place, name = room.info.place, turn_message.thread_name(room)
        if room.info.lobby_message:
            try:
                made = await self.bot.http.start_thread_with_message(
                    place.channel, room.info.lobby_message, name=name, auto_archive_duration=WEEK
                )
                return int(made["id"])
            except discord.HTTPException as error:
                if error.code == error_codes.THREAD_EXISTS and await self._takes_posts(room.info.lobby_message):
                    return room.info.lobby_message
                if error.code not in (error_codes.THREAD_EXISTS, error_codes.UNKNOWN_MESSAGE):
                    raise
        made = await self.bot.http.start_thread_without_message(
            place.channel, name=name, auto_archive_duration=WEEK, type=discord.ChannelType.public_thread.value
        )
        return int(made["id"])

    async def _takes_posts(self, thread: int) -> bool:
        """Whether a thread is still there and not locked: what else keeps a post out, the whole channel does."""
        try:
            found: Any = await self.bot.http.get_channel(thread)
        except discord.NotFound:
            return False
        return not found["thread_metadata"]["locked"]

    async def _take_buttons_off(self, room: Room) -> None:
        """The turn before loses its buttons. Where it cannot be edited any more it keeps them, and they work."""
        if not room.info.turn_message:
            return
        old = self._channel(room.info.place).get_partial_message(room.info.turn_message)
        try:
            await old.edit(view=None, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            log.info("the last turn of match %s keeps its buttons (%s)", room.info.id, error.code)

    async def _freshen(self, match: str) -> None:
        """While secret answers come in the last post says whose; where it cannot be edited it stays as it is."""
        standing = await self.bot.matches.announcements.standing_post(match)
        if standing is None:
            return
        post, now = standing
        old = self._channel(now.info.place).get_partial_message(now.info.turn_message)
        try:
            await old.edit(content=turn_message.freshened(post, now), allowed_mentions=NOBODY)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("the last turn of match %s stays as it is (%s)", match, type(error).__name__)

    async def pause_all(self, channel: int) -> None:
        """A channel or thread is gone, and all its matches with it."""
        for room in await self.bot.matches.here(channel):
            if room.info.status is Status.RUNNING:
                await self.pause(room.info.id, GONE)

    async def pause(self, match: str, why: str) -> None:
        """Keep a match that cannot post, and tell its host once."""
        room = await self.bot.matches.find(match)
        if match in self._pausing or room.info.paused_for:
            return
        self._pausing.add(match)
        try:
            room = await self.bot.matches.pause(match, why)
        finally:
            self._pausing.discard(match)
        log.warning("match %s is paused: %s", match, why)
        await self._tell_host(room)

    async def _tell_host(self, room: Room) -> None:
        match, ended = room.info.id, room.info.status is Status.FINISHED
        said = say("notice.paused", game=describe.title(room), id=match, ended=ended, why=room.why_paused)
        try:
            channel = await self.bot.create_dm(discord.Object(room.info.host))
            await channel.send(said, allowed_mentions=NOBODY)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("the host of match %s could not be told (%s)", match, type(error).__name__)
