"""A seat taken from the lists of /games: in a lobby, in a rematch that was offered, or in a running match."""

from bot.features.games.lists import MINE, TABLES, can_see, show_lines, show_own_matches
from bot.features.lobby.discord import act
from bot.features.lobby.posts import LobbyMessages
from bot.features.seats import Seats, offered_seat
from bot.features.votes.posts import VoteMessages
from bot.features.votes.service import Votes
from bot.kernel.room import Room
from bot.model.clocks import Pace
from bot.runtime.errors import NotFound
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import games_button_id
from bot.ui.names import person
from bot.ui.parts import GOOD, button

SIT = "sit"
"""What the button does of somebody who has read the terms."""


async def join_table(interaction: MotuInteraction, match: str, page: int, knows_terms: bool = False) -> None:
    """Take a seat at a table of this server, or in a rematch that was offered; the list shows the result.

    Somebody who has not seen the lobby's card is first shown the terms about time.
    """
    room = await interaction.client.kernel.matches.find(match)
    is_offered = interaction.user.id in room.record.seating
    if not is_offered and not can_see(interaction, room.record.place):
        raise NotFound(say("refusal.no_match_here"))
    terms = room.record.terms.time
    if terms.pace is not Pace.NONE and not knows_terms:
        sit = button(games_button_id(SIT, page, match), say("games.sit"), GOOD)
        back = button(games_button_id(MINE if is_offered else TABLES, page), say("panel.back"))
        await show_lines(interaction, [describe.time_contract(terms)], [(sit, back)])
    elif room.match is not None:
        await _ask_for_seat(interaction, room)
    else:
        room = await act(interaction, match, "join")
        facts = {"game": describe.title(room), "id": room.record.id, "link": describe.link(room)}
        with reply.answering():
            await show_own_matches(interaction, notice=say("answer.joined", **facts))
            await interaction.client.services.require(LobbyMessages).refresh(room)


async def _ask_for_seat(interaction: MotuInteraction, room: Room) -> None:
    """Ask for a seat that is offered in a match: those who play there decide."""
    services = interaction.client.services
    seat = await offered_seat(interaction, room)
    vote = await services.require(Seats).ask_for(room, person(interaction), seat, interaction.id)
    with reply.answering():
        await services.require(VoteMessages).show(vote.match, vote.number)
        vote = await services.require(Votes).find(vote.match, vote.number)
        link = describe.link_to(room, vote.message)
        await show_own_matches(interaction, notice=say("vote.asked", link=link))
