"""motu backup: a copy of the database, also while the bot runs."""

import argparse
from pathlib import Path
from time import gmtime, strftime

from bot.run.tools import add_data_option, settings
from bot.runtime.errors import BotError
from bot.store.postgres_url import shown
from bot.text import say

NAME = "backup"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the copy goes."""
    add_data_option(parser)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=say("help.backup.file"))


def run(options: argparse.Namespace) -> int:
    """Copy the database that the bot would run with."""
    from bot.store.backup import back_up

    config = settings(options)
    if config.postgres:
        raise BotError(say("database.dump", place=shown(config.postgres)))
    database = config.database
    stamp = strftime("%Y%m%d-%H%M%S", gmtime())
    copy = options.file or database.parent / "backups" / f"motu-{stamp}.db"
    matches = back_up(database, copy)
    print(say("program.backed_up", copy=copy, matches=matches))
    return 0
