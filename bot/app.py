"""The bot: a discord.py client with the features plugged in."""

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from bot.feature_list import FEATURES
from bot.gateway.client import GatewayClient, MotuTree
from bot.kernel import queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Shards
from bot.posts.outbox import Outbox
from bot.runtime.base import BadConfig, BotError, StoreError, log_error, track_task
from bot.text import say
from bot.ui import (
    Bucket,
    Feature,
    LateEdits,
    MotuClient,
    MotuInteraction,
    Pictures,
    PublicAnswers,
    carries,
    describe,
    reply,
)
from bot.ui.long_jobs import LongJobs, StopButton
from bot.ui.permissions import invitation
from bot.ui.which_match import ChosenMatch
from engine import EngineError

log = logging.getLogger("motu")

FINISH_SECONDS = 3.0
"""How long running handlers get to finish when the bot stops."""
FINISH_WITHOUT_PICTURES_SECONDS = 2.0
"""How much longer those get that were waiting for a picture: they answer without it."""
LOOK_AROUND_SECONDS = 60.0
"""How often to look for work that another process has left undone."""
DATABASE_RETRY_SECONDS = 2.0
"""How long to wait before a database that failed at the start is tried again."""
WARM_UP_BOARDS = 16
"""How many kinds of matches get their board drawn at the start."""
GROUPS = {"game": False, "me": True}
"""Names before those of other commands, which features share; and whether they are offered in
direct messages.
"""


def connect_toolkit(client: MotuClient) -> Parts:
    """Make what all features share for talking to Discord."""
    kernel, late_edits, long_jobs = client.kernel, LateEdits(), LongJobs()
    # What nobody waits for passes through one bucket, which all processes share.
    bucket = Bucket(store=kernel.store, name="calls")
    return Parts(
        services=(late_edits, long_jobs, bucket, PublicAnswers(kernel.now)),
        on_close=(late_edits.tasks.close, long_jobs.close),
    )


TOOLKIT = Feature(name="toolkit", connect=connect_toolkit, items=(ChosenMatch, StopButton))


class Motu(GatewayClient):
    """The bot. Everything it knows lies in its matches; nothing in a View.

    Start: GatewayClient logs in, claims the shards and connects them; `setup_hook` registers
    commands and components before that, `on_ready` goes on afterwards where the last process
    stopped. Interactions: MotuTree admits a command, Item.callback a component; then their feature
    handles them. Stop: `close` lets running handlers finish, then leaves the gateway.
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
    ) -> None:
        super().__init__(
            kernel,
            Pictures(),
            shards=shards,
            requests=requests,
            allowed_mentions=reply.NOBODY,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            guild_ready_timeout=ready_timeout,
        )
        self._quick_guild = guild
        self._tell = tell
        self._invites = invites
        self._begun = False
        self._look_around_task: asyncio.Task[None] | None = None
        self._going_on: asyncio.Task[None] | None = None
        kernel.store.listen(kernel.on_notification)
        self._connected: list[Parts] = []
        for feature in (TOOLKIT, *features):
            parts = feature.connect(self)
            self._connected.append(parts)
            kernel.add(parts)
        self._items = [item for feature in (TOOLKIT, *features) for item in feature.items]
        self.tree = MotuTree(
            self,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
        )
        for name, is_direct in GROUPS.items():
            group = app_commands.Group(name=name, description=say(f"command.{name}.description"))
            for feature in features:
                for command in feature.subcommands.get(name, ()):
                    group.add_command(command)
            self.tree.add_command(app_commands.allowed_contexts(dms=is_direct)(group))
        for feature in features:
            for each in feature.commands:
                self.tree.add_command(each)

    # Start.

    async def setup_hook(self) -> None:
        """Register the components that serve every message ever posted, and the commands."""
        self.add_dynamic_items(*self._items)
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

    def on_shards_claimed(self, shards: Shards) -> None:
        """Begin to look for what other processes leave undone, if there are others."""
        if not shards.are_all:
            self._look_around_task = track_task(self._look_around(), "look-around")

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AROUND_SECONDS)
            with suppress(StoreError):
                await self.kernel.look_around()

    async def on_ready(self) -> None:
        """At the first start: go on where the last process stopped."""
        if self._begun or self.is_ending:
            return
        self._begun = True
        self.handlers.track_current()
        link = invitation(self.application_id or 0) if self._invites else ""
        self._tell(say("program.ready", servers=len(self.guilds), link=link))
        await self._go_on()
        await self._warm_up()

    async def _go_on(self) -> None:
        """Take up what was left undone, once the database can be read: a backup may hold it."""
        while not self.is_ending:
            try:
                await self.kernel.recover()
                self.kernel.scheduler.start(self._can_run_jobs)
                return
            except StoreError:
                await asyncio.sleep(DATABASE_RETRY_SECONDS)

    async def _warm_up(self) -> None:
        """Draw a board of each kind being played: the first takes a second, and nobody waits yet."""
        await self.pictures.warm()
        kernel = self.kernel
        try:
            for room in await kernel.matches.select(
                queries.distinct_board_samples, WARM_UP_BOARDS, own=kernel.store.own
            ):
                news = await kernel.matches.news(room, None)
                await describe.draw_board(self, room, events=news)
        except (BotError, EngineError) as error:
            if not self.is_ending:
                log.info("not all boards are drawn beforehand: %s", type(error).__name__)

    def _can_run_jobs(self) -> bool:
        """Return whether events of all servers arrive here: else nobody could act in time."""
        return self.owns_something and len(self.heard) == len(self.shards) > 0

    def on_shards_regained(self) -> None:
        """Go on where the bot was when it lost its shards, unless it had not started yet."""
        if self._begun:
            # Not awaited: the shards may be lost once more before it is through.
            if self._going_on is not None:
                self._going_on.cancel()
            self._going_on = track_task(self._go_on(), "go-on")

    # Events.

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on, and look whether paused matches can post again because of it."""
        super().dispatch(event, *args, **kwargs)
        if not self.is_closed():
            self.services.require(Outbox).lost_places.on_event(event, *args)

    async def on_interaction(self, interaction: MotuInteraction) -> None:
        """Answer components that no item serves: old or forged ones, or those of a feature that
        is left out.
        """
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id = str(dict(interaction.data or {}).get("custom_id", ""))
        is_known = any(
            item.__discord_ui_compiled_template__.fullmatch(custom_id) for item in self._items
        )
        # discord.py serves no component that its message does not have.
        is_there = interaction.message is not None and carries(interaction.message, {custom_id})
        if not is_known or not is_there:
            await reply.guarded(interaction, reply.tell(interaction, say("refusal.not_ours")))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Pause the matches of a channel until they get another place."""
        await self.services.require(Outbox).pause_all(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Pause the match of a thread until it gets another place."""
        await self.services.require(Outbox).pause_all(payload.thread_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log a failed event under an id, without anything that might be a secret."""
        if error := sys.exc_info()[1]:
            log_error(error)

    # Stop.

    async def close(self) -> None:
        """Finish what is under way, then go; in seconds, however busy this machine is.

        Whatever was acknowledged is stored, and what is due stays due, so nothing is lost by not
        waiting for it.
        """
        if self.is_closed():
            return
        self.is_ending = True
        self.kernel.computers.stop()
        # Handlers whose tasks discord.py has created but not started learn of it now.
        await asyncio.sleep(0)
        for parts in self._connected:
            for end in parts.on_close:
                await end()
        await self.kernel.scheduler.close()
        self.claim.tasks.cancel()
        for background in (self._look_around_task, self._going_on):
            if background is not None:
                background.cancel()
        outbox = self.services.require(Outbox)
        await asyncio.gather(self.handlers.wait(FINISH_SECONDS), outbox.close())
        self.pictures.close()
        for task in await self.handlers.wait(FINISH_WITHOUT_PICTURES_SECONDS):
            task.cancel()
        await self.kernel.close()
        await super().close()
