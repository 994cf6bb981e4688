"""A typed line such as `/game new game:Go seats:3`: which command it is, and what stands in its options.

What stands before the first `name:` belongs to the first option, so that `/play a1` does; values may have blanks and
colons in them, for only the names of the command's own options begin a new one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.local.model import Channel, Thread, User
from bot.local.refusal import Json
from bot.local.rules.command import BOOLEAN, GROUP, INTEGER, NUMBER, STRING, SUBCOMMAND
from bot.local.slash import CHANNEL, MENTIONABLE, USER, Impossible, is_offered
from bot.local.state import State


@dataclass(frozen=True)
class Command:
    """A command that can be typed, a subcommand by its whole name."""

    name: str
    description: str
    options: list[Json]


@dataclass(frozen=True)
class Slot:
    """An option in the line."""

    option: Json
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


def commands(state: State, channel: Channel) -> list[Command]:
    """What can be typed in a channel."""
    in_dm = channel.recipient is not None
    found = (command for command in state.offered() if is_offered(command, in_dm=in_dm))
    return [leaf for command in found for leaf in _leaves(command, command["name"])]


def _leaves(level: Json, name: str) -> Iterator[Command]:
    options: list[Json] = level.get("options") or []
    nested = [option for option in options if option["type"] in (SUBCOMMAND, GROUP)]
    if not nested:
        yield Command(name, level["description"], options)
    for option in nested:
        yield from _leaves(option, f"{name} {option['name']}")


def read(line: str, known: list[Command]) -> Line | None:
    """Take a line apart; None unless it begins with a whole command."""
    for command in known:
        words = r"\s+".join(map(re.escape, command.name.split()))
        if begun := re.match(rf"\s*/{words}(?!\S)", line, re.IGNORECASE):
            return Line(command, begun.end(), _slots(command, line, begun.end()))
    return None


def _slots(command: Command, line: str, at: int) -> list[Slot]:
    """The options in the order of the line; a first value without a name comes first."""
    by_name = {option["name"]: option for option in command.options}
    named = re.compile(rf"(?<!\S)({'|'.join(map(re.escape, by_name))}):", re.IGNORECASE)
    marks = list(named.finditer(line, at)) if by_name else []
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


# What an option can be


@dataclass(frozen=True)
class Entry:
    """Something that an option can be, as it is typed."""

    text: str
    value: Any
    also: tuple[str, ...] = ()
    """Other ways to type it."""

    def is_meant_by(self, typed: str) -> bool:
        """Whether somebody typed it, in whatever case."""
        return typed.casefold() in (way.casefold() for way in (self.text, *self.also))


def listed(state: State, user: User, option: Json) -> list[Entry] | None:
    """All that an option can be for somebody; None if there is no list of it."""
    kind = option["type"]
    if option.get("choices"):
        return [Entry(choice["name"], choice["value"], (str(choice["value"]),)) for choice in option["choices"]]
    if kind == BOOLEAN:
        return [Entry("True", True, ("yes",)), Entry("False", False, ("no",))]
    if kind in (USER, MENTIONABLE):
        return [Entry(f"@{one.name}", one, (one.name, f"<@{one.id}>")) for one in state.people]
    if kind == CHANNEL:
        return [_channel_entry(one) for one in _channels(state, user, option)]
    return None


def _channels(state: State, user: User, option: Json) -> list[Channel]:
    kinds = option.get("channel_types")
    found = [one for one in state.channels.values() if one.recipient is None and (not kinds or one.kind in kinds)]
    return [one for one in found if state.may(user, one, "view_channel")]


def _channel_entry(channel: Channel) -> Entry:
    mention = f"<#{channel.id}>"
    # Threads may share a name; a mention is always the one.
    if isinstance(channel, Thread):
        return Entry(mention, channel, (f"#{channel.name}", channel.name))
    return Entry(f"#{channel.name}", channel, (channel.name, mention))


def value_of(state: State, user: User, slot: Slot) -> Any:
    """What stands in an option, as its type demands."""
    option, typed = slot.option, slot.value
    entries = listed(state, user, option)
    if entries is not None:
        for entry in entries:
            if entry.is_meant_by(typed):
                return entry.value
        raise Impossible(_stray(slot) or f"“{typed}” is not in the list of {slot.name}")
    if option["type"] == STRING:
        return typed
    if option["type"] in _NUMBERS:
        return _number(slot)
    raise Impossible(f"{slot.name} cannot be given here")


_NUMBERS: dict[int, tuple[str, type[int] | type[float], str]] = {
    INTEGER: (r"[+-]?[0-9]+", int, "whole number"),
    NUMBER: (r"[+-]?[0-9]+(\.[0-9]+)?", float, "number"),
}


def _number(slot: Slot) -> int | float:
    pattern, convert, kind = _NUMBERS[slot.option["type"]]
    if not re.fullmatch(pattern, slot.value):
        raise Impossible(_stray(slot) or f"{slot.name} is a {kind}, not “{slot.value}”")
    return convert(slot.value)


_LOOKS_NAMED = re.compile(r"(?<!\S)([a-z_-]+):(?!//)", re.IGNORECASE)


def _stray(slot: Slot) -> str:
    """What to say of a wrong value in which an option seems to begin that the command does not have."""
    found = _LOOKS_NAMED.search(slot.value)
    return f"there is no option {found[1]}" if found else ""


def values(state: State, user: User, line: Line) -> dict[str, Any]:
    """What stands in all options; whatever is missing or wrong is refused."""
    found: dict[str, Any] = {}
    for slot in line.slots:
        if not slot.option:
            raise Impossible(_stray(slot) or f"/{line.command.name} has no options")
        if slot.is_unnamed and _LOOKS_NAMED.match(slot.value):
            has = ", ".join(option["name"] for option in line.command.options)
            raise Impossible(f"{_stray(slot)}; /{line.command.name} has {has}")
        if slot.name in found:
            raise Impossible(f"{slot.name} is given twice")
        if slot.value:
            found[slot.name] = value_of(state, user, slot)
    missing = [one for one in line.command.options if one.get("required") and one["name"] not in found]
    if missing:
        raise Impossible(f"{missing[0]['name']} is missing: {missing[0]['description']}")
    return found
