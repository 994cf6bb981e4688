"""/game map: the host's own map for a game that takes one."""

import discord
from discord import app_commands

from bot.features.lobby import game_settings
from bot.features.lobby.actions import find_lobby
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.names import person
from bot.ui.which_match import must_be_in_server
from engine import find_game

MAX_MAP_BYTES = 200_000


@app_commands.command(name="map", description=say("command.map.description"))
@app_commands.describe(file=say("command.map.file"), match=say("command.option.lobby"))
async def change_map(
    interaction: MotuInteraction, file: discord.Attachment | None = None, match: str | None = None
) -> None:
    """Give an open lobby another map, or without a file the game's own."""
    must_be_in_server(interaction)
    room = await find_lobby(interaction, match)
    setting = game_settings.own_map(find_game(room.record.game))
    text = await read_map(file) if file is not None else ""
    lobby = interaction.client.services.require(Lobby)
    room = await lobby.set(room.record.id, person(interaction), setting, text, interaction.id)
    with reply.answering():
        facts = {"game": describe.title(room), "id": room.record.id, "link": describe.link(room)}
        await reply.tell(interaction, say("answer.map" if text else "answer.no_map", **facts))
        await interaction.client.services.require(LobbyMessages).refresh(room, with_picture=True)


completion.offer(completion.matches, "match", change_map)


async def read_map(file: discord.Attachment) -> str:
    """Return the text of a file; refuse one that is no text, or too long for a map."""
    if file.size > MAX_MAP_BYTES:
        raise Refused(say("refusal.file_too_large", size=file.size, most=MAX_MAP_BYTES))
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(say("refusal.file_not_text")) from None
    except (discord.HTTPException, *reply.UNREACHABLE) as error:
        raise Refused(say("refusal.file_unread")) from error
    if not text.strip():
        raise Refused(say("refusal.file_empty"))
    return text
