"""How fast Motu is, as one table: `python -m tests.bench [--quick] [--only NAME ...]`.

Most rows compare Motu with a plain way of doing the same thing, which is kept here and measured in the same run: the
ratio means something on any machine, the milliseconds only on this one. An answer has a budget in microseconds instead.
`goal` is the aim and `at least` the bar; the verdict is `goal`, `bar` (between the two) or `MISSED`, and a missed bar
makes the exit code 1.

Most rows count CPU time, so that a busy machine does not spoil them; `lag`, `press` and both commits are about waiting
and want a quiet one. `--quick` makes few rounds: enough to see that a row works, too few to judge by.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tests.bench.measure import Measured, Row

TOPICS = (
    "pictures",
    "films",
    "memory",
    "lag",
    "thinking",
    "disk",
    "growth",
    "keeping",
    "schedule",
    "reminders",
    "standing",
    "answers",
    "imports",
)
LAYOUT = "{:<20} {:<64} {:>9} {:>8} {:>8} {:<7} {:>10} {:>10}  {}"
HEADINGS = ("row", "what", "measured", "goal", "at least", "verdict", "ours ms", "naive ms", "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a bar is missed."""
    rows = all_rows()
    options = _parser(list(rows)).parse_args(arguments)
    print(LAYOUT.format(*HEADINGS), flush=True)
    missed = 0
    for name in options.only or rows:
        measured = rows[name].measure(options.quick)
        print(line(rows[name], measured), flush=True)
        missed += rows[name].verdict(measured.value) == "MISSED"
    return 1 if missed else 0


def all_rows() -> dict[str, Row]:
    """Every row by its name, in the order of the table."""
    return {row.name: row for topic in TOPICS for row in import_module(f"tests.bench.{topic}").ROWS}


def line(row: Row, measured: Measured) -> str:
    """A row as the table shows it."""
    sign = ">=" if row.more_is_better else "<="
    goals = (f"{sign} {row.goal:g}", f"{sign} {row.at_least:g}")
    times = ("" if value is None else f"{value:.3f}" for value in (measured.ours, measured.naive))
    value = f"{measured.value:.3f}" if measured.value < 10 else f"{measured.value:.1f}"
    cells = (row.name, row.title, value, *goals, row.verdict(measured.value), *times, measured.note)
    return LAYOUT.format(*cells).rstrip()


def _parser(names: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rounds: rough figures")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
