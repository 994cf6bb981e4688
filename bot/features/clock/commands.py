"""/game pace: how much time everybody has, shown, chosen in a lobby or put to the vote."""

from abc import ABC, abstractmethod

from discord import app_commands
from msgspec.structs import replace

from bot.features.clock.messages import terms_text
from bot.features.clock.votes import facts_of
from bot.features.votes import discord as votes
from bot.kernel.room import Room
from bot.kernel.zones import like_zone, read_zone
from bot.model.clocks import Expiry, Pace, TimeTerms
from bot.model.match import Status
from bot.runtime.errors import NotFound, Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.parts import CHOICE_TEXT, cut
from bot.ui.which_match import Several, my_match, named


class LobbyTerms(ABC):
    """Shows and changes the terms about time of a lobby: implemented by the feature that has lobbies."""

    @abstractmethod
    async def show(self, interaction: MotuInteraction, room: Room) -> None:
        """Show the terms; to the host with the menus to change them."""

    @abstractmethod
    async def change(self, interaction: MotuInteraction, room: Room, terms: TimeTerms) -> None:
        """Change the terms for the host, say so, and tell those who sat down on other ones."""


@app_commands.command(name="pace", description=say("command.pace.description"))
@app_commands.describe(
    pace=say("command.pace.pace"),
    expiry=say("command.pace.expiry"),
    weekends=say("command.pace.weekends"),
    match=say("command.option.match"),
)
@app_commands.choices(
    pace=[app_commands.Choice(name=describe.pace_name(pace), value=pace.value) for pace in Pace],
    expiry=[app_commands.Choice(name=say(f"pace.expiry_{expiry}"), value=expiry.value) for expiry in Expiry],
)
@app_commands.rename(expiry="time_up")
async def pace(
    interaction: MotuInteraction,
    pace: str | None = None,
    expiry: str | None = None,
    weekends: str | None = None,
    match: str | None = None,
) -> None:
    """Show the terms, or change them: in a lobby for its host, in a running match by vote."""
    room = await _meant_match(interaction, match)
    terms = _wanted_terms(room.record.terms.time, pace, expiry, weekends)
    is_lobby, services = room.record.status is Status.LOBBY, interaction.client.services
    if terms != room.record.terms.time:
        if is_lobby:
            await services.require(LobbyTerms).change(interaction, room, terms)
        else:
            await votes.propose(interaction, room, "pace", facts_of(terms))
        return
    if (pace, expiry, weekends) != (None, None, None):
        raise Refused(say("pace.nothing_new"))
    if is_lobby:
        await services.require(LobbyTerms).show(interaction, room)
    else:
        await reply.show(interaction, terms_text(room, interaction.client.kernel.clocks))


def _wanted_terms(terms: TimeTerms, pace: str | None, expiry: str | None, weekends: str | None) -> TimeTerms:
    """Return the terms with the options that were given."""
    try:
        if pace is not None:
            terms = replace(terms, pace=Pace(pace))
        if expiry is not None:
            terms = replace(terms, expiry=Expiry(expiry))
    except ValueError:
        raise Refused(say("refusal.foreign_choice")) from None
    if weekends is None:
        return terms
    is_none = weekends.strip().casefold() in say("pace.words_for_none").split()
    return replace(terms, weekends="" if is_none else read_zone(weekends))


async def _meant_match(interaction: MotuInteraction, match: str | None) -> Room:
    """Return the match that is named or meant here; the lobby here, if no match is."""
    if match:
        return await named(interaction, match)
    here = await interaction.client.kernel.matches.here(interaction.channel_id or 0)
    lobbies = [room for room in here if room.record.status is Status.LOBBY and room.record.lobby_message]
    try:
        return await my_match(interaction, None, seated=False, in_turn=False)
    except NotFound:
        if len(lobbies) > 1:
            raise Several(say("refusal.several_lobbies"), lobbies) from None
        if not lobbies:
            raise
        return lobbies[0]


@pace.autocomplete("weekends")
@completion.quiet
async def _complete_weekends(interaction: MotuInteraction, current: str) -> completion.Choices:
    wanted = current.casefold().strip()
    none = say("pace.words_for_none").split()[0]
    counted = [(say("pace.weekends_on"), none)] if not wanted or none.startswith(wanted) else []
    zones = [(cut(say("pace.weekends_off", zone=zone), CHOICE_TEXT), zone) for zone in like_zone(current)]
    return completion.choices([*counted, *zones])


completion.offer(completion.matches, "match", pace)
