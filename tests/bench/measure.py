"""How rows are measured and judged.

Two ways of doing a thing take turns, round by round, so that whatever else the machine does slows
both alike; the medians are compared. CPU time is counted unless a row is about waiting: for the
disk, or for the event loop.
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
    """What came out: the value that is judged, and the milliseconds behind it where it is a
    ratio of times.
    """

    value: float
    ours: float | None = None
    naive: float | None = None
    note: str = ""


class Row(Struct, frozen=True):
    """A line of the table: what is measured, the aim, the bar, and how."""

    name: str
    title: str
    goal: float
    at_least: float
    measure: Callable[[bool], Measured]
    """Given whether to be quick: then one round shows that the row works, and the figure means
    little.
    """
    more_is_better: bool = False

    def verdict(self, value: float) -> str:
        """`goal`, `bar`, or `MISSED`; a value that is no number misses."""
        if self._reaches(value, self.goal):
            return "goal"
        return "bar" if self._reaches(value, self.at_least) else "MISSED"

    def _reaches(self, value: float, mark: float) -> bool:
        return value >= mark if self.more_is_better else value <= mark


def rounds(quick: bool, usual: int = ROUNDS) -> int:
    """How many rounds to make."""
    return QUICK_ROUNDS if quick else max(usual, ROUNDS)


def milliseconds(work: Work, clock: Clock = time.process_time) -> float:
    """What one call costs."""
    start = clock()
    work()
    return (clock() - start) * 1000


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
