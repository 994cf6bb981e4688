"""Turns taken back by their player, and matches rewound by vote.

service.py   what can be taken back, and taking it back
commands.py  /rewind and the button that asks the table
"""

from bot.features.rewind import commands
from bot.features.rewind.service import Rewinds
from bot.features.votes.service import Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what takes matches back; a rewind of the whole table needs votes, taking back one's own turn does not."""
    rewinds = Rewinds(kernel)
    if votes := kernel.services.get(Votes):
        votes.register(rewinds.kind())
    return Parts(services=(rewinds,))


FEATURE = Feature(name="rewind", build=build, commands=(commands.rewind,), items=(commands.RewindButton,))
