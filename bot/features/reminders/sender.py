"""Sends the reminders that are messages of their own: direct messages, digests, and reminders in a
thread.

A reminder that is wanted is a row in the database until it is sent, so nothing is lost; each
carries a nonce, by which Discord knows a repeat for some minutes, and one that may have been sent
before is looked for first. Nobody waits for a reminder: all of them pass through one bucket, so
that ten thousand at once keep to Discord's limits and hold up neither boards nor presses.

A direct message is only written to somebody who has asked for it, in the channel that was opened
then. If Discord refuses it they are told so once where they play, and reminded there from then on.
"""

import asyncio
import logging
from contextlib import suppress
from functools import partial

import discord
from msgspec.structs import replace

from bot.features.reminders import messages, queries, rules
from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.service import DIGEST, Reminders
from bot.kernel.change import Change
from bot.kernel.feature import PostExtras
from bot.kernel.room import Post
from bot.model.posts import Reminder
from bot.model.stored import ABSENCE, REMINDERS_REQUESTED
from bot.posts.outbox import Outbox
from bot.posts.places import why_lost
from bot.posts.sending import SentMessages, send_message
from bot.posts.turn_message import Message
from bot.runtime.errors import StoreError, log_error
from bot.runtime.tasks import Chores, track_task
from bot.ui import (
    DISCORD_ERRORS,
    UNREACHABLE,
    Bucket,
    MotuClient,
    backoff,
    custom_ids,
    error_codes,
    mentions,
)

log = logging.getLogger("motu.reminders")

NONCE_SECONDS = 60
"""Within which Discord surely knows a repeat by its nonce."""
READ_AT_ONCE = 64
"""Reminders read at a time."""
SENT_AT_ONCE = 8
"""Reminders being sent at a time: most of it is waiting for Discord."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""First and longest wait in seconds before a reminder is retried; the wait doubles each time."""
MAX_TRIES = 8
"""Tries after which a reminder is given up: minutes have passed, and there will be another. A
clock's warning is asked for again by the clock.
"""


class ReminderSender:
    """Sends the reminders that are wanted, one by one and not too fast."""

    def __init__(self, client: MotuClient) -> None:
        self._client = client
        self._kernel = client.kernel
        self._reminders = client.services.require(Reminders)
        self._outbox = client.services.require(Outbox)
        self._sent_messages = client.services.require(SentMessages)
        self._bucket = client.services.require(Bucket)
        self._looking = Chores("reminders", self._send_wanted)
        self._tidying = Chores("reminders-tidied", self._tidy_after_posts)
        self._sending: dict[tuple[str, int], asyncio.Task[None]] = {}
        """Reminders being sent, by match and user."""

    async def start(self) -> None:
        """Send what was wanted when the bot stopped, and everything from now on."""
        self._sent_messages.note_start()
        for match in await self._kernel.store.read(
            queries.matches_with_answered_reminders, own=self._kernel.store.own
        ):
            self._tidying.poke(match)
        self.poke()

    async def close(self) -> None:
        """Send no more; what is left stays wanted."""
        await asyncio.gather(self._looking.close(), self._tidying.close())
        for task in self._sending.values():
            task.cancel()
        await asyncio.gather(*self._sending.values(), return_exceptions=True)

    def poke(self) -> None:
        """Look for reminders that are wanted now."""
        self._looking.poke("")

    async def look(self) -> None:
        """Send what another process may have left unsent."""
        self.poke()

    # Reminders that go with a post or a change.

    async def extend_post(self, post: Post) -> PostExtras:
        """Return whom a post mentions; once it is there, what reminded them before loses its
        buttons.
        """
        extras = await self._reminders.extend_post(post)
        forget, put = extras.writes

        async def take_buttons_off() -> None:
            for reminder in forget.args:
                await self._take_buttons_off(reminder)

        is_wanted = any(reminder.wanted for reminder in put.args)
        return replace(extras, on_sent=take_buttons_off, on_noted=self.poke if is_wanted else None)

    def on_change(self, change: Change) -> None:
        """Take the buttons off reminders that a change has answered, unless the post does that
        it makes due.
        """
        is_answered = bool(change.queued_args(queries.answer_reminders))
        has_ended = change.after.is_over and not change.before.is_over
        has_new_people = change.before.record.chairs != change.after.record.chairs
        if change.announce_up_to is None and (is_answered or has_ended or has_new_people):
            self._tidying.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Go on with what another process has left to this one."""
        if notification == REMINDERS_REQUESTED:
            self.poke()
        elif notification != ABSENCE:
            self._tidying.poke(notification)

    async def _tidy_after_posts(self, match: str) -> None:
        # In the match's own task: otherwise a post could remind somebody anew while their last
        # reminder is forgotten.
        with suppress(TimeoutError):
            await self._outbox.after_posts(match, lambda: self.tidy(match))

    async def tidy(self, match: str) -> None:
        """Take the buttons off reminders that are answered."""
        for reminder in await self._reminders.outdated(match):
            await self._take_buttons_off(reminder)
            await self._reminders.forget(reminder)

    async def _take_buttons_off(self, reminder: Reminder) -> None:
        """Take the buttons and the mention off the message of a reminder; one that is gone is no
        loss.
        """
        if not reminder.message:
            return
        await self._bucket.take()
        channel = self._client.get_partial_messageable(reminder.channel)
        room = await self._kernel.matches.find(reminder.match) if reminder.match else None
        edited = channel.get_partial_message(reminder.message)
        try:
            await edited.edit(content=messages.past(room), view=None)
        except DISCORD_ERRORS as error:
            log.info(
                "a reminder in match %s keeps its buttons (%s)",
                reminder.match or "-",
                type(error).__name__,
            )

    # Reminders that are messages of their own.

    async def _send_wanted(self, _: str) -> None:
        """Begin to send everything that is wanted; each that is done has this run again."""
        try:
            wanted = await self._reminders.wanted(READ_AT_ONCE + SENT_AT_ONCE)
        except StoreError as error:
            log_error(error, "reminders have to wait")
            await asyncio.sleep(LONGEST_WAIT)
            self.poke()
            return
        for reminder in wanted:
            key = (reminder.match, reminder.user)
            if key in self._sending:
                continue
            while len(self._sending) >= SENT_AT_ONCE:
                await asyncio.wait(self._sending.values(), return_when=asyncio.FIRST_COMPLETED)
            self._sending[key] = track_task(self._keep_at(reminder), f"reminder-{reminder.match}")
            self._sending[key].add_done_callback(partial(self._done, key))

    def _done(self, key: tuple[str, int], task: asyncio.Task[None]) -> None:
        del self._sending[key]
        self.poke()

    async def _keep_at(self, reminder: Reminder) -> None:
        """Send a reminder, however often Discord has to be asked; give up when that is in vain.

        A clock stands still until its warning was sent, so a warning that never can be sent would
        hold up its match:

        - A direct message that is refused goes to the thread instead (`_send`).
        - A thread that is gone or closed to the bot pauses the match, and its host is told (`_send_in_thread`).
        - A thread that refuses the warning for any other reason refuses boards too. Those wait as long as it takes, and
          so does the warning: the log has a line each time.
        - A match in somebody's direct messages keeps nobody else waiting.
        """
        match = reminder.match or "-"
        await self._bucket.take()
        for tries in range(MAX_TRIES):
            try:
                await self._send(reminder)
                return
            except discord.HTTPException as error:
                if _is_refused(error):
                    log.warning("a reminder in match %s cannot be sent (%s)", match, error.code)
                    break
            except (StoreError, *UNREACHABLE) as error:
                log.info("a reminder in match %s has to wait (%s)", match, type(error).__name__)
            except Exception as error:
                log_error(error, f"a reminder in match {match} cannot be sent")
                break
            await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))
        try:
            await self._reminders.give_up(reminder)
        except StoreError as error:
            log_error(error)
            await asyncio.sleep(LONGEST_WAIT)

    async def _send(self, reminder: Reminder) -> None:
        """Send a reminder where its person wants it; where they play if Discord refuses direct
        messages to them.
        """
        match, chosen = reminder.match, await self._reminders.of(reminder.user)
        try:
            if reminder.wanted == DIGEST:
                await self._send_digest(reminder, chosen)
            elif chosen.is_direct and (sent := await self._find_sent(chosen.channel, reminder)):
                # Before anything else is decided: in quiet hours, say, it would be put off and sent
                # a second time.
                await self._note_direct(reminder, chosen.channel, sent)
            elif rules.is_sent_to_match(await self._kernel.matches.find(match), chosen):
                # In the match's own task, so that its posts keep their order and one message
                # reminds everybody.
                await self._outbox.after_posts(match, lambda: self._send_in_thread(match))
            elif ready := await self._reminders.prepare(reminder):
                made = messages.direct(ready.room, ready.reminder, self._kernel.clocks.deadlines)
                sent = await self._post(
                    chosen.channel, made, ready.reminder, self._is_silent(chosen, ready.reminder)
                )
                await self._note_direct(ready.reminder, chosen.channel, sent)
        except discord.HTTPException as error:
            if not chosen.is_direct or not _is_refused(error):
                raise
            # Whatever the reason, such as a channel that is gone: the next message there would fare
            # no better.
            log.info("direct messages to a player are switched off (%s)", error.code)
            await self._reminders.note_direct_closed(reminder.user)
            await self._send(reminder)

    async def _note_direct(self, reminder: Reminder, channel: int, sent: int) -> None:
        """Note that a direct message has reminded somebody: the one before it loses its buttons."""
        await self._take_buttons_off(reminder)
        await self._reminders.note_sent(reminder, channel, sent)
        await self.tidy(reminder.match)

    async def _send_in_thread(self, match: str) -> None:
        """Remind everyone due in a match with one message, and with a silent one those in quiet
        hours.
        """
        wanted = await self._reminders.wanted_here(match)
        try:
            for silent in (False, True):
                some = [
                    one for one in wanted if self._is_silent(one.settings, one.reminder) is silent
                ]
                if not some:
                    continue
                room = await self._kernel.matches.find(match)
                reminders = [one.reminder for one in some]
                mentioned = [
                    one.reminder.user for one in some if one.settings.level is not ReminderLevel.OFF
                ]
                closed = [one.reminder.user for one in some if one.settings.closed]
                made = messages.here(
                    room, reminders, mentioned, closed, self._kernel.clocks.deadlines
                )
                channel = room.record.place.posts_to
                sent = await self._find_sent(channel, reminders[0])
                sent = sent or await self._post(channel, made, reminders[0], silent)
                # The post before it is edited.
                await self._bucket.take()
                await self._outbox.note_reminder(room, sent, made.content)
                for reminder in reminders:
                    await self._reminders.note_sent(reminder)
                for user in closed:
                    await self._reminders.note_told_closed(user)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            await self._outbox.pause(match, why_lost(error))

    async def _send_digest(self, reminder: Reminder, chosen: ReminderSettings) -> None:
        """Send all that waits for somebody in a direct message, else where the most urgent of it
        is played.
        """
        deadlines = self._kernel.clocks.deadlines
        digest = await self._reminders.load_digest(reminder.user)
        if not digest.rooms:
            await self._reminders.drop(reminder)
            return
        if chosen.is_direct:
            channel, made = chosen.channel, messages.digest(reminder, digest, deadlines)
        else:
            channel = digest.rooms[0].record.place.posts_to
            made = messages.digest_here(reminder, digest, chosen.closed, deadlines)
        sent = await self._find_sent(channel, reminder, mentions(made.pings))
        sent = sent or await self._post(channel, made, reminder, silent=False)
        await self._take_buttons_off(reminder)
        await self._reminders.note_digest_sent(reminder, digest, channel, sent)
        if made.pings:
            await self._reminders.note_told_closed(reminder.user)

    def _is_silent(self, chosen: ReminderSettings, reminder: Reminder) -> bool:
        return rules.is_silent(chosen, self._kernel.now(), reminder.wanted)

    async def _find_sent(self, channel: int, reminder: Reminder, mention: str = "") -> int:
        """Return the message of a reminder that was sent without being noted; 0 if there is none.

        In a channel a digest must mention its person: digests to several people may be of the same
        second.
        """

        def is_it(message: discord.Message) -> bool:
            is_to_them = mention in message.content
            return is_to_them and any(
                messages.is_of(reminder, custom_id) for custom_id in custom_ids(message)
            )

        # Any process may have tried a reminder of no match.
        is_doubtful = not reminder.match and self._kernel.now() - reminder.since > NONCE_SECONDS
        key = (reminder.match, reminder.user, str(reminder.since))
        return await self._sent_messages.find(channel, key, reminder.since, is_it, is_doubtful)

    async def _post(self, channel: int, made: Message, reminder: Reminder, silent: bool) -> int:
        """Post the message of a reminder and return its id."""
        nonce = f"{reminder.match}{reminder.since:x}{reminder.user & 0xFFFFFF:x}"
        return (await send_message(self._client, channel, made, nonce, silent=silent)).id


def _is_refused(error: discord.HTTPException) -> bool:
    """Whether Discord itself says that it will not take a message, now or later."""
    return bool(error.code) and not error_codes.is_passing(error)
