r"""The template language of all texts, and its parser.

    {fact}                          the fact as it is
    {seat:name}  {seats:names}      players' names
    {scores:tally}                  a number for each seat: 'Ana 31, Bea 44'
    {spot:code}  {spots:codes}      codes as the board prints them: 'A1 B2'
    {spots:codes and}               the same in a sentence: 'A1 and B2', or with `or`
    {spot:place} {spots:places}     codes with names, if there is a view: 'Rapa (G8)'
    {score:points} {rolls:numbers}  a number, halves as ½, and a list of them: '2, 5 and 1'
    {piece:word} {pieces:words}     words of [word]; {piece:word some} in its form `some`
    {paid:count shell}              a number with its noun: '1 shell', '3 shells'
    {number:count @item}            a number with a noun that another fact names
    {pieces:counts}                 a list of nouns with their numbers, without those of 0
    {pieces:brief}                  the same on a button: '2 palms, hut'
    {n:plural one=# goes|other=# go}  by CLDR category or number (0=none goes); # is the number
    {flag:if}                       nothing; only makes its part depend on the fact
    [, takes {item:word}]           a part that is left out if a fact in it is missing, empty or 0
    [for {paid}|free of charge]     a part and its alternative
    \{ \} \[ \]                     literal brackets

Translators write these templates, so a form may be added but never removed or changed.

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
    """A gap in a template where a fact is filled in."""

    fact: str
    form: str = ""
    given: str = ""
    """The rest of the field: depending on the form, a noun, a word's form, or plural variants."""


class Part(Struct, frozen=True):
    """A part of a template that is used only if all its facts are given, with an alternative."""

    inside: "Template"
    otherwise: "Template" = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields whose facts must be given; nested parts decide for themselves."""
        return tuple(piece for piece in self.inside if isinstance(piece, Field))


Template = tuple[str | Field | Part, ...]


@cache
def parse(text: str) -> Template:
    """Parse a template."""
    # Cached without a limit: there are only as many templates as the text files have.
    template, _, mark = _parse_pieces(text, closed_by="")
    if mark:
        raise ValueError(f"'{mark}' closes nothing in {text!r}")
    return template


def _parse_pieces(text: str, closed_by: str) -> tuple[Template, str, str]:
    """Parse a text up to the mark that closes it; return its pieces, the rest, and that mark."""
    pieces: list[str | Field | Part] = []
    literal = ""
    mark = ""
    while found := MARK.search(text):
        mark = found[0]
        literal += text[: found.start()]
        text = text[found.end() :]
        if len(mark) == 2:
            # A bracket after a backslash.
            literal += mark[1]
        elif mark == "|" and not closed_by:
            literal += mark
        elif mark in "|]}":
            break
        else:
            if literal:
                pieces.append(literal)
            literal = ""
            if mark == "{":
                inside, closing, text = text.partition("}")
                pieces.append(_parse_field(inside, closing))
            else:
                part, text = _parse_part(text)
                pieces.append(part)
    else:
        if closed_by:
            raise ValueError(f"'[' is not closed before {text!r}")
        literal += text
        text = ""
        mark = ""
    if literal:
        pieces.append(literal)
    return tuple(pieces), text, mark


def _parse_field(inside: str, closing: str) -> Field:
    """Parse what is between braces, such as `paid:count shell`."""
    name, _, spec = inside.partition(":")
    if not closing or not name.isidentifier():
        raise ValueError(f"'{{{inside}{closing}' is not a field")
    form, _, given = spec.partition(" ")
    return Field(name, form, given)


def _parse_part(text: str) -> tuple[Part, str]:
    """Parse a part after its opening bracket; return it and the rest of the text."""
    inside, text, mark = _parse_pieces(text, closed_by="]")
    otherwise: Template = ()
    if mark == "|":
        otherwise, text, mark = _parse_pieces(text, closed_by="]")
    part = Part(inside, otherwise)
    if mark != "]" or not part.fields:
        raise ValueError(f"a part must be closed by ']' and have a field in it: {inside!r}")
    return part, text


def variants(given: str) -> dict[str, str]:
    """Return the variants of a plural, from category or number to text."""
    return dict(variant.split("=", 1) for variant in given.split("|"))


@cache
def category_of(language: str) -> Callable[[float], str]:
    """Return the function that maps a number to its CLDR plural category in a language."""
    # Imported only when something is first counted: importing Babel takes a tenth of the bot's
    # start-up time.
    from babel import Locale

    return Locale.parse(language).plural_form
