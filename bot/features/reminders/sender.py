"""Sends the reminders that are messages of their own: direct messages, digests, and reminders in a thread.

A reminder that is wanted is a row in the database until it is sent, so nothing is lost; each carries a nonce, by which
Discord knows a repeat for some minutes, and one that may have been sent before is looked for first. Nobody waits for a
reminder: all of them pass through one bucket, so that ten thousand at once keep to Discord's limits and hold up neither
boards nor presses.

A direct message is only written to somebody who has asked for it, in the channel that was opened then. If Discord
refuses it they are told so once where they play, and reminded there from then on.
"""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from functools import partial

import discord
from msgspec.structs import replace

from bot.features.reminders import messages
from bot.features.reminders import queries as reminder_queries
from bot.features.reminders.messages import ReminderMessage
from bot.features.reminders.player_settings import ReminderSettings
from bot.features.reminders.service import DIGEST, Reminders
from bot.kernel.change import Change
from bot.kernel.feature import PostExtras
from bot.kernel.room import Post, Room
from bot.model.posts import Reminder
from bot.model.stored import ABSENCE, CALLS_WANTED
from bot.posts.chores import Chores
from bot.posts.lost_places import why_lost
from bot.posts.outbox import Outbox
from bot.posts.sent_messages import SentMessages
from bot.posts.threads import in_open_thread
from bot.runtime.errors import StoreError, log_error
from bot.runtime.tasks import track_task
from bot.ui import error_codes
from bot.ui.client import MotuClient
from bot.ui.parts import custom_ids, view_of
from bot.ui.rate import Bucket, backoff
from bot.ui.reply import NOBODY, UNREACHABLE, only

log = logging.getLogger("motu.reminders")

NONCE_SECONDS = 60
"""Within which Discord surely knows a repeat by its nonce."""
READ_AT_ONCE = 64
"""Reminders read at a time."""
SENT_AT_ONCE = 8
"""Reminders being sent at a time: most of it is waiting for Discord."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a reminder is tried again; then twice as many each time, up to so many."""
MAX_TRIES = 8
"""Tries after which a reminder is given up: minutes have passed, and there will be another. A clock's warning is asked
for again by the clock."""


class ReminderSender:
    """Sends the reminders that are wanted, one by one and not too fast."""

    def __init__(
        self,
        client: MotuClient,
        reminders: Reminders,
        outbox: Outbox,
        sent_messages: SentMessages,
        bucket: Bucket,
    ) -> None:
        self._client = client
        self._kernel = client.kernel
        self._reminders = reminders
        self._outbox = outbox
        self._sent_messages = sent_messages
        self._bucket = bucket
        self._running: asyncio.Task[None] | None = None
        self._again = False
        """Whether more may be wanted than the running task has looked for."""
        self._closing = False
        self._sending: dict[tuple[str, int], asyncio.Task[None]] = {}
        """Reminders being sent, by match and user."""
        self._tidying = Chores("reminders", self._tidy_after_posts)

    async def start(self) -> None:
        """Send what was wanted when the bot stopped, and everything from now on."""
        self._sent_messages.note_start()
        for match in await self._kernel.store.read(
            reminder_queries.matches_with_answered_reminders, own=self._kernel.store.own
        ):
            self._tidying.poke(match)
        self.poke()

    async def close(self) -> None:
        """Send no more; what is left stays wanted."""
        self._closing = True
        tasks = list(self._sending.values())
        if self._running is not None:
            tasks.append(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, self._tidying.close(), return_exceptions=True)

    def poke(self) -> None:
        """Look for reminders that are wanted now."""
        self._again = True
        if not self._closing and (self._running is None or self._running.done()):
            self._running = track_task(self._run(), "reminders")

    async def look(self) -> None:
        """Send what another process may have left unsent."""
        self.poke()

    # Reminders that go with a post or a change.

    async def extend_post(self, post: Post) -> PostExtras:
        """Return whom a post mentions; once it is there, what reminded them before loses its buttons."""
        extras = await self._reminders.extend_post(post)
        users = [reminder.user for write in extras.writes for reminder in write.args]
        return replace(
            extras,
            on_sent=partial(self.tidy, post.announcement.match, users),
            on_noted=self.poke if users else None,
        )

    def on_change(self, change: Change) -> None:
        """Take the buttons off reminders that a change has answered, unless the post does that it makes due."""
        is_answered = bool(change.written(reminder_queries.answer_reminders))
        has_ended = change.after.is_over and not change.before.is_over
        has_new_people = change.before.record.chairs != change.after.record.chairs
        if change.announce is None and (is_answered or has_ended or has_new_people):
            self._tidying.poke(change.match_id)

    def on_told(self, told: str) -> None:
        """Go on with what another process has left to this one."""
        if told == CALLS_WANTED:
            self.poke()
        elif told != ABSENCE:
            self._tidying.poke(told)

    async def _tidy_after_posts(self, match: str) -> None:
        # In the match's own task: otherwise a post could remind somebody anew while their last reminder is forgotten.
        with suppress(TimeoutError):
            await self._outbox.after_posts(match, lambda: self.tidy(match))

    async def tidy(self, match: str, reminded_anew: Collection[int] = ()) -> None:
        """Take the buttons off reminders that are answered, and off those to people who are reminded anew."""
        for reminder in await self._reminders.outdated(match, reminded_anew):
            if reminder.message:
                await self._bucket.take()
                await self._take_buttons_off(reminder, await self._kernel.matches.find(match))
            await self._reminders.forget(reminder)

    async def _take_buttons_off(self, reminder: Reminder, room: Room | None) -> None:
        """Take the buttons and the mention off the message of a reminder; one that is gone is no loss."""
        if not reminder.message:
            return
        channel = self._client.get_partial_messageable(reminder.channel)
        message = channel.get_partial_message(reminder.message)
        try:
            await message.edit(content=messages.past(room), view=None, allowed_mentions=NOBODY)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a reminder in match %s keeps its buttons (%s)", reminder.match or "-", type(error).__name__)

    # Reminders that are messages of their own.

    async def _run(self) -> None:
        """Send everything that is wanted, then rest until the next poke."""
        while self._again:
            self._again = False
            try:
                while await self._begin():
                    pass
            except StoreError as error:
                log_error(error, "reminders have to wait")
                await asyncio.sleep(LONGEST_WAIT)
                self._again = True

    async def _begin(self) -> bool:
        """Begin to send what is wanted and not being sent yet; return whether there was any."""
        wanted = await self._reminders.wanted(READ_AT_ONCE + SENT_AT_ONCE)
        fresh = [reminder for reminder in wanted if (reminder.match, reminder.user) not in self._sending]
        for reminder in fresh:
            while len(self._sending) >= SENT_AT_ONCE:
                await asyncio.wait(self._sending.values(), return_when=asyncio.FIRST_COMPLETED)
            await self._bucket.take(await self._requests(reminder))
            key = (reminder.match, reminder.user)
            task = track_task(self._keep_at(reminder), f"reminder-{reminder.match}")
            self._sending[key] = task
            task.add_done_callback(partial(self._done, key))
        return bool(fresh)

    def _done(self, key: tuple[str, int], task: asyncio.Task[None]) -> None:
        del self._sending[key]
        self.poke()

    async def _requests(self, reminder: Reminder) -> int:
        """Return how many requests a reminder takes: an earlier one, or the last post of a match, is edited besides."""
        if reminder.wanted == DIGEST or (await self._reminders.of(reminder.user)).is_direct:
            return 2 if reminder.message else 1
        return 2

    async def _keep_at(self, reminder: Reminder) -> None:
        """Send a reminder, however often Discord has to be asked; give up when that is in vain.

        A clock stands still until its warning was sent, so a warning that never can be sent would hold up its match:

        - A direct message that is refused goes to the thread instead (`_send`).
        - A thread that is gone or closed to the bot pauses the match, and its host is told (`_send_in_thread`).
        - A thread that refuses the warning for any other reason refuses boards too. Those wait as long as it takes, and
          so does the warning: the log has a line each time.
        - A match in somebody's direct messages keeps nobody else waiting.
        """
        match = reminder.match or "-"
        for tries in range(MAX_TRIES):
            try:
                await self._send(reminder)
                return
            except discord.HTTPException as error:
                if error.code and not error_codes.is_passing(error):
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
        """Send a reminder where its person wants it; where they play if Discord refuses direct messages to them."""
        chosen = await self._reminders.of(reminder.user)
        try:
            if reminder.wanted == DIGEST:
                await self._send_digest(reminder, chosen)
            elif chosen.is_direct and (sent := await self._find_sent(chosen.channel, reminder)):
                # Before anything else is decided: in quiet hours, say, it would be put off and sent a second time.
                await self._note_direct(reminder, chosen.channel, sent)
            elif self._reminders.is_here(await self._kernel.matches.find(reminder.match), chosen):
                # In the match's own task, so that its posts keep their order and one message reminds everybody.
                await self._outbox.after_posts(reminder.match, lambda: self._send_in_thread(reminder.match))
            elif (prepared := await self._reminders.prepare(reminder)) is not None:
                room, reminder = prepared
                await self._send_direct(reminder, room, chosen)
        except discord.HTTPException as error:
            is_refused = bool(error.code) and not error_codes.is_passing(error)
            if not chosen.is_direct or not is_refused:
                raise
            # Whatever the reason, such as a channel that is gone: the next message there would fare no better.
            log.info("direct messages to a player are switched off (%s)", error.code)
            await self._reminders.note_direct_closed(reminder.user)
            await self._send(reminder)

    async def _send_in_thread(self, match: str) -> None:
        """Send one message to all who are to be reminded in a match now; another to those who are not to hear it."""
        wanted = await self._reminders.wanted_here(match)
        try:
            for silent in (False, True):
                some = [one for one in wanted if self._reminders.is_silent(one[1], one[0].wanted) is silent]
                if some:
                    await self._remind_together(await self._kernel.matches.find(match), some, silent)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            await self._outbox.pause(match, why_lost(error))

    async def _remind_together(self, room: Room, wanted: list[tuple[Reminder, ReminderSettings]], silent: bool) -> None:
        """Remind several people by one message where their match is played."""
        reminders = [reminder for reminder, _ in wanted]
        mentioned = [reminder.user for reminder, chosen in wanted if self._reminders.is_mentioned(reminder, chosen)]
        closed = [reminder.user for reminder, chosen in wanted if chosen.closed]
        made = messages.here(room, reminders, mentioned, closed, self._kernel.clocks.deadlines(room))
        sent = await self._send_once(room.record.place.posts_to, made, reminders[0], silent)
        await self._outbox.note_reminder(room, sent, made.content)
        for reminder in reminders:
            await self._reminders.note_sent(reminder)
        for user in closed:
            await self._reminders.note_told_closed(user)

    async def _send_direct(self, reminder: Reminder, room: Room, chosen: ReminderSettings) -> None:
        """Remind somebody of one decision in a direct message."""
        made = messages.direct(room, reminder, self._kernel.clocks.deadlines(room))
        silent = self._reminders.is_silent(chosen, reminder.wanted)
        sent = await self._post(chosen.channel, made, reminder, silent)
        await self._note_direct(reminder, chosen.channel, sent)

    async def _note_direct(self, reminder: Reminder, channel: int, sent: int) -> None:
        """Note that a direct message has reminded somebody: the one before it loses its buttons."""
        await self._take_buttons_off(reminder, await self._kernel.matches.find(reminder.match))
        await self._reminders.note_sent(reminder, channel, sent)
        await self.tidy(reminder.match)

    async def _send_digest(self, reminder: Reminder, chosen: ReminderSettings) -> None:
        """Send all that waits for somebody in a direct message, else where the most urgent of it is played."""
        deadlines = self._kernel.clocks.deadlines
        waiting = await self._reminders.waiting(reminder.user)
        extras = await self._reminders.digest_extras(reminder.user)
        rooms = [room for room, _ in waiting]
        if not rooms and not extras.rooms:
            await self._reminders.drop(reminder)
            return
        if chosen.is_direct:
            channel = chosen.channel
            made = messages.digest(reminder, rooms, [deadlines(room) for room in rooms], extras)
        else:
            first = (*rooms, *extras.rooms)[0]
            channel = first.record.place.posts_to
            made = messages.digest_here(first, reminder, chosen.closed, deadlines(first) if rooms else None, extras)
        sent = await self._send_once(channel, made, reminder, mentioned=made.pings)
        await self._take_buttons_off(reminder, None)
        await self._reminders.note_digest_sent(reminder, waiting, channel, sent)
        if made.pings:
            await self._reminders.note_told_closed(reminder.user)

    async def _send_once(
        self,
        channel: int,
        made: ReminderMessage,
        reminder: Reminder,
        silent: bool = False,
        mentioned: Collection[int] = (),
    ) -> int:
        """Send a reminder, unless it is there already, and return the id of its message."""
        return await self._find_sent(channel, reminder, mentioned) or await self._post(channel, made, reminder, silent)

    async def _find_sent(self, channel: int, reminder: Reminder, mentioned: Collection[int] = ()) -> int:
        """Return the message of a reminder that was sent without being noted; 0 if there is none.

        In a channel it must mention the people given: digests to several people may be of the same second.
        """

        def is_it(message: discord.Message) -> bool:
            is_to_them = all(f"<@{user}>" in message.content for user in mentioned)
            return is_to_them and any(messages.is_of(reminder, custom_id) for custom_id in custom_ids(message))

        # Any process may have tried a reminder of no match.
        is_doubtful = not reminder.match and self._reminders.now() - reminder.since > NONCE_SECONDS
        key = (reminder.match, reminder.user, str(reminder.since))
        return await self._sent_messages.find(channel, key, reminder.since, is_it, is_doubtful)

    async def _post(self, channel: int, made: ReminderMessage, reminder: Reminder, silent: bool) -> int:
        """Post the message of a reminder and return its id."""

        async def send() -> discord.Message:
            return await self._client.get_partial_messageable(channel).send(
                made.content,
                view=view_of(made.rows),
                # By it Discord knows a repeat, as with a post.
                nonce=f"{reminder.match}{reminder.since:x}{reminder.user & 0xFFFFFF:x}",
                allowed_mentions=only(made.pings),
                silent=silent,
            )

        return (await in_open_thread(self._client, channel, send)).id
