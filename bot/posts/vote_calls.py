"""Calls to a vote besides its own message: when quiet hours end, by direct message, before it ends.

Everybody hears of a vote as they have chosen to hear of turns: who is called every turn at once, who gets a digest in
the next one, who wants the last call alone shortly before the vote ends, or before quiet hours that last until then.
Each call is due in the database until it is made, and one that may have been made before is looked for first.
"""

import logging
from typing import TYPE_CHECKING

import discord
from msgspec.structs import replace

from bot import error_codes
from bot.clock import HOUR
from bot.components.items import carries, view_of
from bot.components.parts import ids_in
from bot.errors import NotFound
from bot.matches.ballot import Vote
from bot.matches.pace import LONGEST_WARNING
from bot.matches.player_settings import CallLevel, Choices
from bot.matches.room import Due, Room
from bot.posts import vote_message
from bot.posts.vote_message import Message
from bot.reply import only
from bot.text import describe, say

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.vote_calls")

DUE = "vote_call"
"""What is due: somebody called to the votes of a match to which they have said nothing."""
SOON = 60
"""Seconds before it is seen again whether the message of a vote is there."""
BEFORE_QUIET = HOUR
"""Seconds that a last call comes before quiet hours in which the vote ends."""


class VoteCalls:
    """Calls those whom a vote's own message does not."""

    def __init__(self, bot: "Motu") -> None:
        self._bot = bot
        bot.matches.scheduler.register(DUE, self._call)

    async def mentioned(self, room: Room, vote: Vote) -> list[int]:
        """Whom the message of a vote mentions. The others are to be called when it is there, or later."""
        pings, here, later = self._bot.matches.pings, list[int](), list[Due]()
        for user in vote_message.called(room, vote, self._bot.matches.votes.kind(vote)):
            chosen, now = await pings.of(user), int(pings.now())
            until = chosen.quiet_until(now)
            if chosen.level is CallLevel.DIGEST:
                await pings.put_in_digest(user)
            elif chosen.level is CallLevel.LAST:
                awaiting = await self._bot.matches.votes.awaiting(room, user)
                later.append(Due(DUE, min(_last_call(one, chosen) for one in awaiting or [vote]), vote.match, user))
            elif chosen.level is CallLevel.TURN and until is None and pings.is_here(room, chosen):
                here.append(user)
            elif chosen.level is CallLevel.TURN:
                # Should the bot stop before the message is there, it is seen to soon after the start.
                later.append(Due(DUE, until or now + SOON, vote.match, user))
        await self._bot.matches.scheduler.set(*later)
        return here

    async def posted(self, match: str) -> None:
        """The message of a vote is there: who is only called elsewhere is called now."""
        now = int(self._bot.matches.pings.now())
        waiting = [due for due in await self._bot.matches.store.dues_of(match) if due.kind == DUE]
        await self._bot.matches.scheduler.set(*(replace(due, at=now) for due in waiting if due.at <= now + SOON))

    async def _call(self, due: Due) -> None:
        matches, user = self._bot.matches, due.user
        try:
            room = await matches.find(due.match)
        except NotFound:
            return
        votes = await matches.votes.awaiting(room, user)
        chosen, now = await matches.pings.of(user), int(matches.pings.now())
        if not votes or room.info.paused_for or chosen.level is CallLevel.OFF:
            return
        if chosen.level is CallLevel.DIGEST:
            await matches.pings.put_in_digest(user)
            return
        later: list[int] = []
        if chosen.level is CallLevel.LAST:
            later = [at for vote in votes if (at := _last_call(vote, chosen)) > now]
            votes = [vote for vote in votes if _last_call(vote, chosen) <= now]
        if (until := chosen.quiet_until(now)) is not None:
            # A vote that ends before the quiet hours do is better called to without a sound than not at all.
            ending = [vote for vote in votes if vote.ends <= until]
            if len(ending) < len(votes):
                later.append(until)
            votes = ending
        if not all(vote.message for vote in votes):
            later.append(now + SOON)
            votes = []
        if later:
            await matches.store.set_due(replace(due, at=min(later)))
        if not votes:
            return
        silent = until is not None
        is_closed = False
        if not matches.pings.is_here(room, chosen):
            is_closed = not await self._write(room, votes, user, chosen.channel, silent)
            if not is_closed:
                return
            await matches.pings.direct_closed(user)
        try:
            for vote in votes:
                made = vote_message.message(room, vote, matches.votes.kind(vote))
                said = self._asked(room, vote, f"<@{user}>")
                if is_closed and vote is votes[-1]:
                    said += "\n" + say("call.closed", called=f"<@{user}>")
                await self._send(room.info.place.posts_to, replace(made, content=said), vote, user, silent)
        except discord.HTTPException as error:
            if error.code not in error_codes.PLACE_LOST:
                raise
            # The next board finds that out as well, and sees to it.
            log.info("match %s cannot call to a vote (%s)", due.match, error.code)
        if is_closed:
            await matches.pings.told_closed(user)

    async def _write(self, room: Room, votes: list[Vote], user: int, channel: int, silent: bool) -> bool:
        """The votes in direct messages, to be answered right there; False if somebody takes none any more."""
        for vote in votes:
            made = vote_message.message(room, vote, self._bot.matches.votes.kind(vote))
            said = f"{self._asked(room, vote)}\n{made.content}"
            try:
                await self._send(channel, replace(made, content=said), vote, user, silent)
            except discord.HTTPException as error:
                if error.code not in error_codes.DIRECT_CLOSED:
                    raise
                return False
        return True

    def _asked(self, room: Room, vote: Vote, called: str = "") -> str:
        return say("vote.call", called=called, game=describe.title(room), link=describe.link_to(room, vote.message))

    async def _send(self, channel: int, made: Message, vote: Vote, user: int, silent: bool) -> None:
        """Call somebody to a vote, unless a message that nobody has noted has done so already."""
        mention = f"<@{user}>" if f"<@{user}>" in made.content else ""

        def is_its_message(message: discord.Message) -> bool:
            # The vote's own message has the same buttons.
            is_call = message.id != vote.message and mention in message.content
            return is_call and carries(message, ids_in(made.rows))

        key = (vote.match, user, f"vote-{vote.number}")
        if await self._bot.outbox.find_sent(channel, key, vote.opened, is_its_message):
            return
        await self._bot.calls.bucket.take()

        async def send() -> discord.Message:
            return await self._bot.get_partial_messageable(channel).send(
                made.content,
                view=view_of(made.rows),
                # By it Discord knows a repeat for some minutes.
                nonce=f"{vote.match}v{vote.number}c{user & 0xFFFFFF:x}",
                allowed_mentions=only([user]),
                silent=silent,
            )

        await self._bot.outbox.in_open_thread(channel, send)


def _last_call(vote: Vote, chosen: Choices) -> int:
    """Return when somebody is called to a vote who wants the last call alone."""
    at = vote.ends - min(LONGEST_WARNING, (vote.ends - vote.opened) // 3)
    quiet = chosen.quiet_hours_at(at)
    if quiet is None or quiet[1] < vote.ends:
        return at
    before = max(vote.opened, quiet[0] - BEFORE_QUIET)
    # Quiet hours that had begun before the vote leave no time before them.
    return before if before < quiet[0] else at
