"""Matches that go on in another place: after they have lost theirs, or because their host moves them."""

import discord

from bot.features.server_settings.settings import Servers, Threads
from bot.kernel.room import Room
from bot.model.match import Place
from bot.posts.places import Places
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.permissions import can_have_threads, check_all_can_see, check_can_post, check_channel
from bot.ui.which_match import must_be_in_server


async def go_on_here(interaction: MotuInteraction, room: Room, answer: str) -> None:
    """Have a match played where a command was used, if everyone who plays it can see that place.

    `answer` is a key of [answer].
    """
    guild = must_be_in_server(interaction)
    settings = await interaction.client.services.require(Servers).of(guild)
    check_channel(interaction, settings.channels, interaction.channel_id or 0)
    if isinstance(interaction.channel, discord.Thread):
        place = Place(guild, interaction.channel.parent_id, interaction.channel.id)
    else:
        wants_thread = room.record.place.wants_thread and settings.threads is not Threads.NEVER
        wants_thread = wants_thread and can_have_threads(interaction)
        place = Place(guild, interaction.channel_id or 0, wants_thread=wants_thread)
    check_can_post(interaction, place.wants_thread and not place.thread)
    await check_all_can_see(interaction, room)
    await interaction.client.services.require(Places).move(room.record.id, place)
    with reply.answering():
        await reply.tell(interaction, say(f"answer.{answer}", game=describe.title(room), id=room.record.id))
