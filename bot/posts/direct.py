"""The living message of a solo match in a direct message.

Nobody but its player reads a direct message. So there the public board and the private panel are
one message: picture, news, question and choices. The play feature makes it (`DirectBoards`,
implemented in features/play/boards.py), the outbox sends and edits it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import discord

from bot.kernel.room import Post, Room
from bot.posts.turn_message import Message
from bot.ui import MotuClient, Part, Picture, custom_ids, layout_of, make_files


class DirectBoards(ABC):
    """Makes the living messages. Without this service, direct messages get ordinary posts."""

    @abstractmethod
    async def make(self, post: Post) -> tuple[Message, list[Picture | None]]:
        """Return the message for a post, with its pictures. It shows the match as it is now."""

    @abstractmethod
    def show_draft(self, room: Room) -> None:
        """Show in the living message what its player has drafted elsewhere, such as by command."""

    @abstractmethod
    def on_shown(self, room: Room, message: int) -> None:
        """Add what takes longer, such as a coach's advice, to a message just sent or edited.

        Called for every post of a match; in a server nothing may be added.
        """


def is_direct(room: Room) -> bool:
    """Whether a match is played by one person in their direct messages."""
    return not room.record.place.guild and room.is_solo and bool(room.players)


def is_board_of(message: discord.Message, match_id: str) -> bool:
    """Whether a message is a living message of this match."""
    is_of_match = any(f":{match_id}:" in custom_id for custom_id in custom_ids(message))
    return message.flags.components_v2 and is_of_match


async def edit_board(
    client: MotuClient,
    room: Room,
    message: int,
    parts: Sequence[Part],
    pictures: Sequence[Picture | None] = (),
) -> discord.Message:
    """Replace a message in the direct messages; one that was plain becomes a layout."""
    files = make_files(pictures)
    board = client.channel_of(room.record.place).get_partial_message(message)
    return await board.edit(
        # A layout has neither, and Discord refuses to turn a message into one that keeps them.
        content=None,
        embeds=[],
        attachments=files,
        view=layout_of(parts, files),
    )
