"""/me export sends users what is stored about them, and /me delete deletes it."""

import io

import discord
import msgspec

from bot.features.lobby.discord import start_if_complete
from bot.features.lobby.messages import LobbyMessages
from bot.features.privacy.service import Privacy, SeatsLeft
from bot.runtime.base import Refused
from bot.text import say
from bot.ui import GRAVE, Button, Item, MotuInteraction, reply, service, slash

FORGET, KEEP = "forget", "keep"


@slash("me.export")
async def export(interaction: MotuInteraction) -> None:
    """Send the user a private file with everything stored about them."""
    known = await service(interaction, Privacy).export(interaction.user.id)
    content, name = msgspec.json.format(msgspec.json.encode(known), indent=2), "motu-export.json"
    largest = reply.max_file_bytes(interaction)
    if len(content) > largest:
        import gzip  # Hardly ever needed.

        content, name = gzip.compress(content), "motu-export.json.gz"
    if len(content) > largest:
        raise Refused("privacy.too_large")
    text = say("privacy.export", number=len(known["matches"]))
    await reply.tell(interaction, text, files=[discord.File(io.BytesIO(content), name)])


@slash("me.delete")
async def delete(interaction: MotuInteraction) -> None:
    """Explain what deletion does, and ask for confirmation."""
    seats = await service(interaction, Privacy).seats(interaction.user.id)
    row = (
        Button(f"me:{FORGET}", say("privacy.delete_button"), GRAVE),
        Button(f"me:{KEEP}", say("privacy.keep_button")),
    )
    await reply.tell(interaction, say("privacy.delete", **_numbers(seats)), [row])


class DeleteButton(Item, template=rf"me:(?P<what>{FORGET}|{KEEP})"):
    """Confirms or cancels /me delete. The message is private, so only its user can press it."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Delete the user's data, or leave everything as it is."""
        if self.fields["what"] == KEEP:
            await reply.show(interaction, say("privacy.kept"))
            return
        services = interaction.client.services
        left = await services.require(Privacy).delete(interaction.user.id)
        await reply.show(interaction, say("privacy.deleted", **_numbers(left)))
        for match in (*left.running, *left.lobbies, *left.awaited):
            room = await interaction.client.kernel.matches.find(match)
            await start_if_complete(interaction, room)
            services.require(LobbyMessages).update_later(match)


def _numbers(seats: SeatsLeft) -> dict[str, int]:
    return {"running": len(seats.running), "lobbies": len(seats.lobbies)}
