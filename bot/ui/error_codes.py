"""Discord's error codes that the bot handles, and what each group of them means for the bot.

The numbers are Discord's, from its documentation of JSON error codes.
"""

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
"""The match cannot post in its place, and is paused until it can.

A bare 403 or 404 without such a code does not mean that: it may come from a proxy before Discord.
"""

DIRECT_CLOSED = {CANNOT_SEND, NO_MUTUAL_SERVER}
"""The user does not accept direct messages from the bot."""

TOO_LATE = {UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, TOKEN_DEAD, UNKNOWN_MESSAGE}
"""The interaction can no longer be answered. What it has done stays done."""


def is_passing(error: discord.HTTPException) -> bool:
    """Whether an error is temporary: Discord has trouble, or the bot has hit a rate limit."""
    return error.status >= 500 or error.status == 429
