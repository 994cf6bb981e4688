"""What Discord refuses about slash commands and about the choices that autocompletion offers."""

import re
from collections.abc import Iterator
from typing import Any

from bot.local.errors import Form, Json, Path

COMMANDS = 100
TEXTS = 8000
OPTIONS = 25
CHOICES = 25
SUBCOMMAND, STRING, INTEGER, BOOLEAN, ATTACHMENT = 1, 3, 4, 5, 11
"""Types of options; Discord has more, which Motu does not use."""

COMMAND_FIELDS = (
    *(
        "name",
        "description",
        "options",
        "type",
        "nsfw",
        "dm_permission",
        "default_member_permissions",
    ),
    *("contexts", "integration_types"),
)
OPTION_FIELDS = (
    *("type", "name", "description", "required", "choices", "options", "autocomplete"),
    *("min_length", "max_length", "min_value", "max_value"),
)


def check_commands(commands: Any) -> None:
    """Refuse a list of commands that breaks a limit."""
    form = Form()
    names: set[str] = set()
    for index, command in enumerate(form.a_list((), commands, 0, COMMANDS)):
        if not form.an_object((index,), command):
            continue
        form.known((index,), command, COMMAND_FIELDS)
        name = _check_name(form, (index,), command)
        if name in names:
            form.wrong(
                (index, "name"),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Command names must be unique",
            )
        names.add(name)
        _check_options(
            form, (index, "options"), command.get("options") or [], inside_a_command=True
        )
        # The whole is measured only where the parts fit.
        if not form.tree and sum(map(len, _texts(command))) > TEXTS:
            form.wrong(
                (index,), "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({TEXTS})"
            )
    form.check()


def _check_name(form: Form, path: Path, thing: Json) -> str:
    """A name and a description, as commands and options have them."""
    name = form.text((*path, "name"), thing.get("name"), 1, 32)
    if name and (not re.fullmatch(r"[-_'\w]+", name) or name != name.lower()):
        form.wrong((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    form.text((*path, "description"), thing.get("description"), 1, 100)
    return name


def _check_options(form: Form, path: Path, options: Any, *, inside_a_command: bool) -> None:
    """Options, or the subcommands that a command has in their place."""
    names: set[str] = set()
    kinds: set[bool] = set()
    was_optional = False
    for index, option in enumerate(form.a_list(path, options, 0, OPTIONS)):
        where = (*path, index)
        types = (STRING, INTEGER, BOOLEAN, ATTACHMENT, *((SUBCOMMAND,) if inside_a_command else ()))
        if not form.an_object(where, option) or not form.choice(
            (*where, "type"), option.get("type"), types
        ):
            continue
        form.known(where, option, OPTION_FIELDS)
        name = _check_name(form, where, option)
        if name in names:
            form.wrong(
                where, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique"
            )
        names.add(name)
        kinds.add(option["type"] == SUBCOMMAND)
        if option["type"] == SUBCOMMAND:
            _check_options(
                form, (*where, "options"), option.get("options") or [], inside_a_command=False
            )
            continue
        if option.get("required") and was_optional:
            said = "Required options must be placed before non-required options"
            form.wrong(where, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", said)
        was_optional = was_optional or not option.get("required")
        _check_value_option(form, where, option)
    if len(kinds) > 1:
        said = (
            "Sub-command and sub-command group option types are mutually exclusive "
            "to all other types"
        )
        form.wrong(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)


def _check_value_option(form: Form, path: Path, option: Json) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        said = "Choices and autocompletion exclude each other"
        form.wrong(
            (*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", said
        )
    if option.get("autocomplete") and option["type"] in (BOOLEAN, ATTACHMENT):
        form.wrong(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE",
            "This type has no autocompletion",
        )
    for key in ("min_length", "max_length"):
        form.number((*path, key), option.get(key), 0, 6000, 0)
    names = check_choices(form, (*path, "choices"), choices)
    if len(set(names)) < len(names):
        said = "Names must be unique"
        form.wrong((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED", said)


def check_choices(form: Form, path: Path, choices: Any) -> list[str]:
    """Note what is wrong with choices, of an option or as an answer to autocompletion; their
    names.
    """
    names: list[str] = []
    for index, choice in enumerate(form.a_list(path, choices, 0, CHOICES)):
        where = (*path, index)
        if not form.an_object(where, choice):
            continue
        form.known(where, choice, ("name", "value"))
        names.append(form.text((*where, "name"), choice.get("name"), 1, 100))
        if choice.get("value") is None:
            form.wrong((*where, "value"), "BASE_TYPE_REQUIRED", "This field is required")
        form.text((*where, "value"), choice.get("value"), 0, 100)
    return names


def _texts(thing: Json) -> Iterator[str]:
    """All that counts for the size of a command."""
    for key in ("name", "description", "value"):
        if key in thing:
            yield thing[key]
    for key in ("options", "choices"):
        for part in thing.get(key) or []:
            yield from _texts(part)
