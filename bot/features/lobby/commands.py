"""/game join, leave, start and cancel: what the buttons of a lobby do, by command."""

from discord import app_commands

from bot.features.lobby import actions
from bot.features.lobby.actions import Action, find_lobby
from bot.features.lobby.posts import LobbyMessages
from bot.features.reminders.welcome import with_welcome
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.which_match import must_be_in_server


@app_commands.command(name="join", description=say("command.join.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def join(interaction: MotuInteraction, match: str | None = None) -> None:
    """Take a chair."""
    await _act(interaction, match, actions.join, "joined")


@app_commands.command(name="leave", description=say("command.leave.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def leave(interaction: MotuInteraction, match: str | None = None) -> None:
    """Leave a chair."""
    await _act(interaction, match, actions.leave, "left")


@app_commands.command(name="start", description=say("command.start.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def start(interaction: MotuInteraction, match: str | None = None) -> None:
    """Begin a match."""
    await _act(interaction, match, actions.start, "started")


@app_commands.command(name="cancel", description=say("command.cancel.description"))
@app_commands.describe(match=say("command.option.lobby"))
async def cancel(interaction: MotuInteraction, match: str | None = None) -> None:
    """Close a lobby."""
    await _act(interaction, match, actions.cancel, "cancelled")


completion.offer(completion.matches, "match", join, leave, start, cancel)


async def _act(interaction: MotuInteraction, match: str | None, action: Action, done: str) -> None:
    """Do something to the lobby that is meant, say so with the text answer.`done`, and update its message."""
    must_be_in_server(interaction)
    room = await find_lobby(interaction, match)
    room = await action(interaction, room.record.id)
    facts = {"game": describe.title(room), "id": room.record.id, "link": describe.link(room)}

    async def tell(*welcome: str) -> None:
        await reply.tell(interaction, "\n".join((say(f"answer.{done}", **facts), *welcome)))

    with reply.answering():
        if action is actions.join:
            await with_welcome(interaction, tell)
        else:
            await tell()
        await interaction.client.services.require(LobbyMessages).refresh(room)
