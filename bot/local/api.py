"""One request to the REST API: what its handler needs to know."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.local.body import Body, read
from bot.local.interactions import Interactions
from bot.local.model import Channel, Message, Thread
from bot.local.posting import Posting
from bot.local.refusal import Refusal
from bot.local.state import State

Answer = Any
"""JSON to answer with; None stands for 204 No Content."""


@dataclass(frozen=True)
class Call:
    """A request with the server's parts at hand."""

    request: web.Request
    state: State
    posting: Posting
    interactions: Interactions

    async def body(self) -> Body:
        """What was sent."""
        return await read(self.request)

    def number(self, name: str) -> int:
        """An id of the path."""
        text = self.request.match_info[name]
        if text == "@me":
            return self.state.bot.id
        if not text.isdecimal():
            raise Refusal(50035, errors={name: {"_errors": [_not_snowflake(text)]}})
        return int(text)

    def guild(self) -> int:
        """The server of the path, which can only be the one there is."""
        if self.number("guild") != self.state.guild:
            raise Refusal(10004)
        return self.state.guild

    def channel(self) -> Channel:
        """The channel or thread of the path, if the bot can see it."""
        found = self.state.channel(self.number("channel"))
        self.state.require(found)
        return found

    def thread(self) -> Thread:
        """The thread of the path."""
        found = self.channel()
        if not isinstance(found, Thread):
            raise Refusal(50024)
        return found

    def message(self) -> Message:
        """The message of the path."""
        return self.state.message(self.channel(), self.number("message"))


def _not_snowflake(text: str) -> dict[str, str]:
    return {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text}" is not snowflake.'}


Route = tuple[str, str, Callable[[Call], Awaitable[Answer]]]
"""Method, path below /api/v10, handler."""
