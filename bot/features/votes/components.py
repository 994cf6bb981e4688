"""The buttons under a vote."""

from bot.features.votes.messages import vote_button
from bot.features.votes.posts import VoteMessages
from bot.features.votes.rules import END, GO_ON, NO, PAUSE, YES
from bot.features.votes.service import Votes
from bot.runtime.errors import Refused
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.reply import Acknowledgement
from bot.ui.which_match import named


class VoteButton(Item, template=vote_button(YES, NO, GO_ON, PAUSE, END)):
    """Says something to a vote. Its message, or the notification that was pressed, is edited in place."""

    acknowledgement = Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Count what the user says."""
        match, number = self.fields["match"], int(self.fields["vote"])
        votes = interaction.client.services.require(Votes)
        messages = interaction.client.services.require(VoteMessages)
        await named(interaction, match)
        try:
            await votes.cast(match, number, interaction.user.id, self.fields["option"], interaction.id)
        except Refused:
            vote, pressed_on = await votes.find(match, number), interaction.message
            if not vote.is_open and pressed_on is not None and pressed_on.id != vote.message:
                # It was a notification, which shows the result from now on.
                await messages.show(match, number, interaction)
            raise
        with reply.answering():
            await messages.show(match, number, interaction)
