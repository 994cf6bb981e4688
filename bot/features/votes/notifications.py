"""Notifications of a vote besides its own message: after quiet hours, by direct message, before the vote ends.

People hear of a vote as they have chosen to be reminded of turns: at once, in their next digest, or only shortly before
the vote ends (or before quiet hours that last until then). A notification is a job until it is sent, and one that may
have been sent already is looked for first.
"""

import logging

import discord
from msgspec.structs import replace

from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.service import Reminders
from bot.features.votes import messages
from bot.features.votes.messages import Message
from bot.features.votes.service import Votes
from bot.kernel import queries
from bot.kernel.pace import LONGEST_WARNING
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.votes import Vote
from bot.posts.sent_messages import SentMessages
from bot.posts.threads import in_open_thread
from bot.runtime.clock import HOUR
from bot.runtime.errors import NotFound
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.rate import Bucket
from bot.ui.reply import only

log = logging.getLogger("motu.votes")

VOTE_NOTIFICATION = "vote_call"
"""The job that notifies somebody of the votes of a match that they have not answered."""
CHECK_AGAIN = 60
"""Seconds before it is checked again whether the message of a vote is there."""
BEFORE_QUIET = HOUR
"""Seconds that a last reminder comes before quiet hours in which the vote ends."""


class VoteNotifications:
    """Notifies those whom a vote's own message does not mention."""

    def __init__(
        self,
        client: MotuClient,
        votes: Votes,
        reminders: Reminders,
        sent_messages: SentMessages,
        bucket: Bucket,
    ) -> None:
        self._client = client
        self._kernel = client.kernel
        self._votes = votes
        self._reminders = reminders
        self._sent_messages = sent_messages
        self._bucket = bucket

    async def mentioned(self, room: Room, vote: Vote) -> list[int]:
        """Return whom the message of a vote mentions, and schedule when the others are notified."""
        reminders = self._reminders
        here: list[int] = []
        later: list[Job] = []
        for user in messages.unheard(room, vote, self._votes.kind(vote)):
            chosen, now = await reminders.of(user), int(reminders.now())
            until = chosen.quiet_until(now)
            if chosen.level is ReminderLevel.DIGEST:
                await reminders.put_in_digest(user)
            elif chosen.level is ReminderLevel.LAST:
                awaiting = await self._votes.awaiting(room, user) or [vote]
                at = min(_last_reminder(one, chosen) for one in awaiting)
                later.append(Job(VOTE_NOTIFICATION, at, vote.match, user))
            elif chosen.level is ReminderLevel.TURN and until is None and reminders.is_here(room, chosen):
                here.append(user)
            elif chosen.level is ReminderLevel.TURN:
                # Should the bot stop before the message is there, this runs soon after the start.
                at = until or now + CHECK_AGAIN
                later.append(Job(VOTE_NOTIFICATION, at, vote.match, user))
        await self._kernel.scheduler.set(*later)
        return here

    async def on_message_sent(self, match: str) -> None:
        """Notify those now who were waiting for the message of a vote."""
        now = int(self._reminders.now())
        jobs = await self._kernel.store.read(queries.jobs, match)
        waiting = [job for job in jobs if job.kind == VOTE_NOTIFICATION and job.at <= now + CHECK_AGAIN]
        await self._kernel.scheduler.set(*(replace(job, at=now) for job in waiting))

    async def notify(self, job: Job) -> None:
        """Notify somebody of the votes of a match that they have not answered, or put that off."""
        user = job.user
        try:
            room = await self._kernel.matches.find(job.match)
        except NotFound:
            return
        votes = await self._votes.awaiting(room, user)
        chosen, now = await self._reminders.of(user), int(self._reminders.now())
        if not votes or room.record.paused_for or chosen.level is ReminderLevel.OFF:
            return
        if chosen.level is ReminderLevel.DIGEST:
            await self._reminders.put_in_digest(user)
            return
        later: list[int] = []
        if chosen.level is ReminderLevel.LAST:
            later = [at for vote in votes if (at := _last_reminder(vote, chosen)) > now]
            votes = [vote for vote in votes if _last_reminder(vote, chosen) <= now]
        until = chosen.quiet_until(now)
        if until is not None:
            # For a vote that ends before the quiet hours do, a silent message is better than none.
            ending = [vote for vote in votes if vote.ends <= until]
            if len(ending) < len(votes):
                later.append(until)
            votes = ending
        if not all(vote.message for vote in votes):
            later.append(now + CHECK_AGAIN)
            votes = []
        if later:
            await self._kernel.store.write(queries.schedule, replace(job, at=min(later)))
        if votes:
            await self._send_all(room, votes, user, chosen, silent=until is not None)

    async def _send_all(self, room: Room, votes: list[Vote], user: int, chosen: ReminderSettings, silent: bool) -> None:
        """Notify somebody of votes in the way they have chosen; in the thread if they take no direct messages."""
        is_closed = False
        if not self._reminders.is_here(room, chosen):
            if await self._send_directly(room, votes, user, chosen.channel, silent):
                return
            is_closed = True
            await self._reminders.note_direct_closed(user)
        mention = f"<@{user}>"
        try:
            for vote in votes:
                made = messages.message(room, vote, self._votes.kind(vote))
                words = _invitation(room, vote, mention)
                if is_closed and vote is votes[-1]:
                    words += "\n" + say("call.closed", called=mention)
                await self._send(room.record.place.posts_to, replace(made, content=words), vote, user, silent)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next post will fail as well, and pause the match.
            log.info("match %s cannot notify somebody of a vote (%s)", room.record.id, error.code)
        if is_closed:
            await self._reminders.note_told_closed(user)

    async def _send_directly(self, room: Room, votes: list[Vote], user: int, channel: int, silent: bool) -> bool:
        """Send votes as direct messages, to be answered there; return False if somebody no longer takes any."""
        for vote in votes:
            made = messages.message(room, vote, self._votes.kind(vote))
            words = f"{_invitation(room, vote)}\n{made.content}"
            try:
                await self._send(channel, replace(made, content=words), vote, user, silent)
            except discord.HTTPException as error:
                if error.code not in error_codes.DIRECT_CLOSED:
                    raise
                return False
        return True

    async def _send(self, channel: int, made: Message, vote: Vote, user: int, silent: bool) -> None:
        """Send a notification, unless it was sent without that having been noted."""
        mention = f"<@{user}>" if f"<@{user}>" in made.content else ""

        def is_it(message: discord.Message) -> bool:
            # The vote's own message has the same buttons.
            is_notification = message.id != vote.message and mention in message.content
            return is_notification and carries(message, ids_in(made.rows))

        key = (vote.match, user, f"vote-{vote.number}")
        if await self._sent_messages.find(channel, key, vote.opened, is_it):
            return
        await self._bucket.take()

        async def send() -> discord.Message:
            return await self._client.get_partial_messageable(channel).send(
                made.content,
                view=view_of(made.rows),
                # Discord recognizes a repeat by its nonce for some minutes.
                nonce=f"{vote.match}v{vote.number}c{user & 0xFFFFFF:x}",
                allowed_mentions=only([user]),
                silent=silent,
            )

        await in_open_thread(self._client, channel, send)


def _invitation(room: Room, vote: Vote, mention: str = "") -> str:
    link = describe.link_to(room, vote.message)
    return say("vote.call", called=mention, game=describe.title(room), link=link)


def _last_reminder(vote: Vote, chosen: ReminderSettings) -> int:
    """Return when somebody is notified of a vote who wants only a last reminder."""
    at = vote.ends - min(LONGEST_WARNING, (vote.ends - vote.opened) // 3)
    quiet = chosen.quiet_hours_at(at)
    if quiet is None or quiet[1] < vote.ends:
        return at
    before = max(vote.opened, quiet[0] - BEFORE_QUIET)
    # Quiet hours that had begun before the vote leave no time before them.
    return before if before < quiet[0] else at
