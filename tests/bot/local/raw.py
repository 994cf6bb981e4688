"""A client that sends exactly the given requests to the local Discord."""

import io
import json
from typing import Any

import aiohttp

from bot.local import LocalDiscord, ManualClock, Response
from bot.local.model import Channel

Json = dict[str, Any]


class Raw:
    """A bare HTTP client with a bot token."""

    def __init__(
        self, discord: LocalDiscord, clock: ManualClock, session: aiohttp.ClientSession
    ) -> None:
        self.discord, self.clock, self.session = discord, clock, session

    async def call(
        self, method: str, path: str, body: Any = None, files: dict[str, bytes] | None = None
    ) -> Any:
        """Send a request; return the status and JSON of the response, with its files by name."""
        headers = {"Authorization": f"Bot {self.discord.token}"}
        data: Any = json.dumps(body)
        if files is not None:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body))
            for name, content in files.items():
                data.add_field(
                    name,
                    io.BytesIO(content),
                    filename="f.bin",
                    content_type="application/octet-stream",
                )
        else:
            headers["Content-Type"] = "application/json"
        url = f"{self.discord.url}/api/v10{path}"
        async with self.session.request(method, url, data=data, headers=headers) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def refused(
        self, method: str, path: str, body: Any = None, files: dict[str, bytes] | None = None
    ) -> Any:
        """Send a request that must be refused; return the status and the error code."""
        status, answer = await self.call(method, path, body, files)
        assert status >= 400, answer
        return status, answer["code"]

    async def register(self, *commands: Json) -> None:
        """Register commands."""
        path = f"/applications/{self.discord.state.application}/commands"
        status, answer = await self.call("PUT", path, list(commands))
        assert status == 200, answer

    def callback(self, response: Response) -> str:
        """Return the path to which the response to an interaction is sent."""
        interaction = response.interaction
        return f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"

    def webhook(self, response: Response, message: str = "") -> str:
        """Return the path of an interaction's webhook, or of one of its messages."""
        base = f"/webhooks/{self.discord.state.application}/{response.interaction.token}"
        return f"{base}/messages/{message}" if message else base

    async def answer(
        self,
        response: Response,
        kind: int,
        data: Json | None = None,
        files: dict[str, bytes] | None = None,
    ) -> Any:
        """Answer an interaction."""
        return await self.call(
            "POST", self.callback(response), {"type": kind, "data": data or {}}, files
        )

    async def post(
        self, channel: Channel, body: Json, files: dict[str, bytes] | None = None
    ) -> Any:
        """Post a message."""
        return await self.call("POST", f"/channels/{channel.id}/messages", body, files)
