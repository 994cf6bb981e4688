"""Places that were lost: when a paused match can post again is noticed without asking Discord.

Discord tells the bot of every change to channels, threads, roles and its own membership, so what
the bot may do where is known without a request; and requests that are refused count towards a ban.
So a match is tried again when something has changed where it is played and it may post by all that
is known. Where Discord refuses although nothing seems to stand against it, that may pass as well
(moderators can silence a bot for a while), and the match is tried now and then, ever later.
"""

import asyncio
import logging

import discord
from cachetools import TTLCache
from msgspec import Struct

from bot.kernel import queries
from bot.kernel.encoding import DAMAGED
from bot.kernel.room import Room
from bot.model.match import Place
from bot.posts.places import move_match
from bot.runtime.errors import BotError, log_error
from bot.runtime.tasks import track_task
from bot.ui import MotuClient, error_codes
from bot.ui.permissions import missing
from engine import EngineError

log = logging.getLogger("motu.lost_places")

GONE, FORBIDDEN = "gone", "forbidden"
"""Why a match is paused that cannot post."""
LOOKED_AT_EVERY = 600.0
"""Seconds between two looks at all of them, for what no event has told of."""
FIRST_TRY, LONGEST_WAIT = 600.0, 6 * 3600.0
"""Seconds before a match is tried that nothing seems to stand against; then twice as many each
time, up to so many.
"""
AFTER_CHANGE = 3.0
"""Seconds before a match is tried once more, if something has changed where it is played."""
RECENT = 10.0
"""Seconds that a change is remembered: Discord may tell of it before it has refused a post, or
before it heeds it.
"""
REMEMBERED = 10_000
"""Changes that are remembered at most."""

ACCESS_EVENTS = frozenset(
    {
        "guild_available",
        "guild_channel_create",
        "guild_channel_update",
        "guild_join",
        "guild_role_delete",
        "guild_role_update",
        "member_update",
        "raw_thread_update",
        "thread_join",
    }
)
"""Events after which the bot may be able to post where it could not."""


def why_lost(error: discord.HTTPException) -> str:
    """Which of the two it is, by what Discord says of a place that is lost."""
    return GONE if error.code in error_codes.PLACE_GONE else FORBIDDEN


class Lost(Struct):
    """A match that cannot post where it lives."""

    place: Place
    why: str
    wait: float = FIRST_TRY
    refused_at: float = 0.0
    next_try: float = 0.0
    """By the loop's clock, as `refused_at`; it is tried then if it may post by all that is
    known.
    """


class LostPlaces:
    """The matches that are paused because they could not post."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._lost: dict[str, Lost] = {}
        self._changed: TTLCache[int, bool] = TTLCache(REMEMBERED, RECENT)
        """The servers, channels and threads in which something has changed of late."""
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._next_look: asyncio.TimerHandle | None = None

    async def recall(self) -> None:
        """After a start: those that were paused then."""
        kernel = self._client.kernel
        for room in await kernel.matches.select(
            queries.matches_unable_to_post, own=kernel.store.own
        ):
            if room.record.paused_for != DAMAGED:
                self._lost[room.record.id] = Lost(room.record.place, room.record.paused_for)
        self.look_again()

    def note(self, room: Room) -> bool:
        """A match was paused; whether that is news, and not one more try that failed."""
        if room.record.paused_for == DAMAGED:
            return True
        before = self._lost.get(room.record.id)
        wait = min(before.wait * 2, LONGEST_WAIT) if before else FIRST_TRY
        place, why = room.record.place, room.record.paused_for
        around = (place.guild, place.channel, place.thread)
        has_changed = why == FORBIDDEN and any(one in self._changed for one in around)
        now = asyncio.get_running_loop().time()
        next_try = now + (min(AFTER_CHANGE, wait) if has_changed else wait)
        self._lost[room.record.id] = Lost(place, why, wait, now, next_try)
        self._look_later()
        return before is None

    def forget(self, match: str) -> None:
        """A match has posted."""
        self._lost.pop(match, None)

    def on_event(self, event: str, *args: object) -> None:
        """Try the matches again that may be able to post after an event of Discord's."""
        if event not in ACCESS_EVENTS:
            return
        changed = self._place_of(args[-1])
        if not changed:
            return
        # A place that is new or there again cannot give a permission back to a post under way.
        if event.endswith(("update", "delete")):
            self._changed[changed] = True
        if not self._lost:
            return
        now = asyncio.get_running_loop().time()
        for lost in self._lost.values():
            if changed in (lost.place.guild, lost.place.channel, lost.place.thread):
                # Not at every event at once: what Discord refuses counts towards a ban.
                lost.next_try = min(lost.next_try, max(now, lost.refused_at + AFTER_CHANGE))
        self.look_again()

    def _place_of(self, subject: object) -> int:
        """Return the id of the server, channel or thread in which an event may let the bot post;
        0 if in none.
        """
        match subject:
            case discord.Guild() | discord.abc.GuildChannel() | discord.Thread():
                return subject.id
            case discord.RawThreadUpdateEvent():
                return subject.thread_id
            case discord.Member() if subject == subject.guild.me:
                return subject.guild.id
            # One that is gone is no longer among the bot's own.
            case discord.Role() if (
                subject in subject.guild.me.roles or subject not in subject.guild.roles
            ):
                return subject.guild.id
        return 0

    def look_again(self) -> None:
        """Try those whose time has come and that may post by all that is known."""
        self._again = True
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
            tries = [
                lost.next_try
                for lost in self._lost.values()
                if self._seems_open(lost.place, lost.why)
            ]
            wait = max(0.0, min(tries) - loop.time()) if tries else LOOKED_AT_EVERY
            self._next_look = loop.call_later(min(wait, LOOKED_AT_EVERY), self.look_again)

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        while self._again:
            self._again = False
            for match, lost in list(self._lost.items()):
                if loop.time() >= lost.next_try and self._seems_open(lost.place, lost.why):
                    # If this leads to neither a post nor a refusal, try again later.
                    lost.next_try = loop.time() + lost.wait
                    await self._go_on(match)
        self._look_later()

    async def _go_on(self, match: str) -> None:
        try:
            room = await self._client.kernel.matches.find(match)
            if room.record.paused_for and room.record.place == self._lost[match].place:
                log.info("match %s may be able to post again", match)
                # Should it be refused once more, it is paused once more, and its host is not told
                # again.
                await move_match(self._client.kernel, match, room.record.place)
            else:
                self.forget(match)
        except (BotError, EngineError) as error:
            log_error(error, f"match {match} cannot go on")

    def _seems_open(self, place: Place, why: str) -> bool:
        """Whether the bot may post there by all that Discord has told it."""
        guild = self._client.get_guild(place.guild)
        channel = guild.get_channel(place.channel) if guild else None
        if guild is None or channel is None:
            return False
        thread = guild.get_thread(place.thread)
        if thread is None and place.thread and why == GONE:
            return False
        # Any other thread that is not known is archived: a post opens it.
        if thread is not None and thread.locked:
            return False
        return not missing(
            channel.permissions_for(guild.me), in_thread=bool(place.thread), wants_thread=False
        )
