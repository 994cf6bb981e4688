"""motu replay FILE: a transcript played again and checked."""

import argparse
import sys
from pathlib import Path

from bot.config import read_config
from bot.errors import BotError
from bot.text import say
from engine.core.words import speak

NAME = "replay"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file."""
    parser.add_argument("file", type=Path, metavar="FILE", help=say("help.replay.file"))


def run(options: argparse.Namespace) -> int:
    """Play the match in a file; the exit code is 1 if something is wrong there."""
    from engine import EngineError
    from engine.core.transcript import LIMIT, replay

    speak(read_config().language)
    try:
        with options.file.open("rb") as file:
            text = file.read(LIMIT + 1)
    except OSError as error:
        raise BotError(say("program.unreadable", path=options.file, why=error.strerror)) from error
    try:
        match = replay(text)
    except EngineError as error:
        print(say("replay_file.wrong", path=options.file, why=error), file=sys.stderr)
        return 1
    print(say("replay_file.right", path=options.file, commits=match.number))
    return 0
