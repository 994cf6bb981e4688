"""The button "Review" under the last post of a match."""

from bot.features.review.commands import show_review
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.which_match import named


class ReviewButton(Item, template=turn_button("review")):
    """Shows how a match was won."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the review of the match to the user."""
        await show_review(interaction, await named(interaction, self.fields["match"]))
