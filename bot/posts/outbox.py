"""The outbox: sends every pending post exactly once and in order, through outages and crashes.

The database holds the pending posts; one stays pending until it is recorded as sent. After each
change, one task per match sends its pending posts (`_drain`), updates the last post, and announces
the result of a match that has ended. What can go wrong (`longest_wait`, `may_simpler_work`):

- Discord is unreachable, slow, failing (5xx) or rate-limiting us (429): retry with growing delays.
- Discord rejects the post for an unclear reason: retry too, since proxies in front of Discord also
  answer like this. If that goes on, or the message itself is at fault (400, 413), send it without
  pictures, then as plain text.
- A Discord error code says the channel or thread is lost: pause the match until it can post there
  again (places.py) or is resumed elsewhere.
- A post may have been sent without our getting the response: look for it before sending it again.
  Every try also carries the same nonce, by which Discord drops duplicates for a few minutes.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, TypeVar

import discord
from cachetools import LRUCache

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.encoding import DAMAGED
from bot.kernel.room import Post, Room
from bot.model import ABSENCE, Announcement, Status
from bot.posts import turn_message
from bot.posts.places import GONE, LostPlaces, Threads, pause_match, why_lost
from bot.posts.sending import find_own_message, send_message
from bot.posts.turn_message import Message
from bot.runtime.base import BotError, Chores, Locks, RunningTasks, StoreError, log_error
from bot.runtime.logs import measure
from bot.text import say
from bot.ui import (
    DISCORD_ERRORS,
    UNREACHABLE,
    MotuClient,
    Picture,
    backoff,
    carries,
    describe,
    error_codes,
    ids_in,
    plain_names,
    view_of,
    write_to,
)
from engine import EngineError

log = logging.getLogger("motu.outbox")

FIRST_WAIT = 1.0
"""Seconds before the first retry; doubles each time."""
MAX_WAIT_SECONDS, MAX_REFUSED_WAIT_SECONDS = 60.0, 600.0
"""Longest wait between tries: during an outage, and after a refusal, which counts against us."""
RETRIES_BEFORE_FALLBACK = 6
"""Retries, over a minute or so, before we suspect the message itself."""
MAX_REFUSALS, REFUSAL_WINDOW_SECONDS = 1000, 600.0
"""After this many refusals within this many seconds, all posts wait.

Discord temporarily bans clients at ten times as many.
"""
SHUTDOWN_SECONDS = 3.0
"""How long posts in flight get to finish when the bot stops."""
BACKLOG_WORKERS = 2
"""Matches caught up on at once after a start: as many as can be drawn in parallel."""
MAX_POSTS_AT_ONCE = 32
"""After an hour's outage thousands of posts are pending.

Sent all at once they would starve each other.
"""
BACKLOG_PATIENCE_SECONDS = 5.0
"""How long to wait for a match that cannot post before starting the next in the backlog."""
POSTS_REMEMBERED = 2048
"""Posts kept in memory: about one for each match that is being played."""
WAIT_FOR_POSTS_SECONDS = 60.0
"""How long `after_posts` waits for earlier posts."""

T = TypeVar("T")


def longest_wait(error: Exception) -> float:
    """Return the longest wait before the next try; raise the error again if none would help."""
    match error:
        case discord.HTTPException() if error.code in error_codes.PLACE_LOST:
            raise error
        case discord.HTTPException() if error.status < 500:
            return MAX_REFUSED_WAIT_SECONDS
        case discord.HTTPException() | StoreError():
            return MAX_WAIT_SECONDS
        case BotError() | EngineError():
            raise error
    if isinstance(error, UNREACHABLE):
        return MAX_WAIT_SECONDS
    # An unintelligible response, such as an error page from a proxy in front of Discord.
    log_error(error)
    return MAX_REFUSED_WAIT_SECONDS


def may_simpler_work(error: Exception, tries: int) -> bool:
    """Return whether a simpler version of a message may get through where this one did not."""
    if isinstance(error, discord.HTTPException):
        if error.code in error_codes.PLACE_LOST or error.status == 429:
            return False
        if error.status in (400, 413):
            return True
    # After this many failures, timeouts included, the message itself is suspect.
    return tries >= RETRIES_BEFORE_FALLBACK


class Outbox:
    """Sends the pending posts. At most one task per match, so that its posts keep their order."""

    def __init__(self, client: MotuClient, threads: Threads) -> None:
        self._client = client
        self._kernel = client.kernel
        self._threads = threads
        self._chores = Chores("outbox", self._drain)
        self._catching_up = RunningTasks()
        self._locks = Locks()
        """Held while something is sent where a match is played."""
        self._posting = asyncio.Semaphore(MAX_POSTS_AT_ONCE)
        self._maybe_sent: set[int] = set()
        """Announcements that may have been sent already, without our getting the response."""
        self._refused: deque[float] = deque(maxlen=MAX_REFUSALS)
        """When Discord refused something of late."""
        self._sent: LRUCache[int, Announcement] = LRUCache(POSTS_REMEMBERED)
        """What was announced by the messages sent here."""
        self._contents: LRUCache[int, str] = LRUCache(POSTS_REMEMBERED)
        """The words of the last posts and reminders, by message: edited without being fetched."""
        self.lost_places = LostPlaces(client)

    # When to look for pending posts.

    def poke(self, match: str) -> None:
        """Send the pending posts of a match, and update its last post."""
        self._chores.poke(match)

    def on_change(self, change: Change) -> None:
        """Send the posts that a change has made pending."""
        if not change.is_draft_only or change.announce_again:
            self.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Look at a match that another process has written."""
        if notification != ABSENCE:
            self.poke(notification)

    async def poll_pending_posts(self) -> None:
        """Wake matches with pending posts: the process that wrote them may have stopped."""
        for announcement in await self._kernel.matches.due():
            if announcement.match not in self._chores.tasks:
                self.poke(announcement.match)

    async def catch_up(self) -> None:
        """After a start: send the posts that were pending when the bot stopped, a few at a time."""
        await self.lost_places.start()
        due = await self._kernel.matches.due()
        self._maybe_sent |= {announcement.id for announcement in due}
        store = self._kernel.store
        ended = await store.read(queries.matches_with_unannounced_result, own=store.own)
        pending = iter(dict.fromkeys([*(announcement.match for announcement in due), *ended]))
        for _ in range(BACKLOG_WORKERS):
            self._catching_up.start(self._work_off_backlog(pending), "outbox-backlog")

    async def _work_off_backlog(self, matches: Iterator[str]) -> None:
        """Send what is pending one match at a time, so that people playing now need not wait."""
        for match in matches:
            with suppress(TimeoutError):
                async with asyncio.timeout(BACKLOG_PATIENCE_SECONDS):
                    await self._chores.finish(match)

    async def after_posts(self, match: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Run `work` once all pending posts of a match are sent; return False if they cannot be."""
        async with asyncio.timeout(WAIT_FOR_POSTS_SECONDS):
            is_posted = await self._chores.finish(match)
        if is_posted:
            async with self._locks[match]:
                await work()
        return bool(is_posted)

    async def close(self) -> None:
        """Let posts in flight finish; the rest stay pending."""
        self.lost_places.close()
        await asyncio.gather(self._chores.close(SHUTDOWN_SECONDS), self._catching_up.close())

    # Pending posts.

    async def _drain(self, match: str) -> bool:
        """Send all pending posts of a match and update the last; return whether that is done."""
        try:
            async with self._locks[match]:
                # Looked for anew each time: one may be withdrawn while another is sent.
                while pending := await self.retry(match, lambda _: self._find_pending(match)):
                    with measure("post"):
                        is_ours = await self.retry(match, partial(self.deliver, pending[0]))
                    if not is_ours:
                        return False
                if not await self._client.owns(match):
                    return False
                await self._refresh_last_post(match)
                await self._announce_result(match)
                return True
        except discord.HTTPException as error:
            await self.pause(match, why_lost(error))
        except EngineError as error:
            log_error(error, f"match {match} cannot be read")
            with suppress(BotError, EngineError):
                await self.pause(match, DAMAGED)
        except Exception as error:
            log_error(error)
        return False

    async def _find_pending(self, match: str) -> list[Announcement]:
        """Return the pending posts of a match, in order."""
        room = await self._kernel.matches.find(match)
        last_post, sent = room.last_post, self._sent.get(room.record.turn_message)
        if last_post is None or last_post == sent or room.record.paused_for:
            return []
        # Each post begins where the one before it ended, so none can be missing in between.
        if sent is not None and last_post.since == sent.number:
            return [last_post]
        return await self._kernel.matches.due(match)

    async def retry(self, match: str, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Attempt something, given how often it has failed, until Discord and the database take it.

        Raises an HTTPException only if the match's place is lost.
        """
        now = asyncio.get_running_loop().time
        for tries in count():
            is_refused_often = len(self._refused) == MAX_REFUSALS
            if is_refused_often and (left := self._refused[0] + REFUSAL_WINDOW_SECONDS - now()) > 0:
                # Discord temporarily bans clients that go on.
                log.warning("Discord refused %d requests, waiting %.0f s", MAX_REFUSALS, left)
                await asyncio.sleep(left)
            try:
                return await attempt(tries)
            except Exception as error:
                longest = longest_wait(error)
                failed = f"{type(error).__name__} {getattr(error, 'code', '')}"
            if longest == MAX_REFUSED_WAIT_SECONDS:
                self._refused.append(now())
            wait = backoff(tries, FIRST_WAIT, longest)
            # A failure that the next try fixes is not worth a warning.
            level = logging.INFO if tries + 1 < RETRIES_BEFORE_FALLBACK / 2 else logging.WARNING
            log.log(level, "post for match %s failed (%s), retrying in %.0f s", match, failed, wait)
            await asyncio.sleep(wait)
        raise AssertionError("counting never ends")

    # One post.

    async def deliver(self, announcement: Announcement, tries: int) -> bool:
        """Send one post and record it; return False if another process looks after the match."""
        match, kernel = announcement.match, self._kernel
        async with self._posting:
            # If another process looks after the match, it was notified of what has been written.
            if not await self._client.owns(match):
                return False
            # After a failure it may have been recorded after all, here or by another process. A
            # later board may carry the buttons by now.
            if not tries or announcement in await kernel.matches.due(match):
                post = await kernel.matches.post_of(announcement)
                followers = [follow for parts in kernel.parts for follow in parts.post_followers]
                extras = [await follow(post) for follow in followers]
                gives_up = tries >= RETRIES_BEFORE_FALLBACK
                room = await self._threads.provide(post.room, gives_up)
                mentions = tuple(user for extra in extras for user in extra.mentions)
                sent = await self._send(post, room, tries, mentions)
                self._contents[sent.id] = sent.content
                await self.strip_previous_turn(room, sent.id)
                jobs = [job for extra in extras for job in extra.jobs]
                await kernel.matches.note_post(announcement, sent.id, jobs)
                self._sent[sent.id] = announcement
                kernel.scheduler.note(jobs)
                for extra in extras:
                    if extra.on_noted is not None:
                        extra.on_noted()
        self._maybe_sent.discard(announcement.id)
        self.lost_places.forget(match)
        return True

    async def _send(
        self, post: Post, room: Room, tries: int, mentions: tuple[int, ...]
    ) -> discord.Message:
        """Send a post with pictures; failing that without them; failing that as plain text."""
        announcement, place = post.announcement, room.record.place
        deadlines = self._kernel.clocks.deadlines(post.room)
        if announcement.id in self._maybe_sent:
            versions = turn_message.versions(post, mentions, deadlines)
            if found := await self._find_posted(room, list(versions), tries):
                return found
        # From here on the post may be sent without our getting the response.
        self._maybe_sent.add(announcement.id)
        pictures: list[Picture | None] | None = None
        for made in turn_message.versions(post, mentions, deadlines):
            pictures = await self._draw(post, made) if pictures is None else []
            try:
                return await send_message(
                    self._client,
                    place.posts_to,
                    made,
                    f"{announcement.match}-{announcement.id}",
                    pictures=pictures,
                    # A direct message is heard even without a mention.
                    silent=not made.pings and not place.guild,
                )
            except DISCORD_ERRORS as error:
                if not made.rows or not may_simpler_work(error, tries):
                    raise
                log_error(error, f"a post of match {room.record.id} goes out with less in it")
        raise AssertionError("there is a last version")

    async def _draw(self, post: Post, made: Message) -> list[Picture | None]:
        """Draw the pictures of a post; it is sent even if it cannot be drawn."""
        client, room = self._client, post.room
        pictures = [await describe.draw_board(client, room, events=post.events)]
        if made.with_scores:
            view = room.playing().view(None)
            pictures.append(await client.pictures.score_sheet(view, plain_names(room)))
        return pictures

    async def _find_posted(
        self, room: Room, versions: list[Message], tries: int
    ) -> discord.Message | None:
        """Return the post if it is there already: Discord drops repeats for some minutes only."""
        # Its buttons name the match and the announcement; the words may be the same in another
        # match, or another turn. In words alone it has no buttons, and says itself which match it
        # is of.
        buttons, words = ids_in(versions[0].rows), versions[-1].content.strip()
        try:
            return await find_own_message(
                self._client,
                room.record.place.posts_to,
                room.record.turn_message or room.record.lobby_message,
                lambda message: message.content == words or carries(message, buttons),
            )
        except discord.HTTPException as error:
            if error.code in error_codes.PLACE_LOST:
                cannot_look = error.status == 403
            else:
                # Refused for a long time, and not by an outage: a missing post is worse than a
                # possible duplicate.
                cannot_look = error.status < 500 and tries >= RETRIES_BEFORE_FALLBACK
            if not cannot_look:
                raise
            log.info("match %s cannot look back at what it has posted", room.record.id)
        return None

    # The last post.

    async def note_reminder(self, room: Room, message: int, content: str) -> None:
        """Note that a reminder in the match's place carries its buttons from now on."""
        self._contents[message] = content
        # It stands for the post before it, so that nobody asks the database what is pending.
        if announced := self._sent.get(room.record.turn_message):
            self._sent[message] = announced
        await self.strip_previous_turn(room, message)
        await self._kernel.matches.note_messages(room.record.id, turn_message=message)

    async def strip_previous_turn(self, room: Room, sent: int) -> None:
        """Remove the buttons and mentions from the previous turn's message.

        If it cannot be edited it keeps them, and the buttons still work.
        """
        # After a retry, the message just sent may already be recorded as the last one.
        if room.record.turn_message in (0, sent):
            return
        old = self._last_post(room)
        edit: dict[str, Any] = {"view": None}
        try:
            # Words that the bot may not read stay as they are.
            with suppress(discord.Forbidden):
                edit["content"] = turn_message.without_calls(await self._content_of(old), room)
            await old.edit(**edit)
            self._contents.pop(old.id, None)
        except discord.HTTPException as error:
            log.info("the last turn of match %s keeps its buttons (%s)", room.record.id, error.code)

    def _last_post(self, room: Room) -> discord.PartialMessage:
        channel = self._client.channel_of(room.record.place)
        return channel.get_partial_message(room.record.turn_message)

    async def _content_of(self, message: discord.PartialMessage) -> str:
        """Return the words of a post or reminder; one of an earlier process has to be fetched."""
        if message.id not in self._contents:
            self._contents[message.id] = (await message.fetch()).content
        return self._contents[message.id]

    async def _refresh_last_post(self, match: str) -> None:
        """Update the last post: whose secret answers are in, and which computer is taking long.

        If it cannot be edited, leave it as it is.
        """
        room = await self._kernel.matches.find(match)
        if room.match is None or not room.record.turn_message:
            return
        thinking = self._kernel.computers.thinking(match)
        if thinking not in room.match.waiting_for():
            # It thinks about what is no longer asked, as when a match has ended by a resignation.
            thinking = None
        post = await self._kernel.matches.standing_post(room)
        if post is None and thinking is None:
            return
        old = self._last_post(room)
        try:
            if post is not None:
                content = turn_message.freshened(post, room, self._kernel.clocks.deadlines(room))
            else:
                content = await self._content_of(old)
            if thinking is not None:
                content = turn_message.thinking(content, room, thinking)
            if content == self._contents.get(old.id):
                return
            # Kept even if the edit fails: what Discord refuses is not tried again and again.
            self._contents[old.id] = content
            await old.edit(content=content)
        except DISCORD_ERRORS as error:
            log.info("the last turn of match %s stays as it is (%s)", match, type(error).__name__)

    # The end.

    async def _announce_result(self, match: str) -> None:
        """Show the result of a match that has ended where it began; stays pending until done."""
        room = await self._kernel.matches.find(match)
        if not room.record.result_unannounced or room.record.paused_for:
            return
        if await self._find_pending(match):
            # It has ended just now. The lobby links to the last board, so that comes first.
            return
        steps = [tell for parts in self._kernel.parts for tell in parts.on_result]
        steps += [self._change_buttons, self._threads.rename, self._note_result_announced]

        async def attempt(step: Callable[[Room], Awaitable[None]], tries: int) -> None:
            """Run an idempotent step; what Discord rejects for good is left out."""
            try:
                await step(room)
            except discord.HTTPException as error:
                is_odd = not error.code and tries < RETRIES_BEFORE_FALLBACK
                if is_odd or error_codes.is_passing(error):
                    raise
                log.info("the end of match %s is not told everywhere (%s)", match, error.code)

        for step in steps:
            await self.retry(match, partial(attempt, step))

    async def _change_buttons(self, room: Room) -> None:
        """Give the last board the buttons of an end if the match ended without a result.

        No post tells of that.
        """
        if room.record.status is Status.CALLED_OFF and room.record.turn_message:
            await self._last_post(room).edit(view=view_of(turn_message.turn_rows(room)))

    async def _note_result_announced(self, room: Room) -> None:
        await self._kernel.pipeline.change(
            room.record.id, lambda change: change.update(result_unannounced=False)
        )

    # Lost places.

    async def pause_all(self, channel: int) -> None:
        """Pause all matches of a channel or thread that is gone."""
        for room in await self._kernel.matches.here(channel):
            if room.record.status is Status.RUNNING:
                await self.pause(room.record.id, GONE)

    async def pause(self, match: str, why: str) -> None:
        """Pause a match that cannot post, and tell its host once."""
        room = await pause_match(self._kernel, match, why)
        if room is None:
            return
        log.warning("match %s is paused: %s", match, why)
        if self.lost_places.note(room):
            facts = {"game": describe.title(room), "id": match, "why": room.why_paused}
            ended = room.record.status is Status.FINISHED
            await write_to(
                self._client, room.record.host, say("notice.paused", ended=ended, **facts)
            )
