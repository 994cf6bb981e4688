"""What could be typed next: commands, options, and what can stand in them."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from bot.local.line import Command, Entry, Line, Slot, commands, listed, read, value_of
from bot.local.model import Channel, User
from bot.local.refusal import Json
from bot.local.slash import Impossible
from bot.local.state import State

MOST = 25
"""People or channels that are offered at once."""
NO_COMMAND = "There is no such command"
NO_MATCH = "No options match"
NOT_LOADED = "Options could not be loaded"


@dataclass(frozen=True)
class Suggestion:
    """A text for a place of the line."""

    text: str
    start: int
    end: int
    label: str
    description: str = ""


@dataclass(frozen=True)
class Question:
    """What only the bot knows: how an option goes on."""

    command: str
    focused: str
    values: dict[str, Any]
    slot: Slot


@dataclass(frozen=True)
class Offer:
    """What could be typed at a place."""

    hint: str = ""
    entries: list[Suggestion] = field(default_factory=list)
    note: str = ""
    """Said where there is nothing."""
    is_name: bool = False
    """The command is still to be chosen."""
    question: Question | None = None

    def answered(self, choices: list[Json] | None) -> "Offer":
        """With what the bot offers; None if it did not answer in time."""
        assert self.question is not None
        if choices is None:
            return replace(self, note=NOT_LOADED, question=None)
        slot = self.question.slot
        found = [_in_slot(slot, str(choice["value"]), choice["name"]) for choice in choices]
        return replace(self, entries=_together(slot, found, self.entries), note=NO_MATCH, question=None)

    def packet(self) -> Json:
        """As the page gets it."""
        entries = [vars(entry) for entry in self.entries]
        return {"t": "offer", "hint": self.hint, "entries": entries, "note": self.note, "picks": self.is_name}


def offer(state: State, user: User, channel: Channel, line: str, caret: int) -> Offer:
    """What somebody could type at the caret."""
    known = commands(state, channel)
    found = read(line, known)
    if found is None or caret <= found.name_end:
        return _names(known, line, caret, found)
    slot = next((one for one in reversed(found.slots) if one.name_at <= caret), None)
    if slot is not None and slot.option:
        return _values(state, user, found, slot, line, caret)
    if slot is not None or not found.command.options:
        return Offer(found.command.description)
    return _beginning(state, user, found, caret)


# Which command


def _names(known: list[Command], line: str, caret: int, found: Line | None) -> Offer:
    wanted = " ".join(line[:caret].split()).casefold().removeprefix("/")
    fits = sorted((one for one in known if wanted in one.name), key=lambda one: not one.name.startswith(wanted))
    end = found.name_end if found else len(line)
    entries = [Suggestion(_begun(one), 0, end, f"/{one.name}", one.description) for one in fits]
    is_ready = found is not None and not any(option.get("required") for option in found.command.options)
    return Offer("", entries, NO_COMMAND, is_name=not is_ready)


def _begun(command: Command) -> str:
    """A command with the option that comes first, if there must be one."""
    first = next((option["name"] + ":" for option in command.options if option.get("required")), "")
    return f"/{command.name} {first}"


# What is in an option


def _beginning(state: State, user: User, line: Line, caret: int) -> Offer:
    """Nothing stands here: an option can be named, or a value of the first one be typed."""
    slot = Slot(line.command.options[0], caret, caret, caret, "")
    if slot.option not in line.left:
        return Offer(line.command.description, _options(line.left, caret))
    others = [option for option in line.left if option is not slot.option]
    return _filling(state, user, line, slot, _options(others, caret))


def _values(state: State, user: User, line: Line, slot: Slot, text: str, caret: int) -> Offer:
    """The caret is in an option; after a value and a blank another option can begin as well."""
    begun = text[slot.value_at : max(caret, slot.value_at)]
    # The bot may care whether a word has ended.
    here = replace(slot, value=begun.lstrip(), end=max(len(text[: slot.end].rstrip()), caret))
    is_over = begun.strip() and begun[-1].isspace() and not text[caret : slot.end].strip()
    return _filling(state, user, line, here, _options(line.left, caret) if is_over else [])


def _filling(state: State, user: User, line: Line, slot: Slot, more: list[Suggestion]) -> Offer:
    hint = f"{slot.name}: {slot.option['description']}"
    others = [option["name"] for option in line.left if option is not slot.option]
    hint += f" · also {', '.join(others)}" if others else ""
    if slot.option.get("autocomplete"):
        given = {**_given(state, user, line, slot.name), slot.name: slot.value}
        return Offer(hint, more, question=Question(line.command.name, slot.name, given, slot))
    entries = listed(state, user, slot.option)
    if entries is None:
        return Offer(hint, more)
    fits = [_in_slot(slot, one.text, _label(one)) for one in entries if _fits(one, slot.value.strip())]
    return Offer(hint, _together(slot, fits[:MOST], more), NO_MATCH)


def _given(state: State, user: User, line: Line, focused: str) -> dict[str, Any]:
    """What stands in the other options, as far as it is right."""
    found = {}
    for slot in line.slots:
        with suppress(Impossible):
            if slot.option and slot.name != focused and slot.value:
                found[slot.name] = value_of(state, user, slot)
    return found


def _fits(entry: Entry, begun: str) -> bool:
    return any(begun.casefold() in way.casefold() for way in (entry.text, _label(entry)))


def _label(entry: Entry) -> str:
    """A thread is typed as a mention and known by its name."""
    return entry.also[0] if entry.text.startswith("<") else entry.text


def _in_slot(slot: Slot, text: str, label: str) -> Suggestion:
    named = f"{slot.name}:{text}" if slot.is_unnamed else text
    return Suggestion(named, slot.value_at, max(slot.end, slot.value_at), label)


def _together(slot: Slot, values: list[Suggestion], options: list[Suggestion]) -> list[Suggestion]:
    """Values, then options; where an option can begin, nobody needs the value that stands there already."""
    typed = slot.value.strip().casefold()
    if options:
        values = [one for one in values if one.text.removeprefix(f"{slot.name}:").casefold() != typed]
    return values + options


def _options(options: list[Json], caret: int) -> list[Suggestion]:
    return [Suggestion(f"{one['name']}:", caret, caret, f"{one['name']}:", one["description"]) for one in options]
