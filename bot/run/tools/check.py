"""motu check: whether every match in the database is as its seed and commits have it."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.run.tools import add_data_option, settings
from bot.run.tools.progress import show
from bot.store.postgres_url import is_postgres
from bot.text import say

if TYPE_CHECKING:
    from bot.store.base import Store

NAME = "check"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which database."""
    add_data_option(parser)
    parser.add_argument("database", nargs="?", metavar="DATABASE", help=say("help.check.database"))


def run(options: argparse.Namespace) -> int:
    """Say a line for each fault; the exit code is 1 if there is one."""
    named, config = options.database, settings(options)
    place: Path | str = config.place if named is None else named if is_postgres(named) else Path(named)
    return asyncio.run(_checked(place))


async def _checked(place: Path | str) -> int:
    from bot.store.opening import open_to_read
    from bot.store.tables import versions_of

    wrong = 0
    async with open_to_read(place) as store:
        matches = list(await versions_of(store))
        async for match, fault in _faults(store, matches):
            print(say("check.fault", id=match, fault=fault))
            wrong += 1
    print(say("check.wrong", matches=len(matches), faults=wrong) if wrong else say("check.right", matches=len(matches)))
    return 1 if wrong else 0


async def _faults(store: "Store", matches: list[str]) -> AsyncIterator[tuple[str, str]]:
    for done, match in enumerate(matches, start=1):
        for fault in await _faults_of(store, match):
            yield match, fault
        show(done, len(matches))


async def _faults_of(store: "Store", match: str) -> list[str]:
    from bot.run.match_check import faults, read
    from bot.runtime.errors import StoreError
    from engine import GAMES

    try:
        kept = await store.read(lambda db: read(db, match))
    except StoreError as error:
        return [str(error)]
    # A match that was forgotten meanwhile has no faults.
    return await asyncio.to_thread(lambda: list(faults(kept, GAMES)) if kept else [])
