"""What could be typed next: commands, options, and what can stand in them."""

from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.local.command_limits import BOOLEAN
from bot.local.command_line import Line, Slot, listed, read, value_of
from bot.local.errors import Impossible, Json
from bot.local.slash import Command

NO_COMMAND, NO_MATCH, NOT_LOADED = "no_such_command", "nothing_fits", "not_loaded"
"""What is said where there is nothing to offer; the page has the words."""


@dataclass(frozen=True)
class Suggestion:
    """A text for a place of the line."""

    text: str
    start: int
    end: int
    label: str
    description: str = ""


@dataclass(frozen=True)
class Hint:
    """What is being typed: an option with its description, or the command's description; which
    options are left.
    """

    description: str = ""
    option: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """What only the bot knows: how an option goes on."""

    command: Command
    values: dict[str, Any]
    slot: Slot


@dataclass(frozen=True)
class Offer:
    """What could be typed at a place."""

    hint: Hint = Hint()
    entries: list[Suggestion] = field(default_factory=list)
    note: str = ""
    """Said where there is nothing."""
    is_name: bool = False
    """The command is still to be chosen."""
    question: Question | None = None
    is_due: bool = False
    """Something of this list must be chosen before the line can be sent."""

    @property
    def picks(self) -> bool:
        """Whether Enter takes what is highlighted."""
        return self.is_name or self.is_due

    def answered(self, choices: list[Json] | None) -> "Offer":
        """With what the bot offers; None if it did not answer in time."""
        assert self.question is not None
        if choices is None:
            return replace(self, note=NOT_LOADED, question=None)
        slot = self.question.slot
        found = [_in_slot(slot, str(choice["value"]), choice["name"]) for choice in choices]
        known = [text for choice in choices for text in (str(choice["value"]), choice["name"])]
        together, is_due = _together(slot, found, self.entries), _is_due(slot, known)
        return replace(self, entries=together, note=NO_MATCH, question=None, is_due=is_due)

    def packet(self) -> Json:
        """As the page gets it."""
        entries = [asdict(entry) for entry in self.entries]
        return {
            "t": "offer",
            "hint": asdict(self.hint),
            "entries": entries,
            "note": self.note,
            "picks": self.picks,
        }


def offer(known: dict[str, Command], line: str, caret: int) -> Offer:
    """What somebody could type at the caret, where these commands are known."""
    found = read(line, known)
    if found is None or caret <= found.name_end:
        return _names(known, line, caret, found)
    slot = next((one for one in reversed(found.slots) if one.name_at <= caret), None)
    if slot is not None and slot.option:
        return _values(found, slot, line, caret)
    if slot is not None or not found.command.options:
        return Offer(Hint(found.command.description))
    # Nothing stands here: an option can be named, or a value of the first one be typed.
    empty = Slot(found.command.options[0], caret, caret, caret, "")
    if empty.option not in found.left or empty.option["type"] == BOOLEAN:
        # A bare yes or no says nothing.
        return Offer(Hint(found.command.description), _options(found.left, caret))
    others = [option for option in found.left if option is not empty.option]
    return _filling(found, empty, _options(others, caret))


def _names(known: dict[str, Command], line: str, caret: int, found: Line | None) -> Offer:
    """Which command: those that begin with what is typed, then those that hold it."""
    wanted = " ".join(line[:caret].split()).casefold().removeprefix("/")
    fits = [command for command in known.values() if wanted in command.name]
    fits.sort(key=lambda command: not command.name.startswith(wanted))
    end = found.name_end if found else len(line)
    entries = []
    for command in fits:
        # With the option that comes first, if there must be one.
        first = next(
            (option["name"] + ":" for option in command.options if option.get("required")), ""
        )
        entries.append(
            Suggestion(f"/{command.name} {first}", 0, end, f"/{command.name}", command.description)
        )
    is_ready = found is not None and not any(
        option.get("required") for option in found.command.options
    )
    return Offer(Hint(), entries, NO_COMMAND, is_name=not is_ready)


def _values(line: Line, slot: Slot, text: str, caret: int) -> Offer:
    """The caret is in an option; after a value and a blank another option can begin as well."""
    begun = text[slot.value_at : max(caret, slot.value_at)]
    # The bot may care whether a word has ended.
    here = replace(slot, value=begun.lstrip(), end=max(len(text[: slot.end].rstrip()), caret))
    is_over = begun.strip() and begun[-1].isspace() and not text[caret : slot.end].strip()
    return _filling(line, here, _options(line.left, caret) if is_over else [])


def _filling(line: Line, slot: Slot, more: list[Suggestion]) -> Offer:
    """What can stand in an option, and `more` that could begin after it."""
    others = tuple(option["name"] for option in line.left if option is not slot.option)
    hint = Hint(slot.option["description"], slot.name, others)
    if slot.option.get("autocomplete"):
        given = {**_given(line, slot.name), slot.name: slot.value}
        return Offer(hint, more, question=Question(line.command, given, slot))
    entries = listed(slot.option)
    if entries is None:
        return Offer(hint, more)
    begun = slot.value.strip().casefold()
    fits = [
        _in_slot(slot, entry.text, entry.text)
        for entry in entries
        if begun in entry.text.casefold()
    ]
    is_due = bool(fits) and _is_due(
        slot, [text for entry in entries for text in (entry.text, entry.other)]
    )
    return Offer(hint, _together(slot, fits, more), NO_MATCH, is_due=is_due)


def _is_due(slot: Slot, known: list[str]) -> bool:
    """Whether an option that must be there is none of what it can be yet."""
    typed = slot.value.strip().casefold()
    return bool(slot.option.get("required") and known) and typed not in [
        text.casefold() for text in known
    ]


def _given(line: Line, focused: str) -> dict[str, Any]:
    """What stands in the other options, as far as it is right."""
    found = {}
    for slot in line.slots:
        with suppress(Impossible):
            if slot.option and slot.name != focused and slot.value:
                found[slot.name] = value_of(slot)
    return found


def _in_slot(slot: Slot, text: str, label: str) -> Suggestion:
    named = f"{slot.name}:{text}" if slot.is_unnamed else text
    return Suggestion(named, slot.value_at, max(slot.end, slot.value_at), label)


def _together(slot: Slot, values: list[Suggestion], options: list[Suggestion]) -> list[Suggestion]:
    """Values, then options; where an option can begin, nobody needs the value that stands there
    already.
    """
    typed = slot.value.strip().casefold()
    if options:
        values = [
            one for one in values if one.text.removeprefix(f"{slot.name}:").casefold() != typed
        ]
    return values + options


def _options(options: list[Json], caret: int) -> list[Suggestion]:
    return [
        Suggestion(f"{one['name']}:", caret, caret, f"{one['name']}:", one["description"])
        for one in options
    ]
