"""Votes: decisions that the players of a match take together, such as pausing it.

rules.py     the kinds of votes: what may be asked, who votes, when it passes, and what it does
service.py   starts, counts and closes votes
messages.py  posts and updates the message of each vote, and notifies the voters
queries.py   stores votes in the database
discord.py   /game pause, resume, end and remove, and the buttons under a vote
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
    """Create the service that counts votes, with the kinds that every table has."""
    votes = Votes(kernel)
    votes.register(*KINDS)
    return Parts(
        services=(votes,),
        jobs={VOTE_ENDS: votes.end},
        # If the bot was down, votes end later by that time: nobody could vote meanwhile.
        deadlines=(VOTE_ENDS,),
        needs=(votes_of_match,),
        extenders=(votes.close_settled,),
        followers=(votes.close_pointless,),
    )


def connect(client: MotuClient) -> Parts:
    """Create the part that posts votes."""
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
    items=(discord.VoteButton, discord.RemoveMenu),
)
