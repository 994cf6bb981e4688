"""Tells those who sit in a lobby that the terms about time have changed."""

import logging

import discord
from cachetools import TTLCache
from msgspec.structs import replace

from bot.features.reminders.player_settings import ReminderLevel
from bot.features.reminders.service import TERMS, Reminders
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.match import Status
from bot.runtime.clock import HOUR
from bot.runtime.errors import NotFound
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.names import mentions
from bot.ui.reply import NOBODY, only

log = logging.getLogger("motu.lobbies")

LOBBIES_REMEMBERED = 1000
"""Lobbies whose last notice is remembered."""
EDITED_FOR_SECONDS = HOUR
"""How long a notice is edited when the terms change again; after that people are mentioned anew."""


class TermsNotices:
    """The notices in all lobbies."""

    def __init__(self, client: MotuClient, reminders: Reminders) -> None:
        self._client = client
        self._kernel = client.kernel
        self._reminders = reminders
        self._told: TTLCache[str, tuple[int, set[int]]] = TTLCache(
            LOBBIES_REMEMBERED, EDITED_FOR_SECONDS, client.kernel.now
        )
        """The newest notice in a lobby, and all who were mentioned for such lately."""

    async def tell(self, room: Room) -> None:
        """Tell those who sat down on other terms; in their quiet hours, when these end."""
        seated = [user for user in room.players if user != room.record.host]
        if not seated or room.record.status is not Status.LOBBY:
            return
        match = room.record.id
        for user in seated:
            chosen = await self._reminders.of(user)
            if chosen.level is ReminderLevel.DIGEST:
                await self._reminders.put_in_digest(user, match)
            until = chosen.quiet_until(self._kernel.now())
            if chosen.level is ReminderLevel.TURN and until is not None:
                await self._kernel.scheduler.set(Job(TERMS, until, match, user))
        try:
            await self._mention(room, await self._reminders.mentionable(seated))
        except discord.HTTPException as error:
            log.info("the people in lobby %s are not told of other terms (%s)", match, error.code)

    async def tell_after_quiet_hours(self, job: Job) -> None:
        """Mention somebody for terms that were changed in their quiet hours."""
        user = job.user
        try:
            room = await self._kernel.matches.find(job.match)
        except NotFound:
            return
        chosen = await self._reminders.of(user)
        is_seated = room.record.status is Status.LOBBY and user in room.players
        if not is_seated or chosen.level is not ReminderLevel.TURN:
            return
        until = chosen.quiet_until(self._kernel.now())
        if until is not None:
            await self._kernel.store.write(queries.schedule, replace(job, at=until))
            return
        try:
            await self._mention(room, [user])
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            log.info("lobby %s cannot tell of other terms (%s)", job.match, error.code)

    async def _mention(self, room: Room, users: list[int]) -> None:
        """Mention people for other terms; if all were lately, edit that notice, for the host may go on changing."""
        match, place = room.record.id, room.record.place
        channel = self._client.get_partial_messageable(place.channel, guild_id=place.guild or None)
        said = say(
            "pace.changed",
            game=describe.title(room),
            id=match,
            called=mentions(users),
            contract=describe.time_contract(room.record.terms.time),
        )
        message, mentioned = self._told.get(match, (0, set[int]()))
        if message and mentioned.issuperset(users):
            try:
                await channel.get_partial_message(message).edit(content=said, allowed_mentions=NOBODY)
                return
            except discord.HTTPException as error:
                if error.code != error_codes.UNKNOWN_MESSAGE:
                    raise
                # Somebody has deleted it, perhaps before anybody had read it.
                mentioned = set()
        newly_mentioned = [user for user in users if user not in mentioned]
        sent = await channel.send(said, allowed_mentions=only(newly_mentioned))
        self._told[match] = sent.id, mentioned.union(newly_mentioned)
