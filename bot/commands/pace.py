"""/game pace: how much time everybody has, shown, chosen in a lobby or put to the vote; and a seat that is claimed."""

from discord import app_commands
from msgspec.structs import replace

from bot import reply
from bot.commands import completion, lobby_time, votes
from bot.commands.lobby import game, person
from bot.components.items import Asked
from bot.components.parts import cut
from bot.errors import NotFound, Refused
from bot.matches.pace import Expiry, Pace, TimeTerms
from bot.matches.room import Room, Status
from bot.matches.time_votes import facts_of
from bot.matches.zones import like_zone, read_zone
from bot.text import describe, pace_words, say
from bot.which_match import Several, my_match, my_seat, named
from engine import Seat


@game.command(name="pace", description=say("command.pace.description"))
@app_commands.describe(
    pace=say("command.pace.pace"),
    expiry=say("command.pace.expiry"),
    weekends=say("command.pace.weekends"),
    match=say("command.option.match"),
)
@app_commands.choices(
    pace=[app_commands.Choice(name=pace_words.name(pace), value=pace.value) for pace in Pace],
    expiry=[app_commands.Choice(name=say(f"pace.expiry_{expiry}"), value=expiry.value) for expiry in Expiry],
)
@app_commands.rename(expiry="time_up")
async def command(
    interaction: Asked,
    pace: str | None = None,
    expiry: str | None = None,
    weekends: str | None = None,
    match: str | None = None,
) -> None:
    """The terms shown; with something to change, chosen by the host of a lobby or put to the vote of a table."""
    room = await _meant(interaction, match)
    terms = _wanted(room.info.terms.time, pace, expiry, weekends)
    if terms == room.info.terms.time:
        if (pace, expiry, weekends) != (None, None, None):
            raise Refused(say("pace.nothing_new"))
        await lobby_time.show(interaction, room)
    elif room.info.status is Status.LOBBY:
        room = await lobby_time.choose(interaction, room, person(interaction), terms)
        with reply.answering():
            facts = {"game": describe.title(room), "id": room.info.id, "contract": pace_words.contract(terms)}
            await reply.tell(interaction, say("pace.set", **facts))
            await interaction.client.lobbies.refresh(room)
            await interaction.client.lobbies.terms_changed(room)
    else:
        await votes.propose(interaction, room, "pace", facts_of(terms))


async def claimed(interaction: Asked, room: Room, seat: int) -> None:
    """Claim the seat was pressed: the others are asked."""
    my_seat(interaction, room)
    await votes.propose(interaction, room, "claim", {"seat": Seat(seat)})


def _wanted(terms: TimeTerms, pace: str | None, expiry: str | None, weekends: str | None) -> TimeTerms:
    """The terms with what was given of them."""
    try:
        terms = replace(terms, pace=Pace(pace)) if pace is not None else terms
        terms = replace(terms, expiry=Expiry(expiry)) if expiry is not None else terms
    except ValueError:
        raise Refused(say("refusal.foreign_choice")) from None
    if weekends is None:
        return terms
    is_none = weekends.strip().casefold() in say("pace.words_for_none").split()
    return replace(terms, weekends="" if is_none else read_zone(weekends))


async def _meant(interaction: Asked, match: str | None) -> Room:
    """The match named or meant here; the lobby here, if no match is."""
    if match:
        return await named(interaction, match)
    here = await interaction.client.matches.here(interaction.channel_id or 0)
    lobbies = [room for room in here if room.info.status is Status.LOBBY and room.info.lobby_message]
    try:
        return await my_match(interaction, None, seated=False, in_turn=False)
    except NotFound:
        if len(lobbies) > 1:
            raise Several(say("refusal.several_lobbies"), lobbies) from None
        if not lobbies:
            raise
        return lobbies[0]


@command.autocomplete("weekends")
@completion.quiet
async def _complete_weekends(interaction: Asked, current: str) -> completion.Choices:
    wanted = current.casefold().strip()
    none = say("pace.words_for_none").split()[0]
    counted = [(say("pace.weekends_on"), none)] if not wanted or none.startswith(wanted) else []
    zones = [(cut(say("pace.weekends_off", zone=zone), 100), zone) for zone in like_zone(current)]
    return completion.choices([*counted, *zones])


completion.offer(completion.matches, "match", command)
