"""/games and its controls: from here a person with many matches plays, and finds open tables."""

from discord import app_commands

from bot.features.games.joining import SIT, join_table
from bot.features.games.lists import JOIN, TABLES, show_own_matches, show_tables
from bot.features.play import presses
from bot.text import say
from bot.ui.client import MotuInteraction
from bot.ui.components import GAMES_BUTTON, Item

NEXT = "next"
"""What the button does that opens the next match which waits for somebody."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="games", description=say("command.games.description"))
async def games(interaction: MotuInteraction) -> None:
    """Show the user's matches everywhere, those that wait for them first."""
    await show_own_matches(interaction)


class GamesControl(Item, template=GAMES_BUTTON):
    """A button of /games; some stand in panels and in /help."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Turn a page, join a table, or open the next match, in the message's place."""
        page, match = int(self.fields["page"]), self.fields["match"]
        what = self.fields["what"]
        if what == NEXT:
            await _open_next(interaction, played=match)
        elif what in (JOIN, SIT):
            await join_table(interaction, match, page, knows_terms=what == SIT)
        elif what == TABLES:
            await show_tables(interaction, page)
        else:
            await show_own_matches(interaction, page)


class AllMatchesButton(Item, template=r"me:(?P<what>games)(?::(?P<call>\d{1,18}))?"):
    """The button under a digest that leads to /games."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the user's matches."""
        await show_own_matches(interaction)


async def _open_next(interaction: MotuInteraction, played: str) -> None:
    """Open the panel of the most urgent match besides the one just played; the list if none waits any more."""
    waiting = await interaction.client.kernel.agenda.waiting(interaction.user.id)
    others = [room for room in waiting if room.record.id != played]
    if others:
        await presses.open_panel(interaction, others[0])
    else:
        await show_own_matches(interaction, notice=say("games.none_wait"))
