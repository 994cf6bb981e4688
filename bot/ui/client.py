"""What the parts of the bot may ask of the discord.py client."""

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
    """A client with the matches behind it."""

    tree: app_commands.CommandTree[Any]

    def __init__(self, kernel: Kernel, pictures: Pictures, **options: Any) -> None:
        # Set first: discord.py's own constructor calls methods of ours.
        self.kernel = kernel
        self.pictures = pictures
        self.handlers = RunningTasks()
        """The tasks that handle interactions, and others that may finish when the bot stops."""
        self.background = RunningTasks()
        """The tasks that go on until the bot stops."""
        self.is_ending = False
        """Whether the bot was told to stop: running handlers finish, and nothing new begins."""
        super().__init__(**options)

    @property
    def services(self) -> Services:
        """What the features offer, by class."""
        return self.kernel.services

    def channel_of(self, place: Place) -> discord.PartialMessageable:
        """Return where a match posts, whether or not Discord has told the bot of it yet."""
        return self.get_partial_messageable(place.posts_to, guild_id=place.guild or None)

    @property
    def owns_something(self) -> bool:
        """Whether any match is this process's to look after."""
        return self.kernel.store.own != NO_SHARDS

    async def owns(self, match: str) -> bool:
        """Return whether a match is this process's to look after: see bot/model."""
        own = self.kernel.store.own
        if own.are_all or not self.owns_something:
            return own.are_all
        room = await self.kernel.matches.find(match)
        return own.serve(room.record.place.guild)


MotuInteraction: TypeAlias = discord.Interaction[MotuClient]
"""An interaction of this bot."""


def service(interaction: MotuInteraction, kind: type[T]) -> T:
    """Return the service of a class; refuse in plain words if its feature is left out."""
    return interaction.client.services.require(kind)
