"""The threads in which matches are played: made, named, and opened when Discord has archived
them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal

import discord
from msgspec.structs import replace

from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.posts import turn_message
from bot.posts.places import move_match
from bot.posts.turn_message import Message
from bot.ui import Bucket, MotuClient, Picture, attached, error_codes, only, view_of

log = logging.getLogger("motu.outbox")

RENAME = "thread_name"
"""The job that gives a match's thread a name that says who plays there now."""
ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
"""A week of silence, the longest that Discord allows before it archives a thread."""
RENAME_TIMEOUT = 60.0
"""Seconds that a rename may wait: Discord allows two in ten minutes."""


async def in_open_thread(
    client: MotuClient, channel: int, send: Callable[[], Awaitable[discord.Message]]
) -> discord.Message:
    """Send a message; open an archived thread first if the message does not open it by itself."""
    try:
        return await send()
    except discord.HTTPException as error:
        if error.code != error_codes.ARCHIVED_THREAD:
            raise
    await client.http.edit_channel(channel, archived=False)
    return await send()


async def send_message(
    client: MotuClient,
    channel: int,
    made: Message,
    nonce: str,
    *,
    pictures: Iterable[Picture | None] = (),
    silent: bool = False,
) -> discord.Message:
    """Send a message that pings whom it names; an archived thread is opened first.

    Discord answers a repeated nonce with the message that is there, for some minutes.
    """

    async def send() -> discord.Message:
        return await client.get_partial_messageable(channel).send(
            made.content,
            view=view_of(made.rows),
            # Made anew for each attempt: a file that was sent cannot be read again.
            files=attached(pictures),
            nonce=nonce,
            allowed_mentions=only(made.pings),
            silent=silent,
        )

    return await in_open_thread(client, channel, send)


class Threads:
    """The threads of all matches."""

    def __init__(self, client: MotuClient, bucket: Bucket) -> None:
        self._client = client
        self._bucket = bucket

    async def provide(self, room: Room, gives_up: bool) -> Room:
        """Return the match with its thread, made if it has none; in the channel itself where no
        thread can be.

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
        return Room(replace(room.record, place=moved.record.place), room.match)

    async def _make(self, room: Room) -> int:
        """Make a thread under the lobby's message; it has that message's id, so a repeat after a
        crash finds it.
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
        """Return whether a thread is there and not locked: what else keeps a post out, the whole
        channel does.
        """
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
        """Rename a thread that the bot has made: a match may have been resumed in somebody
        else's.
        """
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
