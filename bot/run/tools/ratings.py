"""motu ratings: recompute all results and ratings from the matches in the database."""

import argparse
import asyncio
import sys

from bot.run.config import Config
from bot.run.tools import add_data_option, settings
from bot.runtime.errors import BotError
from bot.text import say

NAME = "ratings"
PROGRESS_EVERY = 1000
"""Matches after which the progress is printed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which database."""
    add_data_option(parser)


def run(options: argparse.Namespace) -> int:
    """Recompute the ratings of the database that the bot would run with; the bot must not run meanwhile."""
    matches = asyncio.run(_recompute(settings(options)))
    print(say("program.rated", matches=matches))
    return 0


async def _recompute(config: Config) -> int:
    from bot.features.ratings.service import Standing
    from bot.kernel.kernel import Kernel
    from bot.store.opening import open_store

    if not config.postgres and not config.database.is_file():
        raise BotError(say("database.none", path=config.database))
    kernel = Kernel(await open_store(config.place, alone=True))
    standing = Standing(kernel)
    try:
        return await standing.recompute(on_progress=_print_progress)
    finally:
        await standing.close()
        await kernel.close()


def _print_progress(done: int) -> None:
    if done % PROGRESS_EVERY == 0:
        print(say("program.rating", matches=done), file=sys.stderr)
