"""The buttons of catching up, under a turn's public message and under a note."""

from bot.features.catch_up.commands import DELETE_NOTE, show_news, show_note
from bot.features.catch_up.notes import Notes
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.which_match import named


class NewsButton(Item, template=turn_button("news")):
    """Tells somebody what they have missed."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show what has happened since the user last acted."""
        await show_news(interaction, await named(interaction, self.fields["match"]))


class DeleteNoteButton(Item, template=turn_button(DELETE_NOTE)):
    """Deletes a note to oneself."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Delete the user's note."""
        room = await named(interaction, self.fields["match"])
        await interaction.client.services.require(Notes).write(room, interaction.user.id, "")
        with reply.answering():
            await show_note(interaction, room)
