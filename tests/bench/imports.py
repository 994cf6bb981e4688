"""What a cold start costs: a fresh interpreter that imports the whole bot, against one that imports discord.py."""

import resource
import subprocess
import sys
from statistics import median

from tests.bench.measure import Measured, Row, rounds

BOT = "import bot.__main__, bot.app, bot.matches, bot.store.sqlite"
"""All that stands before the bot connects; drawing is loaded when the first picture is wanted."""


def _imported(code: str) -> float:
    before = _children()
    subprocess.run([sys.executable, "-c", code], check=True)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_import(quick: bool) -> Measured:
    """The bot and discord alone, by turns."""
    _imported(BOT), _imported("import discord")
    pairs = [(_imported(BOT), _imported("import discord")) for _ in range(rounds(quick))]
    ours, naive = (median(times) * 1000 for times in zip(*pairs, strict=True))
    return Measured(ours / naive, ours, naive)


ROWS = (Row("import", "cold import of the bot / import discord", 1.2, 1.4, cold_import),)
