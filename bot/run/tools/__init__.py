"""What `motu` does instead of running the bot, such as `motu backup`.

Each tool is a module with its NAME, its own `arguments`, and `run`, whose result is the exit code. They are loaded
whenever the program starts, so a tool imports what it needs when it runs. Whatever is wrong is raised as a BotError.

command_line.py  the words and options of the command line
backup.py        a copy of the database
check.py         every match played again and compared
progress.py      how far a tool has come
doctor.py        what would be wrong at a start
move.py          a whole database copied into another, from a file to a server or back
ratings.py       results and ratings worked out anew
replay.py        a transcript played and checked
"""

import argparse
from pathlib import Path

from msgspec.structs import replace

from bot.run.config import Config, apply_options, read_config
from bot.text import say
from engine.core.words import speak


def settings(options: argparse.Namespace) -> Config:
    """The settings that the bot would run with; from here on their language is spoken."""
    read = read_config()
    # A server that is named is meant, also where no token is set and the bot would run on a table of its own.
    config = replace(apply_options(options, read), postgres="" if options.data else read.postgres)
    speak(config.language)
    return config


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Let --data stand behind a tool's name too. Where it does not, what stands before the name is kept."""
    parser.add_argument("--data", type=Path, metavar="FOLDER", default=argparse.SUPPRESS, help=say("help.data"))
