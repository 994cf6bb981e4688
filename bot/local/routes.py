"""The routes of Discord's REST API that Motu uses, and what each does.

Any other route is a 404, and `Rest.unknown` records it. To add a route, write its handler and list
it in `ROUTES`.
"""

import copy
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from bot.local import objects, permissions
from bot.local.command_limits import check_commands
from bot.local.errors import BodyCheck, Json, Refusal
from bot.local.interactions import Interaction, Interactions
from bot.local.model import (
    PUBLIC_THREAD,
    TEXT,
    THREAD_CREATED,
    Channel,
    Files,
    Message,
    Thread,
    Upload,
)
from bot.local.posting import Posting, refuse_archived
from bot.local.state import State

Answer = Any
"""The JSON to respond with; None for 204 No Content."""

MAX_ID_DIGITS = 20
"""Digits of the largest number of 64 bits."""
MAX_THREAD_NAME = 100
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
"""After how many minutes of silence a thread can be archived: an hour, a day, 3 days, a week."""
DEFAULT_ARCHIVE_MINUTES = 4320
DEFAULT_MESSAGE_COUNT = 50


@dataclass(frozen=True)
class Call:
    """A request, and the parts of the local Discord that serve it."""

    request: web.Request
    state: State
    posting: Posting
    interactions: Interactions

    def path_id(self, name: str) -> int:
        """Return an id in the request's path."""
        text = self.request.match_info[name]
        number = parse_id(text)
        if number is None:
            error = {"code": "NUMBER_TYPE_COERCE", "message": f'Value "{text}" is not snowflake.'}
            raise Refusal(50035, errors={name: {"_errors": [error]}})
        return number

    def channel(self) -> Channel:
        """Return the channel or thread in the request's path, if the bot can see it."""
        found = self.state.channel(self.path_id("channel"))
        self.state.require(found)
        return found

    def message(self) -> Message:
        """Return the message in the request's path."""
        return self.state.message(self.channel(), self.path_id("message"))

    def interaction(self) -> Interaction:
        """Return the interaction whose token is in the request's path."""
        token = self.request.match_info["token"]
        return self.interactions.find_by_token(self.path_id("application"), token)

    async def read_json(self) -> Any:
        """Return the body; an empty object if there is none."""
        raw = await self.request.read()
        return _parse_json(raw) if raw else {}

    async def read_object(self) -> Json:
        """Return the body, which must be a JSON object."""
        return _require_object(await self.read_json())

    async def read_object_and_files(self) -> tuple[Json, Files]:
        """Return the body, which must be a JSON object, and the files sent with it."""
        # Discord: with files, the body is multipart/form-data and its JSON the part payload_json.
        if not self.request.content_type.startswith("multipart/"):
            return await self.read_object(), {}
        body: Any = {}
        files: Files = {}
        check = BodyCheck()
        size = 0
        async for part in await self.request.multipart():
            assert isinstance(part, BodyPartReader)
            raw = bytes(await part.read())
            size += len(raw) if part.name != "payload_json" else 0
            file_name = re.fullmatch(r"files\[(\d{1,4})\]", part.name or "")
            if part.name == "payload_json":
                body = _parse_json(raw)
            elif file_name is None:
                check.add_error(
                    (part.name or "?",), "UNKNOWN_FIELD", "A file's part is named files[n]."
                )
            elif len(raw) > objects.FILE_LIMIT or size > objects.REQUEST_LIMIT:
                raise Refusal(40005)
            else:
                files[int(file_name[1])] = Upload(part.filename or "file", raw)
        check.raise_errors()
        return _require_object(body), files


def parse_id(text: str) -> int | None:
    """Return the id that a segment of a path contains; None if it is no id."""
    return int(text) if text.isdecimal() and len(text) <= MAX_ID_DIGITS else None


def _parse_json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise Refusal(50109) from None


def _require_object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise Refusal(50109)
    return value


# The bot and its commands


async def get_own_user(call: Call) -> Answer:
    """Return the bot's own user, with which discord.py checks the token."""
    return objects.own_user(call.state)


async def get_own_guilds(call: Call) -> Answer:
    """Return the servers of the bot, each with the bot's permissions in general."""
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
    """Return the bot's application."""
    return objects.application(call.state)


async def get_gateway(call: Call) -> Answer:
    """Return the gateway's address and how many shards the bot should use."""
    session_start_limit = {
        "total": 1000,
        "remaining": 1000,
        "reset_after": 86_400_000,
        "max_concurrency": call.state.max_concurrency,
    }
    return {
        "url": call.state.gateway_url,
        "shards": call.state.advised_shards,
        "session_start_limit": session_start_limit,
    }


async def put_commands(call: Call) -> Answer:
    """Replace all commands, either the global ones or those of one server."""
    state = call.state
    scope = call.path_id("guild") if "guild" in call.request.match_info else None
    if call.path_id("application") != state.application:
        raise Refusal(50001)
    if scope not in (None, *state.guilds):
        raise Refusal(10004)
    body = await call.read_json()
    check_commands(body)
    before = state.commands.get(scope, {})
    registered: dict[str, Json] = {}
    for command in copy.deepcopy(body):
        name = command["name"]
        command.setdefault("type", 1)
        # Discord keeps the id of a command that keeps its name.
        command["id"] = before[name]["id"] if name in before else str(state.snowflake())
        command["application_id"] = str(state.application)
        command["version"] = str(state.snowflake())
        if scope is not None:
            command["guild_id"] = str(scope)
        registered[name] = command
    state.commands[scope] = registered
    state.notify("commands", registered)
    return list(registered.values())


async def get_commands(call: Call) -> Answer:
    """Return the registered commands, either the global ones or those of one server."""
    scope = call.path_id("guild") if "guild" in call.request.match_info else None
    if call.path_id("application") != call.state.application:
        raise Refusal(50001)
    return list(call.state.commands.get(scope, {}).values())


# Channels and threads


async def open_dm(call: Call) -> Answer:
    """Return the bot's direct messages with a user, opened on first use."""
    body = await call.read_object()
    user = call.state.users.get(int(body.get("recipient_id") or 0))
    if user is None:
        raise Refusal(10013)
    if user.bot:
        raise Refusal(50007)
    return objects.channel(call.state, call.state.open_dm(user))


async def get_channel(call: Call) -> Answer:
    """Return a channel or thread."""
    return objects.channel(call.state, call.channel())


async def edit_channel(call: Call) -> Answer:
    """Rename, archive or reopen a thread."""
    thread = call.channel()
    body = await call.read_object()
    # Motu's invitation does not ask for the permission to manage channels and locked threads.
    if not isinstance(thread, Thread) or thread.locked:
        raise Refusal(50013)
    if thread.archived and "archived" not in body:
        raise Refusal(50083)
    if thread.archived and body.keys() == {"archived"}:
        # Discord: everybody who may write in a thread may reopen it.
        call.state.require(thread, "send_messages_in_threads")
    elif thread.owner != call.state.bot.id:
        raise Refusal(50013)
    check = BodyCheck()
    check.only_fields((), body, ("name", "archived"))
    if "name" in body:
        check.text(("name",), body["name"], 1, MAX_THREAD_NAME)
    check.raise_errors()
    thread.name = body.get("name", thread.name)
    call.state.archive(thread, body.get("archived", thread.archived))
    return objects.channel(call.state, thread)


async def delete_thread(call: Call) -> Answer:
    """Delete a thread."""
    thread = call.channel()
    if not isinstance(thread, Thread):
        raise Refusal(50013)
    call.state.require(thread, "manage_threads")
    described = objects.channel(call.state, thread)
    call.state.delete_channel(thread)
    return described


async def open_thread_on_message(call: Call) -> Answer:
    """Open a thread that hangs on a message."""
    message = call.message()
    if message.thread is not None:
        raise Refusal(160004)
    # Discord gives such a thread the id of its message.
    thread = _open_thread(call, message.channel, await call.read_object(), message.id)
    message.thread = thread
    call.state.notify("message_update", message)
    return objects.thread(call.state, thread)


async def open_thread(call: Call) -> Answer:
    """Open a thread without a message, which the channel announces in a message of its own."""
    parent, state = call.channel(), call.state
    body = await call.read_object()
    if body.get("type") != PUBLIC_THREAD:
        # Discord's default is a private thread, for which Motu's invitation does not ask.
        raise Refusal(50013)
    thread = _open_thread(call, parent, body, state.snowflake())
    announcement = Message(
        state.snowflake(), parent, state.bot, state.clock.now(), thread.name, kind=THREAD_CREATED
    )
    announcement.reference = {"channel_id": str(thread.id), "guild_id": str(parent.guild)}
    state.add_message(announcement)
    return objects.thread(state, thread)


def _open_thread(call: Call, parent: Channel, body: Json, thread_id: int) -> Thread:
    """Open a thread in a channel, whose permissions and limits apply."""
    if parent.kind != TEXT:
        raise Refusal(50024)
    call.state.require(parent, "create_public_threads")
    check = BodyCheck()
    check.only_fields(
        (), body, ("name", "auto_archive_duration", "rate_limit_per_user", "type", "invitable")
    )
    check.text(("name",), body.get("name"), 1, MAX_THREAD_NAME)
    minutes = body.get("auto_archive_duration") or DEFAULT_ARCHIVE_MINUTES
    check.is_one_of(("auto_archive_duration",), minutes, ARCHIVE_MINUTES)
    check.raise_errors()
    thread = Thread(
        thread_id,
        body["name"],
        PUBLIC_THREAD,
        guild=parent.guild,
        parent=parent.id,
        owner=call.state.bot.id,
        archive_after=minutes,
    )
    call.state.add_thread(thread)
    return thread


# Messages


async def get_messages(call: Call) -> Answer:
    """Return messages of a channel, newest first."""
    channel = call.channel()
    call.state.require(channel, "read_message_history")
    query = call.request.query
    limit = int(query.get("limit", DEFAULT_MESSAGE_COUNT))
    messages = call.state.history(channel)
    if "before" in query:
        messages = [message for message in messages if message.id < int(query["before"])]
    if "after" in query:
        # Discord returns the oldest messages after an id, and even these newest first.
        messages = [message for message in messages if message.id > int(query["after"])][:limit]
    return [objects.message(call.state, message) for message in reversed(messages[-limit:])]


async def get_message(call: Call) -> Answer:
    """Return a message of a channel."""
    call.state.require(call.channel(), "read_message_history")
    return objects.message(call.state, call.message())


async def post_message(call: Call) -> Answer:
    """Post a message."""
    channel, state = call.channel(), call.state
    body, files = await call.read_object_and_files()
    call.posting.require_may_post(channel, body, files)
    # Discord: with `enforce_nonce`, a repeated request returns the message of the first.
    if body.get("enforce_nonce") and body.get("nonce") is not None:
        posted = state.find_by_nonce(str(body["nonce"]))
        if posted is not None:
            return objects.message(state, posted)
    message = call.posting.compose(channel, state.bot, body, files)
    state.add_message(message)
    return objects.message(state, message)


async def edit_message(call: Call) -> Answer:
    """Edit one of the bot's messages."""
    message = call.message()
    body, files = await call.read_object_and_files()
    if message.author is not call.state.bot:
        raise Refusal(50005)
    refuse_archived(message.channel)
    call.posting.limit_old_edits(message)
    if files:
        call.state.require(message.channel, "attach_files")
    call.posting.edit(message, body, files)
    call.interactions.note_edit(message)
    return objects.message(call.state, message)


async def delete_message(call: Call) -> Answer:
    """Delete one of the bot's messages."""
    message = call.message()
    if message.author is not call.state.bot:
        raise Refusal(50013)
    refuse_archived(message.channel)
    call.state.delete_message(message)


async def get_member(call: Call) -> Answer:
    """Return a member of the server."""
    if call.path_id("guild") not in call.state.guilds:
        raise Refusal(10004)
    user = call.state.users.get(call.path_id("user"))
    if user is None or user.bot or not user.is_member:
        raise Refusal(10007)
    return objects.member(call.state, user)


# Responses to interactions: the token in the path stands for the bot's authorization


async def respond(call: Call) -> Answer:
    """Take the first response to an interaction."""
    token = call.request.match_info["token"]
    if token not in call.interactions.by_token:
        # Refused before the body is read: anybody could send a large one here.
        raise Refusal(10062)
    body, files = await call.read_object_and_files()
    described = call.interactions.respond(call.path_id("interaction"), token, body, files)
    with_response = call.request.query.get("with_response", "").lower() in ("1", "true")
    return described if with_response else None


async def follow_up(call: Call) -> Answer:
    """Post a follow-up message."""
    interaction = call.interaction()
    body, files = await call.read_object_and_files()
    return objects.message(call.state, call.interactions.follow_up(interaction, body, files))


async def get_response(call: Call) -> Answer:
    """Return the response (`@original`) or a follow-up."""
    which = call.request.match_info["which"]
    message = call.interactions.find_message(call.interaction(), which)
    return objects.message(call.state, message)


async def edit_response(call: Call) -> Answer:
    """Edit the response (`@original`) or a follow-up."""
    interaction = call.interaction()
    body, files = await call.read_object_and_files()
    which = call.request.match_info["which"]
    return objects.message(call.state, call.interactions.edit(interaction, which, body, files))


async def delete_response(call: Call) -> Answer:
    """Delete the response (`@original`) or a follow-up."""
    call.interactions.delete(call.interaction(), call.request.match_info["which"])
    return None


@dataclass(frozen=True)
class Route:
    """A method and a path below /api/v10, and the function that serves them."""

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
    Route("GET", "/applications/{application}/commands", get_commands),
    Route("GET", "/applications/{application}/guilds/{guild}/commands", get_commands),
    Route("PUT", "/applications/{application}/commands", put_commands),
    Route("PUT", "/applications/{application}/guilds/{guild}/commands", put_commands),
    Route("POST", "/users/@me/channels", open_dm),
    Route("GET", "/channels/{channel}", get_channel),
    Route("PATCH", "/channels/{channel}", edit_channel),
    Route("DELETE", "/channels/{channel}", delete_thread),
    Route("POST", "/channels/{channel}/threads", open_thread),
    Route("POST", "/channels/{channel}/messages/{message}/threads", open_thread_on_message),
    Route("GET", "/channels/{channel}/messages", get_messages),
    Route("POST", "/channels/{channel}/messages", post_message),
    Route("GET", "/channels/{channel}/messages/{message}", get_message),
    Route("PATCH", "/channels/{channel}/messages/{message}", edit_message),
    Route("DELETE", "/channels/{channel}/messages/{message}", delete_message),
    Route("POST", "/interactions/{interaction}/{token}/callback", respond, needs_login=False),
    Route("POST", "/webhooks/{application}/{token}", follow_up, needs_login=False),
    Route(
        "GET", "/webhooks/{application}/{token}/messages/{which}", get_response, needs_login=False
    ),
    Route(
        "PATCH",
        "/webhooks/{application}/{token}/messages/{which}",
        edit_response,
        needs_login=False,
    ),
    Route(
        "DELETE",
        "/webhooks/{application}/{token}/messages/{which}",
        delete_response,
        needs_login=False,
    ),
]
