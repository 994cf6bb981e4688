"""The limits of application commands and of autocompletion."""

import re
from collections.abc import Iterator
from typing import Any

from bot.local.refusal import Json, Refusal
from bot.local.rules.form import Form, Path

COMMANDS = 100
TEXTS = 8000
CHOICES = 25
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, NUMBER = 1, 2, 3, 4, 5, 10
OPTION_TYPES = range(1, 12)

_COMMAND_FIELDS = [
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "default_member_permissions",
    "dm_permission",
    "default_permission",
    "integration_types",
    "contexts",
    "type",
    "nsfw",
    "id",
    "handler",
]
_OPTION_FIELDS = [
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "required",
    "choices",
    "options",
    "channel_types",
    "min_value",
    "max_value",
    "min_length",
    "max_length",
    "autocomplete",
]


def check_commands(commands: Any) -> None:
    """Refuse a list of commands that breaks a limit."""
    form = Form()
    seen: set[tuple[int, str]] = set()
    for index, command in enumerate(form.a_list((), commands, 0, COMMANDS)):
        if not form.an_object((index,), command):
            continue
        _command(form, (index,), command)
        key = (command.get("type") or 1, command.get("name", ""))
        if key in seen:
            form.wrong((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Command names must be unique")
        seen.add(key)
    form.check()


def check_command(command: Any, others: int) -> None:
    """Refuse a single command that breaks a limit, or that is one too many beside the others."""
    form = Form()
    if form.an_object((), command):
        _command(form, (), command)
    form.check()
    if others >= COMMANDS:
        raise Refusal(30032)


def _command(form: Form, path: Path, command: Json) -> None:
    form.known(path, command, _COMMAND_FIELDS)
    if (command.get("type") or 1) != 1:
        form.text((*path, "name"), command.get("name"), 1, 32)
        return
    _named(form, path, command)
    _options(form, (*path, "options"), command.get("options") or [], depth=0)
    if not form.tree and sum(map(len, _texts(command))) > TEXTS:
        form.wrong(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({TEXTS})")


def _named(form: Form, path: Path, thing: Json) -> None:
    name = form.text((*path, "name"), thing.get("name"), 1, 32)
    if name and (not re.fullmatch(r"[-_'\w]+", name) or name != name.lower()):
        form.wrong((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.text((*path, "description"), thing.get("description"), 1, 100)


def _options(form: Form, path: Path, options: Any, depth: int) -> None:
    names: set[str] = set()
    optional = False
    for index, option in enumerate(form.a_list(path, options, 0, CHOICES)):
        where = (*path, index)
        if not form.an_object(where, option) or not form.choice((*where, "type"), option.get("type"), OPTION_TYPES):
            continue
        form.known(where, option, _OPTION_FIELDS)
        _named(form, where, option)
        if option.get("name") in names:
            form.wrong(where, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique")
        names.add(option.get("name", ""))
        if option["type"] in (SUBCOMMAND, GROUP):
            _nested(form, where, option, depth)
            continue
        if option.get("required") and optional:
            form.wrong(
                where,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional = optional or not option.get("required")
        _value_option(form, where, option)
    _unmixed(form, path, options)


def _unmixed(form: Form, path: Path, options: Any) -> None:
    kinds = {o.get("type") in (SUBCOMMAND, GROUP) for o in options if isinstance(o, dict)}
    if len(kinds) > 1:
        form.wrong(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )


def _nested(form: Form, path: Path, option: Json, depth: int) -> None:
    if depth > 1 or (option["type"] == GROUP and depth > 0):
        form.wrong((*path, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This is nested too deep")
        return
    _options(form, (*path, "options"), option.get("options") or [], 2 if option["type"] == SUBCOMMAND else 1)


def _value_option(form: Form, path: Path, option: Json) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        form.wrong(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE",
            "Choices and autocompletion exclude each other",
        )
    if option.get("autocomplete") and option["type"] not in (STRING, INTEGER, NUMBER):
        form.wrong((*path, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE", "This type has no autocompletion")
    for key in ("min_length", "max_length"):
        form.number((*path, key), option.get(key), 0, 6000, 0)
    check_choices(form, (*path, "choices"), choices, option["type"])


def check_choices(form: Form, path: Path, choices: Any, kind: int, *, registered: bool = True) -> None:
    """Note what is wrong with choices, of an option or as an answer to autocompletion."""
    names: set[str] = set()
    for index, choice in enumerate(form.a_list(path, choices, 0, CHOICES)):
        where = (*path, index)
        if not form.an_object(where, choice):
            continue
        form.known(where, choice, ("name", "name_localizations", "value"))
        name = form.text((*where, "name"), choice.get("name"), 1, 100)
        if registered and name in names:
            form.wrong((*where, "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED", "Names must be unique")
        names.add(name)
        _choice_value(form, (*where, "value"), choice.get("value"), kind)


def _choice_value(form: Form, path: Path, value: Any, kind: int) -> None:
    if kind == STRING:
        form.text(path, value, 0, 100)
        if value is None:
            form.wrong(path, "BASE_TYPE_REQUIRED", "This field is required")
    elif isinstance(value, bool) or not isinstance(value, int if kind == INTEGER else int | float):
        form.wrong(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number of that type.')


def _texts(thing: Json) -> Iterator[str]:
    for key in ("name", "description", "value"):
        if isinstance(thing.get(key), str):
            yield thing[key]
    for key in ("options", "choices"):
        for part in thing.get(key) or []:
            yield from _texts(part)
