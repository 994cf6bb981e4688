"""Votes: what a table decides together.

service.py        ask, cast, count, close
rules.py          who may vote, when a vote passes, what a kind of vote is
kinds.py          the votes to pause, resume, end and remove; other features register further kinds
absence.py        why a player may be thought away
messages.py       the words and buttons of a vote's message
posts.py          the messages of votes, posted and kept up to date
notifications.py  how people hear of a vote besides by its message
commands.py       /game pause, resume, end, remove
components.py     the buttons under a vote
moving.py         a match that goes on where a command is used
"""

from bot.features.reminders.service import Reminders
from bot.features.votes import commands, components, kinds
from bot.features.votes.absence import PlayerAbsence
from bot.features.votes.notifications import VOTE_NOTIFICATION, VoteNotifications
from bot.features.votes.posts import VoteMessages
from bot.features.votes.queries import votes_of_match
from bot.features.votes.service import VOTE_ENDS, Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.queries import jobs_of_match
from bot.posts.outbox import Outbox
from bot.posts.sent_messages import SentMessages
from bot.ui.client import MotuClient
from bot.ui.feature import Feature
from bot.ui.rate import Bucket


def build(kernel: Kernel) -> Parts:
    """Make what counts votes."""
    votes = Votes(kernel)
    votes.register(kinds.PAUSE, kinds.RESUME, kinds.CALL_OFF, kinds.removal(PlayerAbsence(kernel).reason))
    return Parts(
        services=(votes,),
        jobs={VOTE_ENDS: votes.end},
        # Nobody is to miss a vote because the bot was down.
        deadlines=(VOTE_ENDS,),
        needs=(votes_of_match, jobs_of_match),
        extenders=(votes.close_settled,),
        followers=(votes.close_pointless,),
    )


def connect(client: MotuClient) -> Parts:
    """Make what shows votes."""
    services = client.services
    votes, bucket = services.require(Votes), services.require(Bucket)
    notifications = VoteNotifications(
        client, votes, services.require(Reminders), services.require(SentMessages), bucket
    )
    messages = VoteMessages(client, votes, notifications, services.require(Outbox), bucket)
    return Parts(
        services=(messages,),
        jobs={VOTE_NOTIFICATION: notifications.notify},
        subscribers=(messages.on_change,),
        on_told=(messages.on_told,),
        on_start=(messages.catch_up,),
        on_close=(messages.close,),
    )


FEATURE = Feature(
    name="votes",
    build=build,
    connect=connect,
    subcommands={"game": (commands.pause, commands.resume, commands.end, commands.remove)},
    items=(components.VoteButton,),
)
