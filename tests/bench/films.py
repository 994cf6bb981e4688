"""A film of a match: what it costs and weighs beside what Pillow makes of the same pictures."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial

from bot.ui.reply import LARGEST
from bot.workers.jobs import MakeFilm, Shot
from bot.workers.pool import Workers
from engine import GAMES, visible
from engine.core.save import encode_events, snapshot
from engine.core.words import words_of
from render import Scene, renderer
from render.canvas import drawing
from render.film import Moment, film, frame_of, steady, within
from render.sample import NAMES, played
from tests.bench.measure import Measured, Row, rounds
from tests.bench.naive_render import NAIVE
from tests.bench.thinking import drawing_beside, peak_memory

COMMITS, LONG, QUICK = 60, 300, 3
SEATS = 2


def moments(game: str, number: int, seed: int = 11) -> list[Moment]:
    """The first commits of a match."""
    found = []
    for match, _ in zip(played(game, SEATS, seed), range(number), strict=False):
        view, events = match.view(None), visible(match.last.events if match.last else (), None)
        found.append(
            Moment(view, " ".join(words_of(game).story(events, NAMES[:SEATS], view)), events)
        )
    return found


def long(game: str, quick: bool) -> Measured:
    """A film of many commits, in shares of the largest that is sent.

    Where matches are shorter it shows several.
    """
    shown: list[Moment] = []
    number, seed = QUICK if quick else LONG, 11
    while len(shown) < number:
        shown += moments(game, number - len(shown), seed)
        seed += 1
    start = time.process_time()
    made, _ = film(shown, NAMES[:SEATS], 1.0)
    note = f"{len(made) / 2**20:.1f} MiB in {time.process_time() - start:.0f} s of a core"
    return Measured(len(made) / LARGEST, note=note)


def naive(shown: list[Moment]) -> bytes:
    """Every frame drawn anew, and all of them given to Pillow."""
    frames = []
    for moment, window in zip(shown, steady(shown), strict=True):
        with drawing(NAIVE):
            frames.append(frame_of(moment, NAMES[:SEATS], window).reduce(NAIVE.zoom))
    last = shown[-1].view
    if last.outcome is not None:
        with drawing(NAIVE):
            sheet = renderer(last, "score_sheet")(last, Scene(NAMES[:SEATS])).reduce(NAIVE.zoom)
        frames.append(within(sheet, frames[0].size))
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=1000, loop=0)
    return out.getvalue()


@cache
def both(game: str, quick: bool) -> tuple[float, float, int, int]:
    """CPU milliseconds of ours and of the naive way, and their bytes."""
    shown = moments(game, QUICK if quick else COMMITS)
    film(shown[:2], NAMES[:SEATS], 1.0)
    start = time.process_time()
    ours, _ = film(shown, NAMES[:SEATS], 1.0)
    middle = time.process_time()
    plain = naive(shown)
    end = time.process_time()
    return (middle - start) * 1000, (end - middle) * 1000, len(ours), len(plain)


def film_time(game: str, quick: bool) -> Measured:
    """A film made, from the positions to the file."""
    ours, plain, _, _ = both(game, quick)
    return Measured(ours / plain, ours, plain)


def film_bytes(game: str, quick: bool) -> Measured:
    """What its file weighs."""
    _, _, ours, plain = both(game, quick)
    return Measured(ours / plain, note=f"{ours / 2**20:.1f} and {plain / 2**20:.1f} MiB")


def film_job(game: str, seats: int, commits: int) -> MakeFilm:
    """Return the work of filming the first commits of a match."""
    shots = tuple(
        Shot(
            snapshot(match),
            "",
            encode_events(visible(match.last.events if match.last else (), None)),
            "",
        )
        for match, _ in zip(played(game, seats, seed=11), range(commits), strict=False)
    )
    return MakeFilm(game, shots, NAMES[:seats], 1.0, LARGEST)


@asynccontextmanager
async def filming(workers: Workers) -> AsyncIterator[None]:
    """A film is made meanwhile, one after the other; its first frame is there when it begins."""
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
    """Boards drawn for people while somebody else's film is made."""
    workers = Workers(1)
    async with filming(workers):
        measured = await drawing_beside(workers, count)
    await workers.close()
    return measured


async def memory(quick: bool) -> Measured:
    """One film of every game with all its seats, in the same process."""
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
