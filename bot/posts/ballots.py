"""The messages of votes: posted once, edited as people vote, and at last saying the result.

A vote is in the database before its message is on Discord, and what its message does not show yet is made up for after
a restart. Of many who press at once each sees the message as it stands, and it is edited no oftener than it changes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import discord
from msgspec.structs import replace

from bot import error_codes
from bot.components.items import carries, view_of
from bot.components.parts import ids_in
from bot.errors import BotError, log_error
from bot.matches.ballot import Vote
from bot.matches.queue import Queues
from bot.matches.room import COMPUTER, Room
from bot.pictures import NotDrawn, Picture
from bot.posts import vote_message
from bot.posts.chores import Chores
from bot.posts.lost_places import why_lost
from bot.posts.rate import backoff
from bot.posts.vote_message import Message
from bot.reply import NOBODY, UNREACHABLE, attached, only
from bot.text import say
from bot.text.names import mentions, plain_names
from engine import EngineError

if TYPE_CHECKING:
    from bot.app import Motu
    from bot.components.items import Asked

log = logging.getLogger("motu.ballots")

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a message is tried again; then twice as many each time, up to so many."""
PATIENT = 6
"""Tries of a message that Discord refuses; the next press or start tries again."""
LOOKED_BACK = 100
"""Messages looked through after a start for one that may be there."""
CANNOT_EDIT = {error_codes.UNKNOWN_MESSAGE, error_codes.OLD_EDITS, error_codes.ARCHIVED_THREAD}
"""Then the vote gets another message."""


class Ballots:
    """Looks after the messages of all votes."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        self._votes = bot.matches.votes
        self._chores = Chores("ballots", self._drain)
        self._shown: dict[tuple[str, int], Message] = {}
        """What the messages of open votes show."""
        self._doubtful: set[str] = set()
        """Matches of votes whose messages may be there without the bot having heard of it."""
        self._queues = Queues()
        self._votes.call_when_shown(self.poke)

    def poke(self, match: str) -> None:
        """The message of a vote of this match may have to change."""
        self._chores.poke(match)

    async def catch_up(self) -> None:
        """After a start: all messages as they ought to be."""
        for match in await self._votes.voting():
            self._doubtful.add(match)
            self.poke(match)

    async def close(self) -> None:
        """Show no more; after the next start it goes on."""
        await self._chores.close()

    async def _drain(self, match: str) -> None:
        tries = 0
        while True:
            try:
                if not await self._bot.owns(match):
                    return
                for vote in await self._votes.untold(match):
                    await self.show(match, vote.number)
                self._doubtful.discard(match)
                return
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    # It is posted once the match has a place again.
                    await self._bot.outbox.pause(match, why_lost(error))
                    return
                if not error_codes.is_passing(error) and tries >= PATIENT:
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

    async def show(self, match: str, number: int, pressed: "Asked | None" = None) -> Vote:
        """The message of a vote as it stands now, posted if it is not there; a press has its own way to edit one."""
        async with self._queues.turn(match):
            vote, room = await self._votes.find(match, number), await self._bot.matches.find(match)
            made, key = vote_message.message(room, vote, self._votes.kind(vote)), (match, number)
            edit: Callable[..., Awaitable[object]] | None = None
            if pressed is not None and pressed.message is not None and pressed.message.id == vote.message:
                edit = pressed.edit_original_response
            elif pressed is not None:
                # It was a call to the vote. The message itself is changed besides.
                await pressed.edit_original_response(
                    content=made.content, view=view_of(made.rows), allowed_mentions=NOBODY
                )
            if not await self._bot.owns(match):
                return vote
            place = room.info.place.posts_to
            if vote.place != place:
                # Asked anew where the match is played now.
                vote = replace(vote, message=0)
            is_shown = bool(vote.message) and self._shown.get(key) == made
            is_homeless = bool(room.info.paused_for) or (room.info.place.wants_thread and not room.info.place.thread)
            # Once the match has a place it is shown there.
            if is_homeless or (is_shown and vote.is_open) or vote.told:
                if edit is not None:
                    # Shown by somebody else's press; this one is answered all the same.
                    await edit(content=made.content, view=view_of(made.rows), allowed_mentions=NOBODY)
                return vote
            if not is_shown:
                message = await self._edited(room, vote, made, edit) or await self._posted(room, vote, made)
                self._shown[key] = made
            else:
                message = vote.message
            if vote_message.is_for_newcomer(vote):
                # An edit calls nobody; but if it is their turn, the board that is posted anew does.
                welcome = vote_message.welcome(room, vote)
                await self._bot.channel_of(room.info.place).send(
                    welcome.content,
                    view=view_of(welcome.rows),
                    nonce=f"{room.info.id}v{vote.number}w",
                    allowed_mentions=NOBODY if room.waits_for(vote.by.id) else only([vote.by.id]),
                )
            await self._votes.posted(vote, message, place)
            if message != vote.message:
                await self._bot.vote_calls.posted(match)
            if room.info.chairs != vote.chairs and not vote.is_open:
                # The lobby's card says who sits where.
                await self._bot.lobbies.refresh(room)
            if not vote.is_open:
                self._shown.pop(key, None)
            return vote

    async def _edited(
        self, room: Room, vote: Vote, made: Message, edit: Callable[..., Awaitable[object]] | None
    ) -> int:
        """The message edited; 0 if there is none that could be."""
        if not vote.message and room.info.id in self._doubtful:
            vote = await self._found(room, vote)
        if not vote.message:
            return 0
        change = edit or self._bot.channel_of(room.info.place).get_partial_message(vote.message).edit
        try:
            await change(content=made.content, view=view_of(made.rows), allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if error.code not in CANNOT_EDIT:
                raise
            log.info("the vote %s of match %s gets another message (%s)", vote.number, room.info.id, error.code)
            return 0
        return vote.message

    async def _posted(self, room: Room, vote: Vote, made: Message) -> int:
        if vote.by.id == COMPUTER:
            # Nobody waits for what the bot asks by itself, and it may have to ask very many tables at once.
            await self._bot.calls.bucket.take()
        called = await self._bot.vote_calls.mentioned(room, vote)
        words = say("vote.called", called=mentions(called), vote=made.content)
        board = await self._board(room, vote)

        async def send() -> discord.Message:
            return await self._bot.channel_of(room.info.place).send(
                words,
                view=view_of(made.rows),
                files=attached(board),
                # Discord knows a repeat by it for some minutes.
                nonce=f"{room.info.id}v{vote.number}{'' if vote.is_open else 'e'}",
                allowed_mentions=only(called),
            )

        return (await self._bot.outbox.in_open_thread(room.info.place.posts_to, send)).id

    async def _board(self, room: Room, vote: Vote) -> list[Picture]:
        """The board that a vote is about, if it is about one and that can be drawn."""
        shows = self._votes.kind(vote).shows
        if shows is None or not vote.is_open:
            return []
        there = await self._bot.matches.rewinds.at(room, shows(vote))
        try:
            return [await self._bot.pictures.board(there.playing().view(None), plain_names(there))]
        except NotDrawn:
            return []

    async def _found(self, room: Room, vote: Vote) -> Vote:
        """The vote with its message, if that is there already."""
        wanted = ids_in(vote_message.rows(vote, self._votes.kind(vote)))
        async for message in self._bot.channel_of(room.info.place).history(limit=LOOKED_BACK):
            if message.author == self._bot.user and carries(message, wanted):
                return replace(vote, message=message.id)
        return vote
