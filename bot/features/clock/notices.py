"""Lines for a whole table about a player's time. Each is a job until it is posted."""

import logging

import discord

from bot.features.clock.claim import claim_button_id
from bot.features.clock.service import ON_VACATION
from bot.features.vacation import LEAVES
from bot.kernel.room import Room
from bot.model.clocks import Expiry
from bot.model.jobs import Job
from bot.model.match import Status
from bot.posts.threads import in_open_thread
from bot.runtime.errors import NotFound
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.components import turn_button_id
from bot.ui.names import marked_names
from bot.ui.parts import STRONG, Row, button, view_of
from bot.ui.rate import Bucket
from bot.ui.reply import NOBODY
from engine import Seat

log = logging.getLogger("motu.clock")


class TimeNotices:
    """Posts what tables are told about time. It mentions nobody: the player has been warned."""

    def __init__(self, client: MotuClient, bucket: Bucket) -> None:
        self._client = client
        self._clocks = client.kernel.clocks
        self._bucket = bucket

    async def post(self, job: Job) -> None:
        """Post a notice, if it still holds."""
        try:
            room = await self._client.kernel.matches.find(job.match)
        except NotFound:
            return
        seat = room.seat_of(job.user)
        if seat is None or room.match is None or room.record.paused_for or not self._still_holds(room, seat, job):
            return
        words, rows = self._words(room, seat, job), _rows(room, seat, job.facts["key"])
        channel = self._client.channel_of(room.record.place)
        await self._bucket.take()

        async def send() -> discord.Message:
            # Discord answers a repeated nonce with the message that is there, for some minutes.
            return await channel.send(words, view=view_of(rows), nonce=f"time-{job.id}", allowed_mentions=NOBODY)

        try:
            await in_open_thread(self._client, channel.id, send)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next post will fail as well, and pause the match.
            log.info("match %s cannot be told about time (%s)", job.match, error.code)

    def _still_holds(self, room: Room, seat: Seat, job: Job) -> bool:
        """Return whether there is still something to tell: the player may have moved, or come back."""
        match job.facts["key"]:
            case Expiry.REMIND | Expiry.CLAIM:
                return room.is_expired(seat)
            case Expiry.DRAFT:
                return self._clocks.confirmed_at(room, seat) is not None
            case Expiry.COMPUTER:
                return seat in room.playing().away
        return True

    def _words(self, room: Room, seat: Seat, job: Job) -> str:
        key, at = job.facts["key"], job.facts.get("until")
        if key == Expiry.DRAFT:
            at = self._clocks.confirmed_at(room, seat)
        game = say("match.title", game=describe.title(room), id=room.record.id)
        facts = {"game": game, "seat": seat, "at": at, "since": job.facts.get("since")}
        return say(f"time.{key}", marked_names(room), clock=bool(room.record.clocks.seats), **facts)


def _rows(room: Room, seat: Seat, key: str) -> list[Row]:
    if room.record.status is not Status.RUNNING or key in (Expiry.FORFEIT, ON_VACATION, LEAVES):
        return []
    label = say("time.back") if key == Expiry.COMPUTER else say("time.move")
    buttons = [button(turn_button_id(room.record.id, "move"), label, STRONG)]
    if key == Expiry.CLAIM:
        buttons.insert(0, button(claim_button_id(room.record.id, seat), say("time.claims")))
    return [tuple(buttons)]
