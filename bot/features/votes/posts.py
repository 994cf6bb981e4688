"""The messages of votes: posted once, edited as people vote, and in the end showing the result.

A vote is in the database before its message is on Discord, and what its message does not show yet
is made up for after a restart. When many people press at once, the message is edited no more often
than it changes.

People hear of a vote as they have chosen to be reminded of turns: at once, in their next digest, or
only shortly before the vote ends (or before quiet hours that last until then). The message mentions
whom it can. For everybody else there is a job, which decides when it runs how and when they are
notified, and stays until that is done.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import count

import discord
from msgspec.structs import replace

from bot.features.reminders.player_settings import ReminderLevel, ReminderSettings
from bot.features.reminders.rules import is_sent_to_match
from bot.features.reminders.service import Reminders
from bot.features.votes import messages, queries, rules
from bot.features.votes.service import Votes
from bot.kernel import queries as job_queries
from bot.kernel.change import Change
from bot.kernel.pace import LONGEST_WARNING
from bot.kernel.room import Room
from bot.model.jobs import Job
from bot.model.match import COMPUTER
from bot.model.stored import ABSENCE, REMINDERS_REQUESTED
from bot.model.votes import Vote
from bot.posts.chores import Chores
from bot.posts.lost_places import why_lost
from bot.posts.outbox import Outbox
from bot.posts.sent_messages import SentMessages
from bot.posts.threads import send_message
from bot.posts.turn_message import Message
from bot.runtime.clock import HOUR
from bot.runtime.errors import BotError, NotFound, log_error
from bot.runtime.locks import Locks
from bot.text import say
from bot.ui import error_codes
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.names import mentions, plain_names
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.pictures import NotDrawn, Picture
from bot.ui.rate import Bucket, backoff
from bot.ui.reply import UNREACHABLE
from engine import EngineError

log = logging.getLogger("motu.votes")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a message is tried again; doubled each time, up to the longest."""
MAX_REFUSALS = 6
"""Tries of a message that Discord refuses; the next press or start tries again."""
CANNOT_EDIT = {error_codes.UNKNOWN_MESSAGE, error_codes.OLD_EDITS, error_codes.ARCHIVED_THREAD}
"""Errors after which the vote gets another message."""
VOTE_NOTIFICATION = "vote_call"
"""The job that notifies somebody of the votes of a match that they have not answered."""
CHECK_AGAIN = 60
"""Seconds before it is checked again whether the message of a vote is there."""
BEFORE_QUIET = HOUR
"""Seconds that a last reminder comes before quiet hours in which the vote ends."""


class VoteMessages:
    """Looks after the messages of all votes, and notifies those whom they do not mention."""

    def __init__(self, client: MotuClient) -> None:
        services = client.services
        self._client = client
        self._kernel = client.kernel
        self._votes = services.require(Votes)
        self._reminders = services.require(Reminders)
        self._outbox = services.require(Outbox)
        self._sent_messages = services.require(SentMessages)
        self._bucket = services.require(Bucket)
        self._chores = Chores("votes", self._update_all)
        self._locks = Locks()
        self._shown: dict[tuple[str, int], Message] = {}
        """What the messages of open votes show."""

    def on_change(self, change: Change) -> None:
        """Update the messages of votes that a change may concern."""
        votes = change.context.values.get(queries.votes_of_match) or ()
        # If it writes none itself, others may be asked now, or in another place.
        if change.queued_args(queries.put_vote) or any(vote.is_open for vote in votes):
            self._chores.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Update the messages of a match that another process has written."""
        if notification not in (ABSENCE, REMINDERS_REQUESTED):
            self._chores.poke(notification)

    async def catch_up(self) -> None:
        """After a start: bring all messages up to date."""
        for match in await self._votes.matches_voting():
            self._chores.poke(match)

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        await self._chores.close()

    async def _update_all(self, match: str) -> None:
        """Update the messages of a match's votes, however often Discord has to be asked."""
        for tries in count():
            try:
                if await self._client.owns(match):
                    for vote in await self._votes.unannounced(match):
                        await self.show(match, vote.number)
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    # It is posted once the match has a place again.
                    await self._outbox.pause(match, why_lost(error))
                    return
                if not error_codes.is_passing(error) and tries >= MAX_REFUSALS:
                    log_error(error, f"a vote of match {match} cannot be shown")
                    return
                failed = str(error.code or error.status)
            except UNREACHABLE as error:
                failed = type(error).__name__
            except (BotError, EngineError) as error:
                log_error(error, f"a vote of match {match} cannot be shown")
                return
            wait = backoff(tries, FIRST_WAIT, LONGEST_WAIT)
            log.info(
                "a vote of match %s has to wait (%s), trying again in %.0f s", match, failed, wait
            )
            await asyncio.sleep(wait)

    async def show(self, match: str, number: int, pressed: MotuInteraction | None = None) -> None:
        """Update the message of a vote, or post it if there is none.

        A button that was `pressed` may be under that message, or under a notification, which is
        edited as well.
        """
        async with self._locks[match]:
            vote = await self._votes.find(match, number)
            room = await self._kernel.matches.find(match)
            kind = self._votes.kind(vote)
            made = messages.message(room, vote, kind)
            # Edits by way of an interaction do not count towards the channel's rate limit.
            is_edited = pressed is not None and await _edit(pressed.edit_original_response, made)
            if is_edited and pressed and pressed.message and pressed.message.id == vote.message:
                self._shown[match, number] = made
            place = room.record.place
            # Once the match has a place it is shown there.
            is_homeless = bool(room.record.paused_for) or (place.wants_thread and not place.thread)
            if is_homeless or vote.told or not await self._client.owns(match):
                return
            later: list[Job] = []
            # It is asked anew where the match is played now.
            message = vote.message if vote.place == place.posts_to else 0
            if not message or self._shown.get((match, number)) != made:
                message = await self._edit_posted(room, replace(vote, message=message), made)
                if not message:
                    message, later = await self._post(room, vote, made)
                self._shown[match, number] = made
            elif vote.is_open:
                return
            welcome = messages.welcome(room, vote, kind)
            if welcome is not None:
                # An edit notifies nobody.
                await send_message(self._client, place.posts_to, welcome, f"{match}v{number}w")
            await self._kernel.store.write(queries.note_vote_message, vote, message, place.posts_to)
            await self._kernel.scheduler.set(*later)
            if not vote.is_open:
                del self._shown[match, number]

    async def _edit_posted(self, room: Room, vote: Vote, made: Message) -> int:
        """Edit the message of a vote and return its id; 0 if there is none that could be edited."""
        channel = self._client.channel_of(room.record.place)
        message = vote.message or await self._sent_messages.find(
            channel.id,
            (vote.match, COMPUTER, f"vote-{vote.number}"),
            vote.opened,
            lambda found: carries(found, ids_in(made.rows)),
        )
        if message and await _edit(channel.get_partial_message(message).edit, made):
            return message
        return 0

    async def _post(self, room: Room, vote: Vote, made: Message) -> tuple[int, list[Job]]:
        """Post the message of a vote; return its id, and the jobs that notify those whom it does
        not mention.
        """
        if vote.by.id == COMPUTER:
            # Nobody waits for what the bot asks by itself, and it may have to ask very many tables
            # at once.
            await self._bucket.take()
        now = int(self._reminders.now())
        mentioned: list[int] = []
        others: list[Job] = []
        for user in rules.missing_voters(room, vote, self._votes.kind(vote)):
            chosen = await self._reminders.of(user)
            is_prompt = chosen.level is ReminderLevel.TURN and chosen.quiet_until(now) is None
            if is_prompt and is_sent_to_match(room, chosen):
                mentioned.append(user)
            else:
                others.append(Job(VOTE_NOTIFICATION, now, vote.match, user))
        # Should the bot stop before the message is noted, they are notified soon after the start.
        await self._kernel.scheduler.set(*(replace(job, at=now + CHECK_AGAIN) for job in others))
        words = say("vote.called", called=mentions(mentioned), vote=made.content)
        posted = replace(made, content=words, pings=tuple(mentioned))
        nonce = f"{vote.match}v{vote.number}{'' if vote.is_open else 'e'}"
        board = await self._board(room, vote)
        sent = await send_message(
            self._client, room.record.place.posts_to, posted, nonce, pictures=board
        )
        return sent.id, others

    async def _board(self, room: Room, vote: Vote) -> list[Picture]:
        """Return the board that an open vote is about, if it is about one and that can be drawn."""
        find_position = self._votes.kind(vote).find_board
        if find_position is None or not vote.is_open:
            return []
        there = await find_position(room, vote)
        try:
            return [
                await self._client.pictures.board(there.playing().view(None), plain_names(there))
            ]
        except NotDrawn:
            return []

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
        times = [_notification_time(vote, chosen, now) for vote in votes]
        if later := [at for at in times if at > now]:
            await self._kernel.store.write(job_queries.schedule, replace(job, at=min(later)))
        if ready := [vote for vote, at in zip(votes, times, strict=True) if at <= now]:
            await self._notify(room, ready, user, silent=chosen.quiet_until(now) is not None)

    async def _notify(self, room: Room, votes: list[Vote], user: int, silent: bool) -> None:
        """Notify somebody of votes in the way they have chosen; in the thread if they take no
        direct messages.
        """
        chosen = await self._reminders.of(user)
        is_direct = not is_sent_to_match(room, chosen)
        channel = chosen.channel if is_direct else room.record.place.posts_to
        try:
            for vote in votes:
                made = messages.notification(
                    room, vote, self._votes.kind(vote), 0 if is_direct else user
                )
                if chosen.closed and vote is votes[-1]:
                    note = say("call.closed", called=mentions([user]))
                    made = replace(made, content=f"{made.content}\n{note}")
                await self._notify_of(vote, channel, made, user, silent)
        except discord.HTTPException as error:
            if is_direct and error.code in error_codes.DIRECT_CLOSED:
                await self._reminders.note_direct_closed(user)
                await self._notify(room, votes, user, silent)
                return
            if is_direct or error.code not in error_codes.PLACE_LOST:
                raise
            # The next post will fail as well, and pause the match.
            log.info("match %s cannot notify somebody of a vote (%s)", room.record.id, error.code)
        if chosen.closed:
            await self._reminders.note_told_closed(user)

    async def _notify_of(
        self, vote: Vote, channel: int, made: Message, user: int, silent: bool
    ) -> None:
        """Send a notification of a vote, unless it was sent without that having been noted."""
        mention = f"<@{user}>" if f"<@{user}>" in made.content else ""

        def is_it(message: discord.Message) -> bool:
            # The vote's own message has the same buttons.
            is_notification = message.id != vote.message and mention in message.content
            return is_notification and carries(message, ids_in(made.rows))

        key = (vote.match, user, f"vote-{vote.number}")
        if not await self._sent_messages.find(channel, key, vote.opened, is_it):
            await self._bucket.take()
            nonce = f"{vote.match}v{vote.number}c{user & 0xFFFFFF:x}"
            await send_message(self._client, channel, made, nonce, silent=silent)


async def _edit(edit: Callable[..., Awaitable[object]], made: Message) -> bool:
    """Edit a message; return False if Discord no longer lets it be edited."""
    try:
        await edit(content=made.content, view=view_of(made.rows))
    except discord.HTTPException as error:
        if error.code not in CANNOT_EDIT:
            raise
        log.info("a message of a vote cannot be edited any more (%s)", error.code)
        return False
    return True


def _notification_time(vote: Vote, chosen: ReminderSettings, now: int) -> int:
    """Return when somebody is notified of a vote: now, or when it has to be looked at again."""
    if chosen.level is ReminderLevel.LAST and (at := _last_reminder(vote, chosen)) > now:
        return at
    quiet_until = chosen.quiet_until(now)
    # For a vote that ends before the quiet hours do, a silent message is better than none.
    if quiet_until is not None and vote.ends > quiet_until:
        return quiet_until
    return now if vote.message else now + CHECK_AGAIN


def _last_reminder(vote: Vote, chosen: ReminderSettings) -> int:
    """Return when somebody is notified of a vote who wants only a last reminder."""
    at = vote.ends - min(LONGEST_WARNING, (vote.ends - vote.opened) // 3)
    quiet = chosen.quiet_hours_at(at)
    if quiet is None or quiet[1] < vote.ends:
        return at
    before = max(vote.opened, quiet[0] - BEFORE_QUIET)
    # Quiet hours that had begun before the vote leave no time before them.
    return before if before < quiet[0] else at
