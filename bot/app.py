"""The bot: a discord.py client with the features plugged in.

The class Motu starts, connects and stops everything; what the bot does is in the features, which
must not be named here.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import discord
import yarl
from discord import app_commands

from bot.feature_list import FEATURES
from bot.gateway import INTENTS, MotuHTTPClient, MotuTree, ShardClaim, retry_while_unreachable
from bot.kernel import queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Shards, all_shards
from bot.posts.outbox import Outbox
from bot.runtime.base import BadConfig, BotError, StoreError, awaited_task, log_error
from bot.text import say
from bot.ui import (
    Bucket,
    Feature,
    LateEdits,
    LatestPresses,
    MotuClient,
    MotuInteraction,
    Pictures,
    PublicAnswers,
    describe,
    has_component,
    reply,
)
from bot.ui.commands import GROUP, CommandTranslator, localized
from bot.ui.forms import FormButton, Forms, handle_submission
from bot.ui.long_jobs import LongJobs, StopButton
from bot.ui.permissions import invitation
from bot.ui.which_match import ChosenMatch
from engine import EngineError, begin
from engine.core import words

log = logging.getLogger("motu")

FINISH_SECONDS = 3.0
"""How long running handlers get to finish when the bot stops."""
FINISH_WITHOUT_PICTURES_SECONDS = 2.0
"""How much longer handlers get that were waiting for a picture: they now answer without it."""
LOOK_AROUND_SECONDS = 60.0
"""How often to look for work that another process has left undone."""
DATABASE_RETRY_SECONDS = 2.0
"""How long to wait before trying a database again that failed at the start."""
WARM_UP_BOARDS = 16
"""How many different boards to draw at the start."""
IDENTIFY_INTERVAL_SECONDS = 5.0
"""Discord lets one shard identify per interval; for a large bot, `max_concurrency` shards."""
SHUTDOWN_TIMEOUT = 3.0
"""How many seconds closing the connections to Discord may take."""
GROUPS = {"game": False, "me": True, "vacation": True}
"""Groups of commands that features share, and whether they work in direct messages."""


def connect_toolkit(client: MotuClient) -> Parts:
    """Make the services that all features share for talking to Discord."""
    kernel, late_edits, long_jobs = client.kernel, LateEdits(), LongJobs()
    # Messages that no user waits for are sent at a limited rate, shared by all processes.
    bucket = Bucket(store=kernel.store, name="calls")
    return Parts(
        services=(
            late_edits,
            LatestPresses(),
            long_jobs,
            bucket,
            PublicAnswers(kernel.now),
            Forms(),
        ),
        on_close=(late_edits.tasks.close, long_jobs.close),
    )


ITEMS = (ChosenMatch, StopButton, FormButton)
TOOLKIT = Feature(
    name="toolkit", connect=connect_toolkit, items=(ChosenMatch, StopButton, FormButton)
)


class Motu(MotuClient):
    """The bot. All its state is in the database; no discord.py View holds any.

    Start: it logs in, `setup_hook` registers commands and components, the shards are claimed and
    connected, and `on_ready` resumes where the last process stopped. Interactions: MotuTree admits
    a command, Item.callback a component; then their feature handles them. Stop: `close` lets
    running handlers finish, then leaves the gateway.
    """

    def __init__(
        self,
        kernel: Kernel,
        features: Sequence[Feature] = FEATURES,
        *,
        guild: int | None = None,
        shards: Shards | None = None,
        requests: int = 0,
        ready_timeout: float = 2.0,
        tell: Callable[[str], None] = log.info,
        invites: bool = True,
        draws_ahead: bool = True,
    ) -> None:
        """Serve these shards, or as many as Discord recommends.

        `guild` gets its commands at once; `requests` limits the requests per second, 0 for no
        limit; `tell` is called with the message that the bot is ready, which has a link to invite
        the bot if `invites`; `draws_ahead` draws a board of every game after the start.
        """
        # Motu does not use voice: suppress discord.py's warnings about missing voice libraries.
        discord.VoiceClient.warn_nacl = False
        discord.VoiceClient.warn_dave = False
        self._request_budget: Bucket | None = None
        if requests:
            # A burst of a fifth, the rest at a steady rate: never above the limit in any second.
            self._request_budget = Bucket(
                0.8 * requests, 0.2 * requests, store=kernel.store, name="requests"
            )
        super().__init__(
            kernel,
            Pictures(),
            intents=INTENTS,
            # No timeout: with many processes, a shard may have to wait long for its turn.
            shard_connect_timeout=None,
            allowed_mentions=reply.NOBODY,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            guild_ready_timeout=ready_timeout,
        )
        self._wanted_shards = shards
        self._identify_limits: list[Bucket] = []
        self._launching: asyncio.Future[None] | None = None
        self.heard: set[int] = set()
        """The shards with an open session: events of their servers arrive."""
        self.reconnects = 0
        """How many sessions were opened since the bot was first ready. For the metrics."""
        self._quick_guild = guild
        self._tell = tell
        self._invites = invites
        self._draws_ahead = draws_ahead
        self._begun = False
        self._resuming: asyncio.Task[None] | None = None
        kernel.store.listen(kernel.on_notification)
        self._connected: list[Parts] = []
        for feature in (TOOLKIT, *features):
            parts = feature.connect(self)
            self._connected.append(parts)
            kernel.add(parts)
        self.services.require(Forms).kinds += [kind for one in features for kind in one.forms]
        self._items = [item for feature in (TOOLKIT, *features) for item in feature.items]
        self.tree = MotuTree(
            self,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
        )
        commands = [command.make() for feature in features for command in feature.commands]
        for name, is_direct in GROUPS.items():
            group = app_commands.Group(
                name=name, description=localized(f"command.{name}.description")
            )
            for command in commands:
                if command.extras[GROUP] == name:
                    group.add_command(command)
            # Discord rejects a group without commands.
            if group.commands:
                self.tree.add_command(app_commands.allowed_contexts(dms=is_direct)(group))
        for command in commands:
            if not command.extras[GROUP]:
                self.tree.add_command(command)

    def _get_state(self, **options: Any) -> Any:
        # Client.__init__ creates an HTTPClient, with no option for another class, and then calls
        # this to create the connection state, which keeps a reference to it. So this is the last
        # chance to replace it with ours.
        self.claim = ShardClaim(self)
        self.http = MotuHTTPClient(self.loop, self.claim, self._request_budget)
        return super()._get_state(**options)

    # Start.

    async def login(self, token: str) -> None:
        """Log in and run the setup hook; keep trying while Discord cannot be reached."""
        attempt = partial(super().login, token)
        await retry_while_unreachable(attempt, lambda: not self.is_ending)

    async def setup_hook(self) -> None:
        """Register the components, which serve all old messages as well, and the commands."""
        self.add_dynamic_items(*self._items)
        # discord.py asks the translator for each text in each of Discord's thirty languages.
        if len(words.known_languages()) > 1:
            await self.tree.set_translator(CommandTranslator())
        if not self._quick_guild:
            await self.tree.sync()
            return
        home = discord.Object(self._quick_guild)
        self.tree.copy_global_to(guild=home)
        try:
            await self.tree.sync(guild=home)
        except (discord.Forbidden, discord.NotFound) as error:
            if not error.code:
                raise
            raise BadConfig("config.not_in_guild", guild=home.id) from error

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect and stay connected; keep trying until the first shard is launched."""
        attempt = partial(super().connect, reconnect=reconnect)
        await retry_while_unreachable(attempt, lambda: not self.is_ending and not self.shards)

    async def launch_shards(self) -> None:
        """Claim this process's shards, then connect them."""
        self._launching = awaited_task(self._launch_shards())
        await self._launching

    async def _launch_shards(self) -> None:
        advised, _, limits = await self.http.get_bot_gateway()
        shards = self._wanted_shards or all_shards(advised)
        store, rate = self.kernel.store, 1 / IDENTIFY_INTERVAL_SECONDS
        self._identify_limits = [
            Bucket(rate, 1, store=store, name=f"identify-{number}", longest=0)
            for number in range(limits["max_concurrency"])
        ]
        await self.claim.take(shards)
        if not shards.are_all:
            self.background.start(self._look_around(), "look-around")
        self.shard_count = shards.count
        self.shard_ids = list(shards.ids)
        await super().launch_shards()

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard, unless the bot is stopping: discord.py would retry for ever."""
        if not self.is_ending:
            await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord lets this shard identify."""
        await self.claim.wait_to_connect()
        await self._identify_limits[(shard_id or 0) % len(self._identify_limits)].take()

    async def _look_around(self) -> None:
        """Look regularly for work that other processes have left undone."""
        while True:
            await asyncio.sleep(LOOK_AROUND_SECONDS)
            with suppress(StoreError):
                await self.kernel.look_around()

    async def on_ready(self) -> None:
        """Resume where the last process stopped. Discord may send `ready` again: do it once."""
        if self._begun or self.is_ending:
            return
        self._begun = True
        self.handlers.track_current()
        link = invitation(self.application_id or 0) if self._invites else ""
        self._tell(say("program.ready", servers=len(self.guilds), link=link))
        await self._resume()
        await self._warm_up()

    async def _resume(self) -> None:
        """Resume what was left undone, as soon as the database can be read."""
        # A backup or another process may hold the database for a moment.
        while not self.is_ending:
            try:
                await self.kernel.recover()
                self.kernel.scheduler.start(self._can_run_jobs)
                return
            except StoreError:
                await asyncio.sleep(DATABASE_RETRY_SECONDS)

    async def _warm_up(self) -> None:
        """Draw one board of each kind, those in play first: the first drawing takes a second."""
        await self.pictures.warm()
        kernel = self.kernel
        try:
            for room in await kernel.matches.select(
                queries.distinct_board_samples, WARM_UP_BOARDS, own=kernel.store.own
            ):
                news = await kernel.matches.news(room, None)
                await describe.draw_board(self, room, events=news)
            for game in kernel.games.values() if self._draws_ahead else ():
                # Most of the work is for things that all matches of a game share, such as the map.
                names = (say("name.unnamed"),) * game.seats[0]
                await self.pictures.board(begin(game, game.seats[0]).view(None), names)
        except (BotError, EngineError) as error:
            if not self.is_ending:
                log.info("not all boards could be drawn in advance: %s", type(error).__name__)

    def _can_run_jobs(self) -> bool:
        """Whether all shards receive events. If not, players could not act before a deadline."""
        return self.owns_something and len(self.heard) == len(self.shards) > 0

    async def on_shards_regained(self) -> None:
        """Resume after the bot has got its shards back, unless it had not started yet."""
        if not self._begun:
            return
        # They may have been lost again before the last call was done.
        if self._resuming is not None:
            self._resuming.cancel()
        self._resuming = self.background.start(self._resume(), "go-on")

    # Events.

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on, and note what it means for shards and paused matches."""
        if self.is_closed():
            # discord.py may still deliver an event, but the handlers are gone.
            return
        super().dispatch(event, *args, **kwargs)
        if event in ("shard_ready", "shard_resumed"):
            self.claim.on_session_opened()
            self.heard.add(args[0])
            self.reconnects += self.is_ready()
            self.kernel.scheduler.poke()
        elif event == "shard_disconnect":
            self.heard.discard(args[0])
            self.kernel.scheduler.poke()
        self.services.require(Outbox).lost_places.on_event(event, *args)

    async def on_interaction(self, interaction: MotuInteraction) -> None:
        """Handle forms, and answer components without a handler.

        Those are old, forged, or of a feature that is left out.
        """
        if interaction.type is discord.InteractionType.modal_submit:
            # discord.py only knows forms that were opened by this process.
            await handle_submission(interaction)
            return
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id = str(dict(interaction.data or {}).get("custom_id", ""))
        is_known = any(
            item.__discord_ui_compiled_template__.fullmatch(custom_id) for item in self._items
        )
        # discord.py does not handle a component that its message does not have.
        is_there = interaction.message is not None and has_component(
            interaction.message, {custom_id}
        )
        if not is_known or not is_there:
            await reply.run_and_report(
                interaction, reply.tell(interaction, say("refusal.not_ours"))
            )

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Pause the matches of a deleted channel until they are moved."""
        await self.services.require(Outbox).pause_all(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Pause the match of a deleted thread until it is moved."""
        await self.services.require(Outbox).pause_all(payload.thread_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log a failed event without anything that might be secret."""
        if error := sys.exc_info()[1]:
            log_error(error)

    # Stop.

    async def close(self) -> None:
        """Finish running handlers, then stop, within seconds even on a busy machine.

        Nothing is lost by not waiting longer: moves are saved before they are answered, and jobs
        and posts stay in the database.
        """
        if self.is_closed():
            return
        self.is_ending = True
        self.kernel.computers.stop()
        # Let handlers run whose tasks discord.py has created but not started: they see is_ending.
        await asyncio.sleep(0)
        for parts in self._connected:
            for end in parts.on_close:
                await end()
        await self.kernel.scheduler.close()
        self.background.cancel()
        outbox = self.services.require(Outbox)
        await asyncio.gather(self.handlers.wait(FINISH_SECONDS), outbox.close())
        self.pictures.close()
        for task in await self.handlers.wait(FINISH_WITHOUT_PICTURES_SECONDS):
            task.cancel()
        await self.kernel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(SHUTDOWN_TIMEOUT):
                if self._launching is not None:
                    self._launching.cancel()
                    await asyncio.wait([self._launching])
                await super().close()
        # Wake shards that wait to connect, so that they notice that the bot has stopped.
        self.claim.may_connect.set()
