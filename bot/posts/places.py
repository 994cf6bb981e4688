"""Where matches are played: moved, paused while they cannot post, their threads made and named.

When a paused match can post again is noticed without asking Discord, for requests that are refused
count towards a ban. Discord tells the bot of every change to channels, threads, roles and its own
membership. So a match is tried again when something has changed where it is played and it may post
by all that is known. Where Discord refuses although nothing seems to stand against it, that may
pass as well (moderators can silence a bot for a while), and the match is tried now and then, ever
later.
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
from bot.kernel.room import Room
from bot.model import Job, Place, Status
from bot.posts import turn_message
from bot.runtime.base import BotError, log_error, track_task
from bot.ui import Bucket, MotuClient, error_codes
from bot.ui.permissions import missing
from engine import EngineError

log = logging.getLogger("motu.places")

RENAME = "thread_name"
"""The job that gives a match's thread a name that says who plays there now."""
ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
"""A week of silence, the longest that Discord allows before it archives a thread."""
RENAME_TIMEOUT = 60.0
"""Seconds that a rename may wait: Discord allows two in ten minutes."""

GONE, FORBIDDEN = "gone", "forbidden"
"""Why a match is paused that cannot post."""
LOOK_SECONDS = 3.0
"""Seconds between two looks at what has changed: what Discord refuses counts towards a ban."""
FIRST_TRY, LONGEST_WAIT = 600.0, 6 * 3600.0
"""Seconds before a match is tried without a change that would let it post.

The wait doubles each time, up to the longest.
"""
RECENT = 10.0
"""Seconds that a change is remembered.

Discord may tell of it before it has refused a post, or before it heeds it.
"""
REMEMBERED = 10_000
"""Changes that are remembered at most."""

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
"""Events after which the bot may be able to post where it could not."""


async def move_match(kernel: Kernel, match: str, place: Place) -> Room:
    """Play a match in another place from now on; one that could not post goes on there."""

    def move(change: Change) -> Change:
        record = change.before.record
        change = change.update(
            place=place,
            status=Status.RUNNING if record.status is Status.PAUSED else record.status,
            paused_for="",
            last_activity_at=change.now if record.paused_for else record.last_activity_at,
        )
        if record.turn_message and place.posts_to != record.place.posts_to:
            # The last board stays where it was: nothing in the new place may be taken for it.
            change = change.update(turn_message=0).post_again()
        return change

    return (await kernel.pipeline.change(match, move)).after


async def pause_match(kernel: Kernel, match: str, why: str) -> Room | None:
    """Pause a match that cannot post, for a reason of [pause]; None if it is paused already."""

    def pause(change: Change) -> Change:
        record = change.before.record
        if record.paused_for:
            return change
        status = Status.PAUSED if record.status is Status.RUNNING else record.status
        return change.update(status=status, paused_for=why)

    change = await kernel.pipeline.change(match, pause)
    return change.after if change.after is not change.before else None


def why_lost(error: discord.HTTPException) -> str:
    """Return the reason to pause a match, by what Discord says of a place that is lost."""
    return GONE if error.code in error_codes.PLACE_GONE else FORBIDDEN


class Threads:
    """The threads of all matches."""

    def __init__(self, client: MotuClient, bucket: Bucket) -> None:
        self._client = client
        self._bucket = bucket

    async def provide(self, room: Room, gives_up: bool) -> Room:
        """Return the match with its thread, made if it has none; without where none can be.

        With `gives_up` an odd refusal counts as well: it has been tried for long.
        """
        place = room.record.place
        if place.thread or not place.wants_thread:
            return room
        try:
            place = replace(place, thread=await self._make(room))
        except discord.HTTPException as error:
            may_pass = error_codes.is_passing(error) or (not error.code and not gives_up)
            if may_pass or error.code in (*error_codes.PLACE_GONE, error_codes.NO_ACCESS):
                raise
            log.info(
                "no thread for match %s (%s): it stays in its channel", room.record.id, error.code
            )
            place = replace(place, wants_thread=False)
        moved = await move_match(self._client.kernel, room.record.id, place)
        return replace(room, record=replace(room.record, place=moved.record.place))

    async def _make(self, room: Room) -> int:
        """Make a thread under the lobby's message, and return its id.

        It has that message's id, so a repeat after a crash finds it.
        """
        # By Discord's routes themselves: discord.py's own objects make a thread only where they
        # have the server and the channel in memory, and those may not have come yet when a post is
        # due at a start.
        http, place, name = self._client.http, room.record.place, turn_message.thread_name(room)
        if room.record.lobby_message:
            try:
                made = await http.start_thread_with_message(
                    place.channel,
                    room.record.lobby_message,
                    name=name,
                    auto_archive_duration=ARCHIVE_AFTER_MINUTES,
                )
                return int(made["id"])
            except discord.HTTPException as error:
                if error.code == error_codes.THREAD_EXISTS and await self._takes_posts(
                    room.record.lobby_message
                ):
                    return room.record.lobby_message
                if error.code not in (error_codes.THREAD_EXISTS, error_codes.UNKNOWN_MESSAGE):
                    raise
        made = await http.start_thread_without_message(
            place.channel,
            name=name,
            auto_archive_duration=ARCHIVE_AFTER_MINUTES,
            type=discord.ChannelType.public_thread.value,
        )
        return int(made["id"])

    async def _takes_posts(self, thread: int) -> bool:
        """Return whether a thread is there and not locked: all else is a matter of the channel."""
        try:
            found: Any = await self._client.http.get_channel(thread)
        except discord.NotFound as error:
            if error.code not in error_codes.PLACE_GONE:
                raise
            return False
        return not found["thread_metadata"]["locked"]

    async def rename_later(self, job: Job) -> None:
        """Rename a thread after somebody else has sat down or was forgotten."""
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
            log.info("the thread of match %s keeps its name (%s)", job.match, error.code)

    async def rename(self, room: Room) -> None:
        """Rename a thread that the bot has made: a match may be played in somebody else's."""
        thread = room.record.place.thread
        if not thread:
            return
        client = self._client
        found: Any = await client.http.get_channel(thread)
        is_ours = client.user is not None and int(found.get("owner_id") or 0) == client.user.id
        # Read now: since the job was scheduled, or while Discord was in trouble, somebody may have
        # been forgotten.
        room = await client.kernel.matches.find(room.record.id)
        name = turn_message.thread_name(room)
        if is_ours and found["name"] != name:
            # An archived thread is opened in the same request, without which Discord would refuse.
            await client.http.edit_channel(thread, name=name, archived=False)
            if (
                room.is_over
                and not room.record.result_unannounced
                and found["thread_metadata"]["archived"]
            ):
                # Nobody is to find an old match among the open threads only because of its name.
                await client.http.edit_channel(thread, archived=True)


class Lost(Struct):
    """A match that cannot post where it lives."""

    place: Place
    why: str
    wait: float = FIRST_TRY
    next_try: float = 0.0
    """When to try it again, by the loop's clock, unless something changes sooner."""

    def is_at(self, place: int) -> bool:
        """Whether it is played in a server, channel or thread."""
        return place in (self.place.guild, self.place.channel, self.place.thread)


class LostPlaces:
    """The matches that are paused because they could not post."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._lost: dict[str, Lost] = {}
        self._changed: TTLCache[int, bool] = TTLCache(REMEMBERED, RECENT)
        """The servers, channels and threads in which something has changed of late."""
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """After a start: watch those that were paused then, and all that will be."""
        kernel = self._client.kernel
        for room in await kernel.matches.select(
            queries.matches_unable_to_post, own=kernel.store.own
        ):
            if room.record.paused_for != DAMAGED:
                self._lost[room.record.id] = Lost(room.record.place, room.record.paused_for)
        if self._watching is None:
            self._watching = track_task(self._watch(), "lost-places")

    def close(self) -> None:
        """Try no more."""
        if self._watching is not None:
            self._watching.cancel()

    def note(self, room: Room) -> bool:
        """Note that a match was paused; return whether that is news, not one more failed try."""
        place, why = room.record.place, room.record.paused_for
        if why == DAMAGED:
            return True
        before = self._lost.get(room.record.id)
        wait = min(before.wait * 2, LONGEST_WAIT) if before else FIRST_TRY
        next_try = asyncio.get_running_loop().time() + wait
        self._lost[room.record.id] = Lost(place, why, wait, next_try)
        return before is None

    def forget(self, match: str) -> None:
        """Note that a match has posted."""
        self._lost.pop(match, None)

    def on_event(self, event: str, *args: object) -> None:
        """Have the matches tried again that may be able to post after an event of Discord's."""
        if event in ACCESS_EVENTS and (changed := self._place_of(args[-1])):
            self._changed[changed] = True

    def _place_of(self, subject: object) -> int:
        """Return the server, channel or thread in which an event may let the bot post, else 0."""
        match subject:
            case discord.Guild() | discord.abc.GuildChannel() | discord.Thread():
                return subject.id
            case discord.RawThreadUpdateEvent():
                return subject.thread_id
            case discord.Member() if subject == subject.guild.me:
                return subject.guild.id
            # One that is gone is no longer among the bot's own.
            case discord.Role() if (
                subject in subject.guild.me.roles or subject not in subject.guild.roles
            ):
                return subject.guild.id
        return 0

    async def _watch(self) -> None:
        """Look now and then which matches may be able to post again, and try these."""
        while True:
            now = asyncio.get_running_loop().time()
            for match, lost in list(self._lost.items()):
                if now >= lost.next_try or any(map(lost.is_at, self._changed)):
                    lost.next_try = now + lost.wait
                    if self._seems_open(lost):
                        await self._go_on(match, lost.place)
            await asyncio.sleep(LOOK_SECONDS)

    async def _go_on(self, match: str, place: Place) -> None:
        try:
            room = await self._client.kernel.matches.find(match)
            if room.record.place != place:
                self.forget(match)
            elif room.record.paused_for:
                log.info("match %s may be able to post again", match)
                # Should it be refused once more, it is paused once more, and its host is not told
                # again.
                await move_match(self._client.kernel, match, place)
        except (BotError, EngineError) as error:
            log_error(error, f"match {match} cannot go on")

    def _seems_open(self, lost: Lost) -> bool:
        """Whether the bot may post there by all that Discord has told it."""
        place = lost.place
        guild = self._client.get_guild(place.guild)
        channel = guild.get_channel(place.channel) if guild else None
        if guild is None or channel is None:
            return False
        thread = guild.get_thread(place.thread)
        if thread is None and place.thread and lost.why == GONE:
            return False
        # Any other thread that is not known is archived: a post opens it.
        if thread is not None and thread.locked:
            return False
        return not missing(
            channel.permissions_for(guild.me), in_thread=bool(place.thread), wants_thread=False
        )
