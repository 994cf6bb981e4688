"""Shared parts of objections: their type, and reading typed keys as hexes, pieces or numbers.

An objection is the key of a text in the [why] table of text/en.toml, with its facts. It is returned
by the function that holds the rule, so that the same function decides both what `ask` offers and
why anything else is not possible. It is given the whole state, but may use only what the asked seat
knows: a contract test deals everything hidden anew and compares.
"""

import re

from engine.conquest.board import HEX_AT
from engine.conquest.pieces import Kinds
from engine.core.decision import Decision
from engine.core.event import Line

Objection = Line | None
"""The reason against a key; None if there is none, or none is known."""
OTHER_NAME = "other_name"
"""The objection to a key that means an offered one; a typed turn is then read with that `name`."""
PIECE_COUNTS = re.compile(r"(?:\d{1,2}[wtrcb])+")
"""Pieces as people type them: numbers and kinds, such as '2w1t'."""


def is_offered(decision: Decision, key: str) -> bool:
    """Return whether a key may be chosen."""
    return any(option.key == key for option in decision.options)


def suggest_name(decision: Decision, name: str) -> Objection:
    """Return the objection that a key is written differently, if that name may be chosen."""
    return (OTHER_NAME, {"name": name}) if is_offered(decision, name) else None


def is_hex(key: str) -> bool:
    """Return whether the map has a hex with this code."""
    return key in HEX_AT


def hex_objection(reason: str, spot: str) -> Line:
    """Return an objection whose only fact is a hex."""
    return reason, {"spot": spot}


def parse_pieces(key: str) -> Kinds | None:
    """Return the pieces written as counts in any order, such as '2w1t'; None if unreadable."""
    if not PIECE_COUNTS.fullmatch(key):
        return None
    numbers = dict.fromkeys("wtrcb", 0)
    for number, kind in re.findall(r"(\d+)([wtrcb])", key):
        numbers[kind] += int(number)
    return Kinds(**numbers)


def parse_number(text: str) -> int:
    """Return a typed number of at most two digits; -1 if it is none."""
    return int(text) if text.isdecimal() and len(text) <= 2 else -1
