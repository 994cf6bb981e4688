"""Boards drawn before anybody asks for one."""

import logging

from bot.kernel import queries
from bot.runtime.errors import BotError
from bot.ui import describe
from bot.ui.client import MotuClient
from bot.ui.names import plain_names
from engine import EngineError

log = logging.getLogger("motu")

WARM_UP_BOARDS = 16
"""How many kinds of matches get their board drawn at the start."""


async def warm_up(client: MotuClient) -> None:
    """Draw a board of each kind being played: the first of a kind takes a second, and nobody waits yet."""
    await client.pictures.warm()
    try:
        for room in await client.kernel.matches.select(
            queries.distinct_board_samples, WARM_UP_BOARDS, own=client.kernel.store.own
        ):
            news = await client.kernel.announcements.news(room, None)
            scene = describe.scene(room, news, None)
            await client.pictures.board(room.playing().view(None), plain_names(room), **scene)
    except (BotError, EngineError) as error:
        if not client.is_ending:
            log.info("not all boards are drawn beforehand: %s", type(error).__name__)
