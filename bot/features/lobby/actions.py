"""What people do to a lobby, by button or by command."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from bot.features.lobby.service import Lobby
from bot.kernel.room import Room
from bot.model.match import Person, Status
from bot.runtime.errors import BotError, NotFound
from bot.text import say
from bot.ui.client import MotuInteraction
from bot.ui.names import person
from bot.ui.permissions import check_can_post_at
from bot.ui.which_match import Several, named
from engine import EngineError

Action = Callable[[MotuInteraction, str], Awaitable[Room]]
"""Something that the user of an interaction does to the lobby of an id."""


async def join(interaction: MotuInteraction, match: str) -> Room:
    """Take a chair; the last to come to a rematch begins it."""
    lobby = interaction.client.services.require(Lobby)
    room = await lobby.join(match, person(interaction), interaction.id)
    return await start_if_complete(interaction, room)


async def leave(interaction: MotuInteraction, match: str) -> Room:
    """Leave a chair, or decline a rematch."""
    return await interaction.client.services.require(Lobby).leave(match, person(interaction), interaction.id)


async def start(interaction: MotuInteraction, match: str) -> Room:
    """Begin a match, if the bot can post where it is played."""
    room = await interaction.client.kernel.matches.find(match)
    check_can_post_at(interaction, room.record.place)
    return await interaction.client.services.require(Lobby).start(match, person(interaction), interaction.id)


async def cancel(interaction: MotuInteraction, match: str) -> Room:
    """Close a lobby."""
    return await interaction.client.services.require(Lobby).cancel(match, person(interaction), interaction.id)


async def agree_to_hints(interaction: MotuInteraction, match: str) -> Room:
    """Agree to hints, or take the consent back."""
    lobby = interaction.client.services.require(Lobby)
    return await lobby.agree_to_hints(match, person(interaction), interaction.id)


async def change_rated(interaction: MotuInteraction, match: str) -> Room:
    """Have the match rated, or not any more."""
    lobby = interaction.client.services.require(Lobby)
    return await lobby.change_rated(match, person(interaction), interaction.id)


async def start_if_complete(interaction: MotuInteraction, room: Room) -> Room:
    """Begin a rematch in which everybody who was awaited has sat down: its host may be asleep.

    If something stands against it, such as a missing permission, the lobby stays, and its host is told when they start.
    """
    record = room.record
    if record.status is Status.LOBBY and record.seating and not record.awaited:
        with suppress(BotError, EngineError):
            check_can_post_at(interaction, record.place)
            return await interaction.client.services.require(Lobby).start(record.id, Person(record.host, ""))
    return await interaction.client.kernel.matches.find(record.id)


async def find_lobby(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the lobby that somebody means: the one named, or the only one here."""
    if match:
        return await named(interaction, match)
    matches = interaction.client.kernel.matches
    here = [
        room
        for room in await matches.here(interaction.channel_id or 0)
        # Nobody has seen a lobby yet that has no message.
        if room.record.status is Status.LOBBY and room.record.lobby_message
    ]
    if len(here) == 1:
        return here[0]
    if here:
        raise Several(say("refusal.several_lobbies"), here)
    mine = await matches.of_user(interaction.user.id)
    elsewhere = [room for room in mine if room.record.status is Status.LOBBY]
    if elsewhere:
        raise Several(say("refusal.lobby_elsewhere"), elsewhere)
    raise NotFound(say("refusal.no_lobby"))
