"""/me export and /me delete: what is kept of somebody, and that it is forgotten."""

import gzip
import io

import discord
import msgspec

from bot import reply
from bot.commands import lobby
from bot.commands.me import me
from bot.components import ids
from bot.components.items import Asked, MeItem
from bot.components.parts import GRAVE, button
from bot.errors import Refused
from bot.matches.privacy import SeatsLeft
from bot.text import say

FORGET, KEEP = "forget", "keep"
"""The buttons under the question whether it shall be."""


@me.command(name="export", description=say("command.me.export"))
async def export(interaction: Asked) -> None:
    """All that is kept of whoever asks, as a file to them alone."""
    known = await interaction.client.matches.privacy.export(interaction.user.id)
    content, name = msgspec.json.format(msgspec.json.encode(known), indent=2), "motu-export.json"
    largest = reply.largest_files(interaction)
    if len(content) > largest:
        content, name = gzip.compress(content), "motu-export.json.gz"
    if len(content) > largest:
        raise Refused(say("privacy.too_large"))
    said = say("privacy.export", number=len(known["matches"]))
    await reply.tell(interaction, said, file=discord.File(io.BytesIO(content), name))


@me.command(name="delete", description=say("command.me.delete"))
async def delete(interaction: Asked) -> None:
    """What would happen, and whether it shall."""
    seats = await interaction.client.matches.privacy.seats(interaction.user.id)
    row = (
        button(ids.me(FORGET), say("privacy.delete_button"), GRAVE),
        button(ids.me(KEEP), say("privacy.keep_button")),
    )
    await reply.tell(interaction, say("privacy.delete", **_numbers(seats)), [row])


async def pressed(interaction: Asked, item: MeItem) -> None:
    """Whoever was asked has pressed a button; nobody can press it for another."""
    if item.fields["what"] == KEEP:
        await reply.show(interaction, say("privacy.kept"))
        return
    left = await interaction.client.matches.privacy.delete(interaction.user.id)
    with reply.answering():
        await reply.show(interaction, say("privacy.deleted", **_numbers(left)))
        for match in (*left.running, *left.lobbies, *left.awaited):
            room = await interaction.client.matches.find(match)
            await interaction.client.lobbies.refresh(await lobby.begun_if_all_came(interaction, room))


def _numbers(seats: SeatsLeft) -> dict[str, int]:
    return {"running": len(seats.running), "lobbies": len(seats.lobbies)}
