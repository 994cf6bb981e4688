"""Slash commands as Discord's clients offer them: which there are, and which values they accept."""

from dataclasses import dataclass
from typing import Any

from bot.local.command_limits import ATTACHMENT, BOOLEAN, INTEGER, STRING, SUBCOMMAND
from bot.local.errors import Impossible, Json
from bot.local.model import Channel, Upload, User
from bot.local.state import State

MAX_TEXT = 6000
"""Characters in a text option that sets no limit of its own."""
PYTHON_TYPES = {STRING: str, INTEGER: int, BOOLEAN: bool, ATTACHMENT: Upload}
"""The Python type of the values of each option type."""
DM_CONTEXT = 1
"""Among the `contexts` of a command: it works in direct messages with the bot."""


@dataclass(frozen=True)
class Command:
    """A command that can be typed; a subcommand has a name such as `game new`."""

    name: str
    description: str
    options: list[Json]
    registered: Json
    """The whole command as the bot registered it, with its id."""


def refuse_command(state: State, channel: Channel, name: str) -> Impossible:
    """Return why nobody, or not everybody, can give a command that a user cannot give."""
    registered = {**state.commands[None], **state.commands.get(channel.guild, {})}
    command = registered.get(name.partition(" ")[0], {})
    needs_permission = channel.recipient is None and "default_member_permissions" in command
    is_hidden = needs_permission and int(command["default_member_permissions"] or 0)
    return Impossible("needs_permission" if is_hidden else "no_command", command=name)


def commands(state: State, channel: Channel, user: User) -> dict[str, Command]:
    """Return the commands that a user can type in a channel, by name and in alphabetical order."""
    registered = {**state.commands[None], **state.commands.get(channel.guild, {})}
    found: dict[str, Command] = {}
    for name, command in sorted(registered.items()):
        if channel.recipient is not None and not _works_in_dms(command):
            continue
        # Discord hides a command from members who lack its default permissions.
        needed = int(command.get("default_member_permissions") or 0)
        if needed & ~state.permissions(user, channel):
            continue
        options: list[Json] = command.get("options") or []
        subcommands = [option for option in options if option["type"] == SUBCOMMAND]
        if not subcommands:
            found[name] = Command(name, command["description"], options, command)
        for one in subcommands:
            full_name = f"{name} {one['name']}"
            found[full_name] = Command(
                full_name, one["description"], one.get("options") or [], command
            )
    return found


def _works_in_dms(command: Json) -> bool:
    """Return whether a command can be used in direct messages with the bot."""
    contexts = command.get("contexts")
    if contexts is not None:
        return DM_CONTEXT in contexts
    # `dm_permission` is the older field for it; commands of one server never work elsewhere.
    return "guild_id" not in command and command.get("dm_permission") is not False


def invoke(command: Command, given: dict[str, Any], *, focused: str | None = None) -> Json:
    """Return the data of a command interaction; of an autocompletion if an option is focused."""
    unknown = given.keys() - {option["name"] for option in command.options}
    if unknown:
        raise Impossible("no_option", option=min(unknown), command=command.name)
    options: list[Json] = []
    for option in command.options:
        name = option["name"]
        if name == focused:
            if not option.get("autocomplete"):
                raise Impossible("no_completion", option=name)
            options.append(
                {"name": name, "type": option["type"], "value": str(given[name]), "focused": True}
            )
        elif name in given:
            value = _check_value(option, given[name])
            options.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required") and focused is None:
            # During autocompletion the other options may still be empty.
            raise Impossible("option_missing", option=name, description=option["description"])
    name, _, subcommand = command.name.partition(" ")
    if subcommand:
        options = [{"name": subcommand, "type": SUBCOMMAND, "options": options}]
    data: Json = {"id": command.registered["id"], "name": name, "type": 1, "options": options}
    if "guild_id" in command.registered:
        data["guild_id"] = command.registered["guild_id"]
    return data


def _check_value(option: Json, value: Any) -> Any:
    """Return the value of an option, given by itself or by the name of its choice, if allowed."""
    for choice in option.get("choices") or []:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    if option["type"] == ATTACHMENT and not isinstance(value, Upload):
        raise Impossible("needs_file", option=option["name"])
    if option.get("choices") or type(value) is not PYTHON_TYPES[option["type"]]:
        raise Impossible("not_listed", option=option["name"], value=value)
    if option["type"] == INTEGER:
        low, high = option.get("min_value", value), option.get("max_value", value)
        if not low <= value <= high:
            raise Impossible("not_listed", option=option["name"], value=value)
    if isinstance(value, str):
        low = max(option.get("min_length") or 1, 1)
        high = option.get("max_length") or MAX_TEXT
        if not low <= len(value) <= high:
            raise Impossible("option_length", option=option["name"], low=low, high=high)
    return value
