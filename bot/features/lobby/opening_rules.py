"""Who may open a match and where, by the settings of the server."""

from bot.features.server_settings.settings import Servers, ServerSettings, Threads
from bot.model.match import Place
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui.client import MotuInteraction
from bot.ui.permissions import can_have_threads, check_can_post, check_channel, may_manage

THREAD, CHANNEL = "thread", "channel"
"""Where a host may want a match to be played."""


async def place_for(interaction: MotuInteraction, wanted: str = "") -> Place:
    """Return where a match opened here is played; refuse if it may not be opened, or if the bot could not post.

    A direct message has no threads and no settings.
    """
    channel = interaction.channel_id or 0
    if interaction.guild_id is None:
        return Place(0, channel, wants_thread=False)
    settings = await check_may_open(interaction, interaction.guild_id, channel)
    if wanted == CHANNEL and settings.threads is Threads.ALWAYS:
        raise Refused(say("server.always_threads"))
    if wanted == THREAD and settings.threads is Threads.NEVER:
        raise Refused(say("server.no_threads"))
    may_thread = wanted != CHANNEL and settings.threads is not Threads.NEVER
    wants_thread = may_thread and can_have_threads(interaction)
    check_can_post(interaction, wants_thread)
    return Place(interaction.guild_id, channel, wants_thread=wants_thread)


async def check_may_open(interaction: MotuInteraction, guild: int, channel: int) -> ServerSettings:
    """Return the settings of a server; refuse if it wants no match opened by this person, or in this channel."""
    settings = await interaction.client.services.require(Servers).of(guild)
    if settings.hosts and not may_manage(interaction):
        roles = getattr(interaction.user, "roles", ())
        if all(role.id != settings.hosts for role in roles):
            raise Refused(say("server.only_hosts", role=f"<@&{settings.hosts}>"))
    check_channel(interaction, settings.channels, channel)
    return settings
