"""Application commands, everywhere or of the one server."""

import copy

from bot.local.api import Answer, Call, Route
from bot.local.refusal import Json, Refusal
from bot.local.rules.command import check_command, check_commands


def _scope(call: Call) -> int | None:
    if call.number("application") != call.state.application:
        raise Refusal(50001)
    return call.guild() if "guild" in call.request.match_info else None


def _registered(call: Call) -> dict[str, Json]:
    return call.state.commands.setdefault(_scope(call), {})


def _made(call: Call, body: Json, known: Json | None) -> Json:
    scope = _scope(call)
    made: Json = copy.deepcopy(body)
    made.setdefault("type", 1)
    made.setdefault("description", "")
    made["id"] = known["id"] if known else str(call.state.snowflake())
    made["application_id"] = str(call.state.application)
    made["version"] = str(call.state.snowflake())
    if made.get("default_member_permissions") is not None:
        made["default_member_permissions"] = str(made["default_member_permissions"])
    return made if scope is None else {**made, "guild_id": str(scope)}


async def listing(call: Call) -> Answer:
    """The registered commands."""
    return list(_registered(call).values())


async def replace_all(call: Call) -> Answer:
    """All commands at once."""
    body = (await call.body()).json
    registered = _registered(call)
    check_commands(body)
    made = {command["name"]: _made(call, command, registered.get(command["name"])) for command in body}
    call.state.commands[_scope(call)] = made
    call.state.tell("commands", made)
    return list(made.values())


async def add(call: Call) -> Answer:
    """One command more, or another of the same name."""
    body = (await call.body()).object()
    registered = _registered(call)
    check_command(body, len(registered.keys() - {body.get("name")}))
    registered[body["name"]] = made = _made(call, body, registered.get(body["name"]))
    call.state.tell("commands", registered)
    return made


def _one(call: Call) -> Json:
    wanted = str(call.number("command"))
    for command in _registered(call).values():
        if command["id"] == wanted:
            return command
    raise Refusal(10063)


async def fetch(call: Call) -> Answer:
    """One command."""
    return _one(call)


async def edit(call: Call) -> Answer:
    """One command changed."""
    known = _one(call)
    keep = {k: v for k, v in known.items() if k not in ("id", "application_id", "version", "guild_id")}
    body = {**keep, **(await call.body()).object()}
    check_command(body, 0)
    registered = _registered(call)
    del registered[known["name"]]
    registered[body["name"]] = made = _made(call, body, known)
    call.state.tell("commands", registered)
    return made


async def delete(call: Call) -> Answer:
    """One command less."""
    known = _one(call)
    registered = _registered(call)
    del registered[known["name"]]
    call.state.tell("commands", registered)


ROUTES: list[Route] = [
    (method, prefix + path, handler)
    for prefix in ("/applications/{application}", "/applications/{application}/guilds/{guild}")
    for method, path, handler in (
        ("GET", "/commands", listing),
        ("PUT", "/commands", replace_all),
        ("POST", "/commands", add),
        ("GET", "/commands/{command}", fetch),
        ("PATCH", "/commands/{command}", edit),
        ("DELETE", "/commands/{command}", delete),
    )
]
