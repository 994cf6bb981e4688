"""A turn's picture: what it costs, what it weighs, and how true it is."""

import io
import time
from collections import defaultdict
from functools import lru_cache
from statistics import median

from PIL import Image

import render
from engine import Match, View
from render.palette import livery_of
from render.sample import played, scene_of
from tests.bench.colour import JUST_NOTICEABLE, Rgb, difference, lab
from tests.bench.measure import Measured, Row, milliseconds, percentile, rounds
from tests.bench.naive_render import lossless, naive_png, psnr

GAME = "blue_lagoon"
SEATS = 4
MIDDLE = 60
"""A turn by which the board is well filled and every seat stands on it."""
WARM = 10
"""Turns drawn before the clock runs: a bot that has drawn none yet is not what a player meets."""
KIBIBYTE = 1024


@lru_cache(maxsize=4)
def turns(seats: int = SEATS) -> tuple[Match, ...]:
    """A random match, turn by turn."""
    return tuple(played(GAME, seats, seed=3))


def seen(match: Match, private: bool) -> tuple[View, render.Scene]:
    """What is drawn of a turn: for everyone, or for the seat to move with its legal spots ringed."""
    viewer = match.waiting_for()[0] if private and match.waiting_for() else None
    return match.view(viewer), scene_of(match, private)


def draw(quick: bool) -> Measured:
    """Turn after turn drawn both ways, public and private pictures in turn."""
    for match in turns()[MIDDLE - WARM : MIDDLE]:
        render.picture(*seen(match, private=False)), render.picture(*seen(match, private=True))
    ours, naive = [], []
    for number in range(rounds(quick)):
        view, scene = seen(turns()[MIDDLE + number], private=bool(number % 2))
        ours.append(milliseconds(lambda view=view, scene=scene: render.picture(view, scene)))
        naive.append(milliseconds(lambda view=view, scene=scene: naive_png(view, scene)))
    return Measured(median(ours) / median(naive), median(ours), median(naive))


def weight(quick: bool) -> Measured:
    """The heaviest of all turns of a match, public and private; every tenth if it must be quick."""
    start = time.process_time()
    chosen = turns()[:: 40 if quick else 4]
    sizes = [len(render.picture(*seen(match, private))) / KIBIBYTE for match in chosen for private in (False, True)]
    note = f"heaviest of {len(sizes)}, median {median(sizes):.0f} KiB"
    return Measured(max(sizes), (time.process_time() - start) * 1000 / len(sizes), note=note)


@lru_cache(maxsize=4)
def _both(turn: int, private: bool) -> tuple[Image.Image, Image.Image]:
    view, scene = seen(turns()[turn], private)
    sent = Image.open(io.BytesIO(render.picture(view, scene))).convert("RGB")
    return sent, lossless(view, scene).convert("RGB")


def _samples(quick: bool) -> list[tuple[int, bool]]:
    return [(MIDDLE, True)] if quick else [(MIDDLE, True), (MIDDLE + 80, False)]


def fidelity(quick: bool) -> Measured:
    """The worst of a private picture of the exploration and a public one of the settlement."""
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
    Row("draw", "draw + encode a turn / naive 2x + PNG level 6", 0.045, 0.08, draw),
    Row("bytes", "KiB of a turn's picture", 250, 350, weight),
    Row("fidelity", "PSNR of the sent picture, to a lossless 4x drawing", 44, 40, fidelity, more_is_better=True),
    Row("colours", "farthest player's colour from its true one", JUST_NOTICEABLE, JUST_NOTICEABLE, colours),
)
