"""The texts of the bot, which are templates in en.toml (see engine/core/template.py).

A text on screen must never be written in code. `say` returns it in the language of the current
task, see bot/kernel/languages.py.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.core.words import Names, read_words

BOT = Path(__file__).parents[1]


def say(key: str, names: Names = (), /, **facts: Any) -> str:
    """Return the text of a key with its facts filled in; `names` are the names of the seats."""
    return read_words(BOT).say(key, names, **facts)


def has(key: str) -> bool:
    """Return whether there is a text for a key."""
    return read_words(BOT).has(key)


def and_list(parts: Iterable[str]) -> str:
    """Return 'Ana', 'Ana and Bea' or 'Ana, Bea and Cem'."""
    return read_words(BOT).and_list(parts)


def or_list(parts: Iterable[str]) -> str:
    """Return 'Ana', 'Ana or Bea' or 'Ana, Bea or Cem'."""
    return read_words(BOT).or_list(parts)
