"""The base class of the bot's client, and the type of its interactions.

Features see only this class. The client itself, with the start and stop of the bot, is bot/app.py.
"""

from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.kernel.feature import Services
from bot.kernel.kernel import Kernel
from bot.model import NO_SHARDS, Place
from bot.runtime.base import RunningTasks
from bot.ui.pictures import Pictures

T = TypeVar("T")


class MotuClient(discord.AutoShardedClient):
    """A discord.py client that knows the kernel and draws pictures."""

    tree: app_commands.CommandTree[Any]

    def __init__(self, kernel: Kernel, pictures: Pictures, **options: Any) -> None:
        # Set first: discord.py's own constructor calls methods of ours.
        self.kernel = kernel
        self.pictures = pictures
        self.handlers = RunningTasks()
        """Tasks that handle interactions, and others that may finish when the bot stops."""
        self.background = RunningTasks()
        """Tasks that run until the bot stops."""
        self.is_ending = False
        """Whether the bot is stopping: running handlers finish, and nothing new is started."""
        super().__init__(**options)

    @property
    def services(self) -> Services:
        """The services of all features."""
        return self.kernel.services

    def channel_of(self, place: Place) -> discord.PartialMessageable:
        """Return the channel or thread of a match, even if it is not in discord.py's cache."""
        return self.get_partial_messageable(place.posts_to, guild_id=place.guild or None)

    @property
    def owns_something(self) -> bool:
        """Whether this process serves any shards at the moment."""
        return self.kernel.store.own != NO_SHARDS

    async def owns(self, match_id: str) -> bool:
        """Whether this process is responsible for a match; see "Shards" in bot/model."""
        own = self.kernel.store.own
        if own.are_all or not self.owns_something:
            return own.are_all
        room = await self.kernel.matches.find(match_id)
        return own.serve(room.record.place.guild)


MotuInteraction: TypeAlias = discord.Interaction[MotuClient]
"""An interaction of this bot."""


def service(interaction: MotuInteraction, kind: type[T]) -> T:
    """Return the service of this class; refuse with an explanation if its feature is left out."""
    return interaction.client.services.require(kind)
