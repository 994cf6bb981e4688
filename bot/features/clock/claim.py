"""The button that claims a seat whose time is up."""

from bot.features.votes import discord as votes
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button, turn_button_id
from bot.ui.which_match import my_seat, named
from engine import Seat


def claim_button_id(match: str, seat: Seat) -> str:
    """Return the id of the button that claims a seat."""
    return turn_button_id(match, "claim", seat)


class ClaimButton(Item, template=turn_button("claim")):
    """Claims a seat whose time is up. Its last number is the seat."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the others to have the seat given up."""
        room = await named(interaction, self.fields["match"])
        my_seat(interaction, room)
        await votes.propose(interaction, room, "claim", {"seat": Seat(int(self.fields["post"] or 0))})
