"""Who the bot is, whom it can meet, and where the gateway is."""

from bot.local import wire
from bot.local.api import Answer, Call, Route
from bot.local.refusal import Json, Refusal


async def me(call: Call) -> Answer:
    """The bot's own user."""
    bot = wire.user(call.state.bot)
    return {**bot, "verified": True, "mfa_enabled": False, "email": None, "flags": 0, "locale": "en-US"}


async def application(call: Call) -> Answer:
    """The bot's application."""
    owner = next((u for u in call.state.users.values() if not u.bot), call.state.bot)
    return {
        "id": str(call.state.application),
        "name": call.state.bot.name,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": wire.user(owner),
        "flags": 0,
        "team": None,
        "tags": [],
        "approximate_guild_count": 1,
    }


async def gateway(call: Call) -> Answer:
    """Where the gateway is."""
    found: Json = {"url": call.state.url.replace("http", "ws", 1) + "/gateway"}
    if call.request.path.endswith("/bot"):
        limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
        found |= {"shards": 1, "session_start_limit": limit}
    return found


async def user(call: Call) -> Answer:
    """Somebody's user."""
    found = call.state.users.get(call.number("user"))
    if found is None:
        raise Refusal(10013)
    return wire.user(found)


async def guild(call: Call) -> Answer:
    """The server."""
    call.guild()
    shown = wire.guild(call.state)
    return {key: value for key, value in shown.items() if key not in ("members", "channels", "threads", "presences")}


async def guild_channels(call: Call) -> Answer:
    """The server's channels."""
    call.guild()
    return [wire.channel(call.state, c) for c in call.state.text_channels]


async def member(call: Call) -> Answer:
    """A member of the server."""
    call.guild()
    return wire.full_member(call.state, call.state.member(call.number("user")))


async def open_dm(call: Call) -> Answer:
    """The private channel with a person."""
    body = (await call.body()).object()
    found = call.state.users.get(int(body.get("recipient_id") or 0))
    if found is None:
        raise Refusal(10013)
    if found.bot:
        raise Refusal(50007)
    return wire.channel(call.state, call.state.dm_of(found))


ROUTES: list[Route] = [
    ("GET", "/users/@me", me),
    ("GET", "/oauth2/applications/@me", application),
    ("GET", "/applications/@me", application),
    ("GET", "/gateway", gateway),
    ("GET", "/gateway/bot", gateway),
    ("POST", "/users/@me/channels", open_dm),
    ("GET", "/users/{user}", user),
    ("GET", "/guilds/{guild}", guild),
    ("GET", "/guilds/{guild}/channels", guild_channels),
    ("GET", "/guilds/{guild}/members/{user}", member),
]
