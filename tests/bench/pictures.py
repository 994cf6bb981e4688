"""Measure the picture of a turn: its time, its size, and its fidelity."""

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
from render.sample import play_randomly, scene_of
from tests.bench.colour import JUST_NOTICEABLE, Rgb, difference, lab
from tests.bench.measure import Measured, Row, milliseconds, percentile, rounds
from tests.bench.naive_render import lossless, naive_png, psnr

FIRST = "blue_lagoon"
"""The game whose rows have plain names; those of other games end with the game."""
MIDDLE = 60
"""A turn when the board is well filled and every seat is on it; halfway in shorter matches."""
LATE = 80
"""How many turns later another picture is compared; near the end in shorter matches."""
WARM = 10
"""How many turns are drawn before timing: players don't meet a bot that has drawn nothing yet."""
KIBIBYTE = 1024


@lru_cache(maxsize=4)
def turns(game: str = FIRST) -> tuple[Match, ...]:
    """Return a random match with a full table, turn by turn."""
    return tuple(play_randomly(game, max(GAMES[game].seats), seed=3))


def middle(game: str) -> int:
    """Return the number of the turn that the rows measure."""
    return min(MIDDLE, len(turns(game)) // 2)


def view_and_scene(match: Match, private: bool) -> tuple[View, render.Scene]:
    """Return what is drawn of a turn: for everyone, or privately for the seat to move."""
    viewer = match.waiting_for()[0] if private and match.waiting_for() else None
    return match.view(viewer), scene_of(match, private)


def draw(game: str, quick: bool) -> Measured:
    """Compare drawing turn after turn with the naive way; public and private pictures alternate."""
    start = middle(game)
    for match in turns(game)[start - WARM : start]:
        (
            render.picture(*view_and_scene(match, private=False)),
            render.picture(*view_and_scene(match, private=True)),
        )
    ours, naive = [], []
    for number in range(rounds(quick)):
        view, scene = view_and_scene(turns(game)[start + number], private=bool(number % 2))
        ours.append(milliseconds(lambda view=view, scene=scene: render.picture(view, scene)))
        naive.append(milliseconds(lambda view=view, scene=scene: naive_png(view, scene)))
    return Measured(median(ours) / median(naive), median(ours), median(naive))


def weight(game: str, quick: bool) -> Measured:
    """Return the size of the heaviest picture of a match, public or private."""
    start = time.process_time()
    chosen = turns(game)[:: 40 if quick else 4]
    sizes = [
        len(render.picture(*view_and_scene(match, private))) / KIBIBYTE
        for match in chosen
        for private in (False, True)
    ]
    note = f"heaviest of {len(sizes)}, median {median(sizes):.0f} KiB"
    return Measured(max(sizes), (time.process_time() - start) * 1000 / len(sizes), note=note)


@lru_cache(maxsize=4)
def _both(game: str, turn: int, private: bool) -> tuple[Image.Image, Image.Image]:
    view, scene = view_and_scene(turns(game)[turn], private)
    sent = Image.open(io.BytesIO(render.picture(view, scene))).convert("RGB")
    return sent, lossless(view, scene).convert("RGB")


def _samples(game: str, quick: bool) -> list[tuple[str, int, bool]]:
    late = min(middle(game) + LATE, len(turns(game)) - WARM)
    return (
        [(game, middle(game), True)] if quick else [(game, middle(game), True), (game, late, False)]
    )


def fidelity(game: str, quick: bool) -> Measured:
    """Return the lower PSNR of a private picture in the middle and a public one of a late turn."""
    return Measured(min(psnr(*_both(*sample)) for sample in _samples(game, quick)), note="dB")


def colours(game: str, quick: bool) -> Measured:
    """Return how far the sent colour of a seat strays from its true one, for the worst seat."""
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
    """Return the rows of one game."""
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
"""Games with their own renderer."""
ROWS = tuple(row for game in DRAWN for row in rows(game))
