"""motu move FROM TO: a whole database copied into another, from a file to a server or back."""

import argparse
import asyncio
from pathlib import Path

from bot.run.config import read_config
from bot.run.tools.progress import show
from bot.runtime.errors import BotError
from bot.store.postgres_url import is_postgres, shown
from bot.text import say
from engine.core.words import speak

NAME = "move"


def arguments(parser: argparse.ArgumentParser) -> None:
    """From where, and to where."""
    parser.add_argument("source", metavar="FROM", help=say("help.move.source"))
    parser.add_argument("target", metavar="TO", help=say("help.move.target"))


def run(options: argparse.Namespace) -> int:
    """Copy a database, and say what has come of it."""
    speak(read_config().language)
    source, target = _place(options.source), _place(options.target)
    if isinstance(source, Path) and not source.is_file():
        raise BotError(say("database.none", path=source))
    asyncio.run(_moved(source, target))
    return 0


def _place(text: str) -> Path | str:
    return text if is_postgres(text) else Path(text)


async def _moved(source: Path | str, target: Path | str) -> None:
    from bot.store.backup import make_private_folder
    from bot.store.moving import move
    from bot.store.opening import open_alone

    if isinstance(target, Path):
        await asyncio.to_thread(make_private_folder, target.parent)
    async with open_alone(source) as ours, open_alone(target) as theirs:
        moved = await move(ours, theirs, show)
    print(say("program.moved", matches=moved.matches, copied=moved.copied, place=_name(target)))


def _name(place: Path | str) -> str:
    return shown(place) if isinstance(place, str) else str(place)
