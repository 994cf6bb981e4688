"""The button Time…: the table's terms about time, with menus for the host of a lobby to change them."""

from msgspec.structs import replace

from bot.features.clock.commands import LobbyTerms
from bot.features.clock.messages import terms_text
from bot.features.lobby.controls import lobby_control, lobby_control_id
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.lobby.terms_notices import TermsNotices
from bot.features.reminders.service import Reminders
from bot.kernel.room import Room
from bot.kernel.zones import USUAL_ZONES
from bot.model.clocks import Expiry, Pace, TimeTerms
from bot.model.match import Status
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.names import person
from bot.ui.parts import CHOICES, Menu, Row, choice
from bot.ui.which_match import named

OPEN, PACE, EXPIRY, WEEKENDS = "time", "time_pace", "time_expiry", "time_weekends"
"""What the controls do: show the terms, or change one of them."""
NO_WEEKENDS = "none"


class TimeControl(Item, template=lobby_control(f"{OPEN}|{PACE}|{EXPIRY}|{WEEKENDS}")):
    """The button Time…, or a menu of the private message that it opens."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change the terms, and show them."""
        room = await named(interaction, self.fields["match"])
        what = self.fields["what"]
        if what == OPEN:
            await show_terms(interaction, room)
            return
        value = self.values[0] if self.values else ""
        terms = read_choice(room.record.terms.time, what, value, await _own_zone(interaction))
        room = await set_time(interaction, room, terms)
        with reply.answering():
            await show_terms(interaction, room)
            await tell_table(interaction, room)


async def show_terms(interaction: MotuInteraction, room: Room) -> None:
    """Show the terms; to the host of a lobby with the menus to change them."""
    is_host = room.record.status is Status.LOBBY and interaction.user.id == room.record.host
    terms = terms_text(room, interaction.client.kernel.clocks)
    if not is_host:
        await reply.show(interaction, terms)
        return
    await reply.show(interaction, f"{say('pace.question')}\n{terms}", _menus(room, await _own_zone(interaction)))


async def set_time(interaction: MotuInteraction, room: Room, terms: TimeTerms) -> Room:
    """Change the terms about time of a lobby; for its host."""
    lobby = interaction.client.services.require(Lobby)
    after = replace(room.record.terms, time=terms)
    return await lobby.set_terms(room.record.id, person(interaction), after, interaction.id)


async def tell_table(interaction: MotuInteraction, room: Room) -> None:
    """Show changed terms on the lobby's card, and tell those who sat down on other ones."""
    await interaction.client.services.require(LobbyMessages).refresh(room)
    await interaction.client.services.require(TermsNotices).tell(room)


def read_choice(terms: TimeTerms, what: str, value: str, own_zone: str) -> TimeTerms:
    """Return the terms with what was chosen in a menu; refuse what was not offered."""
    try:
        if what == PACE:
            return replace(terms, pace=Pace(value))
        if what == EXPIRY:
            return replace(terms, expiry=Expiry(value))
        zones = {zone_key(zone): zone for zone in _zones(terms, own_zone)}
        return replace(terms, weekends=zones[value])
    except (KeyError, ValueError):
        raise Refused(say("refusal.foreign_choice")) from None


def zone_key(zone: str) -> str:
    """Return a time zone as the value of a menu."""
    return zone.lower().replace("/", "-") or NO_WEEKENDS


async def _own_zone(interaction: MotuInteraction) -> str:
    """Return the time zone that the user has chosen for themselves."""
    settings = await interaction.client.services.require(Reminders).settings.of(interaction.user.id)
    return settings.zone


def _zones(terms: TimeTerms, own_zone: str) -> list[str]:
    """Return the time zones that are offered for weekends off, '' for none; the host's own first."""
    return list(dict.fromkeys(("", terms.weekends, own_zone, *USUAL_ZONES)))[:CHOICES]


def _menus(room: Room, own_zone: str) -> list[Row]:
    match, terms = room.record.id, room.record.terms.time
    paces = tuple(
        choice(pace, say("pace.choice", pace=describe.pace_name(pace)), describe.pace_grants(pace), pace is terms.pace)
        for pace in Pace
    )
    menus: list[Row] = [Menu(lobby_control_id(match, PACE), say("pace.menu"), paces)]
    if terms.pace is Pace.NONE:
        return menus
    expiries = tuple(
        choice(expiry, say(f"pace.expiry_{expiry}"), describe.expiry(expiry), expiry is terms.expiry)
        for expiry in Expiry
    )
    weekends = tuple(
        choice(zone_key(zone), _weekends_label(zone), chosen=zone == terms.weekends) for zone in _zones(terms, own_zone)
    )
    menus.append(Menu(lobby_control_id(match, EXPIRY), say("pace.expiry_menu"), expiries))
    menus.append(Menu(lobby_control_id(match, WEEKENDS), say("pace.weekends_menu"), weekends))
    return menus


def _weekends_label(zone: str) -> str:
    if not zone:
        return say("pace.weekends_on")
    return say("pace.weekends_off", zone=describe.zone_name(zone))


class TermsOfLobbies(LobbyTerms):
    """What `/game pace` does in a lobby."""

    async def show(self, interaction: MotuInteraction, room: Room) -> None:
        """Show the terms; to the host with the menus to change them."""
        await show_terms(interaction, room)

    async def change(self, interaction: MotuInteraction, room: Room, terms: TimeTerms) -> None:
        """Change the terms for the host, say so, and tell those who sat down on other ones."""
        room = await set_time(interaction, room, terms)
        with reply.answering():
            facts = {"game": describe.title(room), "id": room.record.id}
            await reply.tell(interaction, say("pace.set", contract=describe.time_contract(terms), **facts))
            await tell_table(interaction, room)
