"""A game's wording, read from its text/<lang>.toml and filled in with facts.

A template's fields say how a value is worded: `{seat:name}` a player's name, `{seats:names}` several, `{spot:code}`
the code printed on the picture, `{spots:codes}` several, `{spot:place}` and `{spots:places}` the same with the name of
what lies there where a view is at hand ('f7 2' is a spot with a number behind it), `{piece:word}` a word of the [word]
table, `{pieces:words}` several, `{item:note}` a fragment of the [note] table, `{paid:shell|shells}` a number with its
noun, `{score:points}` a number with halves, `{scores:tally}` a number a seat: 'Ana 31, Bea 44'.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from engine.core.catalog import ENGINE
from engine.core.decision import Decision, Option
from engine.core.event import Event
from engine.core.game import View

Names = Sequence[str]

ACTOR = re.compile(r"\{(\w+):name\}(?:: | )")
"""How a line begins that tells what a seat does."""
PARAGRAPH = 300
"""Characters after which a seat is named anew."""


class Words(Formatter):
    """What a game says, in one language. Where a word is missing its key stands in."""

    def __init__(self, text: Mapping[str, Any]) -> None:
        self.text = text

    @property
    def summary(self) -> str:
        """The game in a sentence."""
        return str(self.text.get("summary", ""))

    @property
    def topics(self) -> Mapping[str, Mapping[str, str]]:
        """The rules help: topic to its title and text."""
        return dict(self.text.get("rules", {}))

    def question(self, decision: Decision, names: Names, view: View | None = None) -> str:
        """What the asked seat reads."""
        return self._of_decision(decision, "question", names, view)

    def short(self, decision: Decision, names: Names) -> str:
        """What everyone reads after the seat's name: 'places a piece'."""
        return self._of_decision(decision, "short", names, None)

    def many(self, kind: str) -> str:
        """The same after several names: 'place pieces'; '' where a game has no words for it."""
        return str(self._table("decision").get(kind, {}).get("many", ""))

    def sure(self, kind: str) -> str:
        """What is asked once more before such an offer is taken, '' where it needs no words of its own."""
        return str(self._table("decision").get(kind, {}).get("sure", ""))

    def option(self, decision: Decision, option: Option, view: View, names: Names) -> str:
        """An option's label, with what lies on its spot."""
        wording = self._table("decision").get(decision.kind, {})
        template = wording.get("options", {}).get(option.key) or wording.get("option", "{key:code}")
        facts = {"key": option.key, "spot": option.spot, "note": view.note(option.spot) if option.spot else ""}
        return self.fill(template, names, **{**facts, **dict(option.facts)})

    def names_all_options(self, kind: str) -> bool:
        """Whether every option of such a decision has words of its own, so that none is a code of the board."""
        wording = self._table("decision").get(kind, {})
        return "options" in wording and "option" not in wording

    def group(self, group: str) -> str:
        """A menu group's label; 'settler-a' is worded by 'settler' with {rest}."""
        table = self._table("group")
        if group in table:
            return str(table[group])
        head, _, rest = group.partition("-")
        return self.fill(table[head], (), rest=rest) if head in table else group

    def tell(self, event: Event, names: Names, view: View | None = None) -> list[str]:
        """An event in words, a line each; an empty wording tells nothing."""
        table = self._table("event")
        lines = (self.fill(table.get(key, key), names, view, **facts) for key, facts in event.lines())
        return [line for line in lines if line]

    def story(self, events: Iterable[Event], names: Names, view: View | None = None) -> list[str]:
        """Events in words, in which a seat that does several things in a row is named once."""
        told: list[str] = []
        actor = None
        for key, facts in (line for event in events for line in event.lines()):
            template = str(self._table("event").get(key, key))
            opening = ACTOR.match(template)
            acting = facts.get(opening[1]) if opening else None
            rest = self.fill(template[opening.end() :], names, view, **facts) if opening else ""
            if acting is not None and acting == actor and _has_room(told[-1], rest):
                told[-1] += f" {rest[:1].upper()}{rest[1:]}"
            elif line := self.fill(template, names, view, **facts):
                told.append(line)
                actor = acting
        return told

    def status(self, view: View, names: Names) -> list[str]:
        """The position summed up, a line each."""
        table = self._table("status")
        return [self.fill(table.get(key, key), names, **facts) for key, facts in view.status()]

    def confirm(self, follows: str) -> str:
        """What a confirm sets going, '' if nothing that cannot be undone."""
        return str(self._table("confirm").get(follows, ""))

    def reason(self, reason: str) -> str:
        """Why the match ended."""
        return str(self._table("reason").get(reason, reason))

    def tiebreak(self, value: float) -> str:
        """What breaks a tie, in words; where two counts do, the second stands in the hundredths."""
        template = str(self.text.get("tiebreak", "{whole} on the tie-break"))
        return self.fill(template, (), whole=int(value), rest=round(value % 1 * 100))

    def setting(self, key: str) -> str:
        """A setting's label."""
        return str(self._table("setting").get(key, {}).get("label", key))

    def choice(self, setting: str, choice: str) -> str:
        """A setting's value in words."""
        return str(self._table("setting").get(setting, {}).get("choices", {}).get(choice, choice))

    def word(self, key: str) -> str:
        """A noun of the game."""
        return str(self._table("word").get(key, key))

    def fill(self, template: str, names: Names, view: View | None = None, /, **facts: Any) -> str:
        """A template with its fields filled in."""
        return self.vformat(template, (), {"": (names, view), **facts})

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        """The fact of that name, with the players' names and the view in case it is a seat or a spot."""
        return (kwargs.get(field_name, f"{{{field_name}}}"), *kwargs[""]), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        """A fact worded as its field asks."""
        fact, names, view = value
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return f"{points(fact)} {one if fact == 1 else many}"
        match format_spec:
            case "name":
                return _name(fact, names)
            case "names":
                return listed(_name(seat, names) for seat in fact)
            case "code":
                return str(fact).upper()
            case "codes":
                return " ".join(str(spot).upper() for spot in fact)
            case "place":
                return self._place(str(fact), view)
            case "places":
                return listed(self._place(str(spot), view) for spot in fact)
            case "word":
                return self.word(str(fact))
            case "words":
                return listed(self.word(str(key)) for key in fact)
            case "note":
                return str(self._table("note").get(str(fact), "")) if fact else ""
            case "points":
                return points(fact)
            case "tally":
                return ", ".join(f"{_name(seat, names)} {points(number)}" for seat, number in enumerate(fact))
        return str(fact)

    def _table(self, name: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.text.get(name, {})
        return table

    def _place(self, spot: str, view: View | None) -> str:
        code, blank, number = spot.partition(" ")
        name = self._table("word").get(view.note(code)) if view is not None else None
        return f"{f'{name} ({code.upper()})' if name else code.upper()}{blank}{number}"

    def _of_decision(self, decision: Decision, part: str, names: Names, view: View | None) -> str:
        template = self._table("decision").get(decision.kind, {}).get(part, decision.kind.replace("_", " "))
        return self.fill(template, names, view, **dict(decision.facts))


def _has_room(paragraph: str, sentence: str) -> bool:
    return paragraph.endswith(".") and len(paragraph) + len(sentence) < PARAGRAPH


def points(number: float) -> str:
    """A number of points, halves as ½."""
    sign, whole = "-" if number < 0 else "", int(abs(number))
    return f"{sign}{whole}" if abs(number) == whole else f"{sign}{whole or ''}½"


def listed(parts: Iterable[str]) -> str:
    """'Ana', 'Ana and Bea', 'Ana, Bea and Cem'."""
    *head, last = list(parts) or [""]
    return f"{', '.join(head)} and {last}" if head else last


def read_words(folder: Path, lang: str = "en") -> Words:
    """The wording in a game's folder on top of what all games say alike."""
    text, shared = _read(folder, lang), _read(Path(__file__).parent, lang)
    return Words({**text, **{table: {**words, **text.get(table, {})} for table, words in shared.items()}})


@cache
def words_of(game_id: str, lang: str = "en") -> Words:
    """The wording of a game of the catalog."""
    return read_words(ENGINE / game_id, lang)


def _read(folder: Path, lang: str) -> dict[str, Any]:
    path = folder / "text" / f"{lang}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _name(seat: Any, names: Names) -> str:
    return names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else f"P{seat + 1}"
