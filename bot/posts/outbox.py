"""The outbox: every post that is due is made in order and once, whatever Discord or a crash does meanwhile.

A post stays due in the database until it is noted that it was made, so nothing is lost. What can go wrong:

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
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import discord
from cachetools import LRUCache

from bot.kernel.change import Change
from bot.kernel.encoding import DAMAGED
from bot.kernel.feature import PostExtras
from bot.kernel.room import Post, Room
from bot.model.match import Status
from bot.model.posts import Announcement
from bot.model.stored import ABSENCE, CALLS_WANTED, MessageKind
from bot.posts import turn_message
from bot.posts.chores import Chores
from bot.posts.lost_places import GONE, LostPlaces, why_lost
from bot.posts.places import Places
from bot.posts.threads import Threads, in_open_thread
from bot.runtime.errors import BotError, StoreError, log_error
from bot.runtime.measure import measure
from bot.runtime.tasks import track_task
from bot.text import say
from bot.ui import describe, error_codes
from bot.ui.client import MotuClient
from bot.ui.names import plain_names
from bot.ui.parts import carries, ids_in, view_of
from bot.ui.pictures import Picture
from bot.ui.rate import backoff
from bot.ui.reply import NOBODY, UNREACHABLE, attached, only, write_to
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
MESSAGES_LOOKED_THROUGH = 5000
"""How far to look back for a post that may be there already."""
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


class Outbox:
    """Makes the posts that are due. One task a match at most, so that its posts keep their order."""

    def __init__(self, client: MotuClient, places: Places, threads: Threads) -> None:
        self._client = client
        self._kernel = client.kernel
        self._places = places
        self._threads = threads
        self._chores = Chores("outbox", self._drain)
        self._pausing: set[str] = set()
        self._posting = asyncio.Semaphore(MAX_POSTS_AT_ONCE)
        self._due: dict[str, deque[Announcement]] = {}
        """What is due in a match, as far as this process has written it itself."""
        self._unread: set[str] = set()
        """Matches in which more may be due: the database has to be asked."""
        self._is_caught_up = False
        self._doubtful: set[int] = set()
        """Announcements that may be posted already, without the bot having heard of it."""
        self._refused: deque[float] = deque(maxlen=REFUSALS)
        """When Discord refused something of late."""
        self._backlog: list[str] = []
        """Matches with posts that were due at the start, the next one last."""
        self._backlog_tasks: list[asyncio.Task[None]] = []
        self._after_posts: dict[str, list[tuple[Callable[[], Awaitable[None]], asyncio.Future[None]]]] = {}
        self._contents: LRUCache[int, str] = LRUCache(CONTENTS_REMEMBERED)
        """What the last posts and reminders say, by message: so that they are edited without being fetched."""
        self.lost_places = LostPlaces(client, places)

    # What is due.

    def on_change(self, change: Change) -> None:
        """Post what a change makes due."""
        if change.is_draft_only and not change.announce_again:
            return
        match = change.match_id
        # What was due when the match lost its place has waited.
        goes_on = bool(change.before.record.paused_for) and not change.after.record.paused_for
        if change.withdrawn_after is not None or change.announce_again or goes_on:
            self._unread.add(match)
        elif change.announcement is not None:
            self._due.setdefault(match, deque()).append(change.announcement)
        elif change.announce is not None:
            # The database has kept its number to itself.
            self._unread.add(match)
        self._chores.poke(match)

    def poke(self, match: str) -> None:
        """Look for what another process may have made due in a match."""
        self._unread.add(match)
        self._chores.poke(match)

    def on_told(self, told: str) -> None:
        """Look at a match that another process has written."""
        if told not in (ABSENCE, CALLS_WANTED):
            self.poke(told)

    def refresh(self, match: str) -> None:
        """Bring the last post of a match up to date, such as while a computer thinks for long."""
        self._chores.poke(match)

    async def catch_up(self) -> None:
        """After a start: make the posts that were due when the bot stopped, a few at a time."""
        await self.lost_places.recall()
        # Others may have posted for this process meanwhile.
        self._due.clear()
        due = await self._kernel.announcements.due()
        self._doubtful |= {announcement.id for announcement in due}
        ended = await self._places.unannounced_results()
        first = dict.fromkeys([*(announcement.match for announcement in due), *ended])
        self._unread |= first.keys()
        self._is_caught_up = True
        self._backlog = list(reversed(first))
        self._backlog_tasks = [
            track_task(self._work_off_backlog(), f"outbox-backlog-{n}") for n in range(BACKLOG_WORKERS)
        ]

    async def look(self) -> None:
        """Post what is due: another process may have ended before anybody heard of what it has done."""
        for announcement in await self._kernel.announcements.due():
            if announcement.match not in self._chores.tasks:
                self.poke(announcement.match)

    async def _work_off_backlog(self) -> None:
        """Take what was due at the start one by one: people who play now shall not wait behind all of it."""
        while self._backlog:
            match = self._backlog.pop()
            self.poke(match)
            if task := self._chores.tasks.get(match):
                await asyncio.wait([task], timeout=BACKLOG_PATIENCE_SECONDS)

    async def close(self) -> None:
        """Let posts under way finish; what is left stays due."""
        self.lost_places.close()
        for task in self._backlog_tasks:
            task.cancel()
        await asyncio.gather(self._chores.close(SHUTDOWN_SECONDS), *self._backlog_tasks, return_exceptions=True)

    async def after_posts(self, match: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do something where a match is played, after all posts that are due there; raise what it raises."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Should nobody wait for it any more, its failure has been read nevertheless.
        done.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._after_posts.setdefault(match, []).append((work, done))
        # A match of the backlog has its turn there.
        if match not in self._backlog:
            self._chores.poke(match)
        async with asyncio.timeout(WAIT_FOR_POSTS_SECONDS):
            await asyncio.shield(done)

    async def _drain(self, match: str) -> None:
        """Make all posts that are due in a match, bring the last one up to date, then do what waits for them."""
        waiting = self._after_posts.pop(match, [])
        try:
            if not await self._client.owns(match):
                # Its owner was told of it by what has been written.
                self._due.pop(match, None)
                return
            # Asked anew each time: one may be withdrawn while another is posted.
            while (announcement := await self._next_due(match)) is not None:
                with measure("post"):
                    is_posted = await self.deliver(announcement)
                if not is_posted:
                    self._unread.add(match)
                    return
            await self._freshen(match)
            await self._announce_result(match)
            for work, done in waiting:
                try:
                    await work()
                    done.set_result(None)
                except Exception as error:
                    done.set_exception(error)
        except EngineError as error:
            log_error(error, f"match {match} cannot be read")
            with suppress(BotError, EngineError):
                await self.pause(match, DAMAGED)
        except Exception as error:
            log_error(error)
        finally:
            for _, done in waiting:
                if not done.done():
                    done.set_result(None)

    async def _next_due(self, match: str) -> Announcement | None:
        """Return the next post of a match, from the database if others may have written there."""
        if match in self._unread or not self._is_caught_up:
            self._unread.discard(match)
            self._due.pop(match, None)
            read = await self._read_due(match)
            # More may have become due while the database was read, which it may or may not know of.
            written = [one for one in self._due.get(match, ()) if one not in read]
            self._due[match] = deque([*read, *written])
        known = self._due.get(match)
        if not known:
            self._due.pop(match, None)
            return None
        room = await self._kernel.matches.find(match)
        if room.record.paused_for:
            # It waits until the match has a place again.
            self._unread.add(match)
            return None
        return known[0]

    async def _read_due(self, match: str) -> list[Announcement]:
        """Return what is due in a match, once the database can be read."""
        tries = 0
        while True:
            try:
                return await self._kernel.announcements.due(match)
            except StoreError:
                await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))
                tries += 1

    # One post.

    async def deliver(self, announcement: Announcement) -> bool:
        """Make one post, waiting for Discord as long as it takes; False if its place is lost."""
        match, tries = announcement.match, 0
        while True:
            await self._heed_refusals()
            longest = LONGEST_WAIT
            try:
                async with self._posting:
                    return await self._post(announcement, tries)
            except discord.HTTPException as error:
                if error.code in error_codes.PLACE_LOST:
                    await self.pause(match, why_lost(error))
                    return False
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
            # Discord may have made the post without our hearing of it.
            self._doubtful.add(announcement.id)
            wait = backoff(tries, FIRST_WAIT, longest)
            tries += 1
            # What is mended by the next try need not worry anybody.
            level = logging.INFO if tries < RETRIES_BEFORE_FALLBACK / 2 else logging.WARNING
            log.log(level, "a post of match %s has to wait (%s), trying again in %.0f s", match, failed, wait)
            await asyncio.sleep(wait)

    async def _post(self, announcement: Announcement, tries: int) -> bool:
        """Make one post and note it; False if another process does so."""
        match = announcement.match
        if not await self._client.owns(match):
            return False
        if tries and announcement.id not in [one.id for one in await self._kernel.announcements.due(match)]:
            # It was noted after all, here or by another process, and a later board may carry the buttons by now.
            self._note_posted(announcement)
            return True
        post = await self._kernel.announcements.post_of(announcement)
        extras = [await follow(post) for parts in self._kernel.parts for follow in parts.post_followers]
        room = await self._threads.provide(post.room, gives_up=tries >= RETRIES_BEFORE_FALLBACK)
        sent = await self._send(post, room, tries, extras)
        self._contents[sent.id] = sent.content
        await self.take_buttons_off(room, sent.id)
        for extra in extras:
            if extra.on_sent is not None:
                await extra.on_sent()
        await self._kernel.announcements.note_post(
            announcement,
            sent.id,
            [job for extra in extras for job in extra.jobs],
            [write for extra in extras for write in extra.writes],
        )
        if any(extra.jobs for extra in extras):
            self._kernel.scheduler.poke()
        for extra in extras:
            if extra.on_noted is not None:
                extra.on_noted()
        self._note_posted(announcement)
        self.lost_places.forget(match)
        return True

    def _note_posted(self, announcement: Announcement) -> None:
        self._doubtful.discard(announcement.id)
        known = self._due.get(announcement.match)
        if known and known[0] == announcement:
            known.popleft()
        else:
            self._unread.add(announcement.match)

    async def _heed_refusals(self) -> None:
        """Wait while too much has been refused of late: Discord counts that, and bars whoever goes on."""
        now = asyncio.get_running_loop().time()
        if len(self._refused) == REFUSALS and (wait := self._refused[0] + REFUSALS_WITHIN - now) > 0:
            log.warning("Discord has refused %d posts: none is made for %.0f s", REFUSALS, wait)
            await asyncio.sleep(wait)

    async def _send(self, post: Post, room: Room, tries: int, extras: Sequence[PostExtras]) -> discord.Message:
        """Send the post with its pictures, or without what Discord will not take of it."""
        mentions = tuple(user for extra in extras for user in extra.mentions)
        deadlines = self._kernel.clocks.deadlines(post.room)
        made = turn_message.message(post, pings=mentions, untils=deadlines)
        if post.announcement.id in self._doubtful and (found := await self._find_posted(post, room, made, tries)):
            return found
        pictures = await self._draw(post, made)
        try:
            return await self._send_once(post, room, made, pictures)
        except (discord.HTTPException, *UNREACHABLE) as error:
            self._must_be_messages_fault(error, tries, room)
        plain = turn_message.message(post, with_points=True, pings=mentions, untils=deadlines)
        try:
            return await self._send_once(post, room, plain, [])
        except (discord.HTTPException, *UNREACHABLE) as error:
            self._must_be_messages_fault(error, tries, room)
        return await self._send_once(post, room, turn_message.in_words(post, plain), [])

    def _must_be_messages_fault(self, error: Exception, tries: int, room: Room) -> None:
        """Raise an error again, unless the post may go through with less in it."""
        if isinstance(error, discord.HTTPException):
            is_elsewhere = error.code in error_codes.PLACE_LOST or error.status == 429
            is_to_blame = error.status in (400, 413)
        else:
            is_elsewhere = is_to_blame = False
        # Whatever it is, also that no answer comes in time: it may have gone on for long.
        if is_elsewhere or not (is_to_blame or tries >= RETRIES_BEFORE_FALLBACK):
            raise error
        log_error(error, f"a post of match {room.record.id} goes out with less in it")

    async def _draw(self, post: Post, made: turn_message.Message) -> list[Picture | None]:
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

    async def _find_posted(
        self, post: Post, room: Room, made: turn_message.Message, tries: int
    ) -> discord.Message | None:
        """Return the post if it is there already: Discord drops a repeat by itself for some minutes only."""
        # Its buttons name the match and the announcement; the words may be the same in another match, or another turn.
        # In words alone it has no buttons, and says itself which match it is of.
        plain = turn_message.message(post, with_points=True, pings=made.pings)
        words = turn_message.in_words(post, plain).content.strip()
        last = room.record.turn_message or room.record.lobby_message
        after = discord.Object(last) if last else None
        buttons = ids_in(made.rows)
        try:
            # From the newest back: much may have been said since the last board, but little since a post in doubt.
            history = self._client.channel_of(room.record.place).history(
                limit=MESSAGES_LOOKED_THROUGH, after=after, oldest_first=False
            )
            async for message in history:
                if message.author == self._client.user and (message.content == words or carries(message, buttons)):
                    return message
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
        self, post: Post, room: Room, made: turn_message.Message, pictures: list[Picture | None]
    ) -> discord.Message:
        async def send() -> discord.Message:
            return await self._client.channel_of(room.record.place).send(
                made.content,
                view=view_of(made.rows),
                files=attached(pictures),
                # Discord answers a repeated nonce with the message that is there, for some minutes.
                nonce=f"{post.announcement.match}-{post.announcement.id}",
                allowed_mentions=only(made.pings),
                # A direct message is heard even without a mention.
                silent=not made.pings and not room.record.place.guild,
            )

        return await in_open_thread(self._client, room.record.place.posts_to, send)

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
        old = self._client.channel_of(room.record.place).get_partial_message(room.record.turn_message)
        edit: dict[str, Any] = {"view": None, "allowed_mentions": NOBODY}
        try:
            with suppress(discord.Forbidden):
                content = await self._content_of(old)
                edit["content"] = turn_message.thought(turn_message.uncalled(content), room)
            await old.edit(**edit)
            self._contents.pop(old.id, None)
        except discord.HTTPException as error:
            log.info("the last turn of match %s keeps its buttons (%s)", room.record.id, error.code)

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
        old = self._client.channel_of(now.record.place).get_partial_message(now.record.turn_message)
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
            await old.edit(content=content, allowed_mentions=NOBODY)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("the last turn of match %s stays as it is (%s)", match, type(error).__name__)

    # The end.

    async def _announce_result(self, match: str) -> None:
        """Once a match has ended have its lobby's message and its thread's name say how; until then that is due."""
        room = await self._kernel.matches.find(match)
        if not room.record.result_unannounced or room.record.paused_for:
            return
        if self._due.get(match) or match in self._unread:
            # It has ended just now. The lobby links to the last board, so that comes first.
            return
        for parts in self._kernel.parts:
            for tell in parts.on_result:
                await self._keep_at(room, tell)
        if room.record.status is Status.CALLED_OFF:
            await self._keep_at(room, self._change_buttons)
        await self._keep_at(room, self._threads.rename)
        await self._keep_at(room, lambda room: self._places.note_result_announced(room.record.id))

    async def _keep_at(self, room: Room, deed: Callable[[Room], Awaitable[None]]) -> None:
        """Do what can be done again without harm until Discord has taken it, or says for good that it will not."""
        for tries in count():
            try:
                await deed(room)
                return
            except discord.HTTPException as error:
                if not error_codes.is_passing(error) and (error.code or tries >= RETRIES_BEFORE_FALLBACK):
                    log.info("the end of match %s is not told everywhere (%s)", room.record.id, error.code)
                    return
            except (StoreError, *UNREACHABLE) as error:
                log.info("the end of match %s has to wait (%s)", room.record.id, type(error).__name__)
            await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))

    async def _change_buttons(self, room: Room) -> None:
        """Give the last board the buttons of an end: no post tells of a match that ended without a result."""
        if room.record.turn_message:
            board = self._client.channel_of(room.record.place).get_partial_message(room.record.turn_message)
            await board.edit(view=view_of(turn_message.turn_rows(room)), allowed_mentions=NOBODY)

    # Lost places.

    async def pause_all(self, channel: int) -> None:
        """Pause all matches of a channel or thread that is gone."""
        for room in await self._kernel.matches.here(channel):
            if room.record.status is Status.RUNNING:
                await self.pause(room.record.id, GONE)

    async def pause(self, match: str, why: str) -> None:
        """Pause a match that cannot post, and tell its host once."""
        room = await self._kernel.matches.find(match)
        if match in self._pausing or room.record.paused_for:
            return
        self._pausing.add(match)
        try:
            room = await self._places.pause(match, why)
        finally:
            self._pausing.discard(match)
        log.warning("match %s is paused: %s", match, why)
        if self.lost_places.note(room):
            ended = room.record.status is Status.FINISHED
            said = say("notice.paused", game=describe.title(room), id=match, ended=ended, why=room.why_paused)
            await write_to(self._client, room.record.host, said)
