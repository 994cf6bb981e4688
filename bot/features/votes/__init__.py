"""Votes: what a table decides together.

rules.py     the kinds of votes: who may ask, who votes, what it needs to pass, what it does
service.py   ask, cast, count, close
messages.py  a vote's message: its words, posted and kept up to date; notifications
queries.py   votes kept and found
discord.py   /game pause, resume, end, remove, and the buttons under a vote
"""

from bot.features.votes import discord
from bot.features.votes.messages import VOTE_NOTIFICATION, VoteMessages
from bot.features.votes.queries import VOTE_ENDS, votes_of_match
from bot.features.votes.rules import KINDS
from bot.features.votes.service import Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.ui import Feature, MotuClient


def build(kernel: Kernel) -> Parts:
    """Make what counts votes."""
    votes = Votes(kernel)
    votes.register(*KINDS)
    return Parts(
        services=(votes,),
        jobs={VOTE_ENDS: votes.end},
        # Nobody is to miss a vote because the bot was down.
        deadlines=(VOTE_ENDS,),
        needs=(votes_of_match,),
        extenders=(votes.close_settled,),
        followers=(votes.close_pointless,),
    )


def connect(client: MotuClient) -> Parts:
    """Make what shows votes."""
    messages = VoteMessages(client)
    return Parts(
        services=(messages,),
        jobs={VOTE_NOTIFICATION: messages.notify},
        subscribers=(messages.on_change,),
        on_notification=(messages.on_notification,),
        on_start=(messages.catch_up,),
        on_close=(messages.close,),
    )


FEATURE = Feature(
    name="votes",
    build=build,
    connect=connect,
    commands=(discord.pause, discord.resume, discord.end, discord.remove),
    items=(discord.VoteButton,),
)
