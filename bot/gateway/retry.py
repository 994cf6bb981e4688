"""Login and first connection, retried while Discord is out of reach."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from bot.ui import error_codes, reply
from bot.ui.rate import backoff

log = logging.getLogger("motu")

FIRST_RETRY_SECONDS = 1.0
MAX_RETRY_SECONDS = 60.0
"""Delays before a failed attempt is repeated: the first one, doubled each time up to the maximum."""


async def retry_while_unreachable(attempt: Callable[[], Awaitable[None]], may_retry: Callable[[], bool]) -> None:
    """Repeat an attempt until it succeeds or fails for good, however long Discord is in trouble."""
    tries = 0
    while True:
        try:
            return await attempt()
        except Exception as error:
            if not may_retry() or not is_transient(error):
                raise
            wait = backoff(tries, FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS)
            why = f"{type(error).__name__} {getattr(error, 'status', '')}".strip()
            log.warning("Discord cannot be reached (%s): trying again in %.0f s", why, wait)
        await asyncio.sleep(wait)
        tries += 1


def is_transient(error: Exception) -> bool:
    """Whether a failed start may succeed later: only Discord's own error codes say that it cannot."""
    if isinstance(error, discord.HTTPException):
        return error_codes.is_passing(error) or not error.code
    # discord.py raises the last three when an answer makes no sense, such as the error page of a
    # proxy in front of Discord.
    return isinstance(error, (*reply.UNREACHABLE, TypeError, KeyError, ValueError))
