"""The button Add computer: its host adds, changes and removes the computers of a lobby, in a private message."""

from msgspec.structs import replace

from bot.features.lobby.controls import lobby_control, lobby_control_id
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.kernel.room import Room
from bot.model.match import COMPUTER
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.names import person, person_name
from bot.ui.parts import STRONG, Menu, Row, button, choice
from bot.ui.which_match import named
from engine import Seat, find_game
from engine.players import LEVELS, Level

OPEN, ADD, CHANGE, STAND_IN = "computer", "add_computer", "computers", "stand_in"
"""What the controls do: open the message, add a computer, change one, choose how seats are played on."""
REMOVE = "remove"


class ComputerControl(Item, template=lobby_control(f"{OPEN}|{ADD}|{CHANGE}|{STAND_IN}")):
    """The button Add computer, or a control of the private message that it opens."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Change the computers of the lobby, and show them to its host."""
        room = await named(interaction, self.fields["match"])
        if interaction.user.id != room.record.host:
            raise Refused(say("refusal.host_add_computer"))
        is_change = self.fields["what"] != OPEN
        if is_change:
            room = await self._change(interaction, room)
        with reply.answering():
            await reply.show(interaction, _explanation(), _rows(room))
            if is_change:
                await interaction.client.services.require(LobbyMessages).refresh(room)

    async def _change(self, interaction: MotuInteraction, room: Room) -> Room:
        lobby = interaction.client.services.require(Lobby)
        match, by, what = room.record.id, person(interaction), self.fields["what"]
        given = self.values[0] if self.values else self.fields["key"]
        if what == ADD:
            return await lobby.add_computer(match, by, interaction.id, as_level(given))
        if what == STAND_IN:
            terms = replace(room.record.terms, stand_in=as_level(given))
            return await lobby.set_terms(match, by, terms, interaction.id)
        number, _, level = given.partition("_")
        seat = Seat(int(number)) if number.isdecimal() and len(number) < 3 else Seat(-1)
        if level == REMOVE:
            return await lobby.remove_computer(match, by, seat, interaction.id)
        return await lobby.set_level(match, by, seat, as_level(level), interaction.id)


def as_level(given: str) -> Level:
    """Return the level of a name; refuse if there is none."""
    for level in LEVELS:
        if level == given:
            return level
    raise Refused(say("refusal.foreign_choice"))


def _level_name(level: Level) -> str:
    return say(f"level.{level}")


def _explanation() -> str:
    levels = [say("computers.level", level=_level_name(level), how=say(f"level.how_{level}")) for level in LEVELS]
    return "\n".join((say("computers.question"), *levels, say("computers.honest")))


def _rows(room: Room) -> list[Row]:
    record = room.record
    rows: list[Row] = []
    if len(record.chairs) < find_game(record.game).seats[-1]:
        rows.append(
            tuple(
                button(lobby_control_id(record.id, ADD, level), say("computers.add", level=_level_name(level)), STRONG)
                for level in LEVELS
            )
        )
    computers = [(seat, chair) for seat, chair in enumerate(record.chairs) if chair.id == COMPUTER]
    if computers:
        changes = [
            choice(f"{seat}_{level}", say("computers.change", name=person_name(chair), level=_level_name(level)))
            for seat, chair in computers
            for level in LEVELS
            if level != chair.level
        ]
        removals = [
            choice(f"{seat}_{REMOVE}", say("computers.remove", name=person_name(chair))) for seat, chair in computers
        ]
        rows.append(Menu(lobby_control_id(record.id, CHANGE), say("computers.menu"), (*changes, *removals)))
    stand_ins = tuple(
        choice(level, say("computers.stand_in", level=_level_name(level)), chosen=level == record.terms.stand_in)
        for level in LEVELS
    )
    rows.append(Menu(lobby_control_id(record.id, STAND_IN), say("computers.stand_ins"), stand_ins))
    return rows
