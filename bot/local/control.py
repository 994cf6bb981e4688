"""People driven from another process: the driver's verbs over HTTP, behind a secret in the address."""

import base64
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from bot.local import wire
from bot.local.body import read
from bot.local.driver import Person
from bot.local.model import Message
from bot.local.refusal import Json, Refusal
from bot.local.response import Response
from bot.local.slash import Impossible

if TYPE_CHECKING:
    from bot.local.server import LocalDiscord

Verb = Callable[[Person, Json], Awaitable[Response]]


class Control:
    """`POST {path}/{verb}` with JSON: `as` names the person, the rest is what the driver's verb takes.

    Verbs: slash, autocomplete, click, choose, submit (answered with the bot's answer), messages (what the person sees),
    fault (method, path, status, …), drop, reconnect, invalidate.
    """

    def __init__(self, discord: "LocalDiscord") -> None:
        self.discord = discord
        self.path = f"/control/{secrets.token_urlsafe(24)}"
        self._responses: dict[str, Response] = {}

    def add_to(self, app: web.Application) -> None:
        """Put the route into an application."""
        app.router.add_post(self.path + "/{verb}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        verb = request.match_info["verb"]
        try:
            found = await self._do(verb, (await read(request)).object())
        except (Impossible, Refusal, LookupError, TypeError) as error:
            return web.json_response({"error": f"{type(error).__name__}: {error}"}, status=400)
        except TimeoutError as error:
            return web.json_response({"error": str(error)}, status=504)
        return web.json_response(found, dumps=json.dumps)

    async def _do(self, verb: str, body: Json) -> Json:
        people: dict[str, Verb] = {
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "choose": self._choose,
            "submit": self._submit,
        }
        if verb in people:
            person = self.discord.user(body.pop("as"))
            response = await people[verb](person, body)
            self._responses[str(response.interaction.id)] = response
            return self._shown(response)
        if verb == "messages":
            seen = self.discord.user(body["as"]).messages()
            return {"messages": [self._message(message) for message in seen]}
        return self._trouble(verb, body)

    def _trouble(self, verb: str, body: Json) -> Json:
        gateway = self.discord.gateway
        plain = {"drop": gateway.drop, "reconnect": gateway.ask_reconnect, "invalidate": gateway.invalidate}
        if verb == "fault":
            self.discord.faults.answer(body.pop("method"), body.pop("path"), body.pop("status"), **body)
        elif verb in plain:
            plain[verb]()
        else:
            raise LookupError(f"there is no {verb}")
        return {}

    async def _slash(self, person: Person, body: Json) -> Response:
        channel = self._channel(body)
        return await person.slash(body.pop("command"), channel=channel, **body)

    async def _autocomplete(self, person: Person, body: Json) -> Response:
        channel = self._channel(body)
        return await person.autocomplete(body.pop("command"), channel=channel, **body)

    async def _click(self, person: Person, body: Json) -> Response:
        return await person.click(self._of(body), **body)

    async def _choose(self, person: Person, body: Json) -> Response:
        return await person.choose(self._of(body), body.pop("which", None), body.pop("values"), **body)

    async def _submit(self, person: Person, body: Json) -> Response:
        return await person.submit(self._responses[str(body.pop("response"))], body.pop("fields"), **body)

    def _of(self, body: Json) -> Message:
        return self.discord.state.messages[int(body.pop("message"))]

    def _channel(self, body: Json) -> Any:
        wanted = body.pop("channel", None)
        return None if wanted is None else self.discord.state.channels[int(wanted)]

    def _shown(self, response: Response) -> Json:
        return {
            "response": str(response.interaction.id),
            "expired": response.expired,
            "ephemeral": response.ephemeral,
            "messages": [self._message(message) for message in response.messages],
            "choices": response.choices,
            "modal": response.interaction.modal,
        }

    def _message(self, message: Message) -> Json:
        shown = wire.message(self.discord.state, message)
        shown["files"] = {name: base64.b64encode(data).decode() for name, data in message.files.items()}
        return shown
