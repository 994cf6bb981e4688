"""The button that plays a match as a film from a past moment on."""

from bot.features.films.commands import show_film
from bot.features.history.moment_view import moment_button, show_moment
from bot.features.history.moments import Moments
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.which_match import named


class FilmButton(Item, template=moment_button("film")):
    """Plays a match from the moment under which it stands."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Make the film, then show the moment again with its buttons, whatever came of the film."""
        room = await named(interaction, self.fields["match"])
        moments = await interaction.client.services.require(Moments).of(room)
        last = len(moments) - 1
        moment = min(int(self.fields["moment"]), last)
        try:
            await show_film(interaction, room, moment, last)
        finally:
            await show_moment(interaction, room, moments, moment, mine=bool(self.fields["mine"]))
