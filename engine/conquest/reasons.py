"""What all objections share: their type, and keys that are read as hexes or as pieces.

An objection is a line of [why] with its facts. It stands beside the rule that it quotes, so that
one function decides both what `ask` offers and why anything else is not possible. It is given the
whole state, but may use only what the asked seat knows: a contract test deals everything hidden
anew and compares.
"""

import re

from engine.conquest.board import HEX_AT
from engine.conquest.pieces import Kinds
from engine.core.decision import Decision
from engine.core.event import Line

Objection = Line | None
"""The reason against a key, None if nothing stands against it or nothing is known about it."""
OTHER_NAME = "other_name"
"""The line for a key that is legal but called otherwise; a typed text is then read as if it had
that `name`.
"""
COUNTS = re.compile(r"(?:\d{1,2}[wtrcb])+")


def offers(decision: Decision, key: str) -> bool:
    """Return whether that key may be chosen."""
    return any(option.key == key for option in decision.options)


def called(decision: Decision, name: str) -> Objection:
    """Say that a key is called otherwise, if what it is called may be chosen."""
    return (OTHER_NAME, {"name": name}) if offers(decision, name) else None


def is_hex(key: str) -> bool:
    """Return whether the map has that hex."""
    return key in HEX_AT


def about_hex(reason: str, spot: str) -> Line:
    """Return an objection whose only fact is a hex."""
    return reason, {"spot": spot}


def counted(key: str) -> Kinds | None:
    """Read pieces written as counts, '2w1t', in any order; None if they are not."""
    if not COUNTS.fullmatch(key):
        return None
    numbers = dict.fromkeys("wtrcb", 0)
    for number, kind in re.findall(r"(\d+)([wtrcb])", key):
        numbers[kind] += int(number)
    return Kinds(**numbers)


def typed_number(text: str) -> int:
    """Read a number as it is typed; -1 if it is none that could be meant."""
    return int(text) if text.isdecimal() and len(text) <= 2 else -1
