"""What a cold start costs: a fresh interpreter that imports the whole bot, against one that
imports discord.py.
"""

import os
import resource
import subprocess
import sys
import tempfile
from statistics import median

from tests.bench.measure import Measured, Row, rounds

BOT = "import bot.program, bot.app, bot.kernel.kernel, bot.store.sqlite"
"""All that stands before the bot connects; drawing is loaded when the first picture is wanted."""

DISCORD = "import discord"


def _imported(code: str, compiled: str) -> float:
    # Compiled once, as an installed program is, whatever this environment says of bytecode.
    kept = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    before = _children()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | kept)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_import(quick: bool) -> Measured:
    """The bot and discord alone, by turns."""
    with tempfile.TemporaryDirectory() as compiled:
        _imported(BOT, compiled), _imported(DISCORD, compiled)
        pairs = [
            (_imported(BOT, compiled), _imported(DISCORD, compiled)) for _ in range(rounds(quick))
        ]
    ours, naive = (median(times) * 1000 for times in zip(*pairs, strict=True))
    return Measured(ours / naive, ours, naive)


ROWS = (Row("import", "cold import of the bot / import discord", 1.2, 1.4, cold_import),)
