"""motu replay FILE: a transcript played again and checked."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.run.config import read_config
from bot.runtime.errors import BotError
from bot.text import say
from engine.core.words import speak

if TYPE_CHECKING:
    from engine.core.transcript import Played

NAME = "replay"
BYTES = 4
"""Of one character at most."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file."""
    parser.add_argument("file", type=Path, metavar="FILE", help=say("help.replay.file"))


def run(options: argparse.Namespace) -> int:
    """Play the match in a file and print its course; the exit code is 1 if a line of it is wrong."""
    from engine import EngineError
    from engine.core.notation import LIMIT
    from engine.core.transcript import check

    speak(read_config().language)
    try:
        with options.file.open("rb") as file:
            # A little more than it may have, so that what is too long is seen to be.
            text = file.read((LIMIT + 1) * BYTES)
    except OSError as error:
        raise BotError(say("program.unreadable", path=options.file, why=error.strerror)) from error
    try:
        played = check(text)
    except EngineError as error:
        print(_harmless(say("replay_file.wrong", path=options.file, why=error)), file=sys.stderr)
        return 1
    try:
        for line in (*_course(played), "", *_findings(played)):
            print(_harmless(line))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read it has seen enough: what is left goes nowhere, also at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _course(played: "Played") -> Iterator[str]:
    """The match in words, from its first move to its result."""
    from engine.core.story import tell
    from engine.core.transcript import title

    story = tell(played.match, about=played.script.about)
    undone: set[int] = set()
    for move in story.moves:
        if move.back_to is not None:
            undone |= set(range(move.back_to + 1, move.number))
    yield title(story, played.match)
    stage = ""
    for move in story.moves:
        if move.stage != stage:
            yield from ("", move.stage)
            stage = move.stage
        if not move.number and not move.told:
            continue
        key = "undone" if move.number in undone else "move"
        first, *more = move.told or (move.notation,)
        yield say(f"replay_file.{key}", number=f"{move.number:>4}", told=first)
        yield from (f"      {line}" for line in more)
    yield ""
    yield from story.result_told


def _findings(played: "Played") -> Iterator[str]:
    """What was checked, and what could not be."""
    script, match = played.script, played.match
    has_positions = script.format > 1 and script.written == match.game.version
    yield say("replay_file.moves", moves=match.number, positions=match.number + 1 if has_positions else None)
    if not has_positions:
        yield say("replay_file.no_positions")
    yield say("replay_file.result" if match.outcome else "replay_file.no_result")
    seals = len(script.about.seals)
    yield say("replay_file.seals", later=seals - 1) if seals else say("replay_file.no_seals")
    if played.reworded:
        yield say("replay_file.reworded", line=played.reworded[0], lines=len(played.reworded))


def _harmless(line: str) -> str:
    """A line for a terminal: a file may hold signs that would command it."""
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line)
    encoding = sys.stdout.encoding or "utf-8"
    return seen.encode(encoding, "replace").decode(encoding)
