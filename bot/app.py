"""The bot itself: a discord.py client that owns the matches, the pictures and the outbox."""

import asyncio
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import aiohttp
import discord
import yarl
from discord import app_commands

from bot import error_codes, logs, reply
from bot.commands import register
from bot.components.items import ITEMS, Asked, carries, is_known
from bot.config import BadConfig
from bot.errors import BotError, NotServing, Refused, StoreError, log_error
from bot.films import Films
from bot.leavers import Leavers
from bot.long_jobs import LongJobs
from bot.matches.room import Place
from bot.matches.service import Matches
from bot.panel.late_edits import LateEdits
from bot.permissions import invitation
from bot.pictures import Pictures
from bot.posts.ballots import Ballots
from bot.posts.calls import Calls
from bot.posts.chronicle import Chronicle
from bot.posts.lobbies import Lobbies
from bot.posts.notices import Notices
from bot.posts.outbox import Outbox
from bot.posts.rate import Bucket, PublicAnswers, Reserve, all_requests, backoff
from bot.posts.vote_calls import VoteCalls
from bot.reply import Acknowledgement
from bot.shards import NONE, Shards, all_of
from bot.store.base import ABSENCE, CALLS_WANTED
from bot.tasks import awaited_task, track_task
from bot.text import describe, say
from bot.text.names import plain_names
from engine import EngineError

log = logging.getLogger("motu")

INTENTS = discord.Intents(guilds=True)
"""What the bot hears of; nothing that would have to be granted."""
LAST_CALL = 3.0
"""Seconds that commands and presses being answered get to finish when the bot stops."""
LAST_WORD = 2.0
"""Seconds more for those that a picture has held up: they are answered without it."""
GOODBYE = 3.0
"""Seconds for Discord to hear that the bot leaves."""
RESUMABLE = 4000
"""A code with which a session with the gateway is closed so that it can be resumed."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a start that failed is tried again; then twice as many each time, up to so many."""
REQUEST = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=15)
"""How long a request to Discord may take, in all and until a first word comes back."""
CROWD = 100
"""Presses in hand at most: whoever comes then is told at once to come again, for an answer would take many seconds, and
in the end longer than Discord waits for its first sign."""
RUSH = 8
"""Presses in hand from which on all are acknowledged before anything else is done for them."""
WARMED = 16
"""Kinds of matches whose boards are drawn at the start."""
IDENTIFY = 5.0
"""Seconds between two logins of shards."""
LOOK_AROUND = 60.0
"""Seconds between two looks for what another process has left."""
BUSY = 2.0
"""Seconds before a database that failed at the start is tried again."""

CHANGES = frozenset(
    {
        *("guild_join", "guild_available", "guild_channel_create", "guild_channel_update"),
        *("guild_role_update", "guild_role_delete", "member_update", "raw_thread_update", "thread_join"),
    }
)
"""Events after which the bot may be able to post where it could not."""

BEGINS_TO_HEAR, HEARS_NO_MORE = ("shard_ready", "shard_resumed"), "shard_disconnect"
"""Events that tell whether a shard hears of its servers."""


class Tree(app_commands.CommandTree["Motu"]):
    """The commands, with one place for their errors."""

    async def interaction_check(self, interaction: Asked, /) -> bool:
        """Before any command: it is in hand until its task is done."""
        command = interaction.command
        if interaction.type is discord.InteractionType.autocomplete:
            return await interaction.client.takes(interaction, "")
        what = f"/{command.qualified_name}" if command else ""
        how = command.extras.get(reply.DECLARED) if command else None
        return await interaction.client.takes(interaction, what, how or Acknowledgement.AT_ONCE)

    async def on_error(self, interaction: Any, error: app_commands.AppCommandError, /) -> None:
        """A command failed: one private answer."""
        if interaction.type is discord.InteractionType.autocomplete:
            # The command being typed belongs to an older version.
            log.info("a completion could not be made (%s)", type(error).__name__)
            return
        await reply.report(interaction, _unknown(error))


class Motu(discord.AutoShardedClient):
    """The bot, in the shards that it is given. Everything it knows lies in its matches; nothing in a View."""

    def __init__(
        self,
        matches: Matches,
        *,
        guild: int | None = None,
        shards: Shards | None = None,
        requests: int = 0,
        ready_timeout: float = 2.0,
        tell: Callable[[str], None] = log.info,
        invites: bool = True,
    ) -> None:
        # A bot without a voice has no need of its libraries, nor of a warning that they are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=INTENTS,
            allowed_mentions=reply.NOBODY,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            guild_ready_timeout=ready_timeout,
            # A first login waits for those of all other processes; what else may fail has limits of its own.
            shard_connect_timeout=None,
            # Every request of discord.py's passes there, answers to interactions and logins to the gateway included.
            http_trace=self._gate(),
        )
        self.matches = matches
        self._requests = all_requests(requests, self._shared("requests")) if requests else None
        self._identifies: dict[int, Bucket] = {}
        self._ask, self.http.request = self.http.request, self._request  # type: ignore[method-assign]
        self.pictures = Pictures()
        self.outbox = Outbox(self)
        self.long_jobs = LongJobs()
        self.films = Films(self)
        self.chronicle = Chronicle(self)
        self.lobbies = Lobbies(self)
        self.calls = Calls(self, Bucket(shared=self._shared("calls")))
        self.ballots = Ballots(self)
        self.vote_calls = VoteCalls(self)
        self.leavers = Leavers(self)
        self.notices = Notices(self)
        self.late_edits = LateEdits()
        self.public_answers = PublicAnswers(matches.pings.now)
        matches.call_when_due(self.outbox.poke)
        matches.plans.worded = describe.refusal
        self._launching: asyncio.Future[None] | None = None
        self.heard: set[int] = set()
        """The shards that hear of their servers."""
        self.reconnects = 0
        """How often one of them was heard of again since the start."""
        self._wanted = shards
        """The shards that it is to serve; None for all that Discord advises."""
        self.is_waiting = False
        """Whether another process serves them still."""
        self.shards_lost = asyncio.Event()
        """Set when they cannot be had back, for the reason in `why_lost`: the process has to end."""
        self.why_lost = ""
        self._may_connect = asyncio.Event()
        """Set unless the shards are lost: sessions with the gateway are opened only then."""
        self._may_connect.set()
        self._left_gateway = asyncio.Event()
        """Set while there is no session with the gateway that could tell of anything."""
        self._left_gateway.set()
        self._keeping_shards: list[asyncio.Task[None]] = []
        self._going_on: asyncio.Task[None] | None = None
        matches.scheduler.is_there = lambda: self.owns_something and len(self.heard) == len(self.shards) > 0
        matches.store.when_told = self._written_elsewhere
        matches.pings.call_when_wanted(self.calls.poke)
        self.tree = Tree(
            self,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
        )
        self._quick_guild = guild
        self._tell = tell
        self._invites = invites
        self._begun = False
        self.is_ending = False
        """Whether the bot was told to stop: what is in hand is finished, and nothing new is begun."""
        self._in_hand: set[asyncio.Task[Any]] = set()
        """The tasks in which discord.py has commands and presses answered and a start made."""
        register.add_all(self.tree)

    def _shared(self, what: str) -> Reserve | None:
        """What all processes on one database share."""
        return partial(self.matches.store.reserve, what) if self.matches.store.is_shared else None

    async def _request(self, route: discord.http.Route, **options: Any) -> Any:
        """A request to Discord, when there is room for it; answers to presses are not counted by Discord."""
        if self._requests is not None and not route.path.startswith(("/interactions/", "/webhooks/")):
            await self._requests.take()
        # Left to itself discord.py waits five minutes for an answer that does not come, and the match's boards with it.
        return await self._ask(route, timeout=REQUEST, **options)

    def _gate(self) -> aiohttp.TraceConfig:
        """Have every request to Discord wait until it is sure that this process may speak."""
        gate = aiohttp.TraceConfig()
        gate.on_request_start.append(self._before_request)
        return gate

    async def _before_request(self, session: Any, context: Any, request: aiohttp.TraceRequestStartParams) -> None:
        """Let nothing be said to anybody unless the shards are surely this process's.

        What it has acknowledged itself it still answers, since nobody else may, but only once it has left the gateway.
        """
        if request.url.scheme in ("ws", "wss"):
            await self._may_connect.wait()
            if self.is_closed():
                # It was waited for in vain.
                raise NotServing
        elif not await self.matches.store.confirm_claim():
            await self._left_gateway.wait()
            if "/webhooks/" not in request.url.path:
                raise NotServing

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Before a shard logs in: Discord takes one in five seconds, or some beside each other for a large bot."""
        await self._may_connect.wait()
        await self._identifies[(shard_id or 0) % len(self._identifies)].take()

    async def login(self, token: str) -> None:
        """Log in and register the commands, however long Discord is out of reach or in trouble meanwhile."""
        tries = 0
        while True:
            try:
                return await super().login(token)
            except Exception as error:
                if self.is_ending or not _may_pass(error):
                    raise
                # discord.py begins with a new session each time, and leaves the old one open.
                await self.http.close()
                self.http.connector = discord.utils.MISSING
                await _before_next_try(tries, error)
                tries += 1

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected, however long Discord does not say at the start how many shards it wants."""
        tries = 0
        while True:
            try:
                return await super().connect(reconnect=reconnect)
            except Exception as error:
                if self.is_ending or self.shards or not _may_pass(error):
                    raise
                await _before_next_try(tries, error)
                tries += 1

    async def launch_shards(self) -> None:
        """The first connection of every shard, once no other process serves any of them."""
        self._launching = awaited_task(self._launch())
        await self._launching

    async def _launch(self) -> None:
        advised, _, limits = await self.http.get_bot_gateway()
        shards = self._wanted or all_of(advised)
        self._identifies = {
            number: Bucket(1 / IDENTIFY, 1, shared=self._shared(f"identify-{number}"), longest=0)
            for number in range(limits["max_concurrency"])
        }
        self.is_waiting = True
        await self.matches.store.claim(shards, lambda why: log.info("%s", say("program.waiting", why=why)))
        self.is_waiting = False
        self._left_gateway.clear()
        self._keeping_shards = [track_task(self._keep_shards(), "keep-shards")]
        if not shards.are_all:
            self._keeping_shards.append(track_task(self._look_around(), "look-around"))
        self.shard_count, self.shard_ids = shards.count, list(shards.ids)
        await super().launch_shards()

    async def _keep_shards(self) -> None:
        """Leave the gateway whenever the shards are lost, and go on once they are back; end if they cannot be had."""
        store = self.matches.store
        try:
            while True:
                await store.claim_lost()
                await self._leave_gateway()
                await store.regain_claim()
                log.info("the locks of the shards are back")
                self._left_gateway.clear()
                self._may_connect.set()
                if self._begun:
                    # Not awaited: they may be lost once more before it is through.
                    if self._going_on is not None:
                        self._going_on.cancel()
                    self._going_on = track_task(self._go_on(), "go-on")
        except StoreError as error:
            self.why_lost = str(error)
        except Exception as error:
            # Whatever it is, nothing may be done without the shards.
            self.why_lost = say("shards.failed", id=log_error(error))
        self.shards_lost.set()

    async def _leave_gateway(self) -> None:
        """Close every session with the gateway so that it can be resumed, and open none for now.

        From here on no event is read: Discord sends them to whichever process has the shards next.
        """
        self._may_connect.clear()
        sockets = [self._get_websocket(shard_id=shard) for shard in self.shards]
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await asyncio.gather(*(socket.close(code=RESUMABLE) for socket in sockets), return_exceptions=True)
        self._left_gateway.set()

    async def _look_around(self) -> None:
        """Now and then, where several processes share the work: do what another may have left undone."""
        while True:
            await asyncio.sleep(LOOK_AROUND)
            with suppress(StoreError):
                await self.matches.wake_computers()
                await self.outbox.look()
                self.calls.poke()

    @property
    def owns_something(self) -> bool:
        """Whether any match is this process's to look after."""
        return self.matches.store.own != NONE

    async def owns(self, match: str) -> bool:
        """Whether a match is this process's to look after: see bot/shards.py."""
        own = self.matches.store.own
        return own.are_all or (self.owns_something and own.serve((await self.matches.find(match)).info.place.guild))

    def _written_elsewhere(self, match: str) -> None:
        """Another process has answered a press in a match of this one's; or was away, or has calls to be made."""
        if match == ABSENCE:
            self.matches.scheduler.other_was_away()
        elif match == CALLS_WANTED:
            self.calls.poke()
        else:
            self.outbox.poke(match)
            self.ballots.poke(match)
            self.matches.scheduler.poke()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """The first connection of one; discord.py tries again for ever, also when all are closed."""
        if not self.is_ending:
            await super().launch_shard(gateway, shard_id, initial=initial)

    async def setup_hook(self) -> None:
        """Before the gateway: the items that serve every message ever posted, and the commands."""
        self.add_dynamic_items(*ITEMS.values())
        if self._quick_guild:
            home = discord.Object(self._quick_guild)
            self.tree.copy_global_to(guild=home)
            try:
                await self.tree.sync(guild=home)
            except (discord.Forbidden, discord.NotFound) as error:
                if not error.code:
                    raise
                raise BadConfig(say("config.not_in_guild", guild=home.id)) from error
        else:
            await self.tree.sync()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on; once closed, discord.py may still have one to tell and nobody to tell it to."""
        if self.is_closed():
            return
        super().dispatch(event, *args, **kwargs)
        if event in BEGINS_TO_HEAR:
            if not self._may_connect.is_set():
                # The shards were lost while this session was being opened.
                self._keeping_shards.append(track_task(self._leave_gateway(), "leave-gateway"))
            self.heard.add(args[0])
            self.reconnects += self._begun
            self.matches.scheduler.poke()
        elif event == HEARS_NO_MORE:
            self.heard.discard(args[0])
            self.matches.scheduler.poke()
        elif event in CHANGES:
            self.outbox.lost_places.on_change(args[-1], is_update=event.endswith(("update", "delete")))

    async def on_ready(self) -> None:
        """At the first start: go on where the last one stopped."""
        if self._begun or self.is_ending:
            return
        self._begun = True
        self.take_in_hand()
        link = invitation(self.application_id or 0) if self._invites else ""
        self._tell(say("program.ready", servers=len(self.guilds), link=link))
        await self._go_on()
        await self._warm()

    async def _warm(self) -> None:
        """Draw a board of each kind that is being played: the first of a kind takes a second, and nobody waits yet."""
        await self.pictures.warm()
        try:
            for room in await self.matches.of_each_kind(WARMED):
                news = await self.matches.announcements.news(room, None)
                scene = describe.scene(room, news, None)
                await self.pictures.board(room.playing().view(None), plain_names(room), **scene)
        except (BotError, EngineError) as error:
            if not self.is_ending:
                log.info("not all boards are drawn beforehand: %s", type(error).__name__)

    async def _go_on(self) -> None:
        """Let computers move and post what is due, once the database can be read: a backup may hold it."""
        while not self.is_ending:
            try:
                await self.matches.recover()
                await self.outbox.catch_up()
                await self.ballots.catch_up()
                self.lobbies.watch()
                self.matches.scheduler.start()
                self.calls.poke()
                return
            except StoreError:
                await asyncio.sleep(BUSY)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """An event failed: logged under an id, without what might be a secret in it."""
        if error := sys.exc_info()[1]:
            log_error(error)

    async def on_interaction(self, interaction: Asked) -> None:
        """Components that no item serves, old or forged, get an answer too."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        # discord.py serves no component that its message does not have.
        is_there = interaction.message is not None and carries(interaction.message, {custom_id})
        if not is_known(custom_id) or not is_there:
            await reply.guarded(interaction, reply.tell(interaction, say("refusal.not_ours")))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone: its matches wait for another place."""
        await self.outbox.pause_all(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone: its match waits for another place."""
        await self.outbox.pause_all(payload.thread_id)

    def channel_of(self, place: Place) -> discord.PartialMessageable:
        """Where a match posts, whether or not Discord has told the bot of it yet."""
        return self.get_partial_messageable(place.posts_to, guild_id=place.guild or None)

    async def pressed(self, interaction: Asked, item: Any) -> None:
        """A component of ours was pressed."""
        if await self.takes(interaction, type(item).__name__, register.acknowledgement_of(item)):
            # A press that is refused leaves the message as it is, so what was to follow on it still may.
            self.late_edits.note_press(interaction)
            await self.late_edits.wait_for_edit(interaction)
            await reply.guarded(interaction, register.serve(interaction, item))

    def take_in_hand(self, what: str = "") -> None:
        """The task that this is called in is let finish when the bot stops; `what` is the press that it answers."""
        if task := asyncio.current_task():
            self.finish_before_stop(task)
            if what:
                pressed = logs.begin(what)
                task.add_done_callback(lambda _: logs.end(pressed))

    def finish_before_stop(self, task: asyncio.Task[Any]) -> None:
        """Let a task finish when the bot stops."""
        self._in_hand.add(task)
        task.add_done_callback(self._in_hand.discard)

    async def takes(self, interaction: Asked, what: str, how: Acknowledgement | None = None) -> bool:
        """Take a press in hand and acknowledge it, or have that done in time; False if it must not be handled.

        If the bot ends or has too many in hand, it says so instead. Completions are never acknowledged, only answered.
        """
        if not await self.matches.store.confirm_claim():
            # Whichever process has the shards now answers it.
            return False
        in_hand = len(self._in_hand)
        if not self.is_ending and in_hand < CROWD:
            self.take_in_hand(what)
            return how is None or await reply.begin_handling(interaction, how, in_a_rush=in_hand >= RUSH)
        if interaction.type is discord.InteractionType.autocomplete:
            with suppress(discord.HTTPException, *reply.UNREACHABLE):
                await interaction.response.autocomplete([])
        else:
            pressed = logs.begin(what)
            pressed.outcome = "refused" if self.is_ending else "busy"
            said = say("refusal.restarting" if self.is_ending else "refusal.busy")
            # Not by reply.tell: if somebody has acknowledged it, that one carries it out, and this would be wrong.
            await reply.guarded(interaction, reply.respond(interaction, content=said, ephemeral=True))
            if interaction.response.is_done():
                # Should Discord tell of it once more, it comes to nothing then as well.
                self.matches.note_void(interaction.id)
            logs.end(pressed)
        return False

    async def close(self) -> None:
        """Finish what is in hand, then go; in seconds, however busy this machine is.

        Whatever was acknowledged is stored, and what is due stays due, so nothing is lost by not waiting for it.
        """
        if self.is_closed():
            return
        self.is_ending = True
        self.matches.stop_computers()
        # Tasks that discord.py has made but that have not begun take themselves in hand now.
        await asyncio.sleep(0)
        await self.late_edits.close()
        await self.lobbies.close()
        await self.long_jobs.close()
        await self.films.close()
        await self.matches.scheduler.close()
        await self.calls.close()
        await self.ballots.close()
        await self.leavers.close()
        for task in filter(None, (*self._keeping_shards, self._going_on)):
            task.cancel()
        await asyncio.gather(self._let_finish(LAST_CALL), self.outbox.close())
        self.pictures.close()
        for task in await self._let_finish(LAST_WORD):
            task.cancel()
        await self.matches.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                if self._launching is not None:
                    self._launching.cancel()
                    await asyncio.wait([self._launching])
                await super().close()
        # Wake the shards that wait to open a session: there will be none.
        self._may_connect.set()

    async def _let_finish(self, seconds: float) -> set[asyncio.Task[Any]]:
        """Wait for what is in hand; what is not done by then."""
        others = self._in_hand - {asyncio.current_task()}
        if not others:
            return set()
        _, late = await asyncio.wait(others, timeout=seconds)
        return late


def _may_pass(error: Exception) -> bool:
    """Whether a start that failed may succeed by itself: only Discord's own codes say that it cannot."""
    if isinstance(error, discord.HTTPException):
        return error_codes.is_passing(error) or not error.code
    # The last three are answers that make no sense, such as the page of a machine that stands before Discord.
    return isinstance(error, (*reply.UNREACHABLE, TypeError, KeyError, ValueError))


async def _before_next_try(tries: int, error: BaseException) -> None:
    wait = backoff(tries, FIRST_WAIT, LONGEST_WAIT)
    why = f"{type(error).__name__} {getattr(error, 'status', '')}".strip()
    log.warning("Discord cannot be reached (%s): trying again in %.0f s", why, wait)
    await asyncio.sleep(wait)


def _unknown(error: app_commands.AppCommandError) -> Exception:
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return Refused(say("refusal.old_command"))
    if isinstance(error, app_commands.TransformerError):
        return Refused(say("refusal.bad_option"))
    return error
