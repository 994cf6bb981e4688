"""Lobbies: opened, joined, set up and started; solo matches and rematches too.

rules.py     what may happen to a table before its match begins, and what its host can choose
service.py   what is done to it: loaded, decided, written
messages.py  its card and its host's private screens, made and kept up to date
discord.py   slash commands, buttons and menus
"""

from bot.features.lobby import discord
from bot.features.lobby.messages import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.reminders.service import TERMS
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Make what works without Discord."""
    return Parts(services=(Lobby(kernel),))


def connect(client: MotuClient) -> Parts:
    """Make what posts and edits the messages of lobbies."""
    cards = LobbyMessages(client)
    return Parts(
        services=(cards,),
        jobs={TERMS: cards.tell_terms_later},
        subscribers=(cards.on_change,),
        on_result=(lambda room: cards.show(room.record.id),),
        on_start=(cards.start,),
        on_close=(cards.close,),
    )


FEATURE = Feature(
    name="lobby",
    build=build,
    connect=connect,
    commands=(
        discord.new,
        discord.join,
        discord.leave,
        discord.start,
        discord.cancel,
        discord.pace,
        discord.change_map,
        discord.move,
        discord.solo,
        discord.learn,
    ),
    items=(
        discord.LobbyControl,
        discord.RematchButton,
    ),
)
