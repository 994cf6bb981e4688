"""/game replace: a seat offered, or asked for."""

from discord import app_commands

from bot.features.seats.service import ABSENCE, OFFER, Seats, is_free
from bot.features.votes import commands as votes
from bot.features.votes.service import Votes
from bot.kernel.room import Room
from bot.model.clocks import Pace
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import turn_button_id
from bot.ui.names import person
from bot.ui.parts import GOOD, button
from bot.ui.which_match import my_match, seat_of
from engine import Seat

ASK = "ask"
"""The button with which a newcomer who has read the terms asks for a seat."""


@app_commands.command(name="replace", description=say("command.replace.description"))
@app_commands.describe(player=say("command.replace.player"), match=say("command.option.match"))
async def replace(interaction: MotuInteraction, player: str | None = None, match: str | None = None) -> None:
    """Offer one's own seat, or ask the table about an absent player's; without a seat here, ask for one."""
    room = await my_match(interaction, match, seated=False, in_turn=False)
    own = seat_of(interaction, room)
    room.playing()
    seats = interaction.client.services.require(Seats)
    if own is None:
        seat = votes.named_seat(room, player) if player else await offered_seat(interaction, room)
        terms = room.record.terms.time
        if terms.pace is Pace.NONE:
            await ask_for(interaction, room, seat)
            return
        # Nobody sits down without having read how much time they have.
        ask = button(turn_button_id(room.record.id, ASK, seat), say("vote.sit"), GOOD)
        await reply.tell(interaction, describe.time_contract(terms), [(ask,)])
        return
    seat = votes.named_seat(room, player) if player else own
    if seat == own or is_free(room, seat):
        vote = await seats.offer(room, person(interaction), seat, interaction.id)
        await votes.answer_with_link(interaction, room, vote)
    else:
        facts = await votes.facts_about(interaction, room, seat)
        await votes.propose(interaction, room, ABSENCE, facts)


async def ask_for(interaction: MotuInteraction, room: Room, seat: Seat) -> None:
    """Ask the table for a seat, on behalf of a newcomer."""
    if not 0 <= seat < room.playing().seats:
        raise Refused(say("refusal.old_button"))
    seats = interaction.client.services.require(Seats)
    vote = await seats.ask_for(room, person(interaction), seat, interaction.id)
    await votes.answer_with_link(interaction, room, vote)


async def offered_seat(interaction: MotuInteraction, room: Room) -> Seat:
    """Return the seat that a newcomer means who has named none: the only one on offer, or the only free one."""
    open_offers = await interaction.client.services.require(Votes).open_ones(room.record.id, OFFER)
    offered = {vote.facts["subject"] for vote in open_offers}
    free = {seat for seat in range(room.playing().seats) if is_free(room, Seat(seat))}
    for found in (offered, free):
        if len(found) == 1:
            return Seat(found.pop())
    if not free:
        raise Refused(say("vote.not_offered"))
    raise Refused(say("vote.which_seat", players=describe.players(room)))


@replace.autocomplete("player")
@completion.quiet
async def _complete_player(interaction: MotuInteraction, current: str) -> completion.Choices:
    return await votes.other_players(interaction, current, with_computers=True)


completion.offer(completion.matches, "match", replace)
