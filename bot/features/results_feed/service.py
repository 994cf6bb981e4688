"""Results posted where a server wants them: one post for each match that was played to its end.

The job to post a result is written with the match's last post. Should the bot stop before the job
is noted as done, the channel is looked through for the post first. Whatever is wrong with that
channel never touches the match: the server's owner is told once, and /settings says it as long as
it lasts.
"""

import logging
from typing import Any

import discord

from bot.features.films.service import Films
from bot.features.ratings import results
from bot.features.results_feed.remarks import choose_remark
from bot.features.server_settings.settings import Servers
from bot.kernel import records
from bot.kernel.room import Room
from bot.model.match import Status
from bot.model.results import PLAYED
from bot.posts.after_end import AfterEnd
from bot.runtime.errors import log_error
from bot.store import queries, standings
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.names import discreet, hidden_players, marked_names, plain_names
from bot.ui.parts import CONTENT, cut
from bot.ui.permissions import results_channel_problem
from bot.ui.pictures import NotDrawn, Picture
from bot.ui.reply import NOBODY, attached, write_to
from engine import EngineError

log = logging.getLogger("motu.results_feed")

RESULT = "chronicle"
"""The job that posts the result of a match."""
MESSAGES_LOOKED_THROUGH = 200
"""How far to look back for a post that may be there already."""


class ResultsFeed:
    """Posts the results of all servers that want it."""

    def __init__(self, client: MotuClient, servers: Servers, films: Films | None) -> None:
        self._client = client
        self._servers = servers
        self._films = films
        self.after_end = AfterEnd(client, RESULT, self._post_result, self._give_up)

    async def _post_result(self, room: Room) -> None:
        """Post the result of a match, unless it is there or not wanted."""
        guild_id = room.record.place.guild
        settings = await self._servers.of(guild_id)
        if not settings.chronicle or not has_result_for_feed(room):
            return
        guild = self._client.get_guild(guild_id)
        if guild is not None and results_channel_problem(guild, settings.chronicle):
            await self._tell_owner(room)
            return
        hidden = await hidden_players(self._client, room.players)
        if set(room.players) <= hidden:
            return
        channel = self._client.get_partial_messageable(settings.chronicle, guild_id=guild_id)
        if await self._is_posted(channel, room):
            return
        shown = discreet(room, hidden)
        content = await self._content(shown)
        pictures = [await self._draw_board(shown)]
        if settings.films and self._films is not None:
            pictures.append(await self._films.of_end(shown))
        # By the nonce Discord knows a repeat for some minutes.
        sending: dict[str, Any] = {"nonce": f"{room.record.id}-result", "allowed_mentions": NOBODY}
        try:
            await channel.send(content, files=attached(pictures), **sending)
        except discord.HTTPException as error:
            if error.status not in (400, 413):
                raise
            log_error(error, f"the result of match {room.record.id} is posted without pictures")
            await channel.send(content, **sending)
        if settings.is_chronicle_lost:
            await self._servers.change(guild_id, is_chronicle_lost=False)

    async def _is_posted(self, channel: discord.PartialMessageable, room: Room) -> bool:
        """Return whether the result was posted just before the bot stopped."""
        last_board = discord.Object(room.record.turn_message) if room.record.turn_message else None
        history = channel.history(limit=MESSAGES_LOOKED_THROUGH, after=last_board, oldest_first=False)
        async for message in history:
            is_ours = message.author == self._client.user
            if is_ours and describe.link(room) in message.content:
                return True
        return False

    async def _content(self, room: Room) -> str:
        """Put the result of a match into words, with a remark about it."""
        store, game = self._client.kernel.store, room.playing().game
        kept = records.line(await store.read(queries.commits, room.record.id), game)
        events = records.facts([records.commit(stored, game) for stored in kept], None)
        earlier = await store.read(standings.scores_before, room.record.id)
        names = marked_names(room)
        said = say(
            "chronicle.post",
            fact=choose_remark(room, names, events, earlier),
            link=describe.link(room),
            result=describe.result(room, names),
            places=describe.places(room),
        )
        return cut(said, CONTENT)

    async def _draw_board(self, room: Room) -> Picture | None:
        try:
            news = await self._client.kernel.announcements.news(room, None)
            return await self._client.pictures.board(
                room.playing().view(None), plain_names(room), **describe.scene(room, news, None)
            )
        except NotDrawn:
            # The bot stops: the job runs again after the next start.
            raise
        except EngineError as error:
            log_error(error, f"match {room.record.id} cannot be drawn")
            return None

    async def _give_up(self, room: Room, error: Exception) -> None:
        """Leave a result unposted."""
        if getattr(error, "code", 0) in error_codes.PLACE_LOST:
            await self._tell_owner(room)
        log.info("the result of match %s is not posted (%s)", room.record.id, type(error).__name__)

    async def _tell_owner(self, room: Room) -> None:
        """Tell the owner of the server, once, why results are not posted."""
        guild_id = room.record.place.guild
        settings = await self._servers.of(guild_id)
        if settings.is_chronicle_lost:
            return
        await self._servers.change(guild_id, is_chronicle_lost=True)
        guild = self._client.get_guild(guild_id)
        if guild is None or not guild.owner_id:
            return
        why = results_channel_problem(guild, settings.chronicle)
        if not why:
            why = say("chronicle.refused", channel=f"<#{settings.chronicle}>")
        await write_to(self._client, guild.owner_id, say("chronicle.lost", server=guild.name, why=why))


def has_result_for_feed(room: Room) -> bool:
    """Return whether two people or more have played a match to its end, and it was no lesson."""
    is_finished = room.record.status is Status.FINISHED
    if not is_finished or room.record.terms.lesson or not room.record.place.guild:
        return False
    return any(result.kind in PLAYED for result in results.of(room))
