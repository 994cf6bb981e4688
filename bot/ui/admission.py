"""Which interactions are handled: all, unless the bot is stopping, too busy, or has lost its shards."""

from contextlib import suppress

import discord

from bot.runtime import logs
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.reply import Acknowledgement

MAX_CONCURRENT_INTERACTIONS = 100
"""Beyond this, people are told to try again: an answer would take many seconds, and in the end more than the three
within which Discord wants a first response."""
RUSH_THRESHOLD = 8
"""With this many being handled, interactions are acknowledged before anything else is done."""


async def admit(interaction: MotuInteraction, name: str, how: Acknowledgement | None = None) -> bool:
    """Return whether an interaction may be handled; if so, it is or will be acknowledged in time.

    It is handled in the current task. `name` stands in the log, and `how` is None for completions, which cannot be
    acknowledged.
    """
    client = interaction.client
    if not await client.kernel.store.confirm_claim():
        # Whichever process has the shards now answers it.
        return False
    running = len(client.handlers)
    if client.is_ending or running >= MAX_CONCURRENT_INTERACTIONS:
        await _refuse(interaction, name)
        return False
    task = client.handlers.track_current()
    if task is not None and name:
        press = logs.begin(name)
        task.add_done_callback(lambda _: logs.end(press))
    if how is None:
        return True
    return await reply.begin_handling(interaction, how, in_a_rush=running >= RUSH_THRESHOLD)


async def _refuse(interaction: MotuInteraction, name: str) -> None:
    """Say that the bot is stopping or busy."""
    client = interaction.client
    if interaction.type is discord.InteractionType.autocomplete:
        with suppress(discord.HTTPException, *reply.UNREACHABLE):
            await interaction.response.autocomplete([])
        return
    press = logs.begin(name)
    press.outcome = "refused" if client.is_ending else "busy"
    said = say("refusal.restarting" if client.is_ending else "refusal.busy")
    # Not by reply.tell: if another process has acknowledged the interaction, that one handles it, and an answer of ours
    # would be wrong.
    await reply.guarded(interaction, reply.respond(interaction, content=said, ephemeral=True))
    if interaction.response.is_done():
        # Should Discord deliver it once more, it must come to nothing then as well.
        client.kernel.pipeline.note_refused(interaction.id)
    logs.end(press)
