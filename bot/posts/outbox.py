"""The outbox: sends every pending post exactly once and in order, through outages and crashes.

The database holds the pending posts; one stays pending until it is recorded as sent. After each
change, one task per match sends its pending posts (`_drain`), updates the last post, and announces
the result of a match that has ended. What can go wrong (`longest_wait`, `may_simpler_work`):

- Discord is unreachable, slow, failing (5xx) or rate-limiting us (429): retry with growing delays.
- Discord rejects the post for an unclear reason: retry too, since proxies in front of Discord also
  respond like this. If that keeps happening, or the message itself is at fault (400, 413), send it
  without pictures, then as plain text.
- A Discord error code says the channel or thread is lost: pause the match until it can post there
  again (places.py) or is resumed elsewhere.
- A post may have been sent without our getting the response: look for it before sending it again.
  Every try also carries the same nonce, by which Discord drops duplicates for a few minutes.

A solo match has one living message, which most of its posts edit (`may_edit_last_post`): its only
player is there anyway and needs no ping. An edit can be repeated without harm.

The order of the steps in `deliver` must stay: whatever is recorded before it has happened is lost
in a crash, and whatever happens before it is recorded may happen twice.
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
from bot.kernel.languages import speaking_to_player, speaking_to_table
from bot.kernel.room import Post, Room
from bot.model import ABSENCE, Announcement, Status
from bot.posts import turn_message
from bot.posts.direct import DirectBoards, edit_board, is_board_of, is_direct
from bot.posts.places import GONE, LostPlaces, Threads, pause_match, why_lost
from bot.posts.sending import find_own_message, send_message
from bot.posts.turn_message import Message
from bot.runtime.base import HOUR, BotError, Chores, Locks, RunningTasks, StoreError, log_error
from bot.runtime.logs import measure
from bot.text import say
from bot.ui import (
    DISCORD_ERRORS,
    UNREACHABLE,
    LateEdits,
    MotuClient,
    Picture,
    backoff,
    describe,
    error_codes,
    has_component,
    ids_in,
    make_files,
    plain_names,
    send_direct_message,
    view_of,
)
from bot.ui.reply import NOBODY
from engine import EngineError

log = logging.getLogger("motu.outbox")

FIRST_WAIT_SECONDS = 1.0
"""How long to wait before the first retry; doubles each time."""
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
"""How many posts are sent at the same time.

After an hour's outage thousands are pending; sent all at once they would starve each other.
"""
BACKLOG_PATIENCE_SECONDS = 5.0
"""How long to wait for a match that cannot post before starting the next in the backlog."""
MAX_REMEMBERED_POSTS = 2048
"""How many posts are kept in memory: about one for each match that is being played."""
MAX_EDITED_SECONDS = float(HOUR)
"""For how long the living message of a solo match is edited before there is a new one."""
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
    # A response that discord.py cannot parse, such as an error page from a proxy.
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


def may_edit_last_post(post: Post, room: Room, now: float) -> bool:
    """Return whether a post may be an edit of the last message instead of a message of its own.

    Scores and the end of a match are kept to be read later. Discord limits the edits of messages
    that are older than an hour, and nobody looks for news in them.
    """
    if not room.is_solo or not has_recent_message(room, now):
        return False
    return room.playing().outcome is None and not any(event.shows_scores for event in post.events)


def has_recent_message(room: Room, now: float) -> bool:
    """Whether the last post of a match is young enough to be edited often."""
    message = room.record.turn_message
    sent_at = discord.utils.snowflake_time(message).timestamp()
    return message != 0 and now - sent_at < MAX_EDITED_SECONDS


class Outbox:
    """Sends the pending posts. At most one task per match, so that its posts keep their order."""

    def __init__(self, client: MotuClient, threads: Threads) -> None:
        self._client = client
        self._kernel = client.kernel
        self._threads = threads
        self._late_edits = client.services.require(LateEdits)
        self._chores = Chores("outbox", self._drain)
        self._catching_up = RunningTasks()
        self._locks = Locks()
        """Held while something is sent where a match is played."""
        self._posting = asyncio.Semaphore(MAX_POSTS_AT_ONCE)
        self._maybe_sent: set[int] = set()
        """Announcements that may have been sent already, without our getting the response."""
        self._refused: deque[float] = deque(maxlen=MAX_REFUSALS)
        """When Discord refused the latest requests, by the event loop's clock."""
        self._sent: LRUCache[int, Announcement] = LRUCache(MAX_REMEMBERED_POSTS)
        """The announcement of each message that this process has sent, by message id."""
        self._contents: LRUCache[int, str] = LRUCache(MAX_REMEMBERED_POSTS)
        """The texts of the last posts and reminders, by message id; saves fetching them."""
        self.lost_places = LostPlaces(client)

    # When to look for pending posts

    def poke(self, match_id: str) -> None:
        """Send the pending posts of a match, and update its last post."""
        self._chores.poke(match_id)

    def on_change(self, change: Change) -> None:
        """Send the posts that a change has made pending."""
        if not change.is_draft_only or change.announce_again:
            self.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Send the posts of a match that another process has changed."""
        if notification != ABSENCE:
            self.poke(notification)

    async def poll_pending_posts(self) -> None:
        """Wake matches with pending posts: the process that wrote them may have stopped."""
        for announcement in await self._kernel.matches.pending_posts():
            if announcement.match not in self._chores.tasks:
                self.poke(announcement.match)

    async def catch_up(self) -> None:
        """Send the posts that were pending when the bot stopped, a few matches at a time."""
        await self.lost_places.start()
        announcements = await self._kernel.matches.pending_posts()
        # The bot may have been stopped between sending them and recording that.
        self._maybe_sent |= {announcement.id for announcement in announcements}
        store = self._kernel.store
        ended = await store.read(queries.matches_with_unannounced_result, own=store.own)
        matches = [announcement.match for announcement in announcements]
        # The workers share one iterator, so that each match is taken by one of them.
        backlog = iter(dict.fromkeys([*matches, *ended]))
        for _ in range(BACKLOG_WORKERS):
            self._catching_up.start(self._work_off_backlog(backlog), "outbox-backlog")

    async def _work_off_backlog(self, pending: Iterator[str]) -> None:
        """Send pending posts one match at a time, so that people playing now need not wait."""
        for match in pending:
            with suppress(TimeoutError):
                async with asyncio.timeout(BACKLOG_PATIENCE_SECONDS):
                    await self._chores.finish(match)

    async def after_posts(self, match_id: str, work: Callable[[], Awaitable[None]]) -> bool:
        """Run `work` once all pending posts of a match are sent; return False if they cannot be.

        Until `work` is done, no further post of the match is sent.
        """
        is_posted = await self.wait_until_posted(match_id)
        if is_posted:
            async with self._locks[match_id]:
                await work()
        return is_posted

    async def wait_until_posted(self, match_id: str) -> bool:
        """Wait until all pending posts of a match are sent; return False if they cannot be."""
        async with asyncio.timeout(WAIT_FOR_POSTS_SECONDS):
            return bool(await self._chores.finish(match_id))

    async def close(self) -> None:
        """Let posts in flight finish; the rest stay pending."""
        self.lost_places.close()
        await asyncio.gather(self._chores.close(SHUTDOWN_SECONDS), self._catching_up.close())

    # Pending posts

    async def _drain(self, match_id: str) -> bool:
        """Send all pending posts of a match and update the last; return whether that is done."""
        try:
            room = await self.retry(match_id, lambda _: self._kernel.matches.find(match_id))
            async with self._locks[match_id]:
                with speaking_to_table(room.record):
                    return await self._send_pending(match_id)
        except discord.HTTPException as error:
            await self.pause(match_id, why_lost(error))
        except EngineError as error:
            log_error(error, f"couldn't read match {match_id}")
            with suppress(BotError, EngineError):
                await self.pause(match_id, DAMAGED)
        except Exception as error:
            log_error(error)
        return False

    async def _send_pending(self, match_id: str) -> bool:
        # Query again after each post: an undo may have withdrawn the next one meanwhile.
        while pending := await self.retry(match_id, lambda _: self._find_pending(match_id)):
            with measure("post"):
                is_ours = await self.retry(match_id, partial(self.deliver, pending[0]))
            if not is_ours:
                return False
        if not await self._client.owns(match_id):
            return False
        await self._refresh_last_post(match_id)
        await self._announce_result(match_id)
        return True

    async def _find_pending(self, match_id: str) -> list[Announcement]:
        """Return the pending posts of a match, in order."""
        room = await self._kernel.matches.find(match_id)
        last_post, sent = room.last_post, self._sent.get(room.record.turn_message)
        if last_post is None or last_post == sent or room.record.paused_for:
            return []
        # Each post begins where the one before it ended, so none can be missing in between.
        if sent is not None and last_post.since == sent.number:
            return [last_post]
        return await self._kernel.matches.pending_posts(match_id)

    async def retry(self, match_id: str, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Repeat an attempt, with growing delays, until it succeeds.

        `attempt` gets the number of failures so far. Raises an HTTPException only if the match's
        channel or thread is lost.
        """
        now = asyncio.get_running_loop().time
        for tries in count():
            is_refused_often = len(self._refused) == MAX_REFUSALS
            if is_refused_often and (left := self._refused[0] + REFUSAL_WINDOW_SECONDS - now()) > 0:
                # Discord would temporarily ban a client that goes on making such requests.
                log.warning("Discord refused %d requests, pausing for %.0f s", MAX_REFUSALS, left)
                await asyncio.sleep(left)
            try:
                return await attempt(tries)
            except Exception as error:
                longest = longest_wait(error)
                failure = f"{type(error).__name__} {getattr(error, 'code', '')}"
            if longest == MAX_REFUSED_WAIT_SECONDS:
                self._refused.append(now())
            wait = backoff(tries, FIRST_WAIT_SECONDS, longest)
            # Most failures are gone with the next try and not worth a warning.
            level = logging.INFO if tries + 1 < RETRIES_BEFORE_FALLBACK / 2 else logging.WARNING
            log.log(
                level, "post for match %s failed (%s), retrying in %.0f s", match_id, failure, wait
            )
            await asyncio.sleep(wait)
        raise AssertionError("counting never ends")

    # A single post

    async def deliver(self, announcement: Announcement, tries: int) -> bool:
        """Send one post and record it; return False if another process owns the match."""
        match, kernel = announcement.match, self._kernel
        async with self._posting:
            # The owner of the match was notified through the database when the change was written.
            if not await self._client.owns(match):
                return False
            # After a failed try the post may be recorded all the same, by this process or another.
            # Sending it again would move the buttons back to an older board.
            if not tries or announcement in await kernel.matches.pending_posts(match):
                if announcement.since < 0:
                    for parts in kernel.parts:
                        for prepare in parts.before_first_post:
                            await prepare(match)
                post = await kernel.matches.post_of(announcement)
                followers = [follow for parts in kernel.parts for follow in parts.post_followers]
                extras = [await follow(post) for follow in followers]
                gives_up = tries >= RETRIES_BEFORE_FALLBACK
                room = await self._threads.provide(post.room, gives_up)
                mentions = tuple(user for extra in extras for user in extra.mentions)
                end_lines = tuple(line for extra in extras for line in extra.end_lines)
                sent = await self._send(post, room, tries, mentions, end_lines)
                if not self._has_board(room):
                    self._contents[sent.id] = sent.content
                await self.strip_previous_turn(room, sent.id)
                jobs = [job for extra in extras for job in extra.jobs]
                await kernel.matches.note_post(announcement, sent.id, jobs)
                self._sent[sent.id] = announcement
                kernel.scheduler.note(jobs)
                for extra in extras:
                    if extra.on_noted is not None:
                        extra.on_noted()
                if direct_boards := self._client.services.get(DirectBoards):
                    direct_boards.on_shown(room, sent.id)
        self._maybe_sent.discard(announcement.id)
        self.lost_places.forget(match)
        return True

    async def _send(
        self,
        post: Post,
        room: Room,
        tries: int,
        mentions: tuple[int, ...],
        end_lines: tuple[str, ...],
    ) -> discord.Message:
        """Send a post and return its message: with pictures, else without, else as plain text.

        A post that was sent before is found instead, and some posts edit the last message.
        """
        announcement, place = post.announcement, room.record.place
        deadlines = self._kernel.clocks.deadlines(post.room)
        versions = list(turn_message.versions(post, mentions, deadlines, end_lines))
        direct_boards = self._client.services.get(DirectBoards)
        pictures: list[Picture | None] | None = None
        if direct_boards and is_direct(room) and post.room.playing().outcome is None:
            board, pictures = await direct_boards.make(post)
            versions = [board, *versions]
        is_doubtful = announcement.id in self._maybe_sent
        if is_doubtful and (found := await self._find_posted(room, versions, tries)):
            return found
        if pictures is None:
            pictures = await self._draw(post, versions[0])
        may_edit = may_edit_last_post(post, room, self._kernel.now())
        if may_edit and (edited := await self._edit_last_post(room, versions[0], pictures, tries)):
            return edited
        # From here on the post may be sent even if the response is lost and an error is raised.
        self._maybe_sent.add(announcement.id)
        for version in versions:
            try:
                return await send_message(
                    self._client,
                    place.posts_to,
                    version,
                    f"{announcement.match}-{announcement.id}",
                    pictures=pictures,
                    # A direct message makes a sound even without a mention, so silence it.
                    silent=not version.pings and not place.guild,
                )
            except DISCORD_ERRORS as error:
                if version is versions[-1] or not may_simpler_work(error, tries):
                    raise
                log_error(error, f"sending a simpler version of a post in match {room.record.id}")
                pictures = []
        raise AssertionError("there is a last version")

    async def _edit_last_post(
        self, room: Room, version: Message, pictures: list[Picture | None], tries: int
    ) -> discord.Message | None:
        """Turn the last post into a new one; None if Discord refuses, for whatever reason."""
        message_id = room.record.turn_message
        try:
            if version.layout:
                edit = edit_board(self._client, room, message_id, version.layout, pictures)
                return await self._late_edits.wait_for(message_id, edit)
            return await self._last_post(room).edit(
                content=version.content,
                attachments=make_files(pictures),
                view=view_of(version.rows),
                allowed_mentions=NOBODY,
            )
        except discord.HTTPException as error:
            is_lost = error.code in error_codes.PLACE_LOST
            is_odd = not error.code and tries < RETRIES_BEFORE_FALLBACK
            # The error for editing old messages too often has the status of a rate limit, 429, but
            # does not pass in time.
            is_passing = error_codes.is_passing(error) and error.code != error_codes.OLD_EDITS
            if is_lost or is_odd or is_passing:
                raise
            log.info("can't edit the last post of match %s (%s)", room.record.id, error.code)
            return None

    async def _draw(self, post: Post, version: Message) -> list[Picture | None]:
        """Draw the pictures of a post; None in place of one that cannot be drawn."""
        client, room = self._client, post.room
        pictures = [await describe.draw_board(client, room, events=post.events)]
        if version.with_scores:
            view = room.playing().view(None)
            pictures.append(await client.pictures.score_sheet(view, plain_names(room)))
        return pictures

    async def _find_posted(
        self, room: Room, versions: list[Message], tries: int
    ) -> discord.Message | None:
        """Search the channel for a post that may have been sent already.

        Needed because a nonce keeps Discord from posting a duplicate for some minutes only.
        """
        # A post is recognized by its buttons, whose ids contain the match and the announcement:
        # its text may be the same in another match or turn. Only the version without buttons is
        # recognized by its text, which names the match.
        plain_text, buttons = versions[-1].content.strip(), set[str]()
        for version in versions:
            buttons |= ids_in(version.rows)

        def is_the_post(message: discord.Message) -> bool:
            if versions[0].layout and is_board_of(message, room.record.id):
                return True
            return message.content == plain_text or has_component(message, buttons)

        try:
            return await find_own_message(
                self._client,
                room.record.place.posts_to,
                room.record.turn_message or room.record.lobby_message,
                is_the_post,
            )
        except discord.HTTPException as error:
            if error.code in error_codes.PLACE_LOST:
                cannot_look = error.status == 403
            else:
                # Discord keeps refusing the search, and it is no outage. A missing post would be
                # worse than a possible duplicate, so send the post without searching.
                cannot_look = error.status < 500 and tries >= RETRIES_BEFORE_FALLBACK
            if not cannot_look:
                raise
            log.info("can't search the earlier posts of match %s", room.record.id)
        return None

    # The last post

    async def note_reminder(self, room: Room, message_id: int, content: str) -> None:
        """Record that a reminder, not the last post, has the match's buttons from now on."""
        self._contents[message_id] = content
        # The reminder's message now stands for the last post's announcement, so that
        # `_find_pending` still knows without a query that it was sent.
        if announcement := self._sent.get(room.record.turn_message):
            self._sent[message_id] = announcement
        with speaking_to_table(room.record):
            await self.strip_previous_turn(room, message_id)
        await self._kernel.matches.note_messages(room.record.id, turn_message=message_id)

    async def strip_previous_turn(self, room: Room, new_message: int) -> None:
        """Remove the buttons and mentions from the previous turn's message.

        If it cannot be edited it keeps them. That does no harm: the buttons still work.
        """
        # After a retry, the message just sent may already be recorded as the last one.
        if room.record.turn_message in (0, new_message):
            return
        old = self._last_post(room)
        edit: dict[str, Any] = {"view": None}
        try:
            if self._has_board(room):
                await edit_board(self._client, room, old.id, [say("post.continues")])
                return
            # Without permission to read the message, remove only its buttons.
            with suppress(discord.Forbidden):
                edit["content"] = turn_message.strip_calls(await self._content_of(old), room)
            await old.edit(**edit)
            self._contents.pop(old.id, None)
        except discord.HTTPException as error:
            log.info(
                "couldn't remove the buttons of an old post of match %s (%s)",
                room.record.id,
                error.code,
            )

    def _has_board(self, room: Room) -> bool:
        """Whether the last post of a match is a living message in direct messages."""
        return is_direct(room) and self._client.services.get(DirectBoards) is not None

    def _last_post(self, room: Room) -> discord.PartialMessage:
        channel = self._client.channel_of(room.record.place)
        return channel.get_partial_message(room.record.turn_message)

    async def _content_of(self, message: discord.PartialMessage) -> str:
        """Return the text of a post or reminder; fetch it if an earlier process has sent it."""
        if message.id not in self._contents:
            self._contents[message.id] = (await message.fetch()).content
        return self._contents[message.id]

    async def _refresh_last_post(self, match_id: str) -> None:
        """Update the last post: the deadlines, who has answered in secret, a slow computer.

        Deadlines move in quiet hours, on vacation, after a late warning and with the time limits.
        A post that cannot be edited is left unchanged.
        """
        room = await self._kernel.matches.find(match_id)
        if room.match is None or not room.record.turn_message or self._has_board(room):
            return
        if room.record.status is Status.CALLED_OFF:
            # Its headline reports the end, and the match waits for nobody any more.
            return
        thinking = self._kernel.computers.slow_seat(match_id)
        if thinking not in room.match.waiting_for():
            # The computer's question is gone, for instance because a resignation ended the match.
            thinking = None
        post = await self._kernel.matches.standing_post(room)
        deadlines = self._kernel.clocks.deadlines(room)
        last_post = self._last_post(room)
        # Without deadlines there is only something to remove, and only from posts that this process
        # has sent and remembers. So don't fetch all other posts from Discord.
        is_known = last_post.id in self._contents
        if post is None and thinking is None and not deadlines and not is_known:
            return
        try:
            if post is not None:
                content = turn_message.update_answers(post, room, deadlines)
            else:
                content = await self._content_of(last_post)
                if deadlines or room.is_paused or not room.record.clocks.seats:
                    content = turn_message.update_deadlines(content, room, deadlines)
            if thinking is not None:
                content = turn_message.add_thinking(content, room, thinking)
            if content == self._contents.get(last_post.id):
                return
            # Remember it even if the edit fails, so as not to repeat an edit that Discord refuses.
            self._contents[last_post.id] = content
            await last_post.edit(content=content)
        except DISCORD_ERRORS as error:
            log.info(
                "couldn't update the last post of match %s (%s)", match_id, type(error).__name__
            )

    # The end of a match

    async def _announce_result(self, match_id: str) -> None:
        """Show the result of a finished match on its lobby card, its buttons and its thread.

        It stays marked as unannounced until all steps are done.
        """
        room = await self._kernel.matches.find(match_id)
        if not room.record.result_unannounced or room.record.paused_for:
            return
        if await self._find_pending(match_id):
            # The lobby card will link to the last board, which has to be posted first.
            return
        steps = [tell for parts in self._kernel.parts for tell in parts.on_result]
        steps += [self._close_last_post, self._threads.rename, self._note_result_announced]

        async def attempt(step: Callable[[Room], Awaitable[None]], tries: int) -> None:
            """Run an idempotent step; skip it if Discord refuses it for good."""
            try:
                await step(room)
            except discord.HTTPException as error:
                is_odd = not error.code and tries < RETRIES_BEFORE_FALLBACK
                if is_odd or error_codes.is_passing(error):
                    raise
                log.info(
                    "couldn't announce the end of match %s everywhere (%s)", match_id, error.code
                )

        for step in steps:
            await self.retry(match_id, partial(attempt, step))

    async def _close_last_post(self, room: Room) -> None:
        """Change the headline and buttons of the last board if the match ended without a result.

        There is no post about such an end that could have them.
        """
        if room.record.status is not Status.CALLED_OFF or not room.record.turn_message:
            return
        old, rows = self._last_post(room), turn_message.turn_rows(room)
        if self._has_board(room):
            ended = say("post.ended", result=describe.result(room, ()))
            await edit_board(self._client, room, old.id, [ended, *rows])
            return
        edit: dict[str, Any] = {"view": view_of(rows)}
        # Without permission to read the message, change only its buttons.
        with suppress(discord.Forbidden):
            edit["content"] = turn_message.close_text(await self._content_of(old), room)
        await old.edit(**edit)
        self._contents.pop(old.id, None)

    async def _note_result_announced(self, room: Room) -> None:
        await self._kernel.pipeline.change(
            room.record.id, lambda change: change.update(result_unannounced=False)
        )

    # Lost places

    async def pause_all(self, channel: int) -> None:
        """Pause all running matches of a channel or thread that was deleted."""
        for room in await self._kernel.matches.here(channel):
            if room.record.status is Status.RUNNING:
                await self.pause(room.record.id, GONE)

    async def pause(self, match_id: str, reason: str) -> None:
        """Pause a match that cannot post, and tell its host once."""
        room = await pause_match(self._kernel, match_id, reason)
        if room is None:
            return
        log.warning("match %s is paused: %s", match_id, reason)
        if self.lost_places.note(room):
            host, ended = room.record.host, room.record.status is Status.FINISHED
            with speaking_to_player(room.record, host):
                facts = {"game": describe.title(room), "id": match_id, "why": room.why_paused}
                text = say("notice.paused", ended=ended, **facts)
            await send_direct_message(self._client, host, text)
