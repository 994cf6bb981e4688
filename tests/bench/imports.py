"""Measure a cold start: a fresh interpreter imports the whole bot, another one discord.py."""

import os
import resource
import subprocess
import sys
import tempfile
from statistics import median

from tests.bench.measure import Measured, Row, rounds

BOT = "from bot.program import load_bot; load_bot(); import bot.store.sqlite"
"""Everything that is imported before the bot connects; drawing is imported for the first picture.
"""

DISCORD = "import discord"

EXIT = "; import os; os._exit(0)"
"""The bot ends like this as well. Unloading all modules is not part of a start."""


def _time_import(code: str, compiled: str) -> float:
    """Return the CPU time of importing modules, which were compiled before, in a new process."""
    # Compiled once, as an installed program is, whatever this environment says of bytecode.
    kept = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    before = _child_seconds()
    subprocess.run([sys.executable, "-c", code + EXIT], check=True, env=os.environ | kept)
    return _child_seconds() - before


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_import(quick: bool) -> Measured:
    """Compare importing the bot with importing discord.py alone, in turn."""
    with tempfile.TemporaryDirectory() as compiled:
        _time_import(BOT, compiled), _time_import(DISCORD, compiled)
        pairs = [
            (_time_import(BOT, compiled), _time_import(DISCORD, compiled))
            for _ in range(rounds(quick))
        ]
    ours, naive = (median(times) * 1000 for times in zip(*pairs, strict=True))
    return Measured(ours / naive, ours, naive)


ROWS = (Row("import", "cold import of the bot / import discord", 1.2, 1.25, cold_import),)
