"""The buttons and menus of a lobby whose press edits the lobby's own message."""

from bot.features.lobby import actions, game_settings
from bot.features.lobby.actions import Action
from bot.features.lobby.controls import MENU_VALUE, lobby_control
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.features.reminders.welcome import with_welcome
from bot.kernel.room import Room
from bot.model.match import Status
from bot.model.stored import MessageKind
from bot.runtime.errors import BotError, Refused
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item
from bot.ui.names import person
from bot.ui.reply import Acknowledgement
from bot.ui.which_match import named
from engine import EngineError, find_game

ACTIONS: dict[str, Action] = {
    "join": actions.join,
    "leave": actions.leave,
    "hints": actions.agree_to_hints,
    "rated": actions.change_rated,
    "start": actions.start,
    "cancel": actions.cancel,
}
SET, SET_SHARED = "set", "more"
"""Menus of one setting of the game, and of several that share a menu."""


class LobbyControl(Item, template=lobby_control("|".join((*ACTIONS, SET, SET_SHARED)))):
    """A button or menu of a lobby."""

    acknowledgement = Acknowledgement.IN_PLACE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Do what was pressed, and edit the lobby's message."""
        match, what = self.fields["match"], self.fields["what"]
        room = await named(interaction, match)
        if not all(MENU_VALUE.fullmatch(value) for value in self.values):
            raise Refused(say("refusal.foreign_choice"))
        messages = interaction.client.services.require(LobbyMessages)
        pressed_on = interaction.message.id if interaction.message is not None else 0
        if pressed_on and not room.record.lobby_message and room.record.status is Status.LOBBY:
            # It was posted, but the bot was stopped before it could note that.
            await interaction.client.kernel.announcements.note_message(match, MessageKind.LOBBY, pressed_on)
        try:
            await self._act(interaction, room)
        except (BotError, EngineError):
            if room.record.status is not Status.LOBBY and pressed_on == room.record.lobby_message:
                # A message that still has buttons does not show yet that the lobby is closed.
                await messages.redraw(match, interaction.edit_original_response)
            raise
        with reply.answering():
            await messages.redraw(match, interaction.edit_original_response)
            if what == "join":
                await self._welcome(interaction)

    async def _act(self, interaction: MotuInteraction, room: Room) -> None:
        match, what = room.record.id, self.fields["what"]
        if what in ACTIONS:
            await ACTIONS[what](interaction, match)
            return
        if not self.values:
            raise Refused(say("refusal.old_lobby_control"))
        key, value = self.fields["key"], self.values[0]
        if what == SET_SHARED:
            key, value = game_settings.coded(find_game(room.record.game), value)
        lobby = interaction.client.services.require(Lobby)
        await lobby.set(match, person(interaction), key, value, interaction.id)

    async def _welcome(self, interaction: MotuInteraction) -> None:
        """Welcome a newcomer privately. That they have joined the lobby shows."""

        async def send(*welcome: str) -> None:
            for line in welcome:
                await interaction.followup.send(line, ephemeral=True, allowed_mentions=reply.NOBODY)

        await with_welcome(interaction, send)
