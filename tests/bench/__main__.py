"""Measure how fast Motu is: `python -m tests.bench [--smoke] [--only NAME ...]` prints a table.

Most rows compare Motu with a naive way of doing the same thing, which is measured in the same run:
the ratio means something on any machine, the milliseconds only on this one. Other rows have a
budget, such as microseconds per answer. `goal` is the aim and `at least` the bar; the verdict is
`goal`, `bar` (between the two) or `MISSED`. If a bar is missed, the exit code is 1.

Most rows count CPU time, so a busy machine does not spoil them. `lag`, `press` and the two commits
measure waiting, and need a quiet one.

`--smoke` runs every row once in its quickest form, then every other command of this folder with
`--smoke`. It judges no figures, but shows that everything still runs; if anything fails, the exit
code is 1. Modules are found by their names: a module joins in by defining `ROWS`, or a
`main(arguments)` that accepts `--smoke`.
"""

import argparse
import pkgutil
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

import tests.bench
from tests.bench.measure import Measured, Row

LAYOUT = "{:<20} {:<64} {:>9} {:>8} {:>8} {:<7} {:>10} {:>10}  {}"
HEADINGS = ("row", "what", "measured", "goal", "at least", "verdict", "ours ms", "naive ms", "")

Command = Callable[[Sequence[str]], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows and print the table; return 1 if a bar is missed or a smoke run fails."""
    rows = all_rows()
    options = _parser(list(rows)).parse_args(arguments)
    chosen = [rows[name] for name in options.only or rows]
    print(LAYOUT.format(*HEADINGS), flush=True)
    if options.smoke:
        return _smoke(chosen, {} if options.only else all_commands())
    missed = 0
    for row in chosen:
        measured = row.measure(False)
        verdict = row.verdict(measured.value)
        print(line(row, measured, verdict), flush=True)
        missed += verdict == "MISSED"
    return 1 if missed else 0


def all_rows() -> dict[str, Row]:
    """Return every row of this folder by its name."""
    return {row.name: row for module in _modules() for row in getattr(module, "ROWS", ())}


def all_commands() -> dict[str, Command]:
    """Return the `main` of every other command of this folder, by the name it is run by."""
    return {module.__name__: module.main for module in _modules() if hasattr(module, "main")}


def line(row: Row, measured: Measured, verdict: str) -> str:
    """Return a row as the table shows it."""
    sign = ">=" if row.more_is_better else "<="
    goals = (f"{sign} {row.goal:g}", f"{sign} {row.at_least:g}")
    times = ("" if value is None else f"{value:.3f}" for value in (measured.ours, measured.naive))
    value = f"{measured.value:.3f}" if measured.value < 10 else f"{measured.value:.1f}"
    cells = (row.name, row.title, value, *goals, verdict, *times, measured.note)
    return LAYOUT.format(*cells).rstrip()


def _smoke(rows: Sequence[Row], commands: dict[str, Command]) -> int:
    """Run each row and command once. Failures are printed, and do not stop the others."""
    failed = []
    for row in rows:
        try:
            print(line(row, row.measure(True), "runs"), flush=True)
        except Exception:
            traceback.print_exc()
            failed.append(row.name)
    for name, command in commands.items():
        print(f"\n{name}", flush=True)
        try:
            code = command(["--smoke"])
        except (
            Exception,
            SystemExit,
        ):  # argparse leaves by SystemExit when it does not know --smoke
            traceback.print_exc()
            code = 1
        if code:
            failed.append(name)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall rows and commands run", flush=True)
    return 1 if failed else 0


def _modules() -> list[ModuleType]:
    names = [
        found.name
        for found in pkgutil.iter_modules(tests.bench.__path__)
        if found.name != "__main__"
    ]
    return [import_module(f"tests.bench.{name}") for name in names]


def _parser(names: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--smoke", action="store_true", help="run everything once, to see that it runs"
    )
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
