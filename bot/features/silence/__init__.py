"""Matches in which nothing happens: the table is asked what to do.

service.py  looks for them, and the vote
"""

from bot.features.silence.service import LOOK_FOR_SILENCE, SILENCE, Silence
from bot.features.votes.service import Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what looks for silent matches; without votes nobody is asked about them."""
    silence = Silence(kernel)
    if votes := kernel.services.get(Votes):
        votes.register(SILENCE)
    return Parts(
        services=(silence,),
        jobs={LOOK_FOR_SILENCE: silence.look},
        followers=(silence.watch,),
    )


FEATURE = Feature(name="silence", build=build)
