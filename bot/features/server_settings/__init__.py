"""What a server has chosen: where, how and by whom matches are played in it, and how many at once.

settings.py  the settings, kept and read, and the limits that they set
discord.py   /settings and its controls
"""

from bot.features.server_settings import discord
from bot.features.server_settings.settings import Servers
from bot.kernel.feature import Parts
from bot.ui.feature import Feature

FEATURE = Feature(
    name="server_settings",
    build=lambda kernel: Parts(services=(Servers(kernel),)),
    commands=(discord.settings,),
    items=(discord.SettingsControl,),
)
