"""Threads and who is in them."""

from bot.local import wire
from bot.local.api import Answer, Call, Route
from bot.local.model import DM, PRIVATE_THREAD, PUBLIC_THREAD, Channel, Message, Thread
from bot.local.posting import refuse_archived
from bot.local.refusal import Json, Refusal
from bot.local.rules.form import Form

_THREAD_CREATED = 18
DURATIONS = (60, 1440, 4320, 10080)


async def from_message(call: Call) -> Answer:
    """A thread that hangs on a message and has its id."""
    message = call.message()
    if message.thread is not None:
        raise Refusal(160004)
    body = (await call.body()).object()
    thread = _open(call, message.channel, body, PUBLIC_THREAD, message.id)
    message.thread = thread
    call.state.tell("message_update", message)
    return wire.thread(call.state, thread)


async def without_message(call: Call) -> Answer:
    """A thread of its own; the channel shows a line about it."""
    parent = call.channel()
    body = (await call.body()).object()
    kind = PRIVATE_THREAD if body.get("type", PRIVATE_THREAD) == PRIVATE_THREAD else PUBLIC_THREAD
    thread = _open(call, parent, body, kind, call.state.snowflake())
    if kind == PUBLIC_THREAD:
        state = call.state
        line = Message(state.snowflake(), parent, state.bot, state.clock.now(), thread.name, kind=_THREAD_CREATED)
        line.reference = {"channel_id": str(thread.id), "guild_id": str(state.guild)}
        state.add_message(line)
    return wire.thread(call.state, thread)


def _open(call: Call, parent: Channel, body: Json, kind: int, thread_id: int) -> Thread:
    if isinstance(parent, Thread) or parent.kind == DM:
        raise Refusal(50024)
    call.state.require(parent, "create_public_threads" if kind == PUBLIC_THREAD else "create_private_threads")
    form = Form()
    form.known((), body, ("name", "auto_archive_duration", "rate_limit_per_user", "type", "invitable"))
    form.text(("name",), body.get("name"), 1, 100)
    duration = body.get("auto_archive_duration") or 4320
    form.choice(("auto_archive_duration",), duration, DURATIONS)
    form.check()
    bot = call.state.bot.id
    thread = Thread(thread_id, body["name"], kind, parent=parent.id, owner=bot, archive_after=duration, members={bot})
    call.state.add_thread(thread)
    return thread


async def active(call: Call) -> Answer:
    """The server's active threads."""
    call.guild()
    return _page(call, call.state.threads())


async def archived(call: Call) -> Answer:
    """The archived threads of a channel."""
    parent = call.channel()
    call.state.require(parent, "read_message_history")
    return {**_page(call, [t for t in call.state.threads(archived=True) if t.parent == parent.id]), "has_more": False}


def _page(call: Call, threads: list[Thread]) -> Json:
    bot = call.state.bot.id
    joined = [wire.thread_member(call.state, t, bot) for t in threads if bot in t.members]
    return {"threads": [wire.thread(call.state, t) for t in threads], "members": joined}


async def join(call: Call) -> Answer:
    """Somebody into a thread."""
    thread = call.thread()
    refuse_archived(thread)
    user = call.number("user")
    if user not in call.state.users:
        raise Refusal(10013)
    if user != call.state.bot.id:
        call.state.require(thread, "send_messages_in_threads")
    call.state.join(thread, user)


async def leave(call: Call) -> Answer:
    """Somebody out of a thread."""
    thread = call.thread()
    refuse_archived(thread)
    user = call.number("user")
    if user != call.state.bot.id:
        call.state.require(thread, "manage_threads")
    call.state.leave(thread, user)


async def members(call: Call) -> Answer:
    """Who is in a thread."""
    thread = call.thread()
    return [wire.thread_member(call.state, thread, user) for user in sorted(thread.members)]


async def member(call: Call) -> Answer:
    """One of them."""
    thread = call.thread()
    user = call.number("user")
    if user not in thread.members:
        raise Refusal(10007)
    return wire.thread_member(call.state, thread, user)


ROUTES: list[Route] = [
    ("POST", "/channels/{channel}/messages/{message}/threads", from_message),
    ("POST", "/channels/{channel}/threads", without_message),
    ("GET", "/guilds/{guild}/threads/active", active),
    ("GET", "/channels/{channel}/threads/archived/public", archived),
    ("GET", "/channels/{channel}/thread-members", members),
    ("GET", "/channels/{channel}/thread-members/{user}", member),
    ("PUT", "/channels/{channel}/thread-members/{user}", join),
    ("DELETE", "/channels/{channel}/thread-members/{user}", leave),
]
