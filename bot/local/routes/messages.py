"""Channels and their messages."""

from bot.local import wire
from bot.local.api import Answer, Call, Route
from bot.local.model import Message, Thread
from bot.local.posting import refuse_archived
from bot.local.refusal import Refusal
from bot.local.rules.form import Form


async def channel(call: Call) -> Answer:
    """A channel or thread."""
    return wire.channel(call.state, call.channel())


async def delete_channel(call: Call) -> Answer:
    """Take a channel or thread away."""
    found = call.channel()
    call.state.require(found, "manage_threads" if isinstance(found, Thread) else "manage_channels")
    call.state.delete_channel(found)
    return wire.channel(call.state, found)


async def history(call: Call) -> Answer:
    """Messages of a channel, newest first."""
    found = call.channel()
    call.state.require(found, "read_message_history")
    query = call.request.query
    posts = call.state.history(found)
    if "before" in query:
        posts = [m for m in posts if m.id < int(query["before"])]
    limit = int(query.get("limit", 50))
    if "after" in query:
        posts = [m for m in posts if m.id > int(query["after"])][:limit]
    return [wire.message(call.state, m) for m in reversed(posts[-limit:])]


async def fetch(call: Call) -> Answer:
    """One message."""
    found = call.message()
    call.state.require(found.channel, "read_message_history")
    return wire.message(call.state, found)


async def post(call: Call) -> Answer:
    """A new message; with an enforced nonce a repeat gives the message that is already there."""
    where = call.channel()
    sent = await call.body()
    body = sent.object()
    call.posting.require_to_post(where, body, sent.files)
    if body.get("enforce_nonce") and body.get("nonce") is not None:
        before = call.state.repeat_of(call.state.bot, str(body["nonce"]))
        if before is not None:
            return wire.message(call.state, before)
    message = call.posting.compose(where, call.state.bot, body, sent.files)
    call.state.add_message(message)
    return wire.message(call.state, message)


async def edit(call: Call) -> Answer:
    """A message of the bot's own, changed."""
    message = call.message()
    sent = await call.body()
    _own(call, message)
    refuse_archived(message.channel)
    call.posting.limit_old_edits(message)
    if sent.files:
        call.state.require(message.channel, "attach_files")
    call.posting.revise(message, sent.object(), sent.files)
    return wire.message(call.state, message)


def _own(call: Call, message: Message) -> None:
    if message.author is not call.state.bot:
        raise Refusal(50005)


async def delete(call: Call) -> Answer:
    """A message taken away."""
    message = call.message()
    refuse_archived(message.channel)
    if message.author is not call.state.bot:
        call.state.require(message.channel, "manage_messages")
    call.state.delete_message(message)


async def typing(call: Call) -> Answer:
    """'Motu is typing…'"""
    where = call.channel()
    call.state.require(where, "send_messages_in_threads" if isinstance(where, Thread) else "send_messages")


async def edit_channel(call: Call) -> Answer:
    """A thread renamed, archived or opened again; other channels are not the bot's to change."""
    found = call.channel()
    body = (await call.body()).object()
    if not isinstance(found, Thread):
        call.state.require(found, "manage_channels")
        raise Refusal(50024)
    _may_change(call, found, set(body))
    form = Form()
    form.known((), body, ("name", "archived", "locked", "auto_archive_duration", "rate_limit_per_user", "flags"))
    if "name" in body:
        form.text(("name",), body["name"], 1, 100)
    if "auto_archive_duration" in body:
        form.choice(("auto_archive_duration",), body["auto_archive_duration"], (60, 1440, 4320, 10080))
    form.check()
    found.name = body.get("name", found.name)
    found.archive_after = body.get("auto_archive_duration", found.archive_after)
    call.state.archive(found, body.get("archived", found.archived), locked=body.get("locked"))
    return wire.channel(call.state, found)


def _may_change(call: Call, thread: Thread, keys: set[str]) -> None:
    state = call.state
    if state.may(state.bot, thread, "manage_threads"):
        return
    if thread.locked or "locked" in keys:
        raise Refusal(50013)
    if thread.archived and "archived" not in keys:
        raise Refusal(50083)
    if thread.archived and keys == {"archived"}:
        state.require(thread, "send_messages_in_threads")
    elif thread.owner != state.bot.id:
        raise Refusal(50013)


ROUTES: list[Route] = [
    ("GET", "/channels/{channel}", channel),
    ("PATCH", "/channels/{channel}", edit_channel),
    ("DELETE", "/channels/{channel}", delete_channel),
    ("GET", "/channels/{channel}/messages", history),
    ("POST", "/channels/{channel}/messages", post),
    ("GET", "/channels/{channel}/messages/{message}", fetch),
    ("PATCH", "/channels/{channel}/messages/{message}", edit),
    ("DELETE", "/channels/{channel}/messages/{message}", delete),
    ("POST", "/channels/{channel}/typing", typing),
]
