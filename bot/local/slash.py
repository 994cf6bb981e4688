"""Slash commands as a client offers them: the options checked against what the bot registered."""

from typing import Any

from bot.local import wire
from bot.local.model import Channel, User
from bot.local.refusal import Json
from bot.local.rules.command import BOOLEAN, GROUP, INTEGER, NUMBER, STRING, SUBCOMMAND
from bot.local.state import State

USER, CHANNEL, ROLE, MENTIONABLE = 6, 7, 8, 9
LONGEST_TEXT = 6000
LARGEST = 2**53


class Impossible(Exception):
    """A client of Discord would not let a person do this."""


def invoke(
    state: State, command: str, given: dict[str, Any], *, focused: str | None = None, in_dm: bool = False
) -> Json:
    """The data of a command interaction, or of autocompletion if an option has the focus."""
    name, *path = command.removeprefix("/").split()
    registered = state.commands.get(state.guild, {}).get(name) or state.commands[None].get(name)
    if registered is None or not is_offered(registered, in_dm=in_dm):
        raise Impossible(f"there is no /{name} here")
    resolved: Json = {}
    options = _down(state, registered, path, given, focused, resolved)
    data: Json = {"id": registered["id"], "name": name, "type": 1, "options": options}
    if "guild_id" in registered:
        data["guild_id"] = registered["guild_id"]
    return {**data, "resolved": resolved} if resolved else data


def is_offered(registered: Json, *, in_dm: bool) -> bool:
    """Whether a command can be used in private channels with the bot; all can be used in the server."""
    if not in_dm:
        return True
    contexts = registered.get("contexts")
    if contexts is not None:
        return 1 in contexts
    return "guild_id" not in registered and registered.get("dm_permission") is not False


def _down(
    state: State, level: Json, path: list[str], given: dict[str, Any], focused: str | None, resolved: Json
) -> list[Json]:
    offered: list[Json] = level.get("options") or []
    nested = [option for option in offered if option["type"] in (SUBCOMMAND, GROUP)]
    if not path and not nested:
        return _filled(state, offered, given, focused, resolved)
    chosen = next((option for option in nested if path and option["name"] == path[0]), None)
    if chosen is None:
        names = ", ".join(option["name"] for option in nested) or "nothing"
        raise Impossible(f"after /{level['name']} comes {names}, not {' '.join(path) or 'the end'}")
    inner = _down(state, chosen, path[1:], given, focused, resolved)
    return [{"name": chosen["name"], "type": chosen["type"], "options": inner}]


def _filled(
    state: State, offered: list[Json], given: dict[str, Any], focused: str | None, resolved: Json
) -> list[Json]:
    unknown = given.keys() - {option["name"] for option in offered}
    if unknown:
        raise Impossible(f"no such option: {', '.join(sorted(unknown))}")
    sent: list[Json] = []
    for option in offered:
        name = option["name"]
        if name not in given:
            # While one option is typed, the others may still be empty.
            if option.get("required") and focused is None:
                raise Impossible(f"the option {name} is required")
            continue
        entry: Json = {"name": name, "type": option["type"]}
        if name == focused:
            if not option.get("autocomplete"):
                raise Impossible(f"the option {name} has no autocompletion")
            sent.append({**entry, "value": str(given[name]), "focused": True})
            continue
        sent.append({**entry, "value": _value(state, option, given[name], resolved)})
    return sent


def _value(state: State, option: Json, value: Any, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    choices = option.get("choices") or []
    if choices:
        value = _chosen(name, choices, value)
    if kind in (USER, MENTIONABLE):
        user: User = getattr(value, "user", value)
        resolved.update(resolved_users(state, [user], resolved))
        return str(user.id)
    if kind == CHANNEL:
        return _channel(state, value, resolved)
    types: dict[int, type | tuple[type, ...]] = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: (int, float)}
    if kind not in types or not isinstance(value, types[kind]) or (kind != BOOLEAN and isinstance(value, bool)):
        raise Impossible(f"{value!r} does not fit the option {name}")
    _in_bounds(option, value)
    return value


def _chosen(name: str, choices: list[Json], value: Any) -> Any:
    for choice in choices:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    raise Impossible(f"{value!r} is no choice of {name}: {', '.join(str(c['name']) for c in choices)}")


def _in_bounds(option: Json, value: Any) -> None:
    size = len(value) if isinstance(value, str) else value
    if isinstance(value, str):
        low, high = max(option.get("min_length") or 1, 1), option.get("max_length") or LONGEST_TEXT
    else:
        low, high = option.get("min_value", -LARGEST), option.get("max_value", LARGEST)
    if not isinstance(value, bool) and not low <= size <= high:
        raise Impossible(f"the option {option['name']} takes {low} to {high}, not {size}")


def _channel(state: State, value: Channel, resolved: Json) -> str:
    found = wire.channel(state, value)
    found["permissions"] = "0"
    resolved.setdefault("channels", {})[str(value.id)] = found
    return str(value.id)


def resolved_users(state: State, users: list[User], before: Json | None = None) -> Json:
    """The people that a choice or an option names, as Discord spells them out."""
    found: Json = {"users": {}, "members": {}} if before is None else dict(before)
    for user in users:
        found.setdefault("users", {})[str(user.id)] = wire.user(user)
        found.setdefault("members", {})[str(user.id)] = {**wire.member(state, user), "permissions": "0"}
    return found
