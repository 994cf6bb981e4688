"""What a server has chosen: where, how and by whom matches are played in it.

settings.py  the settings, kept and read
limits.py    how many matches somebody, or a server, may have at once
choices.py   what can be chosen for each setting
commands.py  /settings and its controls
"""

from bot.features.server_settings import commands
from bot.features.server_settings.limits import Limits
from bot.features.server_settings.settings import Servers
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make the settings of all servers, and the limits that they set."""
    servers = Servers(kernel)
    return Parts(services=(servers, Limits(kernel, servers)))


FEATURE = Feature(
    name="server_settings",
    build=build,
    commands=(commands.settings,),
    items=(commands.SettingsControl,),
)
