"""Edits of private messages that follow when more is known, and never overwrite what was shown
since.

A panel is one message that every press edits. What is thought about for long, such as a coach's
advice, may be ready only after its person has pressed on: then it is dropped.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from cachetools import LRUCache

from bot.runtime.errors import BotError
from bot.runtime.tasks import RunningTasks, awaited_task
from bot.ui.client import MotuInteraction
from bot.ui.reply import DISCORD_ERRORS

log = logging.getLogger("motu.panel")

REMEMBERED = 10_000
"""Messages of which the newest press is known."""
EDIT_SECONDS = 2.0
"""How long a press waits for an edit that is on its way to the same message: what is sent later
must arrive later.
"""


class LateEdits:
    """The edits that are being prepared, and the newest press on every message."""

    def __init__(self) -> None:
        self._newest: LRUCache[int, int] = LRUCache(REMEMBERED)
        self._on_their_way: dict[int, asyncio.Future[Any]] = {}
        self.tasks = RunningTasks()

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Drop whatever was to follow earlier presses on the same message; an edit on its way to
        it goes first.
        """
        if interaction.message is None:
            return
        message = interaction.message.id
        self._newest[message] = interaction.id
        if edit := self._on_their_way.get(message):
            await asyncio.wait([edit], timeout=EDIT_SECONDS)

    def is_newest(self, interaction: MotuInteraction, message: int) -> bool:
        """Return whether nothing has been pressed on a message since the interaction that it
        shows.
        """
        return self._newest.get(message, interaction.id) == interaction.id

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Prepare an edit beside everything else. If it fails, the message stays as it is."""

        async def prepare() -> None:
            try:
                await work
            except (BotError, *DISCORD_ERRORS) as error:
                log.info("a panel stays without what was to follow (%s)", type(error).__name__)

        self.tasks.start(prepare(), "late-edit")

    async def edit(
        self, interaction: MotuInteraction, message: int, send: Callable[[], Awaitable[Any]]
    ) -> None:
        """Send the edit, unless something newer was pressed on the message."""
        if not self.is_newest(interaction, message):
            return
        self._on_their_way[message] = edit = awaited_task(send())
        try:
            await edit
        finally:
            self._on_their_way.pop(message, None)
