"""Feature: the declaration of everything that a feature adds to the bot.

The bot finds all of it through FEATURES (bot/feature_list.py).
"""

from collections.abc import Callable

from msgspec import Struct

from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.client import MotuClient
from bot.ui.commands import SlashCommand
from bot.ui.components import Item
from bot.ui.forms import Form


class Feature(Struct, frozen=True, kw_only=True):
    """Something that the bot can do. The bot also works if it is removed from FEATURES."""

    name: str
    build: Callable[[Kernel], Parts] = lambda kernel: Parts()
    """Makes the parts that work without Discord: services, jobs and followers."""
    connect: Callable[[MotuClient], Parts] = lambda client: Parts()
    """Makes the parts that talk to Discord. Called after all features have been built."""
    commands: tuple[SlashCommand, ...] = ()
    """Slash commands."""
    items: tuple[type[Item], ...] = ()
    """Buttons and menus."""
    forms: tuple[type[Form], ...] = ()
    """Forms."""
