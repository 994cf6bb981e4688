"""Messages of a match: sent once, and found again if it is in doubt whether they were."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime

import discord
from cachetools import LRUCache

from bot.posts.turn_message import Message
from bot.runtime.base import HOUR
from bot.ui import MotuClient, Picture, attached, error_codes, only, view_of

log = logging.getLogger("motu.outbox")

MESSAGES_LOOKED_THROUGH = 5000
"""How far to look back for a message that may be there already."""
TRIES_REMEMBERED = 10_000
"""Messages that were tried last, and are remembered."""

Key = tuple[str, int, str]
"""What names a message: its match, whom it is for, and which one it is."""


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


class SentMessages:
    """Finds messages that were sent before, by this process or an earlier one."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._tried: LRUCache[Key, bool] = LRUCache(TRIES_REMEMBERED)
        self._started_at = int(client.kernel.now())
        """An earlier process may have sent what is older."""

    async def find(
        self,
        channel: int,
        key: Key,
        since: int,
        is_it: Callable[[discord.Message], bool],
        is_doubtful: bool = False,
    ) -> int:
        """Return the id of a message that was sent already; 0 if there is none.

        Discord is only asked if `is_doubtful`, or if this process or an earlier one may have tried
        to send it: `key` names what is sent, and `since` is the earliest time at which it can have
        been.
        """
        is_doubtful |= key in self._tried or since <= self._started_at
        self._tried[key] = True
        if not is_doubtful:
            return 0
        # The clocks of this machine and of Discord may differ.
        after = discord.utils.time_snowflake(datetime.fromtimestamp(since - HOUR, UTC))
        try:
            found = await find_own_message(self._client, channel, after, is_it)
        except discord.HTTPException as error:
            if error.status != 403:
                raise
            log.info("a message in match %s cannot be looked for (%s)", key[0] or "-", error.code)
            return 0
        return found.id if found else 0
