"""Parses transcripts into lines, whose format transcript.py explains.

Nothing is played here. Anything wrong raises Malformed with the number of its line. People keep
transcripts, so whatever was accepted once must stay accepted.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from engine.core.decision import Seat
from engine.core.errors import Malformed
from engine.core.story import BEGINS, FORMAT, NOTHING, About, Chair, NewPlayer
from engine.core.words import say

HEADER = "motu transcript"
STAGE = "== "
"""The beginning of a heading, which names a stage of the match."""
CHECKSUM_DIGITS = 6
"""Hexadecimal digits of a line's checksum."""
NUMBER = re.compile(r"\d{1,6}")
SEAT = re.compile(r"p[1-9]")
COMMIT = re.compile(r"(\d{1,6}) (p\d) (.+)")
"""Groups: the number, the seat and the words of a commit."""
MARKED = re.compile(r"(\S.*?) += (?:([0-9a-f]{8}) )?([0-9a-f]{6})")
"""Groups: a line's text, the hash of the position if it is a commit, and the checksum."""
MAX_CHARACTERS = 5_000_000
"""Characters of a transcript: more than any match needs."""
MAX_QUOTED = 60
"""Characters of a wrong line that a refusal repeats."""
HEAD_WORDS = {
    1: frozenset({"game", "seats", "set", "computer", "seed"}),
    2: frozenset({"game", "match", "ended", "person", "computer", "set", "seal"}),
}
"""By version, the first words of the lines before the moves."""


class Block(Struct, frozen=True):
    """A line of a transcript, with its heading, its checksum and the text that explains it."""

    at: int
    """The line's number in the file, from 1."""
    text: str
    position: str = ""
    before: str = ""
    """The checksum of the line before."""
    mark: str = ""
    """The checksum of this line."""
    stage: tuple[int, str] | None = None
    """The heading before the line, with its own line number."""
    told: tuple[tuple[int, str], ...] = ()
    """The indented lines below, with their line numbers."""

    @property
    def intact(self) -> bool:
        """Return whether the checksum fits, so that the block is unchanged."""
        stage = self.stage[1] if self.stage else ""
        return self.would_be_intact(stage, [words for _, words in self.told])

    def would_be_intact(self, stage: str, told: Iterable[str]) -> bool:
        """Return whether the checksum would fit with another heading and explanation."""
        # Version 1 has no checksums.
        if not self.mark:
            return True
        return self.mark == checksum(self.before, stage, self.text, self.position, told)


class Line(Struct, frozen=True):
    """A commit as written: the keys of its answers, without the kinds of the questions."""

    number: int
    seat: Seat
    words: tuple[str, ...]
    block: Block


class Transcript(Struct, frozen=True, kw_only=True):
    """A parsed transcript."""

    format: int
    game: str
    version: int
    """The version of the rules under which the match began."""
    written: int
    """The version of the rules under which its positions were written."""
    seats: int
    settings: tuple[tuple[str, str], ...]
    computers: tuple[Seat, ...]
    about: About
    lines: tuple[Line, ...]
    last: str
    """The line that says how the match ended, or that it is open."""
    seed: str

    # The lines themselves, so that a refusal can name them.
    head: tuple[Block, ...]
    begins: Block
    comings: tuple[Block, ...]
    """The lines of `about.comings`."""
    end: Block
    sealed: Block
    """The line with the seed."""

    def head_line(self, *words: str) -> int:
        """Return the number of the head line that starts with these words, else of the first."""
        wanted = " ".join(words) + " "
        for block in self.head:
            if f"{block.text} ".startswith(wanted):
                return block.at
        return self.head[0].at


def fail(at: int, key: str, **facts: Any) -> NoReturn:
    """Raise Malformed for a line; `key` and `facts` say what is wrong with it."""
    raise Malformed(say("transcript.at", line=at, why=say(f"transcript.{key}", **facts)), at)


def checksum(chain: str, stage: str, line: str, position: str, told: Iterable[str]) -> str:
    """Return the checksum of a line and its explanation; `chain` is the checksum before it."""
    text = "\n".join([chain, stage, line, position, *told])
    return sha256(text.encode()).hexdigest()[:CHECKSUM_DIGITS]


def quote_value(value: str) -> str:
    """Return a text as it is, or as a JSON string if it would not survive on a line."""
    is_trimmed = value == value.strip() and value != ""
    if value.isprintable() and is_trimmed and not value.startswith('"'):
        return value
    return msgspec.json.encode(value).decode()


def parse(text: str | bytes) -> Transcript:
    """Parse a transcript from text or a file's bytes; raise Malformed if it is none."""
    lines = [line.rstrip(" \t\r") for line in _decode(text).split("\n")]
    # People may put comments before the header.
    first = 0
    for index, line in enumerate(lines):
        if line and not line.startswith("#"):
            first = index
            break
    header, _, version = lines[first].rpartition(" ")
    if header != HEADER:
        fail(first + 1, "header", header=f"{HEADER} {FORMAT}")
    if version not in ("1", "2"):
        fail(first + 1, "format", version=version[:20], known=FORMAT)
    end = next(number for number in range(len(lines), 0, -1) if lines[number - 1])
    if version == "1":
        return _parse_version_1(list(_split_version_1(lines, first + 1)), end)
    return _parse_version_2(list(_split_version_2(lines, first + 1)), end)


def _decode(text: str | bytes) -> str:
    """Return the text of a file, if it can be one and is not too long."""
    try:
        # A lone surrogate cannot be encoded, so such a text could never be stored.
        data = text.encode() if isinstance(text, str) else bytes(text)
    except (UnicodeError, TypeError) as error:
        raise Malformed(say("transcript.not_text")) from error
    try:
        # Some editors begin a file with a byte order mark, which "sig" skips.
        found = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Only a part is read of a file that is too long, and it may end in half a character.
        is_cut = len(data) > MAX_CHARACTERS and error.end == len(data)
        at = data.count(b"\n", 0, error.start) + 1
        fail(at, "too_long" if is_cut else "not_text", limit=MAX_CHARACTERS)
    if "\0" in found:
        fail(found.count("\n", 0, found.index("\0")) + 1, "not_text")
    if len(found) > MAX_CHARACTERS:
        fail(found.count("\n", 0, MAX_CHARACTERS) + 1, "too_long", limit=MAX_CHARACTERS)
    return found


# Version 1.


def _split_version_1(lines: Sequence[str], start: int) -> Iterator[Block]:
    """Yield the lines after the header, without comments."""
    for number, line in enumerate(lines[start:], start + 1):
        # A setting or a seed may contain what looks like a comment.
        bare = line if line.startswith(("set ", "seed ")) else line.split("  #")[0].strip()
        if bare and not bare.startswith("#"):
            yield Block(number, bare)


def _parse_version_1(blocks: list[Block], end: int) -> Transcript:
    """Parse the lines of version 1; `end` is the number of the last line."""
    if not blocks or not blocks[-1].text.startswith(("end ", "open ")):
        fail(end, "stops_short")
    *middle, last = blocks
    head = [block for block in middle if block.text.split(" ")[0] in HEAD_WORDS[1]]
    commits = [block for block in middle if block not in head]
    for block in commits:
        if not COMMIT.fullmatch(block.text):
            fail(block.at, "unknown_line", line=block.text[:MAX_QUOTED])
    seats = _find_one(head, "seats", last.at)
    count = _arguments(seats)
    if not NUMBER.fullmatch(count):
        fail(seats.at, "head", line=seats.text[:MAX_QUOTED])
    computers = [_parse_seat(block, _arguments(block)) for block in _find_all(head, "computer")]
    sealed = _find_one(head, "seed", last.at)
    return _build_transcript(
        1, head, commits, last, sealed, sealed, seats=int(count), computers=computers, about=About()
    )


# Version 2.


def _split_version_2(lines: Sequence[str], start: int) -> Iterator[Block]:
    """Yield the lines after the header, each with its heading and its indented lines."""
    chain = ""
    stage: tuple[int, str] | None = None
    # The number of the line last read. Numbers count from 1, so it is also the next line's index.
    number = start
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith(STAGE) and stage is None:
            stage = (number, line.removeprefix(STAGE))
        elif line:
            marked = MARKED.fullmatch(line)
            if line.startswith((" ", "\t")):
                fail(number, "no_line", line=line.strip()[:MAX_QUOTED])
            if marked is None:
                fail(number, "no_mark", line=line.strip()[:MAX_QUOTED])
            at = number
            told = []
            while number < len(lines) and lines[number].startswith((" ", "\t")):
                number += 1
                told.append((number, lines[number - 1].strip()))
            text, position, mark = marked.groups(default="")
            yield Block(at, text, position, chain, mark, stage, tuple(told))
            chain, stage = mark, None
    if stage:
        fail(stage[0], "stops_short")


def _parse_version_2(blocks: list[Block], end: int) -> Transcript:
    """Parse the lines of version 2; `end` is the number of the last line."""
    if not blocks or not blocks[-1].text.startswith("seed "):
        fail(end, "stops_short")
    *middle, sealed = blocks
    if not middle or not middle[-1].text.startswith(("end ", "open ")):
        is_other = middle and not COMMIT.fullmatch(middle[-1].text)
        fail(middle[-1].at if is_other else sealed.at, "no_result")
    *middle, last = middle
    texts = [block.text for block in middle]
    is_head = [text.split(" ")[0] in HEAD_WORDS[2] for text in texts]
    if f"0 {BEGINS}" not in texts:
        at = last.at if all(is_head) else middle[is_head.index(False)].at
        fail(at, "no_start", line=f"0 {BEGINS}")
    begins = texts.index(f"0 {BEGINS}")
    head, play = middle[:begins], middle[begins + 1 :]
    if False in is_head[:begins]:
        unknown = head[is_head.index(False)]
        fail(unknown.at, "unknown_line", line=unknown.text[:MAX_QUOTED])
    sitters = [block for block in head if block.text.startswith(("person ", "computer "))]
    about = About(
        match=_arguments(_find_one(head, "match")),
        ended=_arguments(_find_one(head, "ended")),
        seals=tuple(map(_arguments, _find_all(head, "seal"))),
        chairs=tuple(_parse_chair(block, seat) for seat, block in enumerate(sitters)),
    )
    computers = [
        Seat(seat) for seat, block in enumerate(sitters) if block.text.startswith("computer ")
    ]
    start = middle[begins]
    return _build_transcript(
        2, head, play, last, sealed, start, seats=len(sitters), computers=computers, about=about
    )


def _parse_chair(block: Block, seat: int) -> Chair:
    """Parse a line such as `person p1 Ana` or `computer p2 steady Moana`."""
    is_computer = block.text.startswith("computer ")
    _, number, *rest = block.text.split(" ", 3 if is_computer else 2)
    level = rest.pop(0) if is_computer and rest else NOTHING
    if number != f"p{seat + 1}":
        fail(block.at, "changed")
    name = _parse_value(block, rest[0]) if rest else ""
    return Chair(name, "" if level == NOTHING else level)


# Both versions.


def _build_transcript(
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
    """Parse the settings and moves, which both versions write alike, and return everything."""
    game = _find_one(head, "game", last.at)
    # The game, the version of the rules, and in format 2 perhaps that of the positions.
    words = _arguments(game).split(" ")
    has_numbers = all(map(NUMBER.fullmatch, words[1:]))
    if len(words) not in (2, format + 1) or not has_numbers:
        fail(game.at, "head", line=game.text[:MAX_QUOTED])
    game_id, *versions = words
    settings: dict[str, str] = {}
    for block in _find_all(head, "set"):
        key, blank, value = _arguments(block).partition(" ")
        if not blank:
            fail(block.at, "head", line=block.text[:MAX_QUOTED])
        if key in settings:
            fail(block.at, "twice", line=block.text[:MAX_QUOTED])
        settings[key] = _parse_value(block, value)
    lines: list[Line] = []
    comings: list[tuple[Block, NewPlayer]] = []
    for block in play:
        if (found := COMMIT.fullmatch(block.text)) and found[3].strip():
            seat = _parse_seat(block, found[2])
            commit_words = tuple(found[3].split())
            lines.append(Line(int(found[1]), seat, commit_words, block))
        elif block.text.startswith("seat ") and format > 1:
            word, _, name = _arguments(block).partition(" ")
            if not name:
                fail(block.at, "head", line=block.text[:MAX_QUOTED])
            seat = _parse_seat(block, word)
            # The player has the seat from the next commit on.
            player = NewPlayer(len(lines) + 1, seat, _parse_value(block, name))
            comings.append((block, player))
        else:
            fail(block.at, "unknown_line", line=block.text[:MAX_QUOTED])
    return Transcript(
        format=format,
        game=game_id,
        version=int(versions[0]),
        written=int(versions[-1]),
        seats=seats,
        settings=tuple(settings.items()),
        computers=tuple(computers),
        about=msgspec.structs.replace(about, comings=tuple(coming for _, coming in comings)),
        lines=tuple(lines),
        last=last.text,
        seed=_parse_value(sealed, _arguments(sealed)),
        head=tuple(head),
        begins=begins,
        comings=tuple(block for block, _ in comings),
        end=last,
        sealed=sealed,
    )


def _find_all(blocks: Iterable[Block], word: str) -> list[Block]:
    """Return the lines whose first word this is."""
    return [block for block in blocks if block.text.split(" ")[0] == word]


def _find_one(blocks: Iterable[Block], word: str, needed_at: int = 0) -> Block:
    """Return the only line whose first word this is.

    If there is none, fail at the line `needed_at`; without that, return an empty line.
    """
    found = _find_all(blocks, word)
    if len(found) > 1:
        fail(found[1].at, "twice", line=found[1].text[:MAX_QUOTED])
    if not found and needed_at:
        fail(needed_at, "missing", word=word)
    return found[0] if found else Block(0, "")


def _arguments(block: Block) -> str:
    """Return a line without its first word."""
    return block.text.partition(" ")[2]


def _parse_value(block: Block, value: str) -> str:
    """Undo `quote_value`."""
    try:
        return msgspec.json.decode(value, type=str) if value.startswith('"') else value
    except msgspec.DecodeError:
        fail(block.at, "head", line=block.text[:MAX_QUOTED])


def _parse_seat(block: Block, word: str) -> Seat:
    if not SEAT.fullmatch(word):
        fail(block.at, "head", line=block.text[:MAX_QUOTED])
    return Seat(int(word[1:]) - 1)
