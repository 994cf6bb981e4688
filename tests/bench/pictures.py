"""A turn's picture: what it costs, what it weighs, and how true it is."""

import io
import time
from collections import defaultdict
from functools import lru_cache, partial
from importlib.util import find_spec
from statistics import median

from PIL import Image

import render
from engine import GAMES, Match, View
from render.palette import livery_of
from render.sample import played, scene_of
from tests.bench.colour import JUST_NOTICEABLE, Rgb, difference, lab
from tests.bench.measure import Measured, Row, milliseconds, percentile, rounds
from tests.bench.naive_render import lossless, naive_png, psnr

FIRST = "blue_lagoon"
"""The game whose rows have plain names; those of the others end in the game."""
MIDDLE = 60
"""A turn by which the board is well filled and every seat stands on it; half-way in shorter
matches.
"""
LATE = 80
"""So many turns after that one more picture is compared; near the end in shorter matches."""
WARM = 10
"""Turns drawn before the clock runs: a bot that has drawn none yet is not what a player meets."""
KIBIBYTE = 1024


@lru_cache(maxsize=4)
def turns(game: str = FIRST) -> tuple[Match, ...]:
    """A random match of as many seats as the game takes, turn by turn."""
    return tuple(played(game, max(GAMES[game].seats), seed=3))


def middle(game: str) -> int:
    """The turn that the rows are about."""
    return min(MIDDLE, len(turns(game)) // 2)


def seen(match: Match, private: bool) -> tuple[View, render.Scene]:
    """What is drawn of a turn: for everyone, or for the seat to move with its legal spots
    ringed.
    """
    viewer = match.waiting_for()[0] if private and match.waiting_for() else None
    return match.view(viewer), scene_of(match, private)


def draw(game: str, quick: bool) -> Measured:
    """Turn after turn drawn both ways, public and private pictures in turn."""
    start = middle(game)
    for match in turns(game)[start - WARM : start]:
        render.picture(*seen(match, private=False)), render.picture(*seen(match, private=True))
    ours, naive = [], []
    for number in range(rounds(quick)):
        view, scene = seen(turns(game)[start + number], private=bool(number % 2))
        ours.append(milliseconds(lambda view=view, scene=scene: render.picture(view, scene)))
        naive.append(milliseconds(lambda view=view, scene=scene: naive_png(view, scene)))
    return Measured(median(ours) / median(naive), median(ours), median(naive))


def weight(game: str, quick: bool) -> Measured:
    """The heaviest of all turns of a match, public and private; every tenth if it must be quick."""
    start = time.process_time()
    chosen = turns(game)[:: 40 if quick else 4]
    sizes = [
        len(render.picture(*seen(match, private))) / KIBIBYTE
        for match in chosen
        for private in (False, True)
    ]
    note = f"heaviest of {len(sizes)}, median {median(sizes):.0f} KiB"
    return Measured(max(sizes), (time.process_time() - start) * 1000 / len(sizes), note=note)


@lru_cache(maxsize=4)
def _both(game: str, turn: int, private: bool) -> tuple[Image.Image, Image.Image]:
    view, scene = seen(turns(game)[turn], private)
    sent = Image.open(io.BytesIO(render.picture(view, scene))).convert("RGB")
    return sent, lossless(view, scene).convert("RGB")


def _samples(game: str, quick: bool) -> list[tuple[str, int, bool]]:
    late = min(middle(game) + LATE, len(turns(game)) - WARM)
    return (
        [(game, middle(game), True)] if quick else [(game, middle(game), True), (game, late, False)]
    )


def fidelity(game: str, quick: bool) -> Measured:
    """The worst of a private picture of the middle and a public one of a late turn."""
    return Measured(min(psnr(*_both(*sample)) for sample in _samples(game, quick)), note="dB")


def colours(game: str, quick: bool) -> Measured:
    """The seat whose colour strays most: where the lossless drawing has exactly its colour, what
    was sent?
    """
    strays: dict[Rgb, list[float]] = defaultdict(list)
    liveries = {
        livery_of(seat).colour: lab(livery_of(seat).colour)
        for seat in range(max(GAMES[game].seats))
    }
    for sample in _samples(game, quick):
        sent, true = _both(*sample)
        for here, there in zip(sent.getdata(), true.getdata(), strict=True):
            if there in liveries:
                strays[there].append(
                    0.0 if here == there else difference(liveries[there], lab(here))
                )
    if strays.keys() != liveries.keys():
        raise RuntimeError("a seat's colour is nowhere in the picture")
    return Measured(
        max(percentile(found, 0.95) for found in strays.values()),
        note="CIEDE2000, 95 % of the pixels",
    )


def rows(game: str) -> tuple[Row, ...]:
    """The rows of one game."""
    end, of = ("", "") if game == FIRST else (f"-{game}", f" of {GAMES[game].title}")
    return (
        Row(
            f"draw{end}",
            f"draw + encode a turn{of} / naive 2x + PNG level 6",
            0.045,
            0.08,
            partial(draw, game),
        ),
        Row(f"bytes{end}", f"KiB of a turn's picture{of}", 250, 350, partial(weight, game)),
        Row(
            f"fidelity{end}",
            f"PSNR of the sent picture{of}, to a lossless 4x drawing",
            44,
            40,
            partial(fidelity, game),
            more_is_better=True,
        ),
        Row(
            f"colours{end}",
            f"farthest player's colour{of} from its true one",
            JUST_NOTICEABLE,
            JUST_NOTICEABLE,
            partial(colours, game),
        ),
    )


DRAWN = (FIRST, *(game for game in GAMES if game != FIRST and find_spec(f"render.{game}")))
"""Games with looks of their own."""
ROWS = tuple(row for game in DRAWN for row in rows(game))
