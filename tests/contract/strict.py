"""Words that raise an error instead of falling back on a raw key, as the real ones do."""

from collections.abc import Mapping
from typing import Any, get_args

from engine.core.decision import Decision, Option
from engine.core.event import Event, Line
from engine.core.game import RESIGNED, Game, View
from engine.core.template import Field
from engine.core.words import Names, Words


class Unworded(AssertionError):
    """Raised for a key that a person would have to read."""


class StrictWords(Words):
    """The texts of a game, in which a missing text or fact is an error."""

    def question(self, decision: Decision, names: Names, view: View | None = None) -> str:
        """Return the question; raise Unworded if it has no text."""
        self._must_have("decision", decision.kind, "question")
        return _read(super().question(decision, names, view))

    def short(self, decision: Decision, names: Names) -> str:
        """Return the short question; raise Unworded if it has no text."""
        self._must_have("decision", decision.kind, "short")
        return _read(super().short(decision, names))

    def option(self, decision: Decision, option: Option, view: View, names: Names) -> str:
        """Return the label; raise Unworded unless it has a text or is a printed code."""
        wording = self._table("decision").get(decision.kind, {})
        if option.key not in wording.get("options", {}) and "option" not in wording:
            raise Unworded(f"option {option.key} of {decision.kind}")
        return _read(super().option(decision, option, view, names))

    def group(self, group: str) -> str:
        """Return the label of a group; raise Unworded if it has no text."""
        if group not in self._table("group") and group.partition("-")[0] not in self._table(
            "group"
        ):
            raise Unworded(f"group {group}")
        return _read(super().group(group))

    def event_lines(self, event: Event, names: Names, view: View | None = None) -> list[str]:
        """Return the lines of an event; raise Unworded if one has no text."""
        for key, _ in event.lines():
            self._must_have("event", key)
        return [_read(line) for line in super().event_lines(event, names, view)]

    def status(self, view: View, names: Names) -> list[str]:
        """Return the lines of the status; raise Unworded if one has no text."""
        for key, _ in view.status():
            self._must_have("status", key)
        return [_read(line) for line in super().status(view, names)]

    def stage(self, line: Line | None) -> str:
        """Return the stage; raise Unworded if it has no text."""
        if line is None:
            return ""
        self._must_have("stage", line[0])
        return _read(super().stage(line))

    def why(self, line: Line, names: Names = (), view: View | None = None) -> str:
        """Return the reason; raise Unworded if it has no text. It may repeat what was typed."""
        self._must_have("why", line[0])
        typed = line[1].get("key")
        return _read(
            super().why(
                (line[0], {**line[1], "key": "x"} if typed is not None else line[1]), names, view
            )
        )

    def confirm(self, follows: str) -> str:
        """Return the confirmation, which may be empty; raise Unworded if it has no text."""
        if follows:
            self._must_have("confirm", follows)
        return super().confirm(follows)

    def _fill_field(
        self, field: Field, names: Names, view: View | None, facts: Mapping[str, Any]
    ) -> str:
        if field.fact not in facts:
            raise Unworded(f"no fact {field.fact} among {sorted(facts)}")
        return super()._fill_field(field, names, view, facts)

    def _inflect(self, key: str, form: str, number: float | None) -> str:
        self._must_have("word", key)
        entry = self.text["word"][key]
        if isinstance(entry, Mapping) and form and form not in entry:
            raise Unworded(f"[word] {key} has no form '{form}'")
        return super()._inflect(key, form, number)

    def _must_have(self, *path: str) -> None:
        table: Any = self.text
        for key in path:
            if key not in table:
                raise Unworded(f"[{'.'.join(path)}] is not worded")
            table = table[key]


def _read(text: str) -> str:
    if not text or "{" in text or "_" in text:
        raise Unworded(f"{text!r} doesn't work with people")
    return text


def unworded_names(game: Game[Any], words: Words) -> list[str]:
    """Return the reasons, settings, choices and events of a game without texts."""
    settings = words.text.get("setting", {})
    missing = [
        f"reason {reason}"
        for reason in (*game.reasons, RESIGNED)
        if reason not in words.text.get("reason", {})
    ]
    for setting in (setting for setting in game.settings if not setting.free):
        worded = settings.get(setting.key, {})
        if "label" not in worded:
            missing.append(f"setting {setting.key}")
        chosen = worded.get("choices", {})
        missing += [
            f"{setting.key} {choice.key}" for choice in setting.choices if choice.key not in chosen
        ]
    return missing + [
        f"event {name}" for name in _plain_events(game) if name not in words.text.get("event", {})
    ]


def _plain_events(game: Game[Any]) -> list[str]:
    """Return the names of the events that are told by a single line of that name."""
    classes = get_args(game.event_type) or (game.event_type,)
    return [cls.__name__ for cls in classes if cls.lines is Event.lines]
