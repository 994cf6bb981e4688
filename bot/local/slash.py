"""Slash commands as a client of Discord offers them: what there is, and what it lets people
send.
"""

from dataclasses import dataclass
from typing import Any

from bot.local.command_limits import ATTACHMENT, BOOLEAN, INTEGER, STRING, SUBCOMMAND
from bot.local.errors import Impossible, Json
from bot.local.model import Channel, User
from bot.local.posting import Upload
from bot.local.state import State

LONGEST_TEXT = 6000
TYPES = {STRING: str, INTEGER: int, BOOLEAN: bool, ATTACHMENT: Upload}
"""What stands in an option of each type; a file is sent beside the command, and its id stands
there.
"""


@dataclass(frozen=True)
class Command:
    """A command that can be typed, a subcommand by its whole name such as `game new`."""

    name: str
    description: str
    options: list[Json]
    registered: Json
    """What the bot registered, with the id."""


def commands(state: State, channel: Channel, user: User) -> dict[str, Command]:
    """What a person can type in a channel, in order of the names that the bot registered."""
    registered = {**state.commands[None], **state.commands.get(channel.guild, {})}
    found: dict[str, Command] = {}
    for name, command in sorted(registered.items()):
        if channel.recipient is not None and not _works_in_private(command):
            continue
        needed = int(command.get("default_member_permissions") or 0)
        if needed & ~state.permissions(user, channel):
            continue
        options: list[Json] = command.get("options") or []
        subcommands = [option for option in options if option["type"] == SUBCOMMAND]
        if not subcommands:
            found[name] = Command(name, command["description"], options, command)
        for one in subcommands:
            whole = f"{name} {one['name']}"
            found[whole] = Command(whole, one["description"], one.get("options") or [], command)
    return found


def _works_in_private(command: Json) -> bool:
    """Whether a command can be used in the private channel with the bot; all can be used in the
    server.
    """
    contexts = command.get("contexts")
    if contexts is not None:
        return 1 in contexts
    return "guild_id" not in command and command.get("dm_permission") is not False


def invoke(command: Command, given: dict[str, Any], *, focused: str | None = None) -> Json:
    """The data of a command interaction, or of autocompletion if an option has the focus."""
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
            options.append(
                {"name": name, "type": option["type"], "value": _value(option, given[name])}
            )
        elif option.get("required") and focused is None:
            # While one option is typed, the others may still be empty.
            raise Impossible("option_missing", option=name, description=option["description"])
    name, _, subcommand = command.name.partition(" ")
    if subcommand:
        options = [{"name": subcommand, "type": SUBCOMMAND, "options": options}]
    data: Json = {"id": command.registered["id"], "name": name, "type": 1, "options": options}
    if "guild_id" in command.registered:
        data["guild_id"] = command.registered["guild_id"]
    return data


def _value(option: Json, value: Any) -> Any:
    """A value that an option can have; of a list of choices also by its name."""
    for choice in option.get("choices") or []:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    if option["type"] == ATTACHMENT and not isinstance(value, Upload):
        raise Impossible("needs_file", option=option["name"])
    if option.get("choices") or type(value) is not TYPES[option["type"]]:
        raise Impossible("not_listed", option=option["name"], value=value)
    if option["type"] == INTEGER and not option.get("min_value", value) <= value <= option.get(
        "max_value", value
    ):
        raise Impossible("not_listed", option=option["name"], value=value)
    if isinstance(value, str):
        low, high = max(option.get("min_length") or 1, 1), option.get("max_length") or LONGEST_TEXT
        if not low <= len(value) <= high:
            raise Impossible("option_length", option=option["name"], low=low, high=high)
    return value
