"""What the bot says: en.toml has every sentence and label, in the templates of
engine/core/template.py.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.core.words import Names, read_words

BOT = Path(__file__).parents[1]


def say(key: str, names: Names = (), /, **facts: Any) -> str:
    """The text of that key with its facts filled in; `names` are what seats are called in it."""
    return read_words(BOT).say(key, names, **facts)


def has(key: str) -> bool:
    """Whether there is a text of that key."""
    return read_words(BOT).has(key)


def listed(parts: Iterable[str]) -> str:
    """'Ana', 'Ana and Bea', 'Ana, Bea and Cem'."""
    return read_words(BOT).listed(parts)
