"""What matches that are over cost: any moment of them looked at, and a file full of them opened."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from bot.features.history.moments import MOMENTS_TOLD, load_timeline
from bot.features.thinning import EVERY, mark_thinned, thin
from bot.kernel import queries
from bot.store.sqlite import SqliteStore
from tests.bench.growth import EARLY, LATE, copy_match, long_map
from tests.bench.measure import Measured, Row, rounds
from tests.bench.place import on_disk
from tests.bench.tables import Tables
from tests.bot.desk import Desk, open_desk

MANY = 100_000
"""Matches that have ended, in a full file."""
PLAYED = 8
"""Moves of each of them."""
MOVES = 20
"""Moves in a row, with matches being thinned or without."""
RESULTS = """
    INSERT INTO results SELECT copy.number, seat, user_id + 100 * copy.number, name, level, place, score, kind,
        has_left, came_late, counts, here_mu, here_sigma, mu, sigma
    FROM finishes AS copy, results WHERE results.number = 1 AND copy.number != 1
"""


async def _cost(matches: Desk, match: str, moment: int) -> float:
    """What it takes to have a moment that nobody has just looked at, its round, and what happened
    then and before.

    What is drawn of it is left out: a board with many pieces takes longer to draw than an empty
    one, also today's.
    """
    matches._past.clear()
    room = await matches.find(match)
    start = time.process_time()
    timeline = await load_timeline(matches.kernel, room)
    await timeline.room_at(moment)
    await timeline.round_at(moment)
    for number in range(moment - MOMENTS_TOLD + 1, moment + 1):
        await timeline.events_at(number, None)
    return (time.process_time() - start) * 1000


async def moment(path: Path, quick: bool, thinned: bool) -> Measured:
    """Twenty moments from the 5th on and twenty from the 300th on, by turns: so far may the last
    one kept be away.
    """
    early, late = [], []
    async with Tables(open_desk(await SqliteStore.open(path / "motu.db"))) as tables:
        match = await tables.opened(settings={"board": long_map()})
        for _ in range(LATE + EVERY):
            await tables.moved(match)
        await tables.given_up(match)
        if thinned:
            await thin(tables.matches.kernel, match)
        for _ in range(rounds(quick)):
            for step in range(EVERY):
                early.append(await _cost(tables.matches, match, EARLY + step))
                late.append(await _cost(tables.matches, match, LATE + step))
    ours, naive = sum(late) / len(late), sum(early) / len(early)
    return Measured(
        ours / naive, ours, naive, f"medians {median(late):.2f} and {median(early):.2f} ms"
    )


async def full(path: Path, quick: bool) -> Measured:
    """From the opening of a file to the first move in it, by turns of an empty one and of one
    full of matches.
    """
    many = MANY // 50 if quick else MANY
    await asyncio.to_thread(_fill, await _ended(path / "full.db"), path / "full.db", many)
    none, lots = [], []
    await (await SqliteStore.open(path / "empty.db")).close()
    for _ in range(rounds(quick)):
        none.append(await _opening(path / "empty.db"))
        lots.append(await _opening(path / "full.db"))
    size = (path / "full.db").stat().st_size / 2**20
    return Measured(
        median(lots) / median(none), median(lots), median(none), f"{many:,} matches, {size:.0f} MiB"
    )


async def _ended(path: Path) -> str:
    """A match that is over and thinned, alone in its file."""
    async with Tables(open_desk(await SqliteStore.open(path))) as tables:
        await tables.matches.recover()
        match = await tables.opened()
        for _ in range(PLAYED):
            await tables.moved(match)
        await tables.given_up(match)
        await tables.matches.pipeline.change(
            match, lambda change: change.update(result_unannounced=False)
        )
        await thin(tables.matches.kernel, match)
        await tables.matches.store.write(mark_thinned, match)
    return match


def _fill(match: str, path: Path, many: int) -> None:
    with closing(sqlite3.connect(path)) as database:
        copy_match(database, match, many - 1)
        database.execute("DELETE FROM jobs")
        database.execute(RESULTS)
        database.commit()


async def _opening(path: Path) -> float:
    """Milliseconds until somebody has moved, by the clock on the wall: what they would wait."""
    start = time.perf_counter()
    matches = open_desk(await SqliteStore.open(path))
    # What the bot looks for before it serves anybody.
    await matches.recover()
    await matches.due()
    await matches.votes.matches_voting()
    await matches.select(queries.matches_unable_to_post, own=matches.store.own)
    await matches.untold()
    await matches.lobbies()
    await matches.select(queries.distinct_board_samples, 16, own=matches.store.own)
    await matches.scheduler.beat()
    async with Tables(matches) as tables:
        match = await tables.opened()
        await tables.moved(match)
        spent = (time.perf_counter() - start) * 1000
        await tables.given_up(match)
    return spent


async def thinning(path: Path, quick: bool) -> Measured:
    """Moves while old matches are thinned without a pause between them, by turns with moves in
    peace.
    """
    peace, beside = [], []
    async with Tables(open_desk(await SqliteStore.open(path / "motu.db"))) as tables:
        old = await tables.opened(settings={"board": long_map()})
        for _ in range(LATE if not quick else EVERY * 3):
            await tables.moved(old)
        await tables.given_up(old)
        match = await tables.opened(settings={"board": long_map()})
        for _ in range(2 if quick else 8):
            peace += [await _move(tables, match) for _ in range(MOVES)]
            work = asyncio.create_task(_thinned_for_ever(tables.matches, old))
            beside += [await _move(tables, match) for _ in range(MOVES)]
            work.cancel()
            await asyncio.wait([work])
    return Measured(median(beside) / median(peace), median(beside), median(peace))


async def _thinned_for_ever(matches: Desk, match: str) -> None:
    """Every piece read and played through, again and again; nothing is left to be forgotten
    after the first time.
    """
    while True:
        await thin(matches.kernel, match)


async def _move(tables: Tables, match: str) -> float:
    move = await tables.chosen(match)
    start = time.perf_counter()
    await tables.played(move)
    return (time.perf_counter() - start) * 1000


ROWS = (
    Row(
        "moment",
        "a look at moment 300 of a match / at moment 5",
        1.05,
        1.1,
        lambda quick: asyncio.run(
            on_disk(lambda path, quick: moment(path, quick, thinned=False), quick)
        ),
    ),
    Row(
        "moment thinned",
        "the same with every 20th position kept",
        1.05,
        1.1,
        lambda quick: asyncio.run(
            on_disk(lambda path, quick: moment(path, quick, thinned=True), quick)
        ),
    ),
    Row(
        "thinning",
        "a move while old matches are thinned / in peace",
        1.1,
        1.3,
        lambda quick: asyncio.run(on_disk(thinning, quick)),
    ),
    Row(
        "full",
        "from opening a file of 100,000 finished matches to a move / an empty one",
        1.1,
        1.5,
        lambda quick: asyncio.run(on_disk(full, quick)),
    ),
)
