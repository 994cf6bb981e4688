"""Where matches are played: their threads, moving them, and pausing them while they cannot post.

A paused match must not find out by trying whether it can post again, since refused requests count
towards a ban. But Discord sends the bot an event for every change to channels, threads, roles and
its own membership. So a post is tried again when something has changed in the match's place and, as
far as the bot knows, it may post there. Discord may also refuse for reasons that the bot cannot
see, such as a timeout by a moderator. Because of those, a post is also tried at growing intervals.
"""

import asyncio
import logging
from typing import Any, Literal

import discord
from cachetools import TTLCache
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.encoding import DAMAGED
from bot.kernel.kernel import Kernel
from bot.kernel.languages import speaking_to_table
from bot.kernel.room import Room
from bot.model import Job, Place, Status
from bot.posts import turn_message
from bot.runtime.base import BotError, log_error, track_task
from bot.ui import Bucket, MotuClient, error_codes
from bot.ui.permissions import missing_permissions
from engine import EngineError

log = logging.getLogger("motu.places")

RENAME = "thread_name"
"""The kind of job that renames a match's thread after its players have changed."""
ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
"""A week of silence, the longest that Discord allows before it archives a thread."""
RENAME_TIMEOUT = 60.0
"""Seconds that a rename may wait: Discord allows two in ten minutes."""

GONE, FORBIDDEN = "gone", "forbidden"
"""Why a match cannot post and is paused."""
CHECK_SECONDS = 3.0
"""Seconds between two checks for matches that may be able to post again."""
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 600.0, 6 * 3600.0
"""Seconds before a match tries to post without any change; the wait doubles up to the maximum."""
CHANGE_SECONDS = 10.0
"""Seconds for which a change is remembered.

Discord may report it before it refuses a post, or before it applies it.
"""
MAX_CHANGES = 10_000
"""How many changes are remembered."""

ACCESS_EVENTS = frozenset(
    {
        "guild_available",
        "guild_channel_create",
        "guild_channel_update",
        "guild_join",
        "guild_role_delete",
        "guild_role_update",
        "member_update",
        "raw_thread_update",
        "thread_join",
    }
)
"""discord.py's names of the events after which the bot may be able to post where it could not."""


async def move_match(kernel: Kernel, match_id: str, place: Place) -> Room:
    """Move a match to another place; if it was paused because it could not post, resume it."""

    def move(change: Change) -> Change:
        record = change.before.record
        change = change.update(
            place=place,
            status=Status.RUNNING if record.status is Status.PAUSED else record.status,
            paused_for="",
            last_activity_at=change.now if record.paused_for else record.last_activity_at,
        )
        if record.turn_message and place.posts_to != record.place.posts_to:
            # The last board stays in the old place, so none is recorded for the new one.
            change = change.update(turn_message=0).post_again()
        return change

    return (await kernel.pipeline.change(match_id, move)).after


async def pause_match(kernel: Kernel, match_id: str, reason: str) -> Room | None:
    """Pause a match that cannot post, and return it; None if it is paused already.

    The reason is a key of [pause] in the texts.
    """

    def pause(change: Change) -> Change:
        record = change.before.record
        if record.paused_for:
            return change
        status = Status.PAUSED if record.status is Status.RUNNING else record.status
        return change.update(status=status, paused_for=reason)

    change = await kernel.pipeline.change(match_id, pause)
    return change.after if change.after is not change.before else None


def why_lost(error: discord.HTTPException) -> str:
    """Return why a match is paused after this error of Discord."""
    return GONE if error.code in error_codes.PLACE_GONE else FORBIDDEN


class Threads:
    """The threads of all matches."""

    def __init__(self, client: MotuClient, bucket: Bucket) -> None:
        self._client = client
        self._bucket = bucket

    async def provide(self, room: Room, gives_up: bool) -> Room:
        """Return the match with its thread, creating it if the match wants one and has none.

        If Discord refuses to create a thread, the match stays in its channel. A refusal without a
        Discord error code may come from a proxy, so it counts only if `gives_up`, after many tries.
        """
        place = room.record.place
        if place.thread or not place.wants_thread:
            return room
        try:
            place = replace(place, thread=await self._create_thread(room))
        except discord.HTTPException as error:
            may_pass = error_codes.is_passing(error) or (not error.code and not gives_up)
            if may_pass or error.code in (*error_codes.PLACE_GONE, error_codes.NO_ACCESS):
                raise
            log.info(
                "couldn't create a thread for match %s (%s), staying in the channel",
                room.record.id,
                error.code,
            )
            place = replace(place, wants_thread=False)
        moved = await move_match(self._client.kernel, room.record.id, place)
        return replace(room, record=replace(room.record, place=moved.record.place))

    async def _create_thread(self, room: Room) -> int:
        """Create a thread on the lobby's message, and return its id."""
        # The routes are called directly: discord.py's objects need the server and the channel in
        # its cache, where they may still be missing when a post is due right after a start.
        http, place = self._client.http, room.record.place
        with speaking_to_table(room.record):
            name = turn_message.thread_name(room)
        if room.record.lobby_message:
            try:
                created = await http.start_thread_with_message(
                    place.channel,
                    room.record.lobby_message,
                    name=name,
                    auto_archive_duration=ARCHIVE_AFTER_MINUTES,
                )
                return int(created["id"])
            except discord.HTTPException as error:
                exists = error.code == error_codes.THREAD_EXISTS
                if not exists and error.code != error_codes.UNKNOWN_MESSAGE:
                    raise
                # A thread has the id of its message, so one created before a crash is found.
                if exists and await self._is_usable(room.record.lobby_message):
                    return room.record.lobby_message
        created = await http.start_thread_without_message(
            place.channel,
            name=name,
            auto_archive_duration=ARCHIVE_AFTER_MINUTES,
            type=discord.ChannelType.public_thread.value,
        )
        return int(created["id"])

    async def _is_usable(self, thread: int) -> bool:
        """Return whether a thread exists and is not locked; other permissions are the channel's."""
        try:
            found: Any = await self._client.http.get_channel(thread)
        except discord.NotFound as error:
            if error.code not in error_codes.PLACE_GONE:
                raise
            return False
        return not found["thread_metadata"]["locked"]

    async def rename_later(self, job: Job) -> None:
        """Rename a thread after a seat has changed hands or a player was deleted."""
        room = await self._client.kernel.matches.find(job.match)
        if not room.record.place.thread:
            return
        await self._bucket.take()
        try:
            async with asyncio.timeout(RENAME_TIMEOUT):
                await self.rename(room)
        except discord.HTTPException as error:
            if error_codes.is_passing(error) or not error.code:
                raise
            log.info("couldn't rename the thread of match %s (%s)", job.match, error.code)

    async def rename(self, room: Room) -> None:
        """Rename a match's thread, unless somebody else has created it."""
        thread = room.record.place.thread
        if not thread:
            return
        client = self._client
        channel: Any = await client.http.get_channel(thread)
        is_ours = client.user is not None and int(channel.get("owner_id") or 0) == client.user.id
        # Read the match again: while the request waited, a player's data may have been deleted.
        room = await client.kernel.matches.find(room.record.id)
        with speaking_to_table(room.record):
            name = turn_message.thread_name(room)
        if is_ours and channel["name"] != name:
            # Discord renames an archived thread only if the same request reopens it.
            await client.http.edit_channel(thread, name=name, archived=False)
            is_settled = room.is_over and not room.record.result_unannounced
            if is_settled and channel["thread_metadata"]["archived"]:
                # Archive it again: a new name must not bring an old match back into the list of
                # active threads.
                await client.http.edit_channel(thread, archived=True)


class LostPlace(Struct):
    """The place of a match that cannot post there."""

    place: Place
    why: str
    wait: float = FIRST_RETRY_SECONDS
    next_try: float = 0.0
    """When to try again, by the event loop's clock, unless something changes sooner."""

    def is_at(self, place: int) -> bool:
        """Return whether the match is played in this server, channel or thread."""
        return place in (self.place.guild, self.place.channel, self.place.thread)


class LostPlaces:
    """The matches that are paused because they could not post."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._lost: dict[str, LostPlace] = {}
        """By the match's id."""
        self._changed: TTLCache[int, bool] = TTLCache(MAX_CHANGES, CHANGE_SECONDS)
        """The servers, channels and threads in which something has changed lately."""
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to watch the paused matches."""
        kernel = self._client.kernel
        paused = await kernel.matches.select(queries.matches_unable_to_post, own=kernel.store.own)
        for room in paused:
            if room.record.paused_for != DAMAGED:
                place = LostPlace(room.record.place, room.record.paused_for)
                self._lost[room.record.id] = place
        if self._watching is None:
            self._watching = track_task(self._watch(), "lost-places")

    def close(self) -> None:
        """Stop watching."""
        if self._watching is not None:
            self._watching.cancel()

    def note(self, room: Room) -> bool:
        """Note that a match was paused; return False if it was lost before and failed again."""
        place, why = room.record.place, room.record.paused_for
        if why == DAMAGED:
            return True
        known = self._lost.get(room.record.id)
        wait = min(known.wait * 2, MAX_RETRY_SECONDS) if known else FIRST_RETRY_SECONDS
        next_try = asyncio.get_running_loop().time() + wait
        self._lost[room.record.id] = LostPlace(place, why, wait, next_try)
        return known is None

    def forget(self, match_id: str) -> None:
        """Note that a match has posted."""
        self._lost.pop(match_id, None)

    def on_event(self, event: str, *args: object) -> None:
        """Note where an event of Discord may have given the bot access."""
        if event in ACCESS_EVENTS and (changed := self._place_of(args[-1])):
            self._changed[changed] = True

    def _place_of(self, subject: object) -> int:
        """Return the server, channel or thread to which an event may give access, else 0."""
        match subject:
            case discord.Guild() | discord.abc.GuildChannel() | discord.Thread():
                return subject.id
            case discord.RawThreadUpdateEvent():
                return subject.thread_id
            case discord.Member() if subject == subject.guild.me:
                return subject.guild.id
            # Once deleted, a role is among nobody's roles, but it may have been among the bot's.
            case discord.Role() if (
                subject in subject.guild.me.roles or subject not in subject.guild.roles
            ):
                return subject.guild.id
        return 0

    async def _watch(self) -> None:
        """Resume the matches that may be able to post again, for as long as the bot runs."""
        while True:
            now = asyncio.get_running_loop().time()
            for match, lost in list(self._lost.items()):
                if now >= lost.next_try or any(map(lost.is_at, self._changed)):
                    lost.next_try = now + lost.wait
                    if self._seems_postable(lost):
                        await self._resume(match, lost.place)
            await asyncio.sleep(CHECK_SECONDS)

    async def _resume(self, match_id: str, place: Place) -> None:
        """Let a match try to post again, unless it was moved or resumed meanwhile."""
        try:
            room = await self._client.kernel.matches.find(match_id)
            if room.record.place != place:
                self.forget(match_id)
            elif room.record.paused_for:
                log.info("trying to post in match %s again", match_id)
                # If Discord refuses again, it is paused again without telling its host twice.
                await move_match(self._client.kernel, match_id, place)
        except (BotError, EngineError) as error:
            log_error(error, f"match {match_id} can't continue")

    def _seems_postable(self, lost: LostPlace) -> bool:
        """Return whether the bot may post in a place, as far as discord.py's cache shows."""
        place = lost.place
        guild = self._client.get_guild(place.guild)
        channel = guild.get_channel(place.channel) if guild else None
        if guild is None or channel is None:
            return False
        thread = guild.get_thread(place.thread)
        if thread is None and place.thread and lost.why == GONE:
            return False
        # A thread that is not in the cache is archived, and a post reopens it.
        if thread is not None and thread.locked:
            return False
        return not missing_permissions(
            channel.permissions_for(guild.me), in_thread=bool(place.thread), wants_thread=False
        )
