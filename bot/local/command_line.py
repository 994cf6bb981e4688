"""A typed line such as `/game new game:Go seats:3`: which command it is, and what stands in its
options.

What stands before the first `name:` belongs to the first option, so that `/play a1` does; values
may have blanks and colons in them, for only the names of the command's own options begin a new one.
"""

import re
from dataclasses import dataclass
from typing import Any

from bot.local.command_limits import BOOLEAN, INTEGER
from bot.local.errors import Impossible, Json
from bot.local.slash import Command


@dataclass(frozen=True)
class Slot:
    """An option in the line."""

    option: Json
    """As the bot registered it; empty if something stands where the command has no option at
    all.
    """
    name_at: int
    value_at: int
    """Where its value begins: after its name, or at the same place if that was left out."""
    end: int
    value: str

    @property
    def name(self) -> str:
        """The option's name."""
        return str(self.option["name"])

    @property
    def is_unnamed(self) -> bool:
        """Whether the value stands there without the option's name."""
        return self.name_at == self.value_at


@dataclass(frozen=True)
class Line:
    """A command with what was typed after it."""

    command: Command
    name_end: int
    slots: list[Slot]

    @property
    def left(self) -> list[Json]:
        """The options that are not in the line."""
        used = {slot.name for slot in self.slots}
        return [option for option in self.command.options if option["name"] not in used]


def read(line: str, known: dict[str, Command]) -> Line | None:
    """Take a line apart; None unless it begins with a whole command."""
    for command in known.values():
        words = r"\s+".join(map(re.escape, command.name.split()))
        if begun := re.match(rf"\s*/{words}(?!\S)", line, re.IGNORECASE):
            return Line(command, begun.end(), _slots(command, line, begun.end()))
    return None


def _slots(command: Command, line: str, at: int) -> list[Slot]:
    """The options in the order of the line; a first value without a name comes first."""
    by_name = {option["name"]: option for option in command.options}
    # Only after a blank: in `premove:x` no option `move` begins.
    named = re.compile(rf"(?<!\S)({'|'.join(map(re.escape, by_name))}):", re.IGNORECASE)
    marks = list(named.finditer(line, at)) if by_name else []
    # A value ends where the next name begins.
    ends = [*(mark.start() for mark in marks), len(line)]
    found = []
    if line[at : ends[0]].strip():
        begin = len(line) - len(line[at:].lstrip())
        first = command.options[0] if command.options else {}
        found.append(Slot(first, begin, begin, ends[0], line[begin : ends[0]].strip()))
    for mark, end in zip(marks, ends[1:], strict=True):
        option = by_name[mark[1].lower()]
        found.append(Slot(option, mark.start(), mark.end(), end, line[mark.end() : end].strip()))
    return found


@dataclass(frozen=True)
class Entry:
    """Something that an option can be, as it is typed."""

    text: str
    value: Any
    other: str
    """Another way to type it."""


def listed(option: Json) -> list[Entry] | None:
    """All that an option can be; None if there is no list of it."""
    if option.get("choices"):
        return [
            Entry(choice["name"], choice["value"], choice["value"]) for choice in option["choices"]
        ]
    if option["type"] == BOOLEAN:
        return [Entry("True", True, "yes"), Entry("False", False, "no")]
    return None


def value_of(slot: Slot) -> Any:
    """What stands in an option, as its type demands."""
    entries = listed(slot.option)
    if slot.option["type"] == INTEGER and slot.value.isdecimal():
        return int(slot.value)
    if entries is None:
        return slot.value
    for entry in entries:
        if slot.value.casefold() in (entry.text.casefold(), entry.other.casefold()):
            return entry.value
    _refuse_strange_names(slot.value)
    raise Impossible("not_listed", option=slot.name, value=slot.value)


def values(line: Line) -> dict[str, Any]:
    """What stands in all options; whatever is missing or wrong is refused."""
    found: dict[str, Any] = {}
    for slot in line.slots:
        if not slot.option:
            _refuse_strange_names(slot.value)
            raise Impossible("no_options", command=line.command.name)
        # `/game new gme:go` is a slip of the pen, not a game of the name "gme:go".
        if slot.is_unnamed and _LOOKS_NAMED.match(slot.value):
            _refuse_strange_names(slot.value, line.command)
        if slot.name in found:
            raise Impossible("given_twice", option=slot.name)
        if slot.value:
            found[slot.name] = value_of(slot)
    for option in line.command.options:
        if option.get("required") and option["name"] not in found:
            raise Impossible(
                "option_missing", option=option["name"], description=option["description"]
            )
    return found


_LOOKS_NAMED = re.compile(r"(?<!\S)([a-z_-]+):(?!//)", re.IGNORECASE)


def _refuse_strange_names(value: str, command: Command | None = None) -> None:
    """Refuse a wrong value in which an option seems to begin that the command does not have."""
    if found := _LOOKS_NAMED.search(value):
        has = [option["name"] for option in command.options] if command else []
        raise Impossible("no_option", option=found[1], has=has)
