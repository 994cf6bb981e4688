"""Send reminders when their jobs run: direct messages, digests, and reminders in a match's thread.

A reminder stays a job until it is sent, so none is lost, and the scheduler retries those that
Discord did not accept. Each has a nonce, by which Discord drops a duplicate for some minutes; after
that, the sender first searches the channel for it. Nobody is waiting for a reminder, so all of them
share one rate limit (Bucket): even ten thousand at once do not delay boards or answers to presses.

A direct message is sent only to players who have asked for it, in the channel that was opened then.
If Discord refuses it, the player is told once in the thread, and reminded there from then on.

A clock stops until its warning is sent, so a warning that can never be sent would stall its match:

- If a direct message is refused, the warning goes to the thread.
- If the thread is gone or closed to the bot, the match is paused, and its host is told.
- If the thread refuses the warning for any other reason, it refuses boards too. The warning is
  retried as long as they are, with a log line each time.
- A match in direct messages has only one player, so nobody else is kept waiting.
"""

import logging

import discord
from msgspec.structs import replace

from bot.features.reminders import messages, rules
from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.rules import DIGEST, Sent
from bot.features.reminders.service import RESULT_MESSAGE, Ready, Reminders
from bot.kernel.clocks import WARNING
from bot.kernel.languages import speaking_to_player, speaking_to_table
from bot.model import Job
from bot.posts.outbox import Outbox
from bot.posts.places import why_lost
from bot.posts.sending import Sender
from bot.ui import (
    DISCORD_ERRORS,
    Bucket,
    MotuClient,
    custom_ids,
    error_codes,
    mentions,
)

log = logging.getLogger("motu.reminders")

NONCE_SECONDS = 60
"""For how long we can rely on Discord to drop a second message with the same nonce."""
RETRY_SECONDS = 600
"""How long to wait before retrying a reminder in a match that cannot post."""


class ReminderSender:
    """Sends reminders when their jobs run, within the rate limit."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._kernel = client.kernel
        self._reminders = client.services.require(Reminders)
        self._outbox = client.services.require(Outbox)
        self._sender = client.services.require(Sender)
        self._bucket = client.services.require(Bucket)

    async def send(self, job: Job) -> None:
        """Send a reminder directly or to the thread, as the player has chosen."""
        await self._bucket.take()
        settings = await self._reminders.of(job.user)
        try:
            if job.kind == DIGEST:
                await self._send_digest(job, settings)
            elif not rules.is_sent_to_match(await self._kernel.matches.find(job.match), settings):
                await self._send_directly(job, settings)
            elif job.kind != RESULT_MESSAGE:
                await self._send_in_thread(job)
        except discord.HTTPException as error:
            # A temporary failure, or the error page of a proxy: let the scheduler retry.
            if not error.code or error_codes.is_passing(error):
                raise
            if settings.is_direct:
                # Whatever Discord's reason is, it would refuse the next direct message as well.
                log.info(
                    "a player's direct messages are closed, switching to mentions (%s)", error.code
                )
                await self._reminders.note_direct_closed(job.user)
                await self.send(job)
            elif job.kind == WARNING:
                raise
            else:
                # Count it as sent, so that the next one is scheduled as usual.
                log.warning(
                    "couldn't send a reminder in match %s (%s)", job.match or "-", error.code
                )
                await self._reminders.skip(job)

    async def _send_directly(self, job: Job, chosen: ReminderSettings) -> None:
        # Check this first. If it was sent but not recorded, and quiet hours have begun since,
        # `find_due` would put it off, and it would be sent a second time.
        sent = await self._find_sent(chosen.channel, job)
        if not sent:
            ready = [
                one
                for one in await self._reminders.find_due(job.match, job.user)
                if one.job.id == job.id
            ]
            if not ready:
                return
            with speaking_to_player(ready[0].room.record, job.user):
                message = messages.make_direct_reminder(ready[0], self._kernel.clocks.deadlines)
            silent = self._is_silent(ready[0])
            nonce = reminder_nonce(job)
            sent = await self._sender.send(chosen.channel, message, nonce, silent=silent)
        await self._reminders.note_sent(job, chosen.channel, sent)

    async def _send_in_thread(self, job: Job) -> None:
        """Send one message for all players due in the match, and a silent one for quiet hours."""

        async def send() -> None:
            due = await self._reminders.find_due(job.match)
            try:
                for silent in (False, True):
                    if reminders := [one for one in due if self._is_silent(one) is silent]:
                        await self._remind_here(reminders, silent)
            except discord.HTTPException as error:
                if error.code not in error_codes.PLACE_LOST:
                    raise
                await self._outbox.pause(job.match, why_lost(error))

        # Through the outbox, so that reminders and posts of a match keep their order.
        if not await self._outbox.after_posts(job.match, send):
            later = replace(job, at=int(self._kernel.now()) + RETRY_SECONDS)
            await self._kernel.scheduler.replace(job, later)

    async def _remind_here(self, due: list[Ready], silent: bool) -> None:
        mentioned = [one.job.user for one in due if one.settings.level is not ReminderLevel.OFF]
        closed = [one.job.user for one in due if one.settings.closed]
        room = due[-1].room
        with speaking_to_table(room.record):
            message = messages.make_thread_reminder(
                due, mentioned, closed, self._kernel.clocks.deadlines
            )
        channel = room.record.place.posts_to
        sent = await self._find_sent(channel, due[0].job)
        nonce = reminder_nonce(due[0].job)
        sent = sent or await self._sender.send(channel, message, nonce, silent=silent)
        # `note_reminder` edits the post before it, which counts towards the rate limit too.
        await self._bucket.take()
        await self._outbox.note_reminder(
            await self._kernel.matches.find(room.record.id), sent, message.content
        )
        for one in due:
            await self._reminders.note_sent(one.job)
        for user in closed:
            await self._reminders.note_told_closed(user)

    async def _send_digest(self, job: Job, chosen: ReminderSettings) -> None:
        """Send a digest directly, or else to the thread of its most urgent match."""
        deadlines = self._kernel.clocks.deadlines
        digest = await self._reminders.load_digest(job.user)
        sent = 0
        if digest.rooms:
            record = digest.rooms[0].record
            if chosen.is_direct:
                channel = chosen.channel
                with speaking_to_player(record, job.user):
                    message = messages.make_digest(job, digest, deadlines)
            else:
                channel = record.place.posts_to
                with speaking_to_table(record):
                    message = messages.make_thread_digest(job, digest, chosen.closed, deadlines)
            sent = await self._find_sent(channel, job, mentions(message.pings))
        if not sent and await self._reminders.put_off_digest(job, digest):
            return
        sent = sent or await self._sender.send(channel, message, reminder_nonce(job))
        await self._reminders.note_digest_sent(job, digest, Sent(0, channel, sent))
        if message.pings:
            await self._reminders.note_told_closed(job.user)

    async def strip(self, job: Job) -> None:
        """Replace the text of an answered reminder, and remove its buttons. Handles STRIP."""
        await self._bucket.take()
        text = messages.past_text(None)
        if job.match:
            room = await self._kernel.matches.find(job.match)
            with speaking_to_player(room.record, job.user):
                text = messages.past_text(room)
        channel = self._client.get_partial_messageable(job.facts["channel"])
        try:
            message = channel.get_partial_message(job.facts["message"])
            await message.edit(content=text, view=None)
        except DISCORD_ERRORS as error:
            # That does no harm: the message may be deleted, and its old button still works.
            error_name = type(error).__name__
            log.info(
                "couldn't remove the buttons of a reminder in match %s (%s)",
                job.match or "-",
                error_name,
            )

    def _is_silent(self, ready: Ready) -> bool:
        return rules.is_silent(ready.settings, self._kernel.now(), ready.kind)

    async def _find_sent(self, channel: int, job: Job, mention: str = "") -> int:
        """Return the id of a reminder that was sent but not recorded; 0 if there is none.

        `mention` tells apart the digests of several players in one channel, which may be due in
        the same second.
        """

        def is_reminder(message: discord.Message) -> bool:
            is_to_them = mention in message.content
            return is_to_them and any(
                messages.is_button_of(job, custom_id) for custom_id in custom_ids(message)
            )

        # A digest belongs to no match, so any process may have tried to send it.
        is_doubtful = not job.match and self._kernel.now() - job.at > NONCE_SECONDS
        return await self._sender.find(
            channel, reminder_nonce(job), job.at, is_reminder, is_doubtful
        )


def reminder_nonce(job: Job) -> str:
    """Return the nonce of a reminder, which fits into the 25 characters that Discord allows."""
    return f"{job.match}{job.at:x}{job.user & 0xFFFFFF:x}"
