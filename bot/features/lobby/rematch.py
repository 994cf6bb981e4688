"""The button Rematch, under the last board of a match."""

from msgspec.structs import replace

from bot.features.lobby.actions import start_if_complete
from bot.features.lobby.opening_rules import check_may_open
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.kernel.room import Room
from bot.model.match import Status
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.names import person
from bot.ui.permissions import check_can_post_at
from bot.ui.which_match import named


class RematchButton(Item, template=turn_button("rematch")):
    """Opens a lobby with the same table and calls the others, or takes a chair in the one that is open.

    A rematch begins at once where nobody is awaited any more, or only computers are to sit down again.
    """

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Offer a rematch, or accept it."""
        ended = await named(interaction, self.fields["match"])
        await self._check_may_offer(interaction, ended)
        lobby = interaction.client.services.require(Lobby)
        messages = interaction.client.services.require(LobbyMessages)
        room, is_new = await lobby.rematch(ended.record.id, person(interaction), interaction.id)
        if room.record.status is Status.LOBBY and not room.record.lobby_message:
            room = await messages.make(room.record.id)
            if room.record.status is Status.CANCELLED:
                raise Refused(say("refusal.rematch_place"))
        room = await start_if_complete(interaction, room)
        is_open = room.record.status is Status.LOBBY
        with reply.answering():
            if not is_open or not is_new:
                await messages.refresh(room)
            key = "answer.rematch_open" if is_open else "answer.rematch_begun"
            await reply.tell(interaction, say(key, link=describe.link(room)))

    async def _check_may_offer(self, interaction: MotuInteraction, ended: Room) -> None:
        """Refuse to open a lobby that the server does not want there, or in which the bot could not post."""
        place = ended.record.place
        has_played = ended.seat_of(interaction.user.id) is not None
        if not place.guild or not has_played:
            return
        if await interaction.client.services.require(Lobby).rematch_of(ended.record.id):
            return
        await check_may_open(interaction, place.guild, place.channel)
        check_can_post_at(interaction, replace(place, thread=0))
