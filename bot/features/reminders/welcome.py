"""A line of welcome for somebody whom the bot has never answered before."""

from collections.abc import Awaitable, Callable

from bot.features.reminders.service import Reminders
from bot.text import say
from bot.ui.client import MotuInteraction


async def with_welcome(interaction: MotuInteraction, show: Callable[..., Awaitable[None]]) -> None:
    """Show a private answer; to somebody who has never been welcomed, with the line that does."""
    settings = interaction.client.services.require(Reminders).settings
    if not await settings.welcome(interaction.user.id, lambda: show(say("welcome.line"))):
        await show()
