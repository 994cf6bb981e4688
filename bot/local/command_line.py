"""Parses a typed line such as `/game new game:Go seats:3` into a command and its options.

Text before the first `name:` is the value of the first option, so that `/play a1` works. Values may
contain spaces and colons: only the name of one of the command's own options begins the next value.
"""

import re
from dataclasses import dataclass
from typing import Any

from bot.local.command_limits import BOOLEAN, INTEGER
from bot.local.errors import Impossible, Json
from bot.local.slash import Command

_LOOKS_LIKE_NAME = re.compile(r"(?<!\S)([a-z_-]+):(?!//)", re.IGNORECASE)
"""Matches what is probably meant as the name of an option, but not `https://`."""


@dataclass(frozen=True)
class Slot:
    """An option in the line with its value."""

    option: Json
    """The option as the bot registered it; empty if the command has no options at all."""
    name_at: int
    value_at: int
    """Where the value begins: after the name, or at `name_at` if the name was left out."""
    end: int
    value: str

    @property
    def name(self) -> str:
        """The option's name."""
        return str(self.option["name"])

    @property
    def is_unnamed(self) -> bool:
        """Whether the value was typed without the option's name."""
        return self.name_at == self.value_at


@dataclass(frozen=True)
class Line:
    """A command with the options that were typed after it."""

    command: Command
    name_end: int
    slots: list[Slot]

    @property
    def unused_options(self) -> list[Json]:
        """The command's options that are not in the line."""
        used = {slot.name for slot in self.slots}
        return [option for option in self.command.options if option["name"] not in used]


def parse_line(line: str, known: dict[str, Command]) -> Line | None:
    """Parse a line; return None unless it begins with the full name of a command."""
    for command in known.values():
        words = r"\s+".join(map(re.escape, command.name.split()))
        if name := re.match(rf"\s*/{words}(?!\S)", line, re.IGNORECASE):
            return Line(command, name.end(), _parse_slots(command, line, name.end()))
    return None


def _parse_slots(command: Command, line: str, start: int) -> list[Slot]:
    """Return the options after the command's name, in the order of the line."""
    by_name = {option["name"]: option for option in command.options}
    names: list[re.Match[str]] = []
    if by_name:
        # A name comes after a space: in `premove:x` no option `move` begins.
        any_name = re.compile(rf"(?<!\S)({'|'.join(map(re.escape, by_name))}):", re.IGNORECASE)
        names = list(any_name.finditer(line, start))
    # A value ends where the next name begins.
    ends = [*(name.start() for name in names), len(line)]
    slots = []
    if line[start : ends[0]].strip():
        value_at = len(line) - len(line[start:].lstrip())
        option = command.options[0] if command.options else {}
        value = line[value_at : ends[0]].strip()
        slots.append(Slot(option, value_at, value_at, ends[0], value))
    for name, end in zip(names, ends[1:], strict=True):
        option = by_name[name[1].lower()]
        value = line[name.end() : end].strip()
        slots.append(Slot(option, name.start(), name.end(), end, value))
    return slots


@dataclass(frozen=True)
class Choice:
    """A value that an option can have, and how it is typed."""

    text: str
    value: Any
    alias: str
    """Another way to type it."""


def list_choices(option: Json) -> list[Choice] | None:
    """Return the values that an option can have; None if it takes any."""
    if option.get("choices"):
        return [
            Choice(choice["name"], choice["value"], choice["value"]) for choice in option["choices"]
        ]
    if option["type"] == BOOLEAN:
        return [Choice("True", True, "yes"), Choice("False", False, "no")]
    return None


def parse_value(slot: Slot) -> Any:
    """Return the value of an option in the option's type."""
    choices = list_choices(slot.option)
    if slot.option["type"] == INTEGER and slot.value.isdecimal():
        return int(slot.value)
    if choices is None:
        return slot.value
    for choice in choices:
        if slot.value.casefold() in (choice.text.casefold(), choice.alias.casefold()):
            return choice.value
    _refuse_unknown_name(slot.value)
    raise Impossible("not_listed", option=slot.name, value=slot.value)


def parse_values(line: Line) -> dict[str, Any]:
    """Return the values of all options by name; refuse missing and wrong ones."""
    values: dict[str, Any] = {}
    for slot in line.slots:
        if not slot.option:
            _refuse_unknown_name(slot.value)
            raise Impossible("no_options", command=line.command.name)
        # `/game new gme:go` has a misspelt name in it; nobody means a game named "gme:go".
        if slot.is_unnamed and _LOOKS_LIKE_NAME.match(slot.value):
            _refuse_unknown_name(slot.value, line.command)
        if slot.name in values:
            raise Impossible("given_twice", option=slot.name)
        if slot.value:
            values[slot.name] = parse_value(slot)
    for option in line.command.options:
        if option.get("required") and option["name"] not in values:
            raise Impossible(
                "option_missing", option=option["name"], description=option["description"]
            )
    return values


def _refuse_unknown_name(value: str, command: Command | None = None) -> None:
    """Refuse a value that contains what looks like the name of an option."""
    if found := _LOOKS_LIKE_NAME.search(value):
        names = [option["name"] for option in command.options] if command else []
        raise Impossible("no_option", option=found[1], has=names)
