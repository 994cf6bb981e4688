"""Vacations: days on which a player's clocks wait.

service.py   vacations kept and spent
commands.py  /vacation
"""

from bot.features.vacation import commands
from bot.features.vacation.service import Vacations
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what keeps vacations."""
    return Parts(services=(Vacations(kernel),))


FEATURE = Feature(name="vacation", build=build, commands=(commands.vacation,))
