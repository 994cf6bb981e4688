"""Reads maps that hosts draw in letters: a line for each row, a word for each space.

The rules help explains it to hosts, so what can be read today must stay readable. '~~' is sea, 'A.'
is land of island A, and 'Ao' is a stone circle on it.

values: A 6 B 8
  Ao  A.  ~~  B.
A.  A.  ~~  Bo  B.
"""

import re

from engine.blue_lagoon.mapdata import Cell, Island, MapData, refuse_map

SPACE = re.compile(r"(?P<sea>~+)|(?P<island>[A-Za-z]{1,2})(?P<ground>[.o])")
LINE = re.compile(r"(?P<what>[a-z]+)\s*:\s*(?P<given>.*)", re.IGNORECASE)
PAIRS = re.compile(r"(?:[A-Za-z]{1,2}[\s=]*\d{1,4}[\s,]*)*")
PAIR = re.compile(r"([A-Za-z]{1,2})[\s=]*(\d{1,4})")
DEFAULT_VALUES = ((12, 6), (17, 8))
"""Majority values of islands that the picture gives none: up to 12 spaces 6, up to 17 spaces 8."""
LARGEST_VALUE = 10
"""The majority value of larger islands."""


def looks_like_picture(text: str) -> bool:
    """Return whether a text is meant as a picture: it has sea, unlike any name or JSON."""
    return "~" in text and not text.lstrip().startswith("{")


def read_picture(text: str) -> MapData:
    """Read the map in a picture; raise BadSettings with the line that cannot be read.

    The map itself is not checked yet.
    """
    widths: list[int] = []
    cells: dict[str, list[Cell]] = {}
    circles: list[Cell] = []
    given: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or line.lstrip().startswith(("#", "```")):
            continue
        if found := LINE.fullmatch(line.strip()):
            what = found["what"].lower()
            if what not in ("name", "values", "items") or what in given:
                raise refuse_map("line", line=number, word=what[:20])
            given[what] = found["given"]
            continue
        row = len(widths)
        for column, word in enumerate(words):
            space = SPACE.fullmatch(word)
            if space is None:
                raise refuse_map("space", line=number, word=word[:20])
            if space["island"]:
                cells.setdefault(space["island"].upper(), []).append((row, column))
                if space["ground"] == "o":
                    circles.append((row, column))
        widths.append(len(words))
    values = _read_pairs(given, "values")
    for name in values.keys() - cells.keys():
        raise refuse_map("value_of_nothing", island=name)
    islands = tuple(
        Island(name, values.get(name, _default_value(len(place))), tuple(place))
        for name, place in cells.items()
    )
    named = {"name": given["name"]} if "name" in given else {}
    items = {"items": _read_pairs(given, "items")} if "items" in given else {}
    return MapData(tuple(widths), islands, tuple(circles), **named, **items)  # type: ignore[arg-type]


def _read_pairs(given: dict[str, str], what: str) -> dict[str, int]:
    """Split 'A 6 B 8' into pairs."""
    text = given.get(what, "").strip()
    if not PAIRS.fullmatch(text):
        raise refuse_map("pairs", word=what)
    return {name.upper(): int(number) for name, number in PAIR.findall(text)}


def _default_value(size: int) -> int:
    """Return the majority value of an island of that many spaces."""
    return next((value for most, value in DEFAULT_VALUES if size <= most), LARGEST_VALUE)
