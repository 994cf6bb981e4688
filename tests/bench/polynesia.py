"""Polynesia's pictures, measured as those of the first game are: `python -m tests.bench.polynesia [--quick]`."""

import io
import sys
import time
from collections import defaultdict
from functools import lru_cache
from statistics import median

from PIL import Image

import render
from engine import Match, View
from render.palette import livery_of
from tests.bench.__main__ import HEADINGS, LAYOUT, line
from tests.bench.colour import JUST_NOTICEABLE, Rgb, difference, lab
from tests.bench.measure import Measured, Row, milliseconds, percentile, rounds
from tests.bench.naive_render import lossless, naive_png, psnr
from tests.render.polynesia.positions import actions, match_of, private, public

SEATS = 4
MIDDLE = 60
"""A turn by which ships lie on half the routes and every seat stands on islands."""
WARM = 10
KIBIBYTE = 1024


def seen(match: Match, is_private: bool) -> tuple[View, render.Scene]:
    """What is drawn of a turn: for everyone, or for the seat in turn once it has chosen an action."""
    chosen = actions(match) if is_private else []
    return private(match, chosen[match.number % len(chosen)]) if chosen else public(match)


def draw(quick: bool) -> Measured:
    """Turn after turn drawn both ways, public and private pictures in turn."""
    turns = match_of(SEATS)
    for match in turns[MIDDLE - WARM : MIDDLE]:
        render.picture(*seen(match, False)), render.picture(*seen(match, True))
    ours, naive = [], []
    for number in range(rounds(quick)):
        shown = seen(turns[MIDDLE + number], bool(number % 2))
        ours.append(milliseconds(lambda shown=shown: render.picture(*shown)))
        naive.append(milliseconds(lambda shown=shown: naive_png(*shown)))
    return Measured(median(ours) / median(naive), median(ours), median(naive))


def weight(quick: bool) -> Measured:
    """The heaviest of all turns of a match, public and private; some of them if it must be quick."""
    start = time.process_time()
    chosen = match_of(SEATS)[:: 40 if quick else 4]
    sizes = [len(render.picture(*seen(match, hidden))) / KIBIBYTE for match in chosen for hidden in (False, True)]
    note = f"heaviest of {len(sizes)}, median {median(sizes):.0f} KiB"
    return Measured(max(sizes), (time.process_time() - start) * 1000 / len(sizes), note=note)


@lru_cache(maxsize=4)
def _both(turn: int, is_private: bool) -> tuple[Image.Image, Image.Image]:
    shown = seen(match_of(SEATS)[turn], is_private)
    sent = Image.open(io.BytesIO(render.picture(*shown))).convert("RGB")
    return sent, lossless(*shown).convert("RGB")


def _samples(quick: bool) -> list[tuple[int, bool]]:
    return [(MIDDLE, True)] if quick else [(MIDDLE, True), (-1, False)]


def fidelity(quick: bool) -> Measured:
    """The worst of a private picture in mid-game and the public one of the end."""
    return Measured(min(psnr(*_both(*sample)) for sample in _samples(quick)), note="dB")


def colours(quick: bool) -> Measured:
    """The seat whose colour strays most: where the lossless drawing has exactly its colour, what was sent?"""
    strays: dict[Rgb, list[float]] = defaultdict(list)
    liveries = {livery_of(seat).colour: lab(livery_of(seat).colour) for seat in range(SEATS)}
    for sample in _samples(quick):
        sent, true = _both(*sample)
        for here, there in zip(sent.getdata(), true.getdata(), strict=True):
            if there in liveries:
                strays[there].append(0.0 if here == there else difference(liveries[there], lab(here)))
    if strays.keys() != liveries.keys():
        raise RuntimeError("a seat's colour is nowhere in the picture")
    return Measured(max(percentile(found, 0.95) for found in strays.values()), note="CIEDE2000, 95 % of the pixels")


ROWS = (
    Row("polynesia-draw", "draw + encode a turn / naive 2x + PNG level 6", 0.045, 0.08, draw),
    Row("polynesia-bytes", "KiB of a turn's picture", 250, 350, weight),
    Row("polynesia-psnr", "PSNR of the sent picture, to a lossless 4x drawing", 44, 40, fidelity, more_is_better=True),
    Row("polynesia-hues", "farthest player's colour from its true one", JUST_NOTICEABLE, JUST_NOTICEABLE, colours),
)


def main() -> int:
    """Measure and print; 1 if a bar is missed."""
    print(LAYOUT.format(*HEADINGS), flush=True)
    missed = 0
    for row in ROWS:
        measured = row.measure("--quick" in sys.argv[1:])
        print(line(row, measured), flush=True)
        missed += row.verdict(measured.value) == "MISSED"
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
