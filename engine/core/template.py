r"""The templates in which all texts are written.

    {fact}                          the fact itself
    {seat:name}  {seats:names}      players' names
    {scores:tally}                  a number a seat: 'Ana 31, Bea 44'
    {spot:code}  {spots:codes}      codes as the board prints them
    {spot:place} {spots:places}     codes with names, if there is a view: 'Rapa (G8)'
    {score:points}                  a number, halves as ½
    {piece:word} {pieces:words}     words of [word]; {piece:word some} in its form `some`
    {paid:count shell}              a number with its noun: '1 shell', '3 shells'
    {number:count @item}            a number with a noun that another fact names
    {pieces:counts}                 pairs of word and number, listed; none of a number of 0
    {n:plural one=# goes|other=# go}  by CLDR category or number (0=none goes); # is the number
    {flag:if}                       nothing; only a condition of its part
    [, takes {item:word}]           a part that is left out if a fact in it is missing, empty or 0
    [for {paid}|free of charge]     a part and its alternative
    \{ \} \[ \]                     literal brackets

A word of the [word] table is a text or a table of forms. Plural forms are named as in CLDR (zero,
one, two, few, many, other); `none` is used for a count of 0. Any other name is a form of that
language, such as a case, and may have plural forms inside.
"""

import re
from collections.abc import Callable
from functools import cache

from msgspec import Struct

MARK = re.compile(r"\\[{}\[\]]|[{}\[\]|]")


class Field(Struct, frozen=True):
    """A place where a fact is filled in, in the form that it names."""

    fact: str
    form: str = ""
    given: str = ""
    """What stands behind the form: a noun, the name of a form, the variants of a plural."""


class Part(Struct, frozen=True):
    """A part of a text that is used only if all its facts are there, or its alternative."""

    inside: "Template"
    otherwise: "Template" = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields that decide; nested parts decide for themselves."""
        return tuple(piece for piece in self.inside if isinstance(piece, Field))


Template = tuple[str | Field | Part, ...]


@cache
def parse(text: str) -> Template:
    """Parse a template.

    There are only as many as the text files have, so each is kept.
    """
    template, _, mark = _read(text, closed_by="")
    if mark:
        raise ValueError(f"'{mark}' closes nothing in {text!r}")
    return template


def _read(text: str, closed_by: str) -> tuple[Template, str, str]:
    """Read pieces up to a closing mark; return them, what follows, and the mark."""
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
    """Return the variants of a plural, from category or number to text."""
    return dict(variant.split("=", 1) for variant in given.split("|"))


@cache
def category_of(language: str) -> Callable[[float], str]:
    """Return the function that names a number's plural category in a language, as in CLDR."""
    # Loaded when something is first counted: Babel takes as long to import as a tenth of the bot.
    from babel import Locale

    return Locale.parse(language).plural_form
