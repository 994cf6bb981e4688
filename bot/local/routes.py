"""The routes that Motu uses, one after the other. Any other is a 404, and is noted as a mistake."""

import copy
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from bot.local import objects, permissions
from bot.local.command_limits import check_commands
from bot.local.errors import Form, Json, Refusal
from bot.local.interactions import Interaction, Interactions
from bot.local.model import PUBLIC_THREAD, TEXT, THREAD_CREATED, Channel, Message, Thread
from bot.local.posting import Files, Posting, Upload, refuse_archived
from bot.local.state import State

Answer = Any
"""JSON to answer with; None stands for 204 No Content."""

LONGEST_ID = 20
"""Digits of the largest id there can be."""


@dataclass(frozen=True)
class Call:
    """A request with the server's parts at hand."""

    request: web.Request
    state: State
    posting: Posting
    interactions: Interactions

    def number(self, name: str) -> int:
        """An id of the path."""
        text = self.request.match_info[name]
        number = number_of(text)
        if number is None:
            error = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text}" is not snowflake.'}
            raise Refusal(50035, errors={name: {"_errors": [error]}})
        return number

    def channel(self) -> Channel:
        """The channel or thread of the path, if the bot can see it."""
        found = self.state.channel(self.number("channel"))
        self.state.require(found)
        return found

    def message(self) -> Message:
        """The message of the path."""
        return self.state.message(self.channel(), self.number("message"))

    async def json(self) -> Any:
        """What was sent; an absent body reads as an empty object."""
        raw = await self.request.read()
        return _parsed(raw) if raw else {}

    async def object(self) -> Json:
        """What was sent, which has to be an object."""
        return _object(await self.json())

    async def form(self) -> tuple[Json, Files]:
        """What was sent: an object, and the files beside it."""
        if not self.request.content_type.startswith("multipart/"):
            return await self.object(), {}
        body: Any = {}
        files: Files = {}
        form = Form()
        async for part in await self.request.multipart():
            assert isinstance(part, BodyPartReader)
            raw = bytes(await part.read())
            numbered = re.fullmatch(r"files\[(\d{1,4})\]", part.name or "")
            if part.name == "payload_json":
                body = _parsed(raw)
            elif numbered is None:
                form.wrong((part.name or "?",), "UNKNOWN_FIELD", "A file's part is named files[n].")
            elif len(raw) > objects.FILE_LIMIT:
                raise Refusal(40005)
            else:
                files[int(numbered[1])] = Upload(part.filename or "file", raw)
        form.check()
        return _object(body), files


def number_of(text: str) -> int | None:
    """The id that a part of an address is."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_ID else None


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise Refusal(50109) from None


def _object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise Refusal(50109)
    return value


# Who the bot is, and its commands


async def get_own_user(call: Call) -> Answer:
    """The bot's own user: discord.py begins with it."""
    return objects.own_user(call.state)


async def get_own_guilds(call: Call) -> Answer:
    """The servers that the bot is in, each with what it may do there before a channel says
    otherwise.
    """
    state = call.state
    return [
        {
            "id": str(state.guild),
            "name": state.guild_name,
            "permissions": str(permissions.EVERY),
            "owner": False,
        }
    ]


async def get_application(call: Call) -> Answer:
    """The bot's application."""
    return objects.application(call.state)


async def get_gateway(call: Call) -> Answer:
    """Where the gateway is, and how many shards a bot had better have."""
    limits = {
        "total": 1000,
        "remaining": 1000,
        "reset_after": 86_400_000,
        "max_concurrency": call.state.max_concurrency,
    }
    return {
        "url": call.state.gateway_url,
        "shards": call.state.advised_shards,
        "session_start_limit": limits,
    }


async def put_commands(call: Call) -> Answer:
    """All commands at once, everywhere or for the one server.

    Those that keep their name keep their id.
    """
    state = call.state
    scope = call.number("guild") if "guild" in call.request.match_info else None
    if call.number("application") != state.application:
        raise Refusal(50001)
    if scope not in (None, *state.guilds):
        raise Refusal(10004)
    body = await call.json()
    check_commands(body)
    before = state.commands.get(scope, {})
    made: dict[str, Json] = {}
    for command in copy.deepcopy(body):
        name = command["name"]
        command.setdefault("type", 1)
        command["id"] = before[name]["id"] if name in before else str(state.snowflake())
        command["application_id"] = str(state.application)
        command["version"] = str(state.snowflake())
        if scope is not None:
            command["guild_id"] = str(scope)
        made[name] = command
    state.commands[scope] = made
    state.tell("commands", made)
    return list(made.values())


# Channels and threads


async def open_dm(call: Call) -> Answer:
    """The private channel with a person."""
    body = await call.object()
    found = call.state.users.get(int(body.get("recipient_id") or 0))
    if found is None:
        raise Refusal(10013)
    if found.bot:
        raise Refusal(50007)
    return objects.channel(call.state, call.state.dm_of(found))


async def get_channel(call: Call) -> Answer:
    """A channel or thread."""
    return objects.channel(call.state, call.channel())


async def edit_channel(call: Call) -> Answer:
    """A thread renamed, archived or opened again.

    Locked ones, and other channels, are not the bot's to change.
    """
    found = call.channel()
    body = await call.object()
    if not isinstance(found, Thread) or found.locked:
        raise Refusal(50013)
    if found.archived and "archived" not in body:
        raise Refusal(50083)
    if found.archived and body.keys() == {"archived"}:
        # Whoever may write in an archived thread may open it.
        call.state.require(found, "send_messages_in_threads")
    elif found.owner != call.state.bot.id:
        raise Refusal(50013)
    form = Form()
    form.known((), body, ("name", "archived"))
    if "name" in body:
        form.text(("name",), body["name"], 1, 100)
    form.check()
    found.name = body.get("name", found.name)
    call.state.archive(found, body.get("archived", found.archived))
    return objects.channel(call.state, found)


async def open_thread_on_message(call: Call) -> Answer:
    """A thread that hangs on a message and has its id."""
    message = call.message()
    if message.thread is not None:
        raise Refusal(160004)
    thread = _open_thread(call, message.channel, await call.object(), message.id)
    message.thread = thread
    call.state.tell("message_update", message)
    return objects.thread(call.state, thread)


async def open_thread(call: Call) -> Answer:
    """A thread of its own; the channel shows a line about it."""
    parent, state = call.channel(), call.state
    body = await call.object()
    if body.get("type") != PUBLIC_THREAD:
        # Without a type it would be a private thread, which Motu's invitation does not ask for.
        raise Refusal(50013)
    thread = _open_thread(call, parent, body, state.snowflake())
    line = Message(
        state.snowflake(), parent, state.bot, state.clock.now(), thread.name, kind=THREAD_CREATED
    )
    line.reference = {"channel_id": str(thread.id), "guild_id": str(parent.guild)}
    state.add_message(line)
    return objects.thread(state, thread)


def _open_thread(call: Call, parent: Channel, body: Json, thread_id: int) -> Thread:
    if parent.kind != TEXT:
        raise Refusal(50024)
    call.state.require(parent, "create_public_threads")
    form = Form()
    form.known(
        (), body, ("name", "auto_archive_duration", "rate_limit_per_user", "type", "invitable")
    )
    form.text(("name",), body.get("name"), 1, 100)
    duration = body.get("auto_archive_duration") or 4320
    form.choice(("auto_archive_duration",), duration, (60, 1440, 4320, 10080))
    form.check()
    owner = call.state.bot.id
    thread = Thread(
        thread_id,
        body["name"],
        PUBLIC_THREAD,
        guild=parent.guild,
        parent=parent.id,
        owner=owner,
        archive_after=duration,
    )
    call.state.add_thread(thread)
    return thread


# Messages


async def get_messages(call: Call) -> Answer:
    """Messages of a channel, newest first."""
    found = call.channel()
    call.state.require(found, "read_message_history")
    query = call.request.query
    limit = int(query.get("limit", 50))
    posts = call.state.history(found)
    if "before" in query:
        posts = [post for post in posts if post.id < int(query["before"])]
    if "after" in query:
        # The oldest of those after it, but newest first as always.
        posts = [post for post in posts if post.id > int(query["after"])][:limit]
    return [objects.message(call.state, post) for post in reversed(posts[-limit:])]


async def get_message(call: Call) -> Answer:
    """One message of a channel."""
    call.state.require(call.channel(), "read_message_history")
    return objects.message(call.state, call.message())


async def post_message(call: Call) -> Answer:
    """A new message; with an enforced nonce a repeat gives the message that is already there."""
    where, state = call.channel(), call.state
    body, files = await call.form()
    call.posting.require_to_post(where, body, files)
    if body.get("enforce_nonce") and body.get("nonce") is not None:
        before = state.repeat_of(str(body["nonce"]))
        if before is not None:
            return objects.message(state, before)
    message = call.posting.compose(where, state.bot, body, files)
    state.add_message(message)
    return objects.message(state, message)


async def edit_message(call: Call) -> Answer:
    """A message of the bot's own, changed."""
    message = call.message()
    body, files = await call.form()
    if message.author is not call.state.bot:
        raise Refusal(50005)
    refuse_archived(message.channel)
    call.posting.limit_old_edits(message)
    if files:
        call.state.require(message.channel, "attach_files")
    call.posting.revise(message, body, files)
    return objects.message(call.state, message)


async def get_member(call: Call) -> Answer:
    """Somebody in the server."""
    if call.number("guild") not in call.state.guilds:
        raise Refusal(10004)
    found = next((person for person in call.state.people if person.id == call.number("user")), None)
    if found is None or not found.is_member:
        raise Refusal(10007)
    return objects.member(call.state, found)


# Answers to interactions. Their token is all the login they need


async def callback(call: Call) -> Answer:
    """The first answer."""
    token = call.request.match_info["token"]
    if token not in call.interactions.by_token:
        # Before a body is read that may be large: anybody could send one here.
        raise Refusal(10062)
    body, files = await call.form()
    outcome = call.interactions.callback(call.number("interaction"), token, body, files)
    return outcome if call.request.query.get("with_response", "").lower() in ("1", "true") else None


def _interaction(call: Call) -> Interaction:
    return call.interactions.of_token(call.number("application"), call.request.match_info["token"])


async def follow_up(call: Call) -> Answer:
    """A further message."""
    found = _interaction(call)
    body, files = await call.form()
    return objects.message(call.state, call.interactions.follow_up(found, body, files))


async def get_answer(call: Call) -> Answer:
    """Return the current answer (`@original`) or a follow-up."""
    return objects.message(
        call.state, call.interactions.find(_interaction(call), call.request.match_info["which"])
    )


async def edit_answer(call: Call) -> Answer:
    """The answer (`@original`) or a follow-up changed."""
    found = _interaction(call)
    body, files = await call.form()
    which = call.request.match_info["which"]
    return objects.message(call.state, call.interactions.edit(found, which, body, files))


@dataclass(frozen=True)
class Route:
    """A method and a path below /api/v10, and who serves it."""

    method: str
    path: str
    handler: Callable[[Call], Awaitable[Answer]]
    needs_login: bool = True


ROUTES = [
    Route("GET", "/guilds/{guild}/members/{user}", get_member),
    Route("GET", "/gateway/bot", get_gateway),
    Route("GET", "/users/@me", get_own_user),
    Route("GET", "/users/@me/guilds", get_own_guilds),
    Route("GET", "/oauth2/applications/@me", get_application),
    Route("PUT", "/applications/{application}/commands", put_commands),
    Route("PUT", "/applications/{application}/guilds/{guild}/commands", put_commands),
    Route("POST", "/users/@me/channels", open_dm),
    Route("GET", "/channels/{channel}", get_channel),
    Route("PATCH", "/channels/{channel}", edit_channel),
    Route("POST", "/channels/{channel}/threads", open_thread),
    Route("POST", "/channels/{channel}/messages/{message}/threads", open_thread_on_message),
    Route("GET", "/channels/{channel}/messages", get_messages),
    Route("POST", "/channels/{channel}/messages", post_message),
    Route("GET", "/channels/{channel}/messages/{message}", get_message),
    Route("PATCH", "/channels/{channel}/messages/{message}", edit_message),
    Route("POST", "/interactions/{interaction}/{token}/callback", callback, needs_login=False),
    Route("POST", "/webhooks/{application}/{token}", follow_up, needs_login=False),
    Route("GET", "/webhooks/{application}/{token}/messages/{which}", get_answer, needs_login=False),
    Route(
        "PATCH", "/webhooks/{application}/{token}/messages/{which}", edit_answer, needs_login=False
    ),
]
