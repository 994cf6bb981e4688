"""The report of a soak test: a table in Markdown, and a plot over time."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path

from render.canvas import Brush, Canvas
from render.fonts import Face, write
from render.palette import INK, JUNGLE, MUTED, PAPER, RULE, SHELF, Colour, livery_of
from tests.bench.measure import percentile
from tests.soak.faults import Faults
from tests.soak.fleet import BOT, DATABASE, WORKER, Fleet
from tests.soak.ledger import BUSY, DONE, DROPPED, STORE, Ledger, Press
from tests.soak.proof import Proof

MOVES = ("open", "pick", "confirm", "typed", "turn")
"""The kinds of presses whose time to the private answer is reported: those made during play."""
MEGABYTE = 1 << 20
BINS = 60
"""How many time bins the plot has."""
WIDTH = 1400
HIGH = 1080
LEFT = 110
RIGHT = 290
TOP = 105
GAP = 60
COLOURS = (SHELF, livery_of(0).colour, JUNGLE, livery_of(2).colour)
"""Colours of lines on paper."""
KILLS = {BOT: livery_of(0).colour, WORKER: livery_of(1).colour, DATABASE: livery_of(2).colour}


@dataclass(frozen=True)
class Run:
    """The options of a soak test, and when play began and ended."""

    asked: str
    began: float
    ended: float


def make_table(run: Run, fleet: Fleet, ledger: Ledger, proof: Proof, faults: Faults) -> str:
    """Return the report: the figures, what was checked, and what is wrong."""
    seconds = run.ended - run.began
    played = [press for press in ledger.presses if run.began <= press.sent <= run.ended]
    answered = [
        press.answered - press.sent for press in played if press.answered and press.what in MOVES
    ]
    heard = [press.heard - press.sent for press in played if press.heard]
    posting = [took for sent, took in proof.posting if run.began <= sent <= run.ended]
    kills = Counter(kill.what for kill in fleet.kills)
    outcomes = ledger.count_outcomes()
    memory = [sizes for at, sizes in fleet.memory if run.began <= at <= run.ended]
    peak = [
        max((sizes[number] for sizes in memory), default=0) for number in range(len(fleet.bots))
    ]
    last = memory[-1] if memory else []
    rows = [
        ("asked for", run.asked),
        ("play", f"{seconds:.0f} s, {len(played):,} presses, {len(played) / seconds:.1f} a second"),
        (
            "kills",
            f"{len(fleet.kills)}: "
            + ", ".join(f"{number} {what}" for what, number in kills.items()),
        ),
        ("other faults", _describe_faults(faults)),
        (
            "presses acknowledged in a fault of their bot",
            f"{_count_acknowledged(faults, played):,}",
        ),
        ("press to first sign", _describe_times(heard)),
        ("press to private answer", _describe_times(answered)),
        ("press to post", _describe_times(posting)),
        ("outcomes", ", ".join(f"{number:,} {what}" for what, number in outcomes.most_common())),
        ("commits answered", f"{outcomes[DONE]:,}"),
        ("unanswered while a bot was down", f"{sum(outcomes[what] for what in DROPPED):,}"),
        ("told that the database is in trouble", f"{outcomes[STORE]:,}"),
        ("put off as busy", f"{outcomes[BUSY]:,}"),
        ("posts repeated, known by their nonce", f"{ledger.repeats:,}"),
        ("memory of each bot, peak", ", ".join(f"{size / MEGABYTE:.0f} MB" for size in peak)),
        ("at the end", ", ".join(f"{size / MEGABYTE:.0f} MB" for size in last)),
        (
            "processor time of a press, all told",
            "-" if faults.done else _describe_processor_time(run, fleet, len(played)),
        ),
        ("time to come back after a kill", _describe_times(fleet.comebacks)),
    ]
    lines = [
        "| what | figure |",
        "|---|---|",
        *(f"| {what} | {figure} |" for what, figure in rows),
        "",
    ]
    lines += [
        "| looked at | how many |",
        "|---|---|",
        *(f"| {what} | {n:,} |" for what, n in proof.looked_at.items()),
    ]
    complaints = fleet.count_complaints().most_common(12)
    if complaints:
        lines += [
            "",
            "| the logs say | times |",
            "|---|---|",
            *(f"| {what} | {n:,} |" for what, n in complaints),
        ]
    verdict = (
        f"**{len(proof.faults)} faults**"
        if proof.faults
        else "**Nothing lost, doubled, stuck or told wrongly.**"
    )
    return "\n".join([*lines, "", verdict, *(f"- {fault}" for fault in proof.faults), ""])


def _describe_faults(faults: Faults) -> str:
    """Return the number of faults of each kind, and how many hit the bot that served the shards."""
    kinds = Counter(fault.what for fault in faults.done)
    serving = sum(fault.is_serving for fault in faults.done)
    text = ", ".join(f"{number} {what}" for what, number in kinds.items())
    return f"{len(faults.done)}: {text}; {serving} of them at the bot that served" if text else "0"


def _count_acknowledged(faults: Faults, presses: Sequence[Press]) -> int:
    """Return how many presses were acknowledged during a fault of a bot of their shards."""
    spans = [(fault.group, fault.since, fault.until) for fault in faults.done if fault.is_serving]
    return sum(
        any(
            group == press.process and since <= press.heard <= until
            for group, since, until in spans
        )
        for press in presses
        if press.heard
    )


def _describe_processor_time(run: Run, fleet: Fleet, presses: int) -> str:
    """Return the processor time per press, with everything that follows from it."""
    spent = [seconds for at, seconds in fleet.spent if run.began <= at <= run.ended]
    if any(kill.what != DATABASE for kill in fleet.kills) or len(spent) < 2 or not presses:
        return "-"
    took = spent[-1] - spent[0]
    seconds = run.ended - run.began
    return f"{took / presses * 1000:.0f} ms; {took / seconds:.2f} processors in use"


def _describe_times(values: Sequence[float]) -> str:
    if not values:
        return "-"
    p50, p99 = (percentile(list(values), share) * 1000 for share in (0.5, 0.99))
    return (
        f"p50 {p50:,.0f} ms, p99 {p99:,.0f} ms, most {max(values) * 1000:,.0f} ms ({len(values):,})"
    )


class _Panel:
    """One diagram of the plot, with its scale."""

    def __init__(
        self, canvas: Canvas, number: int, title: str, most: float, least: float = 0.0
    ) -> None:
        self.high = (HIGH - TOP - 3 * GAP) // 3
        self.top = TOP + number * (self.high + GAP)
        self.most, self.least, self.logs = max(most, least * 10, 1e-9), least, least > 0
        self._canvas, self._names = canvas, 0
        write(canvas, LEFT, self.top - 20, title, Face.STRONG, 22, INK)
        for mark in self._marks():
            y = round(self.at(0, mark)[1])
            canvas.cover((LEFT, y, WIDTH - RIGHT, y + 1), RULE)
            write(canvas, LEFT - 12, y, f"{mark:,.3g}", Face.LABEL, 18, MUTED, "r")

    def _marks(self) -> list[float]:
        if self.logs:
            first = int(log10(self.least))
            last = int(log10(self.most)) + 1
            return [
                10.0**power
                for power in range(first, last + 1)
                if self.least <= 10.0**power <= self.most
            ]
        return [self.most * part / 4 for part in range(5)]

    def at(self, across: float, value: float) -> tuple[float, float]:
        if self.logs:
            up = log10(max(value, self.least) / self.least) / log10(self.most / self.least)
        else:
            up = value / self.most
        return LEFT + across * (WIDTH - LEFT - RIGHT), self.top + self.high * (1 - up)

    def line(self, name: str, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        brush = Brush(WIDTH, HIGH)
        if len(points) > 1:
            brush.line([self.at(*point) for point in points], 4, colour)
        self._canvas.put(brush.finish(), 0, 0)
        y = self.top + 14 + 28 * self._names
        self._canvas.cover((WIDTH - RIGHT + 24, y - 3, WIDTH - RIGHT + 54, y + 3), colour)
        write(self._canvas, WIDTH - RIGHT + 64, y, name, Face.LABEL, 19, INK)
        self._names += 1


def draw_plot(run: Run, fleet: Fleet, ledger: Ledger, proof: Proof, path: Path) -> None:
    """Draw presses per second, their durations, and memory over time; thin lines mark kills."""
    canvas = Canvas.blank(WIDTH, HIGH, PAPER)
    seconds = run.ended - run.began

    def across(at: float) -> float:
        return (at - run.began) / seconds

    for kill in fleet.kills:
        x = round(LEFT + across(kill.at) * (WIDTH - LEFT - RIGHT))
        canvas.cover((x, TOP, x + 1, HIGH - GAP), KILLS[kill.what])
    pace = _group_by_time(run, [(press.sent, 1.0) for press in ledger.presses])
    rates = [(at, len(values) * BINS / seconds) for at, values in pace]
    panel = _Panel(
        canvas, 0, "presses a second", max((rate for _, rate in rates), default=1.0) * 1.1
    )
    panel.line("presses", rates, COLOURS[0])
    answers = _group_by_time(
        run,
        [
            (one.sent, one.answered - one.sent)
            for one in ledger.presses
            if one.answered and one.what in MOVES
        ],
    )
    posts = _group_by_time(run, proof.posting)
    slowest = max((max(values) for _, values in (*answers, *posts) if values), default=1.0)
    panel = _Panel(canvas, 1, "seconds from the press", max(slowest, 1.0), 0.01)
    for name, found, share, seat in (
        ("to the answer, p50", answers, 0.5, 0),
        ("to the answer, p99", answers, 0.99, 1),
        ("to the post, p50", posts, 0.5, 2),
        ("to the post, p99", posts, 0.99, 3),
    ):
        line = [(at, percentile(values, share)) for at, values in found if values]
        panel.line(name, line, COLOURS[seat])
    memory = [(at, sizes) for at, sizes in fleet.memory if run.began <= at <= run.ended]
    most = max((size for _, sizes in memory for size in sizes), default=MEGABYTE) / MEGABYTE
    panel = _Panel(canvas, 2, "megabytes in memory, with workers", most * 1.1)
    for number in range(len(fleet.bots)):
        line = [(across(at), sizes[number] / MEGABYTE) for at, sizes in memory]
        panel.line(f"bot {number}", line, COLOURS[number % len(COLOURS)])
    write(canvas, LEFT, HIGH - 28, "0 s", Face.LABEL, 18, MUTED)
    write(canvas, WIDTH - RIGHT, HIGH - 28, f"{seconds:.0f} s", Face.LABEL, 18, MUTED, "r")
    x = LEFT
    for what, number in Counter(kill.what for kill in fleet.kills).items():
        canvas.cover((x, 24, x + 4, 44), KILLS[what])
        x += 12 + write(canvas, x + 12, 34, f"{number} kills: {what}", Face.LABEL, 19, INK) + 40
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(run.began))
    write(canvas, WIDTH - 24, 34, when, Face.LABEL, 19, MUTED, "r")
    canvas.image.convert("RGB").save(path)


def _group_by_time(
    run: Run, values: Sequence[tuple[float, float]]
) -> list[tuple[float, list[float]]]:
    """Group values by time; return each group with its middle, as a fraction of the play."""
    bins: list[list[float]] = [[] for _ in range(BINS)]
    for at, value in values:
        place = int((at - run.began) / (run.ended - run.began) * BINS)
        if 0 <= place < BINS:
            bins[place].append(value)
    return [((place + 0.5) / BINS, found) for place, found in enumerate(bins)]
