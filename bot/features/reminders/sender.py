"""Sends the reminders that are messages of their own: direct messages, digests, and reminders in a
thread.

A reminder is a job until it is sent, so nothing is lost, and the scheduler tries again what Discord
has not taken. Each carries a nonce, by which Discord knows a repeat for some minutes, and one that
may have been sent before is looked for first. Nobody waits for a reminder: all of them pass through
one bucket, so that ten thousand at once keep to Discord's limits and hold up neither boards nor
presses.

A direct message is only written to somebody who has asked for it, in the channel that was opened
then. If Discord refuses it they are told so once where they play, and reminded there from then on.

A clock stands still until its warning was sent, so a warning that never can be sent would hold up
its match:

- A direct message that is refused goes to the thread instead.
- A thread that is gone or closed to the bot pauses the match, and its host is told.
- A thread that refuses the warning for any other reason refuses boards too. Those wait as long as
  it takes, and so does the warning: the log has a line each time.
- A match in somebody's direct messages keeps nobody else waiting.
"""

import logging

import discord
from msgspec.structs import replace

from bot.features.reminders import messages, rules
from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.rules import DIGEST, Sent
from bot.features.reminders.service import RESULT_MESSAGE, Ready, Reminders
from bot.kernel.clocks import WARNING
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
"""Within which Discord surely knows a repeat by its nonce."""
LOOK_AGAIN = 600
"""Seconds before a reminder is tried again in a match that cannot post."""


class ReminderSender:
    """Sends reminders whose time has come, not too fast."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._kernel = client.kernel
        self._reminders = client.services.require(Reminders)
        self._outbox = client.services.require(Outbox)
        self._sender = client.services.require(Sender)
        self._bucket = client.services.require(Bucket)

    async def send(self, job: Job) -> None:
        """Send a reminder where its person wants it; where they play if that is refused."""
        await self._bucket.take()
        chosen = await self._reminders.of(job.user)
        try:
            if job.kind == DIGEST:
                await self._send_digest(job, chosen)
            elif not rules.is_sent_to_match(await self._kernel.matches.find(job.match), chosen):
                await self._send_directly(job, chosen)
            elif job.kind != RESULT_MESSAGE:
                await self._send_in_thread(job)
        except discord.HTTPException as error:
            # Passing trouble, or an answer that is not Discord's own: it is tried again.
            if not error.code or error_codes.is_passing(error):
                raise
            if chosen.is_direct:
                # Whatever the reason, such as a channel that is gone: the next message there would
                # fare no better.
                log.info("direct messages to a player are switched off (%s)", error.code)
                await self._reminders.note_direct_closed(job.user)
                await self.send(job)
            elif job.kind == WARNING:
                raise
            else:
                # It counts as sent, and the next one may fare better.
                log.warning(
                    "a reminder in match %s cannot be sent (%s)", job.match or "-", error.code
                )
                await self._reminders.skip(job)

    async def _send_directly(self, job: Job, chosen: ReminderSettings) -> None:
        # Before anything else is decided: in quiet hours, say, it would be put off and sent a
        # second time.
        sent = await self._find_sent(chosen.channel, job)
        if not sent:
            ready = [
                one
                for one in await self._reminders.due(job.match, job.user)
                if one.job.id == job.id
            ]
            if not ready:
                return
            made = messages.direct(ready[0], self._kernel.clocks.deadlines)
            silent = self._is_silent(ready[0])
            nonce = nonce_of(job)
            sent = await self._sender.send(chosen.channel, made, nonce, silent=silent)
        await self._reminders.note_sent(job, chosen.channel, sent)

    async def _send_in_thread(self, job: Job) -> None:
        """Remind everyone due in the match with one message, and those in quiet hours silently."""

        async def send() -> None:
            due = await self._reminders.due(job.match)
            try:
                for silent in (False, True):
                    if some := [one for one in due if self._is_silent(one) is silent]:
                        await self._remind_here(some, silent)
            except discord.HTTPException as error:
                if error.code not in error_codes.PLACE_LOST:
                    raise
                await self._outbox.pause(job.match, why_lost(error))

        # In the match's own task, so that its posts keep their order.
        if not await self._outbox.after_posts(job.match, send):
            later = replace(job, at=int(self._kernel.now()) + LOOK_AGAIN)
            await self._kernel.scheduler.replace(job, later)

    async def _remind_here(self, due: list[Ready], silent: bool) -> None:
        mentioned = [one.job.user for one in due if one.settings.level is not ReminderLevel.OFF]
        closed = [one.job.user for one in due if one.settings.closed]
        room = due[-1].room
        made = messages.here(due, mentioned, closed, self._kernel.clocks.deadlines)
        channel = room.record.place.posts_to
        sent = await self._find_sent(channel, due[0].job)
        nonce = nonce_of(due[0].job)
        sent = sent or await self._sender.send(channel, made, nonce, silent=silent)
        # The post before it is edited.
        await self._bucket.take()
        await self._outbox.note_reminder(
            await self._kernel.matches.find(room.record.id), sent, made.content
        )
        for one in due:
            await self._reminders.note_sent(one.job)
        for user in closed:
            await self._reminders.note_told_closed(user)

    async def _send_digest(self, job: Job, chosen: ReminderSettings) -> None:
        """Send all that waits for somebody directly, else where the most urgent of it is played."""
        deadlines = self._kernel.clocks.deadlines
        digest = await self._reminders.load_digest(job.user)
        sent = 0
        if digest.rooms:
            if chosen.is_direct:
                channel, made = chosen.channel, messages.digest(job, digest, deadlines)
            else:
                channel = digest.rooms[0].record.place.posts_to
                made = messages.digest_here(job, digest, chosen.closed, deadlines)
            sent = await self._find_sent(channel, job, mentions(made.pings))
        if not sent and await self._reminders.put_off_digest(job, digest):
            return
        sent = sent or await self._sender.send(channel, made, nonce_of(job))
        await self._reminders.note_digest_sent(job, digest, Sent(0, channel, sent))
        if made.pings:
            await self._reminders.note_told_closed(job.user)

    async def strip(self, job: Job) -> None:
        """Take the buttons and the mention off the message of a reminder that is answered."""
        await self._bucket.take()
        room = await self._kernel.matches.find(job.match) if job.match else None
        channel = self._client.get_partial_messageable(job.facts["channel"])
        try:
            message = channel.get_partial_message(job.facts["message"])
            await message.edit(content=messages.past(room), view=None)
        except DISCORD_ERRORS as error:
            # One that is gone is no loss, and old buttons are answered.
            name = type(error).__name__
            log.info("a reminder in match %s keeps its buttons (%s)", job.match or "-", name)

    def _is_silent(self, ready: Ready) -> bool:
        return rules.is_silent(ready.settings, self._kernel.now(), ready.kind)

    async def _find_sent(self, channel: int, job: Job, mention: str = "") -> int:
        """Return the message of a reminder that was sent without being noted; 0 if there is none.

        In a channel a digest must mention its person: digests to several people may be of the same
        second.
        """

        def is_it(message: discord.Message) -> bool:
            is_to_them = mention in message.content
            return is_to_them and any(
                messages.is_of(job, custom_id) for custom_id in custom_ids(message)
            )

        # Any process may have tried a reminder of no match.
        is_doubtful = not job.match and self._kernel.now() - job.at > NONCE_SECONDS
        return await self._sender.find(channel, nonce_of(job), job.at, is_it, is_doubtful)


def nonce_of(job: Job) -> str:
    """Return the nonce of a reminder: no longer than Discord allows, which is 25 characters."""
    return f"{job.match}{job.at:x}{job.user & 0xFFFFFF:x}"
