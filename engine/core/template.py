r"""The small language in which everything is written that a person reads.

    {fact}                          the fact itself
    {seat:name}  {seats:names}      players' names
    {scores:tally}                  a number a seat: 'Ana 31, Bea 44'
    {spot:code}  {spots:codes}      codes as the board prints them
    {spot:place} {spots:places}     the same with the name of what lies there, where a view is at hand: 'Rapa (G8)'
    {score:points}                  a number, halves as ½
    {piece:word} {pieces:words}     words of the [word] table; {piece:word some} in the form that is called `some`
    {paid:count shell}              a number with its noun: '1 shell', '3 shells'; or {paid:count shell gen}
    {number:count @item}            the same with a noun that another fact names
    {pieces:counts}                 pairs of word and number, listed; none of a number of 0
    {n:plural one=# goes|other=# go}  by a number's CLDR category, or itself (0=none goes); # is the number
    {flag:if}                       says nothing; for the condition of a part
    [, takes {item:word}]           a part that is left out if a fact in it is missing, empty or 0
    [for {paid}|free of charge]     a part with another one in its place
    \{ \} \[ \]                     brackets that are meant as such

A word of the [word] table is a text, or a table of forms. The plural forms are called as CLDR calls
them (zero, one, two, few, many, other); `none` is what a count of 0 says where a language has words
for it. Any other name is a form of that language's own, such as a case, and may have plural forms
inside.
"""

import re
from collections.abc import Callable
from functools import cache

from msgspec import Struct

MARK = re.compile(r"\\[{}\[\]]|[{}\[\]|]")


class Field(Struct, frozen=True):
    """A place where a fact is filled in, worded as its form asks."""

    fact: str
    form: str = ""
    given: str = ""
    """What stands behind the form: a noun, the name of a form, the variants of a plural."""


class Part(Struct, frozen=True):
    """Something that is said only if all facts in it are there, else the other."""

    inside: "Template"
    otherwise: "Template" = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that decide; parts inside decide for themselves."""
        return tuple(piece for piece in self.inside if isinstance(piece, Field))


Template = tuple[str | Field | Part, ...]


@cache
def parse(text: str) -> Template:
    """A template read.

    There are as many as the text files have, so each is kept once it has been read.
    """
    template, _, mark = _read(text, closed_by="")
    if mark:
        raise ValueError(f"'{mark}' closes nothing in {text!r}")
    return template


def _read(text: str, closed_by: str) -> tuple[Template, str, str]:
    """Pieces up to a closing mark, with what comes after it and the mark itself."""
    pieces: list[str | Field | Part] = []
    literal = ""
    while found := MARK.search(text):
        mark, before, text = found[0], text[: found.start()], text[found.end() :]
        literal += before
        if len(mark) == 2:
            literal += mark[1]
        elif mark == "|" and not closed_by:
            literal += mark
        elif mark in "|]}":
            return _joined(pieces, literal), text, mark
        else:
            pieces += [literal] if literal else []
            literal = ""
            if mark == "{":
                inside, closing, text = text.partition("}")
                pieces.append(_field(inside, closing))
            else:
                part, text = _part(text)
                pieces.append(part)
    if closed_by:
        raise ValueError(f"'[' is not closed before {text!r}")
    return _joined(pieces, literal + text), "", ""


def _joined(pieces: list[str | Field | Part], literal: str) -> Template:
    return (*pieces, literal) if literal else tuple(pieces)


def _field(inside: str, closing: str) -> Field:
    name, _, spec = inside.partition(":")
    if not closing or not name.isidentifier():
        raise ValueError(f"'{{{inside}{closing}' is not a field")
    form, _, given = spec.partition(" ")
    return Field(name, form, given)


def _part(text: str) -> tuple[Part, str]:
    inside, text, mark = _read(text, closed_by="]")
    otherwise: Template = ()
    if mark == "|":
        otherwise, text, mark = _read(text, closed_by="]")
    part = Part(inside, otherwise)
    if mark != "]" or not part.fields:
        raise ValueError(f"a part must be closed by ']' and have a field in it: {inside!r}")
    return part, text


def variants(given: str) -> dict[str, str]:
    """The variants of a plural: category, or number, to text."""
    return dict(variant.split("=", 1) for variant in given.split("|"))


@cache
def category_of(language: str) -> Callable[[float], str]:
    """How a language calls a number: the category of its plural form, as CLDR has it."""
    # Loaded when something is first counted: Babel takes as long to import as a tenth of the bot.
    from babel import Locale

    return Locale.parse(language).plural_form
