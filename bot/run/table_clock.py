"""The bot's clock at the local table: it is moved when somebody there moves theirs."""

import asyncio

import aiohttp

from bot.runtime.clock import Clock

AGAIN = 1.0
"""Seconds before a local Discord that does not answer is asked again."""
ANSWER = aiohttp.ClientTimeout(total=None, sock_connect=10)
"""It answers when its clock is moved, which may be never."""


class TableClock(Clock):
    """A clock that is moved when somebody at the local table moves theirs."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__()
        self._url = f"{url}/clock"
        self._token = token
        self._known = ""
        """What the local Discord last said.

        It answers once that is not true any more, at first at once.
        """

    async def ask(self) -> bool:
        """Ask where the table's clock is; return False if it cannot be asked."""
        try:
            async with (
                aiohttp.ClientSession(timeout=ANSWER) as session,
                session.get(
                    self._url, params={"token": self._token, "ahead": self._known}
                ) as answer,
            ):
                answer.raise_for_status()
                self._known = await answer.text()
                self.move_to(float(self._known))
                return True
        except (aiohttp.ClientError, OSError, ValueError):
            return False

    async def follow(self) -> None:
        """Follow every move of the table's clock, for ever."""
        while True:
            if not await self.ask():
                await asyncio.sleep(AGAIN)
