"""/game move: a match goes on where its host wants it."""

from discord import app_commands

from bot.features.votes.discord import go_on_here
from bot.kernel.room import Room
from bot.model.match import OPEN
from bot.runtime.errors import NotFound, Refused
from bot.text import say
from bot.ui import completion
from bot.ui.client import MotuInteraction
from bot.ui.which_match import Several, must_be_in_server, named


@app_commands.command(name="move", description=say("command.move.description"))
@app_commands.describe(match=say("command.option.match"))
async def move(interaction: MotuInteraction, match: str | None = None) -> None:
    """Move a match to the place where the command is used; for its host."""
    must_be_in_server(interaction)
    await go_on_here(interaction, await _hosted_match(interaction, match), "moved")


completion.offer(completion.matches, "match", move)


async def _hosted_match(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the match that its host means."""
    user = interaction.user.id
    if match:
        rooms = [await named(interaction, match)]
    else:
        rooms = await interaction.client.kernel.matches.of_user(user)
    begun = [room for room in rooms if room.match is not None and room.record.status in OPEN]
    hosted = [room for room in begun if room.record.host == user]
    if len(hosted) == 1:
        return hosted[0]
    if hosted:
        raise Several(say("refusal.several_hosted"), hosted)
    if begun:
        raise Refused(say("refusal.host_move"))
    raise NotFound(say("refusal.none_hosted"))
