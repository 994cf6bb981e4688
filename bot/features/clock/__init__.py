"""Clocks that run out: what a table has chosen for it, and the pace that it plays at.

The clocks themselves run with every change to a match: see bot/kernel/clocks.py.

service.py  what happens when somebody's time runs out
discord.py  what tables are told about time, and the votes on pace and on claiming a seat
"""

from functools import partial

from bot.features.clock import discord
from bot.features.clock.service import NOTICE, Expiries
from bot.features.vacation import VACATION_NOTICE
from bot.features.votes.service import Votes
from bot.kernel.clocks import ALARM
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Make what ends the time of players; another pace and a claim need votes."""
    expiries = Expiries(kernel)
    if votes := kernel.services.get(Votes):
        votes.register(discord.CLAIM, discord.PACE)
    return Parts(services=(expiries,), jobs={ALARM: expiries.look_at_clock})


def connect(client: MotuClient) -> Parts:
    """Make what tells tables about time."""
    post_notice = partial(discord.post_notice, client)
    return Parts(jobs={NOTICE: post_notice, VACATION_NOTICE: post_notice})


FEATURE = Feature(
    name="clock",
    build=build,
    connect=connect,
    items=(discord.ClaimButton,),
)
