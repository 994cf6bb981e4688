"""How rows are measured and judged.

Two ways of doing a thing take turns, round by round, so that other load on the machine slows both
alike; their medians are compared. CPU time is counted, unless a row measures waiting for the disk
or the event loop.
"""

import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct

ROUNDS = 15
"""The fewest rounds whose median can be trusted."""
QUICK_ROUNDS = 1

Work = Callable[[], Any]
Clock = Callable[[], float]


class Measured(Struct, frozen=True):
    """A result: the value that is judged and, if it is a ratio of times, their milliseconds."""

    value: float
    ours: float | None = None
    naive: float | None = None
    note: str = ""


class Row(Struct, frozen=True):
    """A row of the table: its name and title, the goal and bar, and what measures it."""

    name: str
    title: str
    goal: float
    at_least: float
    measure: Callable[[bool], Measured]
    """Called with whether to be quick: then one round shows that it runs.

    The figure then means little.
    """
    more_is_better: bool = False

    def verdict(self, value: float) -> str:
        """Return `goal`, `bar` or `MISSED`; a value that is not a number misses."""
        if self._reaches(value, self.goal):
            return "goal"
        return "bar" if self._reaches(value, self.at_least) else "MISSED"

    def _reaches(self, value: float, mark: float) -> bool:
        return value >= mark if self.more_is_better else value <= mark


def rounds(quick: bool, usual: int = ROUNDS) -> int:
    """Return how many rounds to make."""
    return QUICK_ROUNDS if quick else max(usual, ROUNDS)


def milliseconds(work: Work, clock: Clock = time.process_time) -> float:
    """Run some work and return the milliseconds that it took."""
    start = clock()
    work()
    return (clock() - start) * 1000


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
