"""What Discord refuses about slash commands, and about choices that autocompletion offers."""

import re
from collections.abc import Iterator
from typing import Any

from bot.local.errors import BodyCheck, Json, Path

MAX_COMMANDS = 100
MAX_COMMAND_CHARACTERS = 8000
"""Length of all names, descriptions and values of a command together."""
MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_NAME = 32
MAX_DESCRIPTION = 100
MAX_CHOICE_NAME = 100
MAX_CHOICE_VALUE = 100
MAX_STRING_LENGTH = 6000
"""The largest `min_length` and `max_length` that an option may ask for."""

SUBCOMMAND, STRING, INTEGER, BOOLEAN, ATTACHMENT = 1, 3, 4, 5, 11
"""Discord's option types, without those that Motu does not use."""
VALUE_TYPES = (STRING, INTEGER, BOOLEAN, ATTACHMENT)

COMMAND_FIELDS = (
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "type",
    "nsfw",
    "dm_permission",
    "default_member_permissions",
    "contexts",
    "integration_types",
)
OPTION_FIELDS = (
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "required",
    "choices",
    "options",
    "autocomplete",
    "min_length",
    "max_length",
    "min_value",
    "max_value",
)


def check_commands(commands: Any) -> None:
    """Refuse a list of commands that breaks a limit."""
    check = BodyCheck()
    names: set[str] = set()
    for index, command in enumerate(check.items((), commands, 0, MAX_COMMANDS)):
        if not check.is_object((index,), command):
            continue
        check.only_fields((index,), command, COMMAND_FIELDS)
        name = _check_name(check, (index,), command)
        if name in names:
            check.add_error(
                (index, "name"),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Command names must be unique",
            )
        names.add(name)
        options = command.get("options") or []
        _check_options(check, (index, "options"), options, may_be_subcommands=True)
        # The texts of a malformed command cannot be counted.
        if not check.errors and sum(map(len, _texts(command))) > MAX_COMMAND_CHARACTERS:
            check.add_error(
                (index,),
                "APPLICATION_COMMAND_TOO_LARGE",
                f"Command exceeds maximum size ({MAX_COMMAND_CHARACTERS})",
            )
    check.raise_errors()


def _check_name(check: BodyCheck, path: Path, thing: Json) -> str:
    """Check the name and description of a command or option, and return the name."""
    name = check.text((*path, "name"), thing.get("name"), 1, MAX_NAME)
    # Discord: names match ^[-_'\p{L}\p{N}]{1,32}$ and use lowercase letters where there are any.
    if name and (not re.fullmatch(r"[-_'\w]+", name) or name != name.lower()):
        check.add_error(
            (*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"
        )
    check.text((*path, "description"), thing.get("description"), 1, MAX_DESCRIPTION)
    _check_translations(check, path, thing, "name", MAX_NAME)
    _check_translations(check, path, thing, "description", MAX_DESCRIPTION)
    return name


def _check_translations(check: BodyCheck, path: Path, thing: Json, field: str, limit: int) -> None:
    """Check a text in other languages, by locale, against the limit of the text itself."""
    field = f"{field}_localizations"
    for locale, text in (thing.get(field) or {}).items():
        check.text((*path, field, locale), text, 1, limit)


def _check_options(check: BodyCheck, path: Path, options: Any, *, may_be_subcommands: bool) -> None:
    """Check the options of a command or subcommand, or the subcommands of a command."""
    allowed_types = (*VALUE_TYPES, SUBCOMMAND) if may_be_subcommands else VALUE_TYPES
    names: set[str] = set()
    subcommands = 0
    value_options = 0
    was_optional = False
    for index, option in enumerate(check.items(path, options, 0, MAX_OPTIONS)):
        where = (*path, index)
        if not check.is_object(where, option):
            continue
        if not check.is_one_of((*where, "type"), option.get("type"), allowed_types):
            continue
        check.only_fields(where, option, OPTION_FIELDS)
        name = _check_name(check, where, option)
        if name in names:
            check.add_error(
                where, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique"
            )
        names.add(name)
        if option["type"] == SUBCOMMAND:
            subcommands += 1
            inner = option.get("options") or []
            _check_options(check, (*where, "options"), inner, may_be_subcommands=False)
            continue
        value_options += 1
        if option.get("required") and was_optional:
            message = "Required options must be placed before non-required options"
            check.add_error(where, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        was_optional = was_optional or not option.get("required")
        _check_value_option(check, where, option)
    if subcommands and value_options:
        message = (
            "Sub-command and sub-command group option types are mutually exclusive "
            "to all other types"
        )
        check.add_error(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _check_value_option(check: BodyCheck, path: Path, option: Json) -> None:
    """Check the choices, the autocompletion and the bounds of an option that takes a value."""
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        check.add_error(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE",
            "Choices and autocompletion exclude each other",
        )
    if option.get("autocomplete") and option["type"] in (BOOLEAN, ATTACHMENT):
        check.add_error(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE",
            "This type has no autocompletion",
        )
    for key in ("min_length", "max_length"):
        check.number((*path, key), option.get(key), 0, MAX_STRING_LENGTH, 0)
    names = check_choices(check, (*path, "choices"), choices)
    if len(set(names)) < len(names):
        check.add_error(
            (*path, "choices"),
            "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED",
            "Names must be unique",
        )


def check_choices(check: BodyCheck, path: Path, choices: Any) -> list[str]:
    """Check choices, of an option or as a response to autocompletion, and return their names."""
    names: list[str] = []
    for index, choice in enumerate(check.items(path, choices, 0, MAX_CHOICES)):
        where = (*path, index)
        if not check.is_object(where, choice):
            continue
        check.only_fields(where, choice, ("name", "name_localizations", "value"))
        _check_translations(check, where, choice, "name", MAX_CHOICE_NAME)
        names.append(check.text((*where, "name"), choice.get("name"), 1, MAX_CHOICE_NAME))
        if choice.get("value") is None:
            check.add_error((*where, "value"), "BASE_TYPE_REQUIRED", "This field is required")
        check.text((*where, "value"), choice.get("value"), 0, MAX_CHOICE_VALUE)
    return names


def _texts(thing: Json) -> Iterator[str]:
    """Yield every text that counts towards the size of a command."""
    for key in ("name", "description", "value"):
        if key in thing:
            # Of a text in several languages only the longest counts.
            translations = (thing.get(f"{key}_localizations") or {}).values()
            yield max((thing[key], *translations), key=len)
    for key in ("options", "choices"):
        for part in thing.get(key) or []:
            yield from _texts(part)
