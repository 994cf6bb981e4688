"""Measure films: time and size, compared with what Pillow makes of the same pictures."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial

from bot.ui.reply import MAX_FILE_BYTES
from bot.workers.jobs import MakeFilm, Shot
from bot.workers.pool import Workers
from engine import GAMES, visible
from engine.core.save import encode_events, snapshot
from engine.core.words import words_of
from render import Scene, renderer
from render.canvas import use_mode
from render.film import Moment, draw_frame, find_windows, fit_within, make_film
from render.sample import NAMES, play_randomly
from tests.bench.measure import Measured, Row, rounds
from tests.bench.naive_render import NAIVE
from tests.bench.thinking import drawing_beside, peak_memory

COMMITS, LONG, QUICK = 60, 300, 3
SEATS = 2


def moments(game: str, number: int, seed: int = 11) -> list[Moment]:
    """Return the first commits of a match as moments of a film."""
    found = []
    for match, _ in zip(play_randomly(game, SEATS, seed), range(number), strict=False):
        view = match.view(None)
        events = visible(match.last.events if match.last else (), None)
        found.append(
            Moment(view, " ".join(words_of(game).story(events, NAMES[:SEATS], view)), events)
        )
    return found


def long(game: str, quick: bool) -> Measured:
    """Return the size of a long film, as a fraction of the largest file that is sent.

    Short matches are filmed one after the other.
    """
    shown: list[Moment] = []
    number, seed = QUICK if quick else LONG, 11
    while len(shown) < number:
        shown += moments(game, number - len(shown), seed)
        seed += 1
    start = time.process_time()
    made, _ = make_film(shown, NAMES[:SEATS], 1.0)
    note = f"{len(made) / 2**20:.1f} MiB in {time.process_time() - start:.0f} s of a core"
    return Measured(len(made) / MAX_FILE_BYTES, note=note)


def naive(shown: list[Moment]) -> bytes:
    """Draw every frame from scratch, and have Pillow encode them."""
    frames = []
    for moment, window in zip(shown, find_windows(shown), strict=True):
        with use_mode(NAIVE):
            frames.append(draw_frame(moment, NAMES[:SEATS], window).reduce(NAIVE.zoom))
    last = shown[-1].view
    if last.outcome is not None:
        with use_mode(NAIVE):
            sheet = renderer(last, "score_sheet")(last, Scene(NAMES[:SEATS])).reduce(NAIVE.zoom)
        frames.append(fit_within(sheet, frames[0].size))
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=1000, loop=0)
    return out.getvalue()


@cache
def compare_films(game: str, quick: bool) -> tuple[float, float, int, int]:
    """Return the CPU milliseconds and the bytes of our film and of the naive one."""
    shown = moments(game, QUICK if quick else COMMITS)
    make_film(shown[:2], NAMES[:SEATS], 1.0)
    start = time.process_time()
    ours, _ = make_film(shown, NAMES[:SEATS], 1.0)
    middle = time.process_time()
    plain = naive(shown)
    end = time.process_time()
    return (middle - start) * 1000, (end - middle) * 1000, len(ours), len(plain)


def film_time(game: str, quick: bool) -> Measured:
    """Compare the time that a film takes, from the positions to the file."""
    ours, plain, _, _ = compare_films(game, quick)
    return Measured(ours / plain, ours, plain)


def film_bytes(game: str, quick: bool) -> Measured:
    """Compare the sizes of the files."""
    _, _, ours, plain = compare_films(game, quick)
    return Measured(ours / plain, note=f"{ours / 2**20:.1f} and {plain / 2**20:.1f} MiB")


def film_job(game: str, seats: int, commits: int) -> MakeFilm:
    """Return a job that films the first commits of a match."""
    shots = tuple(
        Shot(
            snapshot(match),
            "",
            encode_events(visible(match.last.events if match.last else (), None)),
            "",
        )
        for match, _ in zip(play_randomly(game, seats, seed=11), range(commits), strict=False)
    )
    return MakeFilm(game, shots, NAMES[:seats], 1.0, MAX_FILE_BYTES)


@asynccontextmanager
async def filming(workers: Workers) -> AsyncIterator[None]:
    """Make one film after the other within this context, which begins after the first frame."""
    job, begun = film_job("maori", SEATS, COMMITS), asyncio.Event()

    async def without_pause() -> None:
        while True:
            await workers.do(job, lambda part: begun.set())

    task = asyncio.create_task(without_pause())
    try:
        # Should the worker die instead, its task ends first and says so.
        beginning = asyncio.ensure_future(begun.wait())
        await asyncio.wait([beginning, task], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def beside_boards(count: int) -> Measured:
    """Compare drawing boards while a film is made with drawing them while none is."""
    workers = Workers(1, "lowest")  # as in the bot
    async with filming(workers):
        measured = await drawing_beside(workers, count)
    await workers.close()
    return measured


async def memory(quick: bool) -> Measured:
    """Return the memory that a worker needs for a film of every game with all its seats."""
    workers = Workers(1)
    for game in GAMES.values():
        await workers.do(film_job(game.id, max(game.seats), QUICK if quick else COMMITS))
    measured = peak_memory(workers)
    await workers.close()
    return measured


ROWS = (
    Row(
        "film-memory",
        "most MB of a worker that films matches of every game",
        280,
        340,
        lambda quick: asyncio.run(memory(quick)),
    ),
    Row(
        "draw-filming",
        "drawing while a film is made / while none is",
        1.05,
        1.1,
        lambda quick: asyncio.run(beside_boards(rounds(quick))),
    ),
    *(
        row
        for game in GAMES
        for row in (
            Row(
                f"film-{game}",
                f"film of {COMMITS} commits / naive GIF",
                0.08,
                0.12,
                partial(film_time, game),
            ),
            Row(
                f"film-bytes-{game}",
                "bytes of such a film / naive GIF",
                0.1,
                0.15,
                partial(film_bytes, game),
            ),
            Row(
                f"film-long-{game}",
                f"bytes of {LONG} commits / the most that is sent",
                0.8,
                1.0,
                partial(long, game),
            ),
        )
    ),
)
