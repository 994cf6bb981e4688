"""Clocks: what happens when a player's time runs out, and votes on time limits.

The clocks themselves are updated with every change to a match: see bot/kernel/clocks.py.

service.py  warns a player, then does what the players agreed on for running out of time
discord.py  time notices in the thread, and the votes on time limits and on claiming a seat
"""

from functools import partial

from bot.features.clock import discord
from bot.features.clock.service import NOTICE, Expiries
from bot.features.vacation import VACATION_NOTICE, VACATION_OVER
from bot.features.votes.service import Votes
from bot.kernel.clocks import ALARM
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Create the service, and register its kinds of votes unless votes are switched off."""
    expiries = Expiries(kernel)
    if votes := kernel.services.get(Votes):
        votes.register(discord.CLAIM, discord.PACE)
    return Parts(services=(expiries,), jobs={ALARM: expiries.check_clock})


def connect(client: MotuClient) -> Parts:
    """Create the jobs that post notices about time, and edit them."""
    post_notice = partial(discord.post_notice, client)
    close_notices = partial(discord.close_vacation_notices, client)
    return Parts(
        jobs={
            NOTICE: post_notice,
            VACATION_NOTICE: post_notice,
            VACATION_OVER: close_notices,
        }
    )


FEATURE = Feature(
    name="clock",
    build=build,
    connect=connect,
    items=(discord.ClaimButton,),
)
