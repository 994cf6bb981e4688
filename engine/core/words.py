"""Everything Motu says, read from text/<language>.toml and filled in with facts.

template.py explains the templates. Texts come in layers: what all games say alike, then a game's
own; pictures and the bot put theirs on top. Another language is another file beside each en.toml.

Which language is spoken depends on the task: `speaking` chooses it for everything within its block,
so one process can answer two people in two languages. Never keep a sentence where another task may
find it.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.template import Field, Part, Template, category_of, parse, variants

if TYPE_CHECKING:
    # Refusals are worded too, so what they are raised by cannot be imported here.
    from engine.core.decision import Decision, Option
    from engine.core.event import Event, Line
    from engine.core.game import View

Names = Sequence[str]

CORE = Path(__file__).parent
ENGINE = CORE.parent
ENGLISH = "en"
PARAGRAPH = 300
"""Characters after which a seat is named anew."""


class Words:
    """The templates and words of one language.

    Where one is missing its key stands in, for a fact its name.
    """

    def __init__(self, text: Mapping[str, Any], language: str = ENGLISH) -> None:
        self._text = text
        self._language = language

    @property
    def text(self) -> Mapping[str, Any]:
        """The tables of the text files, put together."""
        return self._text

    @property
    def language(self) -> str:
        """The language of the texts, such as 'en'."""
        return self._language

    def say(self, key: str, names: Names = (), view: "View | None" = None, /, **facts: Any) -> str:
        """The template of that dotted key with its facts filled in."""
        found = self._find(key)
        return self.fill(found, names, view, **facts) if isinstance(found, str) else key

    def has(self, key: str) -> bool:
        """Whether there is a text of that dotted key."""
        return isinstance(self._find(key), str)

    def fill(
        self, template: str, names: Names = (), view: "View | None" = None, /, **facts: Any
    ) -> str:
        """A template with its fields filled in."""
        return self._filled(parse(template), names, view, facts)

    def word(self, key: str, form: str = "") -> str:
        """A word of the game, in a form of it."""
        return self._inflected(key, form, None)

    def count(self, number: float, noun: str, form: str = "") -> str:
        """A number with its noun: '3 shells'."""
        counted = self._inflected(noun, form, number)
        entry = self._table("word").get(noun)
        says_none = number == 0 and isinstance(entry, Mapping) and "none" in entry
        return counted if says_none else f"{points(number)} {counted}"

    def listed(self, parts: Iterable[str]) -> str:
        """'Ana', 'Ana and Bea', 'Ana, Bea and Cem'."""
        *head, last = list(parts) or [""]
        if not head:
            return last
        return self.say("list.last", head=self.say("list.comma").join(head), last=last)

    def comma_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana, Bea, Cem'."""
        return self.say("list.comma").join(parts)

    def semicolon_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana; Bea; Cem'."""
        return self.say("list.semicolon").join(parts)

    def place(self, spot: str, view: "View | None") -> str:
        """A spot's code, with the name of what lies there if the view knows one; 'f7 2' has a
        number behind it.
        """
        code, blank, number = spot.partition(" ")
        note = view.note(code) if view is not None else ""
        named = note and note in self._table("word")
        shown = self.say("place", name=self.word(note), code=code) if named else code.upper()
        return f"{shown}{blank}{number}"

    # What a game says.

    @property
    def summary(self) -> str:
        """The game in a sentence."""
        return str(self.text.get("summary", ""))

    @property
    def computers(self) -> tuple[str, ...]:
        """Names for the computers at a table, from the game's world."""
        return tuple(name for name in str(self.text.get("computers", "")).split(", ") if name)

    def coach(self, kind: str) -> str:
        """What a coach says to a question of that kind, '' if nothing."""
        return self._said_or_nothing(f"decision.{kind}.coach")

    def lesson(self, part: str) -> str:
        """What a coach says when a first match `begins`, and when the coach leaves (`ends`)."""
        return self._said_or_nothing(f"lesson.{part}")

    def part(self, name: str) -> str:
        """What a player's expected points come from, by the name that the computer's estimate
        has for it.
        """
        return str(self._table("part").get(name, name))

    @property
    def own_parts(self) -> str:
        """What of the game is as published and what is this project's own design, in a sentence;
        '' if not said.
        """
        return str(self.text.get("own_parts", ""))

    @property
    def topics(self) -> Mapping[str, Mapping[str, str]]:
        """The rules help: topic to its title and text, which are shown as they stand."""
        return self._table("rules")

    def question(self, decision: "Decision", names: Names, view: "View | None" = None) -> str:
        """What the asked seat reads."""
        return self._of_decision(decision, "question", names, view)

    def short(self, decision: "Decision", names: Names) -> str:
        """What everyone reads after the seat's name: 'places a piece'."""
        return self._of_decision(decision, "short", names, None)

    def many(self, kind: str) -> str:
        """The same after several names: 'place pieces'; '' where a game has no words for it."""
        return self._said_or_nothing(f"decision.{kind}.many")

    def whose_turn(self, questions: "Iterable[Decision]", names: Names) -> str:
        """Return who has to decide what; those who are asked the same at once stand together."""
        asked = sorted(questions, key=lambda question: question.seat)
        lines: list[str] = []
        for question in asked:
            alike = [other.seat for other in asked if other.kind == question.kind]
            together = self.many(question.kind) if len(alike) > 1 else ""
            who = self.listed(
                f"**{names[seat]}**" for seat in (alike if together else [question.seat])
            )
            task = together or self.short(question, names)
            lines.append(self.say("turn.asked", who=who, task=task))
        # Of those who stand together each has made the same line.
        return " ".join(dict.fromkeys(lines))

    def sure(self, kind: str) -> str:
        """What is asked once more before such an offer is taken, '' where it needs no words of
        its own.
        """
        return self._said_or_nothing(f"decision.{kind}.sure")

    def none(self, kind: str) -> str:
        """Why there is no such offer while there is none, '' where a game does not say."""
        return self._said_or_nothing(f"decision.{kind}.none")

    def option(
        self,
        decision: "Decision",
        option: "Option",
        view: "View",
        names: Names,
        brief: bool = False,
    ) -> str:
        """An option's label, with what lies on its spot; a `brief` one leaves out what the
        picture shows.
        """
        wording = self._table("decision").get(decision.kind, {})
        own = wording.get("options", {}).get(option.key)
        template = own or wording.get("option", "{key:code}")
        if brief:
            template = (
                wording.get("buttons", {}).get(option.key) or own or wording.get("button", template)
            )
        facts = {
            "key": option.key,
            "spot": option.spot,
            "note": view.note(option.spot) if option.spot else "",
        }
        return self.fill(template, names, view, **{**facts, **dict(option.facts)})

    def names_all_options(self, kind: str) -> bool:
        """Whether every option of such a decision has words of its own, so that none is a code
        of the board.
        """
        wording = self._table("decision").get(kind, {})
        return "options" in wording and "option" not in wording

    def group(self, group: str) -> str:
        """A menu group's label; 'settler-a' is worded by 'settler' with {rest}."""
        table = self._table("group")
        if group in table:
            return self.fill(table[group])
        head, _, rest = group.partition("-")
        return self.fill(table[head], rest=rest) if head in table else group

    def tell(self, event: "Event", names: Names, view: "View | None" = None) -> list[str]:
        """An event in words, a line each; an empty wording tells nothing."""
        table = self._table("event")
        lines = (
            self.fill(table.get(key, key), names, view, **facts) for key, facts in event.lines()
        )
        return [line for line in lines if line]

    def seats_in(self, event: "Event") -> frozenset[int]:
        """The seats that are named when an event is told."""
        found: set[int] = set()
        for key, facts in event.lines():
            found |= _named(parse(self._table("event").get(key, key)), facts)
        return frozenset(found)

    def story(
        self,
        events: "Iterable[Event]",
        names: Names,
        view: "View | None" = None,
        first: int = 0,
        leaving: Names = (),
    ) -> list[str]:
        """Events in words, their first lines left off; a seat that does several things in a row is
        named once.

        `leaving` is what those are called who leave, if their seats have other names by now.
        """
        told: list[str] = []
        actor = None
        number = 0
        for event in events:
            called = leaving or names if event.ends_acting else names
            for key, facts in event.lines():
                number += 1
                if number <= first:
                    continue
                template = parse(self._table("event").get(key, key))
                acting, deed = _opening(template, facts)
                if acting is not None and acting == actor:
                    sentence = self._filled(deed, called, view, facts)
                    if told[-1].endswith(".") and len(told[-1]) + len(sentence) < PARAGRAPH:
                        told[-1] += f" {sentence[:1].upper()}{sentence[1:]}"
                        continue
                if line := self._filled(template, called, view, facts):
                    told.append(line)
                    actor = None if event.ends_acting else acting
        return told

    def status(self, view: "View", names: Names) -> list[str]:
        """The position summed up, a line each."""
        return [self.say(f"status.{key}", names, **facts) for key, facts in view.status()]

    def stage(self, line: "Line | None") -> str:
        """Which round, turn or phase it is, '' if the game counts none."""
        return self.say(f"stage.{line[0]}", (), **line[1]) if line else ""

    def confirm(self, follows: str) -> str:
        """What a confirm sets going, '' if nothing that cannot be undone."""
        return self._said_or_nothing(f"confirm.{follows}")

    def why(self, line: "Line", names: Names = (), view: "View | None" = None) -> str:
        """Why something is not possible: a line of [why]."""
        key, facts = line
        return self.say(f"why.{key}", names, view, **facts)

    def remark(self, key: str, names: Names, facts: Mapping[str, Any]) -> str:
        """Something to tell of a match that has ended: a line of [remark]."""
        return self.say(f"remark.{key}", names, **facts)

    def reason(self, reason: str) -> str:
        """Why the match ended."""
        return str(self._table("reason").get(reason, reason))

    def tiebreak(self, parts: Iterable[tuple[str, int]]) -> str:
        """What a seat has that breaks a tie, in the order in which it decides."""
        return self.say("list.comma").join(
            self.say(f"tiebreak.{name}", number=number) for name, number in parts
        )

    def setting(self, key: str) -> str:
        """A setting's label."""
        return str(self._table("setting").get(key, {}).get("label", key))

    def choice(self, setting: str, choice: str) -> str:
        """A setting's value in words."""
        return str(self._table("setting").get(setting, {}).get("choices", {}).get(choice, choice))

    # How it is filled in.

    def _filled(
        self, template: Template, names: Names, view: "View | None", facts: Mapping[str, Any]
    ) -> str:
        said = []
        for piece in template:
            if isinstance(piece, str):
                said.append(piece)
            elif isinstance(piece, Field):
                said.append(self._worded(piece, names, view, facts))
            else:
                chosen = piece.inside if _is_there(piece, facts) else piece.otherwise
                said.append(self._filled(chosen, names, view, facts))
        return "".join(said)

    def _worded(
        self, field: Field, names: Names, view: "View | None", facts: Mapping[str, Any]
    ) -> str:
        if field.fact not in facts:
            return f"{{{field.fact}}}"
        fact = facts[field.fact]
        match field.form:
            case "":
                return str(fact)
            case "name":
                return self._name(fact, names)
            case "names":
                return self.listed(self._name(seat, names) for seat in fact)
            case "tally":
                counted = (
                    f"{self._name(seat, names)} {points(number)}"
                    for seat, number in enumerate(fact)
                )
                return self.say("list.comma").join(counted)
            case "code":
                return str(fact).upper()
            case "codes":
                return " ".join(str(spot).upper() for spot in fact)
            case "place":
                return self.place(str(fact), view)
            case "places":
                return self.listed(self.place(str(spot), view) for spot in fact)
            case "points":
                return points(fact)
            case "word":
                return self.word(str(fact), field.given)
            case "words":
                return self.listed(self.word(str(key), field.given) for key in fact)
            case "count":
                noun, _, form = field.given.partition(" ")
                return self.count(
                    fact, str(facts.get(noun[1:], noun)) if noun.startswith("@") else noun, form
                )
            case "counts":
                return self.listed(
                    self.count(number, noun, field.given) for noun, number in fact if number
                )
            case "plural":
                worded = variants(field.given)
                chosen = (
                    worded.get(points(fact))
                    or worded.get(category_of(self.language)(fact))
                    or worded["other"]
                )
                return chosen.replace("#", points(fact))
            case "if":
                return ""
        raise ValueError(f"no fact can be worded as '{field.form}'")

    def _inflected(self, key: str, form: str, number: float | None) -> str:
        entry = self._table("word").get(key, key)
        if form and isinstance(entry, Mapping):
            entry = entry.get(form, entry)
        if not isinstance(entry, Mapping):
            return str(entry)
        if number is None:
            return str(entry.get("one") or entry.get("other", key))
        if number == 0 and "none" in entry:
            return str(entry["none"])
        return str(entry.get(category_of(self.language)(number)) or entry.get("other", key))

    def _name(self, seat: Any, names: Names) -> str:
        if isinstance(seat, int) and 0 <= seat < len(names):
            return names[seat]
        return self.say("seat", number=seat + 1)

    def _find(self, key: str) -> Any:
        found: Any = self.text
        for name in key.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        return found

    def _table(self, name: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.text.get(name, {})
        return table

    def _said_or_nothing(self, key: str) -> str:
        return self.say(key) if self.has(key) else ""

    def _of_decision(
        self, decision: "Decision", part: str, names: Names, view: "View | None"
    ) -> str:
        template = (
            self._table("decision")
            .get(decision.kind, {})
            .get(part, decision.kind.replace("_", " "))
        )
        return self.fill(template, names, view, **dict(decision.facts))


def _is_there(part: Part, facts: Mapping[str, Any]) -> bool:
    """Whether every fact that a part needs is there.

    Of seats the first is 0, and there all the same.
    """
    for field in part.fields:
        fact = facts.get(field.fact)
        if fact is None or (not fact and field.form != "name"):
            return False
    return True


def _named(template: Template, facts: Mapping[str, Any]) -> set[int]:
    """The seats that a template names with these facts."""
    found: set[int] = set()
    for piece in template:
        if isinstance(piece, Part):
            found |= _named(piece.inside if _is_there(piece, facts) else piece.otherwise, facts)
        elif (
            isinstance(piece, Field)
            and piece.form == "name"
            and isinstance(facts.get(piece.fact), int)
        ):
            found.add(facts[piece.fact])
        elif isinstance(piece, Field) and piece.form == "names":
            found |= set(facts.get(piece.fact, ()))
        elif isinstance(piece, Field) and piece.form == "tally":
            found |= {seat for seat, number in enumerate(facts.get(piece.fact, ())) if number}
    return found


def _opening(template: Template, facts: Mapping[str, Any]) -> tuple[Any, Template]:
    """Who acts in a line that begins with a seat's name, and the rest of the line; None if it
    begins otherwise.
    """
    match template:
        case (Field(fact, "name"), str(text), *rest) if text.startswith((": ", " ")):
            return facts.get(fact), (text.removeprefix(":")[1:], *rest)
    return None, ()


def points(number: float) -> str:
    """A number of points, halves as ½, below nought with a minus sign and not with a hyphen."""
    sign, whole = "−" if number < 0 else "", int(abs(number))
    return f"{sign}{whole}" if abs(number) == whole else f"{sign}{whole or ''}½"


_default_language = ENGLISH
_language: ContextVar[str | None] = ContextVar("language", default=None)


def languages() -> list[str]:
    """Return the languages that there are texts in."""
    return sorted(path.stem for path in (CORE / "text").glob("*.toml"))


def set_default_language(language: str) -> None:
    """Speak this language wherever no other is chosen with `speaking`."""
    global _default_language  # noqa: PLW0603  (a setting of the whole program)
    _default_language = language


def spoken_language() -> str:
    """Return the language that the current task or thread speaks."""
    return _language.get() or _default_language


def closest_language(locale: str) -> str:
    """Return the language for a locale such as 'pt-BR': its own, its family's, or the default."""
    known = _known_languages()
    family = locale.partition("-")[0]
    return next((one for one in (locale, family) if one in known), _default_language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything in a language within this block, and in the tasks that are started in it."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


class SpokenWords(Words):
    """The words of some folders, always in the language that is spoken at that moment."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self._folders = folders

    @property
    def text(self) -> Mapping[str, Any]:
        return _read_text(spoken_language(), self._folders)

    @property
    def language(self) -> str:
        return spoken_language()


@cache
def read_words(*folders: Path) -> Words:
    """Return the words of these folders, the later on top, over what all games say alike."""
    return SpokenWords(folders)


@cache
def _known_languages() -> frozenset[str]:
    return frozenset(languages())


@cache
def _read_text(language: str, folders: tuple[Path, ...]) -> Mapping[str, Any]:
    """Read the texts of a language; what it leaves out is said in English."""
    text: dict[str, Any] = {}
    for one in dict.fromkeys((ENGLISH, language)):
        for folder in (CORE, *folders):
            path = folder / "text" / f"{one}.toml"
            if path.exists():
                text = _laid_over(text, tomllib.loads(path.read_text(encoding="utf-8")))
    return text


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    laid = {**below, **above}
    for key in below.keys() & above.keys():
        if isinstance(below[key], Mapping) and isinstance(above[key], Mapping):
            laid[key] = _laid_over(below[key], above[key])
    return laid


def words_of(game_id: str = "") -> Words:
    """The wording of a game of the catalog; without one, what all games say alike."""
    return read_words(ENGINE / game_id) if game_id else read_words()


def say(key: str, /, **facts: Any) -> str:
    """What the engine itself says, whatever the game."""
    return words_of().say(key, **facts)


def listed(parts: Iterable[str]) -> str:
    """'Ana', 'Ana and Bea', 'Ana, Bea and Cem'."""
    return words_of().listed(parts)
