"""Seats that change hands during a match.

service.py     seats offered, asked for and taken over
leavers.py     players who have left their server
commands.py    /game replace
components.py  the buttons of an offer
"""

from bot.features.seats import commands, components
from bot.features.seats.leavers import Leavers
from bot.features.seats.service import Seats
from bot.features.server_settings.limits import Limits
from bot.features.votes.service import Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui.client import MotuClient
from bot.ui.feature import Feature


def build(kernel: Kernel) -> Parts:
    """Make what lets seats change hands, if there are votes to agree on it."""
    votes = kernel.services.get(Votes)
    if votes is None:
        return Parts()
    return Parts(services=(Seats(kernel, votes, kernel.services.require(Limits)),))


def connect(client: MotuClient) -> Parts:
    """Make what notices players who have left."""
    votes = client.services.get(Votes)
    if votes is None:
        return Parts()
    leavers = Leavers(client, votes)
    return Parts(post_followers=(leavers.extend_post,), on_close=(leavers.close,))


FEATURE = Feature(
    name="seats",
    build=build,
    connect=connect,
    subcommands={"game": (commands.replace,)},
    items=(components.TakeButton, components.WithdrawButton, components.AskButton),
)
