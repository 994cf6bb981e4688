"""What a feature declares: everything that the bot has to know of it."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.client import MotuClient
from bot.ui.commands import SlashCommand
from bot.ui.components import Item


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One thing that the bot can do. Left out of the list of features it is gone."""

    name: str
    build: Callable[[Kernel], Parts] = lambda kernel: Parts()
    """Makes what works without Discord: services, jobs, and what follows from changes to a
    match.
    """
    connect: Callable[[MotuClient], Parts] = lambda client: Parts()
    """Makes what talks to Discord. It runs after every feature has been built."""
    commands: tuple[SlashCommand, ...] = ()
    """Slash commands."""
    items: tuple[type[Item], ...] = ()
    """Buttons and menus."""
