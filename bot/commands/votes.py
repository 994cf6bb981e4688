"""/game pause, resume, end, remove: what a table decides together, and the buttons under a vote."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.commands.lobby import game, go_on_here, person
from bot.components.items import Asked, VoteItem
from bot.components.parts import cut
from bot.errors import NotFound, Refused
from bot.leavers import has_left
from bot.matches.ballot import ABSENT, Vote
from bot.matches.room import COMPUTER, Room
from bot.text import describe, say
from bot.text.names import plain_names
from bot.which_match import Several, must_be_in_server, my_match, my_seat, named
from engine import Seat


@game.command(name="pause", description=say("command.pause.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def pause(interaction: Asked, match: str | None = None) -> None:
    """The table asked to pause."""
    await reply.acknowledge(interaction)
    await propose(interaction, await _mine(interaction, match), "pause")


@game.command(name="resume", description=say("command.resume.description"))
@app_commands.describe(match=say("command.resume.match"))
async def resume(interaction: Asked, match: str | None = None) -> None:
    """The table asked to go on; a match that could not post goes on where the command was used."""
    await reply.acknowledge(interaction)
    room = await _paused(interaction, match)
    if room.info.paused_for:
        must_be_in_server(interaction)
        await go_on_here(interaction, room, "resumed")
    else:
        await propose(interaction, room, "resume")


@game.command(name="end", description=say("command.end.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def end(interaction: Asked, match: str | None = None) -> None:
    """The table asked to end without a result."""
    await reply.acknowledge(interaction)
    await propose(interaction, await _mine(interaction, match), "end")


@game.command(name="remove", description=say("command.remove.description"))
@app_commands.describe(player=say("command.remove.player"), match=say("command.option.my_match"))
async def remove(interaction: Asked, player: str, match: str | None = None) -> None:
    """The others asked to send somebody away."""
    await reply.acknowledge(interaction)
    room = await _mine(interaction, match)
    seat = meant_seat(room, player)
    facts: dict[str, Any] = {"seat": seat}
    if await has_left(interaction.client, room, room.info.chairs[seat].id):
        facts[ABSENT] = "left"
    await propose(interaction, room, "remove", facts)


async def propose(interaction: Asked, room: Room, kind: str, facts: dict[str, Any] | None = None) -> Vote:
    """Ask the table, and say where; the interaction has been acknowledged."""
    client, match = interaction.client, room.info.id
    vote = await client.matches.votes.propose(match, person(interaction), kind, facts, interaction.id)
    with reply.answering():
        vote = await client.ballots.show(match, vote.number)
        vote = await client.matches.votes.find(match, vote.number)
        link = describe.link_to(room, vote.message)
        await reply.tell(interaction, say("vote.asked" if vote.is_open else "vote.decided", link=link))
    return vote


async def pressed(interaction: Asked, item: VoteItem) -> None:
    """A button under a vote was pressed: the message is edited in place."""
    await reply.acknowledge(interaction, in_place=True)
    match, number = item.fields["match"], int(item.fields["vote"])
    await named(interaction, match)
    votes, ballots = interaction.client.matches.votes, interaction.client.ballots
    await votes.cast(match, number, interaction.user.id, item.fields["what"], interaction.id)
    with reply.answering():
        await ballots.show(match, number, interaction.edit_original_response)


async def _paused(interaction: Asked, match: str | None) -> Room:
    """The paused match that somebody means; one that could not tell of its end must be named."""
    user = interaction.user.id
    rooms = [await named(interaction, match)] if match else await interaction.client.matches.of_user(user)
    paused = [room for room in rooms if room.is_paused or room.info.paused_for]
    found = [room for room in paused if room.seat_of(user) is not None]
    here = [room for room in found if room.info.place.posts_to == interaction.channel_id]
    for meant in (found, here):
        if len(meant) == 1:
            return meant[0]
    if found:
        raise Several(say("refusal.several_paused"), found)
    raise NotFound(say("refusal.none_paused"))


async def _mine(interaction: Asked, match: str | None) -> Room:
    room = await my_match(interaction, match, seated=True)
    my_seat(interaction, room)
    return room


def meant_seat(room: Room, typed: str) -> Seat:
    """The seat of the player that is named, or of that number from 1."""
    wanted = typed.strip().casefold()
    names = [name.casefold() for name in plain_names(room)]
    if wanted in names:
        return Seat(names.index(wanted))
    if wanted.isdecimal() and len(wanted) < 3 and 0 < int(wanted) <= len(names):
        return Seat(int(wanted) - 1)
    raise Refused(say("vote.no_such_player", players=describe.players(room)))


@remove.autocomplete("player")
async def _complete_player(interaction: Asked, current: str) -> completion.Choices:
    return await _players(interaction, current)


@completion.quiet
async def _players(interaction: Asked, current: str) -> completion.Choices:
    """The other people at the table."""
    room = await _mine(interaction, getattr(interaction.namespace, "match", None) or None)
    wanted = current.casefold().strip()
    people = [(name, chair.id) for name, chair in zip(plain_names(room), room.info.chairs, strict=True)]
    others = [name for name, user in people if user not in (COMPUTER, interaction.user.id)]
    return completion.choices([(cut(name, 100), name) for name in others if wanted in name.casefold()])


@pause.autocomplete("match")
@resume.autocomplete("match")
@end.autocomplete("match")
@remove.autocomplete("match")
async def _complete_match(interaction: Asked, current: str) -> completion.Choices:
    return await completion.matches(interaction, current)
