"""Messages that may have been sent already, without the bot having noted it: looked for before
they are sent again.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime

import discord
from cachetools import LRUCache

from bot.runtime.clock import HOUR
from bot.ui import MotuClient

log = logging.getLogger("motu.outbox")

MESSAGES_LOOKED_THROUGH = 5000
"""How far to look back for a message that may be there already."""
TRIES_REMEMBERED = 10_000
"""Messages that were tried last, and are remembered."""

Key = tuple[str, int, str]
"""What names a message: its match, whom it is for, and which one it is."""


async def find_own_message(
    client: MotuClient,
    channel: discord.PartialMessageable,
    after: discord.Object | None,
    is_it: Callable[[discord.Message], bool],
) -> discord.Message | None:
    """Return a message that the bot has sent to a channel; None if there is none."""
    # From the newest back: much may have been said since, but little after a message that is in
    # doubt.
    history = channel.history(limit=MESSAGES_LOOKED_THROUGH, after=after, oldest_first=False)
    async for message in history:
        if message.author == client.user and is_it(message):
            return message
    return None


class SentMessages:
    """Finds messages that were sent before, by this process or an earlier one."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._tried: LRUCache[Key, bool] = LRUCache(TRIES_REMEMBERED)
        self._started_at = 0

    def note_start(self) -> None:
        """Note that this process begins to send: an earlier one may have sent what is older."""
        self._started_at = int(self._client.kernel.now())

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
            place = self._client.get_partial_messageable(channel)
            found = await find_own_message(self._client, place, discord.Object(after), is_it)
            return found.id if found else 0
        except discord.HTTPException as error:
            if error.status != 403:
                raise
            log.info("a message in match %s cannot be looked for (%s)", key[0] or "-", error.code)
        return 0
