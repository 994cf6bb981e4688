"""Everything Motu says, read from text/<language>.toml and filled in with facts.

template.py explains the templates. Texts come in layers: those that all games share, then a game's
own; pictures and the bot put theirs on top. Another language is another file beside each en.toml.

Which language is spoken depends on the task: `speaking` chooses it for everything within its block,
so one process can answer two people in two languages. So never keep a sentence in a module, or in a
cache without the language in its key.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from engine.core.template import Field, Part, Template, category_of, parse, variants

if TYPE_CHECKING:
    # These modules import this one, because their errors are worded too.
    from engine.core.decision import Decision, Option, Seat
    from engine.core.event import Event, Line
    from engine.core.game import View

Names = Sequence[str]
"""The players' names, by seat."""

CORE = Path(__file__).parent
ENGINE = CORE.parent
ENGLISH = "en"
MAX_PARAGRAPH = 300
"""The most characters in a paragraph about one seat."""
MAX_SENTENCE = 170
"""The most characters in a sentence that lists several actions of a seat."""
IN_BRACKETS = re.compile(r"\([^()]*\)")
INNER_PAUSE = re.compile(r"[,:;.](?!$)")
"""A pause within a sentence, which would make a list of actions hard to read."""


class Sentence:
    """A sentence of a story, which may list several actions of a seat."""

    def __init__(
        self, text: str, kind: str, action: str, runs: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.text = text
        self.kind = kind
        """The text key of the last action, without a variant: 'Built' for 'Built_villages'."""
        self.action = action
        """The last action, without the seat's name."""
        self.runs = runs or ((text,),)
        """The actions, grouped into runs with the same verb, which only the first of a run has."""


class Words:
    """The templates and words of one language.

    A missing text never raises: its key is shown instead, and the name of a missing fact.
    """

    def __init__(self, text: Mapping[str, Any], language: str = ENGLISH) -> None:
        self._text = text
        self._language = language

    @property
    def text(self) -> Mapping[str, Any]:
        """The tables of the text files, merged."""
        return self._text

    @property
    def language(self) -> str:
        """The language of the texts, such as 'en'."""
        return self._language

    def say(
        self,
        key: str,
        names: Names = (),
        view: "View | None" = None,
        /,
        **facts: Any,
    ) -> str:
        """Return the text with this dotted key, with facts filled in; the key if there is none."""
        found = self._find(key)
        return self.fill(found, names, view, **facts) if isinstance(found, str) else key

    def say_if_any(self, key: str) -> str:
        """Return the text with this dotted key, '' if there is none."""
        return self.say(key) if self.has(key) else ""

    def has(self, key: str) -> bool:
        """Return whether there is a text with this dotted key."""
        return isinstance(self._find(key), str)

    def fill(
        self, template: str, names: Names = (), view: "View | None" = None, /, **facts: Any
    ) -> str:
        """Return a template with facts filled in."""
        return self._fill(parse(template), names, view, facts)

    def word(self, key: str, form: str = "") -> str:
        """Return a word of the [word] table, inflected if a form is given."""
        return self._inflect(key, form, None)

    def count(self, number: float, noun: str, form: str = "") -> str:
        """Return a number with its noun: '3 shells'."""
        counted = self._inflect(noun, form, number)
        entry = self._table("word").get(noun)
        # A noun may have words of its own for a count of 0, such as 'no shells'.
        says_none = number == 0 and isinstance(entry, Mapping) and "none" in entry
        return counted if says_none else f"{points(number)} {counted}"

    def and_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana', 'Ana and Bea' or 'Ana, Bea and Cem'."""
        return self._list(parts, "list.last")

    def or_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana', 'Ana or Bea' or 'Ana, Bea or Cem'."""
        return self._list(parts, "list.last_choice")

    def _list(self, parts: Iterable[str], ending: str) -> str:
        *head, last = list(parts) or [""]
        return self.say(ending, head=self.comma_list(head), last=last) if head else last

    def comma_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana, Bea, Cem'."""
        return self.say("list.comma").join(parts)

    def semicolon_list(self, parts: Iterable[str]) -> str:
        """Return 'Ana; Bea; Cem'."""
        return self.say("list.semicolon").join(parts)

    def place(self, spot: str, view: "View | None") -> str:
        """Return a spot's code, with the name of what lies there if the view knows one.

        A spot such as 'f7 2' ends with a number, which stays at the end.
        """
        code, blank, number = spot.partition(" ")
        note = view.note(code) if view is not None else ""
        has_name = note and note in self._table("word")
        shown = self.say("place", name=self.word(note), code=code) if has_name else code.upper()
        return f"{shown}{blank}{number}"

    # The texts of a game.

    @property
    def summary(self) -> str:
        """A sentence that says what the game is about."""
        return str(self.text.get("summary", ""))

    @property
    def welcome(self) -> str:
        """The coach's first words in a lesson, '' if the game has no lesson."""
        return self.say_if_any("lesson.begins")

    def farewell(self, names: Names, scores: Sequence[float]) -> str:
        """Return what a coach says about the points at the end of a lesson."""
        return self.say("lesson.ends", names, scores=scores)

    def next_steps(self) -> list[str]:
        """Return what a coach suggests to try after a lesson."""
        return [self.say(f"lesson.next.{key}") for key in self._table("lesson").get("next", {})]

    def ideas(self, when: Literal["asked", "after"], kind: str) -> dict[int, str]:
        """Return a coach's ideas about a kind of question or event, by how often it has come up."""
        ideas = self._table("lesson").get(when, {}).get(kind, {})
        return {int(time): self.say(f"lesson.{when}.{kind}.{time}") for time in ideas}

    def estimate_part(self, name: str) -> str:
        """Return what a turn does that scores more of some points: 'links more islands'."""
        return str(self._table("part").get(name, name))

    def effect(self, key: str, facts: Mapping[str, Any]) -> str:
        """Return what a turn does on the board: 'links 4 islands'."""
        return self.say(f"effect.{key}", **facts)

    @property
    def own_parts(self) -> str:
        """A sentence that names the parts of the game of our own design; '' if there are none."""
        return str(self.text.get("own_parts", ""))

    @property
    def topics(self) -> Mapping[str, Mapping[str, str]]:
        """The titles and texts of the rules help by topic, which are not templates."""
        return self._table("rules")

    def question(self, decision: "Decision", names: Names, view: "View | None" = None) -> str:
        """Return a question as the seat that must answer it reads it."""
        return self._say_decision(decision, "question", names, view)

    def short(self, decision: "Decision", names: Names) -> str:
        """Return what a question asks a seat to do, for everyone to read: 'place a piece'."""
        return self._say_decision(decision, "short", names, None)

    def offer_name(self, offer: "Decision", names: Names) -> str:
        """Return the name of an offer for a button: its question if it has no shorter name."""
        has_name = "name" in self._table("decision").get(offer.kind, {})
        return self._say_decision(offer, "name" if has_name else "question", names, None)

    def whose_turn(self, questions: "Iterable[Decision]", names: Names) -> str:
        """Return who has to do what; seats with the same task share a sentence."""
        seats_by_task: dict[str, list[Seat]] = {}
        for question in sorted(questions, key=lambda question: question.seat):
            seats_by_task.setdefault(self.short(question, names), []).append(question.seat)
        lines = []
        for task, seats in seats_by_task.items():
            who = self.and_list(f"**{names[seat]}**" for seat in seats)
            key = "turn.asked" if len(seats) == 1 else "turn.asked_several"
            lines.append(self.say(key, who=who, task=task))
        return " ".join(lines)

    def confirmation(self, kind: str) -> str:
        """Return what asks a seat whether it is sure about a kind of offer, '' if nothing does."""
        return self.say_if_any(f"decision.{kind}.sure")

    def no_offer(self, kind: str) -> str:
        """Return why a kind of offer is not available now, '' if there is no text for it."""
        return self.say_if_any(f"decision.{kind}.none")

    def option(
        self,
        decision: "Decision",
        option: "Option",
        view: "View",
        names: Names,
        brief: bool = False,
    ) -> str:
        """Return an option's label; a `brief` one leaves out what the picture shows."""
        wording = self._table("decision").get(decision.kind, {})
        own = wording.get("options", {}).get(option.key)
        template = own or wording.get("option", "{key:code}")
        if brief:
            own_button = wording.get("buttons", {}).get(option.key)
            template = own_button or own or wording.get("button", template)
        return self._fill_option(template, option, view, names)

    def about(self, decision: "Decision", option: "Option", view: "View", names: Names) -> str:
        """Return an explanation to put beside an option's button; '' if its label says it all."""
        wording = self._table("decision").get(decision.kind, {})
        template = wording.get("abouts", {}).get(option.key) or wording.get("about", "")
        return self._fill_option(template, option, view, names)

    def _fill_option(self, template: str, option: "Option", view: "View", names: Names) -> str:
        """Return a text of an option, filled in with its facts and those that the view adds."""
        note = view.note(option.spot) if option.spot else ""
        facts = {
            "key": option.key,
            "spot": option.spot,
            "note": note,
            **dict(option.facts),
            **view.facts(option),
        }
        return self.fill(template, names, view, **facts)

    def step(
        self, table: str, decision: "Decision", option: "Option", view: "View", names: Names
    ) -> str | None:
        """Return a step of a turn as part of a sentence; None if the table has no text for it.

        The table `do` says what to do ('place a boat on 17'), `instead` names an alternative ('a
        boat on 18'), and `because` says what is good about it ('takes a coconut').
        """
        texts = self._table(table)
        template = texts.get(f"{decision.kind}_{option.key}", texts.get(decision.kind))
        if template is None:
            return None
        note = view.note(option.spot) if option.spot else ""
        facts = {"key": option.key, "spot": option.spot, "note": note, **dict(option.facts)}
        return self.fill(template, names, view, **facts)

    def names_all_options(self, kind: str) -> bool:
        """Return whether each option of a kind of decision has its own text, and no board code."""
        wording = self._table("decision").get(kind, {})
        return "options" in wording and "option" not in wording

    def group(self, group: str, points: float = 0, notes: int = 0) -> str:
        """Return a menu group's label; that of 'settler-a' may be 'settler' with {rest}.

        `points` are the most that an option of the group adds, and `notes` is how many options have
        something on their spot.
        """
        table = self._table("group")
        head, _, rest = group.partition("-")
        template = table.get(group) or table.get(head)
        return self.fill(template, rest=rest, points=points, notes=notes) if template else group

    def heading(self, group: str) -> str:
        """Return the heading above the options of a group; several groups may share one."""
        table = self._table("heading")
        head = group.partition("-")[0]
        return self.fill(table[head]) if head in table else self.group(group)

    def event_lines(self, event: "Event", names: Names, view: "View | None" = None) -> list[str]:
        """Return the lines that describe an event, without those whose text is empty."""
        table = self._table("event")
        lines = []
        for key, facts in event.lines():
            line = self.fill(table.get(key, key), names, view, **facts)
            if line:
                lines.append(line)
        return lines

    def seats_in(self, event: "Event") -> frozenset[int]:
        """Return the seats that an event's lines name."""
        found: set[int] = set()
        for key, facts in event.lines():
            found |= _find_seats(parse(self._table("event").get(key, key)), facts)
        return frozenset(found)

    def story(
        self,
        events: "Iterable[Event]",
        names: Names,
        view: "View | None" = None,
        first: int = 0,
        leaving: Names = (),
    ) -> list[str]:
        """Return paragraphs that narrate events.

        Successive actions of a seat make up one paragraph, and short ones share a sentence: "Ana
        sailed to F7 and built a hut."

        The first `first` lines are left out. `leaving` are the names of players who leave, if their
        seats have other names by now.
        """
        paragraphs: list[list[Sentence]] = []
        actor = None
        number = 0
        for event in events:
            event_names = leaving or names if event.ends_acting else names
            for key, facts in event.lines():
                number += 1
                if number <= first:
                    continue
                template = parse(self._table("event").get(key, key))
                line = self._fill(template, event_names, view, facts)
                if not line:
                    continue
                seat, rest = _split_actor(template, facts) if event.is_action else (None, ())
                action = self._fill(rest, event_names, view, facts)
                sentence = Sentence(line, key.partition("_")[0], action)
                is_same_actor = seat is not None and seat == actor
                if not (is_same_actor and self._extend(paragraphs[-1], sentence)):
                    paragraphs.append([sentence])
                actor = None if event.ends_acting else seat
        return [" ".join(sentence.text for sentence in paragraph) for paragraph in paragraphs]

    def _extend(self, paragraph: "list[Sentence]", sentence: "Sentence") -> bool:
        """Add a seat's next action to the paragraph about it; return whether there was room."""
        last = paragraph[-1]
        if not last.text.endswith("."):
            return False
        joined = self._join(last, sentence)
        longer = [*paragraph[:-1], joined] if joined else [*paragraph, sentence]
        if sum(len(each.text) + 1 for each in longer) > MAX_PARAGRAPH:
            return False
        paragraph[:] = longer
        return True

    def _join(self, last: "Sentence", sentence: "Sentence") -> "Sentence | None":
        """Merge two sentences about one seat; None if the result would be long or hard to read."""
        parts = (*chain(*last.runs), sentence.text)
        if any(INNER_PAUSE.search(IN_BRACKETS.sub("", part)) for part in parts):
            return None
        # "Ana sailed to F7." and "Ana sailed to G7." become "Ana sailed to F7 and to G7."
        verb, _, rest = sentence.action.partition(" ")
        if rest and sentence.kind == last.kind and last.action.startswith(f"{verb} "):
            runs = (*last.runs[:-1], (*last.runs[-1], rest))
        else:
            runs = (*last.runs, (sentence.action,))
        lists = [self._list_actions([part.removesuffix(".") for part in run]) for run in runs]
        text = self._list_actions(lists)
        # A list within a list is hard to read if the inner one has a further 'and'.
        is_nested = len(runs) > 1 and any(len(run) > 1 and self._has_and(run) for run in runs)
        if is_nested or len(text) >= MAX_SENTENCE:
            return None
        return Sentence(f"{text}.", sentence.kind, sentence.action, runs)

    def _list_actions(self, actions: Sequence[str]) -> str:
        """Return actions as a list, with a comma before 'and' if one of them has an 'and' too."""
        *head, last = actions
        if not head or not self._has_and(actions):
            return self.and_list(actions)
        return self.say("list.last_deed", head=self.comma_list(head), last=last)

    def _has_and(self, actions: Iterable[str]) -> bool:
        """Return whether one of the actions has an 'and' within it."""
        return any(self.say("list.last", head="", last="") in action for action in actions)

    def status(self, view: "View", names: Names) -> list[str]:
        """Return the lines that sum up a position."""
        return [self.say(f"status.{key}", names, **facts) for key, facts in view.status()]

    def stage(self, line: "Line | None") -> str:
        """Return the name of a round, turn or phase; '' if the game has none."""
        return self.say(f"stage.{line[0]}", (), **line[1]) if line else ""

    def confirm(self, follows: str) -> str:
        """Return what happens on Confirm, '' if it can be undone."""
        return self.say_if_any(f"confirm.{follows}")

    def why(self, line: "Line", names: Names = (), view: "View | None" = None) -> str:
        """Return why something is not possible, given a key of [why] and its facts."""
        key, facts = line
        return self.say(f"why.{key}", names, view, **facts)

    def remark(self, key: str, names: Names, facts: Mapping[str, Any]) -> str:
        """Return a remark about a finished match, given a key of [remark] and its facts."""
        return self.say(f"remark.{key}", names, **facts)

    def reason(self, reason: str) -> str:
        """Return why the match ended."""
        return str(self._table("reason").get(reason, reason))

    def tiebreak(self, parts: Iterable[tuple[str, int]]) -> str:
        """Return a seat's tie-breaks as a list, in the order in which they apply."""
        return self.comma_list(
            self.say(f"tiebreak.{name}", number=number) for name, number in parts
        )

    def setting(self, key: str) -> str:
        """Return a setting's label."""
        return str(self._table("setting").get(key, {}).get("label", key))

    def choice(self, setting: str, choice: str) -> str:
        """Return the label of a setting's value."""
        wording = self._table("setting").get(setting, {})
        return str(wording.get("choices", {}).get(choice, choice))

    # Filling in templates.

    def _fill(
        self, template: Template, names: Names, view: "View | None", facts: Mapping[str, Any]
    ) -> str:
        """Return a parsed template with facts filled in."""
        pieces = []
        for piece in template:
            if isinstance(piece, str):
                pieces.append(piece)
            elif isinstance(piece, Field):
                pieces.append(self._fill_field(piece, names, view, facts))
            else:
                chosen = piece.inside if _has_facts(piece, facts) else piece.otherwise
                pieces.append(self._fill(chosen, names, view, facts))
        return "".join(pieces)

    def _fill_field(
        self, field: Field, names: Names, view: "View | None", facts: Mapping[str, Any]
    ) -> str:
        """Return a fact in the form that a field names; template.py lists the forms."""
        if field.fact not in facts:
            return f"{{{field.fact}}}"
        fact = facts[field.fact]
        match field.form:
            case "":
                return str(fact)
            case "name":
                return self._name(fact, names)
            case "names":
                return self.and_list(self._name(seat, names) for seat in fact)
            case "tally":
                return self.comma_list(
                    f"{self._name(seat, names)} {points(number)}"
                    for seat, number in enumerate(fact)
                )
            case "code":
                return str(fact).upper()
            case "codes":
                codes = [str(spot).upper() for spot in fact]
                lists = {"and": self.and_list, "or": self.or_list}
                return lists.get(field.given, " ".join)(codes)
            case "place":
                return self.place(str(fact), view)
            case "places":
                return self.and_list(self.place(str(spot), view) for spot in fact)
            case "points":
                return points(fact)
            case "numbers":
                return self.and_list(map(points, fact))
            case "word":
                return self.word(str(fact), field.given)
            case "words":
                return self.and_list(self.word(str(key), field.given) for key in fact)
            case "count":
                noun, _, form = field.given.partition(" ")
                if noun.startswith("@"):
                    noun = str(facts.get(noun[1:], noun))
                return self.count(fact, noun, form)
            case "counts":
                return self.and_list(
                    self.count(number, noun, field.given) for noun, number in fact if number
                )
            case "brief":
                # On a button, a single thing has no number: '2 palms, hut'.
                return self.comma_list(
                    self.count(number, noun, field.given)
                    if number > 1
                    else self.word(noun, field.given)
                    for noun, number in fact
                    if number
                )
            case "plural":
                by_category = variants(field.given)
                chosen = (
                    by_category.get(points(fact))
                    or by_category.get(category_of(self.language)(fact))
                    or by_category["other"]
                )
                return chosen.replace("#", points(fact))
            case "if":
                return ""
        raise ValueError(f"no fact can be worded as '{field.form}'")

    def _inflect(self, key: str, form: str, number: float | None) -> str:
        """Return a word of [word] in a form and, with a number, in its plural category."""
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

    def _say_decision(
        self, decision: "Decision", part: str, names: Names, view: "View | None"
    ) -> str:
        """Return a text of a kind of decision: its 'question', 'short' or 'name'."""
        wording = self._table("decision").get(decision.kind, {})
        template = wording.get(part, decision.kind.replace("_", " "))
        return self.fill(template, names, view, **dict(decision.facts))


def _has_facts(part: Part, facts: Mapping[str, Any]) -> bool:
    """Return whether every fact that a part needs is given and neither empty nor 0."""
    for field in part.fields:
        fact = facts.get(field.fact)
        # Seats are numbered from 0, so a 0 that is named is a player.
        if fact is None or (not fact and field.form != "name"):
            return False
    return True


def _find_seats(template: Template, facts: Mapping[str, Any]) -> set[int]:
    """Return the seats that a template names with these facts."""
    found: set[int] = set()
    for piece in template:
        if isinstance(piece, Part):
            chosen = piece.inside if _has_facts(piece, facts) else piece.otherwise
            found |= _find_seats(chosen, facts)
        elif isinstance(piece, Field):
            fact = facts.get(piece.fact, ())
            if piece.form == "name" and isinstance(fact, int):
                found.add(fact)
            elif piece.form == "names":
                found |= set(fact)
            elif piece.form == "tally":
                found |= {seat for seat, number in enumerate(fact) if number}
    return found


def _split_actor(template: Template, facts: Mapping[str, Any]) -> tuple[Any, Template]:
    """Return the seat whose name a line begins with, and the rest; None if it begins otherwise."""
    match template:
        case (Field(fact, "name"), str(text), *rest) if text.startswith((": ", " ")):
            return facts.get(fact), (text.removeprefix(":")[1:], *rest)
    return None, ()


def points(number: float) -> str:
    """Return a number of points, with ½ for halves and a real minus sign."""
    sign = "−" if number < 0 else ""
    whole = int(abs(number))
    if abs(number) == whole:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}½"


_default_language = ENGLISH
_language: ContextVar[str | None] = ContextVar("language", default=None)


def languages() -> list[str]:
    """Return the languages that have texts."""
    return sorted(path.stem for path in (CORE / "text").glob("*.toml"))


def set_default_language(language: str) -> None:
    """Use this language wherever `speaking` has not chosen another."""
    global _default_language  # noqa: PLW0603  (a setting of the whole program)
    _default_language = language


def spoken_language() -> str:
    """Return the language of texts in the current task or thread."""
    return _language.get() or _default_language


def closest_language(locale: str) -> str:
    """Return the language to use for a locale such as 'pt-BR': that, 'pt', or the default."""
    known = known_languages()
    family = locale.partition("-")[0]
    return next((one for one in (locale, family) if one in known), _default_language)


def speak(language: str) -> None:
    """Use a language from here to the end of the current task."""
    _language.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language within this block, and in the tasks that are started in it."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


class SpokenWords(Words):
    """The words of some folders, in the language in use whenever they are read."""

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
    """Return the words of these folders, later ones on top, above those that all games share."""
    return SpokenWords(folders)


@cache
def known_languages() -> frozenset[str]:
    """Return the languages that have texts, read from disk only once."""
    return frozenset(languages())


@cache
def _read_text(language: str, folders: tuple[Path, ...]) -> Mapping[str, Any]:
    """Return the merged texts of a language, in English where a text is missing."""
    text: dict[str, Any] = {}
    for one in dict.fromkeys((ENGLISH, language)):
        for folder in (CORE, *folders):
            path = folder / "text" / f"{one}.toml"
            if path.exists():
                text = _merge(text, tomllib.loads(path.read_text(encoding="utf-8")))
    return text


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return two tables as one; texts above replace those below."""
    merged = {**below, **above}
    for key in below.keys() & above.keys():
        if isinstance(below[key], Mapping) and isinstance(above[key], Mapping):
            merged[key] = _merge(below[key], above[key])
    return merged


def words_of(game_id: str = "") -> Words:
    """Return the words of a game in the catalog; without an id, those that all games share."""
    return read_words(ENGINE / game_id) if game_id else read_words()


def say(key: str, /, **facts: Any) -> str:
    """Return a text that all games share."""
    return words_of().say(key, **facts)


def and_list(parts: Iterable[str]) -> str:
    """Return 'Ana', 'Ana and Bea' or 'Ana, Bea and Cem'."""
    return words_of().and_list(parts)
