"""/game pause, resume, end and remove, and the buttons under a vote.

Other features that start votes use `propose`, `answer_with_link` and `seat_menu`. What a vote does
when it passes is in rules.py.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord

from bot.features.server_settings import Servers, Threads
from bot.features.votes.messages import VoteMessages, vote_button_pattern
from bot.features.votes.rules import ABSENT, END, GO_ON, NO, PAUSE, WITHDRAW, YES
from bot.features.votes.service import Votes
from bot.kernel.room import Room
from bot.model import COMPUTER, Person, Place, Vote
from bot.posts.places import move_match
from bot.runtime.base import NotFound, Refused
from bot.text import say
from bot.ui import (
    MATCH,
    Acknowledgement,
    Choice,
    Choices,
    Item,
    Menu,
    MotuClient,
    MotuInteraction,
    SlashCommand,
    autocomplete,
    describe,
    error_codes,
    filter_choices,
    find_named_match,
    marked_names,
    must_be_in_server,
    my_match,
    my_seat,
    my_seated_match,
    named_match,
    person,
    pick_only_match,
    plain_names,
    reply,
    service,
    slash,
)
from bot.ui.permissions import can_have_threads, check_all_can_see, check_can_post, check_channel
from engine import Seat

Answer = Callable[[MotuInteraction, str], Awaitable[None]]
"""Shows a private answer, as reply.tell does."""


def vote_command(what: str) -> SlashCommand:
    """Create the slash command that starts a vote of this kind."""

    @slash(f"game.{what}", match="my_match")
    async def ask(interaction: MotuInteraction, match: str | None = None) -> None:
        room, _ = await my_seated_match(interaction, match, in_turn=False)
        await propose(interaction, room, what)

    return ask


pause, end = vote_command("pause"), vote_command("end")


@slash("game.resume")
async def resume(interaction: MotuInteraction, match: str | None = None) -> None:
    """Start a vote to resume; a match that was paused because it could not post moves here."""
    room = await _paused_match(interaction, match)
    if room.record.paused_for:
        await move_here(interaction, room, "resumed")
    else:
        await propose(interaction, room, "resume")


@slash("game.remove", match="my_match")
async def remove(
    interaction: MotuInteraction, player: str | None = None, match: str | None = None
) -> None:
    """Start a vote to remove a player; without one, ask whom."""
    room, _ = await my_seated_match(interaction, match, in_turn=False)
    if player:
        await propose_removal(interaction, room, parse_seat(room, player))
        return
    user = interaction.user.id
    others = [seat for seat, chair in chairs_of(room) if chair.id not in (user, COMPUTER)]
    menu = seat_menu(room, f"rm:{room.record.id}", "vote.remove_whom", others)
    await reply.tell(interaction, say("vote.remove_about"), [menu])


class RemoveMenu(Item, template=rf"rm:{MATCH}"):
    """The menu of players about whose removal a vote can be started."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Start the vote."""
        room = await self.room(interaction)
        my_seat(interaction, room)
        interaction.extras[reply.REPLACES_MESSAGE] = True
        await propose_removal(interaction, room, chosen_seat(room, self.values))


async def propose_removal(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Start a vote to remove a player."""
    await propose(interaction, room, "remove", await load_facts_about(interaction, room, seat))


def chairs_of(room: Room) -> list[tuple[Seat, Person]]:
    """Return the seats of a match, each with its player."""
    return [(Seat(seat), chair) for seat, chair in enumerate(room.record.chairs)]


def seat_menu(room: Room, custom_id: str, question: str, seats: Sequence[Seat]) -> Menu:
    """Return a menu of seats, labelled with their players' names; refuse if there are none."""
    if not seats:
        raise Refused("vote.nobody")
    names = plain_names(room)
    choices = tuple(Choice(str(seat), names[seat]) for seat in seats)
    return Menu(custom_id, say(question), choices)


def chosen_seat(room: Room, values: Sequence[str]) -> Seat:
    """Return the seat chosen in a menu; refuse one that the match does not have."""
    seats = {str(seat): seat for seat, _ in chairs_of(room)}
    if not values or values[0] not in seats:
        raise Refused("refusal.old_button")
    return seats[values[0]]


@remove.autocomplete("player")
@autocomplete
async def _complete_player(interaction: MotuInteraction, current: str) -> Choices:
    return await suggest_players(interaction, current, interaction.user.id, COMPUTER)


async def propose(
    interaction: MotuInteraction, room: Room, kind: str, facts: dict[str, Any] | None = None
) -> None:
    """Start a vote, and answer with a link to it."""
    votes = service(interaction, Votes)
    vote = await votes.propose(room.record.id, person(interaction), kind, facts, interaction.id)
    await answer_with_link(interaction, room, vote)


async def answer_with_link(
    interaction: MotuInteraction, room: Room, vote: Vote, answer: Answer = reply.tell
) -> None:
    """Post the message of a vote, and answer with a link to it."""
    votes = service(interaction, Votes)
    await service(interaction, VoteMessages).show(vote.match, vote.number)
    vote = await votes.find(vote.match, vote.number)
    kind, link = votes.kind(vote), describe.link(room, vote.message)
    if vote.is_open and (kind.is_offer or kind.for_strangers):
        # Somebody who offers or asks for a seat may be in several matches: say which one it is.
        game = say("vote.match", game=describe.title(room), id=vote.match)
        facts = {**kind.text_facts(room, vote), "game": game, "link": link}
        text = say(f"vote.{vote.kind}.asked", marked_names(room), **facts)
    else:
        text = say("vote.asked" if vote.is_open else "vote.decided", link=link)
    await answer(interaction, text)


async def load_facts_about(interaction: MotuInteraction, room: Room, seat: Seat) -> dict[str, Any]:
    """Return the facts of a vote about a player, including whether they have left the server."""
    left = await has_left(interaction.client, room, room.record.chairs[seat].id)
    return {"seat": seat, ABSENT: "left"} if left else {"seat": seat}


async def has_left(client: MotuClient, room: Room, user: int) -> bool:
    """Ask Discord whether a player is no longer a member of the match's server."""
    guild = room.record.place.guild
    if not guild or user == COMPUTER:
        # There is no server to leave in a direct message, and no member to ask for in a computer.
        return False
    try:
        await client.http.get_member(guild, user)
    except discord.HTTPException as error:
        return error.code == error_codes.UNKNOWN_MEMBER
    return False


def parse_seat(room: Room, typed: str) -> Seat:
    """Return the seat of a player given by name or by number, counted from 1."""
    wanted = typed.strip().casefold()
    names = [name.casefold() for name in plain_names(room)]
    # `plain_names` marks absent players with a symbol that nobody types, so also compare with the
    # names without it.
    for spellings in (names, [chair.name.casefold() for chair in room.record.chairs]):
        if spellings.count(wanted) == 1:
            return Seat(spellings.index(wanted))
    if wanted.isdecimal() and len(wanted) < 3 and 0 < int(wanted) <= len(names):
        return Seat(int(wanted) - 1)
    raise Refused("vote.no_such_player", players=describe.players(room))


async def suggest_players(interaction: MotuInteraction, current: str, *left_out: int) -> Choices:
    """Suggest the players of the match, except some users."""
    room = await my_match(interaction, named_match(interaction), in_turn=False)
    names = zip(plain_names(room), room.record.chairs, strict=True)
    return filter_choices(current, ((name, name) for name, one in names if one.id not in left_out))


async def _paused_match(interaction: MotuInteraction, match_id: str | None) -> Room:
    """Return the named match or, without a name, the user's only paused one, preferably here.

    A match that has ended but could not post its result counts only if it is named.
    """
    user = interaction.user.id
    if match_id:
        rooms = [await find_named_match(interaction, match_id)]
    else:
        rooms = await interaction.client.kernel.matches.of_user(user)
    paused = [room for room in rooms if room.is_paused or room.record.paused_for]
    theirs = [room for room in paused if room.seat_of(user) is not None]
    here = [room for room in theirs if room.record.place.posts_to == interaction.channel_id]
    if only_match := pick_only_match(interaction, "refusal.several_paused", theirs, here):
        return only_match
    raise NotFound("refusal.none_paused")


async def move_here(interaction: MotuInteraction, room: Room, answer: str) -> None:
    """Move a match to the channel or thread of the interaction, if all its players can see that.

    `answer` is the key of the reply: a text in [answer].
    """
    guild = must_be_in_server(interaction)
    settings = await service(interaction, Servers).of(guild)
    check_channel(interaction, settings.channels, interaction.channel_id or 0)
    locale = reply.channel_locale(interaction)
    if isinstance(interaction.channel, discord.Thread):
        thread = interaction.channel
        place = Place(guild, thread.parent_id, thread.id, locale=locale)
    else:
        wants_thread = room.record.place.wants_thread and settings.threads is not Threads.NEVER
        wants_thread = wants_thread and can_have_threads(interaction)
        channel = interaction.channel_id or 0
        place = Place(guild, channel, wants_thread=wants_thread, locale=locale)
    check_can_post(interaction, place)
    await check_all_can_see(interaction, room)
    await move_match(interaction.client.kernel, room.record.id, place)
    await reply.tell(interaction, say(f"answer.{answer}", **describe.facts(room)))


class VoteButton(Item, template=vote_button_pattern(YES, NO, GO_ON, PAUSE, END, WITHDRAW)):
    """Casts a vote for one option. It is under the vote's message and its notifications."""

    @property
    def acknowledgement(self) -> Acknowledgement:
        """Respond by editing the message with the button."""
        return Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Cast the vote, and update its message."""
        match, number = self.fields["match"], int(self.fields["vote"])
        votes, messages = service(interaction, Votes), service(interaction, VoteMessages)
        user, option = interaction.user.id, self.fields["option"]
        await self.room(interaction)
        try:
            await votes.cast(match, number, user, option, interaction.id)
        except Refused:
            vote, pressed_on = await votes.find(match, number), interaction.message
            if not vote.is_open and pressed_on is not None and pressed_on.id != vote.message:
                # Show the result in the notification, which is not updated otherwise.
                await messages.show(match, number, interaction)
            raise
        await messages.show(match, number, interaction)
