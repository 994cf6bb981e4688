"""What could be typed next in a command line: commands, options, and their values.

`suggest` answers what it can from the registered commands. Where an option has autocompletion, it
says what to ask the bot, and `Suggestions.with_choices` adds the bot's answer.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.local.command_limits import BOOLEAN
from bot.local.command_line import Line, Slot, list_choices, parse_line, parse_value
from bot.local.errors import Impossible, Json
from bot.local.slash import Command

NO_COMMAND, NO_MATCH, NOT_LOADED = "no_such_command", "nothing_fits", "not_loaded"
"""Why there is nothing to suggest; `page/words.js` has the texts."""


@dataclass(frozen=True)
class Suggestion:
    """A text that replaces a part of the line."""

    text: str
    start: int
    end: int
    label: str
    description: str = ""


@dataclass(frozen=True)
class Hint:
    """A description of the option or command being typed, and the options still unused."""

    description: str = ""
    option: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class BotQuestion:
    """The autocompletion that the bot has to be asked for."""

    command: Command
    values: dict[str, Any]
    slot: Slot


@dataclass(frozen=True)
class Suggestions:
    """Everything that the page shows above the line."""

    hint: Hint = Hint()
    entries: list[Suggestion] = field(default_factory=list)
    note: str = ""
    """Shown if there are no entries."""
    is_name: bool = False
    """Whether the command is still being chosen."""
    question: BotQuestion | None = None
    must_choose: bool = False
    """Whether the line cannot be sent before one of the entries is chosen."""

    @property
    def enter_accepts(self) -> bool:
        """Whether Enter takes the highlighted entry instead of sending the line."""
        return self.is_name or self.must_choose

    def with_choices(self, choices: list[Json] | None) -> "Suggestions":
        """Return the suggestions with the bot's choices; None if it did not answer in time."""
        assert self.question is not None
        if choices is None:
            return replace(self, note=NOT_LOADED, question=None)
        slot = self.question.slot
        entries = [_fill_slot(slot, str(choice["value"]), choice["name"]) for choice in choices]
        known = [str(choice["value"]) for choice in choices]
        known += [choice["name"] for choice in choices]
        return replace(
            self,
            entries=_join(slot, entries, self.entries),
            note=NO_MATCH,
            question=None,
            must_choose=_is_incomplete(slot, known),
        )

    def to_packet(self) -> Json:
        """Return the packet that the page gets."""
        return {
            "t": "offer",
            "hint": asdict(self.hint),
            "entries": [asdict(entry) for entry in self.entries],
            "note": self.note,
            "picks": self.enter_accepts,
        }


def suggest(known: dict[str, Command], text: str, caret: int) -> Suggestions:
    """Return what could be typed at the caret if these commands are known."""
    line = parse_line(text, known)
    if line is None or caret <= line.name_end:
        return _suggest_commands(known, text, caret, line)
    slot = next((one for one in reversed(line.slots) if one.name_at <= caret), None)
    if slot is not None and slot.option:
        return _suggest_at(line, slot, text, caret)
    command_hint = Hint(line.command.description)
    if slot is not None or not line.command.options:
        return Suggestions(command_hint)
    # Nothing is typed yet. The next thing is the name of an option, or a value of the first one.
    first = Slot(line.command.options[0], caret, caret, caret, "")
    # But a bare True or False would not tell what it is about.
    if first.option not in line.unused_options or first.option["type"] == BOOLEAN:
        return Suggestions(command_hint, _name_options(line.unused_options, caret))
    others = [option for option in line.unused_options if option is not first.option]
    return _suggest_values(line, first, _name_options(others, caret))


def _suggest_commands(
    known: dict[str, Command], text: str, caret: int, line: Line | None
) -> Suggestions:
    """Suggest commands that begin with what is typed, then those that contain it."""
    wanted = " ".join(text[:caret].split()).casefold().removeprefix("/")
    matching = [command for command in known.values() if wanted in command.name]
    matching.sort(key=lambda command: not command.name.startswith(wanted))
    end = line.name_end if line else len(text)
    entries = []
    for command in matching:
        # The name of the first required option is typed along.
        required = [option["name"] for option in command.options if option.get("required")]
        option = f"{required[0]}:" if required else ""
        entries.append(
            Suggestion(f"/{command.name} {option}", 0, end, f"/{command.name}", command.description)
        )
    # A complete command without required options can be sent.
    is_complete = line is not None and not any(
        option.get("required") for option in line.command.options
    )
    return Suggestions(Hint(), entries, NO_COMMAND, is_name=not is_complete)


def _suggest_at(line: Line, slot: Slot, text: str, caret: int) -> Suggestions:
    """Suggest values for the option at the caret, or further options after a finished value."""
    typed = text[slot.value_at : max(caret, slot.value_at)]
    end = max(len(text[: slot.end].rstrip()), caret)
    # A space at the end stays: to the bot it may make a difference that a word is finished.
    here = replace(slot, value=typed.lstrip(), end=end)
    is_finished = typed.strip() and typed[-1].isspace() and not text[caret : slot.end].strip()
    further = _name_options(line.unused_options, caret) if is_finished else []
    return _suggest_values(line, here, further)


def _suggest_values(line: Line, slot: Slot, further: list[Suggestion]) -> Suggestions:
    """Suggest values for an option, and after them `further` options."""
    others = [option["name"] for option in line.unused_options if option is not slot.option]
    hint = Hint(slot.option["description"], slot.name, tuple(others))
    if slot.option.get("autocomplete"):
        values: dict[str, Any] = {}
        for other in line.slots:
            # Other options may be only half typed: the bot gets those that are right.
            with suppress(Impossible):
                if other.option and other.name != slot.name and other.value:
                    values[other.name] = parse_value(other)
        values[slot.name] = slot.value
        return Suggestions(hint, further, question=BotQuestion(line.command, values, slot))
    choices = list_choices(slot.option)
    if choices is None:
        return Suggestions(hint, further)
    typed = slot.value.strip().casefold()
    entries = [
        _fill_slot(slot, choice.text, choice.text)
        for choice in choices
        if typed in choice.text.casefold()
    ]
    known = [choice.text for choice in choices] + [choice.alias for choice in choices]
    must_choose = bool(entries) and _is_incomplete(slot, known)
    return Suggestions(hint, _join(slot, entries, further), NO_MATCH, must_choose=must_choose)


def _is_incomplete(slot: Slot, known: list[str]) -> bool:
    """Return whether a required option does not have one of its known values yet."""
    if not slot.option.get("required") or not known:
        return False
    return slot.value.strip().casefold() not in [text.casefold() for text in known]


def _fill_slot(slot: Slot, text: str, label: str) -> Suggestion:
    """Suggest a value for an option, together with the option's name if that is missing."""
    named = f"{slot.name}:{text}" if slot.is_unnamed else text
    return Suggestion(named, slot.value_at, max(slot.end, slot.value_at), label)


def _join(slot: Slot, values: list[Suggestion], options: list[Suggestion]) -> list[Suggestion]:
    """Return values and then options, without the value that is typed already before options."""
    if not options:
        return values
    typed = slot.value.strip().casefold()
    prefix = f"{slot.name}:"
    others = [value for value in values if value.text.removeprefix(prefix).casefold() != typed]
    return others + options


def _name_options(options: list[Json], caret: int) -> list[Suggestion]:
    """Suggest the names of options."""
    return [
        Suggestion(f"{one['name']}:", caret, caret, f"{one['name']}:", one["description"])
        for one in options
    ]
