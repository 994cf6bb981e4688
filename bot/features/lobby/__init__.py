"""Lobbies: open, join, set up and start a match; also solo matches and rematches.

rules.py     the pure rules of a lobby: who may do what, and which settings the host can choose
service.py   loads a lobby, applies a rule, and saves the result
messages.py  the lobby's public card and the host's private screen of computers
forms.py     the forms: settings, pace and map
discord.py   slash commands, buttons and menus
"""

from bot.features.lobby import discord, forms
from bot.features.lobby.messages import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.reminders.service import TERMS
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Create the service, which works without Discord."""
    return Parts(services=(Lobby(kernel),))


def connect(client: MotuClient) -> Parts:
    """Create the part that posts and edits lobby cards."""
    cards = LobbyMessages(client)
    return Parts(
        services=(cards,),
        jobs={TERMS: cards.on_terms_job},
        subscribers=(cards.on_change,),
        before_first_post=(cards.make_before_first_post,),
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
        discord.settings,
        discord.map_of_own,
        discord.move,
        discord.solo,
        discord.learn,
    ),
    items=(
        discord.LobbyControl,
        discord.RematchButton,
        discord.NextLevelButton,
    ),
    forms=(forms.SettingsForm, forms.PaceForm, forms.MapForm),
)
