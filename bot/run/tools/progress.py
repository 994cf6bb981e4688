"""How far something has come: a bar in a terminal, a line now and then elsewhere."""

import sys

from bot.text import say

WIDTH = 30
"""Signs of the bar."""
EVERY = 1000
"""Matches after which there is a line."""


def show(done: int, matches: int) -> None:
    """So many of so many matches."""
    filled = "#" * (WIDTH * done // matches)
    line = say("program.progress", bar=f"{filled:.<{WIDTH}}", done=done, matches=matches)
    if sys.stderr.isatty():
        print(f"\r{line}", end="\n" if done == matches else "", file=sys.stderr, flush=True)
    elif done == matches or done % EVERY == 0:
        print(line, file=sys.stderr)
