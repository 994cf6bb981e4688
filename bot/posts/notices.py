"""Lines for a whole table that tell what has become of somebody's time; each stays due until it is posted."""

import logging
from typing import TYPE_CHECKING

import discord

from bot import error_codes
from bot.components import ids
from bot.components.items import view_of
from bot.components.parts import STRONG, Button, button
from bot.errors import NotFound
from bot.matches.expiry import AWAY, LEAVES, NOTICE, VACATION_NOTICE
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
        if seat is None or room.match is None or room.info.paused_for or not self._still_holds(room, seat, due):
            return
        said, buttons = self._words(room, seat, due), self._buttons(room, seat, due.facts["key"])
        channel = self._bot.channel_of(room.info.place)
        await self._bot.calls.bucket.take()

        async def send() -> discord.Message:
            # Discord answers a repeated nonce with the message that is there, for some minutes.
            return await channel.send(
                said, view=view_of([buttons] if buttons else []), nonce=f"time-{due.id}", allowed_mentions=NOBODY
            )

        try:
            await self._bot.outbox.in_open_thread(channel.id, send)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next board finds that out as well, and sees to it.
            log.info("match %s cannot be told about time (%s)", due.match, error.code)

    def _still_holds(self, room: Room, seat: Seat, due: Due) -> bool:
        """Whether there is still something to tell: the player may have moved, or come back, before it was posted."""
        clocks = self._bot.matches.clocks
        match due.facts["key"]:
            case Expiry.REMIND | Expiry.CLAIM:
                return room.is_expired(seat)
            case Expiry.DRAFT:
                return clocks.confirmed_at(room, seat) is not None
            case Expiry.COMPUTER:
                return seat in room.playing().away
        return True

    def _words(self, room: Room, seat: Seat, due: Due) -> str:
        key, at = due.facts["key"], due.facts.get("until")
        if key == Expiry.DRAFT:
            at = self._bot.matches.clocks.confirmed_at(room, seat)
        game = say("match.title", game=describe.title(room), id=room.info.id)
        facts = {"game": game, "seat": seat, "at": at, "since": due.facts.get("since")}
        return say(f"time.{key}", marked_names(room), clock=bool(room.info.clocks.seats), **facts)

    def _buttons(self, room: Room, seat: Seat, key: str) -> tuple[Button, ...]:
        match = room.info.id
        if room.info.status is not Status.RUNNING or key in (Expiry.FORFEIT, AWAY, LEAVES):
            return ()
        label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
        buttons = [button(ids.turn(match, "move"), label, STRONG)]
        if key == Expiry.CLAIM:
            buttons.insert(0, button(ids.turn(match, "claim", seat), say("time.claims")))
        return tuple(buttons)
