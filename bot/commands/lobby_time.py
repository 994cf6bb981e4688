"""The time of a table in its lobby: the button Time… shows its terms, and its host the menus to change them."""

from msgspec.structs import replace

from bot import reply
from bot.clock import HOUR
from bot.components import ids
from bot.components.items import Asked, LobbyItem
from bot.components.parts import CHOICES, Menu, Row, choice
from bot.errors import Refused
from bot.matches.pace import GRANTS, Expiry, Pace, TimeTerms
from bot.matches.room import Person, Room, Status
from bot.matches.zones import USUAL_ZONES
from bot.text import pace_words, say
from bot.text.names import marked_names
from bot.which_match import named

OPEN, PACE, EXPIRY, WEEKENDS = "time", "time_pace", "time_expiry", "time_weekends"
CONTROLS = frozenset({OPEN, PACE, EXPIRY, WEEKENDS})
"""What a lobby's control does, if it concerns time."""
NO_WEEKENDS = "none"


async def pressed(interaction: Asked, item: LobbyItem, by: Person) -> None:
    """One of these controls was pressed; the answer is private, and the lobby's message follows."""
    room = await named(interaction, item.fields["match"])
    what = item.fields["what"]
    if what != OPEN:
        value = item.values[0] if item.values else ""
        terms = chosen(room.info.terms.time, what, value, await _own_zone(interaction))
        room = await choose(interaction, room, by, terms)
    with reply.answering():
        await show(interaction, room)
        if what != OPEN:
            await interaction.client.lobbies.refresh(room)
            await interaction.client.lobbies.terms_changed(room)


async def show(interaction: Asked, room: Room) -> None:
    """The terms as they are; to the host of a lobby with the menus to change them."""
    is_hosts = room.info.status is Status.LOBBY and interaction.user.id == room.info.host
    lines = [say("pace.question")] if is_hosts else []
    lines += [pace_words.contract(room.info.terms.time), *_left(interaction, room)]
    await reply.show(interaction, "\n".join(lines), _rows(room, await _own_zone(interaction)) if is_hosts else [])


async def _own_zone(interaction: Asked) -> str:
    """The time zone that the asker has chosen for themselves."""
    return (await interaction.client.matches.pings.settings.of(interaction.user.id)).zone


def _left(interaction: Asked, room: Room) -> list[str]:
    """How much time everybody has in a running match."""
    clocks, lines = interaction.client.matches.clocks, []
    for seat in room.match.humans() if room.match and not room.is_over else ():
        left, deadline = clocks.left(room, seat), clocks.deadline(room, seat)
        if left is not None:
            if deadline is None and left <= 0:
                # Their next turn begins with that much.
                left = GRANTS[room.info.clocks.pace].increment
            facts = {"seat": seat, "hours": max(0, left) // HOUR, "at": deadline}
            lines.append(say("pace.left" if left > 0 else "pace.overdue", marked_names(room), **facts))
    return lines


async def choose(interaction: Asked, room: Room, by: Person, terms: TimeTerms) -> Room:
    """Other terms for a lobby; its host's to choose."""
    after = replace(room.info.terms, time=terms)
    return await interaction.client.matches.set_terms(room.info.id, by, after, interaction.id)


def chosen(terms: TimeTerms, what: str, value: str, own_zone: str) -> TimeTerms:
    """The terms with what a menu said; refused if it was not offered."""
    try:
        if what == PACE:
            return replace(terms, pace=Pace(value))
        if what == EXPIRY:
            return replace(terms, expiry=Expiry(value))
        return replace(terms, weekends={key_of(zone): zone for zone in _zones(terms, own_zone)}[value])
    except (KeyError, ValueError):
        raise Refused(say("refusal.foreign_choice")) from None


def _zones(terms: TimeTerms, own_zone: str) -> list[str]:
    """The time zones that are offered for weekends off, '' for none; the host's own first."""
    return list(dict.fromkeys(("", terms.weekends, own_zone, *USUAL_ZONES)))[:CHOICES]


def _rows(room: Room, own_zone: str) -> list[Row]:
    match, terms = room.info.id, room.info.terms.time
    paces = tuple(
        choice(pace, say("pace.choice", pace=pace_words.name(pace)), pace_words.grants(pace), pace is terms.pace)
        for pace in Pace
    )
    rows: list[Row] = [Menu(ids.lobby(match, PACE), say("pace.menu"), paces)]
    if terms.pace is Pace.NONE:
        return rows
    expiries = tuple(
        choice(expiry, say(f"pace.expiry_{expiry}"), pace_words.expiry(expiry), expiry is terms.expiry)
        for expiry in Expiry
    )
    zones = _zones(terms, own_zone)
    weekends = tuple(choice(key_of(zone), _weekends(zone), chosen=zone == terms.weekends) for zone in zones)
    return [
        *rows,
        Menu(ids.lobby(match, EXPIRY), say("pace.expiry_menu"), expiries),
        Menu(ids.lobby(match, WEEKENDS), say("pace.weekends_menu"), weekends),
    ]


def key_of(zone: str) -> str:
    """A time zone as the value of a menu."""
    return zone.lower().replace("/", "-") or NO_WEEKENDS


def _weekends(zone: str) -> str:
    return say("pace.weekends_off", zone=pace_words.zone_name(zone)) if zone else say("pace.weekends_on")
