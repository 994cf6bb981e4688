"""The words and options of the command line."""

import argparse
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol, cast

from bot.run.tools import backup, check, doctor, move, ratings, replay
from bot.text import say


class Tool(Protocol):
    """A module of this folder."""

    NAME: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add what the tool is told."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit code."""


TOOLS = cast("tuple[Tool, ...]", (backup, check, doctor, move, ratings, replay))


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options given, with the `tool` if one is meant; ends the program for --help, --version and what it does not
    know."""
    parser = argparse.ArgumentParser(prog="motu", description=say("help.about"))
    parser.add_argument("--version", action="version", version=say("help.version", version=version("motu")))
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=say("help.data"))
    local = parser.add_argument_group(say("help.local_group"))
    local.add_argument("--local", action="store_true", help=say("help.local"))
    local.add_argument("--players", metavar="NAMES", help=say("help.players"))
    local.add_argument("--port", type=int, metavar="NUMBER", help=say("help.port"))
    local.add_argument("--fresh", action="store_true", help=say("help.fresh"))
    parser.set_defaults(tool=None)
    words = parser.add_subparsers(title=say("help.tools_group"), metavar="TOOL")
    for tool in TOOLS:
        about = say(f"help.{tool.NAME}.about")
        own = words.add_parser(tool.NAME, help=about, description=about)
        tool.arguments(own)
        own.set_defaults(tool=tool)
    return parser.parse_args(arguments)
