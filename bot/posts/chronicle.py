"""Where a server wants results told: one post for each match that people have played to its end.

That it is due is written with the match's last post. Should the bot stop before it is noted, the channel is looked
through for it first. Whatever is wrong with that channel never touches the match: the server's owner is told once, and
/settings says it as long as it lasts.
"""

import logging
from typing import TYPE_CHECKING, Any

import discord

from bot import error_codes
from bot.components.parts import CONTENT, cut
from bot.errors import log_error
from bot.matches import records, results
from bot.matches.announcements import CHRONICLE
from bot.matches.room import Room, Status
from bot.matches.server_settings import ServerSettings
from bot.permissions import missing
from bot.pictures import NotDrawn, Picture
from bot.posts.after_end import AfterEnd
from bot.posts.remarkable import remark
from bot.reply import NOBODY, attached
from bot.text import describe, listed, say
from bot.text.names import discreet, marked_names, plain_names
from engine import EngineError

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.chronicle")

LOOKED_BACK = 200
"""Messages looked through for a post that may be there already."""


class Chronicle:
    """Tells the results of all servers that want it."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        AfterEnd(bot, CHRONICLE, self._tell, self._stay_silent)

    async def _tell(self, room: Room) -> None:
        settings = await self._bot.matches.servers.of(room.info.place.guild)
        if not settings.chronicle or not is_told(room):
            return
        guild = self._bot.get_guild(room.info.place.guild)
        if guild is not None and trouble(guild, settings):
            await self._lost(room)
            return
        hidden = await self._bot.matches.standing.hidden(room.players)
        if set(room.players) <= hidden:
            return
        channel = self._bot.get_partial_messageable(settings.chronicle, guild_id=room.info.place.guild)
        if await self._is_there(channel, room):
            return
        shown = discreet(room, hidden)
        content = await self._content(shown)
        pictures = [await self._board(shown), await self._bot.films.of_end(shown) if settings.films else None]
        sending: dict[str, Any] = {"nonce": f"{room.info.id}-result", "allowed_mentions": NOBODY}
        try:
            await channel.send(content, files=attached(pictures), **sending)
        except discord.HTTPException as error:
            if error.status not in (400, 413):
                raise
            log_error(error, f"the result of match {room.info.id} is told without pictures")
            await channel.send(content, **sending)
        if settings.is_chronicle_lost:
            await self._bot.matches.servers.change(room.info.place.guild, is_chronicle_lost=False)

    async def _is_there(self, channel: discord.PartialMessageable, room: Room) -> bool:
        """Whether the result was told just before the bot stopped; Discord drops a repeat for some minutes only."""
        after = discord.Object(room.info.turn_message) if room.info.turn_message else None
        async for message in channel.history(limit=LOOKED_BACK, after=after, oldest_first=False):
            if message.author == self._bot.user and describe.link(room) in message.content:
                return True
        return False

    async def _content(self, room: Room) -> str:
        matches = self._bot.matches
        kept = records.line(await matches.store.commits(room.info.id), room.playing().game)
        commits = [records.commit(stored, room.playing().game) for stored in kept]
        earlier = await matches.store.scores_before(room.info.id)
        fact = remark(room, marked_names(room), records.facts(commits, None), earlier)
        facts = {"result": describe.result(room, marked_names(room)), "places": describe.places(room)}
        return cut(say("chronicle.post", fact=fact, link=describe.link(room), **facts), CONTENT)

    async def _board(self, room: Room) -> Picture | None:
        try:
            news = await self._bot.matches.announcements.news(room, None)
            scene = describe.scene(room, news, None)
            return await self._bot.pictures.board(room.playing().view(None), plain_names(room), **scene)
        except NotDrawn:
            raise
        except EngineError as error:
            log_error(error, f"match {room.info.id} cannot be drawn")
            return None

    async def _stay_silent(self, room: Room, error: Exception) -> None:
        if getattr(error, "code", 0) in error_codes.PLACE_LOST:
            await self._lost(room)
        log.info("the result of match %s is not told (%s)", room.info.id, type(error).__name__)

    async def _lost(self, room: Room) -> None:
        """Tell the owner of the server, once, why results are not told."""
        settings = await self._bot.matches.servers.of(room.info.place.guild)
        if settings.is_chronicle_lost:
            return
        guild = self._bot.get_guild(room.info.place.guild)
        await self._bot.matches.servers.change(room.info.place.guild, is_chronicle_lost=True)
        if guild is not None and guild.owner_id:
            why = trouble(guild, settings) or say("chronicle.refused", channel=f"<#{settings.chronicle}>")
            await self._bot.outbox.tell(guild.owner_id, say("chronicle.lost", server=guild.name, why=why))


def is_told(room: Room) -> bool:
    """Whether a match is one whose result is told: played to its end by two people or more, and no lesson."""
    if room.info.status is not Status.FINISHED or room.info.terms.lesson or not room.info.place.guild:
        return False
    return any(result.kind in results.PLAYED for result in results.of(room))


def trouble(guild: discord.Guild, settings: ServerSettings) -> str:
    """Why results cannot be told where a server wants them, in words; '' if they can."""
    channel = guild.get_channel(settings.chronicle)
    if channel is None:
        return say("chronicle.gone")
    lacking = missing(channel.permissions_for(guild.me), in_thread=False, wants_thread=False)
    return say("server.lacks", channel=f"<#{channel.id}>", permissions=listed(lacking)) if lacking else ""
