"""The messages of votes: posted once, edited as people vote, and in the end showing the result.

A vote is in the database before its message is on Discord, and what its message does not show yet is made up for after
a restart. When many people press at once, the message is edited no more often than it changes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord
from msgspec.structs import replace

from bot.features.votes import messages
from bot.features.votes import queries as vote_queries
from bot.features.votes.messages import Message
from bot.features.votes.notifications import VoteNotifications
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.queues import Queues
from bot.kernel.room import Room
from bot.model.match import COMPUTER
from bot.model.stored import ABSENCE, CALLS_WANTED
from bot.model.votes import Vote
from bot.posts.chores import Chores
from bot.posts.lost_places import why_lost
from bot.posts.outbox import Outbox
from bot.posts.threads import in_open_thread
from bot.runtime.errors import BotError, log_error
from bot.text import say
from bot.ui import error_codes
from bot.ui.client import MotuClient, MotuInteraction
from bot.ui.names import mentions, plain_names
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.pictures import NotDrawn, Picture
from bot.ui.rate import Bucket, backoff
from bot.ui.reply import NOBODY, UNREACHABLE, attached, only
from engine import EngineError

log = logging.getLogger("motu.votes")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a message is tried again; doubled each time, up to the longest."""
MAX_REFUSALS = 6
"""Tries of a message that Discord refuses; the next press or start tries again."""
MESSAGES_LOOKED_THROUGH = 100
"""How far to look back after a start for a message that may be there already."""
CANNOT_EDIT = {error_codes.UNKNOWN_MESSAGE, error_codes.OLD_EDITS, error_codes.ARCHIVED_THREAD}
"""Errors after which the vote gets another message."""

Edit = Callable[..., Awaitable[object]]


class VoteMessages:
    """Looks after the messages of all votes."""

    def __init__(
        self,
        client: MotuClient,
        votes: Votes,
        notifications: VoteNotifications,
        outbox: Outbox,
        bucket: Bucket,
    ) -> None:
        self._client = client
        self._votes = votes
        self._notifications = notifications
        self._outbox = outbox
        self._bucket = bucket
        self._chores = Chores("votes", self._drain)
        self._shown: dict[tuple[str, int], Message] = {}
        """What the messages of open votes show."""
        self._doubtful: set[str] = set()
        """Matches of votes whose messages may be there without the bot having heard of it."""
        self._queues = Queues()

    def on_change(self, change: Change) -> None:
        """Update the messages of votes that a change may concern."""
        if change.written(vote_queries.put_vote):
            self.poke(change.match_id)
            return
        # Others may be asked now, or in another place.
        votes = change.context.values.get(vote_queries.votes_of_match) or ()
        if any(vote.is_open for vote in votes):
            self.poke(change.match_id)

    def on_told(self, told: str) -> None:
        """Update the messages of a match that another process has written."""
        if told not in (ABSENCE, CALLS_WANTED):
            self.poke(told)

    def poke(self, match: str) -> None:
        """Update the messages of a match's votes, in the background."""
        self._chores.poke(match)

    async def catch_up(self) -> None:
        """After a start: bring all messages up to date."""
        for match in await self._votes.matches_voting():
            self._doubtful.add(match)
            self.poke(match)

    async def close(self) -> None:
        """Stop; after the next start it goes on."""
        await self._chores.close()

    async def _drain(self, match: str) -> None:
        """Update the messages of a match's votes, however often Discord has to be asked."""
        tries = 0
        while True:
            try:
                if not await self._client.owns(match):
                    return
                for vote in await self._votes.unannounced(match):
                    await self.show(match, vote.number)
                self._doubtful.discard(match)
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    # It is posted once the match has a place again.
                    await self._outbox.pause(match, why_lost(error))
                    return
                if not error_codes.is_passing(error) and tries >= MAX_REFUSALS:
                    log_error(error, f"a vote of match {match} cannot be shown")
                    return
                failed = f"{error.status}/{error.code}"
            except UNREACHABLE as error:
                failed = type(error).__name__
            except (BotError, EngineError) as error:
                log_error(error, f"a vote of match {match} cannot be shown")
                return
            wait = backoff(tries, FIRST_WAIT, LONGEST_WAIT)
            tries += 1
            log.info("a vote of match %s has to wait (%s), trying again in %.0f s", match, failed, wait)
            await asyncio.sleep(wait)

    async def show(self, match: str, number: int, pressed: MotuInteraction | None = None) -> None:
        """Have the message of a vote show it as it stands now, and post it if it is not there.

        A button that was `pressed` may be under that message, or under a notification, which is edited as well.
        """
        async with self._queues.turn(match):
            vote = await self._votes.find(match, number)
            room = await self._client.kernel.matches.find(match)
            made = messages.message(room, vote, self._votes.kind(vote))
            edit: Edit | None = None
            if pressed is not None and pressed.message is not None and pressed.message.id == vote.message:
                # Edits by way of an interaction do not count towards the channel's rate limit.
                edit = pressed.edit_original_response
            elif pressed is not None:
                await _edit(pressed.edit_original_response, made)
            if await self._client.owns(match):
                await self._show(room, vote, made, edit)

    async def _show(self, room: Room, vote: Vote, made: Message, edit: Edit | None) -> None:
        key, place = (vote.match, vote.number), room.record.place
        if vote.place != place.posts_to:
            # It is asked anew where the match is played now.
            vote = replace(vote, message=0)
        is_shown = bool(vote.message) and self._shown.get(key) == made
        # Once the match has a place it is shown there.
        is_homeless = bool(room.record.paused_for) or (place.wants_thread and not place.thread)
        if is_homeless or (is_shown and vote.is_open) or vote.told:
            if edit is not None:
                # Somebody else's press has shown it; this one is answered all the same.
                await _edit(edit, made)
            return
        message = vote.message
        if not is_shown:
            message = await self._edit_posted(room, vote, made, edit) or await self._post(room, vote, made)
            self._shown[key] = made
        welcome = messages.welcome(room, vote, self._votes.kind(vote))
        if welcome is not None:
            # An edit notifies nobody. If it is the newcomer's turn, the board that is posted anew mentions them.
            await self._client.channel_of(place).send(
                welcome.content,
                view=view_of(welcome.rows),
                nonce=f"{room.record.id}v{vote.number}w",
                allowed_mentions=NOBODY if room.waits_for(vote.by.id) else only([vote.by.id]),
            )
        await self._votes.note_message(vote, message, place.posts_to)
        if message != vote.message:
            await self._notifications.on_message_sent(vote.match)
        if not vote.is_open:
            self._shown.pop(key, None)

    async def _edit_posted(self, room: Room, vote: Vote, made: Message, edit: Edit | None) -> int:
        """Edit the message of a vote and return its id; 0 if there is none that could be edited."""
        message = vote.message
        if not message and room.record.id in self._doubtful:
            message = await self._find_posted(room, vote)
        if not message:
            return 0
        try:
            await _edit(edit or self._client.channel_of(room.record.place).get_partial_message(message).edit, made)
        except discord.HTTPException as error:
            if error.code not in CANNOT_EDIT:
                raise
            log.info("the vote %s of match %s gets another message (%s)", vote.number, room.record.id, error.code)
            return 0
        return message

    async def _post(self, room: Room, vote: Vote, made: Message) -> int:
        """Post the message of a vote and return its id."""
        if vote.by.id == COMPUTER:
            # Nobody waits for what the bot asks by itself, and it may have to ask very many tables at once.
            await self._bucket.take()
        mentioned = await self._notifications.mentioned(room, vote)
        words = say("vote.called", called=mentions(mentioned), vote=made.content)
        board = await self._board(room, vote)

        async def send() -> discord.Message:
            return await self._client.channel_of(room.record.place).send(
                words,
                view=view_of(made.rows),
                files=attached(board),
                # Discord recognizes a repeat by its nonce for some minutes.
                nonce=f"{room.record.id}v{vote.number}{'' if vote.is_open else 'e'}",
                allowed_mentions=only(mentioned),
            )

        return (await in_open_thread(self._client, room.record.place.posts_to, send)).id

    async def _board(self, room: Room, vote: Vote) -> list[Picture]:
        """Return the board that an open vote is about, if it is about one and that can be drawn."""
        find_position = self._votes.kind(vote).board
        if find_position is None or not vote.is_open:
            return []
        there = await find_position(room, vote)
        try:
            return [await self._client.pictures.board(there.playing().view(None), plain_names(there))]
        except NotDrawn:
            return []

    async def _find_posted(self, room: Room, vote: Vote) -> int:
        """Return the id of the message of a vote if it is there already; 0 if not."""
        wanted = ids_in(messages.rows(vote, self._votes.kind(vote)))
        history = self._client.channel_of(room.record.place).history(limit=MESSAGES_LOOKED_THROUGH)
        async for message in history:
            if message.author == self._client.user and carries(message, wanted):
                return message.id
        return 0


async def _edit(edit: Edit, made: Message) -> None:
    await edit(content=made.content, view=view_of(made.rows), allowed_mentions=NOBODY)
