"""Whether somebody has left the server where they play: asked of Discord, for the bot is not told of it."""

from typing import TYPE_CHECKING

import discord

from bot import error_codes
from bot.matches.room import COMPUTER, Room

if TYPE_CHECKING:
    from bot.app import Motu


async def has_left(bot: "Motu", room: Room, user: int) -> bool:
    """Whether a player is no member of the match's server any more; nobody leaves a direct message."""
    guild = room.info.place.guild
    if not guild or user == COMPUTER:
        return False
    try:
        await bot.http.get_member(guild, user)
    except discord.NotFound as error:
        if error.code != error_codes.UNKNOWN_MEMBER:
            raise
        return True
    return False
