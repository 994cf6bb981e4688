"""Discord's error codes that the bot handles, and what becomes of a request that failed."""

import discord

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MEMBER = 10007
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
OLD_EDITS = 30046
TOO_LARGE = 40005
ALREADY_ACKNOWLEDGED = 40060
NO_ACCESS = 50001
CANNOT_SEND = 50007
NO_PERMISSION = 50013
TOKEN_DEAD = 50027
ARCHIVED_THREAD = 50083
NO_MUTUAL_SERVER = 50278
THREAD_EXISTS = 160004
THREAD_LOCKED = 160005

PLACE_GONE = {UNKNOWN_CHANNEL, UNKNOWN_GUILD}
PLACE_LOST = PLACE_GONE | {NO_ACCESS, NO_PERMISSION, THREAD_LOCKED}
"""The match cannot post where it lives: it is paused, never lost. A bare 403 or 404 says nothing of
the kind: it may come from a machine that stands before Discord.
"""

DIRECT_CLOSED = {CANNOT_SEND, NO_MUTUAL_SERVER}
"""Somebody takes no direct messages from the bot."""

TOO_LATE = {UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, TOKEN_DEAD, UNKNOWN_MESSAGE}
"""Nobody can be answered any more; what was done stays done."""


def is_passing(error: discord.HTTPException) -> bool:
    """Whether Discord is in trouble or wants fewer requests: it may take them later."""
    return error.status >= 500 or error.status == 429
