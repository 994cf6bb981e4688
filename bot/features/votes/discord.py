"""/game pause, resume, end and remove, and the buttons under a vote."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.features.server_settings import Servers, Threads
from bot.features.votes.messages import VoteMessages, vote_button
from bot.features.votes.rules import ABSENT, END, GO_ON, NO, PAUSE, WITHDRAW, YES
from bot.features.votes.service import Votes
from bot.kernel.room import Room
from bot.model import COMPUTER, Place, Vote
from bot.posts.places import move_match
from bot.runtime.base import NotFound, Refused
from bot.text import say
from bot.ui import (
    Acknowledgement,
    Choices,
    Item,
    MotuClient,
    MotuInteraction,
    SlashCommand,
    autocomplete,
    containing,
    describe,
    error_codes,
    must_be_in_server,
    my_match,
    my_seated_match,
    named,
    named_match,
    only_one,
    person,
    plain_names,
    reply,
    service,
    slash,
)
from bot.ui.permissions import can_have_threads, check_all_can_see, check_can_post, check_channel
from engine import Seat

Answer = Callable[[MotuInteraction, str], Awaitable[None]]
"""Shows a private answer, as reply.tell does."""


def ask_table(what: str) -> SlashCommand:
    """Make the command that asks the table for something."""

    @slash(f"game.{what}", match="my_match")
    async def ask(interaction: MotuInteraction, match: str | None = None) -> None:
        room, _ = await my_seated_match(interaction, match, in_turn=False)
        await propose(interaction, room, what)

    return ask


pause, end = ask_table("pause"), ask_table("end")


@slash("game.resume")
async def resume(interaction: MotuInteraction, match: str | None = None) -> None:
    """Ask the table to go on; a match that could not post goes on where the command is used."""
    room = await _paused_match(interaction, match)
    if room.record.paused_for:
        await go_on_here(interaction, room, "resumed")
    else:
        await propose(interaction, room, "resume")


@slash("game.remove", match="my_match")
async def remove(interaction: MotuInteraction, player: str, match: str | None = None) -> None:
    """Ask the others to remove a player."""
    room, _ = await my_seated_match(interaction, match, in_turn=False)
    facts = await facts_about(interaction, room, named_seat(room, player))
    await propose(interaction, room, "remove", facts)


@remove.autocomplete("player")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    return await other_players(interaction, current, with_computers=False)


async def propose(
    interaction: MotuInteraction, room: Room, kind: str, facts: dict[str, Any] | None = None
) -> None:
    """Ask the table, and answer with where."""
    votes = service(interaction, Votes)
    vote = await votes.propose(room.record.id, person(interaction), kind, facts, interaction.id)
    await answer_with_link(interaction, room, vote)


async def answer_with_link(
    interaction: MotuInteraction, room: Room, vote: Vote, answer: Answer = reply.tell
) -> None:
    """Have the message of a vote posted, and answer with where it is."""
    votes = service(interaction, Votes)
    await service(interaction, VoteMessages).show(vote.match, vote.number)
    vote = await votes.find(vote.match, vote.number)
    key = "asked" if vote.is_open else "decided"
    if votes.kind(vote).is_offer:
        key = "offered"
    await answer(interaction, say(f"vote.{key}", link=describe.link(room, vote.message)))


async def facts_about(interaction: MotuInteraction, room: Room, seat: Seat) -> dict[str, Any]:
    """Return the facts of a vote about a player, with what Discord knows of them."""
    left = await has_left(interaction.client, room, room.record.chairs[seat].id)
    return {"seat": seat, ABSENT: "left"} if left else {"seat": seat}


async def has_left(client: MotuClient, room: Room, user: int) -> bool:
    """Return whether Discord says that a player is no longer a member of the match's server.

    Nobody leaves a direct message.
    """
    guild = room.record.place.guild
    if not guild or user == COMPUTER:
        return False
    try:
        await client.http.get_member(guild, user)
    except discord.HTTPException as error:
        return error.code == error_codes.UNKNOWN_MEMBER
    return False


def named_seat(room: Room, typed: str) -> Seat:
    """Return the seat of the player that was named, or of that number from 1."""
    wanted = typed.strip().casefold()
    names = [name.casefold() for name in plain_names(room)]
    # The name of an absent player bears a mark that nobody can type.
    for known in (names, [chair.name.casefold() for chair in room.record.chairs]):
        if known.count(wanted) == 1:
            return Seat(known.index(wanted))
    if wanted.isdecimal() and len(wanted) < 3 and 0 < int(wanted) <= len(names):
        return Seat(int(wanted) - 1)
    raise Refused("vote.no_such_player", players=describe.players(room))


async def other_players(
    interaction: MotuInteraction, current: str, *, with_computers: bool
) -> Choices:
    """Return the others at the table for a completion."""
    room = await my_match(interaction, named_match(interaction), in_turn=False)
    left_out = {interaction.user.id} if with_computers else {interaction.user.id, COMPUTER}
    names = zip(plain_names(room), room.record.chairs, strict=True)
    others = ((name, name) for name, chair in names if chair.id not in left_out)
    return containing(current, others)


async def _paused_match(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the user's paused match that is meant.

    One that could not tell of its end must be named.
    """
    user = interaction.user.id
    if match:
        rooms = [await named(interaction, match)]
    else:
        rooms = await interaction.client.kernel.matches.of_user(user)
    paused = [room for room in rooms if room.is_paused or room.record.paused_for]
    found = [room for room in paused if room.seat_of(user) is not None]
    here = [room for room in found if room.record.place.posts_to == interaction.channel_id]
    if meant := only_one(interaction, "refusal.several_paused", found, here):
        return meant
    raise NotFound("refusal.none_paused")


async def go_on_here(interaction: MotuInteraction, room: Room, answer: str) -> None:
    """Have a match played where a command was used, if everyone who plays it can see that place.

    `answer` is a key of [answer].
    """
    guild = must_be_in_server(interaction)
    settings = await service(interaction, Servers).of(guild)
    check_channel(interaction, settings.channels, interaction.channel_id or 0)
    if isinstance(interaction.channel, discord.Thread):
        place = Place(guild, interaction.channel.parent_id, interaction.channel.id)
    else:
        wants_thread = room.record.place.wants_thread and settings.threads is not Threads.NEVER
        wants_thread = wants_thread and can_have_threads(interaction)
        place = Place(guild, interaction.channel_id or 0, wants_thread=wants_thread)
    check_can_post(interaction, place)
    await check_all_can_see(interaction, room)
    await move_match(interaction.client.kernel, room.record.id, place)
    await reply.tell(interaction, say(f"answer.{answer}", **describe.facts(room)))


class VoteButton(Item, template=vote_button(YES, NO, GO_ON, PAUSE, END, WITHDRAW)):
    """Says something to a vote.

    Its message, or the notification that was pressed, is edited in place.
    """

    acknowledgement = Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Count what the user says."""
        match, number = self.fields["match"], int(self.fields["vote"])
        votes, messages = service(interaction, Votes), service(interaction, VoteMessages)
        user, option = interaction.user.id, self.fields["option"]
        await self.room(interaction)
        try:
            await votes.cast(match, number, user, option, interaction.id)
        except Refused:
            vote, pressed_on = await votes.find(match, number), interaction.message
            if not vote.is_open and pressed_on is not None and pressed_on.id != vote.message:
                # It was a notification, which shows the result from now on.
                await messages.show(match, number, interaction)
            raise
        await messages.show(match, number, interaction)
