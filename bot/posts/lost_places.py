"""Places that were lost: when a paused match can post again is noticed without asking Discord.

Discord tells the bot of every change to channels, threads, roles and its own membership, so what the bot may do where
is known without a request; and requests that are refused count towards a ban. So a match is tried again once it may
post by all that is known. Where Discord refuses although nothing seems to stand against it, that may pass as well
(moderators can silence a bot for a while), and the match is tried now and then, ever later.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

import discord
from msgspec import Struct

from bot import error_codes
from bot.errors import BotError, log_error
from bot.matches.records import DAMAGED
from bot.matches.room import Place, Room
from bot.permissions import missing
from bot.tasks import track_task
from engine import EngineError

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.lost_places")

GONE, FORBIDDEN = "gone", "forbidden"
"""Why a match is paused that cannot post."""
LOOKED_AT_EVERY = 600.0
"""Seconds between two looks at all of them, for what no event has told of."""
FIRST_TRY, LONGEST_WAIT = 600.0, 6 * 3600.0
"""Seconds before a match is tried that nothing seems to stand against; then twice as many each time, up to so many."""


def why_lost(error: discord.HTTPException) -> str:
    """Which of the two it is, by what Discord says of a place that is lost."""
    return GONE if error.code in error_codes.PLACE_GONE else FORBIDDEN


class Lost(Struct):
    """A match that cannot post where it lives."""

    place: Place
    why: str
    seemed_open: bool
    """Whether it could post by all that was known when it was last looked at."""
    wait: float = FIRST_TRY
    next_try: float = 0.0


class LostPlaces:
    """The matches that are paused because they could not post."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._lost: dict[str, Lost] = {}
        self._looking: asyncio.Task[None] | None = None
        self._next_look: asyncio.TimerHandle | None = None

    async def recall(self) -> None:
        """After a start: those that were paused then."""
        for room in await self._bot.matches.paused():
            if room.info.paused_for != DAMAGED:
                self._lost[room.info.id] = Lost(room.info.place, room.info.paused_for, seemed_open=False)
        self.look_again()

    def note(self, room: Room) -> bool:
        """A match was paused; whether that is news, and not one more try that failed."""
        if room.info.paused_for == DAMAGED:
            return True
        before = self._lost.get(room.info.id)
        wait = min(before.wait * 2, LONGEST_WAIT) if before else FIRST_TRY
        next_try = asyncio.get_running_loop().time() + wait
        place, why = room.info.place, room.info.paused_for
        self._lost[room.info.id] = Lost(place, why, self._seems_open(place, why), wait, next_try)
        self._look_later()
        return before is None

    def forget(self, match: str) -> None:
        """A match has posted."""
        self._lost.pop(match, None)

    def look_again(self) -> None:
        """Something may have changed in what the bot may do somewhere."""
        if self._lost and (self._looking is None or self._looking.done()):
            self._looking = track_task(self._look(), "lost-places")

    def close(self) -> None:
        """Look no more."""
        self._lost.clear()
        if self._next_look is not None:
            self._next_look.cancel()
        if self._looking is not None:
            self._looking.cancel()

    def _look_later(self) -> None:
        if self._next_look is not None:
            self._next_look.cancel()
        if self._lost:
            loop = asyncio.get_running_loop()
            self._next_look = loop.call_later(LOOKED_AT_EVERY, self.look_again)

    async def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        for match, lost in list(self._lost.items()):
            is_open = self._seems_open(lost.place, lost.why)
            # What has just opened is tried at once; what seemed open when it was refused, only when its time has come.
            is_due = not lost.seemed_open or now >= lost.next_try
            lost.seemed_open = is_open
            if is_open and is_due:
                await self._go_on(match)
        self._look_later()

    async def _go_on(self, match: str) -> None:
        try:
            room = await self._bot.matches.find(match)
            if room.info.paused_for and room.info.place == self._lost[match].place:
                log.info("match %s may be able to post again", match)
                # Should it be refused once more, it is paused once more, and its host is not told again.
                await self._bot.matches.moved(match, room.info.place)
            else:
                self.forget(match)
        except (BotError, EngineError) as error:
            log_error(error, f"match {match} cannot go on")

    def _seems_open(self, place: Place, why: str) -> bool:
        """Whether the bot may post there by all that Discord has told it."""
        guild = self._bot.get_guild(place.guild)
        channel = guild.get_channel(place.channel) if guild else None
        if guild is None or channel is None:
            return False
        thread = guild.get_thread(place.thread)
        if thread is None and place.thread and why == GONE:
            return False
        # Any other thread that is not known is archived: a post opens it.
        if thread is not None and thread.locked:
            return False
        return not missing(channel.permissions_for(guild.me), in_thread=bool(place.thread), wants_thread=False)
