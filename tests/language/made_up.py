"""A made-up language for tests: English in other letters, and 40 % longer.

Anything still in Latin letters did not come from a text file, and anything that is cut leaves no
room for languages that need more words than English.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LANGUAGE = "pl"
"""Any language except English whose plural rules are known."""
KEPT = re.compile(r"(`[^`]*`|\{[^}]*\}|/[a-z]+|<[^>]*>)")
"""Matches what is the same in every language: code, fields, commands and mentions."""
OTHER = {ord("a") + n: 0x430 + n for n in range(26)} | {ord("A") + n: 0x410 + n for n in range(26)}


LONGER = 1.4
"""How much longer than English the made-up language is."""


def made_up(text: str) -> str:
    """Translate a template; its fields stay as they are."""
    return "".join(
        _kept(part) if number % 2 else _translated(part)
        for number, part in enumerate(KEPT.split(text))
    )


def _translated(text: str) -> str:
    """Translate a text; its words are stretched so that it gets 40 % longer."""
    words = re.split(r"([A-Za-z]{2,})", text)
    missing = round(len(text) * (LONGER - 1))
    letters = sum(len(word) for word in words[1::2])
    for number in range(1, len(words), 2):
        more = round(missing * len(words[number]) / letters)
        letters -= len(words[number])
        missing -= more
        words[number] += words[number][-1] * more
    return "".join(words).translate(OTHER)


def _kept(part: str) -> str:
    """Return a part that stays as it is, except for the texts in a plural."""
    if ":plural " not in part:
        return part
    head, variants = part[:-1].split(":plural ", 1)
    worded = (variant.split("=", 1) for variant in variants.split("|"))
    return f"{head}:plural {'|'.join(f'{name}={_translated(text)}' for name, text in worded)}}}"


def write_all(root: Path) -> int:
    """Write a file of the made-up language beside every en.toml; return how many there are."""
    files = sorted(root.rglob("text/en.toml"))
    for path in files:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
        lines = "\n".join(_lines(text, ()))
        path.with_name(f"{LANGUAGE}.toml").write_text(lines, encoding="utf-8")
    return len(files)


def _lines(table: Mapping[str, Any], above: tuple[str, ...]) -> list[str]:
    texts = {key: value for key, value in table.items() if isinstance(value, str)}
    lines = [f"{json.dumps(key)} = {json.dumps(made_up(value))}" for key, value in texts.items()]
    for key, value in table.items():
        if not isinstance(value, str):
            name = (*above, key)
            lines += [f"[{'.'.join(map(json.dumps, name))}]", *_lines(value, name)]
    return lines
