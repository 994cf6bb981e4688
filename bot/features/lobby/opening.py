"""/game new: a lobby is opened, and its message shown to everyone."""

import discord
from discord import app_commands

from bot.features.lobby import game_settings
from bot.features.lobby import messages as lobby_message
from bot.features.lobby.maps import read_map
from bot.features.lobby.opening_rules import CHANNEL, THREAD, place_for
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.server_settings.settings import Servers
from bot.kernel.room import Room
from bot.model.clocks import TimeTerms
from bot.model.match import Terms
from bot.model.stored import MessageKind
from bot.runtime.errors import Unanswered
from bot.text import say
from bot.ui import completion, describe, error_codes, reply
from bot.ui.client import MotuInteraction
from bot.ui.names import person
from bot.ui.parts import view_of
from bot.ui.which_match import meant_game, must_be_in_server
from engine import GAMES


@app_commands.command(name="new", description=say("command.new.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    game_id=say("command.new.game"),
    typed=say("command.new.settings"),
    place=say("command.new.place"),
    file=say("command.new.map"),
)
@app_commands.choices(
    place=[
        app_commands.Choice(name=say("command.new.thread"), value=THREAD),
        app_commands.Choice(name=say("command.new.channel"), value=CHANNEL),
    ]
)
@app_commands.rename(game_id="game", typed="settings", file="map")
async def new(
    interaction: MotuInteraction,
    game_id: str,
    typed: str = "",
    place: str = "",
    file: discord.Attachment | None = None,
) -> None:
    """Open a lobby, and show it where the command was used."""
    guild = must_be_in_server(interaction)
    game = GAMES[meant_game(game_id)]
    settings = game_settings.parse(game, typed)
    where = await place_for(interaction, place)
    if file is not None:
        settings[game_settings.own_map(game)] = await read_map(file)
    server = await interaction.client.services.require(Servers).of(guild)
    terms = Terms(time=TimeTerms(pace=server.pace))
    lobby = interaction.client.services.require(Lobby)
    room = await lobby.open(game.id, settings, where, person(interaction), interaction.id, terms=terms)
    await show_new_lobby(interaction, room)


completion.offer(completion.games, "game_id", new)


@new.autocomplete("typed")
@completion.quiet
async def _complete_settings(interaction: MotuInteraction, current: str) -> completion.Choices:
    game = GAMES[meant_game(str(getattr(interaction.namespace, "game", "") or ""))]
    return completion.choices(game_settings.complete(game, current))


async def show_new_lobby(interaction: MotuInteraction, room: Room) -> None:
    """Answer with the message of a lobby that the command has opened."""
    messages = interaction.client.services.require(LobbyMessages)
    match, message = room.record.id, 0
    try:
        with messages.shown_by_command(match):
            message = await _answer_with_lobby(interaction, room)
            if message:
                await interaction.client.kernel.announcements.note_message(match, MessageKind.LOBBY, message)
    except discord.HTTPException as error:
        if error.status < 500 and error.code:
            # Nobody can see it: it must not be found by those who look for a lobby here.
            await interaction.client.services.require(Lobby).cancel(match, person(interaction))
            raise
        raise Unanswered from error
    except reply.UNREACHABLE as error:
        raise Unanswered from error
    finally:
        if not message:
            # It may be there without the bot having heard of it.
            messages.mend(match)


async def _answer_with_lobby(interaction: MotuInteraction, room: Room) -> int:
    """Send a lobby's message as the command's response, or post it if that comes too late; return its id.

    Return 0 if another process may have sent it.
    """
    messages = interaction.client.services.require(LobbyMessages)
    try:
        message = await reply.respond(
            interaction,
            embed=lobby_message.embed(room),
            view=view_of(lobby_message.rows(room)),
            files=reply.attached([await messages.map_picture(room)]),
        )
    except discord.HTTPException as error:
        if error.code not in error_codes.TOO_LATE:
            raise
        return await messages.post(room)
    if message is not None:
        return message
    if reply.ELSEWHERE in interaction.extras:
        # Discord told of it twice: the lobby may be there already.
        return 0
    message = await messages.post(room)
    with reply.answering():
        await reply.tell(interaction, say("answer.opened", game=describe.title(room), id=room.record.id))
    return message
