"""The outbox: every post that is due is made in order and once, whatever Discord or a crash does meanwhile.

The database says what is due, so nothing is lost: a post stays due until it is noted that it was made. Whenever a match
has changed, one task reads what is due in it and makes those posts (`_drain`), then brings the last one up to date and
tells the result of a match that has ended. What can go wrong:

- Discord cannot be reached, is slow, in trouble (5xx) or wants fewer requests (429): it is asked again, ever later.
- It refuses the post with something odd: the same, for such answers also come from machines that stand before Discord.
  If that goes on, or if the message itself is blamed (400, 413), it goes out without pictures, or in words alone.
- A code of Discord's own says that the place is lost: the match is paused, and goes on when it can post again there
  (lost_places.py) or is resumed elsewhere.
- The post may have been made without the bot having heard of it: then it is looked for before it is made again.
  Besides, all tries carry the same nonce, by which Discord knows a repeat for some minutes.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any, TypeVar

import discord
from cachetools import LRUCache

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.encoding import DAMAGED
from bot.kernel.room import Post, Room
from bot.model.match import Status
from bot.model.posts import Announcement
from bot.model.stored import ABSENCE, CALLS_WANTED, MessageKind
from bot.posts import turn_message
from bot.posts.chores import Chores
from bot.posts.lost_places import GONE, LostPlaces, why_lost
from bot.posts.places import pause_match
from bot.posts.sent_messages import find_own_message
from bot.posts.threads import Threads, send_message
from bot.posts.turn_message import Message
from bot.runtime.errors import BotError, StoreError, log_error
from bot.runtime.locks import Locks
from bot.runtime.measure import measure
from bot.runtime.tasks import track_task
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.names import plain_names
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.pictures import Picture
from bot.ui.rate import backoff
from bot.ui.reply import DISCORD_ERRORS, UNREACHABLE, write_to
from engine import EngineError

log = logging.getLogger("motu.outbox")

FIRST_WAIT = 1.0
"""Seconds before a post is tried again; then twice as many each time."""
LONGEST_WAIT, LONGEST_REFUSED = 60.0, 600.0
"""Seconds at most: while Discord is in trouble, and while it refuses, which it counts."""
RETRIES_BEFORE_FALLBACK = 6
"""Tries in a minute or so; if the last of them fails as well, the message itself may be what Discord will not take."""
REFUSALS, REFUSALS_WITHIN = 1000, 600.0
"""So many refused posts in so many seconds, then all posts wait. Discord bars whoever makes ten times as many."""
SHUTDOWN_SECONDS = 3.0
"""How long posts under way may take when the bot stops."""
BACKLOG_WORKERS = 2
"""Matches whose posts are made up for at the same time after a start: as many as can be drawn at once."""
MAX_POSTS_AT_ONCE = 32
"""After an hour without Discord or the database thousands are due: all at once they would keep each other waiting for
so long that none could be made."""
BACKLOG_PATIENCE_SECONDS = 5.0
"""After which the next match of the backlog has its turn, if one cannot post."""
CONTENTS_REMEMBERED = 2048
"""Posts whose words are kept in memory: about one for each match that is being played."""
WAIT_FOR_POSTS_SECONDS = 60.0
"""How long something waits for the posts before it."""

T = TypeVar("T")


class Outbox:
    """Makes the posts that are due. One task a match at most, so that its posts keep their order."""

    def __init__(self, client: MotuClient, threads: Threads) -> None:
        self._client = client
        self._kernel = client.kernel
        self._threads = threads
        self._chores = Chores("outbox", self._drain)
        self._backlog: dict[str, asyncio.Event] = {}
        """Matches with posts that were due at the start, in order, and an event for when their turn has come."""
        self._backlog_tasks: list[asyncio.Task[None]] = []
        self._locks = Locks()
        """Held by whoever sends something where a match is played."""
        self._posting = asyncio.Semaphore(MAX_POSTS_AT_ONCE)
        self._doubtful: set[int] = set()
        """Announcements that may be posted already, without the bot having heard of it."""
        self._refused: deque[float] = deque(maxlen=REFUSALS)
        """When Discord refused something of late."""
        self._contents: LRUCache[int, str] = LRUCache(CONTENTS_REMEMBERED)
        """What the last posts and reminders say, by message: so that they are edited without being fetched."""
        self.lost_places = LostPlaces(client)

    # When to look for what is due.

    def poke(self, match: str) -> None:
        """Make what is due in a match, and bring its last post up to date."""
        self._chores.poke(match)

    def on_change(self, change: Change) -> None:
        """Post what a change makes due."""
        if not change.is_draft_only or change.announce_again:
            self.poke(change.match_id)

    def on_notification(self, notification: str) -> None:
        """Look at a match that another process has written."""
        if notification not in (ABSENCE, CALLS_WANTED):
            self.poke(notification)

    async def look_around(self) -> None:
        """Post what is due: another process may have ended before anybody heard of what it has done."""
        for announcement in await self._kernel.announcements.due():
            if announcement.match not in self._chores.tasks:
                self.poke(announcement.match)

    async def catch_up(self) -> None:
        """After a start: make the posts that were due when the bot stopped, a few at a time."""
        await self.lost_places.recall()
        due = await self._kernel.announcements.due()
        self._doubtful |= {announcement.id for announcement in due}
        store = self._kernel.store
        ended = await store.read(queries.matches_with_unannounced_result, own=store.own)
        self._backlog = {match: asyncio.Event() for match in (*(announcement.match for announcement in due), *ended)}
        self._backlog_tasks = [
            track_task(self._work_off_backlog(), f"outbox-backlog-{n}") for n in range(BACKLOG_WORKERS)
        ]

    async def _work_off_backlog(self) -> None:
        """Take what was due at the start one by one: people who play now shall not wait behind all of it."""
        while self._backlog:
            match = next(iter(self._backlog))
            self._backlog.pop(match).set()
            self.poke(match)
            if task := self._chores.tasks.get(match):
                await asyncio.wait([task], timeout=BACKLOG_PATIENCE_SECONDS)

    async def after_posts(self, match: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do something where a match is played, after all posts that are due there; not if they cannot be made."""
        async with asyncio.timeout(WAIT_FOR_POSTS_SECONDS):
            if turn := self._backlog.get(match):
                await turn.wait()
            is_posted = await self._chores.finish(match)
        if is_posted:
            async with self._locks[match]:
                await work()

    async def close(self) -> None:
        """Let posts under way finish; what is left stays due."""
        self.lost_places.close()
        for task in self._backlog_tasks:
            task.cancel()
        await asyncio.gather(self._chores.close(SHUTDOWN_SECONDS), *self._backlog_tasks, return_exceptions=True)

    # What is due.

    async def _drain(self, match: str) -> bool:
        """Make all posts that are due in a match and bring the last one up to date; return whether that is done."""

        async def read_due(tries: int) -> list[Announcement]:
            return await self._kernel.announcements.due(match)

        try:
            async with self._locks[match]:
                # If another process looks after the match, it was notified of what has been written.
                if not await self._client.owns(match):
                    return False
                due = await self._retry(match, read_due)
                while due:
                    with measure("post"):
                        if not await self.deliver(due[0]):
                            return False
                    # Read anew: one may have been withdrawn while another was posted.
                    due = await self._retry(match, read_due) if len(due) > 1 else []
                await self._freshen(match)
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

    async def _retry(self, match: str, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Attempt something, given how often it has failed, until Discord and the database have taken it.

        Raises an HTTPException only if the match's place is lost.
        """
        for tries in count():
            await self._heed_refusals()
            longest = LONGEST_WAIT
            try:
                return await attempt(tries)
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    raise
                if error.status < 500:
                    self._refused.append(asyncio.get_running_loop().time())
                    longest = LONGEST_REFUSED
                failed = f"{error.status}/{error.code}"
            except (StoreError, *UNREACHABLE) as error:
                failed = type(error).__name__
            except (BotError, EngineError):
                raise
            except Exception as error:
                # What was answered makes no sense, such as a page of a machine that stands before Discord.
                log_error(error, f"match {match}")
                longest = LONGEST_REFUSED
                failed = type(error).__name__
            wait = backoff(tries, FIRST_WAIT, longest)
            # What is mended by the next try need not worry anybody.
            level = logging.INFO if tries + 1 < RETRIES_BEFORE_FALLBACK / 2 else logging.WARNING
            log.log(level, "a post of match %s has to wait (%s), trying again in %.0f s", match, failed, wait)
            await asyncio.sleep(wait)
        raise AssertionError("counting never ends")

    async def _heed_refusals(self) -> None:
        """Wait while too much has been refused of late: Discord counts that, and bars whoever goes on."""
        now = asyncio.get_running_loop().time()
        if len(self._refused) == REFUSALS and (wait := self._refused[0] + REFUSALS_WITHIN - now) > 0:
            log.warning("Discord has refused %d posts: none is made for %.0f s", REFUSALS, wait)
            await asyncio.sleep(wait)

    # One post.

    async def deliver(self, announcement: Announcement) -> bool:
        """Make one post, waiting for Discord as long as it takes; False if another process does so."""

        async def post(tries: int) -> bool:
            async with self._posting:
                return await self._post(announcement, tries)

        return await self._retry(announcement.match, post)

    async def _post(self, announcement: Announcement, tries: int) -> bool:
        """Make one post and note it; False if another process does so."""
        match, announcements = announcement.match, self._kernel.announcements
        if not await self._client.owns(match):
            return False
        if not tries or announcement.id in [one.id for one in await announcements.due(match)]:
            post = await announcements.post_of(announcement)
            extras = [await follow(post) for parts in self._kernel.parts for follow in parts.post_followers]
            room = await self._threads.provide(post.room, gives_up=tries >= RETRIES_BEFORE_FALLBACK)
            mentions = tuple(user for extra in extras for user in extra.mentions)
            sent = await self._send(post, room, tries, mentions)
            self._contents[sent.id] = sent.content
            await self.take_buttons_off(room, sent.id)
            for extra in extras:
                if extra.on_sent is not None:
                    await extra.on_sent()
            jobs = [job for extra in extras for job in extra.jobs]
            writes = [write for extra in extras for write in extra.writes]
            await announcements.note_post(announcement, sent.id, jobs, writes)
            self._kernel.scheduler.note(jobs)
            for extra in extras:
                if extra.on_noted is not None:
                    extra.on_noted()
        # Otherwise it was noted after all, here or by another process, and a later board may carry the buttons by now.
        self._doubtful.discard(announcement.id)
        self.lost_places.forget(match)
        return True

    async def _send(self, post: Post, room: Room, tries: int, mentions: tuple[int, ...]) -> discord.Message:
        """Send the post with its pictures, or without what Discord will not take of it."""
        deadlines = self._kernel.clocks.deadlines(post.room)
        made = turn_message.message(post, pings=mentions, untils=deadlines)
        if post.announcement.id in self._doubtful and (found := await self._find_posted(post, room, made, tries)):
            return found
        # From here on Discord may make the post without our hearing of it.
        self._doubtful.add(post.announcement.id)
        pictures = await self._draw(post, made)
        try:
            return await self._send_once(post, room, made, pictures)
        except DISCORD_ERRORS as error:
            self._must_be_messages_fault(error, tries, room)
        plain = turn_message.message(post, with_points=True, pings=mentions, untils=deadlines)
        try:
            return await self._send_once(post, room, plain, [])
        except DISCORD_ERRORS as error:
            self._must_be_messages_fault(error, tries, room)
        return await self._send_once(post, room, turn_message.in_words(post, plain), [])

    def _must_be_messages_fault(self, error: Exception, tries: int, room: Room) -> None:
        """Raise an error again, unless the post may go through with less in it."""
        # Whatever it is, also that no answer comes in time: it may have gone on for long.
        may_be_too_much = tries >= RETRIES_BEFORE_FALLBACK
        if isinstance(error, discord.HTTPException):
            is_elsewhere = error.code in error_codes.PLACE_LOST or error.status == 429
            may_be_too_much = not is_elsewhere and (may_be_too_much or error.status in (400, 413))
        if not may_be_too_much:
            raise error
        log_error(error, f"a post of match {room.record.id} goes out with less in it")

    async def _draw(self, post: Post, made: Message) -> list[Picture | None]:
        view, names = post.room.playing().view(None), plain_names(post.room)
        try:
            scene = describe.scene(post.room, post.events, None)
            pictures: list[Picture | None] = [await self._client.pictures.board(view, names, **scene)]
            if made.with_scores:
                pictures.append(await self._client.pictures.score_sheet(view, names))
            return pictures
        except Exception as error:
            # A post goes out even if it cannot be drawn.
            log_error(error)
            return []

    async def _find_posted(self, post: Post, room: Room, made: Message, tries: int) -> discord.Message | None:
        """Return the post if it is there already: Discord drops a repeat by itself for some minutes only."""
        # Its buttons name the match and the announcement; the words may be the same in another match, or another turn.
        # In words alone it has no buttons, and says itself which match it is of.
        plain = turn_message.message(post, with_points=True, pings=made.pings)
        words = turn_message.in_words(post, plain).content.strip()
        buttons = ids_in(made.rows)
        last = room.record.turn_message or room.record.lobby_message
        try:
            return await find_own_message(
                self._client,
                self._client.channel_of(room.record.place),
                discord.Object(last) if last else None,
                lambda message: message.content == words or carries(message, buttons),
            )
        except discord.HTTPException as error:
            is_lost = error.code in error_codes.PLACE_LOST
            may_not = error.status == 403 and is_lost
            # Refused for long, not by an outage: what is due is worth more than the risk that it is there already.
            is_in_vain = 400 <= error.status < 500 and not is_lost and tries >= RETRIES_BEFORE_FALLBACK
            if not may_not and not is_in_vain:
                raise
            log.info("match %s cannot look back at what it has posted", room.record.id)
        return None

    async def _send_once(
        self, post: Post, room: Room, made: Message, pictures: list[Picture | None]
    ) -> discord.Message:
        place, announcement = room.record.place, post.announcement
        return await send_message(
            self._client,
            place.posts_to,
            made,
            f"{announcement.match}-{announcement.id}",
            pictures=pictures,
            # A direct message is heard even without a mention.
            silent=not made.pings and not place.guild,
        )

    # The last post.

    async def note_reminder(self, room: Room, message: int, content: str) -> None:
        """Note that a reminder in the match's place carries its buttons from now on."""
        self._contents[message] = content
        await self.take_buttons_off(room, message)
        await self._kernel.announcements.note_message(room.record.id, MessageKind.TURN, message)

    async def take_buttons_off(self, room: Room, sent: int) -> None:
        """Take buttons and mentions off the turn before. Where it cannot be edited it keeps them, and they work."""
        # A message that was noted without our hearing of it is known as the last one already.
        if room.record.turn_message in (0, sent):
            return
        old = self._last_post(room)
        edit: dict[str, Any] = {"view": None}
        try:
            with suppress(discord.Forbidden):
                content = await self._content_of(old)
                edit["content"] = turn_message.thought(turn_message.uncalled(content), room)
            await old.edit(**edit)
            self._contents.pop(old.id, None)
        except discord.HTTPException as error:
            log.info("the last turn of match %s keeps its buttons (%s)", room.record.id, error.code)

    def _last_post(self, room: Room) -> discord.PartialMessage:
        return self._client.channel_of(room.record.place).get_partial_message(room.record.turn_message)

    async def _content_of(self, message: discord.PartialMessage) -> str:
        """Return the words of a post or reminder; Discord is asked only for one made before the bot was started."""
        if message.id not in self._contents:
            self._contents[message.id] = (await message.fetch()).content
        return self._contents[message.id]

    async def _freshen(self, match: str) -> None:
        """Say in the last post whose secret answers are in, and which computer thinks for long.

        Where it cannot be edited it stays as it is.
        """
        now = await self._kernel.matches.find(match)
        thinks = self._kernel.computers.thinking(match)
        if now.match is None or thinks not in now.match.waiting_for():
            # It thinks about what is no longer asked, as when a match has ended by a resignation.
            thinks = None
        standing = await self._kernel.announcements.standing_post(match)
        if standing is None and (thinks is None or not now.record.turn_message):
            return
        old = self._last_post(now)
        try:
            if standing is not None:
                post, now = standing
                content = turn_message.freshened(post, now, self._kernel.clocks.deadlines(now))
            else:
                content = await self._content_of(old)
            if thinks is not None:
                content = turn_message.thinking(content, now, thinks)
            if content == self._contents.get(old.id):
                return
            # Kept even if the edit fails: what Discord refuses is not tried again and again.
            self._contents[old.id] = content
            await old.edit(content=content)
        except DISCORD_ERRORS as error:
            log.info("the last turn of match %s stays as it is (%s)", match, type(error).__name__)

    # The end.

    async def _announce_result(self, match: str) -> None:
        """Once a match has ended have its lobby's message and its thread's name say how; until then that is due."""
        room = await self._kernel.matches.find(match)
        if not room.record.result_unannounced or room.record.paused_for:
            return
        if await self._kernel.announcements.due(match):
            # It has ended just now. The lobby links to the last board, so that comes first.
            return
        for parts in self._kernel.parts:
            for tell in parts.on_result:
                await self._tell_end(room, tell)
        if room.record.status is Status.CALLED_OFF and room.record.turn_message:
            await self._tell_end(room, self._change_buttons)
        await self._tell_end(room, self._threads.rename)
        await self._tell_end(room, self._note_result_announced)

    async def _tell_end(self, room: Room, tell: Callable[[Room], Awaitable[None]]) -> None:
        """Do what can be done again without harm until Discord has taken it, or says for good that it will not."""

        async def attempt(tries: int) -> None:
            try:
                await tell(room)
            except discord.HTTPException as error:
                if error_codes.is_passing(error) or (not error.code and tries < RETRIES_BEFORE_FALLBACK):
                    raise
                log.info("the end of match %s is not told everywhere (%s)", room.record.id, error.code)

        await self._retry(room.record.id, attempt)

    async def _change_buttons(self, room: Room) -> None:
        """Give the last board the buttons of an end: no post tells of a match that ended without a result."""
        await self._last_post(room).edit(view=view_of(turn_message.turn_rows(room)))

    async def _note_result_announced(self, room: Room) -> None:
        await self._kernel.pipeline.change(room.record.id, lambda change: change.update(result_unannounced=False))

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
            ended = room.record.status is Status.FINISHED
            said = say("notice.paused", game=describe.title(room), id=match, ended=ended, why=room.why_paused)
            await write_to(self._client, room.record.host, said)
