"""Every text that people read is in a text file, and every text in one is read by somebody."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from engine.core.template import Field, Part, Template, parse, variants
from engine.core.words import read_words

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "engine", "render")
APART = "bot/local/"
"""The local Discord stands in for Discord itself: what it says is Discord's own wording."""

SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;!?…'’)]*\s+[\"'`(/]?[A-Za-z]{2,}")
LABEL = re.compile(r"[A-Z][a-z]{2,}[.:…!?]*")
"""A word as a button or a title has it."""
GLUED = re.compile(r"\bx\W* [A-Za-z]{3,}|[A-Za-z]{3,}[.,:]? \W*x\b")
"""A word beside something that is filled in, for which an x stands: 'x more'."""

STATEMENTS = {"Statement", "Command", "Select", "SelectOne", "find_matches", "compile"}
"""SQL, and patterns that programs are matched against."""
FOR_DEVELOPERS = {
    "RuntimeError",
    "ValueError",
    "TypeError",
    "KeyError",
    "AssertionError",
    "NotImplementedError",
}
LOGS = {"debug", "info", "warning", "error", "exception", "log", "log_error"}
NAMES_OF_TYPES = {"NewType", "TypeVar", "cast"}
NOT_WORDED = {"__all__", "title"}
"""What a module exports, and a game's title, which is its name in every language."""

SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE TABLE|ORDER "
    r"BY|BETWEEN|BEGIN|NOTIFY|LISTEN|PRAGMA|VACUUM|SET|RESET|FATAL"
    r"|DROP TABLE|SET LOCAL|WHERE|AND NOT|OR|PRIMARY KEY|ROWID|PRECISION|CAST|epoch)\b"
)
NOTATION = re.compile(r"[a-z0-9 ]+")
"""A line of a transcript, which programs read."""
TRANSCRIPTS = {f"engine/core/{name}.py" for name in ("notation", "story", "transcript")}

SAYS = {
    "say",
    "localized",
    "BotError",
    "Refused",
    "NotFound",
    "StoreError",
    "Conflict",
    "Damaged",
    "BadConfig",
    "NotDrawn",
}
SAYS |= {"RefusedBefore", "Stopped", "NoDiscord", "PortTaken"}
"""What is given the key of a text: `say` and the errors that a person reads."""

FORMS = {"", "name", "names", "tally", "code", "codes", "place", "places", "points", "numbers"}
FORMS |= {"word", "words", "count", "counts", "brief", "plural", "if"}
"""How a fact can be worded: engine/core/template.py explains each."""
PLURALS = {"zero", "two", "few", "many"}
"""Plural forms beside `one`, which is also what a word is called that is never counted."""
NO_TEMPLATES = ("rules", "word")
"""Tables that are not filled in: the rules help is shown as it was written, words stand in
templates.
"""


# The finder of sentences.


def sources() -> list[Path]:
    """Return the Python files whose texts are the project's own."""
    found = chain.from_iterable(sorted((ROOT / package).rglob("*.py")) for package in PACKAGES)
    return [path for path in found if not path.relative_to(ROOT).as_posix().startswith(APART)]


def sentences(source: str, path: str = "") -> Iterator[tuple[int, str]]:
    """Return the lines and texts of a file that look as if people read them."""
    tree = ast.parse(source)
    silent = {
        id(inner) for node in ast.walk(tree) for quiet in _quiet(node) for inner in ast.walk(quiet)
    }
    for node in ast.walk(tree):
        if id(node) in silent or not isinstance(node, ast.Constant | ast.JoinedStr):
            continue
        text = _text(node)
        glued = isinstance(node, ast.JoinedStr) and GLUED.search(text)
        if (glued or SENTENCE.search(text) or LABEL.fullmatch(text.strip())) and not _is_notation(
            text, path
        ):
            yield node.lineno, text


def _text(node: ast.AST) -> str:
    """Return a string's text; in an f-string an x stands for every value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values
        )
    return ""


def _quiet(node: ast.AST) -> list[ast.AST]:
    """Return whether nobody reads the strings of a node."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():  # a docstring, a check
            return [node]
        case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
            return [annotation]
        case ast.Subscript(slice=name):  # a type in quotes, or a key
            return [name]
        case ast.ClassDef(keywords=keywords):  # the name of a form's command
            return [keyword.value for keyword in keywords if keyword.arg == "command"]
        case ast.FunctionDef(name="__repr__"):
            return [node]
        case ast.FunctionDef(name="lines"):  # the keys of an event's lines
            return [inner for inner in ast.walk(node) if LABEL.fullmatch(_text(inner))]
        case (
            ast.FunctionDef(returns=ast.expr() as returns)
            | ast.AsyncFunctionDef(returns=ast.expr() as returns)
        ):
            return [returns]
        case ast.Call(func=function) if (
            _name(function) in LOGS | FOR_DEVELOPERS | NAMES_OF_TYPES | STATEMENTS
        ):
            return [node]
        case ast.Assign(targets=[ast.Name(id=name)]) if name in NOT_WORDED:
            return [node]
        case ast.JoinedStr(values=parts):  # read as one text
            return [part for part in parts if isinstance(part, ast.Constant)]
    return []


def _is_notation(text: str, path: str) -> bool:
    """Return whether a text is for programs, such as SQL, a transcript, or a seed."""
    if path.startswith("bot/store/") or path.endswith("/queries.py"):
        return SQL.search(text) is not None
    if path.endswith("/sample.py"):
        return True
    return path in TRANSCRIPTS and NOTATION.fullmatch(text) is not None


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("You have no seat.")',
        'raise Refused(f"{seat} is taken.")',
        'button(id, "Confirm")',
        'said = "points" if many else f"no {what} left"',
        'x = {"Your turn:": 1}',
        'f"{number} more"',
        'f"**{name}** wins"',
        'async def f(): await tell("Please try again in a minute.")',
    ],
)
def test_a_sentence_or_label_in_python_is_found(source: str) -> None:
    assert list(sentences(source))


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring of a module."""',
        'log.info("match %s is paused", match)',
        'raise ValueError("no item serves that")',
        'def f(x: "Some Type") -> "Game": ...',
        'x: dict["Some", "Type"]',
        'Seat = NewType("Seat", int)',
        '__all__ = ["Answer"]',
        'class Maori:\n    title = "Maori"',
        'class A:\n    def __repr__(self): return "<A of somebody>"',
        'class A:\n    def lines(self): return (("Scored", {}),)',
        'say("refusal.no_seat", id=1)',
        'class NoteForm(Form, command="me settings"): ...',
        'x = f"{a}-{b}.txt"',
        'x = f"**{a}** ({b}): {c}"',
    ],
)
def test_strings_that_nobody_reads_are_not_found(source: str) -> None:
    assert not list(sentences(source))


def test_sql_is_not_found_in_the_store_alone() -> None:
    source = 'x = "SELECT id FROM match"'
    assert not list(sentences(source, "bot/store/queries.py"))
    assert list(sentences(source, "bot/app.py"))


def test_no_sentence_or_label_stands_in_python() -> None:
    found = []
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        found += [
            f"{name}:{line}: {text!r}"
            for line, text in sentences(path.read_text(encoding="utf-8"), name)
        ]
    assert not found, "move it to a text file:\n" + "\n".join(found)


# What is said, against what there is to say.


class Said(Struct):
    """A call of say(), or of an error with a text."""

    line: int
    key: str = ""
    begins: str = ""
    """What its key begins with, where the rest of it is filled in."""
    facts: frozenset[str] | None = None
    """The facts that it gives; None if some of them are in a mapping."""


def said(source: str) -> Iterator[Said]:
    """Return the calls in a file; a key that is one of two counts as both."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or _name(node.func) not in SAYS or not node.args:
            continue
        given = [keyword.arg for keyword in node.keywords]
        facts = None if None in given else frozenset(name for name in given if name)
        key = node.args[0]
        for either in [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]:
            match either:
                case ast.Constant(value=str(text)):
                    yield Said(node.lineno, key=text, facts=facts)
                case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
                    yield Said(node.lineno, begins=text, facts=facts)


@cache
def all_said() -> list[tuple[Path, Said]]:
    """Return every call of say() in the project, with its file."""
    return [(path, call) for path in sources() for call in said(path.read_text(encoding="utf-8"))]


def layers(path: Path) -> list[Path]:
    """Return the folders whose texts a file can use, besides engine/core."""
    package, *inside = path.relative_to(ROOT).parts[:-1]
    if package == "bot":
        return [ROOT / "bot"]
    if path == ROOT / "engine/core/words.py":  # It says what any game has.
        return sorted(text.parent for text in (ROOT / "engine").glob("*/text"))
    game = (
        [ROOT / "engine" / inside[0]]
        if inside and (ROOT / "engine" / inside[0] / "text").is_dir()
        else []
    )
    return (
        game
        if package == "engine"
        else [*game, ROOT / "render", *(ROOT / "render" / each.name for each in game)]
    )


@cache
def known(*folders: Path) -> dict[str, str]:
    """Return all texts of these folders and engine/core, as templates by key."""
    return dict(templates(read_words(*folders).text))


def templates(text: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the dotted key and the template of every text in a table."""
    for key, entry in text.items():
        if isinstance(entry, str):
            yield f"{above}{key}", entry
        elif above or key not in NO_TEMPLATES:
            yield from templates(entry, f"{above}{key}.")


def fields(template: Template) -> Iterator[Field]:
    """Return all fields of a template, also those in its parts."""
    for piece in template:
        if isinstance(piece, Field):
            yield piece
        elif isinstance(piece, Part):
            yield from fields((*piece.inside, *piece.otherwise))


def facts_of(template: str) -> set[str]:
    """Return all facts that a template may use."""
    asked = list(fields(parse(template)))
    nouns = {
        field.given[1:].split()[0]
        for field in asked
        if field.form == "count" and field.given.startswith("@")
    }
    return {field.fact for field in asked} | nouns


def needed_by(template: str) -> set[str]:
    """Return the facts that a template cannot do without."""
    return {piece.fact for piece in parse(template) if isinstance(piece, Field)}


def test_calls_of_say_are_read() -> None:
    plain, built, either, other = said(
        'say("a.b", n=1); w.say(f"c.{d}", **e); say("f" if g else "h", names); say(i)'
    )
    assert (plain.key, plain.facts) == ("a.b", frozenset({"n"}))
    assert built.begins == "c."
    assert built.facts is None
    assert (either.key, other.key, other.facts) == ("f", "h", frozenset())


def test_facts_of_a_template_are_found_in_its_parts_too() -> None:
    template = "{seat:name} pays {number:count @coin gen}[ to {other:name}|, {rest}]"
    assert facts_of(template) == {"seat", "number", "coin", "other", "rest"}
    assert needed_by(template) == {"seat", "number"}


def test_every_said_key_has_a_text() -> None:
    missing = []
    for path, call in all_said():
        texts = known(*layers(path))
        if (
            call.key not in texts
            if call.key
            else not any(key.startswith(call.begins) for key in texts)
        ):
            missing.append(f"{path.relative_to(ROOT)}:{call.line}: {call.key or call.begins}")
    assert not missing, "\n".join(missing)


def test_every_text_gets_the_facts_it_needs() -> None:
    wrong = []
    for path, call in all_said():
        lacking = needed_by(known(*layers(path)).get(call.key, "")) - (call.facts or set())
        if call.facts is not None and lacking:
            wrong.append(
                f"{path.relative_to(ROOT)}:{call.line}: {call.key} lacks {sorted(lacking)}"
            )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ["bot", "render"])
def test_every_text_is_used(package: str) -> None:
    """Texts of the bot and of pictures; tests/contract checks the texts of games."""
    calls = [call for path, call in all_said() if path.is_relative_to(ROOT / package)]
    # A key may be chosen first and said later, so it counts wherever it stands in full.
    keys = {
        node.value
        for path in sources()
        if path.is_relative_to(ROOT / package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    begun = tuple(call.begins for call in calls if call.begins)
    # The labels of a slash command's choices: `me.standing_{}`.
    patterns = [key for key in keys if isinstance(key, str) and key.endswith("{}") and "." in key]
    begun += tuple(key.removesuffix("{}") for key in patterns)
    texts = {path: read(path) for path in text_files() if path.is_relative_to(ROOT / package)}
    unsaid = [
        f"{path.relative_to(ROOT)}: {key}"
        for path, text in texts.items()
        for key, _ in templates(text)
        if key not in keys and not key.startswith(begun)
    ]
    assert texts and not unsaid, "\n".join(unsaid)


def test_every_text_of_the_bot_is_scanned() -> None:
    text = read(ROOT / "bot/text/en.toml")
    assert text["word"].keys() <= {
        field.given for _, line in templates(text) for field in fields(parse(line))
    }


# The text files themselves.


def read(path: Path) -> dict[str, Any]:
    """Return the tables of a text file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def text_files() -> list[Path]:
    """Return all text files, of every language."""
    return sorted(
        chain.from_iterable((ROOT / package).rglob("text/*.toml") for package in PACKAGES)
    )


def faults_of(text: Mapping[str, Any]) -> Iterator[str]:
    """Return what would go wrong when a text is filled in."""
    for key, template in templates(text):
        try:
            asked = list(fields(parse(template)))
        except ValueError as error:
            yield f"{key}: {error}"
            continue
        yield from (f"{key}: no form '{field.form}'" for field in asked if field.form not in FORMS)
        for field in asked:
            if field.form == "plural" and "other" not in variants(field.given):
                yield f"{key}: a plural without other"
    for word, forms in text.get("word", {}).items():
        for each in [forms, *forms.values()] if isinstance(forms, Mapping) else []:
            if isinstance(each, Mapping) and PLURALS & each.keys() and "other" not in each:
                yield f"word.{word}: plural forms without other"


def test_faults_of_a_text_are_found() -> None:
    bad = {
        "a": "{b",
        "c": {"d": "{n:plural one=x}", "e": "{n:nonsense}"},
        "word": {"f": {"few": "x"}},
    }
    assert len(list(faults_of(bad))) == 4
    forms = {
        "f": {"one": "x", "other": "y", "gen": {"few": "z", "other": "z"}},
        "g": "h",
        "i": {"some": "an i"},
    }
    assert not list(faults_of({"a": "[{b:count f}]", "word": forms, "rules": {"x": {"text": "{"}}}))


def test_every_text_can_be_filled_in() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in text_files()
        for fault in faults_of(read(path))
    ]
    assert not found, "\n".join(found)


def differences(english: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return what a translation lacks, adds, or words with other facts.

    The forms of its words may differ.
    """
    ours, theirs = dict(templates(english)), dict(templates(other))
    found = [f"only one language has {key}" for key in sorted(ours.keys() ^ theirs.keys())]
    found += [
        f"other facts in {key}"
        for key in ours.keys() & theirs.keys()
        if facts_of(ours[key]) != facts_of(theirs[key])
    ]
    for table in NO_TEMPLATES:
        apart = english.get(table, {}).keys() ^ other.get(table, {}).keys()
        found += [f"only one language has {table}.{key}" for key in sorted(apart)]
    return found


def test_differences_between_languages_are_found() -> None:
    english = {
        "a": "{n:count shell}",
        "b": "c",
        "word": {"shell": {"one": "shell", "other": "shells"}},
    }
    assert not differences(
        english, {**english, "a": "{n:count shell gen}", "word": {"shell": "Muschel"}}
    )
    assert len(differences(english, {"a": "{m}", "word": {}})) == 3


def test_every_language_has_all_texts_with_the_same_facts() -> None:
    found = []
    for path in text_files():
        apart = differences(read(path.with_name("en.toml")), read(path))
        found += [f"{path.relative_to(ROOT)}: {difference}" for difference in apart]
    assert not found, "\n".join(found)
