"""The computers of a lobby: Add computer asks its host privately how well it shall play, and changes what is there."""

from msgspec.structs import replace

from bot import reply
from bot.components import ids
from bot.components.items import Asked, LobbyItem
from bot.components.parts import STRONG, Menu, Row, button, choice
from bot.errors import Refused
from bot.matches.room import COMPUTER, Person, Room
from bot.text import say
from bot.text.names import person_name
from bot.which_match import named
from engine import Seat, find_game
from engine.players import LEVELS, Level

OPEN, ADD, CHANGE, STAND_IN = "computer", "add_computer", "computers", "stand_in"
CONTROLS = frozenset({OPEN, ADD, CHANGE, STAND_IN})
"""What a lobby's control does, if it concerns computers."""
REMOVE = "remove"


async def pressed(interaction: Asked, item: LobbyItem, by: Person) -> None:
    """One of these controls was pressed; the answer is the host's alone, and the lobby's message follows."""
    room = await named(interaction, item.fields["match"])
    if by.id != room.info.host:
        raise Refused(say("refusal.host_add_computer"))
    what = item.fields["what"]
    given = item.values[0] if item.values else item.fields.get("key") or ""
    if what != OPEN:
        room = await _change(interaction, room, what, given, by)
    with reply.answering():
        await reply.show(interaction, _words(), _rows(room))
        if what != OPEN:
            await interaction.client.lobbies.refresh(room)


async def _change(interaction: Asked, room: Room, what: str, given: str, by: Person) -> Room:
    matches, match = interaction.client.matches, room.info.id
    if what == ADD:
        return await matches.add_computer(match, by, interaction.id, as_level(given))
    if what == STAND_IN:
        return await matches.set_terms(match, by, replace(room.info.terms, stand_in=as_level(given)), interaction.id)
    number, _, level = given.partition("_")
    seat = Seat(int(number)) if number.isdecimal() and len(number) < 3 else Seat(-1)
    if level == REMOVE:
        return await matches.remove_computer(match, by, seat, interaction.id)
    return await matches.set_level(match, by, seat, as_level(level), interaction.id)


def as_level(given: str) -> Level:
    """A level by its name; refused if there is none of that name."""
    for level in LEVELS:
        if level == given:
            return level
    raise Refused(say("refusal.foreign_choice"))


def _words() -> str:
    levels = [say("computers.level", level=say(f"level.{level}"), how=say(f"level.how_{level}")) for level in LEVELS]
    return "\n".join((say("computers.question"), *levels, say("computers.honest")))


def _rows(room: Room) -> list[Row]:
    info = room.info
    rows: list[Row] = []
    if len(info.chairs) < find_game(info.game).seats[-1]:
        rows.append(
            tuple(
                button(ids.lobby(info.id, ADD, level), say("computers.add", level=say(f"level.{level}")), STRONG)
                for level in LEVELS
            )
        )
    there = [(seat, person) for seat, person in enumerate(info.chairs) if person.id == COMPUTER]
    if there:
        changes = [
            choice(f"{seat}_{level}", say("computers.change", name=person_name(person), level=say(f"level.{level}")))
            for seat, person in there
            for level in LEVELS
            if level != person.level
        ]
        changes += [
            choice(f"{seat}_{REMOVE}", say("computers.remove", name=person_name(person))) for seat, person in there
        ]
        rows.append(Menu(ids.lobby(info.id, CHANGE), say("computers.menu"), tuple(changes)))
    lines = tuple(
        choice(level, say("computers.stand_in", level=say(f"level.{level}")), chosen=level == info.terms.stand_in)
        for level in LEVELS
    )
    return [*rows, Menu(ids.lobby(info.id, STAND_IN), say("computers.stand_ins"), lines)]
