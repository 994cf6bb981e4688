"""The calls that are messages of their own: direct messages, reminders, digests. Whom and when, bot.matches.pings says.

A call that is wanted is a row in the database until it is made, so nothing is lost; each carries a nonce, by which
Discord knows a repeat for some minutes, and one that may have been made before is looked for first. Nobody waits for a
call: all of them pass through one bucket, so that ten thousand that are due at once keep to Discord's limits and hold
up no board and no press.

A direct message is only written to somebody who has asked for it, in the channel that was opened then. If Discord
refuses it they are told so once where they play, and called there from then on.
"""

import asyncio
import logging
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import discord

from bot import error_codes
from bot.errors import StoreError, log_error
from bot.matches.pings import DIGEST
from bot.matches.room import Call, Room
from bot.posts import call_message
from bot.posts.rate import Bucket, backoff
from bot.reply import NOBODY, UNREACHABLE
from bot.tasks import track_task

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.calls")

READ = 64
"""Calls read at a time."""
AT_ONCE = 8
"""Calls that are being made at a time: most of it is waiting for Discord."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a call is tried again; then twice as many each time, up to so many."""
PATIENT = 8
"""Tries after which a call is given up: minutes have passed, and there will be another. A clock's warning is asked for
again by the clock."""


class Calls:
    """Makes the calls that are wanted, one by one and not too fast."""

    def __init__(self, bot: "Motu", bucket: Bucket | None = None) -> None:
        self._bot = bot
        self.bucket = bucket or Bucket()
        """What nobody waits for passes through it."""
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._closing = False
        self._in_hand: dict[tuple[str, int], asyncio.Task[None]] = {}

    def poke(self) -> None:
        """Somebody may have to be called; after a start, those who were to be when the bot stopped."""
        self._again = True
        if not self._closing and (self._running is None or self._running.done()):
            self._running = track_task(self._run(), "calls")

    async def close(self) -> None:
        """Call nobody any more; what is left is wanted still."""
        self._closing = True
        tasks = [*self._in_hand.values(), *([self._running] if self._running else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        """Make all calls that are wanted, then rest until the next poke."""
        while self._again:
            self._again = False
            try:
                while await self._begin():
                    pass
            except StoreError as error:
                log_error(error, "calls have to wait")
                await asyncio.sleep(LONGEST_WAIT)
                self._again = True

    async def _begin(self) -> bool:
        """Begin with what is wanted and not in hand yet; whether there was any."""
        found = await self._bot.matches.pings.wanted(READ + AT_ONCE)
        fresh = [call for call in found if (call.match, call.user) not in self._in_hand]
        for call in fresh:
            while len(self._in_hand) >= AT_ONCE:
                await asyncio.wait(self._in_hand.values(), return_when=asyncio.FIRST_COMPLETED)
            await self.bucket.take(await self._requests(call))
            key = (call.match, call.user)
            self._in_hand[key] = track_task(self._keep_at(call), f"call-{call.match}")
            self._in_hand[key].add_done_callback(lambda _, key=key: self._done(key))  # type: ignore[misc]
        return bool(fresh)

    async def _requests(self, call: Call) -> int:
        """Return how many requests a call takes: a call that stands is edited, and so is the last post of a match."""
        if call.wanted == DIGEST or (await self._bot.matches.pings.of(call.user)).is_direct:
            return 2 if call.message else 1
        return 2

    def _done(self, key: tuple[str, int]) -> None:
        del self._in_hand[key]
        self.poke()

    async def _keep_at(self, call: Call) -> None:
        """Make a call, however often Discord has to be asked; given up when that is in vain.

        A clock stands still until its warning was sent, so a warning that never can be sent would hold up its match:

        - A direct message that is refused goes to the thread instead (`_make`).
        - A thread that is gone or closed to the bot pauses the match, and its host is told (`Outbox._make_calls`).
        - A thread that refuses the warning for any other reason refuses boards too. Those wait as long as it takes, and
          so does the warning: the log has a line each time.
        - A match in somebody's direct messages keeps nobody else waiting.
        """
        for tries in range(PATIENT):
            try:
                await self._make(call)
                return
            except discord.HTTPException as error:
                if error.code and not error_codes.is_passing(error):
                    log.warning("a call in match %s cannot be made (%s)", call.match or "-", error.code)
                    break
            except (StoreError, *UNREACHABLE) as error:
                log.info("a call in match %s has to wait (%s)", call.match or "-", type(error).__name__)
            except Exception as error:
                log_error(error, f"a call in match {call.match or '-'} cannot be made")
                break
            await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))
        try:
            await self._bot.matches.pings.failed(call)
        except StoreError as error:
            log_error(error)
            await asyncio.sleep(LONGEST_WAIT)

    async def _make(self, call: Call) -> None:
        pings = self._bot.matches.pings
        chosen = await pings.of(call.user)
        try:
            if call.wanted == DIGEST:
                await self._digest(call, chosen.channel if chosen.is_direct else 0)
            elif chosen.is_direct and (sent := await self._bot.outbox.find_call(chosen.channel, call)):
                # Before anything else is decided: in quiet hours, say, it would be put off and made a second time.
                await self._note(call, await self._bot.matches.find(call.match), chosen.channel, sent)
            elif (ready := await pings.ready(call)) is not None:
                room, call = ready
                if pings.is_here(room, chosen):
                    # In the match's own task, so that its posts keep their order.
                    await self._bot.outbox.call_out(call.match)
                else:
                    await self._write(call, room, chosen.channel)
        except discord.HTTPException as error:
            is_refused = bool(error.code) and not error_codes.is_passing(error)
            if not chosen.is_direct or not is_refused:
                raise
            # Whatever the reason, such as a channel that is gone: the next message there would fare no better.
            log.info("direct messages to a player are switched off (%s)", error.code)
            await pings.direct_closed(call.user)
            await self._make(call)

    async def _write(self, call: Call, room: Room, channel: int) -> None:
        """A call to one decision in a direct message."""
        pings = self._bot.matches.pings
        made = call_message.direct(room, call, pings.untils(room))
        silent = pings.is_silent(await pings.of(call.user), call.wanted)
        await self._note(call, room, channel, await self._bot.outbox.send_call(channel, made, call, silent=silent))

    async def _note(self, call: Call, room: Room, channel: int, sent: int) -> None:
        """A direct message has called somebody: the one before it loses its buttons."""
        await self._retire(call, room)
        await self._bot.matches.pings.made(call, channel, sent)
        await self.tidy(call.match)

    async def _digest(self, call: Call, channel: int) -> None:
        """All that waits for somebody, in a direct message; else a call where the most urgent of it is played."""
        pings = self._bot.matches.pings
        waiting, besides = await pings.waiting(call.user), await pings.besides(call.user)
        rooms = [room for room, _ in waiting]
        if not rooms and not besides.rooms:
            await pings.unwanted(call)
            return
        if channel:
            made = call_message.digest(call, rooms, [pings.untils(room) for room in rooms], besides)
        else:
            here = (*rooms, *besides.rooms)[0]
            channel = here.info.place.posts_to
            is_closed = (await pings.of(call.user)).closed
            untils = pings.untils(here) if rooms else None
            made = call_message.digest_here(here, call, is_closed, untils, besides)
        outbox = self._bot.outbox
        sent = await outbox.find_call(channel, call, made.pings) or await outbox.send_call(channel, made, call)
        await self._retire(call, None)
        await pings.made_digest(call, waiting, channel, sent)
        if made.pings:
            await pings.told_closed(call.user)

    async def tidy(self, match: str, anew: Collection[int] = ()) -> None:
        """Calls that are answered lose their buttons, and so do those to people who are called anew."""
        pings = self._bot.matches.pings
        for call in await pings.over(match, anew):
            if call.message:
                await self.bucket.take()
                await self._retire(call, await self._bot.matches.find(match))
            await pings.forget(call)

    async def _retire(self, call: Call, room: Room | None) -> None:
        """Take the buttons and the mention off the message that has called somebody; one that is gone is no loss."""
        if not call.message:
            return
        old = self._bot.get_partial_messageable(call.channel).get_partial_message(call.message)
        edit: dict[str, Any] = {"view": None, "allowed_mentions": NOBODY}
        try:
            await old.edit(content=call_message.past(room), **edit)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a call in match %s keeps its buttons (%s)", call.match or "-", type(error).__name__)
