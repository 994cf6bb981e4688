"""Sends messages exactly once, and keeps them up to date.

A feature decides what a message contains and where it goes, and keeps its id. Each message has a
nonce, by which Discord drops a repeat for some minutes, and by which this module knows what it has
tried to send.
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

MESSAGES_LOOKED_THROUGH = 5000
"""How many messages to search for one that may have been sent already."""
TRIES_REMEMBERED = 10_000
"""How many nonces are remembered."""
SHOWN_REMEMBERED = 2048
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


def parts_of(made: Message, pictures: Iterable[Picture | None] = ()) -> dict[str, Any]:
    """Return a message as arguments of discord.py's `send`."""
    if made.layout:
        files = make_files(pictures)
        return {"view": layout_of(made.layout, files), "files": files}
    return {
        "content": made.content or None,
        "embed": made.embed,
        "view": view_of(made.rows),
        "files": make_files(pictures),
        "allowed_mentions": ping_only(made.pings),
    }


async def send_message(
    client: MotuClient,
    channel: int,
    made: Message,
    nonce: str,
    *,
    pictures: Sequence[Picture | None] = (),
    silent: bool = False,
) -> discord.Message:
    """Send a message, reopening an archived thread."""

    async def send() -> discord.Message:
        # Built for each attempt: discord.py's files cannot be read twice.
        message = parts_of(made, pictures)
        return await client.get_partial_messageable(channel).send(
            nonce=nonce, silent=silent, **message
        )

    return await send_in_thread(client, channel, send)


async def find_own_message(
    client: MotuClient, channel: int, after: int, is_it: Callable[[discord.Message], bool]
) -> discord.Message | None:
    """Return a message that the bot has sent to a channel after another; None if there is none."""
    # From the newest back: a message in doubt is nearly always among the last ones.
    history = client.get_partial_messageable(channel).history(
        limit=MESSAGES_LOOKED_THROUGH,
        after=discord.Object(after) if after else None,
        oldest_first=False,
    )
    async for message in history:
        if message.author == client.user and is_it(message):
            return message
    return None


class Sender:
    """Sends messages once, finds those that were sent already, and edits them."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._tried: LRUCache[str, bool] = LRUCache(TRIES_REMEMBERED)
        """The nonces of what this process has tried to send."""
        self._started_at = int(client.kernel.now())
        """When this process started; an earlier one may have sent older messages."""
        self._shown: LRUCache[int, Message] = LRUCache(SHOWN_REMEMBERED)
        """What messages show at the moment, by id."""

    async def find(
        self,
        channel: int,
        nonce: str,
        since: int,
        is_it: Callable[[discord.Message], bool],
        is_doubtful: bool = False,
    ) -> int:
        """Return the id of a message that was sent already; 0 if there is none.

        Discord is asked only if this process or an earlier one may have tried to send it, or if
        `is_doubtful`. `since` is the earliest time at which it may have been sent.
        """
        is_doubtful |= nonce in self._tried or since <= self._started_at
        self._tried[nonce] = True
        if not is_doubtful:
            return 0
        # The clocks of this machine and of Discord may differ.
        after = discord.utils.time_snowflake(datetime.fromtimestamp(since - HOUR, UTC))
        try:
            found = await find_own_message(self._client, channel, after, is_it)
        except discord.HTTPException as error:
            if error.status != 403:
                raise
            log.info("can't search for an earlier message (%s)", error.code)
            return 0
        return found.id if found else 0

    async def send(
        self,
        channel: int,
        made: Message,
        nonce: str,
        *,
        sent_as: Message | None = None,
        pictures: Sequence[Picture | None] = (),
        silent: bool = False,
    ) -> int:
        """Send a message, if need be without its pictures, and return its id.

        `sent_as` is its first version, which may have more in it, such as a mention.
        """
        client, first = self._client, sent_as or made
        try:
            sent = await send_message(
                client, channel, first, nonce, pictures=pictures, silent=silent
            )
        except discord.HTTPException as error:
            if error.status not in (400, 413) or not pictures:
                raise
            log_error(error, "sending a message without its pictures")
            sent = await send_message(client, channel, first, nonce, silent=silent)
        self._shown[sent.id] = replace(made, pings=())
        return sent.id

    async def edit(self, channel: int, message: int, made: Message) -> bool:
        """Edit a message; return False if that is not possible any more."""
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)
        return await self._edit(message, partial.edit, made)

    async def edit_pressed(self, pressed: MotuInteraction, made: Message) -> None:
        """Edit the message that was pressed, if that can still be done.

        Edits by way of an interaction do not count towards the channel's rate limit.
        """
        if pressed.message is not None:
            # Send the edit even if it changes nothing, since it is the response to the press.
            self._shown.pop(pressed.message.id, None)
            await self._edit(pressed.message.id, pressed.edit_original_response, made)

    async def _edit(
        self, message: int, edit: Callable[..., Awaitable[object]], made: Message
    ) -> bool:
        """Edit a message with the given function, unless it shows all that already."""
        made = replace(made, pings=())
        if self._shown.pop(message, None) != made:
            # An edit leaves out what stays: pictures, and a text that only the first version has.
            says = {"content": made.content, "embed": made.embed}
            edited = {name: part for name, part in says.items() if part}
            try:
                # Explicit, since discord.py leaves its default mentions out of such an edit.
                await edit(view=view_of(made.rows), allowed_mentions=NOBODY, **edited)
            except discord.HTTPException as error:
                if error.code not in CANNOT_EDIT:
                    raise
                log.info("can't edit a message any more (%s)", error.code)
                return False
        self._shown[message] = made
        return True
