"""The parts that all refusals share: their type, and reading keys as hexes, pieces or numbers.

A refusal says why a choice is illegal: the key of a text in the [why] table of text/en.toml, with
its facts. The function that holds a rule returns it, so that the same function decides both what
`ask` offers and why anything else is not possible. It gets the whole state, but may use only what
the deciding seat knows: a contract test deals everything hidden again and compares.
"""

import re

from engine.conquest.board import HEX_AT
from engine.conquest.pieces import Kinds
from engine.core.decision import Decision
from engine.core.event import Line

Refusal = Line | None
"""Why a choice is illegal; None if it is legal, or if no rule is known that forbids it."""
OTHER_NAME = "other_name"
"""The refusal of another spelling of an offered key; a typed turn then takes the offered `name`."""
PIECE_COUNTS = re.compile(r"(?:\d{1,2}[wtrcb])+")
"""Pieces as people type them: numbers and kinds, such as '2w1t'."""


def is_offered(decision: Decision, key: str) -> bool:
    """Return whether a key may be chosen."""
    return any(option.key == key for option in decision.options)


def suggest_name(decision: Decision, name: str) -> Refusal:
    """Return the refusal that names the right spelling of a key, if that key is offered."""
    return (OTHER_NAME, {"name": name}) if is_offered(decision, name) else None


def is_hex(key: str) -> bool:
    """Return whether the map has a hex with this code."""
    return key in HEX_AT


def hex_refusal(key: str, spot: str) -> Line:
    """Return the refusal with this key whose only fact is a hex."""
    return key, {"spot": spot}


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
