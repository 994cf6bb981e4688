"""Buttons with which a seat is taken over."""

from bot.features.seats.commands import ASK, ask_for
from bot.features.seats.service import OFFER
from bot.features.votes.messages import vote_button
from bot.features.votes.posts import VoteMessages
from bot.features.votes.rules import TAKE, WITHDRAW
from bot.features.votes.service import Votes
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.reply import Acknowledgement
from bot.ui.which_match import named
from engine import Seat


class TakeButton(Item, template=vote_button(TAKE)):
    """Asks for a seat that is offered. The answer is private."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table for the seat."""
        match, number = self.fields["match"], int(self.fields["vote"])
        room = await named(interaction, match)
        offer = await interaction.client.services.require(Votes).find(match, number)
        if not offer.is_open or offer.kind != OFFER:
            raise Refused(say("vote.closed"))
        await ask_for(interaction, room, Seat(offer.facts["subject"]))


class WithdrawButton(Item, template=vote_button(WITHDRAW)):
    """Takes back the offer of a seat. Its message is edited in place."""

    acknowledgement = Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Withdraw the offer."""
        match, number = self.fields["match"], int(self.fields["vote"])
        services = interaction.client.services
        await named(interaction, match)
        await services.require(Votes).withdraw(match, number, interaction.user.id, interaction.id)
        with reply.answering():
            await services.require(VoteMessages).show(match, number, interaction)


class AskButton(Item, template=turn_button(ASK)):
    """Asks for a seat, below the terms about time. Its last number is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table for the seat."""
        room = await named(interaction, self.fields["match"])
        await ask_for(interaction, room, Seat(int(self.fields["post"] or 0)))
