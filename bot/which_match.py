"""Which match somebody means: 'my match here' is found by itself."""

import re

import discord

from bot.components.items import Asked
from bot.errors import NotFound, Refused
from bot.matches.room import Room, Status
from bot.text import describe, listed, say
from engine import GAMES, Seat, UnknownGame

ID = re.compile(r"[a-z0-9]{1,32}")


def must_be_in_server(interaction: Asked) -> int:
    """The server's id; refused in direct messages."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused(say("refusal.direct_message"))
    return interaction.guild_id


def meant_game(typed: str) -> str:
    """A game's id, from its id or its title in any case."""
    wanted = typed.strip().casefold()
    for game in GAMES:
        if wanted in (game, GAMES[game].title.casefold()):
            return game
    raise UnknownGame(say("refusal.no_game", games=game_titles()))


def game_titles() -> str:
    """All games there are, for a refusal."""
    return listed(GAMES[game].title for game in GAMES)


async def named(interaction: Asked, match: str) -> Room:
    """The match of that id, if the asker may see it: they sit in it, or it is played where they are."""
    wanted = match.strip().casefold()
    try:
        room = await interaction.client.matches.find(wanted if ID.fullmatch(wanted) else "")
    except NotFound:
        raise NotFound(say("refusal.no_match_here")) from None
    is_seated = any(person.id == interaction.user.id for person in room.info.chairs)
    # In a thread they are in the channel above it too.
    above = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    around = {interaction.channel_id, above} - {None, 0}
    if not is_seated and not around & {room.info.place.channel, room.info.place.thread}:
        raise NotFound(say("refusal.no_match_here"))
    return room


async def my_match(interaction: Asked, match: str | None, *, seated: bool) -> Room:
    """The match somebody means here: the one named, else their only one, else the only one."""
    if match:
        return await named(interaction, match)
    rooms = await here(interaction)
    mine = [room for room in rooms if seat_of(interaction, room) is not None]
    waiting = [room for room in mine if room.waits_for(interaction.user.id)]
    # A watcher may mean any match; somebody who plays here means one of their own.
    candidates = mine if mine or seated else rooms
    for meant in (candidates, waiting):
        if len(meant) == 1:
            return meant[0]
    if not candidates:
        raise NotFound(say("refusal.no_running_match"))
    raise Refused(say("refusal.several_matches", matches=describe.match_items(candidates)))


async def here(interaction: Asked) -> list[Room]:
    """Running matches of this channel or thread; where none is, the one that the thread was for.

    In a direct message where none is played, somebody means one of theirs, wherever that is.
    """
    matches, place = interaction.client.matches, interaction.channel_id or 0
    running = [room for room in await matches.here(place) if room.info.status is not Status.LOBBY]
    if running:
        return running
    if interaction.guild_id is None:
        return [room for room in await matches.of_user(interaction.user.id) if room.info.status is not Status.LOBBY]
    return await matches.ended(place) if isinstance(interaction.channel, discord.Thread) else []


def seat_of(interaction: Asked, room: Room) -> Seat | None:
    """The asker's seat, None if they have none or have given it up: then they are a watcher."""
    seat = room.seat_of(interaction.user.id)
    return None if room.match and seat in room.match.resigned else seat


def my_seat(interaction: Asked, room: Room) -> Seat:
    """The asker's seat; refused if they have none."""
    seat = seat_of(interaction, room)
    if seat is not None:
        return seat
    facts = {"game": describe.title(room), "players": describe.players(room)}
    if room.seat_of(interaction.user.id) is not None:
        raise Refused(say("refusal.given_up", **facts))
    raise Refused(say("refusal.not_your_match", **facts))
