"""Clocks that run out: warnings, what a table has chosen for it, and the pace that it plays at.

The clocks themselves run with every change to a match: see bot/kernel/clocks.py.

service.py   what happens when somebody's time runs out
notices.py   what a table is told about a player's time
messages.py  the terms about time and the time left, in words
votes.py     the votes on another pace and on claiming a seat
commands.py  /game pace
claim.py     the button that claims a seat
"""

from bot.features.clock import commands
from bot.features.clock.claim import ClaimButton
from bot.features.clock.notices import TimeNotices
from bot.features.clock.service import NOTICE, Expiries
from bot.features.clock.votes import CLAIM, PACE
from bot.features.reminders.service import Reminders
from bot.features.vacation import VACATION_NOTICE, Vacations
from bot.features.votes.service import Votes
from bot.kernel.clocks import ALARM, WARNING
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.client import MotuClient
from bot.ui.feature import Feature
from bot.ui.rate import Bucket


def build(kernel: Kernel) -> Parts:
    """Make what ends the time of players; another pace and a claim need votes."""
    services = kernel.services
    expiries = Expiries(kernel, services.require(Vacations), services.require(Reminders))
    if votes := services.get(Votes):
        votes.register(CLAIM, PACE)
    return Parts(services=(expiries,), jobs={ALARM: expiries.look_at_clock, WARNING: expiries.ask_for_warning})


def connect(client: MotuClient) -> Parts:
    """Make what tells tables about time."""
    notices = TimeNotices(client, client.services.require(Bucket))
    return Parts(jobs={NOTICE: notices.post, VACATION_NOTICE: notices.post})


FEATURE = Feature(
    name="clock",
    build=build,
    connect=connect,
    subcommands={"game": (commands.pace,)},
    items=(ClaimButton,),
)
