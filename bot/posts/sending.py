"""Send messages exactly once, and keep them up to date.

A feature decides what a message contains and where it goes, and stores its id. Each message has a
nonce, by which Discord drops a duplicate for some minutes, and by which this module knows what it
has tried to send. Posts of turns have their own, stricter way: see outbox.py.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import discord
from cachetools import LRUCache
from msgspec.structs import replace

from bot.posts.turn_message import Message
from bot.runtime.base import HOUR, log_error
from bot.ui import (
    MotuClient,
    MotuInteraction,
    Picture,
    error_codes,
    layout_of,
    make_files,
    ping_only,
    view_of,
)
from bot.ui.reply import NOBODY

log = logging.getLogger("motu.outbox")

MAX_SEARCHED_MESSAGES = 5000
"""How many messages to search for one that may have been sent already."""
MAX_REMEMBERED_NONCES = 10_000
"""How many nonces are remembered."""
MAX_REMEMBERED_MESSAGES = 2048
"""How many messages are remembered with their content."""
CANNOT_EDIT = {error_codes.UNKNOWN_MESSAGE, error_codes.OLD_EDITS, error_codes.ARCHIVED_THREAD}
"""Errors after which a message is left as it is."""


async def send_in_thread(
    client: MotuClient, channel: int, send: Callable[[], Awaitable[discord.Message]]
) -> discord.Message:
    """Send a message; if Discord refuses because the thread is archived, reopen it first."""
    try:
        return await send()
    except discord.HTTPException as error:
        if error.code != error_codes.ARCHIVED_THREAD:
            raise
    await client.http.edit_channel(channel, archived=False)
    return await send()


def parts_of(message: Message, pictures: Iterable[Picture | None] = ()) -> dict[str, Any]:
    """Return a message as arguments of discord.py's `send`."""
    if message.layout:
        files = make_files(pictures)
        return {"view": layout_of(message.layout, files), "files": files}
    return {
        "content": message.content or None,
        "embed": message.embed,
        "view": view_of(message.rows),
        "files": make_files(pictures),
        "allowed_mentions": ping_only(message.pings),
    }


async def send_message(
    client: MotuClient,
    channel: int,
    message: Message,
    nonce: str,
    *,
    pictures: Sequence[Picture | None] = (),
    silent: bool = False,
) -> discord.Message:
    """Send a message, reopening an archived thread."""

    async def send() -> discord.Message:
        # Built for each attempt: discord.py's files cannot be read twice.
        arguments = parts_of(message, pictures)
        return await client.get_partial_messageable(channel).send(
            nonce=nonce, silent=silent, **arguments
        )

    return await send_in_thread(client, channel, send)


async def find_own_message(
    client: MotuClient, channel: int, after: int, is_wanted: Callable[[discord.Message], bool]
) -> discord.Message | None:
    """Return the newest wanted message that the bot has sent after another; None if there is none.

    `after` is the id of the other message, 0 for none.
    """
    # Search from the newest back: a message in doubt is nearly always among the last ones.
    history = client.get_partial_messageable(channel).history(
        limit=MAX_SEARCHED_MESSAGES,
        after=discord.Object(after) if after else None,
        oldest_first=False,
    )
    async for message in history:
        if message.author == client.user and is_wanted(message):
            return message
    return None


class Sender:
    """Sends messages once, finds those that were sent already, and edits them."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._tried: LRUCache[str, bool] = LRUCache(MAX_REMEMBERED_NONCES)
        """The nonces of what this process has tried to send."""
        self._started_at = int(client.kernel.now())
        """When this process started; an earlier one may have sent older messages."""
        self._shown: LRUCache[int, Message] = LRUCache(MAX_REMEMBERED_MESSAGES)
        """What messages show at the moment, by id; saves edits that would change nothing."""

    async def find(
        self,
        channel: int,
        nonce: str,
        since: int,
        is_wanted: Callable[[discord.Message], bool],
        is_doubtful: bool = False,
    ) -> int:
        """Return the id of a message that was sent already; 0 if there is none.

        Discord is searched only if this process or an earlier one may have tried to send it, or if
        `is_doubtful`. `since` is the earliest time at which it may have been sent.
        """
        is_doubtful |= nonce in self._tried or since <= self._started_at
        self._tried[nonce] = True
        if not is_doubtful:
            return 0
        # The clocks of this machine and of Discord may differ.
        after = discord.utils.time_snowflake(datetime.fromtimestamp(since - HOUR, UTC))
        try:
            message = await find_own_message(self._client, channel, after, is_wanted)
        except discord.HTTPException as error:
            if error.status != 403:
                raise
            log.info("can't search for an earlier message (%s)", error.code)
            return 0
        return message.id if message else 0

    async def send(
        self,
        channel: int,
        message: Message,
        nonce: str,
        *,
        sent_as: Message | None = None,
        pictures: Sequence[Picture | None] = (),
        silent: bool = False,
    ) -> int:
        """Send a message, if need be without its pictures, and return its id.

        `sent_as` is what it says at first; later edits leave it as `message`. It may have more in
        it, such as a mention, whose ping an edit could not take back anyway.
        """
        client, first_version = self._client, sent_as or message
        try:
            sent = await send_message(
                client, channel, first_version, nonce, pictures=pictures, silent=silent
            )
        except discord.HTTPException as error:
            if error.status not in (400, 413) or not pictures:
                raise
            log_error(error, "sending a message without its pictures")
            sent = await send_message(client, channel, first_version, nonce, silent=silent)
        self._shown[sent.id] = replace(message, pings=())
        return sent.id

    async def edit(self, channel: int, message_id: int, message: Message) -> bool:
        """Edit a message; return False if that is not possible any more."""
        partial = self._client.get_partial_messageable(channel).get_partial_message(message_id)
        return await self._edit(message_id, partial.edit, message)

    async def edit_pressed(self, pressed: MotuInteraction, message: Message) -> None:
        """Edit the message that was pressed, if that is still possible.

        The edit goes through the interaction, because such edits don't count towards the channel's
        rate limit.
        """
        if pressed.message is not None:
            # Send the edit even if it changes nothing, since it is the response to the press.
            self._shown.pop(pressed.message.id, None)
            await self._edit(pressed.message.id, pressed.edit_original_response, message)

    async def _edit(
        self, message_id: int, edit: Callable[..., Awaitable[object]], message: Message
    ) -> bool:
        """Edit a message with the given function, unless it shows the same already.

        Returns False if that is not possible any more.
        """
        message = replace(message, pings=())
        if self._shown.pop(message_id, None) != message:
            # What an edit leaves out stays: pictures, and a text that only the first version has.
            texts = {"content": message.content, "embed": message.embed}
            edited = {name: part for name, part in texts.items() if part}
            try:
                # discord.py's default for mentions does not apply to an edit by interaction.
                await edit(view=view_of(message.rows), allowed_mentions=NOBODY, **edited)
            except discord.HTTPException as error:
                if error.code not in CANNOT_EDIT:
                    raise
                log.info("can't edit a message any more (%s)", error.code)
                return False
        self._shown[message_id] = message
        return True
