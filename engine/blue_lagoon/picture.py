"""A map as a picture in letters, as the rules help explains it: a line for each row, a word for
each space.

values: A 6 B 8
  Ao  A.  ~~  B.
A.  A.  ~~  Bo  B.
"""

import re

from engine.blue_lagoon.mapdata import Cell, Island, MapData, refused

SPACE = re.compile(r"(?P<sea>~+)|(?P<island>[A-Za-z]{1,2})(?P<ground>[.o])")
LINE = re.compile(r"(?P<what>[a-z]+)\s*:\s*(?P<given>.*)", re.IGNORECASE)
PAIRS = re.compile(r"(?:[A-Za-z]{1,2}[\s=]*\d{1,4}[\s,]*)*")
PAIR = re.compile(r"([A-Za-z]{1,2})[\s=]*(\d{1,4})")
VALUES = ((12, 6), (17, 8))
"""Values of islands not given in the picture: up to 12 spaces 6, up to 17 spaces 8, larger 10.
"""
LARGEST = 10


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
                raise refused("line", line=number, word=what[:20])
            given[what] = found["given"]
            continue
        row = len(widths)
        for column, word in enumerate(words):
            space = SPACE.fullmatch(word)
            if space is None:
                raise refused("space", line=number, word=word[:20])
            if space["island"]:
                cells.setdefault(space["island"].upper(), []).append((row, column))
                if space["ground"] == "o":
                    circles.append((row, column))
        widths.append(len(words))
    values = _pairs(given, "values")
    for name in values.keys() - cells.keys():
        raise refused("value_of_nothing", island=name)
    islands = tuple(
        Island(name, values.get(name, _value(len(place))), tuple(place))
        for name, place in cells.items()
    )
    named = {"name": given["name"]} if "name" in given else {}
    items = {"items": _pairs(given, "items")} if "items" in given else {}
    return MapData(tuple(widths), islands, tuple(circles), **named, **items)  # type: ignore[arg-type]


def _pairs(given: dict[str, str], what: str) -> dict[str, int]:
    """Split 'A 6 B 8' into pairs."""
    text = given.get(what, "").strip()
    if not PAIRS.fullmatch(text):
        raise refused("pairs", word=what)
    return {name.upper(): int(number) for name, number in PAIR.findall(text)}


def _value(size: int) -> int:
    return next((value for most, value in VALUES if size <= most), LARGEST)
