"""/game pause, resume, end, remove, replace: what a table decides together, and the buttons under a vote."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.commands.lobby import game, go_on_here, person
from bot.components import ids
from bot.components.items import Asked, VoteItem
from bot.components.parts import GOOD, button, cut
from bot.errors import NotFound, Refused
from bot.leavers import has_left
from bot.matches.ballot import ABSENT, Vote
from bot.matches.pace import Pace
from bot.matches.room import COMPUTER, Room
from bot.matches.seats import ABSENCE, OFFER, TAKE, WITHDRAW, is_free
from bot.text import describe, pace_words, say
from bot.text.names import plain_names
from bot.which_match import Several, must_be_in_server, my_match, my_seat, named, seat_of
from engine import Seat

ASK = "ask"
"""The button with which a newcomer asks for a seat who has read the terms."""


@game.command(name="pause", description=say("command.pause.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def pause(interaction: Asked, match: str | None = None) -> None:
    """The table asked to pause."""
    await propose(interaction, await _mine(interaction, match), "pause")


@game.command(name="resume", description=say("command.resume.description"))
@app_commands.describe(match=say("command.resume.match"))
async def resume(interaction: Asked, match: str | None = None) -> None:
    """The table asked to go on; a match that could not post goes on where the command was used."""
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
    await propose(interaction, await _mine(interaction, match), "end")


@game.command(name="remove", description=say("command.remove.description"))
@app_commands.describe(player=say("command.remove.player"), match=say("command.option.my_match"))
async def remove(interaction: Asked, player: str, match: str | None = None) -> None:
    """The others asked to send somebody away."""
    room = await _mine(interaction, match)
    await propose(interaction, room, "remove", await _about(interaction, room, meant_seat(room, player)))


@game.command(name="replace", description=say("command.replace.description"))
@app_commands.describe(player=say("command.replace.player"), match=say("command.option.match"))
async def replace(interaction: Asked, player: str | None = None, match: str | None = None) -> None:
    """One's own seat offered, an absent player's put to the vote; whoever holds no seat here asks for one."""
    room = await my_match(interaction, match, seated=False, in_turn=False)
    matches, who, own = interaction.client.matches, person(interaction), seat_of(interaction, room)
    room.playing()
    if own is None:
        seat = meant_seat(room, player) if player else await offered_seat(interaction, room)
        if (terms := room.info.terms.time).pace is Pace.NONE:
            await ask_for(interaction, room, seat)
        else:
            # Nobody sits down without having read how much time they have.
            asks = button(ids.turn(room.info.id, ASK, seat), say("vote.sit"), GOOD)
            await reply.tell(interaction, pace_words.contract(terms), [(asks,)])
        return
    seat = meant_seat(room, player) if player else own
    if seat == own or is_free(room, seat):
        await shown(interaction, room, await matches.seats.offer(room, who, seat, interaction.id))
        return
    await propose(interaction, room, ABSENCE, await _about(interaction, room, seat))


async def ask_for(interaction: Asked, room: Room, seat: Seat) -> None:
    """A newcomer asks the table for a seat."""
    if not 0 <= seat < room.playing().seats:
        raise Refused(say("refusal.old_button"))
    vote = await interaction.client.matches.seats.ask_for(room, person(interaction), seat, interaction.id)
    await shown(interaction, room, vote)


async def offered_seat(interaction: Asked, room: Room) -> Seat:
    """The seat that a newcomer can mean without saying so."""
    offers = {vote.facts["subject"] for vote in await interaction.client.matches.votes.open_ones(room.info.id, OFFER)}
    free = {seat for seat in range(room.playing().seats) if is_free(room, Seat(seat))}
    for found in (offers, free):
        if len(found) == 1:
            return Seat(found.pop())
    if not free:
        raise Refused(say("vote.not_offered"))
    raise Refused(say("vote.which_seat", players=describe.players(room)))


async def _about(interaction: Asked, room: Room, seat: Seat) -> dict[str, Any]:
    """The facts of a vote on somebody, with what Discord knows of them."""
    left = await has_left(interaction.client, room, room.info.chairs[seat].id)
    return {"seat": seat, ABSENT: "left"} if left else {"seat": seat}


async def propose(interaction: Asked, room: Room, kind: str, facts: dict[str, Any] | None = None) -> None:
    """Ask the table, and say where."""
    votes, who = interaction.client.matches.votes, person(interaction)
    await shown(interaction, room, await votes.propose(room.info.id, who, kind, facts, interaction.id))


async def shown(interaction: Asked, room: Room, vote: Vote) -> None:
    """Have a vote's message made, and say where it is."""
    with reply.answering():
        await interaction.client.ballots.show(vote.match, vote.number)
        vote = await interaction.client.matches.votes.find(vote.match, vote.number)
        link = describe.link_to(room, vote.message)
        done = "offered" if vote.kind == OFFER else "asked" if vote.is_open else "decided"
        await reply.tell(interaction, say(f"vote.{done}", link=link))


async def pressed(interaction: Asked, item: VoteItem) -> None:
    """A button under a vote was pressed: the message is edited in place."""
    match, number, what = item.fields["match"], int(item.fields["vote"]), item.fields["what"]
    room, matches = await named(interaction, match), interaction.client.matches
    if what == TAKE:
        offer = await matches.votes.find(match, number)
        if not offer.is_open or offer.kind != OFFER:
            raise Refused(say("vote.closed"))
        await ask_for(interaction, room, Seat(offer.facts["subject"]))
        return
    if what == WITHDRAW:
        await matches.votes.withdraw(match, number, interaction.user.id, interaction.id)
    else:
        await _cast(interaction, match, number, what)
    with reply.answering():
        await interaction.client.ballots.show(match, number, interaction)


async def _cast(interaction: Asked, match: str, number: int, option: str) -> None:
    votes = interaction.client.matches.votes
    try:
        await votes.cast(match, number, interaction.user.id, option, interaction.id)
    except Refused:
        vote, pressed_on = await votes.find(match, number), interaction.message
        if not vote.is_open and pressed_on is not None and pressed_on.id != vote.message:
            # A message of its own called to it, and shows the result from now on.
            await interaction.client.ballots.show(match, number, interaction)
        raise


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
    room = await my_match(interaction, match, seated=True, in_turn=False)
    my_seat(interaction, room)
    return room


def meant_seat(room: Room, typed: str) -> Seat:
    """The seat of the player that is named, or of that number from 1."""
    wanted = typed.strip().casefold()
    names = [name.casefold() for name in plain_names(room)]
    # Whoever is away bears a mark that nobody can type.
    for known in (names, [chair.name.casefold() for chair in room.info.chairs]):
        if known.count(wanted) == 1:
            return Seat(known.index(wanted))
    if wanted.isdecimal() and len(wanted) < 3 and 0 < int(wanted) <= len(names):
        return Seat(int(wanted) - 1)
    raise Refused(say("vote.no_such_player", players=describe.players(room)))


@remove.autocomplete("player")
@replace.autocomplete("player")
@completion.quiet
async def _complete_player(interaction: Asked, current: str) -> completion.Choices:
    """The others at the table; computers only where their seats can be meant."""
    room = await my_match(interaction, completion.named_match(interaction), seated=False, in_turn=False)
    wanted, is_removal = current.casefold().strip(), interaction.command is remove
    seats = zip(plain_names(room), room.info.chairs, strict=True)
    not_meant = {interaction.user.id, COMPUTER} if is_removal else {interaction.user.id}
    others = [name for name, chair in seats if chair.id not in not_meant]
    return completion.choices([(cut(name, 100), name) for name in others if wanted in name.casefold()])


completion.offer(completion.matches, "match", pause, resume, end, remove, replace)
