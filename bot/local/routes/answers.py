"""Answers to interactions: the callback, and the webhook for what comes after it."""

from bot.local import wire
from bot.local.api import Answer, Call, Route
from bot.local.interactions import Interaction


async def callback(call: Call) -> Answer:
    """The first answer."""
    sent = await call.body()
    token = call.request.match_info["token"]
    found = call.interactions.callback(call.number("interaction"), token, sent.object(), sent.files)
    asked = call.request.query.get("with_response", "").lower() in ("1", "true")
    return found if asked else None


def _interaction(call: Call) -> Interaction:
    return call.interactions.of_token(call.number("application"), call.request.match_info["token"])


async def follow_up(call: Call) -> Answer:
    """A further message."""
    found = _interaction(call)
    sent = await call.body()
    return wire.message(call.state, call.interactions.follow_up(found, sent.object(), sent.files))


async def fetch(call: Call) -> Answer:
    """The answer or a follow-up."""
    which = call.request.match_info["which"]
    return wire.message(call.state, call.interactions.find(_interaction(call), which))


async def edit(call: Call) -> Answer:
    """The answer or a follow-up changed."""
    found = _interaction(call)
    sent = await call.body()
    which = call.request.match_info["which"]
    return wire.message(call.state, call.interactions.edit(found, which, sent.object(), sent.files))


async def delete(call: Call) -> Answer:
    """The answer or a follow-up taken away."""
    call.interactions.delete(_interaction(call), call.request.match_info["which"])


ROUTES: list[Route] = [
    ("POST", "/interactions/{interaction}/{token}/callback", callback),
    ("POST", "/webhooks/{application}/{token}", follow_up),
    ("GET", "/webhooks/{application}/{token}/messages/{which}", fetch),
    ("PATCH", "/webhooks/{application}/{token}/messages/{which}", edit),
    ("DELETE", "/webhooks/{application}/{token}/messages/{which}", delete),
]
