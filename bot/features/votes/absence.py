"""Absent players: why somebody may be thought away, by their match and by Discord."""

import discord

from bot.kernel import pace
from bot.kernel.kernel import Kernel
from bot.kernel.room import SILENT, Room
from bot.model.match import COMPUTER, Status
from bot.ui import error_codes
from bot.ui.client import MotuClient
from engine import Seat


class PlayerAbsence:
    """Judges by a match whether somebody is away."""

    def __init__(self, kernel: Kernel) -> None:
        self._scheduler = kernel.scheduler
        self._now = kernel.now

    def silent_seconds(self, room: Room) -> int:
        """Return for how long nothing has happened in a match; time in which the bot was down does not count."""
        return pace.used(room.record.touched, int(self._now()), self._scheduler.away(room.record.place.guild))

    def reason(self, room: Room, seat: Seat) -> str:
        """Return why a seat's player may be thought away, as a key of [vote.absent]; '' if they are there."""
        match = room.playing()
        if seat in match.away:
            return "away"
        if room.is_expired(seat):
            return "expired"
        owes_decision = room.record.status is Status.RUNNING and seat in match.waiting_for()
        if owes_decision and self.silent_seconds(room) >= SILENT:
            return "silent"
        return ""


async def has_left(client: MotuClient, room: Room, user: int) -> bool:
    """Return whether Discord says that a player is no longer a member of the match's server.

    Nobody leaves a direct message.
    """
    guild = room.record.place.guild
    if not guild or user == COMPUTER:
        return False
    try:
        await client.http.get_member(guild, user)
    except discord.HTTPException as error:
        return error.code == error_codes.UNKNOWN_MEMBER
    return False
