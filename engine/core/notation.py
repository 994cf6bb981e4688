"""Read transcripts line by line; transcript.py explains how they are written.

Each refusal names its line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from engine.core.decision import Seat
from engine.core.errors import Malformed
from engine.core.story import BEGINS, FORMAT, NOTHING, About, Chair, Coming
from engine.core.words import say

HEADER = "motu transcript"
STAGE = "== "
SUM = 6
"""Hexadecimal digits that tell a line from any other."""
NUMBER = re.compile(r"\d{1,6}")
SEAT = re.compile(r"p[1-9]")
COMMIT = re.compile(r"(\d{1,6}) (p\d) (.+)")
MARKED = re.compile(r"(\S.*?) += (?:([0-9a-f]{8}) )?([0-9a-f]{6})")
LIMIT = 5_000_000
"""More characters than any match has."""
HEADS = {
    1: frozenset({"game", "seats", "set", "computer", "seed"}),
    2: frozenset({"game", "match", "ended", "person", "computer", "set", "seal"}),
}
"""How the lines of each version's head begin."""


class Block(Struct, frozen=True):
    """A line of a transcript, with the words that explain it."""

    at: int
    """The line's number in the file, from 1."""
    text: str
    position: str = ""
    before: str = ""
    """The mark before it."""
    mark: str = ""
    stage: tuple[int, str] | None = None
    """The heading before it, with its line's number."""
    told: tuple[tuple[int, str], ...] = ()
    """The lines below it, with their numbers."""

    @property
    def intact(self) -> bool:
        """Return whether the block is unchanged, as far as its checksum shows."""
        return self.fits(self.stage[1] if self.stage else "", [words for _, words in self.told])

    def fits(self, stage: str, told: Iterable[str]) -> bool:
        """Return whether its checksum is the one it would have with these words."""
        return not self.mark or self.mark == line_sum(
            self.before, stage, self.text, self.position, told
        )


class Line(Struct, frozen=True):
    """A commit as written: keys without their kinds, which the match itself knows."""

    number: int
    seat: Seat
    words: tuple[str, ...]
    block: Block


class Transcript(Struct, frozen=True, kw_only=True):
    """A parsed transcript."""

    format: int
    game: str
    version: int
    """The version of the rules that the match began under."""
    written: int
    """The version of the rules that its positions are of."""
    seats: int
    settings: tuple[tuple[str, str], ...]
    computers: tuple[Seat, ...]
    about: About
    lines: tuple[Line, ...]
    last: str
    """How the match stood when it was written."""
    seed: str

    head: tuple[Block, ...]
    begins: Block
    comings: tuple[Block, ...]
    """Of `about.comings`."""
    end: Block
    sealed: Block
    """The line with the seed."""

    def head_line(self, *words: str) -> int:
        """Return the number of the head line that starts like this, else of its first line."""
        wanted = " ".join(words) + " "
        return next(
            (block.at for block in self.head if f"{block.text} ".startswith(wanted)),
            self.head[0].at,
        )


def fail(at: int, key: str, **facts: Any) -> NoReturn:
    """Raise Malformed for what is wrong in a line."""
    raise Malformed(say("transcript.at", line=at, why=say(f"transcript.{key}", **facts)), at)


def line_sum(chain: str, stage: str, line: str, position: str, told: Iterable[str]) -> str:
    """Return the checksum that ties a line and its words to the line before."""
    return sha256("\n".join([chain, stage, line, position, *told]).encode()).hexdigest()[:SUM]


def written(value: str) -> str:
    """Return a text in the form in which it can stand on one line."""
    plain = value.isprintable() and value == value.strip() and value and not value.startswith('"')
    return value if plain else msgspec.json.encode(value).decode()


def parse(text: str | bytes) -> Transcript:
    """Parse a transcript from text or a file's bytes; raise Malformed if it is none."""
    lines = [line.rstrip(" \t\r") for line in _decoded(text).split("\n")]
    first = next(
        (place for place, line in enumerate(lines) if line and not line.startswith("#")), 0
    )
    header, _, version = lines[first].rpartition(" ")
    if header != HEADER:
        fail(first + 1, "header", header=f"{HEADER} {FORMAT}")
    if version not in ("1", "2"):
        fail(first + 1, "format", version=version[:20], known=FORMAT)
    end = next(number for number in range(len(lines), 0, -1) if lines[number - 1])
    if version == "1":
        return _version_1(list(_plain_blocks(lines, first + 1)), end)
    return _version_2(list(_marked_blocks(lines, first + 1)), end)


def _decoded(text: str | bytes) -> str:
    try:
        # A text that has no bytes could be read, but never be stored or replayed.
        data = text.encode() if isinstance(text, str) else bytes(text)
    except (UnicodeError, TypeError) as error:
        raise Malformed(say("transcript.not_text")) from error
    try:
        # Some editors begin a file with a mark of their own (sig).
        found = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A file that was read only in part may end in half a character.
        is_cut = len(data) > LIMIT and error.end == len(data)
        fail(
            data.count(b"\n", 0, error.start) + 1, "too_long" if is_cut else "not_text", limit=LIMIT
        )
    if "\0" in found:
        fail(found.count("\n", 0, found.index("\0")) + 1, "not_text")
    if len(found) > LIMIT:
        fail(found.count("\n", 0, LIMIT) + 1, "too_long", limit=LIMIT)
    return found


# Version 1.


def _plain_blocks(lines: Sequence[str], start: int) -> Iterator[Block]:
    for number, line in enumerate(lines[start:], start + 1):
        # A setting or seed may have any characters in it.
        bare = line if line.startswith(("set ", "seed ")) else line.split("  #")[0].strip()
        if bare and not bare.startswith("#"):
            yield Block(number, bare)


def _version_1(blocks: list[Block], end: int) -> Transcript:
    if not blocks or not blocks[-1].text.startswith(("end ", "open ")):
        fail(end, "stops_short")
    *middle, last = blocks
    head = [block for block in middle if block.text.split(" ")[0] in HEADS[1]]
    commits = [block for block in middle if block not in head]
    for block in commits:
        if not COMMIT.fullmatch(block.text):
            fail(block.at, "unknown_line", line=block.text[:60])
    seats = _one(head, "seats", last.at)
    count = _rest(seats)
    if not NUMBER.fullmatch(count):
        fail(seats.at, "head", line=seats.text[:60])
    computers = [_seat(block, _rest(block)) for block in _all(head, "computer")]
    sealed = _one(head, "seed", last.at)
    return _transcript(
        1, head, commits, last, sealed, sealed, seats=int(count), computers=computers, about=About()
    )


# Version 2.


def _marked_blocks(lines: Sequence[str], start: int) -> Iterator[Block]:
    chain, place = "", start
    stage: tuple[int, str] | None = None
    while place < len(lines):
        line, place = lines[place], place + 1
        if line.startswith(STAGE) and stage is None:
            stage = (place, line.removeprefix(STAGE))
        elif line:
            marked = MARKED.fullmatch(line)
            if line.startswith((" ", "\t")):
                fail(place, "no_line", line=line.strip()[:60])
            if marked is None:
                fail(place, "no_mark", line=line.strip()[:60])
            at, told = place, []
            while place < len(lines) and lines[place].startswith((" ", "\t")):
                place += 1
                told.append((place, lines[place - 1].strip()))
            yield Block(at, marked[1], marked[2] or "", chain, marked[3], stage, tuple(told))
            chain, stage = marked[3], None
    if stage:
        fail(stage[0], "stops_short")


def _version_2(blocks: list[Block], end: int) -> Transcript:
    if not blocks or not blocks[-1].text.startswith("seed "):
        fail(end, "stops_short")
    *middle, sealed = blocks
    if not middle or not middle[-1].text.startswith(("end ", "open ")):
        is_other = middle and not COMMIT.fullmatch(middle[-1].text)
        fail(middle[-1].at if is_other else sealed.at, "no_result")
    *middle, last = middle
    begins = next(
        (place for place, block in enumerate(middle) if block.text == f"0 {BEGINS}"), None
    )
    if begins is None:
        at = next(
            (block.at for block in middle if block.text.split(" ")[0] not in HEADS[2]), last.at
        )
        fail(at, "no_start", line=f"0 {BEGINS}")
    head, play = middle[:begins], middle[begins + 1 :]
    for block in head:
        if block.text.split(" ")[0] not in HEADS[2]:
            fail(block.at, "unknown_line", line=block.text[:60])
    sitters = [block for block in head if block.text.startswith(("person ", "computer "))]
    about = About(
        match=_rest(_one(head, "match")),
        ended=_rest(_one(head, "ended")),
        seals=tuple(map(_rest, _all(head, "seal"))),
        chairs=tuple(_chair(block, seat) for seat, block in enumerate(sitters)),
    )
    computers = [
        Seat(seat) for seat, block in enumerate(sitters) if block.text.startswith("computer ")
    ]
    start = middle[begins]
    return _transcript(
        2, head, play, last, sealed, start, seats=len(sitters), computers=computers, about=about
    )


def _chair(block: Block, seat: int) -> Chair:
    kind, number, *rest = block.text.split(" ", 3 if block.text.startswith("computer ") else 2)
    level = rest.pop(0) if kind == "computer" and rest else NOTHING
    if number != f"p{seat + 1}":
        fail(block.at, "changed")
    return Chair(_value(block, rest[0]) if rest else "", "" if level == NOTHING else level)


# Both.


def _transcript(
    format: int,
    head: list[Block],
    play: list[Block],
    last: Block,
    sealed: Block,
    begins: Block,
    *,
    seats: int,
    computers: Iterable[Seat],
    about: About,
) -> Transcript:
    game = _one(head, "game", last.at)
    words = _rest(game).split(" ")
    if len(words) not in (2, format + 1) or not all(map(NUMBER.fullmatch, words[1:])):
        fail(game.at, "head", line=game.text[:60])
    settings: dict[str, str] = {}
    for block in _all(head, "set"):
        key, blank, value = _rest(block).partition(" ")
        if not blank:
            fail(block.at, "head", line=block.text[:60])
        if key in settings:
            fail(block.at, "twice", line=block.text[:60])
        settings[key] = _value(block, value)
    lines: list[Line] = []
    comings: list[tuple[Block, Coming]] = []
    for block in play:
        if (found := COMMIT.fullmatch(block.text)) and found[3].strip():
            lines.append(
                Line(int(found[1]), _seat(block, found[2]), tuple(found[3].split()), block)
            )
        elif block.text.startswith("seat ") and format > 1:
            seat, _, name = _rest(block).partition(" ")
            if not name:
                fail(block.at, "head", line=block.text[:60])
            comings.append((block, Coming(len(lines) + 1, _seat(block, seat), _value(block, name))))
        else:
            fail(block.at, "unknown_line", line=block.text[:60])
    return Transcript(
        format=format,
        game=words[0],
        version=int(words[1]),
        written=int(words[-1]),
        seats=seats,
        settings=tuple(settings.items()),
        computers=tuple(computers),
        about=msgspec.structs.replace(about, comings=tuple(coming for _, coming in comings)),
        lines=tuple(lines),
        last=last.text,
        seed=_value(sealed, _rest(sealed)),
        head=tuple(head),
        begins=begins,
        comings=tuple(block for block, _ in comings),
        end=last,
        sealed=sealed,
    )


def _all(blocks: Iterable[Block], word: str) -> list[Block]:
    return [block for block in blocks if block.text.split(" ")[0] == word]


def _one(blocks: Iterable[Block], word: str, needed_at: int = 0) -> Block:
    """Return the only line that starts like this; an optional one may be missing."""
    found = _all(blocks, word)
    if len(found) > 1:
        fail(found[1].at, "twice", line=found[1].text[:60])
    if not found and needed_at:
        fail(needed_at, "missing", word=word)
    return found[0] if found else Block(0, "")


def _rest(block: Block) -> str:
    return block.text.partition(" ")[2]


def _value(block: Block, value: str) -> str:
    try:
        return msgspec.json.decode(value, type=str) if value.startswith('"') else value
    except msgspec.DecodeError:
        fail(block.at, "head", line=block.text[:60])


def _seat(block: Block, word: str) -> Seat:
    if not SEAT.fullmatch(word):
        fail(block.at, "head", line=block.text[:60])
    return Seat(int(word[1:]) - 1)
