"""motu ratings: all results and ratings worked out anew from the matches in the database."""

import argparse
import asyncio
import sys

from bot.config import Config
from bot.errors import BotError
from bot.text import say
from bot.tools import add_data_option, settings

NAME = "ratings"
EVERY = 1000
"""Matches after which it is said how far it has come."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which database."""
    add_data_option(parser)


def run(options: argparse.Namespace) -> int:
    """Work out the ratings of the database that the bot would run with; the bot must not run meanwhile."""
    matches = asyncio.run(_recomputed(settings(options)))
    print(say("program.rated", matches=matches))
    return 0


async def _recomputed(config: Config) -> int:
    from bot.matches.service import Matches
    from bot.store.opening import open_store

    if not config.postgres and not config.database.is_file():
        raise BotError(say("database.none", path=config.database))
    matches = Matches(await open_store(config.place, alone=True))
    try:
        return await matches.standing.recompute(told=_tell)
    finally:
        await matches.close()


def _tell(done: int) -> None:
    if done % EVERY == 0:
        print(say("program.rating", matches=done), file=sys.stderr)
