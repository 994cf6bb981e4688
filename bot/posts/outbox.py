"""The outbox: every due announcement is posted in order and once, whatever Discord or a crash does meanwhile.

An announcement stays due in the database until its post is noted there, so nothing is lost. What can go wrong, and what
is done about it:

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
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

import discord
from cachetools import LRUCache
from msgspec.structs import replace

from bot import error_codes
from bot.clock import HOUR
from bot.components.items import carries, custom_ids, view_of
from bot.components.parts import ids_in
from bot.errors import BotError, StoreError, log_error
from bot.matches.pings import Calling
from bot.matches.player_settings import Choices
from bot.matches.records import DAMAGED
from bot.matches.room import Announcement, Call, Due, Post, Room, Status
from bot.matches.vote_kinds import RENAME
from bot.pictures import Picture
from bot.posts import call_message, lobby_message, turn_message
from bot.posts.chores import Chores
from bot.posts.lost_places import GONE, LostPlaces, why_lost
from bot.posts.rate import backoff
from bot.reply import NOBODY, UNREACHABLE, attached, only
from bot.tasks import track_task
from bot.text import describe, say
from bot.text.names import plain_names
from engine import EngineError

if TYPE_CHECKING:
    from bot.app import Motu

log = logging.getLogger("motu.outbox")

WEEK: Literal[10080] = 10080
"""Minutes of silence after which Discord archives a thread: the longest it allows."""
FIRST_WAIT = 1.0
"""Seconds before a post is tried again; then twice as many each time."""
LONGEST_WAIT, LONGEST_REFUSED = 60.0, 600.0
"""Seconds at most: while Discord is in trouble, and while it refuses, which it counts."""
PATIENT = 6
"""Tries in a minute or so; if the last of them fails as well, the message itself may be what Discord will not take."""
REFUSALS, REFUSALS_WITHIN = 1000, 600.0
"""So many refused posts in so many seconds, then all posts wait. Discord bars whoever makes ten times as many."""
LAST_CALL = 3.0
"""Seconds given to posts in hand when the bot stops."""
NONCE_KNOWN = 60
"""Seconds within which Discord surely knows a repeat by its nonce."""
TRIED = 10_000
"""Calls that were tried last, and are remembered."""
LOOKED_BACK = 5000
"""Messages looked through at most for a post that may be there already."""
AT_ONCE = 2
"""Matches whose posts are made up for at the same time after a start: as many as can be drawn at once."""
AT_WORK = 32
"""Posts being made at any time. After an hour without Discord or the database thousands are due: all at once they would
keep each other waiting for so long that none could be made."""
PASSED_OVER = 5.0
"""Seconds after which the next such match has its turn, if one cannot post."""
REMEMBERED = 2048
"""Posts whose words are kept in memory: about one for each match that is being played."""
PATIENT_CALL = 60.0
"""Seconds that a call waits for the posts before it."""


class Outbox:
    """Posts what is due. One task a match at most, so that its posts keep their order."""

    def __init__(self, bot: "Motu") -> None:
        self.bot = bot
        self._chores = Chores("outbox", self._drain)
        self._pausing: set[str] = set()
        self._at_work = asyncio.Semaphore(AT_WORK)
        self._doubtful: set[int] = set()
        """Announcements that may be posted already, without the bot having heard of it."""
        self._began = 0
        """When this process began to post, or went on with it, in seconds since 1970."""
        self._tried_calls: LRUCache[tuple[str, int, str], bool] = LRUCache(TRIED)
        """Calls that may have been made, without the bot having heard of it."""
        self._refused: deque[float] = deque(maxlen=REFUSALS)
        """When Discord refused something of late."""
        self._backlog: list[str] = []
        """Matches with posts that were due at the start, the next one last."""
        self._makers_up: list[asyncio.Task[None]] = []
        self._calling: dict[str, asyncio.Future[None]] = {}
        """Matches in which somebody is to be called besides by what is posted."""
        self._contents: LRUCache[int, str] = LRUCache(REMEMBERED)
        """What the last posts and reminders say, by message: so that they are edited without being fetched."""
        self.lost_places = LostPlaces(bot)
        bot.matches.scheduler.register(RENAME, self._renamed)

    def poke(self, match: str) -> None:
        """Something may be due in this match."""
        self._chores.poke(match)

    async def catch_up(self) -> None:
        """After a start: post what was due when the bot stopped, and take the buttons from calls that were answered,
        a few at a time."""
        self._began = int(self.bot.matches.pings.now())
        await self.lost_places.recall()
        due = await self.bot.matches.announcements.due()
        self._doubtful |= {announcement.id for announcement in due}
        answered, ended = await self.bot.matches.store.answered(), await self.bot.matches.untold()
        first = dict.fromkeys([*(announcement.match for announcement in due), *answered, *ended])
        self._backlog = list(reversed(first))
        self._makers_up = [track_task(self._make_up(), f"outbox-backlog-{n}") for n in range(AT_ONCE)]

    async def look(self) -> None:
        """Post what is due: another process may have ended before anybody heard of what it has done."""
        for announcement in await self.bot.matches.announcements.due():
            if announcement.match not in self._chores.tasks:
                self.poke(announcement.match)

    async def _make_up(self) -> None:
        """Take what was due at the start one by one: whoever plays now shall not wait behind all of it."""
        while self._backlog:
            match = self._backlog.pop()
            self.poke(match)
            if task := self._chores.tasks.get(match):
                await asyncio.wait([task], timeout=PASSED_OVER)

    async def close(self) -> None:
        """Let posts in hand finish; what is left stays due."""
        self.lost_places.close()
        for task in self._makers_up:
            task.cancel()
        await asyncio.gather(self._chores.close(LAST_CALL), *self._makers_up, return_exceptions=True)

    async def _drain(self, match: str) -> None:
        """Post all that is due in a match; if nothing is, its last post may have to say whose answers are in."""
        try:
            if not await self.bot.owns(match):
                # Whose it is was told of it by what has been written.
                return
            # Asked anew each time: one may be withdrawn while another is posted.
            while due := await self._due(match):
                if not await self.deliver(due[0]):
                    return
            await self.bot.calls.tidy(match)
            await self._freshen(match)
            await self._tell_end(match)
            await self._make_calls(match)
        except EngineError as error:
            log_error(error, f"match {match} cannot be read")
            with suppress(BotError, EngineError):
                await self.pause(match, DAMAGED)
        except Exception as error:
            log_error(error)
        finally:
            if (asked := self._calling.pop(match, None)) and not asked.done():
                asked.set_result(None)

    async def call_out(self, match: str) -> None:
        """Make the calls that are wanted where a match is played, after all that is due there."""
        if match not in self._calling:
            self._calling[match] = asyncio.get_running_loop().create_future()
            # Should nobody wait for it any more, it has been heard nevertheless.
            self._calling[match].add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        asked = self._calling[match]
        self.poke(match)
        async with asyncio.timeout(PATIENT_CALL):
            await asyncio.shield(asked)

    async def _make_calls(self, match: str) -> None:
        """One message calls all who are to be called now; those who are not to hear it get one of their own."""
        asked = self._calling.get(match)
        if asked is None or asked.done():
            return
        pings = self.bot.matches.pings
        wanted = await pings.wanted_here(match)
        try:
            for silent in (False, True):
                some = [(call, chosen) for call, chosen in wanted if pings.is_silent(chosen, call.wanted) is silent]
                if some:
                    await self._call(await self.bot.matches.find(match), some, silent)
        except discord.HTTPException as error:
            if error.code in error_codes.PLACE_LOST:
                await self.pause(match, why_lost(error))
            else:
                asked.set_exception(error)
        except Exception as error:
            # Whoever has asked for it sees to that.
            asked.set_exception(error)

    async def _call(self, room: Room, wanted: list[tuple[Call, Choices]], silent: bool) -> None:
        pings, match = self.bot.matches.pings, room.info.id
        mentioned = [call.user for call, chosen in wanted if pings.is_called(call, chosen)]
        closed = [call.user for call, chosen in wanted if chosen.closed]
        calls, channel = [call for call, _ in wanted], room.info.place.posts_to
        sent = await self.find_call(channel, calls[0])
        if not sent:
            made = call_message.here(room, calls, mentioned, closed, pings.untils(room))
            sent = await self.send_call(channel, made, calls[0], silent)
            self._contents[sent] = made.content
        await self._take_buttons_off(room, sent)
        await self.bot.matches.announcements.reminded(match, sent)
        for call, _ in wanted:
            await pings.made(call)
        for user in closed:
            await pings.told_closed(user)

    async def find_call(self, channel: int, call: Call, mentioned: Collection[int] = ()) -> int:
        """Return the id of the message that has made a call already, which nobody has noted; 0 if there is none."""

        def is_its_message(message: discord.Message) -> bool:
            is_to_them = all(f"<@{user}>" in message.content for user in mentioned)
            return is_to_them and any(call_message.is_of(call, custom_id) for custom_id in custom_ids(message))

        key = (call.match, call.user, str(call.since))
        # Any process may have tried a call of no match.
        is_doubtful = not call.match and self.bot.matches.pings.now() - call.since > NONCE_KNOWN
        return await self.find_sent(channel, key, call.since, is_its_message, is_doubtful)

    async def find_sent(
        self,
        channel: int,
        key: tuple[str, int, str],
        since: int,
        is_its_message: Callable[[discord.Message], bool],
        is_doubtful: bool = False,
    ) -> int:
        """Return the id of a message that was sent already without being noted; 0 if there is none.

        Discord is only asked if `is_doubtful`, or if this process or an earlier one may have tried to send it: `key`
        names what is sent, and `since` is the earliest time at which it can have been.
        """
        is_doubtful |= key in self._tried_calls or since <= self._began
        self._tried_calls[key] = True
        if not is_doubtful:
            return 0
        # The clocks of this machine and of Discord may differ.
        after = discord.utils.time_snowflake(datetime.fromtimestamp(since - HOUR, UTC))
        try:
            history = self.bot.get_partial_messageable(channel).history(
                limit=LOOKED_BACK, after=discord.Object(after), oldest_first=False
            )
            async for message in history:
                if message.author == self.bot.user and is_its_message(message):
                    return message.id
        except discord.HTTPException as error:
            if error.status != 403:
                raise
            log.info("a call in match %s cannot be looked for (%s)", key[0] or "-", error.code)
        return 0

    async def send_call(self, channel: int, made: call_message.CallMessage, call: Call, silent: bool = False) -> int:
        """A message that calls somebody; its id."""

        async def send() -> discord.Message:
            return await self.bot.get_partial_messageable(channel).send(
                made.content,
                view=view_of(made.rows),
                # By it Discord knows a repeat, as with a post.
                nonce=f"{call.match}{call.since:x}{call.user & 0xFFFFFF:x}",
                allowed_mentions=only(made.pings),
                silent=silent,
            )

        return (await self.in_open_thread(channel, send)).id

    async def _due(self, match: str) -> list[Announcement]:
        """What is due in a match, once the database can be read."""
        tries = 0
        while True:
            try:
                return await self.bot.matches.announcements.due(match)
            except StoreError:
                await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))
                tries += 1

    async def deliver(self, announcement: Announcement) -> bool:
        """Post one announcement, waiting for Discord as long as it takes; False if its place is lost."""
        match, tries = announcement.match, 0
        while True:
            await self._heed_refusals()
            longest = LONGEST_WAIT
            try:
                async with self._at_work:
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
            level = logging.INFO if tries < PATIENT / 2 else logging.WARNING
            log.log(level, "a post of match %s has to wait (%s), trying again in %.0f s", match, failed, wait)
            await asyncio.sleep(wait)

    async def _post(self, announcement: Announcement, tries: int) -> bool:
        """Post one announcement and tick it off; False if another process does so."""
        match = announcement.match
        if not await self.bot.owns(match):
            return False
        if tries and announcement.id not in [one.id for one in await self.bot.matches.announcements.due(match)]:
            # It was ticked off after all, here or by another process, and a later board may carry the buttons by now.
            self._doubtful.discard(announcement.id)
            return True
        post = await self.bot.matches.announcements.post_of(announcement)
        calling = await self.bot.matches.pings.calling(post)
        room = await self._housed(post.room, tries)
        sent = await self._send(post, room, tries, calling)
        self._contents[sent.id] = sent.content
        await self._take_buttons_off(room, sent.id)
        await self.bot.calls.tidy(match, [call.user for call in calling.calls])
        await self.bot.matches.announcements.posted(announcement, sent.id, calling)
        if calling.calls:
            self.bot.calls.poke()
        self._doubtful.discard(announcement.id)
        self.lost_places.forget(match)
        self.bot.leavers.look_for(room, post.newly)
        return True

    async def _heed_refusals(self) -> None:
        """Wait while too much has been refused of late: Discord counts that, and bars whoever goes on."""
        now = asyncio.get_running_loop().time()
        if len(self._refused) == REFUSALS and (wait := self._refused[0] + REFUSALS_WITHIN - now) > 0:
            log.warning("Discord has refused %d posts: none is made for %.0f s", REFUSALS, wait)
            await asyncio.sleep(wait)

    async def _send(self, post: Post, room: Room, tries: int, calling: Calling) -> discord.Message:
        """The post with its pictures, or without what Discord will not take of it."""
        called: dict[str, Any] = {"pings": calling.mentioned, "untils": self.bot.matches.pings.untils(post.room)}
        made = turn_message.message(post, **called)
        plain = turn_message.message(post, with_points=True, **called)
        in_words = turn_message.in_words(post, plain)
        if post.announcement.id in self._doubtful and (found := await self._found(room, made, in_words, tries)):
            return found
        pictures = await self._drawn(post, made)
        for shape, shown in ((made, pictures), (plain, [])):
            try:
                return await self._send_once(post, room, shape, shown)
            except (discord.HTTPException, *UNREACHABLE) as error:
                if not _is_messages_fault(error, tries):
                    raise
                log_error(error, f"a post of match {room.info.id} goes out with less in it")
        return await self._send_once(post, room, in_words, [])

    async def _drawn(self, post: Post, made: turn_message.Message) -> list[Picture | None]:
        view, names = post.room.playing().view(None), plain_names(post.room)
        try:
            scene = describe.scene(post.room, post.events, None)
            pictures: list[Picture | None] = [await self.bot.pictures.board(view, names, **scene)]
            if made.with_scores:
                pictures.append(await self.bot.pictures.score_sheet(view, names))
            return pictures
        except Exception as error:
            # A post goes out even if it cannot be drawn.
            log_error(error)
            return []

    async def _found(
        self, room: Room, made: turn_message.Message, in_words: turn_message.Message, tries: int
    ) -> discord.Message | None:
        """The post, if it is there already: Discord drops a repeat by itself for some minutes only."""
        # Its buttons name the match and the announcement; the words may be the same in another match, or another turn.
        # In words alone it has no buttons, and says itself which match it is of.
        last = room.info.turn_message or room.info.lobby_message
        try:
            channel = self.bot.channel_of(room.info.place)
            return await self._posted(channel, last, ids_in(made.rows), in_words.content.strip())
        except discord.HTTPException as error:
            may_not = error.status == 403 and error.code in error_codes.PLACE_LOST
            # Refused for long, not by an outage: what is due is worth more than the risk that it is there already.
            is_in_vain = 400 <= error.status < 500 and error.code not in error_codes.PLACE_LOST and tries >= PATIENT
            if not may_not and not is_in_vain:
                raise
            log.info("match %s cannot look back at what it has posted", room.info.id)
        return None

    async def _posted(
        self, channel: discord.PartialMessageable, last: int, buttons: set[str], words: str | None = None
    ) -> discord.Message | None:
        """The bot's own message later than `last` that has one of these buttons, or these words."""
        # From the newest back: much may have been said since the last board, but little since a post in doubt.
        after = discord.Object(last) if last else None
        async for message in channel.history(limit=LOOKED_BACK, after=after, oldest_first=False):
            if message.author == self.bot.user and (message.content == words or carries(message, buttons)):
                return message
        return None

    async def _send_once(
        self,
        post: Post,
        room: Room,
        made: turn_message.Message,
        pictures: list[Picture | None],
    ) -> discord.Message:
        async def send() -> discord.Message:
            return await self.bot.channel_of(room.info.place).send(
                made.content,
                view=view_of(made.rows),
                files=attached(pictures),
                # Discord answers a repeated nonce with the message that is there, for some minutes.
                nonce=f"{post.announcement.match}-{post.announcement.id}",
                allowed_mentions=only(made.pings),
                # A direct message is heard even without a mention.
                silent=not made.pings and not room.info.place.guild,
            )

        return await self.in_open_thread(room.info.place.posts_to, send)

    async def in_open_thread(self, channel: int, send: Callable[[], Awaitable[discord.Message]]) -> discord.Message:
        """Send a message; an archived thread that it does not open by itself is opened first."""
        try:
            return await send()
        except discord.HTTPException as error:
            if error.code != error_codes.ARCHIVED_THREAD:
                raise
        await self.bot.http.edit_channel(channel, archived=False)
        return await send()

    async def _housed(self, room: Room, tries: int) -> Room:
        """The room with its thread, made at its first post; in the channel itself where no thread can be."""
        place = room.info.place
        if place.thread or not place.wants_thread:
            return room
        try:
            place = replace(place, thread=await self._make_thread(room))
        except discord.HTTPException as error:
            is_passing = error_codes.is_passing(error) or (not error.code and tries < PATIENT)
            if is_passing or error.code in (*error_codes.PLACE_GONE, error_codes.NO_ACCESS):
                raise
            log.info("no thread for match %s (%s): it stays in its channel", room.info.id, error.code)
            place = replace(place, wants_thread=False)
        moved = await self.bot.matches.moved(room.info.id, place)
        return Room(replace(room.info, place=moved.info.place), room.match)

    async def _make_thread(self, room: Room) -> int:
        """A thread under the lobby's message has that message's id, so a repeat after a crash finds it."""
        # By Discord's routes themselves: discord.py's own objects make a thread only where they have the server and
        # the channel in memory, and those may not have come yet when a post is due at a start.
        place, name = room.info.place, turn_message.thread_name(room)
        if room.info.lobby_message:
            try:
                made = await self.bot.http.start_thread_with_message(
                    place.channel, room.info.lobby_message, name=name, auto_archive_duration=WEEK
                )
                return int(made["id"])
            except discord.HTTPException as error:
                if error.code == error_codes.THREAD_EXISTS and await self._takes_posts(room.info.lobby_message):
                    return room.info.lobby_message
                if error.code not in (error_codes.THREAD_EXISTS, error_codes.UNKNOWN_MESSAGE):
                    raise
        made = await self.bot.http.start_thread_without_message(
            place.channel, name=name, auto_archive_duration=WEEK, type=discord.ChannelType.public_thread.value
        )
        return int(made["id"])

    async def _takes_posts(self, thread: int) -> bool:
        """Whether a thread is still there and not locked: what else keeps a post out, the whole channel does."""
        try:
            found: Any = await self.bot.http.get_channel(thread)
        except discord.NotFound as error:
            if error.code not in error_codes.PLACE_GONE:
                raise
            return False
        return not found["thread_metadata"]["locked"]

    async def _take_buttons_off(self, room: Room, sent: int) -> None:
        """The turn before loses its buttons and mentions. Where it cannot be edited it keeps them, and they work."""
        # A message that was noted without our hearing of it is known as the last one already.
        if room.info.turn_message in (0, sent):
            return
        old = self.bot.channel_of(room.info.place).get_partial_message(room.info.turn_message)
        edit: dict[str, Any] = {"view": None, "allowed_mentions": NOBODY}
        try:
            with suppress(discord.Forbidden):
                content = await self._content_of(old)
                edit["content"] = turn_message.thought(turn_message.uncalled(content), room)
            await old.edit(**edit)
            self._contents.pop(old.id, None)
        except discord.HTTPException as error:
            log.info("the last turn of match %s keeps its buttons (%s)", room.info.id, error.code)

    async def _content_of(self, message: discord.PartialMessage) -> str:
        """Return the words of a post or reminder; Discord is asked only for one made before the bot was started."""
        if message.id not in self._contents:
            self._contents[message.id] = (await message.fetch()).content
        return self._contents[message.id]

    async def _freshen(self, match: str) -> None:
        """While secret answers come in the last post says whose, and while a computer thinks for long, which.

        Where it cannot be edited it stays as it is.
        """
        now = await self.bot.matches.find(match)
        thinks = self.bot.matches.computers.thinking(match)
        if now.match is None or thinks not in now.match.waiting_for():
            # It thinks about what is no longer asked, as when a match has ended by a resignation.
            thinks = None
        standing = await self.bot.matches.announcements.standing_post(match)
        if standing is None and (thinks is None or not now.info.turn_message):
            return
        old = self.bot.channel_of(now.info.place).get_partial_message(now.info.turn_message)
        try:
            if standing is not None:
                post, now = standing
                content = turn_message.freshened(post, now, self.bot.matches.pings.untils(now))
            else:
                content = await self._content_of(old)
            if thinks is not None:
                content = turn_message.thinking(content, now, thinks)
            await old.edit(content=content, allowed_mentions=NOBODY)
            self._contents[old.id] = content
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("the last turn of match %s stays as it is (%s)", match, type(error).__name__)

    async def _tell_end(self, match: str) -> None:
        """Once a match has ended its lobby's message and its thread's name say how; until then that is due."""
        room = await self.bot.matches.find(match)
        if not room.info.untold or room.info.paused_for:
            return
        if await self.bot.matches.announcements.due(match):
            # It has ended just now. The lobby links to the last board, so that comes first.
            return
        await self._keep_at(room, self._show_result)
        if room.info.status is Status.CALLED_OFF:
            await self._keep_at(room, self._change_buttons)
        await self._keep_at(room, self._rename_thread)
        await self._keep_at(room, self._tick_off)

    async def _keep_at(self, room: Room, deed: Callable[[Room], Awaitable[None]]) -> None:
        """Do what can be done again without harm until Discord has taken it, or says for good that it will not."""
        for tries in count():
            try:
                await deed(room)
                return
            except discord.HTTPException as error:
                if not error_codes.is_passing(error) and (error.code or tries >= PATIENT):
                    log.info("%s: match %s has ended, and is not told (%s)", deed.__name__, room.info.id, error.code)
                    return
            except (StoreError, *UNREACHABLE) as error:
                log.info("%s: match %s has ended, and it has to wait (%s)", deed.__name__, room.info.id, error)
            await asyncio.sleep(backoff(tries, FIRST_WAIT, LONGEST_WAIT))

    async def _change_buttons(self, room: Room) -> None:
        """No post tells of a match that ended without a result: the last board gets the buttons of an end."""
        if room.info.turn_message:
            board = self.bot.channel_of(room.info.place).get_partial_message(room.info.turn_message)
            await board.edit(view=view_of(turn_message.turn_rows(room)), allowed_mentions=NOBODY)

    async def _tick_off(self, room: Room) -> None:
        await self.bot.matches.end_told(room.info.id)

    async def _show_result(self, room: Room) -> None:
        if room.info.lobby_message:
            channel = self.bot.get_partial_messageable(room.info.place.channel)
            message = channel.get_partial_message(room.info.lobby_message)
            await message.edit(embed=lobby_message.embed(room), view=None, allowed_mentions=NOBODY)

    async def _renamed(self, due: Due) -> None:
        """Others play in a match, or somebody was forgotten: its thread says who plays or played.

        Discord allows that seldom, and then it is tried later.
        """
        room = await self.bot.matches.find(due.match)
        if not room.info.place.thread:
            return
        await self.bot.calls.bucket.take()
        try:
            async with asyncio.timeout(PATIENT_CALL):
                await self._rename_thread(room)
        except discord.HTTPException as error:
            if error_codes.is_passing(error) or not error.code:
                raise
            log.info("the thread of match %s keeps its name (%s)", due.match, error.code)

    async def _rename_thread(self, room: Room) -> None:
        """Name a thread that the bot has made: a match may have been resumed in somebody else's."""
        thread = room.info.place.thread
        if not thread:
            return
        found: Any = await self.bot.http.get_channel(thread)
        is_ours = self.bot.user is not None and int(found.get("owner_id") or 0) == self.bot.user.id
        # Read now: since the name was due, or while Discord was in trouble, somebody may have been forgotten.
        room = await self.bot.matches.find(room.info.id)
        name = turn_message.thread_name(room)
        if is_ours and found["name"] != name:
            # An archived thread is opened in the same request, without which Discord would refuse.
            await self.bot.http.edit_channel(thread, name=name, archived=False)
            if room.is_over and not room.info.untold and found["thread_metadata"]["archived"]:
                # Nobody is to find an old match among the open threads only because of its name.
                await self.bot.http.edit_channel(thread, archived=True)

    async def pause_all(self, channel: int) -> None:
        """A channel or thread is gone, and all its matches with it."""
        for room in await self.bot.matches.here(channel):
            if room.info.status is Status.RUNNING:
                await self.pause(room.info.id, GONE)

    async def pause(self, match: str, why: str) -> None:
        """Keep a match that cannot post, and tell its host once."""
        room = await self.bot.matches.find(match)
        if match in self._pausing or room.info.paused_for:
            return
        self._pausing.add(match)
        try:
            room = await self.bot.matches.pause(match, why)
        finally:
            self._pausing.discard(match)
        log.warning("match %s is paused: %s", match, why)
        if self.lost_places.note(room):
            await self._tell_host(room)

    async def _tell_host(self, room: Room) -> None:
        match, ended = room.info.id, room.info.status is Status.FINISHED
        await self.tell(
            room.info.host, say("notice.paused", game=describe.title(room), id=match, ended=ended, why=room.why_paused)
        )

    async def tell(self, user: int, said: str) -> None:
        """A direct message to somebody who has to know, if they take any."""
        try:
            channel = await self.bot.create_dm(discord.Object(user))
            await channel.send(said, allowed_mentions=NOBODY)
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("somebody could not be told (%s)", type(error).__name__)


def _is_messages_fault(error: Exception, tries: int) -> bool:
    """Whether a post may go through with less in it."""
    if isinstance(error, discord.HTTPException):
        if error.code in error_codes.PLACE_LOST or error.status == 429:
            return False
        if error.status in (400, 413):
            return True
    # Whatever it is, also that no answer comes in time: it has gone on for long.
    return tries >= PATIENT
