"""Messages sent exactly once, and kept up to date.

A feature says what a message contains, where it goes, and keeps its id; the rest is here. Each
message has a nonce, by which Discord drops a repeat for some minutes, and by which it is known here
what was tried before.
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
    attached,
    error_codes,
    only,
    view_of,
)
from bot.ui.reply import NOBODY

log = logging.getLogger("motu.outbox")

MESSAGES_LOOKED_THROUGH = 5000
"""How far to look back for a message that may be there already."""
TRIES_REMEMBERED = 10_000
"""Messages that were tried last, and are remembered."""
SHOWN_REMEMBERED = 2048
"""Messages of which it is remembered what they show."""
CANNOT_EDIT = {error_codes.UNKNOWN_MESSAGE, error_codes.OLD_EDITS, error_codes.ARCHIVED_THREAD}
"""Errors after which a message never shows anything else."""


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


def parts_of(made: Message, pictures: Iterable[Picture | None] = ()) -> dict[str, Any]:
    """Return a message as discord.py sends it; it pings whom it names."""
    return {
        "content": made.content or None,
        "embed": made.embed,
        "view": view_of(made.rows),
        "files": attached(pictures),
        "allowed_mentions": only(made.pings),
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
    """Send a message; an archived thread is opened first."""

    async def send() -> discord.Message:
        # Made anew for each attempt: a file that was sent cannot be read again.
        message = parts_of(made, pictures)
        return await client.get_partial_messageable(channel).send(
            nonce=nonce, silent=silent, **message
        )

    return await in_open_thread(client, channel, send)


async def find_own_message(
    client: MotuClient, channel: int, after: int, is_it: Callable[[discord.Message], bool]
) -> discord.Message | None:
    """Return a message that the bot has sent to a channel after another; None if there is none."""
    # From the newest back: much may have been said since, but little after a message in doubt.
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
    """Sends messages once, finds those that may have been sent, and edits them if need be."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._tried: LRUCache[str, bool] = LRUCache(TRIES_REMEMBERED)
        """The nonces of what this process has tried to send."""
        self._started_at = int(client.kernel.now())
        """An earlier process may have sent what is older."""
        self._shown: LRUCache[int, Message] = LRUCache(SHOWN_REMEMBERED)
        """What messages show, by their ids."""

    async def find(
        self,
        channel: int,
        nonce: str,
        since: int,
        is_it: Callable[[discord.Message], bool],
        is_doubtful: bool = False,
    ) -> int:
        """Return the id of a message that was sent already; 0 if there is none.

        Discord is only asked if `is_doubtful`, or if this process or an earlier one may have tried
        to send it: `since` is the earliest time at which it can have been.
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
            log.info("a message cannot be looked for (%s)", error.code)
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
        """Send a message, and return its id; without pictures if Discord does not take them.

        `sent_as` is the message with what is only said once, such as a mention.
        """
        client, first = self._client, sent_as or made
        try:
            sent = await send_message(
                client, channel, first, nonce, pictures=pictures, silent=silent
            )
        except discord.HTTPException as error:
            if error.status not in (400, 413) or not pictures:
                raise
            log_error(error, "a message is sent without its pictures")
            sent = await send_message(client, channel, first, nonce, silent=silent)
        self._shown[sent.id] = replace(made, pings=())
        return sent.id

    async def edit(self, channel: int, message: int, made: Message) -> bool:
        """Have a message show something; return False if it cannot be edited any more."""
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)
        return await self._edit(message, partial.edit, made)

    async def edit_pressed(self, pressed: MotuInteraction, made: Message) -> None:
        """Edit the message that was pressed, if that can still be done.

        Edits by way of an interaction do not count towards the channel's rate limit.
        """
        if pressed.message is not None:
            # Even if it shows that: a press is answered by an edit.
            self._shown.pop(pressed.message.id, None)
            await self._edit(pressed.message.id, pressed.edit_original_response, made)

    async def _edit(
        self, message: int, edit: Callable[..., Awaitable[object]], made: Message
    ) -> bool:
        made = replace(made, pings=())
        if self._shown.pop(message, None) != made:
            # What it leaves out stays as it is: a text that was said once, and pictures.
            says = {"content": made.content, "embed": made.embed}
            edited = {name: part for name, part in says.items() if part}
            try:
                # Mentions too: discord.py leaves its default out of an edit without a text.
                await edit(view=view_of(made.rows), allowed_mentions=NOBODY, **edited)
            except discord.HTTPException as error:
                if error.code not in CANNOT_EDIT:
                    raise
                log.info("a message cannot be edited any more (%s)", error.code)
                return False
        self._shown[message] = made
        return True
