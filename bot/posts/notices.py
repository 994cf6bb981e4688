"""Lines for a whole table that tell what has become of somebody's time; each stays due until it is posted."""

import logging
from typing import TYPE_CHECKING

import discord

from bot import error_codes
from bot.components import ids
from bot.components.items import view_of
from bot.components.parts import STRONG, Button, Row, button
from bot.errors import NotFound
from bot.matches.expiry import AWAY, LEAVES, NOTICE, OWN_DRAFT, VACATION_NOTICE
from bot.matches.pace import Expiry
from bot.matches.room import Due, Room, Status
from bot.reply import NOBODY
from bot.text import describe, say
from bot.text.names import marked_names
from engine import Seat

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.notices")


class Notices:
    """Posts what the tables are told about time. Nobody is called by it: whoever it is about has been warned."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        for kind in (NOTICE, VACATION_NOTICE):
            bot.matches.scheduler.register(kind, self._tell)

    async def _tell(self, due: Due) -> None:
        try:
            room = await self._bot.matches.find(due.match)
        except NotFound:
            return
        seat = room.seat_of(due.user)
        if seat is None or room.match is None or room.info.paused_for:
            return
        said = self._words(room, seat, due)
        rows = [self._buttons(room, seat, due.facts["key"])]
        place = room.info.place
        channel = self._bot.get_partial_messageable(place.posts_to, guild_id=place.guild or None)
        try:
            await self._send(channel, said, [row for row in rows if row], f"time-{due.id}")
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next board finds that out as well, and sees to it.
            log.info("match %s cannot be told about time (%s)", due.match, error.code)

    async def _send(
        self, channel: discord.PartialMessageable, said: str, rows: list[Row], nonce: str, opens_thread: bool = True
    ) -> None:
        try:
            await channel.send(said, view=view_of(rows), nonce=nonce, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if error.code != error_codes.ARCHIVED_THREAD or not opens_thread:
                raise
            await self._bot.http.edit_channel(channel.id, archived=False)
            await self._send(channel, said, rows, nonce, opens_thread=False)

    def _words(self, room: Room, seat: Seat, due: Due) -> str:
        key, at = due.facts["key"], due.facts.get("until")
        if key in (Expiry.DRAFT, OWN_DRAFT):
            at = self._bot.matches.clocks.confirmed_at(room, seat)
        facts = {"game": describe.title(room), "seat": seat, "at": at, "since": due.facts.get("since")}
        return say(f"time.{key}", marked_names(room), **facts)

    def _buttons(self, room: Room, seat: Seat, key: str) -> tuple[Button, ...]:
        match = room.info.id
        if room.info.status is not Status.RUNNING or key in (Expiry.FORFEIT, AWAY, LEAVES):
            return ()
        label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
        buttons = [button(ids.turn(match, "move"), label, STRONG)]
        if key == Expiry.CLAIM:
            buttons.insert(0, button(ids.turn(match, "claim", seat), say("time.claims")))
        return tuple(buttons)
