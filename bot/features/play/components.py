"""The controls of a panel, and the buttons under a turn's post that belong to playing."""

from bot.features.play import look, presses
from bot.features.play.controls import CONTROL, Control
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.which_match import named, seat_of


class PanelControl(Item, template=CONTROL):
    """A button or menu of a private panel."""

    @property
    def control(self) -> Control:
        """The parts of its id."""
        fields = self.fields
        return Control(
            fields["sort"],
            fields["match"],
            int(fields["seat"]),
            int(fields["turn"]),
            fields["kind"],
            fields["key"],
        )

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what the control is for, and show the panel again."""
        await presses.press_control(interaction, self.control, self.values)


class MoveButton(Item, template=turn_button("move")):
    """Opens somebody's panel."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the user their panel."""
        await presses.open_panel(interaction, await named(interaction, self.fields["match"]))


class ViewButton(Item, template=turn_button("view")):
    """Shows a player the board as they see it, and a watcher what everyone sees."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the board to the user alone."""
        room = await named(interaction, self.fields["match"])
        await look.show_board(interaction, room, seat_of(interaction, room))


class LogButton(Item, template=turn_button("log")):
    """Shows the end of a match's log."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the log as the user may know it."""
        await look.show_log(interaction, await named(interaction, self.fields["match"]))


class FairnessButton(Item, template=turn_button("fair")):
    """Shows how to check that the dice are fair."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the seals, and the seeds once the match is over."""
        await look.show_fairness(interaction, await named(interaction, self.fields["match"]))
