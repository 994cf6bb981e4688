"""What the bot says. In come rooms and events, out goes text for people.

en.toml       every sentence and label of the bot; engine/core/template.py explains how they are written
describe.py   a match in words: what happened, whose turn it is, how it ended
names.py      what people wrote, made harmless
pace_words.py a table's terms about time
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
